# SPDX-License-Identifier: Apache-2.0
"""Python's switch interval is short and its collector waits while a thread compiles, and as before afterwards."""

from __future__ import annotations

import gc
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest

import olympus
import olympus.numpy
from olympus_core import dtypes, ops
from olympus_core.program import ArrayType, Operation, Value
from olympus_core.toolkit.dumps import Dump
from olympus_cpu.compiled import compile_thread
from olympus_cpu.compiled.kernels import KernelStore
from olympus_cpu.interpreter import collector_paused, short_switch_interval

FORK = """
import gc, os, sys, threading
from olympus_cpu.interpreter import collector_paused, short_switch_interval
sys.setswitchinterval(0.004)
inside, go = threading.Event(), threading.Event()
def work():
    with short_switch_interval, collector_paused:
        inside.set()
        go.wait(30)
thread = threading.Thread(target=work)
thread.start()
assert inside.wait(10)
assert not gc.isenabled()
with short_switch_interval._lock, collector_paused._lock:  # as another thread might
    child = os.fork()
    if child == 0:
        before = sys.getswitchinterval()
        with short_switch_interval:
            within = sys.getswitchinterval()
        collects = gc.isenabled()
        with collector_paused:
            collects = collects and not gc.isenabled()
        collects = collects and gc.isenabled()
        os._exit(int(not (collects and before == sys.getswitchinterval() > 0.003 > 0.001 > within)))
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
go.set()
thread.join(10)
assert sys.getswitchinterval() > 0.003 and gc.isenabled()
"""


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    before = sys.getswitchinterval()
    yield
    sys.setswitchinterval(before)


def test_the_interval_is_short_inside_and_as_before_outside() -> None:
    sys.setswitchinterval(0.004)
    with short_switch_interval:
        assert sys.getswitchinterval() < 0.001
        with short_switch_interval:
            assert sys.getswitchinterval() < 0.001
        assert sys.getswitchinterval() < 0.001
    assert sys.getswitchinterval() == pytest.approx(0.004)


def test_a_shorter_interval_of_the_user_stays() -> None:
    sys.setswitchinterval(1e-5)
    users = sys.getswitchinterval()
    with short_switch_interval:
        assert sys.getswitchinterval() == users
    assert sys.getswitchinterval() == users


def test_what_the_user_sets_meanwhile_stays() -> None:
    sys.setswitchinterval(0.004)
    with short_switch_interval:
        sys.setswitchinterval(0.002)
    assert sys.getswitchinterval() == pytest.approx(0.002)


def test_an_error_inside_is_no_reason_to_keep_them_short() -> None:
    sys.setswitchinterval(0.004)
    with pytest.raises(ZeroDivisionError), short_switch_interval:
        raise ZeroDivisionError
    assert sys.getswitchinterval() == pytest.approx(0.004)


def test_the_collector_waits_until_the_last_has_come_out() -> None:
    assert gc.isenabled()
    with collector_paused:
        with collector_paused:
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_a_collector_that_the_user_stopped_stays_stopped() -> None:
    gc.disable()
    try:
        with collector_paused:
            assert not gc.isenabled()
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_no_collection_begins_while_a_program_is_compiled() -> None:
    during: list[str] = []

    def note(phase: str, info: dict[str, int]) -> None:
        frame = sys._getframe(1)
        while frame is not None:
            if frame.f_code.co_name == "compile_with_generator":
                during.append(phase)
            frame = frame.f_back  # type: ignore[assignment]

    threshold = gc.get_threshold()
    gc.callbacks.append(note)
    gc.set_threshold(1)
    try:
        olympus.jit(lambda x: olympus.numpy.sin(x) * 3 + x.sum())(np.ones(7, np.float32)).block_until_ready()
    finally:
        gc.set_threshold(*threshold)
        gc.callbacks.remove(note)
    assert not during and gc.isenabled()


def test_a_child_of_fork_begins_with_the_interval_as_before() -> None:
    done = subprocess.run([sys.executable, "-c", FORK], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr


def test_a_thread_that_compiles_gemms_has_a_short_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[str] = []

    @contextmanager
    def noted() -> Iterator[None]:
        taken.append(threading.current_thread().name)
        yield
        taken.append("given back")

    monkeypatch.setattr(compile_thread, "short_switch_interval", noted())
    square = Value(ArrayType((64, 64), dtypes.float32))
    attributes = {"lhs_batch": (), "rhs_batch": (), "lhs_contracting": (1,), "rhs_contracting": (0,),
                  "dtype": np.dtype(np.float32)}
    product = Operation(ops.dot_general, (square, square), attributes, (), (Value(square.type),))
    KernelStore(None, Dump(None)).start_calls([product], lambda operation: None)
    for thread in threading.enumerate():
        if thread.name == "olympus-compile":
            thread.join(60.0)
    assert taken == ["olympus-compile", "given back"]
