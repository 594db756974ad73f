# SPDX-License-Identifier: Apache-2.0
"""Transcendental functions of complex numbers by real ones, computed in float64 for both element types.

The inverse functions are W. Kahan's ("Branch cuts for complex elementary functions", 1987): they are accurate and
honour the sign of zero on branch cuts. Infinities, NaN and zeros follow C99's annex G, as in NumPy: by selects, and in
the inverse functions in a cold block. Cold blocks also handle intermediate overflow and underflow.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from ..builder import FunctionBuilder, Ir
from ..math import emit_math
from .complexes import Pair, divided, has_size, magnitude, product

Builder = FunctionBuilder

# From this magnitude on the inverse functions equal logarithms and angles to the last digit.
_FAR = 2.0**300
# Below this magnitude squares underflow.
_NEAR = 2.0**-500

# The greatest integer whose exponential is finite, and that exponential.
_LIMIT, _GREAT = 709.0, 8.218407461554972189241372386598e307


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


def _scaled_circular(b: Builder, size: Ir, factor: Ir, sure: Ir) -> Ir:
    """The product of a magnitude with a sine or cosine; where `sure`, a NaN of the angle does not propagate."""
    is_nan = b.fcmp("uno", factor, factor)
    return b.mul(size, b.select(b.and_(sure, is_nan), b.like(1.0, factor), factor))


def _unless(b: Builder, odd: Ir, usual: Pair, function: Callable[[], Pair]) -> Pair:
    """A function's value, replaced under a mask by another one computed in a cold block."""

    def rare() -> Pair:
        real, imaginary = function()
        return (b.select(odd, real, usual[0]), b.select(odd, imaginary, usual[1]))

    real, imaginary = b.rarely(b.any(odd), usual, rare)
    return (real, imaginary)


def _unless_great(b: Builder, exponent: Ir, usual: Pair, circular: Pair, share: float = 1.0) -> Pair:
    """Sine and cosine times a share of an exponential, by several factors where only the exponential overflows."""
    limit = b.like(_LIMIT, exponent)
    great = b.and_(b.fcmp("ogt", exponent, limit), b.fcmp("olt", exponent, b.like(math.inf, exponent)))

    def stepwise() -> Pair:
        # Three factors suffice even for the least wave. The subtraction from the exponent is exact.
        rest = b.sub(exponent, limit)
        above = b.fcmp("ogt", rest, limit)
        second = b.select(above, b.like(_GREAT, rest), b.like(1.0, rest))
        third = _f(b, "exp", b.minimum(b.select(above, b.sub(rest, limit), rest), limit))
        real, imaginary = (b.mul(b.mul(b.mul(w, b.like(share * _GREAT, w)), second), third) for w in circular)
        return (real, imaginary)

    return _unless(b, great, usual, stepwise)


def _cosine_and_sine(b: Builder, x: Pair) -> Pair:
    """The cosine and the sine of the imaginary part."""
    return (_f(b, "cos", x[1]), _f(b, "sin", x[1]))


def _exp(b: Builder, x: Pair) -> Pair:
    circular = _cosine_and_sine(b, x)
    return _unless_great(b, x[0], _usual_exp(b, x, circular), circular)


def _usual_exp(b: Builder, x: Pair, circular: Pair) -> Pair:
    """The exponential, where that of the real part does not overflow."""
    (cosine, sine), size, infinite = circular, _f(b, "exp", x[0]), has_size(b, x[0], math.inf)
    real = _scaled_circular(b, size, cosine, infinite)
    # A zero part stays zero beside infinity and NaN, here and below.
    bounded = b.select(has_size(b, x[1], 0.0), _k(b, 1.0, x), size)
    return (real, _scaled_circular(b, bounded, sine, b.fcmp("oeq", x[0], _k(b, -math.inf, x))))


