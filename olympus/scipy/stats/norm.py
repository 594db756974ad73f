# SPDX-License-Identifier: Apache-2.0
"""The normal distribution of mean loc and deviation scale."""

from __future__ import annotations

import functools
import math
from typing import Any

from olympus_core.deferred import listed

from ... import numpy as jnp
from ...typing import Array, ArrayLike
from .. import special
from ..documentation import documented, floats
from .parameters import PARAMETERS, positive

__all__ = ["cdf", "isf", "logcdf", "logpdf", "logsf", "pdf", "ppf", "sf"]
__dir__ = listed(__all__)

_function = functools.partial(documented, "olympus.scipy.stats.norm", PARAMETERS, domains={"scale": positive})


def _logpdf(x: Any, loc: Any, scale: Any) -> Any:
    y = (x - loc) / scale
    return -0.5 * y * y - jnp.log(scale) - 0.5 * math.log(2 * math.pi)


def _cdf(x: Any, loc: Any, scale: Any) -> Any:
    return special.ndtr((x - loc) / scale)


def _logcdf(x: Any, loc: Any, scale: Any) -> Any:
    return special.log_ndtr((x - loc) / scale)


def _sf(x: Any, loc: Any, scale: Any) -> Any:
    return special.ndtr((loc - x) / scale)


def _logsf(x: Any, loc: Any, scale: Any) -> Any:
    return special.log_ndtr((loc - x) / scale)


def _ppf(q: Any, loc: Any, scale: Any) -> Any:
    return special.ndtri(q) * scale + loc


def _isf(q: Any, loc: Any, scale: Any) -> Any:
    return loc - special.ndtri(q) * scale


@_function("logpdf(0.5)", "-1.0439")
def logpdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The logarithm of the density."""
    return _logpdf(*floats("norm.logpdf", x, loc, scale))


@_function("pdf(0.5)", "0.3521")
def pdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The density."""
    return jnp.exp(_logpdf(*floats("norm.pdf", x, loc, scale)))


@_function("logcdf(0.5)", "-0.3689")
def logcdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The logarithm of the share below x."""
    return _logcdf(*floats("norm.logcdf", x, loc, scale))


@_function("cdf(0.5)", "0.6915")
def cdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The share below x."""
    return _cdf(*floats("norm.cdf", x, loc, scale))


@_function("logsf(0.5)", "-1.1759")
def logsf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The logarithm of the share above x."""
    return _logsf(*floats("norm.logsf", x, loc, scale))


@_function("sf(0.5)", "0.3085")
def sf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The share above x."""
    return _sf(*floats("norm.sf", x, loc, scale))


@_function("ppf(0.25)", "-0.6745")
def ppf(q: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The quantile: where the share below is q; NaN for what is no share."""
    return _ppf(*floats("norm.ppf", q, loc, scale))


@_function("isf(0.25)", "0.6745")
def isf(q: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The quantile: where the share above is q; NaN for what is no share."""
    return _isf(*floats("norm.isf", q, loc, scale))
