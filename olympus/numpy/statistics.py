# SPDX-License-Identifier: Apache-2.0
"""Statistics: medians, quantiles, covariances."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.errors import ArgumentError, NotSupportedError

from .. import lax
from ..operands import axes_of, broadcast, cast, convert, dtype_of, element_type, integer, shape_of
from ..tracing import bind
from ..transforms.explicit import with_out_sharding
from ..transforms.jit import api
from ..typing import Array, ArrayLike, DTypeLike, ShardingLike
from .arithmetic import add, divide, maximum, multiply, subtract
from .creation import asarray
from .diagonals import diagonal
from .elementwise import sqrt
from .indexing import take_along_axis
from .joining import concatenate
from .linear import matmul
from .promotion import inexact_dtype, promote_inexact, promote_types_of
from .reductions import any as numpy_any
from .reductions import average
from .reductions import sum as numpy_sum
from .searching import where
from .shapes import atleast_2d
from .ufuncs import imag_of, isnan_of, like, real_of, refuse_out

if TYPE_CHECKING:
    from ..signatures import Quantile

__all__ = ["corrcoef", "cov", "median", "nanmedian", "nanpercentile", "nanquantile", "percentile", "quantile"]

_METHODS = ("linear", "lower", "higher", "nearest", "midpoint", "inverted_cdf")


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


@api(static=("axis", "method", "keepdims", "skip_nan"), call="quantile")
def _quantile(a: ArrayLike, q: ArrayLike, axis: Any, method: str, keepdims: bool, skip_nan: bool) -> Any:
    (a,), _ = promote_inexact("quantile", a)
    for x in (a, q):
        if dtypes.is_complex(dtype_of(x)):
            raise ArgumentError("quantile", "complex numbers have no order", dtype_of(x).name, "real numbers")
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
    # One row of positions for each quantile, in front of the array's dimensions.
    q_wide = lax.broadcast_in_dim(q, (*q_shape, *rest, 1), range(len(q_shape)))
    count_wide = broadcast(count, (*q_shape, *rest, 1))
    position = lax.mul(q_wide, lax.sub(count_wide, 1.0))
    low = lax.clamp(like(position, 0), bind(ops.floor, position), lax.max(lax.sub(count_wide, 1.0), 0.0))
    high = lax.clamp(like(position, 0), bind(ops.ceil, position), lax.max(lax.sub(count_wide, 1.0), 0.0))
    wide_ordered = broadcast(ordered, (*q_shape, *rest, n))
    at_low, at_high = (_element_at(wide_ordered, p) for p in (low, high))
    share = lax.sub(position, low)
    if method == "linear":
        # Beside an infinity there is no difference; equal finite numbers have one, whose derivative is wanted.
        near = bind(ops.or_, lax.eq(at_low, at_high), lax.is_finite(at_high))
        same = bind(ops.and_, near, bind(ops.not_, lax.is_finite(at_low)))
        step = subtract(where(same, 0, at_high), where(same, 0, at_low))
        found = add(at_low, multiply(step, share))
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


@api(static=("axis", "keepdims", "skip_nan"))
def _by_share(a: ArrayLike, q: ArrayLike, weights: Any, axis: Any, keepdims: bool, skip_nan: bool) -> Any:
    """Method ``inverted_cdf``: the first element in order up to which the weights reach a share of their sum."""
    (a,), _ = promote_inexact("quantile", a)
    kind = dtype_of(a)
    for x in (a, q, *(() if weights is None else (weights,))):
        if dtypes.is_complex(dtype_of(x)):
            raise ArgumentError("quantile", "complex numbers have no order", dtype_of(x).name, "real numbers")
    wide = dtypes.float32 if kind.itemsize < 4 else kind
    flat, shape, axes = _folded("quantile", cast(a, wide), axis)
    rest, n = shape_of(flat)[:-1], shape_of(flat)[-1]
    if not n:
        raise ArgumentError("quantile", "there are no elements", f"shape {shape}", "one element or more")
    if weights is None:
        counted = like(flat, 1)
    else:
        folded = tuple(shape[d] for d in axes)
        if shape_of(weights) not in (shape, folded):
            raise ArgumentError("quantile", "the weights do not fit", f"{shape_of(weights)} for {shape}",
                                f"{shape}, or {folded} for the dimensions that are folded")
        spread = lax.broadcast_in_dim(weights, shape, axes) if shape_of(weights) != shape else weights
        counted = cast(_folded("quantile", spread, axis)[0], wide)
    holes = isnan_of(flat)
    if skip_nan:
        counted = where(holes, 0, counted)
    ordered, counted = lax.sort((where(holes, np.nan, flat), counted), dimension=len(rest), num_keys=1)
    reached = lax.cumsum(counted, axis=len(rest))
    total = lax.index_in_dim(reached, n - 1, len(rest))
    q = cast(q, wide)
    q_shape = shape_of(q)
    target = multiply(lax.broadcast_in_dim(q, (*q_shape, *rest, 1), range(len(q_shape))), total)
    # An element that weighs nothing is never the first to reach a share, not even the share zero.
    enough = bind(ops.and_, lax.ge(*_together(reached, target)), lax.gt(*_together(counted, like(counted, 0), target)))
    place = lax.argmax(enough, len(shape_of(enough)) - 1, np.int32)
    there = numpy_any(enough, axis=-1)
    last = lax.argmax(where(lax.gt(counted, 0), reached, -np.inf), len(rest), np.int32)
    place = where(there, place, broadcast(last, shape_of(place)))
    found = lax.squeeze(_element_at(broadcast(ordered, (*q_shape, *rest, n)), lax.expand_dims(place, (-1,))), -1)
    nothing = bind(ops.not_, lax.gt(lax.squeeze(total, -1), 0))
    if not skip_nan:
        nothing = bind(ops.or_, nothing, numpy_any(holes, axis=-1))
    found = where(broadcast(nothing, shape_of(found)), np.nan, found)
    if keepdims:
        found = lax.reshape(found, (*q_shape, *(1 if d in axes else size for d, size in enumerate(shape))))
    return convert(found, kind)


def _together(*arrays: Any) -> tuple[Any, Any]:
    """The first two arrays in the shape to which all broadcast."""
    shape = np.broadcast_shapes(*(shape_of(x) for x in arrays))
    return broadcast(arrays[0], shape), broadcast(arrays[1], shape)


def _element_at(ordered: Any, index: Any) -> Any:
    return take_along_axis(ordered, convert(index, dtypes.index_dtype(shape_of(ordered)[-1])), axis=-1, mode="clip")


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
    method: What to take between two elements: ``"linear"``, ``"lower"``, ``"higher"``, ``"nearest"``, ``"midpoint"``;
        or ``"inverted_cdf"``: the first element up to which at least that share of all lies.
    keepdims: Whether the folded dimensions stay, with size one.
    weights: How much each element counts, with ``"inverted_cdf"``; of the array's shape, or that of the dimensions
        that are folded.
    out_sharding: How the result is to be sharded.

Returns:
    The quantiles; the dimensions of `q` come first.

Example:
    >>> import olympus.numpy as jnp
    >>> jnp.{name}(jnp.arange(5.0), {example})
    Array(2., dtype=float32)
"""


