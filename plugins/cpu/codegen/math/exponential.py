# SPDX-License-Identifier: Apache-2.0
"""exp, exp2, expm1, logistic and the hyperbolic functions.

x = n ln 2 + r with |r| <= ln 2 / 2; exp(x) = 2^n (1 + r + r^2 P(r)).

tanh and logistic need a division anyway, so they use a rational approximation: exp(r) = (Q + h P) / (Q - h P) for
h = r / 2 and tanh(h) = h P / Q
with polynomials of h^2 that are far shorter, over one common denominator.
"""

from __future__ import annotations

from fractions import Fraction

from olympus_core.toolkit.polynomials import coefficients

from ..builder import Ir
from .constants import LN2, split_constant
from .math_builder import MathBuilder, Pair

EXP = coefficients("EXP")
EXP2 = coefficients("EXP2")
TANH = coefficients("TANH")

_LOG2E = 1.4426950408889634074

# Beyond these exp is zero or infinite, and expm1 is -1.
_LOWEST = {"float": -104.0, "double": -746.0, "short": -746.0}
_HIGHEST = {"float": 89.0, "double": 710.0, "short": 710.0}
_MINUS_ONE = {"float": -20.0, "double": -40.0, "short": -40.0}


def _reduced(m: MathBuilder, x: Ir) -> tuple[Ir, Ir, Ir, Ir]:
    """The Cody-Waite reduction: the remainder as a double-word number, n, and bits of n + 2 * bias."""
    b = m.b
    n, bits = m.nearest_integer(x, _LOG2E, bias=2 * m.bias)
    # The first part of ln 2 has few digits, so that its product with n is exact.
    high, low = split_constant(LN2, m.element, 2, m.digits_of_ln2)
    first = b.fma(n, m.k(-high), x)
    rest = b.mul(n, m.k(low)) if not b.target.has_fma else None
    if rest is not None:
        r = b.sub(first, rest)
        return r, b.sub(b.sub(first, r), rest), n, bits
    r = b.fma(n, m.k(-low), first)
    return r, b.fma(n, m.k(-low), b.sub(first, r)), n, bits


def _tail(m: MathBuilder, r: Ir) -> Ir:
    """exp(r) - 1 - r."""
    square = m.b.mul(r, r)
    return m.b.mul(square, m.polynomial(r, EXP, square))


def exp(m: MathBuilder, x: Ir) -> Ir:
    """The exponential."""
    b = m.b
    r, _, n, bits = _reduced(m, m.clamped(x, _LOWEST[m.precision], _HIGHEST[m.precision]))
    square = b.mul(r, r)
    return _one_more_scaled(m, b.fma(square, m.polynomial(r, EXP, square), r), n, bits)


def _one_more_scaled(m: MathBuilder, tail: Ir, n: Ir, bits: Ir) -> Ir:
    """(1 + tail) 2^n, rounded as the sum is, and where it is subnormal again; bits has those of n + 2 * bias."""
    b = m.b
    scaled = b.times_power_of_two(b.add(tail, m.k(1.0)), n)
    if scaled is not None:
        return scaled
    half = b.lshr(bits, 1)
    scale = m.power_of_two(half)
    return b.mul(b.fma(scale, tail, scale), m.power_of_two(b.sub(bits, half)))


def exp2(m: MathBuilder, x: Ir) -> Ir:
    """Two to the power of x, exact for integers."""
    b = m.b
    x = m.clamped(x, _LOWEST[m.precision] * 1.5, _HIGHEST[m.precision] * 1.5)
    n, bits = m.nearest_integer(x, 1.0, bias=2 * m.bias)
    return _one_more_scaled(m, _exp2_less_one(m, b.sub(x, n)), n, bits)


def exp2_within(m: MathBuilder, x: Ir) -> Ir:
    """exp2 to one or two ULP, for arguments and results in the normal range."""
    b = m.b
    n, bits = m.nearest_integer(x, 1.0, bias=m.bias)
    r, scale = b.sub(x, n), m.power_of_two(bits)
    return b.fma(scale, b.mul(r, m.horner(r, EXP2[m.precision])), scale)


def _exp2_less_one(m: MathBuilder, r: Ir) -> Ir:
    """2^r - 1 for |r| <= 1/2; the greatest term is not rounded separately."""
    b, (*others, first) = m.b, EXP2[m.precision]
    square = b.mul(r, r)
    return b.fma(r, m.k(first), b.mul(square, m.horner(r, others, square)))


def exp_of_sum(m: MathBuilder, x: Pair, factor: Ir | None = None) -> Ir:
    """The exponential of a double-word number, times a factor."""
    b = m.b
    high = m.clamped(x[0], _LOWEST[m.precision], _HIGHEST[m.precision])
    r, low, _, bits = _reduced(m, high)
    # Where the sum was clamped its lower part is meaningless, and may be infinite.
    rest = b.select(b.fcmp("oeq", high, x[0]), x[1], m.k(0.0))
    low = b.add(low, rest)
    curve = _tail(m, r)
    tail = b.add(r, b.add(curve, b.fma(low, b.add(r, curve), low)))
    if factor is None:
        return m.scaled(b.add(tail, m.k(1.0)), bits)
    return m.scaled(b.fma(factor, tail, factor), bits)


