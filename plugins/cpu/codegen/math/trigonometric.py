# SPDX-License-Identifier: Apache-2.0
"""sin, cos and tan.

sin and cos: x = n pi + r with |r| <= pi / 2, n with a half for cos; then sin(x) is sin(r) up to the sign, by one
polynomial. tan: x = n pi / 2 + r with |r| <= pi / 4 and the quotient of both. r is a double-word number from a
Cody-Waite reduction. float32 is computed in float64: correctly rounded, and as fast as 1 ULP in float32.
"""

from __future__ import annotations

from fractions import Fraction

from olympus_core.toolkit.polynomials import coefficients

from ..builder import FunctionBuilder, Ir
from .constants import PI, nearest, split_constant
from .math_builder import MathBuilder
from .payne_hanek import FAR, reduce_lanes

COS_QUARTER = coefficients("COS_QUARTER")
SIN = coefficients("SIN")
SIN_QUARTER = coefficients("SIN_QUARTER")


def _reduced(m: MathBuilder, x: Ir, kind: str) -> tuple[Ir, Ir, Ir]:
    """The remainder of x as a double-word number, and bits whose lowest is the parity of the number of periods."""
    b = m.b
    period = PI / 2 if kind == "quarter" else PI
    n, bits = m.nearest_integer(x, float(1 / period), -0.5 if kind == "cos" else 0.0)
    if kind == "cos":
        n = b.add(n, m.k(0.5))
    if m.precision == "short":
        r, rest = _reduced_short(m, x, n, period), m.k(0.0)
    elif b.target.has_fma:
        # The first difference is exact. The second part of pi has so few digits that the next difference is exact
        # wherever it is small, and elsewhere its error is computed.
        high, middle, low = _parts(period, m.element)
        first = b.fma(n, m.k(-high), x)
        r = b.fma(n, m.k(-middle), first)
        rest = b.fma(n, m.k(-middle), b.sub(first, r))
        rest = b.fma(n, m.k(-low), rest)
    else:
        # Each part has few digits, so that its product with n is exact.
        high, middle, low, last = split_constant(period, m.element, 4, 26)
        first = b.sub(x, b.mul(n, m.k(high)))
        r, rest = m.two_sum(first, b.mul(n, m.k(-middle)))
        r, more = m.two_sum(r, b.mul(n, m.k(-low)))
        rest = b.sub(b.add(rest, more), b.mul(n, m.k(last)))
    if m.side_exit is not None:
        m.side_exit()
        return r, rest, bits
    # Returning to the common code lets LLVM schedule so that vectors of float64 fit the registers.
    near, far = (r, rest, bits), is_far(b, x)
    r, rest, bits = b.rarely(b.any(far), near, lambda: reduce_lanes(m, x, far, near, kind))
    return r, rest, bits


def is_far(b: FunctionBuilder, x: Ir) -> Ir:
    """Whether an argument, in its own type, needs Payne-Hanek reduction."""
    return b.fcmp("oge", b.abs(x), b.like(FAR, x))


def _reduced_short(m: MathBuilder, x: Ir, n: Ir, period: Fraction) -> Ir:
    """The remainder in one float64, which is enough for float32 results."""
    b = m.b
    if b.target.has_fma:
        high, low = split_constant(period, m.element, 2)
        return b.fma(n, m.k(-low), b.fma(n, m.k(-high), x))
    parts = split_constant(period, m.element, 3, 26)
    for part in parts:
        x = b.sub(x, b.mul(n, m.k(part)))
    return x


def _parts(period: Fraction, element: str) -> tuple[float, float, float]:
    high = nearest(period, element)
    middle, low = split_constant(period - high, element, 2, 25)
    return float(high), middle, low


def _wave(m: MathBuilder, x: Ir, kind: str) -> Ir:
    b = m.b
    r, rest, bits = _reduced(m, x, kind)
    s = b.mul(r, r)
    # cos(x) = -sin(r) for even n; FMA instructions negate for free.
    sign = b.neg if kind == "cos" else lambda value: value
    one = m.k(-1.0 if kind == "cos" else 1.0)
    if m.precision == "short":
        y = b.mul(r, b.fma(sign(s), m.polynomial(s, SIN), one))  # keeps the sign of zeros
    else:
        # The approximate derivative at r, for the low part of the double-word remainder.
        slope = b.fma(s, m.k(0.4 if kind == "cos" else -0.4), one)
        curve = b.fma(sign(b.mul(r, s)), m.polynomial(s, SIN), b.mul(rest, slope))
        y = b.sub(curve, r) if kind == "cos" else b.add(r, curve)
    return m.value(b.xor(m.bits(y), b.shl(bits, 63)))


def _both(m: MathBuilder, r: Ir, rest: Ir, s: Ir) -> tuple[Ir, Ir]:
    """Sine and cosine up to pi / 4."""
    b = m.b
    sine = b.add(r, b.fma(b.mul(r, s), m.polynomial(s, SIN_QUARTER), rest))
    near = b.fma(s, m.k(-0.5), m.k(1.0))
    lost = b.fma(s, m.k(-0.5), b.sub(m.k(1.0), near))
    fall = b.fma(b.mul(s, s), m.polynomial(s, COS_QUARTER), b.mul(b.neg(r), rest))
    return sine, b.add(near, b.add(lost, fall))


def sin(m: MathBuilder, x: Ir) -> Ir:
    """The sine."""
    y = _wave(m, x, "sin")
    return y if m.precision == "short" else m.b.select(m.is_small(x, 2.0 ** -(m.mantissa // 2 + 2)), x, y)


def cos(m: MathBuilder, x: Ir) -> Ir:
    """The cosine."""
    return _wave(m, x, "cos")


def tan(m: MathBuilder, x: Ir) -> Ir:
    """The tangent."""
    b = m.b
    r, rest, bits = _reduced(m, x, "quarter")
    sine, cosine = _both(m, r, rest, b.mul(r, r))
    odd = b.icmp("ne", b.and_(bits, m.i(1)), m.i(0))
    top, bottom = b.select(odd, b.neg(cosine), sine), b.select(odd, sine, cosine)
    return b.select(m.is_small(x, 2.0 ** -(m.mantissa // 2 + 2)), x, b.div(top, bottom))
