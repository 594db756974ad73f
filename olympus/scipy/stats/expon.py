# SPDX-License-Identifier: Apache-2.0
"""The exponential distribution, from loc on, of mean scale beyond it."""

from __future__ import annotations

import functools
from typing import Any

from olympus_core.deferred import listed

from ... import numpy as jnp
from ...typing import Array, ArrayLike
from ..documentation import documented, floats
from .parameters import PARAMETERS, inside, log_of_share_below, positive, share

__all__ = ["cdf", "logcdf", "logpdf", "logsf", "pdf", "ppf", "sf"]
__dir__ = listed(__all__)

_function = functools.partial(documented, "olympus.scipy.stats.expon", PARAMETERS, domains={"scale": positive})


def _logpdf(x: Any, loc: Any, scale: Any) -> Any:
    y = (x - loc) / scale
    return inside(y >= 0, -y - jnp.log(scale), y)


def _cdf(x: Any, loc: Any, scale: Any) -> Any:
    return -jnp.expm1(_logsf(x, loc, scale))


def _logcdf(x: Any, loc: Any, scale: Any) -> Any:
    return log_of_share_below(-_logsf(x, loc, scale))


def _sf(x: Any, loc: Any, scale: Any) -> Any:
    return jnp.exp(_logsf(x, loc, scale))


def _logsf(x: Any, loc: Any, scale: Any) -> Any:
    return -jnp.maximum((x - loc) / scale, 0)


def _ppf(q: Any, loc: Any, scale: Any) -> Any:
    return -jnp.log1p(-share(q)) * scale + loc


@_function("logpdf(0.5)", "-0.5")
def logpdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The logarithm of the density."""
    return _logpdf(*floats("expon.logpdf", x, loc, scale))


@_function("pdf(0.5)", "0.6065")
def pdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The density."""
    return jnp.exp(_logpdf(*floats("expon.pdf", x, loc, scale)))


@_function("logcdf(0.5)", "-0.9328")
def logcdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The logarithm of the share below x."""
    return _logcdf(*floats("expon.logcdf", x, loc, scale))


@_function("cdf(0.5)", "0.3935")
def cdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The share below x."""
    return _cdf(*floats("expon.cdf", x, loc, scale))


@_function("logsf(0.5)", "-0.5")
def logsf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The logarithm of the share above x."""
    return _logsf(*floats("expon.logsf", x, loc, scale))


@_function("sf(0.5)", "0.6065")
def sf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The share above x."""
    return _sf(*floats("expon.sf", x, loc, scale))


@_function("ppf(0.25)", "0.2877")
def ppf(q: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The quantile: where the share below is q; NaN for what is no share."""
    return _ppf(*floats("expon.ppf", q, loc, scale))
