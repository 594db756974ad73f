# SPDX-License-Identifier: Apache-2.0
"""Gather and scatter: windows of an array at positions that another array gives.

The last dimension of `indices` holds the vector of a window's start; the dimensions before it number the windows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.program import (
    ArrayType,
    Attributes,
    FactorRule,
    LocalEmitter,
    Operation,
    OperationRecord,
    Program,
    Reduction,
    Value,
)
from olympus_core.program.exactness import SUM

from .rules import FactorTable, check, check_choice, check_dimensions, check_integers, quiet, refuse, widened
from .sharded_indexing import clipped, filled, shifted, wide_indices

Types = Sequence[ArrayType]

_GATHER = (
    "offset_dims", "collapsed_slice_dims", "start_index_map", "operand_batching_dims", "indices_batching_dims",
    "slice_sizes", "mode",
)
_SCATTER = (
    "update_window_dims", "inserted_window_dims", "scatter_dims_to_operand_dims", "operand_batching_dims",
    "indices_batching_dims", "combine", "mode",
)


class _Windows:
    """How windows of an array stand in another one: what gather and scatter have in common.

    Args:
        shape: Shape of the array that holds the windows.
        removed: Its dimensions in which a window has one index, and which the array of windows lacks.
        index_map: Its dimension that each component of an index vector is about.
        batching: Its dimensions, and the dimensions of the indices, that run together.
        window_dims: The dimensions of the array of windows that lie inside a window.
        ndim: Number of dimensions of the array of windows.
    """

    def __init__(
        self,
        shape: Sequence[int],
        removed: Sequence[int],
        index_map: Sequence[int],
        batching: tuple[Sequence[int], Sequence[int]],
        window_dims: Sequence[int],
        ndim: int,
    ) -> None:
        self.shape, self.index_map, self.ndim = shape, index_map, ndim
        batch_dims = [d for d in range(ndim) if d not in window_dims]
        kept = [d for d in range(len(shape)) if d not in removed and d not in batching[0]]
        self.batch_dims = batch_dims
        self.window = dict(zip(kept, window_dims, strict=True))
        self.batch = {d: batch_dims[i] for d, i in zip(*batching, strict=True)}
        self.batch_of_indices = dict(zip(batching[1], batching[0], strict=True))
        self.removed = removed

    def is_picked(self, dimension: int) -> bool:
        """Whether windows have one index of the dimension, which the index vectors name."""
        return dimension in self.removed and dimension in self.index_map and self.shape[dimension] > 0

    def locate(
        self, indices: np.ndarray, sizes: Sequence[int], out_shape: Sequence[int], clip: bool
    ) -> tuple[np.ndarray, np.ndarray]:
        """For each element of the windows its position in the flat array, and whether its window lies inside."""
        if indices.dtype == dtypes.uint64:
            indices = np.minimum(indices, np.uint64(2**63 - 1))
        indices = indices.astype(np.int64)
        aligned = [out_shape[d] if d in self.batch_dims else 1 for d in range(self.ndim)]
        inside = np.ones(aligned, bool)
        position = np.zeros(out_shape, np.int64)
        for d, n in enumerate(self.shape):
            step = int(np.prod(self.shape[d + 1:], dtype=np.int64))
            if d in self.index_map:
                start = indices[..., self.index_map.index(d)].reshape(aligned)
                last = n - sizes[d]
                if not clip:
                    inside &= (start >= 0) & (start <= last) & (n > 0)
                position += np.clip(start, 0, last) * step
            if d in self.batch:
                position += self._along(self.batch[d], n) * step
            elif d in self.window:
                position += self._along(self.window[d], sizes[d]) * step
        return position, np.broadcast_to(inside, out_shape)

    def _along(self, dimension: int, size: int) -> np.ndarray:
        return np.arange(size).reshape([-1 if d == dimension else 1 for d in range(self.ndim)])


def _check_indices(name: str, types: Types, attributes: Attributes, removed: str, index_map: str) -> list[int]:
    """Checks what gather and scatter share; the dimensions of the first operand that a window keeps."""
    x, indices = types[:2]
    if not indices.ndim or not dtypes.is_integer(indices.dtype):
        refuse(name, "indices do not fit", types, "integers, the last dimension of which is the index vector")
    gone = check_dimensions(name, attributes, removed, x.ndim, increasing=True)
    check_dimensions(name, attributes, index_map, x.ndim, length=indices.shape[-1])
    batching = check_dimensions(name, attributes, "operand_batching_dims", x.ndim)
    partners = check_dimensions(name, attributes, "indices_batching_dims", indices.ndim - 1, length=len(batching))
    if set(batching) & (set(gone) | set(attributes[index_map])):
        refuse(name, f"operand_batching_dims {batching} stand elsewhere too", types, f"none in {removed}, {index_map}")
    if any(x.shape[d] != indices.shape[i] for d, i in zip(batching, partners, strict=True)):
        refuse(name, f"batching dimensions {batching} and {partners} differ in size", types, "equal sizes")
    return [d for d in range(x.ndim) if d not in gone and d not in batching]


def _gather_type(types: Types, attributes: Attributes, regions: Sequence[Program]) -> Types:
    check("gather", types, attributes, regions, 2, _GATHER, ["fill_value"])
    kept = _check_indices("gather", types, attributes, "collapsed_slice_dims", "start_index_map")
    x, indices = types
    mode = check_choice("gather", attributes, "mode", ("clip", "fill"))
    ndim = len(kept) + indices.ndim - 1
    offsets = check_dimensions("gather", attributes, "offset_dims", ndim, increasing=True, length=len(kept))
    sizes = check_integers("gather", attributes, "slice_sizes", x.ndim)
    removed = [d for d in range(x.ndim) if d not in kept]
    if any(size > n for size, n in zip(sizes, x.shape, strict=True)) or any(sizes[d] > 1 for d in removed):
        refuse("gather", f"slice_sizes {sizes} do not fit", types, "sizes within the operand's, one where collapsed")
    shape = _window_shape(ndim, offsets, [sizes[d] for d in kept], indices.shape)
    result = x.with_shape(shape)
    # A collapsed dimension without elements has nothing to give; "fill" gives the fill value.
    empty = any(sizes[d] == 0 for d in removed)
    if empty and result.size and (mode == "clip" or any(sizes[d] < min(1, x.shape[d]) for d in removed)):
        refuse("gather", f"slice_sizes {sizes} take nothing", types, "one where a dimension is collapsed")
    return (result,)


def _window_shape(ndim: int, window_dims: Sequence[int], sizes: Sequence[int], indices: Sequence[int]) -> list[int]:
    """Shape of the array of windows, given the windows' sizes and the shape of the indices."""
    batch = iter(indices[:-1])
    window = iter(sizes)
    return [next(window) if d in window_dims else next(batch) for d in range(ndim)]


