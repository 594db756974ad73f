"""Statistics: medians, quantiles, covariances; differences, interpolation and polynomials."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.errors import ArgumentError

from .. import lax
from ..lax.operands import ArrayLike, axes_of, axis_of, broadcast, cast, convert, dtype_of, shape_of
from ..tracing import bind
from ..transforms.jit import api
from .arithmetic import add, divide, multiply, subtract
from .elementwise import sqrt
from .indexing import take, where
from .parts import as_array, isnan_of, like
from .promotion import inexact_dtype, promote_inexact
from .reductions import any as numpy_any
from .reductions import average
from .reductions import sum as numpy_sum
from .shapes import moveaxis, ravel

_METHODS = ("linear", "lower", "higher", "nearest", "midpoint")


def _folded(function: str, a: Any, axis: Any) -> tuple[Any, tuple[int, ...], tuple[int, ...]]:
    """The array with the folded dimensions made one, the last; its former shape; the folded axes."""
    shape = shape_of(a)
    axes = axes_of(function, axis, len(shape))
    rest = [d for d in range(len(shape)) if d not in axes]
    flat = lax.reshape(lax.transpose(a, (*rest, *axes)), (*(shape[d] for d in rest), _product(shape, axes)))
    return flat, shape, axes


def _product(shape: Sequence[int], axes: Sequence[int]) -> int:
    size = 1
    for d in axes:
        size *= shape[d]
    return size


@api(static=("axis", "method", "keepdims", "skip_nan"))
def _quantile(a: ArrayLike, q: ArrayLike, axis: Any, method: str, keepdims: bool, skip_nan: bool) -> Any:
    (a,), _ = promote_inexact("quantile", a)
    if dtypes.is_complex(dtype_of(a)):
        raise ArgumentError("quantile", "complex numbers have no order", dtype_of(a).name, "real numbers")
    kind = dtype_of(a)
    wide = dtypes.float32 if kind.itemsize < 4 else kind
    flat, shape, axes = _folded("quantile", cast(a, wide), axis)
    n = shape_of(flat)[-1]
    if not n:
        raise ArgumentError("quantile", "there are no elements", f"shape {shape}", "one element or more")
    q = cast(q, wide)
    q_shape, rest = shape_of(q), shape_of(flat)[:-1]
    ordered = bind(ops.sort, flat, dimension=len(rest), keys=1, weak=False)
    holes = isnan_of(flat)
    number = numpy_sum(convert(bind(ops.not_, holes), wide), axis=-1, keepdims=True)  # NaN are sorted last
    count = number if skip_nan else like(number, n)
    # One row of places for each quantile, in front of the array's dimensions.
    q_wide = lax.broadcast_in_dim(q, (*q_shape, *rest, 1), range(len(q_shape)))
    count_wide = broadcast(count, (*q_shape, *rest, 1))
    position = lax.mul(q_wide, lax.sub(count_wide, 1.0))
    low = lax.clamp(like(position, 0), bind(ops.floor, position), lax.max(lax.sub(count_wide, 1.0), 0.0))
    high = lax.clamp(like(position, 0), bind(ops.ceil, position), lax.max(lax.sub(count_wide, 1.0), 0.0))
    wide_ordered = broadcast(ordered, (*q_shape, *rest, n))
    at_low, at_high = (_element_at(wide_ordered, p) for p in (low, high))
    share = lax.sub(position, low)
    if method == "linear":
        found = add(at_low, multiply(subtract(at_high, at_low), share))
        found = where(lax.eq(at_low, at_high), at_low, found)  # infinities have no difference
    elif method == "midpoint":
        found = divide(add(at_low, at_high), 2)
    elif method == "nearest":
        found = where(lax.lt(share, 0.5), at_low, where(lax.gt(share, 0.5), at_high, where(
            lax.eq(lax.rem(low, 2.0), 0.0), at_low, at_high)))
    else:
        found = at_low if method == "lower" else at_high
    found = lax.squeeze(found, -1)
    nothing = lax.eq(number, 0.0) if skip_nan else numpy_any(holes, axis=-1, keepdims=True)
    found = where(broadcast(lax.squeeze(nothing, -1), shape_of(found)), np.nan, found)
    if keepdims:
        found = lax.reshape(found, (*q_shape, *(1 if d in axes else size for d, size in enumerate(shape))))
    return convert(found, kind)


def _element_at(ordered: Any, place: Any) -> Any:
    from .indexing import take_along_axis

    return take_along_axis(ordered, convert(place, dtypes.int32), axis=-1, mode="clip")


def _method(function: str, method: str) -> str:
    if method not in _METHODS:
        raise ArgumentError(function, "the method is not known", repr(method), f"one of {', '.join(_METHODS)}")
    return method


_DOCUMENT = """{summary}

