# SPDX-License-Identifier: Apache-2.0
"""Special functions in NumPy alone, vectorised; all compute in float64 and round to the operand's type once."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

import numpy as np

# W. J. Cody, "Rational Chebyshev approximations for the error function", Mathematics of Computation 23 (1969):
# erf for |x| <= 0.46875, erfc up to 4, erfc beyond.
_ERF_TOP = (1.85777706184603153e-1, 3.16112374387056560e0, 1.13864154151050156e2, 3.77485237685302021e2,
            3.20937758913846947e3)
_ERF_BOTTOM = (1.0, 2.36012909523441209e1, 2.44024637934444173e2, 1.28261652607737228e3, 2.84423683343917062e3)
_ERFC_TOP = (2.15311535474403846e-8, 5.64188496988670089e-1, 8.88314979438837594e0, 6.61191906371416295e1,
             2.98635138197400131e2, 8.81952221241769090e2, 1.71204761263407058e3, 2.05107837782607147e3,
             1.23033935479799725e3)
_ERFC_BOTTOM = (1.0, 1.57449261107098347e1, 1.17693950891312499e2, 5.37181101862009858e2, 1.62138957456669019e3,
                3.29079923573345963e3, 4.36261909014324716e3, 3.43936767414372164e3, 1.23033935480374942e3)
_TAIL_TOP = (1.63153871373020978e-2, 3.05326634961232344e-1, 3.60344899949804439e-1, 1.25781726111229246e-1,
             1.60837851487422766e-2, 6.58749161529837803e-4)
_TAIL_BOTTOM = (1.0, 2.56852019228982242e0, 1.87295284992346725e0, 5.27905102951428412e-1, 6.05183413124413191e-2,
                2.33520497626869185e-3)

# M. B. Giles, "Approximating the erfinv function", GPU Computing Gems 2 (2010): the start for Newton's steps.
_ERF_INV_MIDDLE = (2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087, -0.00125372503,
                   -0.00417768164, 0.246640727, 1.50140941)
_ERF_INV_TAIL = (-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773, -0.0076224613,
                 0.00943887047, 1.00167406, 2.83297682)

# C. Lanczos' approximation of the gamma function with g = 7 and nine terms (P. Godfrey's coefficients).
_LANCZOS = (0.99999999999980993227684700473478, 676.520368121885098567009190444019, -1259.13921672240287047156078755283,
            771.3234287776530788486528258894, -176.61502916214059906584551354, 12.507343278686904814458936853,
            -0.13857109526572011689554707, 9.984369578019570859563e-6, 1.50563273514931155834e-7)
_HALF_LOG_TWO_PI = 0.91893853320467274178

# Coefficients of lgamma(1 + z) = -gamma z + sum over k >= 2 of zeta(k) (-z)^k / k, where Lanczos' form cancels.
_EULER_GAMMA = 0.57721566490153286061
_ZETA = (1.6449340668482264365, 1.2020569031595942854, 1.0823232337111381915, 1.0369277551433699263,
         1.0173430619844491397, 1.0083492773819228268, 1.0040773561979443394, 1.0020083928260822144,
         1.0009945751278180853, 1.0004941886041194646, 1.0002460865533080483, 1.0001227133475784891,
         1.0000612481350587048, 1.0000305882363070205, 1.0000152822594086519, 1.0000076371976378998,
         1.0000038172932649998, 1.0000019082127165539, 1.0000009539620338728, 1.0000004769329867878,
         1.0000002384505027277, 1.0000001192199259653, 1.0000000596081890513, 1.0000000298035035147,
         1.0000000149015548284)

# Coefficients of the asymptotic series of digamma: B(2k) / (2k), from the highest k = 8 on down.
_DIGAMMA_SERIES = (-3617 / 8160, 1 / 12, -691 / 32760, 1 / 132, -1 / 240, 1 / 252, -1 / 120, 1 / 12)


def _polynomial(coefficients: Sequence[float], x: np.ndarray) -> np.ndarray:
    value = np.full_like(x, coefficients[0])
    for coefficient in coefficients[1:]:
        value = value * x + coefficient
    return value


# Elements that are computed together: the many intermediate arrays stay in a processor's cache.
_BLOCK = 1 << 14


def _in_float64(function: Callable[[np.ndarray], np.ndarray]) -> Callable[[np.ndarray], np.ndarray]:
    @functools.wraps(function)
    def run(x: np.ndarray) -> np.ndarray:
        flat = np.ravel(x)
        result = np.empty(flat.shape, flat.dtype)
        with np.errstate(all="ignore"):
            for start in range(0, flat.size, _BLOCK):
                part = slice(start, start + _BLOCK)
                result[part] = function(flat[part].astype(np.float64)).astype(flat.dtype)
        return result.reshape(np.shape(x))

    return run


def _erf_small(x: np.ndarray) -> np.ndarray:
    square = x * x
    return x * _polynomial(_ERF_TOP, square) / _polynomial(_ERF_BOTTOM, square)


def _erfc_large(size: np.ndarray) -> np.ndarray:
    """The complement erfc for numbers that are at least 0.46875."""
    size = np.minimum(size, 30.0)  # where it is zero in float64 already
    middle = _polynomial(_ERFC_TOP, size) / _polynomial(_ERFC_BOTTOM, size)
    inverse = 1 / (size * size)
    tail = inverse * _polynomial(_TAIL_TOP, inverse) / _polynomial(_TAIL_BOTTOM, inverse)
    tail = (1 / np.sqrt(np.pi) - tail) / size
    # exp(-x^2) in two parts: the square of a number of few bits is exact, the rest is small.
    coarse = np.trunc(size * 16) / 16
    rest = (size - coarse) * (size + coarse)
    return np.exp(-coarse * coarse) * np.exp(-rest) * np.where(size <= 4, middle, tail)


@_in_float64
def erf(x: np.ndarray) -> np.ndarray:
    """The error function."""
    size = np.abs(x)
    small = size <= 0.46875
    large = 1 - _erfc_large(np.where(small, 1.0, size))
    return np.where(np.isnan(x), x, np.where(small, _erf_small(np.where(small, x, 0.0)), np.copysign(large, x)))


@_in_float64
def erfc(x: np.ndarray) -> np.ndarray:
    """One minus the error function, exact in its tail."""
    size = np.abs(x)
    small = size <= 0.46875
    large = _erfc_large(np.where(small, 1.0, size))
    large = np.where(x < 0, 2 - large, large)
    return np.where(np.isnan(x), x, np.where(small, 1 - _erf_small(np.where(small, x, 0.0)), large))


def erf_inv(x: np.ndarray) -> np.ndarray:
    """The inverse of the error function; NaN outside -1 to 1."""
    return _erf_inv_exact(x) if x.dtype == np.float64 else _erf_inv_narrow(x)


@_in_float64
def _erf_inv_exact(x: np.ndarray) -> np.ndarray:
    return _erf_inv(x, 4)


@_in_float64
def _erf_inv_narrow(x: np.ndarray) -> np.ndarray:
    # The start has a float32's digits already, and a float32 comes no nearer to 1 than the start is made for.
    return _erf_inv(x, 1)


def _erf_inv(x: np.ndarray, steps: int) -> np.ndarray:
    size = np.abs(x)
    w = -np.log1p(-size * size)
    start = np.where(w < 5, _polynomial(_ERF_INV_MIDDLE, w - 2.5), _polynomial(_ERF_INV_TAIL, np.sqrt(w) - 3))
    value = start * size
    for _ in range(steps):
        # Newton's steps on erf near zero; beyond, on the logarithm of erfc, which keeps its digits and bends little.
        slope = 2 / np.sqrt(np.pi) * np.exp(-value * value)
        rest = erfc(value)
        value = value - np.where(size < 0.5, erf(value) - size, -np.log(rest / (1 - size)) * rest) / slope
    value = np.where(size == 1, np.inf, np.where(size == 0, 0.0, value))
    return np.where(size <= 1, np.copysign(value, x), np.nan)


def _lgamma_positive(x: np.ndarray) -> np.ndarray:
    """The function lgamma for numbers that are at least one half."""
    z = x - 1
    series = np.full_like(z, _LANCZOS[0])
    for i, coefficient in enumerate(_LANCZOS[1:], 1):
        series = series + coefficient / (z + i)
    t = z + 7.5
    value = _HALF_LOG_TWO_PI + (z + 0.5) * np.log(t) - t + np.log(series)
    # Beyond 1e15 the terms of Stirling's series that Lanczos' form adds are gone, and t - 7.5 loses digits.
    value = np.where(x > 1e15, x * (np.log(x) - 1), value)
    near_two = np.abs(x - 2) < 0.25
    z = np.where(near_two, x - 2, np.where(np.abs(z) < 0.25, z, 0.0))
    total = np.zeros_like(z)
    for k in range(len(_ZETA) + 1, 1, -1):
        total = (total * -z) + _ZETA[k - 2] / k
    taylor = z * (z * total - _EULER_GAMMA) + np.where(near_two, np.log1p(z), 0.0)
    return np.where(near_two | (np.abs(x - 1) < 0.25), taylor, value)


@_in_float64
def lgamma(x: np.ndarray) -> np.ndarray:
    """The logarithm of the size of the gamma function; infinite at its poles."""
    reflected = x < 0.5
    value = _lgamma_positive(np.where(reflected, 1 - x, x))
    fraction = np.abs(x) - np.floor(np.abs(x))
    fraction = np.where(fraction > 0.5, 1 - fraction, fraction)  # sin(pi x) without losing digits of a large x
    sine = np.sin(np.pi * np.where(x < 0, fraction, x))
    value = np.where(reflected, np.log(np.pi / np.abs(sine)) - value, value)
    value = np.where(np.abs(x) < 1e-100, -np.log(np.abs(x)), value)  # where the inverse overflows
    value = np.where((x <= 0) & (x == np.floor(x)) | np.isinf(x), np.inf, value)
    return np.where(np.isnan(x), x, value)


@_in_float64
def digamma(x: np.ndarray) -> np.ndarray:
    """The derivative of lgamma; NaN at its poles."""
    reflected = x < 0
    y = np.where(reflected, 1 - x, x)
    shift = np.zeros_like(y)
    for _ in range(10):
        low = y < 10
        shift = shift - np.where(low, 1 / y, 0.0)
        y = np.where(low, y + 1, y)
    inverse = 1 / (y * y)
    value = shift + np.log(y) - 0.5 / y - inverse * _polynomial(_DIGAMMA_SERIES, inverse)
    fraction = np.where(reflected, x - np.rint(x), 0.25)
    value = np.where(reflected, value - np.pi / np.tan(np.pi * fraction), value)
    value = np.where((x <= 0) & (x == np.floor(x)), np.nan, value)
    return np.where(x == np.inf, np.inf, value)

