# SPDX-License-Identifier: Apache-2.0
"""Differences, integrals, interpolation, polynomials, convolutions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from olympus_core import dtypes, ops
from olympus_core.errors import ArgumentError, NotSupportedError

from .. import lax
from ..operands import (
    as_array,
    axes_of,
    axis_of,
    broadcast,
    broadcast_shape,
    cast,
    check_numbers,
    convert,
    dtype_of,
    integer,
    integers,
    shape_of,
    strong,
    weakly,
)
from ..tracing import bind, scalar_dtype
from ..transforms.jit import api
from ..typing import Array, ArrayLike, DTypeLike
from .arithmetic import add, divide, maximum, minimum, multiply, remainder, subtract
from .comparison import not_equal
from .creation import asarray, zeros_like
from .indexing import take
from .joining import concatenate
from .promotion import inexact_dtype, promote_inexact, promote_types_of
from .reductions import sum as numpy_sum
from .searching import where
from .shapes import moveaxis, ravel
from .sorting import argsort, searchsorted
from .ufuncs import like, refuse_complex

__all__ = ["convolve", "correlate", "diff", "ediff1d", "gradient", "interp", "polyval", "trapezoid"]


def diff(
    a: ArrayLike, n: int = 1, axis: int = -1, prepend: ArrayLike | None = None, append: ArrayLike | None = None
) -> Array:
    """The differences of neighbours along a dimension.

    Args:
        a: An array.
        n: How often to take differences.
        axis: The dimension.
        prepend: What to put in front first.
        append: What to put behind first.

    Returns:
        The differences.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.diff(jnp.array([1, 4, 9]))
        Array([3, 5], dtype=int32)
    """
    shape, times = shape_of(a), integer("diff", n, "the number of times", 0)
    if not times:
        return asarray(a)
    d = axis_of("diff", axis, len(shape))
    for end in (prepend, append):
        if end is not None:
            check_numbers("diff", a, end)
    parts = [
        broadcast(p, tuple(1 if i == d else size for i, size in enumerate(shape))) if not shape_of(p) else p
        for p in (prepend, a, append) if p is not None
    ]
    return _diff(concatenate(parts, d) if len(parts) > 1 else a, n=times, axis=d)


@api(static=("n", "axis"), call="diff")
def _diff(a: ArrayLike, n: int, axis: int) -> Any:
    a = as_array(a)
    for _ in range(min(n, shape_of(a)[axis])):  # then nothing is left
        size = shape_of(a)[axis]
        later, earlier = lax.slice_in_dim(a, 1, size, axis=axis), lax.slice_in_dim(a, 0, size - 1, axis=axis)
        a = not_equal(later, earlier) if dtypes.is_bool(dtype_of(a)) else subtract(later, earlier)
    return a


def ediff1d(ary: ArrayLike, to_end: ArrayLike | None = None, to_begin: ArrayLike | None = None) -> Array:
    """The differences of neighbours in the flat array.

    Args:
        ary: An array.
        to_end: What follows the differences; cast to their element type.
        to_begin: What precedes them, likewise.

    Returns:
        The differences.

    Raises:
        ArgumentError: If `to_end` or `to_begin` is of a kind that the differences' element type does not hold.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.ediff1d(jnp.array([1, 4, 9]))
        Array([3, 5], dtype=int32)
    """
    found = diff(ravel(ary))
    for end in (to_end, to_begin):
        if end is not None:
            check_numbers("ediff1d", found, end)
    before, after = ([] if x is None else [_edge(x, dtype_of(found))] for x in (to_begin, to_end))
    return concatenate([*before, found, *after]) if before or after else found


def _edge(x: ArrayLike, dtype: Any) -> Any:
    row = ravel(as_array(x))
    own = dtype_of(row)
    ranks = [2 if dtypes.is_complex(kind) else 1 if dtypes.is_float(kind) else 0 for kind in (own, dtype)]
    if ranks[0] > ranks[1]:
        problem = "what stands before or after the differences does not fit their element type"
        raise ArgumentError("ediff1d", problem, own, f"numbers that {dtype} holds, as integers beside integers")
    return cast(row, dtype)


def gradient(
    f: ArrayLike, *varargs: ArrayLike, axis: int | Sequence[int] | None = None, edge_order: int | None = None
) -> Any:
    """The slopes along dimensions, by central differences.

    Args:
        f: An array.
        *varargs: The distance of neighbours: none for 1, one number, or one for each dimension; instead of a number
            the coordinates of the elements along the dimension.
        axis: The dimensions; all for None.
        edge_order: None or 1; other orders are not there.

    Returns:
        An array; a list of arrays where there are several dimensions.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.gradient(jnp.array([1.0, 2.0, 4.0]))
        Array([1. , 1.5, 2. ], dtype=float32)
    """
    axes = axes_of("gradient", axis, len(shape_of(f)))
    if axis is not None:  # in the order that was asked for
        axes = tuple(axis_of("gradient", d, len(shape_of(f))) for d in integers("gradient", axis, "the axis"))
    steps = list(varargs) or [1]
    if len(steps) == 1:
        steps *= len(axes)
    if len(steps) != len(axes):
        raise ArgumentError("gradient", "the distances do not fit the dimensions", len(steps),
                            f"none, one or {len(axes)}")
    if edge_order not in (None, 1):
        raise NotSupportedError(f"gradient(edge_order={edge_order!r})",
                                "the slopes at the ends are those of two elements", "Leave the argument out.")
    for step, d in zip(steps, axes, strict=True):
        if shape_of(step) not in ((), (shape_of(f)[d],)):
            raise ArgumentError("gradient", "the coordinates do not fit the dimension", shape_of(step),
                                f"one number, or {shape_of(f)[d]} of them")
    found = [_slopes(f, step, axis=d) for d, step in zip(axes, steps, strict=True)]
    return found[0] if len(found) == 1 else found


@api(static=("axis",), call="gradient")
def _slopes(f: ArrayLike, step: ArrayLike, axis: int) -> Any:
    if shape_of(step):
        (f,), weak = promote_inexact("gradient", f)
    else:
        (f, _), weak = promote_inexact("gradient", f, step)
    n = shape_of(f)[axis]
    if n < 2:
        raise ArgumentError("gradient", "a dimension is too short", n, "two elements or more")

    def part(start: int, limit: int) -> Any:
        return lax.slice_in_dim(f, start, limit, axis=axis)

    edges = subtract(part(1, 2), part(0, 1)), subtract(part(n - 1, n), part(n - 2, n - 1))
    if shape_of(step):  # the slope of the parabola through three neighbours: a mean of those of the two sides
        gaps = cast(diff(step), dtype_of(f))
        if dtypes.is_unsigned(dtype_of(step)):  # whose differences wrap
            before, after = lax.slice_in_dim(step, 0, n - 1), lax.slice_in_dim(step, 1, n)
            sizes = cast(subtract(maximum(before, after), minimum(before, after)), dtype_of(f))
            gaps = where(lax.lt(after, before), lax.neg(sizes), sizes)
        gaps = lax.broadcast_in_dim(gaps, [n - 1 if d == axis else 1 for d in range(len(shape_of(f)))], [axis])
        sides = divide(subtract(part(1, n), part(0, n - 1)), gaps)
        slope, gap = (lax.slice_in_dim(v, 0, n - 2, axis=axis) for v in (sides, gaps))
        next_slope, next_gap = (lax.slice_in_dim(v, 1, n - 1, axis=axis) for v in (sides, gaps))
        middle = divide(add(multiply(slope, next_gap), multiply(next_slope, gap)), add(gap, next_gap))
        first, last = lax.slice_in_dim(sides, 0, 1, axis=axis), lax.slice_in_dim(sides, n - 2, n - 1, axis=axis)
        return lax.concatenate([first, middle, last], axis)
    middle = multiply(subtract(part(2, n), part(0, n - 2)), 0.5)
    return weakly(divide(lax.concatenate([edges[0], middle, edges[1]], axis), step), weak)


@api(static=("axis",), call="trapezoid")
def trapezoid(y: ArrayLike, x: ArrayLike | None = None, dx: ArrayLike = 1.0, axis: int = -1) -> Array:
    """The integral of a function by trapezoids.

    Args:
        y: The function's values.
        x: The points at which they were taken.
        dx: The distance of the points, where there is no `x`.
        axis: The dimension.

    Returns:
        The integrals.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.trapezoid(jnp.array([1.0, 2.0, 3.0]))
        Array(4., dtype=float32)
    """
    (y,), _ = promote_inexact("trapezoid", y)
    y = moveaxis(y, axis, -1)
    n = shape_of(y)[-1]
    if x is not None:
        x = x if len(shape_of(x)) == 1 else moveaxis(x, axis, -1)
        dx = diff(x)
    pairs = add(lax.slice_in_dim(y, 1, n, axis=-1), lax.slice_in_dim(y, 0, max(n - 1, 0), axis=-1))
    return multiply(numpy_sum(multiply(dx, pairs), axis=-1), 0.5)


@api(static=("beyond",))
def _interp(x: ArrayLike, xp: ArrayLike, fp: ArrayLike, left: Any, right: Any, beyond: tuple[bool, bool]) -> Any:
    refuse_complex("interp", x, xp)
    x, xp = _inexact_each("interp", x, xp)
    (fp,), _ = promote_inexact("interp", fp)
    n = shape_of(xp)[0]
    i = lax.clamp(1, searchsorted(xp, x, side="right"), n - 1) if n > 1 else like(searchsorted(xp, x), 0)
    before = lax.sub(i, 1) if n > 1 else i
    x0, x1, f0, f1 = (take(v, j, mode="clip") for v, j in ((xp, before), (xp, i), (fp, before), (fp, i)))
    width = subtract(x1, x0)
    flat = lax.eq(width, 0)
    slope = divide(subtract(f1, f0), where(flat, 1, width))
    found = where(flat, f0, add(f0, multiply(subtract(x, x0), slope)))
    # Beside infinity and NaN: a point's own value, the line from its other end, or what both ends are.
    other = add(f1, multiply(subtract(x, x1), slope))
    other = where(lax.ne(other, other), where(lax.eq(f0, f1), f0, other), other)
    kept = where(lax.eq(x, x0), f0, where(lax.eq(x, x1), f1, other))
    found = where(lax.ne(found, found), where(lax.ne(x, x), found, kept), found)
    first, last = lax.index_in_dim(xp, 0, keepdims=False), lax.index_in_dim(xp, n - 1, keepdims=False)
    low = lax.index_in_dim(fp, 0, keepdims=False) if left is None else left
    high = lax.index_in_dim(fp, n - 1, keepdims=False) if right is None else right
    if not beyond[1]:
        found = where(lax.gt(x, last), high, found)
    return found if beyond[0] else where(lax.lt(x, first), low, found)


def _inexact_each(function: str, *arrays: Any) -> list[Any]:
    found, _ = promote_types_of(function, *arrays)
    return [cast(x, inexact_dtype(dtype_of(x))) for x in found]


def interp(
    x: ArrayLike, xp: ArrayLike, fp: ArrayLike, left: ArrayLike | str | None = None,
    right: ArrayLike | str | None = None, period: float | None = None,
) -> Array:
    """Linear interpolation: values of a function between points where it is known.

    Args:
        x: The points.
        xp: The points where it is known, ascending.
        fp: Its values there.
        left: The value before the first point; the first one for None; ``"extrapolate"`` for the first line.
        right: The value after the last point, likewise.
        period: The length after which the points repeat.

    Returns:
        The values.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.interp(1.5, jnp.array([1.0, 2.0]), jnp.array([10.0, 20.0]))
        Array(15., dtype=float32)
    """
    if len(shape_of(xp)) != 1 or shape_of(xp) != shape_of(fp) or not shape_of(xp)[0]:
        raise ArgumentError("interp", "points and values do not fit", f"{shape_of(xp)} and {shape_of(fp)}",
                            "one dimension, equally long, not empty")
    if period is not None:
        x, xp = remainder(x, period), remainder(xp, period)
        order = argsort(xp)
        xp, fp = take(xp, order), take(fp, order)
        n = shape_of(xp)[0]
        ends = [lax.slice_in_dim(v, i, i + 1) for v in (xp, fp) for i in (n - 1, 0)]
        xp = concatenate([subtract(ends[0], period), xp, add(ends[1], period)])
        fp = concatenate([ends[2], fp, ends[3]])
    for side in (left, right):
        if isinstance(side, str) and side != "extrapolate":
            raise ArgumentError("interp", "the value beyond the points is not known", side, "a number or 'extrapolate'")
    beyond = isinstance(left, str), isinstance(right, str)
    return _interp(x, xp, fp, None if beyond[0] else left, None if beyond[1] else right, beyond=beyond)


@api(call="polyval")
def polyval(p: ArrayLike, x: ArrayLike, *, unroll: int = 16) -> Array:
    """The value of a polynomial.

    Args:
        p: The coefficients along the first dimension, that of the highest power first; further dimensions are
            those of several polynomials, and broadcast with the points.
        x: The points.
        unroll: Not used.

    Returns:
        The values.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.polyval(jnp.array([1, 2, 3]), 2)
        Array(11, dtype=int32)
    """
    shape = shape_of(p)
    if not shape:
        raise ArgumentError("polyval", "the coefficients have no dimension", f"shape {shape}", "a row of them")
    (p, x), _ = promote_types_of("polyval", p, x)
    found: Any = broadcast(strong(zeros_like(x)), broadcast_shape("polyval", [shape[1:], shape_of(x)]))
    for i in range(shape[0]):
        found = add(multiply(found, x), lax.index_in_dim(p, i, keepdims=False))
    return found


def convolve(
    a: ArrayLike, v: ArrayLike, mode: str = "full", *, precision: Any = None,
    preferred_element_type: DTypeLike | None = None,
) -> Array:
    """The convolution of two rows of numbers.

    Args:
        a: One row.
        v: The other.
        mode: ``"full"`` for all offsets at which they overlap, ``"same"`` for as many as the longer one has,
            ``"valid"`` for those where they overlap wholly.
        precision: As in `olympus.lax.conv_general_dilated`.
        preferred_element_type: The element type in which to sum and that the result has.

    Returns:
        The convolved row.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.convolve(jnp.array([1, 2, 3]), jnp.array([1, 1]))
        Array([1, 3, 5, 3], dtype=int32)
    """
    return _convolved("convolve", a, v, mode=mode, reversed_=True, precision=precision,
                      wanted=preferred_element_type)


def correlate(
    a: ArrayLike, v: ArrayLike, mode: str = "valid", *, precision: Any = None,
    preferred_element_type: DTypeLike | None = None,
) -> Array:
    """The correlation of two rows of numbers.

    Args:
        a: One row.
        v: The other.
        mode: As in `convolve`.
        precision: As in `olympus.lax.conv_general_dilated`.
        preferred_element_type: The element type in which to sum and that the result has.

    Returns:
        The correlated row.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.correlate(jnp.array([1, 2, 3]), jnp.array([1, 1]))
        Array([3, 5], dtype=int32)
    """
    return _convolved("correlate", a, v, mode=mode, reversed_=False, precision=precision,
                      wanted=preferred_element_type)


@api(static=("function", "mode", "reversed_", "precision", "wanted"), call="convolve")
def _convolved(
    function: str, a: ArrayLike, v: ArrayLike, mode: str, reversed_: bool, precision: Any, wanted: DTypeLike | None
) -> Any:
    if mode not in ("full", "same", "valid"):
        raise ArgumentError(function, "the mode is not known", repr(mode), "'full', 'same' or 'valid'")
    if len(shape_of(a)) != 1 or len(shape_of(v)) != 1 or not shape_of(a)[0] or not shape_of(v)[0]:
        raise ArgumentError(function, "the operands are no rows", f"{shape_of(a)} and {shape_of(v)}",
                            "one dimension each, not empty")
    (a, v), _ = promote_types_of(function, a, v)
    if dtypes.is_bool(dtype_of(a)):  # how many of both are true
        a, v = (convert(x, scalar_dtype(float)) for x in (a, v))
    swapped = shape_of(a)[0] < shape_of(v)[0]
    if not reversed_ and dtypes.is_complex(dtype_of(v)):
        v = bind(ops.conj, v)
    if swapped:
        a, v = v, a
    if reversed_ or swapped:
        v = lax.rev(v, (0,)) if reversed_ else v
    n = shape_of(v)[0]
    pads = {"full": (n - 1, n - 1), "same": (n // 2, n - n // 2 - 1), "valid": (0, 0)}[mode]
    if mode == "same" and not reversed_:
        pads = (n // 2, n - n // 2 - 1)
    found = lax.conv_general_dilated(lax.reshape(a, (1, 1, -1)), lax.reshape(v, (1, 1, -1)), (1,), [pads],
                                     precision=precision, preferred_element_type=wanted)
    found = lax.reshape(found, (-1,))
    return lax.rev(found, (0,)) if swapped and not reversed_ else found
