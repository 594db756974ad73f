# SPDX-License-Identifier: Apache-2.0
"""cg, bicgstab and gmres against direct solutions; trees, preconditioners, complex numbers, derivatives, sharding."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus.errors import ArgumentError
from olympus.scipy.sparse.linalg import bicgstab, cg, gmres
from olympus.test_util import check_grads

RANDOM = np.random.RandomState(0)
GENERAL = (RANDOM.randn(30, 30) + 6 * np.eye(30)).astype(np.float32)
DEFINITE = (GENERAL @ GENERAL.T / 30).astype(np.float32)
RIGHT = RANDOM.randn(30).astype(np.float32)
COMPLEX = (GENERAL + 1j * RANDOM.randn(30, 30)).astype(np.complex64)
HERMITIAN = (COMPLEX @ COMPLEX.conj().T / 30 + np.eye(30)).astype(np.complex64)
DIAGONAL = np.diag(1 / np.diag(GENERAL))


@pytest.mark.parametrize(("solver", "matrix", "options"), [
    (cg, DEFINITE, {}), (cg, DEFINITE, {"M": np.diag(1 / np.diag(DEFINITE))}), (cg, HERMITIAN, {}),
    (bicgstab, GENERAL, {}), (bicgstab, GENERAL, {"M": DIAGONAL}), (bicgstab, COMPLEX, {}),
    (gmres, GENERAL, {}), (gmres, GENERAL, {"restart": 7}), (gmres, GENERAL, {"solve_method": "incremental"}),
    (gmres, GENERAL, {"M": DIAGONAL, "restart": 100}), (gmres, COMPLEX, {"solve_method": "incremental"}),
])
def test_solves(solver: Any, matrix: np.ndarray, options: dict[str, Any]) -> None:
    right = RIGHT.astype(matrix.dtype) * (1 + 0.5j if matrix.dtype.kind == "c" else 1)
    found, info = solver(lambda x: jnp.asarray(matrix) @ x, right, x0=right / 7, **options)
    assert (int(info) == 0 if solver is gmres else info is None) and found.dtype == matrix.dtype
    assert np.linalg.norm(matrix @ np.asarray(found) - right) <= 3e-5 * np.linalg.norm(right)


def test_limits_and_guesses() -> None:
    exact = np.linalg.solve(DEFINITE, RIGHT)
    np.testing.assert_array_equal(cg(DEFINITE, RIGHT, maxiter=0)[0], np.zeros(30))
    np.testing.assert_array_equal(gmres(GENERAL, RIGHT, atol=1e9)[0], np.zeros(30))
    errors = [np.asarray(cg(DEFINITE, RIGHT, maxiter=n)[0]) - exact for n in (1, 4, 8)]
    energies = [float(e @ DEFINITE @ e) for e in errors]  # what each step makes least
    assert energies[0] > 1.2 * energies[1] > 1.4 * energies[2]
    np.testing.assert_allclose(cg(DEFINITE, RIGHT, exact, tol=1e-3)[0], exact)
    for solver in (cg, bicgstab, gmres):
        np.testing.assert_array_equal(solver(np.eye(3), np.zeros(3))[0], np.zeros(3))
    assert cg(2 * np.eye(2, dtype=np.int32), np.array([2, 4]))[0].dtype == np.float32


def test_trees() -> None:
    block = np.array([[1, 2], [3, 5]], np.float32)
    b = {"a": np.ones(3, np.float32), "b": np.arange(8, dtype=np.float32).reshape(4, 2)}
    for solver in (gmres, bicgstab):
        found, _ = solver(lambda x: {"a": x["a"] * 2, "b": x["b"] @ block}, b, tol=1e-6)
        np.testing.assert_allclose(found["a"], 0.5 * b["a"], atol=1e-4)
        np.testing.assert_allclose(found["b"] @ block, b["b"], atol=1e-3)


@pytest.mark.parametrize("solver", [cg, bicgstab, gmres])
def test_what_is_not_known_is_nan(solver: Any) -> None:
    matrix, right = np.eye(3, dtype=np.float32), np.ones(3, np.float32)
    for a, b in ((matrix, right * np.nan), (matrix * np.nan, right), (matrix, right * np.inf), (matrix, right * 1e30)):
        found, info = solver(a, b)
        assert np.isnan(found).all() and (info is None or int(info) == -1)


@pytest.mark.parametrize("solver", [cg, bicgstab, gmres])
def test_derivatives(solver: Any) -> None:
    def solved(a: Any, b: Any) -> Any:
        a = (a + a.T) / 2 if solver is cg else a
        return solver(lambda x: a @ x, b, tol=1e-7)[0]

    matrix = DEFINITE[:4, :4] + 2 * np.eye(4, dtype=np.float32)
    check_grads(olympus.jit(solved), (matrix, RIGHT[:4]), 1, rtol=5e-3)
    several = olympus.vmap(olympus.grad(lambda a, b: solved(a, b).sum(), (0, 1)), (0, None))(
        jnp.stack([matrix, matrix + 1]), RIGHT[:4])
    expected = np.linalg.solve((matrix + 1).T, np.ones(4))
    np.testing.assert_allclose(several[1][1], expected, atol=1e-3)


def test_split_over_devices() -> None:
    mesh = olympus.make_mesh((8,), ("i",))
    spread = olympus.NamedSharding(mesh, olympus.P("i"))
    right = RANDOM.randn(64).astype(np.float32)

    def laplacian(x: Any) -> Any:
        return 2.5 * x - jnp.roll(x, 1) - jnp.roll(x, -1)

    found, _ = olympus.jit(lambda b: cg(laplacian, b))(olympus.device_put(right, spread))
    np.testing.assert_allclose(laplacian(np.asarray(found)), right, atol=1e-3)


def test_refused() -> None:
    with pytest.raises(ArgumentError, match="square matrix"):
        cg(np.ones((2, 3)), np.ones(3))
    with pytest.raises(ArgumentError, match="another structure"):
        cg(np.eye(3), np.ones(3), (np.ones(3),))
    with pytest.raises(ArgumentError, match="other shapes"):
        cg(np.eye(3), np.ones(3), np.ones(2))
    with pytest.raises(ArgumentError, match="method"):
        gmres(np.eye(3), np.ones(3), solve_method="other")
