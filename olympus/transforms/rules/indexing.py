# SPDX-License-Identifier: Apache-2.0
"""Gather and scatter, which are each other's transposes, and slices at traced offsets.

In batches with mapped indices, operand and indices run together along the mapped dimension (a batching dimension of the
gather); where the indices are not mapped, it is one more dimension of every window.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes, ops

from ...config import enable_x64
from ...dimension_numbers import as_gather
from ...operands import counting
from ...tracing import aval_of, bind, bind_all
from ..associative import joined, part, running_folds
from ..traces.arithmetic import apply, compare, div, filled, mul, reshape, select, zeros
from ..traces.dimensions import broadcast_to
from ..traces.table import (
    Batched,
    BatchingCall,
    Jvp,
    JvpCall,
    TransposeCall,
    all_batched,
    batching_rule,
    jvp_rule,
    transpose_rule,
)

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


@jvp_rule(ops.gather)
def _gather_jvp(call: JvpCall) -> Jvp:
    y = bind(ops.gather, *call.primals, weak=call.weak, **call.attributes)
    attributes = {**call.attributes, "fill_value": 0} if call.attributes["mode"] == "fill" else call.attributes
    return [y], [apply(ops.gather, call.tangents[0], call.primals[1], **attributes)]


@transpose_rule(ops.gather)
def _gather_transpose(t: TransposeCall) -> Sequence[Any]:
    attributes = _as_scatter(t.attributes, "add")
    return [apply(ops.scatter, zeros(t.avals[0]), t.operands[1], t.cotangent, **attributes), None]


@jvp_rule(ops.scatter)
def _scatter_jvp(call: JvpCall) -> Jvp:
    combine = call.attributes["combine"]
    y = bind(ops.scatter, *call.primals, weak=call.weak, **call.attributes)
    if combine in ("set", "add"):
        x, updates = call.instantiated(0, 2)
        return [y], [apply(ops.scatter, x, call.primals[1], updates, **call.attributes)]
    if combine == "mul":
        return [y], [_product(call)]
    return [y], [_extreme(call, y)]


def _product(call: JvpCall) -> Any:
    """The slope of an update is what stands in its element without it: the array's element times the other updates."""
    x, indices, updates = call.primals
    tx, _, tu = call.tangents
    found = None if tx is None else apply(ops.scatter, tx, indices, updates, **call.attributes)
    if tu is None:
        return found
    attributes = {**call.attributes, "combine": "add"}
    return apply(ops.scatter, zeros(aval_of(x)) if found is None else found, indices, mul(tu, _without(call)),
                 **attributes)


def _without(call: JvpCall) -> Any:
    """For each update the product of its element and of all other updates that meet it; 0 for one that is dropped."""
    x, indices, updates = call.primals
    shape, count = aval_of(updates).shape, math.prod(aval_of(updates).shape)
    if not count:
        return zeros(aval_of(updates))
    size = math.prod(aval_of(x).shape)
    dtype = dtypes.index_dtype(max(size, count))
    back = as_gather(call.attributes, aval_of(x).shape, shape, 0)
    with counting((size,)):
        numbers = reshape(apply(ops.iota, shape=(size,), dtype=dtype, dimension=0), aval_of(x).shape)
    places = apply(ops.gather, numbers, indices, **{**back, "fill_value": -1})
    there = apply(ops.ge, places, filled(aval_of(places), 0))
    with counting((count,)):
        order = apply(ops.iota, shape=(count,), dtype=dtype, dimension=0)
    # Updates of one element are neighbours then, and what is before and behind one in its group are the others.
    by_place = [reshape(places, (count,)), reshape(updates, (count,)), order]
    places, rows, order = bind_all(ops.sort, by_place, {"dimension": 0, "keys": 1}, weak=False)
    change = apply(ops.ne, part(places, 1, count, 0), part(places, 0, count - 1, 0))
    end = np.ones(1, bool)
    others = mul(_product_before(rows, joined([end, change], 0), False),
                 _product_before(rows, joined([change, end], 0), True))
    _, others = bind_all(ops.sort, [order, others], {"dimension": 0, "keys": 1}, weak=False)
    found = mul(reshape(others, shape), apply(ops.gather, x, indices, **back))
    return select(there, found, zeros(aval_of(found)))


