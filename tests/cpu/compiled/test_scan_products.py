# SPDX-License-Identifier: Apache-2.0
"""Products that are taken out of scans: the same numbers, and out only where nothing in the loop waits for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus_core.program import Program
from olympus_core.toolkit.flatten import flatten
from olympus_cpu.compiled.passes import SCANS

TURNS, ROWS, WIDTH, WIDE = 9, 8, 32, 48


def data(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng((seed, *shape)).standard_normal(shape).astype(np.float32) / 4


def products_in(f: Callable[..., Any], *arguments: Any) -> tuple[Counter[str], list[int]]:
    """After the pass: how often operations stand outside of scans, and how many products each scan has."""
    program = olympus.jit(f).lower(*arguments).compile()._call.loaded.partitioned.device_program.program
    assert isinstance(program, Program)
    flat = SCANS.function(flatten(program))
    scans = [o.regions[0] for o in flat.operations if o.name == "scan"]
    return Counter(o.name for o in flat.operations), [sum(o.name == "dot_general" for o in s.operations) for s in scans]


def unrolled(step: Callable[..., Any], carry: Any, xs: Any, reverse: bool = False) -> Any:
    """What a scan means, by NumPy in float64."""
    outputs = []
    for x in xs[::-1] if reverse else xs:
        carry, y = step(carry, x)
        outputs.append(y)
    return carry, outputs[::-1] if reverse else outputs


def compare(step: Callable[[Any], Callable[..., Any]], carry: Any, xs: np.ndarray, reverse: bool = False) -> None:
    """`step` takes the namespace; the scan's result is that of the unrolled loop."""
    found, stack = olympus.jit(lambda c, x: lax.scan(step(jnp), c, x, reverse=reverse))(carry, xs)
    wide = olympus.tree.map(lambda v: np.asarray(v, np.float64), (carry, xs))
    wanted, wanted_stack = unrolled(step(np), *wide, reverse=reverse)
    exact = olympus.tree.leaves((wanted, np.array(wanted_stack)))
    for a, b in zip(olympus.tree.leaves((found, stack)), exact, strict=True):
        np.testing.assert_allclose(a, b, rtol=2e-5, atol=2e-5)


W = data(WIDTH, WIDE, seed=1)
X = data(TURNS, ROWS, WIDTH)
Y = data(TURNS, ROWS, WIDE, seed=2)


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("form", ["left", "right", "several", "vector"])
def test_products_with_what_never_changes(form: str, reverse: bool) -> None:
    weights = {"left": W, "right": W, "several": data(4, 8, WIDE), "vector": W}[form]
    xs = {"left": X, "right": X, "several": X.reshape(TURNS, ROWS, 4, 8), "vector": X[:, 0]}[form]

    def step(xp: Any) -> Callable[..., Any]:
        def turn(c: Any, x: Any) -> Any:
            if form == "right":
                y = xp.tensordot(weights, x, ((0,), (1,))).T
            else:
                y = xp.tensordot(x, weights, ((1, 2), (0, 1)) if form == "several" else ((x.ndim - 1,), (0,)))
            c = xp.tanh(c * 0.5 + y)
            return c, c + y

        return turn

    start = np.zeros(WIDE if form == "vector" else (ROWS, WIDE), np.float32)
    compare(step, start, xs, reverse)
    outside, inside = products_in(lambda w, x: lax.scan(
        lambda c, v: (lax.tanh(c * 0.5 + v @ w), None), jnp.zeros((ROWS, WIDE)), x)[0], W, X)
    assert outside["dot_general"] == 1 and inside == [0]


@pytest.mark.parametrize("reverse", [False, True])
def test_products_that_are_only_added_up(reverse: bool) -> None:
    def step(xp: Any) -> Callable[..., Any]:
        def turn(c: Any, xy: Any) -> Any:
            hidden, first, second = c
            x, y = xy[:, :WIDTH], xy[:, WIDTH:]
            hidden = xp.tanh(hidden + y)
            return (hidden, first + x.T @ hidden, hidden.T @ y + second), hidden.sum()

        return turn

    start = (np.zeros((ROWS, WIDE), np.float32), data(WIDTH, WIDE, seed=3), data(WIDE, WIDE, seed=4))
    compare(step, start, np.concatenate([X, Y], 2), reverse)


