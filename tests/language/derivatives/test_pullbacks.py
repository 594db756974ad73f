# SPDX-License-Identifier: Apache-2.0
"""Pull-backs and linearized functions are trees: functions that are transformed give and take them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus_core.errors import CotangentError, TangentError


def f(x: Any, y: Any) -> Any:
    """A function whose residuals are an argument, a computed value and a constant."""
    return jnp.sin(x) * y + np.float32(2) * jnp.sum(y)


X, Y, C = (np.arange(1, 5, dtype=np.float32) * k for k in (0.3, -0.7, 2.0))


def _same(found: Any, expected: Any) -> None:
    assert olympus.tree.structure(found) == olympus.tree.structure(expected)
    for a, b in zip(olympus.tree.leaves(found), olympus.tree.leaves(expected), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-6)


def test_a_jitted_function_gives_a_pullback_and_another_takes_it() -> None:
    expected = olympus.vjp(f, X, Y)[1](C)
    traced = []

    def backward(back: Any, cotangent: Any) -> Any:
        traced.append(None)
        return back(cotangent)

    forward, again = olympus.jit(lambda x, y: olympus.vjp(f, x, y)[1]), olympus.jit(backward)
    back = forward(X, Y)
    _same(back(C), expected)
    for _ in range(3):
        _same(again(forward(X, Y), C), expected)
    assert len(traced) == 1


def test_leaves_are_the_residuals() -> None:
    back = olympus.vjp(lambda x, y: jnp.sin(x) * y, X, Y)[1]
    leaves = olympus.tree.leaves(back)
    for known in (np.cos(X), np.sin(X), Y):
        assert any(np.allclose(leaf, known) for leaf in leaves)
    assert type(olympus.tree.map(lambda leaf: 2 * leaf, back)) is type(back)
    _same(olympus.tree.map(lambda leaf: 2 * leaf, olympus.vjp(lambda x: x * jnp.asarray(Y), X)[1])(C), (2 * C * Y,))


def test_a_mapped_function_gives_pullbacks() -> None:
    backs = olympus.vmap(lambda x, y: olympus.vjp(f, x, y)[1])(X, Y)
    expected = olympus.vmap(lambda x, y, c: olympus.vjp(f, x, y)[1](c))(X, Y, C)
    for _ in range(2):
        _same(olympus.vmap(lambda back, c: back(c))(backs, C), expected)
        backs = olympus.tree.map(lambda leaf: leaf, backs)


def test_a_loop_carries_pullbacks_out() -> None:
    backs = lax.scan(lambda carry, x: (carry + x, olympus.vjp(jnp.tanh, x)[1]), np.float32(0), X)[1]
    found = lax.scan(lambda carry, given: (carry, given[0](given[1])[0]), 0.0, (backs, C))[1]
    _same(found, C * (1 - np.tanh(X) ** 2))


@pytest.mark.parametrize("condition", [True, False])
def test_a_branch_inside_of_the_function(condition: bool) -> None:
    def g(x: Any) -> Any:
        return lax.cond(condition, jnp.tanh, lambda v: v * v, x)

    back = olympus.jit(lambda x: olympus.vjp(g, x)[1])(X)
    _same(back(C), olympus.vjp(g, X)[1](C))


def test_a_rule_of_the_user() -> None:
    @olympus.custom_vjp
    def clipped(x: Any) -> Any:
        return x

    clipped.defvjp(lambda x: (x, {"kept": 2 * x}), lambda kept, c: (c * kept["kept"],))
    back = olympus.jit(lambda x: olympus.vjp(clipped, x)[1])(X)
    _same(olympus.jit(lambda b, c: b(c))(back, C), (2 * X * C,))


def test_pullbacks_are_differentiated() -> None:
    def through(x: Any) -> Any:
        return olympus.jit(lambda v: olympus.vjp(jnp.sin, v)[1])(x)(1.0)[0]

    assert float(olympus.grad(through)(0.3)) == pytest.approx(-np.sin(0.3), rel=1e-6)


def test_linearized_functions() -> None:
    value, change = olympus.jit(lambda x, y: olympus.linearize(f, x, y))(X, Y)
    expected = olympus.jvp(f, (X, Y), (C, C))
    _same((value, change(C, C)), expected)
    _same(olympus.jit(lambda g, t: g(t, t))(change, C), expected[1])


def test_cotangents_and_tangents_are_checked() -> None:
    back = olympus.jit(lambda x: olympus.vjp(jnp.sin, x)[1])(X)
    with pytest.raises(CotangentError):
        back(C[:2])
    for several in ((C, C), ()):
        with pytest.raises(CotangentError, match=f"{len(several)} arguments"):
            back(*several)
    change = olympus.jit(lambda x: olympus.linearize(jnp.sin, x)[1])(X)
    with pytest.raises(TangentError):
        change(C[:2])


def test_over_devices() -> None:
    devices = olympus.devices()
    mesh = olympus.make_mesh((len(devices),), ("x",))
    sharding = olympus.NamedSharding(mesh, olympus.P("x"))
    x = olympus.device_put(np.arange(8.0 * len(devices), dtype=np.float32).reshape(len(devices), 8), sharding)
    back = olympus.jit(lambda v: olympus.vjp(jnp.sin, v)[1])(x)
    (found,) = olympus.jit(lambda b, c: b(c))(back, jnp.ones_like(x))
    np.testing.assert_allclose(found, np.cos(np.asarray(x)), rtol=1e-5, atol=1e-6)
    (found,) = olympus.vjp(jnp.sin, x)[1](jnp.ones_like(x))
    assert found.sharding.is_equivalent_to(sharding, 2)
