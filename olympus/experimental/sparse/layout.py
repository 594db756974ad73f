# SPDX-License-Identifier: Apache-2.0
"""Which dimensions of a sparse array are batch, sparse and dense ones, changed."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from olympus_core.errors import ArgumentError

from ... import numpy as jnp
from ...operands import integer
from ...transforms.jit import api
from .base import LATER, SparseEfficiencyError, SparseEfficiencyWarning
from .bcoo import BCOO, argument
from .elements import inside, over_batches, scattered

__all__ = ["bcoo_update_layout"]


def bcoo_update_layout(
    mat: BCOO, *, n_batch: int | None = None, n_dense: int | None = None, on_inefficient: str | None = "error"
) -> BCOO:
    """A sparse array with other numbers of batch and dense dimensions.

    Args:
        mat: A sparse array.
        n_batch: How many batch dimensions the result has; None for as many as there are.
        n_dense: How many dense dimensions it has, likewise.
        on_inefficient: What to do where more batch or dense dimensions would store many zeros: ``"error"``,
            ``"warn"``, or None for nothing.

    Returns:
        The same array in that layout.

    Raises:
        ArgumentError: If there are not as many dimensions, or `on_inefficient` is something else.
        SparseEfficiencyError: If the result would store many zeros.

    Example:
        >>> import olympus.numpy as jnp
        >>> x = BCOO.fromdense(jnp.array([[0, 2], [3, 0]]), n_batch=1)
        >>> bcoo_update_layout(x, n_batch=0)
        BCOO(int32[2, 2], nse=2)
    """
    argument("bcoo_update_layout", mat)
    batch = mat.n_batch if n_batch is None else integer("bcoo_update_layout", n_batch, "n_batch", 0)
    dense = mat.n_dense if n_dense is None else integer("bcoo_update_layout", n_dense, "n_dense", 0)
    if batch + dense > mat.ndim:
        raise ArgumentError("bcoo_update_layout", "there are not as many dimensions",
                            f"n_batch={batch}, n_dense={dense}", f"at most {mat.ndim} together")
    if on_inefficient not in ("error", "warn", None):
        raise ArgumentError("bcoo_update_layout", "on_inefficient is not known", repr(on_inefficient),
                            "'error', 'warn' or None")
    changes = ((batch - mat.n_batch, mat.n_batch, f"with n_batch={batch}"),
               (dense - mat.n_dense, mat.ndim - dense, f"with n_dense={dense}"))
    for change, first, words in changes:
        grows = change > 0 and math.prod(mat.shape[first:first + change]) > 1
        if grows and on_inefficient == "error":
            raise SparseEfficiencyError(mat.shape, words)
        if grows and on_inefficient == "warn":
            warnings.warn(f"An array of shape {mat.shape} needs much more memory {words}.", SparseEfficiencyWarning,
                          stacklevel=2)
    # To sparse dimensions first: from there to any other kind.
    return _to_batch(_to_dense(_dense_to_sparse(_batch_to_sparse(mat, min(batch, mat.n_batch)), dense), dense), batch)


@api(static=("n_batch",))
def _batch_to_sparse(mat: BCOO, n_batch: int) -> BCOO:
    """The last batch dimensions as the first sparse ones."""
    n, sizes = mat.n_batch, mat.shape[:mat.n_batch]
    if n == n_batch:
        return mat
    moved = sizes[n_batch:]
    data = jnp.broadcast_to(mat.data, (*mat.data.shape[:n_batch], *moved, *mat.data.shape[n:]))
    indices = jnp.broadcast_to(mat.indices, (*mat.indices.shape[:n_batch], *moved, *mat.indices.shape[n:]))
    grid = jnp.array(np.moveaxis(np.indices(moved), 0, -1)[..., None, :], indices.dtype)  # (*moved, 1, dimensions)
    counts = jnp.broadcast_to(grid, (*indices.shape[:-1], len(moved)))
    outside = ~inside(indices, mat.sparse_shape)[..., None]
    counts = jnp.where(outside, jnp.array(moved, indices.dtype), counts)
    rows = math.prod(moved) * mat.nse
    indices = jnp.concatenate([counts, indices], axis=-1).reshape(*indices.shape[:n_batch], rows, -1 if rows else (
        mat.n_sparse + len(moved)))
    return BCOO((data.reshape(*data.shape[:n_batch], rows, *data.shape[n + 1:]), indices), shape=mat.shape,
                indices_sorted=mat.indices_sorted and n - n_batch <= 1, unique_indices=mat.unique_indices)


@api(static=("n_dense",))
def _dense_to_sparse(mat: BCOO, n_dense: int) -> BCOO:
    """The first dense dimensions as the last sparse ones."""
    change = mat.n_dense - n_dense
    if change <= 0:
        return mat
    n = mat.n_batch
    moved = mat.shape[mat.ndim - mat.n_dense:mat.ndim - n_dense]
    grid = jnp.array(np.indices(moved).reshape(change, -1).T, mat.indices.dtype)  # (elements, dimensions)
    total = math.prod(moved)
    front = mat.indices.shape[:-1]
    places = jnp.broadcast_to(mat.indices[..., None, :], (*front, total, mat.n_sparse))
    outside = ~inside(mat.indices, mat.sparse_shape)[..., None, None]
    counts = jnp.where(outside, jnp.array(moved, grid.dtype), jnp.broadcast_to(grid, (*front, total, change)))
    indices = jnp.concatenate([places, counts], axis=-1).reshape(
        *front[:-1], mat.nse * total, mat.n_sparse + change)
    data = mat.data.reshape(*mat.data.shape[:n], mat.nse * total, *mat.data.shape[n + 1 + change:])
    return BCOO((data, indices), shape=mat.shape, indices_sorted=mat.indices_sorted, unique_indices=mat.unique_indices)


@api(static=("n_dense",))
def _to_dense(mat: BCOO, n_dense: int) -> BCOO:
    """The last sparse dimensions as the first dense ones: each element a block with zeros around it."""
    change = n_dense - mat.n_dense
    if change <= 0:
        return mat
    moved = mat.sparse_shape[mat.n_sparse - change:]
    kept = mat.sparse_shape[:mat.n_sparse - change]

    def blocks(data: Any, places: Any) -> Any:
        is_inside = inside(places, mat.sparse_shape)
        count = jnp.arange(data.shape[0], dtype=places.dtype)
        at = jnp.concatenate([count[:, None], places[:, len(kept):]], axis=-1)
        block = scattered(data, at, (data.shape[0], *moved))
        ends = jnp.array(kept, places.dtype)
        found = jnp.where(is_inside[:, None], places[:, :len(kept)], ends) if kept else places[:, :0]
        if not kept:
            block = jnp.where(is_inside.reshape(-1, *(1,) * (block.ndim - 1)), block, jnp.zeros((), block.dtype))
        return block, found

    data, indices = over_batches(blocks, mat.n_batch, mat.data, mat.indices)
    return BCOO((data, indices), shape=mat.shape)


@api(static=("n_batch",))
def _to_batch(mat: BCOO, n_batch: int) -> BCOO:
    """The first sparse dimensions as the last batch ones: every index gets a list as long as the whole one."""
    change = n_batch - mat.n_batch
    if change <= 0:
        return mat
    moved, kept = mat.sparse_shape[:change], mat.sparse_shape[change:]
    grid = np.moveaxis(np.indices(moved), 0, -1)

    def lists(data: Any, places: Any) -> Any:
        index = jnp.array(grid, places.dtype)
        mine = inside(places, mat.sparse_shape) & jnp.all(places[:, :change] == index[..., None, :], axis=-1)
        rest = jnp.broadcast_to(places[:, change:], (*mine.shape, len(kept)))
        found = jnp.where(mine[..., None], rest, jnp.array(kept, places.dtype)) if kept else rest
        is_there = mine.reshape(*mine.shape, *(1,) * (data.ndim - 1))
        return jnp.where(is_there, data, jnp.zeros((), data.dtype)), found

    data, indices = over_batches(lists, mat.n_batch, mat.data, mat.indices)
    return BCOO((data, indices), shape=mat.shape, unique_indices=mat.unique_indices and bool(kept))


LATER.update_layout = bcoo_update_layout
