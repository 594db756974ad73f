# SPDX-License-Identifier: Apache-2.0
"""sqrt, rsqrt and cbrt."""

from __future__ import annotations

from olympus_core.toolkit.polynomials import coefficients

from ..builder import Ir
from .math_builder import MathBuilder

CBRT = coefficients("CBRT")


def sqrt(m: MathBuilder, x: Ir) -> Ir:
    """The square root, by the machine instruction."""
    return m.b.sqrt(x)


def rsqrt(m: MathBuilder, x: Ir) -> Ir:
    """One over the square root."""
    return m.b.div(m.k(1.0), m.b.sqrt(x))


def _closer(m: MathBuilder, t: Ir, cube: Ir, beyond: Ir) -> Ir:
    """A step of Halley's method to the root of cube - beyond, which triples the digits."""
    b = m.b
    wanted = b.sub(cube, beyond)
    return b.sub(t, b.div(b.mul(t, beyond), b.add(b.add(cube, cube), wanted)))


def cbrt(m: MathBuilder, x: Ir) -> Ir:
    """The cube root: a polynomial approximation and steps of Halley's method."""
    b = m.b
    a = b.abs(x)
    small = b.fcmp("olt", a, m.k(2.0**-1000))
    a = b.select(small, b.mul(a, m.k(2.0**72)), a)
    bits = m.bits(a)
    # e / 3 as a product of floats: (e + 1/2) / 3 differs from integers by more than the rounding error.
    unit = m.k(2.0**m.mantissa)
    e = b.sub(m.value(b.or_(b.lshr(bits, m.mantissa), m.bits(unit))), b.add(unit, m.k(float(m.bias))))
    third, third_bits = m.nearest_integer(e, 1.0 / 3.0, -1.0 / 3.0, bias=m.bias)
    remainder = b.sub(e, b.mul(third, m.k(3.0)))
    scale = b.select(b.fcmp("oge", remainder, m.k(2.0)), m.k(4.0), b.add(remainder, m.k(1.0)))
    fraction = b.or_(b.and_(bits, m.i((1 << m.mantissa) - 1)), m.bits(m.k(1.0)))
    value = b.mul(m.value(fraction), scale)
    t = m.horner(value, CBRT["double"])
    cube = b.mul(b.mul(t, t), t)
    t = _closer(m, t, cube, b.sub(cube, value))
    if m.precision == "double":  # once more, with the cube as a double-word number
        square = m.two_product(t, t)
        cube, low = m.two_product(square[0], t)
        t = _closer(m, t, cube, b.add(b.sub(cube, value), b.add(b.mul(square[1], t), low)))
    result = b.mul(t, m.power_of_two(third_bits))
    result = b.select(small, b.mul(result, m.k(2.0**-24)), result)
    result = b.copysign(result, x)
    keeps = b.or_(b.fcmp("oeq", x, m.k(0.0)), b.fcmp("ueq", b.abs(x), m.k(float("inf"))))
    return b.select(keeps, x, result)
