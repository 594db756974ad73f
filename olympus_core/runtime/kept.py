"""What was traced and compiled, by its size: what was not used for longest is forgotten when there is too much.

A call that finds its program by one look-up tells nobody that it did. So the oldest is first asked whether it is used:
its shortcuts go, the next call comes the long way and leaves a mark. Without that mark it goes the next time. What is
forgotten while a call runs lives as long as the call; what somebody else holds, as long as they do.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections import OrderedDict, deque
from typing import TYPE_CHECKING, Any

from olympus_core.config import config

from .recent import Recent

if TYPE_CHECKING:
    from olympus_core.program import Program

_FEW = 8  # places that are not looked through
# Of the lists below, and of the ledger. The collector may come by at any time, and what it ends may compile.
_lock = threading.RLock()
os.register_at_fork(after_in_child=_lock._at_fork_reinit)  # type: ignore[attr-defined]  # as Python's own modules do


class Remembered:
    """What stands in dictionaries and can be taken out of them."""

    __slots__ = ("__weakref__", "_is_out", "_places", "_shortcuts")

    def __init__(self) -> None:
        self._is_out = False
        self._places: list[tuple[weakref.ref[Any], Any]] = []
        self._shortcuts: list[tuple[weakref.ref[Any], Any]] = []

    def stands_in(self, cache: Recent[Any, Any], key: Any, is_shortcut: bool) -> None:
        """Notes where it stands."""
        places = self._shortcuts if is_shortcut else self._places
        with _lock:
            if _is_due(places):  # functions that died had theirs
                places[:] = [place for place in places if place[0]() is not None]
            places.append((weakref.ref(cache), key))
        if self._is_out:  # forgotten while it ran: nobody counts it any more, so it stays nowhere
            self.is_forgotten()

    def is_forgotten(self) -> None:
        """Takes it out of all dictionaries, and keeps it out."""
        self._is_out = True
        self.loses_shortcuts()
        _leave(self._places)

    def loses_shortcuts(self) -> None:
        """Takes it out of those that do not tell when it is used."""
        _leave(self._shortcuts)


def _is_due(found: list[Any]) -> bool:
    """Whether a list should be looked through for what died, now that it has grown to twice its size."""
    return len(found) >= _FEW and not len(found) & (len(found) - 1)


def _leave(places: list[tuple[weakref.ref[Any], Any]]) -> None:
    while True:
        try:
            reference, key = places.pop()
        except IndexError:  # not asked before: another thread may take the last one
            return
        cache = reference()
        if cache is not None:
            cache.forget((key,))


class Kept(Remembered):
    """A program that counts.

    Attributes:
        size: An estimate of the bytes that it takes.
        was_used: Whether somebody asked for it lately.
    """

    __slots__ = ("_users", "size", "was_used")

    def __init__(self, size: int) -> None:
        super().__init__()
        self.size, self.was_used = size, True
        self._users: list[weakref.ref[Remembered]] = []
        _ledger.admit(self)

    def is_used_by(self, user: Remembered) -> None:
        """Notes what is of no use without it, and is forgotten with it."""
        users = self._users
        with _lock:
            if _is_due(users):
                users[:] = [reference for reference in users if reference() is not None]
            users.append(weakref.ref(user))

    def is_forgotten(self) -> None:
        """Takes it, and what uses it, out of all dictionaries."""
        for reference in tuple(self._users):
            user = reference()
            if user is not None:
                user.is_forgotten()
        super().is_forgotten()

    def loses_shortcuts(self) -> None:
        """Takes it, and what uses it, out of those that do not tell when it is used."""
        for reference in tuple(self._users):
            user = reference()
            if user is not None:
                user.loses_shortcuts()
        super().loses_shortcuts()


class KeptProgram(Kept):
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


class _Ledger:
    """All that counts, in the order in which it was made or last found to be used."""

    def __init__(self) -> None:
        self.total = 0
        self._is_busy = False
        self._entries: OrderedDict[int, tuple[weakref.ref[Kept], int]] = OrderedDict()
        self._gone: deque[int] = deque()  # numbers of what died; told from wherever that happens, so without the lock
        self._number = 0

    def admit(self, kept: Kept) -> None:
        """Counts something new, and lets go of other things where it is too much."""
        idle: list[Kept] = []
        unused: list[Kept] = []
        gone = self._gone
        with _lock:
            self._number = number = self._number + 1
            self._entries[number] = weakref.ref(kept, lambda _: gone.append(number)), kept.size
            self.total += kept.size
            if self._is_busy:  # what the collector has ended compiles: whom it interrupts sees to this one, too
                return
            self._is_busy = True
            try:
                self._bury()
                limit = config.compiled_cache_bytes
                if self.total > limit:
                    self._choose(limit, idle, unused)
                elif self.total > limit // 2:  # in good time: who is first asked when there is too much cannot answer
                    self._ask(*next(iter(self._entries.items())), idle)
            finally:
                self._is_busy = False
        for one in idle:  # without the lock: what goes may run anything
            one.loses_shortcuts()
        for one in unused:
            one.is_forgotten()

    def bytes_and_count(self) -> tuple[int, int]:
        """How much there is, and how many."""
        with _lock:
            self._bury()
            return self.total, len(self._entries)

    def _bury(self) -> None:
        while self._gone:
            entry = self._entries.pop(self._gone.popleft(), None)
            self.total -= 0 if entry is None else entry[1]

    def _ask(self, number: int, entry: tuple[weakref.ref[Kept], int], idle: list[Kept]) -> bool:
        """Has something say whether it is used, if it did since it was asked for the last time."""
        kept = entry[0]()
        if kept is None or not kept.was_used:
            return False
        kept.was_used = False
        idle.append(kept)
        self._entries.move_to_end(number)
        return True

    def _choose(self, limit: int, idle: list[Kept], unused: list[Kept]) -> None:
        """Lets go of what did not say that it is used, the oldest first; of the newest never."""
        newest, turns = self._number, 2 * len(self._entries)
        while self.total > limit and len(self._entries) > 1:
            number, entry = next(iter(self._entries.items()))
            turns -= 1  # others may go on using what was asked
            if number == newest:
                self._entries.move_to_end(number)
            elif turns < 0 or not self._ask(number, entry, idle):
                del self._entries[number]
                self.total -= entry[1]
                kept = entry[0]()
                if kept is not None:
                    unused.append(kept)


_ledger = _Ledger()
kept_bytes = _ledger.bytes_and_count
