# SPDX-License-Identifier: Apache-2.0
"""Integrals of elementary functions: exponential, sine, cosine and Fresnel integrals, Dawson's, the dilogarithm."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from olympus_core.deferred import listed

from ... import lax
from ... import numpy as jnp
from ...operands import dtype_of, strong
from ...transforms.derivatives import custom_jvp
from ...typing import Array, ArrayLike
from ..documentation import floats
from . import chebyshev
from .gamma import digamma
from .parameters import function

__all__ = ["dawsn", "exp1", "expi", "expn", "fresnel", "sici", "spence"]
__dir__ = listed(__all__)

_EULER = 0.57721566490153286061
# The zero of Ei, and what its nearest float64 is less.
_ZERO, _ZERO_REST = 0.3725074107813666, 1.3140183414386028e-17


def _series(series: chebyshev.Series, x: Any) -> Any:
    """A Chebyshev series by Clenshaw's recurrence, with as many terms as the element type can tell."""
    low, high, terms = series
    least = float(jnp.finfo(x.dtype).eps) / 16 * max(abs(v) for v in terms)
    count = max(k for k, v in enumerate(terms) if abs(v) > least) + 1
    t = (x - low) * (2 / (high - low)) - 1
    this, last = jnp.zeros_like(t), jnp.zeros_like(t)
    for coefficient in reversed(terms[1:count]):
        this, last = 2 * t * this - last + coefficient, this
    return t * this - last + terms[0]


def _within(series: chebyshev.Series, x: Any) -> Any:
    """A Chebyshev series of what lies in its interval, and of the nearer end for what does not."""
    return _series(series, jnp.clip(x, series[0], series[1]))


@custom_jvp
def _dawsn(x: Any) -> Any:
    size = jnp.abs(x)
    inverse = 1 / jnp.maximum(size, 2)
    scaled = jnp.where(size < 4, _within(chebyshev.DAWSON_MIDDLE, size),
                       _within(chebyshev.DAWSON_FAR, inverse * inverse))
    near = size < 2
    return jnp.where(near, x * _within(chebyshev.DAWSON_NEAR, jnp.where(near, x * x, 0)),
                     jnp.copysign(0.5 * scaled * inverse, x))


@_dawsn.defjvp
def _dawsn_slope(primals: tuple[Any], tangents: tuple[Any]) -> tuple[Any, Any]:
    (x,), (t,) = primals, tangents
    y = _dawsn(x)
    # Far out 2 x F(x) is near 1; its difference from 1 is the asymptotic series, DLMF 7.12(ii).
    far = jnp.abs(x) >= 8
    inverse = 0.5 / jnp.square(jnp.where(far, x, 8))
    rest = jnp.zeros_like(x)
    for k in range(18, 0, -1):
        rest = (1 + rest) * ((2 * k - 1) * inverse)
    return y, t * jnp.where(far, 0 - rest, 1 - 2 * jnp.where(far, 0, x) * y)


@function("dawsn(1.0)", "0.5381", references="DLMF 7.2.")
def dawsn(x: ArrayLike) -> Array:
    """Dawson's integral, exp(-x^2) times the integral of exp(t^2) from 0; off by at most 8 units in the last place."""
    return strong(_dawsn(*floats("dawsn", x)))


@custom_jvp
def _exp1(x: Any) -> Any:
    near = x <= 1
    small = jnp.where(near & (x > 0), x, 1)
    close = small * _within(chebyshev.E1_NEAR, small) - _EULER - jnp.log(small)
    far = jnp.where(near, 1, x)
    inverse = 1 / far
    scaled = jnp.where(far < 4, _within(chebyshev.E1_MIDDLE, inverse), _within(chebyshev.E1_FAR, inverse))
    found = jnp.where(near, close, jnp.exp(-far) * inverse * scaled)
    return jnp.where(x > 0, found, jnp.where(x == 0, jnp.inf, jnp.nan))


@_exp1.defjvp
def _exp1_slope(primals: tuple[Any], tangents: tuple[Any]) -> tuple[Any, Any]:
    (x,), (t,) = primals, tangents
    return _exp1(x), -t * jnp.exp(-x) / x


@function("exp1(1.0)", "0.2194", references="DLMF 6.2, 6.12.")
def exp1(x: ArrayLike) -> Array:
    """The integral of exp(-t) / t from x on, NaN for negative x; off by at most 8 units in the last place."""
    return strong(_exp1(*floats("exp1", x)))


