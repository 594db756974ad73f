# SPDX-License-Identifier: Apache-2.0
"""Collectives through slots: each process writes its data to its slots, piece by piece, and all processes read them.

Small reductions are computed redundantly by every process, which needs one synchronisation. Large results are written
once, to a segment that all processes share.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from olympus_core.dataclass import dataclass
from olympus_core.plugin import Reduction
from olympus_core.toolkit import Members, combiner, quietly, working_dtype

from .blocks import Blocks, in_blocks, signature_of
from .engine import CollectiveCoroutine
from .large_reduction import LargeReduction
from .piece_counters import PieceCounters, WaitCoroutine, Window
from .reduction_tree import Arrays, Combine, reduce_into
from .region import DEPTH, Layout
from .segments import Segments

# From this size on a result is shared by all processes rather than copied by each.
SEGMENT_BYTES = 1 << 20
# The same for results that differ between devices, which messages would copy twice.
SPREAD_BYTES = 256 << 10
_WIDEST = 16  # bytes of an element
_MOST_PREPARED = 256  # reductions, by shape and type, that are kept prepared
_WRITTEN, _REDUCED, _READ = Layout.WRITTEN, Layout.REDUCED, Layout.READ

Otherwise = Callable[[], CollectiveCoroutine]
Write = Callable[[np.ndarray, int], None]  # writes a piece to this process's slot
Read = Callable[[Sequence[np.ndarray], int], None]  # reads a piece from all slots


class SlotCollectives:
    """The collectives of one group over slots and segments.

    Args:
        counters: The group's counters.
        members: The group.
    """

    def __init__(self, counters: PieceCounters, members: Members) -> None:
        self._counters, self._members = counters, members
        self._segments = Segments(counters)
        self._small: dict[tuple[tuple[int, ...], np.dtype, Reduction], _SmallReduction] = {}
        self._blocks = Blocks(members)
        self._most_members = max(map(len, members.positions))
        # At least one column of the widest type must fit into a slot.
        self.can_scatter = self._blocks.most * members.size * _WIDEST <= counters.small.slot_bytes

    def all_reduce(self, inputs: Arrays, reduction: Reduction) -> CollectiveCoroutine:
        """See `Communicator.all_reduce`."""
        shape, dtype = inputs[0].shape, inputs[0].dtype
        small = self._small.get((shape, dtype, reduction))
        if small is not None:
            return self._reduce_redundantly(small, inputs)
        count, work = inputs[0].size, working_dtype(dtype)
        if count * work.itemsize * self._blocks.most <= self._counters.small.slot_bytes:
            if len(self._small) >= _MOST_PREPARED:
                self._small.clear()
            small = self._small[shape, dtype, reduction] = self._small_reduction(shape, dtype, reduction)
            return self._reduce_redundantly(small, inputs)
        may_share = inputs[0].nbytes >= SEGMENT_BYTES
        return LargeReduction(self._counters, self._segments, self._blocks, inputs, reduction, may_share).run()

    def reduce_scatter(self, inputs: Arrays, dimension: int, reduction: Reduction) -> CollectiveCoroutine:
        """See `Communicator.reduce_scatter`."""
        members, dtype = self._members, inputs[0].dtype
        work = working_dtype(dtype)
        combine = combiner(reduction, work)
        fronted = [np.moveaxis(x, dimension, 0) for x in inputs]
        part_shape = (fronted[0].shape[0] // members.size, *fronted[0].shape[1:])
        columns = math.prod(part_shape)
        rows = [np.ascontiguousarray(x).reshape(members.size, columns) for x in fronted]
        out = np.empty((len(members.mine), columns), dtype)
        mine = _as_slice(members.mine)
        window = yield from self._window(self._blocks.most * members.size * columns * work.itemsize)
        step = max(1, window.slot_bytes // (self._blocks.most * members.size * work.itemsize))

        def shaped(slot: np.ndarray, blocks: int, width: int) -> np.ndarray:
            count = blocks * members.size * width
            return slot[: count * work.itemsize].view(work).reshape(blocks, members.size, width)

        def write(slot: np.ndarray, piece: int) -> None:
            low, high = piece * step, min(columns, (piece + 1) * step)
            own = list(shaped(slot, self._blocks.counts[members.index], high - low))
            self._blocks.reduce_own(own, [r[:, low:high] for r in rows], combine)

        def read(slots: Sequence[np.ndarray], piece: int) -> None:
            low, high = piece * step, min(columns, (piece + 1) * step)
            parts = [block[mine] for slot, tree in zip(slots, members.trees, strict=True)
                     for block in shaped(slot, len(tree), high - low)]
            quietly(reduce_into, out[:, low:high], self._blocks.tree, parts, combine)

        signature = signature_of("reduce_scatter", inputs[0].shape, dtype, dimension, reduction)
        yield from self._exchange_pieces(window, -(-columns // step), write, read, signature)
        return [np.ascontiguousarray(np.moveaxis(row.reshape(part_shape), 0, dimension)) for row in out]

    def all_gather(self, inputs: Arrays, dimension: int) -> CollectiveCoroutine:
        """See `Communicator.all_gather`."""
        members, shape, dtype = self._members, inputs[0].shape, inputs[0].dtype
        whole = (*shape[:dimension], members.size * shape[dimension], *shape[dimension + 1 :])
        size = members.size * inputs[0].nbytes
        signature = signature_of("all_gather", shape, dtype, dimension)
        if size >= SEGMENT_BYTES:
            segment = yield from self._segment(size, signature)
            if segment is not None:
                out = self._segments.writable(segment, size).view(dtype)
                out = out.reshape(*shape[:dimension], members.size, *shape[dimension:])
                for position, x in zip(members.mine, inputs, strict=True):
                    out[(slice(None),) * dimension + (position,)] = x
                yield from self._filled(signature)
                return [self._segments.result(segment, dtype, whole, size)] * len(inputs)
        rows = np.empty((members.size, *shape), dtype)
        for position, x in zip(members.mine, inputs, strict=True):
            rows[position] = x
        targets = rows.reshape(-1).view(np.uint8).reshape(members.size, inputs[0].nbytes)
        yield from self._gather(targets, members.positions, signature)
        moved = np.moveaxis(rows, 0, dimension)
        return [np.ascontiguousarray(moved).reshape(whole)] * len(inputs)

    def broadcast(self, inputs: Arrays, source: int) -> CollectiveCoroutine:
        """See `Communicator.broadcast`."""
        members, shape, dtype = self._members, inputs[0].shape, inputs[0].dtype
        signature = signature_of("broadcast", shape, dtype, source)
        own = inputs[members.mine.index(source)] if source in members.mine else None
        size = inputs[0].nbytes
        if size >= SEGMENT_BYTES:
            segment = yield from self._segment(size, signature)
            if segment is not None:
                if own is not None:
                    self._segments.writable(segment, size).view(dtype).reshape(shape)[...] = own
                yield from self._filled(signature)
                return [self._segments.result(segment, dtype, shape, size)] * len(inputs)
        out = np.empty(inputs[0].size, dtype) if own is None else np.ascontiguousarray(own).reshape(-1)
        root = members.index_of[source]
        positions = [(0,) if rank == root else () for rank in range(len(members.processes))]
        yield from self._gather(out.view(np.uint8).reshape(1, size), positions, signature, root)
        return [out.reshape(shape)] * len(inputs)

    def all_to_all(
        self, inputs: Arrays, split_dimension: int, concat_dimension: int, otherwise: Otherwise
    ) -> CollectiveCoroutine:
        """See `Communicator.all_to_all`: every device's result is assembled in the segment.

        `otherwise` is the same collective by messages, used where there is no segment.
        """
        members, dtype = self._members, inputs[0].dtype
        part = list(inputs[0].shape)
        part[split_dimension] //= members.size
        shape = tuple(part)
        whole = (*shape[:concat_dimension], members.size * shape[concat_dimension], *shape[concat_dimension + 1 :])
        row, size = inputs[0].nbytes, members.size * inputs[0].nbytes
        signature = signature_of("all_to_all", shape, dtype, split_dimension, concat_dimension)
        segment = yield from self._segment(size, signature)
        if segment is None:
            return (yield from otherwise())
        out = self._segments.writable(segment, size).view(dtype)
        out = out.reshape(members.size, *shape[:concat_dimension], members.size, *shape[concat_dimension:])
        for source, x in zip(members.mine, inputs, strict=True):
            for target, piece in enumerate(np.split(x, members.size, split_dimension)):
                index: Any = (target, *(slice(None),) * concat_dimension, source)
                out[index] = piece
        yield from self._filled(signature)
        rows = self._segments.result(segment, np.dtype(np.uint8), (members.size, row), size)
        return [rows[target].view(dtype).reshape(whole) for target in members.mine]

    def permute(self, inputs: Arrays, pairs: Sequence[tuple[int, int]], otherwise: Otherwise) -> CollectiveCoroutine:
        """See `Communicator.permute`: every source writes its target's row of the segment."""
        members, shape, dtype, row = self._members, inputs[0].shape, inputs[0].dtype, inputs[0].nbytes
        rows_of = {target: n for n, (_, target) in enumerate(sorted(pairs))}
        size = len(pairs) * row
        signature = signature_of("permute", shape, dtype, sorted(pairs))
        segment = yield from self._segment(size, signature)
        if segment is None:
            return (yield from otherwise())
        own = dict(zip(members.mine, inputs, strict=True))
        out = self._segments.writable(segment, size).view(dtype).reshape(len(pairs), *shape)
        for source, target in pairs:
            if source in own:
                out[rows_of[target]] = own[source]
        yield from self._filled(signature)
        rows = self._segments.result(segment, np.dtype(np.uint8), (len(pairs), row), size)
        return [rows[rows_of[p]].view(dtype).reshape(shape) if p in rows_of else np.zeros(shape, dtype)
                for p in members.mine]

    def barrier(self) -> CollectiveCoroutine:
        """See `Communicator.barrier`."""
        small, signature = self._counters.small, signature_of("barrier")
        yield from self._exchange_pieces(small, 1, lambda *_: None, lambda *_: None, signature)
        return []

    def _gather(
        self, rows: np.ndarray, positions: Sequence[Sequence[int]], signature: int, root: int | None = None
    ) -> WaitCoroutine:
        """Fills the rows of all devices from the processes that own them; only from process `root` if it is given."""
        width, rank = rows.shape[1], self._members.index
        window = yield from self._window(self._most_members * width)
        step = max(1, window.slot_bytes // self._most_members)

        def write(slot: np.ndarray, piece: int) -> None:
            low, high = piece * step, min(width, (piece + 1) * step)
            for n, position in enumerate(positions[rank]):
                slot[n * step : n * step + high - low] = rows[position, low:high]

        def read(slots: Sequence[np.ndarray], piece: int) -> None:
            low, high = piece * step, min(width, (piece + 1) * step)
            for i, slot in enumerate(slots):
                if i != rank:
                    for n, position in enumerate(positions[i]):
                        rows[position, low:high] = slot[n * step : n * step + high - low]

        yield from self._exchange_pieces(window, -(-width // step), write, read, signature, root)

    def _window(self, size: int) -> Any:
        """The window for collectives that write so many bytes to a slot; waits until it exists."""
        small = self._counters.small
        if size <= small.slot_bytes:
            return small
        return (yield from self._counters.large())

    def _exchange_pieces(
        self, window: Window, pieces: int, write: Write, read: Read, signature: int, root: int | None = None
    ) -> WaitCoroutine:
        """Every process writes each piece to its slot and reads it from all slots.

        If `root` is given, only that process writes, and it waits for the others only when slots are full.
        """
        counters, first, rank = self._counters, self._counters.next, self._members.index
        pieces = max(pieces, 1)  # an empty collective synchronises, too
        counters.next += pieces
        for n in range(pieces + 1):
            if n < pieces:
                piece = first + n
                if root is None or root == rank:
                    yield from counters.all_have(counters.read, piece + 1 - DEPTH)
                    write(window.slots[piece % DEPTH][rank], n)
                counters.sign(piece, signature)
                counters.post(_WRITTEN, piece + 1)
            if n:
                piece = first + n - 1
                yield from counters.all_have(counters.written if root is None else counters.written_by(root), piece + 1)
                counters.compare(piece, signature, "a collective", root)
                read(window.slots[piece % DEPTH], n - 1)
                counters.post(_REDUCED, piece + 1)
                counters.post(_READ, piece + 1)

    def _small_reduction(self, shape: tuple[int, ...], dtype: np.dtype, reduction: Reduction) -> _SmallReduction:
        work, window, members = working_dtype(dtype), self._counters.small, self._members

        def shaped(slot: np.ndarray, blocks: int) -> list[np.ndarray]:
            return [block.reshape(shape) for block in in_blocks(slot, work, blocks, math.prod(shape))]

        parts = [[block for slot, tree in zip(slots, members.trees, strict=True) for block in shaped(slot, len(tree))]
                 for slots in window.slots]
        own = [shaped(slots[members.index], self._blocks.counts[members.index]) for slots in window.slots]
        signature = signature_of("all_reduce", shape, dtype, reduction)
        return _SmallReduction(shape, dtype, combiner(reduction, work), own, parts, signature)

    def _reduce_redundantly(self, small: _SmallReduction, inputs: Arrays) -> CollectiveCoroutine:
        """Every process reduces all inputs: `_exchange_pieces` for one piece, inlined to save microseconds."""
        counters = self._counters
        values, piece = counters.values, counters.next
        counters.next = piece + 1
        at = piece % DEPTH
        for word in counters.read:
            while (seen := values[word]) < piece + 1 - DEPTH:
                yield word, seen
        self._blocks.reduce_own(small.own[at], inputs, small.combine)
        counters.sign(piece, small.signature)
        counters.post(_WRITTEN, piece + 1)
        for word in counters.written:
            while (seen := values[word]) <= piece:
                yield word, seen
        counters.compare(piece, small.signature, "all_reduce")
        out = np.empty(small.shape, small.dtype)
        quietly(reduce_into, out, self._blocks.tree, small.parts[at], small.combine)
        counters.post(_REDUCED, piece + 1)
        counters.post(_READ, piece + 1)
        return [out] * len(inputs)

    def _segment(self, size: int, signature: int) -> Any:
        """A piece in which the leader assigns the result's segment; None if there is no memory."""
        counters, piece = self._counters, self._counters.next
        counters.next += 1
        yield from counters.all_have(counters.read, piece + 1 - DEPTH)
        if counters.rank == 0:
            self._segments.offer(piece, size)
        counters.sign(piece, signature)
        counters.post(_WRITTEN, piece + 1)
        counters.post(_REDUCED, piece + 1)
        yield from counters.all_have(counters.written_by(0), piece + 1)
        segment = self._segments.offered(piece)
        counters.post(_READ, piece + 1)
        return segment

    def _filled(self, signature: int) -> WaitCoroutine:
        """A piece in which every process publishes that its part of the segment is written."""
        counters, piece = self._counters, self._counters.next
        counters.next += 1
        counters.sign(piece, signature)
        for kind in (_WRITTEN, _REDUCED, _READ):
            counters.post(kind, piece + 1)
        yield from counters.all_have(counters.written, piece + 1)
        counters.compare(piece, signature, "a collective")


@dataclass(frozen=True, slots=True)
class _SmallReduction:
    """What reductions of one shape and type have in common.

    Args:
        shape: The shape of each device's array.
        dtype: Its element type.
        combine: Combines two arrays.
        own: By piece modulo `DEPTH`: this process's blocks in its slot.
        parts: The same of all processes' blocks.
        signature: Identifies the collective.
    """

    shape: tuple[int, ...]
    dtype: np.dtype
    combine: Combine
    own: list[list[np.ndarray]]
    parts: list[list[np.ndarray]]
    signature: int


def _as_slice(positions: Sequence[int]) -> Any:
    """An index for ascending positions: a slice where they have no gaps, which costs no copy."""
    first, stop = positions[0], positions[-1] + 1
    return slice(first, stop) if stop - first == len(positions) else list(positions)
