# SPDX-License-Identifier: Apache-2.0
"""CHLO's functions of complex numbers by operations on their parts, for compilers that know no CHLO.

The inverse functions are W. Kahan's ("Branch cuts for complex elementary functions", 1987): accurate in both parts,
with the signs of zeros on branch cuts. Infinities, NaN and zeros follow C99's annex G. Parts are float64 where the
compiler has it, whose squares neither overflow nor vanish for what a float32 holds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from olympus_core import dtypes

from .arithmetic import Number
from .real_functions import asinh, log1p

Pair = tuple[Number, Number]


def _bits(x: Number) -> int:
    """The exponent of the greatest power of two."""
    return 1023 if x.name.dtype == dtypes.float64 else 127


def _magnitude(x: Pair) -> Number:
    """Without intermediate overflow; infinite if a part is, even beside NaN."""
    high = (abs(x[0]) > abs(x[1])).choose(abs(x[0]), abs(x[1]))
    low = (abs(x[0]) > abs(x[1])).choose(abs(x[1]), abs(x[0]))
    none = high.equals(0.0) & low.equals(0.0)  # and not NaN beside zero
    ratio = low / none.choose(1.0, high)
    size = none.choose(0.0, high * (ratio * ratio + 1.0).sqrt())
    return (x[0].has_size(math.inf) | x[1].has_size(math.inf)).choose(math.inf, size)


def _sqrt(x: Pair) -> Pair:
    """The root of (|x| + |re|) / 2, scaled so that no digit is lost at either end of the range."""
    bits = _bits(x[0])
    up, down = (107 if bits == 1023 else 47), 3  # odd, so that the roots of twice these powers are powers
    greatest = (abs(x[0]) > abs(x[1])).choose(abs(x[0]), abs(x[1]))
    room = greatest < 2.0 ** (bits - up - 16)
    scale = room.choose(greatest.like(2.0**up), 2.0**-down)
    back = room.choose(greatest.like(2.0 ** -((up + 1) // 2)), 2.0 ** ((down - 1) // 2))
    near = (abs(x[0]) * scale, abs(x[1]) * scale)
    large = (_magnitude(near) + near[0]).sqrt()
    none = large.equals(0.0)
    small = none.choose(0.0, near[1] / none.choose(1.0, large))
    endless = x[1].has_size(math.inf)
    large, small = (endless.choose(abs(x[1]), part * back) for part in (large, small))
    right = x[0] >= 0.0
    return right.choose(large, small), right.choose(small, large).with_sign_of(x[1])


def _roots(x: Pair) -> tuple[Pair, Pair]:
    """The roots of 1 - x and of 1 + x."""
    return _sqrt((1.0 - x[0], -x[1])), _sqrt((1.0 + x[0], x[1]))


def _unless_far(x: Pair, usual: Pair, far: Pair) -> Pair:
    """A function's value, or another one for infinities, NaN and large numbers, for which it is a logarithm."""
    sum_ = abs(x[0]) + abs(x[1])
    beyond = (sum_ >= 2.0 ** (_bits(x[0]) // 4)) | sum_.is_nan()
    return beyond.choose(far[0], usual[0]), beyond.choose(far[1], usual[1])


def _log_of_large(x: Pair) -> Number:
    """The logarithm of twice the magnitude, of half of it, which does not overflow."""
    return _magnitude((x[0] * 0.5, x[1] * 0.5)).log() + math.log(4.0)


def _axis(x: Pair) -> Number:
    """The imaginary part's magnitude; infinite on the imaginary axis, whose angle is known even beside NaN."""
    return x[0].has_size(0.0).choose(math.inf, abs(x[1]))


def _asin(x: Pair) -> Pair:
    low, high = _roots(x)
    usual = x[0].angle(low[0] * high[0] - low[1] * high[1]), asinh(low[0] * high[1] - low[1] * high[0])
    return _unless_far(x, usual, (x[0].angle(_axis(x)), _log_of_large(x).with_sign_of(x[1])))


def _acos(x: Pair) -> Pair:
    low, high = _roots(x)
    usual = low[0].angle(high[0]) * 2.0, asinh(high[0] * low[1] - high[1] * low[0])
    return _unless_far(x, usual, (_axis(x).angle(x[0]), _log_of_large(x).with_sign_of(-x[1])))


def _acosh(x: Pair) -> Pair:
    low, high = _sqrt((x[0] - 1.0, x[1])), _sqrt((x[0] + 1.0, x[1]))
    usual = asinh(low[0] * high[0] + low[1] * high[1]), low[1].angle(high[0]) * 2.0
    return _unless_far(x, usual, (_log_of_large(x), _axis(x).with_sign_of(x[1]).angle(x[0])))


def _atanh(x: Pair) -> Pair:
    size, square = abs(x[0]), x[1] * x[1]
    rest = 1.0 - size
    # The function is odd: of negative numbers the quotient would cancel near -1.
    ratio = size * 4.0 / (rest * rest + square)
    real = log1p(ratio) * 0.25
    # Near the poles 1 and -1 the square of the distance vanishes.
    at_pole = rest.equals(0.0) & (abs(x[1]) < 2.0 ** -(_bits(x[0]) // 2 - 11))
    real = at_pole.choose(math.log(2.0) / 2 - abs(x[1]).log() * 0.5, real).with_sign_of(x[0])
    angle = (x[1] * 2.0).angle((1.0 - x[0]) * (1.0 + x[0]) - square) * 0.5
    whole, endless = _magnitude(x), x[1].has_size(math.inf)
    none = x[0].has_size(0.0) | whole.has_size(math.inf)
    # Without the barrier a compiler may square the magnitude, which overflows.
    far = none.choose(x[0].like(0.0).with_sign_of(x[0]), (x[0] / whole).apply("optimization_barrier") / whole)
    unknown = x[0].is_nan() | x[1].is_nan()
    quarter = (endless | ~unknown).choose(x[1].like(math.pi / 2), math.nan).with_sign_of(x[1])
    return _unless_far(x, (real, angle), (far, quarter))


def _wave(size: Number, factor: Number, sure: Number) -> Number:
    """The product of a magnitude with a sine or cosine; where `sure`, a NaN of the angle does not spread."""
    return size * (sure & factor.is_nan()).choose(1.0, factor)


def _hyperbolic(x: Number) -> tuple[Number, Number, Number]:
    """The hyperbolic sine and cosine, both divided by a factor that is given third, so that none overflows."""
    size = abs(x)
    above = size > math.floor((_bits(x) + 1) * math.log(2.0))
    scale = (above.choose(size, 0.0) * 0.5).exp()
    grown = above.choose(0.0, size)
    less = grown.apply("exponential_minus_one")
    sinh = (less + less / (less + 1.0)) * 0.5
    power = grown.exp()
    cosh = (power + 1.0 / power) * 0.5
    return above.choose(scale * 0.5, sinh).with_sign_of(x), above.choose(scale * 0.5, cosh), scale


def _sinh(x: Pair) -> Pair:
    sinh, cosh, scale = _hyperbolic(x[0])
    cosine, sine = x[1].apply("cosine"), x[1].apply("sine")
    sure = x[0].has_size(math.inf) | x[0].has_size(0.0)
    # A zero part stays zero beside infinity and NaN.
    bounded, unit = x[1].has_size(0.0).choose(1.0, cosh), x[1].has_size(0.0).choose(1.0, scale)
    return _wave(sinh, cosine, sure) * scale, bounded * sine * unit


def _cosh(x: Pair) -> Pair:
    sinh, cosh, scale = _hyperbolic(x[0])
    cosine, sine = x[1].apply("cosine"), x[1].apply("sine")
    none = x[1].has_size(0.0)
    bounded, unit = none.choose(x[0].like(1.0).with_sign_of(x[0]), sinh), none.choose(1.0, scale)
    return (_wave(cosh, cosine, x[0].has_size(math.inf)) * scale,
            _wave(bounded, sine, x[0].has_size(0.0)) * unit)


def _rotated(function: Callable[[Pair], Pair]) -> Callable[[Pair], Pair]:
    """The circular function of a hyperbolic one, or the reverse: f(x) = -i g(i x)."""

    def turned(x: Pair) -> Pair:
        real, imaginary = function((-x[1], x[0]))
        return imaginary, -real

    return turned


COMPLEX: Mapping[str, Callable[[Pair], Pair]] = {
    "asin": _asin, "acos": _acos, "acosh": _acosh, "atanh": _atanh, "asinh": _rotated(_asin), "atan": _rotated(_atanh),
    "sinh": _sinh, "cosh": _cosh,
}

__all__ = ["COMPLEX"]
