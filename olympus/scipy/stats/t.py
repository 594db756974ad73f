# SPDX-License-Identifier: Apache-2.0
"""Student's distribution of df degrees of freedom."""

from __future__ import annotations

import functools
from typing import Any

from olympus_core.deferred import listed

from ... import numpy as jnp
from ...typing import Array, ArrayLike
from .. import special
from ..documentation import documented, floats
from . import norm
from .parameters import PARAMETERS, positive

__all__ = ["logpdf", "pdf"]
__dir__ = listed(__all__)

_function = functools.partial(
    documented, "olympus.scipy.stats.t", PARAMETERS, domains={"df": positive, "scale": positive},
)


def _logpdf(x: Any, df: Any, loc: Any, scale: Any) -> Any:
    y, given, df = (x - loc) / scale, df, jnp.where(df == jnp.inf, 1, df)
    normal = -special.betaln(0.5, df / 2) - 0.5 * jnp.log(df) - jnp.log(scale)
    size = jnp.abs(y) / jnp.sqrt(df)
    far = size > 1e9  # where the square may overflow, and one more is not seen
    near, wide = jnp.where(far, 0, y), jnp.where(far, size, 1)
    found = normal - (df + 1) / 2 * jnp.where(far, 2 * jnp.log(wide), jnp.log1p(near / df * near))
    return jnp.where(given == jnp.inf, norm.logpdf(x, loc, scale), found)


@_function("logpdf(0.5, 3.0)", "-1.161")
def logpdf(x: ArrayLike, df: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The logarithm of the density."""
    return _logpdf(*floats("t.logpdf", x, df, loc, scale))


@_function("pdf(0.5, 3.0)", "0.3132")
def pdf(x: ArrayLike, df: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The density."""
    return jnp.exp(_logpdf(*floats("t.pdf", x, df, loc, scale)))
