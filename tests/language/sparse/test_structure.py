# SPDX-License-Identifier: Apache-2.0
"""Sparse arrays in other shapes and layouts, against NumPy."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.errors import ArgumentError, ConcretizationError, NotSupportedError
from olympus.experimental import sparse
from olympus.experimental.sparse import BCOO, BCSR

from .support import LAYOUTS, few, forms, same

DENSE = few((2, 3, 4))
every_layout = pytest.mark.parametrize(("n_batch", "n_dense"), LAYOUTS)
some_layouts = pytest.mark.parametrize(("n_batch", "n_dense"), [(0, 0), (1, 0), (0, 1), (1, 1), (2, 1), (3, 0)])


@some_layouts
def test_shapes(n_batch: int, n_dense: int) -> None:
    refused = 0
    for mat, dense in forms(DENSE, n_batch, n_dense):
        same(mat, dense)
        for order in itertools.permutations(range(3)):
            try:
                same(sparse.bcoo_transpose(mat, permutation=order), dense.transpose(order), order)
            except NotSupportedError:
                refused += 1
        for count in range(4):
            for axes in itertools.combinations(range(3), count):
                same(sparse.bcoo_reduce_sum(mat, axes=axes), dense.sum(axes), axes)
        for shape in [(6, 4), (2, 12), (2, 3, 2, 2), (2, 3, 1, 4), (3, 2, 4)]:
            try:
                same(sparse.bcoo_reshape(mat, new_sizes=shape), dense.reshape(shape), shape)
            except NotSupportedError:
                refused += 1
        for dims, shape in [((1, 2, 3), (5, 2, 3, 4)), ((0, 1, 2), (2, 3, 4, 5)), ((0, 1, 3), (2, 3, 5, 4)),
                            ((0, 2, 3), (2, 5, 3, 4))]:
            wide = np.broadcast_to(dense.reshape([shape[d] if d in dims else 1 for d in range(4)]), shape)
            same(sparse.bcoo_broadcast_in_dim(mat, shape=shape, broadcast_dimensions=dims), wide, dims)
    assert not refused or (n_batch, n_dense) != (0, 0)  # without other kinds of dimensions everything goes


@some_layouts
def test_parts(n_batch: int, n_dense: int) -> None:
    for mat, dense in forms(DENSE, n_batch, n_dense):
        for starts, limits, steps in [
            ((0, 0, 0), (2, 3, 4), None), ((1, 0, 1), (2, 3, 4), (1, 2, 2)), ((0, 2, 3), (2, 3, 3), None)
        ]:
            part = tuple(map(slice, starts, limits, steps or (1, 1, 1)))
            same(sparse.bcoo_slice(mat, start_indices=starts, limit_indices=limits, strides=steps), dense[part], part)
        for starts, sizes in [((1, 1, 1), (1, 2, 3)), ((5, 0, -1), (1, 3, 1))]:
            found = sparse.bcoo_dynamic_slice(mat, [jnp.int32(i) for i in starts], sizes)
            same(found, np.asarray(lax.dynamic_slice(jnp.asarray(dense), starts, sizes)), starts)
        for dims in [(), (1,), (0, 2)]:
            same(sparse.bcoo_rev(mat, dims), np.flip(dense, dims) if dims else dense, dims)
        for dim in range(n_batch + mat.n_sparse):
            same(sparse.bcoo_concatenate([mat, mat], dimension=dim), np.concatenate([dense, dense], dim), dim)
        for dim in range(n_batch, n_batch + mat.n_sparse):
            index: list[Any] = [slice(None)] * 3
            index[dim] = np.array([[1, 0], [0, 1]])
            same(sparse.sparsify(lambda x, i=tuple(index): x[i])(mat), dense[tuple(index)], dim)


@every_layout
def test_layouts(n_batch: int, n_dense: int) -> None:
    for mat, dense in forms(DENSE, n_batch, n_dense):
        for other_batch, other_dense in LAYOUTS:
            found = sparse.bcoo_update_layout(mat, n_batch=other_batch, n_dense=other_dense, on_inefficient=None)
            assert (found.n_batch, found.n_dense) == (other_batch, other_dense)
            same(found, dense, other_batch, other_dense)
        if mat.n_sparse == 2:
            rows = BCSR.from_bcoo(mat)
            same(rows, dense)
            same(rows.sum_duplicates(), dense)
            order = [*range(n_batch), n_batch + 1, n_batch, *range(n_batch + 2, 3)]
            same(rows.transpose(order), dense.transpose(order))
        same(mat.sum_duplicates(nse=mat.nse), dense)
        same(mat.sort_indices(), dense)


def test_places_at_most_once_and_in_order() -> None:
    mat = BCOO((jnp.array([1.0, 2.0, 4.0, 8.0]), jnp.array([[0, 1], [0, 0], [0, 1], [5, 5]])), shape=(2, 2))
    found = mat.sum_duplicates()
    assert found.nse == 2 and found.indices.tolist() == [[0, 0], [0, 1]] and found.data.tolist() == [2, 5]
    assert found.unique_indices and found.indices_sorted
    assert mat.sum_duplicates(nse=1).indices.tolist() == [[0, 0]]
    zero = BCOO((jnp.array([0.0, 3.0]), jnp.array([[0], [1]])), shape=(2,))
    assert zero.sum_duplicates().nse == 1 and sparse.bcoo_sum_duplicates(zero).nse == 2
    with pytest.raises(ConcretizationError, match="nse is None"):
        olympus.jit(sparse.bcoo_sum_duplicates)(mat)
    assert olympus.jit(lambda m: sparse.bcoo_sum_duplicates(m, nse=3))(mat).nse == 3


def test_elements_of_a_dense_array() -> None:
    mat = BCOO((jnp.zeros(3), jnp.array([[0, 1], [0, 1], [1, 5]])), shape=(2, 2))
    dense = np.arange(4.0, dtype=np.float32).reshape(2, 2)
    same(sparse.bcoo_extract(mat, dense), np.array([[0, 1], [0, 0]], np.float32))
    assert sparse.bcoo_extract(mat, dense, assume_unique=True).data.tolist() == [1, 1, 0]
    assert sparse.bcsr_extract(jnp.array([1, 0]), jnp.array([0, 1, 2]), dense).tolist() == [1, 2]
    with pytest.raises(ArgumentError, match="shapes differ"):
        sparse.bcoo_extract(mat, dense[0])


@pytest.mark.parametrize("dtype", ["bool", "int32", "uint8", "float16", "bfloat16", "float32", "complex64"])
def test_every_type(dtype: str) -> None:
    dense = few((3, 4), dtype=jnp.dtype(dtype))
    for form in (BCOO, BCSR, sparse.COO, sparse.CSR, sparse.CSC):
        mat = form.fromdense(dense)
        assert mat.dtype == dense.dtype and np.array_equal(np.asarray(mat.todense()), dense)
        assert np.array_equal(np.asarray(mat.T.todense()), dense.T)
        again = olympus.tree.map(lambda x: x, mat)
        assert type(again) is form and again.shape == mat.shape and np.array_equal(again.todense(), dense)


def test_made_of_nothing() -> None:
    for rows, columns, k in [(3, 4, 1), (3, None, 0), (4, 2, -1), (2, 2, 5), (0, 3, 0)]:
        for form in ("bcoo", "bcsr", "coo", "csr", "csc"):
            same(sparse.eye(rows, columns, k, sparse_format=form), np.eye(rows, columns, k, dtype=np.float32))
    for n_batch, n_dense in [(0, 1), (1, 0), (1, 1), (2, 0), (0, 2)]:
        found = sparse.eye(3, n_batch=n_batch, n_dense=n_dense)
        same(found, np.eye(3, dtype=np.float32))
        assert isinstance(found, BCOO) and (found.n_batch, found.n_dense) == (n_batch, n_dense)
        assert not n_batch or found.nse == 1
    same(sparse.empty((2, 3), "int8", nse=4), np.zeros((2, 3), np.int8))
    same(sparse.empty((2, 3), sparse_format="csr"), np.zeros((2, 3), np.float32))
    with pytest.raises(ArgumentError, match="format is not known"):
        sparse.empty((2, 3), sparse_format="ell")
    with pytest.raises(ArgumentError, match="of matrices"):
        sparse.eye(3, n_batch=1, sparse_format="coo")


def test_random_places() -> None:
    key = olympus.random.key(0)
    mat = sparse.random_bcoo(key, (3, 8, 9), nse=0.25, n_batch=1, sorted_indices=True)
    assert mat.nse == 18 and mat.shape == (3, 8, 9)
    for places in np.asarray(mat.indices):
        assert len(np.unique(places, axis=0)) == 18 and places.tolist() == sorted(places.tolist())
    again = sparse.random_bcoo(key, (8,), nse=20, unique_indices=False, dtype="bfloat16", indices_dtype="int8",
                               generator=olympus.random.normal)
    assert again.nse == 20 and again.dtype == "bfloat16" and again.indices.dtype == "int8"
    assert sparse.random_bcoo(key, (4, 3), nse=2, n_dense=1).data.shape == (2, 3)
    with pytest.raises(ArgumentError, match="as many different places"):
        sparse.random_bcoo(key, (8,), nse=20)


def test_from_and_to_scipy() -> None:
    matrices = pytest.importorskip("scipy.sparse")
    mat = matrices.random(30, 20, 0.1, random_state=0, format="csr")
    for form in (BCOO, BCSR):
        found = np.asarray(form.from_scipy_sparse(mat).todense())
        np.testing.assert_array_equal(found, mat.toarray().astype(np.float32))


@pytest.mark.parametrize(("act", "problem"), [
    (lambda: BCOO((jnp.ones(3), jnp.ones((2, 1), int)), shape=(4,)), "sizes of elements"),
    (lambda: BCOO((jnp.ones(3), jnp.ones((3, 2), int)), shape=(4,)), "do not fit together"),
    (lambda: BCOO((jnp.ones(3), jnp.ones((3, 1))), shape=(4,)), "not integers"),
    (lambda: BCSR((jnp.ones(3), jnp.ones(3, int), jnp.ones(3, int)), shape=(4, 4)), "do not fit together"),
    (lambda: sparse.CSR((jnp.ones(3), jnp.ones((3, 1), int), jnp.ones(3, int)), shape=(4, 4)), "not those of a matrix"),
    (lambda: BCOO.fromdense(jnp.ones(2), n_batch=2), "as many dimensions"),
    (lambda: BCSR.from_bcoo(BCOO.fromdense(jnp.ones(2))), "two sparse dimensions"),
    (lambda: bool(BCOO.fromdense(jnp.ones(2))), "truth"),
    (lambda: sparse.bcoo_update_layout(BCOO.fromdense(jnp.ones(2)), n_batch=2), "as many dimensions"),
    (lambda: sparse.coo_fromdense(jnp.ones(2)), "no matrix"),
])
def test_bad_arguments(act: Any, problem: str) -> None:
    with pytest.raises(ArgumentError, match=problem):
        act()


def test_layouts_that_store_many_zeros() -> None:
    mat = BCOO.fromdense(jnp.eye(8))
    with pytest.raises(sparse.SparseEfficiencyError, match="on_inefficient"):
        mat.update_layout(n_batch=1)
    with pytest.warns(sparse.SparseEfficiencyWarning, match="n_dense=1"):
        assert mat.update_layout(n_dense=1, on_inefficient="warn").data.shape == (8, 8)
    with pytest.raises(ConcretizationError, match="nse is None"):
        olympus.jit(BCOO.fromdense)(jnp.ones(2))


@pytest.mark.parametrize("kind", [BCOO, BCSR])
def test_vmap_takes_one_index_of_a_batch_dimension(kind: Any) -> None:
    numbers = np.arange(24, dtype=np.float32).reshape(4, 2, 3)
    dense = np.where(numbers % 2, numbers, 0)
    batched = kind.fromdense(dense, n_batch=1)
    shapes: list[Any] = []
    found = olympus.vmap(lambda m: shapes.append((m.shape, m.n_batch)) or m.todense())(batched)
    assert shapes == [((2, 3), 0)]
    np.testing.assert_array_equal(np.asarray(found), dense)
    np.testing.assert_array_equal(np.asarray(olympus.vmap(lambda m: m @ jnp.ones(3))(batched)), dense.sum(2))
    same = olympus.jit(olympus.vmap(lambda m: {"m": m}))(batched)["m"]
    assert same.shape == (4, 2, 3) and same.n_batch == 1
    np.testing.assert_array_equal(np.asarray(same.todense()), dense)
    made = olympus.vmap(olympus.vmap(lambda x: kind.fromdense(x, nse=4)))(jnp.stack([dense, dense]))
    assert made.shape == (2, 4, 2, 3) and made.n_batch == 2
    np.testing.assert_array_equal(np.asarray(made.todense()[1]), dense)
    held = olympus.vmap(lambda x, m: x * m.todense().sum(), in_axes=(0, None))(jnp.arange(2.0), batched)
    np.testing.assert_array_equal(np.asarray(held), [0, dense.sum()])
    for axes in ({"in_axes": 1}, {"out_axes": 1}):
        with pytest.raises(ArgumentError, match="no batch dimension"):
            olympus.vmap(lambda m: m, **axes)(batched)


def test_vmap_repeats_parts_that_stand_for_all_indices() -> None:
    places = jnp.array([[[0, 1], [1, 0]]])
    batched = BCOO((jnp.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), places), shape=(3, 2, 2))
    found = olympus.vmap(lambda m: m.todense())(batched)
    np.testing.assert_array_equal(np.asarray(found), np.asarray(batched.todense()))
    assert found[2].tolist() == [[0, 5], [6, 0]]
