# SPDX-License-Identifier: Apache-2.0
"""BCSR: the elements of each row one after the other, with their columns and where each row begins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.errors import ArgumentError, NotSupportedError

from ... import numpy as jnp
from ...transforms.jit import api
from ...trees.nodes import register_pytree_node_class
from ...typing import Array, ArrayLike, DTypeLike
from .base import JAXSparse, shape_given
from .bcoo import BCOO, bcoo_extract, bcoo_fromdense, bcoo_sort_indices, bcoo_sum_duplicates
from .elements import over_batches
from .products import DimensionNumbers, bcoo_dot_general
from .structure import bcoo_broadcast_in_dim, bcoo_concatenate

__all__ = [
    "BCSR", "bcsr_broadcast_in_dim", "bcsr_concatenate", "bcsr_dot_general", "bcsr_extract", "bcsr_fromdense",
    "bcsr_sum_duplicates", "bcsr_todense",
]


@register_pytree_node_class
class BCSR(JAXSparse):
    """A sparse array by rows (batched compressed sparse rows).

    The dimensions of the array are batch dimensions, two sparse ones (rows, columns), then dense ones.

    Args:
        args: The elements, ``(*batch, nse, *dense)``; their columns, ``(*batch, nse)``; and for each row where its
            elements begin, and the end of the last one, ``(*batch, rows + 1)``. Elements after that end are not there.
        shape: The shape of the array.
        indices_sorted: A promise that the columns of each row are in order.
        unique_indices: A promise that no place occurs twice.

    Attributes:
        data: The elements.
        indices: Their columns.
        indptr: Where rows begin.

    Raises:
        ArgumentError: If the parts do not fit together.

    Example:
        >>> import olympus.numpy as jnp
        >>> x = BCSR((jnp.array([2.0, 3.0]), jnp.array([1, 0]), jnp.array([0, 1, 2])), shape=(2, 2))
        >>> x @ jnp.array([1.0, 10.0])
        Array([20.,  3.], dtype=float32)
    """

    def __init__(
        self, args: tuple[ArrayLike, ArrayLike, ArrayLike], *, shape: Sequence[int], indices_sorted: bool = False,
        unique_indices: bool = False,
    ) -> None:
        self.data: Array
        self.indices: Array
        self.indptr: Array
        self.data, self.indices, self.indptr = map(jnp.asarray, args)
        self.shape = shape_given("BCSR", shape)
        self.indices_sorted, self.unique_indices = bool(indices_sorted), bool(unique_indices)
        n, data, indices, indptr = self.indices.ndim - 1, self.data, self.indices, self.indptr
        fits = n >= 0 and indptr.ndim == n + 1 and data.ndim > n and len(self.shape) == data.ndim + 1 and (
            data.shape[n] == indices.shape[n] and indptr.shape[n] == self.shape[n] + 1
            and data.shape[n + 1:] == self.shape[n + 2:])
        fits = fits and all(
            size in (1, own) for part in (data, indices, indptr) for size, own in zip(
                part.shape[:n], self.shape, strict=False))
        if not fits or not (dtypes.is_integer(indices.dtype) and dtypes.is_integer(indptr.dtype)):
            raise ArgumentError(
                "BCSR", "elements, columns, rows and shape do not fit together",
                f"elements {data.shape}, columns {indices.dtype}{indices.shape}, rows {indptr.dtype}{indptr.shape}, "
                f"shape {self.shape}",
                "elements (*batch, nse, *dense), columns (*batch, nse), rows (*batch, rows + 1), both integers")

    @property
    def n_batch(self) -> int:
        """How many batch dimensions there are."""
        return self.indices.ndim - 1

    @property
    def n_sparse(self) -> int:
        """How many sparse dimensions there are: 2."""
        return 2

    @property
    def n_dense(self) -> int:
        """How many dense dimensions there are."""
        return self.data.ndim - self.indices.ndim

    @property
    def nse(self) -> int:
        """How many elements are stored for each index of the batch dimensions."""
        return self.indices.shape[-1]

    def _layout_text(self) -> str:
        names = (("n_batch", self.n_batch), ("n_dense", self.n_dense))
        return "".join(f", {name}={n}" for name, n in names if n)

    def tree_flatten(self) -> tuple[tuple[Any, Any, Any], Any]:
        """The parts, for `olympus.tree`."""
        return (self.data, self.indices, self.indptr), (self.shape, self.indices_sorted, self.unique_indices)

    @classmethod
    def tree_unflatten(cls, data: Any, children: Any) -> BCSR:
        """Puts an array together of whatever stands for its parts."""
        self = object.__new__(cls)
        self.data, self.indices, self.indptr = children
        self.shape, self.indices_sorted, self.unique_indices = data
        return self

    @classmethod
    def fromdense(
        cls, mat: ArrayLike, *, nse: int | None = None, index_dtype: DTypeLike = np.int32, n_dense: int = 0,
        n_batch: int = 0,
    ) -> BCSR:
        """The sparse form of an array; see `bcsr_fromdense`."""
        return bcsr_fromdense(mat, nse=nse, index_dtype=index_dtype, n_dense=n_dense, n_batch=n_batch)

    @classmethod
    def from_bcoo(cls, arr: BCOO) -> BCSR:
        """The form by rows of coordinates, which must have two sparse dimensions."""
        if arr.n_sparse != 2:
            raise ArgumentError("BCSR.from_bcoo", "the array has not two sparse dimensions", arr, "n_sparse=2")
        ordered = bcoo_sort_indices(arr)
        indices, indptr = _rows(ordered.indices, shape=ordered.sparse_shape, n_batch=arr.n_batch)
        return cls((ordered.data, indices, indptr), shape=arr.shape, indices_sorted=True,
                   unique_indices=arr.unique_indices)

    @classmethod
    def from_scipy_sparse(
        cls, mat: Any, *, index_dtype: DTypeLike | None = None, n_batch: int = 0, n_dense: int = 0
    ) -> BCSR:
        """The form of a sparse matrix of SciPy; it has no batch and dense dimensions."""
        if n_dense or n_batch:
            raise ArgumentError("from_scipy_sparse", "SciPy's matrices have sparse dimensions only",
                                f"n_dense={n_dense}, n_batch={n_batch}", "0 and 0")
        csr, kind = mat.tocsr(), np.int32 if index_dtype is None else index_dtype
        return cls((csr.data, csr.indices.astype(kind), csr.indptr.astype(kind)), shape=csr.shape)

    def to_bcoo(self) -> BCOO:
        """The same array as elements and places."""
        indices = _coordinates(self.indices, self.indptr, shape=self.shape[self.n_batch:self.n_batch + 2])
        return BCOO((self.data, indices), shape=self.shape, indices_sorted=self.indices_sorted,
                    unique_indices=self.unique_indices)

    def todense(self) -> Array:
        """The array with all its elements."""
        return self.to_bcoo().todense()

    def sum_duplicates(self, nse: int | None = None, remove_zeros: bool = True) -> BCSR:
        """The array with each place at most once; see `bcsr_sum_duplicates`."""
        return BCSR.from_bcoo(self.to_bcoo().sum_duplicates(nse, remove_zeros))

    def transpose(self, axes: Sequence[int] | None = None) -> BCSR:
        """The dimensions in another order; batch, sparse and dense ones each among themselves."""
        return BCSR.from_bcoo(self.to_bcoo().transpose(axes))


@api(static=("shape", "n_batch"))
def _rows(indices: Any, shape: tuple[int, ...], n_batch: int) -> Any:
    def rows(places: Any) -> Any:
        row, column = places[:, 0], places[:, 1]
        counts = jnp.zeros(shape[0], places.dtype).at[row].add(1, mode="drop")
        return column, jnp.concatenate([jnp.zeros(1, places.dtype), jnp.cumsum(counts).astype(places.dtype)])

    return over_batches(rows, n_batch, indices)


@api(static=("shape",))
def _coordinates(indices: Any, indptr: Any, shape: tuple[int, ...]) -> Any:
    def coordinates(columns: Any, starts: Any) -> Any:
        count = jnp.arange(columns.shape[0], dtype=starts.dtype)
        row = jnp.searchsorted(starts, count, side="right").astype(columns.dtype) - 1
        is_there = count < starts[-1]
        return jnp.stack([jnp.where(is_there, row, shape[0]), jnp.where(is_there, columns, shape[1])], axis=-1)

    return over_batches(coordinates, indices.ndim - 1, indices, indptr)


def bcsr_todense(mat: BCSR) -> Array:
    """The dense array of a sparse one by rows.

    Args:
        mat: A sparse array.

    Returns:
        An array of the same shape and element type.

    Example:
        >>> import olympus.numpy as jnp
        >>> bcsr_todense(BCSR.fromdense(jnp.array([[0, 2], [3, 0]])))
        Array([[0, 2],
               [3, 0]], dtype=int32)
    """
    return mat.todense()


def bcsr_fromdense(
    mat: ArrayLike, *, nse: int | None = None, n_batch: int = 0, n_dense: int = 0, index_dtype: DTypeLike = np.int32
) -> BCSR:
    """The sparse form by rows of a dense array.

    Args:
        mat: An array of at least two dimensions.
        nse: How many elements to store for each index of the batch dimensions; None for the most that are not zero,
            which must then be known.
        n_batch: How many dimensions in front are batch dimensions.
        n_dense: How many dimensions at the end are stored whole.
        index_dtype: The integer type of columns and rows.

    Returns:
        The sparse array.

    Raises:
        ArgumentError: If not two dimensions remain.

    Example:
        >>> import olympus.numpy as jnp
        >>> x = bcsr_fromdense(jnp.array([[0, 2], [3, 4]]))
        >>> x.indices, x.indptr
        (Array([1, 0, 1], dtype=int32), Array([0, 1, 3], dtype=int32))
    """
    return BCSR.from_bcoo(bcoo_fromdense(mat, nse=nse, n_batch=n_batch, n_dense=n_dense, index_dtype=index_dtype))


def bcsr_extract(indices: ArrayLike, indptr: ArrayLike, mat: ArrayLike) -> Array:
    """The elements of a dense array at places by rows.

    Args:
        indices: The columns, ``(*batch, nse)``.
        indptr: Where rows begin, ``(*batch, rows + 1)``.
        mat: A dense array, ``(*batch, rows, columns, *dense)``.

    Returns:
        The elements, ``(*batch, nse, *dense)``.

    Example:
        >>> import olympus.numpy as jnp
        >>> bcsr_extract(jnp.array([1, 0]), jnp.array([0, 1, 2]), jnp.array([[1, 2], [3, 4]]))
        Array([2, 3], dtype=int32)
    """
    columns, starts, dense = jnp.asarray(indices), jnp.asarray(indptr), jnp.asarray(mat)
    n = columns.ndim - 1
    zeros = jnp.zeros((*columns.shape, *dense.shape[n + 2:]), dense.dtype)
    there = BCSR((zeros, columns, starts), shape=dense.shape)
    return bcoo_extract(there.to_bcoo(), dense, assume_unique=True).data


def bcsr_dot_general(
    lhs: BCSR | ArrayLike, rhs: ArrayLike, *, dimension_numbers: DimensionNumbers, precision: Any = None,
    preferred_element_type: DTypeLike | None = None, out_sharding: Any = None,
) -> Array:
    """The general dot product of an array by rows and a dense one.

    Args:
        lhs: A sparse array by rows.
        rhs: A dense array.
        dimension_numbers: Contracted and batch dimensions, as in `olympus.lax.dot_general`.
        precision: Accepted; products are computed in the elements' type.
        preferred_element_type: The result's element type; None for the common one.
        out_sharding: Accepted as None only.

    Returns:
        A dense array.

    Raises:
        NotSupportedError: If the second operand is sparse too.

    Example:
        >>> import olympus.numpy as jnp
        >>> x = BCSR.fromdense(jnp.array([[0.0, 2.0], [3.0, 0.0]]))
        >>> bcsr_dot_general(x, jnp.ones(2), dimension_numbers=(((1,), (0,)), ((), ())))
        Array([2., 3.], dtype=float32)
    """
    if isinstance(lhs, BCSR) and isinstance(rhs, JAXSparse):
        raise NotSupportedError("bcsr_dot_general of two sparse arrays", "their product by rows has no form here",
                                "Use bcoo_dot_general(x.to_bcoo(), y.to_bcoo(), ...).")
    one = lhs.to_bcoo() if isinstance(lhs, BCSR) else lhs
    other: Any = rhs.to_bcoo() if isinstance(rhs, BCSR) else rhs
    found: Array = bcoo_dot_general(one, other, dimension_numbers=dimension_numbers, precision=precision,
                                    preferred_element_type=preferred_element_type, out_sharding=out_sharding)
    return found


def bcsr_sum_duplicates(mat: BCSR, nse: int | None = None) -> BCSR:
    """A sparse array by rows in which each place occurs at most once, in order.

    Args:
        mat: A sparse array by rows.
        nse: How many elements to store for each index of the batch dimensions; None for the most that differ.

    Returns:
        The array; elements at one place are added.

    Example:
        >>> import olympus.numpy as jnp
        >>> x = BCSR((jnp.array([1, 2]), jnp.array([1, 1]), jnp.array([0, 2])), shape=(1, 2))
        >>> bcsr_sum_duplicates(x).data
        Array([3], dtype=int32)
    """
    return BCSR.from_bcoo(bcoo_sum_duplicates(mat.to_bcoo(), nse))


def bcsr_broadcast_in_dim(
    mat: BCSR, *, shape: Sequence[int], broadcast_dimensions: Sequence[int], sharding: Any = None
) -> BCSR:
    """A sparse array by rows with further batch or dense dimensions, along which it repeats.

    Args:
        mat: A sparse array by rows.
        shape: The new shape.
        broadcast_dimensions: For each dimension of the array that of the result; increasing.
        sharding: Accepted as None only.

    Returns:
        The array with further dimensions.

    Raises:
        ArgumentError: If a new dimension would stand between rows and columns.

    Example:
        >>> import olympus.numpy as jnp
        >>> x = BCSR.fromdense(jnp.array([[0, 2], [3, 0]]))
        >>> bcsr_broadcast_in_dim(x, shape=(3, 2, 2), broadcast_dimensions=(1, 2)).shape
        (3, 2, 2)
    """
    return BCSR.from_bcoo(bcoo_broadcast_in_dim(
        mat.to_bcoo(), shape=shape, broadcast_dimensions=broadcast_dimensions, sharding=sharding))


def bcsr_concatenate(operands: Sequence[BCSR], *, dimension: int) -> BCSR:
    """Sparse arrays by rows one after the other.

    Args:
        operands: Sparse arrays by rows, of equal shapes but in one dimension.
        dimension: That dimension, not a dense one.

    Returns:
        The arrays joined.

    Example:
        >>> import olympus.numpy as jnp
        >>> x = BCSR.fromdense(jnp.array([[0, 2]]))
        >>> bcsr_concatenate([x, x], dimension=0).todense()
        Array([[0, 2],
               [0, 2]], dtype=int32)
    """
    return BCSR.from_bcoo(bcoo_concatenate([x.to_bcoo() for x in operands], dimension=dimension))
