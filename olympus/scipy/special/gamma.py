# SPDX-License-Identifier: Apache-2.0
"""The gamma and beta functions, their logarithms, derivatives and incomplete forms, and what is counted with them."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError, described

from ... import lax
from ... import numpy as jnp
from ...numpy.promotion import promote_inexact
from ...numpy.ufuncs import as_inexact
from ...operands import dtype_of, integer, strong
from ...tracing import bind
from ...tracing.aval import scalar_dtype
from ...typing import Array, ArrayLike
from ..documentation import floats
from . import complex_gamma
from .parameters import function

__all__ = [
    "bernoulli", "beta", "betainc", "betaln", "comb", "digamma", "factorial", "gamma", "gammainc", "gammaincc",
    "gammaln", "gammasgn", "loggamma", "multigammaln", "poch", "polygamma", "zeta",
]
__dir__ = listed(__all__)

# Coefficients of the series by which log(gamma) differs from Stirling's formula, B(2k) / (2k (2k - 1)).
_STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156)


@function("gammaln(1.0)", "0.0", references="DLMF 5.2, 5.11.")
def gammaln(x: ArrayLike) -> Array:
    """The logarithm of the size of the gamma function; off by at most 8 units in the last place where x is positive."""
    return bind(ops.lgamma, *floats("gammaln", x))


@function("loggamma(1.0)", "0.0", references="DLMF 5.11, 5.5.3, 5.7.3.")
def loggamma(x: ArrayLike) -> Array:
    """The logarithm of the gamma function of a positive number, NaN for negative real ones.

    Of a complex number its continuation, whose only cut is the negative axis; off by at most 1e-13 of itself in
    complex128 and one unit in the last place in complex64, near a zero that is not 1 or 2 of one.
    """
    (z,), _ = promote_inexact("loggamma", x)
    if dtypes.is_complex(dtype_of(z)):
        return complex_gamma.loggamma(z)
    return jnp.where(z < 0, jnp.nan, _lgamma(z))


@function("gammasgn(-0.5)", "-1.0")
def gammasgn(x: ArrayLike) -> Array:
    """The sign of the gamma function; NaN at its poles but 0, where it is that of the zero."""
    (z,) = floats("gammasgn", x)
    whole = jnp.floor(z)
    odd = whole - 2 * jnp.floor(whole / 2)
    below = jnp.where(z == whole, jnp.nan, 1 - 2 * odd)
    return jnp.where(z == 0, jnp.copysign(jnp.ones_like(z), z), jnp.where(z > 0, jnp.ones_like(z), below))


@function("gamma(5.0)", "24.0", references="DLMF 5.2.")
def gamma(x: ArrayLike) -> Array:
    """The gamma function; off by about as many units in the last place as its logarithm is great."""
    (z,), _ = promote_inexact("gamma", x)
    if dtypes.is_complex(dtype_of(z)):
        return complex_gamma.gamma(z)
    return gammasgn(z) * jnp.exp(_lgamma(z))


@function("digamma(1.0)", "-0.5772", references="DLMF 5.2, 5.11.")
def digamma(x: ArrayLike) -> Array:
    """The derivative of `gammaln`; off by at most 8 units in the last place where x is positive.

    Of complex numbers that of `loggamma`.
    """
    z = as_inexact("digamma", x)
    if dtypes.is_complex(dtype_of(z)):
        return complex_gamma.digamma(z)
    return bind(ops.digamma, z)


@function("polygamma(1, 1.0)", "1.6449", references="DLMF 5.15.")
def polygamma(n: ArrayLike, x: ArrayLike) -> Array:
    """The derivative of order n of `digamma`."""
    return bind(ops.polygamma, *floats("polygamma", n, x))


def zeta(x: ArrayLike, q: ArrayLike | None = None) -> Array:
    """Hurwitz' zeta function, the sum over n from 0 of (q + n) to the power of -x; Riemann's without q.

    Args:
        x: The exponent; below 1 the result is NaN.
        q: The first base; 1 for None.

    Returns:
        The result, elementwise.

    Example:
        >>> from olympus.scipy import special
        >>> round(float(special.zeta(2.0, 1.0)), 4)
        1.6449

    References:
        DLMF 25.11.
    """
    return _zeta(x, 1 if q is None else q)


@function("zeta(2.0, 1.0)", "1.6449")
def _zeta(x: ArrayLike, q: ArrayLike) -> Array:
    return bind(ops.zeta, *floats("zeta", x, q))


@function("gammainc(1.0, 0.0)", "0.0", references="DLMF 8.2.")
def gammainc(a: ArrayLike, x: ArrayLike) -> Array:
    """The regularised lower incomplete gamma function: the share of the gamma distribution of shape a below x."""
    return bind(ops.igamma, *floats("gammainc", a, x))


@function("gammaincc(1.0, 0.0)", "1.0", references="DLMF 8.2.")
def gammaincc(a: ArrayLike, x: ArrayLike) -> Array:
    """The regularised upper incomplete gamma function: the share of the gamma distribution of shape a above x."""
    return bind(ops.igammac, *floats("gammaincc", a, x))


@function("betainc(2.0, 2.0, 0.5)", "0.5", references="DLMF 8.17.")
def betainc(a: ArrayLike, b: ArrayLike, x: ArrayLike) -> Array:
    """The regularised incomplete beta function: the share of the beta distribution of shapes a and b below x."""
    return bind(ops.betainc, *floats("betainc", a, b, x))


def _stirling_rest(x: Any) -> Any:
    """What log(gamma) of a number of at least 10 is beyond Stirling's formula."""
    inverse = 1 / x
    square, total = inverse * inverse, jnp.zeros_like(x)
    for coefficient in reversed(_STIRLING):
        total = total * square + coefficient
    return total * inverse


