# SPDX-License-Identifier: Apache-2.0
"""The gamma and beta functions, their logarithms, derivatives and incomplete forms, and what is counted with them."""

from __future__ import annotations

import math
from collections.abc import Callable
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
from ...operands import dtype_of, integer, shape_of, strong, weakly
from ...tracing import bind
from ...tracing.aval import scalar_dtype
from ...transforms.derivatives import custom_jvp
from ...transforms.rules.weights import log_beta, stirling_rest
from ...typing import Array, ArrayLike
from ..documentation import all_weak, floats, inexact
from . import complex_gamma
from .parameters import function

__all__ = [
    "bernoulli", "beta", "betainc", "betaln", "comb", "digamma", "factorial", "gamma", "gammainc", "gammaincc",
    "gammaln", "gammasgn", "loggamma", "multigammaln", "poch", "polygamma", "zeta",
]
__dir__ = listed(__all__)

_MOST_FACTORS = 24  # of a product that counts, by which a function of whole numbers is found


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
    (z,) = inexact("loggamma", x)
    if dtypes.is_complex(dtype_of(z)):
        return complex_gamma.loggamma(z)
    return jnp.where(z < 0, jnp.nan, _lgamma(z))


@function("gammasgn(-0.5)", "-1.0")
def gammasgn(x: ArrayLike) -> Array:
    """The sign of the gamma function; NaN at its poles but 0, where it is that of the zero."""
    z = strong(floats("gammasgn", x)[0])
    whole = jnp.floor(z)
    odd = whole - 2 * jnp.floor(whole / 2)
    below = jnp.where(z == whole, jnp.nan, 1 - 2 * odd)
    return jnp.where(z == 0, jnp.copysign(jnp.ones_like(z), z), jnp.where(z > 0, jnp.ones_like(z), below))


@function("gamma(5.0)", "24.0", references="DLMF 5.2.")
def gamma(x: ArrayLike) -> Array:
    """The gamma function; off by at most 16 units in the last place, below zero 64; NaN at its poles but 0.

    Of complex numbers to 1e-13 of itself in complex128, and one unit in the last place in complex64.
    """
    (z,), _ = promote_inexact("gamma", x)
    if dtypes.is_complex(dtype_of(z)):
        return complex_gamma.gamma(z)
    return strong(_gamma(z))


def sine_of_turns(x: Any) -> Any:
    """The sine of pi x, exactly 0 for whole numbers."""
    whole = jnp.round(x)
    rest = jnp.sin(math.pi * (x - whole))
    return jnp.where(whole % 2 == 0, rest, -rest)


@custom_jvp
def _gamma(x: Any) -> Any:
    below = x < 0
    y = jnp.where(below, 1 - x, x)
    # Beyond 10 Stirling's formula, its power in halves, which do not overflow before the product does.
    far = y > 10
    wide = jnp.where(far, jnp.minimum(y, 40 if dtype_of(x).itemsize < 8 else 180), 10)
    half = jnp.power(wide, 0.5 * wide - 0.25)
    large = math.sqrt(2 * math.pi) * jnp.exp(stirling_rest(wide)) * (half * jnp.exp(-wide)) * half
    # Elsewhere from the number between 1 and 2 that is a whole one away: the logarithm is small there.
    place, factor = jnp.where(far, 1, y), jnp.ones_like(x)
    for _ in range(8):
        above = place > 2
        place = jnp.where(above, place - 1, place)
        factor = jnp.where(above, factor * place, factor)
    small = place < 1
    close = jnp.exp(_lgamma(jnp.where(small, place + 1, place))) * factor / jnp.where(small, place, 1)
    found = jnp.where(far, large, close)
    # DLMF 5.5.3, which has a zero below where the gamma function has a pole.
    whole = below & (x == jnp.floor(x))
    turned = math.pi / (sine_of_turns(jnp.where(below & ~whole, x, 0.5)) * found)
    return jnp.where(whole, jnp.nan, jnp.where(below, turned, found))


@_gamma.defjvp
def _gamma_slope(primals: tuple[Any], tangents: tuple[Any]) -> tuple[Any, Any]:
    (x,), (t,) = primals, tangents
    y = _gamma(x)
    return y, t * (y * bind(ops.digamma, x))


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


def _lgamma(x: Any) -> Any:
    return bind(ops.lgamma, x)


def _reflected(a: Any, b: Any) -> tuple[Any, Any, Any]:
    """Arguments with the same beta function that are no poles, and the sign: two poles leave a number if b is whole."""
    def paired(p: Any, q: Any) -> Any:
        return (p < 0) & (q > 0) & (p + q <= 0) & (jnp.floor(p) == p) & (jnp.floor(q) == q) & (p > -jnp.inf)

    first, second = paired(a, b), paired(b, a)
    sign = jnp.where(first & (b % 2 == 1) | second & (a % 2 == 1), -1, 1).astype(a.dtype)
    return jnp.where(first, 1 - a - b, a), jnp.where(second, 1 - a - b, b), sign


