# SPDX-License-Identifier: Apache-2.0
"""Incomplete gamma and beta functions, Bessel functions and zeta functions in float64, by SciPy where it has them.

Derivatives by the shape of the gamma distribution are integrals of the density times the logarithm less its mean,
``ln t - digamma(a)``, over the side of x where this has one sign; below the mean of few degrees the series does.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from . import special

_BLOCK = 2048  # elements whose points of integration are held at once
_PANELS, _POINTS = 12, 20
_BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510)


def _functions() -> Any:
    import scipy.special  # when it is needed: it takes a fifth of a second

    return scipy.special


def igamma(a: np.ndarray, x: np.ndarray) -> np.ndarray:
    """The regularised lower incomplete gamma function."""
    return np.asarray(_functions().gammainc(a, x))


def igammac(a: np.ndarray, x: np.ndarray) -> np.ndarray:
    """The regularised upper incomplete gamma function."""
    return np.asarray(_functions().gammaincc(a, x))


def betainc(a: np.ndarray, b: np.ndarray, x: np.ndarray) -> np.ndarray:
    """The regularised incomplete beta function."""
    return np.asarray(_functions().betainc(a, b, x))


def bessel_i0e(x: np.ndarray) -> np.ndarray:
    """The modified Bessel function of order 0, times exp(-|x|)."""
    return np.asarray(_functions().i0e(x))


def bessel_i1e(x: np.ndarray) -> np.ndarray:
    """The modified Bessel function of order 1, times exp(-|x|)."""
    return np.where(x == 0, x, _functions().i1e(x))  # a zero keeps its sign


def zeta(s: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Hurwitz' zeta function, for s from 1 on; of a negative q where s is whole."""
    def hurwitz(s: np.ndarray, q: np.ndarray) -> np.ndarray:
        # Of so high a power the first term is all.
        return np.where(s > 1e4, np.power(np.abs(q), -s), _functions().zeta(s, q))

    below = (q < 0) & (q != np.floor(q)) & (s == np.floor(s)) & (s > 1) & np.isfinite(s) & np.isfinite(q)
    # The terms on both sides of zero, each side a function of a positive number.
    count = np.where(below, np.ceil(-q), 1.0)
    above, under = np.where(below, q + count, 0.5), np.where(below, -q - (count - 1), 0.5)
    order = np.where(below, s, 2.0)
    odd = order % 2 == 1
    # Of an odd power they cancel, the nearest most: these term by term.
    together, least = np.where(odd, np.minimum(count, 16.0), 0.0), np.minimum(above, under)
    between = np.abs(above - under)
    total = np.zeros_like(above)
    for k in range(int(together.max(initial=0.0))):
        taken = (k < together) & (between > 0)
        term = -np.power(least + k, -order) * np.expm1(-order * np.log1p(between / (least + k)))
        total = total + np.where(taken, np.where(above < under, term, -term), 0.0)
    first, second = hurwitz(order, above + together), hurwitz(order, under + together)
    last = np.where(together < count, hurwitz(order, under + count), second)
    two_sided = np.where(odd, total + ((first - second) + last), first + (second - last))
    plain = hurwitz(s, np.where(q < 0, np.where(q == np.floor(q), 0.0, np.nan), q))
    return np.where(np.isnan(s) | np.isnan(q), np.nan, np.where(below, two_sided, plain))


def polygamma(order: np.ndarray, x: np.ndarray) -> np.ndarray:
    """The derivative of some order of digamma; NaN for orders that are negative or not whole."""
    functions = _functions()
    whole = (order >= 0) & (order == np.floor(order)) & np.isfinite(order)
    m = np.where(whole, order, 1.0)
    sign = np.where(m % 2 == 0, -1.0, 1.0)
    x = np.where((sign < 0) & (m > 0) & (x < 0) & (x % 1 == 0.5), 1 - x, x)  # equal there, where both sides cancel
    hurwitz = zeta(m + 1, x)
    value = functions.gamma(m + 1) * hurwitz
    # Products of what is too great and too small, by the leading term's logarithm and its ratio to the sum.
    far = (x > 0) & np.isfinite(x) & ~((m < 170) & (hurwitz > 1e-290)) & (m > 0)
    size = np.where(far, x, 1.0)
    scaled = functions.gammaln(m + 1) - (m + 1) * np.log(size) + np.log(_scaled_zeta(m + 1, size))
    value = sign * np.where(x == np.inf, 0.0, np.where(far, np.exp(scaled), value))
    return np.where(whole, np.where(m == 0, special.digamma(x), value), np.nan)


def _scaled_zeta(s: np.ndarray, q: np.ndarray) -> np.ndarray:
    """q^s zeta(s, q), by ten terms and Euler and Maclaurin's formula."""
    total = np.zeros_like(q)
    for k in range(10):
        total = total + (1 + k / q) ** -s
    end = q + 10
    last = (end / q) ** -s
    total = total + last * (end / (s - 1) + 0.5)
    factor = s / end
    for k, bernoulli in enumerate(_BERNOULLI, 1):
        term = last * factor * bernoulli / float(np.prod(np.arange(1.0, 2 * k + 1)))
        total = total + np.where(last == 0, 0.0, term)  # the factor of a huge s is infinite
        factor = factor * (s + 2 * k - 1) * (s + 2 * k) / (end * end)
    return total


def igamma_grad_a(a: np.ndarray, x: np.ndarray) -> np.ndarray:
    """The derivative of `igamma` by a."""
    density = _density(a, x)
    nothing = (density == 0) & (a > 0) & (a < np.inf) | (x == np.inf) & (a > 0) & (a < np.inf)
    return np.where(nothing, 0.0, 0.0 - density * random_gamma_grad(a, x))


