# SPDX-License-Identifier: Apache-2.0
"""Sparse arrays made of nothing: empty ones, identities, random ones."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from olympus_core.errors import ArgumentError

from ... import numpy as jnp
from ... import random
from ...operands import element_type, integer, integers
from ...transforms.batching.vmap import vmap
from ...typing import Array, DTypeLike
from .base import JAXSparse, shape_given
from .bcoo import BCOO, bcoo_sort_indices
from .bcsr import BCSR
from .layout import bcoo_update_layout
from .matrices import COO, CSC, CSR

__all__ = ["empty", "eye", "random_bcoo"]

_FORMATS = ("bcoo", "bcsr", "coo", "csr", "csc")


def _in_format(function: str, mat: BCOO, sparse_format: str) -> JAXSparse:
    if sparse_format not in _FORMATS:
        raise ArgumentError(function, "the format is not known", repr(sparse_format), ", ".join(map(repr, _FORMATS)))
    if sparse_format == "bcoo":
        return mat
    if sparse_format == "bcsr":
        return BCSR.from_bcoo(mat)
    if mat.n_sparse != 2 or mat.ndim != 2:
        raise ArgumentError(function, f"format {sparse_format!r} is of matrices", mat, "two sparse dimensions")
    if sparse_format == "coo":
        return COO((mat.data, mat.indices[:, 0], mat.indices[:, 1]), shape=mat.shape)
    rows = BCSR.from_bcoo(mat if sparse_format == "csr" else mat.transpose())
    parts = (rows.data, rows.indices, rows.indptr)
    return CSR(parts, shape=mat.shape) if sparse_format == "csr" else CSC(parts, shape=mat.shape)


def empty(
    shape: Sequence[int], dtype: DTypeLike | None = None, index_dtype: DTypeLike = "int32", sparse_format: str = "bcoo",
    *, n_batch: int = 0, n_dense: int = 0, nse: int = 0,
) -> JAXSparse:
    """A sparse array without elements.

    Args:
        shape: The shape.
        dtype: The element type; float for None.
        index_dtype: The integer type of places.
        sparse_format: ``"bcoo"``, ``"bcsr"``, ``"coo"``, ``"csr"`` or ``"csc"``.
        n_batch: How many dimensions in front are batch dimensions.
        n_dense: How many dimensions at the end are stored whole.
        nse: For how many elements there is room.

    Returns:
        The array.

    Raises:
        ArgumentError: If the format is not known, or is one of matrices and the shape is not.

    Example:
        >>> empty((3, 4))
        BCOO(float32[3, 4], nse=0)
    """
    sizes = shape_given("empty", shape)
    batch, dense = integer("empty", n_batch, "n_batch", 0), integer("empty", n_dense, "n_dense", 0)
    count, n_sparse = integer("empty", nse, "nse", 0), len(sizes) - batch - dense
    if n_sparse < 0:
        raise ArgumentError("empty", "there are not as many dimensions", f"n_batch={batch}, n_dense={dense}", sizes)
    kind = element_type("empty", float if dtype is None else dtype)
    outside = np.array(sizes[batch:batch + n_sparse], element_type("empty", index_dtype))
    indices = np.broadcast_to(outside, (*sizes[:batch], count, n_sparse))
    data = jnp.zeros((*sizes[:batch], count, *sizes[batch + n_sparse:]), kind)
    return _in_format("empty", BCOO((data, indices), shape=sizes, indices_sorted=True, unique_indices=True),
                      sparse_format)


def eye(
    N: int, M: int | None = None, k: int = 0, dtype: DTypeLike | None = None, index_dtype: DTypeLike = "int32",
    sparse_format: str = "bcoo", *, n_batch: int = 0, n_dense: int = 0,
) -> JAXSparse:
    """A sparse matrix with ones on a diagonal.

    Args:
        N: How many rows it has.
        M: How many columns; as many for None.
        k: Which diagonal: 0 for the main one, more for those above it.
        dtype: The element type; float for None.
        index_dtype: The integer type of places.
        sparse_format: ``"bcoo"``, ``"bcsr"``, ``"coo"``, ``"csr"`` or ``"csc"``.
        n_batch: How many dimensions in front are batch dimensions.
        n_dense: How many dimensions at the end are stored whole.

    Returns:
        The matrix.

    Example:
        >>> eye(2, 3, k=1).todense()
        Array([[0., 1., 0.],
               [0., 0., 1.]], dtype=float32)
    """
    rows = integer("eye", N, "the number of rows", 0)
    columns = rows if M is None else integer("eye", M, "the number of columns", 0)
    offset = integer("eye", k, "the diagonal")
    first_row, first_column = max(0, -offset), max(0, offset)
    count = max(0, min(rows - first_row, columns - first_column))
    places = np.arange(count)[:, None] + np.array([[first_row, first_column]])
    kind = element_type("eye", float if dtype is None else dtype)
    mat = BCOO((jnp.ones(count, kind), places.astype(element_type("eye", index_dtype))), shape=(rows, columns),
               indices_sorted=True, unique_indices=True)
    if n_batch or n_dense:
        mat = _one_each(mat, n_batch, n_dense)
    return _in_format("eye", mat, sparse_format)


def _one_each(mat: BCOO, n_batch: int, n_dense: int) -> BCOO:
    """A diagonal in another layout, in which each row or column needs room for one element only."""
    found = bcoo_update_layout(mat, n_batch=n_batch, n_dense=n_dense, on_inefficient=None)
    return found.sum_duplicates(nse=1) if n_batch and mat.nse else found


def random_bcoo(
    key: Any, shape: Sequence[int], *, dtype: DTypeLike = float, indices_dtype: DTypeLike | None = None,
    nse: float = 0.2, n_batch: int = 0, n_dense: int = 0, unique_indices: bool = True, sorted_indices: bool = False,
    generator: Callable[..., Array] | None = None, **kwds: Any,
) -> BCOO:
    """A sparse array with random elements at random places.

    Args:
        key: A random key.
        shape: The shape.
        dtype: The element type.
        indices_dtype: The integer type of places; int32 for None.
        nse: How many elements for each index of the batch dimensions: a number, or below 1 the share of the places.
        n_batch: How many dimensions in front are batch dimensions.
        n_dense: How many dimensions at the end are stored whole.
        unique_indices: Whether no place may occur twice.
        sorted_indices: Whether the places are in order.
        generator: Makes the elements: a function such as those of `olympus.random`; `uniform` for None.
        **kwds: Further arguments of it.

    Returns:
        The sparse array.

    Raises:
        ArgumentError: If there are not as many places.

    Example:
        >>> import olympus
        >>> random_bcoo(olympus.random.key(0), (10, 10), nse=0.1)
        BCOO(float32[10, 10], nse=10)
    """
    sizes = integers("random_bcoo", shape, "a size")
    n_sparse = len(sizes) - n_batch - n_dense
    if n_sparse < 0 or n_batch < 0 or n_dense < 0 or min(sizes, default=0) < 0:
        raise ArgumentError("random_bcoo", "there are not as many dimensions", f"n_batch={n_batch}, n_dense={n_dense}",
                            sizes)
    sparse = sizes[n_batch:n_batch + n_sparse]
    total = math.prod(sparse)
    count = math.ceil(nse * total) if 0 < nse < 1 else integer("random_bcoo", int(nse), "nse", 0)
    if unique_indices and count > total:
        raise ArgumentError("random_bcoo", "there are not as many different places", count, f"at most {total}",
                            "Pass unique_indices=False.")
    for_places, for_data = random.split(key, 2)
    kind = element_type("random_bcoo", np.int32 if indices_dtype is None else indices_dtype)
    batch = math.prod(sizes[:n_batch])
    if unique_indices:
        keys = random.split(for_places, max(batch, 1))
        flat = vmap(lambda k: random.permutation(k, total)[:count])(keys)[:batch]
    else:
        flat = random.randint(for_places, (batch, count), 0, max(total, 1))
    columns = jnp.unravel_index(flat, sparse) if n_sparse else ()
    places = jnp.stack(columns, axis=-1) if n_sparse else jnp.zeros((batch, count, 0), kind)
    indices = places.astype(kind).reshape(*sizes[:n_batch], count, n_sparse)
    data = (generator or random.uniform)(for_data, (*sizes[:n_batch], count, *sizes[n_batch + n_sparse:]),
                     element_type("random_bcoo", dtype), **kwds)
    mat = BCOO((data, indices), shape=sizes, unique_indices=unique_indices)
    return bcoo_sort_indices(mat) if sorted_indices else mat
