# SPDX-License-Identifier: Apache-2.0
"""The wrapped Cauchy distribution of concentration c, from 0 to 2 pi."""

from __future__ import annotations

import functools
import math
from typing import Any

from olympus_core.deferred import listed

from ... import numpy as jnp
from ...typing import Array, ArrayLike
from ..documentation import documented, floats
from .parameters import PARAMETERS, concentration, inside

__all__ = ["logpdf", "pdf"]
__dir__ = listed(__all__)

_function = functools.partial(documented, "olympus.scipy.stats.wrapcauchy", PARAMETERS, domains={"c": concentration})


def _logpdf(x: Any, c: Any) -> Any:
    found = jnp.log1p(-c * c) - math.log(2 * math.pi) - jnp.log1p(c * c - 2 * c * jnp.cos(x))
    return inside((x >= 0) & (x <= 2 * math.pi), found, x)


@_function("logpdf(0.5, 0.3)", "-1.3585")
def logpdf(x: ArrayLike, c: ArrayLike) -> Array:
    """The logarithm of the density."""
    return _logpdf(*floats("wrapcauchy.logpdf", x, c))


@_function("pdf(0.5, 0.3)", "0.257")
def pdf(x: ArrayLike, c: ArrayLike) -> Array:
    """The density."""
    return jnp.exp(_logpdf(*floats("wrapcauchy.pdf", x, c)))
