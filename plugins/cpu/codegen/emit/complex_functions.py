"""Transcendental functions of complex numbers by those of real ones, in float64 whatever the numbers' type.

The inverse functions are W. Kahan's ("Branch cuts for complex elementary functions", 1987): they keep their digits and
the sign of zero on branch cuts. Infinities, NaN and zeros follow C99's annex G, as NumPy does: by selects, and in the
inverse functions in a cold block, which is for numbers that would overflow on the way as well.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from ..builder import FunctionBuilder, Ir
from ..math import emit_math
from .complexes import Pair, divided, has_size, magnitude, product

Builder = FunctionBuilder

# From here on the inverse functions are logarithms and angles to the last digit.
_FAR = 2.0**300


def emit_complex(b: Builder, name: str, *operands: Pair) -> Pair:
    """Writes a function of complex numbers."""
    element = operands[0][0].element
    wide = [(b.convert(x[0], "double"), b.convert(x[1], "double")) for x in operands]
    real, imaginary = FUNCTIONS[name](b, *wide)
    return (b.convert(real, element), b.convert(imaginary, element))


def _f(b: Builder, name: str, *x: Ir) -> Ir:
    return emit_math(b, name, *x)


def _k(b: Builder, value: float, x: Pair) -> Ir:
    return b.like(value, x[0])


def _held(b: Builder, size: Ir, wave: Ir, sure: Ir) -> Ir:
    """The product with a sine or cosine; where it is sure it stays zero or infinite beside an angle that is none."""
    return b.mul(size, b.select(b.and_(sure, b.fcmp("uno", wave, wave)), b.like(1.0, wave), wave))


def _exp(b: Builder, x: Pair) -> Pair:
    size, infinite = _f(b, "exp", x[0]), has_size(b, x[0], math.inf)
    real = _held(b, size, _f(b, "cos", x[1]), infinite)
    # A zero stays one beside infinity and NaN, here and below.
    bounded = b.select(has_size(b, x[1], 0.0), _k(b, 1.0, x), size)
    return (real, _held(b, bounded, _f(b, "sin", x[1]), b.fcmp("oeq", x[0], _k(b, -math.inf, x))))


def _expm1(b: Builder, x: Pair) -> Pair:
    half = _f(b, "sin", b.mul(x[1], _k(b, 0.5, x)))
    less = b.mul(_k(b, 2.0, x), b.mul(half, half))
    real = b.sub(b.mul(_f(b, "expm1", x[0]), _f(b, "cos", x[1])), less)
    return (real, b.mul(_f(b, "exp", x[0]), _f(b, "sin", x[1])))


def _log(b: Builder, x: Pair) -> Pair:
    # Near one the logarithm lives on what the square's distance from one is.
    moved = (b.sub(x[0], _k(b, 1.0, x)), x[1])
    return (_log_size(b, moved, x), _f(b, "atan2", x[1], x[0]))


def _log1p(b: Builder, x: Pair) -> Pair:
    plus = (b.add(x[0], _k(b, 1.0, x)), x[1])
    return (_log_size(b, x, plus), _f(b, "atan2", x[1], plus[0]))


def _log_size(b: Builder, x: Pair, plus: Pair) -> Ir:
    """The logarithm of the size of a number, given it and the number one less."""
    square = b.add(b.mul(x[0], b.add(x[0], _k(b, 2.0, x))), b.mul(x[1], x[1]))
    near = b.mul(_k(b, 0.5, x), _f(b, "log1p", square))
    return b.select(b.fcmp("olt", b.abs(square), _k(b, 0.5, x)), near, _f(b, "log", magnitude(b, plus)))


def _sqrt(b: Builder, x: Pair) -> Pair:
    zero, half = _k(b, 0.0, x), _k(b, 0.5, x)
    size = magnitude(b, x)
    large = b.sqrt(b.add(b.mul(size, half), b.mul(b.abs(x[0]), half)))
    none = b.fcmp("oeq", large, zero)
    small = b.select(none, zero, b.div(b.mul(b.abs(x[1]), half), b.select(none, _k(b, 1.0, x), large)))
    infinite = has_size(b, x[1], math.inf)
    large, small = (b.select(infinite, b.abs(x[1]), part) for part in (large, small))
    right = b.fcmp("oge", x[0], zero)
    return (b.select(right, large, small), b.copysign(b.select(right, small, large), x[1]))


def _rsqrt(b: Builder, x: Pair) -> Pair:
    return divided(b, (_k(b, 1.0, x), _k(b, 0.0, x)), _sqrt(b, x))


def _logistic(b: Builder, x: Pair) -> Pair:
    real, imaginary = _exp(b, (b.neg(x[0]), b.neg(x[1])))
    return divided(b, (_k(b, 1.0, x), _k(b, 0.0, x)), (b.add(real, _k(b, 1.0, x)), imaginary))


def _sinh(b: Builder, x: Pair) -> Pair:
    sure = b.or_(has_size(b, x[0], math.inf), has_size(b, x[0], 0.0))
    real = _held(b, _f(b, "sinh", x[0]), _f(b, "cos", x[1]), sure)
    bounded = b.select(has_size(b, x[1], 0.0), _k(b, 1.0, x), _f(b, "cosh", x[0]))
    return (real, b.mul(bounded, _f(b, "sin", x[1])))


def _cosh(b: Builder, x: Pair) -> Pair:
    real = _held(b, _f(b, "cosh", x[0]), _f(b, "cos", x[1]), has_size(b, x[0], math.inf))
    bounded = b.select(has_size(b, x[1], 0.0), b.copysign(_k(b, 1.0, x), x[0]), _f(b, "sinh", x[0]))
    return (real, _held(b, bounded, _f(b, "sin", x[1]), has_size(b, x[0], 0.0)))


def _tanh(b: Builder, x: Pair) -> Pair:
    zero, one, size = _k(b, 0.0, x), _k(b, 1.0, x), b.abs(x[0])
    sine, cosine = _f(b, "sin", x[1]), _f(b, "cos", x[1])
    # Far out only the last digits of one differ, and the hyperbolic sine overflows.
    far = b.fcmp("ogt", size, _k(b, 20.0, x))
    sinh = _f(b, "sinh", b.select(far, one, x[0]))
    cosh = b.sqrt(b.add(one, b.mul(sinh, sinh)))
    bottom = b.add(b.mul(cosine, cosine), b.mul(sinh, sinh))
    decay = _f(b, "exp", b.mul(_k(b, -2.0, x), size))
    wave = b.mul(sine, cosine)
    far_imaginary = _held(b, b.mul(_k(b, 4.0, x), decay), wave, has_size(b, x[0], math.inf))
    # Adds nothing, or NaN.
    far_real = b.add(b.copysign(one, x[0]), b.mul(zero, far_imaginary))
    real = b.select(far, far_real, b.div(b.mul(cosh, sinh), bottom))
    imaginary = b.select(far, far_imaginary, b.div(wave, bottom))
    return (b.select(has_size(b, x[0], 0.0), x[0], real), b.select(has_size(b, x[1], 0.0), x[1], imaginary))


def _unless_far(b: Builder, x: Pair, usual: Pair, far: Callable[[], Pair]) -> Pair:
    """A function's value, or another in a cold block for infinities, NaN and what would overflow."""
    odd = b.fcmp("uge", b.add(b.abs(x[0]), b.abs(x[1])), _k(b, _FAR, x))

    def rare() -> Pair:
        real, imaginary = far()
        return (b.select(odd, real, usual[0]), b.select(odd, imaginary, usual[1]))

    real, imaginary = b.rarely(b.any(odd), usual, rare)
    return (real, imaginary)


