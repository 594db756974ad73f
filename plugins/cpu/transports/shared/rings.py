"""Messages from one process to another: a ring of bytes for every two, in each direction.

The toolkit's phases go through them: what a process sends to another is one stream of bytes, which the other takes in
the order in which it was put.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import numpy as np

from olympus_core.toolkit import Members, Steps

from .engine import Lack, Moves
from .window import Counting


class Rings:
    """The rings of one process.

    Args:
        counting: The group's counts.
        members: The group.
    """

    def __init__(self, counting: Counting, members: Members) -> None:
        layout, memory, here = counting.layout, counting.region.memory, members.index
        self._place = {process: place for place, process in enumerate(members.processes)}
        self._others = [p for p in range(layout.count) if p != here]

        def ring(source: int, target: int) -> np.ndarray:
            start = layout.rings_at + (source * layout.count + target) * layout.ring_bytes
            return memory[start : start + layout.ring_bytes]

        self._outgoing = {p: _End(counting, ring(here, p), layout.ring(here, p), layout.taken(here, p), True)
                          for p in self._others}
        self._incoming = {p: _End(counting, ring(p, here), layout.ring(p, here), layout.taken(p, here), False)
                          for p in self._others}

    def move(self, steps: Steps) -> Moves:
        """Goes through the phases of a collective."""
        while True:
            try:
                phase = next(steps)
            except StopIteration as end:
                results: Sequence[np.ndarray] = end.value
                return results
            streams = [*self._streams(phase.receives, self._incoming), *self._streams(phase.sends, self._outgoing)]
            while True:
                lack: Lack | None = None
                has_moved = False
                for end_, blocks in streams:
                    while blocks:
                        moved = end_.move(blocks[0])
                        if not moved:
                            lack = lack or end_.lack()
                            break
                        has_moved = True
                        if moved < blocks[0].size:
                            blocks[0] = blocks[0][moved:]
                        else:
                            blocks.popleft()
                if lack is None:
                    break
                if not has_moved:
                    yield lack

    def _streams(
        self, blocks: Sequence[tuple[int, np.ndarray]], ends: dict[int, _End]
    ) -> list[tuple[_End, deque[np.ndarray]]]:
        found: dict[int, deque[np.ndarray]] = {}
        for process, block in blocks:
            found.setdefault(self._place[process], deque()).append(block)
        return [(ends[place], queue) for place, queue in found.items()]


class _End:
    """This process's end of a ring.

    Args:
        counting: The group's counts.
        memory: The ring.
        put: The word that counts the bytes that were put in.
        taken: The word that counts the bytes that were taken out.
        is_writer: Whether this process puts in.
    """

    __slots__ = ("_counting", "_done", "_is_writer", "_memory", "_other", "_own", "_values")

    def __init__(self, counting: Counting, memory: np.ndarray, put: int, taken: int, is_writer: bool) -> None:
        self._counting, self._values, self._memory, self._is_writer = counting, counting.values, memory, is_writer
        self._own, self._other = (put, taken) if is_writer else (taken, put)
        self._done = 0  # bytes that this end has moved

    def move(self, block: np.ndarray) -> int:
        """Moves the beginning of a block, as much as goes at once; how many bytes."""
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
        self._counting.store(self._own, self._done)
        return count

    def lack(self) -> Lack:
        """The word that must change before anything can move."""
        return self._other, self._done - (self._memory.size if self._is_writer else 0)
