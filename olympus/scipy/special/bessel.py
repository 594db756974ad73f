# SPDX-License-Identifier: Apache-2.0
"""Bessel functions."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from olympus_core import ops
from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError

from ... import numpy as jnp
from ...numpy.modified_bessel import order_0, order_1
from ...operands import dtype_of, integer, shape_of
from ...tracing import bind
from ...transforms.derivatives import custom_jvp
from ...typing import Array, ArrayLike
from ..documentation import floats
from .parameters import function

__all__ = ["bessel_jn", "i0", "i0e", "i1", "i1e"]
__dir__ = listed(__all__)

# Of so high an order the coefficients still have float32's exponents.
_HIGHEST_ORDER = 128


@function("i0e(0.0)", "1.0", references="DLMF 10.25.")
def i0e(x: ArrayLike) -> Array:
    """The modified Bessel function of order 0, times exp(-|x|); off by at most 8 units in the last place."""
    return bind(ops.bessel_i0e, *floats("i0e", x))


@function("i1e(0.0)", "0.0", references="DLMF 10.25.")
def i1e(x: ArrayLike) -> Array:
    """The modified Bessel function of order 1, times exp(-|x|); off by at most 8 units in the last place."""
    return bind(ops.bessel_i1e, *floats("i1e", x))


@function("i0(0.0)", "1.0", references="DLMF 10.25.")
def i0(x: ArrayLike) -> Array:
    """The modified Bessel function of order 0; off by at most 16 units in the last place."""
    return order_0(*floats("i0", x))


@function("i1(0.0)", "0.0", references="DLMF 10.25.")
def i1(x: ArrayLike) -> Array:
    """The modified Bessel function of order 1; off by at most 16 units in the last place."""
    return order_1(*floats("i1", x))


@functools.cache
def _first_kind(v: int) -> Any:
    """The Bessel functions of the first kind of the orders from 0 to v, of a number that is not negative."""

    @custom_jvp
    def orders(z: Any) -> Any:
        least = max(v, 25)
        near = z <= least
        # J_k(z) = h^k / k! c_k with h = z / 2; c is found downward, but for a factor that the sum
        # J_0 + 2 J_2 + 2 J_4 + ... = 1 gives (Miller's algorithm; no power can overflow in it).
        half = jnp.where(near, 0.5 * z, 0)
        # What the sum leaves out, orders above `first`, is less than 1e-20.
        square, first = half * half, least + 20 + int(12 * least ** (1 / 3))
        after, this, total = jnp.ones_like(z), jnp.ones_like(z), jnp.zeros_like(z)
        scaled = []
        for k in range(first, -1, -1):
            after, this = this, this - square * after / ((k + 1) * (k + 2))
            total = total * half / (k + 1) + (0 if k % 2 else 2 if k else 1) * this
            scaled.append(this)
        power, low = 1 / total, []
        for k in range(v + 1):
            low.append(power * scaled[-1 - k])
            power = power * half / (k + 1)
        # Beyond, Hankel's expansions of the first two orders, and upward from these.
        far = jnp.where(near | jnp.isinf(z), least, z)
        sine, cosine, inverse = jnp.sin(far), jnp.cos(far), 1 / far
        root = jnp.sqrt(inverse / math.pi)
        even, odd = _hankel(0, inverse)
        high = [root * (even * (cosine + sine) - odd * (sine - cosine))]
        even, odd = _hankel(1, inverse)
        high.append(root * (even * (sine - cosine) + odd * (sine + cosine)))
        for k in range(1, v):
            high.append(2 * k * inverse * high[-1] - high[-2])
        gone = jnp.isinf(z)
        rows = [jnp.where(near, a, jnp.where(gone, 0, jnp.where(jnp.isnan(z), z, b)))[None]
                for a, b in zip(low, high, strict=False)]
        while len(rows) > 1:  # a few at a time: a generated kernel does not join arrays without end
            rows = [jnp.concatenate(rows[k:k + 6]) for k in range(0, len(rows), 6)]
        return rows[0]

    @orders.defjvp
    def slope(primals: tuple[Any], tangents: tuple[Any]) -> tuple[Any, Any]:
        (z,), (t,) = primals, tangents
        # One order more than asked for: the derivative of J_k is half of J_(k-1) - J_(k+1).
        y = _first_kind(v + 1)(z)
        below = jnp.concatenate([0 - y[1:2], y[:v]]) if v else 0 - y[1:2]
        return y[:v + 1], 0.5 * t * (below - y[1:])

    return orders


def _hankel(order: int, inverse: Any) -> tuple[Any, Any]:
    """The even and the odd terms of Hankel's expansion, with their signs."""
    terms, a = [], 1.0
    for k in range(1, 17):
        terms.append(a)
        a *= (4 * order * order - (2 * k - 1) ** 2) / (8 * k)
    square = inverse * inverse
    even, odd = jnp.zeros_like(inverse), jnp.zeros_like(inverse)
    for k in range(14, -1, -2):
        even, odd = terms[k] - square * even, terms[k + 1] - square * odd
    return even, odd * inverse


@function("bessel_jn(1.0, v=1)[1]", "0.4401", static=("v", "n_iter"),
          returns="An array whose first dimension is the order, from 0 to v, and whose others are those of z.",
          references="DLMF 10.2, 10.17, 3.6; J. C. P. Miller, Bessel Functions, Part II (1952).")
def bessel_jn(z: ArrayLike, *, v: int, n_iter: int = 50) -> Array:
    """Bessel functions of the first kind, of the orders to v; off by at most 16 units in the last place of 1."""
    order = integer("bessel_jn", v, "the order v")
    if not 0 <= order <= _HIGHEST_ORDER:
        raise ArgumentError("bessel_jn", "the order is out of range", f"v = {order}", f"0 to {_HIGHEST_ORDER}")
    (x,) = floats("bessel_jn", z)
    dtype = dtype_of(x)
    wide = x.astype(np.dtype(np.float32)) if dtype.itemsize < 4 else x
    found = _first_kind(order)(jnp.abs(wide))
    signs = np.array([(-1) ** k for k in range(order + 1)]).reshape((-1,) + (1,) * len(shape_of(x)))
    return jnp.where(wide < 0, found * signs.astype(dtype_of(wide)), found).astype(dtype)
