# SPDX-License-Identifier: Apache-2.0
"""The launches of a group in one stream: slots are filled, and works enqueued in order or replayed as a graph."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..memory import rounded
from .graphs import GraphCache

if TYPE_CHECKING:
    from olympus_core.plugin import KernelDescription

    from ..gpu import Gpu, Stream
    from ..memory import Allocation, StreamContext
    from .buffer_assignment import BufferAssignment

Enqueuing = Callable[["Stream"], None]


class AddressTable:
    """The addresses of a group's inputs, outputs and arena, to which the kernels' argument tables point.

    Args:
        count: Number of slots.
    """

    __slots__ = ("_kept", "_first", "values")

    def __init__(self, count: int) -> None:
        self.values = (ctypes.c_uint64 * max(1, count))()
        self._first = ctypes.addressof(self.values)
        self._kept: list[Any] = []

    def table(self, slots: Sequence[int]) -> int:
        """The address of a kernel's array of pointers to its arguments."""
        table = (ctypes.c_uint64 * max(1, len(slots)))(*[self._first + 8 * slot for slot in slots])
        self._kept.append(table)
        return ctypes.addressof(table)


class LaunchSequence:
    """A group of works, ready for one stream.

    Args:
        context: The stream.
        assignment: The slots of the group's values.
        slots: The addresses.
        enqueuing: For each launch a function that enqueues it.
        capturable: Whether all launches may be captured into a graph.
        steps: For each launch what profiles tell of the step that it begins; None where it goes on with one.
    """

    __slots__ = ("_arena", "_enqueuing", "_first_piece", "_graphs", "_lock", "_made", "_offsets", "_slots", "_steps",
                 "_use", "_values", "_written", "context")

    def __init__(
        self, context: StreamContext, assignment: BufferAssignment, slots: AddressTable,
        enqueuing: Sequence[Enqueuing], capturable: bool, steps: Sequence[KernelDescription | None],
    ) -> None:
        # Everything that a call needs is precomputed: a call should cost little more than its launches.
        self.context, self._lock, self._use = context, context.lock, context.gpu.use
        self._slots = slots  # kept alive: the argument tables point into it
        self._values: Any = slots.values
        self._enqueuing, self._steps = tuple(enqueuing), tuple(steps)
        self._written, self._made = assignment.written, [(rounded(nbytes), nbytes) for nbytes in assignment.made]
        self._arena, self._offsets = assignment.arena, assignment.offsets
        self._first_piece = assignment.inputs + len(assignment.made)
        # Also of one launch: on an H200 the driver takes 2.9 us of the host for a graph and 6.5 us for a kernel.
        self._graphs = GraphCache(context, self._all) if capturable and self._enqueuing else None

    def run(self, allocations: Sequence[Any]) -> list[Allocation]:
        """Enqueues the group for these inputs; returns its outputs."""
        context = self.context
        made, outputs = [], []
        for size, nbytes in self._made:
            allocation = context.allocate_size(size, nbytes)
            made.append(allocation)
            outputs.append(allocation.ptr)
        arena = context.allocate(self._arena) if self._arena else None
        addresses = [a.ptr if a.context is context else a.on(context) for a in allocations]
        for i in self._written:  # after all allocations: if one fails, donated inputs stay valid
            allocations[i].take_over(context)
        addresses += outputs
        if arena is not None:
            start = arena.ptr
            addresses += [start + offset for offset in self._offsets]
        self._use(context.ordinal)
        with self._lock:
            self._values[:] = addresses or (0,)
            graphs = self._graphs
            try:
                if context.recorder is not None and self._enqueuing:
                    context.recorder.run(self._enqueuing, self._steps)
                elif graphs is None or not graphs.replay(tuple(addresses[: self._first_piece + 1])):
                    stream = context.stream
                    for enqueue in self._enqueuing:
                        enqueue(stream)
            finally:
                context.ticks += 1
        if context.ticks >= context.monitor.next:
            context.mark()
        return made

    def _all(self, stream: Stream) -> None:
        for enqueue in self._enqueuing:
            enqueue(stream)


def kernel_launch(
    gpu: Gpu, function: int, grid: int, block: int, shared: int, table: int
) -> Enqueuing:
    """The launch of a kernel with a precomputed argument table."""
    launch = gpu.launch_prepared

    def enqueue(stream: Stream) -> None:
        launch(function, grid, 1, 1, block, 1, 1, shared, stream.ptr, table, 0)

    return enqueue


def work_launch(
    enqueue_work: Callable[..., None], slots: AddressTable, slots_of_work: Sequence[int], scratch: int | None
) -> Enqueuing:
    """The enqueuing of a work that is not a kernel."""
    values, slots_of_work = slots.values, tuple(slots_of_work)

    def enqueue(stream: Stream) -> None:
        enqueue_work(stream, [values[p] for p in slots_of_work], values[scratch] if scratch is not None else 0)

    return enqueue
