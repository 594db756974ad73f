# SPDX-License-Identifier: Apache-2.0
"""Device queues: executions that are worth it run behind the caller's back, in the order of their device.

One thread for each device takes one execution after the other. What the caller gets at once are pending buffers; they
can be given to further executions, of any device, and whoever reads one waits for it. Executions depend only on
earlier ones, so no two queues can wait for each other.
"""

from __future__ import annotations

import os
import threading
import warnings
import weakref
from collections.abc import Callable, Sequence
from queue import Full, Queue
from typing import Any

import numpy as np

from olympus_core import recording
from olympus_core.errors import (
    DeletedError,
    FewerThreadsWarning,
    LostAtForkError,
    OlympusInternalError,
    ThreadStartError,
)
from olympus_core.plugin import Device
from olympus_core.plugin.client import Run
from olympus_core.program import ArrayType, DeviceProgram, Operation, operations_of

from .executable import TableExecutable
from .threads import start_thread

_LONGEST = 64  # executions that may wait in a queue: the caller is held back rather than memory filled
_LOOK = 1.0  # seconds after which a wait looks whether its thread still lives
_WORTH_SECONDS = 200e-6  # below, handing over costs more than it brings
_STEP_SECONDS = 1e-9  # for each index of an operation's index space
_CONTRACTION_SECONDS = 5e-11  # the same where a matrix library does the work

_DELETED = "its buffer was deleted or donated"


class NotReady(Exception):  # no error: whoever asked too early asks again in another way
    """What generated code takes of a pending buffer is not there yet."""


_counting = threading.Lock()
_queues: weakref.WeakSet[DeviceQueue] = weakref.WeakSet()


class Outcome:
    """What an execution gives once it is done: the outputs of its device, or its error."""

    __slots__ = ("_done", "_error", "_forks", "_gone", "_held", "_label", "_results", "_shared", "queue")

    def __init__(self, queue: DeviceQueue, label: str) -> None:
        self.queue, self._label, self._forks = queue, label, queue.forks
        self._done = threading.Event()
        self._error: BaseException | None = None
        self._results: list[Any] = []
        self._shared: dict[int, Any] = {}
        self._gone: set[int] = set()
        self._held: dict[int, int] = {}

    def share(self, index: int) -> None:
        """An output has several readers from now on: nobody may take its memory for his own."""
        self._shared.setdefault(index)

    def hold(self, index: int) -> None:
        """An output is read once more, after which `let_go` is called once more."""
        with _counting:
            self._held[index] = self._held.get(index, 0) + 1

    def let_go(self, index: int) -> None:
        """The reader of an output needs it no more: its memory does not wait for the other outputs' readers."""
        with _counting:
            held = self._held.get(index, 0)
            if held:
                self._held[index] = held - 1
            if held or index in self._shared:
                return
            self._gone.add(index)
        if self._done.is_set():
            self._forget()

    def _forget(self) -> None:
        for index in list(self._gone):
            if index < len(self._results):
                self._results[index] = None

    def settle(self, work: Callable[[], list[list[Any]]]) -> None:
        """Does the work and keeps what comes of it."""
        try:
            self._results = [column[0] for column in work()]
        except BaseException as error:  # noqa: BLE001  (whatever it is, it belongs to whoever reads the result)
            self._error = error
        self._done.set()
        self._forget()  # who lets go meanwhile is seen here, or sees that it is done

    def is_done(self) -> bool:
        """Whether `result` would return at once."""
        return self._done.is_set()

    def has_failed(self) -> bool:
        """Whether `result` would raise at once."""
        return self._done.is_set() and self._error is not None

    def until_done(self) -> None:
        """Waits until it is done, or has failed."""
        to = recording.recorder
        if to is None or self._done.is_set():
            self._until_done()
        else:
            recording.timed(to, "ready", self._label, None, self._until_done)

    def _until_done(self) -> None:
        while not self._done.is_set():
            if self._forks != self.queue.forks:  # and the event's lock may be another thread's, which is not here
                raise LostAtForkError(self._label)
            if not self._done.wait(_LOOK) and not self.queue.is_alive():
                raise OlympusInternalError(f"the queue of {self.queue.device} ended before {self._label} was done")

    def result(self, index: int) -> Any:
        """An output's buffer, waited for; raises the execution's error."""
        self.until_done()
        if self._error is not None:
            raise self._error
        found = self._results[index]
        if found is None:
            raise DeletedError(f"of {self._label}", _DELETED)
        if index in self._shared:
            if self._shared[index] is None:
                self._shared[index] = found.copy_to(found.device)  # whoever asks for the only holder hears of two
            found = found.copy_to(found.device)  # one reader's own, who may delete it or give it away
        return found


