# SPDX-License-Identifier: Apache-2.0
"""`dot_general` as strided batched matrix products: which operands need no copy, and the order of the copies."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from olympus_core.program import Operation
from olympus_core.toolkit.c_text import joined, strides_of

# Calls up to which a loop is better than a copy of an operand: few, or more where each has many multiplications.
_MOST_LOOPS, _MOST_LONG_LOOPS, _LONG = 8, 64, 1 << 30


@dataclass(frozen=True, slots=True)
class Axis:
    """Adjacent dimensions merged into one: their size and, in elements, their stride in each operand."""

    size: int
    x: int = 0
    y: int = 0


@dataclass(frozen=True, slots=True)
class Dot:
    """The dimensions of a `dot_general` by their roles, in the result's order, without those of size 1.

    Args:
        batch: Dimensions of both operands and of the result.
        rows: Free dimensions of the first operand.
        columns: Free dimensions of the second.
        inner: Contracted dimensions, in any order.
    """

    batch: tuple[Axis, ...]
    rows: tuple[Axis, ...]
    columns: tuple[Axis, ...]
    inner: tuple[Axis, ...]

    @property
    def sizes(self) -> tuple[int, int, int, int]:
        """Numbers of matrices, rows, columns and contracted elements."""
        batch, rows, columns, inner = (math.prod(a.size for a in axes)
                                       for axes in (self.batch, self.rows, self.columns, self.inner))
        return batch, rows, columns, inner


@dataclass(frozen=True, slots=True)
class Side:
    """The layout of one operand.

    Args:
        copied: For an operand that has to be copied: sizes and strides of its dimensions in the copy's order; else
            None.
        is_inner_last: Whether the contracted dimension is contiguous.
        leading: The leading dimension.
        stride: The distance between matrices of a batch.
        loops: For each of the loops around the batch its stride.
    """

    copied: tuple[tuple[int, int], ...] | None
    is_inner_last: bool
    leading: int
    stride: int
    loops: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """A `dot_general` as loops over batched products.

    Args:
        batch: Number of matrices in a batch.
        rows: Rows of the result.
        columns: Columns of the result.
        inner: Contracted elements.
        loops: Sizes of the loops around the batch.
        order: The stride in the result of each loop, then of the batch.
        x: The first operand.
        y: The second operand.
    """

    batch: int
    rows: int
    columns: int
    inner: int
    loops: tuple[int, ...]
    order: tuple[int, ...]
    x: Side
    y: Side


def roles_of(operation: Operation) -> Dot:
    """The dimensions of a `dot_general` by their roles."""
    (x, y), attributes = [v.type for v in operation.operands], operation.attributes
    sx, sy = strides_of(x.shape), strides_of(y.shape)
    batch_x, batch_y = attributes["lhs_batch"], attributes["rhs_batch"]
    inner_x, inner_y = attributes["lhs_contracting"], attributes["rhs_contracting"]
    inner = [Axis(x.shape[i], sx[i], sy[j]) for i, j in zip(inner_x, inner_y, strict=True)]
    batch = [Axis(x.shape[i], sx[i], sy[j]) for i, j in zip(batch_x, batch_y, strict=True)]
    rows = [Axis(n, x=sx[d]) for d, n in enumerate(x.shape) if d not in (*batch_x, *inner_x)]
    columns = [Axis(n, y=sy[d]) for d, n in enumerate(y.shape) if d not in (*batch_y, *inner_y)]
    ordered = sorted(inner, key=lambda axis: (-axis.x, -axis.y))
    return Dot(merged(batch), merged(rows), merged(columns), merged(ordered))


def merged(axes: Sequence[Axis]) -> tuple[Axis, ...]:
    """The dimensions with adjacent ones merged where both operands allow it, without those of size 1."""
    found: list[Axis] = []
    for axis in axes:
        if axis.size == 1:
            continue
        last = found[-1] if found else None
        if last is not None and last.x == axis.size * axis.x and last.y == axis.size * axis.y:
            found[-1] = Axis(last.size * axis.size, axis.x, axis.y)
        else:
            found.append(axis)
    return tuple(found)


def planned(dot: Dot, inner_last: bool) -> Plan:
    """The plan of a `dot_general` with the fewest copies.

    Args:
        dot: Its dimensions.
        inner_last: Whether the contracted dimension must be contiguous in both operands.
    """
    batch, rows, columns, inner = dot.sizes
    # Either operand's order of contracted dimensions may make it a matrix; the other operand is copied into that order.
    choices = [sorted(dot.inner, key=lambda axis: -axis.x), sorted(dot.inner, key=lambda axis: -axis.y)]
    found = [(_plain([(a.size, a.x) for a in dot.rows], [(a.size, a.x) for a in order], inner_last),
              _plain([(a.size, a.y) for a in dot.columns], [(a.size, a.y) for a in order], inner_last))
             for order in choices]
    best = min((0, 1), key=lambda i: found[i].count(None))
    order, (plain_x, plain_y) = choices[best], found[best]
    loops, stack = _loops(dot.batch, rows * columns * inner)
    whole = Axis(batch)
    if loops is None:  # an operand with one batch stride needs no copy
        loops, stack = (), None
        x_stack, y_stack = (joined([(a.size, s) for a, s in zip(dot.batch, strides, strict=True)])
                            for strides in ([a.x for a in dot.batch], [a.y for a in dot.batch]))
        plain_x, plain_y = plain_x if len(x_stack) < 2 else None, plain_y if len(y_stack) < 2 else None
        whole = Axis(batch, x_stack[-1][1], y_stack[-1][1])
    where = strides_of([a.size for a in dot.batch])
    outside = tuple(a for i, a in enumerate(dot.batch) if i != stack) if loops else ()
    position = tuple(w * rows * columns for i, w in enumerate(where) if i != stack) if loops else ()
    inside = dot.batch[stack] if stack is not None else whole
    step = where[stack] * rows * columns if stack is not None else rows * columns
    sides = []
    for plain, free, count, get in ((plain_x, dot.rows, rows, "x"), (plain_y, dot.columns, columns, "y")):
        own = [getattr(a, get) for a in outside]
        if plain is None:
            copied = tuple((a.size, getattr(a, get)) for a in (*dot.batch, *free, *order))
            # The copy's matrices are in the order of the result's.
            inside_stride = (where[stack] if stack is not None else 1) * count * inner
            own = [w // (rows * columns) * count * inner for w in position]
            sides.append(Side(copied, True, inner, inside_stride, tuple(own)))
        else:
            last, leading = plain
            sides.append(Side(None, last, leading, getattr(inside, get), tuple(own)))
    return Plan(inside.size, rows, columns, inner, tuple(a.size for a in outside), (*position, step), *sides)


def _plain(
    free: Sequence[tuple[int, int]], inner: Sequence[tuple[int, int]], inner_last: bool
) -> tuple[bool, int] | None:
    """Whether the contracted dimension is contiguous, and the leading dimension; None if this is no matrix."""
    inner = joined(inner)
    if len(free) > 1 or len(inner) > 1:
        return None
    (rows, row), (length, step) = (free or [(1, 0)])[0], (inner or [(1, 0)])[0]
    if length == 1 or step == 1:
        leading = row if rows > 1 else length
        if leading >= length:
            return True, leading
    if (rows == 1 or row == 1) and not inner_last:
        leading = step if length > 1 else rows
        if leading >= rows:
            return False, leading
    return None


def _loops(batch: Sequence[Axis], multiplications: int) -> tuple[tuple[int, ...] | None, int | None]:
    """The loops around the batch, and the dimension that is the batch; None where there are too many iterations.

    Args:
        batch: The batch dimensions.
        multiplications: Multiplications of one matrix product.
    """
    if not batch:
        return (), None
    stack = max(range(len(batch)), key=lambda i: batch[i].size)
    loops = tuple(a.size for i, a in enumerate(batch) if i != stack)
    most = _MOST_LONG_LOOPS if multiplications * batch[stack].size >= _LONG else _MOST_LOOPS
    return (loops, stack) if math.prod(loops) <= most else (None, None)
