# SPDX-License-Identifier: Apache-2.0
"""The Laplace distribution about loc."""

from __future__ import annotations

import functools
from typing import Any

from olympus_core.deferred import listed

from ... import numpy as jnp
from ...typing import Array, ArrayLike
from ..documentation import documented, floats
from .parameters import PARAMETERS, positive

__all__ = ["cdf", "logpdf", "pdf"]
__dir__ = listed(__all__)

_function = functools.partial(documented, "olympus.scipy.stats.laplace", PARAMETERS, domains={"scale": positive})


def _logpdf(x: Any, loc: Any, scale: Any) -> Any:
    return -jnp.abs((x - loc) / scale) - jnp.log(2 * scale)


def _cdf(x: Any, loc: Any, scale: Any) -> Any:
    y = (x - loc) / scale
    tail = 0.5 * jnp.exp(-jnp.abs(y))
    return jnp.where(y < 0, tail, 1 - tail)


@_function("logpdf(-0.5)", "-1.1931")
def logpdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The logarithm of the density."""
    return _logpdf(*floats("laplace.logpdf", x, loc, scale))


@_function("pdf(-0.5)", "0.3033")
def pdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The density."""
    return jnp.exp(_logpdf(*floats("laplace.pdf", x, loc, scale)))


@_function("cdf(-0.5)", "0.3033")
def cdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The share below x."""
    return _cdf(*floats("laplace.cdf", x, loc, scale))