Args:
    a: An array.
    q: {q}, one or an array of them.
    axis: The dimensions that are folded; all for None.
    out: Not used: arrays never change.
    overwrite_input: Not used.
    method: What to take between two elements: ``"linear"``, ``"lower"``, ``"higher"``, ``"nearest"``, ``"midpoint"``.
    keepdims: Whether the folded dimensions stay, with size one.

Returns:
    The quantiles; the dimensions of `q` come first.

Example:
    >>> import olympus.numpy as jnp
    >>> jnp.{name}(jnp.arange(5.0), {example})
    Array(2., dtype=float32)
"""


def _ranked(name: str, scale: float, skip_nan: bool, summary: str, q_text: str, example: str) -> Any:
    def function(
        a: ArrayLike, q: ArrayLike, axis: Any = None, out: None = None, overwrite_input: bool = False,
        method: str = "linear", keepdims: bool = False,
    ) -> Any:
        from .creation import asarray

        q = asarray(q)
        axis = tuple(axis) if isinstance(axis, list) else axis
        return _quantile(a, q if scale == 1 else divide(q, scale), axis=axis, method=_method(name, method),
                         keepdims=bool(keepdims), skip_nan=skip_nan)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = _DOCUMENT.format(summary=summary, q=q_text, name=name, example=example)
    return function


quantile = _ranked(
    "quantile", 1, False, "The elements below which a share of all lies.", "The shares, from 0 to 1", "0.5")
percentile = _ranked(
    "percentile", 100, False, "The elements below which so many of a hundred lie.", "Numbers from 0 to 100", "50")
nanquantile = _ranked("nanquantile", 1, True, "As `quantile`, without NaN.", "The shares, from 0 to 1", "0.5")
nanpercentile = _ranked("nanpercentile", 100, True, "As `percentile`, without NaN.", "Numbers from 0 to 100", "50")


def median(
    a: ArrayLike, axis: Any = None, out: None = None, overwrite_input: bool = False, keepdims: bool = False
) -> Any:
    """The element in the middle of the sorted ones, or the mean of the two in the middle.

    Args:
        a: An array.
        axis: The dimensions that are folded; all for None.
        out: Not used: arrays never change.
        overwrite_input: Not used.
        keepdims: Whether the folded dimensions stay, with size one.

    Returns:
        The medians.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.median(jnp.array([1, 7, 3]))
        Array(3., dtype=float32)
    """
    return quantile(a, 0.5, axis, method="midpoint", keepdims=keepdims)


def nanmedian(
    a: ArrayLike, axis: Any = None, out: None = None, overwrite_input: bool = False, keepdims: bool = False
) -> Any:
    """The median without NaN.

    Args:
        a: An array.
        axis: The dimensions that are folded; all for None.
        out: Not used: arrays never change.
        overwrite_input: Not used.
        keepdims: Whether the folded dimensions stay, with size one.

    Returns:
        The medians.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.nanmedian(jnp.array([1.0, jnp.nan, 3.0]))
        Array(2., dtype=float32)
    """
    return nanquantile(a, 0.5, axis, method="midpoint", keepdims=keepdims)


def cov(
    m: ArrayLike, y: ArrayLike | None = None, rowvar: bool = True, bias: bool = False, ddof: int | None = None,
    fweights: ArrayLike | None = None, aweights: ArrayLike | None = None,
) -> Any:
    """The covariances of variables.

    Args:
        m: An array with a row for each variable.
        y: More variables.
        rowvar: Whether rows are variables; else columns are.
        bias: Whether to divide by the number of observations, not by one less.
        ddof: What is taken from the number of observations; in the place of `bias`.
        fweights: How often each observation was made.
        aweights: A weight for each observation.

    Returns:
        A matrix with a row and a column for each variable.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.cov(jnp.array([[0.0, 2.0], [2.0, 0.0]])).tolist()
        [[2.0, -2.0], [-2.0, 2.0]]
    """
    taken = int(ddof) if ddof is not None else int(not bias)
    return _cov(m, y, fweights, aweights, rowvar=bool(rowvar), ddof=taken)


@api(static=("rowvar", "ddof"))
def _cov(m: ArrayLike, y: Any, fweights: Any, aweights: Any, rowvar: bool, ddof: int) -> Any:
    from .joining import concatenate
    from .linear import matmul
    from .shapes import atleast_2d

    def rows(x: Any) -> Any:
        x = atleast_2d(x)
        return lax.transpose(x, (1, 0)) if not rowvar and shape_of(x)[0] != 1 else x

    (m,), _ = promote_inexact("cov", m)
    x = rows(m)
    if y is not None:
        x = concatenate([x, rows(y)], 0)
    weights = None if fweights is None else cast(fweights, dtypes.real_part(dtype_of(x)))
    if aweights is not None:
        other = cast(aweights, dtypes.real_part(dtype_of(x)))
        weights = other if weights is None else multiply(weights, other)
    average_of_rows = average(x, axis=1, weights=weights)
    if weights is None:
        factor: Any = shape_of(x)[1] - ddof
    else:
        total = numpy_sum(weights)
        squares = multiply(weights, aweights) if aweights is not None else weights
        factor = subtract(total, divide(multiply(ddof, numpy_sum(squares)), total)) if ddof else total
    centered = subtract(x, lax.expand_dims(average_of_rows, 1))
    weighted = centered if weights is None else multiply(centered, weights)
    other_side = lax.transpose(centered, (1, 0))
    if dtypes.is_complex(dtype_of(x)):
        other_side = bind(ops.conj, other_side)
    return lax.squeeze(divide(matmul(weighted, other_side), factor))


def corrcoef(x: ArrayLike, y: ArrayLike | None = None, rowvar: bool = True) -> Any:
    """The correlations of variables.

    Args:
        x: An array with a row for each variable.
        y: More variables.
        rowvar: Whether rows are variables; else columns are.

    Returns:
        A matrix with a row and a column for each variable.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.corrcoef(jnp.array([[0.0, 2.0], [4.0, 0.0]])).round(3).tolist()
        [[1.0, -1.0], [-1.0, 1.0]]
    """
    found = cov(x, y, rowvar)
    if not shape_of(found):
        return divide(found, found)
    return _correlated(found)


@api
def _correlated(c: ArrayLike) -> Any:
    from .diagonals import diagonal

    spread = sqrt(diagonal(c))
    found = divide(divide(c, lax.expand_dims(spread, 1)), spread)
    return lax.clamp(-1.0, found, 1.0) if dtypes.is_float(dtype_of(found)) else found


def diff(
    a: ArrayLike, n: int = 1, axis: int = -1, prepend: ArrayLike | None = None, append: ArrayLike | None = None
) -> Any:
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
    from .joining import concatenate

    shape = shape_of(a)
    d = axis_of("diff", axis, len(shape))
    parts = [
        broadcast(p, tuple(1 if i == d else size for i, size in enumerate(shape))) if not shape_of(p) else p
        for p in (prepend, a, append) if p is not None
    ]
    return _diff(concatenate(parts, d) if len(parts) > 1 else a, n=int(n), axis=d)


@api(static=("n", "axis"))
def _diff(a: ArrayLike, n: int, axis: int) -> Any:
    from .comparison import not_equal

    a = as_array(a)
    for _ in range(n):
        size = shape_of(a)[axis]
        later, earlier = lax.slice_in_dim(a, 1, size, axis=axis), lax.slice_in_dim(a, 0, size - 1, axis=axis)
        a = not_equal(later, earlier) if dtypes.is_bool(dtype_of(a)) else subtract(later, earlier)
    return a


def ediff1d(ary: ArrayLike) -> Any:
    """The differences of neighbours in the flat array.

    Args:
        ary: An array.

    Returns:
        The differences.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.ediff1d(jnp.array([1, 4, 9]))
        Array([3, 5], dtype=int32)
    """
    return diff(ravel(ary))


def gradient(f: ArrayLike, *varargs: ArrayLike, axis: int | Sequence[int] | None = None) -> Any:
    """The slopes along dimensions, by central differences.

    Args:
        f: An array.
        *varargs: The distance of neighbours: none for 1, one number, or one for each dimension.
        axis: The dimensions; all for None.

    Returns:
        An array; a list of arrays where there are several dimensions.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.gradient(jnp.array([1.0, 2.0, 4.0]))
        Array([1. , 1.5, 2. ], dtype=float32)
    """
    axes = axes_of("gradient", axis, len(shape_of(f)))
    steps = list(varargs) or [1]
    if len(steps) == 1:
        steps *= len(axes)
    if len(steps) != len(axes):
        raise ArgumentError("gradient", "the distances do not fit the dimensions", len(steps),
                            f"none, one or {len(axes)}")
    if any(shape_of(s) for s in steps):
        raise ArgumentError("gradient", "a distance is an array", varargs, "one number for each dimension")
    found = [_slopes(f, step, axis=d) for d, step in zip(axes, steps, strict=True)]
    return found[0] if len(found) == 1 else found


@api(static=("axis",))
def _slopes(f: ArrayLike, step: ArrayLike, axis: int) -> Any:
    (f,), _ = promote_inexact("gradient", f)
    n = shape_of(f)[axis]
    if n < 2:
        raise ArgumentError("gradient", "a dimension is too short", n, "two elements or more")

    def part(start: int, limit: int) -> Any:
        return lax.slice_in_dim(f, start, limit, axis=axis)

    middle = multiply(subtract(part(2, n), part(0, n - 2)), 0.5)
    edges = subtract(part(1, 2), part(0, 1)), subtract(part(n - 1, n), part(n - 2, n - 1))
    return divide(lax.concatenate([edges[0], middle, edges[1]], axis), step)


@api(static=("axis",))
def trapezoid(y: ArrayLike, x: ArrayLike | None = None, dx: ArrayLike = 1.0, axis: int = -1) -> Any:
    """The integral of a function by trapezoids.

    Args:
        y: The function's values.
        x: The places at which they were taken.
        dx: The distance of the places, where there is no `x`.
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


