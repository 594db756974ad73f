# SPDX-License-Identifier: Apache-2.0
"""Matrices as coordinates, by rows and by columns: the forms of other libraries, without batches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np

from olympus_core.errors import ArgumentError

from ... import numpy as jnp
from ...trees.nodes import register_pytree_node_class
from ...typing import Array, ArrayLike, DTypeLike
from .base import JAXSparse, shape_given
from .bcoo import BCOO, bcoo_fromdense, bcoo_sort_indices
from .bcsr import BCSR

__all__ = [
    "COO", "CSC", "CSR", "coo_fromdense", "coo_matmat", "coo_matvec", "coo_todense", "csr_fromdense", "csr_matmat",
    "csr_matvec", "csr_todense",
]

M = TypeVar("M", bound="_Matrix")


class _Matrix(JAXSparse):
    """A matrix of three parts: the elements, and two arrays that say where they stand."""

    _parts: tuple[Any, Any, Any]
    _facts: tuple[bool, ...] = ()

    def __init__(self, args: tuple[ArrayLike, ArrayLike, ArrayLike], *, shape: Sequence[int]) -> None:
        self._set(tuple(map(jnp.asarray, args)), shape_given(type(self).__name__, shape))
        if len(self.shape) != 2 or any(part.ndim != 1 for part in self._parts):
            raise ArgumentError(type(self).__name__, "the parts are not those of a matrix",
                                f"{[part.shape for part in self._parts]}, shape {self.shape}",
                                "three arrays of one dimension, a shape of two")

    def _set(self, parts: Any, shape: tuple[int, ...]) -> None:
        self._parts, self.shape = parts, shape
        self.data: Array = parts[0]

    @property
    def nse(self) -> int:
        """How many elements are stored."""
        return self.data.shape[0]

    def tree_flatten(self) -> tuple[tuple[Any, Any, Any], Any]:
        """The parts, for `olympus.tree`."""
        return self._parts, (self.shape, self._facts)

    @classmethod
    def tree_unflatten(cls: type[M], data: Any, children: Any) -> M:
        """Puts a matrix together of whatever stands for its parts."""
        self = object.__new__(cls)
        self._set(tuple(children), data[0])
        self._facts = data[1]
        return self

    def to_bcoo(self) -> BCOO:
        """The same matrix as elements and places."""
        raise NotImplementedError

    def todense(self) -> Array:
        """The matrix with all its elements."""
        return self.to_bcoo().todense()

    def __matmul__(self, other: Any) -> Any:
        return self.to_bcoo() @ (other.to_bcoo() if isinstance(other, _Matrix) else other)

    def __rmatmul__(self, other: Any) -> Any:
        return other @ self.to_bcoo()


def _by_rows(mat: BCOO) -> tuple[Array, Array, Array]:
    rows = BCSR.from_bcoo(mat)
    return rows.data, rows.indices, rows.indptr


@register_pytree_node_class
class COO(_Matrix):
    """A sparse matrix as elements, rows and columns.

    Args:
        args: The elements, their rows, their columns: arrays of one dimension and one length.
        shape: The shape of the matrix.
        rows_sorted: A promise that the rows are in order, and columns within a row.
        cols_sorted: A promise that the columns are in order, and rows within a column.

    Example:
        >>> import olympus.numpy as jnp
        >>> COO((jnp.array([2.0]), jnp.array([0]), jnp.array([1])), shape=(2, 2)) @ jnp.ones(2)
        Array([2., 0.], dtype=float32)
    """

    def __init__(
        self, args: tuple[ArrayLike, ArrayLike, ArrayLike], *, shape: Sequence[int], rows_sorted: bool = False,
        cols_sorted: bool = False,
    ) -> None:
        super().__init__(args, shape=shape)
        self._facts = (bool(rows_sorted), bool(cols_sorted))

    @property
    def row(self) -> Array:
        """The elements' rows."""
        return self._parts[1]

    @property
    def col(self) -> Array:
        """The elements' columns."""
        return self._parts[2]

    @classmethod
    def fromdense(cls, mat: ArrayLike, *, nse: int | None = None, index_dtype: DTypeLike = np.int32) -> COO:
        """The sparse form of a matrix; see `coo_fromdense`."""
        return coo_fromdense(mat, nse=nse, index_dtype=index_dtype)

    def to_bcoo(self) -> BCOO:
        """The same matrix as elements and places."""
        return BCOO((self.data, jnp.stack([self.row, self.col], axis=1)), shape=self.shape,
                    indices_sorted=self._facts[0])

    def transpose(self, axes: Sequence[int] | None = None) -> COO:
        """Rows and columns exchanged."""
        if axes is not None and tuple(axes) != (1, 0):
            raise ArgumentError("COO.transpose", "it does not exchange rows and columns", axes, "(1, 0) or None")
        return COO((self.data, self.col, self.row), shape=self.shape[::-1], rows_sorted=self._facts[1],
                   cols_sorted=self._facts[0])


