# SPDX-License-Identifier: Apache-2.0
"""Hot code: its calls are counted, and a background thread compiles it with optimisation while baseline code runs."""

from __future__ import annotations

import atexit
import logging
import queue
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from olympus_core.errors import OlympusError, ThreadStartError
from olympus_core.toolkit import start_thread

logger = logging.getLogger("olympus.cpu")

_LINGER = 1.0  # seconds without a job after which the thread ends
_QUIET = 0.03  # seconds without a foreground compilation before a job begins
_PATIENCE = 1.0  # seconds that a job waits for that at most
_CALLS_UNTIL_HOT = 3
_LAST = 10.0  # seconds that the end of the process waits for the current job at most


class Optimiser:
    """Runs jobs one after the other in a thread, which starts with the first job and ends when there is none."""

    def __init__(self) -> None:
        self._jobs: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._closing = threading.Event()
        self._foreground, self._last_foreground = 0, 0.0

    @contextmanager
    def foreground(self) -> Iterator[None]:
        """A context for compilations that somebody waits for: no job begins meanwhile."""
        with self._lock:
            self._foreground += 1
        try:
            yield
        finally:
            with self._lock:
                self._foreground -= 1
                self._last_foreground = time.monotonic()

    def submit(self, job: Callable[[], None]) -> None:
        """Adds a job."""
        with self._lock:
            if self._closing.is_set():
                return
            self._jobs.put(job)
            # A child of fork has the object, but not the thread.
            if self._thread is None or not self._thread.is_alive():
                # LLVM must not run while the process is torn down.
                atexit.unregister(self.close)
                atexit.register(self.close)
                try:
                    self._thread = start_thread(self._serve, "olympus-optimise", "optimising code")
                except ThreadStartError as error:
                    self._thread = None
                    while not self._jobs.empty():
                        self._jobs.get_nowait()
                    logger.warning("Code is not optimised, and stays as it is: %s", error)

    def close(self) -> None:
        """Drops the jobs that have not begun, and waits for the current one."""
        with self._lock:
            self._closing.set()
            thread = self._thread
        atexit.unregister(self.close)
        if thread is not None and thread is not threading.current_thread() and thread.is_alive():
            thread.join(_LAST)

    def _serve(self) -> None:
        while not self._closing.is_set():
            try:
                job = self._jobs.get(timeout=_LINGER)
            except queue.Empty:
                with self._lock:
                    if self._jobs.empty():
                        self._thread = None
                        return
                continue
            self._wait_for_quiet()
            if self._closing.is_set():
                return
            try:
                job()
            except (OlympusError, Warning) as error:  # a warning that the user's filters raise must not end the thread
                logger.warning("Code could not be optimised, and its unoptimised version stays in use: %s", error)

    def _wait_for_quiet(self) -> None:
        deadline = time.monotonic() + _PATIENCE
        while (now := time.monotonic()) < deadline and not self._closing.is_set():
            if not self._foreground and now >= self._last_foreground + _QUIET:
                return
            self._closing.wait(_QUIET)


class CallCounter:
    """Counts calls of baseline code, and requests optimised code when it is hot.

    Args:
        entry: The baseline code's call.
        renew: Takes the call that comes in place of `call`.
        optimise: Has optimised code made, which it takes, too.
    """

    def __init__(
        self, entry: Callable[..., Any], renew: Callable[[Callable[..., Any]], None], optimise: Callable[[], None]
    ) -> None:
        self.entry, self._renew, self._optimise = entry, renew, optimise
        self._calls = 0

    def call(self, *allocations: Any) -> Any:
        """Runs the code."""
        self._calls += 1
        if self._calls == _CALLS_UNTIL_HOT:
            self._renew(self.entry)  # without counting, until the optimised one is there
            self._optimise()
        return self.entry(*allocations)
