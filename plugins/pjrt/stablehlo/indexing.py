# SPDX-License-Identifier: Apache-2.0
"""Dynamic slices, gather and scatter.

Indices are converted to int32 first: a narrower or unsigned type may not represent the bounds that they are compared
with, and a wider one is slow on accelerators.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from olympus_core import dtypes
from olympus_core.ops.indexing import fill_element
from olympus_core.program import Operation

from .literals import integers
from .reductions import FUNCTIONS
from .table import emits
from .writer import Name, Writer, is_narrow

Names = Sequence[Name]
_MOST = np.iinfo(np.int32).max


def int32_index(w: Writer, x: Name) -> Name:
    """Indices as int32; those out of bounds stay out of bounds."""
    if x.dtype.itemsize > 4 or x.dtype == dtypes.uint32:
        x = w.same("minimum", x, w.like(_MOST, x))
        if x.dtype in dtypes.SIGNED:
            x = w.same("maximum", x, w.like(-1, x))
    return w.convert(x, dtypes.int32)


@emits("dynamic_slice")
def _dynamic_slice(w: Writer, operation: Operation, xs: Names) -> Names:
    starts = [int32_index(w, start) for start in xs[1:]]
    return [w.op("dynamic_slice", [xs[0], *starts], operation.results[0].type,
                 f"slice_sizes = {integers(operation.attributes['sizes'])}")]


@emits("dynamic_update_slice")
def _dynamic_update_slice(w: Writer, operation: Operation, xs: Names) -> Names:
    return [w.op("dynamic_update_slice", [*xs[:2], *(int32_index(w, start) for start in xs[2:])], xs[0].type)]


def _inside(w: Writer, indices: Name, last: Sequence[int]) -> Name:
    """Whether each window is in bounds: bools for all but the last dimension of the indices."""
    dimension = len(indices.shape) - 1
    bound = w.broadcast(w.constant(np.array(last, np.int32)), indices.shape, [dimension])
    each = w.same("and", w.compare("GE", indices, w.like(0, indices)), w.compare("LE", indices, bound))
    return w.reduce(each, w.scalar(True, dtypes.bool_), [dimension], "and")


def _batching(operation: Operation) -> tuple[list[int], list[int]]:
    """The batching dimensions of the operand, in order, and their partners."""
    attributes = operation.attributes
    pairs = sorted(zip(attributes["operand_batching_dims"], attributes["indices_batching_dims"], strict=True))
    return [d for d, _ in pairs], [i for _, i in pairs]


def _list(values: Sequence[int]) -> str:
    return f"[{', '.join(map(str, values))}]"


@emits("gather")
def _gather(w: Writer, operation: Operation, xs: Names) -> Names:
    x, attributes, result = xs[0], operation.attributes, operation.results[0].type
    fill = fill_element(attributes.get("fill_value"), x.dtype)
    if x.type.size == 0 or result.size == 0:
        return [w.splat(fill, result)]
    indices = int32_index(w, xs[1])
    index_map, sizes, offsets = attributes["start_index_map"], attributes["slice_sizes"], attributes["offset_dims"]
    batching, partners = _batching(operation)
    numbers = (
        f"#stablehlo.gather<offset_dims = {_list(offsets)}, "
        f"collapsed_slice_dims = {_list(attributes['collapsed_slice_dims'])}, "
        f"operand_batching_dims = {_list(batching)}, start_indices_batching_dims = {_list(partners)}, "
        f"start_index_map = {_list(index_map)}, "
        f"index_vector_dim = {len(indices.shape) - 1}>"
    )
    found = w.op("gather", [x, indices], result,
                 f"dimension_numbers = {numbers}, slice_sizes = {integers(sizes)}, indices_are_sorted = false")
    if attributes["mode"] == "clip" or not index_map:
        return [found]
    inside = _inside(w, indices, [x.shape[d] - sizes[d] for d in index_map])
    batch_dims = [d for d in range(result.ndim) if d not in offsets]
    return [w.select(w.broadcast(inside, result.shape, batch_dims), found, w.splat(fill, result))]


@emits("scatter")
def _scatter(w: Writer, operation: Operation, xs: Names) -> Names:
    x, attributes, updates = xs[0], operation.attributes, xs[2]
    if x.type.size == 0 or updates.type.size == 0:
        return [x]
    indices = int32_index(w, xs[1])
    index_map, window = attributes["scatter_dims_to_operand_dims"], attributes["update_window_dims"]
    gone, combine = attributes["inserted_window_dims"], attributes["combine"]
    batching, partners = _batching(operation)
    if index_map:
        kept = [d for d in range(len(x.shape)) if d not in gone and d not in batching]
        sizes = {d: updates.shape[p] for d, p in zip(kept, window, strict=True)}
        indices = _settled(w, indices, [x.shape[d] for d in index_map], [sizes.get(d, 1) for d in index_map],
                           attributes["mode"])
    numbers = (
        f"#stablehlo.scatter<update_window_dims = {_list(window)}, inserted_window_dims = {_list(gone)}, "
        f"input_batching_dims = {_list(batching)}, scatter_indices_batching_dims = {_list(partners)}, "
        f"scatter_dims_to_operand_dims = {_list(index_map)}, index_vector_dim = {len(indices.shape) - 1}>"
    )
    dtype = x.dtype
    if combine != "set" and is_narrow(dtype):
        x, updates = w.wide(x), w.wide(updates)
    function = {"add": "sum", "mul": "prod"}.get(combine, combine)
    if combine == "set":
        region = w.region([x.type.with_shape(())] * 2, lambda inner, pair: [pair[1]])
    else:
        region = w.folding(FUNCTIONS[function], x.dtype)
    total = w.op("scatter", [x, indices, updates], x.type,
                 f"scatter_dimension_numbers = {numbers}, indices_are_sorted = false, unique_indices = false", [region])
    return [w.convert(total, dtype)]


def _settled(w: Writer, indices: Name, bounds: Sequence[int], sizes: Sequence[int], mode: str) -> Name:
    """Indices clamped, or moved out of bounds where a window is partly out: compilers differ in what they drop."""
    dimension = len(indices.shape) - 1

    def along(values: Sequence[int]) -> Name:
        return w.broadcast(w.constant(np.array(values, np.int32)), indices.shape, [dimension])

    last = [n - size for n, size in zip(bounds, sizes, strict=True)]
    if mode == "clip":
        return w.same("minimum", w.same("maximum", indices, w.like(0, indices)), along(last))
    inside = w.broadcast(_inside(w, indices, last), indices.shape, range(dimension))
    return w.select(inside, indices, along(bounds))
