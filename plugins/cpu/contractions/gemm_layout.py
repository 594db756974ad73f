# SPDX-License-Identifier: Apache-2.0
"""The layout of a GEMM: byte offsets of rows, columns, batches and contracted elements in its operands.

A GEMM sums, over segments of contracted elements, rows of one operand times columns of the other. Rows, columns and
batches are tables of offsets, so that operands of any strides are read without a transpose (the scatter-matrix layout
of Matthews, "High-performance tensor contraction without transposition", 2018). Within a segment contracted elements
have one stride.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np

from olympus_core.dataclass import dataclass
from olympus_core.program import Operation

# The words of the two descriptors, in order. Words that are tables hold their addresses.
GEMM_WORDS = (
    "out_slot", "column_blocks", "row_blocks", "block_rows", "tiles", "rows", "block_panels", "panels", "columns",
    "x_stride", "y_stride", "panel_stride", "ahead", "pass_count", "x_rows", "out_rows", "batches", "passes",
    "segments", "splits", "split_stride", "are_rows_apart", "are_segments_together", "y_columns", "y_source_stride",
    "is_contiguous", "padding", "reads_across", "out_stride",
)
PACK_WORDS = (
    "groups", "panels", "columns", "segment_count", "length", "y_stride", "is_contiguous", "y_columns", "segments",
    "batches", "padding",
)
ADDRESS_WORDS = frozenset({"x_rows", "out_rows", "batches", "passes", "segments", "y_columns"})


# Contracted elements: offsets of segments in both operands, their length, and the strides in both operands.
Inner = tuple[np.ndarray, int, int, int]


@dataclass(frozen=True, slots=True)
class GemmLayout:
    """A GEMM over operands with any strides; offsets and strides are in bytes.

    Args:
        x_rows: Offset of each row in the first operand.
        y_columns: Offset of each column in the second operand.
        out_rows: Offset of each row in the result, whose columns are contiguous.
        x_batches: Offset of each matrix of the stack in the first operand.
        y_batches: The same in the second operand.
        out_batches: The same in the result.
        segments: Offsets of the segments of contracted elements, in the first operand and in the second.
        length: Contracted elements in each segment.
        x_stride: From one contracted element to the next in the first operand.
        y_stride: The same in the second operand.
    """

    x_rows: np.ndarray
    y_columns: np.ndarray
    out_rows: np.ndarray
    x_batches: np.ndarray
    y_batches: np.ndarray
    out_batches: np.ndarray
    segments: np.ndarray
    length: int
    x_stride: int
    y_stride: int

    @property
    def multiplications(self) -> int:
        """The number of multiplications of all matrices."""
        return (len(self.x_batches) * len(self.x_rows) * len(self.y_columns) * len(self.segments) * self.length)


def strides_of(shape: Sequence[int], size: int) -> list[int]:
    """Byte strides of a row-major array."""
    return [size * math.prod(shape[d + 1:]) for d in range(len(shape))]


def offsets_of(sizes: Sequence[int], strides: Sequence[int]) -> np.ndarray:
    """Byte offsets of all indices of some dimensions, the last dimension fastest."""
    offsets = np.zeros(1, np.int64)
    for n, stride in zip(sizes, strides, strict=True):
        offsets = (offsets[:, None] + np.arange(n, dtype=np.int64) * stride).reshape(-1)
    return offsets


def layout_of_dot(operation: Operation) -> GemmLayout:
    """The layout of a `dot_general` over row-major operands, or of one of its partial results under split-K."""
    (x, y), out = [v.type for v in operation.operands], operation.results[0].type
    attributes = operation.attributes
    shape = out.shape[1:] if "splits" in attributes else out.shape
    batch_x, batch_y = attributes["lhs_batch"], attributes["rhs_batch"]
    inner_x, inner_y = attributes["lhs_contracting"], attributes["rhs_contracting"]
    free_x = [d for d in range(x.ndim) if d not in (*batch_x, *inner_x)]
    free_y = [d for d in range(y.ndim) if d not in (*batch_y, *inner_y)]
    sx, sy = (strides_of(t.shape, t.dtype.itemsize) for t in (x, y))
    so = strides_of(shape, out.dtype.itemsize)
    stack, count = len(batch_x), len(batch_x) + len(free_x)
    inner = merged([(x.shape[i], sx[i], sy[j]) for i, j in zip(inner_x, inner_y, strict=True)])
    # The longest dimension is the inner loop, with preference for a contiguous one, which is read without packing.
    inner.sort(key=lambda part: (part[0] * (2 if part[1] == x.dtype.itemsize else 1)))
    *outer, (length, x_stride, y_stride) = inner or [(1, 0, 0)]
    segments = np.stack(
        [offsets_of([p[0] for p in outer], [p[i] for p in outer]) for i in (1, 2)], axis=1
    )
    return GemmLayout(
        offsets_of([x.shape[d] for d in free_x], [sx[d] for d in free_x]),
        offsets_of([y.shape[d] for d in free_y], [sy[d] for d in free_y]),
        offsets_of(shape[stack:count], so[stack:count]),
        offsets_of([x.shape[d] for d in batch_x], [sx[d] for d in batch_x]),
        offsets_of([y.shape[d] for d in batch_y], [sy[d] for d in batch_y]),
        offsets_of(shape[:stack], so[:stack]),
        segments, length, x_stride, y_stride,
    )


def merged(dimensions: Sequence[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Contracted dimensions, as size and strides in both operands, where dimensions contiguous in both are merged."""
    merged: list[tuple[int, int, int]] = []
    for n, x, y in sorted((p for p in dimensions if p[0] != 1), key=lambda p: -p[1]):
        if merged and merged[-1][1] == n * x and merged[-1][2] == n * y:
            merged[-1] = (merged[-1][0] * n, x, y)
        else:
            merged.append((n, x, y))
    return merged


