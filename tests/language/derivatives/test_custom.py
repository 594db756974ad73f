# SPDX-License-Identifier: Apache-2.0
"""custom_jvp and custom_vjp: rules of users, wherever the function stands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import errors, lax

X = np.array([0.5, -1.0, 2.0], np.float32)


@olympus.custom_jvp
def marked_sin(x: Any) -> Any:
    return jnp.sin(x)


@marked_sin.defjvp
def _marked(primals: Any, tangents: Any) -> Any:
    (x,), (t,) = primals, tangents
    return marked_sin(x), 10.0 * t * jnp.cos(x)  # ten times too much, so that the rule shows


@olympus.custom_vjp
def marked_mul(x: Any, y: Any) -> Any:
    """Multiplies."""
    return x * y


marked_mul.defvjp(lambda x, y: (x * y, (x, y)), lambda kept, c: (10.0 * c * kept[1], 100.0 * c * kept[0]))


def plain(f: Any) -> Any:
    return f


def in_scan(f: Callable[[Any], Any]) -> Any:
    return lambda x: lax.scan(lambda c, _: (c, f(c)), x, None, length=1)[1][0]


def in_cond(f: Callable[[Any], Any]) -> Any:
    return lambda x: lax.cond(jnp.sum(x) > -1e9, f, lambda x: x, x)


def in_vmap(f: Callable[[Any], Any]) -> Any:
    return lambda x: olympus.vmap(f)(jnp.stack([x, x]))[1]


def in_shard_map(f: Callable[[Any], Any]) -> Any:
    mesh = olympus.make_mesh((8,), ("x",))
    return olympus.shard_map(f, mesh=mesh, in_specs=olympus.P(), out_specs=olympus.P())


PLACES = [plain, olympus.jit, in_scan, in_cond, in_vmap, olympus.checkpoint, in_shard_map,
          lambda f: in_scan(in_vmap(olympus.jit(f))), lambda f: olympus.checkpoint(in_scan(olympus.checkpoint(f)))]


@pytest.mark.parametrize("place", PLACES)
def test_the_rule_is_used_everywhere(place: Any) -> None:
    sine = place(marked_sin)
    for wrap in (plain, olympus.jit):
        np.testing.assert_allclose(wrap(olympus.grad(lambda x: sine(x).sum()))(X), 10 * np.cos(X), rtol=1e-5)
        np.testing.assert_allclose(wrap(lambda x: olympus.jvp(sine, (x,), (x,))[1])(X), 10 * X * np.cos(X), rtol=1e-5)
        product = place(lambda x: marked_mul(x, 2 * x))
        np.testing.assert_allclose(wrap(olympus.grad(lambda x: product(x).sum()))(X), 20 * X + 200 * X, rtol=1e-5)
        np.testing.assert_allclose(wrap(product)(X), 2 * X * X, rtol=1e-6)
    with pytest.raises(errors.ForwardModeError, match="marked_mul"):
        olympus.jvp(product, (X,), (X,))


def test_second_derivatives_are_those_of_the_rule() -> None:
    assert float(olympus.grad(olympus.grad(marked_sin))(1.0)) == pytest.approx(-10 * np.sin(1.0))
    second = olympus.grad(lambda x: olympus.grad(marked_mul)(x, x * x))(3.0)
    assert float(second) == pytest.approx(60.0)  # of 10 y, with y = x * x
    forward_over = olympus.jvp(olympus.grad(marked_mul, argnums=1), (3.0, 2.0), (1.0, 0.0))[1]
    assert float(forward_over) == 100.0


def test_mapped_rules_sum_what_is_shared() -> None:
    f = lambda x, y: olympus.vmap(marked_mul, (0, None))(x, y).sum()
    of_x, of_y = olympus.grad(f, (0, 1))(X, 2.0)
    np.testing.assert_allclose(of_x, 20.0 + 0 * X)
    np.testing.assert_allclose(of_y, 100 * X.sum(), rtol=1e-6)
    twice = lambda x, y: olympus.vmap(lambda a: olympus.vmap(marked_mul, (None, 0))(a, y))(x).sum()
    of_x, of_y = olympus.jit(olympus.grad(twice, (0, 1)))(X, X)
    np.testing.assert_allclose(of_x, 10 * X.sum() + 0 * X, rtol=1e-5)
    np.testing.assert_allclose(of_y, 100 * X.sum() + 0 * X, rtol=1e-5)


def test_containers_and_arguments_that_are_python_values() -> None:
    class Function:
        def __init__(self, factor: float) -> None:
            self.factor = factor

    seen: list[Any] = []

    def power(p: Any, kind: Any, n: int = 2) -> Any:
        return {"y": p["x"] ** n, "n": p["i"]}

    wrapped = olympus.custom_vjp(power, nondiff_argnums=(1, 2))

    def fwd(p: Any, kind: Any, n: int) -> Any:
        return power(p, kind, n), (p, n, "text", None)

    def bwd(kind: Any, n: int, kept: Any, c: Any) -> Any:
        seen.append((kind.factor, n, kept[1:], c["n"].dtype))
        return ({"x": kind.factor * c["y"] * kept[0]["x"], "i": None, "none": None},)

    wrapped.defvjp(fwd, bwd)
    f = lambda x: wrapped({"x": x, "i": 3, "none": None}, Function(7.0), n=3)["y"].sum()
    np.testing.assert_allclose(olympus.grad(f)(X), 7 * X)
    assert seen[0][:3] == (7.0, 3, (3, "text", None))
    np.testing.assert_allclose(olympus.jit(olympus.grad(f))(X), 7 * X)


@olympus.custom_vjp
def _of_a_tree(p: Any) -> Any:
    return p["a"][0] * p["a"][1] + p["b"]


@pytest.mark.parametrize(("cotangents", "expected"), [
    (lambda g: {"a": 2 * g, "b": g}, {"a": (2, 2), "b": 1}), (lambda g: {"a": None, "b": g}, {"a": (0, 0), "b": 1}),
    (lambda g: g, {"a": (1, 1), "b": 1}), (lambda g: {"a": (g, None), "b": 3 * g}, {"a": (1, 0), "b": 3}),
])
def test_a_cotangent_may_stand_for_a_whole_container(cotangents: Any, expected: Any) -> None:
    _of_a_tree.defvjp(lambda p: (_of_a_tree(p), None), lambda _, g: (cotangents(g),))
    for place in (lambda f: f, olympus.jit):
        found = place(olympus.grad(_of_a_tree))({"a": (1.0, 2.0), "b": 3.0})
        assert olympus.tree.map(float, found) == expected
    _of_a_tree.defvjp(lambda p: (_of_a_tree(p), None), lambda _, g: ({"a": (g,), "b": g},))
    with pytest.raises(errors.CustomRuleError, match="another structure"):
        olympus.grad(_of_a_tree)({"a": (1.0, 2.0), "b": 3.0})


class _Made:
    """A container that knows the trace in which it was made."""

    def __init__(self, value: Any) -> None:
        self.value, self.trace = value, olympus.extend.core.get_opaque_trace_state()

    def is_at_home(self) -> bool:
        return self.trace == olympus.extend.core.get_opaque_trace_state()


olympus.tree_util.register_pytree_node(_Made, lambda box: ((box.value,), None), lambda _, leaves: _Made(*leaves))


def test_containers_that_a_rule_gets_are_of_its_own_trace() -> None:
    seen: list[bool] = []

    def forward(box: _Made) -> tuple[_Made, _Made]:
        result = twice(box)
        seen.extend([box.is_at_home(), result.is_at_home()])
        return result, box

    def backward(kept: _Made, g: _Made) -> tuple[_Made]:
        seen.extend([kept.is_at_home(), g.is_at_home()])
        return (_Made(2 * g.value),)

    def tangents(primals: Any, tangents: Any) -> tuple[_Made, _Made]:
        result = twice_forward(*primals)
        seen.extend([primals[0].is_at_home(), tangents[0].is_at_home(), result.is_at_home()])
        return result, _Made(2 * tangents[0].value)

    twice: Any = olympus.custom_vjp(lambda box: _Made(box.value * 2))
    twice.defvjp(forward, backward)
    twice_forward: Any = olympus.custom_jvp(lambda box: _Made(box.value * 2))
    twice_forward.defjvp(tangents)
    for function in (twice, twice_forward):
        for place in (lambda f: f, olympus.jit):
            assert float(place(olympus.grad(lambda box, f=function: f(box).value))(_Made(1.0)).value) == 2
    assert len(seen) >= 12 and all(seen)


def test_nondiff_argnums_of_custom_jvp_and_rules_for_each_argument() -> None:
    f = olympus.custom_jvp(lambda g, x: g(x), nondiff_argnums=(0,))
    f.defjvp(lambda g, primals, tangents: (f(g, primals[0]), 3.0 * tangents[0]))
    assert float(olympus.jit(olympus.grad(lambda x: f(jnp.sin, x)))(1.0)) == 3.0
    h = olympus.custom_jvp(lambda x, y, z: x * y + z)
    h.defjvps(lambda t, result, x, y, z: t * y * 2, None, lambda t, result, x, y, z: t * result)
    assert [float(g) for g in olympus.grad(h, argnums=(0, 1, 2))(2.0, 3.0, 4.0)] == [6.0, 0.0, 10.0]
    assert float(olympus.grad(h)(x_named := 2.0, 3.0, z=4.0)) == 6.0 and x_named


def test_python_follows_values_in_rules() -> None:
    f = olympus.custom_vjp(lambda x: x if x > 0 else -x)
    f.defvjp(lambda x: (abs(float(x)), bool(x > 0)), lambda positive, c: (c * (5.0 if positive else -5.0),))
    assert float(olympus.grad(f)(2.0)) == 5.0 and float(olympus.grad(f)(-2.0)) == -5.0


def test_methods() -> None:
    class Layer:
        @olympus.custom_jvp
        def double(self, x: Any = 1.0) -> Any:
            return 2 * x

        @olympus.custom_vjp
        def twice(self, x: Any) -> Any:
            return 2 * x

    assert float(Layer().double(3.0)) == 6.0
    assert float(Layer().twice(3.0)) == 6.0
    assert marked_mul.__doc__ == "Multiplies." and marked_mul.__name__ == "marked_mul"


def test_rules_that_do_not_fit() -> None:
    f = olympus.custom_vjp(lambda x: x)
    with pytest.raises(errors.CustomRuleError, match="no rule"):
        olympus.grad(f)(1.0)
    f.defvjp(lambda x: x, lambda kept, c: (c,))
    with pytest.raises(errors.CustomRuleError, match="fwd"):
        olympus.grad(f)(1.0)
    f.defvjp(lambda x: (x, None), lambda kept, c: c)
    with pytest.raises(errors.CustomRuleError, match="tuple"):
        olympus.grad(f)(1.0)
    f.defvjp(lambda x: (x, None), lambda kept, c: (jnp.ones(2),))
    with pytest.raises(errors.CustomRuleError, match="fit"):
        olympus.grad(f)(1.0)
    g = olympus.custom_jvp(lambda x: x)
    with pytest.raises(errors.CustomRuleError, match="no rule"):
        olympus.grad(g)(1.0)
    g.defjvp(lambda primals, tangents: (primals[0], jnp.ones(3)))
    with pytest.raises(errors.CustomRuleError, match="fit"):
        olympus.jvp(g, (1.0,), (1.0,))
    g.defjvp(lambda primals, tangents: (primals[0], jnp.sin(tangents[0])))
    with pytest.raises(errors.NotLinearError, match="sin"):
        olympus.grad(g)(1.0)


def test_values_from_outside_must_be_constants() -> None:
    def f(y: Any) -> Any:
        inner = olympus.custom_vjp(lambda x: x * y)
        inner.defvjp(lambda x: (x * y, None), lambda kept, c: (c * 3.0,))
        return olympus.jit(lambda: in_scan(inner)(2.0))()

    with pytest.raises(errors.CustomRuleError, match="outside"):
        olympus.grad(f)(5.0)
    constant = jnp.asarray(4.0)
    g = olympus.custom_vjp(lambda x: x * constant)
    g.defvjp(lambda x: (x * constant, constant), lambda kept, c: (c * kept,))
    for place in PLACES:
        assert float(olympus.jit(olympus.grad(place(g)))(2.0)) == 4.0


def test_what_does_not_depend_on_its_argument() -> None:
    f = olympus.custom_jvp(lambda x: x)
    f.defjvp(lambda primals, tangents: (primals[0], jnp.zeros_like(primals[0])))
    assert float(olympus.grad(f)(1.0)) == 0.0 and float(olympus.jvp(f, (1.0,), (1.0,))[1]) == 0.0


def test_arguments_that_are_not_differentiated_are_named() -> None:
    def power(x: Any, n: int, scale: Any) -> Any:
        return scale * x**n

    f = olympus.custom_jvp(power, nondiff_argnames=("n",))
    f.defjvp(lambda n, primals, tangents: (power(primals[0], n, primals[1]), 100.0 * n * tangents[0]))
    g = olympus.custom_vjp(power, nondiff_argnames="n")
    g.defvjp(lambda x, n, scale: (power(x, n, scale), None), lambda n, kept, c: (100.0 * n * c, None))
    for function in (f, g):
        for place in PLACES:
            assert float(olympus.grad(place(lambda x: function(x, n=3, scale=2.0)))(2.0)) == 300.0
    with pytest.raises(errors.ArgumentError, match="nondiff_argnames names no parameter"):
        olympus.custom_vjp(power, nondiff_argnames=("m",))


def test_rules_are_given_arrays() -> None:
    """Not NumPy's, whose methods are others."""
    f = olympus.custom_vjp(lambda x: x)
    f.defvjp(lambda x: (x, None), lambda kept, c: (c.at[...].multiply(2.0),))
    for place in PLACES:
        assert float(olympus.grad(place(f))(1.0)) == 2.0


