# SPDX-License-Identifier: Apache-2.0
"""Updates that a selection keeps in part: NumPy's results, and nothing left that reads the whole array."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus_core.toolkit.flatten import flatten
from olympus_core.toolkit.fusion import FusionOptions, lowering_passes

RNG = np.random.default_rng(3)
BATCH, LENGTH = 4, 37


def rewritten(program: Any) -> list[str]:
    """The names of a program's operations after the toolkit's passes."""
    (lower,) = lowering_passes(lambda record, types: True, FusionOptions())
    return [operation.name for operation in lower(flatten(program)).operations]


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int16, np.uint32, np.int32, np.int64])
@pytest.mark.parametrize("mode", ["drop", "clip"])
@pytest.mark.parametrize("combine", ["set", "add", "multiply", "min", "max"])
@pytest.mark.parametrize("turned", [False, True])
def test_rows_that_are_not_chosen_keep_what_they_have(kind: Any, mode: str, combine: str, turned: bool) -> None:
    x = RNG.standard_normal((BATCH, LENGTH)).astype(np.float32)
    chosen = np.array([True, False, True, False])
    where = np.array([3, 5, 101, LENGTH - 1]).astype(kind)  # 101 lies outside
    updates = RNG.standard_normal(BATCH).astype(np.float32)

    def one(x: Any, i: Any, u: Any) -> Any:
        return getattr(x.at[i], combine)(u, mode=mode)

    def function(p: Any, x: Any, i: Any, u: Any) -> Any:
        after = olympus.vmap(one)(x, i, u)
        rows = jnp.broadcast_to(p[:, None], x.shape)
        return jnp.where(rows, x, after) if turned else jnp.where(rows, after, x)

    expected = x.copy()
    for row in range(BATCH):
        place = min(int(where[row]), LENGTH - 1) if mode == "clip" else int(where[row])
        if chosen[row] != turned and place < LENGTH:
            combined = {"set": lambda a, b: b, "add": np.add, "multiply": np.multiply, "min": np.minimum,
                        "max": np.maximum}[combine](expected[row, place], updates[row])
            expected[row, place] = combined
    with olympus.enable_x64(True):
        for donated in ((), (1,)):
            found = olympus.jit(function, donate_argnums=donated)(chosen, jnp.array(x), where, updates)
            np.testing.assert_array_equal(found, expected)
        names = rewritten(olympus.make_program(function)(chosen, x, where, updates))
    assert names.count("scatter") == 1 and names[-1] == "scatter"


@pytest.mark.parametrize("start", [-40, -1, 0, 5, 36, 90])
@pytest.mark.parametrize("chosen", [False, True])
@pytest.mark.parametrize("turned", [False, True])
def test_a_window_that_is_not_chosen(start: int, chosen: bool, turned: bool) -> None:
    x, window = RNG.standard_normal(LENGTH).astype(np.float32), np.arange(5, dtype=np.float32)

    def function(p: Any, x: Any, i: Any, w: Any) -> Any:
        after = lax.dynamic_update_slice(x, w, (i,))
        everywhere = jnp.broadcast_to(p, x.shape)
        return jnp.where(everywhere, x, after) if turned else jnp.where(everywhere, after, x)

    expected = x.copy()
    if chosen != turned:
        first = min(max(start + LENGTH * (start < 0), 0), LENGTH - 5)
        expected[first:first + 5] = window
    np.testing.assert_array_equal(olympus.jit(function)(chosen, x, np.int32(start), window), expected)
    names = rewritten(olympus.make_program(function)(chosen, x, np.int32(start), window))
    assert names[-1] == "dynamic_update_slice"


@pytest.mark.parametrize("write", [
    lambda a, i: a.at[i].set(a[i] + 1), lambda a, i: a.at[i].add(1), lambda a, i: a.at[i, 1].multiply(2),
    lambda a, i: lax.dynamic_update_index_in_dim(a, a[i] + 1, i, 0),
    lambda a, i: lax.dynamic_update_slice(a, a[:2] * 3, (i, 0)),
    lambda a, i: jnp.where(i % 2 == 0, a.at[i].set(7), a), lambda a, i: a.at[-i].add(a[i]),
    lambda a, i: lax.cond(i % 3 == 0, lambda: a.at[i].set(0), lambda: a),
])
@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int32, np.complex64])
def test_loops_whose_elements_end_at_different_turns(write: Callable[[Any, Any], Any], dtype: Any) -> None:
    def loop(a: Any, n: Any) -> Any:
        return lax.while_loop(lambda c: c[0] < n, lambda c: (c[0] + 1, write(c[1], c[0])), (0, a))[1]

    x = (RNG.standard_normal((5, 9, 3)) * 9).astype(dtype)
    turns = np.array([0, 3, 9, 12, 1], np.int32)
    found = olympus.jit(olympus.vmap(loop))(x, turns)
    for one, n, got in zip(x, turns, found, strict=True):
        np.testing.assert_array_equal(got, olympus.jit(loop)(one, n))


@pytest.mark.parametrize("other", ["choices", "array", "reader"])
def test_what_is_chosen_otherwise_stays(other: str) -> None:
    """A choice that differs along what is written, another array, or an update that something else takes, too."""
    def function(p: Any, x: Any, i: Any, y: Any) -> Any:
        after = olympus.vmap(lambda x, i: x.at[i].set(1))(x, i)
        rows = p if other == "choices" else jnp.broadcast_to(p[:, :1], x.shape)
        chosen = jnp.where(rows, after, y if other == "array" else x)
        return chosen + after if other == "reader" else chosen

    x, y = (RNG.standard_normal((BATCH, LENGTH)).astype(np.float32) for _ in range(2))
    p, where = RNG.random((BATCH, LENGTH)) < 0.5, np.array([1, 30, 0, 7], np.int32)
    assert "select" in rewritten(olympus.make_program(function)(p, x, where, y))
    after = x.copy()
    after[np.arange(BATCH), where] = 1
    expected = np.where(p if other == "choices" else p[:, :1], after, y if other == "array" else x)
    expected = expected + after if other == "reader" else expected
    np.testing.assert_array_equal(olympus.jit(function)(p, x, where, y), expected)