def _gather_windows(shape: Sequence[int], ndim: int, attributes: Attributes) -> _Windows:
    batching = attributes["operand_batching_dims"], attributes["indices_batching_dims"]
    collapsed, index_map = attributes["collapsed_slice_dims"], attributes["start_index_map"]
    return _Windows(shape, collapsed, index_map, batching, attributes["offset_dims"], ndim)


def _gather_factors(operands: Types, results: Types, attributes: Attributes) -> FactorRule:
    x, indices = operands
    (y,) = results
    windows = _gather_windows(x.shape, y.ndim, attributes)
    table = FactorTable()
    out = [table.new(n) for n in y.shape]
    for d, position in windows.window.items():  # windows of a dimension's full extent stand still in it
        if y.shape[position] != x.shape[d]:
            out[position] = table.whole(y.shape[position])
    index_dims = [*(out[d] for d in windows.batch_dims), table.whole(indices.shape[-1])]
    dims = []
    for d, n in enumerate(x.shape):
        shown = windows.batch.get(d, windows.window.get(d))
        shared = shown is not None and y.shape[shown] == n
        if shared and shown is not None:
            dims.append(out[shown])
        elif windows.is_picked(d) and attributes["slice_sizes"][d] == 1:
            dims.append(table.new(n, "reduced", "or" if dtypes.is_bool(x.dtype) else "sum"))
        else:
            dims.append(table.whole(n))
    return _without_unused(table, [dims, index_dims], [out])


def _without_unused(
    table: FactorTable, operands: Sequence[Sequence[int]], results: Sequence[Sequence[int]]
) -> FactorRule:
    """The rule, its factors numbered anew without those that were replaced."""
    used = sorted({f for term in [*operands, *results] for f in term})
    number = {f: i for i, f in enumerate(used)}
    table.factors = [table.factors[f] for f in used]
    renumbered = [[[number[f] for f in term] for term in terms] for terms in (operands, results)]
    return table.rule(*renumbered)


