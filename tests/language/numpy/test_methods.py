# SPDX-License-Identifier: Apache-2.0
"""Operators and methods of arrays and of traced values."""

from __future__ import annotations

import copy
import operator

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus.tracing import ArrayOperators
from olympus_core.errors import ArgumentError, ImmutableError

X = np.array([[1.5, -2.0, 3.0], [0.5, 4.0, -1.0]], np.float32)
N = np.array([[7, -2, 3], [1, 4, -5]], np.int32)

FLOAT_OPERATORS = [operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod,
                   operator.lt,
                   operator.le, operator.gt, operator.ge, operator.eq, operator.ne]
INTEGER_OPERATORS = [operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift]


def same(found: object, expected: object, tolerance: float = 1e-6) -> None:
    assert isinstance(found, olympus.Array) and found.shape == np.shape(expected)
    np.testing.assert_allclose(np.asarray(found), expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("use", FLOAT_OPERATORS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("other", [2, -0.5, np.float32(1.5), X[0], X[:, :1]], ids=lambda v: str(np.shape(v)))
def test_binary_operators(use: object, other: object) -> None:
    for run in (lambda f, *args: f(*args), lambda f, *args: olympus.jit(f)(*args)):
        same(run(use, jnp.asarray(X), other), use(X, other), 1e-5)
        same(run(use, other, jnp.asarray(X)), use(np.asarray(other, np.float32), X), 1e-5)
        same(use(jnp.asarray(X), jnp.asarray(other)), use(X, other), 1e-5)


@pytest.mark.parametrize("use", INTEGER_OPERATORS, ids=lambda f: f.__name__)
def test_operators_of_integers(use: object) -> None:
    other = np.array([1, 2, 3], np.int32)
    same(use(jnp.asarray(N), other), use(N, other))
    same(use(jnp.asarray(N), 2), use(N, 2))
    same(use(5, jnp.asarray(other)), use(5, other))


def test_other_operators() -> None:
    x = jnp.asarray(X)
    same(-x, -X)
    same(+x, X)
    same(abs(x), abs(X))
    same(~jnp.asarray(N), ~N)
    same(x**2, X**2)
    same(2**x, 2**X)
    same(x @ X.T, X @ X.T)
    same(X @ x.T, X @ X.T)
    same(round(x, 1), np.round(X, 1))
    for found, expected in zip(divmod(x, 2), divmod(X, np.float32(2)), strict=True):
        same(found, expected)
    for found, expected in zip(divmod(7, jnp.asarray(N)), divmod(7, N), strict=True):
        same(found, expected)
    total = x
    total += 1
    same(total, X + 1)
    same(x, X)


def test_what_operators_do_not_take() -> None:
    x = jnp.asarray(X)
    for wrong in ("text", [1, 2, 3], None, object()):
        with pytest.raises(TypeError, match="unsupported operand"):
            x + wrong
    assert (x == "text") is False
    with pytest.raises(ImmutableError, match=r"x.at\[index\]"):
        x[0] = 1


class Other:
    """A stranger's class, which knows arrays."""

    def __radd__(self, other: object) -> str:
        return "mine"


def test_strangers_get_their_turn() -> None:
    assert jnp.asarray(X) + Other() == "mine"


METHODS = [
    ("sum", (), {}), ("sum", (0,), {}),
    ("mean", (), {"axis": 1}), ("std", (), {}), ("var", (), {"axis": 0}),
    ("max", (1,), {}),
    ("min", (), {"keepdims": True}), ("prod", (), {}), ("argmax", (), {}), ("argmin", (1,), {}), ("all", (), {}),
    ("any", (0,), {}), ("cumsum", (1,), {}), ("cumprod", (0,), {}), ("reshape", (3, 2), {}), ("reshape", ((6,),), {}),
    ("reshape", (-1,), {}), ("ravel", (), {}), ("flatten", (), {}), ("transpose", (), {}), ("transpose", (1, 0), {}),
    ("transpose", ((0, 1),), {}), ("swapaxes", (0, 1), {}), ("squeeze", (), {}), ("clip", (0, 1), {}),
    ("round", (), {}),
    ("take", (np.array([1, 0]),), {"axis": 1}), ("repeat", (2,), {"axis": 0}), ("dot", (X.T,), {}), ("conj", (), {}),
    ("diagonal", (), {}), ("trace", (), {}), ("ptp", (), {}), ("argsort", (1,), {}), ("astype", (np.int32,), {}),
    ("copy", (), {}), ("nonzero", (), {}), ("compress", (np.array([True, False]),), {"axis": 0}),
]


@pytest.mark.parametrize("name, args, kwargs", METHODS, ids=lambda v: v if isinstance(v, str) else None)
def test_methods(name: str, args: tuple, kwargs: dict) -> None:
    found = getattr(jnp.asarray(X), name)(*args, **kwargs)
    expected = getattr(np, name)(X, *args, **kwargs) if name == "ptp" else getattr(X, name)(*args, **kwargs)
    if name == "nonzero":
        for a, b in zip(found, expected, strict=True):
            same(a, b)
    else:
        same(found, expected)


def test_attributes() -> None:
    x = jnp.asarray(X + 1j * X)
    same(x.T, (X + 1j * X).T)
    same(x.mT, (X + 1j * X).T)
    same(x.real, X)
    same(x.imag, X)
    same(jnp.asarray(X).sort(), np.sort(X))
    assert [float(v) for v in jnp.asarray(X).flat] == X.ravel().tolist()
    same(jnp.asarray(X).view(jnp.int32), X.view(np.int32))
    assert jnp.asarray(X).__array_namespace__() is jnp


VIEWED = ["bool", "uint8", "int16", "float16", "int32", "float32", "complex64", "int64", "float64", "complex128"]


@pytest.mark.parametrize("own", VIEWED)
def test_views_are_numpys(own: str) -> None:
    host = (np.arange(48).reshape(3, 16) % (2 if own == "bool" else 100)).astype(own)
    if own.startswith("complex"):
        host = host + np.asarray(0.5j, own) * host[::-1]
    with olympus.enable_x64(True):
        x = jnp.asarray(host)
        for dtype in VIEWED[1:] if own != "bool" else VIEWED:
            wanted = host.view(dtype)
            for found in (x.view(dtype), olympus.jit(lambda x, dtype=dtype: x.view(dtype))(x),
                          olympus.vmap(lambda x, dtype=dtype: x.view(dtype))(x)):
                assert found.dtype == wanted.dtype and found.shape == wanted.shape
                np.testing.assert_array_equal(np.asarray(found).view(np.uint8), wanted.view(np.uint8))


def test_views_of_bools_and_parts() -> None:
    assert jnp.array([0, 1, 1], jnp.uint8).view(bool).tolist() == [False, True, True]
    x = jnp.array([1 + 2j, 3 - 4j], jnp.complex64)
    slope = olympus.grad(lambda x: (x.view(jnp.float32) ** 2).sum())(x)
    np.testing.assert_array_equal(slope, 2 * np.conj(np.asarray(x)))
    for wrong, dtype in ((jnp.ones(3), "complex64"), (jnp.complex64(1), "float32"),
                         (jnp.ones(3, "complex64"), "complex128")):
        with olympus.enable_x64(True), pytest.raises(ArgumentError, match="do not make up"):
            wrong.view(dtype)


def test_iteration_and_membership() -> None:
    rows = list(jnp.asarray(X))
    same(rows[1], X[1])
    assert 4.0 in jnp.asarray(X) and 9.0 not in jnp.asarray(X)
    a, b = olympus.jit(lambda x: tuple(row + 1 for row in x))(X)
    same(b, X[1] + 1)
    with pytest.raises(ArgumentError, match="no dimensions has no parts"):
        iter(jnp.asarray(1))


def test_numpy_functions_take_arrays() -> None:
    x = jnp.asarray(X)
    np.testing.assert_allclose(np.sin(x), np.sin(X), rtol=1e-6)
    assert float(np.sum(x)) == X.sum()
    assert isinstance(np.float32(2) * x, olympus.Array) and isinstance(X * x, olympus.Array)


def test_round_without_digits_gives_integers_as_of_pythons_numbers() -> None:
    x = jnp.array([2.5, -1.6])
    assert round(x).dtype == np.int32 and round(x).tolist() == [2, -2]
    assert round(x, 0).dtype == np.float32 and round(x, 0).tolist() == [2.0, -2.0]
    assert round(jnp.uint8(3)).dtype == np.int32


def test_copies() -> None:
    x = jnp.asarray(X)
    same(copy.copy(x), X)
    same(copy.deepcopy({"a": x})["a"], X)


def test_every_operator_is_there() -> None:
    names = {"add", "sub", "mul", "truediv", "floordiv", "mod", "divmod", "pow", "matmul", "and", "or", "xor", "lshift",
             "rshift"}
    for name in names:
        assert f"__{name}__" in vars(ArrayOperators) and f"__r{name}__" in vars(ArrayOperators)


@pytest.mark.parametrize("axes", [np.array([1, 2, 0]), jnp.array([1, 2, 0]), range(3), [np.int64(2), 0, 1]])
def test_transpose_takes_axes_of_any_sequence(axes: object) -> None:
    x = np.arange(24).reshape(2, 3, 4)
    expected = x.transpose(np.asarray(axes))
    np.testing.assert_array_equal(np.asarray(jnp.asarray(x).transpose(axes)), expected)
    np.testing.assert_array_equal(olympus.jit(lambda x: np.transpose(x, np.asarray(axes)))(x), expected)  # type: ignore[arg-type]
    assert jnp.ones(3).transpose(np.int32(0)).shape == jnp.ones(3).transpose(jnp.array(0)).shape == (3,)
