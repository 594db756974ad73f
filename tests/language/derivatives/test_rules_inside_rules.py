# SPDX-License-Identifier: Apache-2.0
"""Derivatives that a user's rule takes itself, while the rule is recorded for reverse mode."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.custom_derivatives import linear_call
from olympus_core.errors import CustomRuleError, ForwardModeError, LoopReverseError


@olympus.custom_jvp
def identity(x: Any) -> Any:
    return x


@identity.defjvp
def _identity_jvp(primals: Any, tangents: Any) -> Any:
    return identity(primals[0]), identity(tangents[0])


@olympus.custom_jvp
def pair(x: Any, y: Any) -> Any:
    return x, y


@pair.defjvp
def _pair_jvp(primals: Any, tangents: Any) -> Any:
    return pair(*primals), tuple(tangents)


def by_defjvps(x: Any) -> Any:
    f = olympus.custom_jvp(lambda x: 1 * x)
    f.defjvps(lambda t, result, x: t)
    return f(x)


def by_linear_call(x: Any) -> Any:
    return linear_call(lambda _, x: 1 * x, lambda _, c: 1 * c, (), x)


def by_loop(x: Any) -> Any:
    return lax.while_loop(lambda c: c[0] < 2, lambda c: (c[0] + 1, c[1] * 1), (0, x))[1]


def through_vmap(x: Any) -> Any:
    return olympus.vmap(identity)(x[None])[0]


WRAPPED: dict[str, Callable[[Any], Any]] = {
    "custom_jvp": identity, "jitted": olympus.jit(identity), "defjvps": by_defjvps, "pair": lambda x: pair(x, 1.0)[0],
    "linear_call": by_linear_call, "loop": by_loop, "vmap": through_vmap,
}


def root_of(wrapped: Callable[[Any], Any], slope_of: Callable[..., Any]) -> Callable[[Any], Any]:
    """The square root, with a rule by the implicit function's derivative."""
    @olympus.custom_jvp
    def root(h: Any) -> Any:
        return jnp.sqrt(h)

    @root.defjvp
    def rule(primals: Any, tangents: Any) -> Any:
        y = root(primals[0])
        slope = slope_of(lambda y: wrapped(primals[0] - y * y), y)
        return y, -tangents[0] / slope

    return root


def by_jvp(f: Callable[[Any], Any], y: Any) -> Any:
    return olympus.jvp(f, (y,), (jnp.ones_like(y),))[1]


@pytest.mark.parametrize("name", WRAPPED)
def test_a_jvp_inside_of_a_recorded_rule_has_its_own_tangents(name: str) -> None:
    root = root_of(WRAPPED[name], by_jvp)
    for f in (root, olympus.jit(root)):
        np.testing.assert_allclose(olympus.grad(f)(4.0), 0.25)
        np.testing.assert_allclose(olympus.vjp(f, 4.0)[1](2.0)[0], 0.5)
        np.testing.assert_allclose(olympus.linearize(f, 4.0)[1](2.0), 0.5)
    np.testing.assert_allclose(olympus.vmap(olympus.grad(root))(jnp.array([1.0, 4.0])), [0.5, 0.25])


def test_second_derivatives_inside_of_a_recorded_rule() -> None:
    def twice(f: Callable[[Any], Any], y: Any) -> Any:
        return by_jvp(lambda y: by_jvp(lambda y: f(y) * y, y), y)  # of (h - y^2) y: -6 y

    np.testing.assert_allclose(olympus.grad(root_of(identity, twice))(4.0), 1 / 12)


def test_series_inside_of_a_recorded_rule() -> None:
    from olympus.experimental.jet import jet

    def slope(f: Callable[[Any], Any], y: Any) -> Any:
        return jet(f, (y,), ((jnp.ones_like(y),),))[1][0]

    np.testing.assert_allclose(olympus.grad(root_of(identity, slope))(4.0), 0.25)


def test_tangents_of_both_kinds_keep_to_their_results() -> None:
    @olympus.custom_jvp
    def f(x: Any) -> Any:
        return x ** 2

    @f.defjvp
    def rule(primals: Any, tangents: Any) -> Any:
        _, (own, plain) = olympus.jvp(pair, (primals[0], 3.0), (tangents[0], 5.0))
        return f(primals[0]), own * plain

    np.testing.assert_allclose(olympus.grad(f)(1.0), 5.0)


def test_rules_for_reverse_mode_alone_are_refused_inside_too() -> None:
    @olympus.custom_vjp
    def back(x: Any) -> Any:
        return x

    back.defvjp(lambda x: (x, None), lambda _, c: (c,))
    with pytest.raises(ForwardModeError):
        olympus.grad(root_of(back, by_jvp))(4.0)


