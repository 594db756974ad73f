"""Dictionaries that remember a limited number of things: what a long run compiles must not fill the memory."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from .kept import Remembered

Key = TypeVar("Key")
Value = TypeVar("Value")
_LIMIT = 4096
# The collector may come by while a key is compared, and what it ends may compile.
_lock = threading.RLock()
os.register_at_fork(after_in_child=_lock._at_fork_reinit)  # type: ignore[attr-defined]  # as Python's own modules do


class Recent(dict[Key, Value]):
    """A dictionary whose oldest entries go when it is full; `remember` is how entries come in.

    Looking up is a plain dictionary's, which every call pays for.

    Args:
        limit: How many entries stay.
    """

    __slots__ = ("__weakref__", "_limit")

    def __init__(self, limit: int = _LIMIT) -> None:
        super().__init__()
        self._limit = limit

    def remember(self, key: Key, value: Value, owner: Remembered | None = None, is_shortcut: bool = False) -> Value:
        """Adds an entry; the value that stands there afterwards, which may be another thread's.

        Args:
            key: Its key.
            value: Its value.
            owner: What the entry goes with when there is too much; by default the entries' number alone counts.
            is_shortcut: The owner does not hear of it when the entry is used.
        """
        gone: list[Value | None] = []
        with _lock:
            while len(self) >= self._limit and key not in self:
                gone += [self.pop(oldest, None) for oldest in list(self)[:1]]  # a list, since the collector may forget
            found = self.setdefault(key, value)
        gone.clear()  # without the lock: what goes may run anything
        if owner is not None:
            owner.stands_in(self, key, is_shortcut)
        return found

    def forget(self, keys: Iterable[Key]) -> None:
        """Drops entries, as far as they are there."""
        with _lock:
            gone = [self.pop(key, None) for key in keys]
        gone.clear()  # without the lock: what goes may run anything

    def clear(self) -> None:
        """Drops all entries, while other threads may add theirs."""
        with _lock:
            dropped = dict(self)
            super().clear()
        dropped.clear()  # without the lock: what goes may run anything
