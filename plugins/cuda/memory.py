"""Lanes and allocations: a device's stream, and memory that is used and given back in its order."""

from __future__ import annotations

import sys
import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from olympus_core.errors.platform import OutOfMemoryError

from . import dlpack
from .transfer import Staging
from .waiting import PATIENCE, ProgressMonitor, until_done

if TYPE_CHECKING:
    from .gpu import Block, Event, Gpu

ALIGNMENT = 256  # of every block, as CUDA has it; kernels count on it
_LARGEST_KEPT = 8 << 20  # bytes; larger blocks go back to CuPy's pool, which is quick enough for them
KEPT_BYTES = 256 << 20  # of a context's small blocks that are kept for the next of their size


def rounded(nbytes: int) -> int:
    """The size of the block for so many bytes: sizes that differ by little share blocks."""
    size = max(nbytes, ALIGNMENT)
    step = max(ALIGNMENT, 1 << (size.bit_length() - 3))
    return -(-size // step) * step


class Completion:
    """When what a context was given up to some moment is done.

    Args:
        context: The context.
        tick: The moment.
    """

    __slots__ = ("_held", "_context", "tick", "what")

    def __init__(self, context: StreamContext, tick: int) -> None:
        self._context, self.tick, self.what = context, tick, context.monitor.given[-1]
        self._held: list[Event] = []
        self._held.append(context.marked())

    @property
    def event(self) -> Event | None:
        """The mark in the context's stream; None once it is known to be done."""
        try:
            return self._held[0]
        except IndexError:
            return None

    def is_done(self) -> bool:
        """Whether it is."""
        event = self.event
        if event is not None and event.is_done():
            event.check()
            if self._context.watch is not None:
                self._context.watch()
            self._forget()
        return not self._held

    def has_come(self) -> bool:
        """The same, where an error of the GPU is somebody else's to tell."""
        event = self.event
        return event is None or event.is_done()

    def until_done(self, what: str | None = None) -> None:
        """Waits for it.

        Args:
            what: What is waited for; None for what the context was given last.
        """
        event = self.event
        if event is not None:
            until_done(event, what or self.what, self._context)
            self._forget()

    def _forget(self) -> None:
        """Gives the event back, which only one of several threads does."""
        with suppress(IndexError):
            self._context.events.append(self._held.pop())

    def __del__(self, is_over: Callable[[], bool] = sys.is_finalizing) -> None:
        if not is_over():  # at the end of the process nothing is used again, and modules are empty
            self._forget()


class StreamContext:
    """One device: a GPU's stream, its memory, and what was given to it so far.

    Several contexts may belong to one GPU. Whoever enqueues more than one thing that belongs together holds `lock`, and
    adds to `ticks` afterwards.

    Args:
        gpu: The door.
        ordinal: The GPU.
        name: The device, for errors.
        kept: Bytes of small blocks that are kept for the next of their size.
        patience: Seconds in which something that this process's GPUs were given has to end while it is waited for.
    """

    def __init__(
        self, gpu: Gpu, ordinal: int, name: str, kept: int | None = None, patience: float = PATIENCE
    ) -> None:
        self.gpu, self.ordinal, self.name, self.patience = gpu, ordinal, name, patience
        self.monitor = ProgressMonitor()
        self.watch: Callable[[], None] | None = None  # raises what has failed beside the GPU's own work
        self.stream, self.side = gpu.stream(ordinal), gpu.stream(ordinal)
        self.lock = threading.Lock()
        self.ticks = 0
        self.events: deque[Event] = deque()  # to be used again
        self.staging = Staging()
        self.in_use = self.peak = self.kept = 0
        self._kept_limit = KEPT_BYTES if kept is None else kept
        self._free: dict[int, list[Block]] = {}
        self._ready: Completion | None = None
        self._seen: dict[StreamContext, int] = {}
        self.is_stuck = False  # whether the last wait was given up: at the end nobody waits again
        self.siblings: Sequence[StreamContext] = (self,)  # of all devices of the client
        gpu.contexts.add(self)

    def allocate(self, nbytes: int) -> Allocation:
        """Memory for the context's next work.

        Raises:
            OutOfMemoryError: If the GPU has no more.
        """
        return self.allocate_size(rounded(nbytes), nbytes)

    def allocate_size(self, size: int, nbytes: int) -> Allocation:
        """The same for who knows `rounded(nbytes)` already."""
        kept = self._free.get(size)
        if kept:
            try:
                block = kept.pop()
                self.kept -= size
            except IndexError:  # another thread was quicker
                block = self._block(size, nbytes)
        else:
            block = self._block(size, nbytes)
        in_use = self.in_use = self.in_use + size
        if in_use > self.peak:
            self.peak = in_use
        return Allocation(block, nbytes, self)

    def give_back(self, block: Block) -> None:
        """Takes a block that nothing will be enqueued for any more."""
        size = block.nbytes
        self.in_use -= size
        if size <= _LARGEST_KEPT and self.kept + size <= self._kept_limit:
            self.kept += size
            self._free.setdefault(size, []).append(block)

    def release_kept(self) -> None:
        """Gives kept blocks back to CuPy's pool."""
        self._free, self.kept = {}, 0

    def close(self) -> None:
        """Waits for all that was enqueued, and lets go of all but what buffers hold."""
        try:
            if not self.is_stuck:
                self.drain("all its work")
                self.staging.close(self)
        finally:
            self.release_kept()
            self.monitor.clear()
            self._ready, self.siblings = None, ()
            self._seen.clear()
            with suppress(*self.gpu.errors):  # told by the wait
                while self.events:
                    self.events.pop().destroy()

    def drain(self, what: str) -> None:
        """Waits until all is done that was enqueued.

        Args:
            what: What it is, for people.
        """
        for stream in (self.stream, self.side):
            with self.gpu.translated(self.ordinal):
                event = self.new_event()
                event.record(stream)
            until_done(event, what, self)
            self.events.append(event)

    def mark(self) -> Completion:
        """When all that was enqueued so far is done; one for all who ask between two works."""
        ready = self._ready
        if ready is None or ready.tick != self.ticks:
            ready = self._ready = Completion(self, self.ticks)
            if ready.tick >= self.monitor.next:
                self.monitor.keep(ready)
        return ready

    def marked(self) -> Event:
        """An event that marks the end of what is enqueued."""
        event = self.new_event()
        event.record(self.stream)
        return event

    def new_event(self) -> Event:
        """An event, which whoever is done with it puts back to `events`."""
        try:
            return self.events.pop()
        except IndexError:
            return self.gpu.event(self.ordinal)

    def wait_for(self, other: StreamContext) -> None:
        """Lets what is enqueued from now on begin after all that another context was given so far."""
        tick = other.ticks
        if self._seen.get(other) == tick:
            return
        event = other.mark().event
        if event is not None:
            self.stream.wait(event)
        self._seen[other] = tick

    def figures(self) -> dict[str, int]:
        """What the context's arrays and kept blocks take."""
        return {"bytes_in_use": self.in_use, "peak_bytes_in_use": self.peak, "bytes_kept_for_reuse": self.kept}

    def _block(self, size: int, asked: int) -> Block:
        try:
            return self.gpu.allocate(size, self.stream)
        except MemoryError:
            pass
        # What is kept, what nobody took, and what is given back only in the order of the stream, may be enough.
        dlpack.forget_unused()
        for context in {self, *self.siblings}:
            if context.ordinal == self.ordinal:
                context.release_kept()
                context.drain("memory that is given back")
        with self.gpu.using(self.ordinal):
            self.gpu.release_unused()
        try:
            return self.gpu.allocate(size, self.stream)
        except MemoryError:
            free, _ = self.gpu.memory(self.ordinal)
            raise OutOfMemoryError(asked, self.in_use, free) from None


class Allocation:
    """A value's memory on a context; given back, in the context's order, when nobody holds it.

    Args:
        block: The memory.
        nbytes: How much of it the value takes.
        context: Whose it is.
    """

    __slots__ = ("_block", "_copies", "_home", "context", "nbytes", "ptr", "readers", "writes")

    def __init__(self, block: Block, nbytes: int, context: StreamContext) -> None:
        self._block, self.nbytes, self.ptr = block, nbytes, block.ptr
        self.context = self._home = context
        self.readers: set[StreamContext] | None = None  # other contexts that were given work with it
        self.writes = 0  # how often it was written over
        self._copies: dict[int, Allocation] | None = None

    def on(self, context: StreamContext) -> int:
        """The address for a context's next work, which then keeps the order of the contexts."""
        mine = self.context
        if context is mine:
            return self.ptr
        if context.ordinal != mine.ordinal:
            copies = self._copies = self._copies or {}
            if context.ordinal not in copies:
                copies[context.ordinal] = self.copied_to(context)
            return copies[context.ordinal].on(context)
        context.wait_for(mine)
        self.read_by(context)
        return self.ptr

    def copied_to(self, context: StreamContext) -> Allocation:
        """A copy of it on a context."""
        mine, copy = self.context, context.allocate(self.nbytes)
        if context is not mine:
            context.wait_for(mine)
        gpu = context.gpu
        with gpu.using(context.ordinal), context.lock:
            if self.nbytes and context.ordinal == mine.ordinal:
                gpu.copy(copy.ptr, self.ptr, self.nbytes, context.stream)
            elif self.nbytes:
                gpu.copy_peer(copy.ptr, self.ptr, mine.ordinal, self.nbytes, context.stream)
            context.ticks += 1
        if context is not mine:
            self.read_by(context)
        return copy

    def read_by(self, context: StreamContext) -> None:
        """Notes that another context was given work with it."""
        readers = self.readers
        if readers is None:
            self.readers = {context}
        else:
            readers.add(context)

    def settle(self) -> None:
        """Lets its context wait for the others that were given work with it: before it is written over."""
        readers, self.readers, self._copies = self.readers, None, None
        for context in readers or ():
            self.context.wait_for(context)

    def take_over(self, context: StreamContext) -> None:
        """Makes it a context's own, which will write over it: nobody else may hold it."""
        self.settle()
        self.writes += 1
        if context is not self.context:
            context.wait_for(self.context)
            self.context = context

    def __del__(self, is_over: Callable[[], bool] = sys.is_finalizing) -> None:
        if is_over():
            return
        if self.readers:
            self.settle()
        home = self._home
        if home is not self.context:
            home.wait_for(self.context)
        home.give_back(self._block)


class HostAllocation:
    """A value in the host's memory, which comes to the contexts that want it.

    Args:
        array: The value, row-major; nobody writes to it any more.
    """

    __slots__ = ("_allocations", "array", "nbytes")

    context = None  # of no context
    readers = None

    def __init__(self, array: np.ndarray) -> None:
        self.array, self.nbytes = array, array.nbytes
        self._allocations: dict[int, Allocation] = {}

    def on(self, context: StreamContext) -> int:
        """The address for a context's next work."""
        return self.allocation_on(context).on(context)

    def allocation_on(self, context: StreamContext) -> Allocation:
        """Its copy in a context's GPU."""
        found = self._allocations.get(context.ordinal)
        if found is None:
            found = self._allocations[context.ordinal] = uploaded(self.array, context)
        return found


AnyAllocation = Any  # Allocation | HostAllocation: generated code holds them without looking


def uploaded(array: np.ndarray, context: StreamContext) -> Allocation:
    """A allocation with the content of an array, which may be changed afterwards."""
    allocation = context.allocate(array.nbytes)
    context.staging.upload(array, allocation)
    return allocation


def downloaded(
    allocation: AnyAllocation, shape: tuple[int, ...], dtype: np.dtype, ready: Completion | None = None
) -> np.ndarray:
    """A allocation's content in the host's memory, waited for.

    Args:
        allocation: The allocation.
        shape: Of the array.
        dtype: Of the array.
        ready: When the content is there; None for when all is done that its context was given.
    """
    if type(allocation) is HostAllocation:
        return allocation.array.reshape(shape)
    context: StreamContext = allocation.context
    return context.staging.download(allocation, shape, dtype, ready or context.mark())
