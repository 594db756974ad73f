"""A group of works on one lane: slots are filled, works enqueued one after the other, or replayed as a graph."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..memory import rounded
from .graphs import Graphs

if TYPE_CHECKING:
    from ..gpu import Gpu, Stream
    from ..memory import Cell, Lane
    from .layout import Layout

Enqueuing = Callable[["Stream"], None]


class Slots:
    """The addresses of a group, where kernels' arguments point.

    Args:
        count: Number of slots.
    """

    __slots__ = ("_kept", "_first", "values")

    def __init__(self, count: int) -> None:
        self.values = (ctypes.c_uint64 * max(1, count))()
        self._first = ctypes.addressof(self.values)
        self._kept: list[Any] = []

    def table(self, slots: Sequence[int]) -> int:
        """The address of a kernel's list of pointers to its arguments."""
        table = (ctypes.c_uint64 * max(1, len(slots)))(*[self._first + 8 * slot for slot in slots])
        self._kept.append(table)
        return ctypes.addressof(table)


class Launches:
    """A group of works, ready on one lane; the caller holds the lane's lock only where it says so.

    Args:
        lane: The lane.
        layout: Where everything lies.
        slots: The addresses.
        enqueuing: For each launch a function that puts it into a stream.
        capturable: Whether all of them may be captured into a graph.
    """

    __slots__ = ("_arena", "_enqueuing", "_first_piece", "_graphs", "_lock", "_made", "_offsets", "_slots", "_use",
                 "_values", "_written", "lane")

    def __init__(
        self, lane: Lane, layout: Layout, slots: Slots, enqueuing: Sequence[Enqueuing], capturable: bool
    ) -> None:
        # All that a call needs is at hand: it should cost little more than its launches.
        self.lane, self._lock, self._use = lane, lane.lock, lane.gpu.use
        self._slots = slots  # keeps what kernels point at
        self._values: Any = slots.values
        self._enqueuing = tuple(enqueuing)
        self._written, self._made = layout.written, [(rounded(nbytes), nbytes) for nbytes in layout.made]
        self._arena, self._offsets = layout.arena, layout.offsets
        self._first_piece = layout.inputs + len(layout.made)
        self._graphs = Graphs(lane, self._all) if capturable and Graphs.worth(len(self._enqueuing)) else None

    def run(self, cells: Sequence[Any]) -> list[Cell]:
        """Enqueues the group for these inputs; gives its outputs."""
        lane = self.lane
        made, outputs = [], []
        for size, nbytes in self._made:
            cell = lane.cell_of_size(size, nbytes)
            made.append(cell)
            outputs.append(cell.ptr)
        arena = lane.cell(self._arena) if self._arena else None
        addresses = [cell.ptr if cell.lane is lane else cell.on(lane) for cell in cells]
        for i in self._written:  # only now that there is memory for everything: else they stay what they are
            cells[i].take_over(lane)
        addresses += outputs
        if arena is not None:
            start = arena.ptr
            addresses += [start + offset for offset in self._offsets]
        self._use(lane.ordinal)
        with self._lock:
            self._values[:] = addresses or (0,)
            graphs = self._graphs
            try:
                if graphs is None or not graphs.replay(tuple(addresses[: self._first_piece + 1])):
                    stream = lane.stream
                    for enqueue in self._enqueuing:
                        enqueue(stream)
            finally:
                lane.ticks += 1
        if lane.ticks >= lane.pace.next:
            lane.mark()
        return made

    def _all(self, stream: Stream) -> None:
        for enqueue in self._enqueuing:
            enqueue(stream)


def kernel_launch(
    gpu: Gpu, function: int, grid: int, block: int, shared: int, table: int
) -> Enqueuing:
    """The launch of a kernel whose arguments' table stands ready."""
    launch = gpu.launch_prepared

    def enqueue(stream: Stream) -> None:
        launch(function, grid, 1, 1, block, 1, 1, shared, stream.ptr, table, 0)

    return enqueue


def work_launch(
    enqueue_work: Callable[..., None], slots: Slots, places: Sequence[int], scratch: int | None
) -> Enqueuing:
    """The enqueuing of a work of another kind."""
    values, places = slots.values, tuple(places)

    def enqueue(stream: Stream) -> None:
        enqueue_work(stream, [values[p] for p in places], values[scratch] if scratch is not None else 0)

    return enqueue