def random_gamma_grad(a: np.ndarray, x: np.ndarray) -> np.ndarray:
    """How a quantile x of the gamma distribution changes with the distribution's shape a."""
    shape = np.broadcast_shapes(np.shape(a), np.shape(x))
    a, x = (np.ravel(np.broadcast_to(v, shape)) for v in (a, x))
    result = np.empty(a.shape)
    for start in range(0, a.size, _BLOCK):
        part = slice(start, start + _BLOCK)
        result[part] = _quantile_slope(a[part], x[part])
    return result.reshape(shape)


def _quantile_slope(a: np.ndarray, x: np.ndarray) -> np.ndarray:
    inside, at_zero = (a > 0) & (x > 0) & (a < np.inf) & (x < np.inf), (a > 0) & (x == 0)
    a, x = np.where(inside, a, 1.0), np.where(inside, x, 1.0)
    below = x <= np.maximum(a, 1.0)
    by_series = below & (a <= 200)
    value = np.empty_like(x)
    if not by_series.all():
        rest = ~by_series
        value[rest] = _by_integral(a[rest], x[rest], below[rest])
    if by_series.any():
        value[by_series] = _by_series(a[by_series], x[by_series])
    return np.where(inside, value, np.where(at_zero, 0.0, np.nan))


def _by_series(a: np.ndarray, x: np.ndarray) -> np.ndarray:
    """By the derivatives of the terms x^n / ((a + 1) ... (a + n))."""
    term, slope = np.ones_like(x), np.zeros_like(x)
    n, total, slopes = 0.0, np.ones_like(x), np.zeros_like(x)
    while (term > 1e-18 * total).any() or (-slope > 1e-18 * -slopes).any():
        n += 1
        slope = (slope - term / (a + n)) * (x / (a + n))
        term = term * (x / (a + n))
        total, slopes = total + term, slopes + slope
    return -x / a * ((np.log(x) - _functions().digamma(a + 1)) * total + slopes)


def _by_integral(a: np.ndarray, x: np.ndarray, below: np.ndarray) -> np.ndarray:
    """By Gauss and Legendre's rule over the side of x that is farther from the mean, up to where nothing is left."""
    slope = np.abs(a - 1 - x) / x
    slope = np.where(below, slope, np.minimum(slope, 1.0))  # which it becomes, from above where a is small
    length = np.minimum(45 / np.maximum(slope, 1e-300), 45 + 13 * np.sqrt(np.maximum(a, x)))
    length = np.where(below, np.minimum(length, x), length)
    points, weights = np.polynomial.legendre.leggauss(_POINTS)
    points = (np.arange(_PANELS)[:, None] + (points + 1) / 2).ravel() / _PANELS
    weights = np.tile(weights / 2 / _PANELS, _PANELS)
    sign = np.where(below, -1.0, 1.0)[:, None]
    t = sign * length[:, None] * points
    a, x, offset = a[:, None], x[:, None], (x - a)[:, None]
    relative = t / x
    exponent = (a - 1 - x) * relative + (a - 1) * _log1p_less_x(relative)
    near = (offset + t) / a > -0.5
    away = np.where(near, np.log1p(np.where(near, (offset + t) / a, 0.0)), np.log(np.where(near, 1.0, (x + t) / a)))
    away = away + _log_less_digamma(a)
    return (sign * away * np.exp(exponent) * weights).sum(1) * length


def _density(a: np.ndarray, x: np.ndarray) -> np.ndarray:
    """The gamma distribution's density."""
    inside, at_zero = (a > 0) & (x > 0) & (a < np.inf) & (x < np.inf), (a > 0) & (x == 0)
    a, x = np.where(inside, a, 1.0), np.where(inside, x, 1.0)
    large = a >= 10
    wide = np.where(large, a, 10.0)
    inverse = 1 / wide**2
    correction = np.zeros_like(wide)
    for k in range(len(_BERNOULLI), 0, -1):
        correction = correction * inverse + _BERNOULLI[k - 1] / (2 * k * (2 * k - 1))
    away = (x - wide) / wide
    # Far from the mean by the logarithm of the ratio itself: one less it has none of its digits.
    exponent = np.where(np.abs(away) < 0.5, wide * _log1p_less_x(away), wide * np.log(x / wide) + (wide - x))
    stirling = np.exp(exponent - correction / wide) * np.sqrt(wide / (2 * np.pi)) / x
    plain = np.exp((a - 1) * np.log(x) - x - _functions().gammaln(a))
    return np.where(inside, np.where(large, stirling, plain), np.where(at_zero, 0.0, np.nan))


def _log_less_digamma(a: np.ndarray) -> np.ndarray:
    """The logarithm less digamma."""
    wide = np.where(a >= 10, a, 10.0)
    inverse = 1 / wide**2
    series = np.zeros_like(wide)
    for k in range(len(_BERNOULLI), 0, -1):
        series = series * inverse + _BERNOULLI[k - 1] / (2 * k)
    return np.where(a >= 10, 0.5 / wide + series * inverse, np.log(a) - _functions().digamma(a))


def _log1p_less_x(x: np.ndarray) -> np.ndarray:
    """What log(1 + x) is beyond x, by the series of the logarithm in x / (2 + x) near zero."""
    near = np.abs(x) < 0.5
    small = np.where(near, x, 0.0)
    ratio = small / (2 + small)
    square = ratio * ratio
    series = np.zeros_like(small)
    for k in range(20, 0, -1):
        series = (series + 1 / (2 * k + 1)) * square
    # log(1 + x) = 2 r (1 + series), and 2 r - x = -x r.
    return np.where(near, 2 * ratio * series - small * ratio, np.log1p(np.where(near, 0.0, np.maximum(x, -1))) - x)