def _quarter_expm1(m: MathBuilder, x: Ir) -> Ir:
    """(exp(x) - 1) / 4 for x within bounds: does not overflow where exp(x) / 2 does not."""
    b = m.b
    r, low, _, bits = _reduced(m, x)
    u = b.add(r, b.add(_tail(m, r), low))
    scale = m.power_of_two(bits, m.bias + 2)
    return b.fma(scale, u, b.sub(scale, m.k(0.25)))


def expm1(m: MathBuilder, x: Ir) -> Ir:
    """exp(x) - 1, accurate for small x."""
    b = m.b
    quarter = _quarter_expm1(m, m.clamped(x, _MINUS_ONE[m.precision], _HIGHEST[m.precision]))
    result = b.mul(quarter, m.k(4.0))
    # This keeps the sign of zeros, and subnormal numbers, a quarter of which would lose digits.
    return b.select(m.is_small(x, 2.0 ** -(m.mantissa + 2)), x, result)


def _quotient(m: MathBuilder, x: Ir, twice: float, digits: int, bias: int) -> tuple[Ir, Ir, Ir]:
    """Q, h P and 2 ** (n + bias): the exponential of twice * x is 2^n (Q + h P) / (Q - h P).

    Args:
        m: The builder.
        x: The argument.
        twice: 2; or 1, which gives Q and h P times 2.
        digits: Binary digits of the first part of ln 2; 0 where the error of its nearest float is negligible.
        bias: Added to n.
    """
    b = m.b
    n, bits = m.nearest_integer(x, twice * _LOG2E, bias=m.bias + bias)
    r = x
    for part in split_constant(LN2 / Fraction(twice), m.element, 2 if digits else 1, digits):
        r = b.fma(n, m.k(-part), r)
    square = b.mul(r, r)
    # r is h or 2 h; the coefficients absorb the powers of two exactly.
    unit = (twice / 2) ** 2
    above, below = ([c * unit ** (len(part) - 1 - i) for i, c in enumerate(part)]
                    for part in TANH[m.precision])
    odd = b.fma(b.mul(r, square), m.horner(square, [c * unit for c in above]), r)
    return m.horner(square, [c * 2 / twice for c in below]), odd, m.power_of_two(bits)


def tanh(m: MathBuilder, x: Ir) -> Ir:
    """The hyperbolic tangent: (e - 1) / (e + 1) for e = exp(2 x); never beyond one."""
    b = m.b
    # An error of n ln 2 is an error of x, to which tanh is less sensitive the larger x is.
    digits = 0 if b.target.has_fma else m.digits_of_ln2
    even, odd, scale = _quotient(m, m.clamped(x, -20.0, 20.0), 2.0, digits, 0)
    # If n is 0 the first difference is zero, and nothing cancels; its sign keeps the sign of zeros.
    less, more = b.neg(b.sub(m.k(1.0), scale)), b.add(scale, m.k(1.0))
    return b.div(b.fma(less, even, b.mul(more, odd)), b.fma(more, even, b.mul(less, odd)))


def sinh(m: MathBuilder, x: Ir) -> Ir:
    """The hyperbolic sine: (e + e / (e + 1)) / 2 for e = expm1(|x|)."""
    b = m.b
    quarter = _quarter_expm1(m, m.clamped(b.abs(x), None, 710.7))
    # Only the denominator may overflow.
    part = b.div(quarter, b.fma(quarter, m.k(4.0), m.k(1.0)))
    result = b.fma(part, m.k(2.0), b.add(quarter, quarter))
    return b.select(m.is_small(x, 2.0 ** -(m.mantissa // 2 + 2)), x, b.copysign(result, x))


def cosh(m: MathBuilder, x: Ir) -> Ir:
    """The hyperbolic cosine: h + 1 / (4 h) for h = exp(|x|) / 2."""
    b = m.b
    r, low, _, bits = _reduced(m, m.clamped(b.abs(x), None, 710.7))
    p = b.add(b.add(r, b.add(_tail(m, r), low)), m.k(1.0))
    half = m.scaled(p, b.sub(bits, m.i(1)))
    return b.add(half, b.div(m.k(0.25), half))


def logistic(m: MathBuilder, x: Ir) -> Ir:
    """E / (e + 1) for e = exp(x), without overflow and with subnormal results."""
    b = m.b
    x = m.clamped(x, _LOWEST[m.precision], -_MINUS_ONE[m.precision])
    # The smallest powers of two are not representable: the scale is larger, and its factor smaller.
    digits = m.mantissa + (1 if m.precision == "float" else 2)
    even, odd, scale = _quotient(m, x, 1.0, m.digits_of_ln2, digits)
    top = b.mul(scale, b.mul(b.add(even, odd), m.k(2.0**-digits)))
    return b.div(top, b.add(top, b.sub(even, odd)))
