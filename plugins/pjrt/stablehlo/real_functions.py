# SPDX-License-Identifier: Apache-2.0
"""CHLO's functions of real numbers by StableHLO's operations, for compilers that know no CHLO.

Bounds are in units of the last place, where the compiler's own exp, log, atan2 and sine are within one; some compilers
take numbers below the least normal one for zero. Sources: W. Kahan, "Branch cuts for complex elementary functions"
(1987), for the inverse functions; the tables of `coefficients` for erf and its kin (minimax fits); Abramowitz and
Stegun, 6.1.40, 6.1.17, 6.3.18 and 6.3.7, for Stirling's series and the reflection of lgamma and digamma.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction

from olympus_core import dtypes
from olympus_core.toolkit.polynomials import coefficients

from .arithmetic import Number

DIGAMMA = coefficients("DIGAMMA")
ERF = coefficients("ERF")
ERF_INV = coefficients("ERF_INV")
ERF_INV_MIDDLE = coefficients("ERF_INV_MIDDLE")
ERF_INV_TAIL = coefficients("ERF_INV_TAIL")
ERF_TAIL = coefficients("ERF_TAIL")
ERFC = coefficients("ERFC")
ERFC_WHOLE = coefficients("ERFC_WHOLE")
LGAMMA = coefficients("LGAMMA")

_LN2 = 0.6931471805599453
_HALF_LOG_TWO_PI = 0.9189385332046727
# The root of digamma, as the sum of two floats.
_ROOT, _ROOT_REST = 1.4616321449683622, 9.549995429965697e-17
BERNOULLI = [Fraction(*pair) for pair in (
    (1, 6), (-1, 30), (1, 42), (-1, 30), (5, 66), (-691, 2730), (7, 6), (-3617, 510), (43867, 798), (-174611, 330))]
_STIRLING = [float(b / (2 * k * (2 * k - 1))) for k, b in enumerate(BERNOULLI, 1)][::-1]
_STIRLING_SLOPE = [float(b / (2 * k)) for k, b in enumerate(BERNOULLI, 1)][::-1]
_STEPS = 6  # of a recurrence, from 8 down to where a polynomial holds


def _precision(x: Number) -> str:
    return "double" if x.name.dtype == dtypes.float64 else "float"


def log1p(x: Number) -> Number:
    """log(1 + x), 2 units: the quotient corrects the rounding error of 1 + x (Kahan)."""
    if x.name.dtype != dtypes.float64:
        return x.apply("log_plus_one")
    # Without the barrier a compiler may replace the logarithm by its own log1p, or simplify the difference.
    moved = (x + 1.0).apply("optimization_barrier")
    mended = moved.log() * (x / (moved - 1.0))
    return (moved.equals(1.0) | x.equals(math.inf)).choose(x, mended)


def asin(x: Number) -> Number:
    """2 units."""
    return x.angle(((1.0 - x) * (1.0 + x)).sqrt())


def acos(x: Number) -> Number:
    """2 units, also near 1, where it vanishes."""
    return (1.0 - x).sqrt().angle((1.0 + x).sqrt()) * 2.0


def atan(x: Number) -> Number:
    """As good as the compiler's atan2."""
    return x.angle(x.like(1.0))


def asinh(x: Number) -> Number:
    """3 units: log1p(a + a^2 / (1 + sqrt(1 + a^2))), and log(a) + log(2) where a^2 is beyond."""
    a = abs(x)
    near = log1p(a + a * (a / (1.0 + (a * a + 1.0).sqrt())))
    return (a < _far(x)).choose(near, a.log() + _LN2).with_sign_of(x)


def acosh(x: Number) -> Number:
    """3 units: log1p(t + sqrt(t (t + 2))) for t = x - 1."""
    t = x - 1.0
    near = log1p(t + (t * (t + 2.0)).sqrt())
    return (x < 1.0).choose(math.nan, (x < _far(x)).choose(near, x.log() + _LN2))


def _far(x: Number) -> float:
    """From here on one beside the square is nothing."""
    return 2.0**28 if _precision(x) == "double" else 2.0**13


def _decay(a: Number) -> Number:
    """A root of exp(-a^2): of the square's leading digits, and what the others change. 1 unit."""
    high = a.leading(27 if _precision(a) == "double" else 12)
    low = a - high
    square = a * a
    rest = ((high * high - square) + (high + high) * low) + low * low
    # Half of it, since the whole has no digits left where the complement of erf still has some.
    return (square * -0.5).exp() * (1.0 - rest * 0.5)


def _tail(a: Number) -> Number:
    """The complement of erf: exp(-a^2) (1 + P(t)) / (1 + 2 a), t = (a - c) / (a + c); c = 4 from 1/2 on, or 2."""
    centre, limit, table = (4.0, 28.0, ERFC["double"]) if _precision(a) == "double" else (
        2.0, 10.5, ERFC_WHOLE["float"])
    a = (a > limit).choose(limit, a)
    scaled = (((a - centre) / (a + centre)).polynomial(table) + 1.0) / (a * 2.0 + 1.0)
    root = _decay(a)
    return root * scaled * root


def erf(x: Number) -> Number:
    """2 units: x + x P(x^2) up to 1, one less a tail beyond."""
    a, kind = abs(x), _precision(x)
    if kind == "double":
        tail = _tail((a < 0.5).choose(0.5, a))
    else:  # a power of two of a polynomial: its relative error is nothing beside one
        tail = ((a > 4.0).choose(4.0, a).polynomial(ERF_TAIL["float"]) * _LN2).exp()
    return (a < 1.0).choose(x * (x * x).polynomial(ERF[kind]) + x, (1.0 - tail).with_sign_of(x))


