# SPDX-License-Identifier: Apache-2.0
"""Python functions that run kernels."""

from __future__ import annotations

import gc
import sys
import threading
import weakref
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from olympus_core.errors import OlympusInternalError
from olympus_core.errors.platform import OutOfMemoryError
from olympus_cpu.native.entry import INLINE, PARALLEL, RELEASED, Slots, Step, make_entry, make_kernel_entry
from olympus_cpu.native.memory import Block, block_array, figures, take
from olympus_cpu.native.pool import pool

from .kernels import kernels

MODES = (INLINE, RELEASED, PARALLEL)


@pytest.fixture(autouse=True)
def threads() -> Iterator[None]:
    before = pool().threads
    pool().resize(4)
    yield
    pool().resize(before)


def array_of(block: Block) -> np.ndarray:
    return block_array(block, (block.size // 8,), np.dtype(np.int64))


def address(array: np.ndarray) -> int:
    return int(array.ctypes.data)


@settings(deadline=None, max_examples=60)
@given(mode=st.sampled_from(MODES), total=st.integers(0, 3000), chunk=st.integers(1, 4000))
def test_one_kernel(mode: int, total: int, chunk: int) -> None:
    entry = make_kernel_entry(kernels()["increment"], 2, total, chunk, mode)
    given, out = np.arange(total + 1), np.full(total + 1, -1)
    assert entry(address(given), address(out)) is None
    assert out[:total].tolist() == list(range(1, total + 1)) and out[total] == -1


@pytest.mark.parametrize("mode", MODES)
def test_blocks_and_addresses_are_arguments(mode: int) -> None:
    entry = make_kernel_entry(kernels()["add"], 3, 5, 2, mode)
    block, array, out = take(40), np.arange(5), take(40)
    array_of(block)[:] = 10
    for argument in (address(array), array):
        entry(block, argument, out)
        assert array_of(out).tolist() == [10, 11, 12, 13, 14]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("count", [1, 2, 5])
def test_outputs_are_made(mode: int, count: int) -> None:
    steps = [Step(kernels()["increment"], 6, 6, ((i, i + 1),)) for i in range(count)]
    entry = make_entry(steps, Slots(1, (48,) * count), mode, kernels())
    given = np.arange(6)
    result: Any = entry(address(given))
    blocks = (result,) if count == 1 else result
    assert isinstance(blocks, tuple) and len(blocks) == count
    for i, block in enumerate(blocks):
        assert block.size == 48 and array_of(block).tolist() == list(range(i + 1, i + 7))


@settings(deadline=None, max_examples=40)
@given(mode=st.sampled_from(MODES), n=st.integers(1, 2000), chunk=st.integers(1, 500))
def test_steps_with_temporaries_and_constants(mode: int, n: int, chunk: int) -> None:
    """(x * x + c) * x, each step behind a barrier."""
    x, c = np.arange(n) - n // 2, np.arange(n) * 3
    slots = Slots(1, (8 * n,), (8 * n, 8 * n), (address(c),))
    library = kernels()
    steps = [
        Step(library["multiply"], n, chunk, ((0, 0, 2),)),
        Step(library["add"], n, chunk, ((2, 4, 3),)),
        Step(library["multiply"], n, chunk, ((3, 0, 1),)),
    ]
    entry = make_entry(steps, slots, mode, (library, c))
    for _ in range(2):
        assert (array_of(entry(address(x))) == (x * x + c) * x).all()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("joined", [False, True])
@pytest.mark.parametrize(
    ("devices", "n", "chunk"), [(1, 10, 3), (8, 10, 3), (8, 1000, 1000), (3, 1000, 10), (50, 7, 7)]
)
def test_devices(mode: int, joined: bool, devices: int, n: int, chunk: int) -> None:
    """Each device: y = x + 1, z = x * y; slots: all x, all z, all y."""
    library = kernels()
    xs = [np.arange(n) + 100 * d for d in range(devices)]
    slots = Slots(devices, (8 * n,) * devices, (8 * n,) * devices)
    first = tuple((d, 2 * devices + d) for d in range(devices))
    second = tuple((d, 2 * devices + d, devices + d) for d in range(devices))
    steps = [Step(library["increment"], n, chunk, first), Step(library["multiply"], n, chunk, second, joined)]
    entry = make_entry(steps, slots, mode, library)
    result: Any = entry(*map(address, xs))
    for x, block in zip(xs, result if devices > 1 else (result,), strict=True):
        assert (array_of(block) == x * (x + 1)).all()


@settings(deadline=None, max_examples=40)
@given(st.sampled_from(MODES), st.integers(1, 5), st.integers(1, 40), st.integers(1, 7), st.integers(1, 20))
def test_steps_piece_by_piece(mode: int, devices: int, pieces: int, first: int, last: int) -> None:
    """Each device: y = x + 1 where there is nothing else to do, z = y + 1 behind each piece; slots: x, z, y."""
    library = kernels()
    n = pieces * first - min(first - 1, last)
    xs = [np.arange(n) * (d + 1) for d in range(devices)]
    slots = Slots(devices, (8 * n,) * devices, (8 * n,) * devices)
    steps = [
        Step(library["increment"], n, first, tuple((d, 2 * devices + d) for d in range(devices))),
        Step(library["increment"], n, first, tuple((2 * devices + d, devices + d) for d in range(devices)),
             piecewise=True),
        Step(library["add"], n, first, tuple((d, devices + d, devices + d) for d in range(devices)), piecewise=True),
    ]
    result: Any = make_entry(steps, slots, mode, library)(*map(address, xs))
    for x, block in zip(xs, result if devices > 1 else (result,), strict=True):
        assert (array_of(block) == 2 * x + 2).all()


def test_a_piece_waits_for_no_other() -> None:
    """Every piece writes one place that the next step of the same piece reads: only in order would others see it."""
    library = kernels()
    slots = Slots(2, (), (8 * 64,))
    steps = [
        Step(library["increment"], 64, 1, ((0, 2),)),
        Step(library["visit"], 64, 1, ((2,),), piecewise=True),
        Step(library["increment"], 64, 1, ((2, 1),), piecewise=True),
    ]
    out = np.zeros(64, np.int64)
    make_entry(steps, slots, PARALLEL, library)(address(np.arange(64)), address(out))
    assert (out == np.arange(64) + 3).all()


@pytest.mark.parametrize("mode", MODES)
def test_a_step_between_devices(mode: int) -> None:
    """Sums of all devices, added by one step that sees all of them, then used by each."""
    library, devices, n = kernels(), 4, 100
    xs = [np.arange(n) + d for d in range(devices)]
    sums, total = 2 * devices, 2 * devices + devices
    slots = Slots(devices, (8 * n,) * devices, (8,) * devices + (8 * n,))
    steps = [
        Step(library["clear"], 1, 1, tuple((sums + d,) for d in range(devices))),
        Step(library["total"], n, n, tuple((sums + d, d) for d in range(devices)), joined=True),
        Step(library["clear"], n, n, ((total,),)),
        *(Step(library["total"], 1, 1, ((total, sums + d),)) for d in range(devices)),
        Step(library["add"], n, 30, tuple((d, total, devices + d) for d in range(devices))),
    ]
    entry = make_entry(steps, slots, mode, library)
    everything = sum(int(x.sum()) for x in xs)
    for x, block in zip(xs, entry(*map(address, xs)), strict=True):
        expected = x.copy()
        expected[0] += everything
        assert (array_of(block) == expected).all()


def test_more_pointers_than_the_frame_holds() -> None:
    library, count = kernels(), 400
    steps = [Step(library["increment"], 3, 3, ((i, i + 1),)) for i in range(count)]
    entry = make_entry(steps, Slots(count + 1), INLINE, library)
    arrays = [np.zeros(3, np.int64) for _ in range(count + 1)]
    entry(*map(address, arrays))
    assert all((a == i).all() for i, a in enumerate(arrays))


def test_no_arguments_and_no_steps() -> None:
    out = np.zeros(4, np.int64)
    assert make_entry([], Slots(), INLINE)() is None
    entry = make_entry([Step(kernels()["visit"], 4, 1, ((0,),))], Slots(constants=(address(out),)), PARALLEL, out)
    entry()
    entry()
    assert out.tolist() == [2, 2, 2, 2]


def test_chunks_are_the_same_in_every_mode() -> None:
    results = []
    for mode in MODES:
        sums = np.zeros(8, np.int64)
        make_kernel_entry(kernels()["sum_chunk"], 1, 100, 13, mode)(address(sums))
        results.append(sums.tolist())
    assert results[0] == results[1] == results[2] == [sum(range(i, min(100, i + 13))) for i in range(0, 100, 13)]


@pytest.mark.parametrize("mode", MODES)
def test_status_becomes_an_error(mode: int) -> None:
    def tell(status: int) -> None:
        raise ZeroDivisionError(status)

    slots = Slots(1, (8,))
    step = Step(kernels()["complain"], 5, 5, ((0, slots.status),))
    entry = make_entry([step], slots, mode, kernels(), tell)
    good, bad = np.arange(5), np.arange(5) - 3
    before = figures().in_use
    assert entry(address(good)).size == 8
    with pytest.raises(ZeroDivisionError, match="7"):
        entry(address(bad))
    assert entry(address(good)).size == 8
    assert figures().in_use == before
    with pytest.raises(OlympusInternalError, match="status 7"):
        make_entry([step], slots, mode, kernels())(address(bad))
    with pytest.raises(OlympusInternalError):
        make_entry([step], slots, mode, kernels(), lambda status: None)(address(bad))


def test_wrong_calls() -> None:
    entry = make_entry([Step(kernels()["increment"], 1, 1, ((0, 1),))], Slots(1, (8,), (100_000,)), INLINE, kernels())
    before = figures()
    for arguments in ((), (1, 2)):
        with pytest.raises(OlympusInternalError):
            entry(*arguments)
    for argument in ("x", 1.5, None, np.zeros(3).view(np.recarray)):
        with pytest.raises(TypeError):
            entry(argument)
    with pytest.raises(TypeError):
        entry(x=1)
    assert figures().in_use == before.in_use


def test_outputs_that_cannot_be_had() -> None:
    before = figures().in_use
    for slots in (Slots(0, (8, 1 << 46)), Slots(0, (1 << 46,)), Slots(0, (8,), (1 << 46,)), Slots(0, (8,), (1 << 50,))):
        with pytest.raises(OutOfMemoryError):
            make_entry([], slots, INLINE)()
    assert figures().in_use == before


@pytest.mark.parametrize(
    "steps",
    [
        [Step(0, 1, 1, ((0,),))],
        [Step(1, 1, 0, ((0,),))],
        [Step(1, -1, 1, ((0,),))],
        [Step(1, 1, 1, ())],
        [Step(1, 1, 1, ((0,), (0, 0)))],
        [Step(1, 1, 1, ((5,),))],
        [Step(1, 1, 1, ((-1,),))],
        [Step(1, 1, 1, ((0,),), joined=True)],
        [Step(1, 1, 1, ((0,),)), Step(1, 1, 1, ((0,), (0,)), joined=True)],
        [Step(1, 1, 1, ((0,),), piecewise=True)],
        [Step(1, 4, 1, ((0,),)), Step(1, 4, 2, ((0,),), piecewise=True)],
        [Step(1, 4, 1, ((0,),)), Step(1, 4, 1, ((0,), (0,)), piecewise=True)],
        [Step(1, 4, 1, ((0,),)), Step(1, 4, 1, ((0,),), joined=True, piecewise=True)],
        [Step(1, 4, 1, ((0,),)), Step(1, 4, 1, ((0,),), piecewise=True), Step(1, 4, 1, ((0,),), joined=True)],
    ],
)
def test_faults_of_a_plan(steps: list[Step]) -> None:
    with pytest.raises(OlympusInternalError):
        make_entry(steps, Slots(2, (8,)), INLINE)


@pytest.mark.parametrize(("mode", "slots"), [(3, Slots()), (INLINE, Slots(-1)), (INLINE, Slots(0, (-1,)))])
def test_faults_of_slots_and_mode(mode: int, slots: Slots) -> None:
    with pytest.raises(OlympusInternalError):
        make_entry([], slots, mode)


@pytest.mark.parametrize("mode", [RELEASED, PARALLEL])
def test_other_python_threads_run_meanwhile(mode: int) -> None:
    flag, answer = np.zeros(1, np.int64), np.zeros(1, np.int64)
    entry = make_kernel_entry(kernels()["await"], 2, 1, 1, mode)
    caller = threading.Thread(target=entry, args=(address(flag), address(answer)))
    caller.start()
    flag[0] = 1  # this thread gets Python's lock while the kernel waits for it to do so
    caller.join(60)
    assert not caller.is_alive() and answer[0] == 1


def test_from_many_python_threads() -> None:
    n = 500
    library = kernels()
    steps = [Step(library["increment"], n, 50, ((0, 2),)), Step(library["multiply"], n, 50, ((0, 2, 1),))]
    entry = make_entry(steps, Slots(1, (8 * n,), (8 * n,)), PARALLEL, library)

    def work(number: int) -> bool:
        x = np.arange(n) + number
        return all((array_of(entry(address(x))) == x * (x + 1)).all() for _ in range(300))

    with ThreadPoolExecutor(8) as callers:
        assert all(callers.map(work, range(8)))


def test_what_it_keeps_lives_as_long_as_it_does() -> None:
    class Owner:
        pass

    owner = Owner()
    seen = weakref.ref(owner)
    entry = make_kernel_entry(kernels()["visit"], 1, 1, 1, INLINE, owner)
    del owner
    gc.collect()
    assert seen() is not None
    del entry
    gc.collect()
    assert seen() is None


def resident() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_many_calls_leave_nothing() -> None:
    n = 100
    library = kernels()
    steps = [Step(library["increment"], n, n, ((0, 3),)), Step(library["multiply"], n, n, ((0, 3, 1),))]
    entry = make_entry(steps, Slots(1, (8 * n, 8), (8 * n,)), INLINE, library)
    x = take(8 * n)
    array_of(x)[:] = 3

    def calls(count: int) -> None:
        for _ in range(count):
            entry(x)

    calls(1000)
    before, size, references = figures(), resident(), sys.getrefcount(None)
    calls(100_000)
    assert figures() == before
    assert resident() - size < 2 << 20
    assert abs(sys.getrefcount(None) - references) < 1000