@pytest.mark.parametrize("reverse", [False, True])
def test_sums_of_what_products_stack(reverse: bool) -> None:
    def step(xp: Any) -> Callable[..., Any]:
        def turn(c: Any, xy: Any) -> Any:
            hidden, weights, bias, all_of_it, rows = c
            x, y = xy[:, :WIDTH], xy[:, WIDTH:]
            hidden = xp.tanh(hidden + y)
            whole = all_of_it + hidden.sum()
            return (hidden, weights + x.T @ hidden, hidden.sum(0) + bias, whole, rows + y.sum(1)), y[0, 0]

        return turn

    start = (np.zeros((ROWS, WIDE), np.float32), data(WIDTH, WIDE, seed=3), data(WIDE, seed=4), np.float32(2),
             data(ROWS, seed=5))
    compare(step, start, np.concatenate([X, Y], 2), reverse)
    program = olympus.jit(lambda c, x: lax.scan(step(jnp), c, x)).lower(start, np.concatenate([X, Y], 2)).compile()
    flat = SCANS.function(flatten(program._call.loaded.partitioned.device_program.program))
    outside = Counter(o.name for o in flat.operations)
    (scan,) = [o for o in flat.operations if o.name == "scan"]
    assert outside["dot_general"] == 1 and outside["reduce_sum"] == 2  # of the hidden values, which are stacked
    assert [o.name for o in scan.regions[0].operations].count("reduce_sum") == 1


def gradient(w: Any, own: Any, x: Any) -> Any:
    def loss(w: Any, own: Any) -> Any:
        def turn(h: Any, v: Any) -> Any:
            h = jnp.tanh(v @ w + h @ own)
            return h, h.sum()

        h, sums = lax.scan(turn, jnp.zeros((ROWS, WIDE)), x)
        return (h * h).sum() + sums.sum()

    return olympus.grad(loss, argnums=(0, 1))(w, own)


def test_gradients_of_recurrences() -> None:
    own = data(WIDE, WIDE, seed=5)
    outside, inside = products_in(gradient, W, own, X)
    assert outside["dot_general"] == 3 and sorted(inside) == [1, 1]
    found = olympus.jit(gradient)(W, own, X)
    with olympus.enable_x64(True), olympus.disable_jit():
        exact = gradient(*(jnp.asarray(v, jnp.float64) for v in (W, own, X)))
    for a, b in zip(found, exact, strict=True):
        np.testing.assert_allclose(a, b, rtol=2e-4, atol=2e-5)


STAYING: dict[str, Callable[..., Any]] = {
    "waits for the turn before": lambda w, x: lax.scan(lambda c, v: (jnp.tanh(v + c @ w @ w.T), None), x[0], x)[0],
    "a sum that is read": lambda w, x: lax.scan(
        lambda c, v: (c + v.T @ v, c.sum()), jnp.zeros((WIDTH, WIDTH)), x),
    "a sum that is handed out": lambda w, x: lax.scan(
        lambda c, v: ((d := c + v.T @ v), d[0]), jnp.zeros((WIDTH, WIDTH)), x),
    "a product of what never changes": lambda w, x: lax.scan(
        lambda c, v: (c + w.T @ w, v), jnp.zeros((WIDE, WIDE)), x),
    "few turns": lambda w, x: lax.scan(lambda c, v: (c, v @ w), 0, x[:4])[1],
    "whole numbers": lambda w, x: lax.scan(
        lambda c, v: (c, v @ w.astype(int)), 0, x.astype(int))[1],
    "batches": lambda w, x: lax.scan(
        lambda c, v: (c, jnp.einsum("bi,bij->bj", v, jnp.stack([w] * ROWS))), 0, x)[1],
}


@pytest.mark.parametrize("form", STAYING)
def test_what_stays_in_its_loop(form: str) -> None:
    _, inside = products_in(STAYING[form], W, X)
    assert len(inside) == 1 and inside[0] >= 1


def test_what_all_turns_have_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    from olympus_cpu.compiled import scan_products

    monkeypatch.setattr(scan_products, "_MOST_BYTES", TURNS * ROWS * WIDE * 4 - 1)
    _, inside = products_in(lambda w, x: lax.scan(lambda c, v: (c, v @ w), 0, x)[1], W, X)
    assert inside == [1]


@pytest.mark.parametrize("turns", [8, 30])
def test_scans_in_scans_and_under_other_transformations(turns: int) -> None:
    x = data(turns, ROWS, WIDTH)

    def inner(w: Any, x: Any) -> Any:
        return lax.scan(lambda c, v: (jnp.tanh(c + v @ w), c), jnp.zeros((ROWS, WIDE)), x)

    def outer(w: Any, x: Any) -> Any:
        return lax.scan(lambda c, k: (c + inner(w * k, x)[0].sum(), inner(w, x * k)[1].sum()), 0.0, jnp.arange(9.0))

    found = olympus.jit(outer)(W, x)
    with olympus.disable_jit():
        exact = outer(W, x)
    np.testing.assert_allclose(found[0], exact[0], rtol=1e-4)
    np.testing.assert_allclose(found[1], exact[1], rtol=1e-4, atol=1e-3)
    many = olympus.jit(olympus.vmap(lambda s: inner(W * s, x)[0]))(jnp.arange(3.0))
    for s in range(3):
        np.testing.assert_allclose(many[s], inner(W * s, x)[0], rtol=1e-5, atol=1e-6)
