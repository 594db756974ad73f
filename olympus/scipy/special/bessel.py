"""Bessel functions."""

from __future__ import annotations

from olympus_core import ops
from olympus_core.deferred import listed

from ... import numpy as jnp
from ...tracing import bind
from ...typing import Array, ArrayLike
from ..documentation import floats
from .parameters import function

__all__ = ["i0", "i0e", "i1", "i1e"]
__dir__ = listed(__all__)


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
    """The modified Bessel function of order 0."""
    (x,) = floats("i0", x)
    return bind(ops.bessel_i0e, x) * jnp.exp(jnp.abs(x))


@function("i1(0.0)", "0.0", references="DLMF 10.25.")
def i1(x: ArrayLike) -> Array:
    """The modified Bessel function of order 1."""
    (x,) = floats("i1", x)
    return bind(ops.bessel_i1e, x) * jnp.exp(jnp.abs(x))
