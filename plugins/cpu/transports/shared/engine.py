"""Progress: whoever waits drives all communications that are under way; a thread does when nobody waits.

The communications of one group go one after the other, in the order in which they were begun: that is a `Line`.
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
from .words import Words

logger = logging.getLogger("olympus.cpu")

_YIELD_TIME = 60e-6  # seconds of giving the core away, before a wait sleeps: longer only helps where nobody else works
_NAP, _LONGEST_NAP = 2e-4, 1e-2  # seconds asleep on one word; something else may have come meanwhile
_TEND_PERIOD = 2e-3
_TEND_TURNS = 200  # turns without work before the thread sleeps until it is woken
_IDLE_TIME = 60.0

# A communication: gives a word and the value that it had whenever it cannot go on before the word changes.
Lack = tuple[int, int]
Moves = Generator[Lack, None, Sequence[np.ndarray]]


class Engine:
    """Drives all communications of one process in shared memory.

    Args:
        rendezvous: Where a failure of the job shows.
    """

    def __init__(self, rendezvous: Rendezvous) -> None:
        self.rendezvous = rendezvous
        self.lock = threading.Lock()
        self.failure: BaseException | None = None
        self.active: list[Line] = []
        self._last_turn = 0.0
        self._wake = threading.Event()
        self._is_awake = False
        self._is_closed = False
        self._thread: threading.Thread | None = None

    def turn(self) -> None:
        """Takes everything that is under way as far as it goes now; the lock is held."""
        self._last_turn = time.monotonic()
        for line in tuple(self.active):
            line.advance()

    def wait(self, job: Job, deadline: float) -> None:
        """Drives everything until a communication has ended."""
        line = job.line
        awake_until, nap = 0.0, _NAP
        while job.is_under_way:
            with self.lock:
                before = line.moves
                self.turn()
                lack = line.lack
                has_moved = line.moves != before
            if not job.is_under_way:
                return
            try:
                self.rendezvous.check()
            except Exception as error:
                self.fail(error)
                raise
            now = self._last_turn
            if now >= deadline:
                raise TimeoutError(f"{job.what} is not done")
            if has_moved or not awake_until:
                awake_until, nap = now + _YIELD_TIME, _NAP
            if now < awake_until or lack is None:
                os.sched_yield()
            else:
                line.sleep(lack, min(nap, deadline - now))
                nap = min(nap * 2, _LONGEST_NAP if len(self.active) == 1 else _TEND_PERIOD)

    def fail(self, error: BaseException) -> None:
        """Ends everything with an error."""
        with self.lock:
            self.failure = self.failure or error
            for line in tuple(self.active):
                line.end(error)

    def close(self) -> None:
        """No communication is begun any more."""
        self.fail(TransportError("shared", "a communication", "the transport is closed"))
        self._is_closed = True
        self._wake.set()
        if self._thread is not None:
            self._thread.join(1.0)

    def tend(self) -> None:
        """Sees to it that a thread drives what nobody waits for; the lock is held."""
        if self._thread is None:
            try:
                self._thread = start_thread(self._tend, "olympus-shared", "communication by shared memory")
            except ThreadStartError as error:
                if not self._is_awake:  # said once; who waits for a communication drives it
                    logger.warning("Communications go on only while somebody waits for them: %s", error)
                self._is_awake = True
                return
        if not self._is_awake:
            self._is_awake = True
            self._wake.set()

    def _tend(self) -> None:
        idle = 0
        while not self._is_closed:
            if idle > _TEND_TURNS:
                self._wake.clear()
                self._is_awake = False
                if not self.active and not self._is_closed:
                    self._wake.wait(_IDLE_TIME)
                idle = 0
            time.sleep(_TEND_PERIOD)
            idle = 0 if self.active else idle + 1
            if self.active and time.monotonic() - self._last_turn > _TEND_PERIOD:
                with self.lock:
                    self.turn()


class Line:
    """The communications of one group, in the order in which they were begun.

    Attributes:
        lack: What the first of them waits for.
        moves: Changes whenever that changes.

    Args:
        engine: The process's engine.
        words: The group's words.
        asleep: This process's word that tells the others to wake it.
    """

    def __init__(self, engine: Engine, words: Words, asleep: int) -> None:
        self._engine, self._words, self._asleep = engine, words, asleep
        self._jobs: deque[Job] = deque()
        self.lack: Lack | None = None
        self.moves = 0
        self.error: BaseException | None = None

    def begin(self, moves: Moves, what: str, devices: Sequence[Device]) -> Job:
        """Starts a communication, or puts it behind those that are under way."""
        engine, job = self._engine, Job(self, moves, what, devices)
        with engine.lock:
            job.error = self.error or engine.failure
            if job.error is None:
                self._jobs.append(job)
                if len(self._jobs) == 1:
                    self.advance()
                    if self._jobs:
                        engine.active.append(self)
                        engine.tend()
        return job

    def advance(self) -> None:
        """Takes the communications as far as they go now; the lock is held."""
        jobs, lack = self._jobs, None
        while jobs:
            job = jobs[0]
            try:
                lack = next(job.moves)
                break
            except StopIteration as end:
                job.results = end.value
                jobs.popleft()
            except Exception as error:  # noqa: BLE001  (whoever waits raises it; this may be another thread)
                self.end(error)
            self.moves += 1
        if lack != self.lack:
            self.lack = lack
            self.moves += 1
        if not jobs and self in self._engine.active:
            self._engine.active.remove(self)

    def sleep(self, lack: Lack, seconds: float) -> None:
        """Sleeps until the word that is waited for changes, or for some time."""
        values = self._words.values
        values[self._asleep] = 1
        # The writer may have looked at our word before it could see it: the nap's end then finds its change.
        self._words.sleep(*lack, seconds)
        values[self._asleep] = 0

    def end(self, error: BaseException) -> None:
        """Ends everything of the line with an error; its processes no longer agree on where they are."""
        self.error = self.error or error
        while self._jobs:
            self._jobs.popleft().error = error
        if self in self._engine.active:
            self._engine.active.remove(self)

    def abort(self, reason: str) -> None:
        """Ends what is under way with an error."""
        with self._engine.lock:
            for job in self._jobs:
                job.was_aborted = True
            if self._jobs:
                self.end(TransportError("shared", self._jobs[0].what, reason))

    def wait(self, job: Job, deadline: float) -> None:
        """Drives everything until a communication has ended."""
        self._engine.wait(job, deadline)

    def await_cause(self, deadline: float) -> None:
        """Gives the job time to say which process is lost; raises that error."""
        await_cause(self._engine.rendezvous, deadline)

    def turn(self) -> None:
        """Drives everything once."""
        with self._engine.lock:
            self._engine.turn()


class Job:
    """One communication: the contract's `Pending`, and the toolkit's `Request`."""

    __slots__ = ("devices", "error", "line", "moves", "results", "was_aborted", "what")

    def __init__(self, line: Line, moves: Moves, what: str, devices: Sequence[Device]) -> None:
        self.line, self.moves, self.what, self.devices = line, moves, what, devices
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
            self.line.turn()
        return not self.is_under_way

    def wait(self, deadline: float) -> Any:
        """The arrays; raises `TimeoutError` at the deadline and may be called again."""
        if self.results is None:
            if self.error is None:
                self.line.wait(self, deadline)
            if self.error is not None:
                if isinstance(self.error, TransportError) and not self.was_aborted:
                    self.line.await_cause(deadline)
                raise self.error
            if self.results is None:
                raise OlympusInternalError(f"{self.what} ended without results")
        return self.results

    def result(self, deadline: float) -> list[Any]:
        """One buffer for each local member, waited for until the deadline."""
        return [CpuBuffer(a, d) for a, d in zip(self.wait(deadline), self.devices, strict=True)]
