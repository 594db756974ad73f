# SPDX-License-Identifier: Apache-2.0
"""Transfers between the host and a device, in chunks through pinned memory."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

import numpy as np

from .memory import Allocation, Completion, StreamContext
from .waiting import until_done

if TYPE_CHECKING:
    from .gpu import Event, Pinned

_PIECE = 16 << 20  # bytes of a chunk: the processor copies one while the GPU transfers the one before
_MOST_UNDER_WAY = 4


class HostAllocation:
    """A value in the host's memory, copied to each GPU that needs it.

    Args:
        array: The value, row-major, which nobody changes any more.
    """

    __slots__ = ("_allocations", "array", "nbytes")

    context = None  # it belongs to no stream
    readers = None

    def __init__(self, array: np.ndarray) -> None:
        self.array, self.nbytes = array, array.nbytes
        self._allocations: dict[int, Allocation] = {}

    def on(self, context: StreamContext) -> int:
        """The address for a stream's next work."""
        return self.allocation_on(context).on(context)

    def allocation_on(self, context: StreamContext) -> Allocation:
        """Its copy in the memory of a stream's GPU."""
        found = self._allocations.get(context.ordinal)
        if found is None:
            found = self._allocations[context.ordinal] = uploaded(self.array, context)
        return found


AnyAllocation = Any  # Allocation | HostAllocation: generated code holds either


def uploaded(array: np.ndarray, context: StreamContext) -> Allocation:
    """An allocation with the content of an array, which may be changed afterwards."""
    allocation = context.allocate(array.nbytes)
    upload(array, allocation)
    return allocation


def downloaded(
    allocation: AnyAllocation, shape: tuple[int, ...], dtype: np.dtype, completion: Completion | None = None
) -> np.ndarray:
    """The content of an allocation as a host array; waits for it.

    Args:
        allocation: The memory.
        shape: Shape of the array.
        dtype: Element type of the array.
        completion: When the content is there; None for when all enqueued work of its stream is done.
    """
    if type(allocation) is HostAllocation:
        return allocation.array.reshape(shape)
    context: StreamContext = allocation.context
    return download(allocation, shape, dtype, completion or context.mark())


def upload(array: np.ndarray, allocation: Allocation) -> None:
    """Enqueues a copy of an array into an allocation; the array may be changed when this returns."""
    context, gpu = allocation.context, allocation.context.gpu
    if not array.nbytes:
        return
    flat = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    context.monitor.given.append("an upload")
    with gpu.translated(context.ordinal), gpu.using(context.ordinal):
        for start in range(0, flat.size, _PIECE):
            piece = flat[start : start + _PIECE]
            pinned = _pinned(context, piece.size)
            np.frombuffer(pinned.view(), np.uint8)[:] = piece
            with context.lock:
                gpu.upload(allocation.ptr + start, pinned.ptr, piece.size, context.stream)
                context.ticks += 1
                context.transfers.append((context.marked(), pinned))
            context.finish_transfers(_MOST_UNDER_WAY if piece.size == _PIECE else None)


def download(
    allocation: Allocation, shape: tuple[int, ...], dtype: np.dtype, completion: Completion
) -> np.ndarray:
    """The content of an allocation at a completion; work that its stream is given meanwhile does not delay it."""
    context, gpu = allocation.context, allocation.context.gpu
    array = np.empty(shape, dtype)
    if not array.nbytes:
        completion.until_done()
        return array
    flat = array.reshape(-1).view(np.uint8)
    event = completion.event
    what = f"{completion.what}, for a download"
    under_way: deque[tuple[Event, Pinned, int]] = deque()
    try:
        with gpu.translated(context.ordinal), gpu.using(context.ordinal):
            if event is not None:
                context.download_stream.wait(event)
            for start in range(0, flat.size, _PIECE):
                size = min(_PIECE, flat.size - start)
                pinned = _pinned(context, size)
                gpu.download(pinned.ptr, allocation.ptr + start, size, context.download_stream)
                mark = context.new_event()
                mark.record(context.download_stream)
                under_way.append((mark, pinned, start))
                if len(under_way) > 1:
                    _take(context, flat, under_way, what)
        while under_way:
            _take(context, flat, under_way, what)
    except BaseException:  # KeyboardInterrupt, too: the GPU goes on writing to the pinned memory
        context.transfers.extend((mark, pinned) for mark, pinned, _ in under_way)
        raise
    return array


def _pinned(context: StreamContext, nbytes: int) -> Pinned:
    """Pinned memory; where there is no more, waits for the transfers that hold some.

    Raises:
        CudaMemoryError: If the system has none.
    """
    try:
        return context.gpu.pinned(nbytes)
    except MemoryError:
        context.finish_transfers(0)
    return context.gpu.pinned(nbytes)


def _take(
    context: StreamContext, flat: np.ndarray, under_way: deque[tuple[Event, Pinned, int]], what: str
) -> None:
    """Waits for the first chunk and copies it into the array."""
    mark, pinned, start = under_way[0]
    until_done(mark, what, context)
    flat[start : start + pinned.nbytes] = np.frombuffer(pinned.view(), np.uint8)
    under_way.popleft()
    context.events.append(mark)
