# SPDX-License-Identifier: Apache-2.0
"""Equal values as the same object, for as long as somebody has it."""

from __future__ import annotations

import os
import sys
import threading
import weakref
from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar

Value = TypeVar("Value")


class Interned(Generic[Value]):
    """A table that lasts as long as the process, of objects that do not.

    Attributes:
        find: Gives a key's weak reference, or None; what it refers to may be gone. A method of a dictionary: the
            look-up is on the way of everything that is traced.

    Example:
        >>> class Word(str): ...
        >>> table: Interned[Word] = Interned()
        >>> first = table.add("a", Word("a"))
        >>> table.add("a", Word("a")) is first
        True
        >>> del first
        >>> len(table)
        0
    """

    __slots__ = ("_lock", "_references", "find")

    def __init__(self) -> None:
        self._references: dict[Hashable, weakref.KeyedRef[Hashable, Value]] = {}
        self.find: Callable[[Any], Callable[[], Value | None] | None] = self._references.get
        self._renew()
        os.register_at_fork(after_in_child=self._renew)  # a child must not inherit it from another thread that held it

    def _renew(self) -> None:
        self._lock = threading.RLock()  # an object may die while its thread is here

    def add(self, key: Hashable, value: Value) -> Value:
        """The object of a key: what is there, or this one."""
        with self._lock:
            known = self.find(key)
            found = known() if known is not None else None
            if found is None:
                self._references[key] = weakref.KeyedRef(value, self._drop, key)
                found = value
            return found

    def _drop(self, reference: weakref.KeyedRef[Hashable, Value], ends: Callable[[], bool] = sys.is_finalizing) -> None:
        with self._lock:
            # Not of a later object; at the end of the process what compares keys may be gone.
            if not ends() and self._references.get(reference.key) is reference:
                del self._references[reference.key]

    def __len__(self) -> int:
        return len(self._references)
