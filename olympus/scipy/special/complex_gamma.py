# SPDX-License-Identifier: Apache-2.0
"""The gamma function of complex numbers, its logarithm and that one's derivative."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ... import lax
from ... import numpy as jnp
from ...config import enable_x64
from ...operands import dtype_of
from ...transforms.derivatives import custom_jvp, jvp

# B(2k), of Stirling's series for numbers beyond `_FAR`.
_BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510)
_FAR = 10
_EULER = 0.57721566490153286061
# zeta(2), zeta(3) and so on, of the series about 1.
_ZETA = (
    1.6449340668482264, 1.2020569031595942, 1.0823232337111381, 1.0369277551433699, 1.0173430619844491,
    1.0083492773819228, 1.0040773561979443, 1.0020083928260822, 1.000994575127818, 1.0004941886041194,
    1.000246086553308, 1.0001227133475785, 1.0000612481350588, 1.0000305882363071, 1.0000152822594086,
    1.0000076371976379, 1.0000038172932649, 1.000001908212717, 1.0000009539620338, 1.0000004769329869,
    1.0000002384505027, 1.0000001192199259, 1.0000000596081891, 1.0000000298035035,
)


def _wide(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The function in complex128, rounded to the operand's type."""
    def found(z: Any) -> Any:
        dtype = dtype_of(z)
        with enable_x64():
            return lax.convert_element_type(function(lax.convert_element_type(z, np.dtype(np.complex128))), dtype)

    return found


def _turned(z: Any) -> tuple[Any, Any, Any, Any, Any]:
    """Whether z is reflected; what takes its place; whether that is moved, and where to; z's side of the axis."""
    left = jnp.real(z) < 0.5
    w = jnp.where(left, 1 - z, z)
    moved = (jnp.abs(w) < _FAR) & (jnp.real(w) < _FAR)
    return left, w, moved, jnp.where(moved, w + _FAR, w), jnp.signbit(jnp.imag(z))


def _about_one(w: Any) -> Any:
    """log(gamma(1 + w)) for small w."""
    total = jnp.zeros_like(w)
    for k in range(len(_ZETA) + 1, 1, -1):
        total = (total + (-1) ** k * _ZETA[k - 2] / k) * w
    return (total - _EULER) * w


def _cycle(z: Any, below: Any) -> tuple[Any, Any]:
    """Above the axis, where a number below it is mirrored: z itself, and exp(2 pi i z) - 1."""
    upper = jnp.where(below, jnp.conj(z), z)
    away = lax.complex(jnp.real(upper) - jnp.round(jnp.real(upper)), jnp.imag(upper))
    return upper, jnp.expm1(2j * math.pi * away)


def _loggamma(z: Any) -> Any:
    left, w, moved, far, below = _turned(z)
    inverse = 1 / far
    square, total = inverse * inverse, jnp.zeros_like(z)
    for k in range(len(_BERNOULLI), 0, -1):
        total = total * square + _BERNOULLI[k - 1] / (2 * k * (2 * k - 1))
    found = (far - 0.5) * jnp.log(far) - far + 0.5 * math.log(2 * math.pi) + total * inverse
    for k in range(_FAR):
        found = found - jnp.log(jnp.where(moved, w + k, 1))
    for place in (1, 2):
        near = jnp.abs(w - place) < 0.25
        small = jnp.where(near, w - place, 0)
        found = jnp.where(near, _about_one(small) + (jnp.log1p(small) if place == 2 else 0), found)
    # log(pi / sin(pi z)), continued from above the axis without a cut.
    upper, cycle = _cycle(jnp.where(left, z, 0.5), below)
    sine = lax.complex(math.pi * jnp.imag(upper), math.pi * (0.5 - jnp.real(upper))) + jnp.log(0 - cycle)
    mirrored = math.log(2 * math.pi) - jnp.where(below, jnp.conj(sine), sine) - found
    pole = (jnp.imag(z) == 0) & (jnp.real(z) <= 0) & (jnp.real(z) == jnp.floor(jnp.real(z)))
    return jnp.where(pole, complex(math.nan, math.nan), jnp.where(left, mirrored, found))


def _digamma(z: Any) -> Any:
    left, w, moved, far, below = _turned(z)
    inverse = 1 / far
    square, total = inverse * inverse, jnp.zeros_like(z)
    for k in range(len(_BERNOULLI), 0, -1):
        total = (total + _BERNOULLI[k - 1] / (2 * k)) * square
    found = jnp.log(far) - 0.5 * inverse - total
    for k in range(_FAR):
        found = found - jnp.where(moved, 1 / jnp.where(moved, w + k, 1), 0)
    _, cycle = _cycle(jnp.where(left, z, 0.25), below)
    cotangent = 1j * math.pi * (1 + 2 / cycle)
    return jnp.where(left, found - jnp.where(below, jnp.conj(cotangent), cotangent), found)


@functools.cache
def _polygamma(order: int) -> Callable[[Any], Any]:
    """The derivative of digamma, so often, as a function with derivatives in both modes."""
    function = _digamma
    for _ in range(order):
        function = functools.partial(_slope, function)
    compute = custom_jvp(_wide(function))

    @compute.defjvp
    def rule(primals: tuple[Any], tangents: tuple[Any]) -> tuple[Any, Any]:
        return compute(*primals), tangents[0] * _polygamma(order + 1)(*primals)

    return compute


def _slope(function: Callable[[Any], Any], z: Any) -> Any:
    return jvp(function, (z,), (jnp.ones_like(z),))[1]


def digamma(z: Any) -> Any:
    """The derivative of `loggamma`."""
    return _polygamma(0)(z)


@custom_jvp
def loggamma(z: Any) -> Any:
    """The continuation of log(gamma) from the positive numbers, with a cut along the negative axis."""
    return _wide(_loggamma)(z)


@loggamma.defjvp
def _loggamma_slope(primals: tuple[Any], tangents: tuple[Any]) -> tuple[Any, Any]:
    (z,), (t,) = primals, tangents
    return loggamma(z), t * digamma(z)


@custom_jvp
def gamma(z: Any) -> Any:
    """The gamma function."""
    return _wide(lambda x: jnp.exp(_loggamma(x)))(z)


@gamma.defjvp
def _gamma_slope(primals: tuple[Any], tangents: tuple[Any]) -> tuple[Any, Any]:
    (z,), (t,) = primals, tangents
    found = gamma(z)
    return found, t * found * digamma(z)
