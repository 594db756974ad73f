# SPDX-License-Identifier: Apache-2.0
"""The beta distribution of shapes a and b, from loc to loc + scale."""

from __future__ import annotations

import functools
from typing import Any

from olympus_core.deferred import listed

from ... import numpy as jnp
from ...typing import Array, ArrayLike
from .. import special
from ..documentation import documented, floats
from .parameters import PARAMETERS, between, inside, positive
from .tails import beta_share_above, log_beta_density, log_beta_share

__all__ = ["cdf", "logcdf", "logpdf", "logsf", "pdf", "sf"]
__dir__ = listed(__all__)

_function = functools.partial(
    documented, "olympus.scipy.stats.beta", PARAMETERS, domains={"a": positive, "b": positive, "scale": positive},
)


def _logpdf(x: Any, a: Any, b: Any, loc: Any, scale: Any) -> Any:
    y = (x - loc) / scale
    within = (y >= 0) & (y <= 1)
    z = jnp.where(within, y, 0.5)
    return inside(within, log_beta_density(a, b, z) - jnp.log(scale), y)


def _cdf(x: Any, a: Any, b: Any, loc: Any, scale: Any) -> Any:
    return between((x - loc) / scale, 0, 1, 0.5, lambda y: special.betainc(a, b, y))


def _logcdf(x: Any, a: Any, b: Any, loc: Any, scale: Any) -> Any:
    return log_beta_share(a, b, (x - loc) / scale, False)


def _sf(x: Any, a: Any, b: Any, loc: Any, scale: Any) -> Any:
    return between((x - loc) / scale, 0, 1, 0.5, lambda y: beta_share_above(a, b, y), below=1)


def _logsf(x: Any, a: Any, b: Any, loc: Any, scale: Any) -> Any:
    return log_beta_share(a, b, (x - loc) / scale, True)


@_function("logpdf(0.5, 2.0, 3.0)", "0.4055")
def logpdf(x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The logarithm of the density."""
    return _logpdf(*floats("beta.logpdf", x, a, b, loc, scale))


@_function("pdf(0.5, 2.0, 3.0)", "1.5")
def pdf(x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The density."""
    return jnp.exp(_logpdf(*floats("beta.pdf", x, a, b, loc, scale)))


@_function("logcdf(0.5, 2.0, 3.0)", "-0.3747")
def logcdf(x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The logarithm of the share below x."""
    return _logcdf(*floats("beta.logcdf", x, a, b, loc, scale))


@_function("cdf(0.5, 2.0, 3.0)", "0.6875")
def cdf(x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The share below x."""
    return _cdf(*floats("beta.cdf", x, a, b, loc, scale))


@_function("logsf(0.5, 2.0, 3.0)", "-1.1632")
def logsf(x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The logarithm of the share above x."""
    return _logsf(*floats("beta.logsf", x, a, b, loc, scale))


@_function("sf(0.5, 2.0, 3.0)", "0.3125")
def sf(x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The share above x."""
    return _sf(*floats("beta.sf", x, a, b, loc, scale))
