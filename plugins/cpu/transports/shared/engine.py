# SPDX-License-Identifier: Apache-2.0
"""The progress engine over shared memory: a waiting thread drives all communications, else a progress thread.

A communication is a coroutine that yields the word it waits for. The communications of one group run in the order in
which they were begun: in a `CollectiveQueue`.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections import deque
from collections.abc import Generator, Sequence
from typing import Any

import numpy as np

from olympus_core.errors import OlympusInternalError, ThreadStartError
from olympus_core.errors.platform import TransportError
from olympus_core.plugin import Device, Rendezvous
from olympus_core.toolkit import start_thread

from ...buffer import CpuBuffer
from ..failure_cause import await_cause
from .futex_words import FutexWords

logger = logging.getLogger("olympus.cpu")

_YIELD_TIME = 60e-6  # seconds of yielding the core before a wait sleeps; more helps only on an idle machine
_NAP, _LONGEST_NAP = 2e-4, 1e-2  # seconds asleep on one word, because another word may change meanwhile
_PROGRESS_PERIOD = 2e-3
_IDLE_ROUNDS = 200  # rounds without work before the progress thread sleeps until it is woken
_IDLE_TIME = 60.0

# A communication yields the index of a word and the value it had, to continue when the word changes.
WaitCondition = tuple[int, int]
CollectiveCoroutine = Generator[WaitCondition, None, Sequence[np.ndarray]]


class Engine:
    """Drives all communications of one process in shared memory.

    Args:
        rendezvous: Reports failures of the job.
    """

    def __init__(self, rendezvous: Rendezvous) -> None:
        self.rendezvous = rendezvous
        self.lock = threading.Lock()
        self.failure: BaseException | None = None
        self.active: list[CollectiveQueue] = []
        self._last_progress = 0.0
        self._wake = threading.Event()
        self._is_awake = False
        self._is_closed = False
        self._thread: threading.Thread | None = None

    def progress(self) -> None:
        """Drives all communications as far as possible; the caller holds the lock."""
        self._last_progress = time.monotonic()
        for queue in tuple(self.active):
            queue.advance()

    def wait(self, request: SharedRequest, deadline: float) -> None:
        """Drives all communications until one has ended."""
        queue = request.queue
        awake_until, nap = 0.0, _NAP
        while request.is_under_way:
            with self.lock:
                before = queue.version
                self.progress()
                condition = queue.condition
                has_progressed = queue.version != before
            if not request.is_under_way:
                return
            try:
                self.rendezvous.check()
            except Exception as error:
                self.fail(error)
                raise
            now = self._last_progress
            if now >= deadline:
                raise TimeoutError(f"{request.what} is not done")
            if has_progressed or not awake_until:
                awake_until, nap = now + _YIELD_TIME, _NAP
            if now < awake_until or condition is None:
                os.sched_yield()
            else:
                queue.sleep(condition, min(nap, deadline - now))
                nap = min(nap * 2, _LONGEST_NAP if len(self.active) == 1 else _PROGRESS_PERIOD)

    def fail(self, error: BaseException) -> None:
        """Ends all communications with an error."""
        with self.lock:
            self.failure = self.failure or error
            for queue in tuple(self.active):
                queue.end(error)

    def close(self) -> None:
        """Ends all communications, and begins no more."""
        self.fail(TransportError("shared", "a communication", "the transport is closed"))
        self._is_closed = True
        self._wake.set()
        if self._thread is not None:
            self._thread.join(1.0)

    def ensure_progress_thread(self) -> None:
        """Starts or wakes the progress thread; the caller holds the lock."""
        if self._thread is None:
            try:
                self._thread = start_thread(self._run, "olympus-shared", "communication by shared memory")
            except ThreadStartError as error:
                if not self._is_awake:  # logged once; threads that wait drive communications
                    logger.warning("Communications progress only while a thread waits for them: %s", error)
                self._is_awake = True
                return
        if not self._is_awake:
            self._is_awake = True
            self._wake.set()

    def _run(self) -> None:
        idle = 0
        while not self._is_closed:
            if idle > _IDLE_ROUNDS:
                self._wake.clear()
                self._is_awake = False
                if not self.active and not self._is_closed:
                    self._wake.wait(_IDLE_TIME)
                idle = 0
            time.sleep(_PROGRESS_PERIOD)
            idle = 0 if self.active else idle + 1
            if self.active and time.monotonic() - self._last_progress > _PROGRESS_PERIOD:
                with self.lock:
                    self.progress()


class CollectiveQueue:
    """The communications of one group, in the order in which they were begun.

    Attributes:
        condition: What the first of them waits for.
        version: Incremented whenever that changes.

    Args:
        engine: The process's engine.
        words: The group's words.
        asleep: The word in which this process asks the others to wake it.
    """

    def __init__(self, engine: Engine, words: FutexWords, asleep: int) -> None:
        self._engine, self._words, self._asleep = engine, words, asleep
        self._requests: deque[SharedRequest] = deque()
        self.condition: WaitCondition | None = None
        self.version = 0
        self.error: BaseException | None = None

    def begin(self, coroutine: CollectiveCoroutine, what: str, devices: Sequence[Device]) -> SharedRequest:
        """Starts a communication, or queues it behind those that are under way."""
        engine, request = self._engine, SharedRequest(self, coroutine, what, devices)
        with engine.lock:
            request.error = self.error or engine.failure
            if request.error is None:
                self._requests.append(request)
                if len(self._requests) == 1:
                    self.advance()
                    if self._requests:
                        engine.active.append(self)
                        engine.ensure_progress_thread()
        return request

    def advance(self) -> None:
        """Drives the communications as far as possible; the caller holds the lock."""
        requests, condition = self._requests, None
        while requests:
            request = requests[0]
            try:
                condition = next(request.coroutine)
                break
            except StopIteration as end:
                request.results = end.value
                requests.popleft()
            except Exception as error:  # noqa: BLE001  (whoever waits raises it; this may be another thread)
                self.end(error)
            self.version += 1
        if condition != self.condition:
            self.condition = condition
            self.version += 1
        if not requests and self in self._engine.active:
            self._engine.active.remove(self)

    def sleep(self, condition: WaitCondition, seconds: float) -> None:
        """Sleeps until the word of a condition changes, or for some seconds."""
        values = self._words.values
        values[self._asleep] = 1
        # A writer may have read `asleep` before this store was visible; the change is then found when the nap ends.
        self._words.sleep(*condition, seconds)
        values[self._asleep] = 0

    def end(self, error: BaseException) -> None:
        """Ends all communications of the group with an error, because its processes no longer agree on their state."""
        self.error = self.error or error
        while self._requests:
            self._requests.popleft().error = error
        if self in self._engine.active:
            self._engine.active.remove(self)

    def abort(self, reason: str) -> None:
        """Ends the communications under way with an error."""
        with self._engine.lock:
            for request in self._requests:
                request.was_aborted = True
            if self._requests:
                self.end(TransportError("shared", self._requests[0].what, reason))

    def wait(self, request: SharedRequest, deadline: float) -> None:
        """Drives all communications until one has ended."""
        self._engine.wait(request, deadline)

    def await_cause(self, deadline: float) -> None:
        """Waits until the job reports which process is lost, and raises that error."""
        await_cause(self._engine.rendezvous, deadline)

    def progress(self) -> None:
        """Drives all communications once."""
        with self._engine.lock:
            self._engine.progress()


class SharedRequest:
    """One communication: the contract's `Pending`, and the toolkit's `Request`."""

    __slots__ = ("coroutine", "devices", "error", "queue", "results", "was_aborted", "what")

    def __init__(
        self, queue: CollectiveQueue, coroutine: CollectiveCoroutine, what: str, devices: Sequence[Device]
    ) -> None:
        self.queue, self.coroutine, self.what, self.devices = queue, coroutine, what, devices
        self.results: Sequence[np.ndarray] | None = None
        self.error: BaseException | None = None
        self.was_aborted = False

    @property
    def is_under_way(self) -> bool:
        """Whether it has neither results nor an error."""
        return self.results is None and self.error is None

    def is_done(self) -> bool:
        """Whether `wait` would return at once."""
        if self.is_under_way:
            self.queue.progress()
        return not self.is_under_way

    def wait(self, deadline: float) -> Any:
        """The arrays; raises `TimeoutError` at the deadline and may be called again."""
        if self.results is None:
            if self.error is None:
                self.queue.wait(self, deadline)
            if self.error is not None:
                if isinstance(self.error, TransportError) and not self.was_aborted:
                    self.queue.await_cause(deadline)
                raise self.error
            if self.results is None:
                raise OlympusInternalError(f"{self.what} ended without results")
        return self.results

    def result(self, deadline: float) -> list[Any]:
        """One buffer for each local device, waited for until the deadline."""
        return [CpuBuffer(a, d) for a, d in zip(self.wait(deadline), self.devices, strict=True)]
