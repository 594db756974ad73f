# SPDX-License-Identifier: Apache-2.0
"""The Gumbel distribution of least values."""

from __future__ import annotations

import functools
from typing import Any

from olympus_core.deferred import listed

from ... import numpy as jnp
from ...typing import Array, ArrayLike
from ..documentation import documented, floats
from .parameters import PARAMETERS, log_of_rest, positive, share

__all__ = ["cdf", "logcdf", "logpdf", "logsf", "pdf", "ppf", "sf"]
__dir__ = listed(__all__)

_function = functools.partial(documented, "olympus.scipy.stats.gumbel_l", PARAMETERS, domains={"scale": positive})


def _logpdf(x: Any, loc: Any, scale: Any) -> Any:
    y = (x - loc) / scale
    greatest = y == jnp.inf
    z = jnp.where(greatest, 0, y)
    return jnp.where(greatest, -jnp.inf, z - jnp.exp(z) - jnp.log(scale))


def _logsf(x: Any, loc: Any, scale: Any) -> Any:
    return -jnp.exp((x - loc) / scale)


def _sf(x: Any, loc: Any, scale: Any) -> Any:
    return jnp.exp(_logsf(x, loc, scale))


def _cdf(x: Any, loc: Any, scale: Any) -> Any:
    return -jnp.expm1(_logsf(x, loc, scale))


def _logcdf(x: Any, loc: Any, scale: Any) -> Any:
    return log_of_rest((x - loc) / scale)


def _ppf(p: Any, loc: Any, scale: Any) -> Any:
    return loc + jnp.log(-jnp.log1p(-share(p))) * scale


@_function("logpdf(0.5)", "-1.1487")
def logpdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The logarithm of the density."""
    return _logpdf(*floats("gumbel_l.logpdf", x, loc, scale))


@_function("pdf(0.5)", "0.317")
def pdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The density."""
    return jnp.exp(_logpdf(*floats("gumbel_l.pdf", x, loc, scale)))


@_function("logcdf(0.5)", "-0.2136")
def logcdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The logarithm of the share below x."""
    return _logcdf(*floats("gumbel_l.logcdf", x, loc, scale))


@_function("cdf(0.5)", "0.8077")
def cdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The share below x."""
    return _cdf(*floats("gumbel_l.cdf", x, loc, scale))


@_function("logsf(0.5)", "-1.6487")
def logsf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The logarithm of the share above x."""
    return _logsf(*floats("gumbel_l.logsf", x, loc, scale))


@_function("sf(0.5)", "0.1923")
def sf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The share above x."""
    return _sf(*floats("gumbel_l.sf", x, loc, scale))


@_function("ppf(0.25)", "-1.2459")
def ppf(p: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The quantile: where the share below is p; NaN for what is no share."""
    return _ppf(*floats("gumbel_l.ppf", p, loc, scale))