def _expm1(b: Builder, x: Pair) -> Pair:
    half = _f(b, "sin", b.mul(x[1], _k(b, 0.5, x)))
    less = b.mul(_k(b, 2.0, x), b.mul(half, half))
    cosine, sine = circular = _cosine_and_sine(b, x)
    usual, zero = _usual_exp(b, x, circular), has_size(b, x[1], 0.0)
    whole = _f(b, "expm1", x[0])
    real = b.select(zero, whole, b.sub(b.mul(whole, cosine), less))
    real = b.select(has_size(b, x[0], math.inf), b.sub(usual[0], _k(b, 1.0, x)), real)
    return _unless_great(b, x[0], (real, b.select(zero, x[1], usual[1])), circular)


def _log(b: Builder, x: Pair) -> Pair:
    # Near magnitude one the logarithm depends on the distance of the square from one.
    real, imaginary = b.abs(x[0]), b.abs(x[1])
    moved = (b.sub(b.maximum(real, imaginary), _k(b, 1.0, x)), b.minimum(real, imaginary))
    return (_log_size(b, moved, x), _f(b, "atan2", x[1], x[0]))


def _log1p(b: Builder, x: Pair) -> Pair:
    plus = (b.add(x[0], _k(b, 1.0, x)), x[1])
    return (_log_size(b, x, plus), _f(b, "atan2", x[1], plus[0]))


def _log_size(b: Builder, x: Pair, plus: Pair) -> Ir:
    """The logarithm of the magnitude of a number `plus`, given it and the number x = plus - 1."""
    square = b.add(b.mul(x[0], b.add(x[0], _k(b, 2.0, x))), b.mul(x[1], x[1]))
    near = b.mul(_k(b, 0.5, x), _f(b, "log1p", square))
    # Scaled, because subnormal magnitudes have few digits and magnitudes of large parts overflow.
    part = b.maximum(b.abs(plus[0]), b.abs(plus[1]))
    tiny, great = b.fcmp("olt", part, _k(b, 2.0**-1022, x)), b.fcmp("ogt", part, _k(b, 2.0**1020, x))
    scale, shift = (
        b.select(tiny, _k(b, up, x), b.select(great, _k(b, down, x), _k(b, same, x)))
        for up, down, same in ((2.0**107, 2.0**-4, 1.0), (107 * math.log(2), -4 * math.log(2), 0.0)))
    size = _f(b, "log", magnitude(b, (b.mul(plus[0], scale), b.mul(plus[1], scale))))
    return b.select(b.fcmp("olt", b.abs(square), _k(b, 0.5, x)), near, b.sub(size, shift))


def _sqrt(b: Builder, x: Pair) -> Pair:
    zero = _k(b, 0.0, x)
    # The root of (|x| + |re|) / 2, scaled so that no digit is lost at either end of the range.
    room = b.fcmp("olt", b.maximum(b.abs(x[0]), b.abs(x[1])), _k(b, 2.0**900, x))
    scale, back = (b.select(room, _k(b, a, x), _k(b, c, x)) for a, c in ((2.0**107, 2.0**-3), (2.0**-54, 2.0)))
    near = (b.mul(b.abs(x[0]), scale), b.mul(b.abs(x[1]), scale))
    large = b.sqrt(b.add(magnitude(b, near), near[0]))
    none = b.fcmp("oeq", large, zero)
    small = b.select(none, zero, b.div(near[1], b.select(none, _k(b, 1.0, x), large)))
    infinite = has_size(b, x[1], math.inf)
    large, small = (b.select(infinite, b.abs(x[1]), b.mul(part, back)) for part in (large, small))
    right = b.fcmp("oge", x[0], zero)
    return (b.select(right, large, small), b.copysign(b.select(right, small, large), x[1]))


def _rsqrt(b: Builder, x: Pair) -> Pair:
    root, zero = _sqrt(b, x), _k(b, 0.0, x)
    real, imaginary = divided(b, (_k(b, 1.0, x), zero), root)
    none = b.and_(has_size(b, root[0], math.inf), has_size(b, root[1], math.inf))
    return (b.select(none, zero, real), b.select(none, b.copysign(zero, b.neg(root[1])), imaginary))


