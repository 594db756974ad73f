# SPDX-License-Identifier: Apache-2.0
"""The chi-squared distribution of df degrees of freedom."""

from __future__ import annotations

import functools
from typing import Any

from olympus_core.deferred import listed

from ... import numpy as jnp
from ...typing import Array, ArrayLike
from ..documentation import documented, floats
from . import gamma
from .parameters import PARAMETERS, positive

__all__ = ["cdf", "logcdf", "logpdf", "logsf", "pdf", "sf"]
__dir__ = listed(__all__)

_function = functools.partial(
    documented, "olympus.scipy.stats.chi2", PARAMETERS, domains={"df": positive, "scale": positive},
)


def _logpdf(x: Any, df: Any, loc: Any, scale: Any) -> Any:
    return gamma.logpdf(x, df / 2, loc, 2 * scale)


def _cdf(x: Any, df: Any, loc: Any, scale: Any) -> Any:
    return gamma.cdf(x, df / 2, loc, 2 * scale)


def _logcdf(x: Any, df: Any, loc: Any, scale: Any) -> Any:
    return gamma.logcdf(x, df / 2, loc, 2 * scale)


def _sf(x: Any, df: Any, loc: Any, scale: Any) -> Any:
    return gamma.sf(x, df / 2, loc, 2 * scale)


def _logsf(x: Any, df: Any, loc: Any, scale: Any) -> Any:
    return gamma.logsf(x, df / 2, loc, 2 * scale)


@_function("logpdf(1.5, 3.0)", "-1.4662")
def logpdf(x: ArrayLike, df: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The logarithm of the density."""
    return _logpdf(*floats("chi2.logpdf", x, df, loc, scale))


@_function("pdf(1.5, 3.0)", "0.2308")
def pdf(x: ArrayLike, df: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The density."""
    return jnp.exp(_logpdf(*floats("chi2.pdf", x, df, loc, scale)))


@_function("logcdf(1.5, 3.0)", "-1.1466")
def logcdf(x: ArrayLike, df: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The logarithm of the share below x."""
    return _logcdf(*floats("chi2.logcdf", x, df, loc, scale))


@_function("cdf(1.5, 3.0)", "0.3177")
def cdf(x: ArrayLike, df: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The share below x."""
    return _cdf(*floats("chi2.cdf", x, df, loc, scale))


@_function("logsf(1.5, 3.0)", "-0.3823")
def logsf(x: ArrayLike, df: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The logarithm of the share above x."""
    return _logsf(*floats("chi2.logsf", x, df, loc, scale))


@_function("sf(1.5, 3.0)", "0.6823")
def sf(x: ArrayLike, df: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The share above x."""
    return _sf(*floats("chi2.sf", x, df, loc, scale))