def erfc(x: Number) -> Number:
    """6 units, without cancellation."""
    a, kind = abs(x), _precision(x)
    if kind == "float":
        tail = _tail(a)
        return (x < 0.0).choose(2.0 - tail, tail)
    small = a < 0.5
    tail = _tail(small.choose(0.5, a))
    # Near zero 1 - x - x P, exact parts first.
    near = 1.0 - x
    centre = near + (((1.0 - near) - x) - x * (x * x).polynomial(ERF[kind]))
    return small.choose(centre, (x < 0.0).choose(2.0 - tail, tail))


def erf_inv(x: Number) -> Number:
    """4 units: x plus x times polynomials of w = -log(1 - x^2), or of its root."""
    a, kind = abs(x), _precision(x)
    inside = a < 1.0
    safe = inside.choose(a, 0.0)
    w = -((1.0 - safe) * (1.0 + safe)).log()
    root = (w > 1.0).choose(w, 1.0).sqrt()
    factor = (w < 6.25).choose((w - 3.0).polynomial(ERF_INV[kind]), (root - 3.25).polynomial(ERF_INV_MIDDLE[kind]))
    if kind == "double":
        factor = (w < 17.5).choose(factor, (root - 5.0).polynomial(ERF_INV_TAIL[kind]))
    edge = a.equals(1.0).choose(x * math.inf, math.nan)
    return inside.choose((x * factor + x).with_sign_of(x), edge)


def _reflected_sine(size: Number) -> tuple[Number, Number]:
    """The distance to the nearest integer, and the sine of pi times its magnitude."""
    distance = size - size.apply("round_nearest_even")
    return distance, (abs(distance) * math.pi).apply("sine")


def lgamma(x: Number) -> Number:
    """4 units for positive arguments, of the greatest term for negative ones; infinite at the poles."""
    size = abs(x)
    positive = _lgamma_positive(size)
    _, sine = _reflected_sine(size)
    rest = (math.pi / (size * sine)).log()
    # Of the least numbers the product vanishes; there the function is even to all digits.
    value = ((x < 0.0) & (size > 1e-30)).choose(rest - positive, positive)
    # Where the positive value overflows all floats are whole, and their difference would be none.
    poles = (x < 0.0) & size.apply("floor").equals(size)
    return (x.equals(0.0) | size.equals(math.inf) | poles).choose(math.inf, value)


def _lgamma_positive(z: Number) -> Number:
    large, small = z >= 8.0, z < 0.75
    product, reduced = small.choose(z, 1.0), small.choose(z + 1.0, z)
    reduced = large.choose(2.0, reduced)
    for _ in range(_STEPS):
        beyond, lower = reduced > 2.5, reduced - 1.0
        product, reduced = beyond.choose(product * lower, product), beyond.choose(lower, reduced)
    logarithm = large.choose(z, product).log()
    near = (reduced - 1.0) * (reduced - 2.0) * (reduced - 1.625).polynomial(LGAMMA["double"])
    near = near + small.choose(-logarithm, logarithm)
    inverse = 1.0 / large.choose(z, 8.0)
    series = inverse * (inverse * inverse).polynomial(_STIRLING) + (_HALF_LOG_TWO_PI - 0.5)
    return large.choose((z - 0.5) * (logarithm - 1.0) + series, near)


def digamma(x: Number) -> Number:
    """4 units for positive arguments, of the greatest term for negative ones; NaN at the poles."""
    size = abs(x)
    positive = _digamma_positive(size)
    distance, sine = _reflected_sine(size)
    cosine = (abs(distance) * math.pi).apply("cosine")
    cotangent = (cosine * math.pi / sine).with_sign_of(distance)
    # Near zero the cotangent dominates, and the other terms cancel.
    rest = (size < 2.0**-60).choose(0.0, positive + 1.0 / size)
    value = (x < 0.0).choose(distance.equals(0.0).choose(math.nan, rest + cotangent), positive)
    return x.equals(0.0).choose(math.nan, value)


def _digamma_positive(z: Number) -> Number:
    large, small = z >= 8.0, z < 1.0
    # The sum of reciprocals as one quotient.
    top, bottom = small.choose(z.like(-1.0), 0.0), small.choose(z, 1.0)
    reduced = large.choose(1.5, small.choose(z + 1.0, z))
    for _ in range(_STEPS):
        beyond, lower = reduced > 2.0, reduced - 1.0
        top, bottom = beyond.choose(top * lower + bottom, top), beyond.choose(bottom * lower, bottom)
        reduced = beyond.choose(lower, reduced)
    # Without the barrier a compiler may add both parts of the root up.
    from_root = (reduced - _ROOT).apply("optimization_barrier") - _ROOT_REST
    near = from_root * (reduced - 1.5).polynomial(DIGAMMA["double"]) + top / bottom
    far = large.choose(z, 8.0)
    inverse = 1.0 / far
    square = inverse * inverse
    return large.choose(far.log() - (square * square.polynomial(_STIRLING_SLOPE) + inverse * 0.5), near)


REAL: Mapping[str, Callable[[Number], Number]] = {
    function.__name__: function
    for function in (asin, acos, atan, asinh, acosh, erf, erfc, erf_inv, lgamma, digamma)
}
IN_DOUBLE = frozenset(("lgamma", "digamma"))  # their float32 is computed in float64

__all__ = ["BERNOULLI", "IN_DOUBLE", "REAL", "acosh", "asinh", "digamma", "lgamma", "log1p"]