@register_pytree_node_class
class CSR(_Matrix):
    """A sparse matrix by rows: the elements, their columns, and where each row begins.

    Args:
        args: The elements, their columns, and ``rows + 1`` integers: where each row begins, and the end.
        shape: The shape of the matrix.

    Example:
        >>> import olympus.numpy as jnp
        >>> CSR((jnp.array([2.0]), jnp.array([1]), jnp.array([0, 1, 1])), shape=(2, 2)) @ jnp.ones(2)
        Array([2., 0.], dtype=float32)
    """

    @property
    def indices(self) -> Array:
        """The elements' columns."""
        return self._parts[1]

    @property
    def indptr(self) -> Array:
        """Where rows begin."""
        return self._parts[2]

    @classmethod
    def fromdense(cls, mat: ArrayLike, *, nse: int | None = None, index_dtype: DTypeLike = np.int32) -> CSR:
        """The sparse form of a matrix; see `csr_fromdense`."""
        return csr_fromdense(mat, nse=nse, index_dtype=index_dtype)

    def to_bcoo(self) -> BCOO:
        """The same matrix as elements and places."""
        return BCSR(self._parts, shape=self.shape).to_bcoo()

    def transpose(self, axes: Sequence[int] | None = None) -> Any:
        """Rows and columns exchanged: a matrix by columns of the same parts."""
        if axes is not None and tuple(axes) != (1, 0):
            raise ArgumentError("CSR.transpose", "it does not exchange rows and columns", axes, "(1, 0) or None")
        return CSC(self._parts, shape=self.shape[::-1])


@register_pytree_node_class
class CSC(_Matrix):
    """A sparse matrix by columns: the elements, their rows, and where each column begins.

    Args:
        args: The elements, their rows, and ``columns + 1`` integers: where each column begins, and the end.
        shape: The shape of the matrix.

    Example:
        >>> import olympus.numpy as jnp
        >>> CSC((jnp.array([2.0]), jnp.array([0]), jnp.array([0, 0, 1])), shape=(2, 2)) @ jnp.ones(2)
        Array([2., 0.], dtype=float32)
    """

    @property
    def indices(self) -> Array:
        """The elements' rows."""
        return self._parts[1]

    @property
    def indptr(self) -> Array:
        """Where columns begin."""
        return self._parts[2]

    @classmethod
    def fromdense(cls, mat: ArrayLike, *, nse: int | None = None, index_dtype: DTypeLike = np.int32) -> CSC:
        """The sparse form of a matrix by columns."""
        turned = csr_fromdense(jnp.swapaxes(_matrix("CSC.fromdense", mat), 0, 1), nse=nse, index_dtype=index_dtype)
        found: CSC = turned.transpose()
        return found

    def to_bcoo(self) -> BCOO:
        """The same matrix as elements and places."""
        return CSR(self._parts, shape=self.shape[::-1]).to_bcoo().transpose()

    def transpose(self, axes: Sequence[int] | None = None) -> Any:
        """Rows and columns exchanged: a matrix by rows of the same parts."""
        if axes is not None and tuple(axes) != (1, 0):
            raise ArgumentError("CSC.transpose", "it does not exchange rows and columns", axes, "(1, 0) or None")
        return CSR(self._parts, shape=self.shape[::-1])


def _matrix(function: str, mat: ArrayLike) -> Array:
    array = jnp.asarray(mat)
    if array.ndim != 2:
        raise ArgumentError(function, "the array is no matrix", f"shape {array.shape}", "two dimensions")
    return array


def coo_fromdense(mat: ArrayLike, *, nse: int | None = None, index_dtype: DTypeLike = np.int32) -> COO:
    """The sparse form of a matrix as elements, rows and columns.

    Args:
        mat: A matrix.
        nse: How many elements to store; None for those that are not zero, which must then be known.
        index_dtype: The integer type of rows and columns.

    Returns:
        The sparse matrix.

    Example:
        >>> import olympus.numpy as jnp
        >>> coo_fromdense(jnp.array([[0, 2], [3, 0]])).row
        Array([0, 1], dtype=int32)
    """
    found = bcoo_fromdense(_matrix("coo_fromdense", mat), nse=nse, index_dtype=index_dtype)
    return COO((found.data, found.indices[:, 0], found.indices[:, 1]), shape=found.shape, rows_sorted=True)


