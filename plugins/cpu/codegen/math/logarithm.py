# SPDX-License-Identifier: Apache-2.0
"""log, log1p and the inverse hyperbolic functions.

x = 2^e (1 + f) with 1 + f between the square roots of 1/2 and 2; with s = f / (2 + f), log(1 + f) = 2 s + s^3 P(s^2).
"""

from __future__ import annotations

import math
from fractions import Fraction

from olympus_core.toolkit.polynomials import coefficients

from ..builder import Ir
from .constants import LN2, split_constant
from .math_builder import MathBuilder, Pair

ASINH = coefficients("ASINH")
LOG = coefficients("LOG")
LOG_LONG = coefficients("LOG_LONG")
LOG_ONE = coefficients("LOG_ONE")

_HALF_ROOT = {"i32": 0x3F3504F3, "i64": 0x3FE6A09E667F3BCD}
_ONE = {"i32": 0x3F800000, "i64": 0x3FF0000000000000}


def split(m: MathBuilder, x: Ir, may_be_subnormal: bool = True) -> tuple[Ir, Ir]:
    """The exponent e as a float, and 1 + f; x is positive and finite."""
    b = m.b
    offset: Ir = m.k(2.0**m.mantissa + m.bias)
    if may_be_subnormal:
        shift = m.mantissa + 2
        small = b.fcmp("olt", x, m.k(2.0 ** (1 - m.bias)))
        x = b.select(small, b.mul(x, m.k(2.0**shift)), x)
        offset = b.select(small, m.k(2.0**m.mantissa + m.bias + shift), offset)
    root = _HALF_ROOT[m.integer]
    moved = b.add(m.bits(x), m.i(_ONE[m.integer] - root))
    fraction = b.and_(moved, m.i((1 << m.mantissa) - 1))
    # The exponent becomes the low digits of a float with ULP 1, which saves a conversion of 64-bit integers.
    unit = (m.bias + m.mantissa) << m.mantissa
    exponent = m.value(b.or_(b.lshr(moved, m.mantissa), m.i(unit)))
    return b.sub(exponent, offset), m.value(b.add(fraction, m.i(root)))


def _log_of(m: MathBuilder, e: Ir, f: Ir) -> Ir:
    """The sum e ln 2 + log(1 + f)."""
    b = m.b
    high, low = split_constant(LN2, m.element, 2, 10 if m.precision == "float" else 32)
    if m.precision == "float":
        square = b.mul(f, f)
        cubic = b.mul(b.mul(square, f), m.polynomial(f, LOG_ONE, square))
        rest = b.fma(square, m.k(-0.5), b.fma(e, m.k(low), cubic))
        return b.fma(e, m.k(high), b.add(f, rest))
    s = b.div(f, b.add(f, m.k(2.0)))
    z = b.mul(s, s)
    taken = b.mul(s, b.sub(f, b.mul(z, m.polynomial(z, LOG))))
    rest = b.sub(taken, b.mul(e, m.k(low)))
    return b.add(b.mul(e, m.k(high)), b.sub(f, rest))


def log(m: MathBuilder, x: Ir, anything: bool = False) -> Ir:
    """The natural logarithm; with `anything`, undefined where x is not positive, normal and finite."""
    e, one_and_f = split(m, x, may_be_subnormal=not anything)
    result = _log_of(m, e, m.b.sub(one_and_f, m.k(1.0)))
    return result if anything else _bounded(m, x, result, 0.0)


def _bounded(m: MathBuilder, x: Ir, result: Ir, pole: float) -> Ir:
    """The result where x is finite and above the pole; there -inf, below NaN."""
    b = m.b
    result = b.select(b.fcmp("oeq", x, m.k(math.inf)), x, result)
    result = b.select(b.fcmp("oeq", x, m.k(pole)), m.k(-math.inf), result)
    return b.select(b.fcmp("ult", x, m.k(pole)), m.k(math.nan), result)


def _log1p(m: MathBuilder, x: Ir, low: Ir | None = None, doublings: Ir | None = None) -> Ir:
    """log((1 + x + low) * 2**doublings) for finite x above -1."""
    b = m.b
    u, rest = m.two_sum(m.k(1.0), x)
    if low is not None:
        rest = b.add(rest, low)
    e, one_and_f = split(m, u, may_be_subnormal=False)
    # 2 ** -e from the bits of u: their difference is e shifted to the exponent field.
    scale = m.value(b.add(b.sub(m.bits(one_and_f), m.bits(u)), m.i(_ONE[m.integer])))
    if m.precision != "short":  # float32 arguments are never as large
        scale = b.select(b.fcmp("ogt", u, m.k(2.0 ** (m.bias - 2))), m.k(0.0), scale)
    e = e if doublings is None else b.add(e, doublings)
    return _log_of(m, e, b.fma(rest, scale, b.sub(one_and_f, m.k(1.0))))


