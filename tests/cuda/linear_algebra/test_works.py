# SPDX-License-Identifier: Apache-2.0
"""cuSOLVER's and cuBLAS' functions on the platform: against the references, and against what they mean."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from olympus_core import ops
from olympus_core.program import ArrayType, Operation, Value
from olympus_cuda.gpu import Gpu
from olympus_cuda.linear_algebra import table
from olympus_cuda.linear_algebra.table import linear_algebra_work

from .works import DTYPES, adjoint, both, close, matrices

pytestmark = pytest.mark.slow

# One matrix, a batch, a batch of larger ones; the limits are lowered for some, so that every function is called.
BATCHES = [((), 5), ((2, 3), 7), ((3,), 1), ((2,), 40)]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize(("batch", "n"), BATCHES)
def test_cholesky(gpu: Gpu, batch: tuple[int, ...], n: int, dtype: np.dtype, monkeypatch: pytest.MonkeyPatch) -> None:
    x = matrices((*batch, n, n), dtype)
    definite = (x @ adjoint(x) + n * np.eye(n)).astype(dtype)
    other_triangle = np.tril(definite) + np.triu(np.full((n, n), np.nan), 1).astype(dtype)
    for small in (table._SMALL, 0):
        monkeypatch.setattr(table, "_SMALL", small)
        name = "potrfBatched" if batch and small else "potrf"
        (factor,), (expected,) = both(gpu, "cholesky", other_triangle, functions=name)
        close(factor, expected)
        assert not np.triu(factor, 1).any()


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize(("batch", "n"), [*BATCHES, ((2,), 32), ((2,), 33)])
def test_eigh(gpu: Gpu, batch: tuple[int, ...], n: int, dtype: np.dtype) -> None:
    x = matrices((*batch, n, n), dtype)
    hermitian = (x + adjoint(x)).astype(dtype)
    index = np.arange(n)
    hermitian[..., index, index] = hermitian[..., index, index].real
    name = ("heevjBatched" if dtype.kind == "c" else "yevjBatched") if n <= 32 else "xsyevd"
    for lower in (True, False):
        given = (np.tril if lower else np.triu)(hermitian)
        (alone,), (expected,) = both(gpu, "eigh", given, lower=lower, vectors=False, functions=name)
        close(alone, expected)
        (values, vectors), _ = both(gpu, "eigh", given, lower=lower, vectors=True, functions=name)
        close(values, expected)
        close(hermitian @ vectors, vectors * values[..., None, :], 5)
        close(adjoint(vectors) @ vectors, np.broadcast_to(np.eye(n), x.shape))


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize(("batch", "n"), [((), 5), ((2, 2), 7), ((2,), 40)])
def test_triangular_solve_in_every_form(
    gpu: Gpu, batch: tuple[int, ...], n: int, dtype: np.dtype, monkeypatch: pytest.MonkeyPatch
) -> None:
    a = matrices((*batch, n, n), dtype) / n + 2 * np.eye(n, dtype=dtype)
    for form in itertools.product((False, True), repeat=5):
        left, lower, transpose, conjugate, unit = form
        if conjugate and dtype.kind != "c":
            continue
        monkeypatch.setattr(table, "_SMALL", 512 if lower else 0)
        b = matrices((*batch, n, 3) if left else (*batch, 3, n), dtype)
        (x,), (expected,) = both(
            gpu, "triangular_solve", a, b, left_side=left, lower=lower, transpose=transpose, conjugate=conjugate,
            unit_diagonal=unit, functions="trsmBatched" if batch and lower else "trsm")
        close(x, expected)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize(("batch", "m", "n"), [((), 5, 3), ((3,), 4, 6), ((2, 2), 30, 30), ((2,), 50, 33), ((), 1, 1)])
def test_lu(gpu: Gpu, batch: tuple[int, ...], m: int, n: int, dtype: np.dtype) -> None:
    name = "getrfBatched" if m == n and batch else "getrf"
    found, expected = both(gpu, "lu", matrices((*batch, m, n), dtype), functions=name)
    np.testing.assert_array_equal(found[1], expected[1])
    np.testing.assert_array_equal(found[2], expected[2])
    close(found[0], expected[0])


@pytest.mark.parametrize("shared_rows", [8192, 4])
def test_exchanges_of_many_rows(gpu: Gpu, shared_rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table.kernels, "SHARED_ROWS", shared_rows)
    x = matrices((2, 700, 600), DTYPES[1])
    found, expected = both(gpu, "lu", x)
    np.testing.assert_array_equal(found[1], expected[1])
    np.testing.assert_array_equal(found[2], expected[2])


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize(("batch", "m", "n"), [
    ((), 5, 3), ((3,), 4, 6), ((2, 2), 30, 30), ((2,), 90, 7), ((2,), 1, 1), ((2,), 130, 4), ((3,), 3, 1)])
def test_qr(gpu: Gpu, batch: tuple[int, ...], m: int, n: int, dtype: np.dtype) -> None:
    x, is_own = matrices((*batch, m, n), dtype), bool(batch) and m <= 128
    (packed, taus), (expected, expected_taus) = both(gpu, "geqrf", x, functions="" if is_own else "geqrf")
    close(packed, expected)
    close(taus[..., None], expected_taus[..., None])
    if m >= n:
        name = "ungqr" if dtype.kind == "c" else "orgqr"
        for k in {n, n - 1} - {0}:
            (q,), (expected,) = both(gpu, "householder_product", packed, taus[..., :k].copy(),
                                     functions="" if is_own else name)
            close(q, expected)
    for left, transpose in itertools.product((True, False), repeat=2):
        c = matrices((*batch, m, 4) if left else (*batch, 4, m), dtype, 3)
        (product,), (expected,) = both(gpu, "ormqr", packed, taus, c, left=left, transpose=transpose)
        close(product, expected)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_reflections_of_columns_that_are_special(gpu: Gpu, dtype: np.dtype) -> None:
    """Zeros below the diagonal need none; scales near the limits of the type do not overflow."""
    limits, n = np.finfo(dtype), 4
    plain = matrices((n, n), dtype)
    great, small = plain * dtype.type(limits.max / 100), plain * dtype.type(limits.tiny * 100)
    broken = plain.copy()
    broken[1, 1] = np.nan
    one = np.eye(n, dtype=dtype)
    x = np.stack([one, -one, 0 * one, np.triu(plain), great, small, plain, broken])
    (packed, taus), (expected, expected_taus) = both(gpu, "geqrf", x)
    close(taus[:7, :, None], expected_taus[:7, :, None])
    for i in range(7):
        scale = np.abs(x[i]).max() or 1
        upper = np.triu(expected[i]) / scale
        close(np.triu(packed[i]) / scale, upper)
        close(np.tril(packed[i], -1), np.tril(expected[i], -1))
    assert np.isnan(packed[7]).any() and np.isfinite(packed[:7]).all()


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize(("batch", "m", "n"), [
    ((), 5, 3), ((3,), 4, 6), ((2, 2), 32, 32), ((2,), 50, 33), ((2,), 33, 50), ((), 40, 40)])
def test_svd(
    gpu: Gpu, batch: tuple[int, ...], m: int, n: int, dtype: np.dtype, monkeypatch: pytest.MonkeyPatch
) -> None:
    x, k = matrices((*batch, m, n), dtype), min(m, n)
    cases = [(32, 1024), (0, 1024), (0, 0)]
    for small, large in cases:
        monkeypatch.setattr(table, "_JACOBI", small)
        monkeypatch.setattr(table, "_LARGE_JACOBI", large)
        name = "gesvdjBatched" if max(m, n) <= small else "gesvdj" if max(m, n) <= large else "gesvd"
        (alone,), (expected,) = both(gpu, "svd", x, full_matrices=False, vectors=False, functions=name)
        close(alone, expected)
        for full in (True, False):
            (values, u, vh), _ = both(gpu, "svd", x, full_matrices=full, vectors=True, functions=name)
            close(values, expected)
            close(u[..., :k] * values[..., None, :] @ vh[..., :k, :], x)
            close(adjoint(u) @ u, np.broadcast_to(np.eye(u.shape[-1]), (*batch, *u.shape[-1:] * 2)))
            close(vh @ adjoint(vh), np.broadcast_to(np.eye(vh.shape[-2]), (*batch, *vh.shape[-2:-1] * 2)))


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize(("batch", "n"), BATCHES)
def test_eig(gpu: Gpu, batch: tuple[int, ...], n: int, dtype: np.dtype) -> None:
    x = matrices((*batch, n, n), dtype, 4)
    (alone,), (expected,) = both(gpu, "eig", x, left=False, right=False, functions="xgeev")
    close(*(np.take_along_axis(v, np.argsort(v.real + 1e-2 * v.imag), -1) for v in (alone, expected)), 5)
    (values, vectors), _ = both(gpu, "eig", x, left=False, right=True, functions="xgeev")
    close(x @ vectors, vectors * values[..., None, :], 5)
    close(np.linalg.norm(vectors, axis=-2), np.ones((*batch, n)))


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("n", [4, 40])
@pytest.mark.parametrize("small", [True, False])
def test_a_matrix_that_fails_is_nan_and_its_neighbours_are_not(
    gpu: Gpu, small: bool, n: int, dtype: np.dtype, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is not finite is never given to an iteration: in the stand-in such a one does not end."""
    for name in () if small else ("_SMALL", "_MANY", "_JACOBI", "_LARGE_JACOBI"):
        monkeypatch.setattr(table, name, 0 if name != "_MANY" else 99)
    x = np.broadcast_to(np.eye(n, dtype=dtype), (11, n, n)).copy()
    x[2, n - 1, n - 1], x[5, 1, 0], x[7, 0, 0] = -1, np.nan, np.inf
    bad = [2, 5, 7]
    good = [i for i in range(11) if i not in bad]
    (factor,), _ = both(gpu, "cholesky", x)
    assert np.isnan(factor[bad]).all() and (factor[good] == np.eye(n)).all()
    (values, vectors), _ = both(gpu, "eigh", x, lower=True, vectors=True)
    assert np.isnan(values[[5, 7]]).all() and np.isnan(vectors[[5, 7]]).all() and (values[good] == 1).all()
    for vectors_wanted in (True, False):
        found, _ = both(gpu, "svd", x, full_matrices=True, vectors=vectors_wanted)
        assert all(np.isnan(part[[5, 7]]).all() and np.isfinite(part[good]).all() for part in found)
    found, _ = both(gpu, "eig", x, left=False, right=True)
    assert all(np.isnan(part[[5, 7]]).all() and np.isfinite(part[good]).all() for part in found)


