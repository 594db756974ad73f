# SPDX-License-Identifier: Apache-2.0
"""What derivatives of evaluated functions hold: until the way back is gone, and without waiting for the collector."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import olympus
import olympus.numpy as jnp

SIZE = 1 << 18  # elements; their arrays are no other test's


@pytest.fixture(autouse=True)
def no_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def loss(x: Any) -> Any:
    return (jnp.sin(x) * x).sum()


def large_arrays() -> int:
    return sum(type(x) is olympus.Array and x.size == SIZE for x in gc.get_objects())


@pytest.mark.parametrize("use", [
    lambda x: olympus.grad(loss)(x), lambda x: olympus.value_and_grad(loss)(x),
    lambda x: olympus.vjp(loss, x)[1](1.0), lambda x: olympus.linearize(loss, x)[1](x),
    lambda x: olympus.jvp(loss, (x,), (x,)), lambda x: olympus.hessian(lambda y: loss(x) * y)(1.0),
])
def test_nothing_is_left(use: Callable[[Any], Any]) -> None:
    x = jnp.ones(SIZE)
    use(x)
    before = large_arrays()
    for _ in range(3):
        use(x)
    assert large_arrays() == before


def test_the_way_back_can_be_gone_twice() -> None:
    x = jnp.ones(4)
    _, back = olympus.vjp(lambda x: x * x * 3, x)
    assert back(x)[0].tolist() == back(x)[0].tolist() == [6.0] * 4
