# SPDX-License-Identifier: Apache-2.0
"""The process's pool of native threads, and parallel loops from Python."""

from __future__ import annotations

import atexit
import ctypes
import os
import threading
import time
import warnings
from collections.abc import Callable
from pathlib import Path

from olympus_core.errors import FewerThreadsWarning

from .runtime import function, has_threads, runtime

# Seconds that idle threads spin before they sleep: longer disturbs other processes, shorter makes threads sleep between
# the loops of a sequence, and waking costs some 10 microseconds.
SPIN_SECONDS = 60e-6

_PAUSES_TIMED = 500
_STOP_SECONDS = 1.0
_WANTED, _STARTED, _ALIVE, _GENERATION, _SPIN = range(5)


class Pool:
    """The threads of this process, shared by all computations.

    Args:
        threads: Number of threads including the caller's; None for the number of processors that this process may use.
    """

    def __init__(self, threads: int | None = None) -> None:
        self._state = (ctypes.c_int64 * 5).from_address(runtime()["pool_state"])
        self._stop = function("pool_stop")
        self._loop: Callable[..., None] = function(
            "parallel_for", None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64
        )
        self._nothing = runtime()["nothing"]
        self._state[_SPIN] = _pauses(SPIN_SECONDS)
        self.resize(threads)
        atexit.register(self.close)
        # Fork copies memory, but not threads.
        os.register_at_fork(after_in_child=function("pool_forget"))

    @property
    def threads(self) -> int:
        """Number of threads that run a loop, including the caller's."""
        return int(self._state[_WANTED])

    @property
    def alive(self) -> int:
        """Number of native threads that exist; they start with the first loop, or by `start`."""
        return int(self._state[_ALIVE])

    def resize(self, threads: int | None) -> None:
        """Sets the number of threads; a running loop keeps its threads."""
        wanted = processors() if threads is None else threads
        wanted = wanted if has_threads() else 1
        self._wanted = wanted
        if wanted != self._state[_WANTED]:
            # In this order: a loop that begins in between must not start the old number of threads.
            self._state[_WANTED] = wanted
            if self._state[_STARTED]:
                self._stop()

    def start(self) -> None:
        """Starts the threads early, because a new thread needs milliseconds to get a processor of its own.

        If the system creates fewer threads, the pool has that many, with a warning.
        """
        if self.threads > 1 and not self._state[_STARTED]:
            self._loop(self._nothing, None, self.threads, 1)
        wanted, started = self._wanted, self.threads
        if started < wanted:
            self._wanted = started
            warnings.warn(FewerThreadsWarning(wanted, started, "olympus_num_threads"), stacklevel=2)

    def parallel_for(self, kernel: int, table: int, total: int, chunk: int) -> None:
        """Runs ``kernel(table, low, high, index)`` over ``[0, total)`` in chunks, with the GIL released.

        Args:
            kernel: Address of a native function ``void(ptr, i64, i64, i64)``.
            table: Address of its table.
            total: Length of the range.
            chunk: Length of a chunk.
        """
        self._loop(kernel, table, total, chunk)

    def close(self) -> None:
        """Ends the threads; loops after that run in their caller's thread."""
        self._wanted = self._state[_WANTED] = 1
        self._stop()
        deadline = time.monotonic() + _STOP_SECONDS
        # A thread that has not ended by then is inside a kernel, or has no processor.
        while self.alive and time.monotonic() < deadline:
            time.sleep(1e-4)


_lock = threading.Lock()
_threads: int | None = None
_pool: Pool | None = None


def use_threads(threads: int | None) -> None:
    """Sets the number of the pool's threads, now or when it is made; None for the number of processors."""
    global _threads
    with _lock:
        _threads = threads
        if _pool is not None:
            _pool.resize(threads)


def pool() -> Pool:
    """The pool of this process, made at the first call; its threads start with the first loop, or by `start`."""
    global _pool
    if _pool is None:
        with _lock:
            if _pool is None:
                _pool = Pool(_threads)
    return _pool


def processors() -> int:
    """The number of processors that this process may use, by its affinity and its container's CPU quota."""
    try:
        allowed = len(os.sched_getaffinity(0))
    except AttributeError:  # not Linux
        allowed = os.cpu_count() or 1
    return max(1, min(allowed, _quota()))


def _quota() -> int:
    """The CPU quota of a container in processors; a large number if it is not limited."""
    try:
        allowed, period = Path("/sys/fs/cgroup/cpu.max").read_text().split()
        return -(-int(allowed) // int(period))
    except (OSError, ValueError):  # no such file, or "max"
        return 1 << 20


def _pauses(seconds: float) -> int:
    """The number of iterations of a spin loop that take so long; processors differ by a factor of ten."""
    pause = function("pool_pause", None, ctypes.c_int64)
    pause(1)
    best = 1e-3
    for _ in range(3):
        start = time.perf_counter()
        pause(_PAUSES_TIMED)
        best = min(best, time.perf_counter() - start)
    return max(100, int(seconds / best * _PAUSES_TIMED))