@custom_jvp
def _expn(n: Any, x: Any) -> Any:
    order = n.astype(dtype_of(x))
    above = order - 1
    near = (x > 0) & (x <= 1)
    small = jnp.where(near, x, 1)
    # DLMF 8.19.8: of all powers one has a logarithm.
    logarithm = digamma(jnp.maximum(order, 1)) - jnp.log(small)
    term, close = jnp.ones_like(x), jnp.zeros_like(x)
    for k in range(20):
        is_one = above == k
        close = close + term * jnp.where(is_one, logarithm, 1 / jnp.where(is_one, 1, above - k))
        term = term * (0 - small) / (k + 1)
    close = jnp.where(n == 1, _exp1(small), close)
    # DLMF 8.19.17, from the end; at 1 it needs the most terms.
    far = jnp.where(x > 1, x, 2)
    count = 30 if dtype_of(x).itemsize < 8 else 95
    fraction = lax.fori_loop(
        0, count, lambda i, t: far + order + 2 * (count - 1 - i) - (count - i) * (above + (count - i)) / t,
        far + order + 2 * count)
    # The power may be too small for its denominator alone.
    found = jnp.where(x <= 1, close, jnp.exp(-far) / fraction)
    found = jnp.where(n == 0, jnp.exp(-x) / x, found)
    at_zero = jnp.where(n <= 1, jnp.inf, 1 / jnp.where(n <= 1, 1, above))
    found = jnp.where(x == 0, at_zero, jnp.where(x == jnp.inf, 0, found))
    return jnp.where((n < 0) | (x < 0) | jnp.isnan(x), jnp.nan, found)


@_expn.defjvp
def _expn_slope(primals: tuple[Any, Any], tangents: tuple[Any, Any]) -> tuple[Any, Any]:
    n, x = primals
    first = -jnp.exp(-x) * (1 + 1 / x) / x
    return _expn(n, x), tangents[1] * jnp.where(n == 0, first, -_expn(jnp.maximum(n - 1, 0), x))


@function("expn(2, 1.0)", "0.1485", references="DLMF 8.19.")
def expn(n: ArrayLike, x: ArrayLike) -> Array:
    """The generalized exponential integral of a whole order that is not negative, NaN for negative x.

    Off by at most 16 units in the last place.
    """
    order, value = floats("expn", n, x)
    whole = jnp.floor(order)
    number = jnp.where((whole == order) & (whole >= 0) & (whole < 2**31), whole, -1).astype(np.int32)
    return _expn(number, value)


@custom_jvp
def _expi(x: Any) -> Any:
    below = jnp.where(x < 0, -x, 1)
    near = jnp.where((x > 0) & (x < 6), x, 1)
    # The distance from the zero, of which only its nearest number is exact in the element type.
    zero = float(np.asarray(_ZERO).astype(dtype_of(x)))
    away = (near - zero) - (_ZERO - zero + _ZERO_REST)
    beside = jnp.abs(away) < 0.15
    logarithm = jnp.where(beside, jnp.log1p(jnp.where(beside, away, 0) / _ZERO), jnp.log(near / _ZERO))
    close = logarithm + away * jnp.where(near < 3, _within(chebyshev.EI_NEAR, near),
                                         _within(chebyshev.EI_MIDDLE, near))
    far = jnp.maximum(x, 6)
    inverse = 1 / far
    scaled = jnp.where(far < 12, _within(chebyshev.EI_LARGE, inverse), jnp.where(
        far < 24, _within(chebyshev.EI_LARGER, inverse), _within(chebyshev.EI_LARGEST, inverse)))
    # exp(x) itself is infinite a little before exp(x) / x is.
    half = jnp.exp(0.5 * far)
    large = jnp.where(x == jnp.inf, jnp.inf, half * inverse * scaled * half)
    found = jnp.where(x < 0, 0 - _exp1(below), jnp.where(x == 0, -jnp.inf, jnp.where(x < 6, close, large)))
    return jnp.where(jnp.isnan(x), x, found)


@_expi.defjvp
def _expi_slope(primals: tuple[Any], tangents: tuple[Any]) -> tuple[Any, Any]:
    (x,), (t,) = primals, tangents
    half = jnp.exp(0.5 * x)  # exp(x) itself is infinite a little before exp(x) / x is
    return _expi(x), t * (half / x * half)


@function("expi(1.0)", "1.8951", references="DLMF 6.2, 6.12; W. J. Cody and H. C. Thacher, "
          "Mathematics of Computation 23 (1969).")
def expi(x: ArrayLike) -> Array:
    """The principal value of the integral of exp(t) / t up to x; off by at most 8 units in the last place."""
    return strong(_expi(*floats("expi", x)))


@custom_jvp
def _sici(x: Any) -> tuple[Any, Any]:
    size = jnp.abs(x)
    near = size < 4
    square = jnp.square(jnp.where(near, x, 0))
    logarithm = jnp.log(jnp.where(near & (size > 0), size, 1))
    close = x * _within(chebyshev.SI_NEAR, square)
    cosine_close = _EULER + logarithm + square * _within(chebyshev.CI_NEAR, square)
    far = jnp.where(near | jnp.isinf(size), 4, size)
    inverse = 1 / far
    t = inverse * inverse
    f, g = (power * jnp.where(far < 8, _within(middle, t), _within(tail, t)) for power, middle, tail in (
        (inverse, chebyshev.SICI_F_MIDDLE, chebyshev.SICI_F_FAR), (t, chebyshev.SICI_G_MIDDLE, chebyshev.SICI_G_FAR)))
    sine, cosine = jnp.sin(far), jnp.cos(far)
    si = jnp.where(near, close, jnp.copysign(math.pi / 2 - f * cosine - g * sine, x))
    ci = jnp.where(near, jnp.where(size > 0, cosine_close, -jnp.inf), f * sine - g * cosine)
    return (jnp.where(jnp.isinf(size), jnp.copysign(jnp.full_like(x, math.pi / 2), x), si),
            jnp.where(jnp.isinf(size), jnp.where(x > 0, 0.0, jnp.nan), ci))


