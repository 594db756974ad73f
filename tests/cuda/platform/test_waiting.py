# SPDX-License-Identifier: Apache-2.0
"""Waits for a GPU: they say what for, and end."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from olympus_cuda import waiting
from olympus_cuda.errors import CudaCallError, CudaMemoryError, GpuLostError, GpuTimeoutError
from olympus_cuda.gpu import Gpu
from olympus_cuda.memory import StreamContext
from olympus_cuda.transfer import downloaded, uploaded
from olympus_cuda.waiting import ProgressMonitor, until_done

from ..conftest import RunWithGpus
from ..standin.machine import MACHINE
from .test_memory import VALUE, contexts


class Clock:
    """Time that goes on when it is asked for, or slept through."""

    def __init__(self) -> None:
        self.now, self.slept = 100.0, []

    def perf_counter(self) -> float:
        self.now += 1e-6
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append((self.now - 100.0, seconds))
        self.now += max(seconds, 5e-6)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.setattr(waiting, "time", found)
    monkeypatch.setattr(waiting, "_give_way", lambda: found.sleep(0))
    return found


class Mark:
    """A mark that comes at a time."""

    def __init__(self, clock: Clock, at: float) -> None:
        self._clock, self._at, self.tick = clock, 100.0 + at, 0

    def has_come(self) -> bool:
        return self._clock.now >= self._at

    is_done = has_come

    def check(self) -> None:
        """It has not failed."""


def context(wait_timeout: float = 10.0, marks: Any = (), siblings: Any = ()) -> Any:
    found = SimpleNamespace(name="cuda:0 (GPU 0)", wait_timeout=wait_timeout, siblings=siblings,
                            monitor=ProgressMonitor(),
                            watch=None, is_stuck=False)
    found.monitor._marks.extend(marks)
    return _Hashable(found)


class _Hashable:
    """Something with attributes, and an identity."""

    def __init__(self, inner: Any) -> None:
        self.__dict__.update(vars(inner))


def test_a_short_wait_does_not_pause(clock: Clock) -> None:
    until_done(Mark(clock, 45e-6), "it", context())  # type: ignore[arg-type]
    assert not clock.slept


def test_pauses_grow_with_the_wait(clock: Clock) -> None:
    until_done(Mark(clock, 0.5), "it", context())  # type: ignore[arg-type]
    eager = [pause for at, pause in clock.slept if at < waiting._EAGER - 1e-4]
    late = [(at, pause) for at, pause in clock.slept if at > waiting._EAGER + 1e-4]
    assert eager and not any(eager)
    assert all(0 < pause <= min(1e-3, 0.01 * at + 1e-6) for at, pause in late)
    assert clock.now - 100.5 < 1e-2  # and it does not sleep long past the end


def test_who_waits_in_vain_is_told_what_for(clock: Clock) -> None:
    one = context(wait_timeout=7.0)
    one.monitor.given.extend(["program f (x.py:3)", "an upload"])
    with pytest.raises(GpuTimeoutError) as caught:
        until_done(Mark(clock, 1e9), "program f (x.py:3)", one)  # type: ignore[arg-type]
    error = caught.value
    assert isinstance(error, TimeoutError)
    assert (error.device, error.what, error.wait_timeout) == ("cuda:0 (GPU 0)", "program f (x.py:3)", 7.0)
    assert 7.0 <= error.seconds < 8.0 and error.given[:2] == ("an upload", "program f (x.py:3)")
    assert "OLYMPUS_LATE_TIMEOUT" in str(error)


def test_a_failure_beside_the_gpu_ends_a_wait(clock: Clock) -> None:
    one = context(wait_timeout=100.0)

    def watch() -> None:
        if clock.now > 105.0:
            raise ConnectionError("a peer is gone")

    one.watch = watch
    with pytest.raises(ConnectionError, match="a peer is gone"):
        until_done(Mark(clock, 1e9), "it", one)  # type: ignore[arg-type]
    assert clock.now < 107.0


@pytest.mark.parametrize("where", ["itself", "sibling"])
def test_a_long_wait_is_none_while_the_gpu_goes_on(clock: Clock, where: str) -> None:
    marks = [Mark(clock, 5.0 * i) for i in range(1, 20)]
    other = context(marks=marks if where == "sibling" else ())
    until_done(Mark(clock, 100.0), "it", context(10.0, marks if where == "itself" else (), (other,)))  # type: ignore[arg-type]
    assert clock.now >= 200.0
    with pytest.raises(GpuTimeoutError):
        until_done(Mark(clock, 1000.0), "it", context(10.0, [Mark(clock, 130.0)]))  # type: ignore[arg-type]
    assert 210.0 < clock.now < 212.0


def test_few_marks_are_kept_of_many(clock: Clock) -> None:
    monitor = ProgressMonitor()
    for tick in range(100_000):
        if tick >= monitor.next:
            mark: Any = Mark(clock, 1e-9 * tick + 1.0)
            mark.tick = tick
            monitor.keep(mark)
    assert 8 <= len(monitor._marks) <= waiting._MOST_MARKS
    clock.now += 2.0
    assert monitor.look() > 0 and not monitor._marks
    mark.tick = 200_000
    monitor.keep(mark)
    assert monitor.next == 200_000 + waiting._EVERY  # the queue was empty: marks are as close as at first


def test_a_hanging_stream_ends_in_an_error_and_waiting_again_goes_on(gpu: Gpu) -> None:
    (one,) = contexts(gpu, 0)
    one.wait_timeout = 0.05
    allocation = uploaded(VALUE, one)
    MACHINE.hang(one.stream.ptr)
    one.ticks += 1
    try:
        with pytest.raises(GpuTimeoutError, match="has not ended an upload, for a download within"):
            downloaded(allocation, VALUE.shape, VALUE.dtype)
        with pytest.raises(GpuTimeoutError, match="has not ended all its work"):
            one.drain("all its work")
        assert not one.mark().is_done()
    finally:
        MACHINE.release()
    one.wait_timeout = 60.0
    assert (downloaded(allocation, VALUE.shape, VALUE.dtype) == VALUE).all()


def test_a_stream_that_hangs_is_waited_for_once_at_the_end(gpu: Gpu) -> None:
    one = StreamContext(gpu, 0, "GPU 0", wait_timeout=0.05)
    MACHINE.hang(one.stream.ptr)
    one.ticks += 1
    try:
        with pytest.raises(GpuTimeoutError):
            one.drain("all its work")
        one.close()
    finally:
        MACHINE.release()


def test_a_lost_gpu_says_what_it_was_doing(gpu: Gpu) -> None:
    one = StreamContext(gpu, 0, "cuda:3 (GPU 0)")
    allocation = uploaded(VALUE, one)
    one.monitor.given.append("program f (x.py:3)")
    one.mark().until_done()
    MACHINE.fail(one.stream.ptr)
    one.ticks += 1
    with pytest.raises(GpuLostError, match="IllegalAddress") as caught:
        one.mark().until_done()
    error = caught.value
    assert isinstance(error, CudaCallError) and error.ordinal == 0
    assert error.given["cuda:3 (GPU 0)"][:2] == ("program f (x.py:3)", "an upload")
    for again in (one.mark, lambda: downloaded(allocation, VALUE.shape, VALUE.dtype), lambda: one.allocate(1 << 20)):
        one.ticks += 1
        with pytest.raises((GpuLostError, *gpu.errors)):
            again()
    with pytest.raises(GpuLostError):
        one.close()
    assert not one.events
    MACHINE.lost = None


def test_an_interrupted_download_leaves_pinned_memory_to_the_gpu(gpu: Gpu, monkeypatch: pytest.MonkeyPatch) -> None:
    (one,) = contexts(gpu, 0)
    allocation = uploaded(VALUE, one)
    MACHINE.hang(one.stream.ptr)
    one.ticks += 1
    with monkeypatch.context() as patched:
        patched.setattr(waiting.time, "sleep", _interrupt)
        with pytest.raises(KeyboardInterrupt):
            downloaded(allocation, VALUE.shape, VALUE.dtype)
    MACHINE.release()  # now the GPU writes
    assert (downloaded(allocation, VALUE.shape, VALUE.dtype) == VALUE).all()


def _interrupt(seconds: float) -> None:
    raise KeyboardInterrupt


def test_no_pinned_memory_is_an_error_of_its_own(gpu: Gpu) -> None:
    (one,) = contexts(gpu, 0)
    allocations = [uploaded(VALUE, one) for _ in range(20)]
    MACHINE.most_pinned = 2 * VALUE.nbytes  # what transfers hold comes back, and is enough
    assert (uploaded(VALUE, one) and downloaded(allocations[0], VALUE.shape, VALUE.dtype) == VALUE).all()
    MACHINE.most_pinned = 100
    for call in (lambda: uploaded(VALUE, one), lambda: downloaded(allocations[0], VALUE.shape, VALUE.dtype)):
        with pytest.raises(CudaMemoryError, match="out of memory") as caught:
            call()
        assert isinstance(caught.value, MemoryError)
    MACHINE.most_pinned = None
    assert (downloaded(allocations[0], VALUE.shape, VALUE.dtype) == VALUE).all()


HEAD = """
import numpy as np, olympus, olympus.numpy as jnp
from olympus_core.runtime.world import get_world
from tests.cuda.standin.machine import MACHINE
def twice(x):
    return x * 2