def _logistic(b: Builder, x: Pair) -> Pair:
    # By the exponential of magnitude at most one, which is the result where it is negligible beside one.
    left = b.fcmp("olt", x[0], _k(b, 0.0, x))
    less = (b.neg(b.abs(x[0])), b.select(left, x[1], b.neg(x[1])))
    power = _usual_exp(b, less, _cosine_and_sine(b, less))
    top = (b.select(left, power[0], _k(b, 1.0, x)), b.select(left, power[1], _k(b, 0.0, x)))
    return divided(b, top, (b.add(power[0], _k(b, 1.0, x)), power[1]))


def _sinh(b: Builder, x: Pair) -> Pair:
    sure = b.or_(has_size(b, x[0], math.inf), has_size(b, x[0], 0.0))
    cosine, sine = _cosine_and_sine(b, x)
    real = _scaled_circular(b, _f(b, "sinh", x[0]), cosine, sure)
    bounded = b.select(has_size(b, x[1], 0.0), _k(b, 1.0, x), _f(b, "cosh", x[0]))
    circular = (b.mul(b.copysign(_k(b, 1.0, x), x[0]), cosine), sine)
    return _unless_great(b, b.abs(x[0]), (real, b.mul(bounded, sine)), circular, 0.5)


def _cosh(b: Builder, x: Pair) -> Pair:
    cosine, sine = _cosine_and_sine(b, x)
    real = _scaled_circular(b, _f(b, "cosh", x[0]), cosine, has_size(b, x[0], math.inf))
    bounded = b.select(has_size(b, x[1], 0.0), b.copysign(_k(b, 1.0, x), x[0]), _f(b, "sinh", x[0]))
    usual = (real, _scaled_circular(b, bounded, sine, has_size(b, x[0], 0.0)))
    return _unless_great(b, b.abs(x[0]), usual, (cosine, b.mul(b.copysign(_k(b, 1.0, x), x[0]), sine)), 0.5)


def _tanh(b: Builder, x: Pair) -> Pair:
    zero, one, size = _k(b, 0.0, x), _k(b, 1.0, x), b.abs(x[0])
    cosine, sine = _cosine_and_sine(b, x)
    # For large real parts the result is one up to the last digits, and sinh overflows.
    far = b.fcmp("ogt", size, _k(b, 20.0, x))
    sinh = _f(b, "sinh", b.select(far, one, x[0]))
    cosh = b.sqrt(b.add(one, b.mul(sinh, sinh)))
    bottom = b.add(b.mul(cosine, cosine), b.mul(sinh, sinh))
    decay = _f(b, "exp", b.mul(_k(b, -2.0, x), size))
    circular_part = b.mul(sine, cosine)
    far_imaginary = _scaled_circular(b, b.mul(_k(b, 4.0, x), decay), circular_part, has_size(b, x[0], math.inf))
    # Adds zero, or propagates NaN.
    far_real = b.add(b.copysign(one, x[0]), b.mul(zero, far_imaginary))
    real = b.select(far, far_real, b.div(b.mul(cosh, sinh), bottom))
    imaginary = b.select(far, far_imaginary, b.div(circular_part, bottom))
    return (b.select(has_size(b, x[0], 0.0), x[0], real), b.select(has_size(b, x[1], 0.0), x[1], imaginary))


def _unless_far(b: Builder, x: Pair, usual: Pair, far: Callable[[], Pair]) -> Pair:
    """A function's value, or another one for infinities, NaN and large numbers."""
    return _unless(b, b.fcmp("uge", b.add(b.abs(x[0]), b.abs(x[1])), _k(b, _FAR, x)), usual, far)


def _log_of_large(b: Builder, x: Pair) -> Ir:
    """The logarithm of twice the magnitude, computed of half of it, which does not overflow."""
    half = (b.mul(x[0], _k(b, 0.5, x)), b.mul(x[1], _k(b, 0.5, x)))
    return b.add(_f(b, "log", magnitude(b, half)), _k(b, math.log(4.0), x))


