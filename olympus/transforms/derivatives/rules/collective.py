"""Derivatives of collectives. Those of a function for one device are of all devices' functions at once.

What a device's value has an effect on may lie on other devices: the cotangent of what was summed is the sum of the
cotangents, and so on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.errors import NotSupportedError

from ....tracing import aval_of, bind
from ...traces.arithmetic import apply, compare, div, mul, select, zeros
from ...traces.table import Step, Transposition, backward, constant, forward

Result = tuple[Sequence[Any], Sequence[Any]]


@forward(ops.all_gather, ops.all_to_all, ops.permute, ops.broadcast)
def _move(step: Step) -> Result:
    y = bind(step.record, *step.primals, weak=step.weak, **step.attributes)
    return [y], [apply(step.record, step.tangents[0], **step.attributes)]


def _total(x: Any, group: Any) -> Any:
    return apply(ops.all_reduce, x, reduction="sum", group=group)


@forward(ops.all_reduce)
def _all_reduce(step: Step) -> Result:
    (x,), (t,), group = step.primals, step.tangents, step.attributes["group"]
    y = bind(ops.all_reduce, x, weak=step.weak, **step.attributes)
    reduction = step.attributes["reduction"]
    if reduction == "sum":
        return [y], [_total(t, group)]
    if reduction == "prod":
        raise _no_product("all_reduce")
    share = compare(ops.eq, x, y, aval_of(x).dtype)
    return [y], [div(_total(mul(t, share), group), _total(share, group))]


def _no_product(name: str) -> NotSupportedError:
    return NotSupportedError(f"The derivative of {name} with reduction prod", "it is not written",
                             "Gather the values with olympus.lax.all_gather and multiply them with .prod().")


@forward(ops.reduce_scatter)
def _reduce_scatter(step: Step) -> Result:
    if step.attributes["reduction"] != "sum":
        raise NotSupportedError(
            f"The derivative of reduce_scatter with reduction {step.attributes['reduction']}", "it is not written",
            "Reduce with an all-reduce (olympus.lax.pmax, pmin) and take this device's part.")
    return _move(step)


@backward(ops.all_reduce)
def _all_reduce_back(t: Transposition) -> Sequence[Any]:
    return [_total(t.cotangent, t.attributes["group"])]


@backward(ops.all_gather)
def _all_gather_back(t: Transposition) -> Sequence[Any]:
    return [apply(ops.reduce_scatter, t.cotangent, reduction="sum", **t.attributes)]


@backward(ops.reduce_scatter)
def _reduce_scatter_back(t: Transposition) -> Sequence[Any]:
    attributes = {key: value for key, value in t.attributes.items() if key != "reduction"}
    return [apply(ops.all_gather, t.cotangent, **attributes)]


@backward(ops.all_to_all)
def _all_to_all_back(t: Transposition) -> Sequence[Any]:
    a = t.attributes
    return [apply(ops.all_to_all, t.cotangent, split_dimension=a["concat_dimension"],
                  concat_dimension=a["split_dimension"], group=a["group"])]


@backward(ops.permute)
def _permute_back(t: Transposition) -> Sequence[Any]:
    pairs = tuple((target, source) for source, target in t.attributes["pairs"])
    return [apply(ops.permute, t.cotangent, pairs=pairs, group=t.attributes["group"])]


@backward(ops.broadcast)
def _broadcast_back(t: Transposition) -> Sequence[Any]:
    group, aval = t.attributes["group"], t.avals[0]
    total = _total(t.cotangent, group)
    here = apply(ops.eq, apply(ops.axis_index, group=group), np.asarray(t.attributes["source"], dtypes.int32))
    mask = apply(ops.broadcast_in_dim, here, shape=aval.shape, dimensions=())
    return [select(mask, total, zeros(aval))]


constant(ops.axis_index)