def _far_log(b: Builder, x: Pair) -> Ir:
    """The logarithm of twice the size, by that of half of it, which does not overflow."""
    half = (b.mul(x[0], _k(b, 0.5, x)), b.mul(x[1], _k(b, 0.5, x)))
    return b.add(_f(b, "log", magnitude(b, half)), _k(b, math.log(4.0), x))


def _height(b: Builder, x: Pair) -> Ir:
    """The imaginary part's size; infinite on the imaginary axis, whose angle is known beside NaN."""
    return b.select(has_size(b, x[0], 0.0), _k(b, math.inf, x), b.abs(x[1]))


def _asin(b: Builder, x: Pair) -> Pair:
    low, high = _roots(b, x)
    imaginary = _f(b, "asinh", b.sub(b.mul(low[0], high[1]), b.mul(low[1], high[0])))
    usual = (_f(b, "atan2", x[0], product(b, low, high)[0]), imaginary)
    return _unless_far(b, x, usual, lambda: (
        _f(b, "atan2", x[0], _height(b, x)), b.copysign(_far_log(b, x), x[1])))


def _acos(b: Builder, x: Pair) -> Pair:
    low, high = _roots(b, x)
    imaginary = _f(b, "asinh", b.sub(b.mul(high[0], low[1]), b.mul(high[1], low[0])))
    usual = (b.mul(_k(b, 2.0, x), _f(b, "atan2", low[0], high[0])), imaginary)
    return _unless_far(b, x, usual, lambda: (
        _f(b, "atan2", _height(b, x), x[0]), b.copysign(_far_log(b, x), b.neg(x[1]))))