def _imaginary_magnitude(b: Builder, x: Pair) -> Ir:
    """The magnitude of the imaginary part; infinite on the imaginary axis, whose angle is known even beside NaN."""
    return b.select(has_size(b, x[0], 0.0), _k(b, math.inf, x), b.abs(x[1]))


def _asin(b: Builder, x: Pair) -> Pair:
    low, high = _roots(b, x)
    imaginary = _f(b, "asinh", b.sub(b.mul(low[0], high[1]), b.mul(low[1], high[0])))
    usual = (_f(b, "atan2", x[0], product(b, low, high)[0]), imaginary)
    return _unless_far(b, x, usual, lambda: (
        _f(b, "atan2", x[0], _imaginary_magnitude(b, x)), b.copysign(_log_of_large(b, x), x[1])))


def _acos(b: Builder, x: Pair) -> Pair:
    low, high = _roots(b, x)
    imaginary = _f(b, "asinh", b.sub(b.mul(high[0], low[1]), b.mul(high[1], low[0])))
    usual = (b.mul(_k(b, 2.0, x), _f(b, "atan2", low[0], high[0])), imaginary)
    return _unless_far(b, x, usual, lambda: (
        _f(b, "atan2", _imaginary_magnitude(b, x), x[0]), b.copysign(_log_of_large(b, x), b.neg(x[1]))))


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
        _log_of_large(b, x), _f(b, "atan2", b.copysign(_imaginary_magnitude(b, x), x[1]), x[0])))


def _atanh(b: Builder, x: Pair) -> Pair:
    one, square = _k(b, 1.0, x), b.mul(x[1], x[1])
    less, more = b.sub(one, x[0]), b.add(one, x[0])
    # For negative x the ratio would cancel near -1; the function is odd.
    size = b.abs(x[0])
    rest = b.sub(one, size)
    ratio = b.div(b.mul(_k(b, 4.0, x), size), b.add(b.mul(rest, rest), square))
    angle = _f(b, "atan2", b.mul(_k(b, 2.0, x), x[1]), b.sub(b.mul(less, more), square))
    real = b.copysign(b.mul(_k(b, 0.25, x), _f(b, "log1p", ratio)), x[0])
    usual = (real, b.mul(_k(b, 0.5, x), angle))
    pole = b.and_(b.fcmp("oeq", rest, _k(b, 0.0, x)), b.fcmp("olt", b.abs(x[1]), _k(b, _NEAR, x)))
    usual = _unless(b, pole, usual, lambda: (_atanh_near_pole(b, x), usual[1]))
    return _unless_far(b, x, usual, lambda: _atanh_of_large(b, x))


def _atanh_near_pole(b: Builder, x: Pair) -> Ir:
    """The real part near the poles 1 and -1, where the square of the distance underflows."""
    distance = b.mul(_k(b, 0.5, x), _f(b, "log", b.abs(x[1])))
    return b.copysign(b.sub(_k(b, math.log(2) / 2, x), distance), x[0])


def _atanh_of_large(b: Builder, x: Pair) -> Pair:
    """Atanh of large numbers: 1 / x plus or minus i pi / 2."""
    size, infinite = magnitude(b, x), has_size(b, x[1], math.inf)
    none = b.or_(has_size(b, x[0], 0.0), has_size(b, size, math.inf))
    real = b.select(none, b.copysign(_k(b, 0.0, x), x[0]), b.div(b.div(x[0], size), size))
    known = b.or_(infinite, b.fcmp("ord", x[0], x[1]))
    return (real, b.copysign(b.select(known, _k(b, math.pi / 2, x), _k(b, math.nan, x)), x[1]))


def _rotated(function: Callable[[Builder, Pair], Pair]) -> Callable[[Builder, Pair], Pair]:
    """The circular function of a hyperbolic one, or the reverse: f(x) = -i g(i x)."""

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
    "sin": _rotated(_sinh),
    "cos": _cos,
    "tan": _rotated(_tanh),
    "asin": _asin,
    "acos": _acos,
    "asinh": _rotated(_asin),
    "acosh": _acosh,
    "atanh": _atanh,
    "atan": _rotated(_atanh),
    "pow": _pow,
}
