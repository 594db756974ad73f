# SPDX-License-Identifier: Apache-2.0
"""jvp, linearize, linear_transpose, and the functions that map over directions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import errors

X = np.array([0.5, -1.0, 2.0], np.float32)
FLOAT0 = np.dtype([("float0", np.void, 0)])


def test_jvp_of_containers() -> None:
    def f(p: Any, n: Any) -> Any:
        return {"y": p["x"] ** 2 * n, "n": n + 1}, p["x"].sum()

    (y, total), (change, moved) = olympus.jvp(f, ({"x": X}, 3), ({"x": 2 * X}, np.zeros((), FLOAT0)))
    np.testing.assert_allclose(y["y"], 3 * X ** 2)
    np.testing.assert_allclose(change["y"], 12 * X ** 2)
    assert change["n"].dtype == FLOAT0 and int(y["n"]) == 4
    np.testing.assert_allclose(moved, 2 * X.sum())
    result, change, aux = olympus.jvp(lambda x: (x * x, x + 1), (3.0,), (1.0,), has_aux=True)
    assert (float(result), float(change), float(aux)) == (9.0, 6.0, 4.0)


def test_tangents_that_do_not_fit() -> None:
    with pytest.raises(errors.TangentError):
        olympus.jvp(jnp.sin, (X,), (X[:2],))
    with pytest.raises(errors.TangentError, match="tuple"):
        olympus.jvp(jnp.sin, X, X)
    with pytest.raises(errors.TangentError, match="float0"):
        olympus.jvp(lambda n: n * 1.0, (3,), (1.0,))
    with pytest.raises(TypeError):
        olympus.jvp(jnp.sin, (X,), (X, X))


@pytest.mark.parametrize("wrap", [lambda f: f, olympus.jit], ids=["plain", "jit"])
def test_linearize(wrap: Any) -> None:
    y, change = olympus.linearize(lambda x, z: jnp.sin(x) * z, X, 2.0)
    np.testing.assert_allclose(y, 2 * np.sin(X), rtol=1e-6)
    for t in (X, 0 * X, 3 * X):
        np.testing.assert_allclose(wrap(change)(t, 1.0), 2 * np.cos(X) * t + np.sin(X), rtol=1e-5)


def test_linear_transpose() -> None:
    matrix = np.arange(6, dtype=np.float32).reshape(2, 3)
    back = olympus.linear_transpose(lambda x: jnp.asarray(matrix) @ x, olympus.ShapeDtypeStruct((3,), np.float32))
    np.testing.assert_allclose(back(np.array([1, 10], np.float32))[0], matrix.T @ [1, 10])
    with pytest.raises(errors.NotLinearError, match="sin"):
        olympus.linear_transpose(jnp.sin, 1.0)(1.0)


def _mixed(x: Any, y: Any) -> Any:
    return {"a": jnp.sin(x) * y.sum(), "b": (x @ x) * y}


@pytest.mark.parametrize("jacobian", [olympus.jacfwd, olympus.jacrev])
@pytest.mark.parametrize("wrap", [lambda f: f, olympus.jit], ids=["plain", "jit"])
def test_jacobians(jacobian: Any, wrap: Any) -> None:
    y = np.ones((2, 2), np.float32)
    found = wrap(jacobian(_mixed, argnums=(0, 1)))(X, y)
    np.testing.assert_allclose(found["a"][0], 4 * np.diag(np.cos(X)), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(found["a"][1], np.sin(X)[:, None, None] * np.ones((1, 2, 2)), rtol=1e-5)
    np.testing.assert_allclose(found["b"][0], np.broadcast_to(2 * X, (2, 2, 3)), rtol=1e-6)
    np.testing.assert_allclose(found["b"][1], (X @ X) * np.eye(4).reshape(2, 2, 2, 2), rtol=1e-6)
    matrix, aux = jacobian(lambda x: (x ** 2, {"total": x.sum()}), has_aux=True)(X)
    np.testing.assert_allclose(matrix, np.diag(2 * X))
    np.testing.assert_allclose(aux["total"], X.sum())
    with pytest.raises(errors.GradientTypeError):
        jacobian(lambda n: n * 1.0)(3)


@pytest.mark.parametrize("kind", ["complex64", "complex128"])
def test_jacrev_of_complex_arguments_is_the_gradient_of_each_result(kind: str) -> None:
    with olympus.enable_x64(kind == "complex128"):
        z = jnp.array([1 + 2j, 3 - 1j], kind)
        f = lambda z: {"a": z.real ** 2 * z.imag, "b": z.imag.sum()}
        found = olympus.jacrev(f)(z)
        assert found["a"].dtype == z.dtype
        # the gradient of u(x, y) is u_x - i u_y
        np.testing.assert_allclose(found["a"], np.diag(2 * z.real * z.imag - 1j * z.real ** 2), rtol=1e-6)
        np.testing.assert_allclose(found["b"], [-1j, -1j])
        np.testing.assert_allclose(found["a"][1], olympus.grad(lambda z: f(z)["a"][1])(z), rtol=1e-6)
    for refused in (lambda: olympus.jacrev(lambda z: z)(z), lambda: olympus.jacfwd(lambda z: z.real)(z)):
        with pytest.raises(errors.GradientTypeError, match="real numbers"):
            refused()


def test_jacrev_of_integers_is_zeros_of_their_type() -> None:
    tree = (jnp.ones(2), jnp.arange(3), jnp.array(True))
    found = olympus.jacrev(lambda x: {"a": x[1] * 1.0, "b": x[0].sum() * x[1][1]}, allow_int=True)(tree)
    assert [(x.shape, x.dtype.name) for x in found["a"]] == [((3, 2), "float32"), ((3, 3), "int32"), ((3,), "bool")]
    assert [x.tolist() for x in found["b"]] == [[1, 1], [0, 0, 0], False]
    assert olympus.jacrev(lambda n: n * 1.0, allow_int=True)(jnp.arange(2)).tolist() == [[0, 0], [0, 0]]
    with pytest.raises(errors.GradientTypeError, match="a result"):
        olympus.jacrev(lambda x: x.astype(int), allow_int=True)(jnp.ones(2))


def test_hessian() -> None:
    found = olympus.hessian(lambda x: jnp.prod(x) + (x ** 3).sum())(X)
    expected = np.diag(6 * X)
    for i in range(3):
        for j in range(3):
            if i != j:
                expected[i, j] = X[3 - i - j]
    np.testing.assert_allclose(found, expected, rtol=1e-5)