@api
def _interp(x: ArrayLike, xp: ArrayLike, fp: ArrayLike, left: Any, right: Any) -> Any:
    from .sorting import searchsorted

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
    first, last = lax.index_in_dim(xp, 0, keepdims=False), lax.index_in_dim(xp, n - 1, keepdims=False)
    low = lax.index_in_dim(fp, 0, keepdims=False) if left is None else left
    high = lax.index_in_dim(fp, n - 1, keepdims=False) if right is None else right
    found = where(lax.lt(x, first), low, where(lax.gt(x, last), high, found))
    return found


def _inexact_each(function: str, *arrays: Any) -> list[Any]:
    from .promotion import promote_types_of

    found, _ = promote_types_of(function, *arrays)
    return [cast(x, inexact_dtype(dtype_of(x))) for x in found]


def interp(
    x: ArrayLike, xp: ArrayLike, fp: ArrayLike, left: ArrayLike | None = None, right: ArrayLike | None = None,
    period: float | None = None,
) -> Any:
    """Values of a function between places where it is known, on straight lines.

    Args:
        x: The places.
        xp: The places where it is known, ascending.
        fp: Its values there.
        left: The value before the first place; the first one for None.
        right: The value after the last place.
        period: The length after which the places begin anew.

    Returns:
        The values.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.interp(1.5, jnp.array([1.0, 2.0]), jnp.array([10.0, 20.0]))
        Array(15., dtype=float32)
    """
    if len(shape_of(xp)) != 1 or shape_of(xp) != shape_of(fp) or not shape_of(xp)[0]:
        raise ArgumentError("interp", "places and values do not fit", f"{shape_of(xp)} and {shape_of(fp)}",
                            "one dimension, equally long, not empty")
    if period is not None:
        from .arithmetic import remainder
        from .joining import concatenate
        from .sorting import argsort

        x, xp = remainder(x, period), remainder(xp, period)
        order = argsort(xp)
        xp, fp = take(xp, order), take(fp, order)
        n = shape_of(xp)[0]
        ends = [lax.slice_in_dim(v, i, i + 1) for v in (xp, fp) for i in (n - 1, 0)]
        xp = concatenate([subtract(ends[0], period), xp, add(ends[1], period)])
        fp = concatenate([ends[2], fp, ends[3]])
    return _interp(x, xp, fp, left, right)


