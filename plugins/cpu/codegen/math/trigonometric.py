"""sin, cos and tan.

sin and cos of float64: x = n pi + r with |r| <= pi / 2, n with a half for cos; then sin(x) is sin(r) up to the sign,
by one polynomial. Of float32, and tan: x = n pi / 2 + r with |r| <= pi / 4. r is a sum of two floats.
"""

from __future__ import annotations

from fractions import Fraction

from ..builder import Ir
from .coefficients import COS_QUARTER, SIN, SIN_QUARTER
from .constants import PI, cut, nearest
from .huge import reduce_lanes
from .kit import Kit

# From here on products with the parts of pi lose digits; `huge` takes over.
_LIMITS = {"float": 2.0**14, "double": 2.0**25, "short": 2.0**25}


def _reduced(m: Kit, x: Ir, kind: str) -> tuple[Ir, Ir, Ir]:
    """What is left of x as a sum of two floats, and bits whose lowest is that of the number of turns taken away."""
    b = m.b
    period = PI / 2 if kind == "quarter" else PI
    n, bits = m.whole(x, float(1 / period), -0.5 if kind == "cos" else 0.0)
    if kind == "cos":
        n = b.add(n, m.k(0.5))
    if b.target.has_fma:
        # The first difference is exact. The second part of pi has so few digits that the next one, wherever it is
        # small, is exact as well, and elsewhere its error can be told.
        high, middle, low = _parts(period, m.element)
        first = b.fma(n, m.k(-high), x)
        r = b.fma(n, m.k(-middle), first)
        rest = b.fma(n, m.k(-middle), b.sub(first, r))
        rest = b.fma(n, m.k(-low), rest)
    else:
        # Few digits in each part, so that the products are exact.
        high, middle, low, last = cut(period, m.element, 4, 26)
        first = b.sub(x, b.mul(n, m.k(high)))
        r, rest = m.two_sum(first, b.mul(n, m.k(-middle)))
        r, more = m.two_sum(r, b.mul(n, m.k(-low)))
        rest = b.sub(b.add(rest, more), b.mul(n, m.k(last)))
    far = b.fcmp("oge", b.abs(x), m.k(_LIMITS[m.precision]))
    r, rest, bits = b.rarely(b.any(far), (r, rest, bits), lambda: reduce_lanes(m, x, far, (r, rest, bits), kind))
    return r, rest, bits


def _parts(period: Fraction, element: str) -> tuple[float, float, float]:
    high = nearest(period, element)
    middle, low = cut(period - high, element, 2, 11 if element == "float" else 25)
    return float(high), middle, low


def _wave(m: Kit, x: Ir, kind: str) -> Ir:
    b = m.b
    r, rest, bits = _reduced(m, x, kind)
    s = b.mul(r, r)
    # The derivative at r, roughly, for the part of r that is below its last digit.
    slope = b.fma(s, m.k(-0.4), m.k(1.0))
    y = b.add(r, b.fma(b.mul(r, s), m.polynomial(s, SIN), b.mul(rest, slope)))
    sign = b.shl(bits, 63)
    if kind == "cos":  # cos(x) = -sin(r) for an even n
        sign = b.xor(sign, m.i(-1 << 63))
    return m.value(b.xor(m.bits(y), sign))


def _quarters(m: Kit, x: Ir, kind: str) -> Ir:
    """By both polynomials up to pi / 4, of which lanes take one: a fifth slower, half the error."""
    b = m.b
    r, rest, bits = _reduced(m, x, "quarter")
    s = b.mul(r, r)
    sine, cosine = _both(m, r, rest, s)
    if kind == "cos":
        bits = b.add(bits, m.i(1))
    y = b.select(b.icmp("ne", b.and_(bits, m.i(1)), m.i(0)), cosine, sine)
    return m.value(b.xor(m.bits(y), b.shl(b.lshr(bits, 1), m.mantissa + (8 if m.precision == "float" else 11))))


def _both(m: Kit, r: Ir, rest: Ir, s: Ir) -> tuple[Ir, Ir]:
    """Sine and cosine up to pi / 4."""
    b = m.b
    sine = b.add(r, b.fma(b.mul(r, s), m.polynomial(s, SIN_QUARTER), rest))
    near = b.fma(s, m.k(-0.5), m.k(1.0))
    lost = b.fma(s, m.k(-0.5), b.sub(m.k(1.0), near))
    fall = b.fma(b.mul(s, s), m.polynomial(s, COS_QUARTER), b.mul(b.neg(r), rest))
    return sine, b.add(near, b.add(lost, fall))


def sin(m: Kit, x: Ir) -> Ir:
    """The sine."""
    y = _quarters(m, x, "sin") if m.precision == "float" else _wave(m, x, "sin")
    return m.b.select(m.is_small(x, 2.0 ** -(m.mantissa // 2 + 2)), x, y)


def cos(m: Kit, x: Ir) -> Ir:
    """The cosine."""
    if m.precision == "float":
        return _quarters(m, x, "cos")
    return m.b.select(m.is_small(x, 2.0**-27), m.k(1.0), _wave(m, x, "cos"))


def tan(m: Kit, x: Ir) -> Ir:
    """The tangent."""
    b = m.b
    r, rest, bits = _reduced(m, x, "quarter")
    sine, cosine = _both(m, r, rest, b.mul(r, r))
    odd = b.icmp("ne", b.and_(bits, m.i(1)), m.i(0))
    top, bottom = b.select(odd, b.neg(cosine), sine), b.select(odd, sine, cosine)
    return b.select(m.is_small(x, 2.0 ** -(m.mantissa // 2 + 2)), x, b.div(top, bottom))
