# SPDX-License-Identifier: Apache-2.0
"""asin, acos, atan and atan2."""

from __future__ import annotations

import math

from olympus_core.toolkit.polynomials import coefficients

from ..builder import Ir
from .constants import PI, split_constant
from .math_builder import MathBuilder

ASIN = coefficients("ASIN")
ATAN = coefficients("ATAN")

_TAN_EIGHTH, _TAN_THREE_EIGHTHS = math.sqrt(2) - 1, math.sqrt(2) + 1


def _half_angle(m: MathBuilder, x: Ir) -> tuple[Ir, Ir, Ir]:
    """T = |x|, or sqrt((1 - |x|) / 2) where |x| > 1/2; whether that is so; and asin(t) - t."""
    b = m.b
    a = b.abs(x)
    beyond = b.fcmp("ogt", a, m.k(0.5))
    square = b.select(beyond, b.fma(a, m.k(-0.5), m.k(0.5)), b.mul(a, a))
    t = b.select(beyond, b.sqrt(square), a)
    return t, beyond, b.mul(b.mul(t, square), m.polynomial(square, ASIN))


def asin(m: MathBuilder, x: Ir) -> Ir:
    """The inverse sine; beyond 1/2 by that of sqrt((1 - x) / 2)."""
    b = m.b
    t, beyond, tail = _half_angle(m, x)
    high, low = split_constant(PI / 2, m.element, 2)
    first, second = m.fast_two_sum(m.k(high), b.mul(t, m.k(-2.0)))
    far = b.add(first, b.sub(b.add(second, m.k(low)), b.add(tail, tail)))
    result = b.select(beyond, far, b.add(t, tail))
    return b.select(m.is_small(x, 2.0 ** -(m.mantissa // 2 + 2)), x, b.copysign(result, x))


def acos(m: MathBuilder, x: Ir) -> Ir:
    """The inverse cosine: pi / 2 - asin(x) up to a half, 2 asin(sqrt((1 - x) / 2)) beyond, pi less that below -1/2."""
    b = m.b
    t, beyond, tail = _half_angle(m, x)
    high, low = split_constant(PI / 2, m.element, 2)
    negative = b.fcmp("olt", x, m.k(0.0))
    signed, signed_tail = b.copysign(t, x), b.copysign(tail, x)
    near = b.sub(m.k(high), b.sub(signed, b.sub(m.k(low), signed_tail)))
    above = b.mul(b.add(t, tail), m.k(2.0))
    below = b.mul(b.sub(m.k(high), b.sub(t, b.sub(m.k(low), tail))), m.k(2.0))
    return b.select(beyond, b.select(negative, below, above), near)


def _arc(m: MathBuilder, top: Ir, bottom: Ir) -> Ir:
    """The angle from zero to pi / 2 of two positive numbers."""
    b = m.b
    low = b.fcmp("olt", top, b.mul(bottom, m.k(_TAN_EIGHTH)))
    high = b.fcmp("ogt", top, b.mul(bottom, m.k(_TAN_THREE_EIGHTHS)))
    numerator = b.select(low, top, b.select(high, b.neg(bottom), b.sub(top, bottom)))
    denominator = b.select(low, bottom, b.select(high, top, b.add(top, bottom)))
    half, rest = split_constant(PI / 2, m.element, 2)
    base = b.select(low, m.k(0.0), b.select(high, m.k(half), m.k(half / 2)))
    below = b.select(low, m.k(0.0), b.select(high, m.k(rest), m.k(rest / 2)))
    t = b.div(numerator, denominator)
    square = b.mul(t, t)
    return b.add(base, b.add(b.fma(b.mul(t, square), m.polynomial(square, ATAN), below), t))


def atan(m: MathBuilder, x: Ir) -> Ir:
    """The inverse tangent."""
    b = m.b
    result = b.copysign(_arc(m, b.abs(x), m.k(1.0)), x)
    return b.select(m.is_small(x, 2.0 ** -(m.mantissa // 2 + 2)), x, result)


def atan2(m: MathBuilder, y: Ir, x: Ir) -> Ir:
    """The angle of the point (x, y), with all of IEEE 754's special cases of zeros and infinities."""
    b = m.b
    top, bottom = b.abs(y), b.abs(x)
    zero, one, infinity = m.k(0.0), m.k(1.0), m.k(math.inf)
    both_infinite = b.and_(b.fcmp("oeq", top, infinity), b.fcmp("oeq", bottom, infinity))
    none = b.and_(b.fcmp("oeq", top, zero), b.fcmp("oeq", bottom, zero))
    # Scaled, so that sums do not overflow and quotients of subnormal numbers keep their digits.
    greatest = b.select(b.fcmp("ogt", top, bottom), top, bottom)
    scale = b.select(b.fcmp("ogt", greatest, m.k(2.0 ** (m.bias - 10))), m.k(2.0**-8), one)
    tiny = b.fcmp("olt", greatest, m.k(2.0 ** (20 + m.mantissa - m.bias)))
    scale = b.select(tiny, m.k(2.0 ** (m.mantissa + 8)), scale)
    top, bottom = b.mul(top, scale), b.mul(bottom, scale)
    top = b.select(both_infinite, one, b.select(none, zero, top))
    bottom = b.select(b.or_(both_infinite, none), one, bottom)
    # The angle in the first quadrant; its side comes from the sign of x.
    angle = _arc(m, top, bottom)
    high, low = split_constant(PI, m.element, 2)
    left = b.icmp("slt", m.bits(x), m.i(0))
    angle = b.select(left, b.sub(m.k(high), b.sub(angle, m.k(low))), angle)
    angle = b.copysign(angle, y)
    return b.select(b.fcmp("uno", x, y), b.add(x, y), angle)
