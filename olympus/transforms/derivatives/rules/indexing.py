"""Derivatives of gather and scatter, which are each other's way back."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.errors import NotSupportedError

from ....lax.operands import counting
from ....tracing import aval_of, bind
from ...traces.arithmetic import apply, compare, div, filled, mul, reshape, select, zeros
from ...traces.table import Step, Transposition, backward, forward
from .structure import instantiated

Result = tuple[Sequence[Any], Sequence[Any]]
Attributes = Mapping[str, Any]


def _as_scatter(gather: Attributes, combine: str) -> dict[str, Any]:
    """Puts windows where a gather took them."""
    return {
        "update_window_dims": gather["offset_dims"], "inserted_window_dims": gather["collapsed_slice_dims"],
        "scatter_dims_to_operand_dims": gather["start_index_map"],
        "operand_batching_dims": gather["operand_batching_dims"],
        "indices_batching_dims": gather["indices_batching_dims"],
        "combine": combine, "mode": "clip" if gather["mode"] == "clip" else "drop",
    }


def _as_gather(scatter: Attributes, x: Sequence[int], updates: Sequence[int], fill: Any) -> dict[str, Any]:
    """Takes windows from where a scatter puts them."""
    removed = {*scatter["inserted_window_dims"], *scatter["operand_batching_dims"]}
    window = iter(scatter["update_window_dims"])
    sizes = tuple(1 if d in removed else updates[next(window)] for d in range(len(x)))
    return {
        "offset_dims": scatter["update_window_dims"], "collapsed_slice_dims": scatter["inserted_window_dims"],
        "start_index_map": scatter["scatter_dims_to_operand_dims"],
        "operand_batching_dims": scatter["operand_batching_dims"],
        "indices_batching_dims": scatter["indices_batching_dims"], "slice_sizes": sizes,
        "mode": "clip" if scatter["mode"] == "clip" else "fill", "fill_value": fill,
    }


@forward(ops.gather)
def _gather(step: Step) -> Result:
    y = bind(ops.gather, *step.primals, weak=step.weak, **step.attributes)
    attributes = {**step.attributes, "fill_value": 0} if step.attributes["mode"] == "fill" else step.attributes
    return [y], [apply(ops.gather, step.tangents[0], step.primals[1], **attributes)]


@backward(ops.gather)
def _gather_back(t: Transposition) -> Sequence[Any]:
    attributes = _as_scatter(t.attributes, "add")
    return [apply(ops.scatter, zeros(t.avals[0]), t.operands[1], t.cotangent, **attributes), None]


@forward(ops.scatter)
def _scatter(step: Step) -> Result:
    combine = step.attributes["combine"]
    y = bind(ops.scatter, *step.primals, weak=step.weak, **step.attributes)
    if combine in ("set", "add"):
        x, updates = instantiated(step, (0, 2))
        return [y], [apply(ops.scatter, x, step.primals[1], updates, **step.attributes)]
    if combine == "mul":
        return [y], [_product(step)]
    return [y], [_extreme(step, y)]


def _product(step: Step) -> Any:
    """Of what is multiplied into an array, only the array has a tangent: equal places may meet several factors."""
    if step.tangents[2] is not None:
        raise NotSupportedError(
            "The derivative of scatter_mul with respect to its updates",
            "one place may be multiplied several times", "Take the logarithm and use scatter_add.")
    return apply(ops.scatter, step.tangents[0], *step.primals[1:], **step.attributes)


def _extreme(step: Step, y: Any) -> Any:
    """The slope is shared by all that have the extreme value: the array's element and any number of updates."""
    x, indices, updates = step.primals
    dtype = aval_of(x).dtype
    attributes = {**step.attributes, "combine": "add"}
    # NaN, which equals nothing, stands for what lies outside.
    back = _as_gather(step.attributes, aval_of(x).shape, aval_of(updates).shape, np.nan)
    mine = compare(ops.eq, x, y, dtype)
    theirs = compare(ops.eq, updates, apply(ops.gather, y, indices, **back), dtype)
    count = apply(ops.scatter, mine, indices, theirs, **attributes)
    tx, tu = instantiated(step, (0, 2))
    return div(apply(ops.scatter, mul(tx, mine), indices, mul(tu, theirs), **attributes), count)


@backward(ops.scatter)
def _scatter_back(t: Transposition) -> Sequence[Any]:
    x, indices, updates = t.avals
    combine, cotangent, places = t.attributes["combine"], t.cotangent, t.operands[1]
    back = _as_gather(t.attributes, x.shape, updates.shape, 0)
    of_x = of_updates = None
    if t.linear[0]:
        of_x = cotangent
        if combine == "set":
            of_x = apply(ops.scatter, cotangent, places, zeros(updates), **t.attributes)
        elif combine == "mul":
            of_x = apply(ops.scatter, cotangent, places, t.operands[2], **t.attributes)
    if t.linear[2]:
        of_updates = apply(ops.gather, cotangent, places, **back)
        if combine == "set" and math.prod(indices.shape[:-1]) > 1:
            of_updates = select(_stayed(t, back), of_updates, zeros(updates))
    return [of_x, None, of_updates]


def _stayed(t: Transposition, back: Attributes) -> Any:
    """Which elements of the updates were not overwritten by later ones."""
    x, _, updates = t.avals
    count = math.prod(updates.shape)
    dtype = dtypes.index_dtype(count)
    numbers = reshape(apply(ops.iota, shape=(count,), dtype=dtype, dimension=0), updates.shape)
    with counting((count,)):
        nobody = filled(type(x)(x.type.with_dtype(dtype)), -1)
    written = apply(ops.scatter, nobody, t.operands[1], numbers, **t.attributes)
    found = apply(ops.gather, written, t.operands[1], **{**back, "fill_value": -1})
    return apply(ops.eq, found, numbers)


def taken_along(x: Any, order: Any, dimension: int) -> Any:
    """Elements along a dimension, whose places there another array names for each line."""
    shape = aval_of(x).shape
    rest = tuple(d for d in range(len(shape)) if d != dimension)
    places = reshape(order, (*aval_of(order).shape, 1))
    return apply(ops.gather, x, places, offset_dims=(), collapsed_slice_dims=(dimension,), start_index_map=(dimension,),
                 operand_batching_dims=rest, indices_batching_dims=rest,
                 slice_sizes=(1,) * len(shape), mode="clip")