@pytest.mark.parametrize("batch", [(6,), (1,)])
def test_singular_matrices_are_factored_and_nan_has_exchanges(gpu: Gpu, batch: tuple[int, ...]) -> None:
    x = np.zeros((*batch, 5, 5), np.float32)
    x[1:] = np.arange(25).reshape(5, 5) % 7
    found, expected = both(gpu, "lu", x)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, other)
    x[0, 2, 2] = np.nan
    (factors, pivots, order), _ = both(gpu, "lu", x)
    assert np.isnan(factors[0]).all() and np.isfinite(factors[1:]).all()
    assert (pivots >= np.arange(5)).all() and (pivots < 5).all()
    np.testing.assert_array_equal(np.sort(order), np.broadcast_to(np.arange(5), (*batch, 5)))


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_numbers_that_are_not_finite_are_found_in_large_matrices(gpu: Gpu, dtype: np.dtype) -> None:
    """Several blocks of threads look at a matrix."""
    n = 200
    x = np.broadcast_to(np.eye(n, dtype=dtype), (2, n, n)).copy()
    x[1, n - 1, n - 1] = np.nan
    (values, vectors), _ = both(gpu, "eigh", x, lower=True, vectors=True)
    assert np.isnan(values[1]).all() and np.isnan(vectors[1]).all()
    assert np.isfinite(values[0]).all() and np.isfinite(vectors[0]).all()


