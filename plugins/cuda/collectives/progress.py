"""What is under way on a communicator, one step after the other, and what goes on with it."""

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

from ..memory import Cell
from .clique import is_so_within
from .crew import Crew
from .place import Place
from .steps import Step

if TYPE_CHECKING:
    from ..gpu import Event

_IDLE = 0.0005  # of the thread, between two looks
_TRANSPORT = "nccl"


class Progress:
    """Lets the communications of one process go on, whoever waits for whichever of them.

    NCCL begins a communication by itself, but takes the next one of a communicator only after that. Where one has to
    wait for its turn, a thread sees to it until none does.
    """

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self._queues: weakref.WeakSet[Queue] = weakref.WeakSet()
        self._thread: threading.Thread | None = None

    def add(self, queue: Queue) -> None:
        """Takes the communications of one more communicator."""
        with self.lock:
            self._queues.add(queue)

    def drive(self) -> bool:
        """Lets everything go on as far as it can; whether something waits for its turn."""
        with self.lock:
            return any([queue.advance() for queue in self._queues])

    def wake(self) -> None:
        """Something waits for its turn."""
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
    """The communications of one communicator, in their order.

    Args:
        crew: Its places.
        progress: The process's.
        check: Raises once a process has failed.
        devices: All members' devices, by their positions.
    """

    def __init__(
        self, crew: Crew, progress: Progress, check: Callable[[], None], devices: Sequence[Device]
    ) -> None:
        self.crew, self.progress, self.check, self.devices = crew, progress, check, devices
        self.failure: BaseException | None = None
        self._waiting: deque[Communication] = deque()  # not all enqueued
        self._lost: list[Any] = []  # memory that a GPU may still use
        progress.add(self)

    def begin(self, plan: Callable[[], Step], what: str) -> Communication:
        """Puts a communication at the end."""
        with self.progress.lock:
            if self.failure is not None:
                raise self.failure
            found = Communication(self, plan, what)
            self._waiting.append(found)
            if self.advance():
                self.progress.wake()
            return found

    def advance(self) -> bool:
        """Enqueues what can be; whether something waits for its turn, or to be finished."""
        while self._waiting and self.failure is None:
            try:
                if not self._waiting[0].advance():
                    break
            except Exception as error:  # noqa: BLE001  (it belongs to whoever waits)
                self.fail(error)
                break
            self._waiting.popleft()
        return bool(self._waiting)

    def fail(self, error: BaseException) -> None:
        """Ends everything that is not done."""
        with self.progress.lock:
            if self.failure is None:
                self.failure = error
                if self.crew.clique is not None:
                    self.crew.clique.abort()
            for communication in self._waiting:
                self._lost.append(communication)
            self._waiting.clear()


class Communication:
    """One communication: it has its turn, is begun, is enqueued as a whole, is done.

    Args:
        queue: Its communicator's.
        plan: Enqueues its first part.
        what: What it is, for people.
    """

    def __init__(self, queue: Queue, plan: Callable[[], Step], what: str) -> None:
        self._queue, self._what = queue, what
        self._plan: Callable[[], Step] | None = plan
        self._step: Step | None = None
        self._marks: list[tuple[Place, Event]] | None = None
        self._held: list[tuple[Place, list[Cell]]] = []
        self._results: list[Any] | None = None

    def advance(self) -> bool:
        """Goes on; whether all of it is enqueued."""
        crew = self._queue.crew
        if self._step is None:
            if self._plan is None or (crew.clique is not None and not crew.clique.is_settled()):
                return False
            self._step, self._plan = self._plan(), None
            for place in crew.places:
                self._held.append((place, place.taken()))
            if self._step.call is not None and crew.clique is not None:
                crew.clique.begin(self._step.call)
        if self._marks is None:
            if self._step.call is not None and crew.clique is not None and not crew.clique.is_settled():
                return False
            if self._step.after is not None:
                self._step.after()
            self._marks = [(place, place.mark()) for place in crew.places]
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
        """The results, waited for until the deadline."""
        if not is_so_within(self.is_done, self._queue.check, deadline - time.monotonic()):
            raise TimeoutError(f"{self._what} over {_TRANSPORT} is not done")
        if self._results is None:
            error = self._queue.failure
            raise TransportError(_TRANSPORT, self._what, str(error)) from error
        return self._results

    def _look(self) -> None:
        """Makes the results once the GPUs are done."""
        step, queue = self._step, self._queue
        if self._marks is None or step is None or not all(event.is_done() for _, event in self._marks):
            self._look_for_failure()
            return
        try:
            for place, event in self._marks:
                event.check()  # an error of the GPU shows here
                place.lane.events.append(event)
            if queue.crew.clique is not None:
                queue.crew.clique.is_settled()
            for place, cells in self._held:
                place.let_go(cells)
            if queue.failure is None:
                self._results = [o.buffer(queue.devices[o.member.position]) for o in step.outputs]
        except Exception as error:  # noqa: BLE001  (it belongs to whoever waits)
            queue.fail(error)
        self._marks, self._step, self._held = None, None, []

    def _look_for_failure(self) -> None:
        clique = self._queue.crew.clique
        try:
            if clique is not None:
                clique.is_settled()
        except Exception as error:  # noqa: BLE001  (it belongs to whoever waits)
            self._queue.fail(error)