def _product_before(rows: Any, starts: Any, reverse: bool) -> Any:
    """The product of the rows of a group before each of them, or with `reverse` behind it; groups begin at `starts`."""
    def combine(left: list[Any], right: list[Any]) -> list[Any]:
        (begun, x), (begins, y) = left, right
        return [apply(ops.or_, begun, begins), select(begins, y, mul(x, y))]

    (count,) = aval_of(rows).shape
    _, upto = running_folds(combine, [starts, rows], [0, 0], count, reverse)
    one = filled(aval_of(part(rows, 0, 1, 0)), 1)
    moved = joined([part(upto, 1, count, 0), one] if reverse else [one, part(upto, 0, count - 1, 0)], 0)
    return select(starts, filled(aval_of(rows), 1), moved)


def _extreme(call: JvpCall, y: Any) -> Any:
    """The slope is shared by all that have the extreme value: the array's element and any number of updates."""
    x, indices, updates = call.primals
    dtype = aval_of(x).dtype
    attributes = {**call.attributes, "combine": "add"}
    # NaN, which equals nothing, stands for what lies outside.
    back = as_gather(call.attributes, aval_of(x).shape, aval_of(updates).shape, np.nan)
    mine = compare(ops.eq, x, y, dtype)
    theirs = compare(ops.eq, updates, apply(ops.gather, y, indices, **back), dtype)
    count = apply(ops.scatter, mine, indices, theirs, **attributes)
    tx, tu = call.instantiated(0, 2)
    return div(apply(ops.scatter, mul(tx, mine), indices, mul(tu, theirs), **attributes), count)


@transpose_rule(ops.scatter)
def _scatter_transpose(t: TransposeCall) -> Sequence[Any]:
    x, indices, updates = t.avals
    combine, cotangent, at = t.attributes["combine"], t.cotangent, t.operands[1]
    back = as_gather(t.attributes, x.shape, updates.shape, 0)
    of_x = of_updates = None
    if t.linear[0]:
        of_x = cotangent
        if combine == "set":
            of_x = apply(ops.scatter, cotangent, at, zeros(updates), **t.attributes)
        elif combine == "mul":
            of_x = apply(ops.scatter, cotangent, at, t.operands[2], **t.attributes)
    if t.linear[2]:
        of_updates = apply(ops.gather, cotangent, at, **back)
        if combine == "set" and math.prod(indices.shape[:-1]) > 1:
            of_updates = select(_stayed(t, back), of_updates, zeros(updates))
    return [of_x, None, of_updates]


def _stayed(t: TransposeCall, back: Attributes) -> Any:
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


@jvp_rule(ops.dynamic_slice)
def _dynamic_slice_jvp(call: JvpCall) -> Jvp:
    y = bind(ops.dynamic_slice, *call.primals, weak=call.weak, **call.attributes)
    return [y], [apply(ops.dynamic_slice, call.tangents[0], *call.primals[1:], **call.attributes)]


@transpose_rule(ops.dynamic_slice)
def _dynamic_slice_transpose(t: TransposeCall) -> Sequence[Any]:
    starts = t.operands[1:]
    return [apply(ops.dynamic_update_slice, zeros(t.avals[0]), t.cotangent, *starts), *[None] * len(starts)]


@jvp_rule(ops.dynamic_update_slice)
def _dynamic_update_jvp(call: JvpCall) -> Jvp:
    y = bind(ops.dynamic_update_slice, *call.primals, weak=call.weak)
    return [y], [apply(ops.dynamic_update_slice, *call.instantiated(0, 1), *call.primals[2:])]


@transpose_rule(ops.dynamic_update_slice)
def _dynamic_update_transpose(t: TransposeCall) -> Sequence[Any]:
    starts, update = t.operands[2:], t.avals[1]
    of_x = of_update = None
    if t.linear[0]:
        of_x = apply(ops.dynamic_update_slice, t.cotangent, zeros(update), *starts)
    if t.linear[1]:
        of_update = apply(ops.dynamic_slice, t.cotangent, *starts, sizes=update.shape)
    return [of_x, of_update, *[None] * len(starts)]


