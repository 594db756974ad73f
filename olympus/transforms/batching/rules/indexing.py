"""Gather, scatter and slices at traced places.

Where the indices are mapped, the mapped dimension becomes one in which operand and indices run together; where they
are not, it is one more dimension of every window.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes, ops

from ....config import enable_x64
from ....tracing import aval_of, bind
from ...traces.batching_call import Call, Result, all_batched, constant, spread_to
from .table import Rule


def _gather(call: Call) -> list[Result]:
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


def _scatter(call: Call) -> list[Result]:
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
                start = bind(ops.min, start, spread_to(np.asarray(2**63 - 1, np.uint64), own.shape, ()))
        start = start if own.dtype == dtype else bind(ops.convert, start, dtype=dtype)
        columns.append(spread_to(start, (size, 1), (0,) if is_batched else ()))
    return columns[0] if len(columns) == 1 else bind(ops.concatenate, *columns, dimension=1)


def _dynamic_slice(call: Call) -> list[Result]:
    x, *starts = call.values
    sizes = call.attributes["sizes"]
    if not any(call.batched[1:]):
        first = constant(0, dtypes.int32)
        return all_batched(call.bind(x, first, *starts, sizes=(call.size, *sizes)))
    indices = _index_vectors(starts, call.batched[1:], call.size)
    mapped = int(call.batched[0])
    dims = tuple(range(len(sizes)))
    return all_batched(bind(
        ops.gather, x, indices, weak=call.weak, offset_dims=tuple(d + 1 for d in dims), collapsed_slice_dims=(),
        start_index_map=tuple(d + mapped for d in dims), operand_batching_dims=(0,) * mapped,
        indices_batching_dims=(0,) * mapped, slice_sizes=(min(1, call.size),) * mapped + tuple(sizes), mode="clip"))


def _dynamic_update_slice(call: Call) -> list[Result]:
    x, update = call.front(0), call.front(1)
    starts = call.values[2:]
    if not any(call.batched[2:]):
        return all_batched(call.bind(x, update, constant(0, dtypes.int32), *starts))
    dims = tuple(range(1, aval_of(x).ndim))
    return all_batched(bind(
        ops.scatter, x, _index_vectors(starts, call.batched[2:], call.size), update, weak=call.weak,
        update_window_dims=dims, inserted_window_dims=(), scatter_dims_to_operand_dims=dims,
        operand_batching_dims=(0,), indices_batching_dims=(0,), combine="set", mode="clip"))


INDEXING: dict[str, Rule] = {
    "gather": _gather, "scatter": _scatter, "dynamic_slice": _dynamic_slice,
    "dynamic_update_slice": _dynamic_update_slice,
}
