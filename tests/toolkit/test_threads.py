# SPDX-License-Identifier: Apache-2.0
"""Threads that the system does not start: an error that teaches, and nothing half-started."""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest

import olympus
from olympus_core.errors import PlatformError, ThreadStartError
from olympus_core.toolkit import SharedKeyValues, start_thread
from olympus_cpu.compiled.optimiser import Optimiser
from olympus_cpu.transports.tcp import Limits, TcpWorld


@contextmanager
def no_threads(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", refuse)
        yield


class Alone:
    """A rendezvous of one process."""

    process_index, process_count = 0, 1

    def check(self) -> None:
        """Nobody else is there to fail."""

    def exchange(self, name: str, value: bytes) -> list[bytes]:
        return [value]

    def key(self, purpose: str) -> bytes:
        return b"k" * 32


def test_the_error_says_what_for_and_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    with no_threads(monkeypatch), pytest.raises(ThreadStartError, match="reading needs one") as caught:
        start_thread(int, "reader", "reading")
    assert isinstance(caught.value, (PlatformError, RuntimeError)) and isinstance(caught.value.__cause__, RuntimeError)
    said = str(caught.value)
    assert "OLYMPUS_NUM_THREADS" in said and "ulimit -u" in said and "(reader)" in said
    if os.path.isdir("/proc/self/task"):
        assert caught.value.running is not None and caught.value.running >= threading.active_count()
    assert not any(thread.name == "reader" for thread in threading.enumerate())


def test_a_transport_that_cannot_start_starts_later(monkeypatch: pytest.MonkeyPatch) -> None:
    rendezvous = Alone()
    with no_threads(monkeypatch), pytest.raises(ThreadStartError, match="communication by sockets"):
        TcpWorld.begin(rendezvous, Limits())  # type: ignore[arg-type]
    assert not TcpWorld._current
    TcpWorld.end()


def test_shared_values_without_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    with no_threads(monkeypatch), pytest.raises(ThreadStartError), \
            SharedKeyValues(Alone(), "values"):  # type: ignore[arg-type]
        pass


def test_better_code_is_not_made(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    optimiser, done = Optimiser(), queue.SimpleQueue[int]()
    with no_threads(monkeypatch):
        optimiser.submit(lambda: done.put(1))
    assert "stays as it is" in caplog.text
    optimiser.submit(lambda: done.put(2))
    assert done.get(timeout=30) == 2 and done.empty()  # what was refused is not made up for
    optimiser.close()


def test_programs_run_where_no_thread_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    olympus.clear_caches()
    x = np.arange(6.0, dtype=np.float32).reshape(2, 3)
    with no_threads(monkeypatch):
        f = olympus.jit(lambda x: (x @ x.T + 1.5).sum())
        assert [float(f(x)) for _ in range(5)] == [float((x @ x.T + 1.5).sum())] * 5
