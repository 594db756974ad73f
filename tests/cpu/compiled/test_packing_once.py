# SPDX-License-Identifier: Apache-2.0
"""Columns of products in loops: those that never change are packed before the first iteration, others in each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus_cpu.compiled.loops import LoopStep
from olympus_cpu.contractions.gemm_steps import GemmStep

ROWS, WIDTH, TURNS = 40, 150, 5  # columns of more than 64 KiB, the last panel padded: these are packed


def data(*shape: int, seed: int = 0, dtype: Any = np.float32) -> np.ndarray:
    return (np.random.default_rng((seed, *shape)).standard_normal(shape) / np.sqrt(WIDTH)).astype(dtype)


def packed(step: LoopStep) -> tuple[int, int]:
    """How many products of a loop's body have columns that are packed once, and how many others pack theirs."""
    group = step.regions[-1].group
    packing = [s for s in group.steps if isinstance(s, GemmStep) and s.gemm.packs_columns]
    return len(group.packed_once), len(packing) - len(group.packed_once)


W, V, X = data(WIDTH, WIDTH), data(WIDTH, WIDTH, seed=1), data(ROWS, WIDTH, seed=2)
SEQUENCE = data(TURNS, ROWS, WIDTH, seed=3)


def turn(xp: Any, c: Any, w: Any, v: Any, a: Any = 0.0) -> Any:
    # Two products, and large temporaries before, between and after them.
    first = xp.tanh((c + a) @ w)
    second = xp.concatenate([first, first[::-1]], 1).reshape(ROWS, 2, WIDTH).sum(1) @ v
    return xp.tanh(second) + 0.5 * c.mean(0)


FORMS: dict[str, Callable[..., Any]] = {
    "scan": lambda w, v, x, xs: lax.scan(lambda c, a: (turn(jnp, c, w, v, a), None), x, xs)[0],
    "backwards": lambda w, v, x, xs: lax.scan(
        lambda c, a: (turn(jnp, c, w, v, a), None), x, xs[::-1], reverse=True)[0],
    "counted": lambda w, v, x, xs: lax.fori_loop(0, TURNS, lambda i, c: turn(jnp, c, w, v, xs[i]), x),
    "until": lambda w, v, x, xs: lax.while_loop(
        lambda s: s[0] < TURNS, lambda s: (s[0] + 1, turn(jnp, s[1], w, v, xs[s[0]])), (0, x))[1],
    "known arrays": lambda w, v, x, xs: lax.scan(
        lambda c, a: (turn(jnp, c, W.astype(x.dtype), V.astype(x.dtype), a), None), x, xs)[0],
}


@pytest.mark.parametrize("dtype", ["f4", "f8", "bf16"])
@pytest.mark.parametrize("form", FORMS)
def test_columns_that_never_change_are_packed_once(form: str, dtype: str, found: list[LoopStep]) -> None:
    kind: Any = jnp.bfloat16 if dtype == "bf16" else np.dtype(dtype)
    given = tuple(np.asarray(a, kind) for a in (W, V, X, SEQUENCE))
    with olympus.enable_x64(dtype == "f8"):
        got = olympus.jit(FORMS[form])(*given)
    w, v, c, xs = (np.asarray(a, np.float64) for a in given)
    for a in xs:
        c = turn(np, c, w, v, a)
    tolerance = {"f4": 1e-5, "f8": 1e-13, "bf16": 0.08}[dtype]
    np.testing.assert_allclose(np.asarray(got, np.float64), c, atol=tolerance, rtol=0)
    assert packed(found[-1]) == (2, 0)


def test_columns_that_a_turn_makes_are_packed_in_each(found: list[LoopStep]) -> None:
    def f(w: Any, x: Any, ws: Any) -> Any:
        return lax.scan(lambda s, v: ((jnp.tanh(s[0] @ s[1] @ v), s[1] * 0.9), s[0]), (x, w), ws)

    ws = data(TURNS, WIDTH, WIDTH, seed=4)
    (got, _), stack = olympus.jit(f)(W, X, ws)
    c, w, rows = X.astype("f8"), W.astype("f8"), []
    for v in ws:
        rows.append(c)
        c, w = np.tanh(c @ w @ v), w * 0.9
    np.testing.assert_allclose(got, c, atol=1e-5)
    np.testing.assert_allclose(stack, rows, atol=1e-5)
    assert packed(found[-1]) == (0, 2)


def test_a_loop_that_does_nothing_packs_nothing(found: list[LoopStep]) -> None:
    f = olympus.jit(lambda n, w, x: lax.fori_loop(0, n, lambda i, c: jnp.tanh(c @ w), x))
    for count in (0, 1, 3, 0, 2):
        c = X
        for _ in range(count):
            c = np.tanh(c @ W)
        np.testing.assert_allclose(f(count, W, X), c, atol=1e-5)
    assert packed(found[-1]) == (1, 0)


def test_each_run_of_an_inner_loop_packs_its_own(found: list[LoopStep]) -> None:
    def f(w: Any, x: Any, ws: Any) -> Any:
        def outer(c: Any, v: Any) -> Any:
            inner = lax.fori_loop(0, 3, lambda i, d: jnp.tanh(d @ v), c)
            return lax.cond(v[0, 0] > 0, lambda d: jnp.tanh(d @ w), lambda d: d, inner), None

        return lax.scan(outer, x, ws)[0]

    ws = data(TURNS, WIDTH, WIDTH, seed=5)
    got = olympus.jit(f)(W, X, ws)
    c = X.astype("f8")
    for v in ws:
        for _ in range(3):
            c = np.tanh(c @ v)
        c = np.tanh(c @ W) if v[0, 0] > 0 else c
    np.testing.assert_allclose(got, c, atol=1e-5)
    assert (1, 0) in map(packed, found)


def test_a_convolution_packs_its_windows_once(found: list[LoopStep]) -> None:
    image, windows = data(2, 12, 12, 16, seed=6), data(3, 3, 16, 16, seed=7)

    def f(x: Any, w: Any) -> Any:
        def once(c: Any) -> Any:
            padded = jnp.pad(c, ((0, 0), (1, 1), (1, 1), (0, 0)))
            return jnp.tanh(lax.conv_general_dilated(
                padded, w, (1, 1), "VALID", dimension_numbers=("NHWC", "HWIO", "NHWC")))

        return lax.fori_loop(0, 4, lambda i, c: once(c), x)

    got = olympus.jit(f)(image, windows)
    c = image.astype("f8")
    for _ in range(4):
        padded = np.pad(c, ((0, 0), (1, 1), (1, 1), (0, 0)))
        c = np.tanh(sum(padded[:, i:i + 12, j:j + 12] @ windows[i, j] for i in range(3) for j in range(3)))
    np.testing.assert_allclose(got, c, atol=1e-5)
    assert packed(found[-1]) == (1, 0)


def test_attention_in_a_loop_keeps_its_keys(found: list[LoopStep]) -> None:
    keys, values = data(256, WIDTH, seed=8) * 5, data(256, WIDTH, seed=9)
    f = olympus.jit(lambda q, k, v: lax.fori_loop(0, 3, lambda i, c: olympus.nn.softmax(c @ k.T) @ v, q))
    got = f(data(1024, WIDTH, seed=10), keys, values)
    c = data(1024, WIDTH, seed=10).astype("f8")
    for _ in range(3):
        scores = np.exp(c @ keys.T)
        c = scores / scores.sum(1, keepdims=True) @ values
    np.testing.assert_allclose(got, c, atol=1e-5)
    assert packed(found[-1])[1] == 0 and found[-1].regions[-1].group.chains
