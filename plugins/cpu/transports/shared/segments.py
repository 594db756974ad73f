# SPDX-License-Identifier: Apache-2.0
"""Segments: large results that all processes of a group share; written once, and reused when all have released them.

The leader assigns a segment to each result; each process publishes when no array of it uses that result any more.
Readers see the memory through a read-only mapping.
"""

from __future__ import annotations

import mmap
from collections.abc import Callable
from typing import Any

import numpy as np

from .piece_counters import PieceCounters
from .region import SEGMENTS, Region

_SHARE = 4  # segments take at most one part in so many of the free memory at the start
_START, _CAPACITY, _GENERATION = 0, 1, 2


class _Mapped:
    """A segment, mapped into this process."""

    __slots__ = ("address", "key", "readable", "writable")

    def __init__(self, region: Region, start: int, size: int) -> None:
        self.key = (start, size)
        self.writable = region.view(start, size)
        self.readable = region.file.map(start, size, writable=False)
        self.address = int(np.frombuffer(self.readable, np.uint8).ctypes.data)


class _SegmentOwner:
    """The base of a result's arrays: its destruction releases the segment."""

    __slots__ = ("__array_interface__", "_mapping", "_release")

    def __init__(self, address: int, size: int, mapping: mmap.mmap, release: Callable[[], None]) -> None:
        self.__array_interface__ = {"version": 3, "data": (address, True), "shape": (size,), "typestr": "|u1"}
        self._mapping, self._release = mapping, release

    def __del__(self) -> None:
        self._release()


class Segments:
    """The segments of one group in one process.

    Args:
        counters: The group's counters.
    """

    def __init__(self, counters: PieceCounters) -> None:
        self._counters, self._region = counters, counters.region
        self._values, self._layout = counters.values, counters.region.layout
        self._mapped: dict[int, _Mapped] = {}
        self._limit = self._region.file.free_bytes() // _SHARE if counters.rank == 0 else 0
        self._taken = 0

    def offer(self, piece: int, size: int) -> None:
        """Assigns a segment to the result that begins with a piece, and publishes it; called by the leader."""
        self._values[self._offer_word(piece)] = self._choice(size) + 1

    def offered(self, piece: int) -> int | None:
        """The segment that the leader has assigned, None if none; valid once the leader has counted the piece."""
        found = self._values[self._offer_word(piece)] - 1
        return None if found < 0 else found

    def writable(self, segment: int, size: int) -> np.ndarray:
        """The memory of a segment, to write the result to."""
        return self._map(segment).writable[:size]

    def result(self, segment: int, dtype: np.dtype, shape: tuple[int, ...], size: int) -> np.ndarray:
        """The segment as an array; this process releases the segment when the array is no longer used."""
        mapped, values = self._map(segment), self._values
        word = self._layout.released_word(segment, self._counters.rank)
        generation = values[self._table(segment) + _GENERATION]

        def release() -> None:
            values[word] = generation

        held: Any = _SegmentOwner(mapped.address, size, mapped.readable, release)
        return np.asarray(held).view(dtype).reshape(shape)

    def _choice(self, size: int) -> int:
        """The smallest free segment that is large enough, or a new one, which may replace a free one."""
        free = [s for s in range(SEGMENTS) if self._is_free(s)]
        capacities = {s: self._values[self._table(s) + _CAPACITY] for s in free}
        fitting = [s for s in free if size <= capacities[s] <= 2 * size]
        if fitting:
            chosen = min(fitting, key=lambda s: capacities[s])
        else:
            chosen = self._allocate(free, capacities, size)
            if chosen < 0:
                return -1
        self._values[self._table(chosen) + _GENERATION] += 1
        return chosen

    def _allocate(self, free: list[int], capacities: dict[int, int], size: int) -> int:
        if not free:
            return -1
        capacity = -(-size // mmap.ALLOCATIONGRANULARITY) * mmap.ALLOCATIONGRANULARITY
        chosen = min(free, key=lambda s: capacities[s])
        # The memory of the replaced segment is freed first, then that of others while there is too little.
        for segment in sorted(free, key=lambda s: s != chosen):
            if segment == chosen or self._taken + capacity > self._limit:
                self._taken -= capacities[segment]
                self._drop(segment)
        if self._taken + capacity > self._limit:
            return -1
        start = self._region.file.add(capacity)
        if start is None:
            return -1
        table = self._table(chosen)
        self._values[table + _START], self._values[table + _CAPACITY] = start, capacity
        self._taken += capacity
        return chosen

    def _drop(self, segment: int) -> None:
        table = self._table(segment)
        capacity = self._values[table + _CAPACITY]
        if capacity:
            self._region.file.remove(self._values[table + _START], capacity)
            self._values[table + _CAPACITY] = 0

    def _is_free(self, segment: int) -> bool:
        generation = self._values[self._table(segment) + _GENERATION]
        layout = self._layout
        return all(self._values[layout.released_word(segment, p)] == generation for p in range(layout.count))

    def _map(self, segment: int) -> _Mapped:
        table = self._table(segment)
        key = self._values[table + _START], self._values[table + _CAPACITY]
        found = self._mapped.get(segment)
        if found is None or found.key != key:
            found = self._mapped[segment] = _Mapped(self._region, *key)
        return found

    def _table(self, segment: int) -> int:
        return self._layout.table + segment * 4

    def _offer_word(self, piece: int) -> int:
        return self._layout.offers + piece % 8
