# SPDX-License-Identifier: Apache-2.0
"""Callbacks in branches that are hardly ever taken: programs run without them, and again where one is reached."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.sharding import NamedSharding
from olympus.sharding import PartitionSpec as P
from olympus_core.program import operations_of
from olympus_core.toolkit import generated, speculation

VECTOR = olympus.ShapeDtypeStruct((3,), np.float32)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """What a test's programs with callbacks became: programs without them, or None."""
    found: list[Any] = []

    def noting(program: Any) -> Any:
        quick = speculation.speculative_program(program)
        if any(o.record.category == "host" for o in operations_of(program.program)):
            found.append(quick)
        return quick

    monkeypatch.setattr(generated, "speculative_program", noting)
    yield found


class Calls:
    """A callback that adds ten, and counts its calls."""

    def __init__(self) -> None:
        self.seen: list[list[float]] = []

    def __call__(self, x: np.ndarray) -> np.ndarray:
        self.seen.append(np.asarray(x).tolist())
        return np.asarray(x) + np.float32(10)


def checked(calls: Calls, x: Any) -> Any:
    """Adds ten by a callback where an element is negative."""
    return lax.cond((x < 0).any(), lambda x: olympus.pure_callback(calls, VECTOR, x), lambda x: x, x)


def test_a_branch_that_is_not_taken_and_one_that_is(made: list[Any]) -> None:
    calls = Calls()
    f = olympus.jit(lambda x: checked(calls, x * 2) + 1)
    np.testing.assert_array_equal(f(np.array([1, 2, 3], "f4")), [3, 5, 7])
    assert not calls.seen
    assert [quick is not None for quick in made] == [True]
    np.testing.assert_array_equal(f(np.array([1, -2, 3], "f4")), [13, 7, 17])
    assert calls.seen == [[2, -4, 6]]
    np.testing.assert_array_equal(f(np.array([1, 0, 3], "f4")), [3, 1, 7])
    assert len(calls.seen) == 1


def test_errors_are_raised_and_come_once(made: list[Any]) -> None:
    said = itertools.count()

    def refuse(x: np.ndarray) -> np.ndarray:
        next(said)
        raise ValueError("negative")

    def f(x: Any) -> Any:
        x = lax.cond((x < 0).any(), lambda x: olympus.pure_callback(refuse, VECTOR, x), lambda x: x, x)
        # With the zeros that stand for the callback's results this would never end.
        return lax.while_loop(lambda y: y.sum() < 100, lambda y: y * 2, x)

    g = olympus.jit(f)
    np.testing.assert_array_equal(g(np.ones(3, "f4")), np.full(3, 64))
    for turn in range(1, 4):
        with pytest.raises(Exception, match="negative"):
            np.asarray(g(np.array([1, -1, 1], "f4")))
        assert next(said) == 2 * turn - 1
    np.testing.assert_array_equal(g(np.ones(3, "f4")), np.full(3, 64))
    assert len(made) == 1


@pytest.mark.parametrize("reverse", [False, True])
def test_in_loops(made: list[Any], reverse: bool) -> None:
    calls = Calls()

    def f(x: Any, rows: Any) -> Any:
        def step(c: Any, row: Any) -> Any:
            c = checked(calls, c + row)
            return c, lax.fori_loop(0, 3, lambda i, d: checked(calls, d - i), c)
        carry, stacked = lax.scan(step, x, rows, reverse=reverse)
        return lax.while_loop(lambda s: s[0] < 4, lambda s: (s[0] + 1, checked(calls, s[1] * 2)), (0, carry)), stacked

    def expected(x: np.ndarray, rows: np.ndarray) -> Any:
        count = itertools.count()

        def own(x: np.ndarray) -> np.ndarray:
            if (x < 0).any():
                next(count)
                return x + 10
            return x

        stacked = []
        for row in rows[::-1] if reverse else rows:
            x = own(x + row)
            d = x
            for i in range(3):
                d = own(d - i)
            stacked.append(d)
        for _ in range(4):
            x = own(x * 2)
        return x, np.stack(stacked[::-1] if reverse else stacked), next(count)

    g = olympus.jit(f)
    for shift in (10, 0, 3):
        x, rows = np.full(3, shift, "f4"), np.arange(12, dtype="f4").reshape(4, 3) - 5
        before = len(calls.seen)
        ((turns, carry), stacked) = g(x, rows)
        wanted, wanted_rows, count = expected(x, rows)
        assert int(turns) == 4 and len(calls.seen) - before == count
        np.testing.assert_array_equal(carry, wanted)
        np.testing.assert_array_equal(stacked, wanted_rows)
    assert [quick is not None for quick in made] == [True]


