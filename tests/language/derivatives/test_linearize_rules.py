# SPDX-License-Identifier: Apache-2.0
"""linearize of functions with a rule for reverse differentiation only: the value is known, and the transpose."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.errors import ForwardModeError


@olympus.custom_vjp
def rule(x: Any) -> Any:
    return jnp.sin(x)


rule.defvjp(lambda x: (jnp.sin(x), x), lambda x, c: (5.0 * c,))


def looped(x: Any) -> Any:
    return lax.scan(lambda carry, _: (rule(carry), None), x, None, length=2)[0]


CASES = {
    "plain": (lambda x: 2.0 * rule(x), lambda x: 2 * np.sin(x), 10.0),
    "jit": (olympus.jit(rule), np.sin, 5.0),
    "vmap": (olympus.vmap(rule), np.sin, 5.0),
    "jit of vmap": (olympus.jit(olympus.vmap(rule)), np.sin, 5.0),
    "vmap of jit": (olympus.vmap(olympus.jit(rule)), np.sin, 5.0),
    "checkpoint": (olympus.checkpoint(rule), np.sin, 5.0),
    "scan": (looped, lambda x: np.sin(np.sin(x)), 25.0),
    "jit of scan": (olympus.jit(looped), lambda x: np.sin(np.sin(x)), 25.0),
    "vmap of scan": (olympus.vmap(looped), lambda x: np.sin(np.sin(x)), 25.0),
    "cond": (lambda x: lax.cond(x[0] > 0, rule, lambda x: x, x), np.sin, 5.0),
    "beside a while_loop": (lambda x: rule(x) * lax.while_loop(lambda c: c[0] < 3, lambda c: c + 1, x * 0)[0],
                            lambda x: 3 * np.sin(x), None),
}


@pytest.mark.parametrize("name", CASES)
def test_the_value_and_the_transpose_are_known(name: str) -> None:
    function, value, slope = CASES[name]
    x = jnp.array([0.3, 1.2])
    y, change = olympus.linearize(function, x)
    np.testing.assert_allclose(y, value(np.asarray(x)), rtol=1e-6)
    if slope is not None:
        (back,) = olympus.linear_transpose(change, x)(jnp.ones(2))
        np.testing.assert_allclose(back, [slope, slope], rtol=1e-6)
    in_jit = olympus.jit(lambda x: olympus.linearize(function, x)[0])(x)
    np.testing.assert_allclose(in_jit, value(np.asarray(x)), rtol=1e-6)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("call", [
    lambda function, x: olympus.linearize(function, x)[1](x),
    lambda function, x: olympus.jit(lambda x: olympus.linearize(function, x)[1](x))(x),
    lambda function, x: olympus.jit(olympus.linearize(function, x)[1])(x),
    lambda function, x: olympus.vmap(olympus.linearize(function, x)[1])(jnp.ones((3, 2))),
    lambda function, x: olympus.jvp(function, (x,), (x,)),
    lambda function, x: olympus.jit(lambda x: olympus.jvp(function, (x,), (x,)))(x),
    lambda function, x: olympus.jacfwd(function)(x),
    lambda function, x: olympus.linearize(lambda x: olympus.linearize(function, x)[1](x), x),
])
def test_its_change_cannot_be_run(name: str, call: Callable[..., Any]) -> None:
    with pytest.raises(ForwardModeError, match="rule"):
        call(CASES[name][0], jnp.array([0.3, 1.2]))
