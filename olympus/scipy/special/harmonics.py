# SPDX-License-Identifier: Apache-2.0
"""Spherical harmonics."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError

from ... import lax
from ... import numpy as jnp
from ...operands import dtype_of, integer, known
from ...transforms.jit import api
from ...typing import Array, ArrayLike
from ..documentation import floats

__all__ = ["sph_harm_y"]
__dir__ = listed(__all__)


def sph_harm_y(
    n: ArrayLike, m: ArrayLike, theta: ArrayLike, phi: ArrayLike, diff_n: int | None = None, n_max: int | None = None,
) -> Array:
    """The spherical harmonics, orthonormal on the sphere, with Condon and Shortley's phase.

    Degrees above `n_max` count as `n_max`. Errors grow with the degree: up to 10 `n` units in the last place of 1.

    Args:
        n: The degrees, integers that are not negative.
        m: The orders, integers; where one is greater than its degree the result is 0.
        theta: The polar angles, from 0 to pi.
        phi: The azimuths.
        diff_n: Must be None: derivatives are taken with `olympus.grad` and its kin.
        n_max: The highest degree among `n`, a Python integer; the greatest of `n` for None, which has to be known.

    Returns:
        Complex numbers of the arguments' common shape; NaN for negative degrees.

    Raises:
        ArgumentError: Where `n` or `m` are no integers, or `diff_n` is given.
        ConcretizationError: Where `n_max` is None and `n` is not known.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.scipy.special import sph_harm_y
        >>> print(jnp.round(sph_harm_y(1, 1, 0.5, 0.0), 4))
        (-0.1656-0j)

    References:
        DLMF 14.30; T. Limpanuparb and J. Milthorpe, Associated Legendre Polynomials and Spherical Harmonics
        Computation for Chemistry Applications, arXiv:1410.1748.
    """
    if diff_n is not None:
        raise ArgumentError("sph_harm_y", "derivatives are not given beside the values", f"diff_n={diff_n}", "None",
                            "Differentiate with olympus.grad or olympus.jvp.")
    for name, given in (("n", n), ("m", m)):
        if not dtypes.is_integer(dtype_of(given)):
            raise ArgumentError("sph_harm_y", f"{name} is no integer", dtype_of(given).name, "integers")
    if n_max is None:
        degrees = known("sph_harm_y", n, "the degrees n, where n_max is not given,")
        n_max = int(degrees.max(initial=0))
    return _harmonics(n, m, theta, phi, n_max=integer("sph_harm_y", n_max, "n_max", 0))


@api(static=("n_max",))
def _harmonics(n: ArrayLike, m: ArrayLike, theta: ArrayLike, phi: ArrayLike, *, n_max: int) -> Any:
    polar, azimuth = floats("sph_harm_y", theta, phi)
    dtype = dtype_of(polar)
    if dtype.itemsize < 4:
        polar, azimuth = (x.astype(np.dtype(np.float32)) for x in (polar, azimuth))
    kind = dtype_of(polar)
    n, m, polar, azimuth = jnp.broadcast_arrays(jnp.minimum(n, n_max), m, polar, azimuth)
    order = jnp.abs(m)
    degree, size = n.astype(kind), order.astype(kind)
    sine, cosine = jnp.sin(polar), jnp.cos(polar)

    def step(number: Any, state: tuple[Any, Any]) -> tuple[Any, Any]:
        """From degree l - 1 to l: along the diagonal up to the order, by three terms from there, no further than n."""
        below, this = state
        index = number.astype(kind)
        last = index - 1
        is_diagonal, is_above = index <= size, index > size
        diagonal = -sine * jnp.sqrt((2 * index + 1) / (2 * index)) * this
        # Where nothing is above the order the roots are of ones, so that no derivative is NaN.
        spread = jnp.where(is_above, index * index - size * size, 1)
        before = jnp.where(is_above, last * last - size * size, 1)
        a = jnp.sqrt((4 * index * index - 1) / spread)
        b = jnp.sqrt(jnp.where(before > 0, before, 1) / (4 * last * last - 1 + 4 * (last == 0)))
        upward = a * (cosine * this - jnp.where(before > 0, b, 0) * below)
        following = jnp.where(is_diagonal, diagonal, upward)
        is_on = index <= degree
        return (jnp.where(is_on, jnp.where(is_diagonal, 0, this), below), jnp.where(is_on, following, this))

    first = jnp.full_like(polar, 0.5 / math.sqrt(math.pi))
    _, legendre = lax.fori_loop(1, n_max + 1, step, (jnp.zeros_like(polar), first))
    legendre = jnp.where(order > n, 0, jnp.where((m < 0) & (order % 2 == 1), -legendre, legendre))
    legendre = jnp.where(n < 0, jnp.nan, legendre)
    angle = m.astype(kind) * azimuth
    return lax.complex(legendre * jnp.cos(angle), legendre * jnp.sin(angle))