def coo_todense(mat: COO) -> Array:
    """The dense form of a sparse matrix.

    Args:
        mat: A sparse matrix.

    Returns:
        The matrix.

    Example:
        >>> import olympus.numpy as jnp
        >>> coo_todense(COO.fromdense(jnp.array([[0, 2]])))
        Array([[0, 2]], dtype=int32)
    """
    return mat.todense()


def coo_matvec(mat: COO, v: ArrayLike, transpose: bool = False) -> Array:
    """The product of a sparse matrix and a vector.

    Args:
        mat: A sparse matrix.
        v: A vector.
        transpose: Whether rows and columns of the matrix are exchanged before.

    Returns:
        The product, a vector.

    Example:
        >>> import olympus.numpy as jnp
        >>> coo_matvec(COO.fromdense(jnp.array([[0.0, 2.0]])), jnp.array([1.0, 10.0]))
        Array([20.], dtype=float32)
    """
    return _product("coo_matvec", mat, v, 1, transpose)


def coo_matmat(mat: COO, B: ArrayLike, *, transpose: bool = False) -> Array:
    """The product of a sparse matrix and a dense one.

    Args:
        mat: A sparse matrix.
        B: A matrix.
        transpose: Whether rows and columns of the sparse matrix are exchanged before.

    Returns:
        The product, a matrix.

    Example:
        >>> import olympus.numpy as jnp
        >>> coo_matmat(COO.fromdense(jnp.array([[0.0, 2.0]])), jnp.eye(2))
        Array([[0., 2.]], dtype=float32)
    """
    return _product("coo_matmat", mat, B, 2, transpose)


def _product(function: str, mat: _Matrix, other: ArrayLike, ndim: int, transpose: bool) -> Array:
    array = jnp.asarray(other)
    if array.ndim != ndim:
        raise ArgumentError(function, "the second operand has another number of dimensions", array.shape, f"{ndim}")
    found: Array = (mat.T if transpose else mat) @ array
    return found


def csr_fromdense(mat: ArrayLike, *, nse: int | None = None, index_dtype: DTypeLike = np.int32) -> CSR:
    """The sparse form of a matrix by rows.

    Args:
        mat: A matrix.
        nse: How many elements to store; None for those that are not zero, which must then be known.
        index_dtype: The integer type of columns and rows.

    Returns:
        The sparse matrix.

    Example:
        >>> import olympus.numpy as jnp
        >>> csr_fromdense(jnp.array([[0, 2], [3, 0]])).indptr
        Array([0, 1, 2], dtype=int32)
    """
    found = bcoo_fromdense(_matrix("csr_fromdense", mat), nse=nse, index_dtype=index_dtype)
    return CSR(_by_rows(bcoo_sort_indices(found)), shape=found.shape)


def csr_todense(mat: CSR) -> Array:
    """The dense form of a sparse matrix by rows.

    Args:
        mat: A sparse matrix.

    Returns:
        The matrix.

    Example:
        >>> import olympus.numpy as jnp
        >>> csr_todense(CSR.fromdense(jnp.array([[0, 2]])))
        Array([[0, 2]], dtype=int32)
    """
    return mat.todense()


def csr_matvec(mat: CSR, v: ArrayLike, transpose: bool = False) -> Array:
    """The product of a sparse matrix by rows and a vector.

    Args:
        mat: A sparse matrix.
        v: A vector.
        transpose: Whether rows and columns of the matrix are exchanged before.

    Returns:
        The product, a vector.

    Example:
        >>> import olympus.numpy as jnp
        >>> csr_matvec(CSR.fromdense(jnp.array([[0.0, 2.0]])), jnp.array([1.0, 10.0]))
        Array([20.], dtype=float32)
    """
    return _product("csr_matvec", mat, v, 1, transpose)


def csr_matmat(mat: CSR, B: ArrayLike, *, transpose: bool = False) -> Array:
    """The product of a sparse matrix by rows and a dense one.

    Args:
        mat: A sparse matrix.
        B: A matrix.
        transpose: Whether rows and columns of the sparse matrix are exchanged before.

    Returns:
        The product, a matrix.

    Example:
        >>> import olympus.numpy as jnp
        >>> csr_matmat(CSR.fromdense(jnp.array([[0.0, 2.0]])), jnp.eye(2))
        Array([[0., 2.]], dtype=float32)
    """
    return _product("csr_matmat", mat, B, 2, transpose)
