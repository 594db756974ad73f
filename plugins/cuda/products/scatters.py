"""Scatters of many updates: sorted by their places, so that each place's updates lie side by side and in their order.

A maker hands its program through `with_sorted_scatters` before it is planned: a scatter becomes arithmetic on its
indices, a sort, and an operation of the plugin's own, which `made_step` knows. A thread puts together all updates of
one element, in their order: the same bits every run, without atomics.
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
from olympus_core.toolkit import Flat
from olympus_core.toolkit.rewriting import Rewriting, splat_of, varying_values

from ..codegen import functions
from ..codegen.functions.types import is_narrow
from ..codegen.module import Module
from ..codegen.writer import combined, loaded, stored
from .copies import bytes_module, index_type, zeros_module
from .dots import Building
from .work_steps import BufferSlice, ProductWork, module_of

NAME = "scatter_of_sorted"
# Updates from which threads that look at all of them, as in the kernels of scatters, take longer than a sort.
_MANY = 1 << 12
_THREADS = 256
_AHEAD = 4  # updates that a thread reads before it puts them together


def with_sorted_scatters(flat: Flat) -> Flat:
    """The same program, with scatters of many updates by way of a sort."""
    if not any(operation.name == "scatter" and _fits(operation) for operation in flat.operations):
        return flat
    makers = {v: operation for operation in flat.operations for v in operation.results}
    varying = varying_values(flat)
    operations: list[Operation] = []
    for operation in flat.operations:
        # What depends on constants alone is computed once, by the table, which does not know this operation.
        if operation.name == "scatter" and _fits(operation) and not varying.isdisjoint(operation.results):
            operations += _Sorted(operation, makers).operations
        else:
            operations.append(operation)
    return Flat(flat.inputs, tuple(operations), flat.outputs)


def _fits(operation: Operation) -> bool:
    """Whether windows are whole rows of the first operand seen as a matrix, and updates are many."""
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


class _Sorted(Rewriting):
    """Writes the operations of one scatter."""

    def __init__(self, operation: Operation, makers: Mapping[Value, Operation]) -> None:
        super().__init__(operation.location)
        x, indices, updates = operation.operands
        attributes, picked = operation.attributes, len(operation.attributes["inserted_window_dims"])
        shape = x.type.shape[:picked]
        count, rows = math.prod(indices.type.shape[:-1]), math.prod(shape)
        place, inside = self._places(indices, shape, attributes["scatter_dims_to_operand_dims"], count)
        if attributes["mode"] == "drop":
            place = self.apply(ops.select, inside, place, self.splat(rows, (count,), dtypes.int32))
        number = self.apply(ops.iota, shape=(count,), dtype=dtypes.int32, dimension=0)
        ordered, order = self.apply_all(ops.sort, place, number, dimension=0, keys=1)
        zero = _is_zero(x, makers)
        operands = (ordered, order, updates) if zero else (ordered, order, updates, x)
        own = {"combine": attributes["combine"], "shape": x.type.shape, "rows": rows}
        self.operations.append(Operation(RECORD, operands, own, (), operation.results, operation.location))

    def _places(
        self, indices: Value, shape: Sequence[int], index_map: Sequence[int], count: int
    ) -> tuple[Value, Value]:
        """The row of each update, and whether its index vector lies inside."""
        last = indices.type.ndim - 1
        place = inside = None
        for k, d in enumerate(index_map):
            starts, limits = [0] * last + [k], [*indices.type.shape[:-1], k + 1]
            one = indices if len(index_map) == 1 else self.apply(
                ops.slice, indices, starts=tuple(starts), limits=tuple(limits), strides=(1,) * (last + 1))
            one = self.apply(ops.reshape, one, shape=(count,)) if one.type.shape != (count,) else one
            if one.type.dtype.itemsize < 4:
                one = self.apply(ops.convert, one, dtype=dtypes.int32)
            kind = one.type.dtype
            low, high = (self.splat(n, (count,), kind) for n in (0, shape[d] - 1))
            kept = self.apply(ops.clamp, low, one, high)
            fits = self.apply(ops.eq, kept, one)
            step = self.apply(ops.mul, self.apply(ops.convert, kept, dtype=dtypes.int32),
                               self.splat(math.prod(shape[d + 1:]), (count,), dtypes.int32))
            place = step if place is None else self.apply(ops.add, place, step)
            inside = fits if inside is None else self.apply(ops.OPERATIONS["and"], inside, fits)
        if place is None or inside is None:
            raise OlympusInternalError("a scatter without indices")  # `_fits` asks for them
        return place, inside


def _is_zero(value: Value, makers: Mapping[Value, Operation]) -> bool:
    """Whether all of a value is zero, to the bit."""
    number = splat_of(value, makers)
    return number is not None and not any(number.tobytes())


def scatter_work(operation: Operation) -> ProductWork:
    """The work of a scatter whose updates are in order of their places: a copy, then each element's updates."""
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
    """A kernel whose threads put together all updates of an element; those of a row lie side by side.

    Args:
        dtype: The elements' type.
        rows: Rows of the result; a place that is none is left out.
        width: Elements of a row.
        count: Updates, sorted by their places.
        combine: What an element and an update become.
    """
    kept, index = functions.storage_type(dtype), index_type(count * width + _THREADS, rows * width)
    value = f"updates[({index})order[{{}}] * {width} + w]" if width > 1 else "updates[order[{}]]"
    if combine == "set":
        body = f"""    while (j + 1 < {count} && place[j + 1] == row) ++j;
    out[at] = {value.format("j")};"""
    else:
        total = combined(combine, dtype, "total", loaded("next[k]", dtype), rounded=False)
        one = combined(combine, dtype, "total", loaded(value.format("j"), dtype), rounded=False)
        final = f"olympus_round_{dtype.name}(total)" if is_narrow(dtype) else "total"
        body = f"""    {functions.register_type(dtype)} total = {loaded("out[at]", dtype)};
    for (; j + {_AHEAD} <= {count} && place[j + {_AHEAD - 1}] == row; j += {_AHEAD}) {{
        {kept} next[{_AHEAD}];
        #pragma unroll
        for (int k = 0; k < {_AHEAD}; ++k) next[k] = {value.format("j + k")};
        #pragma unroll
        for (int k = 0; k < {_AHEAD}; ++k) total = {total};
    }}
    for (; j < {count} && place[j] == row; ++j) total = {one};
    out[at] = {stored(final, dtype)};"""
    text = f"""extern "C" __global__ void __launch_bounds__({_THREADS}) scattered(
    const int* __restrict__ place, const int* __restrict__ order, const {kept}* __restrict__ updates, {kept}* out) {{
    {index} t = ({index})blockIdx.x * {_THREADS} + threadIdx.x, j = t / {width}, w = t % {width};
    if (t >= {count * width}) return;
    const int row = place[j];
    if (row >= {rows} || (j > 0 && place[j - 1] == row)) return;
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
