# SPDX-License-Identifier: Apache-2.0
"""A thread that compiles while the caller writes texts: `compile_thread`, and `Job` for work that either may do."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Generic, TypeVar

from olympus_core.errors import OlympusError, ThreadStartError
from olympus_core.toolkit import start_thread

from ..interpreter import short_switch_interval

T = TypeVar("T")


class Job(Generic[T]):
    """Work that is done once: by the thread that comes to it first, or else by whoever needs the result.

    Args:
        make: Gives the result.
    """

    __slots__ = ("_found", "_lock", "_make")

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._found: list[T] = []
        self._lock = threading.Lock()

    def __call__(self) -> None:
        """Does the work, unless it is done or another thread is at it."""
        if self._lock.acquire(blocking=False):
            try:
                self._do()
            finally:
                self._lock.release()

    def result(self) -> T:
        """The result: waited for where another thread is at it; raises the work's error."""
        with self._lock:
            self._do()
        return self._found[0]

    def _do(self) -> None:
        if not self._found:
            self._found.append(self._make())


@contextmanager
def compile_thread() -> Iterator[Callable[[Callable[[], object]], None]]:
    """A block in which a thread does jobs in turn; it gives what takes them.

    The thread ends when the jobs of the block are done, for which the block does not wait. A job that fails, or is
    never done since the system starts no thread, is left to whoever needs its result, who gets the error, too.
    """
    jobs: queue.SimpleQueue[Callable[[], object] | None] = queue.SimpleQueue()

    def work() -> None:
        with short_switch_interval:
            while (job := jobs.get()) is not None:
                with suppress(OlympusError):
                    job()

    try:
        # Not a daemon: LLVM must not run while the process is torn down.
        start_thread(work, "olympus-compile", "compiling in the background", daemon=False)
    except ThreadStartError:
        yield lambda job: None
        return
    try:
        yield jobs.put
    finally:
        jobs.put(None)