def log1p(m: MathBuilder, x: Ir) -> Ir:
    """log(1 + x), accurate for small x."""
    result = _bounded(m, x, _log1p(m, x), -1.0)
    return m.b.select(m.is_small(x, 2.0 ** -(m.mantissa + 2)), x, result)


def asinh(m: MathBuilder, x: Ir) -> Ir:
    """The inverse hyperbolic sine: log(a + sqrt(a^2 + 1)); float64 takes a polynomial up to 1/2."""
    b = m.b
    a = b.abs(x)
    square = b.mul(a, a)
    rest = b.div(square, b.add(b.sqrt(b.add(square, m.k(1.0))), m.k(1.0)))
    result = _log_of_sum(m, a, a, rest)
    if m.precision != "short":
        small = b.fma(b.mul(a, square), m.polynomial(square, ASINH), a)
        result = b.select(b.fcmp("olt", a, m.k(0.5)), small, result)
    result = b.copysign(b.select(b.fcmp("oeq", a, m.k(math.inf)), a, result), x)
    return b.select(m.is_small(x, 2.0 ** -(m.mantissa // 2 + 2)), x, result)


def _log_of_sum(m: MathBuilder, a: Ir, x: Ir, y: Ir) -> Ir:
    """log(1 + x + y); or log(2 a) where a is so large that both are equal and its square may overflow."""
    b = m.b
    if m.precision == "short":  # squares of float32 do not overflow, and the sum's error is negligible
        return _log1p(m, b.add(x, y))
    large = b.fcmp("ogt", a, m.k(2.0**28))
    total, low = m.two_sum(x, y)
    total, low = b.select(large, b.sub(a, m.k(1.0)), total), b.select(large, m.k(0.0), low)
    return _log1p(m, total, low, b.select(large, m.k(1.0), m.k(0.0)))


def acosh(m: MathBuilder, x: Ir) -> Ir:
    """The inverse hyperbolic cosine: log1p(t + sqrt(t (t + 2))) for t = x - 1."""
    b = m.b
    t = b.sub(x, m.k(1.0))
    result = _log_of_sum(m, x, t, b.sqrt(b.mul(t, b.add(t, m.k(2.0)))))
    result = b.select(b.fcmp("oeq", x, m.k(math.inf)), x, result)
    return b.select(b.fcmp("ult", x, m.k(1.0)), m.k(math.nan), result)


def atanh(m: MathBuilder, x: Ir) -> Ir:
    """The inverse hyperbolic tangent: log1p(2 a / (1 - a)) / 2."""
    b = m.b
    a = b.abs(x)
    inside = b.fcmp("olt", a, m.k(1.0))
    safe = b.select(inside, a, m.k(0.5))
    twice = b.add(safe, safe)
    result = b.mul(_log1p(m, b.div(twice, b.sub(m.k(1.0), safe))), m.k(0.5))
    edge = b.select(b.fcmp("oeq", a, m.k(1.0)), m.k(math.inf), m.k(math.nan))
    result = b.copysign(b.select(inside, result, edge), x)
    return b.select(m.is_small(x, 2.0 ** -(m.mantissa // 2 + 2)), x, result)


def log_as_double_word(m: MathBuilder, x: Ir) -> Pair:
    """The logarithm of a positive finite number as a double-word number, for powers."""
    b = m.b
    e, one_and_f = split(m, x)
    f = b.sub(one_and_f, m.k(1.0))
    s = m.quotient((f, m.k(0.0)), m.two_sum(m.k(2.0), f))
    z = m.product(s, s)
    thirds = split_constant(Fraction(2, 3), m.element, 2)
    tail = m.fast_two_sum(m.k(thirds[0]), b.mul(z[0], m.polynomial(z[0], LOG_LONG)))
    tail = (tail[0], b.add(tail[1], m.k(thirds[1])))
    cubic = m.product(m.product(s, z), tail)
    total = m.plus((b.add(s[0], s[0]), b.add(s[1], s[1])), cubic)
    high, middle, low = split_constant(LN2, m.element, 3, 32)
    shift = (b.mul(e, m.k(high)), b.mul(e, m.k(middle)))
    return m.plus(m.fast_two_sum(*shift), (total[0], b.fma(e, m.k(low), total[1])))
