"""Large reductions: every process reduces its part of each piece, and all take the whole.

The result is made at once in a segment that all share, or copied out of the window where there is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus_core.plugin import Reduction
from olympus_core.toolkit import combiner, quietly, working_dtype

from ...buffer import aligned_empty
from .blocks import Blocks, elements, in_blocks, signature_of
from .engine import Lack, Moves
from .order import Arrays, reduce_into
from .region import DEPTH, Layout
from .segments import Segments
from .window import Counting, Window


class LargeReduction:
    """One large reduction, as one process sees it.

    Args:
        counting: The group's counts.
        segments: Where shared results live.
        blocks: The group.
        inputs: This process's members' arrays.
        reduction: What is done with them.
        may_share: Whether the result is large enough for a segment.
    """

    def __init__(
        self, counting: Counting, segments: Segments, blocks: Blocks, inputs: Arrays, reduction: Reduction,
        may_share: bool,
    ) -> None:
        self._counting, self._segments, self._blocks, self._may_share = counting, segments, blocks, may_share
        self._shape, self._dtype, self._count = inputs[0].shape, inputs[0].dtype, inputs[0].size
        self._work = working_dtype(self._dtype)
        self._combine = combiner(reduction, self._work)
        self._inputs = [np.ascontiguousarray(x).reshape(-1) for x in inputs]
        self._signature = signature_of("all_reduce", self._shape, self._dtype, reduction)
        self._out: Any = None
        self._segment: int | None = None
        self._copied = self._reduced = self._written = 0  # pieces

    def moves(self) -> Moves:
        """Whatever can be done is done, what frees memory first.

        There may be more processes than cores: one that has its core should go as far as the window lets it.
        """
        counting = self._counting
        window = yield from counting.large()
        self._step = window.slot_bytes // (self._blocks.most * self._work.itemsize)
        pieces, first = -(-self._count // self._step), counting.next
        counting.next += pieces
        self._first = first
        if self._may_share and counting.place == 0:
            self._segments.offer(first, self._count * self._dtype.itemsize)
        while self._copied < pieces:
            lacks: list[tuple[int, Lack]] = []
            if self._copied < self._reduced:
                lack = counting.missing(counting.reduced, first + self._copied + 1)
                if lack is None:
                    self._copy(window)
                    continue
                lacks.append((self._copied, lack))
            if self._reduced < self._written:
                lack = counting.missing(counting.written, first + self._reduced + 1)
                if lack is None:
                    self._reduce(window)
                    continue
                lacks.append((self._reduced, lack))
            if self._written < pieces:
                lack = counting.missing(counting.read, first + self._written + 1 - DEPTH)
                if lack is None:
                    self._write(window)
                    continue
                lacks.append((self._written - DEPTH, lack))
            yield min(lacks)[1]  # what the slowest is to do
        if self._segment is not None:
            size = self._count * self._dtype.itemsize
            self._out = self._segments.result(self._segment, self._dtype, self._shape, size)
        return [self._out.reshape(self._shape)] * len(self._inputs)

    def _write(self, window: Window) -> None:
        """Puts this process's part of a piece into its slot."""
        piece, place, (low, high) = self._first + self._written, self._counting.place, self._bounds(self._written)
        slot = in_blocks(window.slots[piece % DEPTH][place], self._work, self._blocks.counts[place], high - low)
        self._blocks.reduce_own(slot, [x[low:high] for x in self._inputs], self._combine)
        self._counting.sign(piece, self._signature)
        self._counting.post(Layout.WRITTEN, piece + 1)
        self._written += 1

    def _reduce(self, window: Window) -> None:
        """Reduces this process's share of a piece, over all slots."""
        piece, (low, high) = self._first + self._reduced, self._bounds(self._reduced)
        self._counting.compare(piece, self._signature, "all_reduce")
        if self._out is None:
            self._make()
        length, place, places = high - low, self._counting.place, self._counting.count
        start, stop = length * place // places, length * (place + 1) // places
        parts = self._parts(window.slots[piece % DEPTH], length, start, stop)
        if self._segment is None:
            target = elements(window.results[piece % DEPTH], self._dtype, length)
        else:
            target = self._out[low:high]
        quietly(reduce_into, target[start:stop], self._blocks.tree, parts, self._combine)
        self._counting.post(Layout.REDUCED, piece + 1)
        if self._segment is not None:
            self._counting.post(Layout.READ, piece + 1)
        self._reduced += 1

    def _copy(self, window: Window) -> None:
        """Takes a piece that all have reduced; of a shared result there is nothing to take."""
        piece, (low, high) = self._first + self._copied, self._bounds(self._copied)
        if self._segment is None:
            self._out[low:high] = elements(window.results[piece % DEPTH], self._dtype, high - low)
            self._counting.post(Layout.READ, piece + 1)
        self._copied += 1

    def _make(self) -> None:
        """Where the result goes: the leader has written its first piece, so it has said whether there is a segment."""
        self._segment = self._segments.offered(self._first) if self._may_share else None
        if self._segment is None:
            self._out = aligned_empty((self._count,), self._dtype)
        else:
            size = self._count * self._dtype.itemsize
            self._out = self._segments.writable(self._segment, size).view(self._dtype)

    def _parts(self, slots: Sequence[np.ndarray], length: int, start: int, stop: int) -> list[np.ndarray]:
        return [block[start:stop] for slot, count in zip(slots, self._blocks.counts, strict=True)
                for block in in_blocks(slot, self._work, count, length)]

    def _bounds(self, piece: int) -> tuple[int, int]:
        return piece * self._step, min(self._count, (piece + 1) * self._step)