def _ranked(name: str, scale: float, skip_nan: bool, summary: str, q_text: str, example: str) -> Quantile:
    def function(
        a: ArrayLike, q: ArrayLike, axis: Any = None, out: None = None, overwrite_input: bool = False,
        method: str = "linear", keepdims: bool = False, *, weights: ArrayLike | None = None,
        out_sharding: ShardingLike | None = None,
    ) -> Array:
        refuse_out(name, out)
        if out_sharding is not None:
            return with_out_sharding(out_sharding, lambda x: function(
                x, q, axis, None, overwrite_input, method, keepdims, weights=weights), a)
        q = asarray(q)
        q = q if scale == 1 else divide(q, scale)
        axis = tuple(axis) if isinstance(axis, list) else axis
        if _method(name, method) == "inverted_cdf":
            return _by_share(a, q, weights, axis=axis, keepdims=bool(keepdims), skip_nan=skip_nan)
        if weights is not None:
            raise NotSupportedError(f"{name}(weights=..., method={method!r})",
                                    "between weighted elements there is no rule", "Pass method='inverted_cdf'.")
        return _quantile(a, q, axis=axis, method=method, keepdims=bool(keepdims), skip_nan=skip_nan)

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
) -> Array:
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
    return quantile(a, 0.5, axis, out, method="midpoint", keepdims=keepdims)


