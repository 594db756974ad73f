# SPDX-License-Identifier: Apache-2.0
"""Polynomials and their roots, quotients, and polynomials that come close to points."""

from __future__ import annotations

from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.errors import ArgumentError, described

from .. import lax
from ..operands import cast, convert, dtype_of, integer, known_primal, shape_of
from ..tracing import aval_of
from ..transforms.jit import api
from ..typing import Array, ArrayLike
from .creation import asarray
from .diagonals import vander
from .dtypes import finfo
from .elementwise import conjugate
from .linalg import eigvals, inv, lstsq
from .polynomials import _coefficients
from .promotion import inexact_dtype, result_of
from .reductions import sum as numpy_sum
from .searching import where
from .shapes import matrix_transpose
from .ufuncs import as_inexact, squared_size_of

__all__ = ["poly", "polydiv", "polyfit", "roots"]


@api(call="poly")
def poly(seq_of_zeros: ArrayLike) -> Array:
    """The polynomial with given roots, or the characteristic polynomial of a matrix.

    Args:
        seq_of_zeros: The roots, or a square matrix.

    Returns:
        The coefficients, the highest power first, which is one; as floats or complex numbers. The error is a few units
        of the element type times the sum of the products that make a coefficient.

    Raises:
        ArgumentError: For an array of another shape.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.poly(jnp.array([1.0, 2.0])).tolist()
        [1.0, -3.0, 2.0]
    """
    x = as_inexact("poly", seq_of_zeros)
    shape = shape_of(x)
    if len(shape) == 2 and shape[0] == shape[1]:
        x = eigvals(x)
    elif len(shape) > 1:
        raise ArgumentError("poly", "the roots are neither in a row nor a square matrix", f"shape {shape}",
                            "one dimension, or a square matrix")
    x = lax.reshape(x, (-1,))
    kind, count = dtype_of(x), shape_of(x)[0]
    if not count:
        return convert(1, kind)
    one, zero = convert(np.ones(1), kind), convert(np.zeros(1), kind)

    def step(found: Any, root: Any) -> tuple[Any, None]:
        return found - root * lax.concatenate([zero, lax.slice_in_dim(found, 0, count)], 0), None

    first = lax.concatenate([one, lax.full((count,), 0, kind)], 0)
    return lax.scan(step, first, x)[0]


def roots(p: ArrayLike, *, strip_zeros: bool = True) -> Array:
    """The roots of a polynomial: the eigenvalues of its companion matrix.

    Args:
        p: The coefficients, the highest power first.
        strip_zeros: Whether to leave out zeros in front, and to count those at the end as roots that are zero. The
            values must be known then. With False the result has one root less than there are coefficients, and a
            first coefficient of zero makes all NaN.

    Returns:
        The roots, complex. Each is exact for a polynomial whose coefficients differ by a few units of the element type
        times the size of the greatest.

    Raises:
        ArgumentError: For coefficients of several dimensions.
        ConcretizationError: For traced coefficients, unless `strip_zeros` is False.

    Example:
        >>> import olympus.numpy as jnp
        >>> sorted(round(float(root.real), 4) for root in jnp.roots(jnp.array([1.0, -3.0, 2.0])))
        [1.0, 2.0]

    References:
        Edelman and Murakami, Polynomial roots from companion matrix eigenvalues, Mathematics of Computation 64, 1995.
    """
    x = _coefficients("roots", p)
    if not strip_zeros:
        return _roots(x, at_zero=0)
    places = np.nonzero(known_primal("roots", x, "the coefficients (strip_zeros=False takes others)"))[0]
    if not len(places):
        return _roots(x[:0], at_zero=0)
    first, last = int(places[0]), int(places[-1])
    return _roots(x[first:last + 1], at_zero=x.size - 1 - last)


