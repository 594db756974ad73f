# SPDX-License-Identifier: Apache-2.0
"""olympus.scipy.linalg beside SciPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.linalg

import olympus
import olympus.numpy as jnp
from olympus.errors import ArgumentError, NotSupportedError, SplitDimensionError
from olympus.scipy import linalg
from olympus.test_util import check_grads

from .checks import definite, drawn, same

TYPES = [float, complex]


@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("dtype", TYPES)
def test_equations(dtype: Any, lower: bool) -> None:
    a, b = drawn(4, 4, dtype=dtype), drawn(4, 2, dtype=dtype)
    s = definite(a)
    half = np.tril(s) if lower else np.triu(s)
    same(linalg.cholesky(half, lower), scipy.linalg.cholesky(s, lower))
    factor = linalg.cho_factor(half, lower)
    assert factor[1] is lower
    for right in (b, b[:, 0]):
        same(linalg.cho_solve(factor, right), np.linalg.solve(s, right))
        same(linalg.solve(s, right), np.linalg.solve(s, right))
        for kind in ("her", "pos"):
            same(linalg.solve(half, right, lower=lower, assume_a=kind), np.linalg.solve(s, right))
    symmetric = half + half.T - np.diag(np.diag(half))
    same(linalg.solve(half, b, lower=lower, assume_a="sym"), np.linalg.solve(symmetric, b))
    for trans in (0, 1, 2, "N", "T", "C"):
        for unit in (True, False):
            same(linalg.solve_triangular(s, b, trans, lower, unit),
                 scipy.linalg.solve_triangular(s, b, trans, lower, unit))
    same(linalg.eigh(a, lower=lower)[0], scipy.linalg.eigh(a, lower=lower)[0])
    check_grads(lambda x, y: linalg.solve(x, y, lower=lower, assume_a="pos"), (half, b), 1)
    check_grads(lambda x, y: linalg.cho_solve((linalg.cholesky(x, lower), lower), y), (half[:3, :3], b[:3]), 2)


@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("type", [1, 2, 3])
@pytest.mark.parametrize("dtype", TYPES)
def test_eigenvalues_of_pairs(dtype: Any, type: int, lower: bool) -> None:
    x = drawn(2, 4, 4, dtype=dtype)
    a, b = x + np.conj(np.swapaxes(x, -1, -2)), definite(drawn(4, 4, dtype=dtype))
    half, other = ((np.tril if lower else np.triu)(m) + (np.triu if lower else np.tril)(np.full((4, 4), np.nan), k)
                   for m, k in ((a, 1 if lower else -1), (b, 1 if lower else -1)))
    values, vectors = linalg.eigh(half, other, lower=lower, type=type)
    same(linalg.eigh(half, other, lower=lower, type=type, eigvals_only=True), values)
    for i in range(2):
        expected, truth = scipy.linalg.eigh(a[i], b, lower=lower, type=type)
        same(values[i], expected)
        # The phase of a vector is free.
        same(np.abs(vectors[i]), np.abs(truth))
        left, right = {1: (a[i], b), 2: (a[i] @ b, np.eye(4)), 3: (b @ a[i], np.eye(4))}[type]
        same(left @ vectors[i], right @ vectors[i] * values[i])
    whole = a[0]
    # Which triangle is read is a selection, whose derivatives are those of the first order.
    check_grads(lambda m, n: linalg.eigh(m + jnp.conj(m.T), n + jnp.conj(n.T), lower=lower, type=type,
                                         eigvals_only=True), (whole, b), 2 if lower else 1)
    if dtype is float:
        check_grads(lambda m, n: jnp.abs(linalg.eigh(m + m.T, n + n.T, lower=lower, type=type)[1]), (whole, b), 1)


def test_pairs_without_a_solution_and_of_several_types() -> None:
    assert np.isnan(linalg.eigh(np.eye(2), -np.eye(2), eigvals_only=True)).all()
    values, vectors = linalg.eigh(np.eye(3, dtype=np.float32), 2 * np.eye(3, dtype=np.complex64))
    assert values.dtype == np.float32 and vectors.dtype == np.complex64
    same(values, np.full(3, 0.5, np.float32), 1e-6)
    assert linalg.eigh(np.zeros((0, 3, 3)), np.eye(3))[1].shape == (0, 3, 3)
    same(linalg.eigh(np.diag([2.0, 3.0]), type=2, eigvals_only=True), np.array([2.0, 3.0]))


@pytest.mark.parametrize("shape", [(4, 4), (5, 3), (3, 5)], ids=str)
@pytest.mark.parametrize("dtype", TYPES)
def test_decompositions(dtype: Any, shape: tuple[int, int]) -> None:
    x, k = drawn(*shape, dtype=dtype), min(shape)
    same(linalg.lu(x), scipy.linalg.lu(x))
    same(linalg.lu(x, permute_l=True), scipy.linalg.lu(x, permute_l=True))
    for pivoting in (False, True):
        for mode in ("full", "economic", "r"):
            same(tuple(linalg.qr(x, mode=mode, pivoting=pivoting)),
                 tuple(scipy.linalg.qr(x, mode=mode, pivoting=pivoting)))
        for conjugate in (False, True):
            for mode, size in (("left", (k, 2)), ("right", (2, shape[0])), ("left", (k,)), ("right", (shape[0],))):
                c = drawn(*size, dtype=dtype)
                same(tuple(linalg.qr_multiply(x, c, mode, pivoting, conjugate)),
                     tuple(scipy.linalg.qr_multiply(x, c, mode, pivoting, conjugate)))
    for side in ("left", "right"):
        same(linalg.polar(x, side, method="svd"), scipy.linalg.polar(x, side))
        if shape[0] == shape[1] or (side == "right") == (shape[0] > shape[1]):
            same(linalg.polar(x, side), scipy.linalg.polar(x, side))
            same(linalg.polar(np.stack([x, x]), side)[1][1], scipy.linalg.polar(x, side)[1])
    same(linalg.svd(x, compute_uv=False), scipy.linalg.svdvals(x))


@pytest.mark.parametrize("dtype", TYPES)
def test_forms_of_square_matrices(dtype: Any) -> None:
    x, b = drawn(4, 4, dtype=dtype), drawn(4, 2, dtype=dtype)
    factors, wanted = linalg.lu_factor(x), scipy.linalg.lu_factor(x)
    same(tuple(factors), tuple(wanted))
    for trans in (0, 1, 2):
        for right in (b, b[:, 0]):
            same(linalg.lu_solve(factors, right, trans), scipy.linalg.lu_solve(wanted, right, trans))
    for size in (1, 2, 4):
        part = x[:size, :size]
        same(linalg.hessenberg(part, calc_q=True), scipy.linalg.hessenberg(part, calc_q=True))
    for output in ("real", "complex"):
        t, z = map(np.asarray, linalg.schur(x, output))
        same(z @ t @ z.conj().T, x)
        if output == "complex":
            same(np.tril(t, -1), 0 * x)
    for seed in range(12):  # pairs of complex eigenvalues above and below each other
        own = np.random.RandomState(seed).randn(4, 4)
        t, z = map(np.asarray, linalg.rsf2csf(*scipy.linalg.schur(own)))
        same(z @ t @ z.conj().T, own)
        same(np.tril(t, -1), 0 * own)
        same(z @ z.conj().T, np.eye(4))
    d, e = drawn(6), drawn(5)
    values = scipy.linalg.eigh_tridiagonal(d, e)[0]
    same(linalg.eigh_tridiagonal(d, e)[0], values)
    same(linalg.eigh_tridiagonal(d, e, eigvals_only=True, select="i", select_range=(1, 3)), values[1:4])


@pytest.mark.parametrize("dtype", TYPES)
def test_functions_of_matrices(dtype: Any) -> None:
    x = drawn(4, 4, dtype=dtype)
    s = definite(x)
    for scale in (0, 0.1, 10):
        wanted = scipy.linalg.expm(scale * x)
        same(linalg.expm(scale * x), wanted, 1e-9 * max(1, np.abs(wanted).max()))
    several = np.stack([x, 3 * x, 0 * x])
    same(linalg.expm(several), scipy.linalg.expm(several), 1e-7)
    same(linalg.expm(np.triu(x), upper_triangular=True), scipy.linalg.expm(np.triu(x)))
    same(linalg.expm_frechet(x, s), scipy.linalg.expm_frechet(x, s), 1e-7)
    same(linalg.sqrtm(s), scipy.linalg.sqrtm(s))
    same(np.asarray(linalg.sqrtm(x)) @ np.asarray(linalg.sqrtm(x)), x)
    same(linalg.funm(x, jnp.exp), scipy.linalg.expm(x), 1e-7)
    value, error = linalg.funm(s, jnp.log, disp=False)
    same(value, scipy.linalg.logm(s), 1e-7)
    assert 0 < error < 1e-10
    a, c = drawn(3, 3, dtype=dtype), drawn(4, 3, dtype=dtype)
    for method in ("schur", "eigen"):
        same(linalg.solve_sylvester(x, a, c, method=method), scipy.linalg.solve_sylvester(x, a, c), 1e-7)
    assert np.isnan(linalg.solve_sylvester(np.eye(2), -np.eye(2), np.ones((2, 2)))).all()
    # All degrees of the approximant are compiled, with products of few elements written out.
    check_grads(linalg.expm, (x[:2, :2],), 2 if dtype is float else 1)
    check_grads(linalg.sqrtm, (s,), 1)
    check_grads(linalg.solve_sylvester, (x, a, c), 1)


def test_exponentials_at_the_edges() -> None:
    assert np.isnan(linalg.expm(1e7 * np.eye(2))).all()
    assert np.isnan(linalg.expm(np.full((2, 2), np.nan))).all()
    assert linalg.expm(np.zeros((0, 3, 3))).shape == (0, 3, 3) and linalg.expm(np.zeros((0, 0))).shape == (0, 0)
    x = drawn(3, 3).astype(np.float32)
    found = linalg.expm(5 * x)
    assert found.dtype == np.float32
    wanted = scipy.linalg.expm(5 * x.astype(float))
    assert np.abs(found - wanted).max() <= 2e-5 * np.abs(wanted).max()


def test_split_matrices_are_refused_by_the_users_name() -> None:
    mesh = olympus.make_mesh((2,), ("i",), devices=olympus.devices()[:2],
                             axis_types=(olympus.sharding.AxisType.Explicit,))
    with olympus.set_mesh(mesh):
        x = olympus.device_put(definite(drawn(2, 4, 4)), olympus.NamedSharding(mesh, olympus.P(None, "i")))
        for name, args in (("cholesky", ()), ("expm", ()), ("rsf2csf", (x,)), ("polar", ()),
                           ("solve_sylvester", (x, x)), ("hessenberg", ()), ("lu_factor", ())):
            with pytest.raises(SplitDimensionError, match=rf"^{name}:"):
                getattr(linalg, name)(x, *args)
        with pytest.raises(SplitDimensionError, match="^solve:"):
            linalg.solve(x, np.ones(4), assume_a="pos")


def test_exponentials_of_a_split_batch_exchange_one_number() -> None:
    mesh = olympus.make_mesh((8,), ("i",))
    x = drawn(8, 3, 3) * 10.0 ** np.arange(-4, 4)[:, None, None] / 50
    split = olympus.device_put(x, olympus.NamedSharding(mesh, olympus.P("i")))
    wanted = scipy.linalg.expm(x)
    for i, found in enumerate(np.asarray(linalg.expm(split))):
        same(found, wanted[i], 1e-9 * np.abs(wanted[i]).max())
    text = str(olympus.explain(linalg.expm, split))
    assert text.count("all_reduce") == 1 and "all_gather" not in text


@pytest.mark.parametrize("shape", [(4,), (3, 4), ()], ids=str)
def test_matrices_of_a_structure(shape: tuple[int, ...]) -> None:
    x, r = drawn(*shape), drawn(*shape[:-1], 5)
    rows, other = np.atleast_2d(x), np.atleast_2d(r)

    def each(function: Any, *args: np.ndarray) -> np.ndarray:
        found = np.stack([function(*(a[i] for a in args)) for i in range(len(args[0]))])
        return found if len(shape) == 2 else found[0]

    same(linalg.toeplitz(x, r), each(scipy.linalg.toeplitz, rows, other))
    same(linalg.toeplitz(x * 1j), each(scipy.linalg.toeplitz, rows * 1j))
    same(linalg.hankel(x, r), each(scipy.linalg.hankel, rows, other))
    same(linalg.hankel(x), each(scipy.linalg.hankel, rows))
    same(linalg.circulant(x), each(scipy.linalg.circulant, rows))
    same(linalg.fiedler(x), each(scipy.linalg.fiedler, rows))
    if shape:
        same(linalg.companion(x), each(scipy.linalg.companion, rows))
        same(linalg.leslie(x, r[..., :3]), each(scipy.linalg.leslie, rows, other[:, :3]))
        for mode in ("full", "same", "valid"):
            for n in (1, 3, 4, 7):
                same(linalg.convolution_matrix(x, n, mode),
                     each(lambda a, n=n, mode=mode: scipy.linalg.convolution_matrix(a, n, mode), rows))


def test_matrices_of_a_size() -> None:
    for n in range(1, 9):
        x = drawn(n)
        same(linalg.fiedler_companion(x), scipy.linalg.fiedler_companion(x).reshape(n - 1, n - 1))
        same(linalg.hilbert(n), scipy.linalg.hilbert(n))
        same(linalg.invhilbert(n), scipy.linalg.invhilbert(n))
        for kind in ("symmetric", "lower", "upper"):
            same(linalg.pascal(n, kind), scipy.linalg.pascal(n, kind).astype(float))
            same(linalg.invpascal(n, kind), scipy.linalg.invpascal(n, kind).astype(float))
        for full in (True, False):
            same(linalg.helmert(n, full), scipy.linalg.helmert(n, full))
        for scale in (None, "sqrtn", "n"):
            same(linalg.dft(n, scale), scipy.linalg.dft(n, scale), 1e-13)
    assert linalg.dft(0, "sqrtn").shape == (0, 0)
    for n in (1, 2, 8):
        same(linalg.hadamard(n), scipy.linalg.hadamard(n))
    parts = [drawn(2, 3), np.arange(2.0), np.float64(4), drawn(0, 2)]
    same(linalg.block_diag(*parts), scipy.linalg.block_diag(*parts))
    same(linalg.block_diag(), scipy.linalg.block_diag().reshape(1, 0))


def test_lists_count_as_arrays() -> None:
    a, b = [[4.0, 1.0], [1.0, 3.0]], [1, 2]
    x, y = np.array(a), np.array(b)
    for name, wanted in (
        ("cholesky", scipy.linalg.cholesky(x)), ("det", 11.0),
        ("inv", np.linalg.inv(x)), ("lu", scipy.linalg.lu(x)), ("lu_factor", scipy.linalg.lu_factor(x)),
        ("qr", scipy.linalg.qr(x)), ("polar", scipy.linalg.polar(x)), ("expm", scipy.linalg.expm(x)),
        ("sqrtm", scipy.linalg.sqrtm(x)), ("hessenberg", x),
    ):
        same(getattr(linalg, name)(a), wanted, 1e-7)
    same(linalg.cho_factor(a)[0], scipy.linalg.cholesky(x))
    same(linalg.svd(a, compute_uv=False), scipy.linalg.svdvals(x))
    same(linalg.eigh(a, a, eigvals_only=True), np.ones(2))
    same(linalg.schur(a)[0], scipy.linalg.schur(x)[0])
    same(linalg.rsf2csf(a, a)[0].shape, (2, 2))
    same(linalg.funm(a, jnp.exp), scipy.linalg.expm(x), 1e-7)
    same(linalg.expm_frechet(a, a)[1], scipy.linalg.expm_frechet(x, x)[1], 1e-7)
    same(linalg.solve(a, b), np.linalg.solve(x, y))
    same(linalg.solve(a, b, assume_a="pos"), np.linalg.solve(x, y))
    same(linalg.solve_triangular(a, b), np.linalg.solve(np.triu(x), y))
    same(linalg.cho_solve((np.linalg.cholesky(x).tolist(), True), b), np.linalg.solve(x, y))
    same(linalg.lu_solve((a, [0, 1]), b), scipy.linalg.lu_solve((x, np.array([0, 1])), y))
    same(linalg.solve_sylvester(a, a, a), scipy.linalg.solve_sylvester(x, x, x), 1e-7)
    same(linalg.qr_multiply(a, b), scipy.linalg.qr_multiply(x, y))
    same(linalg.eigh_tridiagonal([4.0, 3.0], [1.0], eigvals_only=True), np.linalg.eigvalsh(x))


def test_polynomials_of_small_integers() -> None:
    for dtype in (np.uint8, np.int8):
        same(linalg.companion(np.array([4, 1, 3], dtype)), scipy.linalg.companion([4.0, 1, 3]))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_half_precision_is_refused_by_name(dtype: str) -> None:
    x = jnp.eye(2, dtype=dtype)
    for name, args in (("expm", (x,)), ("expm_frechet", (x, x)), ("polar", (x,)), ("hessenberg", (x,)),
                       ("solve_sylvester", (x, x, x)), ("sqrtm", (x,)), ("funm", (x, jnp.exp))):
        with pytest.raises(ArgumentError, match=f"{name}: does not take {dtype}"):
            getattr(linalg, name)(*args)


def test_refused() -> None:
    square = np.eye(2)
    for call in (
        lambda: linalg.solve_triangular(square, np.ones(3)), lambda: linalg.solve_triangular(square, square, trans=3),
        lambda: linalg.solve(square, square, assume_a="other"), lambda: linalg.lu_solve(linalg.lu_factor(square), 1.0),
        lambda: linalg.qr(square, mode="reduced"), lambda: linalg.qr_multiply(square, np.ones(3)),
        lambda: linalg.polar(square, "up"), lambda: linalg.polar(np.ones((2, 3))), lambda: linalg.schur(square, "x"),
        lambda: linalg.sqrtm(np.ones((2, 2, 2))), lambda: linalg.funm(np.ones((2, 3)), jnp.exp),
        lambda: linalg.solve_sylvester(square, square, np.ones((3, 2))), lambda: linalg.hadamard(3),
        lambda: linalg.pascal(2, "x"), lambda: linalg.dft(2, "x"), lambda: linalg.dft(2, dtype=float),
        lambda: linalg.block_diag(np.ones((2, 2, 2))), lambda: linalg.companion([1.0]),
        lambda: linalg.convolution_matrix([1.0], 0), lambda: linalg.leslie([1.0, 2.0], [1.0, 2.0]),
        lambda: linalg.eigh_tridiagonal(np.ones(3), np.ones(3)), lambda: linalg.expm_frechet(square, np.ones(3)),
    ):
        with pytest.raises(ArgumentError):
            call()
    for call in (lambda: linalg.eigh(square, np.eye(3)), lambda: linalg.eigh(square, square, type=4),
                 lambda: linalg.eigh(square, np.ones((3, 2)))):
        with pytest.raises(ArgumentError):
            call()
    with pytest.raises(NotSupportedError, match="slice"):
        linalg.eigh(square, eigvals=(0, 1))
    with pytest.raises(NotSupportedError, match="select"):
        linalg.eigh_tridiagonal(np.ones(3), np.ones(2), select="v")


def test_integers_with_64_bit_types_and_polar_factors_of_no_matrix() -> None:
    with olympus.enable_x64(True):
        found = linalg.eigh_tridiagonal(np.array([3, 1, 2, 8]), np.array([1, -2, 3]), eigvals_only=True)
        assert found.dtype == np.float64
        np.testing.assert_allclose(found, scipy.linalg.eigh_tridiagonal(
            np.array([3.0, 1, 2, 8]), np.array([1.0, -2, 3]), eigvals_only=True), rtol=1e-13)
    for shape in ((2, 0, 0), (0, 3, 3)):
        assert [part.shape for part in linalg.polar(np.zeros(shape, np.float32))] == [shape, shape]
