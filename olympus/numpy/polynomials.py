# SPDX-License-Identifier: Apache-2.0
"""Polynomials as arrays of coefficients, the highest power first."""

from __future__ import annotations

from typing import Any

import numpy as np

from olympus_core.errors import ArgumentError

from .. import lax
from ..operands import convert, dtype_of, integer, known_primal, shape_of
from ..tracing import aval_of
from ..typing import Array, ArrayLike
from .calculus import convolve
from .creation import asarray
from .joining import concatenate
from .promotion import inexact_dtype, promote_inexact, result_of
from .ranges import arange

__all__ = ["polyadd", "polyder", "polyint", "polymul", "polysub"]


def _coefficients(function: str, p: ArrayLike) -> Array:
    x = asarray(p)
    x = x.reshape(1) if not x.ndim else x
    if x.ndim != 1:
        raise ArgumentError(function, "the coefficients have several dimensions", f"shape {x.shape}", "one dimension")
    return x


def _aligned(function: str, a1: ArrayLike, a2: ArrayLike) -> list[Array]:
    parts = [_coefficients(function, p) for p in (a1, a2)]
    size = max(p.size for p in parts)
    return [concatenate([lax.full((size - p.size,), 0, dtype_of(p)), p]) for p in parts]


def polyadd(a1: ArrayLike, a2: ArrayLike) -> Array:
    """The sum of polynomials.

    Args:
        a1: Coefficients, the highest power first.
        a2: Likewise.

    Returns:
        The sum's coefficients.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.polyadd(jnp.array([1, 2]), jnp.array([3])).tolist()
        [1, 5]
    """
    first, second = _aligned("polyadd", a1, a2)
    return first + second


def polysub(a1: ArrayLike, a2: ArrayLike) -> Array:
    """The difference of polynomials.

    Args:
        a1: Coefficients, the highest power first.
        a2: Likewise.

    Returns:
        The difference's coefficients.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.polysub(jnp.array([1, 2]), jnp.array([3])).tolist()
        [1, -1]
    """
    first, second = _aligned("polysub", a1, a2)
    return first - second


def polymul(a1: ArrayLike, a2: ArrayLike, *, trim_leading_zeros: bool = False) -> Array:
    """The product of polynomials, as floats.

    Args:
        a1: Coefficients, the highest power first.
        a2: Likewise.
        trim_leading_zeros: Whether to leave out zeros in front of both, whose values must be known then.

    Returns:
        The product's coefficients.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.polymul(jnp.array([1, 2]), jnp.array([1, 3])).tolist()
        [1.0, 5.0, 6.0]
    """
    parts = [_coefficients("polymul", p) for p in (a1, a2)]
    if trim_leading_zeros:
        parts = [p[_zeros_in_front(p):] for p in parts]
    kind = inexact_dtype(result_of("polymul", [aval_of(p) for p in parts])[0])
    first, second = (convert(p if p.size else lax.full((1,), 0, p.dtype), kind) for p in parts)
    return convolve(first, second)


def _zeros_in_front(p: Array) -> int:
    places = np.nonzero(known_primal("polymul", p, "the coefficients"))[0]
    return int(places[0]) if len(places) else p.size


def polyder(p: ArrayLike, m: int = 1) -> Array:
    """The derivative of a polynomial, as floats.

    Args:
        p: Coefficients, the highest power first.
        m: Which derivative.

    Returns:
        The derivative's coefficients.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.polyder(jnp.array([1, 2, 3])).tolist()
        [2.0, 2.0]
    """
    (found,), _ = promote_inexact("polyder", _coefficients("polyder", p))
    for _ in range(integer("polyder", m, "the order", 0)):
        count = shape_of(found)[0]
        found = found[:-1] * convert(arange(count - 1, 0, -1), dtype_of(found)) if count else found
    return found


def polyint(p: ArrayLike, m: int = 1, k: Any = None) -> Array:
    """The integral of a polynomial, as floats.

    Args:
        p: Coefficients, the highest power first.
        m: How often it is integrated.
        k: The constant of each integration, or one for all; zero for None.

    Returns:
        The integral's coefficients.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.polyint(jnp.array([2, 2])).tolist()
        [1.0, 2.0, 0.0]
    """
    order = integer("polyint", m, "the order", 0)
    (found,), _ = promote_inexact("polyint", _coefficients("polyint", p))
    constants = _coefficients("polyint", 0 if k is None else k)
    if constants.size not in (1, order):
        raise ArgumentError("polyint", "the constants are not as many as integrations", constants.size, f"1 or {order}")
    for step in range(order):
        count = shape_of(found)[0]
        constant = convert(constants[step:step + 1] if constants.size > 1 else constants, dtype_of(found))
        found = concatenate([found / convert(arange(count, 0, -1), dtype_of(found)), constant])
    return found
