# SPDX-License-Identifier: Apache-2.0
"""Arithmetic of complex numbers: pairs of floats."""

from __future__ import annotations

import math
from collections.abc import Callable

from ..builder import FunctionBuilder, Ir

Builder = FunctionBuilder
Pair = tuple[Ir, Ir]


def product(b: Builder, x: Pair, y: Pair) -> Pair:
    """The product, by the textbook formula."""
    return (b.sub(b.mul(x[0], y[0]), b.mul(x[1], y[1])), b.add(b.mul(x[0], y[1]), b.mul(x[1], y[0])))


def divided(b: Builder, x: Pair, y: Pair) -> Pair:
    """The quotient by Smith's algorithm (1962), which avoids intermediate overflow.

    What an infinite number divides is zero in the quotient's direction, as in C (ISO C, annex G.5.1).
    """
    infinite = [has_size(b, part, math.inf) for part in y]
    vanishing = b.or_(*infinite)
    zero, one = b.like(0.0, x[0]), b.like(1.0, x[0])
    directed = [b.copysign(b.select(i, one, zero), part) for i, part in zip(infinite, y, strict=True)]
    y = (b.select(vanishing, directed[0], y[0]), b.select(vanishing, directed[1], y[1]))
    real, imaginary = _divided(b, x, y)
    return (b.select(vanishing, b.mul(real, zero), real), b.select(vanishing, b.mul(imaginary, zero), imaginary))


def _divided(b: Builder, x: Pair, y: Pair) -> Pair:
    large = b.fcmp("oge", b.abs(y[0]), b.abs(y[1]))
    zero = b.like(0.0, x[0])
    none = b.and_(large, b.fcmp("oeq", y[0], zero))  # both parts are zero
    big, small = b.select(large, y[0], y[1]), b.select(large, y[1], y[0])
    ratio = b.select(none, zero, b.div(small, b.select(none, b.like(1.0, big), big)))
    scale = b.div(b.like(1.0, big), b.add(big, b.mul(small, ratio)))
    first, second = b.select(large, x[0], x[1]), b.select(large, x[1], x[0])
    real = b.mul(b.add(first, b.mul(second, ratio)), scale)
    # Subtracted in either order, not negated: what vanishes is a zero without a sign.
    part = b.mul(first, ratio)
    imaginary = b.mul(b.sub(b.select(large, second, part), b.select(large, part, second)), scale)
    size = b.abs(y[0])
    return (b.select(none, b.div(x[0], size), real), b.select(none, b.div(x[1], size), imaginary))


def has_size(b: Builder, part: Ir, size: float) -> Ir:
    """Whether a part is zero or infinite, whatever its sign."""
    return b.fcmp("oeq", b.abs(part), b.like(size, part))


def magnitude(b: Builder, x: Pair) -> Ir:
    """The magnitude, without intermediate overflow; infinite if a part is, even beside NaN."""
    infinity = b.like(math.inf, x[0])
    infinite = b.or_(has_size(b, x[0], math.inf), has_size(b, x[1], math.inf))
    if x[0].element == "float":
        wide = [b.convert(v, "double") for v in x]
        size = b.convert(b.sqrt(b.add(b.mul(wide[0], wide[0]), b.mul(wide[1], wide[1]))), "float")
        return b.select(infinite, infinity, size)
    real, imaginary = b.abs(x[0]), b.abs(x[1])
    high, low = b.maximum(real, imaginary), b.minimum(real, imaginary)
    zero, one = b.like(0.0, high), b.like(1.0, high)
    none = b.fcmp("oeq", high, zero)
    ratio = b.div(low, b.select(none, one, high))
    size = b.mul(high, b.sqrt(b.add(one, b.mul(ratio, ratio))))
    return b.select(infinite, infinity, b.select(none, zero, size))


def _sign(b: Builder, x: Pair) -> Pair:
    # Beside one infinite part the other is negligible; two infinite parts have no direction.
    zero, one = b.like(0.0, x[0]), b.like(1.0, x[0])
    first, second = (has_size(b, v, math.inf) for v in x)
    units = [b.copysign(b.select(infinite, one, zero), v) for infinite, v in zip((first, second), x, strict=True)]
    lone = b.xor(first, second)
    x = (b.select(lone, units[0], x[0]), b.select(lone, units[1], x[1]))
    size = magnitude(b, x)
    none = b.fcmp("oeq", size, b.like(0.0, size))
    return (b.select(none, x[0], b.div(x[0], size)), b.select(none, x[1], b.div(x[1], size)))


# Pairs to a pair.
PAIRS: dict[str, Callable[..., Pair]] = {
    "neg": lambda b, x: (b.neg(x[0]), b.neg(x[1])),
    "conj": lambda b, x: (x[0], b.neg(x[1])),
    "sign": _sign,
    "add": lambda b, x, y: (b.add(x[0], y[0]), b.add(x[1], y[1])),
    "sub": lambda b, x, y: (b.sub(x[0], y[0]), b.sub(x[1], y[1])),
    "mul": product,
    "div": divided,
}

# Pairs to one value.
PARTS: dict[str, Callable[..., Ir]] = {
    "real": lambda b, x: x[0],
    "imag": lambda b, x: x[1],
    "abs": magnitude,
    "eq": lambda b, x, y: b.and_(b.fcmp("oeq", x[0], y[0]), b.fcmp("oeq", x[1], y[1])),
    "ne": lambda b, x, y: b.or_(b.fcmp("une", x[0], y[0]), b.fcmp("une", x[1], y[1])),
}
