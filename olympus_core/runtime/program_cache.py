# SPDX-License-Identifier: Apache-2.0
"""The cache of traced and compiled programs: limited by bytes, with second-chance eviction.

A call that finds its program by one look-up cannot mark it as used. So the oldest entry first loses its shortcuts; the
next call then takes the long way and sets the entry's mark (`was_used`). An entry whose turn comes again without the
mark is evicted. What is evicted while a call runs lives as long as the call; what somebody else holds, as long as they
do.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections import OrderedDict, deque
from typing import TYPE_CHECKING, Any

from olympus_core.config import config

from .bounded_cache import CacheEntry, is_due

if TYPE_CHECKING:
    from olympus_core.program import Program

# Of the lists below, and of the queue. The garbage collector may run at any time, and what it ends may compile.
_lock = threading.RLock()
os.register_at_fork(after_in_child=_lock._at_fork_reinit)  # type: ignore[attr-defined]  # as Python's own modules do


class SizedEntry(CacheEntry):
    """A cache entry whose bytes count against the limit.

    Attributes:
        size: An estimate of the bytes that it takes.
        was_used: Whether it was looked up since it was last considered for eviction.
    """

    __slots__ = ("_dependents", "size", "was_used")

    def __init__(self, size: int) -> None:
        super().__init__()
        self.size, self.was_used = size, True
        self._dependents: list[weakref.ref[CacheEntry]] = []
        _queue.admit(self)

    def add_dependent(self, dependent: CacheEntry) -> None:
        """Notes an entry that is of no use without this one, and is evicted with it."""
        dependents = self._dependents
        with _lock:
            if is_due(dependents):
                dependents[:] = [reference for reference in dependents if reference() is not None]
            dependents.append(weakref.ref(dependent))

    def dependents(self) -> list[Any]:
        """The entries that are of no use without this one."""
        return [found for reference in tuple(self._dependents) if (found := reference()) is not None]

    def evict(self) -> None:
        """Takes it, and its dependents, out of all caches."""
        for reference in tuple(self._dependents):
            dependent = reference()
            if dependent is not None:
                dependent.evict()
        super().evict()

    def drop_shortcuts(self) -> None:
        """Takes it, and its dependents, out of the caches whose hits they do not hear of."""
        for reference in tuple(self._dependents):
            dependent = reference()
            if dependent is not None:
                dependent.drop_shortcuts()
        super().drop_shortcuts()


class ProgramEntry(SizedEntry):
    """A program that was made of another one.

    Args:
        program: The program.
        size: An estimate of the bytes that it takes.
        about: What else is known of it.
    """

    __slots__ = ("about", "program")

    def __init__(self, program: Program, size: int, about: Any = None) -> None:
        self.program, self.about = program, about
        super().__init__(size)


class _SecondChance:
    """All sized entries, in the order in which they were made or last found to be used."""

    def __init__(self) -> None:
        self.total = 0
        self._is_busy = False
        self._entries: OrderedDict[int, tuple[weakref.ref[SizedEntry], int]] = OrderedDict()
        self._gone: deque[int] = deque()  # numbers of what died; told from wherever that happens, so without the lock
        self._number = 0

    def admit(self, entry: SizedEntry) -> None:
        """Counts a new entry, and evicts others where there is too much."""
        idle: list[SizedEntry] = []
        unused: list[SizedEntry] = []
        gone = self._gone
        with _lock:
            self._number = number = self._number + 1
            self._entries[number] = weakref.ref(entry, lambda _: gone.append(number)), entry.size
            self.total += entry.size
            if self._is_busy:  # the collector interrupted an admission, which sees to this entry, too
                return
            self._is_busy = True
            try:
                self._bury()
                limit = config.compiled_cache_bytes
                if self.total > limit:
                    self._choose(limit, idle, unused)
                elif self.total > limit // 2:  # in good time: entries need a call to set their mark
                    self._ask(*next(iter(self._entries.items())), idle)
            finally:
                self._is_busy = False
        for one in idle:  # without the lock: what goes may run anything
            one.drop_shortcuts()
        for one in unused:
            one.evict()

    def bytes_and_count(self) -> tuple[int, int]:
        """How much there is, and how many."""
        with _lock:
            self._bury()
            return self.total, len(self._entries)

    def _bury(self) -> None:
        while self._gone:
            entry = self._entries.pop(self._gone.popleft(), None)
            self.total -= 0 if entry is None else entry[1]

    def _ask(self, number: int, entry: tuple[weakref.ref[SizedEntry], int], idle: list[SizedEntry]) -> bool:
        """Gives an entry its second chance, if it was used since the last time."""
        kept = entry[0]()
        if kept is None or not kept.was_used:
            return False
        kept.was_used = False
        idle.append(kept)
        self._entries.move_to_end(number)
        return True

    def _choose(self, limit: int, idle: list[SizedEntry], unused: list[SizedEntry]) -> None:
        """Evicts what was not used, the oldest first; the newest never."""
        newest, rounds = self._number, 2 * len(self._entries)
        while self.total > limit and len(self._entries) > 1:
            number, entry = next(iter(self._entries.items()))
            rounds -= 1  # other threads may go on using what has its second chance
            if number == newest:
                self._entries.move_to_end(number)
            elif rounds < 0 or not self._ask(number, entry, idle):
                del self._entries[number]
                self.total -= entry[1]
                kept = entry[0]()
                if kept is not None:
                    unused.append(kept)


_queue = _SecondChance()
kept_bytes = _queue.bytes_and_count
