# SPDX-License-Identifier: Apache-2.0
"""Systems of sparse matrices against NumPy's dense solver, and eigenvalues by blocks against its dense ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse

import olympus
import olympus.numpy as jnp
from olympus.errors import ArgumentError
from olympus.experimental import sparse
from olympus.experimental.sparse.linalg import lobpcg_standard, spsolve
from olympus.test_util import check_grads


def system(dtype: str) -> tuple[Any, Any]:
    random = np.random.RandomState(0)
    dense = np.where(random.rand(6, 6) < 0.4, random.randn(6, 6), 0) + 4 * np.eye(6)
    b = random.randn(6)
    if dtype.startswith("complex"):
        dense, b = dense * (1 + 0.5j), b * (1 - 2j)
    return scipy.sparse.csr_matrix(dense.astype(dtype)), b.astype(dtype)


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
def test_spsolve(dtype: str) -> None:
    assert sparse.linalg.spsolve is spsolve
    with olympus.enable_x64(dtype in ("float64", "complex128")):
        matrix, b = system(dtype)
        tolerance = 1e-4 if dtype in ("float32", "complex64") else 1e-10
        parts = matrix.data, matrix.indices, matrix.indptr
        for f in (spsolve, olympus.jit(spsolve)):
            found = f(*parts, b)
            assert found.dtype == dtype
            np.testing.assert_allclose(found, np.linalg.solve(matrix.toarray(), b), rtol=tolerance)
        several = np.stack([b, 2 * b, b[::-1]])
        found = olympus.vmap(lambda y: spsolve(*parts, y))(several)
        np.testing.assert_allclose(found, np.linalg.solve(matrix.toarray(), several.T).T, rtol=tolerance)
        check_grads(lambda data, y: spsolve(data, *parts[1:], y), (parts[0], b), order=2 if tolerance < 1e-5 else 1)


def test_spsolve_of_parts_that_do_not_fit() -> None:
    matrix, b = system("float32")
    parts = matrix.data, matrix.indices, matrix.indptr
    for wrong in ((matrix.data[1:], *parts[1:], b), (*parts, b[1:]), (*parts, b[None])):
        with pytest.raises(ArgumentError, match="spsolve"):
            spsolve(*wrong)


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64"])
@pytest.mark.parametrize("n, k", [(30, 3), (80, 5), (11, 1)])
def test_lobpcg(dtype: str, n: int, k: int) -> None:
    random = np.random.RandomState(n)
    with olympus.enable_x64(dtype == "float64"):
        a = random.randn(n, n) + (1j * random.randn(n, n) if dtype == "complex64" else 0)
        a = (a @ a.conj().T).astype(dtype)
        x = random.randn(n, k).astype(dtype)
        wanted = np.linalg.eigvalsh(a)[::-1][:k]
        for given in (a, lambda columns: jnp.matmul(a, columns, precision="highest")):
            values, vectors, steps = lobpcg_standard(given, x)
            assert values.shape == (k,) and vectors.shape == (n, k) and vectors.dtype == dtype and 0 < steps < 100
            # The bound on the residual is 20 n eps theta, and eigenvalues are nearer than that.
            tolerance = 20 * n * np.finfo(dtype).eps
            np.testing.assert_allclose(values, wanted, rtol=tolerance)
            np.testing.assert_allclose(a @ vectors, vectors * values, atol=2 * tolerance * wanted[0])
            np.testing.assert_allclose(vectors.conj().T @ vectors, np.eye(k), atol=tolerance)
        assert lobpcg_standard(a, x, m=2)[2] == 2
        assert lobpcg_standard(a, x, tol=1e-2)[2] < steps or n == 11


def test_lobpcg_of_operands_that_do_not_fit() -> None:
    x, eye = np.ones((20, 4), np.float32), np.eye(20, dtype=np.float32)
    for a, start in ((eye, x), (eye[1:, 1:], x[:, :2]), (eye, x[:, :0]), (eye.astype(int), x[:, :2].astype(int)),
                     (eye.astype(np.complex64), x[:, :2])):
        with pytest.raises(ArgumentError, match="lobpcg_standard"):
            lobpcg_standard(a, start)


@pytest.mark.parametrize("wide", [False, True])
def test_spsolve_of_integers_is_a_float(wide: bool) -> None:
    with olympus.enable_x64(wide):
        found = spsolve(np.array([2, 1, 4]), np.array([0, 0, 1]), np.array([0, 1, 3]), np.array([3, 9]))
        assert found.dtype == (np.float64 if wide else np.float32)
        assert found.tolist() == [1.5, 1.875]