def nanmedian(
    a: ArrayLike, axis: Any = None, out: None = None, overwrite_input: bool = False, keepdims: bool = False
) -> Array:
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
    return nanquantile(a, 0.5, axis, out, method="midpoint", keepdims=keepdims)


def cov(
    m: ArrayLike, y: ArrayLike | None = None, rowvar: bool = True, bias: bool = False, ddof: int | None = None,
    fweights: ArrayLike | None = None, aweights: ArrayLike | None = None, dtype: DTypeLike | None = None,
) -> Array:
    """The covariances of variables.

    Args:
        m: An array with a row for each variable.
        y: More variables.
        rowvar: Whether rows are variables; else columns are.
        bias: Whether to divide by the number of observations, not by one less.
        ddof: What is taken from the number of observations; instead of `bias`.
        fweights: How often each observation was made.
        aweights: A weight for each observation.
        dtype: The element type of the result, floats or complex numbers; None for that of the array.

    Returns:
        A matrix with a row and a column for each variable.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.cov(jnp.array([[0.0, 2.0], [2.0, 0.0]])).tolist()
        [[2.0, -2.0], [-2.0, 2.0]]
    """
    whole = isinstance(ddof, float) and ddof.is_integer()
    taken = int(not bias) if ddof is None else integer("cov", int(ddof) if whole else ddof, "ddof")
    for x in (m, y):
        if x is not None and len(shape_of(x)) > 2:
            raise ArgumentError("cov", "the array has too many dimensions", f"shape {shape_of(x)}", "one or two")
    wanted = None if dtype is None else element_type("cov", dtype)
    if wanted is not None and not (dtypes.is_float(wanted) or dtypes.is_complex(wanted)):
        raise ArgumentError("cov", "the element type has no fractions", wanted.name, "floats or complex numbers")
    return _cov(m, y, fweights, aweights, rowvar=bool(rowvar), ddof=taken, dtype=wanted)


@api(static=("rowvar", "ddof", "dtype"), call="cov")
def _cov(
    m: ArrayLike, y: Any, fweights: Any, aweights: Any, rowvar: bool, ddof: int, dtype: np.dtype | None
) -> Any:
    def rows(x: Any) -> Any:
        return lax.transpose(x, (1, 0)) if not rowvar and len(shape_of(x)) == 2 else atleast_2d(x)

    given, _ = promote_types_of("cov", *(x for x in (m, y, aweights) if x is not None))
    wide = inexact_dtype(dtype_of(given[0]))
    x = cast(rows(given[0]), wide)
    if y is not None:
        x = concatenate([x, cast(rows(given[1]), wide)], 0)
    x = x if dtype is None else cast(x, dtype)
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
    factor = maximum(factor, 0)  # of fewer observations than `ddof` nothing is known: infinite, or NaN
    centered = subtract(x, lax.expand_dims(average_of_rows, 1))
    weighted = centered if weights is None else multiply(centered, weights)
    other_side = lax.transpose(centered, (1, 0))
    if dtypes.is_complex(dtype_of(x)):
        other_side = bind(ops.conj, other_side)
    return lax.squeeze(divide(matmul(weighted, other_side), factor))


def corrcoef(
    x: ArrayLike, y: ArrayLike | None = None, rowvar: bool = True, dtype: DTypeLike | None = None
) -> Array:
    """The correlations of variables.

    Args:
        x: An array with a row for each variable.
        y: More variables.
        rowvar: Whether rows are variables; else columns are.
        dtype: The element type of the result, floats or complex numbers; None for that of the array.

    Returns:
        A matrix with a row and a column for each variable.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.corrcoef(jnp.array([[0.0, 2.0], [4.0, 0.0]])).round(3).tolist()
        [[1.0, -1.0], [-1.0, 1.0]]
    """
    found = cov(x, y, rowvar, dtype=dtype)
    if not shape_of(found):
        return divide(found, found)
    return _correlated(found)


@api
def _correlated(c: ArrayLike) -> Any:
    spread = sqrt(diagonal(c))
    found = divide(divide(c, lax.expand_dims(spread, 1)), spread)
    if dtypes.is_float(dtype_of(found)):
        return lax.clamp(-1.0, found, 1.0)
    return bind(ops.complex, lax.clamp(-1.0, real_of(found), 1.0), lax.clamp(-1.0, imag_of(found), 1.0))