def _lgamma(x: Any) -> Any:
    return bind(ops.lgamma, x)


def _betaln(a: Any, b: Any) -> Any:
    # Not by minimum and maximum, whose slopes of one half at a tie make second derivatives wrong.
    p, q = jnp.where(a < b, a, b), jnp.where(a < b, b, a)
    both, one = p >= 10, (q >= 10) & ((p > 0) | (p + q >= 10))
    # Numbers that keep each of the forms finite where it is not taken, for the sake of derivatives.
    r, s = jnp.where(both, p, 10), jnp.where(one, q, 10)
    share = r / (r + s)
    far = (0.5 * math.log(2 * math.pi) - 0.5 * jnp.log(s) + (r - 0.5) * jnp.log(share) + s * jnp.log1p(-share)
           + _stirling_rest(r) + _stirling_rest(s) - _stirling_rest(r + s))
    u = jnp.where(one & ~both, p, 1)
    middle = (_lgamma(u) + _stirling_rest(s) - _stirling_rest(u + s) + u - u * jnp.log(u + s)
              + (s - 0.5) * jnp.log1p(-u / (u + s)))
    v, w = jnp.where(one, 1, p), jnp.where(one, 1, q)
    near = _lgamma(v) + _lgamma(w) - _lgamma(v + w)
    found = jnp.where(both, far, jnp.where(one, middle, near))
    return jnp.where((p == 0) & (q >= 0), jnp.inf, jnp.where((q == jnp.inf) & (p > 0), -jnp.inf, found))


def _reflected(a: Any, b: Any) -> tuple[Any, Any, Any]:
    """Arguments with the same beta function that are no poles, and the sign: two poles leave a number if b is whole."""
    def paired(p: Any, q: Any) -> Any:
        return (p < 0) & (q > 0) & (p + q <= 0) & (jnp.floor(p) == p) & (jnp.floor(q) == q) & (p > -jnp.inf)

    first, second = paired(a, b), paired(b, a)
    sign = jnp.where(first & (b % 2 == 1) | second & (a % 2 == 1), -1, 1).astype(a.dtype)
    return jnp.where(first, 1 - a - b, a), jnp.where(second, 1 - a - b, b), sign


@function("betaln(1.0, 1.0)", "0.0", references="DLMF 5.12, 5.11.")
def betaln(a: ArrayLike, b: ArrayLike) -> Array:
    """The logarithm of the size of the beta function, in which great logarithms do not cancel."""
    return _betaln(*_reflected(*floats("betaln", a, b))[:2])


def _beta(a: Any, b: Any, sign: Any) -> Any:
    return sign * gammasgn(a) * gammasgn(b) * gammasgn(a + b) * jnp.exp(_betaln(a, b))


@function("beta(2.0, 3.0)", "0.0833", references="DLMF 5.12.")
def beta(a: ArrayLike, b: ArrayLike) -> Array:
    """The beta function, gamma(a) gamma(b) / gamma(a + b)."""
    return strong(_beta(*_reflected(*floats("beta", a, b))))


def factorial(n: ArrayLike, exact: bool = False) -> Array:
    """The product of the whole numbers up to n, as the gamma function has it; 0 where n is negative.

    Args:
        n: An array or number.
        exact: Must be False: results are floats.

    Returns:
        The factorials.

    Raises:
        ArgumentError: If exact integers are asked for.

    Example:
        >>> from olympus.scipy import special
        >>> round(float(special.factorial(5)), 3)
        120.0
    """
    if exact:
        raise ArgumentError("factorial", "results are floats", "exact=True", "exact=False",
                            "Use math.factorial for a Python integer.")
    return _factorial(n)


