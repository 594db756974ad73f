# SPDX-License-Identifier: Apache-2.0
"""Parallel loops over native threads."""

from __future__ import annotations

import ctypes
import json
import os
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from olympus_cpu.native import pool as pool_module
from olympus_cpu.native.pool import Pool, pool, processors
from olympus_cpu.native.runtime import has_threads, runtime
from tests.support.processes import Processes, wait_until

from .kernels import kernels

# Runs where the system starts three threads and then none, until it does again.
FEW_THREADS = """
import ctypes, json, sys, warnings
import olympus_cpu.native.runtime as runtime

ADDRESSES, C = runtime._addresses(), ctypes.CDLL(None)
left = 3

@ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_void_p] * 4)
def pthread_create(*arguments):
    global left
    left -= 1
    return ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_void_p] * 4)(ADDRESSES["pthread_create"])(*arguments) \
        if left >= 0 else 11

runtime._addresses = lambda: {**ADDRESSES, "pthread_create": ctypes.cast(pthread_create, ctypes.c_void_p).value}
import numpy, olympus
from olympus_cpu.native.pool import pool

olympus.jit(lambda x: x + 1)(1)  # opens the platform, with its number of threads
seen = []
with warnings.catch_warnings(record=True) as found:
    warnings.simplefilter("always")
    for more in (0, 0, 2, 100):
        left += more if left > 0 else more - left
        if more:
            pool().resize(8)
        pool().start()
        total = int(olympus.jit(lambda x: (x + more).sum())(numpy.ones(1_000_000, numpy.int32))) - 1_000_000 * more
        seen.append([pool().threads, pool().alive, total])
print(json.dumps([seen, [[w.message.wanted, w.message.started, str(w.message)] for w in found]]))
"""

linux = pytest.mark.skipif(not has_threads(), reason="loops have threads on Linux only")


@pytest.fixture(autouse=True)
def threads() -> Iterator[Pool]:
    """The pool with more threads than there may be processors, as it was afterwards."""
    made = pool()
    before = made.threads
    made.resize(4)
    yield made
    made.resize(before)


def run(name: str, total: int, chunk: int, *arrays: np.ndarray) -> None:
    table = (ctypes.c_void_p * len(arrays))(*(a.ctypes.data for a in arrays))
    pool().parallel_for(kernels()[name], ctypes.addressof(table), total, chunk)


@settings(deadline=None, max_examples=100)
@given(total=st.integers(0, 5000), chunk=st.integers(1, 6000))
def test_every_index_once(total: int, chunk: int) -> None:
    counts = np.zeros(total + 1, np.int64)
    run("visit", total, chunk, counts)
    assert (counts[:total] == 1).all() and counts[total] == 0


