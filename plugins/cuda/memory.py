"""Lanes and cells: a device's stream, and memory that is used and given back in its order."""

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
from .waiting import PATIENCE, Pace, until_done

if TYPE_CHECKING:
    from .gpu import Block, Event, Gpu

ALIGNMENT = 256  # of every block, as CUDA has it; kernels count on it
_LARGEST_KEPT = 8 << 20  # bytes; larger blocks go back to CuPy's pool, which is quick enough for them
KEPT_BYTES = 256 << 20  # of a lane's small blocks that are kept for the next of their size


def rounded(nbytes: int) -> int:
    """The size of the block for so many bytes: sizes that differ by little share blocks."""
    size = max(nbytes, ALIGNMENT)
    step = max(ALIGNMENT, 1 << (size.bit_length() - 3))
    return -(-size // step) * step


class Ready:
    """When what a lane was given up to some moment is done.

    Args:
        lane: The lane.
        tick: The moment.
    """

    __slots__ = ("_held", "_lane", "tick", "what")

    def __init__(self, lane: Lane, tick: int) -> None:
        self._lane, self.tick, self.what = lane, tick, lane.pace.given[-1]
        self._held: list[Event] = []
        self._held.append(lane.marked())

    @property
    def event(self) -> Event | None:
        """The mark in the lane's stream; None once it is known to be done."""
        try:
            return self._held[0]
        except IndexError:
            return None

    def is_done(self) -> bool:
        """Whether it is."""
        event = self.event
        if event is not None and event.is_done():
            event.check()
            if self._lane.watch is not None:
                self._lane.watch()
            self._forget()
        return not self._held

    def has_come(self) -> bool:
        """The same, where an error of the GPU is somebody else's to tell."""
        event = self.event
        return event is None or event.is_done()

    def until_done(self, what: str | None = None) -> None:
        """Waits for it.

        Args:
            what: What is waited for; None for what the lane was given last.
        """
        event = self.event
        if event is not None:
            until_done(event, what or self.what, self._lane)
            self._forget()

    def _forget(self) -> None:
        """Gives the event back, which only one of several threads does."""
        with suppress(IndexError):
            self._lane.events.append(self._held.pop())

    def __del__(self, is_over: Callable[[], bool] = sys.is_finalizing) -> None:
        if not is_over():  # at the end of the process nothing is used again, and modules are empty
            self._forget()


class Lane:
    """One device: a GPU's stream, its memory, and what was given to it so far.

    Several lanes may belong to one GPU. Whoever enqueues more than one thing that belongs together holds `lock`, and
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
        self.pace = Pace()
        self.watch: Callable[[], None] | None = None  # raises what has failed beside the GPU's own work
        self.stream, self.side = gpu.stream(ordinal), gpu.stream(ordinal)
        self.lock = threading.Lock()
        self.ticks = 0
        self.events: deque[Event] = deque()  # to be used again
        self.staging = Staging()
        self.in_use = self.peak = self.kept = 0
        self._kept_limit = KEPT_BYTES if kept is None else kept
        self._free: dict[int, list[Block]] = {}
        self._ready: Ready | None = None
        self._seen: dict[Lane, int] = {}
        self.is_stuck = False  # whether the last wait was given up: at the end nobody waits again
        self.siblings: Sequence[Lane] = (self,)  # of all devices of the client
        gpu.lanes.add(self)

    def cell(self, nbytes: int) -> Cell:
        """Memory for the lane's next work.

        Raises:
            OutOfMemoryError: If the GPU has no more.
        """
        return self.cell_of_size(rounded(nbytes), nbytes)

    def cell_of_size(self, size: int, nbytes: int) -> Cell:
        """The same for who knows `rounded(nbytes)` already."""
        kept = self._free.get(size)
        if kept:
            try:
                block = kept.pop()
                self.kept -= size
            except IndexError:  # another thread was quicker
                block = self._taken(size, nbytes)
        else:
            block = self._taken(size, nbytes)
        in_use = self.in_use = self.in_use + size
        if in_use > self.peak:
            self.peak = in_use
        return Cell(block, nbytes, self)

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
            self.pace.clear()
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

    def mark(self) -> Ready:
        """When all that was enqueued so far is done; one for all who ask between two works."""
        ready = self._ready
        if ready is None or ready.tick != self.ticks:
            ready = self._ready = Ready(self, self.ticks)
            if ready.tick >= self.pace.next:
                self.pace.keep(ready)
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

    def wait_for(self, other: Lane) -> None:
        """Lets what is enqueued from now on begin after all that another lane was given so far."""
        tick = other.ticks
        if self._seen.get(other) == tick:
            return
        event = other.mark().event
        if event is not None:
            self.stream.wait(event)
        self._seen[other] = tick

    def figures(self) -> dict[str, int]:
        """What the lane's arrays and kept blocks take."""
        return {"bytes_in_use": self.in_use, "peak_bytes_in_use": self.peak, "bytes_kept_for_reuse": self.kept}

    def _taken(self, size: int, asked: int) -> Block:
        try:
            return self.gpu.allocate(size, self.stream)
        except MemoryError:
            pass
        # What is kept, what nobody took, and what is given back only in the order of the stream, may be enough.
        dlpack.forget_unused()
        for lane in {self, *self.siblings}:
            if lane.ordinal == self.ordinal:
                lane.release_kept()
                lane.drain("memory that is given back")
        with self.gpu.using(self.ordinal):
            self.gpu.release_unused()
        try:
            return self.gpu.allocate(size, self.stream)
        except MemoryError:
            free, _ = self.gpu.memory(self.ordinal)
            raise OutOfMemoryError(asked, self.in_use, free) from None


class Cell:
    """A value's memory on a lane; given back, in the lane's order, when nobody holds it.

    Args:
        block: The memory.
        nbytes: How much of it the value takes.
        lane: Whose it is.
    """

    __slots__ = ("_block", "_copies", "_home", "lane", "nbytes", "ptr", "readers", "writes")

    def __init__(self, block: Block, nbytes: int, lane: Lane) -> None:
        self._block, self.nbytes, self.ptr = block, nbytes, block.ptr
        self.lane = self._home = lane
        self.readers: set[Lane] | None = None  # other lanes that were given work with it
        self.writes = 0  # how often it was written over
        self._copies: dict[int, Cell] | None = None

    def on(self, lane: Lane) -> int:
        """The address for a lane's next work, which then keeps the order of the lanes."""
        mine = self.lane
        if lane is mine:
            return self.ptr
        if lane.ordinal != mine.ordinal:
            copies = self._copies = self._copies or {}
            if lane.ordinal not in copies:
                copies[lane.ordinal] = self.copied_to(lane)
            return copies[lane.ordinal].on(lane)
        lane.wait_for(mine)
        self.read_by(lane)
        return self.ptr

    def copied_to(self, lane: Lane) -> Cell:
        """A copy of it on a lane."""
        mine, copy = self.lane, lane.cell(self.nbytes)
        if lane is not mine:
            lane.wait_for(mine)
        gpu = lane.gpu
        with gpu.using(lane.ordinal), lane.lock:
            if self.nbytes and lane.ordinal == mine.ordinal:
                gpu.copy(copy.ptr, self.ptr, self.nbytes, lane.stream)
            elif self.nbytes:
                gpu.copy_peer(copy.ptr, self.ptr, mine.ordinal, self.nbytes, lane.stream)
            lane.ticks += 1
        if lane is not mine:
            self.read_by(lane)
        return copy

    def read_by(self, lane: Lane) -> None:
        """Notes that another lane was given work with it."""
        readers = self.readers
        if readers is None:
            self.readers = {lane}
        else:
            readers.add(lane)

    def settle(self) -> None:
        """Lets its lane wait for the others that were given work with it: before it is written over."""
        readers, self.readers, self._copies = self.readers, None, None
        for lane in readers or ():
            self.lane.wait_for(lane)

    def take_over(self, lane: Lane) -> None:
        """Makes it a lane's own, which will write over it: nobody else may hold it."""
        self.settle()
        self.writes += 1
        if lane is not self.lane:
            lane.wait_for(self.lane)
            self.lane = lane

    def __del__(self, is_over: Callable[[], bool] = sys.is_finalizing) -> None:
        if is_over():
            return
        if self.readers:
            self.settle()
        home = self._home
        if home is not self.lane:
            home.wait_for(self.lane)
        home.give_back(self._block)


class HostCell:
    """A value in the host's memory, which comes to the lanes that want it.

    Args:
        array: The value, row-major; nobody writes to it any more.
    """

    __slots__ = ("_cells", "array", "nbytes")

    lane = None  # of no lane
    readers = None

    def __init__(self, array: np.ndarray) -> None:
        self.array, self.nbytes = array, array.nbytes
        self._cells: dict[int, Cell] = {}

    def on(self, lane: Lane) -> int:
        """The address for a lane's next work."""
        return self.cell_on(lane).on(lane)

    def cell_on(self, lane: Lane) -> Cell:
        """Its copy in a lane's GPU."""
        found = self._cells.get(lane.ordinal)
        if found is None:
            found = self._cells[lane.ordinal] = uploaded(self.array, lane)
        return found


AnyCell = Any  # Cell | HostCell: generated code holds them without looking


def uploaded(array: np.ndarray, lane: Lane) -> Cell:
    """A cell with the content of an array, which may be changed afterwards."""
    cell = lane.cell(array.nbytes)
    lane.staging.upload(array, cell)
    return cell


def downloaded(cell: AnyCell, shape: tuple[int, ...], dtype: np.dtype, ready: Ready | None = None) -> np.ndarray:
    """A cell's content in the host's memory, waited for.

    Args:
        cell: The cell.
        shape: Of the array.
        dtype: Of the array.
        ready: When the content is there; None for when all is done that its lane was given.
    """
    if type(cell) is HostCell:
        return cell.array.reshape(shape)
    lane: Lane = cell.lane
    return lane.staging.download(cell, shape, dtype, ready or lane.mark())
