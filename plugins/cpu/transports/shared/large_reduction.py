# SPDX-License-Identifier: Apache-2.0
"""Large all-reduces: each process reduces its share of every piece (a pipelined reduce-scatter and all-gather).

The result is computed in a segment that all processes share, or copied out of the window where there is no segment.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus_core.plugin import Reduction
from olympus_core.toolkit import combiner, quietly, working_dtype

from ...buffer import aligned_empty
from .blocks import Blocks, elements, in_blocks, signature_of
from .engine import CollectiveCoroutine, WaitCondition
from .piece_counters import PieceCounters, Window
from .reduction_tree import Arrays, reduce_into
from .region import DEPTH, Layout
from .segments import Segments


class LargeReduction:
    """One large reduction in one process.

    Args:
        counters: The group's counters.
        segments: The segments of shared results.
        blocks: The group's blocks.
        inputs: The arrays of this process's devices.
        reduction: How they are combined.
        may_share: Whether the result is large enough for a segment.
    """

    def __init__(
        self, counters: PieceCounters, segments: Segments, blocks: Blocks, inputs: Arrays, reduction: Reduction,
        may_share: bool,
    ) -> None:
        self._counters, self._segments, self._blocks, self._may_share = counters, segments, blocks, may_share
        self._shape, self._dtype, self._count = inputs[0].shape, inputs[0].dtype, inputs[0].size
        self._work = working_dtype(self._dtype)
        self._combine = combiner(reduction, self._work)
        self._inputs = [np.ascontiguousarray(x).reshape(-1) for x in inputs]
        self._signature = signature_of("all_reduce", self._shape, self._dtype, reduction)
        self._out: Any = None
        self._segment: int | None = None
        self._copied = self._reduced = self._written = 0  # pieces

    def run(self) -> CollectiveCoroutine:
        """Does whatever can be done, first what frees slots.

        There may be more processes than cores: a process that has a core should advance as far as the window allows.
        """
        counters = self._counters
        window = yield from counters.large()
        self._step = window.slot_bytes // (self._blocks.most * self._work.itemsize)
        pieces, first = -(-self._count // self._step), counters.next
        counters.next += pieces
        self._first = first
        if self._may_share and counters.rank == 0:
            self._segments.offer(first, self._count * self._dtype.itemsize)
        while self._copied < pieces:
            conditions: list[tuple[int, WaitCondition]] = []
            if self._copied < self._reduced:
                condition = counters.missing(counters.reduced, first + self._copied + 1)
                if condition is None:
                    self._copy(window)
                    continue
                conditions.append((self._copied, condition))
            if self._reduced < self._written:
                condition = counters.missing(counters.written, first + self._reduced + 1)
                if condition is None:
                    self._reduce(window)
                    continue
                conditions.append((self._reduced, condition))
            if self._written < pieces:
                condition = counters.missing(counters.read, first + self._written + 1 - DEPTH)
                if condition is None:
                    self._write(window)
                    continue
                conditions.append((self._written - DEPTH, condition))
            yield min(conditions)[1]  # what the slowest process has to do
        if self._segment is not None:
            size = self._count * self._dtype.itemsize
            self._out = self._segments.result(self._segment, self._dtype, self._shape, size)
        return [self._out.reshape(self._shape)] * len(self._inputs)

    def _write(self, window: Window) -> None:
        """Writes this process's part of a piece to its slot."""
        piece, rank, (low, high) = self._first + self._written, self._counters.rank, self._bounds(self._written)
        slot = in_blocks(window.slots[piece % DEPTH][rank], self._work, self._blocks.counts[rank], high - low)
        self._blocks.reduce_own(slot, [x[low:high] for x in self._inputs], self._combine)
        self._counters.sign(piece, self._signature)
        self._counters.post(Layout.WRITTEN, piece + 1)
        self._written += 1

    def _reduce(self, window: Window) -> None:
        """Reduces this process's share of a piece, over all slots."""
        piece, (low, high) = self._first + self._reduced, self._bounds(self._reduced)
        self._counters.compare(piece, self._signature, "all_reduce")
        if self._out is None:
            self._allocate()
        length, rank, ranks = high - low, self._counters.rank, self._counters.count
        start, stop = length * rank // ranks, length * (rank + 1) // ranks
        parts = self._parts(window.slots[piece % DEPTH], length, start, stop)
        if self._segment is None:
            target = elements(window.results[piece % DEPTH], self._dtype, length)
        else:
            target = self._out[low:high]
        quietly(reduce_into, target[start:stop], self._blocks.tree, parts, self._combine)
        self._counters.post(Layout.REDUCED, piece + 1)
        if self._segment is not None:
            self._counters.post(Layout.READ, piece + 1)
        self._reduced += 1

    def _copy(self, window: Window) -> None:
        """Copies a piece that all have reduced; a shared result needs no copy."""
        piece, (low, high) = self._first + self._copied, self._bounds(self._copied)
        if self._segment is None:
            self._out[low:high] = elements(window.results[piece % DEPTH], self._dtype, high - low)
            self._counters.post(Layout.READ, piece + 1)
        self._copied += 1

    def _allocate(self) -> None:
        """Allocates the result: the leader has published its first piece, and with it whether there is a segment."""
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
