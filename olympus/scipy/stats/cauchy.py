# SPDX-License-Identifier: Apache-2.0
"""The Cauchy distribution about loc."""

from __future__ import annotations

import functools
import math
from typing import Any

from olympus_core.deferred import listed

from ... import numpy as jnp
from ...typing import Array, ArrayLike
from ..documentation import documented, floats
from .parameters import PARAMETERS, positive, share

__all__ = ["cdf", "isf", "logcdf", "logpdf", "logsf", "pdf", "ppf", "sf"]
__dir__ = listed(__all__)

_function = functools.partial(documented, "olympus.scipy.stats.cauchy", PARAMETERS, domains={"scale": positive})


def _logpdf(x: Any, loc: Any, scale: Any) -> Any:
    size = jnp.abs((x - loc) / scale)
    far = size > 1e9  # where the square may overflow, and one more is not seen
    near, wide = jnp.where(far, 0, size), jnp.where(far, size, 1)
    return -math.log(math.pi) - jnp.log(scale) - jnp.where(far, 2 * jnp.log(wide), jnp.log1p(near * near))


def _cdf(x: Any, loc: Any, scale: Any) -> Any:
    return jnp.arctan2(jnp.ones_like(x), (loc - x) / scale) / math.pi


def _log_share_below(t: Any) -> Any:
    # The lesser share, which has all its digits; by the angle's own form on each side of 1, since the square
    # of a great number, which the derivatives of `arctan2` have, overflows.
    above = t > 0
    size = jnp.where(above, t, -t)  # at 0 with the slope of the side that is taken there, which `abs` has not
    near = size <= 1
    inner, outer = jnp.arctan(jnp.where(near, size, 0)), jnp.arctan(1 / jnp.where(near, 1, size))
    tail = jnp.where(near, 0.5 - inner / math.pi, outer / math.pi)
    return jnp.where(above, jnp.log1p(-tail), jnp.log(jnp.where(above, 1, tail)))


def _logcdf(x: Any, loc: Any, scale: Any) -> Any:
    return _log_share_below((x - loc) / scale)


def _sf(x: Any, loc: Any, scale: Any) -> Any:
    return jnp.arctan2(jnp.ones_like(x), (x - loc) / scale) / math.pi


def _logsf(x: Any, loc: Any, scale: Any) -> Any:
    return _log_share_below((loc - x) / scale)


def _quantile(q: Any) -> Any:
    # The tangent about one half; in the tails one over the tangent of what is left, which keeps its digits.
    low, high = q < 0.25, q > 0.75
    rest = jnp.where(low, jnp.abs(q), jnp.where(high, 1 - q, 0.25))  # of -0 as of 0
    tail = 1 / jnp.tan(math.pi * rest)
    middle = jnp.tan(math.pi * (jnp.where(low | high, 0.5, q) - 0.5))
    return jnp.where(low, -tail, jnp.where(high, tail, middle))


def _ppf(q: Any, loc: Any, scale: Any) -> Any:
    return _quantile(share(q)) * scale + loc


def _isf(q: Any, loc: Any, scale: Any) -> Any:
    return loc - _quantile(share(q)) * scale


@_function("logpdf(0.5)", "-1.3679")
def logpdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The logarithm of the density."""
    return _logpdf(*floats("cauchy.logpdf", x, loc, scale))


@_function("pdf(0.5)", "0.2546")
def pdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The density."""
    return jnp.exp(_logpdf(*floats("cauchy.pdf", x, loc, scale)))


@_function("logcdf(0.5)", "-0.4345")
def logcdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The logarithm of the share below x."""
    return _logcdf(*floats("cauchy.logcdf", x, loc, scale))


@_function("cdf(0.5)", "0.6476")
def cdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The share below x."""
    return _cdf(*floats("cauchy.cdf", x, loc, scale))


@_function("logsf(0.5)", "-1.0429")
def logsf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The logarithm of the share above x."""
    return _logsf(*floats("cauchy.logsf", x, loc, scale))


@_function("sf(0.5)", "0.3524")
def sf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The share above x."""
    return _sf(*floats("cauchy.sf", x, loc, scale))


@_function("ppf(0.25)", "-1.0")
def ppf(q: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The quantile: where the share below is q; NaN for what is no share."""
    return _ppf(*floats("cauchy.ppf", q, loc, scale))


@_function("isf(0.25)", "1.0")
def isf(q: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The quantile: where the share above is q; NaN for what is no share."""
    return _isf(*floats("cauchy.isf", q, loc, scale))