def _gather_localize(emitter: LocalEmitter, operation: Operation, operands: Sequence[Value]) -> Sequence[Value]:
    attributes = operation.attributes
    local = emitter.local_shape(0)
    windows = _gather_windows(operands[0].type.shape, len(local), attributes)
    sizes = list(attributes["slice_sizes"])
    for d, position in windows.window.items():
        sizes[d] = local[position]
    for d in windows.batch:
        sizes[d] = min(sizes[d], operands[0].type.shape[d])
    local_attributes = {**attributes, "slice_sizes": tuple(sizes)}
    index_map = attributes["start_index_map"]
    split = {i: d for i, d in enumerate(index_map) if emitter.operand_is_split(0, d) and windows.is_picked(d)}
    if not split:
        return emitter.emit(operation.record, operands, local_attributes)
    x = operation.operands[0].type
    last = [x.shape[d] - attributes["slice_sizes"][d] for d in index_map]
    whole_indices = wide_indices(emitter, operands[1], x.shape)
    if attributes["mode"] == "clip":
        whole_indices = clipped(emitter, whole_indices, last)
    offsets = {i: emitter.operand_offset(0, d) for i, d in split.items()}
    indices = shifted(emitter, whole_indices, offsets)
    (terms,) = emitter.emit(
        operation.record, [operands[0], indices], {**local_attributes, "mode": "fill", "fill_value": 0}
    )
    fill = fill_element(attributes.get("fill_value"), x.dtype)
    if attributes["mode"] == "clip" or fill == 0:
        return (terms,)
    return (filled(emitter, terms, whole_indices, last, windows.batch_dims, fill, list(offsets.values())),)


def _gather(values: Sequence[np.ndarray], attributes: Attributes) -> Sequence[np.ndarray]:
    x, indices = values
    kept = x.ndim - len(attributes["collapsed_slice_dims"]) - len(attributes["operand_batching_dims"])
    windows = _gather_windows(x.shape, kept + indices.ndim - 1, attributes)
    sizes = attributes["slice_sizes"]
    window_sizes = [sizes[d] for d in windows.window]
    shape = _window_shape(windows.ndim, attributes["offset_dims"], window_sizes, indices.shape)
    clip = attributes["mode"] == "clip"
    fill = fill_element(attributes.get("fill_value"), x.dtype)
    if x.size == 0:
        return (np.full(shape, fill, x.dtype),)
    position, inside = windows.locate(indices, sizes, shape, clip)
    found = x.reshape(-1)[position]
    return (found if clip else np.where(inside, found, fill),)


def fill_element(fill_value: Any, dtype: np.dtype) -> np.ndarray:
    """The element that stands for what lies outside: where None, NaN, or the least signed or greatest other value."""
    if fill_value is not None:
        return dtypes.cast(np.asarray(fill_value), dtype)
    if dtypes.is_bool(dtype):
        return np.asarray(True)
    if dtypes.is_integer(dtype):
        info = dtypes.limits(dtype)
        return np.asarray(info.min if info.min < 0 else info.max, dtype)
    return np.asarray(np.nan, dtype)


def _scatter_type(types: Types, attributes: Attributes, regions: Sequence[Program]) -> Types:
    check("scatter", types, attributes, regions, 3, _SCATTER)
    kept = _check_indices("scatter", types, attributes, "inserted_window_dims", "scatter_dims_to_operand_dims")
    x, indices, updates = types
    combine = check_choice("scatter", attributes, "combine", ("set", "add", "mul", "min", "max"))
    check_choice("scatter", attributes, "mode", ("clip", "drop"))
    if (dtypes.is_bool(x.dtype) and combine in ("add", "mul")) or (
        dtypes.is_complex(x.dtype) and combine in ("min", "max")
    ):
        refuse("scatter", f"combine {combine!r} does not take {x.dtype.name}", types, "another element type")
    ndim = len(kept) + indices.ndim - 1
    if updates.dtype != x.dtype or updates.ndim != ndim:
        refuse("scatter", "updates do not fit", types, f"updates of the first operand's dtype, with {ndim} dimensions")
    dims = check_dimensions("scatter", attributes, "update_window_dims", ndim, increasing=True, length=len(kept))
    sizes = [updates.shape[d] for d in dims]
    if list(updates.shape) != _window_shape(ndim, dims, sizes, indices.shape):
        refuse("scatter", "updates do not fit the indices", types, "a window for each index vector")
    if any(size > x.shape[d] for size, d in zip(sizes, kept, strict=True)):
        refuse("scatter", "windows of updates are too large", types, "sizes within the first operand's")
    return (x,)


