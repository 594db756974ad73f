"""A dictionary that remembers a limited number of things: what a long run compiles must not fill the memory."""

from __future__ import annotations

import threading
from typing import TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")
_LIMIT = 4096
_lock = threading.Lock()


class Recent(dict[Key, Value]):
    """A dictionary whose oldest entries go when it is full; `remember` is how entries come in.

    Looking up is a plain dictionary's, which every call pays for.

    Args:
        limit: How many entries stay.
    """

    __slots__ = ("_limit",)

    def __init__(self, limit: int = _LIMIT) -> None:
        super().__init__()
        self._limit = limit

    def remember(self, key: Key, value: Value) -> Value:
        """Adds an entry; the value that stands there afterwards, which may be another thread's."""
        with _lock:
            while len(self) >= self._limit and key not in self:
                del self[next(iter(self))]
            return self.setdefault(key, value)

    def clear(self) -> None:
        """Drops all entries, while other threads may add theirs."""
        with _lock:
            dropped = dict(self)
            super().clear()
        dropped.clear()  # without the lock: what goes may run anything
