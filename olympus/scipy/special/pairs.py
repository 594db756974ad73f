# SPDX-License-Identifier: Apache-2.0
"""Numbers of twice a type's digits, as unevaluated sums of two, for series whose terms cancel."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...operands import dtype_of

_SPLITS = {np.dtype(np.float32): 2.0**12 + 1, np.dtype(np.float64): 2.0**27 + 1}


class Pair(NamedTuple):
    """The sum of a number and of what it is off by, at most half of its last digit.

    Operators are T. J. Dekker's, A floating-point technique for extending the available precision, Numerische
    Mathematik 18 (1971). Differentiated, they give the tangent as a pair too: each of their steps is linear in it.
    """

    high: Any
    low: Any

    def __add__(self, other: Any) -> Pair:
        a, b = self, _pair(other, self)
        total, rest = two_sum(a.high, b.high)
        return _normal(total, rest + (a.low + b.low))

    def __radd__(self, other: Any) -> Pair:
        return self + other

    def __neg__(self) -> Pair:
        return Pair(-self.high, -self.low)

    def __sub__(self, other: Any) -> Pair:
        return self + -_pair(other, self)

    def __rsub__(self, other: Any) -> Pair:
        return -self + other

    def __mul__(self, other: Any) -> Pair:
        b = _pair(other, self)
        product, rest = _product(self.high, b.high)
        return _normal(product, rest + (self.high * b.low + self.low * b.high))

    def __rmul__(self, other: Any) -> Pair:
        return self * other

    def __truediv__(self, other: Any) -> Pair:
        b = _pair(other, self)
        first = self.high / b.high
        rest = self - b * first
        return _normal(first, (rest.high + rest.low) / b.high)

    def __rtruediv__(self, other: Any) -> Pair:
        return _pair(other, self) / self


def _pair(x: Any, like: Any) -> Pair:
    if isinstance(x, Pair):
        return x
    x = x + 0 * like.high
    return Pair(x, 0 * x)


def _normal(high: Any, low: Any) -> Pair:
    total = high + low
    return Pair(total, low - (total - high))


def two_sum(a: Any, b: Any) -> tuple[Any, Any]:
    """A sum, and what it is off by."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def _halves(x: Any) -> tuple[Any, Any]:
    big = x * _SPLITS[np.dtype(dtype_of(x))]
    high = big - (big - x)
    return high, x - high


def _product(a: Any, b: Any) -> tuple[Any, Any]:
    product = a * b
    (p, q), (r, s) = _halves(a), _halves(b)
    return product, ((p * r - product) + p * s + q * r) + q * s
