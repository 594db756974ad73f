"""Transfers between the host and a lane, through pinned memory, piece by piece."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import numpy as np

from .waiting import until_done

if TYPE_CHECKING:
    from .gpu import Event, Pinned
    from .memory import Cell, Lane, Ready

_PIECE = 16 << 20  # bytes: one is copied by the processor while the GPU takes the one before
_MOST_UNDER_WAY = 4


class Staging:
    """A lane's transfers."""

    __slots__ = ("_under_way",)

    def __init__(self) -> None:
        self._under_way: deque[tuple[Event, Pinned]] = deque()  # what a GPU still reads or writes

    def upload(self, array: np.ndarray, cell: Cell) -> None:
        """Enqueues a copy of an array's content into a cell; the array may be changed at once."""
        lane, gpu = cell.lane, cell.lane.gpu
        if not array.nbytes:
            return
        flat = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        lane.pace.given.append("an upload")
        with gpu.translated(lane.ordinal), gpu.using(lane.ordinal):
            for start in range(0, flat.size, _PIECE):
                piece = flat[start : start + _PIECE]
                pinned = self._pinned(lane, piece.size)
                np.frombuffer(pinned.view(), np.uint8)[:] = piece
                with lane.lock:
                    gpu.upload(cell.ptr + start, pinned.ptr, piece.size, lane.stream)
                    lane.ticks += 1
                    self._under_way.append((lane.marked(), pinned))
                self._tidy(lane, _MOST_UNDER_WAY if piece.size == _PIECE else None)

    def download(self, cell: Cell, shape: tuple[int, ...], dtype: np.dtype, ready: Ready) -> np.ndarray:
        """A cell's content, waited for; what its lane is given meanwhile does not matter."""
        lane, gpu = cell.lane, cell.lane.gpu
        array = np.empty(shape, dtype)
        if not array.nbytes:
            ready.until_done()
            return array
        flat = array.reshape(-1).view(np.uint8)
        event = ready.event
        what = f"{ready.what}, for a download"
        under_way: deque[tuple[Event, Pinned, int]] = deque()
        try:
            with gpu.translated(lane.ordinal), gpu.using(lane.ordinal):
                if event is not None:
                    lane.side.wait(event)
                for start in range(0, flat.size, _PIECE):
                    size = min(_PIECE, flat.size - start)
                    pinned = self._pinned(lane, size)
                    gpu.download(pinned.ptr, cell.ptr + start, size, lane.side)
                    mark = lane.new_event()
                    mark.record(lane.side)
                    under_way.append((mark, pinned, start))
                    if len(under_way) > 1:
                        _take(lane, flat, under_way, what)
            while under_way:
                _take(lane, flat, under_way, what)
        except BaseException:  # also one from the keyboard: the GPU writes to pinned memory all the same
            self._under_way.extend((mark, pinned) for mark, pinned, _ in under_way)
            raise
        return array

    def close(self, lane: Lane) -> None:
        """Waits until no transfer is under way."""
        self._tidy(lane, 0)

    def _pinned(self, lane: Lane, nbytes: int) -> Pinned:
        """Pinned memory; what transfers hold comes back first where there is no more.

        Raises:
            CudaMemoryError: If the system has none.
        """
        try:
            return lane.gpu.pinned(nbytes)
        except MemoryError:
            self._tidy(lane, 0)
        return lane.gpu.pinned(nbytes)

    def _tidy(self, lane: Lane, most: int | None) -> None:
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
                    until_done(event, "transfers before", lane)
            except BaseException:
                self._under_way.appendleft(entry)
                raise
            lane.events.append(event)


def _take(lane: Lane, flat: np.ndarray, under_way: deque[tuple[Event, Pinned, int]], what: str) -> None:
    """Copies the first piece to its place, once it has come."""
    mark, pinned, start = under_way[0]
    until_done(mark, what, lane)
    flat[start : start + pinned.nbytes] = np.frombuffer(pinned.view(), np.uint8)
    under_way.popleft()
    lane.events.append(mark)