def test_what_the_libraries_do_not_have_is_the_references() -> None:
    empty, x = ArrayType((0, 3, 3), DTYPES[0]), Value(ArrayType((3, 3), DTYPES[0]))
    flags = {"left": False, "right": True}
    kind = ArrayType((3, 3), DTYPES[2])
    values = Value(ArrayType((3,), DTYPES[2]))
    cholesky = Operation(ops.cholesky, (Value(empty),), {}, (), (Value(empty),))
    assert linear_algebra_work(cholesky, True) is None
    eig = Operation(ops.eig, (x,), flags, (), (values, Value(kind)))
    assert linear_algebra_work(eig, True) is not None and linear_algebra_work(eig, False) is None
    both_sides = Operation(ops.eig, (x,), {"left": True, "right": True}, (), (values, Value(kind), Value(kind)))
    assert linear_algebra_work(both_sides, True) is None
    hessenberg = Operation(ops.hessenberg, (x,), {}, (), (x, Value(ArrayType((2,), DTYPES[0]))))
    assert linear_algebra_work(hessenberg, True) is None
    wide = Value(ArrayType((1 << 16, 1 << 16), DTYPES[0]))
    assert linear_algebra_work(Operation(ops.cholesky, (wide,), {}, (), (wide,)), True) is None
