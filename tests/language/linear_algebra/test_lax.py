# SPDX-License-Identifier: Apache-2.0
"""olympus.lax.linalg: flags, pivoting, updates of factors, the polar iteration, derivatives of the operations."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
import scipy.linalg

import olympus
from olympus.errors import ArgumentError, NotSupportedError
from olympus.lax import linalg
from olympus.test_util import check_grads

from .checks import definite, drawn, same

TYPES = [float, complex]


@pytest.mark.parametrize("dtype", TYPES)
def test_triangular_solve(dtype: Any) -> None:
    a = definite(drawn(3, 3, dtype=dtype)) + drawn(3, 3, dtype=dtype)
    for left, lower, transpose, conjugate, unit in itertools.product([True, False], repeat=5):
        b = drawn(3, 2, dtype=dtype) if left else drawn(2, 3, dtype=dtype)
        flags = {"left_side": left, "lower": lower, "transpose_a": transpose, "conjugate_a": conjugate,
                 "unit_diagonal": unit}
        matrix = np.tril(a) if lower else np.triu(a)
        matrix = matrix - np.diag(np.diag(matrix)) + np.eye(3) if unit else matrix
        matrix = matrix.T if transpose else matrix
        matrix = matrix.conj() if conjugate else matrix
        x = np.asarray(linalg.triangular_solve(a, b, **flags))
        same(matrix @ x if left else x @ matrix, b)
        one = np.asarray(linalg.triangular_solve(a, b[:, 0] if left else b[0], **flags))
        same(one, x[:, 0] if left else x[0])
    check_grads(lambda a, b: linalg.triangular_solve(a, b, transpose_a=True, conjugate_a=True), (a, b), 2)


@pytest.mark.parametrize("shape", [(4, 4), (5, 3), (2, 3, 5)], ids=str)
@pytest.mark.parametrize("dtype", TYPES)
def test_qr_with_exchanges(dtype: Any, shape: tuple[int, ...]) -> None:
    x = drawn(*shape, dtype=dtype)
    for full in (True, False):
        q, r, p = map(np.asarray, linalg.qr(x, pivoting=True, full_matrices=full))
        same(q @ r, np.take_along_axis(x, p[..., None, :], -1))
        sizes = np.abs(np.diagonal(r, axis1=-2, axis2=-1))
        assert (np.diff(sizes) <= 1e-12).all()
    check_grads(lambda x: linalg.qr(x, pivoting=True, full_matrices=False)[:2], (x,), 1)


def test_exchanges_as_an_order() -> None:
    x = drawn(2, 5, 4)
    _, pivots, order = linalg.lu(x)
    assert linalg.lu_pivots_to_permutation(pivots, 5).tolist() == order.tolist()
    found = olympus.vmap(lambda p: linalg.lu_pivots_to_permutation(p, 5))(pivots)
    assert found.tolist() == order.tolist()


def test_reflections() -> None:
    x = drawn(5, 3)
    packed, taus = np.linalg.qr(x, "raw")
    q, _ = scipy.linalg.qr(x)
    same(linalg.householder_product(packed.T, taus), q[:, :3])
    c = drawn(5, 2)
    same(linalg.ormqr(packed.T, taus, c), q @ c)
    same(linalg.ormqr(packed.T, taus, c, transpose=True), q.T @ c)
    same(linalg.ormqr(packed.T, taus, c.T, left=False), c.T @ q)
    same(linalg.ormqr(packed.T, taus, c.T, left=False, transpose=True), c.T @ q.T)


@pytest.mark.parametrize("dtype", TYPES)
def test_eigenvectors(dtype: Any) -> None:
    x = drawn(2, 4, 4, dtype=dtype)
    w, left, right = map(np.asarray, linalg.eig(x))
    same(x @ right, right * w[..., None, :])
    same(np.conj(np.swapaxes(left, -1, -2)) @ x, w[..., :, None] * np.conj(np.swapaxes(left, -1, -2)))
    assert len(linalg.eig(x, compute_left_eigenvectors=False, compute_right_eigenvectors=False)) == 1
    check_grads(lambda x: linalg.eig(x), (x,), 1)
    s = definite(x)
    vectors, values = linalg.eigh(s, subset_by_index=(1, 3))
    same(s @ np.asarray(vectors), np.asarray(vectors) * np.asarray(values)[..., None, :])
    u, sizes, vh = linalg.svd(x, full_matrices=False, subset_by_index=(0, 2))
    same(sizes, np.linalg.svd(x, compute_uv=False)[..., :2])
    assert u.shape == (2, 4, 2) and vh.shape == (2, 2, 4)


@pytest.mark.parametrize("shape", [(0, 0), (2, 0, 0), (0, 2, 2)])
def test_derivatives_of_eigenvectors_of_nothing(shape: tuple[int, ...]) -> None:
    x = np.zeros(shape)
    results, tangents = olympus.jvp(linalg.eig, (x,), (x,))
    assert [t.shape for t in tangents] == [r.shape for r in results] == [shape[:-1], shape, shape]


def test_tridiagonal() -> None:
    x = definite(drawn(2, 5, 5))
    for lower in (True, False):
        _, d, e, _ = linalg.tridiagonal(x, lower=lower)
        for i in range(2):
            same(scipy.linalg.eigh_tridiagonal(d[i], e[i])[0], np.linalg.eigvalsh(x[i]))
    below, middle, above, b = drawn(2, 5), drawn(2, 5) + 4, drawn(2, 5), drawn(2, 5, 3)
    found = linalg.tridiagonal_solve(below, middle, above, b)
    matrix = np.stack([np.diag(below[i, 1:], -1) + np.diag(middle[i]) + np.diag(above[i, :-1], 1) for i in range(2)])
    same(found, np.linalg.solve(matrix, b))
    check_grads(linalg.tridiagonal_solve, (below, middle, above, b), 2)


@pytest.mark.parametrize("dtype", TYPES)
def test_tridiagonal_equations_with_pivots_off_zero(dtype: Any) -> None:
    below, middle, above, b = (drawn(2, 3, 6, *more, dtype=dtype) for more in ((), (), (), (2,)))
    found = linalg.tridiagonal_solve(below, middle, above, b, perturb_singular=True)
    same(found, linalg.tridiagonal_solve(below, middle, above, b), 1e-8)
    ends = below[0, 0].copy(), above[0, 0].copy()
    ends[0][0] = ends[1][-1] = np.nan  # elements that are not used
    same(linalg.tridiagonal_solve(ends[0], middle[0, 0], ends[1], b[0, 0], perturb_singular=True), found[0, 0])
    check_grads(lambda *args: linalg.tridiagonal_solve(*args, perturb_singular=True),
                tuple(x[0, 0, :4] for x in (below, middle + 3, above, b)), 2)
    # A vector that a singular matrix makes zero, by inverse iteration.
    ones = np.ones(5, dtype)
    middle = np.array([1.0, 2, 2, 2, 1], dtype)
    vector = np.asarray(linalg.tridiagonal_solve(-ones, middle, -ones, drawn(5, 1, dtype=dtype), perturb_singular=True))
    assert np.abs(vector).max() > 1e12
    same(vector / vector[0], np.ones((5, 1)))
    nothing = np.zeros(2, dtype)
    assert np.isfinite(linalg.tridiagonal_solve(nothing, nothing, nothing, np.ones((2, 1), dtype),
                                                perturb_singular=True)).all()
    for n, k in ((1, 1), (0, 2), (3, 0)):
        few = [np.ones(n, dtype)] * 3
        same(linalg.tridiagonal_solve(*few, np.ones((n, k), dtype), perturb_singular=True),
             linalg.tridiagonal_solve(*few, np.ones((n, k), dtype)) if n < 3 else np.ones((n, k)))


def test_updates_and_products() -> None:
    r, w = np.triu(drawn(4, 4)) + 3 * np.eye(4), drawn(4)
    updated = np.asarray(linalg.cholesky_update(r, w))
    same(updated.T @ updated, r.T @ r + np.outer(w, w))
    assert not np.tril(updated, -1).any()
    check_grads(linalg.cholesky_update, (r, w), 2)
    for start in (np.zeros((3, 3)), np.diag([0.0, 0, 2])):  # nothing to turn in some rows
        updated = np.asarray(linalg.cholesky_update(start, w[:3]))
        same(updated.T @ updated, start.T @ start + np.outer(w[:3], w[:3]))
    same(linalg.cholesky_update(np.zeros((2, 2)), np.zeros(2)), np.zeros((2, 2)))
    a, c = drawn(2, 3, 4), definite(drawn(2, 3, 3))
    same(linalg.symmetric_product(a, c, alpha=2.0, beta=0.5, symmetrize_output=True),
         2 * a @ np.swapaxes(a, -1, -2) + 0.5 * c)


@pytest.mark.parametrize("x", [drawn(4, 4), drawn(5, 3, dtype=complex), np.diag([1.0, 1e-8])], ids=str)
def test_polar_iteration(x: np.ndarray) -> None:
    u, h, steps, converged = linalg.qdwh(x)
    wanted = scipy.linalg.polar(x)
    same(u, wanted[0], 1e-7)
    same(h, wanted[1], 1e-9)
    assert converged and 1 <= steps <= 8
    assert linalg.qdwh(x, max_iterations=1)[2] == 1
    padded = np.pad(x, 1)[1:, 1:]
    same(linalg.qdwh(padded + np.pad(np.zeros(x.shape), 1, constant_values=7)[1:, 1:], dynamic_shape=x.shape)[1][
        :x.shape[1], :x.shape[1]], wanted[1], 1e-9)


def test_mapped_and_jitted() -> None:
    x = drawn(3, 4, 4)
    for function in (linalg.lu, lambda x: linalg.svd(x, compute_uv=False), lambda x: linalg.qr(x, pivoting=True)):
        same(olympus.jit(olympus.vmap(function))(x), function(x))


@pytest.mark.parametrize("x", [np.array([[100, 2], [1, 100]], np.int8), np.array([[5, 2], [1, 7]]), np.eye(2) > 0],
                         ids=lambda x: x.dtype.name)
def test_integers_are_halved_as_floats_where_a_matrix_is_made_symmetric(x: np.ndarray) -> None:
    whole = (x.astype(float) + x.T) / 2
    same(linalg.cholesky(x), np.linalg.cholesky(whole))
    same(linalg.eigh(x)[1], np.linalg.eigvalsh(whole))
    with pytest.raises(TypeError):
        linalg.cholesky(x, symmetrize_input=False)


def test_exchanges_that_are_split_over_explicit_axes() -> None:
    mesh = olympus.make_mesh((8,), ("i",), axis_types=(olympus.sharding.AxisType.Explicit,))
    x = drawn(8, 4, 4)
    with olympus.set_mesh(mesh):
        split = olympus.device_put(x, olympus.NamedSharding(mesh, olympus.P("i")))
        order = olympus.jit(lambda x: linalg.lu_pivots_to_permutation(linalg.lu(x)[1], 4))(split)
        assert order.sharding.spec[0] == "i"
    same(order, linalg.lu(x)[2])
    assert linalg.lu_pivots_to_permutation(np.zeros((2, 0), np.int32), 2).tolist() == [[0, 1], [0, 1]]


def test_refused() -> None:
    square = np.eye(2)
    for call in (
        lambda: linalg.lu(np.ones(3)), lambda: linalg.eigh(square, subset_by_index=(1, 5)),
        lambda: linalg.svd(square, subset_by_index=(0, 1)), lambda: linalg.qdwh(np.ones((2, 3))),
        lambda: linalg.cholesky_update(square, np.ones(3)), lambda: linalg.symmetric_product(square, np.ones((3, 3))),
        lambda: linalg.lu_pivots_to_permutation(np.array([0, 1, 2]), 2),
    ):
        with pytest.raises(ArgumentError):
            call()
    with pytest.raises(NotSupportedError, match="sorted"):
        linalg.schur(square, sort_eig_vals=True)


def test_several_results_are_lists_where_jax_has_lists() -> None:
    square = np.array([[2.0, 1.0], [1.0, 3.0]], np.float32)
    for function in (linalg.eig, linalg.hessenberg, linalg.lu, linalg.schur, linalg.tridiagonal):
        assert type(function(square)) is list, function.__name__
    for function in (linalg.eigh, linalg.qr, linalg.svd):
        assert type(function(square)) is tuple, function.__name__
