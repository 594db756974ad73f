# SPDX-License-Identifier: Apache-2.0
"""The binomial distribution: how many of n trials of probability p succeed."""

from __future__ import annotations

import functools
from typing import Any

from olympus_core.deferred import listed

from ... import numpy as jnp
from ...typing import Array, ArrayLike
from ..documentation import documented, floats
from .parameters import PARAMETERS, inside, not_negative, probability
from .tails import log_beta_density

__all__ = ["logpmf", "pmf"]
__dir__ = listed(__all__)

_function = functools.partial(
    documented, "olympus.scipy.stats.binom", PARAMETERS, domains={"n": not_negative, "p": probability},
)


def _logpmf(k: Any, n: Any, p: Any, loc: Any) -> Any:
    x = k - loc
    possible = (x >= 0) & (x <= n) & (x == jnp.floor(x))
    count = jnp.where(possible, x, 0)
    return inside(possible, log_beta_density(count + 1, jnp.where(possible, n - count, 0) + 1, p) - jnp.log1p(n), x)


@_function("logpmf(2.0, 5.0, 0.25)", "-1.333")
def logpmf(k: ArrayLike, n: ArrayLike, p: ArrayLike, loc: ArrayLike = 0) -> Array:
    """The logarithm of the probability."""
    return _logpmf(*floats("binom.logpmf", k, n, p, loc))


@_function("pmf(2.0, 5.0, 0.25)", "0.2637")
def pmf(k: ArrayLike, n: ArrayLike, p: ArrayLike, loc: ArrayLike = 0) -> Array:
    """The probability."""
    return jnp.exp(_logpmf(*floats("binom.pmf", k, n, p, loc)))
