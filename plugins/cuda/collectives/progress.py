# SPDX-License-Identifier: Apache-2.0
"""The progress engine: communications of each communicator in order, advanced by whoever waits or by a thread."""

from __future__ import annotations

import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from olympus_core.errors.platform import TransportError
from olympus_core.plugin import Device
from olympus_core.toolkit import start_thread

from ..memory import Allocation
from .local_group import LocalGroup
from .local_rank import LocalRank
from .nccl_communicators import is_so_within
from .schedules import Schedule

if TYPE_CHECKING:
    from ..gpu import Event

_IDLE = 0.0005  # seconds between two polls of the thread
_TRANSPORT = "nccl"


class Progress:
    """Advances the communications of one process.

    NCCL executes a communication by itself, but a communicator accepts the next one only when the one before is
    enqueued. While communications are queued, a thread advances them.
    """

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self._queues: weakref.WeakSet[Queue] = weakref.WeakSet()
        self._thread: threading.Thread | None = None

    def add(self, queue: Queue) -> None:
        """Adds the communications of a communicator."""
        with self.lock:
            self._queues.add(queue)

    def drive(self) -> bool:
        """Advances everything as far as possible; returns whether communications are still queued."""
        with self.lock:
            return any([queue.advance() for queue in self._queues])

    def wake(self) -> None:
        """Starts the thread, since a communication is queued."""
        with self.lock:
            if self._thread is None:
                self._thread = start_thread(self._serve, "olympus-nccl", "collectives of GPUs")

    def _serve(self) -> None:
        while True:
            with self.lock:
                if not self.drive():
                    self._thread = None
                    return
            time.sleep(_IDLE)


class Queue:
    """The communications of one communicator, in order.

    Args:
        group: Its ranks in this process.
        progress: The progress engine of the process.
        check: Raises once a process has failed.
        devices: The devices of all participants, by position.
    """

    def __init__(
        self, group: LocalGroup, progress: Progress, check: Callable[[], None], devices: Sequence[Device]
    ) -> None:
        self.group, self.progress, self.check, self.devices = group, progress, check, devices
        self.failure: BaseException | None = None
        self._waiting: deque[Communication] = deque()  # not completely enqueued
        self._lost: list[Any] = []  # memory that a GPU may still access after a failure
        progress.add(self)

    def begin(self, plan: Callable[[], Schedule], what: str) -> Communication:
        """Appends a communication."""
        with self.progress.lock:
            if self.failure is not None:
                raise self.failure
            found = Communication(self, plan, what)
            self._waiting.append(found)
            if self.advance():
                self.progress.wake()
            return found

    def advance(self) -> bool:
        """Enqueues what is possible; returns whether communications are still queued."""
        while self._waiting and self.failure is None:
            try:
                if not self._waiting[0].advance():
                    break
            except Exception as error:  # noqa: BLE001  (raised where the result is waited for)
                self.fail(error)
                break
            self._waiting.popleft()
        return bool(self._waiting)

    def fail(self, error: BaseException) -> None:
        """Records a failure and aborts the communicator."""
        with self.progress.lock:
            if self.failure is None:
                self.failure = error
                if self.group.nccl is not None:
                    self.group.nccl.abort()
            for communication in self._waiting:
                self._lost.append(communication)
            self._waiting.clear()


class Communication:
    """One communication: it is queued, begun, enqueued completely, and done.

    Args:
        queue: The queue of its communicator.
        plan: Enqueues its first part.
        what: Its name in errors.
    """

    def __init__(self, queue: Queue, plan: Callable[[], Schedule], what: str) -> None:
        self._queue, self._what = queue, what
        self._plan: Callable[[], Schedule] | None = plan
        self._schedule: Schedule | None = None
        self._marks: list[tuple[LocalRank, Event]] | None = None
        self._held: list[tuple[LocalRank, list[Allocation]]] = []
        self._results: list[Any] | None = None

    def advance(self) -> bool:
        """Advances it; returns whether it is enqueued completely."""
        group = self._queue.group
        if self._schedule is None:
            if self._plan is None or (group.nccl is not None and not group.nccl.is_settled()):
                return False
            self._schedule, self._plan = self._plan(), None
            for rank in group.ranks:
                self._held.append((rank, rank.taken()))
            if self._schedule.call is not None and group.nccl is not None:
                group.nccl.begin(self._schedule.call)
        if self._marks is None:
            if self._schedule.call is not None and group.nccl is not None and not group.nccl.is_settled():
                return False
            if self._schedule.after is not None:
                self._schedule.after()
            self._marks = [(rank, rank.mark()) for rank in group.ranks]
        return True

    def is_done(self) -> bool:
        """Whether `result` would return at once."""
        if self._results is not None or self._queue.failure is not None:
            return True
        with self._queue.progress.lock:
            if self._results is None:
                self._queue.progress.drive()
                self._look()
            return self._results is not None or self._queue.failure is not None

    def result(self, deadline: float) -> list[Any]:
        """The results; waits for them until the deadline."""
        if not is_so_within(self.is_done, self._queue.check, deadline - time.monotonic()):
            raise TimeoutError(f"{self._what} over {_TRANSPORT} is not done")
        if self._results is None:
            error = self._queue.failure
            raise TransportError(_TRANSPORT, self._what, str(error)) from error
        return self._results

    def _look(self) -> None:
        """Makes the result buffers once the GPUs are done."""
        schedule, queue = self._schedule, self._queue
        if self._marks is None or schedule is None or not all(event.is_done() for _, event in self._marks):
            self._look_for_failure()
            return
        try:
            for rank, event in self._marks:
                event.check()  # raises an error of the GPU
                rank.context.events.append(event)
            if queue.group.nccl is not None:
                queue.group.nccl.is_settled()
            for rank, allocations in self._held:
                rank.let_go(allocations)
            if queue.failure is None:
                self._results = [o.buffer(queue.devices[o.participant.position]) for o in schedule.outputs]
        except Exception as error:  # noqa: BLE001  (raised where the result is waited for)
            queue.fail(error)
        self._marks, self._schedule, self._held = None, None, []

    def _look_for_failure(self) -> None:
        nccl = self._queue.group.nccl
        try:
            if nccl is not None:
                nccl.is_settled()
        except Exception as error:  # noqa: BLE001  (raised where the result is waited for)
            self._queue.fail(error)
