# SPDX-License-Identifier: Apache-2.0
"""The shared file of a group: words, small slots and ring buffers; larger blocks are added when needed."""

from __future__ import annotations

import mmap

import numpy as np

from olympus_core.toolkit.sharedfile import SharedFile

from .futex_words import FutexWords

DEPTH = 4  # pieces under way at the same time: the depth of the pipeline
SIGNATURES = 8  # more than the pieces by which one process can be ahead of another
SEGMENTS = 16  # results in shared memory at the same time
_COUNTERS = 16  # words of one process: two cache lines of its own, against false sharing
_PAGE = mmap.ALLOCATIONGRANULARITY
_SMALL_SLOT = 64 << 10
_SMALL_SLOTS = 2 << 20  # all of a group's small slots together
_RINGS = 1 << 20  # all of a group's ring buffers together
_LARGEST_RING = 256 << 10
_WINDOW = 32 << 20  # all of a group's large slots together
_LARGEST_SLOT = 1 << 20


class Layout:
    """The offsets in a group's file; the same in all its processes.

    Words of a process: numbers of pieces written, reduced and read; whether it sleeps; signatures of its latest pieces.

    Args:
        count: Number of processes.
    """

    WRITTEN, REDUCED, READ, ASLEEP, SIGNATURE = 0, 1, 2, 3, 4

    def __init__(self, count: int) -> None:
        self.count = count
        self.leader = count * _COUNTERS  # words of the leader: the large window, and the segment of each result
        self.window, self.offers = self.leader, self.leader + 4
        self.table = self.leader + _COUNTERS  # of each segment: start, capacity and generation
        self.released = self.table + SEGMENTS * 4  # by segment and process: the generation that it has released
        self.rings = -(-(self.released + SEGMENTS * count * 8) // _COUNTERS) * _COUNTERS
        self.words = self.rings + count * count * _COUNTERS
        self.slot_bytes = max(4 << 10, min(_SMALL_SLOT, _down(_SMALL_SLOTS // ((count + 1) * DEPTH))))
        self.slots_at = _up(self.words * 8)
        self.ring_bytes = max(4 << 10, min(_LARGEST_RING, _down(_RINGS // (count * count))))
        self.rings_at = self.slots_at + self.window_bytes(self.slot_bytes)
        self.size = _up(self.rings_at + count * count * self.ring_bytes)
        self.large_slot_bytes = max(self.slot_bytes, min(_LARGEST_SLOT, _down(_WINDOW // ((count + 1) * DEPTH))))

    def window_bytes(self, slot_bytes: int) -> int:
        """Bytes of a window: for each piece under way a slot for every process and one for the result."""
        return _up((self.count + 1) * DEPTH * slot_bytes)

    def counters_of(self, rank: int) -> int:
        """The first word of a process."""
        return rank * _COUNTERS

    def ring(self, source: int, target: int) -> int:
        """The word in which the source counts the bytes that it has written to a ring buffer."""
        return self.rings + (source * self.count + target) * _COUNTERS

    def taken(self, source: int, target: int) -> int:
        """The word in which the target counts the bytes that it has read."""
        return self.ring(source, target) + 8

    def released_word(self, segment: int, rank: int) -> int:
        """The word with the generation of a segment that a process has released."""
        return self.released + (segment * self.count + rank) * 8


class Region:
    """A group's file, mapped into this process.

    Attributes:
        layout: The offsets.
        words: The words.
        memory: The part that exists from the start, as bytes.

    Args:
        file: The file.
        layout: The offsets.
    """

    def __init__(self, file: SharedFile, layout: Layout) -> None:
        self.layout, self.file = layout, file
        mapping = file.map(0, layout.size)
        self.words = FutexWords(mapping, layout.words)
        self.memory = np.frombuffer(mapping, np.uint8)

    def view(self, start: int, size: int) -> np.ndarray:
        """Another part of the file, mapped as bytes."""
        return np.frombuffer(self.file.map(start, size), np.uint8)

    def close(self) -> None:
        """Closes the file; mappings stay while they are used."""
        self.file.close()


def _up(size: int) -> int:
    return -(-size // _PAGE) * _PAGE


def _down(size: int) -> int:
    """The largest power of two that is at most the size."""
    return 1 << max(size, 1).bit_length() - 1
