# SPDX-License-Identifier: Apache-2.0
"""The normal distribution of vectors."""

from __future__ import annotations

import functools
import math
from typing import Any

from olympus_core import dtypes
from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError

from ... import numpy as jnp
from ...numpy.promotion import promote_types_of
from ...numpy.ufuncs import as_inexact
from ...operands import dtype_of, shape_of
from ...typing import Array, ArrayLike
from .. import linalg
from ..documentation import documented
from .parameters import PARAMETERS

__all__ = ["logpdf", "pdf"]
__dir__ = listed(__all__)

_function = functools.partial(documented, "olympus.scipy.stats.multivariate_normal", PARAMETERS)
_LOG_TWO_PI = math.log(2 * math.pi)
_PLANE = "olympus.numpy.zeros(2), olympus.numpy.zeros(2), olympus.numpy.eye(2)"


def _logpdf(x: Any, mean: Any, cov: Any) -> Any:
    (x, mean, cov), _ = promote_types_of("multivariate_normal", x, mean, cov)
    x, mean, cov = (as_inexact("multivariate_normal", v) for v in (x, mean, cov))
    if dtypes.is_complex(dtype_of(x)):
        raise ArgumentError("multivariate_normal", "it does not take complex numbers", dtype_of(x).name, "real numbers")
    if not shape_of(mean) and not shape_of(cov):
        return -0.5 * ((x - mean) ** 2 / cov + (_LOG_TWO_PI + jnp.log(cov)))
    count = shape_of(mean)[-1] if shape_of(mean) else -1
    matrix = bool(shape_of(cov))
    if count < 0 or matrix and shape_of(cov)[-2:] != (count, count) or shape_of(x)[-1:] not in ((), (1,), (count,)):
        raise ArgumentError(
            "multivariate_normal", "the vectors do not go with the mean and the covariance",
            f"x {shape_of(x)}, mean {shape_of(mean)}, cov {shape_of(cov)}",
            "x and mean with n numbers in the last dimension, and cov with n and n in the last two, or a number")
    away = x - mean
    if not matrix:
        return -0.5 * (jnp.sum(away * away, axis=-1) / cov + count * (_LOG_TWO_PI + jnp.log(cov)))
    factor = linalg.cholesky(cov, lower=True)
    batch = jnp.broadcast_shapes(shape_of(away)[:-1], shape_of(factor)[:-2])
    away, full = (jnp.broadcast_to(v, batch + s) for v, s in ((away, (count,)), (factor, (count, count))))
    # With A = L L^T, the quadratic form of the inverse of A is the square of the length of L^-1 times the vector.
    white = linalg.solve_triangular(full, away[..., None], lower=True)[..., 0]
    logarithm = jnp.sum(jnp.log(jnp.diagonal(factor, axis1=-2, axis2=-1)), axis=-1)
    return -0.5 * jnp.sum(white * white, axis=-1) - 0.5 * count * _LOG_TWO_PI - logarithm


@_function(f"logpdf({_PLANE})", "-1.8379", returns="A number for each vector.")
def logpdf(x: ArrayLike, mean: ArrayLike, cov: ArrayLike, allow_singular: None = None) -> Array:
    """The logarithm of the density of vectors in the last dimension of x; NaN for a covariance that is not definite."""
    return _logpdf(x, mean, cov)


@_function(f"pdf({_PLANE})", "0.1592", returns="A number for each vector.")
def pdf(x: ArrayLike, mean: ArrayLike, cov: ArrayLike) -> Array:
    """The density of vectors in the last dimension of x; NaN for a covariance that is not definite."""
    return jnp.exp(_logpdf(x, mean, cov))
