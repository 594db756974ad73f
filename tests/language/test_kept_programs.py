# SPDX-License-Identifier: Apache-2.0
"""How much of what was compiled stays: as much as the option says, and nothing of what died."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus.transforms.calls import CompiledCall
from olympus.transforms.shared_calls import TracedProgram
from olympus.trees import treedef
from olympus_core.config import Config, OptionValueError, config
from olympus_core.program import types
from olympus_core.runtime import LoadedProgram, ProgramEntry, SizedEntry, kept_bytes


@pytest.fixture(autouse=True)
def nothing_else() -> Iterator[None]:
    """Only what a test makes counts: what other tests hold is not returned, and would be counted out instead of it."""
    olympus.clear_caches()
    gc.collect()
    with pytest.MonkeyPatch.context() as patch:
        limit(patch, 0)
        for _ in range(2):  # the first asks what is used
            SizedEntry(0)
    assert kept_bytes()[0] == 0
    gc.disable()  # nothing may need it
    yield
    gc.enable()


def limit(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    assert config.compiled_cache_bytes
    monkeypatch.setitem(config.__dict__, "compiled_cache_bytes", size)


def alive(*kinds: type) -> set[int]:
    return {id(x) for x in gc.get_objects() if type(x) in kinds}


PROGRAMS = (CompiledCall, LoadedProgram, ProgramEntry, TracedProgram)


@pytest.mark.parametrize("kind", ["shapes", "functions", "eager", "derivatives"])
def test_programs_take_as_much_as_they_may(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    f, before, others = olympus.jit(lambda x: x * 2 + 1), kept_bytes()[0], alive(*PROGRAMS)
    uses = {
        "shapes": lambda i: f(np.zeros(i + 1, np.float32)),
        "functions": lambda i: olympus.jit(lambda x: x + float(i))(np.zeros(3, np.float32)),
        "eager": lambda i: jnp.negative(np.zeros(i + 1, np.float32)),
        "derivatives": lambda i: olympus.grad(lambda x: f(x).sum())(jnp.zeros(i + 1)),
    }
    limit(monkeypatch, before + 500_000)
    seen = []
    for i in range(40):
        uses[kind](i)
        assert kept_bytes()[0] <= before + 500_000
        seen.append(len(alive(*PROGRAMS) - others))
    assert max(seen[20:]) <= max(seen[:20])  # no more than there were when it was full


def test_what_is_used_stays_and_what_is_not_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    traced = []

    @olympus.jit
    def hot(tree: dict[str, Any]) -> Any:
        traced.append("hot")
        return tree["x"] * 3

    @olympus.jit
    def cold(x: Any) -> Any:
        traced.append("cold")
        return x * 5

    x = jnp.ones(4)
    limit(monkeypatch, kept_bytes()[0] + 900_000)
    assert hot({"x": x}).tolist() == [3] * 4 and cold(x).tolist() == [5] * 4
    (program,) = hot._calls.values()
    loaded = weakref.ref(program.loaded)
    del program
    for i in range(40):
        olympus.jit(lambda x: x + float(i))(x)
        assert hot({"x": x}).tolist() == [3] * 4
    assert loaded() is not None and not cold._calls and not cold._direct and not cold._traced
    assert cold(x).tolist() == [5] * 4 and traced.count("cold") == 2


def test_what_is_forgotten_while_it_runs_is_there_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    limit(monkeypatch, 0)  # every program drives out all others
    other = olympus.jit(lambda x: x - 1)

    def inside(x: np.ndarray) -> np.ndarray:
        for i in range(3):
            other(np.zeros(i + 2, np.float32))
        return 2 * x

    kind = olympus.ShapeDtypeStruct((3,), np.float32)
    f = olympus.jit(lambda x: olympus.pure_callback(inside, kind, x + 1) * 10, donate_argnums=0)
    for _ in range(3):
        assert f(jnp.arange(3.0)).tolist() == [20, 40, 60]


def test_functions_that_die_take_their_programs_with_them() -> None:
    x = jnp.ones(2)
    before = alive(CompiledCall, TracedProgram)
    for i in range(5):
        olympus.jit(lambda x: x + float(i))(x)
    assert not alive(CompiledCall, TracedProgram) - before


def test_static_arguments_are_let_go_with_the_function() -> None:
    class Static:
        """Something large of the user's."""

    static = Static()
    gone = weakref.ref(static)
    f = olympus.jit(lambda s, x: x + 1, static_argnums=0)
    f(static, jnp.ones(2))
    del f, static
    assert gone() is None


def test_clear_caches_leaves_nothing_that_counts() -> None:
    before = kept_bytes()
    f = olympus.jit(lambda x: x * 2)
    for _ in range(4):  # until the better code is asked for
        f(jnp.ones(3))
    olympus.grad(lambda x: f(x).sum())(jnp.ones(3))
    olympus.vmap(f)(jnp.ones((2, 3)))
    kinds = {type(x) for x in gc.get_objects() if isinstance(x, SizedEntry)}
    assert kept_bytes() > before and kinds >= {LoadedProgram, ProgramEntry, TracedProgram}
    olympus.clear_caches()
    assert kept_bytes() == before


def test_types_and_structures_are_gone_with_the_last_who_has_them() -> None:
    before = len(types._interned), len(treedef._interned)
    for i in range(20):
        olympus.jit(lambda t: list(t.values()))({f"key {i}": np.zeros((i, 77), np.int16)})
    assert len(types._interned) > before[0]
    olympus.clear_caches()
    gc.collect()  # functions written for a structure hold it
    assert len(types._interned) <= before[0] and len(treedef._interned) <= before[1]


@pytest.mark.parametrize(("text", "size"), [("64MB", 64_000_000), ("2GiB", 2 << 30), ("0", 0), (" 5 kib", 5120)])
def test_bytes_of_an_option(text: str, size: int) -> None:
    settings = Config(environ={"OLYMPUS_COMPILED_CACHE_BYTES": text}, arguments=[])
    assert settings.compiled_cache_bytes == size


@pytest.mark.parametrize("value", ["much", "-1", "1.5GB", "5 apples", True, -1, 2.5, None])
def test_what_is_no_number_of_bytes_is_refused(value: Any) -> None:
    with pytest.raises(OptionValueError, match="an integer of bytes"):
        Config(environ={}, arguments=[]).update("olympus_compiled_cache_bytes", value)


class Large:
    """What a function of the host holds."""


def calling(large: Large) -> Any:
    """A function that calls the host, which holds something."""
    kind = olympus.ShapeDtypeStruct((2,), np.float32)
    return lambda x: olympus.pure_callback(lambda x: x if large is not None else x, kind, x)


def test_what_functions_of_the_host_hold_goes_with_the_function_that_calls_them() -> None:
    x, large = jnp.ones(2), Large()
    gone = weakref.ref(large)
    f = olympus.jit(calling(large))
    assert f(x).tolist() == f(x).tolist() == [1, 1]
    del large
    assert gone() is not None
    del f
    assert gone() is None


def test_evaluated_calls_of_the_host_are_few() -> None:
    x, gone = jnp.ones(2), []
    for _ in range(50):
        large = Large()
        gone.append(weakref.ref(large))
        calling(large)(x)
        del large
    assert sum(reference() is not None for reference in gone) <= 32 + 1
