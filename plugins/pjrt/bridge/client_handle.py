# SPDX-License-Identifier: Apache-2.0
"""The lifetime of a client and the executions that are in flight on it."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from ..errors import PjrtError
from .library import Library

MOST_IN_FLIGHT = 64  # executions of one client; a caller that starts more waits, which bounds the memory they hold


class ClientHandle:
    """A reference-counted client: destroyed when the `Client` and all its buffers and executables are gone.

    The references are counted here because Python finalizes the objects of a cycle in any order.

    Args:
        library: The library.
        pointer: The client.
        kept: An object that must live as long as the client, such as the callbacks that the library was given.
    """

    def __init__(self, library: Library, pointer: int, kept: object = None) -> None:
        self.library, self._kept = library, kept
        self._client = [pointer]  # emptied by whoever destroys it
        self._is_left = False
        self._children: set[int] = set()
        self._events: deque[int] = deque()

    def adopt(self, child: object) -> None:
        """Registers an object that the client must outlive."""
        self._children.add(id(child))

    def release(self, child: object, name: str, pointer: int) -> None:
        """Destroys a registered object by the library's function `name`, and the client if it was the last one."""
        self.library.destroy(name, pointer)
        self._children.discard(id(child))
        if self._is_left:
            self._end()

    def under_way(self, events: Sequence[int]) -> None:
        """Records the events of an execution; waits for the oldest while more than `MOST_IN_FLIGHT` are recorded."""
        mine = self._events
        mine.extend(events)
        while len(mine) > MOST_IN_FLIGHT:
            self._settle()

    def synchronize(self) -> None:
        """Waits for all executions. Their errors are not raised here: reading an output raises them."""
        while self._events:
            self._settle()

    def _settle(self) -> None:
        try:
            event = self._events.popleft()
        except IndexError:  # another thread was faster
            return
        try:
            self.library.block_until_ready(event)
        except PjrtError:  # raised where an output is read
            pass

    def _end(self) -> None:
        if self._children or self.library.is_leaving:
            return
        try:
            pointer = self._client.pop()
        except IndexError:  # another thread was faster
            return
        self.synchronize()
        self.library.destroy("Client_Destroy", pointer)

    def __del__(self) -> None:
        self._is_left = True
        self._end()