def _roots(b: Builder, x: Pair) -> tuple[Pair, Pair]:
    """The roots of 1 - x and of 1 + x."""
    one = _k(b, 1.0, x)
    return _sqrt(b, (b.sub(one, x[0]), b.neg(x[1]))), _sqrt(b, (b.add(one, x[0]), x[1]))


def _acosh(b: Builder, x: Pair) -> Pair:
    one = _k(b, 1.0, x)
    low, high = _sqrt(b, (b.sub(x[0], one), x[1])), _sqrt(b, (b.add(x[0], one), x[1]))
    real = _f(b, "asinh", b.add(b.mul(low[0], high[0]), b.mul(low[1], high[1])))
    usual = (real, b.mul(_k(b, 2.0, x), _f(b, "atan2", low[1], high[0])))
    return _unless_far(b, x, usual, lambda: (
        _far_log(b, x), _f(b, "atan2", b.copysign(_height(b, x), x[1]), x[0])))


def _atanh(b: Builder, x: Pair) -> Pair:
    one, square = _k(b, 1.0, x), b.mul(x[1], x[1])
    less, more = b.sub(one, x[0]), b.add(one, x[0])
    # Left of zero the ratio would come near minus one and lose its digits: the function is odd.
    size = b.abs(x[0])
    rest = b.sub(one, size)
    ratio = b.div(b.mul(_k(b, 4.0, x), size), b.add(b.mul(rest, rest), square))
    angle = _f(b, "atan2", b.mul(_k(b, 2.0, x), x[1]), b.sub(b.mul(less, more), square))
    real = b.copysign(b.mul(_k(b, 0.25, x), _f(b, "log1p", ratio)), x[0])
    return _unless_far(b, x, (real, b.mul(_k(b, 0.5, x), angle)), lambda: _far_atanh(b, x))


def _far_atanh(b: Builder, x: Pair) -> Pair:
    """The inverse, a right angle away."""
    size, infinite = magnitude(b, x), has_size(b, x[1], math.inf)
    none = b.or_(has_size(b, x[0], 0.0), has_size(b, size, math.inf))
    real = b.select(none, b.copysign(_k(b, 0.0, x), x[0]), b.div(b.div(x[0], size), size))
    known = b.or_(infinite, b.fcmp("ord", x[0], x[1]))
    return (real, b.copysign(b.select(known, _k(b, math.pi / 2, x), _k(b, math.nan, x)), x[1]))


def _turned(function: Callable[[Builder, Pair], Pair]) -> Callable[[Builder, Pair], Pair]:
    """The circular function of a hyperbolic one, or the other way about: f(x) = -i g(i x)."""

    def emit(b: Builder, x: Pair) -> Pair:
        real, imaginary = function(b, (b.neg(x[1]), x[0]))
        return (imaginary, b.neg(real))

    return emit


def _cos(b: Builder, x: Pair) -> Pair:
    return _cosh(b, (b.neg(x[1]), x[0]))


def _pow(b: Builder, x: Pair, y: Pair) -> Pair:
    """exp(y log x); zero to a power with a positive real part is zero, anything to zero is one."""
    zero, one = _k(b, 0.0, x), _k(b, 1.0, x)
    real, imaginary = _exp(b, product(b, y, _log(b, x)))
    nothing = b.and_(b.fcmp("oeq", x[0], zero), b.fcmp("oeq", x[1], zero))
    nothing = b.and_(nothing, b.fcmp("ogt", y[0], zero))
    always = b.and_(b.fcmp("oeq", y[0], zero), b.fcmp("oeq", y[1], zero))
    real = b.select(always, one, b.select(nothing, zero, real))
    return (real, b.select(b.or_(always, nothing), zero, imaginary))


FUNCTIONS: dict[str, Callable[..., Pair]] = {
    "exp": _exp,
    "expm1": _expm1,
    "log": _log,
    "log1p": _log1p,
    "sqrt": _sqrt,
    "rsqrt": _rsqrt,
    "logistic": _logistic,
    "sinh": _sinh,
    "cosh": _cosh,
    "tanh": _tanh,
    "sin": _turned(_sinh),
    "cos": _cos,
    "tan": _turned(_tanh),
    "asin": _asin,
    "acos": _acos,
    "asinh": _turned(_asin),
    "acosh": _acosh,
    "atanh": _atanh,
    "atan": _turned(_atanh),
    "pow": _pow,
}
