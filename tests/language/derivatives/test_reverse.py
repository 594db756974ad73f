# SPDX-License-Identifier: Apache-2.0
"""grad, value_and_grad and vjp: what users pass, what they get, what they are told."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import errors

X = np.array([0.5, -1.0, 2.0], np.float32)


def test_a_number() -> None:
    slope = olympus.grad(lambda x: x ** 3)(2.0)
    assert float(slope) == 12.0 and slope.shape == () and slope.dtype == np.float32


@pytest.mark.parametrize("wrap", [lambda f: f, olympus.jit], ids=["plain", "jit"])
def test_containers_and_positions(wrap: Any) -> None:
    def f(p: Any, y: Any, *, scale: Any) -> Any:
        return scale * (p["a"] * y).sum() + (p["b"][0] ** 2).sum()

    p = {"a": X, "b": (2 * X, None)}
    first = wrap(olympus.grad(f))(p, X, scale=3.0)
    np.testing.assert_allclose(first["a"], 3 * X)
    np.testing.assert_allclose(first["b"][0], 4 * X)
    assert first["b"][1] is None
    both = wrap(olympus.grad(f, argnums=(1, 0)))(p, X, scale=3.0)
    np.testing.assert_allclose(both[0], 3 * X)
    np.testing.assert_allclose(both[1]["b"][0], 4 * X)
    last = olympus.grad(lambda a, b: a * b, argnums=-1)(2.0, 5.0)
    assert float(last) == 2.0


def test_values_and_what_is_given_beside() -> None:
    def f(x: Any) -> Any:
        y = jnp.sin(x)
        return y.sum(), {"y": y, "name": "sine"}

    (value, aux), slope = olympus.value_and_grad(f, has_aux=True)(X)
    np.testing.assert_allclose(value, np.sin(X).sum(), rtol=1e-6)
    np.testing.assert_allclose(aux["y"], np.sin(X), rtol=1e-6)
    assert aux["name"] == "sine" and isinstance(aux["y"], olympus.Array)
    np.testing.assert_allclose(slope, np.cos(X), rtol=1e-6)
    slope, aux = olympus.grad(f, has_aux=True)(X)
    np.testing.assert_allclose(slope, np.cos(X), rtol=1e-6)
    with pytest.raises(errors.ArgumentError, match="has_aux"):
        olympus.grad(lambda x: x, has_aux=True)(1.0)


def test_python_follows_values() -> None:
    def f(x: Any) -> Any:
        total = x * 0
        while total < 10:
            total = total + x * x
        return total if x > 0 else float(x) * x

    assert float(olympus.grad(f)(2.0)) == 12.0  # three times x * x
    assert olympus.grad(lambda x: x * int(x) if bool(x > 1) else x)(3.5) == 3.0
    with pytest.raises(errors.ConcretizationError):
        olympus.jit(olympus.grad(f))(2.0)
    with pytest.raises(errors.ConcretizationError):
        olympus.grad(olympus.jit(f))(2.0)


def test_what_has_no_effect_has_zero() -> None:
    slope = olympus.grad(lambda x, y: x.sum(), argnums=1)(X, X)
    np.testing.assert_array_equal(slope, np.zeros(3))
    assert float(olympus.grad(lambda x: 1.0)(2.0)) == 0.0
    assert float(olympus.grad(lambda x: jnp.floor(x))(2.5)) == 0.0


def test_integers() -> None:
    with pytest.raises(errors.GradientTypeError, match="argument 0.*'n'"):
        olympus.grad(lambda p: p["x"] * p["n"])({"x": 1.0, "n": 3})
    slopes = olympus.grad(lambda p: p["x"] * p["n"], allow_int=True)({"x": 2.0, "n": 3})
    assert float(slopes["x"]) == 3.0 and slopes["n"].dtype == np.dtype([("float0", np.void, 0)])
    _, back = olympus.vjp(lambda x, i: x[i], X, np.array([2, 0, 2]))
    found = back(np.ones(3, np.float32))
    np.testing.assert_array_equal(found[0], [1, 0, 2])
    assert found[1].shape == (3,) and found[1].dtype.itemsize == 0
    with pytest.raises(errors.GradientTypeError, match="the result"):
        olympus.grad(lambda x: jnp.int32(3))(1.0)


def test_only_numbers_have_gradients() -> None:
    with pytest.raises(errors.NonScalarLossError, match="float32\\[3\\]"):
        olympus.grad(lambda x: x * 2)(X)
    with pytest.raises(TypeError, match="one number"):
        olympus.grad(lambda x: (x, x))(1.0)
    with pytest.raises(errors.ArgumentError, match="grad: argument 1 holds"):
        olympus.grad(lambda x, y: x, argnums=1)(1.0, {"name": "text"})
    with pytest.raises(errors.ArgumentError, match="argnums"):
        olympus.grad(lambda x: x, argnums=1)(1.0)


def test_cotangents_that_do_not_fit() -> None:
    y, back = olympus.vjp(lambda x: {"s": jnp.sin(x), "n": x.sum()}, X)
    np.testing.assert_allclose(back({"s": X, "n": 1.0})[0], X * np.cos(X) + 1, rtol=1e-6)
    np.testing.assert_allclose(back({"s": 0 * X, "n": np.float32(2)})[0], [2, 2, 2])
    with pytest.raises(errors.CotangentError, match="'s'"):
        back({"s": np.ones(2, np.float32), "n": 1.0})
    with pytest.raises(ValueError, match="cotangent"):
        back((X, 1.0))
    with pytest.raises(errors.CotangentError):
        back({"s": X.astype(np.float16), "n": 1.0})


def test_several_results_of_one_value() -> None:
    _, back = olympus.vjp(lambda x: (x, x, 2 * x), 3.0)
    assert float(back((1.0, 10.0, 100.0))[0]) == 211.0


def test_complex_numbers() -> None:
    z = np.complex64(1 + 2j)
    np.testing.assert_allclose(olympus.grad(lambda z: z ** 2, holomorphic=True)(z), 2 * z, rtol=1e-6)
    found = olympus.grad(lambda z: jnp.abs(z) ** 2)(z)
    np.testing.assert_allclose(found, 2 * z.conjugate(), rtol=1e-6)  # what steepest descent conjugates
    with pytest.raises(errors.GradientTypeError, match="holomorphic"):
        olympus.grad(lambda z: z ** 2)(z)
    with pytest.raises(errors.GradientTypeError):
        olympus.grad(lambda z: z ** 2, holomorphic=True)(1.0)


def test_narrow_types_stay() -> None:
    for dtype in (jnp.bfloat16, jnp.float16):
        x = jnp.asarray(X, dtype)
        slope = olympus.grad(lambda x: (x @ x).astype(jnp.float32))(x)
        assert slope.dtype == x.dtype
        np.testing.assert_allclose(np.asarray(slope, np.float32), 2 * X)


def test_traced_values_do_not_escape() -> None:
    kept: list[Any] = []

    def f(x: Any) -> Any:
        kept.append(x)
        return x * x

    olympus.grad(f)(1.0)
    with pytest.raises(errors.LeakedTracerError):
        jnp.sin(kept[0])
    with pytest.raises(errors.LeakedTracerError):
        olympus.grad(lambda y: y * kept[0])(1.0)


def test_second_derivatives_in_any_nesting() -> None:
    f = lambda x: jnp.sin(x) * x ** 2
    x = 0.7
    exact = 2 * np.sin(x) + 4 * x * np.cos(x) - x ** 2 * np.sin(x)
    for second in (
        olympus.grad(olympus.grad(f)), olympus.jit(olympus.grad(olympus.grad(f))),
        olympus.grad(olympus.jit(olympus.grad(f))), olympus.grad(olympus.grad(olympus.jit(f))),
        lambda x: olympus.jvp(olympus.grad(f), (x,), (1.0,))[1],
        olympus.grad(lambda x: olympus.jvp(f, (x,), (1.0,))[1]),
        lambda x: olympus.jvp(lambda y: olympus.jvp(f, (y,), (1.0,))[1], (x,), (1.0,))[1],
        lambda x: olympus.vmap(olympus.grad(olympus.grad(f)))(jnp.full(2, x))[0],
        lambda x: olympus.grad(lambda y: olympus.vmap(olympus.grad(f))(jnp.full(2, y)).sum())(x) / 2,
    ):
        np.testing.assert_allclose(second(x), exact, rtol=1e-5)


def test_values_of_different_levels_do_not_mix() -> None:
    # d/dx (x * d/dy (x + y)) = 1, which confused levels make 2.
    assert float(olympus.grad(lambda x: x * olympus.grad(lambda y: x + y)(1.0))(1.0)) == 1.0


def test_arguments_are_constants_of_inner_functions() -> None:
    def f(x: Any) -> Any:
        inner = olympus.jit(lambda y: y * x)
        return inner(x) + inner(2.0)

    assert float(olympus.grad(f)(3.0)) == 8.0
    assert float(olympus.jit(olympus.grad(f))(3.0)) == 8.0


def test_stop_gradient() -> None:
    f = lambda x: olympus.lax.stop_gradient(x) * x
    for g in (olympus.grad(f), olympus.jit(olympus.grad(f)), olympus.grad(olympus.jit(f))):
        assert float(g(3.0)) == 3.0
    assert float(olympus.grad(olympus.grad(lambda x: f(x) * x))(3.0)) == 6.0
    assert float(olympus.grad(lambda x: olympus.vmap(f)(jnp.full(4, x)).sum())(2.0)) == 8.0
    tree = olympus.lax.stop_gradient({"a": 1, "b": X})
    assert tree["a"] == 1


def test_updates_and_indexing() -> None:
    def f(x: Any) -> Any:
        y = jnp.zeros(5).at[jnp.array([0, 2, 2])].add(x).at[4].set(x[0] ** 2)
        return (y[::2] * jnp.arange(1.0, 4.0)).sum()

    np.testing.assert_allclose(olympus.grad(f)(jnp.asarray(X)), [1 + 3 * 2 * 0.5, 2, 2])
    overwritten = olympus.grad(lambda x: jnp.zeros(2).at[jnp.array([1, 1, 0])].set(x).sum())(jnp.asarray(X))
    np.testing.assert_array_equal(overwritten, [0, 1, 1])  # of two the last one stays


def test_relu_is_flat_at_zero_and_maximum_is_not() -> None:
    assert float(olympus.grad(olympus.nn.relu)(0.0)) == 0.0
    assert float(olympus.grad(lambda x: jnp.maximum(x, 0.0))(0.0)) == 0.5
    slope = olympus.grad(lambda x: olympus.nn.logsumexp(jnp.stack([x, jnp.float32(-np.inf)])))(1.0)
    assert float(slope) == 1.0


def test_callbacks_are_refused_by_name() -> None:
    def f(x: Any) -> Any:
        return olympus.pure_callback(np.sin, olympus.ShapeDtypeStruct((), np.float32), x)

    with pytest.raises(errors.NotSupportedError, match="callback"):
        olympus.grad(f)(1.0)
    assert float(olympus.grad(lambda x: x * f(olympus.lax.stop_gradient(x)))(1.0)) == pytest.approx(np.sin(1.0))


def test_what_a_function_prints_of_its_values() -> None:
    seen: list[str] = []
    olympus.grad(lambda x: (seen.append(repr(x)), x * x)[1])(2.0)
    assert "2." in seen[0]
