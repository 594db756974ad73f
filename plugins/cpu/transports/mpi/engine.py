"""Progress: whoever waits drives all communications that are under way; a thread does when nobody waits.

MPI moves nothing by itself. One thread at a time speaks it, under a lock that is held for microseconds: a thread that
waits for a result tests everything that is under way, so that a small message costs no change of threads. MPI's
blocking calls are never used.
"""

from __future__ import annotations

import os
import threading
import time
from typing import Any

import numpy as np

from olympus_core.errors import OlympusInternalError
from olympus_core.errors.platform import TransportError
from olympus_core.plugin import Rendezvous
from olympus_core.toolkit import Phase, Steps, start_thread

from ..failure_cause import await_cause
from .failures import Connections

PIECE_BYTES = 16 << 20  # large blocks go in pieces, whose arrival shows that something is moving
_TESTS = 20  # in a row, before a waiting thread looks at the time and gives its core away
_YIELD_TIME = 2e-3  # seconds of giving the core away between tests, before it sleeps
_BYTE_TIME = 2e-9  # seconds more for each byte of a piece: MPI moves a large one only while it is tested
_NAP, _LONG_NAP, _LONG_WAIT = 1e-4, 1e-3, 0.1
_FEW_REQUESTS = 4  # so many are asked for at once, more one by one
_TEND_PERIOD = 1e-3
_TEND_TURNS = 200  # turns without work before the thread sleeps until it is woken
_NO_TAG = 0  # no message has it


class Engine:
    """Drives all communications of one process over one MPI communicator.

    Args:
        mpi: The module `mpi4py.MPI`.
        communicator: Its communicator, used by nobody else.
        rendezvous: Where a failure of the job shows.
        connections: Where a broken connection shows.
    """

    def __init__(self, mpi: Any, communicator: Any, rendezvous: Rendezvous, connections: Connections) -> None:
        self._communicator, self._rendezvous, self._connections = communicator, rendezvous, connections
        own = rendezvous.hosts[rendezvous.process_index]
        self._far = frozenset(p for p, host in enumerate(rendezvous.hosts) if host != own)
        self._test_all, self._test_some = mpi.Request.Testall, mpi.Request.Testsome
        self._error_class = mpi.Exception
        self._lock = threading.Lock()
        self._active: list[Job] = []
        self._abandoned: list[Job] = []  # MPI may still write into their buffers
        self._last_turn = 0.0
        self._wake = threading.Event()
        self._is_closed = False
        self._is_tended = True
        self.failure: BaseException | None = None
        self._thread = start_thread(self._tend, "olympus-mpi", "communication by MPI")

    @property
    def is_healthy(self) -> bool:
        """Whether every communication so far has come to its end."""
        return self.failure is None and not self._abandoned

    def begin(self, steps: Steps, what: str, tag: int, ranks: dict[int, int]) -> Job:
        """Starts a communication."""
        job = Job(self, steps, what, tag, ranks)
        with self._lock:
            self._heed_job()
            if self._is_over() or self._is_closed:
                job.error = self.failure or TransportError("mpi", what, "the transport is closed")
                return job
            if not self._advance(job):
                self._active.append(job)
        if job.is_under_way and not self._wake.is_set():
            self._wake.set()
        return job

    def turn(self) -> None:
        """Tests everything that is under way."""
        with self._lock:
            self._turn()

    def fail(self, error: BaseException) -> None:
        """Ends everything with an error; MPI must not be finalised any more."""
        with self._lock:
            self._fail(error)

    def abandon(self, jobs: list[Job], error: BaseException) -> None:
        """Ends some communications with an error."""
        with self._lock:
            self._abandon([job for job in jobs if job.is_under_way], error)

    def stop_tending(self) -> None:
        """Nobody but those who wait speaks MPI any more: at the program's end no thread may be inside it."""
        self._is_tended = False
        self._wake.set()
        self._thread.join(1.0)

    def close(self) -> None:
        """No communication is begun any more."""
        with self._lock:
            self._is_closed = True
            self._abandon(list(self._active), TransportError("mpi", "a communication", "the transport is closed"))
        self.stop_tending()

    def wait(self, job: Job, deadline: float) -> None:
        """Drives everything until a communication is done."""
        while job.is_under_way:
            for _ in range(_TESTS):
                with self._lock:
                    self._turn()
                if not job.is_under_way:
                    break
            else:
                self._rest(job, deadline)
        if isinstance(job.error, TransportError) and not job.was_aborted:
            await_cause(self._rendezvous, deadline)

    def _rest(self, job: Job, deadline: float) -> None:
        """Between tests: looks at the job and the time, then gives the core away."""
        now = time.monotonic()
        job.waited_since = job.waited_since or now
        job.awake_until = job.awake_until or now + job.awake_time
        try:
            self._rendezvous.check()
        except Exception as error:
            self.fail(error)
            raise
        if now >= deadline:
            raise TimeoutError(f"{job.what} is not done")
        if now < job.awake_until:
            os.sched_yield()
        else:
            time.sleep(_NAP if now - job.waited_since < _LONG_WAIT else _LONG_NAP)

    def _is_over(self) -> bool:
        """Whether a communication or a connection has failed for good: MPI is not called from then on, it may crash."""
        if self.failure is None and self._connections.are_broken:
            self._fail(self._connections.error("a communication"))
        return self.failure is not None

    def _heed_job(self) -> None:
        """Once a process of the job is lost nothing new is begun; what has come already may still be taken."""
        try:
            self._rendezvous.check()
        except Exception as error:  # noqa: BLE001  (whoever waits raises it)
            self._fail(error)

    def _fail(self, error: BaseException) -> None:
        self.failure = self.failure or error
        self._abandon(list(self._active), error)

    def _turn(self) -> None:
        if self._is_over():
            return
        self._last_turn = time.monotonic()
        for job in [job for job in self._active if self._advance(job)]:
            self._active.remove(job)

    def _advance(self, job: Job) -> bool:
        """Takes a communication as far as it goes now; whether it has ended."""
        try:
            while not job.requests or self._is_moved(job):
                try:
                    phase = next(job.steps)
                except StopIteration as end:
                    job.results = end.value
                    job.requests = []
                    return True
                self._start(job, phase)
        except self._error_class as error:
            job.error = TransportError("mpi", job.what, str(error))
            self._abandoned.append(job)
            return True
        except Exception as error:  # noqa: BLE001  (whoever waits raises it; this may be another thread)
            job.error = error
            self._abandoned.append(job)
            return True
        return False

    def _is_moved(self, job: Job) -> bool:
        """Whether the phase is done."""
        requests = job.requests
        if len(requests) <= _FEW_REQUESTS:
            return bool(self._test_all(requests))
        done = self._test_some(requests)
        if done:
            gone = set(done)
            job.requests = [r for i, r in enumerate(requests) if i not in gone]
            job.awake_until = 0.0  # something moves: stay awake for what comes next
        return not job.requests

    def _start(self, job: Job, phase: Phase) -> None:
        job.phase = phase
        job.requests = []
        job.awake_until = 0.0
        largest = max((block.nbytes for _, block in (*phase.receives, *phase.sends)), default=0)
        job.awake_time = _YIELD_TIME + _BYTE_TIME * min(largest, PIECE_BYTES)
        receive, send, tag, ranks = self._communicator.Irecv, self._communicator.Isend, job.tag, job.ranks
        for process, block in phase.receives:
            for piece in _pieces(block):
                job.requests.append(receive(piece, ranks[process], tag))
        far = next((process for process, _ in phase.sends if process in self._far), None)
        if far is None:
            for process, block in phase.sends:
                for piece in _pieces(block):
                    job.requests.append(send(piece, ranks[process], tag))
            return
        # What has happened to the job and the connections since the last turn: a send over a broken one would crash.
        self._rendezvous.check()
        self._communicator.Iprobe(ranks[far], _NO_TAG)
        connections = self._connections
        for process, block in phase.sends:
            for piece in _pieces(block):
                if connections.are_broken:
                    raise connections.error(job.what)
                connections.is_sending = True
                try:
                    job.requests.append(send(piece, ranks[process], tag))
                finally:
                    connections.is_sending = False

    def _abandon(self, jobs: list[Job], error: BaseException) -> None:
        for job in jobs:
            job.error = error
            self._abandoned.append(job)
            self._active.remove(job)

    def _tend(self) -> None:
        idle = 0
        while self._is_tended:
            if idle > _TEND_TURNS:
                self._wake.clear()
                if not self._active and self._is_tended:
                    self._wake.wait()
                idle = 0
            time.sleep(_TEND_PERIOD)
            idle = 0 if self._active else idle + 1
            if self._active and time.monotonic() - self._last_turn > _TEND_PERIOD / 2:
                self.turn()


