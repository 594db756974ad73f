# SPDX-License-Identifier: Apache-2.0
"""lgamma and digamma, in float64.

Stirling's series from 8 on; below, the recurrence reduces the argument to an interval with a polynomial, and the
product or sum of its steps is applied once. Negative arguments use the reflection formula: near zeros of lgamma and
digamma there the absolute error is small, not the relative one.
"""

from __future__ import annotations

import math
from fractions import Fraction

from olympus_core.toolkit.polynomials import coefficients

from ..builder import Ir
from .constants import PI, split_constant
from .logarithm import log
from .math_builder import MathBuilder

DIGAMMA = coefficients("DIGAMMA")
LGAMMA = coefficients("LGAMMA")
SIN = coefficients("SIN")

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
    product, z_reduced = b.select(small, z, one), b.select(small, b.add(z, one), z)
    z_reduced = b.select(large, m.k(2.0), z_reduced)
    for _ in range(6):
        beyond = b.fcmp("ogt", z_reduced, m.k(2.5))
        lower = b.sub(z_reduced, one)
        product = b.select(beyond, b.mul(product, lower), product)
        z_reduced = b.select(beyond, lower, z_reduced)
    logarithm = log(m, b.select(large, z, product))
    zeros = b.mul(b.sub(z_reduced, one), b.sub(z_reduced, m.k(2.0)))
    near = b.mul(zeros, m.polynomial(b.sub(z_reduced, m.k(1.625)), LGAMMA))
    near = b.add(near, b.select(small, b.neg(logarithm), logarithm))
    inverse = b.div(one, b.select(large, z, m.k(8.0)))
    series = b.fma(inverse, m.horner(b.mul(inverse, inverse), _STIRLING), m.k(_HALF_LOG_TWO_PI - 0.5))
    far = b.add(b.mul(b.sub(z, m.k(0.5)), b.sub(logarithm, one)), series)
    return b.select(large, far, near)


def lgamma(m: MathBuilder, x: Ir) -> Ir:
    """The logarithm of the gamma function's magnitude; infinite at its poles."""
    b = m.b
    size = b.abs(x)
    positive = _lgamma_positive(m, size)
    negative = b.fcmp("olt", x, m.k(0.0))

    def reflected() -> list[Ir]:
        fraction = b.abs(b.sub(size, b.rint(size)))
        rest = log(m, b.div(m.k(math.pi), b.mul(size, _sine(m, fraction))))
        # Of the least numbers the product vanishes; there the function is even to all digits.
        return [b.select(b.and_(negative, b.fcmp("ogt", size, m.k(1e-100))), b.sub(rest, positive), positive)]

    (result,) = b.rarely(b.any(negative), [positive], reflected)
    # Whole negative numbers are poles, also where the other part of the reflection is infinite, too.
    pole = b.and_(b.fcmp("ole", x, m.k(0.0)), b.fcmp("oeq", x, b.rint(x)))
    endless = b.or_(pole, b.fcmp("oeq", size, m.k(math.inf)))
    return b.select(endless, m.k(math.inf), result)


def _digamma_positive(m: MathBuilder, z: Ir) -> Ir:
    b = m.b
    one, zero = m.k(1.0), m.k(0.0)
    large, small = b.fcmp("oge", z, m.k(8.0)), b.fcmp("olt", z, one)
    # The sum of reciprocals as one quotient.
    top, bottom = b.select(small, m.k(-1.0), zero), b.select(small, z, one)
    z_reduced = b.select(large, m.k(1.5), b.select(small, b.add(z, one), z))
    for _ in range(6):
        beyond = b.fcmp("ogt", z_reduced, m.k(2.0))
        lower = b.sub(z_reduced, one)
        top = b.select(beyond, b.fma(top, lower, bottom), top)
        bottom = b.select(beyond, b.mul(bottom, lower), bottom)
        z_reduced = b.select(beyond, lower, z_reduced)
    high, low = split_constant(_ROOT, m.element, 2)
    from_root = b.sub(b.sub(z_reduced, m.k(high)), m.k(low))
    near = b.mul(from_root, m.polynomial(b.sub(z_reduced, m.k(1.5)), DIGAMMA))
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
        # Near zero the cotangent dominates, and the other terms cancel.
        rest = b.select(m.is_small(x, 2.0**-60), m.k(0.0), b.add(positive, b.div(m.k(1.0), size)))
        value = b.add(rest, cotangent)
        pole = b.fcmp("oeq", fraction, m.k(0.0))
        return [b.select(negative, b.select(pole, m.k(math.nan), value), positive)]

    (result,) = b.rarely(b.any(negative), [positive], reflected)
    return b.select(b.fcmp("oeq", x, m.k(0.0)), m.k(math.nan), result)