@api
def polyval(p: ArrayLike, x: ArrayLike) -> Any:
    """The value of a polynomial.

    Args:
        p: The coefficients, that of the highest power first.
        x: The places.

    Returns:
        The values.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.polyval(jnp.array([1, 2, 3]), 2)
        Array(11, dtype=int32)
    """
    found: Any = 0
    for i in range(shape_of(p)[0]):
        found = add(multiply(found, x), lax.index_in_dim(p, i, keepdims=False))
    return found


def convolve(a: ArrayLike, v: ArrayLike, mode: str = "full") -> Any:
    """The convolution of two rows of numbers.

    Args:
        a: One row.
        v: The other.
        mode: ``"full"`` for all places where they overlap, ``"same"`` for as many as the longer one has, ``"valid"``
            for those where they overlap wholly.

    Returns:
        The convolved row.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.convolve(jnp.array([1, 2, 3]), jnp.array([1, 1]))
        Array([1, 3, 5, 3], dtype=int32)
    """
    return _convolved("convolve", a, v, mode=mode, turned=True)


def correlate(a: ArrayLike, v: ArrayLike, mode: str = "valid") -> Any:
    """The correlation of two rows of numbers.

    Args:
        a: One row.
        v: The other.
        mode: As in `convolve`.

    Returns:
        The correlated row.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.correlate(jnp.array([1, 2, 3]), jnp.array([1, 1]))
        Array([3, 5], dtype=int32)
    """
    return _convolved("correlate", a, v, mode=mode, turned=False)


