# SPDX-License-Identifier: Apache-2.0
"""Mathematical constants as exact fractions, and their splits into several floats (Cody-Waite)."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache

LN2 = Fraction("0.693147180559945309417232121458176568075500134360255254120680009493393621969694715605863326996418687")
PI = Fraction("3.141592653589793238462643383279502884197169399375105820974944592307816406286208998628034825342117068")

DIGITS = {"float": 24, "double": 53}


def nearest(value: Fraction, element: str) -> Fraction:
    """The nearest float of a type, for constants far from underflow and overflow."""
    if not value:
        return value
    exponent = math.frexp(float(value))[1]
    unit = Fraction(2) ** (exponent - DIGITS[element])
    return Fraction(round(value / unit)) * unit


@lru_cache(None)
def split_constant(value: Fraction, element: str, count: int, digits: int = 0) -> tuple[float, ...]:
    """A constant as an unevaluated sum of floats.

    Args:
        value: The constant.
        element: The floats' type.
        count: How many.
        digits: Binary digits of each but the last, so that products with small integers are exact; 0 for all.
    """
    parts = []
    for i in range(count):
        if digits and i < count - 1:
            unit = Fraction(2) ** (math.frexp(float(value))[1] - digits)
            part = Fraction(math.floor(value / unit)) * unit  # the remainder stays positive
        else:
            part = nearest(value, element)
        parts.append(float(part))
        value -= part
    return tuple(parts)


@lru_cache(None)
def inverse_pi_words(count: int) -> tuple[int, ...]:
    """The fraction of 1 / pi in 64-bit words, the most significant first; by Machin's formula."""
    guard = 64
    one = 1 << (64 * count + guard)

    def inverse_tangent(divisor: int) -> int:
        power = total = one // divisor
        square, k, sign = divisor * divisor, 1, -1
        while power:
            power //= square
            k += 2
            total += sign * (power // k)
            sign = -sign
        return total

    pi = 4 * (4 * inverse_tangent(5) - inverse_tangent(239))
    inverse = (one * one // pi) >> guard
    mask = (1 << 64) - 1
    return tuple((inverse >> (64 * (count - 1 - i))) & mask for i in range(count))
