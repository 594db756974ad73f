# SPDX-License-Identifier: Apache-2.0
"""Associated Legendre functions of all orders and degrees up to given ones."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError

from ... import numpy as jnp
from ...operands import dtype_of, integer, shape_of
from ...transforms.derivatives import jvp
from ...transforms.jit import api
from ...typing import Array, ArrayLike
from ..documentation import floats

__all__ = ["lpmn", "lpmn_values"]
__dir__ = listed(__all__)


def lpmn_values(m: int, n: int, z: ArrayLike, is_normalized: bool) -> Array:
    """The associated Legendre functions of the first kind, with Condon and Shortley's phase.

    Args:
        m: The greatest order.
        n: The greatest degree.
        z: Numbers from -1 to 1, in one dimension.
        is_normalized: Whether they are multiplied by what makes spherical harmonics orthonormal on the sphere.

    Returns:
        An array of shape ``(m + 1, n + 1, len(z))``; 0 where the order is greater than the degree.

    Raises:
        ArgumentError: Where `z` has not one dimension, or `m` or `n` are no integers from zero on.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.scipy.special import lpmn_values
        >>> print(lpmn_values(1, 2, jnp.array([0.5]), False)[..., 0].round(3))
        [[ 1.     0.5   -0.125]
         [ 0.    -0.866 -1.299]]

    References:
        DLMF 14.10.3 and 14.7.
    """
    orders, degrees = integer("lpmn_values", m, "the order", 0), integer("lpmn_values", n, "the degree", 0)
    (x,) = floats("lpmn_values", z)
    if len(shape_of(x)) != 1:
        raise ArgumentError("lpmn_values", "z has not one dimension", shape_of(x), "a vector")
    return _values(x, orders=orders, degrees=degrees, is_normalized=bool(is_normalized))


def lpmn(m: int, n: int, z: ArrayLike) -> tuple[Array, Array]:
    """The associated Legendre functions of the first kind and their derivatives.

    Args:
        m: The greatest order.
        n: The greatest degree.
        z: Numbers from -1 to 1, in one dimension.

    Returns:
        Two arrays of shape ``(m + 1, n + 1, len(z))``, the values and the derivatives by `z`.

    Raises:
        ArgumentError: As of `lpmn_values`.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.scipy.special import lpmn
        >>> print(lpmn(0, 2, jnp.array([0.5]))[1][..., 0])
        [[0.  1.  1.5]]

    References:
        DLMF 14.10.3 and 14.7.
    """
    (x,) = floats("lpmn", z)
    values, slopes = jvp(lambda x: lpmn_values(m, n, x, False), (x,), (jnp.ones_like(x),))
    return values, slopes


@api(static=("orders", "degrees", "is_normalized"))
def _values(z: ArrayLike, *, orders: int, degrees: int, is_normalized: bool) -> Any:
    result, x = dtype_of(z), jnp.asarray(z)
    x = x.astype(np.dtype(np.float32)) if result.itemsize < 4 else x
    order = np.arange(orders + 1.0)
    square = (1 - x) * (1 + x)

    def rise(k: int) -> float:
        """What the function whose degree and order are k has of the one before, beside a root."""
        return -math.sqrt((2 * k + 1) / (2 * k)) if is_normalized else -(2 * k - 1.0)

    # All are polynomials, those of odd orders beside the root of the square: it comes last. There is no slope of the
    # root at the ends, but for orders above 1, which have the square itself, that of the product is 0.
    diagonal: list[Any] = [jnp.full_like(x, 0.5 / math.sqrt(math.pi) if is_normalized else 1.0)]
    for k in range(1, min(orders, degrees) + 1):
        diagonal.append(rise(k) * diagonal[-1] * (1 if k % 2 else square))
    safe = jnp.where(square == 0, 0, jnp.sqrt(jnp.where(square == 0, 1, square)))
    roots = [jnp.ones_like(x) if k % 2 == 0 else jnp.sqrt(square) if k == 1 else safe for k in range(orders + 1)]
    below = this = jnp.zeros((orders + 1, *shape_of(x)), dtype_of(x))
    rows = []
    for degree in range(degrees + 1):
        above = order < degree
        if is_normalized:
            a = np.sqrt((4 * degree**2 - 1.0) / np.where(above, degree**2 - order**2, 1)) if degree else order
            last = (degree - 1) ** 2
            b = a * np.sqrt(np.maximum(last - order**2, 0) / (4 * last - 1)) if degree > 1 else 0 * order
        else:
            apart = np.where(above, degree - order, 1)
            a, b = (2 * degree - 1) / apart, (degree + order - 1) / apart
        a, b = (np.where(above, c, 0).astype(dtype_of(x))[:, None] for c in (a, b))
        row = a * x * this - b * below
        if degree <= orders:
            row = row.at[degree].set(diagonal[degree])
        below, this = this, row
        rows.append(row)
    return (jnp.stack(rows, axis=1) * jnp.stack(roots)[:, None]).astype(result)
