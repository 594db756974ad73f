# SPDX-License-Identifier: Apache-2.0
"""Large scatters by sorting: updates are sorted by row, then the updates of each element are combined in order.

By the pass `SORTED_SCATTERS` a scatter becomes arithmetic on its indices, a stable sort, and an operation of the
plugin, which `made_step` knows. One thread combines all updates of an element in their order: the result has the same
bits in every run, without atomics.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.errors import OlympusInternalError
from olympus_core.program import ArrayType, Operation, OperationRecord, Program, Value
from olympus_core.toolkit.c_text import is_narrow
from olympus_core.toolkit.passes import Builder, Match, Rule, op, rewriting_pass

from ..codegen import functions
from ..codegen.language import combined, loaded, stored
from ..codegen.module import Module
from .copies import bytes_module, index_type, zeros_module
from .dots import Building
from .work_steps import BufferSlice, ProductWork, module_of

NAME = "scatter_of_sorted"
# Updates from which on a sort is faster than the kernels in which all threads examine all updates.
_MANY = 1 << 12
_THREADS = 256
_AHEAD = 4  # updates that a thread loads before it combines them


def _fits(operation: Operation) -> bool:
    """Whether windows are whole rows of the operand as a matrix, and updates are many."""
    x, indices, updates = (v.type for v in operation.operands)
    attributes, picked = operation.attributes, len(operation.attributes["inserted_window_dims"])
    if attributes["operand_batching_dims"] or not picked:
        return False
    rest = x.ndim - picked
    return (
        attributes["inserted_window_dims"] == tuple(range(picked))
        and sorted(attributes["scatter_dims_to_operand_dims"]) == list(range(picked))
        and attributes["update_window_dims"] == tuple(range(updates.ndim - rest, updates.ndim))
        and updates.shape[updates.ndim - rest:] == x.shape[picked:]
        and max(x.size, updates.size, indices.size) < 1 << 31
        and x.size > 0 and math.prod(indices.shape[:-1]) >= _MANY and updates.size > 0
    )


def _by_sort(new: Builder, match: Match) -> Value | None:
    """A scatter as arithmetic on its indices, a sort, and the operation that combines sorted updates."""
    operation, (x, indices, updates) = match.operation, match.operands
    if not new.varies(match.operands):
        return None  # constant subprograms are computed once by the operation table, which does not know SORTED
    attributes, picked = operation.attributes, len(operation.attributes["inserted_window_dims"])
    shape = x.type.shape[:picked]
    count, rows = math.prod(indices.type.shape[:-1]), math.prod(shape)
    row, inside = _rows(new, indices, shape, attributes["scatter_dims_to_operand_dims"], count)
    if attributes["mode"] == "drop":
        row = new.apply(ops.select, inside, row, new.splat(rows, (count,), dtypes.int32))
    number = new.apply(ops.iota, shape=(count,), dtype=dtypes.int32, dimension=0)
    ordered, order = new.apply_all(ops.sort, row, number, dimension=0, keys=1)
    operands = (ordered, order, updates) if _is_zero(new, x) else (ordered, order, updates, x)
    return new.apply(RECORD, *operands, combine=attributes["combine"], shape=x.type.shape, rows=rows)


def _rows(
    new: Builder, indices: Value, shape: Sequence[int], index_map: Sequence[int], count: int
) -> tuple[Value, Value]:
    """The row of each update, and whether its indices are in bounds."""
    last = indices.type.ndim - 1
    row = inside = None
    for k, d in enumerate(index_map):
        starts, limits = [0] * last + [k], [*indices.type.shape[:-1], k + 1]
        one = indices if len(index_map) == 1 else new.apply(
            ops.slice, indices, starts=tuple(starts), limits=tuple(limits), strides=(1,) * (last + 1))
        one = new.apply(ops.reshape, one, shape=(count,)) if one.type.shape != (count,) else one
        if one.type.dtype.itemsize < 4:
            one = new.apply(ops.convert, one, dtype=dtypes.int32)
        kind = one.type.dtype
        low, high = (new.splat(n, (count,), kind) for n in (0, shape[d] - 1))
        kept = new.apply(ops.clamp, low, one, high)
        fits = new.apply(ops.eq, kept, one)
        step = new.apply(ops.mul, new.apply(ops.convert, kept, dtype=dtypes.int32),
                         new.splat(math.prod(shape[d + 1:]), (count,), dtypes.int32))
        row = step if row is None else new.apply(ops.add, row, step)
        inside = fits if inside is None else new.apply(ops.OPERATIONS["and"], inside, fits)
    if row is None or inside is None:
        raise OlympusInternalError("a scatter without indices")  # `_fits` requires them
    return row, inside


def _is_zero(new: Builder, value: Value) -> bool:
    """Whether all elements of a value are zero bits."""
    number = new.splat_of(value)
    return number is not None and not any(number.tobytes())


SORTED_SCATTERS = rewriting_pass("scatter-by-sort", Rule(op("scatter", where=_fits), _by_sort))


def scatter_work(operation: Operation) -> ProductWork:
    """The work of a scatter with sorted updates: a copy of the operand, then each element's updates."""
    result, building = operation.results[0].type, Building()
    out = BufferSlice(len(operation.operands))
    if len(operation.operands) == 3:
        building.kernel(partial(zeros_module, result.nbytes), out)
    else:
        building.kernel(partial(bytes_module, result.nbytes), BufferSlice(3), out)
    count, updates = operation.operands[0].type.size, operation.operands[2].type.size
    rows, combine = operation.attributes["rows"], operation.attributes["combine"]
    building.kernel(partial(scattered_module, result.dtype, rows, updates // count, count, combine),
                    BufferSlice(0), BufferSlice(1), BufferSlice(2), out)
    return ProductWork(operation.operands, operation.results, (building.variant(),))


def scattered_module(dtype: np.dtype, rows: int, width: int, count: int, combine: str) -> Module:
    """A kernel whose threads combine all updates of an element; the updates of a row are consecutive.

    Args:
        dtype: The element type.
        rows: Rows of the result; updates of rows beyond are dropped.
        width: Elements of a row.
        count: Number of updates, sorted by row.
        combine: The operation that combines an element and an update.
    """
    kept, index = functions.storage_type(dtype), index_type(count * width + _THREADS, rows * width)
    value = f"updates[({index})order[{{}}] * {width} + w]" if width > 1 else "updates[order[{}]]"
    if combine == "set":
        body = f"""    while (j + 1 < {count} && row_of[j + 1] == row) ++j;
    out[at] = {value.format("j")};"""
    else:
        total = combined(combine, dtype, "total", loaded("next[k]", dtype), rounded=False)
        one = combined(combine, dtype, "total", loaded(value.format("j"), dtype), rounded=False)
        final = f"olympus_round_{dtype.name}(total)" if is_narrow(dtype) else "total"
        body = f"""    {functions.register_type(dtype)} total = {loaded("out[at]", dtype)};
    for (; j + {_AHEAD} <= {count} && row_of[j + {_AHEAD - 1}] == row; j += {_AHEAD}) {{
        {kept} next[{_AHEAD}];
        #pragma unroll
        for (int k = 0; k < {_AHEAD}; ++k) next[k] = {value.format("j + k")};
        #pragma unroll
        for (int k = 0; k < {_AHEAD}; ++k) total = {total};
    }}
    for (; j < {count} && row_of[j] == row; ++j) total = {one};
    out[at] = {stored(final, dtype)};"""
    text = f"""extern "C" __global__ void __launch_bounds__({_THREADS}) scattered(
    const int* __restrict__ row_of, const int* __restrict__ order, const {kept}* __restrict__ updates, {kept}* out) {{
    {index} t = ({index})blockIdx.x * {_THREADS} + threadIdx.x, j = t / {width}, w = t % {width};
    if (t >= {count * width}) return;
    const int row = row_of[j];
    if (row >= {rows} || (j > 0 && row_of[j - 1] == row)) return;
    const {index} at = ({index})row * {width} + w;
{body}
}}
"""
    return module_of("scattered", text, -(-count * width // _THREADS), _THREADS)


def _type_rule(
    types: Sequence[ArrayType], attributes: Mapping[str, Any], regions: Sequence[Program]
) -> Sequence[ArrayType]:
    return [ArrayType(attributes["shape"], types[2].dtype)]


RECORD = OperationRecord(NAME, "indexing", _type_rule)
