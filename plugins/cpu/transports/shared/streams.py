"""Collectives in which all read what one writes: each process's data passes through its slots, piece by piece.

Small reductions are done by every process for itself, which needs one meeting. Large results are written once, into a
segment that all share.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from olympus_core.plugin import Reduction
from olympus_core.toolkit import Members, combiner, quietly, working_dtype

from .blocks import Blocks, in_blocks, signature_of
from .engine import Moves
from .large import LargeReduction
from .order import Arrays, Combine, reduce_into
from .region import DEPTH, Layout
from .segments import Segments
from .window import Counting, Waiting, Window

# From here a result is shared by all processes rather than copied by each.
SEGMENT_BYTES = 1 << 20
# The same of results that differ between members: the other way copies twice, by messages.
SPREAD_BYTES = 256 << 10
_WIDEST = 16  # bytes of an element
_KEPT = 256  # types whose reductions are kept prepared
_WRITTEN, _REDUCED, _READ = Layout.WRITTEN, Layout.REDUCED, Layout.READ

Otherwise = Callable[[], Moves]
Write = Callable[[np.ndarray, int], None]  # fills this process's slot for a piece
Read = Callable[[Sequence[np.ndarray], int], None]  # takes a piece from everybody's slots


class Streams:
    """The collectives of one group over slots and segments.

    Args:
        counting: The group's counts.
        members: The group.
    """

    def __init__(self, counting: Counting, members: Members) -> None:
        self._counting, self._members = counting, members
        self._segments = Segments(counting)
        self._small: dict[tuple[tuple[int, ...], np.dtype, Reduction], _SmallReduction] = {}
        self._blocks = Blocks(members)
        self._most_members = max(map(len, members.positions))
        # At least one column of the widest type must fit into a slot.
        self.can_scatter = self._blocks.most * members.size * _WIDEST <= counting.small.slot_bytes

    def all_reduce(self, inputs: Arrays, reduction: Reduction) -> Moves:
        """See `Communicator.all_reduce`."""
        shape, dtype = inputs[0].shape, inputs[0].dtype
        small = self._small.get((shape, dtype, reduction))
        if small is not None:
            return self._reduce_alone(small, inputs)
        count, work = inputs[0].size, working_dtype(dtype)
        if count * work.itemsize * self._blocks.most <= self._counting.small.slot_bytes:
            if len(self._small) >= _KEPT:
                self._small.clear()
            small = self._small[shape, dtype, reduction] = self._small_reduction(shape, dtype, reduction)
            return self._reduce_alone(small, inputs)
        may_share = inputs[0].nbytes >= SEGMENT_BYTES
        return LargeReduction(self._counting, self._segments, self._blocks, inputs, reduction, may_share).moves()

    def reduce_scatter(self, inputs: Arrays, dimension: int, reduction: Reduction) -> Moves:
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
        yield from self._stream(window, -(-columns // step), write, read, signature)
        return [np.ascontiguousarray(np.moveaxis(row.reshape(part_shape), 0, dimension)) for row in out]

    def all_gather(self, inputs: Arrays, dimension: int) -> Moves:
        """See `Communicator.all_gather`."""
        members, shape, dtype = self._members, inputs[0].shape, inputs[0].dtype
        whole = (*shape[:dimension], members.size * shape[dimension], *shape[dimension + 1 :])
        size = members.size * inputs[0].nbytes
        signature = signature_of("all_gather", shape, dtype, dimension)
        if size >= SEGMENT_BYTES:
            segment = yield from self._segment(size, signature)
            if segment is not None:
                place = self._segments.writable(segment, size).view(dtype)
                place = place.reshape(*shape[:dimension], members.size, *shape[dimension:])
                for position, x in zip(members.mine, inputs, strict=True):
                    place[(slice(None),) * dimension + (position,)] = x
                yield from self._filled(signature)
                return [self._segments.result(segment, dtype, whole, size)] * len(inputs)
        rows = np.empty((members.size, *shape), dtype)
        for position, x in zip(members.mine, inputs, strict=True):
            rows[position] = x
        targets = rows.reshape(-1).view(np.uint8).reshape(members.size, inputs[0].nbytes)
        yield from self._gather(targets, members.positions, signature)
        moved = np.moveaxis(rows, 0, dimension)
        return [np.ascontiguousarray(moved).reshape(whole)] * len(inputs)

    def broadcast(self, inputs: Arrays, source: int) -> Moves:
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
        positions = [(0,) if place == root else () for place in range(len(members.processes))]
        yield from self._gather(out.view(np.uint8).reshape(1, size), positions, signature, root)
        return [out.reshape(shape)] * len(inputs)

    def all_to_all(self, inputs: Arrays, split_dimension: int, concat_dimension: int, otherwise: Otherwise) -> Moves:
        """See `Communicator.all_to_all`: every member's result is put together in the segment.

        `otherwise` is the same collective by messages, for where there is no segment.
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
        place = self._segments.writable(segment, size).view(dtype)
        place = place.reshape(members.size, *shape[:concat_dimension], members.size, *shape[concat_dimension:])
        for source, x in zip(members.mine, inputs, strict=True):
            for target, piece in enumerate(np.split(x, members.size, split_dimension)):
                index: Any = (target, *(slice(None),) * concat_dimension, source)
                place[index] = piece
        yield from self._filled(signature)
        rows = self._segments.result(segment, np.dtype(np.uint8), (members.size, row), size)
        return [rows[target].view(dtype).reshape(whole) for target in members.mine]

    def permute(self, inputs: Arrays, pairs: Sequence[tuple[int, int]], otherwise: Otherwise) -> Moves:
        """See `Communicator.permute`: every source writes its target's row of the segment."""
        members, shape, dtype, row = self._members, inputs[0].shape, inputs[0].dtype, inputs[0].nbytes
        rows_of = {target: n for n, (_, target) in enumerate(sorted(pairs))}
        size = len(pairs) * row
        signature = signature_of("permute", shape, dtype, sorted(pairs))
        segment = yield from self._segment(size, signature)
        if segment is None:
            return (yield from otherwise())
        own = dict(zip(members.mine, inputs, strict=True))
        place = self._segments.writable(segment, size).view(dtype).reshape(len(pairs), *shape)
        for source, target in pairs:
            if source in own:
                place[rows_of[target]] = own[source]
        yield from self._filled(signature)
        rows = self._segments.result(segment, np.dtype(np.uint8), (len(pairs), row), size)
        return [rows[rows_of[p]].view(dtype).reshape(shape) if p in rows_of else np.zeros(shape, dtype)
                for p in members.mine]

    def barrier(self) -> Moves:
        """See `Communicator.barrier`."""
        yield from self._stream(self._counting.small, 1, lambda *_: None, lambda *_: None, signature_of("barrier"))
        return []

    def _gather(
        self, rows: np.ndarray, positions: Sequence[Sequence[int]], signature: int, root: int | None = None
    ) -> Waiting:
        """Fills the rows of all members from the processes that own them: of one process if `root` names it."""
        width, place = rows.shape[1], self._members.index
        window = yield from self._window(self._most_members * width)
        step = max(1, window.slot_bytes // self._most_members)

        def write(slot: np.ndarray, piece: int) -> None:
            low, high = piece * step, min(width, (piece + 1) * step)
            for n, position in enumerate(positions[place]):
                slot[n * step : n * step + high - low] = rows[position, low:high]

        def read(slots: Sequence[np.ndarray], piece: int) -> None:
            low, high = piece * step, min(width, (piece + 1) * step)
            for i, slot in enumerate(slots):
                if i != place:
                    for n, position in enumerate(positions[i]):
                        rows[position, low:high] = slot[n * step : n * step + high - low]

        yield from self._stream(window, -(-width // step), write, read, signature, root)

    def _window(self, size: int) -> Any:
        """The window for collectives that put so many bytes into a slot; waits until it is there."""
        small = self._counting.small
        if size <= small.slot_bytes:
            return small
        return (yield from self._counting.large())

    def _stream(
        self, window: Window, pieces: int, write: Write, read: Read, signature: int, root: int | None = None
    ) -> Waiting:
        """Every process writes each piece into its slot, and reads it from all slots.

        If `root` names a process, only that one writes, and nobody waits for the others but for room.
        """
        counting, first, place = self._counting, self._counting.next, self._members.index
        pieces = max(pieces, 1)  # an empty collective is a meeting, too
        counting.next += pieces
        for n in range(pieces + 1):
            if n < pieces:
                piece = first + n
                if root is None or root == place:
                    yield from counting.all_have(counting.read, piece + 1 - DEPTH)
                    write(window.slots[piece % DEPTH][place], n)
                counting.sign(piece, signature)
                counting.post(_WRITTEN, piece + 1)
            if n:
                piece = first + n - 1
                yield from counting.all_have(counting.written if root is None else counting.written_by(root), piece + 1)
                counting.compare(piece, signature, "a collective", root)
                read(window.slots[piece % DEPTH], n - 1)
                counting.post(_REDUCED, piece + 1)
                counting.post(_READ, piece + 1)

    def _small_reduction(self, shape: tuple[int, ...], dtype: np.dtype, reduction: Reduction) -> _SmallReduction:
        work, window, members = working_dtype(dtype), self._counting.small, self._members

        def shaped(slot: np.ndarray, blocks: int) -> list[np.ndarray]:
            return [block.reshape(shape) for block in in_blocks(slot, work, blocks, math.prod(shape))]

        parts = [[block for slot, tree in zip(slots, members.trees, strict=True) for block in shaped(slot, len(tree))]
                 for slots in window.slots]
        own = [shaped(slots[members.index], self._blocks.counts[members.index]) for slots in window.slots]
        signature = signature_of("all_reduce", shape, dtype, reduction)
        return _SmallReduction(shape, dtype, combiner(reduction, work), own, parts, signature)

    def _reduce_alone(self, small: _SmallReduction, inputs: Arrays) -> Moves:
        """Every process reduces everything: `_stream` of one piece, written out because here microseconds count."""
        counting = self._counting
        values, piece = counting.values, counting.next
        counting.next = piece + 1
        at = piece % DEPTH
        for word in counting.read:
            while (seen := values[word]) < piece + 1 - DEPTH:
                yield word, seen
        self._blocks.reduce_own(small.own[at], inputs, small.combine)
        counting.sign(piece, small.signature)
        counting.post(_WRITTEN, piece + 1)
        for word in counting.written:
            while (seen := values[word]) <= piece:
                yield word, seen
        counting.compare(piece, small.signature, "all_reduce")
        out = np.empty(small.shape, small.dtype)
        quietly(reduce_into, out, self._blocks.tree, small.parts[at], small.combine)
        counting.post(_REDUCED, piece + 1)
        counting.post(_READ, piece + 1)
        return [out] * len(inputs)

    def _segment(self, size: int, signature: int) -> Any:
        """A piece in which the leader says where the result goes; None if there is no room."""
        counting, piece = self._counting, self._counting.next
        counting.next += 1
        yield from counting.all_have(counting.read, piece + 1 - DEPTH)
        if counting.place == 0:
            self._segments.offer(piece, size)
        counting.sign(piece, signature)
        counting.post(_WRITTEN, piece + 1)
        counting.post(_REDUCED, piece + 1)
        yield from counting.all_have(counting.written_by(0), piece + 1)
        segment = self._segments.offered(piece)
        counting.post(_READ, piece + 1)
        return segment

    def _filled(self, signature: int) -> Waiting:
        """A piece in which every process says that its part of the segment is written."""
        counting, piece = self._counting, self._counting.next
        counting.next += 1
        counting.sign(piece, signature)
        for kind in (_WRITTEN, _REDUCED, _READ):
            counting.post(kind, piece + 1)
        yield from counting.all_have(counting.written, piece + 1)
        counting.compare(piece, signature, "a collective")


@dataclass(frozen=True, slots=True)
class _SmallReduction:
    """What reductions of one type have in common, made once.

    Args:
        shape: Of each member's array.
        dtype: Its elements' type.
        combine: What reduces two arrays.
        own: By piece modulo `DEPTH`: this process's blocks in its slot.
        parts: The same of all processes' blocks.
        signature: What the others must be about to do, too.
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
