# SPDX-License-Identifier: Apache-2.0
"""erf, erfc and erf_inv."""

from __future__ import annotations

import math

from olympus_core.toolkit.polynomials import coefficients

from ..builder import Ir
from .exponential import exp2_within, exp_of_sum
from .logarithm import log
from .math_builder import MathBuilder

ERF = coefficients("ERF")
ERF_INV = coefficients("ERF_INV")
ERF_INV_MIDDLE = coefficients("ERF_INV_MIDDLE")
ERF_INV_TAIL = coefficients("ERF_INV_TAIL")
ERF_TAIL = coefficients("ERF_TAIL")
ERFC = coefficients("ERFC")
ERFC_WHOLE = coefficients("ERFC_WHOLE")


def _tail(m: MathBuilder, a: Ir) -> Ir:
    """The complement of erf: exp(-a * a) (1 + P(t)) / (1 + 2 a), t = (a - 4) / (a + 4) for a >= 1/2.

    In float32 the formula holds for all a that are not negative, with t = (a - 2) / (a + 2).
    """
    b = m.b
    centre, limit, family = (2.0, 10.5, ERFC_WHOLE) if m.precision == "float" else (4.0, 28.0, ERFC)
    a = m.clamped(a, None, limit)
    t = b.div(b.sub(a, m.k(centre)), b.add(a, m.k(centre)))
    scaled = b.div(b.add(m.polynomial(t, family), m.k(1.0)), b.fma(a, m.k(2.0), m.k(1.0)))
    high, low = m.two_product(a, a)
    return exp_of_sum(m, (b.neg(high), b.neg(low)), scaled)


def _centre(m: MathBuilder, x: Ir) -> Ir:
    square = m.b.mul(x, x)
    return m.b.fma(x, m.polynomial(square, ERF), x)


def erf(m: MathBuilder, x: Ir) -> Ir:
    """The error function: a polynomial up to 1, one minus a tail beyond."""
    b = m.b
    a = b.abs(x)
    if m.precision == "float":
        # The tail is a power of two of a polynomial; its relative error is negligible beside one.
        tail = exp2_within(m, m.polynomial(m.clamped(a, None, 4.0), ERF_TAIL))
    else:
        tail = _tail(m, b.select(b.fcmp("olt", a, m.k(0.5)), m.k(0.5), a))
    outside = b.copysign(b.sub(m.k(1.0), tail), x)
    return b.select(b.fcmp("olt", a, m.k(1.0)), _centre(m, x), outside)


def erfc(m: MathBuilder, x: Ir) -> Ir:
    """The complement of the error function, without cancellation."""
    b = m.b
    a = b.abs(x)
    negative = b.fcmp("olt", x, m.k(0.0))
    if m.precision == "float":
        tail = _tail(m, a)
        return b.select(negative, b.sub(m.k(2.0), tail), tail)
    small = b.fcmp("olt", a, m.k(0.5))
    tail = _tail(m, b.select(small, m.k(0.5), a))
    result = b.select(negative, b.sub(m.k(2.0), tail), tail)
    square = b.mul(x, x)
    # Near zero: 1 - x - x P, exact parts first.
    near, rest = m.fast_two_sum(m.k(1.0), b.neg(x))
    centre = b.add(near, b.sub(rest, b.mul(x, m.polynomial(square, ERF))))
    return b.select(small, centre, b.select(b.fcmp("uno", x, x), x, result))


def erf_inv(m: MathBuilder, x: Ir) -> Ir:
    """The inverse of the error function: x plus x times polynomials of w = -log(1 - x * x) or of its root."""
    b = m.b
    a = b.abs(x)
    inside = b.fcmp("olt", a, m.k(1.0))
    safe = b.select(inside, a, m.k(0.0))
    w = b.neg(log(m, b.mul(b.sub(m.k(1.0), safe), b.add(m.k(1.0), safe)), anything=True))
    root = b.sqrt(b.select(b.fcmp("ogt", w, m.k(1.0)), w, m.k(1.0)))
    factor = m.polynomial(b.sub(w, m.k(3.0)), ERF_INV)
    middle = m.polynomial(b.sub(root, m.k(3.25)), ERF_INV_MIDDLE)
    factor = b.select(b.fcmp("olt", w, m.k(6.25)), factor, middle)
    if m.precision == "double":
        tail = m.polynomial(b.sub(root, m.k(5.0)), ERF_INV_TAIL)
        factor = b.select(b.fcmp("olt", w, m.k(17.5)), factor, tail)
    result = b.fma(x, factor, x)
    edge = b.select(b.fcmp("oeq", a, m.k(1.0)), b.copysign(m.k(math.inf), x), m.k(math.nan))
    return b.select(inside, b.copysign(result, x), edge)