class DeviceQueue:
    """The executions of one device, in order.

    Args:
        device: The device.
    """

    def __init__(self, device: Device) -> None:
        self.device = device
        self.forks = 0  # of this process and its parents, since the queue was made
        self._begin()
        _queues.add(self)

    def _begin(self) -> None:
        self._tasks: Queue[tuple[Outcome, Callable[[], list[list[Any]]]] | None] = Queue(_LONGEST)
        self._thread: threading.Thread | None = None
        self._is_told = False  # that there is none
        self._lock = threading.Lock()

    def after_fork(self) -> None:
        """In the child: the thread is not here, and what it was to do is the parent's."""
        self.forks += 1
        self._begin()

    def submit(self, work: Callable[[], list[list[Any]]], label: str) -> Outcome:
        """Puts an execution at the end of the queue; where the system starts no thread, it is done when this returns.

        Args:
            work: Gives, for each output, a list with the device's buffer.
            label: What it is, for people.
        """
        outcome, to = Outcome(self, label), recording.recorder
        if to is not None:
            work = to.queued(work)
        was_told = False
        with self._lock:
            if self._thread is None:
                try:
                    self._thread = start_thread(self._serve, f"olympus-{self.device}", f"the queue of {self.device}")
                except ThreadStartError:
                    was_told, self._is_told = self._is_told, True
            has_thread = self._thread is not None
        if not has_thread:  # and nothing is in the queue: what was submitted before is done
            if not was_told:
                warnings.warn(
                    FewerThreadsWarning(f"the queue of {self.device}", 1, "olympus_num_threads"), stacklevel=2)
            outcome.settle(work)
            return outcome
        while True:
            try:
                self._tasks.put((outcome, work), timeout=_LOOK)
                return outcome
            except Full:
                if not self.is_alive():
                    raise OlympusInternalError(f"the queue of {self.device} has ended") from None

    def is_alive(self) -> bool:
        """Whether its thread runs."""
        return self._thread is not None and self._thread.is_alive()

    def drain(self) -> None:
        """Waits until everything that was submitted is done."""
        if self.is_alive():
            outcome = self.submit(list, "the end of the queue")
            while not outcome.is_done() and self.is_alive():
                outcome._done.wait(_LOOK)

    def close(self) -> None:
        """Ends the thread after everything that was submitted."""
        self.drain()
        if self._thread is not None:
            self._tasks.put(None, timeout=_LOOK)
            self._thread.join(_LOOK)
            self._thread = None

    def _serve(self) -> None:
        while (task := self._tasks.get()) is not None:  # an idle queue waits for work as long as the process lives
            outcome, work = task
            outcome.settle(work)
            del task, outcome, work  # no buffer is held while the queue is idle


def _after_fork() -> None:
    global _counting
    _counting = threading.Lock()
    for queue in list(_queues):
        queue.after_fork()


os.register_at_fork(after_in_child=_after_fork)