@settings(deadline=None, max_examples=50)
@given(total=st.integers(1, 3000), chunk=st.integers(1, 100))
def test_chunks_have_their_index(total: int, chunk: int) -> None:
    chunks = -(-total // chunk)
    sums = np.zeros(chunks, np.int64)
    run("sum_chunk", total, chunk, sums)
    expected = [sum(range(i * chunk, min(total, (i + 1) * chunk))) for i in range(chunks)]
    assert sums.tolist() == expected


def test_many_loops_in_a_row() -> None:
    counts = np.zeros(64, np.int64)
    for _ in range(20_000):
        run("visit", 64, 5, counts)
    assert (counts == 20_000).all()


def test_from_many_python_threads() -> None:
    def work(_: int) -> bool:
        counts = np.zeros(1000, np.int64)
        for _ in range(500):
            run("visit", 1000, 13, counts)
        return bool((counts == 500).all())

    with ThreadPoolExecutor(8) as callers:
        assert all(callers.map(work, range(8)))


def test_loop_inside_of_a_loop() -> None:
    counts = np.zeros(100, np.int64)
    run("nest", 50, 1, counts)
    assert (counts == 50).all()


def test_resized_between_loops(threads: Pool) -> None:
    counts = np.zeros(100, np.int64)
    for size in (1, 2, 5, 3, 1, 4):
        threads.resize(size)
        assert threads.threads == size or not has_threads()
        run("visit", 100, 3, counts)
    assert (counts == 6).all()


def test_resized_during_loops(threads: Pool) -> None:
    counts = np.zeros(100, np.int64)
    done = threading.Event()

    def loops() -> None:
        for _ in range(3000):
            run("visit", 100, 3, counts)
        done.set()

    caller = threading.Thread(target=loops)
    caller.start()
    size = 0
    while not done.is_set():
        size = size % 5 + 1
        threads.resize(size)
    caller.join(30)
    assert (counts == 3000).all()


@linux
def test_threads_start_late_and_leave(threads: Pool) -> None:
    threads.resize(1)
    wait_until(lambda: threads.alive == 0, "the end of the pool's threads", 10)
    threads.resize(3)
    assert threads.alive == 0
    run("visit", 10, 1, np.zeros(10, np.int64))
    assert threads.alive == 2


@linux
def test_threads_start_before_they_are_needed(threads: Pool) -> None:
    threads.resize(1)
    wait_until(lambda: threads.alive == 0, "the end of the pool's threads", 10)
    threads.start()
    assert threads.alive == 0
    threads.resize(3)
    threads.start()
    assert threads.alive == 2
    threads.start()
    assert threads.alive == 2


@linux
def test_each_thread_begins_with_its_own_share(threads: Pool) -> None:
    threads.resize(2)
    for _ in range(20):
        arrived, order = np.zeros(2, np.int64), np.zeros(2, np.int64)
        run("meet", 2, 1, arrived, order)  # nobody leaves a chunk before the other has come
        assert order[0] == threading.get_native_id() != order[1]


@linux
def test_more_threads_than_shares(threads: Pool) -> None:
    threads.resize(80)
    counts = np.zeros(500, np.int64)
    for _ in range(50):
        run("visit", 500, 3, counts)
    assert (counts == 50).all()


@linux
def test_idle_threads_sleep_and_take_no_signals(threads: Pool) -> None:
    threads.resize(1)
    wait_until(lambda: threads.alive == 0, "the end of the pool's threads", 10)
    before = set(os.listdir("/proc/self/task"))
    threads.resize(3)
    run("visit", 10, 1, np.zeros(10, np.int64))
    mine = set(os.listdir("/proc/self/task")) - before
    assert len(mine) == 2

    def asleep() -> bool:
        return all(Path(f"/proc/self/task/{t}/stat").read_text().rpartition(") ")[2][0] == "S" for t in mine)

    wait_until(asleep, "the pool's threads to sleep", 10)
    for thread in mine:
        status = Path(f"/proc/self/task/{thread}/status").read_text()
        blocked = int(status.partition("SigBlk:\t")[2].split()[0], 16)
        assert blocked & (1 << 1) and blocked & (1 << 14)  # SIGINT, SIGTERM


PROGRAM = """
    import ctypes, os, sys, threading
    import numpy as np
    from olympus_cpu.native.pool import pool, use_threads
    from tests.cpu.native.kernels import kernels
    def run(times=1):
        counts = np.zeros(1000, np.int64)
        table = (ctypes.c_void_p * 1)(counts.ctypes.data)
        for _ in range(times):
            pool().parallel_for(kernels()["visit"], ctypes.addressof(table), 1000, 7)
        assert (counts == times).all()
"""


def program(text: str) -> str:
    return PROGRAM + text


@pytest.mark.processes
@linux
def test_child_of_fork_has_its_own_threads() -> None:
    with Processes(deadline=60) as running:
        running.start(program("""
    use_threads(3)
    run(10)
    stop = threading.Event()
    def others():
        while not stop.is_set():
            run(5)
    caller = threading.Thread(target=others)
    caller.start()
    codes = []
    for _ in range(10):
        child = os.fork()
        if child == 0:
            assert pool().alive == 0
            run(20)
            assert pool().alive == 2
            os._exit(0)
        codes.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    stop.set()
    caller.join(20)
    run(10)
    print(codes)
        """))
        (end,) = running.wait()
    assert end.returncode == 0, end.stderr
    assert end.stdout == f"{[0] * 10}\n"


@pytest.mark.processes
@pytest.mark.parametrize("ending", ["", "sys.exit(3)", "os._exit(4)", "raise KeyboardInterrupt"])
def test_exit_is_clean(ending: str) -> None:
    with Processes(deadline=60) as running:
        running.start(program(f"""
    use_threads(4)
    kernels()  # held, before others ask for it
    def forever():
        while True:
            run()
    for _ in range(2):
        threading.Thread(target=forever, daemon=True).start()
    run(100)
    {ending}
        """))
        (end,) = running.wait()
    assert not end.timed_out
    expected = {"": 0, "sys.exit(3)": 3, "os._exit(4)": 4, "raise KeyboardInterrupt": -2}[ending]
    assert end.returncode == expected, end.stderr
    assert (end.stderr == "") == (ending != "raise KeyboardInterrupt")


@pytest.mark.processes
@pytest.mark.parametrize("mode", ["INLINE", "RELEASED", "PARALLEL"])
def test_exit_is_clean_while_entries_run(mode: str) -> None:
    with Processes(deadline=60) as running:
        running.start(program(f"""
    from olympus_cpu.native import entry
    from olympus_cpu.native.memory import take
    use_threads(4)
    library = kernels()
    step = entry.Step(library["increment"], 10000, 100, ((0, 1),))
    call = entry.make_entry([step], entry.Slots(1, (80000,), (100,)), entry.{mode}, library)
    held = take(80000)
    def forever():
        while True:
            call(held)
    for _ in range(3):
        threading.Thread(target=forever, daemon=True).start()
    for _ in range(100):
        call(held)
    print("end")
        """))
        (end,) = running.wait()
    assert not end.timed_out
    assert (end.returncode, end.stdout) == (0, "end\n"), end.stderr


@pytest.mark.processes
@linux
def test_affinity_is_respected() -> None:
    with Processes(deadline=60) as running:
        running.start(program("""
    one = min(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {one})
    kernels()
    before = len(os.listdir("/proc/self/task"))
    run(10)
    print(pool().threads, pool().alive, len(os.listdir("/proc/self/task")) - before)
        """))
        running.start(program("""
    use_threads(3)
    kernels()
    before = len(os.listdir("/proc/self/task"))
    run(10)
    print(pool().threads, pool().alive, len(os.listdir("/proc/self/task")) - before)
        """))
        ends = running.wait()
    assert [end.stdout for end in ends] == ["1 0 0\n", "3 2 2\n"], [end.stderr for end in ends]


@pytest.mark.processes
def test_a_loop_does_not_hide_an_interrupt() -> None:
    with Processes(deadline=60) as running:
        started = running.start(program("""
    import time
    use_threads(4)
    run(10)
    try:
        print("running", flush=True)
        while True:
            time.sleep(0.05)  # a signal just before a long sleep would be seen after it only
    except KeyboardInterrupt:
        print("interrupted")
        """))
        running.wait_for_output(0, "running")
        started.send_signal(2)
        (end,) = running.wait()
    assert end.stdout == "running\ninterrupted\n", end.stderr


def test_processors() -> None:
    assert 1 <= processors() <= (os.cpu_count() or 1)
    assert sys.platform != "linux" or processors() <= len(os.sched_getaffinity(0))


@pytest.mark.parametrize(
    ("content", "expected"), [("max 100000", 1 << 20), ("150000 100000", 2), ("400000 100000", 4), ("", 1 << 20)]
)
def test_share_of_a_container(monkeypatch: pytest.MonkeyPatch, content: str, expected: int) -> None:
    monkeypatch.setattr(Path, "read_text", lambda path: content)
    assert pool_module._quota() == expected


def test_nothing_does_nothing() -> None:
    pool().parallel_for(runtime()["nothing"], 0, 1000, 1)


@linux
@pytest.mark.processes
def test_fewer_threads_than_are_wanted() -> None:
    with Processes(60.0) as processes:
        processes.start(FEW_THREADS, env={"OLYMPUS_NUM_THREADS": "8"})
        (finished,) = processes.wait()
    assert finished.returncode == 0, finished.stderr
    seen, warned = json.loads(finished.stdout)
    assert [total for _, _, total in seen] == [1_000_000] * 4
    # Three; the same without asking again; two that replace them when eight are wanted again; all.
    assert [threads for threads, _, _ in seen] == [4, 4, 3, 8]
    assert [(wanted, started) for wanted, started, _ in warned] == [(8, 4), (8, 3)]
    assert "OLYMPUS_NUM_THREADS" in warned[0][2] and "ulimit -u" in warned[0][2]
