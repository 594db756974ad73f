# SPDX-License-Identifier: Apache-2.0
"""The multinomial distribution: how many of n trials have each of several outcomes."""

from __future__ import annotations

import functools
from typing import Any

from olympus_core.deferred import listed

from ... import numpy as jnp
from ...numpy.promotion import promote_types_of
from ...numpy.ufuncs import as_inexact
from ...typing import Array, ArrayLike
from .. import special
from ..documentation import documented
from .parameters import PARAMETERS, inside

__all__ = ["logpmf", "pmf"]
__dir__ = listed(__all__)

_function = functools.partial(documented, "olympus.scipy.stats.multinomial", PARAMETERS)
_ONE = "olympus.numpy.array([1, 1]), 2, olympus.numpy.full(2, 0.5)"


def _logpmf(x: Any, n: Any, p: Any) -> Any:
    (x, n, p), _ = promote_types_of("multinomial", x, n, p)
    x, n, p = (as_inexact("multinomial", v) for v in (x, n, p))
    counted = jnp.all((x >= 0) & (x == jnp.floor(x)), axis=-1)
    counts = jnp.where(x >= 0, x, 0)
    found = special.gammaln(n + 1) + jnp.sum(special.xlogy(counts, p) - special.gammaln(counts + 1), axis=-1)
    total = jnp.sum(x, axis=-1)
    return inside(counted & (total == n), found, total)


@_function(f"logpmf({_ONE})", "-0.6931", returns="A number for each vector of counts.")
def logpmf(x: ArrayLike, n: ArrayLike, p: ArrayLike) -> Array:
    """The logarithm of the probability of counts in the last dimension of x, of outcomes whose probabilities are p."""
    return _logpmf(x, n, p)


@_function(f"pmf({_ONE})", "0.5", returns="A number for each vector of counts.")
def pmf(x: ArrayLike, n: ArrayLike, p: ArrayLike) -> Array:
    """The probability of counts in the last dimension of x, of outcomes whose probabilities are p."""
    return jnp.exp(_logpmf(x, n, p))
