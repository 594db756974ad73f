# SPDX-License-Identifier: Apache-2.0
"""Which code comes first: what compiles fast, or what runs fast where one execution would lose more than it saves."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus_core import ops
from olympus_core.program import ArrayType, Operation, Value
from olympus_core.toolkit.dumps import Dump
from olympus_cpu.compiled import kernels
from olympus_cpu.native import routines
from olympus_cpu.native.linker import BASELINE, OPTIMISED


@pytest.fixture
def first(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Gives the level of the code that a new program's kernels run first; nothing is on disk."""
    levels: list[int] = []
    own = kernels.link

    def noting(*arguments: Any, level: int, **named: Any) -> Any:
        levels.append(level)
        return own(*arguments, level=level, **named)

    monkeypatch.setattr(kernels, "link", noting)
    monkeypatch.setattr(kernels, "is_cached", lambda *arguments: False)

    def level_of(f: Callable[..., Any], *arguments: Any) -> int:
        levels.clear()
        olympus.block_until_ready(olympus.jit(f)(*arguments))
        return levels[-1]

    return level_of


def test_fast_code_comes_first_where_one_execution_loses_less_than_optimising_it_takes(first: Any) -> None:
    short = jnp.arange(1001.0)
    assert first(lambda x: jnp.sin(x) * 3.25 + 1, short) == BASELINE
    # Iterations of a loop count.
    assert first(lambda x: lax.fori_loop(0, 3, lambda i, c: jnp.sin(c) * 2.25, x), short) == BASELINE
    assert first(lambda x: lax.fori_loop(0, 1_000_000, lambda i, c: jnp.cos(c), x[:64] * 1.25), short) == OPTIMISED
    # Of loops with a condition many are expected.
    assert first(lambda x: lax.while_loop(lambda c: c.sum() > 1e9, lambda c: jnp.cos(c) + 2, x), short) == OPTIMISED


def test_elements_that_wait_for_one_another_take_baseline_code_longest(first: Any) -> None:
    wide = jnp.arange(1_500_000.0).reshape(3, 500_000)
    assert first(lambda x: jnp.cumsum(x * 1.5, 1), wide) == OPTIMISED
    assert first(lambda x: x * 1.5 + jnp.abs(x), wide) == BASELINE


@pytest.mark.parametrize("seconds", [1e-6, 1.0])
def test_routines_have_two_tiers_as_well(seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routines, "_linked", set())
    monkeypatch.setattr(routines, "is_cached", lambda *arguments: False)
    own = routines.Routine("sorts", "sort_lines", np.zeros(1, np.int64), (), 1, 1, 0, seconds)
    assert own.first_tier(1.0) == (BASELINE if seconds < 1e-3 else OPTIMISED)
    assert own.first_tier(1e6) == OPTIMISED
    monkeypatch.setattr(routines, "_linked", {("sorts", OPTIMISED)})
    assert own.first_tier(1.0) == OPTIMISED


def test_a_routine_s_code_is_begun_in_the_compile_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    own = routines.Routine("sorts", "sort_lines", np.zeros(1, np.int64), (), 1, 1, 0, 1e-6)
    made: list[tuple[str, str, int]] = []
    done = threading.Event()

    def making(name: str, level: int) -> Any:
        made.append((threading.current_thread().name, name, level))
        done.set()
        return {"sort_lines": 64}

    monkeypatch.setattr(routines, "_linked", set())
    monkeypatch.setattr(routines, "is_cached", lambda *arguments: False)
    monkeypatch.setattr(routines, "unit", making)
    x = Value(ArrayType((3,), np.dtype(np.float32)))
    sort = Operation(ops.sort, (x,), {"dimension": 0, "keys": 1}, (), (Value(x.type),))
    kernels.KernelStore(None, Dump(None)).start_calls([sort], lambda operation: own)
    assert done.wait(60) and made == [("olympus-compile", "sorts", BASELINE)]
    monkeypatch.setattr(routines, "_linked", {("sorts", BASELINE)})
    kernels.KernelStore(None, Dump(None)).start_calls([sort], lambda operation: own)
    assert len(made) == 1