def _beta_parts(a: Any, b: Any) -> tuple[Any, Any, Any]:
    """A number and a logarithm, with whose exponential it makes the beta function; whether it is but a sign.

    Where one or two arguments are negative by DLMF 5.5.3, so that no great logarithms cancel, and what is left of a
    pole of gamma(a + b) is a zero. Infinite where a negative argument is a pole.
    """
    p, q = jnp.where(a < b, a, b), jnp.where(a < b, b, a)
    total = p + q
    pole = (p < 0) & (p == jnp.floor(p)) | (q < 0) & (q == jnp.floor(q)) | (p == -jnp.inf)
    both, one = (q < 0) & ~pole, (p < 0) & (q > 0) & (total <= 0) & ~pole
    first, second = jnp.where(one | both, p, 0.5), jnp.where(both, q, 0.5)
    # A sum's sine by what its parts are beyond whole numbers, in which it is not rounded.
    other = jnp.where(one | both, q, 0.5)
    parts = (first - jnp.round(first)) + (other - jnp.round(other))
    odd = (jnp.round(first) + jnp.round(other)) % 2 == 1
    sine = jnp.where(odd, -sine_of_turns(parts), sine_of_turns(parts)) / sine_of_turns(first)
    before = jnp.where(one | both, 1 - total, 1)
    u = jnp.where(one, before, jnp.where(both, 1 - p, jnp.where(pole, 1, p)))
    v = jnp.where(both, 1 - q, jnp.where(pole, 1, q))
    logarithm = log_beta(u, v)
    factor = jnp.where(one, sine, jnp.where(
        both, math.pi * sine / (sine_of_turns(second) * jnp.where(both, before, 1)), gammasgn(p)))
    return jnp.where(pole, jnp.inf, factor), jnp.where(both, -logarithm, logarithm), ~(one | both | pole)


@function("betaln(1.0, 1.0)", "0.0", references="DLMF 5.12, 5.11.")
def betaln(a: ArrayLike, b: ArrayLike) -> Array:
    """The logarithm of the size of the beta function, in which great logarithms do not cancel.

    Off by at most 32 units in the last place of the greater of itself and one.
    """
    operands = floats("betaln", a, b)
    factor, logarithm, plain = _beta_parts(*_reflected(*operands)[:2])
    found = jnp.where(plain, logarithm, jnp.log(jnp.abs(jnp.where(plain, 2, factor))) + logarithm)
    return weakly(found, all_weak(*operands))


def _beta(a: Any, b: Any, sign: Any) -> Any:
    factor, logarithm, _ = _beta_parts(a, b)
    # The sign at a pole depends on the side, which is known of zeros.
    found = sign * jnp.where(jnp.isinf(factor), jnp.nan, factor) * jnp.exp(logarithm)
    inverse = 1 / jnp.where(a == 0, a, jnp.inf) + 1 / jnp.where(b == 0, b, jnp.inf)
    return jnp.where(((a == 0) | (b == 0)) & ~jnp.isnan(found), inverse, found)


@function("beta(2.0, 3.0)", "0.0833", references="DLMF 5.12, 5.5.3.")
def beta(a: ArrayLike, b: ArrayLike) -> Array:
    """The beta function, gamma(a) gamma(b) / gamma(a + b), NaN at its poles but 0.

    Off by about as many units in the last place as its logarithm is great.
    """
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
    return weakly(jnp.where(x < 0, 0, _gamma(jnp.where(x < 0, 0, x) + 1)), all_weak(x))


def _varied(logarithm: Callable[[Any], Any], x: Any) -> Any:
    """One, with the derivatives by x that the exponential of a logarithm has."""
    found = logarithm(x)
    return jnp.exp(jnp.where(jnp.isfinite(found), found - logarithm(lax.stop_gradient(x)), 0))


def _comb(n: Any, k: Any, repetition: bool) -> Any:
    if repetition:
        n = jnp.where((n == 0) & (k == 0), 1, n + k - 1)
    inside = (k >= 0) & (n >= k) & (n >= 0)
    count, taken = jnp.where(inside, n, 1), jnp.where(inside, k, 0)
    found = jnp.exp(-log_beta(count - taken + 1, taken + 1)) / (count + 1)
    # Of few factors the product, in which a whole number has all its digits.
    few = (taken <= _MOST_FACTORS) & (taken == jnp.floor(taken))
    product = jnp.ones_like(n)
    for i in range(_MOST_FACTORS):
        product = jnp.where(i < taken, product * (count - i) / (i + 1), product)
    product = product * _varied(lambda m: -_lgamma(m + 1) - _lgamma(count - m + 1), taken)
    endless = inside & jnp.isinf(n) & jnp.isfinite(k)
    found = jnp.where(few & jnp.isfinite(count), product, found)
    return jnp.where(inside, jnp.where(endless, jnp.where(k == 0, 1, jnp.inf), found), 0)


