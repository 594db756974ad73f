# SPDX-License-Identifier: Apache-2.0
"""Window functions, and the Bessel function that one of them is made of."""

from __future__ import annotations

import math
from typing import Any

from .. import lax
from ..operands import integer, weakly
from ..transforms.jit import api
from ..typing import Array, ArrayLike
from .elementwise import absolute, cos, sqrt
from .modified_bessel import order_0
from .promotion import promote_inexact
from .ranges import arange

__all__ = ["bartlett", "blackman", "hamming", "hanning", "i0", "kaiser"]


def i0(x: ArrayLike) -> Array:
    """The modified Bessel function of the first kind and order zero.

    Args:
        x: An array or number.

    Returns:
        The values, elementwise; off by at most 16 units in the last place.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.i0(0.0).tolist()
        1.0

    References:
        DLMF 10.25.
    """
    return _i0(x)


@api(call="i0")
def _i0(x: ArrayLike) -> Any:
    (x,), weak = promote_inexact("i0", x)
    return weakly(order_0(x), weak)


def _positions(function: str, M: int) -> Array | None:
    """The numbers of a window's points; None where it has one point or none."""
    size = integer(function, M, "the number of points")
    return arange(size).astype(float) if size > 1 else None


def _short(M: int) -> Array:
    return lax.full((max(M, 0),), 1, float)


def _cosines(function: str, M: int, *factors: float) -> Array:
    """A sum of cosines of whole multiples of the angle that goes round once."""
    n = _positions(function, M)
    if n is None:
        return _short(M)
    angle = n * (2 * math.pi / (M - 1))
    found = lax.full_like(n, factors[0])
    for order, factor in enumerate(factors[1:], 1):
        found = found + factor * cos(order * angle)
    return found


def bartlett(M: int) -> Array:
    """The triangular window whose ends are zero.

    Args:
        M: The number of points.

    Returns:
        The window.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.bartlett(5).tolist()
        [0.0, 0.5, 1.0, 0.5, 0.0]
    """
    n = _positions("bartlett", M)
    return _short(M) if n is None else 1 - absolute(2 * n - (M - 1)) / (M - 1)


def blackman(M: int) -> Array:
    """The Blackman window, of three cosines.

    Args:
        M: The number of points.

    Returns:
        The window.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.blackman(3).round(3).tolist()
        [-0.0, 1.0, -0.0]
    """
    return _cosines("blackman", M, 0.42, -0.5, 0.08)


def hamming(M: int) -> Array:
    """The Hamming window, of two cosines.

    Args:
        M: The number of points.

    Returns:
        The window.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.hamming(1).tolist()
        [1.0]
    """
    return _cosines("hamming", M, 0.54, -0.46)


def hanning(M: int) -> Array:
    """The Hann window, of two cosines, whose ends are zero.

    Args:
        M: The number of points.

    Returns:
        The window.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.hanning(3).tolist()
        [0.0, 1.0, 0.0]
    """
    return _cosines("hanning", M, 0.5, -0.5)


def kaiser(M: int, beta: ArrayLike) -> Array:
    """The Kaiser window, of a Bessel function.

    Args:
        M: The number of points.
        beta: The shape: the greater, the narrower.

    Returns:
        The window.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.kaiser(1, 14.0).tolist()
        [1.0]
    """
    n = _positions("kaiser", M)
    if n is None:
        return _short(M)
    half = (M - 1) / 2
    return i0(beta * sqrt(1 - ((n - half) / half) ** 2)) / i0(beta)