@batching_rule(ops.gather)
def _gather_batching(call: BatchingCall) -> Batched:
    x, indices = call.values
    sizes = call.attributes["slice_sizes"]
    changed: dict[str, Any] = call.shifted("offset_dims")
    if call.batched[0]:
        changed |= call.shifted("collapsed_slice_dims", "start_index_map", "operand_batching_dims")
    if call.batched[1]:
        changed |= call.shifted("indices_batching_dims")
    if all(call.batched):
        changed["operand_batching_dims"] = (0, *changed["operand_batching_dims"])
        changed["indices_batching_dims"] = (0, *changed["indices_batching_dims"])
        changed["slice_sizes"] = (min(1, call.size), *sizes)
    elif call.batched[0]:
        changed["offset_dims"] = (0, *changed["offset_dims"])
        changed["slice_sizes"] = (call.size, *sizes)
    return all_batched(call.bind(x, indices, **changed))


@batching_rule(ops.scatter)
def _scatter_batching(call: BatchingCall) -> Batched:
    x, updates = call.front(0), call.front(2)
    changed: dict[str, Any] = call.shifted(
        "update_window_dims", "inserted_window_dims", "scatter_dims_to_operand_dims", "operand_batching_dims")
    if call.batched[1]:
        changed["operand_batching_dims"] = (0, *changed["operand_batching_dims"])
        changed["indices_batching_dims"] = (0, *call.shifted("indices_batching_dims")["indices_batching_dims"])
    else:
        changed["update_window_dims"] = (0, *changed["update_window_dims"])
    return all_batched(call.bind(x, call.values[1], updates, **changed))


def _index_vectors(starts: Sequence[Any], batched: Sequence[bool], size: int) -> Any:
    """Starts, some of them mapped, as one index vector for each index of the mapped dimension."""
    wide = any(aval_of(s).dtype in (dtypes.int64, dtypes.uint64, dtypes.uint32) for s in starts)
    dtype = dtypes.int64 if wide else dtypes.int32
    columns = []
    for start, is_batched in zip(starts, batched, strict=True):
        own = aval_of(start)
        if own.dtype == dtypes.uint64:  # int64 would wrap the greatest to negative ones
            with enable_x64(True):
                start = bind(ops.min, start, broadcast_to(np.asarray(2**63 - 1, np.uint64), own.shape, ()))
        start = start if own.dtype == dtype else bind(ops.convert, start, dtype=dtype)
        columns.append(broadcast_to(start, (size, 1), (0,) if is_batched else ()))
    return columns[0] if len(columns) == 1 else bind(ops.concatenate, *columns, dimension=1)


@batching_rule(ops.dynamic_slice)
def _dynamic_slice_batching(call: BatchingCall) -> Batched:
    x, *starts = call.values
    sizes = call.attributes["sizes"]
    if not any(call.batched[1:]):
        first = np.asarray(0, dtypes.int32)
        return all_batched(call.bind(x, first, *starts, sizes=(call.size, *sizes)))
    indices = _index_vectors(starts, call.batched[1:], call.size)
    mapped = int(call.batched[0])
    dims = tuple(range(len(sizes)))
    return all_batched(bind(
        ops.gather, x, indices, weak=call.weak, offset_dims=tuple(d + 1 for d in dims), collapsed_slice_dims=(),
        start_index_map=tuple(d + mapped for d in dims), operand_batching_dims=(0,) * mapped,
        indices_batching_dims=(0,) * mapped, slice_sizes=(min(1, call.size),) * mapped + tuple(sizes), mode="clip"))


@batching_rule(ops.dynamic_update_slice)
def _dynamic_update_slice_batching(call: BatchingCall) -> Batched:
    x, update = call.front(0), call.front(1)
    starts = call.values[2:]
    if not any(call.batched[2:]):
        return all_batched(call.bind(x, update, np.asarray(0, dtypes.int32), *starts))
    dims = tuple(range(1, aval_of(x).ndim))
    return all_batched(bind(
        ops.scatter, x, _index_vectors(starts, call.batched[2:], call.size), update, weak=call.weak,
        update_window_dims=dims, inserted_window_dims=(), scatter_dims_to_operand_dims=dims,
        operand_batching_dims=(0,), indices_batching_dims=(0,), combine="set", mode="clip"))
