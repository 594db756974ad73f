# SPDX-License-Identifier: Apache-2.0
"""Rules of users are traced once for each way to differentiate a call in a program, and give what they give anew."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.extend.core import jaxpr_as_fun

X = np.linspace(0.1, 1.0, 5).astype(np.float32)


def reverse(calls: list[str], symbolic_zeros: bool = False) -> Any:
    """x sin(y) with a rule that goes backwards; `calls` is told of each time that its way forward runs."""
    @olympus.custom_vjp
    def f(x: Any, y: Any) -> Any:
        return x * jnp.sin(y)

    def fwd(x: Any, y: Any) -> Any:
        calls.append("fwd")
        if symbolic_zeros:
            x, y = x.value, y.value
        return f(x, y), (x, y, 1)

    def bwd(kept: Any, c: Any) -> Any:
        x, y, one = kept
        return c * jnp.sin(y) * one, c * x * jnp.cos(y)

    f.defvjp(fwd, bwd, symbolic_zeros=symbolic_zeros)
    return f


def forward(calls: list[str]) -> Any:
    @olympus.custom_jvp
    def f(x: Any, y: Any) -> Any:
        return x * jnp.sin(y)

    @f.defjvp
    def rule(primals: Any, tangents: Any) -> Any:
        calls.append("jvp")
        (x, y), (s, t) = primals, tangents
        return f(x, y), s * jnp.sin(y) + x * jnp.cos(y) * t

    return f


KINDS: dict[str, Callable[[list[str]], Any]] = {
    "reverse": reverse, "symbolic zeros": lambda calls: reverse(calls, True), "forward": forward}


@pytest.mark.parametrize("kind", KINDS)
def test_a_program_that_is_differentiated_again_has_its_rule_run_once_for_each_way(kind: str) -> None:
    calls: list[str] = []
    f = KINDS[kind](calls)
    g = jaxpr_as_fun(olympus.make_jaxpr(lambda x, y: f(x, y).sum())(X, X))
    both = olympus.jit(lambda x, y: (olympus.grad(lambda x: g(x, y)[0])(x), olympus.grad(lambda y: g(x, y)[0])(y)))

    def several(x: Any, y: Any) -> Any:
        return [both(x, y), both(2 * x, y), olympus.grad(lambda x: g(x, x)[0])(x)]

    found = olympus.jit(several)(X, X)
    assert len(calls) == (1 if kind == "reverse" else 3)  # by x, by y, by both, where the rule is told
    for (by_x, by_y), scale in zip(found[:2], (1, 2), strict=True):
        np.testing.assert_allclose(by_x, np.sin(X), rtol=1e-6)
        np.testing.assert_allclose(by_y, scale * X * np.cos(X), rtol=1e-5)
    np.testing.assert_allclose(found[2], np.sin(X) + X * np.cos(X), rtol=1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_the_second_derivative_and_vmap_are_those_of_the_rule(kind: str) -> None:
    f = KINDS[kind]([])
    g = jaxpr_as_fun(olympus.make_jaxpr(f)(jnp.float32(1), jnp.float32(1)))

    def second(x: Any) -> Any:
        return olympus.grad(olympus.grad(lambda y: g(x, y)[0]))(x)

    for _ in range(2):
        np.testing.assert_allclose(olympus.jit(olympus.vmap(second))(X), -X * np.sin(X), rtol=1e-5)


def test_another_rule_counts_from_then_on() -> None:
    f = olympus.custom_vjp(lambda x: 2 * x)
    f.defvjp(lambda x: (2 * x, None), lambda kept, c: (c,))
    g = jaxpr_as_fun(olympus.make_jaxpr(f)(jnp.float32(1)))
    assert olympus.jit(olympus.grad(lambda x: g(x)[0]))(1.0) == 1
    f.defvjp(lambda x: (2 * x, None), lambda kept, c: (5 * c,))
    assert olympus.jit(olympus.grad(lambda x: g(x)[0] + 0 * x))(1.0) == 5
    h = olympus.custom_jvp(lambda x: 2 * x)
    h.defjvp(lambda primals, tangents: (h(*primals), tangents[0]))
    g = jaxpr_as_fun(olympus.make_jaxpr(h)(jnp.float32(1)))
    assert olympus.jit(olympus.grad(lambda x: g(x)[0]))(1.0) == 1
    h.defjvp(lambda primals, tangents: (h(*primals), 5 * tangents[0]))
    assert olympus.jit(olympus.grad(lambda x: g(x)[0] + 0 * x))(1.0) == 5


def test_host_arrays_of_rules_are_read_when_they_have_changed() -> None:
    scale = np.ones(5, np.float32)
    f = olympus.custom_vjp(lambda x: x)
    f.defvjp(lambda x: (x, scale * x), lambda kept, c: (c * kept,))
    g = jaxpr_as_fun(olympus.make_jaxpr(f)(X))
    np.testing.assert_array_equal(olympus.jit(olympus.grad(lambda x: g(x)[0].sum()))(X), X)
    scale[:] = 3
    for zero in (0, 0.0):
        np.testing.assert_array_equal(olympus.jit(olympus.grad(lambda x, z=zero: g(x)[0].sum() + z * x[0]))(X), 3 * X)


def test_a_rule_that_keeps_values_of_its_trace_in_an_object_runs_each_time() -> None:
    class Kept:
        def __init__(self, x: Any) -> None:
            self.x = x

    calls: list[int] = []

    def fwd(x: Any) -> Any:
        calls.append(1)
        return x**2, Kept(x)

    f = olympus.custom_vjp(lambda x: x**2)
    f.defvjp(fwd, lambda kept, c: (2 * kept.x * c,))
    g = jaxpr_as_fun(olympus.make_jaxpr(f)(X))
    for scale in (1, 2, 3):
        found = olympus.jit(lambda x, scale=scale: olympus.grad(lambda x: g(x * scale)[0].sum())(x))(X)
        np.testing.assert_allclose(found, 2 * scale**2 * X, rtol=1e-6)
    assert len(calls) >= 3


def test_weak_results_of_rules_stay_weak() -> None:
    f = olympus.custom_jvp(lambda x: x * 2)
    f.defjvp(lambda primals, tangents: (primals[0] * 2, tangents[0] * 2))
    g = jaxpr_as_fun(olympus.make_jaxpr(f)(1.0))
    found = olympus.jit(lambda x: olympus.value_and_grad(lambda x: f(x))(x)[0])(1.0)
    assert found.weak_type
    found = olympus.jit(lambda x: [olympus.jvp(lambda x: g(x)[0], (x,), (x,))[0] for _ in range(2)])(1.0)
    assert [x.dtype for x in found] == [jnp.float32] * 2


def test_a_jitted_function_is_not_traced_again_to_be_differentiated_inside_of_another() -> None:
    calls: list[int] = []

    @olympus.jit
    def f(x: Any, power: int) -> Any:
        calls.append(1)
        return lax.cond(x.sum() > 0, lambda: (x**power).sum(), lambda: x.sum()), {"twice": x * 2}

    first = f(X, 3)
    assert len(calls) == 1
    step = olympus.jit(lambda x: olympus.value_and_grad(lambda x: f(x, 3), has_aux=True)(x))
    (value, aux), gradient = step(X)
    assert len(calls) == 1
    np.testing.assert_allclose(value, first[0], rtol=1e-6)
    np.testing.assert_array_equal(aux["twice"], 2 * X)
    np.testing.assert_allclose(gradient, 3 * X**2, rtol=1e-5)
    hessian = olympus.jit(lambda x: olympus.hessian(lambda x: f(x, 3)[0])(x))(X)
    np.testing.assert_allclose(hessian, np.diag(6 * X), rtol=1e-5)
    weak = olympus.jit(lambda x: x * 2)
    weak(1.0)
    assert olympus.jit(lambda x: olympus.value_and_grad(weak)(x)[0])(1.0).weak_type


def test_a_jitted_function_with_arrays_from_outside_is_differentiated_by_its_argument() -> None:
    w = jnp.arange(1.0, 6.0)
    f = olympus.jit(lambda x: (w * x).sum())
    f(X)
    np.testing.assert_array_equal(olympus.jit(olympus.grad(f))(X), w)
    outer = olympus.jit(lambda w, x: olympus.grad(lambda w: olympus.jit(lambda x: (w * x).sum())(x))(w))
    np.testing.assert_array_equal(outer(w, X), X)