def test_switches_and_inner_branches(made: list[Any]) -> None:
    calls = Calls()

    def f(i: Any, x: Any) -> Any:
        inner = lambda x: lax.cond(x[0] > 5, lambda x: checked(calls, x - 20), lambda x: x * 2, x)
        return lax.switch(i, [lambda x: x + 1, lambda x: olympus.pure_callback(calls, VECTOR, x), inner], x)

    g = olympus.jit(f)
    for i, first, wanted, count in ((0, 1, 2, 0), (2, 1, 2, 0), (2, 30, 10, 0), (2, 6, -4, 1), (1, 1, 11, 2)):
        np.testing.assert_array_equal(g(i, np.full(3, first, "f4")), np.full(3, wanted))
        assert len(calls.seen) == count
    assert len(made) == 1 and made[0] is not None


def test_what_is_no_exception_is_not_tried_again(made: list[Any]) -> None:
    calls = Calls()
    f = olympus.jit(lambda x: checked(calls, x))
    quick = []
    for _ in range(8):
        np.testing.assert_array_equal(f(-np.ones(3, "f4")), np.full(3, 9))
        quick.append(len(calls.seen))
    assert quick == list(range(1, 9)) and len(made) == 1


def test_callbacks_outside_of_branches_and_donated_inputs_stay_as_they_are(made: list[Any]) -> None:
    calls = Calls()
    f = olympus.jit(lambda x: olympus.pure_callback(calls, VECTOR, checked(calls, x)))
    np.testing.assert_array_equal(f(np.ones(3, "f4")), np.full(3, 11))
    g = olympus.jit(lambda x: lax.fori_loop(0, 2, lambda i, x: olympus.pure_callback(calls, VECTOR, x), x))
    np.testing.assert_array_equal(g(np.ones(3, "f4")), np.full(3, 21))
    h = olympus.jit(lambda x: checked(calls, x) + 1, donate_argnums=0)
    np.testing.assert_array_equal(h(jnp.ones(3)), np.full(3, 2))
    np.testing.assert_array_equal(h(-jnp.ones(3)), np.full(3, 10))
    both = olympus.jit(lambda i, x: lax.cond(
        i > 0, lambda x: olympus.pure_callback(calls, VECTOR, x), lambda x: olympus.pure_callback(calls, VECTOR, -x),
        x))
    np.testing.assert_array_equal(both(0, np.ones(3, "f4")), np.full(3, 9))
    assert made and not any(quick is not None for quick in made)


def test_the_order_of_what_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    def f(x: Any) -> Any:
        def step(i: Any, x: Any) -> Any:
            lax.cond(i % 2 == 1, lambda: olympus.debug.print("turn {}", i, ordered=True), lambda: None)
            return x + 1
        return lax.fori_loop(0, 5, step, x)

    for _ in range(2):
        np.testing.assert_array_equal(olympus.jit(f)(np.zeros(3, "f4")), np.full(3, 5))
        olympus.effects_barrier()
    assert capsys.readouterr().out == "turn 1\nturn 3\n" * 2


def test_some_devices_reach_it(made: list[Any]) -> None:
    calls = Calls()
    mesh = olympus.make_mesh((4,), ("i",))
    f = olympus.jit(olympus.shard_map(lambda x: checked(calls, x * 2), mesh=mesh, in_specs=P("i"), out_specs=P("i")))
    x = np.arange(12, dtype="f4")
    place = lambda x: olympus.device_put(x, NamedSharding(mesh, P("i")))
    np.testing.assert_array_equal(f(place(x)), x * 2)
    assert not calls.seen
    x[4] = -1
    np.testing.assert_array_equal(f(place(x)), np.where(np.arange(12) // 3 == 1, x * 2 + 10, x * 2))
    assert calls.seen == [[6, -2, 10]]
    assert any(quick is not None for quick in made)


def test_derivatives_go_through_the_branch_that_is_taken() -> None:
    def f(x: Any) -> Any:
        x = lax.cond(x[0] > 100, lambda x: x + lax.stop_gradient(
            olympus.pure_callback(lambda y: y * 0, VECTOR, lax.stop_gradient(x))), lambda x: x, x)
        return (x ** 2).sum()

    np.testing.assert_allclose(olympus.jit(olympus.grad(f))(jnp.arange(3.0)), [0, 2, 4])