def order_of_sums(
    segments: np.ndarray, length: int, x_stride: int, y_stride: int, limit: int
) -> tuple[np.ndarray, ...]:
    """What the order of an element's sums follows from: passes, and where their segments are in the first operand.

    Args:
        segments: Offsets of the segments of contracted elements, in the first operand and in the second.
        length: Contracted elements in each.
        x_stride: From one to the next in the first operand.
        y_stride: In the second.
        limit: The most elements in a pass.
    """
    rows = np.zeros((len(segments), 4), np.int64)
    rows[:, 1::2] = segments
    passes, parts = passes_of(rows, length, x_stride, y_stride, limit)
    return passes[:, :3], parts[:, 1], np.array(x_stride)


def passes_of(
    segments: np.ndarray, length: int, x_stride: int, y_stride: int, limit: int, unit: int = 1
) -> tuple[np.ndarray, ...]:
    """Segments split and joined to passes of about `limit` contracted elements (BLIS: the loop over kc).

    Args:
        segments: Rows of slot and offset of the first operand, slot and offset of the second.
        length: Contracted elements in each, or groups of them.
        x_stride: From one to the next in the first operand.
        y_stride: In the second.
        limit: The most elements in a pass.
        unit: How many elements are not separated: lengths count as multiples of it.

    Returns:
        Passes, as rows of first segment, number of segments, their length, and whether they end as whole segments do;
        and the segments.
    """
    whole = -(-length // unit) * unit
    if whole <= limit:
        together = limit // whole
        starts = range(0, len(segments), together)
        return np.array([(s, min(together, len(segments) - s), length, 1) for s in starts], np.int64), segments
    pieces = -(-whole // limit)
    each = -(-whole // (unit * pieces)) * unit
    rows: list[tuple[int, int, int, int]] = []
    made: list[np.ndarray] = []
    for segment, k in itertools.product(segments, range(0, length, each)):
        rows.append((len(made), 1, min(each, length - k), int(k + each >= length)))
        made.append(segment + np.array([0, k * x_stride, 0, k * y_stride], np.int64))
    return np.array(rows, np.int64), np.array(made, np.int64)
