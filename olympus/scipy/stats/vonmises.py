# SPDX-License-Identifier: Apache-2.0
"""The von Mises distribution of concentration kappa on the circle."""

from __future__ import annotations

import functools
import math
from typing import Any

from olympus_core.deferred import listed

from ... import numpy as jnp
from ...typing import Array, ArrayLike
from .. import special
from ..documentation import documented, floats
from .parameters import PARAMETERS, not_negative

__all__ = ["logpdf", "pdf"]
__dir__ = listed(__all__)

_function = functools.partial(documented, "olympus.scipy.stats.vonmises", PARAMETERS, domains={"kappa": not_negative})


def _logpdf(x: Any, kappa: Any) -> Any:
    half = jnp.sin(x / 2)
    return -2 * kappa * half * half - jnp.log(2 * math.pi * special.i0e(kappa))


@_function("logpdf(0.5, 2.0)", "-0.9067")
def logpdf(x: ArrayLike, kappa: ArrayLike) -> Array:
    """The logarithm of the density."""
    return _logpdf(*floats("vonmises.logpdf", x, kappa))


@_function("pdf(0.5, 2.0)", "0.4039")
def pdf(x: ArrayLike, kappa: ArrayLike) -> Array:
    """The density."""
    return jnp.exp(_logpdf(*floats("vonmises.pdf", x, kappa)))
