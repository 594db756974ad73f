"""lgamma and digamma, in float64.

From 8 on Stirling's series; below, steps of the recurrence lead to an interval with a polynomial, and their product
or sum is taken once. Negative arguments are reflected: close to the zeros of lgamma and of digamma there the error is
small beside 1, not beside the result.
"""

from __future__ import annotations

import math
from fractions import Fraction

from ..builder import Ir
from .coefficients import DIGAMMA, LGAMMA, SIN
from .constants import PI, split_constant
from .logarithm import log
from .math_builder import MathBuilder

_HALF_LOG_TWO_PI = 0.9189385332046727418
_ROOT = Fraction("1.46163214496836234126265954232572132846819620400644629512959")
_BERNOULLI = [Fraction(*pair) for pair in (
    (1, 6), (-1, 30), (1, 42), (-1, 30), (5, 66), (-691, 2730), (7, 6), (-3617, 510), (43867, 798), (-174611, 330))]
_STIRLING = [float(b / (2 * k * (2 * k - 1))) for k, b in enumerate(_BERNOULLI, 1)][::-1]
_STIRLING_SLOPE = [float(b / (2 * k)) for k, b in enumerate(_BERNOULLI, 1)][::-1]


def _sine(m: MathBuilder, fraction: Ir) -> Ir:
    """sin(pi f) for f up to a half."""
    r = m.b.mul(fraction, m.k(math.pi))
    s = m.b.mul(r, r)
    return m.b.fma(m.b.mul(r, s), m.polynomial(s, SIN), r)


def _lgamma_positive(m: MathBuilder, z: Ir) -> Ir:
    b = m.b
    one = m.k(1.0)
    large, small = b.fcmp("oge", z, m.k(8.0)), b.fcmp("olt", z, m.k(0.75))
    product, place = b.select(small, z, one), b.select(small, b.add(z, one), z)
    place = b.select(large, m.k(2.0), place)
    for _ in range(6):
        beyond = b.fcmp("ogt", place, m.k(2.5))
        lower = b.sub(place, one)
        product = b.select(beyond, b.mul(product, lower), product)
        place = b.select(beyond, lower, place)
    logarithm = log(m, b.select(large, z, product))
    zeros = b.mul(b.sub(place, one), b.sub(place, m.k(2.0)))
    near = b.mul(zeros, m.polynomial(b.sub(place, m.k(1.625)), LGAMMA))
    near = b.add(near, b.select(small, b.neg(logarithm), logarithm))
    inverse = b.div(one, b.select(large, z, m.k(8.0)))
    series = b.fma(inverse, m.horner(b.mul(inverse, inverse), _STIRLING), m.k(_HALF_LOG_TWO_PI - 0.5))
    far = b.add(b.mul(b.sub(z, m.k(0.5)), b.sub(logarithm, one)), series)
    return b.select(large, far, near)


def lgamma(m: MathBuilder, x: Ir) -> Ir:
    """The logarithm of the gamma function's size; infinite at its poles."""
    b = m.b
    size = b.abs(x)
    positive = _lgamma_positive(m, size)
    negative = b.fcmp("olt", x, m.k(0.0))

    def reflected() -> list[Ir]:
        fraction = b.abs(b.sub(size, b.rint(size)))
        rest = log(m, b.div(m.k(math.pi), b.mul(size, _sine(m, fraction))))
        return [b.select(negative, b.sub(rest, positive), positive)]

    (result,) = b.rarely(b.any(negative), [positive], reflected)
    endless = b.or_(b.fcmp("oeq", x, m.k(0.0)), b.fcmp("oeq", size, m.k(math.inf)))
    return b.select(endless, m.k(math.inf), result)


def _digamma_positive(m: MathBuilder, z: Ir) -> Ir:
    b = m.b
    one, zero = m.k(1.0), m.k(0.0)
    large, small = b.fcmp("oge", z, m.k(8.0)), b.fcmp("olt", z, one)
    # The sum of inverses as one quotient.
    top, bottom = b.select(small, m.k(-1.0), zero), b.select(small, z, one)
    place = b.select(large, m.k(1.5), b.select(small, b.add(z, one), z))
    for _ in range(6):
        beyond = b.fcmp("ogt", place, m.k(2.0))
        lower = b.sub(place, one)
        top = b.select(beyond, b.fma(top, lower, bottom), top)
        bottom = b.select(beyond, b.mul(bottom, lower), bottom)
        place = b.select(beyond, lower, place)
    high, low = split_constant(_ROOT, m.element, 2)
    from_root = b.sub(b.sub(place, m.k(high)), m.k(low))
    near = b.mul(from_root, m.polynomial(b.sub(place, m.k(1.5)), DIGAMMA))
    near = b.add(near, b.div(top, bottom))
    far_z = b.select(large, z, m.k(8.0))
    inverse = b.div(one, far_z)
    square = b.mul(inverse, inverse)
    series = b.fma(square, m.horner(square, _STIRLING_SLOPE), b.mul(inverse, m.k(0.5)))
    return b.select(large, b.sub(log(m, far_z), series), near)


def digamma(m: MathBuilder, x: Ir) -> Ir:
    """The derivative of lgamma; NaN at its poles."""
    b = m.b
    size = b.abs(x)
    positive = _digamma_positive(m, size)
    negative = b.fcmp("olt", x, m.k(0.0))

    def reflected() -> list[Ir]:
        signed = b.sub(size, b.rint(size))
        fraction = b.abs(signed)
        sine, cosine = _sine(m, fraction), _sine(m, b.sub(m.k(0.5), fraction))
        cotangent = b.copysign(b.div(b.mul(cosine, m.k(float(PI))), sine), signed)
        # Close to zero the cotangent is all, and the others cancel.
        rest = b.select(m.is_small(x, 2.0**-60), m.k(0.0), b.add(positive, b.div(m.k(1.0), size)))
        value = b.add(rest, cotangent)
        pole = b.fcmp("oeq", fraction, m.k(0.0))
        return [b.select(negative, b.select(pole, m.k(math.nan), value), positive)]

    (result,) = b.rarely(b.any(negative), [positive], reflected)
    return b.select(b.fcmp("oeq", x, m.k(0.0)), m.k(math.nan), result)
