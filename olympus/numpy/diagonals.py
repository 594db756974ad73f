# SPDX-License-Identifier: Apache-2.0
"""Diagonals and triangles of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from olympus_core import ops
from olympus_core.errors import ArgumentError
from olympus_core.program import ArrayType

from .. import lax
from ..operands import (
    axis_of,
    broadcast,
    convert,
    dtype_of,
    element_type,
    integer,
    rank_argument,
    shape_argument,
    shape_of,
    size_of_row,
    strong,
)
from ..tracing import aval_of, bind, scalar_dtype
from ..transforms.jit import api
from ..typing import Array, ArrayLike, DTypeLike
from .arithmetic import power
from .creation import asarray
from .indexing import _indexed
from .indexing_plan import parse
from .reductions import sum as numpy_sum
from .shapes import moveaxis, ravel
from .ufuncs import like

__all__ = [
    "diag", "diag_indices", "diagflat", "diagonal", "trace", "tri", "tril", "tril_indices", "triu", "triu_indices",
    "vander",
]


def _triangle(rows: int, columns: int, k: int) -> Any:
    """Bools, true on and below a diagonal."""
    row, column = (lax.broadcasted_iota(np.int32, (rows, columns), d) for d in (0, 1))
    return lax.ge(lax.add(row, k), column)


@api(static=("rows", "columns", "k", "dtype"))
def _tri(rows: int, columns: int, k: int, dtype: np.dtype) -> Any:
    return convert(_triangle(rows, columns, k), dtype)


def tri(N: int, M: int | None = None, k: int = 0, dtype: DTypeLike | None = None) -> Array:
    """A matrix with ones on and below a diagonal.

    Args:
        N: The number of rows.
        M: The number of columns; as many for None.
        k: Which diagonal; those above the main one are positive.
        dtype: The element type; float32 for None.

    Returns:
        The matrix.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.tri(2, dtype=int).tolist()
        [[1, 0], [1, 1]]
    """
    rows, columns = shape_argument("tri", (N, N if M is None else M))
    return _tri(rows=rows, columns=columns, k=integer("tri", k, "the diagonal"),
                dtype=element_type("tri", float if dtype is None else dtype))


@api(static=("k", "lower"), call="tril")
def _part(m: ArrayLike, k: int, lower: bool) -> Any:
    shape = shape_of(m)
    mask = _triangle(shape[-2], shape[-1], k if lower else k - 1)
    mask = broadcast(mask, shape)
    return bind(ops.select, mask, *((m, like(m, 0)) if lower else (like(m, 0), m)), weak=aval_of(m).weak)


def _check_matrix(function: str, m: Any) -> None:
    if len(shape_of(m)) < 2:
        raise ArgumentError(function, "the array is no matrix", shape_of(m), "two dimensions or more")


def tril(m: ArrayLike, k: int = 0) -> Array:
    """Matrices with zeros above a diagonal.

    Args:
        m: An array of matrices, in its last two dimensions.
        k: Which diagonal.

    Returns:
        The lower triangles.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.tril(jnp.ones((2, 2), int)).tolist()
        [[1, 0], [1, 1]]
    """
    _check_matrix("tril", m)
    return _part(m, k=integer("tril", k, "the diagonal"), lower=True)


def triu(m: ArrayLike, k: int = 0) -> Array:
    """Matrices with zeros below a diagonal.

    Args:
        m: An array of matrices, in its last two dimensions.
        k: Which diagonal.

    Returns:
        The upper triangles.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.triu(jnp.ones((2, 2), int)).tolist()
        [[1, 1], [0, 1]]
    """
    _check_matrix("triu", m)
    return _part(m, k=integer("triu", k, "the diagonal"), lower=False)


@api(static=("offset", "axis1", "axis2"), call="diagonal")
def _diagonal(a: ArrayLike, offset: int, axis1: int, axis2: int) -> Any:
    a = moveaxis(a, (axis1, axis2), (-2, -1))
    rows, columns = shape_of(a)[-2:]
    offset = max(min(offset, columns), -rows)  # a diagonal further out is empty, too
    count = max(min(rows + min(offset, 0), columns - max(offset, 0)), 0)
    steps = np.arange(count, dtype=np.int32)
    plan, operands = parse((..., steps + max(-offset, 0), steps + max(offset, 0)), shape_of(a))
    return strong(_indexed(a, *operands, plan=plan, fill=False, fill_value=None))


def diagonal(a: ArrayLike, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Array:
    """The elements on a diagonal.

    Args:
        a: An array of two dimensions or more.
        offset: Which diagonal; those above the main one are positive.
        axis1: The dimension of the rows.
        axis2: The dimension of the columns.

    Returns:
        An array whose last dimension runs along the diagonal.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.diagonal(jnp.array([[1, 2], [3, 4]]))
        Array([1, 4], dtype=int32)
    """
    _check_matrix("diagonal", a)
    ndim = len(shape_of(a))
    first, second = axis_of("diagonal", axis1, ndim), axis_of("diagonal", axis2, ndim)
    if first == second:
        raise ArgumentError("diagonal", "the axes are the same", (axis1, axis2), "two different axes")
    return _diagonal(a, offset=integer("diagonal", offset, "the diagonal"), axis1=first, axis2=second)


@api(static=("k",), call="_diag")
def _as_diagonal(v: ArrayLike, k: int) -> Any:
    n = shape_of(v)[0]
    size = n + abs(k)
    # Element i stands in column i + max(k, 0), the only one of its row.
    low = max(k, 0)
    row = lax.pad(v, convert(0, aval_of(v).dtype), [(low, size - n - low, 0)])
    r, c = (lax.broadcasted_iota(np.int32, (size, size), d) for d in (0, 1))
    wide = broadcast(row, (size, size))
    return bind(ops.select, lax.eq(lax.add(r, k), c), wide, like(wide, 0), weak=aval_of(v).weak)


def diag(v: ArrayLike, k: int = 0) -> Array:
    """The diagonal of a matrix, or the matrix with a row of numbers on the diagonal.

    Args:
        v: An array of one dimension or two.
        k: Which diagonal.

    Returns:
        The diagonal of a matrix; the matrix of a row of numbers.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.diag(jnp.array([1, 2])).tolist()
        [[1, 0], [0, 2]]
    """
    ndim = len(shape_of(v))
    if ndim == 1:
        return _as_diagonal(v, k=integer("diag", k, "the diagonal"))
    if ndim == 2:
        return diagonal(v, k)
    raise ArgumentError("diag", "the array has another number of dimensions", shape_of(v), "one dimension or two")


def diagflat(v: ArrayLike, k: int = 0) -> Array:
    """The matrix with the flat array on a diagonal.

    Args:
        v: An array.
        k: Which diagonal.

    Returns:
        The matrix.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.diagflat(jnp.array([[1, 2]])).tolist()
        [[1, 0], [0, 2]]
    """
    return strong(diag(ravel(v), k))


def trace(
    a: ArrayLike, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: DTypeLike | None = None, out: None = None
) -> Array:
    """The sum of the elements on a diagonal.

    Args:
        a: An array of two dimensions or more.
        offset: Which diagonal.
        axis1: The dimension of the rows.
        axis2: The dimension of the columns.
        dtype: The element type in which to sum.
        out: Not used: arrays never change.

    Returns:
        The sums.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.trace(jnp.eye(3))
        Array(3., dtype=float32)
    """
    return numpy_sum(diagonal(a, offset, axis1, axis2), axis=-1, dtype=dtype, out=out)


def _host_indices(host: Any) -> tuple[Any, ...]:
    return tuple(asarray(i.astype(scalar_dtype(int))) for i in host)


def diag_indices(n: int, ndim: int = 2) -> tuple[Array, ...]:
    """The indices on the main diagonal.

    Args:
        n: How many.
        ndim: The number of dimensions.

    Returns:
        For each dimension an array of indices.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.diag_indices(2)
        (Array([0, 1], dtype=int32), Array([0, 1], dtype=int32))
    """
    size, ndim = integer("diag_indices", n, "the size", 0), rank_argument(
        "diag_indices", ndim, "the number of dimensions", 0)
    return (lax.iota(int, size),) * ndim


def _matrix_arguments(function: str, n: Any, k: Any, m: Any) -> tuple[int, int, int | None]:
    rows = integer(function, n, "the number of rows", 0)
    columns = rows if m is None else integer(function, m, "the number of columns", 0)
    ArrayType((rows, columns), np.bool_)  # raises the error for more elements than any memory holds
    return rows, max(min(integer(function, k, "the diagonal"), columns), -rows - 1), columns


def tril_indices(n: int, k: int = 0, m: int | None = None) -> tuple[Array, Array]:
    """The indices on and below a diagonal.

    Args:
        n: The number of rows.
        k: Which diagonal.
        m: The number of columns; as many for None.

    Returns:
        The rows and the columns.

    Example:
        >>> import olympus.numpy as jnp
        >>> [i.tolist() for i in jnp.tril_indices(2)]
        [[0, 1, 1], [0, 0, 1]]
    """
    rows, columns = _host_indices(np.tril_indices(*_matrix_arguments("tril_indices", n, k, m)))
    return rows, columns


def triu_indices(n: int, k: int = 0, m: int | None = None) -> tuple[Array, Array]:
    """The indices on and above a diagonal.

    Args:
        n: The number of rows.
        k: Which diagonal.
        m: The number of columns; as many for None.

    Returns:
        The rows and the columns.

    Example:
        >>> import olympus.numpy as jnp
        >>> [i.tolist() for i in jnp.triu_indices(2)]
        [[0, 0, 1], [0, 1, 1]]
    """
    rows, columns = _host_indices(np.triu_indices(*_matrix_arguments("triu_indices", n, k, m)))
    return rows, columns


def vander(x: ArrayLike, N: int | None = None, increasing: bool = False) -> Array:
    """The powers of numbers, a row for each.

    Args:
        x: Numbers in one dimension.
        N: How many powers; as many as there are numbers for None.
        increasing: Whether the lowest power comes first.

    Returns:
        The matrix.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.vander(jnp.array([1, 2]), 3).tolist()
        [[1, 1, 1], [4, 2, 1]]
    """
    size = size_of_row("vander", x, "the array")
    count = size if N is None else integer("vander", N, "the number of powers", 0)
    ArrayType((size, count), dtype_of(x))  # raises the error for more elements than any memory holds
    return _powers(x, count=count, increasing=bool(increasing))


@api(static=("count", "increasing"), call="vander")
def _powers(x: ArrayLike, count: int, increasing: bool) -> Any:
    exponents = np.arange(count) if increasing else np.arange(count)[::-1]
    return power(lax.expand_dims(x, 1), exponents.astype(scalar_dtype(int)))
