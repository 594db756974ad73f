# SPDX-License-Identifier: Apache-2.0
"""Faddeeva's function, the complex error function."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.deferred import listed

from ... import lax
from ... import numpy as jnp
from ...operands import dtype_of
from ...transforms.derivatives import custom_jvp
from ...transforms.jit import api
from ...typing import Array, ArrayLike
from ..documentation import promote_inexact

__all__ = ["wofz"]
__dir__ = listed(__all__)

# Al Azah and Chandler-Wilde's rules with so many points leave out less than rounding errors of float64.
_POINTS = 11
_STEP = math.sqrt(math.pi / (_POINTS + 1))
_FAR = 1e3  # from where three terms of the asymptotic series are exact


def _sum(z: Any, square: Any, places: list[float]) -> Any:
    """The rule's sum over places and their opposites."""
    total = jnp.zeros_like(z)
    for t in places:
        total = total + math.exp(-t * t) / (square - t * t)
    return 2j * _STEP / math.pi * z * total


def _first_quadrant(x: Any, y: Any) -> Any:
    """w(x + i y) for x and y that are not negative, below `_FAR`."""
    z = lax.complex(x, y)
    square = lax.complex((x - y) * (x + y), 2 * x * y)
    place = x / _STEP
    fraction = place - jnp.floor(place)
    is_between = (y < x) & (fraction >= 0.25) & (fraction <= 0.75)
    needs_none = y >= jnp.maximum(x, math.pi / _STEP)
    # exp(-z^2), small where it is not needed, and exp(2 pi i z / h), whose phase counts from the nearest place.
    gauss = jnp.exp(-jnp.where(needs_none, 0, square))
    turn = 2 * math.pi * (place - jnp.round(place))
    size = jnp.exp(-2 * math.pi / _STEP * y)
    phase = lax.complex(size * jnp.cos(turn), size * jnp.sin(turn))
    # Of each rule the other one's poles are far away: what is not taken gets a place where nothing is infinite.
    centre = jnp.where(is_between, z, 1j * jnp.ones_like(x))
    middle = jnp.where(is_between, 1j * jnp.ones_like(x), z)
    whole = (_sum(centre, jnp.where(is_between, square, -1), [_STEP * k for k in range(1, _POINTS + 1)])
             + 1j * _STEP / (math.pi * centre) - 2 * gauss * phase / jnp.where(is_between, 1 - phase, 1))
    half = _sum(middle, jnp.where(is_between, -1, square), [_STEP * (k + 0.5) for k in range(_POINTS + 1)])
    corrected = half + 2 * gauss * phase / jnp.where(is_between | needs_none, 1, 1 + phase)
    return jnp.where(is_between, whole, jnp.where(needs_none, half, corrected))


@custom_jvp
def _wofz(z: Any) -> Any:
    a, b = jnp.real(z), jnp.imag(z)
    x, y = jnp.abs(a), jnp.abs(b)
    is_far = jnp.maximum(x, y) > _FAR
    near = _first_quadrant(jnp.where(is_far, 1, x), jnp.where(is_far, 1, y))
    # i / (sqrt(pi) z) without a square that could overflow.
    inverse = 1 / lax.complex(jnp.where(is_far, x, 1), jnp.where(is_far, y, 1))
    square = inverse * inverse
    far = 1j / math.sqrt(math.pi) * inverse * (1 + 0.5 * square * (1 + 1.5 * square))
    far = jnp.where(jnp.isinf(x) | jnp.isinf(y), 0, far)
    upper = jnp.where(is_far, far, near)
    turned = jnp.where((a < 0) == (b < 0), upper, jnp.conj(upper))
    # Below the real line w(z) = 2 exp(-z^2) - w(-z).
    below = b < 0
    growth = 2 * jnp.exp(jnp.where(below & (x < jnp.inf), (y - x) * (y + x), 0))
    angle = jnp.where(below & (x * y < jnp.inf), 2 * x * y, 0)
    sine = jnp.where(angle == 0, 0, growth * jnp.sin(angle))
    gauss = lax.complex(growth * jnp.cos(angle), jnp.where(a < 0, -sine, sine))
    found = jnp.where(below, gauss - turned, turned)
    unknown = jnp.full_like(a, jnp.nan)
    return jnp.where(jnp.isnan(a) | jnp.isnan(b), lax.complex(unknown, unknown), found)


@_wofz.defjvp
def _wofz_slope(primals: tuple[Any], tangents: tuple[Any]) -> tuple[Any, Any]:
    (z,), (t,) = primals, tangents
    w = _wofz(z)
    is_far = jnp.abs(z) > 30
    inverse = 1 / jnp.where(is_far, z, 1)
    square = inverse * inverse
    far = -1j / math.sqrt(math.pi) * square * (1 + 1.5 * square * (1 + 2.5 * square))
    # In the lower half-plane the exponential may be what counts.
    is_series = is_far & (jnp.imag(z) >= 0)
    return w, t * jnp.where(is_series, far, 2j / math.sqrt(math.pi) - 2 * jnp.where(is_series, 0, z) * w)


@api
def wofz(z: ArrayLike) -> Array:
    """Faddeeva's function exp(-z^2) erfc(-i z).

    In the upper half-plane off by at most 16 units in the last place of its absolute value, times 1 + |z|^2 where
    exp(-z^2) is the greater part, which is so everywhere below the real line.

    Args:
        z: Real or complex numbers.

    Returns:
        Complex numbers; 0 at infinity in the upper half-plane.

    Example:
        >>> from olympus.scipy.special import wofz
        >>> print(wofz(1j).round(4))
        (0.4276+0j)

    References:
        M. Al Azah and S. N. Chandler-Wilde, Computation of the complex error function using modified trapezoidal
        rules, SIAM Journal on Numerical Analysis 59 (2021); DLMF 7.2, 7.10, 7.12.
    """
    (x,), _ = promote_inexact("wofz", z)
    dtype = dtype_of(x)
    if not dtypes.is_complex(dtype):
        dtype = np.dtype(np.complex128 if dtype == np.float64 else np.complex64)
    return _wofz(x.astype(dtype))
