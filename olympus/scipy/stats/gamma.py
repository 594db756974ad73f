# SPDX-License-Identifier: Apache-2.0
"""The gamma distribution of shape a."""

from __future__ import annotations

import functools
import math
from typing import Any

from olympus_core.deferred import listed

from ... import numpy as jnp
from ...typing import Array, ArrayLike
from .. import special
from ..documentation import documented, floats
from .parameters import PARAMETERS, between, inside, positive
from .tails import log_gamma_density, log_gamma_share

__all__ = ["cdf", "logcdf", "logpdf", "logsf", "pdf", "sf"]
__dir__ = listed(__all__)

_function = functools.partial(
    documented, "olympus.scipy.stats.gamma", PARAMETERS, domains={"a": positive, "scale": positive},
)


def _logpdf(x: Any, a: Any, loc: Any, scale: Any) -> Any:
    y = (x - loc) / scale
    z = jnp.where(y >= 0, y, 1)
    return inside(y >= 0, log_gamma_density(a, z) - jnp.log(scale), y)


def _cdf(x: Any, a: Any, loc: Any, scale: Any) -> Any:
    return between((x - loc) / scale, 0, math.inf, 1, lambda y: special.gammainc(a, y))


def _logcdf(x: Any, a: Any, loc: Any, scale: Any) -> Any:
    return log_gamma_share(a, (x - loc) / scale, False)


def _sf(x: Any, a: Any, loc: Any, scale: Any) -> Any:
    return between((x - loc) / scale, 0, math.inf, 1, lambda y: special.gammaincc(a, y), below=1)


def _logsf(x: Any, a: Any, loc: Any, scale: Any) -> Any:
    return log_gamma_share(a, (x - loc) / scale, True)


@_function("logpdf(1.5, 2.0)", "-1.0945")
def logpdf(x: ArrayLike, a: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The logarithm of the density."""
    return _logpdf(*floats("gamma.logpdf", x, a, loc, scale))


@_function("pdf(1.5, 2.0)", "0.3347")
def pdf(x: ArrayLike, a: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The density."""
    return jnp.exp(_logpdf(*floats("gamma.pdf", x, a, loc, scale)))


@_function("logcdf(1.5, 2.0)", "-0.8161")
def logcdf(x: ArrayLike, a: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The logarithm of the share below x."""
    return _logcdf(*floats("gamma.logcdf", x, a, loc, scale))


@_function("cdf(1.5, 2.0)", "0.4422")
def cdf(x: ArrayLike, a: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The share below x."""
    return _cdf(*floats("gamma.cdf", x, a, loc, scale))


@_function("logsf(1.5, 2.0)", "-0.5837")
def logsf(x: ArrayLike, a: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The logarithm of the share above x."""
    return _logsf(*floats("gamma.logsf", x, a, loc, scale))


@_function("sf(1.5, 2.0)", "0.5578")
def sf(x: ArrayLike, a: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The share above x."""
    return _sf(*floats("gamma.sf", x, a, loc, scale))
