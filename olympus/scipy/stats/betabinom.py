# SPDX-License-Identifier: Apache-2.0
"""The beta-binomial distribution: of n trials whose probability is of the beta distribution of a and b."""

from __future__ import annotations

import functools
from typing import Any

from olympus_core.deferred import listed

from ... import lax
from ... import numpy as jnp
from ...typing import Array, ArrayLike
from ..documentation import documented, floats
from .parameters import PARAMETERS, inside, not_negative, positive
from .tails import log_beta_density

__all__ = ["logpmf", "pmf"]
__dir__ = listed(__all__)

_function = functools.partial(
    documented, "olympus.scipy.stats.betabinom", PARAMETERS, domains={"n": not_negative, "a": positive, "b": positive},
)


def _logpmf(k: Any, n: Any, a: Any, b: Any, loc: Any) -> Any:
    x = k - loc
    possible = (x >= 0) & (x <= n) & (x == jnp.floor(x))
    count = jnp.where(possible, x, 0)
    rest = jnp.where(possible, n - count, 0)
    # By densities at any one probability, of which a good one is that expected after the trials.
    p = lax.stop_gradient((count + a) / (n + a + b))
    trials = log_beta_density(count + 1, rest + 1, p) - jnp.log1p(n)
    return inside(possible, trials + log_beta_density(a, b, p) - log_beta_density(count + a, rest + b, p), x)


@_function("logpmf(2.0, 5.0, 1.5, 2.0)", "-1.5459")
def logpmf(k: ArrayLike, n: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0) -> Array:
    """The logarithm of the probability."""
    return _logpmf(*floats("betabinom.logpmf", k, n, a, b, loc))


@_function("pmf(2.0, 5.0, 1.5, 2.0)", "0.2131")
def pmf(k: ArrayLike, n: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0) -> Array:
    """The probability."""
    return jnp.exp(_logpmf(*floats("betabinom.pmf", k, n, a, b, loc)))
