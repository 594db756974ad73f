# SPDX-License-Identifier: Apache-2.0
"""Powers: exp(y log x) with the logarithm in double-word arithmetic."""

from __future__ import annotations

import math

from ..builder import FunctionBuilder, Ir
from .exponential import exp, exp_of_sum
from .logarithm import log, log_as_double_word
from .math_builder import MathBuilder


def needs_slow_path(b: FunctionBuilder, x: Ir, y: Ir) -> Ir:
    """Whether operands, in their own type, are outside of the domain of `_positive`."""
    # A power is 0, 1 or infinite long before y is as large as this, unless x is 1.
    positive = b.and_(b.fcmp("ogt", x, b.like(0.0, x)), b.fcmp("olt", x, b.like(math.inf, x)))
    return b.not_(b.and_(positive, b.fcmp("olt", b.abs(y), b.like(2.0**80, y))))


def pow_(m: MathBuilder, x: Ir, y: Ir) -> Ir:
    """X to the power of y, with all special cases of IEEE 754."""
    if m.side_exit is None:
        return _of_any(m, x, y)
    m.side_exit()
    return _positive(m, x, y)


def _positive(m: MathBuilder, x: Ir, y: Ir) -> Ir:
    """The power of a positive finite number for bounded y; undefined for others."""
    if m.precision != "double":
        return exp(m, m.b.mul(y, log(m, x, anything=True)))
    high, low = log_as_double_word(m, x)
    product, error = m.two_product(y, high)
    return exp_of_sum(m, (product, m.b.fma(y, low, error)))


def _of_any(m: MathBuilder, x: Ir, y: Ir) -> Ir:
    b = m.b
    zero, one, infinity = m.k(0.0), m.k(1.0), m.k(math.inf)
    size = b.abs(x)
    regular = b.and_(b.fcmp("ogt", size, zero), b.fcmp("olt", size, infinity))
    result = _positive(m, b.select(regular, size, one), m.clamped(y, -(2.0**80), 2.0**80))
    # Of zero and infinity: zero or infinity.
    up = b.xor(b.fcmp("ogt", size, one), b.fcmp("olt", y, zero))
    result = b.select(regular, result, b.select(up, infinity, zero))
    half = b.mul(y, m.k(0.5))
    is_integer = b.fcmp("oeq", b.trunc(y), y)
    odd = b.and_(is_integer, b.fcmp("one", b.trunc(half), half))
    negative = b.icmp("slt", m.bits(x), m.i(0))
    result = b.select(b.and_(negative, odd), b.neg(result), result)
    lacking = b.and_(b.and_(negative, regular), b.not_(is_integer))
    result = b.select(lacking, m.k(math.nan), result)
    result = b.select(b.fcmp("uno", x, y), m.k(math.nan), result)
    ones = b.or_(b.fcmp("oeq", y, zero), b.fcmp("oeq", x, one))
    unit = b.and_(b.fcmp("oeq", size, one), b.fcmp("oeq", b.abs(y), infinity))
    return b.select(b.or_(ones, unit), one, result)