@api(static=("at_zero",))
def _roots(p: ArrayLike, at_zero: int) -> Any:
    p = as_inexact("roots", p)
    kind, count = dtype_of(p), shape_of(p)[0]
    result = dtypes.complex128 if kind in (dtypes.float64, dtypes.complex128) else dtypes.complex64
    zeros = lax.full((at_zero,), 0, result)
    if count < 2:
        return zeros
    p = cast(p, dtypes.real_part(result) if dtypes.is_float(kind) else result)
    row = lax.expand_dims(-lax.slice_in_dim(p, 1, None) / lax.index_in_dim(p, 0, keepdims=False), 0)
    below = convert(np.eye(count - 2, count - 1), dtype_of(p))
    companion = lax.concatenate([row, below], 0) if count > 2 else row
    found = cast(eigvals(companion), result)
    return lax.concatenate([found, zeros], 0) if at_zero else found


def polydiv(u: ArrayLike, v: ArrayLike, *, trim_leading_zeros: bool = False) -> tuple[Array, Array]:
    """The quotient and the remainder of polynomials, as floats.

    Args:
        u: The dividend's coefficients, the highest power first.
        v: The divisor's; the first is not zero.
        trim_leading_zeros: Whether to leave out zeros in front of the remainder, whose values must be known then.

    Returns:
        The quotient's coefficients, and the remainder's, as many as the dividend's.

    Raises:
        ArgumentError: For coefficients of several dimensions, or none.

    Example:
        >>> import olympus.numpy as jnp
        >>> [x.tolist() for x in jnp.polydiv(jnp.array([1.0, 5.0, 7.0]), jnp.array([1.0, 2.0]))]
        [[1.0, 3.0], [0.0, 0.0, 1.0]]
    """
    quotient, rest = _divided(_coefficients("polydiv", u), _coefficients("polydiv", v))
    if trim_leading_zeros:
        places = np.nonzero(known_primal("polydiv", rest, "the remainder"))[0]
        rest = rest[int(places[0]) if len(places) else rest.size:]
    return quotient, rest


@api
def _divided(u: ArrayLike, v: ArrayLike) -> tuple[Any, Any]:
    u, v = _of_one_type("polydiv", u, v)
    n, m, kind = shape_of(u)[0], shape_of(v)[0], dtype_of(u)
    if not m:
        raise ArgumentError("polydiv", "the divisor has no coefficients", "shape (0,)", "one coefficient or more")
    if n < m:
        return lax.full((1,), 0, kind), u
    lead, tail = lax.index_in_dim(v, 0, keepdims=False), lax.slice_in_dim(v, 1, None)

    def step(rest: Any, _: Any) -> tuple[Any, Any]:  # the leading coefficient goes, and the rest moves up
        factor = lax.index_in_dim(rest, 0, keepdims=False) / lead
        head = lax.slice_in_dim(rest, 1, m) - factor * tail
        return lax.concatenate([head, lax.slice_in_dim(rest, m, None), lax.full((1,), 0, kind)], 0), factor

    rest, quotient = lax.scan(step, u, None, length=n - m + 1)
    return quotient, lax.concatenate([lax.full((n - m + 1,), 0, kind), lax.slice_in_dim(rest, 0, m - 1)], 0)


