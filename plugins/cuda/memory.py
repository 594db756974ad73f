# SPDX-License-Identifier: Apache-2.0
"""Stream-ordered memory: a device's stream, and allocations that are used and freed in the order of its work."""

from __future__ import annotations

import sys
import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol

from olympus_core.errors import OlympusInternalError
from olympus_core.errors.platform import OutOfMemoryError

from . import dlpack
from .waiting import WAIT_TIMEOUT, ProgressMonitor, until_done

if TYPE_CHECKING:
    from .gpu import Block, Event, Gpu, Pinned, Stream

ALIGNMENT = 256  # bytes, of every block: CUDA promises it, and kernels rely on it
_PAGE = 2 << 20  # bytes; the driver maps no less
_LEAST_KEPT = 256 << 20  # bytes of freed blocks that a stream may keep for allocations of the same size
_KEPT_SHARE = 8  # or this part of the GPU's memory


def rounded(nbytes: int) -> int:
    """The size of the block for so many bytes, in steps of an eighth, or of pages, so that similar sizes share blocks.

    Example:
        >>> rounded(1), rounded(1000), rounded(100_000), rounded(16 << 20) - (16 << 20)
        (256, 1024, 106496, 0)
    """
    size = max(nbytes, ALIGNMENT)
    step = min(max(ALIGNMENT, 1 << (size.bit_length() - 4)), _PAGE)
    return -(-size // step) * step


class Completion:
    """The point in time when all work is done that a stream was given up to now.

    Args:
        context: The stream.
        tick: The number of works that it was given.
    """

    __slots__ = ("_context", "_held", "tick", "what")

    def __init__(self, context: StreamContext, tick: int) -> None:
        self._context, self.tick, self.what = context, tick, context.monitor.given[-1]
        self._held: list[Event] = []
        self._held.append(context.marked())

    @property
    def event(self) -> Event | None:
        """The event in the stream; None once the work is known to be done."""
        try:
            return self._held[0]
        except IndexError:
            return None

    def is_done(self) -> bool:
        """Whether the work is done; raises its error if it has failed."""
        event = self.event
        if event is not None and event.is_done():
            event.check()
            if self._context.watch is not None:
                self._context.watch()
            self._forget()
        return not self._held

    def has_come(self) -> bool:
        """Whether the work is done or has failed; raises nothing."""
        event = self.event
        return event is None or event.is_done()

    def until_done(self, what: str | None = None) -> None:
        """Waits until the work is done.

        Args:
            what: What is waited for, as error messages call it; None for what the stream was given last.
        """
        event = self.event
        if event is not None:
            until_done(event, what or self.what, self._context)
            self._forget()

    def _forget(self) -> None:
        """Gives the event back to the stream; of several threads only one does."""
        try:
            event = self._held.pop()
        except IndexError:
            return
        self._context.events.append(event)

    def __del__(self, is_over: Callable[[], bool] = sys.is_finalizing) -> None:
        if not is_over():  # at the end of the process modules may be gone
            self._forget()


class GroupRecorder(Protocol):
    """What enqueues a stream's groups while a profile is recorded."""

    def run(self, enqueuing: Sequence[Callable[[Stream], None]], steps: Sequence[Any]) -> None:
        """Enqueues a group, and times its steps."""


class StreamContext:
    """One device: a CUDA stream, the memory that is allocated in its order, and a count of the work enqueued so far.

    Several of them may belong to one GPU. Code that enqueues several works that belong together holds `lock` and adds
    to `ticks` afterwards.

    Args:
        gpu: The driver interface.
        ordinal: The GPU.
        name: The device, for errors.
        kept: Bytes of freed blocks that are kept for reuse; None for the platform's own choice.
        wait_timeout: Seconds without progress of this process's GPUs after which a wait fails.
    """

    def __init__(
        self, gpu: Gpu, ordinal: int, name: str, kept: int | None = None, wait_timeout: float = WAIT_TIMEOUT
    ) -> None:
        self.gpu, self.ordinal, self.name, self.wait_timeout = gpu, ordinal, name, wait_timeout
        self.monitor = ProgressMonitor()
        self.watch: Callable[[], None] | None = None  # raises errors from outside the GPU's own work, such as NCCL's
        self.stream, self.download_stream = gpu.stream(ordinal), gpu.stream(ordinal)
        self.lock = threading.Lock()
        self.ticks = 0
        self.recorder: GroupRecorder | None = None  # while a profile is recorded
        self.events: deque[Event] = deque()  # free ones
        # Memory that is not the pool's, and that a GPU still reads or writes: pinned, or another library's.
        self.transfers: deque[tuple[Event, Pinned | dlpack.TakenTensor]] = deque()
        self.in_use = self.peak = self.kept = 0
        self._kept_limit = kept if kept is not None else max(
            _LEAST_KEPT, gpu.properties(ordinal).memory_bytes // _KEPT_SHARE)
        self._free: dict[int, list[Block]] = {}
        self._completion: Completion | None = None
        self._seen: dict[StreamContext, int] = {}
        self.is_stuck = False  # whether the last wait was given up: at the end of the process nobody waits again
        self.siblings: Sequence[StreamContext] = (self,)  # those of all devices of the client
        gpu.contexts.add(self)

    def allocate(self, nbytes: int) -> Allocation:
        """Memory for the stream's next work.

        Raises:
            OutOfMemoryError: If the GPU has no more.
        """
        return self.allocate_size(rounded(nbytes), nbytes)

    def allocate_size(self, size: int, nbytes: int) -> Allocation:
        """`allocate` for callers that know `rounded(nbytes)` already."""
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
        """Takes back a block for which no more work will be enqueued."""
        size = block.nbytes
        self.in_use -= size
        if self.kept + size <= self._kept_limit:
            self.kept += size
            self._free.setdefault(size, []).append(block)
        else:
            self.gpu.free(block)

    def release_kept(self) -> None:
        """Gives kept blocks back to the GPU's pool."""
        kept, self._free, self.kept = self._free, {}, 0
        for blocks in kept.values():
            for block in blocks:
                self.gpu.free(block)

    def close(self) -> None:
        """Waits for all enqueued work and releases everything except what buffers hold."""
        try:
            if not self.is_stuck:
                self.drain("all its work")
                self.finish_transfers(0)
        finally:
            self.release_kept()
            self.monitor.clear()
            self._completion, self.siblings = None, ()
            self._seen.clear()
            with suppress(*self.gpu.errors):  # the wait has raised them
                while self.events:
                    self.events.pop().destroy()

    def drain(self, what: str) -> None:
        """Waits until all enqueued work is done.

        Args:
            what: What is waited for, as error messages call it.
        """
        for stream in (self.stream, self.download_stream):
            with self.gpu.translated(self.ordinal):
                event = self.new_event()
                event.record(stream)
            until_done(event, what, self)
            self.events.append(event)

    def finish_transfers(self, most: int | None) -> None:
        """Frees the memory of finished transfers, and what other libraries lent and is not read any more.

        Args:
            most: Waits until at most so many transfers are in flight; None waits for none.
        """
        while True:
            try:
                entry = self.transfers.popleft()
            except IndexError:
                return
            event, _ = entry
            try:
                if not event.is_done():
                    if most is None or len(self.transfers) < most:
                        self.transfers.appendleft(entry)
                        return
                    until_done(event, "transfers before", self)
            except BaseException:
                self.transfers.appendleft(entry)
                raise
            self.events.append(event)

    def mark(self) -> Completion:
        """The completion of all work enqueued so far; calls between two works share one."""
        completion = self._completion
        if completion is None or completion.tick != self.ticks:
            completion = self._completion = Completion(self, self.ticks)
            if completion.tick >= self.monitor.next:
                self.monitor.keep(completion)
        return completion

    def marked(self) -> Event:
        """A new event at the end of the enqueued work."""
        event = self.new_event()
        event.record(self.stream)
        return event

    def new_event(self) -> Event:
        """An event; its user appends it to `events` when done with it."""
        try:
            return self.events.pop()
        except IndexError:
            return self.gpu.event(self.ordinal)

    def wait_for(self, other: StreamContext) -> None:
        """Makes the work enqueued here from now on start after all work enqueued in another stream so far."""
        tick = other.ticks
        if self._seen.get(other) == tick:
            return
        event = other.mark().event
        if event is not None:
            self.stream.wait(event)
        self._seen[other] = tick

    def wait_for_stream(self, stream: int) -> None:
        """Makes the work enqueued here from now on start after that of a foreign stream, given by its address.

        Raises nothing, since those who drop memory call it: the foreign stream may have ended, and its work with it.
        """
        with suppress(*self.gpu.errors), self.gpu.using(self.ordinal):
            event = self.new_event()
            self.gpu.record_in(stream, event)
            self.stream.wait(event)
            self.events.append(event)

    def figures(self) -> dict[str, int]:
        """Bytes in use by allocations, their peak, and bytes of kept blocks."""
        return {"bytes_in_use": self.in_use, "peak_bytes_in_use": self.peak, "bytes_kept_for_reuse": self.kept}

    def _block(self, size: int, asked: int) -> Block:
        try:
            return self.gpu.allocate(size, self.stream)
        except MemoryError:
            pass
        # Kept blocks, unused DLPack capsules and memory whose release is still enqueued may be enough.
        dlpack.forget_unused()
        self.finish_transfers(None)
        for context in {self, *self.siblings}:
            if context.ordinal == self.ordinal:
                context.release_kept()
                context.drain("memory that is given back")
        self.gpu.release_unused(self.ordinal)
        try:
            return self.gpu.allocate(size, self.stream)
        except MemoryError:
            free, _ = self.gpu.memory(self.ordinal)
            raise OutOfMemoryError(asked, self.in_use, free) from None


class Allocation:
    """The device memory of a value; given back, in the order of its stream, when its last reference is dropped.

    Args:
        block: The memory.
        nbytes: Bytes of it that the value takes.
        context: The stream that owns it.
    """

    __slots__ = ("_block", "_copies", "_home", "context", "nbytes", "ptr", "readers", "writes")

    def __init__(self, block: Block, nbytes: int, context: StreamContext) -> None:
        self._block, self.nbytes, self.ptr = block, nbytes, block.ptr
        self.context = self._home = context
        self.readers: set[StreamContext] | None = None  # other streams that were given work with it
        self.writes = 0  # how often it was overwritten
        self._copies: dict[int, Allocation] | None = None

    def on(self, context: StreamContext) -> int:
        """The address for a stream's next work; the streams are ordered so that it sees the content."""
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
        """A copy that another stream owns."""
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
        """Notes that another stream was given work with it."""
        readers = self.readers
        if readers is None:
            self.readers = {context}
        else:
            readers.add(context)

    def settle(self) -> None:
        """Makes its stream wait for the others that read it, before it is overwritten or reused."""
        readers, self.readers, self._copies = self.readers, None, None
        for context in readers or ():
            self.context.wait_for(context)

    def take_over(self, context: StreamContext) -> None:
        """Makes a stream its owner, which will overwrite it: nobody else may hold it."""
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


class ForeignAllocation(Allocation):
    """Memory that another library of the process lent; it goes back there when no work reads it any more.

    Args:
        tensor: The memory, whose elements are one behind the other.
        nbytes: Bytes that the value takes.
        context: The stream that owns it, which waits for the other library's work.
    """

    __slots__ = ("_tensor",)

    def __init__(self, tensor: dlpack.TakenTensor, nbytes: int, context: StreamContext) -> None:
        self._tensor, self.nbytes, self.ptr = tensor, nbytes, tensor.pointer
        self.context = self._home = context
        self.readers, self.writes, self._copies = None, 0, None

    def take_over(self, context: StreamContext) -> None:
        """Never: arrays on such memory are donated as copies."""
        raise OlympusInternalError("memory of another library was to be overwritten")

    def __del__(self, is_over: Callable[[], bool] = sys.is_finalizing) -> None:
        if is_over():
            return
        context = self._home
        with suppress(*context.gpu.errors), context.gpu.using(context.ordinal):
            if self.readers:
                self.settle()
            context.transfers.append((context.marked(), self._tensor))
            context.finish_transfers(None)
