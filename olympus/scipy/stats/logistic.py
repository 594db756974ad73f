# SPDX-License-Identifier: Apache-2.0
"""The logistic distribution about loc."""

from __future__ import annotations

import functools
from typing import Any

from olympus_core.deferred import listed

from ... import numpy as jnp
from ...typing import Array, ArrayLike
from .. import special
from ..documentation import documented, floats
from .parameters import PARAMETERS, positive

__all__ = ["cdf", "isf", "logpdf", "pdf", "ppf", "sf"]
__dir__ = listed(__all__)

_function = functools.partial(documented, "olympus.scipy.stats.logistic", PARAMETERS, domains={"scale": positive})


def _logpdf(x: Any, loc: Any, scale: Any) -> Any:
    size = jnp.abs((x - loc) / scale)
    return -size - 2 * jnp.log1p(jnp.exp(-size)) - jnp.log(scale)


def _cdf(x: Any, loc: Any, scale: Any) -> Any:
    return special.expit((x - loc) / scale)


def _sf(x: Any, loc: Any, scale: Any) -> Any:
    return special.expit((loc - x) / scale)


def _ppf(q: Any, loc: Any, scale: Any) -> Any:
    return special.logit(q) * scale + loc


def _isf(q: Any, loc: Any, scale: Any) -> Any:
    return loc - special.logit(q) * scale


@_function("logpdf(0.5)", "-1.4482")
def logpdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The logarithm of the density."""
    return _logpdf(*floats("logistic.logpdf", x, loc, scale))


@_function("pdf(0.5)", "0.235")
def pdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The density."""
    return jnp.exp(_logpdf(*floats("logistic.pdf", x, loc, scale)))


@_function("cdf(0.5)", "0.6225")
def cdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The share below x."""
    return _cdf(*floats("logistic.cdf", x, loc, scale))


@_function("sf(0.5)", "0.3775")
def sf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The share above x."""
    return _sf(*floats("logistic.sf", x, loc, scale))


@_function("ppf(0.25)", "-1.0986")
def ppf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The quantile: where the share below is x; NaN for what is no share."""
    return _ppf(*floats("logistic.ppf", x, loc, scale))


@_function("isf(0.25)", "1.0986")
def isf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The quantile: where the share above is x; NaN for what is no share."""
    return _isf(*floats("logistic.isf", x, loc, scale))
