# SPDX-License-Identifier: Apache-2.0
"""Primitives by name, as libraries know them: `add_p`, `scan_p`, ...; also some that are in no program here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from olympus_core import ops

from ..tracing import aval_of
from ..transforms.jaxpr import PRIMITIVES, KnownPrimitive, Primitive, eval_jaxpr
from ..transforms.jaxpr.known import taken
from ..transforms.jaxpr.primitive import Params
from . import linalg
from .bits import reduce_precision
from .elementwise import add, exp2, integer_pow, max, min, square
from .folds import reduce_window, reduce_xor
from .reductions import cumlogsumexp
from .structure import reshape, squeeze

Function = Callable[..., Any]


def _composed(
    name: str, function: Function, *params: str, others: Params | None = None, several: bool = False
) -> Primitive:
    """A primitive that is a function of `lax`: bound, it gives the operations that this is made of."""
    def bind(args: Sequence[Any], given: Params) -> list[Any]:
        values = taken(name, given, params, others or {})
        found = function(*args, **dict(zip(params, values, strict=True)))
        return list(found) if several else [found]

    return KnownPrimitive(name, bind, several)


def _windows(name: str, function: Function, record: Any) -> Primitive:
    params = ("window_dimensions", "window_strides", "padding", "base_dilation", "window_dilation")

    def run(x: Any, **given: Any) -> Any:
        return reduce_window(x, record.nothing(aval_of(x).dtype)[()], function, **given)

    return _composed(name, run, *params)


def _inline(*args: Any, call_jaxpr: Any) -> list[Any]:
    return eval_jaxpr(getattr(call_jaxpr, "jaxpr", call_jaxpr), getattr(call_jaxpr, "consts", ()), *args)


# Those that other libraries' programs have, and that are several operations here, or none.
_COMPOSED = (
    _composed("square", square), _composed("integer_pow", integer_pow, "y"),
    _composed("exp2", exp2, others={"accuracy": None}), _composed("squeeze", squeeze, "dimensions"),
    _composed("copy", lambda x: reshape(x, aval_of(x).shape)), _composed("add_any", add),
    _composed("reduce_precision", reduce_precision, "exponent_bits", "mantissa_bits"),
    _composed("cumlogsumexp", cumlogsumexp, "axis", "reverse"), _composed("reduce_xor", reduce_xor, "axes"),
    _composed("call", _inline, "call_jaxpr", several=True),
    _composed("closed_call", _inline, "call_jaxpr", several=True),
    _composed("qr", linalg.qr, "full_matrices", "pivoting", others={"use_magma": None}, several=True),
    _windows("reduce_window_max", max, ops.max), _windows("reduce_window_min", min, ops.min),
    _windows("reduce_window_sum", add, ops.add),
)
# Names under which libraries know some of them.
_IDENTIFIERS = {"remat2": "remat", "add_any": "add_jaxvals"}


def _identifier(name: str) -> str:
    return f"{_IDENTIFIERS.get(name, name).replace('-', '_')}_p"


BY_NAME: dict[str, Primitive] = {
    _identifier(primitive.name): primitive for primitive in (*PRIMITIVES.values(), *_COMPOSED)}
__all__: list[str] = []
