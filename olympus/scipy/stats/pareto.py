# SPDX-License-Identifier: Apache-2.0
"""The Pareto distribution of exponent b, from loc + scale on."""

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

_function = functools.partial(
    documented, "olympus.scipy.stats.pareto", PARAMETERS, domains={"b": positive, "scale": positive},
)


def _steps(x: Any, loc: Any, scale: Any) -> Any:
    """The logarithm of how many times its least value a number is; 0 below."""
    return jnp.log(jnp.maximum((x - loc) / scale, 1))


def _logpdf(x: Any, b: Any, loc: Any, scale: Any) -> Any:
    y = (x - loc) / scale
    return inside(y >= 1, jnp.log(b) - jnp.log(scale) + _logsf(x, b + 1, loc, scale), y)


def _logsf(x: Any, b: Any, loc: Any, scale: Any) -> Any:
    steps = _steps(x, loc, scale)
    return jnp.where(steps == 0, 0, -b) * steps


def _sf(x: Any, b: Any, loc: Any, scale: Any) -> Any:
    return jnp.exp(_logsf(x, b, loc, scale))


def _cdf(x: Any, b: Any, loc: Any, scale: Any) -> Any:
    return -jnp.expm1(_logsf(x, b, loc, scale))


def _logcdf(x: Any, b: Any, loc: Any, scale: Any) -> Any:
    return log_of_share_below(-_logsf(x, b, loc, scale))


def _ppf(q: Any, b: Any, loc: Any, scale: Any) -> Any:
    last = q == 1
    found = jnp.exp(-jnp.log1p(-share(jnp.where(last, 0, q))) / b) * scale + loc
    return jnp.where(last & ~jnp.isnan(found), jnp.inf, found)


@_function("logpdf(1.5, 2.0)", "-0.5232")
def logpdf(x: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The logarithm of the density."""
    return _logpdf(*floats("pareto.logpdf", x, b, loc, scale))


@_function("pdf(1.5, 2.0)", "0.5926")
def pdf(x: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The density."""
    return jnp.exp(_logpdf(*floats("pareto.pdf", x, b, loc, scale)))


@_function("logcdf(1.5, 2.0)", "-0.5878")
def logcdf(x: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The logarithm of the share below x."""
    return _logcdf(*floats("pareto.logcdf", x, b, loc, scale))


@_function("cdf(1.5, 2.0)", "0.5556")
def cdf(x: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The share below x."""
    return _cdf(*floats("pareto.cdf", x, b, loc, scale))


@_function("logsf(1.5, 2.0)", "-0.8109")
def logsf(x: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The logarithm of the share above x."""
    return _logsf(*floats("pareto.logsf", x, b, loc, scale))


@_function("sf(1.5, 2.0)", "0.4444")
def sf(x: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The share above x."""
    return _sf(*floats("pareto.sf", x, b, loc, scale))


@_function("ppf(0.25, 2.0)", "1.1547")
def ppf(q: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The quantile: where the share below is q; NaN for what is no share."""
    return _ppf(*floats("pareto.ppf", q, b, loc, scale))
