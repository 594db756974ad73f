"""Products of matrices as numbers: which bytes of the operands are rows, columns, batches and contracted elements.

A product sums, over segments of contracted elements, rows of one operand times columns of the other. Rows, columns and
batches are tables of byte offsets, so operands may lie in memory in any order and nothing is transposed. Contracted
elements lie at one stride inside of a segment.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from olympus_core.program import Operation

# The words of the two descriptors, in order. Names ending in s that are tables are addresses.
PRODUCT = (
    "out_slot", "column_blocks", "row_blocks", "block_rows", "rows", "block_panels", "panels", "columns", "x_stride",
    "y_stride", "panel_stride", "ahead", "pass_count", "x_rows", "out_rows", "batches", "passes", "segments", "parts",
    "part_stride", "are_rows_together", "y_columns", "y_source_stride", "is_contiguous",
)
PACK = (
    "groups", "panels", "columns", "segment_count", "length", "y_stride", "is_contiguous", "y_columns", "segments",
    "batches",
)


@dataclass(frozen=True, slots=True)
class Form:
    """A product of operands that lie in memory in any order; offsets and strides in bytes.

    Args:
        x_rows: Where each row begins in the first operand.
        y_columns: Where each column begins in the second.
        out_rows: Where each row begins in the result; columns lie side by side.
        x_batches: Where each matrix of the stack begins in the first operand; so in the others.
        y_batches: In the second.
        out_batches: In the result.
        segments: Where segments of contracted elements begin, in the first operand and in the second.
        length: Contracted elements in each segment.
        x_stride: From one contracted element to the next in the first operand.
        y_stride: In the second.
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
        """Of all matrices together."""
        return (len(self.x_batches) * len(self.x_rows) * len(self.y_columns) * len(self.segments) * self.length)


def strides_of(shape: Sequence[int], size: int) -> list[int]:
    """Byte strides of a row-major array."""
    return [size * math.prod(shape[d + 1:]) for d in range(len(shape))]


def offsets_of(sizes: Sequence[int], strides: Sequence[int]) -> np.ndarray:
    """Byte offsets of all indices of some dimensions, the last of which runs fastest."""
    offsets = np.zeros(1, np.int64)
    for n, stride in zip(sizes, strides, strict=True):
        offsets = (offsets[:, None] + np.arange(n, dtype=np.int64) * stride).reshape(-1)
    return offsets


def form_of_dot(operation: Operation) -> Form:
    """The form of a `dot_general` over row-major operands, or of one part of it where it is made in parts."""
    (x, y), out = [v.type for v in operation.operands], operation.results[0].type
    attributes = operation.attributes
    shape = out.shape[1:] if "parts" in attributes else out.shape
    batch_x, batch_y = attributes["lhs_batch"], attributes["rhs_batch"]
    inner_x, inner_y = attributes["lhs_contracting"], attributes["rhs_contracting"]
    free_x = [d for d in range(x.ndim) if d not in (*batch_x, *inner_x)]
    free_y = [d for d in range(y.ndim) if d not in (*batch_y, *inner_y)]
    sx, sy = (strides_of(t.shape, t.dtype.itemsize) for t in (x, y))
    so = strides_of(shape, out.dtype.itemsize)
    stack, count = len(batch_x), len(batch_x) + len(free_x)
    inner = merged([(x.shape[i], sx[i], sy[j]) for i, j in zip(inner_x, inner_y, strict=True)])
    # The longest run of contracted elements is the inner loop; one side by side is read without packing.
    inner.sort(key=lambda part: (part[0] * (2 if part[1] == x.dtype.itemsize else 1)))
    *outer, (length, x_stride, y_stride) = inner or [(1, 0, 0)]
    segments = np.stack(
        [offsets_of([p[0] for p in outer], [p[i] for p in outer]) for i in (1, 2)], axis=1
    )
    return Form(
        offsets_of([x.shape[d] for d in free_x], [sx[d] for d in free_x]),
        offsets_of([y.shape[d] for d in free_y], [sy[d] for d in free_y]),
        offsets_of(shape[stack:count], so[stack:count]),
        offsets_of([x.shape[d] for d in batch_x], [sx[d] for d in batch_x]),
        offsets_of([y.shape[d] for d in batch_y], [sy[d] for d in batch_y]),
        offsets_of(shape[:stack], so[:stack]),
        segments, length, x_stride, y_stride,
    )


def merged(parts: Sequence[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Contracted dimensions as sizes and strides in both operands; neighbours in both are one."""
    merged: list[tuple[int, int, int]] = []
    for n, x, y in sorted((p for p in parts if p[0] != 1), key=lambda p: -p[1]):
        if merged and merged[-1][1] == n * x and merged[-1][2] == n * y:
            merged[-1] = (merged[-1][0] * n, x, y)
        else:
            merged.append((n, x, y))
    return merged


def passes_of(segments: np.ndarray, length: int, x_stride: int, y_stride: int, limit: int) -> tuple[np.ndarray, ...]:
    """Segments cut and put together to passes of about `limit` contracted elements.

    Args:
        segments: Rows of slot and offset in the first operand, slot and offset in the second.
        length: Contracted elements in each.
        x_stride: From one to the next in the first operand.
        y_stride: In the second.
        limit: The most elements in a pass.

    Returns:
        Passes, as rows of first segment, number of segments and their length; the segments they mean.
    """
    if length <= limit:
        together = limit // length
        starts = range(0, len(segments), together)
        return np.array([(s, min(together, len(segments) - s), length) for s in starts], np.int64), segments
    pieces = -(-length // limit)
    each = math.ceil(length / pieces)
    rows: list[tuple[int, int, int]] = []
    made: list[np.ndarray] = []
    for segment, k in itertools.product(segments, range(0, length, each)):
        rows.append((len(made), 1, min(each, length - k)))
        made.append(segment + np.array([0, k * x_stride, 0, k * y_stride], np.int64))
    return np.array(rows, np.int64), np.array(made, np.int64)