@function("comb(5, 2)", "10.0", static=("repetition",))
def comb(N: ArrayLike, k: ArrayLike, *, repetition: bool = False) -> Array:
    """How many ways there are to take k of N things, as a float; 0 where N or k is negative, or k more than N.

    Off by about as many units in the last place as the logarithm is great, for whole k up to 24 as k.
    """
    n, m = floats("comb", N, k)
    return weakly(_comb(n, m, repetition), all_weak(n, m))


def _lgamma_step(x: Any, m: Any) -> Any:
    """log(gamma(x + m)) - log(gamma(x)) where both are at least 10, by Stirling's formula without their difference."""
    end = x + m
    close = jnp.abs(m) < x / 2
    slope = jnp.where(close, jnp.log1p(jnp.where(close, m, 0) / x), jnp.log(jnp.where(close, 1, end / x)))
    return (x - 0.5) * slope + m * jnp.log(end) - m + stirling_rest(end) - stirling_rest(x)


def _poch(z: Any, m: Any) -> Any:
    end = z + m
    start_pole, end_pole = (z <= 0) & (z == jnp.floor(z)), (end <= 0) & (end == jnp.floor(end))
    poles = start_pole & end_pole & (m == jnp.floor(m))
    # Between two poles by reflection: (-1)^m gamma(1 - z) / gamma(1 - z - m).
    start, stop = jnp.where(poles, 1 - end, z), jnp.where(poles, 1 - z, end)
    sign = jnp.where(poles, 1 - 2 * (m - 2 * jnp.floor(m / 2)), gammasgn(start) * gammasgn(stop))
    far = (start >= 10) & (stop >= 10) & jnp.isfinite(start) & jnp.isfinite(stop)
    near = jnp.exp(_lgamma(jnp.where(far, 1, stop)) - _lgamma(jnp.where(far, 1, start)))
    size = jnp.where(far, jnp.exp(_lgamma_step(jnp.where(far, start, 10), jnp.where(far, m, 0))), near)
    none = start_pole & ~poles
    # Elsewhere gamma(z) / gamma(z) is 1 by itself, and has derivatives by m.
    found = jnp.where((m == 0) & (start_pole | ~jnp.isfinite(z)), 1, jnp.where(none, 0, sign * size))
    few = (m == jnp.floor(m)) & (jnp.abs(m) <= _MOST_FACTORS) & (m != 0)
    found = jnp.where(few, _product(z, m, few, end_pole), found)
    return jnp.where(end_pole & ~start_pole, jnp.inf, found)


def _product(z: Any, m: Any, few: Any, end_pole: Any) -> Any:
    """The numbers z (z + 1) ... of which there are m; of a negative m one over (z - 1) (z - 2) ..., of which are -m."""
    up = m > 0
    count, step = jnp.where(few, jnp.abs(m), 0), jnp.where(up, 1, -1)
    start = jnp.where(up, z, z - 1)
    total = jnp.ones_like(z)
    for i in range(_MOST_FACTORS):
        total = jnp.where(i < count, total * (start + i * step), total)
    total = jnp.where(up, total, 1 / jnp.where(up, 1, total))
    safe = jnp.where(few & ~end_pole, z, 1)
    return total * _varied(lambda n: _lgamma(jnp.where(few & ~end_pole, safe + n, 1)), m)


@function("poch(2.0, 3.0)", "24.0", references="DLMF 5.2(iii).")
def poch(z: ArrayLike, m: ArrayLike) -> Array:
    """Pochhammer's symbol, gamma(z + m) / gamma(z); infinite where only gamma(z + m) has a pole.

    Off by about as many units in the last place as the logarithms are great, for whole m up to 24 as m.
    """
    return strong(_poch(*floats("poch", z, m)))


@function("multigammaln(1.0, 1)", "0.0", static=("d",), references="DLMF 35.3.")
def multigammaln(a: ArrayLike, d: ArrayLike) -> Array:
    """The logarithm of the multivariate gamma function of a dimension d."""
    if shape_of(d) or not float(d) == int(d) or int(d) < 1:  # type: ignore[arg-type]
        raise ArgumentError("multigammaln", "the dimension is not a positive whole number", described(d), "such as 3")
    (x,), count = floats("multigammaln", a), int(d)  # type: ignore[arg-type]
    parts = [_lgamma(x - i / 2) for i in range(count)]
    return strong(sum(parts[1:], parts[0]) + count * (count - 1) / 4 * math.log(math.pi))


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
