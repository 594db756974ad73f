# SPDX-License-Identifier: Apache-2.0
"""The geometric distribution: how many trials of probability p it takes."""

from __future__ import annotations

import functools
from typing import Any

from olympus_core.deferred import listed

from ... import numpy as jnp
from ...typing import Array, ArrayLike
from .. import special
from ..documentation import documented, floats
from .parameters import PARAMETERS, inside, some_probability

__all__ = ["logpmf", "pmf"]
__dir__ = listed(__all__)

_function = functools.partial(documented, "olympus.scipy.stats.geom", PARAMETERS, domains={"p": some_probability})


def _logpmf(k: Any, p: Any, loc: Any) -> Any:
    x = k - loc
    possible = (x >= 1) & (x == jnp.floor(x))
    return inside(possible, special.xlog1py(jnp.where(possible, x, 1) - 1, -p) + jnp.log(p), x)


@_function("logpmf(2.0, 0.25)", "-1.674")
def logpmf(k: ArrayLike, p: ArrayLike, loc: ArrayLike = 0) -> Array:
    """The logarithm of the probability."""
    return _logpmf(*floats("geom.logpmf", k, p, loc))


@_function("pmf(2.0, 0.25)", "0.1875")
def pmf(k: ArrayLike, p: ArrayLike, loc: ArrayLike = 0) -> Array:
    """The probability."""
    return jnp.exp(_logpmf(*floats("geom.pmf", k, p, loc)))