def _scatter_windows(shape: Sequence[int], ndim: int, attributes: Attributes) -> _Windows:
    batching = attributes["operand_batching_dims"], attributes["indices_batching_dims"]
    index_map = attributes["scatter_dims_to_operand_dims"]
    return _Windows(
        shape, attributes["inserted_window_dims"], index_map, batching, attributes["update_window_dims"], ndim
    )


# These may take an element of the first operand several times, so that every device can start from all of it.
_REPEATABLE: dict[str, Reduction] = {"min": "min", "max": "max"}


def _scatter_factors(operands: Types, results: Types, attributes: Attributes) -> FactorRule:
    x, indices, updates = operands
    windows = _scatter_windows(x.shape, updates.ndim, attributes)
    table = FactorTable()
    reduction = _REPEATABLE.get(attributes["combine"])
    dims, terms = [], [-1] * updates.ndim
    for d, n in enumerate(x.shape):
        position = windows.batch.get(d, windows.window.get(d))
        shared = position is not None and updates.shape[position] == n
        dims.append(table.new(n, "parallel" if shared or windows.is_picked(d) else "whole"))
        if shared and position is not None:
            terms[position] = dims[-1]
    for position, n in enumerate(updates.shape):
        if terms[position] < 0:
            splits = reduction is not None and position in windows.batch_dims
            terms[position] = table.new(n, "reduced", reduction) if splits else table.whole(n)
    index_dims = [*(terms[position] for position in windows.batch_dims), table.whole(indices.shape[-1])]
    return table.rule([dims, index_dims, terms], [dims])


def _scatter_localize(emitter: LocalEmitter, operation: Operation, operands: Sequence[Value]) -> Sequence[Value]:
    attributes = operation.attributes
    x, _, updates = (v.type for v in operation.operands)
    windows = _scatter_windows(x.shape, updates.ndim, attributes)
    index_map = attributes["scatter_dims_to_operand_dims"]
    split = {i: d for i, d in enumerate(index_map) if emitter.is_split(0, d) and windows.is_picked(d)}
    if not split:
        return emitter.emit(operation.record, operands, attributes)
    indices = wide_indices(emitter, operands[1], x.shape)
    if attributes["mode"] == "clip":
        sizes = [updates.shape[windows.window[d]] if d in windows.window else 1 for d in range(x.ndim)]
        indices = clipped(emitter, indices, [x.shape[d] - sizes[d] for d in index_map])
    indices = shifted(emitter, indices, {i: emitter.offset(0, d) for i, d in split.items()})
    return emitter.emit(operation.record, [operands[0], indices, operands[2]], {**attributes, "mode": "drop"})


_COMBINE: dict[str, Callable[..., None]] = {
    "add": np.add.at, "mul": np.multiply.at, "min": np.minimum.at, "max": np.maximum.at,
}


def _scatter(values: Sequence[np.ndarray], attributes: Attributes) -> Sequence[np.ndarray]:
    x, indices, updates = values
    windows = _scatter_windows(x.shape, updates.ndim, attributes)
    sizes = [updates.shape[windows.window[d]] if d in windows.window else 1 for d in range(x.ndim)]
    clip = attributes["mode"] == "clip"
    if x.size == 0 or updates.size == 0:
        return (x,)
    position, inside = windows.locate(indices, sizes, updates.shape, clip)
    out = widened(x).reshape(-1).copy()
    chosen = inside.reshape(-1)
    position, updates = position.reshape(-1)[chosen], widened(updates).reshape(-1)[chosen]
    if attributes["combine"] == "set":
        out[position] = updates  # of several updates of one element the last stays
    else:
        _COMBINE[attributes["combine"]](out, position, updates)
    return (out.reshape(x.shape).astype(x.dtype),)


gather = OperationRecord(
    "gather", "indexing", _gather_type, _gather_factors, quiet(_gather), localize=_gather_localize, cost=8,
)
scatter = OperationRecord(
    "scatter", "indexing", _scatter_type, _scatter_factors, quiet(_scatter), localize=_scatter_localize,
    update_operand=2, exactness=SUM,
)
