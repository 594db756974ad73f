# SPDX-License-Identifier: Apache-2.0
"""The generalised normal distribution of exponent beta."""

from __future__ import annotations

import functools
from typing import Any

from olympus_core.deferred import listed

from ... import numpy as jnp
from ...typing import Array, ArrayLike
from .. import special
from ..documentation import documented, floats
from .parameters import PARAMETERS, positive

__all__ = ["cdf", "logpdf", "pdf"]
__dir__ = listed(__all__)

_function = functools.partial(documented, "olympus.scipy.stats.gennorm", PARAMETERS, domains={"beta": positive})


def _logpdf(x: Any, beta: Any) -> Any:
    return jnp.log(beta / 2) - special.gammaln(1 / beta) - jnp.abs(x) ** beta


def _cdf(x: Any, beta: Any) -> Any:
    # At 0 and far out the steps below have slopes of which one is infinite; that of the whole is the density.
    middle, far = x == 0, jnp.isinf(x)
    size = jnp.abs(jnp.where(middle | far, 1, x))
    power = size ** beta
    # The first terms of the series in a power so small that it may have vanished.
    flat = power < float(jnp.finfo(power.dtype).eps) ** 0.5
    inner = size * jnp.exp(-special.gammaln(1 + 1 / beta)) * (1 - jnp.where(flat, power, 0) / (1 + beta))
    tail = 0.5 * jnp.where(flat, 1 - inner, special.gammaincc(1 / beta, jnp.where(flat, 1, power)))
    ends = jnp.where(far, x > 0, 0.5 + jnp.where(middle, x, 0) * jnp.exp(_logpdf(jnp.zeros_like(x), beta)))
    return jnp.where(middle | far, ends, jnp.where(x < 0, tail, 1 - tail))


@_function("logpdf(0.5, 1.5)", "-0.9444")
def logpdf(x: ArrayLike, beta: ArrayLike) -> Array:
    """The logarithm of the density."""
    return _logpdf(*floats("gennorm.logpdf", x, beta))


@_function("pdf(0.5, 1.5)", "0.3889")
def pdf(x: ArrayLike, beta: ArrayLike) -> Array:
    """The density."""
    return jnp.exp(_logpdf(*floats("gennorm.pdf", x, beta)))


@_function("cdf(0.5, 1.5)", "0.7417")
def cdf(x: ArrayLike, beta: ArrayLike) -> Array:
    """The share below x."""
    return _cdf(*floats("gennorm.cdf", x, beta))