class Job:
    """One communication under way: the toolkit's `Request`."""

    __slots__ = (
        "_engine", "awake_time", "awake_until", "error", "phase", "ranks", "requests", "results", "steps", "tag",
        "waited_since", "was_aborted", "what",
    )

    def __init__(self, engine: Engine, steps: Steps, what: str, tag: int, ranks: dict[int, int]) -> None:
        self._engine, self.steps, self.what, self.tag, self.ranks = engine, steps, what, tag, ranks
        self.requests: list[Any] = []
        self.phase: Phase | None = None
        self.results: list[np.ndarray] | None = None
        self.error: BaseException | None = None
        self.waited_since = self.awake_until = self.awake_time = 0.0
        self.was_aborted = False

    @property
    def is_under_way(self) -> bool:
        """Whether it has neither results nor an error."""
        return self.results is None and self.error is None

    def is_done(self) -> bool:
        """Whether `wait` would return at once."""
        if self.is_under_way:
            self._engine.turn()
        return not self.is_under_way

    def wait(self, deadline: float) -> list[np.ndarray]:
        """The results; raises `TimeoutError` at the deadline and may be called again."""
        if self.is_under_way or self.error is not None:
            self._engine.wait(self, deadline)
        if self.error is not None:
            raise self.error
        if self.results is None:
            raise OlympusInternalError(f"{self.what} ended without results")
        return self.results


def _pieces(block: np.ndarray) -> list[np.ndarray]:
    if block.nbytes <= PIECE_BYTES:
        return [block]
    return [block[i : i + PIECE_BYTES] for i in range(0, block.nbytes, PIECE_BYTES)]
