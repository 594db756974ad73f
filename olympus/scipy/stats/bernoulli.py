# SPDX-License-Identifier: Apache-2.0
"""The Bernoulli distribution: one trial of probability p."""

from __future__ import annotations

import functools
from typing import Any

from olympus_core.deferred import listed

from ... import numpy as jnp
from ...operands import strong
from ...typing import Array, ArrayLike
from ..documentation import all_weak, documented, floats
from .parameters import PARAMETERS, inside, probability

__all__ = ["cdf", "logpmf", "pmf", "ppf"]
__dir__ = listed(__all__)

_function = functools.partial(documented, "olympus.scipy.stats.bernoulli", PARAMETERS, domains={"p": probability})


def _logpmf(k: Any, p: Any, loc: Any) -> Any:
    x = k - loc
    return inside((x == 0) | (x == 1), jnp.where(x == 0, jnp.log1p(-p), jnp.log(p)), x)


def _cdf(k: Any, p: Any) -> Any:
    found = jnp.where(k < 0, 0, jnp.where(k < 1, 1 - p, 1))
    found = jnp.where((p >= 0) & (p <= 1) & (k == k), found, jnp.nan)
    return found if all_weak(k, p) else strong(found)


def _ppf(q: Any, p: Any) -> Any:
    possible = (p >= 0) & (p <= 1) & (q >= 0) & (q <= 1)
    return jnp.where(possible, jnp.where(q <= 1 - p, jnp.zeros_like(q), 1), jnp.nan)


@_function("logpmf(1.0, 0.25)", "-1.3863")
def logpmf(k: ArrayLike, p: ArrayLike, loc: ArrayLike = 0) -> Array:
    """The logarithm of the probability."""
    return _logpmf(*floats("bernoulli.logpmf", k, p, loc))


@_function("pmf(1.0, 0.25)", "0.25")
def pmf(k: ArrayLike, p: ArrayLike, loc: ArrayLike = 0) -> Array:
    """The probability."""
    return jnp.exp(_logpmf(*floats("bernoulli.pmf", k, p, loc)))


@_function("cdf(1.0, 0.25)", "1.0")
def cdf(k: ArrayLike, p: ArrayLike) -> Array:
    """The probability of at most k."""
    return _cdf(*floats("bernoulli.cdf", k, p))


@_function("ppf(0.25, 0.25)", "0.0")
def ppf(q: ArrayLike, p: ArrayLike) -> Array:
    """The quantile: where the share below is q; NaN for what is no share."""
    return _ppf(*floats("bernoulli.ppf", q, p))