@_sici.defjvp
def _sici_slope(primals: tuple[Any], tangents: tuple[Any]) -> tuple[Any, Any]:
    (x,), (t,) = primals, tangents
    near = jnp.abs(x) < 0.05
    square = jnp.square(jnp.where(near, x, 0))
    quotient = jnp.sin(x) / jnp.where(near, 1, x)
    slope = jnp.where(near, 1 - square / 6 * (1 - square / 20 * (1 - square / 42)), quotient)
    return _sici(x), (t * slope, t * jnp.cos(x) / x)


@function("sici(1.0)[0]", "0.9461", returns="The sine integral, the cosine integral.", references="DLMF 6.2.")
def sici(x: ArrayLike) -> tuple[Array, Array]:
    """The sine and cosine integrals, the second of abs(x); off by at most 16 units in the last place of 1."""
    return _sici(strong(floats("sici", x)[0]))


def _quarter_turns(x: Any) -> tuple[Any, Any]:
    """Sine and cosine of pi x^2 / 2; without the square of the nearest even number, of which they are periodic."""
    even = 2 * jnp.round(0.5 * x)
    rest = x - even
    product = 2 * even * rest
    angle = (math.pi / 2) * (product - 4 * jnp.round(0.25 * product) + rest * rest)
    return jnp.sin(angle), jnp.cos(angle)


@custom_jvp
def _fresnel(x: Any) -> tuple[Any, Any]:
    size = jnp.abs(x)
    near = size < 8 ** 0.25
    fourth = jnp.square(jnp.square(jnp.where(near, x, 0)))
    far = jnp.where(near, 2, jnp.minimum(size, 1e15))
    inverse = 1 / far
    t = jnp.square(inverse * inverse)
    f, g = (jnp.where(far < 32 ** 0.25, _within(middle, t), _within(tail, t)) for middle, tail in (
        (chebyshev.FRESNEL_F_MIDDLE, chebyshev.FRESNEL_F_FAR), (chebyshev.FRESNEL_G_MIDDLE, chebyshev.FRESNEL_G_FAR)))
    f, g = f * inverse / math.pi, g * (inverse * inverse) * inverse / math.pi**2
    sine, cosine = _quarter_turns(far)
    return (jnp.where(near, x * x * x * _within(chebyshev.S_NEAR, fourth),
                      jnp.copysign(0.5 - f * cosine - g * sine, x)),
            jnp.where(near, x * _within(chebyshev.C_NEAR, fourth), jnp.copysign(0.5 + f * sine - g * cosine, x)))


@_fresnel.defjvp
def _fresnel_slope(primals: tuple[Any], tangents: tuple[Any]) -> tuple[Any, Any]:
    (x,), (t,) = primals, tangents
    sine, cosine = _quarter_turns(x)
    return _fresnel(x), (t * sine, t * cosine)


@function("fresnel(1.0)[0]", "0.4383", returns="The integrals of sin(pi t^2 / 2) and of cos(pi t^2 / 2) from 0 to x.",
          references="DLMF 7.2, 7.12.")
def fresnel(x: ArrayLike) -> tuple[Array, Array]:
    """The Fresnel integrals, S and C; off by at most 8 units in the last place, for any x."""
    return _fresnel(strong(floats("fresnel", x)[0]))


@custom_jvp
def _spence(x: Any) -> Any:
    large = x > 2
    y = jnp.where(large, 1 / jnp.where(large, x, 1), x)
    low = y < 0.5
    t = jnp.where(low, 0 - y, y - 1)
    found = 0 - t * _within(chebyshev.SPENCE, t)
    inner = jnp.where(low & (y > 0), y, 0.5)
    product = jnp.where(y > 0, jnp.log(inner) * jnp.log1p(-inner), 0)
    found = jnp.where(low, math.pi**2 / 6 - product - found, found)
    found = jnp.where(large, -0.5 * jnp.square(jnp.log(jnp.where(large, x, 1))) - found, found)
    return jnp.where(x >= 0, found, jnp.nan)


@_spence.defjvp
def _spence_slope(primals: tuple[Any], tangents: tuple[Any]) -> tuple[Any, Any]:
    (x,), (t,) = primals, tangents
    near = jnp.abs(x - 1) < 1e-3
    away = jnp.where(near, x - 1, 0)
    close = -1 + away * (1 / 2 - away * (1 / 3 - away * (1 / 4 - away * (1 / 5 - away / 6))))
    return _spence(x), t * jnp.where(near, close, jnp.log(x) / (1 - jnp.where(near, 0, x)))


@function("spence(0.0)", "1.6449", references="DLMF 25.12.")
def spence(x: ArrayLike) -> Array:
    """The dilogarithm of 1 - x, NaN for negative x; off by at most 8 units in the last place."""
    return strong(_spence(*floats("spence", jnp.asarray(x))))
