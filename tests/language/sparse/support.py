# SPDX-License-Identifier: Apache-2.0
"""Small dense arrays, and sparse ones of every layout that stand for them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import olympus.numpy as jnp
from olympus.experimental.sparse import BCOO, bcoo_fromdense


def few(shape: tuple[int, ...], seed: int = 0, dtype: Any = np.float32) -> np.ndarray:
    """An array of small integers, about half of them zero."""
    random = np.random.RandomState(seed)
    return np.where(random.rand(*shape) < 0.5, random.randint(1, 5, shape), 0).astype(dtype)


LAYOUTS = [(n_batch, n_dense) for n_batch in range(4) for n_dense in range(4 - n_batch)]


def forms(array: np.ndarray, n_batch: int, n_dense: int) -> Iterator[tuple[BCOO, np.ndarray]]:
    """Sparse arrays of a layout, each with the dense one: plain, each place twice, numbers outside."""
    plain = bcoo_fromdense(array, n_batch=n_batch, n_dense=n_dense)
    yield plain, array
    twice = [np.concatenate([part, part], axis=n_batch) for part in (plain.data, plain.indices)]
    yield BCOO((twice[0], twice[1]), shape=plain.shape), 2 * array
    if plain.n_sparse:
        more = bcoo_fromdense(array, n_batch=n_batch, n_dense=n_dense, nse=plain.nse + 2)
        outside = np.asarray((more.indices >= np.array(more.sparse_shape)).any(-1))
        outside = outside.reshape(*outside.shape, *(1,) * n_dense)
        yield more.with_parts(jnp.where(outside, np.nan, more.data)), array


def same(sparse: Any, dense: np.ndarray, *what: Any) -> None:
    """Checks that a sparse array stands for a dense one."""
    assert sparse.shape == dense.shape, what
    np.testing.assert_array_equal(np.asarray(sparse.todense()), dense, err_msg=repr(what))
