"""The thread that makes better code of what is hot, while the quick code runs."""

from __future__ import annotations

import atexit
import logging
import queue
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from olympus_core.errors import OlympusError, ThreadStartError
from olympus_core.toolkit import start_thread

logger = logging.getLogger("olympus.cpu")

_LINGER = 1.0  # the thread ends after so many seconds without a job
_QUIET = 0.03  # somebody who compiles one function after the other has Python and the processors to himself
_PATIENCE = 1.0  # but a job waits for that no longer than this
_LAST = 10.0  # the longest that the process's end waits for the job that is under way


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
        """Around what somebody waits for: no job begins meanwhile."""
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
            # In a child of fork there is an object and no thread.
            if self._thread is None or not self._thread.is_alive():
                # LLVM must not be at work when the process takes its memory down.
                atexit.unregister(self.close)
                atexit.register(self.close)
                try:
                    self._thread = start_thread(self._serve, "olympus-optimise", "making better code")
                except ThreadStartError as error:
                    self._thread = None
                    while not self._jobs.empty():
                        self._jobs.get_nowait()
                    logger.warning("The code that there is stays as it is: %s", error)

    def close(self) -> None:
        """Forgets the jobs that have not begun, and waits for the one that has."""
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
            except OlympusError as error:
                logger.warning("Code that runs cannot be made better, and stays as it is: %s", error)

    def _wait_for_quiet(self) -> None:
        deadline = time.monotonic() + _PATIENCE
        while (now := time.monotonic()) < deadline and not self._closing.is_set():
            if not self._foreground and now >= self._last_foreground + _QUIET:
                return
            self._closing.wait(_QUIET)
