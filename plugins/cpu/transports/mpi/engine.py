# SPDX-License-Identifier: Apache-2.0
"""The progress engine over MPI: a waiting thread drives all communications; a progress thread does when none waits.

MPI makes progress only inside its calls. One thread at a time calls it, under a lock that is held for microseconds. A
thread that waits for a result tests all requests itself, so that a small message costs no thread switch. MPI's
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

PIECE_BYTES = 16 << 20  # large blocks are sent in pieces, whose completion shows progress
_TESTS = 20  # in a row, before a waiting thread looks at the time and yields its core
_YIELD_TIME = 2e-3  # seconds of yielding between tests, before it sleeps
_BYTE_TIME = 2e-9  # more of it for each byte of a piece: MPI transfers a large one only while it is tested
_NAP, _LONG_NAP, _LONG_WAIT = 1e-4, 1e-3, 0.1
_FEW_REQUESTS = 4  # up to so many are tested together, more one by one
_PROGRESS_PERIOD = 1e-3
_IDLE_ROUNDS = 200  # rounds without work before the progress thread sleeps until it is woken
_NO_TAG = 0  # of no message


class Engine:
    """Drives all communications of one process over one MPI communicator.

    Args:
        mpi: The module `mpi4py.MPI`.
        communicator: Its communicator, used by nobody else.
        rendezvous: Reports failures of the job.
        connections: Reports broken connections.
    """

    def __init__(self, mpi: Any, communicator: Any, rendezvous: Rendezvous, connections: Connections) -> None:
        self._communicator, self._rendezvous, self._connections = communicator, rendezvous, connections
        own = rendezvous.hosts[rendezvous.process_index]
        self._far = frozenset(p for p, host in enumerate(rendezvous.hosts) if host != own)
        self._test_all, self._test_some = mpi.Request.Testall, mpi.Request.Testsome
        self._error_class = mpi.Exception
        self._count_moved = getattr(rendezvous, "moved", None) or (lambda count: None)
        self._lock = threading.Lock()
        self._active: list[MpiRequest] = []
        self._abandoned: list[MpiRequest] = []  # MPI may still write into their buffers
        self._last_progress = 0.0
        self._wake = threading.Event()
        self._is_closed = False
        self._has_progress_thread = True
        self.failure: BaseException | None = None
        self._thread = start_thread(self._run, "olympus-mpi", "communication by MPI")

    @property
    def is_healthy(self) -> bool:
        """Whether every communication so far has completed."""
        return self.failure is None and not self._abandoned

    def begin(self, steps: Steps, what: str, tag: int, ranks: dict[int, int]) -> MpiRequest:
        """Starts a communication."""
        request = MpiRequest(self, steps, what, tag, ranks)
        with self._lock:
            self._heed_job()
            if self._is_over() or self._is_closed:
                request.error = self.failure or TransportError("mpi", what, "the transport is closed")
                return request
            if not self._advance(request):
                self._active.append(request)
        if request.is_under_way and not self._wake.is_set():
            self._wake.set()
        return request

    def progress(self) -> None:
        """Tests all communications."""
        with self._lock:
            self._progress()

    def fail(self, error: BaseException) -> None:
        """Ends all communications with an error; MPI must not be finalised any more."""
        with self._lock:
            self._fail(error)

    def abandon(self, requests: list[MpiRequest], error: BaseException) -> None:
        """Ends some communications with an error."""
        with self._lock:
            self._abandon([request for request in requests if request.is_under_way], error)

    def stop_progress_thread(self) -> None:
        """Only threads that wait call MPI from now on: at the program's end no thread may be inside it."""
        self._has_progress_thread = False
        self._wake.set()
        self._thread.join(1.0)

    def close(self) -> None:
        """Ends all communications, and begins no more."""
        with self._lock:
            self._is_closed = True
            self._abandon(list(self._active), TransportError("mpi", "a communication", "the transport is closed"))
        self.stop_progress_thread()

    def wait(self, request: MpiRequest, deadline: float) -> None:
        """Drives all communications until one has ended."""
        while request.is_under_way:
            for _ in range(_TESTS):
                with self._lock:
                    self._progress()
                if not request.is_under_way:
                    break
            else:
                self._rest(request, deadline)
        if isinstance(request.error, TransportError) and not request.was_aborted:
            await_cause(self._rendezvous, deadline)

    def _rest(self, request: MpiRequest, deadline: float) -> None:
        """Between tests: checks the job and the deadline, then yields the core or sleeps."""
        now = time.monotonic()
        request.waited_since = request.waited_since or now
        request.awake_until = request.awake_until or now + request.awake_time
        try:
            self._rendezvous.check()
        except Exception as error:
            self.fail(error)
            raise
        if now >= deadline:
            raise TimeoutError(f"{request.what} is not done")
        if now < request.awake_until:
            os.sched_yield()
        else:
            time.sleep(_NAP if now - request.waited_since < _LONG_WAIT else _LONG_NAP)

    def _is_over(self) -> bool:
        """Whether a communication or a connection has failed; MPI is not called from then on, because it may crash."""
        if self.failure is None and self._connections.are_broken:
            self._fail(self._connections.error("a communication"))
        return self.failure is not None

    def _heed_job(self) -> None:
        """After the loss of a process no communication is begun; those that have completed keep their results."""
        try:
            self._rendezvous.check()
        except Exception as error:  # noqa: BLE001  (whoever waits raises it)
            self._fail(error)

    def _fail(self, error: BaseException) -> None:
        self.failure = self.failure or error
        self._abandon(list(self._active), error)

    def _progress(self) -> None:
        if self._is_over():
            return
        self._last_progress = time.monotonic()
        for request in [request for request in self._active if self._advance(request)]:
            self._active.remove(request)

    def _advance(self, request: MpiRequest) -> bool:
        """Drives a communication as far as possible; whether it has ended."""
        try:
            while not request.pending or self._is_phase_done(request):
                try:
                    phase = next(request.steps)
                except StopIteration as end:
                    request.results = end.value
                    request.pending = []
                    return True
                self._start(request, phase)
        except self._error_class as error:
            request.error = TransportError("mpi", request.what, str(error))
            self._abandoned.append(request)
            return True
        except Exception as error:  # noqa: BLE001  (whoever waits raises it; this may be another thread)
            request.error = error
            self._abandoned.append(request)
            return True
        return False

    def _is_phase_done(self, request: MpiRequest) -> bool:
        """Whether the phase's requests have completed; counts the bytes of those that have."""
        pending = request.pending
        if len(pending) <= _FEW_REQUESTS and not request.is_large:
            if not self._test_all(pending):
                return False
            self._count_moved(sum(request.sizes))
            return True
        done = self._test_some(pending)
        if done:
            gone = set(done)
            self._count_moved(sum(request.sizes[i] for i in done))
            request.pending = [r for i, r in enumerate(pending) if i not in gone]
            request.sizes = [size for i, size in enumerate(request.sizes) if i not in gone]
            request.awake_until = 0.0  # progress was made: keep polling
        return not request.pending

    def _start(self, request: MpiRequest, phase: Phase) -> None:
        request.phase = phase
        request.pending, request.sizes = [], []
        request.awake_until = 0.0
        largest = max((block.nbytes for _, block in (*phase.receives, *phase.sends)), default=0)
        request.is_large = largest > PIECE_BYTES
        request.awake_time = _YIELD_TIME + _BYTE_TIME * min(largest, PIECE_BYTES)
        receive, send, tag, ranks = self._communicator.Irecv, self._communicator.Isend, request.tag, request.ranks
        for process, block in phase.receives:
            for piece in _pieces(block):
                request.pending.append(receive(piece, ranks[process], tag))
                request.sizes.append(piece.nbytes)
        far = next((process for process, _ in phase.sends if process in self._far), None)
        if far is None:
            for process, block in phase.sends:
                for piece in _pieces(block):
                    request.pending.append(send(piece, ranks[process], tag))
                    request.sizes.append(piece.nbytes)
            return
        # A send over a broken connection would crash: learn what has happened since the last progress.
        self._rendezvous.check()
        self._communicator.Iprobe(ranks[far], _NO_TAG)
        connections = self._connections
        for process, block in phase.sends:
            for piece in _pieces(block):
                if connections.are_broken:
                    raise connections.error(request.what)
                connections.is_sending = True
                try:
                    request.pending.append(send(piece, ranks[process], tag))
                    request.sizes.append(piece.nbytes)
                finally:
                    connections.is_sending = False

    def _abandon(self, requests: list[MpiRequest], error: BaseException) -> None:
        for request in requests:
            request.error = error
            self._abandoned.append(request)
            self._active.remove(request)

    def _run(self) -> None:
        idle = 0
        while self._has_progress_thread:
            if idle > _IDLE_ROUNDS:
                self._wake.clear()
                if not self._active and self._has_progress_thread:
                    self._wake.wait()
                idle = 0
            time.sleep(_PROGRESS_PERIOD)
            idle = 0 if self._active else idle + 1
            if self._active and time.monotonic() - self._last_progress > _PROGRESS_PERIOD / 2:
                self.progress()


class MpiRequest:
    """One communication: the toolkit's `Request`."""

    __slots__ = (
        "_engine", "awake_time", "awake_until", "error", "is_large", "pending", "phase", "ranks", "results", "sizes",
        "steps", "tag", "waited_since", "was_aborted", "what",
    )

    def __init__(self, engine: Engine, steps: Steps, what: str, tag: int, ranks: dict[int, int]) -> None:
        self._engine, self.steps, self.what, self.tag, self.ranks = engine, steps, what, tag, ranks
        self.pending: list[Any] = []
        self.sizes: list[int] = []  # of the blocks of those
        self.is_large = False  # whether the phase has a block in pieces
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
            self._engine.progress()
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
