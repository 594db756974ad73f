# SPDX-License-Identifier: Apache-2.0
"""Compiling takes work in proportion to a program's length: counted in calls, at two lengths."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from tests.support.calls import calls_of


def products(count: int) -> Callable[[Any], Any]:
    """Each product is a step of its own between kernels, with memory, addresses and an order."""

    def f(x: Any) -> Any:
        for _ in range(count):
            x = jnp.tanh(x @ x * 0.01) + x.sum(0) * 1e-3
        return x

    return f


def layers(count: int) -> Callable[[Any], Any]:
    def loss(x: Any) -> Any:
        for _ in range(count):
            x = jnp.maximum(x @ x, 0) * 0.1 + x
        return jnp.sum(x * x)

    return olympus.grad(loss)


@pytest.mark.parametrize("form", [products, layers])
def test_four_times_the_program_is_four_times_the_work(form: Callable[[int], Callable[[Any], Any]]) -> None:
    x = jnp.asarray(np.random.default_rng(0).standard_normal((8, 8)), jnp.float32)

    def compiling(count: int) -> int:
        lowered = olympus.jit(form(count)).lower(x)
        return calls_of(lambda: lowered.compile())

    compiling(20)  # what is made once for a process
    short, long = compiling(50), compiling(200)
    assert long < 5 * short
