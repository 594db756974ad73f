# SPDX-License-Identifier: Apache-2.0
"""linear_call, closure_convert, custom_gradient, fwd_and_bwd."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import errors
from olympus.custom_derivatives import closure_convert, custom_gradient, linear_call

X = np.array([1.0, 2.0, 4.0], np.float32)


def _marked(x: Any, r: Any) -> Any:
    """Divides; the transpose multiplies by 7, so that it shows."""
    return linear_call(lambda r, x: x / r, lambda r, c: 7.0 * c, r, x)


def _transposed(f: Any, example: Any) -> Any:
    return lambda c: olympus.linear_transpose(f, example)(c)[0]


@pytest.mark.parametrize("place", [lambda f: f, olympus.jit])
def test_derivatives_of_linear_calls(place: Any) -> None:
    f = place(_marked)
    assert float(f(2.0, 4.0)) == 0.5
    assert [float(y) for y in olympus.jvp(lambda x: f(x, 4.0), (2.0,), (1.0,))] == [0.5, 0.25]
    assert float(olympus.grad(f)(2.0, 4.0)) == 7.0
    assert float(olympus.grad(olympus.grad(lambda x: f(x, 4.0) ** 2))(3.0)) == 3.5
    once = _transposed(lambda x: f(x, 4.0), 2.0)
    assert [float(once(1.0)), float(_transposed(once, 1.0)(1.0))] == [7.0, 0.25]
    np.testing.assert_array_equal(olympus.vmap(f)(X, 2 * X), [0.5] * 3)
    np.testing.assert_array_equal(olympus.vmap(olympus.grad(f))(X, 2 * X), [7.0] * 3)
    np.testing.assert_array_equal(olympus.grad(lambda x: olympus.vmap(f, (0, None))(x, 2.0).sum())(X), [7.0] * 3)


def test_trees_in_linear_calls() -> None:
    def f(x: Any) -> Any:
        return linear_call(lambda r, x: {"sum": r * (x[0] + x[1])}, lambda r, c: (r * c["sum"], r * c["sum"]), 3.0, x)

    assert float(f((1.0, 2.0))["sum"]) == 9.0
    assert [float(c) for c in _transposed(f, (1.0, 2.0))({"sum": 2.0})] == [6.0, 6.0]
    assert [float(c) for c in olympus.grad(lambda x, y: f((x, y))["sum"], (0, 1))(1.0, 2.0)] == [3.0, 3.0]


def test_linear_calls_that_do_not_fit() -> None:
    with pytest.raises(errors.CustomRuleError, match="residual_args"):
        olympus.grad(_marked, 1)(2.0, 4.0)
    with pytest.raises(errors.CustomRuleError, match="structure"):
        olympus.grad(lambda x: linear_call(lambda r, x: x, lambda r, c: (c, c), (), x))(1.0)
    with pytest.raises(errors.CustomRuleError, match="fit"):
        olympus.grad(lambda x: linear_call(lambda r, x: x, lambda r, c: jnp.ones(2), (), x))(1.0)
    with pytest.raises(errors.CustomRuleError, match="outside"):
        olympus.grad(lambda z: linear_call(lambda r, x: x * z, lambda r, c: c * z, (), 2.0))(1.0)


def test_what_a_function_uses_from_outside_becomes_arguments() -> None:
    counts: list[int] = []

    @functools.partial(olympus.custom_vjp, nondiff_argnums=(0,))
    def twice(f: Any, x: Any, *values: Any) -> Any:
        return f(f(x, *values), *values)

    def forward(f: Any, x: Any, *values: Any) -> Any:
        return twice(f, x, *values), (x, values)

    def backward(f: Any, kept: Any, c: Any) -> Any:
        x, values = kept
        return olympus.vjp(lambda x, *values: f(f(x, *values), *values), x, *values)[1](10.0 * c)

    twice.defvjp(forward, backward)

    def outer(z: Any) -> Any:
        n, w = np.arange(3), jnp.asarray(2.0)
        f, values = closure_convert(lambda x: (x * z * w * n).sum(), 1.0)
        counts.append(len(values))
        return twice(f, 5.0, *values)

    assert float(outer(2.0)) == 720.0
    for g in (olympus.grad(outer), olympus.jit(olympus.grad(outer)), olympus.grad(olympus.jit(outer))):
        assert float(g(2.0)) == 7200.0
    assert counts[0] == 0 and min(counts[1:]) >= 1

    f, values = closure_convert(lambda x: x + 1, jnp.ones(2))
    np.testing.assert_array_equal(f(jnp.zeros(2), *values), [1, 1])
    with pytest.raises(errors.ArgumentError, match="like its examples"):
        f((1.0, 2.0))
    with pytest.raises(errors.ArgumentError, match="like its examples"):
        f(jnp.zeros(2), 1.0)


def test_functions_that_give_their_gradient() -> None:
    f = custom_gradient(lambda x, y: (x * y, lambda c: [c * x * y, 10.0 * c * y]))
    for place in (lambda f: f, olympus.jit):
        assert float(place(f)(3.0, 2.0)) == 6.0
        assert [float(c) for c in olympus.grad(place(f), (0, 1))(3.0, 2.0)] == [6.0, 20.0]
        assert [float(c) for c in place(olympus.grad(f, (0, 1)))(3.0, 2.0)] == [6.0, 20.0]
    np.testing.assert_array_equal(olympus.vmap(olympus.grad(f))(X, 2 * X), 2 * X * X)
    one = custom_gradient(lambda x, scale=1.0: ({"y": x["x"] ** 2}, lambda c: ({"x": c["y"] * x["x"]}, None)))
    assert float(olympus.grad(lambda x: one(x, scale=3.0)["y"])({"x": 3.0})["x"]) == 3.0
    alone = custom_gradient(lambda x: (x, lambda c: 5.0 * c))
    assert float(olympus.grad(alone)(1.0)) == 5.0
    for bad in (lambda x: x, lambda x: (x, x)):
        with pytest.raises(errors.CustomRuleError, match="pair"):
            custom_gradient(bad)(1.0)


def test_two_passes() -> None:
    traced: list[str] = []

    def f(x: Any, y: Any) -> Any:
        traced.append("f")
        return jnp.sin(x) * y, {"x": x}

    for jitted in (True, False):
        traced.clear()
        fwd, bwd = olympus.fwd_and_bwd(f, argnums=(1, 0), has_aux=True, jitted=jitted)
        for n in range(3):
            result, residuals, aux = fwd(X + n, 2 * X)
            np.testing.assert_allclose(result, np.sin(X + n) * 2 * X, rtol=1e-6)
            np.testing.assert_array_equal(aux["x"], X + n)
            found = bwd(residuals, np.ones(3, np.float32))
            np.testing.assert_allclose(found[0], np.sin(X + n), rtol=1e-6)
            np.testing.assert_allclose(found[1], np.cos(X + n) * 2 * X, rtol=1e-6)
        assert len(traced) == (1 if jitted else 3)
    fwd, bwd = olympus.fwd_and_bwd(lambda x: x**2, argnums=0)
    assert float(bwd(fwd(3.0)[1], 1.0)) == 6.0
    with pytest.raises(errors.CotangentError):
        bwd(fwd(3.0)[1], jnp.ones(2))


def test_arguments_without_effect() -> None:
    for call in (lambda: olympus.vjp(jnp.sin, 1.0, reduce_axes=("i",)), lambda: olympus.grad(jnp.sin, reduce_axes="i"),
                 lambda: olympus.value_and_grad(jnp.sin, reduce_axes="i"),
                 lambda: olympus.linear_transpose(lambda x: x, 1.0, reduce_axes=("i",))):
        with pytest.raises(errors.NotSupportedError, match="reduce_axes"):
            call()
    assert float(olympus.vjp(jnp.sin, 0.0, reduce_axes=())[1](1.0)[0]) == 1.0
    assert olympus.jacobian is olympus.jacrev


def test_linear_functions_of_integers_have_transposes() -> None:
    back = olympus.linear_transpose(lambda x: 3 * x[::2] - x[1], jnp.arange(5))
    (found,) = back(jnp.arange(3))
    assert found.dtype == jnp.int32 and found.tolist() == [0, -3, 3, 0, 6]
    with pytest.raises(errors.TangentError):
        back(jnp.ones(3))
    (weights,) = olympus.linear_transpose(lambda x: jnp.array([[1, 2], [3, 4]]) @ x, jnp.arange(2))(jnp.array([1, 10]))
    assert weights.tolist() == [31, 42]
