# SPDX-License-Identifier: Apache-2.0
"""Messages between two processes: a ring buffer of bytes for each ordered pair.

Each is a single-producer, single-consumer queue (Lamport 1983): the writer counts bytes written, the reader bytes read,
and neither needs a lock. The messages of the toolkit's phases form one stream of bytes for each pair.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import numpy as np

from olympus_core.toolkit import Members, Steps

from .engine import CollectiveCoroutine, WaitCondition
from .piece_counters import PieceCounters


class RingBuffers:
    """The ring buffers of one process.

    Args:
        counters: The group's counters.
        members: The group.
    """

    def __init__(self, counters: PieceCounters, members: Members) -> None:
        layout, memory, here = counters.layout, counters.region.memory, members.index
        self._place = {process: rank for rank, process in enumerate(members.processes)}
        self._others = [p for p in range(layout.count) if p != here]

        def ring(source: int, target: int) -> np.ndarray:
            start = layout.rings_at + (source * layout.count + target) * layout.ring_bytes
            return memory[start : start + layout.ring_bytes]

        self._outgoing = {p: _RingEnd(counters, ring(here, p), layout.ring(here, p), layout.taken(here, p), True)
                          for p in self._others}
        self._incoming = {p: _RingEnd(counters, ring(p, here), layout.ring(p, here), layout.taken(p, here), False)
                          for p in self._others}

    def run(self, steps: Steps) -> CollectiveCoroutine:
        """Runs the phases of a collective."""
        while True:
            try:
                phase = next(steps)
            except StopIteration as end:
                results: Sequence[np.ndarray] = end.value
                return results
            streams = [*self._streams(phase.receives, self._incoming), *self._streams(phase.sends, self._outgoing)]
            while True:
                condition: WaitCondition | None = None
                has_moved = False
                for end_, blocks in streams:
                    while blocks:
                        moved = end_.move(blocks[0])
                        if not moved:
                            condition = condition or end_.condition()
                            break
                        has_moved = True
                        if moved < blocks[0].size:
                            blocks[0] = blocks[0][moved:]
                        else:
                            blocks.popleft()
                if condition is None:
                    break
                if not has_moved:
                    yield condition

    def _streams(
        self, blocks: Sequence[tuple[int, np.ndarray]], ends: dict[int, _RingEnd]
    ) -> list[tuple[_RingEnd, deque[np.ndarray]]]:
        found: dict[int, deque[np.ndarray]] = {}
        for process, block in blocks:
            found.setdefault(self._place[process], deque()).append(block)
        return [(ends[rank], queue) for rank, queue in found.items()]


class _RingEnd:
    """This process's end of a ring buffer.

    Args:
        counters: The group's counters.
        memory: The ring buffer.
        put: The word that counts bytes written.
        taken: The word that counts bytes read.
        is_writer: Whether this process writes.
    """

    __slots__ = ("_counters", "_done", "_is_writer", "_memory", "_other", "_own", "_values")

    def __init__(self, counters: PieceCounters, memory: np.ndarray, put: int, taken: int, is_writer: bool) -> None:
        self._counters, self._values, self._memory, self._is_writer = counters, counters.values, memory, is_writer
        self._own, self._other = (put, taken) if is_writer else (taken, put)
        self._done = 0  # bytes that this end has moved

    def move(self, block: np.ndarray) -> int:
        """Moves as much of the beginning of a block as possible; returns the number of bytes."""
        size = self._memory.size
        ahead = self._values[self._other] - self._done
        start = self._done % size
        count = min(block.size, size - start, ahead + size if self._is_writer else ahead)
        if count <= 0:
            return 0
        if self._is_writer:
            self._memory[start : start + count] = block[:count]
        else:
            block[:count] = self._memory[start : start + count]
        self._done += count
        self._counters.store(self._own, self._done)
        return count

    def condition(self) -> WaitCondition:
        """The condition for more bytes to move."""
        return self._other, self._done - (self._memory.size if self._is_writer else 0)
