"""Transfers between the host and a context, through pinned memory, piece by piece."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import numpy as np

from .waiting import until_done

if TYPE_CHECKING:
    from .gpu import Event, Pinned
    from .memory import Allocation, Completion, StreamContext

_PIECE = 16 << 20  # bytes: one is copied by the processor while the GPU takes the one before
_MOST_UNDER_WAY = 4


class Staging:
    """A context's transfers."""

    __slots__ = ("_under_way",)

    def __init__(self) -> None:
        self._under_way: deque[tuple[Event, Pinned]] = deque()  # what a GPU still reads or writes

    def upload(self, array: np.ndarray, allocation: Allocation) -> None:
        """Enqueues a copy of an array's content into a allocation; the array may be changed at once."""
        context, gpu = allocation.context, allocation.context.gpu
        if not array.nbytes:
            return
        flat = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        context.monitor.given.append("an upload")
        with gpu.translated(context.ordinal), gpu.using(context.ordinal):
            for start in range(0, flat.size, _PIECE):
                piece = flat[start : start + _PIECE]
                pinned = self._pinned(context, piece.size)
                np.frombuffer(pinned.view(), np.uint8)[:] = piece
                with context.lock:
                    gpu.upload(allocation.ptr + start, pinned.ptr, piece.size, context.stream)
                    context.ticks += 1
                    self._under_way.append((context.marked(), pinned))
                self._tidy(context, _MOST_UNDER_WAY if piece.size == _PIECE else None)

    def download(
        self, allocation: Allocation, shape: tuple[int, ...], dtype: np.dtype, ready: Completion
    ) -> np.ndarray:
        """A allocation's content, waited for; what its context is given meanwhile does not matter."""
        context, gpu = allocation.context, allocation.context.gpu
        array = np.empty(shape, dtype)
        if not array.nbytes:
            ready.until_done()
            return array
        flat = array.reshape(-1).view(np.uint8)
        event = ready.event
        what = f"{ready.what}, for a download"
        under_way: deque[tuple[Event, Pinned, int]] = deque()
        try:
            with gpu.translated(context.ordinal), gpu.using(context.ordinal):
                if event is not None:
                    context.side.wait(event)
                for start in range(0, flat.size, _PIECE):
                    size = min(_PIECE, flat.size - start)
                    pinned = self._pinned(context, size)
                    gpu.download(pinned.ptr, allocation.ptr + start, size, context.side)
                    mark = context.new_event()
                    mark.record(context.side)
                    under_way.append((mark, pinned, start))
                    if len(under_way) > 1:
                        _take(context, flat, under_way, what)
            while under_way:
                _take(context, flat, under_way, what)
        except BaseException:  # also one from the keyboard: the GPU writes to pinned memory all the same
            self._under_way.extend((mark, pinned) for mark, pinned, _ in under_way)
            raise
        return array

    def close(self, context: StreamContext) -> None:
        """Waits until no transfer is under way."""
        self._tidy(context, 0)

    def _pinned(self, context: StreamContext, nbytes: int) -> Pinned:
        """Pinned memory; what transfers hold comes back first where there is no more.

        Raises:
            CudaMemoryError: If the system has none.
        """
        try:
            return context.gpu.pinned(nbytes)
        except MemoryError:
            self._tidy(context, 0)
        return context.gpu.pinned(nbytes)

    def _tidy(self, context: StreamContext, most: int | None) -> None:
        """Gives back what is done; waits until no more than so many are under way."""
        while True:
            try:
                entry = self._under_way.popleft()
            except IndexError:
                return
            event, _ = entry
            try:
                if not event.is_done():
                    if most is None or len(self._under_way) < most:
                        self._under_way.appendleft(entry)
                        return
                    until_done(event, "transfers before", context)
            except BaseException:
                self._under_way.appendleft(entry)
                raise
            context.events.append(event)


def _take(context: StreamContext, flat: np.ndarray, under_way: deque[tuple[Event, Pinned, int]], what: str) -> None:
    """Copies the first piece to its place, once it has come."""
    mark, pinned, start = under_way[0]
    until_done(mark, what, context)
    flat[start : start + pinned.nbytes] = np.frombuffer(pinned.view(), np.uint8)
    under_way.popleft()
    context.events.append(mark)