def test_recorded_tangents_go_through_no_loop() -> None:
    @olympus.custom_jvp
    def f(x: Any) -> Any:
        return by_loop(x)

    f.defjvp(lambda primals, tangents: olympus.jvp(by_loop, primals, tangents))
    assert olympus.jvp(f, (2.0,), (3.0,))[1] == 3
    with pytest.raises(LoopReverseError):
        olympus.grad(f)(2.0)


def test_a_jitted_call_on_recorded_tangents_inside_of_a_jvp() -> None:
    double = olympus.jit(lambda t: 2 * t)

    @olympus.custom_jvp
    def f(x: Any) -> Any:
        return x

    @f.defjvp
    def rule(primals: Any, tangents: Any) -> Any:
        found = olympus.jvp(lambda y: y * double(tangents[0]), (3.0,), (1.0,))
        return f(primals[0]), found[0] + found[1]

    np.testing.assert_allclose(olympus.grad(f)(1.0), 8.0)


def test_a_tangent_that_depends_on_none_counts_in_programs_as_outside() -> None:
    same = olympus.custom_jvp(lambda x: 1.0 * x)
    same.defjvp(lambda primals, tangents: (1.0 * primals[0], 2.0))
    for function in (same, olympus.jit(same), lambda x: lax.scan(lambda c, _: (same(c), None), x, None, length=1)[0],
                     lambda x: lax.cond(x > 0, same, same, x)):
        assert float(olympus.jvp(function, (3.0,), (1.0,))[1]) == 2.0
        assert float(olympus.grad(function)(3.0)) == 0.0  # nothing to transpose


def test_a_rule_uses_values_of_the_mapped_function_around() -> None:
    def outer(z: Any) -> Any:
        def each(x: Any) -> Any:
            scaled = olympus.custom_jvp(lambda y: x * y)
            scaled.defjvp(lambda primals, tangents: (x * primals[0], 3 * x * tangents[0]))
            return scaled(z)

        return olympus.vmap(each)(jnp.arange(3.0))

    value, tangent = olympus.jvp(outer, (np.float32(2),), (np.float32(1),))
    np.testing.assert_array_equal(value, [0, 2, 4])
    np.testing.assert_array_equal(tangent, [0, 3, 6])
    np.testing.assert_array_equal(olympus.grad(lambda z: outer(z).sum())(2.0), 9)


def test_an_argument_without_derivative_is_a_value_of_the_mapped_function() -> None:
    times = olympus.custom_jvp(lambda x, y: x * y, nondiff_argnums=(0,))
    times.defjvp(lambda x, primals, tangents: (times(x, primals[0]), 5 * x * tangents[0]))
    value, tangent = olympus.jvp(lambda y: olympus.vmap(times)(jnp.array([2.0, 3.0]), y),
                                 (jnp.array([3.0, 4.0]),), (jnp.array([1.0, 1.0]),))
    np.testing.assert_array_equal(value, [6, 12])
    np.testing.assert_array_equal(tangent, [10, 15])


@pytest.mark.parametrize("rule", [
    lambda primals, tangents: ((primals[0], primals[0]), (tangents[0], tangents[0])),
    lambda primals, tangents: (jnp.zeros(3), jnp.zeros(3)),
    lambda primals, tangents: (primals[0].astype("float16"), tangents[0].astype("float16")),
])
def test_a_rule_in_a_program_gives_results_like_the_function(rule: Any) -> None:
    same = olympus.custom_jvp(lambda x: x)
    same.defjvp(rule)
    with pytest.raises(CustomRuleError, match="than the function"):
        olympus.jvp(lambda x: lax.scan(lambda c, _: (same(c), None), x, None, length=1)[0], (np.float32(1),),
                    (np.float32(1),))
    back = olympus.custom_vjp(lambda x: x)
    back.defvjp(lambda x: (rule((x,), (x,))[0], None), lambda _, c: (c,))
    with pytest.raises(CustomRuleError, match="than the function"):
        olympus.grad(lambda x: lax.scan(lambda c, _: (back(c), None), x, None, length=1)[0])(np.float32(1))


def test_what_a_partial_holds_by_name_is_no_argument_of_the_rule() -> None:
    plain = functools.partial(lambda x, y, a: x + a * y, a=0.5)
    held = olympus.custom_jvp(plain)
    held.defjvp(lambda primals, tangents: olympus.jvp(plain, primals, tangents))
    assert float(held(1.0, 2.0)) == 2.0
    assert tuple(map(float, olympus.grad(held, (0, 1))(1.0, 2.0))) == (1.0, 0.5)
