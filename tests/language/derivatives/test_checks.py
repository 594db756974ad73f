# SPDX-License-Identifier: Apache-2.0
"""The public checks of derivatives: right ones pass, wrong ones of either mode and order do not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus.errors import ArgumentError, GradientCheckError
from olympus.test_util import check_grads, check_jvp, check_vjp


@olympus.custom_jvp
def wrong_forward(x: Any) -> Any:
    return jnp.sin(x)


wrong_forward.defjvp(lambda p, t: (jnp.sin(p[0]), t[0] * jnp.cos(p[0]) * 1.1))


@olympus.custom_vjp
def wrong_backward(x: Any) -> Any:
    return jnp.sin(x)


wrong_backward.defvjp(lambda x: (jnp.sin(x), x), lambda x, c: (c * jnp.cos(x) * 1.1,))


@olympus.custom_jvp
def wrong_second(x: Any) -> Any:
    return x * x * x


@olympus.custom_jvp
def _slope(x: Any) -> Any:
    return 3 * x * x


_slope.defjvp(lambda p, t: (3 * p[0] * p[0], t[0]))
wrong_second.defjvp(lambda p, t: (p[0] ** 3, t[0] * _slope(p[0])))


def _tree(tree: dict[str, Any], k: Any) -> Any:
    return [tree["a"] ** 2 * k, (jnp.sum(jnp.sin(tree["b"])), k)]


@pytest.mark.parametrize(("f", "args"), [
    (jnp.sin, (0.5,)),
    (lambda x, y: jnp.tanh(x @ y), (np.ones((2, 3), np.float32) / 3, np.arange(3.0, dtype=np.float32))),
    (_tree, ({"a": np.float32(2.0), "b": np.ones(3, np.float32)}, np.int32(3))),
    (lambda z: z * z * jnp.conj(z), (np.complex64(0.5 + 0.25j),)),
    (jnp.exp, (np.array([0.5], np.float16),)),
    (lambda x: jnp.sum(jnp.where(jnp.any(x > 0.003), x, jnp.exp(100 * x))), (np.zeros(2, np.float32),)),
])
def test_right_derivatives_pass(f: Callable[..., Any], args: tuple[Any, ...]) -> None:
    check_grads(f, args, order=2)


def test_wide_derivatives_are_checked_closely() -> None:
    with olympus.enable_x64(True):
        check_grads(lambda x: jnp.exp(jnp.sin(x)), (np.linspace(0, 2, 5),), order=3, atol=1e-8, rtol=1e-7)
        with pytest.raises(GradientCheckError, match="not what is expected at index"):
            check_jvp(jnp.sin, lambda p, t: (jnp.sin(p[0]), t[0] * jnp.cos(p[0]) * (1 + 1e-3)), (np.ones(3),))


@pytest.mark.parametrize(("f", "modes", "order"), [
    (wrong_forward, "fwd", 1), (wrong_forward, "rev", 1), (wrong_backward, "rev", 1), (wrong_second, "fwd", 2),
    (wrong_second, ("fwd", "rev"), 2),
])
def test_wrong_derivatives_fail(f: Callable[..., Any], modes: Any, order: int) -> None:
    if order > 1:
        check_grads(f, (0.7,), order=1, modes=modes)
    with pytest.raises(AssertionError):
        check_grads(f, (0.7,), order=order, modes=modes)


def test_wrong_results_shapes_and_trees_are_told() -> None:
    with pytest.raises(GradientCheckError, match="the results: not what"):
        check_jvp(jnp.sin, lambda p, t: (jnp.cos(p[0]), t[0]), (0.5,))
    with pytest.raises(GradientCheckError, match="the trees differ"):
        check_vjp(jnp.sin, lambda x: ((jnp.sin(x), x), lambda c: (c,)), (0.5,))
    with pytest.raises(GradientCheckError, match="the shapes differ"):
        check_jvp(jnp.sin, lambda p, t: (jnp.sin(p[0])[None], t[0]), (0.5,))


@pytest.mark.parametrize("bad", [{"order": 0}, {"order": 1, "modes": "backward"}, {"order": 1, "modes": ()}])
def test_bad_arguments(bad: dict[str, Any]) -> None:
    with pytest.raises(ArgumentError, match="check_grads"):
        check_grads(jnp.sin, (0.5,), **bad)
