# SPDX-License-Identifier: Apache-2.0
"""The uniform distribution from loc to loc + scale."""

from __future__ import annotations

import functools
from typing import Any

from olympus_core.deferred import listed

from ... import numpy as jnp
from ...operands import strong
from ...typing import Array, ArrayLike
from ..documentation import documented, floats
from .parameters import PARAMETERS, inside, positive, share

__all__ = ["cdf", "logpdf", "pdf", "ppf"]
__dir__ = listed(__all__)

_function = functools.partial(documented, "olympus.scipy.stats.uniform", PARAMETERS, domains={"scale": positive})


def _logpdf(x: Any, loc: Any, scale: Any) -> Any:
    y = (x - loc) / scale
    return inside((y >= 0) & (y <= 1), 0 - jnp.log(scale), y)


def _cdf(x: Any, loc: Any, scale: Any) -> Any:
    return strong(jnp.clip((x - loc) / scale, 0, 1))  # as JAX has it


def _ppf(q: Any, loc: Any, scale: Any) -> Any:
    return share(q) * scale + loc


@_function("logpdf(0.25)", "0.0")
def logpdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The logarithm of the density."""
    return _logpdf(*floats("uniform.logpdf", x, loc, scale))


@_function("pdf(0.25)", "1.0")
def pdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The density."""
    return jnp.exp(_logpdf(*floats("uniform.pdf", x, loc, scale)))


@_function("cdf(0.25)", "0.25")
def cdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The share below x."""
    return _cdf(*floats("uniform.cdf", x, loc, scale))


@_function("ppf(0.25)", "0.25")
def ppf(q: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """The quantile: where the share below is q; NaN for what is no share."""
    return _ppf(*floats("uniform.ppf", q, loc, scale))