@pytest.mark.parametrize("around", [
    lambda f: f, olympus.jit, olympus.checkpoint, lambda f: lambda x, s: olympus.vmap(f)(x[None], s[None])[0],
    lambda f: lambda x, s: lax.cond(x > 0, f, f, x, s),
], ids=["plain", "jit", "checkpoint", "vmap", "cond"])
def test_a_rule_is_asked_though_a_rule_after_it_gives_zero(around: Any) -> None:
    """As training in eight bits hands on the largest values that it has seen: by a cotangent that depends on none."""
    asked = []

    @olympus.custom_vjp
    def measured(x: Any, largest: Any) -> tuple[Any, Any]:
        return x * 2, largest

    def back(kept: Any, cotangents: Any) -> Any:
        asked.append(cotangents)
        return cotangents[0], jnp.float32(7.0)

    measured.defvjp(lambda x, largest: ((x * 2, largest), None), back)

    @olympus.custom_vjp
    def ends(x: Any, y: Any, largest: Any) -> Any:
        return y * 3 + 0 * largest

    ends.defvjp(lambda x, y, largest: (y * 3 + 0 * largest, None), lambda kept, c: (c, None, None))

    def f(x: Any, largest: Any) -> Any:
        y, same = measured(x, largest)
        return ends(x, y * jnp.inf, same)  # what is between takes no part: zero times infinity is no number

    x, largest = np.float32(3), np.float32(4)
    assert list(map(float, olympus.grad(around(f), (0, 1))(x, largest))) == [1.0, 7.0]
    assert list(map(float, olympus.jit(olympus.grad(around(f), (0, 1)))(x, largest))) == [1.0, 7.0]
    assert asked
    asked.clear()
    assert olympus.grad(lambda x, s: around(lambda x, s: (measured(x, s), x * s)[1])(x, s))(x, largest) == 4.0
    assert not asked  # nothing depends on its results