@function("factorial(5.0)", "120.0")
def _factorial(n: ArrayLike) -> Array:
    (x,) = floats("factorial", n)
    return jnp.where(x < 0, 0, gamma(jnp.where(x < 0, 0, x) + 1))


def _comb(n: Any, k: Any, repetition: bool) -> Any:
    if repetition:
        n = jnp.where((n == 0) & (k == 0), 1, n + k - 1)
    inside = (k >= 0) & (n >= k) & (n >= 0)
    count, taken = jnp.where(inside, n, 1), jnp.where(inside, k, 0)
    return jnp.where(inside, jnp.exp(-_betaln(count - taken + 1, taken + 1)) / (count + 1), 0)


@function("comb(5, 2)", "10.0", static=("repetition",))
def comb(N: ArrayLike, k: ArrayLike, *, repetition: bool = False) -> Array:
    """How many ways there are to take k of N things, as a float; 0 where N or k is negative, or k more than N."""
    n, m = floats("comb", N, k)
    return _comb(n, m, repetition)


def _lgamma_step(x: Any, m: Any) -> Any:
    """log(gamma(x + m)) - log(gamma(x)) where both are at least 10, by Stirling's formula without their difference."""
    end = x + m
    close = jnp.abs(m) < x / 2
    slope = jnp.where(close, jnp.log1p(jnp.where(close, m, 0) / x), jnp.log(jnp.where(close, 1, end / x)))
    return (x - 0.5) * slope + m * jnp.log(end) - m + _stirling_rest(end) - _stirling_rest(x)


def _poch(z: Any, m: Any) -> Any:
    end = z + m
    poles = (z <= 0) & (z == jnp.floor(z)) & (end <= 0) & (end == jnp.floor(end))
    # Between two poles by reflection: (-1)^m gamma(1 - z) / gamma(1 - z - m).
    start, stop = jnp.where(poles, 1 - end, z), jnp.where(poles, 1 - z, end)
    sign = jnp.where(poles, 1 - 2 * (m - 2 * jnp.floor(m / 2)), gammasgn(start) * gammasgn(stop))
    far = (start >= 10) & (stop >= 10) & jnp.isfinite(start) & jnp.isfinite(stop)
    near = jnp.exp(_lgamma(jnp.where(far, 1, stop)) - _lgamma(jnp.where(far, 1, start)))
    size = jnp.where(far, jnp.exp(_lgamma_step(jnp.where(far, start, 10), jnp.where(far, m, 0))), near)
    none = (start <= 0) & (start == jnp.floor(start))  # one over a pole
    # Elsewhere gamma(z) / gamma(z) is 1 by itself, and has derivatives by m.
    return jnp.where((m == 0) & (none | ~jnp.isfinite(z)), 1, jnp.where(none, 0, sign * size))


@function("poch(2.0, 3.0)", "24.0", references="DLMF 5.2(iii).")
def poch(z: ArrayLike, m: ArrayLike) -> Array:
    """Pochhammer's symbol, gamma(z + m) / gamma(z)."""
    return strong(_poch(*floats("poch", z, m)))


@function("multigammaln(1.0, 1)", "0.0", static=("d",), references="DLMF 35.3.")
def multigammaln(a: ArrayLike, d: ArrayLike) -> Array:
    """The logarithm of the multivariate gamma function of a dimension d."""
    if not float(d) == int(d) or int(d) < 1:  # type: ignore[arg-type]
        raise ArgumentError("multigammaln", "the dimension is not a positive whole number", described(d), "such as 3")
    (x,), count = floats("multigammaln", a), int(d)  # type: ignore[arg-type]
    parts = [_lgamma(x - i / 2) for i in range(count)]
    return sum(parts[1:], parts[0]) + count * (count - 1) / 4 * math.log(math.pi)


def bernoulli(n: int) -> Array:
    """The Bernoulli numbers from the first to that of index n; the second is -1/2.

    Args:
        n: The last index.

    Returns:
        An array of n + 1 floats, each the nearest number.

    Raises:
        ArgumentError: If n is negative.

    Example:
        >>> from olympus.scipy import special
        >>> special.bernoulli(2).round(4).tolist()[:2]
        [1.0, -0.5]

    References:
        DLMF 24.2.
    """
    count = integer("bernoulli", n, "the last index", 0)
    numbers = [Fraction(1)]
    for m in range(1, count + 1):
        if m > 1 and m % 2:
            numbers.append(Fraction(0))
        else:
            numbers.append(-sum((math.comb(m + 1, k) * numbers[k] for k in range(m)), Fraction(0)) / (m + 1))
    return lax.convert_element_type(np.array([_float(x) for x in numbers]), scalar_dtype(float))


def _float(x: Fraction) -> float:
    try:
        return float(x)
    except OverflowError:
        return math.copysign(math.inf, x)
