# SPDX-License-Identifier: Apache-2.0
"""Tridiagonal equations whose matrix may be singular, as `lax.linalg.tridiagonal_solve` solves them."""

from __future__ import annotations

from typing import Any

import numpy as np

from olympus_core import dtypes, ops

from ..operands import broadcast, dtype_of, shape_of
from ..transforms.batching.vmap import vmap
from ..transforms.traces.annotations import constants
from ..transforms.traces.arithmetic import apply, convert, select
from ..transforms.traces.matrices import constant
from .control import scan


def perturbed_solution(below: Any, middle: Any, above: Any, b: Any) -> Any:
    """The solution by LU with exchanges of neighbouring rows; pivots by which a quotient would overflow are moved.

    They are moved away from zero, by the unit of the element type times the greatest element of U.

    Args:
        below: The diagonal below the middle, of shape ``(..., n)``; its first element is not used.
        middle: The middle diagonal.
        above: The diagonal above it; its last element is not used.
        b: Right-hand sides of shape ``(..., n, k)``.

    References:
        LAPACK, xGTSV and xLAGTS.
    """
    function: Any = _solution
    for _ in range(len(shape_of(b)) - 2):
        function = vmap(function)
    return function(below, middle, above, b) if shape_of(b)[-2] else b


def _solution(below: Any, middle: Any, above: Any, b: Any) -> Any:
    none = middle[0] - middle[0]
    above = apply(ops.concatenate, above[:-1], broadcast(none, (1,), weak=False), dimension=0)
    end, rows = scan(_eliminated, (middle[0], above[0], b[0]), (below[1:], middle[1:], above[1:], b[1:]))
    last = (end[0], none, none, end[2])
    pivots, beside, far, sides = (
        apply(ops.concatenate, x, broadcast(e, (1, *shape_of(e)), weak=False), dimension=0)
        for x, e in zip(rows, last, strict=True))
    sizes = [apply(ops.reduce_max, apply(ops.abs, constants(x)), dimensions=(0,)) for x in (pivots, beside, far)]
    largest = apply(ops.max, apply(ops.max, sizes[0], sizes[1]), sizes[2])
    shift = select(largest == 0, largest + 1, largest) * float(np.finfo(dtype_of(largest)).eps)

    def substituted(found: Any, row: Any) -> Any:
        (following, second), (pivot, next_to_it, behind, side) = found, row
        rest = side - _wide(next_to_it, side) * following - _wide(behind, side) * second
        own = rest / _wide(pivot + _moved(constants(pivot), constants(rest), shift), side)
        return (own, following), own

    zero = end[2] - end[2]
    return scan(substituted, (zero, zero), (pivots, beside, far, sides), reverse=True)[1]


def _wide(x: Any, like: Any) -> Any:
    return broadcast(x, shape_of(like), weak=False)


def _eliminated(row: Any, following: Any) -> Any:
    """What remains of the greater of two rows is one of U; the other one goes on without its first element."""
    (pivot, beside, side), (below, middle, above, other) = row, following
    exchanged = apply(ops.abs, constants(pivot)) < apply(ops.abs, constants(below))
    none = beside - beside

    def either(yes: Any, no: Any) -> Any:
        return select(_wide(exchanged, yes) if shape_of(yes) else exchanged, yes, no)

    top, low = either(below, pivot), either(pivot, below)
    is_zero = constants(top) == 0  # both are
    factor = select(is_zero, none, low / select(is_zero, none + 1, top))
    first = top, either(middle, beside), either(above, none), either(other, side)
    left = either(beside, middle) - factor * first[1], either(none, above) - factor * first[2], (
        either(side, other) - _wide(factor, side) * first[3])
    return left, first


def _moved(pivot: Any, rest: Any, shift: Any) -> Any:
    """What is added to a pivot."""
    size, real = apply(ops.abs, pivot), dtypes.real_part(dtype_of(pivot))
    greatest = apply(ops.reduce_max, apply(ops.abs, rest), dimensions=(0,)) if shape_of(rest)[0] else size - size
    overflows = (size < 1) & (greatest >= size * float(1 / np.finfo(real).tiny)) | (size == 0)
    is_zero = size == 0
    ones = constant(np.ones((), real))
    direction = pivot / convert(select(is_zero, ones, size), dtype_of(pivot))
    direction = select(is_zero, convert(ones, dtype_of(pivot)), direction)
    return select(overflows, direction * convert(shift, dtype_of(pivot)), pivot - pivot)