@api(static=("function", "mode", "turned"))
def _convolved(function: str, a: ArrayLike, v: ArrayLike, mode: str, turned: bool) -> Any:
    from .promotion import promote_types_of

    if mode not in ("full", "same", "valid"):
        raise ArgumentError(function, "the mode is not known", repr(mode), "'full', 'same' or 'valid'")
    if len(shape_of(a)) != 1 or len(shape_of(v)) != 1 or not shape_of(a)[0] or not shape_of(v)[0]:
        raise ArgumentError(function, "the operands are no rows", f"{shape_of(a)} and {shape_of(v)}",
                            "one dimension each, not empty")
    (a, v), _ = promote_types_of(function, a, v)
    swapped = shape_of(a)[0] < shape_of(v)[0]
    if not turned and dtypes.is_complex(dtype_of(v)):
        v = bind(ops.conj, v)
    if swapped:
        a, v = v, a
    if turned or swapped:
        v = lax.rev(v, (0,)) if turned else v
    n = shape_of(v)[0]
    pads = {"full": (n - 1, n - 1), "same": (n // 2, n - n // 2 - 1), "valid": (0, 0)}[mode]
    if mode == "same" and not turned:
        pads = (n // 2, n - n // 2 - 1)
    found = lax.conv_general_dilated(lax.reshape(a, (1, 1, -1)), lax.reshape(v, (1, 1, -1)), (1,), [pads])
    found = lax.reshape(found, (-1,))
    return lax.rev(found, (0,)) if swapped and not turned else found


__all__ = [
    "convolve", "corrcoef", "correlate", "cov", "diff", "ediff1d", "gradient", "interp", "median",
    "nanmedian", "nanpercentile", "nanquantile", "percentile", "polyval", "quantile", "trapezoid",
]
