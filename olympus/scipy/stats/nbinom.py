# SPDX-License-Identifier: Apache-2.0
"""The negative binomial distribution: failures before n successes of probability p."""

from __future__ import annotations

import functools
from typing import Any

from olympus_core.deferred import listed

from ... import numpy as jnp
from ...typing import Array, ArrayLike
from ..documentation import documented, floats
from .parameters import PARAMETERS, inside, positive, some_probability
from .tails import log_beta_density

__all__ = ["logpmf", "pmf"]
__dir__ = listed(__all__)

_function = functools.partial(
    documented, "olympus.scipy.stats.nbinom", PARAMETERS, domains={"n": positive, "p": some_probability},
)


def _logpmf(k: Any, n: Any, p: Any, loc: Any) -> Any:
    x = k - loc
    possible = (x >= 0) & (x == jnp.floor(x))
    count = jnp.where(possible, x, 0)
    return inside(possible, log_beta_density(n, count + 1, p) + jnp.log(p / (count + n)), x)


@_function("logpmf(2.0, 3.0, 0.25)", "-2.9425")
def logpmf(k: ArrayLike, n: ArrayLike, p: ArrayLike, loc: ArrayLike = 0) -> Array:
    """The logarithm of the probability."""
    return _logpmf(*floats("nbinom.logpmf", k, n, p, loc))


@_function("pmf(2.0, 3.0, 0.25)", "0.0527")
def pmf(k: ArrayLike, n: ArrayLike, p: ArrayLike, loc: ArrayLike = 0) -> Array:
    """The probability."""
    return jnp.exp(_logpmf(*floats("nbinom.pmf", k, n, p, loc)))