def polyfit(
    x: ArrayLike, y: ArrayLike, deg: int, rcond: float | None = None, full: bool = False, w: ArrayLike | None = None,
    cov: bool | str = False,
) -> Any:
    """The polynomial that comes closest to points, by least squares.

    Args:
        x: The points' places, in one dimension.
        y: Their values; several rows of values stand along a second dimension.
        deg: The polynomial's degree.
        rcond: Relative to the greatest one, which singular values count as zero; as many units of the element type as
            there are points when left out.
        full: Whether to give what says how good the fit is.
        w: Weights of the points, which multiply the distances before these are squared.
        cov: Whether to give the covariance of the coefficients, scaled so that the residuals are as they should be;
            ``"unscaled"`` where the weights are known to be inverse standard deviations.

    Returns:
        The coefficients, the highest power first; with `full` also the sum of squared residuals, the rank, the singular
        values of the matrix (its columns scaled to length one) and `rcond`; else with `cov` the covariance.

    Raises:
        ArgumentError: If shapes do not fit, there are no points, the degree is negative, or there are too few points to
            scale a covariance.

    Example:
        >>> import olympus.numpy as jnp
        >>> x = jnp.arange(4.0)
        >>> [round(float(c), 3) for c in jnp.polyfit(x, 2 * x + 1, 1)]
        [2.0, 1.0]
    """
    count = integer("polyfit", deg, "the degree", 0) + 1
    places, values = as_inexact("polyfit", asarray(x)), as_inexact("polyfit", asarray(y))
    shape, ranks = shape_of(places), shape_of(values)
    if len(shape) != 1 or not shape[0]:
        raise ArgumentError("polyfit", "the places are no row of numbers", f"shape {shape}", "one number or more")
    if len(ranks) not in (1, 2) or ranks[0] != shape[0]:
        raise ArgumentError("polyfit", "places and values do not fit", f"shapes {shape} and {ranks}",
                            f"values of shape ({shape[0]},) or ({shape[0]}, k)")
    if w is not None and shape_of(w) != shape:
        raise ArgumentError("polyfit", "the weights do not fit", f"shape {shape_of(w)}", f"shape {shape}")
    if not isinstance(cov, (bool, np.bool_)) and cov != "unscaled":
        raise ArgumentError("polyfit", "the covariance is not known", described(cov), "True, False or 'unscaled'")
    unscaled = isinstance(cov, str)
    if cov and not full and not unscaled and shape[0] <= count:
        raise ArgumentError("polyfit", "there are too few points to scale the covariance", f"{shape[0]} points",
                            f"more than {count}, or cov='unscaled'")
    relative = shape[0] * float(finfo(dtypes.real_part(dtype_of(places))).eps) if rcond is None else float(rcond)
    found, residuals, rank, s, covariance = _fitted(
        places, values, w, count=count, rcond=relative, cov=bool(cov) and not full, scaled=not unscaled)
    if full:
        return found, residuals, rank, s, asarray(relative)
    return (found, covariance) if cov else found


@api(static=("count", "rcond", "cov", "scaled"))
def _fitted(
    x: ArrayLike, y: ArrayLike, w: ArrayLike | None, count: int, rcond: float, cov: bool, scaled: bool
) -> tuple[Any, ...]:
    matrix = vander(x, count)
    matrix, right = _of_one_type("polyfit", matrix, y)
    if w is not None:
        weights = cast(w, dtypes.real_part(dtype_of(matrix)))
        matrix = matrix * lax.expand_dims(weights, 1)
        right = right * (weights if len(shape_of(right)) == 1 else lax.expand_dims(weights, 1))
    length = lax.sqrt(numpy_sum(squared_size_of(matrix), axis=0))
    length = where(length == 0, lax.full_like(length, 1), length)
    found, residuals, rank, s = lstsq(matrix / length, right, rcond)
    found = matrix_transpose(matrix_transpose(found) / length) if len(shape_of(found)) == 2 else found / length
    if not cov:
        return found, residuals, rank, s, None
    narrow = matrix / length
    covariance = inv(matrix_transpose(conjugate(narrow)) @ narrow) / (
        lax.expand_dims(length, 1) * lax.expand_dims(length, 0))
    factor = residuals / (shape_of(x)[0] - count) if scaled else lax.full_like(residuals, 1)
    if len(shape_of(right)) == 1:
        return found, residuals, rank, s, covariance * factor
    return found, residuals, rank, s, lax.expand_dims(covariance, 2) * factor


def _of_one_type(function: str, a: ArrayLike, b: ArrayLike) -> tuple[Any, Any]:
    """Floats or complex numbers of one element type, of any shapes."""
    kind = inexact_dtype(result_of(function, [aval_of(a), aval_of(b)])[0])
    return cast(a, kind), cast(b, kind)
