# SPDX-License-Identifier: Apache-2.0
"""What a connection has not taken yet: pieces of bytes that many connections may share."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

_JOINED = 1 << 14  # small pieces go out together


class SendQueue:
    """Bytes that wait to be sent, in their order; `len` is how many."""

    __slots__ = ("_pieces", "_size", "_start")

    def __init__(self) -> None:
        self._pieces: deque[bytes] = deque()
        self._start = 0  # what the connection has taken of the first piece
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def append(self, data: bytes) -> None:
        """Adds bytes, which are not copied."""
        if data:
            self._pieces.append(data)
            self._size += len(data)

    def clear(self) -> None:
        """Forgets all."""
        self._pieces.clear()
        self._start = self._size = 0

    def send(self, send: Callable[[bytes | memoryview], int]) -> None:
        """Sends until all is taken; whatever `send` raises, what it has taken is gone."""
        pieces = self._pieces
        while pieces:
            if not self._start and len(pieces) > 1 and len(pieces[0]) < _JOINED:
                self._join()
            first = pieces[0]
            taken = send(memoryview(first)[self._start :] if self._start else first)
            self._size -= taken
            self._start += taken
            if self._start == len(first):
                pieces.popleft()
                self._start = 0

    def _join(self) -> None:
        joined: list[bytes] = []
        size = 0
        while self._pieces and size + len(self._pieces[0]) <= _JOINED:
            joined.append(self._pieces.popleft())
            size += len(joined[-1])
        self._pieces.appendleft(b"".join(joined))
