# SPDX-License-Identifier: Apache-2.0
"""Telling a function how values are split, as soon as that is known: at once, or when the program is split."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from olympus_core import dtypes
from olympus_core.dtypes import is_key
from olympus_core.placement import Dims, Layout, Mesh, Sharding, sharding_of
from olympus_core.program import ArrayType, FactorRule, Operation

from ..array import is_concrete
from ..operands import key_words
from ..tracing import Aval, Tracer
from .device_put import device_put
from .jaxpr.primitive import Primitive, register_lowering
from .jaxpr.writing import Lowering
from .traces.arithmetic import convert
from .traces.table import Batched, BatchingCall, Jvp, JvpCall


def inspect(value: Any, callback: Callable[[Sharding], Any]) -> None:
    """Gives the sharding of a value to a function: now where it is an array, or when what is traced is split."""
    if isinstance(value, Tracer):
        asked: Any = value
        type = value.aval.type
        if type.carried() is not type:  # keys and the narrowest numbers are asked about by ordinary ones that lie alike
            asked = key_words(asked) if is_key(type.dtype) else convert(asked, dtypes.float32)
        inspect_sharding_p.bind(asked, callback=callback)
    else:
        callback((value if is_concrete(value) else device_put(value)).sharding)


def _types(aval: Aval, callback: Any) -> tuple[list[Aval], set[Any]]:
    return [], {inspect_sharding_p}


def _factors(operands: Sequence[ArrayType], results: Sequence[ArrayType], params: Mapping[str, Any]) -> FactorRule:
    return FactorRule.elementwise(operands[0].shape, 1, 0)


def _told(mesh: Mesh, operation: Operation, operands: Sequence[Dims], results: Sequence[Dims]) -> None:
    operation.attributes["params"].values["callback"](sharding_of(Layout(mesh, operands[0])))


def _jvp(call: JvpCall) -> Jvp:
    inspect(call.primals[0], call.attributes["params"].values["callback"])
    return [], []


def _batching(call: BatchingCall) -> Batched:
    inspect(call.values[0], call.attributes["params"].values["callback"])
    return []


inspect_sharding_p = Primitive("inspect_sharding")
inspect_sharding_p.multiple_results = True
inspect_sharding_p.def_effectful_abstract_eval(_types)
inspect_sharding_p.def_sharding_rule(_factors)
inspect_sharding_p.def_authors_split(_told)
register_lowering(inspect_sharding_p, Lowering(lambda x, callback: [], True))
inspect_sharding_p.rules.jvp = _jvp
inspect_sharding_p.rules.batching = _batching