class PendingBuffer:
    """A buffer whose content an execution is still to bring.

    Args:
        outcome: The execution.
        index: Which of its outputs.
        type: Shape and element type.
        device: Where it counts as living.
    """

    __slots__ = ("_index", "_outcome", "_type", "device")

    def __init__(self, outcome: Outcome | None, index: int, type: ArrayType, device: Device) -> None:
        self._outcome, self._index, self._type, self.device = outcome, index, type, device

    @property
    def shape(self) -> tuple[int, ...]:
        """Sizes of the dimensions."""
        return self._type.shape

    @property
    def dtype(self) -> np.dtype:
        """Type of the elements."""
        return self._type.dtype

    def buffer(self) -> Any:
        """The platform's buffer, waited for."""
        return self._held().result(self._index)

    def _held(self) -> Outcome:
        outcome = self._outcome
        if outcome is None:
            raise DeletedError(f"{self._type} on {self.device}", _DELETED)
        return outcome

    @property
    def array(self) -> Any:
        """The content, waited for."""
        return self.buffer().array

    @property
    def allocation(self) -> Any:
        """What generated code takes; raises `NotReady` instead of waiting."""
        if not self.is_ready():
            raise NotReady
        return self.buffer().allocation

    def to_host(self) -> np.ndarray:
        """The content as a NumPy array that must not be written to, waited for."""
        host: np.ndarray = self.buffer().to_host()
        return host

    def copy_to(self, device: Device) -> Any:
        """The content on another device; on its own one the same buffer again.

        A copy is made in the order of the queue: what is submitted later may reuse the memory if it is donated.
        """
        outcome, index = self._held(), self._index
        if device is self.device:
            if outcome.is_done() and not outcome.has_failed():
                return outcome.result(index).copy_to(device)
            outcome.share(index)
            return PendingBuffer(outcome, index, self._type, device)
        if outcome.queue.device is not self.device:  # a copy itself: the queue that may reuse it is another one
            outcome.until_done()
        if outcome.has_failed():
            return PendingBuffer(outcome, index, self._type, device)
        if outcome.is_done():
            return outcome.result(index).copy_to(device)
        outcome.hold(index)  # this buffer may be deleted before the copy is made

        def copied() -> list[list[Any]]:
            try:
                return [[outcome.result(index).copy_to(device)]]
            finally:
                outcome.let_go(index)

        return PendingBuffer(outcome.queue.submit(copied, "a copy"), 0, self._type, device)

    def is_ready(self) -> bool:
        """Whether the content is there."""
        outcome = self._outcome
        return outcome is None or outcome.is_done()

    def block_until_ready(self) -> None:
        """Waits for the content; raises the execution's error."""
        self.buffer()

    def give(self) -> None:
        """Keeps the memory for the execution that it was donated to; nobody can read it here any more."""
        self.buffer().give()

    def moved(self) -> PendingBuffer:
        """The same buffer again, for an execution that it was donated to; this one is deleted."""
        moved = PendingBuffer(self._held(), self._index, self._type, self.device)
        self._outcome = None
        return moved

    def delete(self) -> None:
        """Lets go of the content; an execution under way is not disturbed."""
        outcome, self._outcome = self._outcome, None
        if outcome is not None:
            outcome.let_go(self._index)

    def __dlpack__(self, **options: Any) -> Any:
        """The content as a DLPack capsule, waited for."""
        return self.buffer().__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        """The kind of memory, as DLPack has it."""
        kind: tuple[int, int] = self.buffer().__dlpack_device__()
        return kind


class QueuedExecutable:
    """A program of one device that runs at once when it is small, and in the device's queue when it is not.

    One whose end is not known, with a `while` in it, runs in the caller's thread.

    Args:
        inner: The compiled program; it communicates with nobody.
        queue: The queue of its device.
    """

    def __init__(self, inner: TableExecutable, queue: DeviceQueue) -> None:
        self.text, self.cost, self.code_bytes = inner.text, inner.cost, inner.code_bytes
        self.scratch_bytes = inner.scratch_bytes
        self.execute = _Runs(inner, queue).chosen(inner)


