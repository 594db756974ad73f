# SPDX-License-Identifier: Apache-2.0
"""Flow control of collectives in shared memory: slots for pieces of data, and counters that synchronise their use.

Collectives divide their data into pieces, numbered through all collectives of the group. For each piece under way every
process has a slot that it writes and all read, and each process counts the pieces that it has written, reduced and read
(single-writer counters, as in Lamport's "Proving the correctness of multiprocess programs", 1977).
"""

from __future__ import annotations

from collections.abc import Generator, Sequence

import numpy as np

from olympus_core.errors.platform import TransportError

from .engine import WaitCondition
from .region import DEPTH, SIGNATURES, Layout, Region

WaitCoroutine = Generator[WaitCondition, None, None]
_UNTRIED, _READY, _REFUSED = 0, 1, 2


class Window:
    """Memory for the pieces under way.

    Attributes:
        slots: By piece modulo `DEPTH`, then by process.
        results: By piece modulo `DEPTH`.

    Args:
        memory: The shared memory of the slots.
        count: Number of processes.
        slot_bytes: Size of one slot.
    """

    __slots__ = ("results", "slot_bytes", "slots")

    def __init__(self, memory: np.ndarray, count: int, slot_bytes: int) -> None:
        self.slot_bytes = slot_bytes
        rows = memory[: DEPTH * (count + 1) * slot_bytes].reshape(DEPTH, count + 1, slot_bytes)
        self.slots = [[rows[d, rank] for rank in range(count)] for d in range(DEPTH)]
        self.results = [rows[d, count] for d in range(DEPTH)]


class PieceCounters:
    """One process's view of its group's counters.

    Attributes:
        next: Number of the next piece.
        rank: This process's rank in the group; the leader's is 0.
        count: Number of processes.
        small: The window that exists from the start.
        written: The words in which the other processes count written pieces.
        reduced: The same for reduced pieces.
        read: The same for read pieces.

    Args:
        region: The group's file.
        rank: This process's rank in the group.
    """

    def __init__(self, region: Region, rank: int) -> None:
        layout = self.layout = region.layout
        self.region, self.rank, self.count = region, rank, layout.count
        self.words, self.values = region.words, region.words.values
        self.next = 0
        self.small = Window(region.memory[layout.slots_at :], layout.count, layout.slot_bytes)
        self._large: Window | None = None
        self._own = layout.counters_of(rank)
        others = [(rank + i) % layout.count for i in range(1, layout.count)]
        self._asleep = tuple(layout.counters_of(p) + Layout.ASLEEP for p in others)
        kinds = Layout.WRITTEN, Layout.REDUCED, Layout.READ
        self.written, self.reduced, self.read = (
            tuple(layout.counters_of(p) + kind for p in others) for kind in kinds)
        self._counters = tuple((p, layout.counters_of(p)) for p in others)

    def post(self, kind: int, value: int) -> None:
        """Publishes how many pieces this process has written, reduced or read."""
        self.store(self._own + kind, value)

    def store(self, word: int, value: int) -> None:
        """Writes one of this process's words and wakes processes that may sleep on it."""
        values = self.values
        values[word] = value
        for asleep in self._asleep:
            if values[asleep]:
                self.words.wake(word)
                return

    def missing(self, words: Sequence[int], value: int) -> WaitCondition | None:
        """The first of some words that is below a value, with what it is; None if there is none."""
        values = self.values
        for word in words:
            seen = values[word]
            if seen < value:
                return word, seen
        return None

    def all_have(self, words: Sequence[int], value: int) -> WaitCoroutine:
        """Waits until all of some words have reached a value."""
        values = self.values
        for word in words:
            while (seen := values[word]) < value:
                yield word, seen

    def sign(self, piece: int, signature: int) -> None:
        """Publishes the collective that a piece belongs to in this process."""
        self.values[self._own + Layout.SIGNATURE + piece % SIGNATURES] = signature

    def written_by(self, rank: int) -> tuple[int, ...]:
        """The word in which one process counts written pieces."""
        return (self.layout.counters_of(rank) + Layout.WRITTEN,)

    def compare(self, piece: int, signature: int, what: str, root: int | None = None) -> None:
        """Raises if in another process (or in `root`) a written piece belongs to another collective."""
        at = Layout.SIGNATURE + piece % SIGNATURES
        for rank, line in self._counters:
            if (root is None or root == rank) and self.values[line + at] != signature:
                raise TransportError("shared", what, f"the group's process number {rank} does something else")

    def large(self) -> Generator[WaitCondition, None, Window]:
        """The window for large pieces, made by the leader at its first use; the small one if there is no memory."""
        if self._large is None:
            layout, word = self.layout, self.layout.window
            size = layout.window_bytes(layout.large_slot_bytes)
            if self.rank == 0:
                start = self.region.file.add(size)
                self.values[word + 1] = start or 0
                self.store(word, _REFUSED if start is None else _READY)
            while self.values[word] == _UNTRIED:
                yield word, _UNTRIED
            if self.values[word] == _REFUSED:
                self._large = self.small
            else:
                memory = self.region.view(self.values[word + 1], size)
                self._large = Window(memory, self.count, layout.large_slot_bytes)
        return self._large
