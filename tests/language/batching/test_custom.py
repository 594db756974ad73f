# SPDX-License-Identifier: Apache-2.0
"""Functions with a rule of their own for vmap."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.custom_batching import custom_vmap, sequential_vmap
from olympus_core.errors import CustomRuleError, NotSupportedError

X, Y = np.arange(4, dtype=np.float32), np.arange(4, dtype=np.float32) * 0.5 + 1


def _tagged() -> tuple[Any, list[Any]]:
    """A product, ten times as large where the rule made it, and what the rule was given."""
    calls: list[Any] = []

    @custom_vmap
    def product(x: Any, y: Any = 2.0) -> dict[str, Any]:
        return {"product": x * y, "x": x}

    @product.def_vmap
    def rule(axis_size: int, in_batched: list[bool], x: Any, y: Any) -> Any:
        calls.append((axis_size, in_batched))
        return {"product": 10 * x * y, "x": x}, {"product": any(in_batched), "x": in_batched[0]}

    return product, calls


@pytest.mark.parametrize("jitted", [False, True])
def test_the_rule_is_used_by_vmap_alone(jitted: bool) -> None:
    product, calls = _tagged()
    own = olympus.jit(product) if jitted else product
    assert float(own(3.0, 4.0)["product"]) == 12 and float(own(3.0)["product"]) == 6
    found = olympus.vmap(own, in_axes=(0, None))(X, 2.0)
    np.testing.assert_array_equal(found["product"], 20 * X)
    np.testing.assert_array_equal(found["x"], X)
    found = olympus.vmap(own, in_axes=(None, 0), out_axes={"product": 0, "x": None})(3.0, Y)
    np.testing.assert_array_equal(found["product"], 30 * Y)
    assert float(found["x"]) == 3
    assert calls == [(4, [True, False]), (4, [False, True])]
    np.testing.assert_array_equal(olympus.vmap(lambda x: own(3.0, 4.0)["product"])(X), np.full(4, 12.0))


def test_mapped_twice_the_rule_gets_the_inner_dimension() -> None:
    product, calls = _tagged()
    found = olympus.vmap(olympus.vmap(lambda x, y: product(x, y)["product"]), in_axes=(0, None))(
        np.ones((2, 4), np.float32), Y)
    np.testing.assert_array_equal(found, np.stack([10 * Y] * 2))
    assert calls == [(4, [True, True])]


def test_in_loops_and_branches() -> None:
    product, _ = _tagged()

    def looped(x: Any) -> Any:
        return lax.scan(lambda c, _: (product(c, 2.0)["product"], None), x, None, length=2)[0]

    np.testing.assert_array_equal(looped(X[1]), 4 * X[1])
    np.testing.assert_array_equal(olympus.jit(olympus.vmap(looped))(X), 400 * X)
    chosen = olympus.vmap(lambda x: lax.cond(True, lambda v: product(v, 2.0)["product"], lambda v: v, x))
    np.testing.assert_array_equal(chosen(X), 20 * X)


def test_forward_derivatives_follow_the_rule() -> None:
    product, _ = _tagged()

    def f(x: Any, y: Any) -> Any:
        return product(x, y)["product"]

    assert [float(v) for v in olympus.jvp(f, (3.0, 4.0), (1.0, 0.5))] == [12.0, 5.5]
    mapped = olympus.vmap(lambda x, y, t: olympus.jvp(f, (x, y), (t, 1.0)), in_axes=(0, None, 0))
    values, changes = mapped(X, 2.0, Y)
    np.testing.assert_allclose(values, 20 * X)
    np.testing.assert_allclose(changes, 10 * (2 * Y + X))
    _, changes = olympus.jvp(olympus.vmap(f), (X, Y), (Y, X))
    np.testing.assert_allclose(changes, 10 * (Y * Y + X * X))
    only_one = olympus.vmap(lambda x: olympus.jvp(lambda v: f(v, 3.0), (2.0,), (x,))[1])
    np.testing.assert_allclose(only_one(X), 30 * X)

    def slope(g: Any) -> Any:
        return lambda v: olympus.jvp(g, (v,), (1.0,))[1]

    np.testing.assert_allclose(olympus.vmap(slope(slope(lambda v: f(v, v))))(X), np.full(4, 20.0))


def test_reverse_derivatives_of_the_mapped_function_and_not_of_others() -> None:
    product, _ = _tagged()
    slopes = olympus.grad(lambda x: jnp.sum(olympus.vmap(product)(x, Y)["product"]))(X)
    np.testing.assert_allclose(slopes, 10 * Y)
    with pytest.raises(NotSupportedError, match="custom_vjp"):
        olympus.grad(lambda x: product(x, 2.0)["product"])(1.0)


def test_with_a_derivative_outside() -> None:
    inner, _ = _tagged()
    outer = olympus.custom_vjp(lambda x: inner(x, 2.0)["product"])
    outer.defvjp(lambda x: (outer(x), None), lambda kept, c: (7 * c,))
    np.testing.assert_array_equal(olympus.vmap(outer)(X), 20 * X)
    np.testing.assert_array_equal(olympus.vmap(olympus.grad(outer))(X), np.full(4, 7.0))


def test_a_rule_that_calls_the_function() -> None:
    @custom_vmap
    def norm(x: Any) -> Any:
        return jnp.sqrt(jnp.sum(x * x))

    @norm.def_vmap
    def rule(axis_size: int, in_batched: list[bool], x: Any) -> Any:
        return jnp.stack([norm(x[i]) for i in range(axis_size)]), True

    x = np.arange(12, dtype=np.float32).reshape(4, 3)
    np.testing.assert_allclose(olympus.jit(olympus.vmap(norm))(x), np.linalg.norm(x, axis=1), rtol=1e-6)


@pytest.mark.parametrize(("rule", "problem"), [
    (None, "no rule"),
    (lambda n, b, x: x, "a pair"),
    (lambda n, b, x: ((x, x), True), "another structure"),
    (lambda n, b, x: (x, (True, True)), "out_batched"),
    (lambda n, b, x: (x, "yes"), "out_batched"),
    (lambda n, b, x: (x[:2], True), "does not fit"),
    (lambda n, b, x: (x, False), "does not fit"),
    (lambda n, b, x: (x.astype("int32"), True), "does not fit"),
])
def test_a_wrong_rule_is_an_error(rule: Any, problem: str) -> None:
    f = custom_vmap(lambda x: x)
    if rule is not None:
        f.def_vmap(rule)
    with pytest.raises(CustomRuleError, match=problem):
        olympus.vmap(f)(X)


def test_a_mapped_value_from_outside_is_an_error() -> None:
    def mapped(x: Any) -> Any:
        f = custom_vmap(lambda y: x * y)
        f.def_vmap(lambda n, b, y: (y, True))
        return f(x)

    with pytest.raises(CustomRuleError, match="from outside"):
        olympus.vmap(mapped)(X)


def test_one_index_after_another() -> None:
    seen: list[float] = []

    @sequential_vmap
    def f(x: Any, y: Any) -> Any:
        olympus.debug.callback(lambda v: seen.append(float(v)), x, ordered=True)
        return {"sum": x + y}

    np.testing.assert_array_equal(olympus.vmap(f, in_axes=(0, None))(X, 2.0)["sum"], X + 2)
    np.testing.assert_array_equal(olympus.jit(olympus.vmap(f))(X, Y)["sum"], X + Y)
    olympus.block_until_ready(f(5.0, 1.0))
    assert seen == [*X, *X, 5.0]
    _, change = olympus.jvp(olympus.vmap(lambda x: sequential_vmap(jnp.sin)(x)), (X,), (Y,))
    np.testing.assert_allclose(change, np.cos(X) * Y, rtol=1e-6)