class _Runs:
    """The ways to run a program of one device: apart from the executable, which would hold itself by one of them."""

    def __init__(self, inner: TableExecutable, queue: DeviceQueue) -> None:
        self._run: Run = inner.execute
        self._queue = queue
        self._name = inner.program.program.name
        self._types = inner.program.program.output_types
        self._donated = frozenset(inner.program.donated)

    def chosen(self, inner: TableExecutable) -> Run:
        """The way to run this program."""
        if any(operation.name == "while" for operation in operations_of(inner.program.program)):
            # It may never end: in the caller's thread it can be interrupted, and keeps nobody in the queue waiting.
            return waiting(inner.execute) if inner.takes_allocations else self.here
        seconds = estimated_seconds(inner.program) if inner.seconds is None else inner.seconds
        if seconds >= _WORTH_SECONDS:
            return self.submit
        return self.at_once_with_allocations if inner.takes_allocations else self.at_once

    def at_once(self, inputs: Sequence[Sequence[Any]]) -> list[list[Any]]:
        """In the caller's thread, where all inputs are there."""
        for column in inputs:
            if type(column[0]) is PendingBuffer and not column[0].is_ready():
                return self.submit(inputs)
        return self._run(inputs)

    def here(self, inputs: Sequence[Sequence[Any]]) -> list[list[Any]]:
        """In the caller's thread, which waits for the inputs."""
        return self._run([[resolved(buffer) for buffer in column] for column in inputs])

    def at_once_with_allocations(self, inputs: Sequence[Sequence[Any]]) -> list[list[Any]]:
        """As `at_once`: the program reads its inputs' allocations first, and says which are not there."""
        try:
            return self._run(inputs)
        except NotReady:
            return self.submit(inputs)

    def submit(self, inputs: Sequence[Sequence[Any]]) -> list[list[Any]]:
        """In the queue's thread."""
        device, run = self._queue.device, self._run
        # The caller may delete its buffers now: the execution keeps what it needs. Donated ones are its own.
        kept = [[None if i in self._donated else column[0].copy_to(device)] for i, column in enumerate(inputs)]
        moved: dict[int, Any] = {}
        for i in self._donated:  # which may stand in several places
            buffer = inputs[i][0]
            kept[i][0] = moved[id(buffer)] = moved.get(id(buffer)) or _moved(buffer)
        outcome = self._queue.submit(lambda: run([[resolved(b) for b in column] for column in kept]), self._name)
        return [[PendingBuffer(outcome, i, type_, device)] for i, type_ in enumerate(self._types)]


def _moved(buffer: Any) -> Any:
    """A donated buffer's content, which nobody can read in the buffer any more, where the platform can tell."""
    move = getattr(buffer, "moved", None)
    return buffer if move is None else move()


def resolved(buffer: Any) -> Any:
    """A pending buffer's content, waited for; any other buffer itself."""
    return buffer.buffer() if type(buffer) is PendingBuffer else buffer


def waiting(execute: Run) -> Run:
    """A run that takes allocations, made to wait for pending inputs: for programs that are not queued."""

    def after_waiting(inputs: Sequence[Sequence[Any]]) -> list[list[Any]]:
        try:
            return execute(inputs)  # allocations are read before anything is done
        except NotReady:
            return execute([[resolved(buffer) for buffer in column] for column in inputs])

    return after_waiting


def estimated_seconds(program: DeviceProgram) -> float:
    """A guess at how long a program takes on a processor's core, from the operations' index spaces."""
    return sum(map(operation_seconds, program.program.operations))


def operation_seconds(operation: Operation, each: float = _STEP_SECONDS, in_place: bool = False) -> float:
    """The same for one operation; a loop's iterations count where their number is known.

    Args:
        operation: The operation.
        each: What an index of its index space takes.
        in_place: Whether updates of arrays touch nothing but what they change.
    """
    iterations = operation.attributes["length"] if operation.name == "scan" else 1
    return _own_seconds(operation, each, in_place) + iterations * sum(
        operation_seconds(inner, each, in_place) for region in operation.regions for inner in region.operations)


def _own_seconds(operation: Operation, each: float, in_place: bool) -> float:
    update = operation.record.update_operand
    if in_place and update is not None:
        return operation.operands[update].type.size * each
    rule = operation.record.factor_rule
    if rule is None:
        return 0.0
    types = [v.type for v in operation.operands], [v.type for v in operation.results]
    space = float(np.prod([factor.size for factor in rule(*types, operation.attributes).factors], dtype=float))
    return space * (_CONTRACTION_SECONDS if operation.record.category == "contraction" else each)
