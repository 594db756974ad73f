"""The file that the processes of a group share: words, small slots and rings; larger blocks are added when needed."""

from __future__ import annotations

import mmap

import numpy as np

from olympus_core.toolkit.sharedfile import SharedFile

from .words import Words

DEPTH = 4  # pieces that may be under way at the same time
SIGNATURES = 8  # more than the pieces by which one process can be ahead of another
SEGMENTS = 16  # results that live in shared memory at the same time
_LINE = 16  # words of one process: two cache lines, so that no two processes write to the same
_PAGE = mmap.ALLOCATIONGRANULARITY
_SMALL_SLOT = 64 << 10
_SMALL_SLOTS = 2 << 20  # all of a group's small slots together
_RINGS = 1 << 20  # all of a group's rings together
_LARGEST_RING = 256 << 10
_WINDOW = 32 << 20  # all of a group's large slots together
_LARGEST_SLOT = 1 << 20


class Layout:
    """Where everything stands in a group's file; the same in all its processes.

    Words of a process: pieces written, reduced and read; whether it sleeps; what its latest pieces belong to.

    Args:
        count: Number of processes.
    """

    WRITTEN, REDUCED, READ, ASLEEP, SIGNATURE = 0, 1, 2, 3, 4

    def __init__(self, count: int) -> None:
        self.count = count
        self.leader = count * _LINE  # words of the leader alone: the window, and which segment each piece uses
        self.window, self.offers = self.leader, self.leader + 4
        self.table = self.leader + _LINE  # a segment's place, capacity and generation
        self.released = self.table + SEGMENTS * 4  # by segment and process: the generation that it is done with
        self.rings = -(-(self.released + SEGMENTS * count * 8) // _LINE) * _LINE
        self.words = self.rings + count * count * _LINE
        self.slot_bytes = max(4 << 10, min(_SMALL_SLOT, _down(_SMALL_SLOTS // ((count + 1) * DEPTH))))
        self.slots_at = _up(self.words * 8)
        self.ring_bytes = max(4 << 10, min(_LARGEST_RING, _down(_RINGS // (count * count))))
        self.rings_at = self.slots_at + self.window_bytes(self.slot_bytes)
        self.size = _up(self.rings_at + count * count * self.ring_bytes)
        self.large_slot_bytes = max(self.slot_bytes, min(_LARGEST_SLOT, _down(_WINDOW // ((count + 1) * DEPTH))))

    def window_bytes(self, slot_bytes: int) -> int:
        """Size of a window: for each piece under way a slot of every process, and one for the result."""
        return _up((self.count + 1) * DEPTH * slot_bytes)

    def line(self, place: int) -> int:
        """The first word of a process."""
        return place * _LINE

    def ring(self, source: int, target: int) -> int:
        """The word in which the source counts the bytes that it has put into a ring."""
        return self.rings + (source * self.count + target) * _LINE

    def taken(self, source: int, target: int) -> int:
        """The word in which the target counts the bytes that it has taken."""
        return self.ring(source, target) + 8

    def released_word(self, segment: int, place: int) -> int:
        """The word in which a process says which generation of a segment it no longer uses."""
        return self.released + (segment * self.count + place) * 8


class Region:
    """What a group's file holds, in this process.

    Attributes:
        layout: Where everything stands.
        words: Its words.
        memory: All that is there from the start.

    Args:
        file: The file.
        layout: What is in it.
    """

    def __init__(self, file: SharedFile, layout: Layout) -> None:
        self.layout, self.file = layout, file
        mapping = file.map(0, layout.size)
        self.words = Words(mapping, layout.words)
        self.memory = np.frombuffer(mapping, np.uint8)

    def view(self, start: int, size: int) -> np.ndarray:
        """More of the file as bytes of this process."""
        return np.frombuffer(self.file.map(start, size), np.uint8)

    def close(self) -> None:
        """Gives the file back; what is mapped stays until nobody uses it."""
        self.file.close()


def _up(size: int) -> int:
    return -(-size // _PAGE) * _PAGE


def _down(size: int) -> int:
    """The largest power of two that is not above."""
    return 1 << max(size, 1).bit_length() - 1
