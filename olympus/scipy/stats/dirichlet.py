# SPDX-License-Identifier: Apache-2.0
"""The Dirichlet distribution of shares that add up to one."""

from __future__ import annotations

import functools
from typing import Any

from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError

from ... import numpy as jnp
from ...numpy.promotion import inexact_dtype, promote_types_of
from ...numpy.ufuncs import as_inexact
from ...operands import dtype_of, shape_of
from ...typing import Array, ArrayLike
from .. import special
from ..documentation import at_least_float32, documented
from .parameters import PARAMETERS, inside

__all__ = ["logpdf", "pdf"]
__dir__ = listed(__all__)

_function = functools.partial(documented, "olympus.scipy.stats.dirichlet", PARAMETERS, widened=False)
_UNIFORM = "olympus.numpy.full(2, 0.5), olympus.numpy.ones(2)"


@at_least_float32
def _within(x: Any, alpha: Any, tolerance: float) -> Any:
    (x, alpha), _ = promote_types_of("dirichlet", x, alpha)
    x, alpha = (as_inexact("dirichlet", v) for v in (x, alpha))
    count = shape_of(alpha)[0] if len(shape_of(alpha)) == 1 else -1
    if not shape_of(x) or count not in (shape_of(x)[0], shape_of(x)[0] + 1):
        raise ArgumentError(
            "dirichlet", "the shares do not go with the shapes", f"x {shape_of(x)}, alpha {shape_of(alpha)}",
            "a vector of shapes, and as many shares in the first dimension of x, or one less")
    if count != shape_of(x)[0]:
        x = jnp.concatenate([x, 1 - jnp.sum(x, axis=0, keepdims=True)])
    shapes = jnp.reshape(alpha, (count,) + (1,) * (len(shape_of(x)) - 1))
    total = jnp.sum(x, axis=0)
    possible = jnp.all(x >= 0, axis=0) & (jnp.abs(total - 1) < tolerance)
    normal = jnp.sum(special.gammaln(alpha)) - special.gammaln(jnp.sum(alpha))
    found = jnp.sum(special.xlogy(shapes - 1, jnp.where(x >= 0, x, 1)), axis=0) - normal
    return inside(possible, found, total)


def _logpdf(x: Any, alpha: Any) -> Any:
    """With shares whose sum is 1 as far as their own type holds them, which is not the one to compute in."""
    kind = inexact_dtype(dtype_of(x))
    eps = float(jnp.finfo(kind).eps)
    return _within(x, alpha, tolerance=eps if kind.itemsize < 4 else 1e3 * eps)


@_function(f"logpdf({_UNIFORM})", "0.0", returns="A number for each vector of shares.")
def logpdf(x: ArrayLike, alpha: ArrayLike) -> Array:
    """The logarithm of the density of shares in the first dimension of x, of which the last may be left out."""
    return _logpdf(x, alpha)


@_function(f"pdf({_UNIFORM})", "1.0", returns="A number for each vector of shares.")
def pdf(x: ArrayLike, alpha: ArrayLike) -> Array:
    """The density of shares in the first dimension of x, of which the last may be left out."""
    return jnp.exp(_logpdf(x, alpha))
