# SPDX-License-Identifier: Apache-2.0
"""The normal distribution cut off at a and b, in deviations from loc."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from olympus_core.deferred import listed

from ... import nn
from ... import numpy as jnp
from ...typing import Array, ArrayLike
from .. import special
from ..documentation import documented, floats
from . import norm
from .parameters import PARAMETERS, inside, positive

__all__ = ["cdf", "logcdf", "logpdf", "logsf", "pdf", "sf"]
__dir__ = listed(__all__)

# Gauss's quadrature from -1 to 1 by twelve points, of which those above zero.
_NODES = tuple(zip(*(v[6:].tolist() for v in np.polynomial.legendre.leggauss(12)), strict=True))

_function = functools.partial(documented, "olympus.scipy.stats.truncnorm", PARAMETERS, domains={"scale": positive})


def _log_mass(low: Any, high: Any) -> Any:
    """The logarithm of the normal distribution's share between two numbers."""
    right = low > 0
    low, high = jnp.where(right, -high, low), jnp.where(right, -low, high)
    # Of a narrow interval by the density in it, for the two shares are nearly the same.
    half, middle = 0.5 * (high - low), 0.5 * (high + low)
    narrow = half * jnp.maximum(1, jnp.abs(middle)) < 0.5
    left = (high <= 0) & ~narrow
    upper, lower = special.log_ndtr(jnp.where(left, high, 0)), special.log_ndtr(jnp.where(left, low, -1))
    # Of two of which one is nothing the difference is the other, also where that is too small to be as well.
    nothing = lower == -jnp.inf
    one_side = upper + jnp.where(nothing, 0, nn.log1mexp(jnp.where(nothing, 1, upper - lower)))
    other = left | narrow
    around = jnp.log1p(-special.ndtr(jnp.where(other, -1, low)) - special.ndtr(-jnp.where(other, 1, high)))
    half, middle = jnp.where(narrow, half, 0.1), jnp.where(narrow, middle, 0)
    total = sum(weight * 2 * jnp.cosh(middle * node * half) * jnp.exp(-0.5 * jnp.square(node * half))
                for node, weight in _NODES)
    inner = jnp.log(half) + jnp.log(total) - 0.5 * jnp.square(middle) - 0.5 * math.log(2 * math.pi)
    return jnp.where(narrow, inner, jnp.where(left, one_side, around))


def _logpdf(x: Any, a: Any, b: Any, loc: Any, scale: Any) -> Any:
    y = jnp.where(a < b, (x - loc) / scale, jnp.nan)
    return inside((y >= a) & (y <= b), norm.logpdf(y) - jnp.log(scale) - _log_mass(a, b), y)


def _part(low: Any, high: Any, a: Any, b: Any, log_all: Any) -> Any:
    none, whole = high <= low, (low <= a) & (high >= b)
    found = _log_mass(jnp.where(none | whole, a, low), jnp.where(none | whole, b, high)) - log_all
    return jnp.where(none, -jnp.inf, jnp.where(whole, 0, found))


def _parts(x: Any, a: Any, b: Any, loc: Any, scale: Any) -> tuple[Any, Any]:
    """The logarithms of the shares below x and above."""
    y, log_all = (x - loc) / scale, _log_mass(a, b)
    return _part(a, jnp.minimum(y, b), a, b, log_all), _part(jnp.maximum(y, a), b, a, b, log_all)


def _of_two(found: Any, other: Any) -> Any:
    """A share's logarithm; where it is near 0 by what the other share, which completes it to one, leaves of it."""
    near = found > -0.5
    return jnp.where(near, jnp.log1p(-jnp.exp(jnp.where(near, other, -1))), found)


def _logcdf(x: Any, a: Any, b: Any, loc: Any, scale: Any) -> Any:
    below, above = _parts(x, a, b, loc, scale)
    return jnp.where(a < b, _of_two(below, above), jnp.nan)


def _cdf(x: Any, a: Any, b: Any, loc: Any, scale: Any) -> Any:
    return jnp.exp(_logcdf(x, a, b, loc, scale))


def _logsf(x: Any, a: Any, b: Any, loc: Any, scale: Any) -> Any:
    below, above = _parts(x, a, b, loc, scale)
    return jnp.where(a < b, _of_two(above, below), jnp.nan)


def _sf(x: Any, a: Any, b: Any, loc: Any, scale: Any) -> Any:
    return jnp.exp(_logsf(x, a, b, loc, scale))


@_function("logpdf(0.5, -1.0, 2.0)", "-0.8438")
def logpdf(x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The logarithm of the density."""
    return _logpdf(*floats("truncnorm.logpdf", x, a, b, loc, scale))


@_function("pdf(0.5, -1.0, 2.0)", "0.4301")
def pdf(x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The density."""
    return jnp.exp(_logpdf(*floats("truncnorm.pdf", x, a, b, loc, scale)))


@_function("logcdf(0.5, -1.0, 2.0)", "-0.4294")
def logcdf(x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The logarithm of the share below x."""
    return _logcdf(*floats("truncnorm.logcdf", x, a, b, loc, scale))


@_function("cdf(0.5, -1.0, 2.0)", "0.6509")
def cdf(x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The share below x."""
    return _cdf(*floats("truncnorm.cdf", x, a, b, loc, scale))


@_function("logsf(0.5, -1.0, 2.0)", "-1.0523")
def logsf(x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The logarithm of the share above x."""
    return _logsf(*floats("truncnorm.logsf", x, a, b, loc, scale))


@_function("sf(0.5, -1.0, 2.0)", "0.3491")
def sf(x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The share above x."""
    return _sf(*floats("truncnorm.sf", x, a, b, loc, scale))
