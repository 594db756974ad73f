# SPDX-License-Identifier: Apache-2.0
"""Caches with a limited number of entries, and values that can be evicted from all caches that hold them."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Iterable
from typing import Any, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")
_LIMIT = 4096
_FEW = 8  # entries that are not searched for dead ones
# The collector may come by while a key is compared, and what it ends may compile.
_lock = threading.RLock()
os.register_at_fork(after_in_child=_lock._at_fork_reinit)  # type: ignore[attr-defined]  # as Python's own modules do


class CacheEntry:
    """A value in one or several caches, from which it can be evicted."""

    __slots__ = ("__weakref__", "_is_out", "_keys", "_shortcuts")

    def __init__(self) -> None:
        self._is_out = False
        self._keys: list[tuple[weakref.ref[Any], Any]] = []
        self._shortcuts: list[tuple[weakref.ref[Any], Any]] = []

    def note_key(self, cache: BoundedCache[Any, Any], key: Any, is_shortcut: bool) -> None:
        """Notes a cache that holds it, and under which key."""
        keys = self._shortcuts if is_shortcut else self._keys
        with _lock:
            if is_due(keys):  # functions that died had theirs
                keys[:] = [entry for entry in keys if entry[0]() is not None]
            keys.append((weakref.ref(cache), key))
        if self._is_out:  # evicted while it ran: nobody counts it any more, so no cache may keep it
            self.evict()

    def evict(self) -> None:
        """Takes it out of all caches, and keeps it out."""
        self._is_out = True
        self.drop_shortcuts()
        _leave(self._keys)

    def drop_shortcuts(self) -> None:
        """Takes it out of the caches whose hits it does not hear of."""
        _leave(self._shortcuts)


def is_due(found: list[Any]) -> bool:
    """Whether a list should be searched for dead entries, now that it has grown to twice its size."""
    return len(found) >= _FEW and not len(found) & (len(found) - 1)


def _leave(keys: list[tuple[weakref.ref[Any], Any]]) -> None:
    while True:
        try:
            reference, key = keys.pop()
        except IndexError:  # not asked before: another thread may take the last one
            return
        cache = reference()
        if cache is not None:
            cache.forget((key,))


class BoundedCache(dict[Key, Value]):
    """A dictionary whose oldest entries go when it is full; `remember` is how entries come in.

    Looking up is a plain dictionary's, which every call pays for.

    Args:
        limit: How many entries stay.
    """

    __slots__ = ("__weakref__", "_limit")

    def __init__(self, limit: int = _LIMIT) -> None:
        super().__init__()
        self._limit = limit

    def remember(self, key: Key, value: Value, owner: CacheEntry | None = None, is_shortcut: bool = False) -> Value:
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
            owner.note_key(self, key, is_shortcut)
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
