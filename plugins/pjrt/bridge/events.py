# SPDX-License-Identifier: Apache-2.0
"""Events: the completion of asynchronous work."""

from __future__ import annotations

from .library import Library


class Event:
    """An event of a library, destroyed with this object.

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
        """Waits until it is done; raises its error. The C API has no timeouts."""
        if self._pointer is not None:
            self._library.ask("Event_Await", self._pointer)

    def close(self) -> None:
        """Destroys it."""
        pointer, self._pointer = self._pointer, None
        self._library.destroy("Event_Destroy", pointer)

    def __del__(self) -> None:
        self.close()
