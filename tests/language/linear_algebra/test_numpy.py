# SPDX-License-Identifier: Apache-2.0
"""olympus.numpy.linalg beside NumPy: values, shapes, empty and singular matrices, derivatives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus.errors import ArgumentError, MissingDerivativeError, NotSupportedError
from olympus.test_util import check_grads

from .checks import definite, drawn, same

TYPES = [float, complex]
BATCHES = [(), (2,), (2, 3)]


@pytest.mark.parametrize("batch", BATCHES, ids=str)
@pytest.mark.parametrize("dtype", TYPES)
def test_values(dtype: Any, batch: tuple[int, ...]) -> None:
    a, b = drawn(*batch, 4, 4, dtype=dtype), drawn(*batch, 4, 2, dtype=dtype)
    s = definite(a)
    same(jnp.linalg.cholesky(s), np.linalg.cholesky(s))
    same(jnp.linalg.cholesky(s, upper=True), np.conj(np.swapaxes(np.linalg.cholesky(s), -1, -2)))
    same(jnp.linalg.eigh(s)[0], np.linalg.eigh(s)[0])
    for side in "LU":
        same(jnp.linalg.eigvalsh(a, side, symmetrize_input=False), np.linalg.eigvalsh(a, side))
    w, v = jnp.linalg.eig(a)
    same(a @ np.asarray(v), np.asarray(v) * np.asarray(w)[..., None, :])
    same(np.sort_complex(jnp.linalg.eigvals(a)), np.sort_complex(np.linalg.eigvals(a)))
    h = s - 3 * np.eye(4)
    u, values, vh = jnp.linalg.svd(h, hermitian=True)
    same((u * values[..., None, :]) @ vh, h)
    same(jnp.linalg.svd(h, hermitian=True, compute_uv=False), np.linalg.svd(h, compute_uv=False))
    same(jnp.linalg.solve(a, b), np.linalg.solve(a, b))
    same(jnp.linalg.inv(a), np.linalg.inv(a))
    for size in (1, 2, 4):
        same(jnp.linalg.det(a[..., :size, :size]), np.linalg.det(a[..., :size, :size]))
    for method in ("lu", "qr"):
        same(tuple(jnp.linalg.slogdet(a, method=method)), tuple(np.linalg.slogdet(a)))
    same(jnp.linalg.matrix_power(a, -3), np.linalg.matrix_power(a, -3))
    for p in (1, -1, np.inf, -np.inf, "fro"):
        same(jnp.linalg.cond(a, p), np.linalg.cond(a, p))


@pytest.mark.parametrize("shape", [(4, 4), (5, 3), (2, 3, 5)], ids=str)
@pytest.mark.parametrize("dtype", TYPES)
def test_values_of_any_shape(dtype: Any, shape: tuple[int, ...]) -> None:
    x = drawn(*shape, dtype=dtype)
    k = min(shape[-2:])
    for mode in ("reduced", "complete"):
        same(tuple(jnp.linalg.qr(x, mode)), tuple(np.linalg.qr(x, mode)))
    same(tuple(jnp.linalg.qr(x, "full")), tuple(np.linalg.qr(x)))
    same(jnp.linalg.qr(x, "r"), np.linalg.qr(x, "r"))
    same(tuple(jnp.linalg.qr(x, "raw")), tuple(np.linalg.qr(x, "raw")))
    for full in (True, False):
        u, s, vh = jnp.linalg.svd(x, full)
        u2, s2, vh2 = np.linalg.svd(x, full)
        same(s, s2)
        assert u.shape == u2.shape and vh.shape == vh2.shape
        same((u[..., :k] * s[..., None, :]) @ vh[..., :k, :], x)
        same(np.conj(np.swapaxes(u, -1, -2)) @ np.asarray(u), np.broadcast_to(np.eye(u.shape[-1]), u2.shape[:-2] + (
            u.shape[-1],) * 2))
    same(jnp.linalg.pinv(x), np.linalg.pinv(x))
    assert jnp.linalg.matrix_rank(x).tolist() == np.linalg.matrix_rank(x).tolist()
    tol = np.full(x.shape[:-2], np.linalg.svd(x, compute_uv=False).mean())  # not relative to the greatest
    assert jnp.linalg.matrix_rank(x, tol=tol).tolist() == np.linalg.matrix_rank(x, tol=tol).tolist()
    for p in (None, 2, -2):
        same(jnp.linalg.cond(x, p), np.linalg.cond(x, p))
    for order in (None, "fro", "nuc", 2, -2, 1, -1, np.inf, -np.inf):
        for keepdims in (True, False):
            same(jnp.linalg.norm(x, order, (-2, -1), keepdims), np.linalg.norm(x, order, (-2, -1), keepdims))
    same(jnp.linalg.norm(x, "nuc", (-1, 0)), np.linalg.norm(x, "nuc", (-1, 0)))


def test_right_hand_sides() -> None:
    a = drawn(5, 2, 2)
    same(jnp.linalg.solve(a, np.ones(2)), np.linalg.solve(a, np.ones((5, 2, 1)))[..., 0])
    same(jnp.linalg.solve(a, np.ones((2, 2))), np.linalg.solve(a, np.ones((5, 2, 2))))
    same(jnp.linalg.solve(a[0], np.ones((3, 2, 2))), np.linalg.solve(a[0], np.ones((3, 2, 2))))
    for b in (np.ones(3), np.ones((5, 3)), np.float64(1)):
        with pytest.raises(ArgumentError):
            jnp.linalg.solve(a, b)


@pytest.mark.parametrize("a", [drawn(5, 3), drawn(3, 5), np.ones((4, 2)), np.zeros((3, 2))], ids=str)
def test_least_squares(a: np.ndarray) -> None:
    for b in (drawn(len(a)), drawn(len(a), 2)):
        x, residuals, rank, s = jnp.linalg.lstsq(a, b, numpy_resid=True)
        wanted = np.linalg.lstsq(a, b, rcond=None)
        same(x, wanted[0])
        same(residuals, wanted[1])
        assert int(rank) == wanted[2]
        same(s, wanted[3])
        assert jnp.linalg.lstsq(a, b)[1].shape == (b.shape[1] if b.ndim == 2 else 1,)


def test_products_of_the_standard() -> None:
    a, b = drawn(3, 4), drawn(3, 4)
    same(jnp.linalg.cross(a, b, axis=0), np.linalg.cross(a, b, axis=0))
    same(jnp.linalg.cross(a.T, b.T), np.linalg.cross(a.T, b.T))
    same(jnp.linalg.outer(a[0], b[:, 0]), np.linalg.outer(a[0], b[:, 0]))
    same(jnp.linalg.matmul(a, b.T), a @ b.T)
    same(jnp.linalg.tensordot(a, b, axes=2), np.tensordot(a, b, 2))
    for call in (lambda: jnp.linalg.tensordot(a, b, 2), lambda: jnp.linalg.outer(a=a[0], b=b[0]),
                 lambda: jnp.linalg.cross(a, b, 0), lambda: jnp.linalg.matmul(x1=a, x2=b.T)):
        with pytest.raises(TypeError):
            call()


def test_tensors() -> None:
    t = drawn(2, 3, 6)
    same(jnp.linalg.tensorinv(t), np.linalg.tensorinv(t))
    assert jnp.linalg.tensorinv(np.zeros((0, 0)), 1).shape == (0, 0)
    same(jnp.linalg.tensorsolve(t, np.ones((2, 3))), np.linalg.tensorsolve(t, np.ones((2, 3))))
    moved = drawn(2, 6, 3)
    same(jnp.linalg.tensorsolve(moved, np.ones((2, 3)), (1,)), np.linalg.tensorsolve(moved, np.ones((2, 3)), (1,)))


@pytest.mark.parametrize("shape", [(0, 0), (3, 0, 0), (0, 2, 2)], ids=str)
def test_empty(shape: tuple[int, ...]) -> None:
    x = np.zeros(shape)
    for name in ("det", "slogdet", "inv", "eigh", "svd", "qr", "cholesky", "pinv"):
        found, wanted = getattr(jnp.linalg, name)(x), getattr(np.linalg, name)(x)
        same(tuple(found) if isinstance(found, tuple) else found, tuple(wanted) if isinstance(found, tuple) else wanted)


def test_singular_and_nan() -> None:
    zero = np.zeros((3, 3))
    assert jnp.linalg.det(zero) == 0 and not np.isfinite(jnp.linalg.inv(zero)).any()
    sign, logarithm = jnp.linalg.slogdet(zero)
    assert sign == 0 and logarithm == -np.inf
    assert np.isnan(jnp.linalg.cholesky(-np.eye(2))).all()
    assert jnp.linalg.cond(np.diag([1.0, 0.0])) == np.inf
    bad = np.full((2, 2), np.nan)
    for name in ("cholesky", "det", "inv", "eigvalsh", "svdvals", "pinv"):
        assert np.isnan(getattr(jnp.linalg, name)(bad)).all(), name
    assert np.isnan(jnp.linalg.eigvals(bad)).all()


def test_element_types() -> None:
    whole = np.array([[2, 0], [0, 4]])
    with olympus.enable_x64(False):
        assert jnp.linalg.inv(whole).dtype == np.float32
        assert jnp.linalg.eigvals(whole).dtype == np.complex64
        assert jnp.linalg.svdvals(whole.astype(np.complex64)).dtype == np.float32
        x = drawn(40, 40).astype(np.float32)
        same(jnp.linalg.solve(x, np.ones(40, np.float32)), np.linalg.solve(x.astype(float), np.ones(40)), 1e-3)
    with pytest.raises(TypeError):
        jnp.linalg.cholesky(np.eye(2, dtype=np.float16))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_half_precision_where_float32_serves(dtype: str) -> None:
    x = np.array([[4.0, 1, 1], [1, -3, 0.5], [0, 1, 2]])
    half = jnp.asarray(x, dtype)
    for size, method in ((1, None), (2, None), (3, None), (3, "qr")):
        found = jnp.linalg.slogdet(half[:size, :size], method=method)
        same(tuple(np.asarray(part, float) for part in found), tuple(np.linalg.slogdet(x[:size, :size])), 1e-2)
        assert found.sign.dtype == found.logabsdet.dtype == dtype
    gradient = olympus.grad(lambda x: jnp.linalg.slogdet(x).logabsdet)(half)
    assert gradient.dtype == dtype
    same(np.asarray(gradient, float), np.linalg.inv(x).T, 1e-2)
    for lower in (True, False):
        found = olympus.lax.linalg.triangular_solve(half, half[:, :2], left_side=True, lower=lower)
        assert found.dtype == dtype
        same(np.asarray(found, float), np.linalg.solve(np.tril(x) if lower else np.triu(x), x[:, :2]), 1e-2)


@pytest.mark.parametrize("dtype", TYPES)
def test_derivatives(dtype: Any) -> None:
    a, r, w = drawn(2, 3, 3, dtype=dtype), drawn(4, 3, dtype=dtype), drawn(3, 4, dtype=dtype)
    s = definite(a)
    for function, args in (
        (jnp.linalg.solve, (a, drawn(2, 3, 1, dtype=dtype))), (jnp.linalg.inv, (a,)), (jnp.linalg.det, (a,)),
        (jnp.linalg.slogdet, (a,)), (lambda x: jnp.linalg.slogdet(x, method="qr"), (a,)), (jnp.linalg.pinv, (r,)),
        (jnp.linalg.pinv, (w,)), (lambda x: jnp.linalg.norm(x, "nuc", (-2, -1)), (r,)),
        (lambda x: jnp.linalg.norm(x, 2, (-2, -1)), (w,)), (lambda x: jnp.linalg.cholesky(x, upper=True), (s,)),
        (jnp.linalg.eigvalsh, (s,)), (lambda x: jnp.linalg.qr(x), (r,)),
    ):
        check_grads(function, args, 2)
    check_grads(olympus.jit(olympus.vmap(jnp.linalg.solve, (0, None))), (a, drawn(3, 1, dtype=dtype)), 1)
    check_grads(lambda a, b: jnp.linalg.lstsq(a, b)[:2], (r, drawn(4, dtype=dtype)), 1)


@pytest.mark.parametrize("matrix", [
    [[1.0, 2, 3], [2, 4, 6], [1, 0, 1]], np.zeros((3, 3)), [[0.0, 1, 0], [0, 0, 1], [0, 0, 0]], np.ones((3, 3)),
    np.diag([1.0, 2, 0, 3])], ids=str)
def test_derivative_of_singular_determinants(matrix: Any) -> None:
    x = np.asarray(matrix)
    check_grads(jnp.linalg.det, (x,), 1, atol=1e-4)
    check_grads(jnp.linalg.det, (np.stack([x, x + np.eye(len(x))]),), 1, atol=1e-4)


def test_eigenvalues_that_are_equal_have_finite_derivatives() -> None:
    gradient = olympus.grad(lambda x: jnp.linalg.eigvalsh(x).sum())(np.eye(3))
    np.testing.assert_allclose(gradient, np.eye(3), atol=1e-12)
    assert np.isfinite(olympus.grad(lambda x: jnp.linalg.svdvals(x).sum())(np.eye(3))).all()


@pytest.mark.parametrize("shape", [(4, 2), (3, 1), (2, 5, 3), (3, 0)], ids=str)
@pytest.mark.parametrize("dtype", TYPES)
def test_derivative_of_complete_qr(dtype: Any, shape: tuple[int, ...]) -> None:
    x = drawn(*shape, dtype=dtype)
    check_grads(lambda x: jnp.linalg.qr(x, "complete"), (x,), 2 if x.ndim == 2 else 1)
    t = drawn(*shape, dtype=dtype)
    for mode in ("complete", "reduced"):  # the triangle's is the same
        _, (_, change) = olympus.jvp(lambda x, mode=mode: tuple(jnp.linalg.qr(x, mode)), (x,), (t,))
        same(change[..., :shape[-1], :], olympus.jvp(lambda x: jnp.linalg.qr(x)[1], (x,), (t,))[1])

    def change_of_q(x: Any, t: Any) -> Any:
        return olympus.jvp(lambda x: jnp.linalg.qr(x, "complete")[0], (x,), (t,))[1]

    same(olympus.vmap(change_of_q)(np.stack([x, 2 * x]), np.stack([t, t]))[1], change_of_q(2 * x, t))


def test_derivatives_that_are_not_there() -> None:
    with pytest.raises(NotSupportedError, match="full_matrices"):
        olympus.grad(lambda x: jnp.linalg.svd(x)[0].sum())(drawn(3, 2))
    with pytest.raises(MissingDerivativeError, match="geqrf"):
        olympus.grad(lambda x: jnp.linalg.qr(x, "raw")[0].sum())(drawn(3, 2))


def test_split_over_a_batch_dimension_without_communication() -> None:
    mesh = olympus.make_mesh((8,), ("i",))
    x = olympus.device_put(definite(drawn(8, 3, 3)), olympus.NamedSharding(mesh, olympus.P("i")))
    b = olympus.device_put(drawn(8, 3, 2), olympus.NamedSharding(mesh, olympus.P("i")))

    def f(x: Any, b: Any) -> Any:
        return jnp.linalg.solve(x, b), jnp.linalg.cholesky(x), jnp.linalg.eigvalsh(x)

    found = olympus.jit(f)(x, b)
    assert "all_" not in str(olympus.explain(f, x, b))
    same(found[0], np.linalg.solve(np.asarray(x), np.asarray(b)))
    same(found[1], np.linalg.cholesky(np.asarray(x)))
    rows = olympus.device_put(definite(drawn(8, 8)), olympus.NamedSharding(mesh, olympus.P("i")))
    same(jnp.linalg.cholesky(rows), np.linalg.cholesky(np.asarray(rows)))


def test_refused() -> None:
    square = np.eye(2)
    for call in (
        lambda: jnp.linalg.inv(np.ones((2, 3))), lambda: jnp.linalg.cholesky(np.ones(3)),
        lambda: jnp.linalg.qr(square, "other"), lambda: jnp.linalg.eigh(square, "X"),
        lambda: jnp.linalg.slogdet(square, method="x"), lambda: jnp.linalg.norm(square, "other"),
        lambda: jnp.linalg.pinv(square, 1e-3, rcond=1e-3), lambda: jnp.linalg.matrix_rank(square, 1e-3, tol=1e-3),
        lambda: jnp.linalg.cond(np.zeros((0, 0))), lambda: jnp.linalg.tensorinv(np.ones((2, 3)), 1),
        lambda: jnp.linalg.tensorsolve(np.ones((2, 3)), np.ones(2)), lambda: jnp.linalg.lstsq(square, np.ones(3)),
        lambda: jnp.linalg.svd(square, subset_by_index=(0, 5)), lambda: jnp.linalg.norm(np.ones(3), "fro"),
        lambda: jnp.linalg.norm(square, "fro", 0), lambda: jnp.linalg.vector_norm(square, ord="fro"),
        lambda: jnp.linalg.norm(np.zeros((2, 0)), -2), lambda: jnp.linalg.cross(np.ones(2), np.ones(2)),
        lambda: jnp.linalg.cross(np.ones((3, 2)), np.ones((3, 2))), lambda: jnp.linalg.outer(square, np.ones(2)),
        lambda: jnp.linalg.outer(2.0, np.ones(2)),
    ):
        with pytest.raises(ArgumentError):
            call()


def test_norms_of_nothing_are_zero() -> None:
    assert jnp.linalg.norm(np.zeros(0), np.inf) == 0
    assert jnp.linalg.norm(np.zeros((3, 0)), 1) == jnp.linalg.norm(np.zeros((0, 3)), np.inf) == 0
    np.testing.assert_array_equal(jnp.linalg.vector_norm(np.zeros((0, 3)), ord=np.inf, axis=0), np.zeros(3))
    np.testing.assert_array_equal(jnp.linalg.matrix_norm(np.zeros((2, 0, 0)), ord=1), np.zeros(2))
