# SPDX-License-Identifier: Apache-2.0
"""Gathers with known indices: where these are a few arithmetic progressions, the gather is a few strided slices."""

from __future__ import annotations

import numpy as np

from olympus_core.dataclass import dataclass
from olympus_core.ops.sources import is_splat
from olympus_core.program import Operation

MOST_SLICES = 8


@dataclass(frozen=True, slots=True)
class StridedSlice:
    """Indices ``start + step * i`` for i below the count."""

    start: int
    step: int
    count: int


def strided_slices(gather: Operation, indices: Operation | None) -> tuple[int, tuple[StridedSlice, ...]] | None:
    """The dimension along which a gather picks whole slices, and which, if these are a few runs.

    Args:
        gather: The operation.
        indices: What makes its indices.
    """
    attributes, (x, positions) = gather.attributes, gather.operands
    if indices is None or indices.name != "constant" or len(attributes["start_index_map"]) != 1:
        return None
    (dimension,) = attributes["start_index_map"]
    sizes = list(x.type.shape)
    sizes[dimension] = 1
    others = tuple(d for d in range(x.type.ndim) if d != dimension)
    aligned = tuple(attributes["offset_dims"]) == others and tuple(attributes["slice_sizes"]) == tuple(sizes)
    if not aligned or positions.type.shape != (positions.type.size, 1) or attributes["operand_batching_dims"]:
        return None
    if tuple(attributes["collapsed_slice_dims"]) != (dimension,):
        return None
    found, last = indices.attributes["value"], x.type.shape[dimension] - 1
    count = found.size
    if is_splat(found):  # one number many times, however many
        found = found[(slice(1),) * found.ndim]
    found = found.reshape(-1)
    if found.dtype == np.uint64:
        found = np.minimum(found, np.uint64(last + 1))  # else the greatest would become negative
    found = found.astype(np.int64)
    if attributes["mode"] == "clip":
        found = found.clip(0, last)
    elif found.min() < 0 or found.max() > last:
        return None
    runs = _progressions(found) if len(found) == count else (StridedSlice(int(found[0]), 0, count),)
    return None if runs is None else (dimension, runs)


def _progressions(indices: np.ndarray) -> tuple[StridedSlice, ...] | None:
    """Numbers as a few arithmetic progressions, or None."""
    runs: list[StridedSlice] = []
    steps = np.diff(indices)
    changes = [*np.flatnonzero(np.diff(steps)) + 1, len(steps)] if len(steps) else [0]
    if len(changes) > 3 * MOST_SLICES:
        return None
    first = 0
    for last in changes:  # the last number that has this step to the one before it
        if last < first:
            continue
        step = int(steps[first]) if last > first else 1
        runs.append(StridedSlice(int(indices[first]), step, int(last) - first + 1))
        first = int(last) + 1
    if first < len(indices):
        runs.append(StridedSlice(int(indices[first]), 1, len(indices) - first))
    return tuple(runs) if len(runs) <= MOST_SLICES else None
