# SPDX-License-Identifier: Apache-2.0
"""The Poisson distribution of mean mu."""

from __future__ import annotations

import functools
import math
from typing import Any

from olympus_core.deferred import listed

from ... import numpy as jnp
from ...typing import Array, ArrayLike
from .. import special
from ..documentation import documented, floats
from .parameters import PARAMETERS, inside, not_negative
from .tails import log_gamma_density

__all__ = ["cdf", "entropy", "logpmf", "pmf"]
__dir__ = listed(__all__)

_function = functools.partial(documented, "olympus.scipy.stats.poisson", PARAMETERS, domains={"mu": not_negative})


def _logpmf(k: Any, mu: Any, loc: Any) -> Any:
    x = k - loc
    possible = (x >= 0) & (x == jnp.floor(x))
    count = jnp.where(possible, x, 0)
    return inside(possible, log_gamma_density(count + 1, mu), x)


def _cdf(k: Any, mu: Any, loc: Any) -> Any:
    x = k - loc
    return jnp.where(x < 0, 0, special.gammaincc(jnp.floor(jnp.maximum(x, 0)) + 1, mu))


def _entropy(mu: Any, loc: Any) -> Any:
    # Up to 200 the sum over all counts that are possible in floats; beyond, the asymptotic series.
    few = mu <= 200
    small, large = jnp.where(few, mu, 1), jnp.where(few, 200, mu)
    counts = jnp.arange(450, dtype=mu.dtype)
    count, mean = jnp.broadcast_arrays(counts, small[..., None])
    logarithms = _logpmf(count, mean, 0)
    direct = -jnp.sum(jnp.exp(logarithms) * logarithms, axis=-1)
    inverse = 1 / large
    series = 0.5 * jnp.log(2 * math.pi * math.e * large) - inverse * (1 / 12 + inverse * (1 / 24 + inverse * 19 / 360))
    found = jnp.where(few, jnp.where(mu == 0, 0, direct), series)
    return jnp.where(mu < 0, jnp.nan, found) + 0 * loc


@_function("logpmf(2.0, 1.5)", "-1.3822")
def logpmf(k: ArrayLike, mu: ArrayLike, loc: ArrayLike = 0) -> Array:
    """The logarithm of the probability."""
    return _logpmf(*floats("poisson.logpmf", k, mu, loc))


@_function("pmf(2.0, 1.5)", "0.251")
def pmf(k: ArrayLike, mu: ArrayLike, loc: ArrayLike = 0) -> Array:
    """The probability."""
    return jnp.exp(_logpmf(*floats("poisson.pmf", k, mu, loc)))


@_function("cdf(2.0, 1.5)", "0.8088")
def cdf(k: ArrayLike, mu: ArrayLike, loc: ArrayLike = 0) -> Array:
    """The probability of at most k."""
    return _cdf(*floats("poisson.cdf", k, mu, loc))


@_function("entropy(1.5)", "1.5394")
def entropy(mu: ArrayLike, loc: ArrayLike = 0) -> Array:
    """The entropy, in units of log(e)."""
    return _entropy(*floats("poisson.entropy", mu, loc))
