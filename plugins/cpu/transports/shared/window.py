"""Slots that every process of a group reads and one writes, and the counting that says when.

Collectives cut their data into pieces, numbered through all collectives of the group. For each piece every process has
a slot, of as many as may be under way at a time, and counts what it has written, reduced and read.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence

import numpy as np

from olympus_core.errors.platform import TransportError

from .engine import Lack
from .region import DEPTH, SIGNATURES, Layout, Region

Waiting = Generator[Lack, None, None]
_UNTRIED, _READY, _REFUSED = 0, 1, 2


class Window:
    """Memory for the pieces under way.

    Attributes:
        slots: By piece modulo `DEPTH`, then by process.
        results: By piece modulo `DEPTH`.

    Args:
        memory: Where they are.
        count: Number of processes.
        slot_bytes: Size of one slot.
    """

    __slots__ = ("results", "slot_bytes", "slots")

    def __init__(self, memory: np.ndarray, count: int, slot_bytes: int) -> None:
        self.slot_bytes = slot_bytes
        rows = memory[: DEPTH * (count + 1) * slot_bytes].reshape(DEPTH, count + 1, slot_bytes)
        self.slots = [[rows[d, place] for place in range(count)] for d in range(DEPTH)]
        self.results = [rows[d, count] for d in range(DEPTH)]


class Counting:
    """One process's view of its group's counts.

    Attributes:
        next: Number of the next piece.
        place: This process's place in the group; the leader's is 0.
        count: Number of processes.
        small: The window that is always there.
        written: The words in which the others count what they have written.
        reduced: The same of what they have reduced.
        read: The same of what they have read.

    Args:
        region: The group's file.
        place: This process's place.
    """

    def __init__(self, region: Region, place: int) -> None:
        layout = self.layout = region.layout
        self.region, self.place, self.count = region, place, layout.count
        self.words, self.values = region.words, region.words.values
        self.next = 0
        self.small = Window(region.memory[layout.slots_at :], layout.count, layout.slot_bytes)
        self._large: Window | None = None
        self._own = layout.line(place)
        others = [(place + i) % layout.count for i in range(1, layout.count)]
        self._asleep = tuple(layout.line(p) + Layout.ASLEEP for p in others)
        self.written, self.reduced, self.read = (
            tuple(layout.line(p) + kind for p in others) for kind in (Layout.WRITTEN, Layout.REDUCED, Layout.READ))
        self._lines = tuple((p, layout.line(p)) for p in others)

    def post(self, kind: int, value: int) -> None:
        """Says how many pieces this process has written, reduced or read."""
        self.store(self._own + kind, value)

    def store(self, word: int, value: int) -> None:
        """Writes one of this process's words and wakes those that may sleep on it."""
        values = self.values
        values[word] = value
        for asleep in self._asleep:
            if values[asleep]:
                self.words.wake(word)
                return

    def missing(self, words: Sequence[int], value: int) -> Lack | None:
        """The first of some words that has not come to a value yet."""
        values = self.values
        for word in words:
            seen = values[word]
            if seen < value:
                return word, seen
        return None

    def all_have(self, words: Sequence[int], value: int) -> Waiting:
        """Waits until some words have come to a value."""
        values = self.values
        for word in words:
            while (seen := values[word]) < value:
                yield word, seen

    def sign(self, piece: int, signature: int) -> None:
        """Says what this process takes the piece to belong to."""
        self.values[self._own + Layout.SIGNATURE + piece % SIGNATURES] = signature

    def written_by(self, place: int) -> tuple[int, ...]:
        """The word in which one process counts what it has written."""
        return (self.layout.line(place) + Layout.WRITTEN,)

    def compare(self, piece: int, signature: int, what: str, root: int | None = None) -> None:
        """Raises if a process (or only `root`) takes the piece, which it has written, to belong to something else."""
        at = Layout.SIGNATURE + piece % SIGNATURES
        for place, line in self._lines:
            if (root is None or root == place) and self.values[line + at] != signature:
                raise TransportError("shared", what, f"the group's process number {place} does something else")

    def large(self) -> Generator[Lack, None, Window]:
        """The window for large pieces, made by the leader when it is first needed; the small one if it cannot be."""
        if self._large is None:
            layout, word = self.layout, self.layout.window
            size = layout.window_bytes(layout.large_slot_bytes)
            if self.place == 0:
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