program, x = olympus.jit(twice), jnp.arange(8)
(program(x) + 1).block_until_ready()
context = get_world().clients["cuda"].contexts[0]
MACHINE.hang(context.stream.ptr)
"""


def test_a_program_that_hangs_is_named_with_its_line(run_with_gpus: RunWithGpus) -> None:
    run_with_gpus(HEAD + """
assert context.wait_timeout == 77.0  # the configuration's
context.wait_timeout = 0.2
try:
    program(x).block_until_ready()
except TimeoutError as error:
    told = str(error)
assert told.startswith("cuda:0 (GPU 0) has not ended program twice (<string>:6) within "), told
context.wait_timeout = 77.0
MACHINE.release()
np.testing.assert_array_equal(program(x), 2 * np.arange(8))
""", OLYMPUS_LATE_TIMEOUT="77")


def test_the_keyboard_gets_through(run_with_gpus: RunWithGpus) -> None:
    run_with_gpus(HEAD + """
import os, signal, threading
y = program(x)
timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
timer.start()
try:
    y.block_until_ready()
except KeyboardInterrupt:
    MACHINE.release()
    np.testing.assert_array_equal(y, 2 * np.arange(8))
else:
    raise AssertionError("nothing came through")
""")


@pytest.mark.parametrize("how", ["keyboard", "deadline"])
def test_the_end_does_not_wait_again_for_what_hangs(how: str, run_with_gpus: RunWithGpus) -> None:
    run_with_gpus(HEAD + f"""
import os, signal, threading, time
from olympus_core.runtime.world import detach
context.wait_timeout = {60 if how == "keyboard" else 0.3}
if {how == "keyboard"}:
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    program(x).block_until_ready()
except (KeyboardInterrupt, TimeoutError) as error:
    assert isinstance(error, TimeoutError) is {how == "deadline"}, error
start = time.monotonic()
detach()
assert time.monotonic() - start < 40
MACHINE.release()
""")


def test_a_program_on_a_lost_gpu_is_named(run_with_gpus: RunWithGpus) -> None:
    run_with_gpus(HEAD + """
from olympus_cuda.errors import GpuLostError
y = program(x)
MACHINE.fail(context.stream.ptr)
MACHINE.release()
context.ticks += 1
try:
    while True:
        program(y).block_until_ready()
except GpuLostError as error:
    assert "cuda:0 (GPU 0) was given last: program twice (<string>:6)" in str(error), error
MACHINE.lost = None  # so that the end of the process finds a GPU again
""")
