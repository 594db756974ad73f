# SPDX-License-Identifier: Apache-2.0
"""Carries and results of scans that nothing uses go, and nothing else does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus_core.program import Operation, Program
from olympus_core.program.verify import verify
from olympus_core.toolkit.flatten import flatten
from olympus_cpu.compiled.dead_carries import without_dead_carries

X = np.arange(12, dtype=np.float32).reshape(4, 3)


def scans_of(f: Callable[..., Any], *arguments: Any) -> list[Operation]:
    """The scans after the pass."""
    program = olympus.jit(f).lower(*arguments).compile()._call.loaded.partitioned.device_program.program
    assert isinstance(program, Program)
    before = flatten(program)
    flat = without_dead_carries(before)
    verify(flat.program("pruned"))
    assert without_dead_carries(flat) is flat
    return [o for o in flat.operations if o.name == "scan"]


def sizes(scan: Operation) -> tuple[int, int, int, int]:
    """Constants, carries, operands and results."""
    return (scan.attributes["constants"], scan.attributes["carry"], len(scan.operands), len(scan.results))


def test_a_counter_that_nobody_looks_at() -> None:
    (scan,) = scans_of(lambda x: lax.fori_loop(0, 9, lambda i, c: c * 2, x), X)
    assert sizes(scan) == (0, 1, 1, 1)


def test_a_counter_that_the_body_looks_at_stays() -> None:
    (scan,) = scans_of(lambda x: lax.fori_loop(0, 9, lambda i, c: c + i, x), X)
    assert scan.attributes["carry"] == 2


def test_what_only_dead_carries_need_goes_with_them() -> None:
    def f(x: Any, w: Any) -> Any:
        def step(s: Any, a: Any) -> Any:  # s[1] and s[2] need each other, w and s[0], which needs neither
            return (s[0] + a[0], s[2] * w, s[1] + s[0]), (s[0], s[1] + a[1])

        (first, _, _), (stacked, _) = lax.scan(step, (x[0], x[1], x[2]), (x, jnp.sin(x)))
        return first, stacked

    (scan,) = scans_of(f, X, X[0])
    assert sizes(scan) == (0, 1, 2, 2)
    np.testing.assert_array_equal(olympus.jit(f)(X, X[0])[0], X[0] + X.sum(0))


def test_what_a_stacked_result_needs_stays() -> None:
    (scan,) = scans_of(lambda x: lax.scan(lambda s, a: ((s[0] + s[1], s[1] * 2), s[0]), (x[0], x[1]), x)[1], X)
    assert sizes(scan) == (0, 2, 2, 3)  # what is scanned is not read


def test_effects_stay() -> None:
    seen: list[int] = []
    olympus.jit(lambda x: lax.fori_loop(
        0, 3, lambda i, c: (olympus.debug.callback(lambda n: seen.append(int(n)), i, ordered=True), c * 2)[1], x))(X)
    olympus.effects_barrier()
    assert seen == [0, 1, 2]


@pytest.mark.parametrize("reverse", [False, True])
@given(st.data())
def test_any_dependences(reverse: bool, data: Any) -> None:
    """The results that are taken are those of the scan of which all are."""
    count = data.draw(st.integers(1, 4))
    picks = [data.draw(st.tuples(*[st.integers(0, count + 1)] * 2)) for _ in range(2 * count)]
    taken = data.draw(st.lists(st.integers(0, 2 * count - 1), min_size=1, max_size=3, unique=True))

    def f(x: Any, c: Any) -> list[Any]:
        def step(s: Any, a: Any) -> Any:
            values = (*s, a, c)
            new = [values[i] * 3 + values[j] for i, j in picks]
            return new[:count], new[count:]

        carry, stacked = lax.scan(step, [x[i] for i in range(count)], x, reverse=reverse)
        return [*carry, *stacked]

    x, c = np.arange(12, dtype=np.int32).reshape(4, 3), np.int32([5, 6, 7])
    everything = olympus.jit(f)(x, c)
    some = olympus.jit(lambda x, c: [f(x, c)[n] for n in taken])(x, c)
    for n, got in zip(taken, some, strict=True):
        np.testing.assert_array_equal(got, everything[n])
