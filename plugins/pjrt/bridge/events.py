"""Events: what will be done, or has failed."""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Callable
from typing import Any

from ..errors import PjrtError
from .library import Library

OnReady = Callable[[PjrtError | None], None]

_CALLBACK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
_numbers = itertools.count(1)
# What waits to be called; the library gets the number only, so nothing dangles and nothing is kept once it is called.
_expected: dict[int, tuple[Event, OnReady]] = {}


class Event:
    """Something of a library's that will be done; destroyed with this object.

    Args:
        library: The library.
        pointer: The event; None for one that is done.
    """

    __slots__ = ("_library", "_pointer")

    def __init__(self, library: Library, pointer: int | None) -> None:
        self._library, self._pointer = library, pointer

    def is_ready(self) -> bool:
        """Whether it is done, or has failed; never waits."""
        if self._pointer is None:
            return True
        return bool(self._library.call("Event_IsReady", event=self._pointer).is_ready)

    def block_until_ready(self) -> None:
        """Waits until it is done; raises its error. The C API knows no deadlines."""
        if self._pointer is not None:
            self._library.ask("Event_Await", self._pointer)

    def on_ready(self, function: OnReady) -> None:
        """Has a function called once, from whatever thread, when it is done: with None or its error."""
        if self._pointer is None:
            function(None)
            return
        number = next(_numbers)
        _expected[number] = self, function
        try:
            self._library.call("Event_OnReady", event=self._pointer, callback=_entry_address, user_arg=number)
        except PjrtError:
            _expected.pop(number, None)
            raise

    def close(self) -> None:
        """Destroys it."""
        pointer, self._pointer = self._pointer, None
        self._library.destroy("Event_Destroy", pointer)

    def __del__(self) -> None:
        self.close()


def expected_count() -> int:
    """Number of functions that wait to be called."""
    return len(_expected)


def _called(failure: int | None, number: int | None) -> None:
    event, function = _expected.pop(number or 0)
    function(event._library.error("Event_OnReady", failure) if failure else None)


_entry: Any = _CALLBACK(_called)
_entry_address = ctypes.cast(_entry, ctypes.c_void_p).value
