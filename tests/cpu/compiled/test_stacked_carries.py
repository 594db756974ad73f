# SPDX-License-Identifier: Apache-2.0
"""Values that a scan both carries and stacks are written once: the next iteration reads them in the stack."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus_cpu.compiled.loops import LoopStep


def by_python(body: Callable[..., Any], carry: Any, xs: np.ndarray, reverse: bool = False) -> tuple[Any, list[Any]]:
    """The scan as a loop, each turn compiled by itself."""
    step, ys = olympus.jit(body), []
    for x in xs[::-1] if reverse else xs:
        carry, y = step(carry, x)
        ys.append(y)
    ys = ys[::-1] if reverse else ys
    return carry, [np.stack(parts) for parts in zip(*map(olympus.tree.leaves, ys), strict=True)]


def check(body: Callable[..., Any], carry: Any, xs: np.ndarray, reverse: bool = False) -> None:
    last, stacked = olympus.jit(lambda c, xs: lax.scan(body, c, xs, reverse=reverse))(carry, xs)
    wanted_last, wanted = by_python(body, carry, xs, reverse)
    for got, truth in zip(olympus.tree.leaves(last), olympus.tree.leaves(wanted_last), strict=True):
        np.testing.assert_allclose(np.asarray(got), np.asarray(truth), rtol=1e-6)
    for got, truth in zip(olympus.tree.leaves(stacked), wanted, strict=True):
        np.testing.assert_allclose(np.asarray(got), truth, rtol=1e-6)


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("turns", [1, 2, 7])
@pytest.mark.parametrize("shape", [(), (3,), (5, 33)])
@pytest.mark.parametrize("dtype", ["float32", "int8", "bool", "complex64", "bfloat16"])
def test_every_type_and_length(found: list[LoopStep], shape: Any, dtype: str, turns: int, reverse: bool) -> None:
    rng = np.random.default_rng(len(shape))
    xs = jnp.asarray(rng.integers(0, 2, (turns, *shape)), dtype)
    check(lambda c, x: ((c ^ x if dtype == "bool" else c * 2 + x),) * 2, xs[0], np.asarray(xs), reverse)
    assert {0: 1} in [step.regions[-1].following for step in found]


def test_no_turn(found: list[LoopStep]) -> None:
    x = jnp.arange(3.0)
    last, stacked = olympus.jit(lambda c, xs: lax.scan(lambda c, x: ((c + x),) * 2, c, xs))(x, jnp.zeros((0, 3)))
    np.testing.assert_array_equal(last, x)
    assert stacked.shape == (0, 3)


BODIES: dict[str, tuple[Callable[..., Any], dict[int, int]]] = {
    # a carry beside others; two carries of one value; one value stacked twice; the old and the new one stacked
    "others": (lambda c, x: ((c[0] + 1, y := c[1] * x + c[0]), y), {1: 2}),
    "two carries": (lambda c, x: ((c[0] * x + c[1],) * 2, c[0] * x + c[1]), {0: 2}),
    "stacked twice": (lambda c, x: ((c[0] * x, c[1] + c[0]), (c[0] * x, c[0] * x)), {0: 2}),
    "old and new": (lambda c, x: ((c[0] * x, c[1] - x), (c[0], c[0] * x, c[1] - x)), {0: 3, 1: 4}),
    "exchanged": (lambda c, x: ((c[1] * x, c[0] + x), (c[0] + x, c[1] * x)), {0: 3, 1: 2}),
    "product": (lambda c, x: ((c[0], y := jnp.tanh(c[1] @ c[1] * 0.1) + x), y), {1: 2}),
    # Rows written into a carry: stacked, it has to be copied in each turn.
    "row": (lambda c, x: ((c[0], y := c[1].at[1].set(c[1][1] + x[0])), y), {}),
    "nested": (lambda c, x: ((c[0], y := lax.scan(lambda d, z: ((d + z) * 0.5,) * 2, c[1][0], c[1] + x)[1]), y),
               {1: 2}),
}


@pytest.mark.parametrize("name", BODIES)
def test_bodies(found: list[LoopStep], name: str) -> None:
    body, following = BODIES[name]
    size = 64 if name == "row" else 4  # smaller arrays are rather written anew
    x = np.random.default_rng(1).standard_normal((6, size, size)).astype(np.float32)
    check(body, (x[0], x[1]), x)
    assert following in [step.regions[-1].following for step in found], [s.regions[-1].following for s in found]


def test_given_arrays_and_slopes(found: list[LoopStep]) -> None:
    xs = np.random.default_rng(2).standard_normal((9, 5)).astype(np.float32)

    def f(c: Any, xs: Any) -> Any:
        last, ys = lax.scan(lambda c, x: ((jnp.sin(c) * x),) * 2, c, xs)
        return last.sum() + (ys * ys).sum()

    def truth(c: Any, xs: Any) -> Any:
        total = 0.0
        for x in xs:
            c = jnp.sin(c) * x
            total = total + (c * c).sum()
        return c.sum() + total

    for got, wanted in zip(*(olympus.jit(olympus.grad(g, (0, 1)))(xs[0], xs) for g in (f, truth)), strict=True):
        np.testing.assert_allclose(got, wanted, rtol=2e-5)
    start = jnp.asarray(xs[0])
    donated = olympus.jit(lambda c, xs: lax.scan(lambda c, x: ((c * x + 1),) * 2, c, xs), donate_argnums=0)
    last, ys = donated(start, xs)
    wanted = xs[0]
    for x, y in zip(xs, ys, strict=True):
        wanted = wanted * x + 1
        np.testing.assert_allclose(y, wanted, rtol=1e-6)
    np.testing.assert_array_equal(last, ys[-1])
