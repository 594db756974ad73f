# SPDX-License-Identifier: Apache-2.0
"""Vectors and matrices of normal numbers that depend on each other: correlated ones, orthogonal bases."""

from __future__ import annotations

from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.errors import ArgumentError

from .. import lax
from ..lax.structure import constrained
from ..numpy import linalg
from ..numpy.arithmetic import divide
from ..numpy.elementwise import abs as absolute
from ..numpy.elementwise import sign, sqrt
from ..numpy.linear import matmul
from ..numpy.searching import where
from ..numpy.shapes import swapaxes
from ..operands import broadcast, broadcast_shape, cast, convert, element_type, integer, shape_of
from ..transforms.jit import api
from ..typing import Array, ArrayLike, DTypeLike, ShardingLike
from .distributions import Shape, _float, _normal, _shape
from .keys import KeyLike, given_key

__all__ = ["multivariate_normal", "orthogonal"]

_METHODS = ("cholesky", "eigh", "svd")


def multivariate_normal(
    key: KeyLike, mean: ArrayLike, cov: ArrayLike, shape: Shape | None = None, dtype: DTypeLike | None = None,
    method: str = "cholesky", *, out_sharding: ShardingLike | None = None,
) -> Array:
    """Vectors of normal numbers with a given covariance.

    Args:
        key: A key.
        mean: The means, along the last dimension.
        cov: Covariances, in the last two dimensions: symmetric, and positive definite for ``"cholesky"``.
        shape: The result's shape but for the last dimension, to which those of the parameters broadcast; their common
            one for None.
        dtype: The element type; float32 for None.
        method: How the covariance is taken apart: ``"cholesky"``, or ``"eigh"`` or ``"svd"``, which are slower and take
            singular ones as well.
        out_sharding: How the result is to be sharded.

    Returns:
        The vectors, along the last dimension.

    Raises:
        ArgumentError: If the shapes do not fit each other, or the method is none of these.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> olympus.random.multivariate_normal(olympus.random.key(0), jnp.zeros(3), jnp.eye(3), (5,)).shape
        (5, 3)
    """
    function = "random.multivariate_normal"
    if method not in _METHODS:
        raise ArgumentError(function, "the method is not known", repr(method), ", ".join(map(repr, _METHODS)))
    means, covariances = shape_of(mean), shape_of(cov)
    if not means or covariances[-2:] != means[-1:] * 2:
        raise ArgumentError(function, "means and covariances do not fit each other", (means, covariances),
                            "shapes (..., n) and (..., n, n)")
    batch = broadcast_shape(function, [means[:-1], covariances[:-2]])
    sizes = batch if shape is None else _shape("multivariate_normal", shape)
    if broadcast_shape(function, [batch, sizes]) != sizes:
        raise ArgumentError(function, "the parameters do not broadcast to the shape", batch, sizes)
    found = _multivariate_normal(given_key(function, key), mean, cov, shape=sizes,
                                 dtype=_float("multivariate_normal", dtype), method=method)
    return constrained(found, out_sharding)


@api(static=("shape", "dtype", "method"), call="_multivariate_normal")
def _multivariate_normal(
    key: ArrayLike, mean: Any, cov: Any, shape: tuple[int, ...], dtype: np.dtype, method: str
) -> Any:
    wide = np.dtype(np.float32) if dtype.itemsize < 4 else dtype
    mean, cov = cast(mean, wide), cast(cov, wide)
    if method == "cholesky":
        factor = linalg.cholesky(cov)
    else:
        values, vectors = linalg.eigh(cov) if method == "eigh" else linalg.svd(cov)[1::-1]
        # Values that are zero but for rounding may be negative; a really negative one is no covariance's.
        rounding = absolute(values).max(axis=-1, keepdims=True) * (shape_of(cov)[-1] * np.finfo(wide).eps)
        values = where(values < -rounding, np.nan, where(values < 0, 0, values))
        factor = vectors * sqrt(values)[..., None, :]
    numbers = _normal(key, (*shape, shape_of(mean)[-1]), wide)
    return convert(mean + matmul(factor, numbers[..., None])[..., 0], dtype)


def orthogonal(
    key: KeyLike, n: int, shape: Shape = (), dtype: DTypeLike | None = None, m: int | None = None, *,
    out_sharding: ShardingLike | None = None,
) -> Array:
    """Orthogonal matrices, all equally likely; or unitary ones, where the element type is complex.

    Args:
        key: A key.
        n: The number of rows.
        shape: How many matrices, as a shape.
        dtype: The element type, of floats or complex numbers; float32 for None.
        m: The number of columns; `n` for None. Where it is another one, the longer ones of both are orthonormal.
        out_sharding: How the result is to be sharded.

    Returns:
        The matrices, of shape ``(*shape, n, m)``.

    Example:
        >>> import olympus
        >>> olympus.random.orthogonal(olympus.random.key(0), 3, (5,)).shape
        (5, 3, 3)

    References:
        F. Mezzadri, "How to generate random matrices from the classical compact groups", Notices of the AMS 54, 2007.
    """
    kind = element_type("random.orthogonal", float if dtype is None else dtype)
    if not (dtypes.is_float(kind) or dtypes.is_complex(kind)):
        raise ArgumentError("random.orthogonal", "the element type is not one of floats", kind.name,
                            "floats or complex numbers")
    rows = integer("random.orthogonal", n, "the number of rows", 0)
    columns = rows if m is None else integer("random.orthogonal", m, "the number of columns", 0)
    found = _orthogonal(given_key("random.orthogonal", key), shape=_shape("orthogonal", shape), rows=rows,
                        columns=columns, dtype=kind)
    return constrained(found, out_sharding)


@api(static=("shape", "rows", "columns", "dtype"), call="_orthogonal")
def _orthogonal(key: ArrayLike, shape: tuple[int, ...], rows: int, columns: int, dtype: np.dtype) -> Any:
    wide = np.dtype(np.float32) if dtype.itemsize < 4 else dtype
    if not rows or not columns:
        return lax.full((*shape, rows, columns), 0, dtype)
    q, r = linalg.qr(_normal(key, (*shape, max(rows, columns), min(rows, columns)), wide))
    # With a positive diagonal the decomposition is the only one, and all matrices are equally likely.
    diagonals = linalg.diagonal(r)
    turns = divide(diagonals, absolute(diagonals)) if dtypes.is_complex(wide) else sign(diagonals)
    found = q * broadcast(turns[..., None, :], shape_of(q))
    return convert(swapaxes(found, -1, -2) if rows < columns else found, dtype)
