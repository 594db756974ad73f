# SPDX-License-Identifier: Apache-2.0
"""Matrices in the last two dimensions of arrays: what rules of linear algebra are written with."""

from __future__ import annotations

from typing import Any

import numpy as np

from olympus_core import dtypes, ops

from ...operands import broadcast
from ...tracing import Aval, aval_of
from .arithmetic import add, apply, convert, reshape, select, transpose, zeros


def constant(value: np.ndarray) -> Any:
    """What the host knows, in a program."""
    return apply(ops.constant, value=value)


def matmul(x: Any, y: Any) -> Any:
    """The product of matrices, for each index of the dimensions in front."""
    batch = tuple(range(aval_of(x).ndim - 2))
    last = len(batch) + 1
    return apply(ops.dot_general, x, y, lhs_contracting=(last,), rhs_contracting=(last - 1,), lhs_batch=batch,
                 rhs_batch=batch, dtype=None)


def swapped(x: Any) -> Any:
    """The transpose."""
    ndim = aval_of(x).ndim
    return transpose(x, (*range(ndim - 2), ndim - 1, ndim - 2))


def conjugate(x: Any) -> Any:
    """The complex conjugate; of real numbers they themselves."""
    return apply(ops.conj, x) if dtypes.is_complex(aval_of(x).dtype) else x


def adjoint(x: Any) -> Any:
    """The conjugate transpose."""
    return conjugate(swapped(x))


def real(x: Any) -> Any:
    """The real part, of a real type."""
    return apply(ops.real, x) if dtypes.is_complex(aval_of(x).dtype) else x


def imaginary(x: Any) -> Any:
    """The imaginary part of complex numbers."""
    return apply(ops.imag, x)


def masked(x: Any, mask: np.ndarray) -> Any:
    """The elements of matrices, or of rows, where a mask of these is true; zero elsewhere."""
    aval = aval_of(x)
    where = apply(ops.broadcast_in_dim, constant(mask), shape=aval.shape,
                  dimensions=tuple(range(aval.ndim - mask.ndim, aval.ndim)))
    return select(where, x, zeros(Aval(aval.type)))


def triangle(x: Any, *, lower: bool, offset: int = 0) -> Any:
    """The elements of matrices on and below a diagonal, or on and above it; zero elsewhere."""
    *_, m, n = aval_of(x).shape
    mask = np.tri(m, n, offset, bool) if lower else ~np.tri(m, n, offset - 1, bool)
    return masked(x, mask)


def diagonal(x: Any) -> Any:
    """The diagonal of square matrices."""
    aval = aval_of(x)
    picked = masked(x, np.eye(aval.shape[-1], dtype=bool))
    return apply(ops.reduce_sum, picked, dimensions=(aval.ndim - 1,))


def over_rows(x: Any, like: Any) -> Any:
    """A number for each column, repeated over the rows of matrices of the shape of another array."""
    shape = aval_of(like).shape
    places = (*range(len(shape) - 2), len(shape) - 1)
    return apply(ops.broadcast_in_dim, x, shape=shape, dimensions=places)


def over_columns(x: Any, like: Any) -> Any:
    """A number for each row, repeated over the columns of matrices of the shape of another array."""
    shape = aval_of(like).shape
    return apply(ops.broadcast_in_dim, x, shape=shape, dimensions=tuple(range(len(shape) - 1)))


def hermitian_from(x: Any, *, lower: bool) -> Any:
    """The Hermitian matrix that is read from a triangle: real on the diagonal."""
    below = triangle(x, lower=lower, offset=-1 if lower else 1)
    middle = masked(x, np.eye(aval_of(x).shape[-1], dtype=bool))
    return add(add(below, adjoint(below)), convert(real(middle), aval_of(x).dtype))


def shifted(x: Any, step: int, dimension: int) -> Any:
    """An array moved along a dimension, with zeros where nothing comes from."""
    aval = aval_of(x)
    place = dimension % aval.ndim
    low = tuple(step if d == place else 0 for d in range(aval.ndim))
    zero = constant(np.zeros((), aval.dtype))
    return apply(ops.pad, x, zero, low=low, high=tuple(-n for n in low), interior=(0,) * aval.ndim)


def square_with_ones(x: Any, size: int, *, unit: bool) -> Any:
    """A triangular matrix as a square one: cut, or extended by the identity.

    Args:
        x: Matrices.
        size: Rows and columns of the result.
        unit: Whether the whole diagonal is made of ones, and not only the part that x does not have.
    """
    aval = aval_of(x)
    *batch, m, n = aval.shape
    high = (*(0 for _ in batch), size - m, size - n)
    none = (0,) * aval.ndim
    x = apply(ops.pad, x, constant(np.zeros((), aval.dtype)), low=none, high=high, interior=none)
    ones = np.diag((np.arange(size) >= (0 if unit else min(m, n))).astype(aval.dtype))
    return add(x, broadcast(constant(ones), (*batch, size, size), weak=False))


def rows_taken(x: Any, order: Any) -> Any:
    """The rows of matrices in the order that indices give for each matrix."""
    return _taken(x, order, 2)


def columns_taken(x: Any, order: Any) -> Any:
    """The columns of matrices in the order that indices give for each matrix."""
    return _taken(x, order, 1)


def _taken(x: Any, order: Any, back: int) -> Any:
    aval = aval_of(x)
    dimension, batch = aval.ndim - back, tuple(range(aval.ndim - 2))
    if 0 in aval.shape:
        shape = (*aval.shape[:dimension], aval_of(order).shape[-1], *aval.shape[dimension + 1:])
        return broadcast(np.zeros((), aval.dtype), shape, weak=False)
    indices = reshape(order, (*aval_of(order).shape, 1))
    sizes = tuple(1 if d in batch or d == dimension else n for d, n in enumerate(aval.shape))
    kept = len(batch) + (1 if back == 2 else 0)
    return apply(
        ops.gather, x, indices, offset_dims=(kept,), collapsed_slice_dims=(dimension,), start_index_map=(dimension,),
        operand_batching_dims=batch, indices_batching_dims=batch, slice_sizes=sizes, mode="clip")


def part(x: Any, start: int, end: int, dimension: int) -> Any:
    """The elements of an array from one index of a dimension to another."""
    shape = aval_of(x).shape
    place = dimension % len(shape)
    if (start, end) == (0, shape[place]):
        return x
    return apply(ops.slice, x, starts=tuple(start if d == place else 0 for d in range(len(shape))),
                 limits=tuple(end if d == place else n for d, n in enumerate(shape)), strides=(1,) * len(shape))
