# SPDX-License-Identifier: Apache-2.0
"""Blocks that are received from one process: matched by tag with the receives that were posted for them."""

from __future__ import annotations

from collections import deque

from olympus_core.errors.platform import TransportError

from .request import TcpRequest

_PIECE = 1 << 20  # bytes by which the memory of an unexpected block grows
_LARGEST = 1 << 42  # bytes of a block: more than any machine's memory
_MOST_EARLY = 1 << 16  # unexpected blocks of one process


class Incoming:
    """A block being received: into its target, or into a buffer if no receive has been posted (an unexpected message).

    The buffer grows as bytes arrive, so that an announced size alone takes no memory.
    """

    __slots__ = ("filled", "pieces", "request", "size", "target", "was_asked")

    def __init__(self, size: int, request: TcpRequest | None, target: memoryview | None) -> None:
        self.size, self.request, self.target = size, request, target
        self.was_asked = target is not None  # when its first byte came
        self.filled = 0
        self.pieces: list[memoryview] = []

    def room(self) -> memoryview:
        """The memory for the next bytes."""
        if self.was_asked and self.target is not None:
            return self.target[self.filled :]
        if self.filled == len(self.pieces) * _PIECE:
            self.pieces.append(memoryview(bytearray(min(_PIECE, self.size - self.filled))))
        return self.pieces[-1][self.filled % _PIECE :]

    def settle(self) -> None:
        """Copies an unexpected block to its target."""
        if not self.was_asked and self.target is not None:
            for number, piece in enumerate(self.pieces):
                self.target[number * _PIECE : number * _PIECE + piece.nbytes] = piece
            self.pieces.clear()


class Blocks:
    """The posted receives and the unexpected blocks of one process.

    Args:
        process: Its index.
    """

    __slots__ = ("_asked", "_early", "_early_count", "_process")

    def __init__(self, process: int) -> None:
        self._process = process
        self._asked: dict[int, deque[Incoming]] = {}  # by tag: posted receives
        self._early: dict[int, deque[Incoming]] = {}  # by tag: unexpected blocks
        self._early_count = 0

    def ask(self, request: TcpRequest, target: memoryview) -> Incoming | None:
        """Posts a receive; returns the block if it has begun to come already."""
        early = self._early.get(request.tag)
        if not early:
            self._asked.setdefault(request.tag, deque()).append(Incoming(target.nbytes, request, target))
            return None
        incoming = early.popleft()
        self._early_count -= 1
        if not early:
            del self._early[request.tag]
        check_size(request, incoming.size, target)
        incoming.request, incoming.target = request, target
        return incoming

    def announced(self, tag: int, size: int) -> Incoming:
        """The block that begins: of a posted receive, or an unexpected one."""
        asked = self._asked.get(tag)
        if asked:
            incoming = asked.popleft()
            if not asked:
                del self._asked[tag]
            if incoming.request is not None and incoming.target is not None:
                check_size(incoming.request, size, incoming.target)
            return incoming
        if size > _LARGEST or self._early_count >= _MOST_EARLY:
            raise TransportError(
                "tcp", "a communication", f"process {self._process} announces a block of {size:,} bytes, after"
                f" {self._early_count} unexpected ones")
        incoming = Incoming(size, None, None)
        self._early.setdefault(tag, deque()).append(incoming)
        self._early_count += 1
        return incoming

    @property
    def waiting(self) -> set[TcpRequest]:
        """The communications that have posted receives."""
        return {i.request for queue in self._asked.values() for i in queue if i.request is not None}

    @property
    def early_bytes(self) -> int:
        """The memory of unexpected blocks."""
        return sum(piece.nbytes for queue in self._early.values() for i in queue for piece in i.pieces)


def check_size(request: TcpRequest, size: int, target: memoryview) -> None:
    """Raises where a block has another size than its target."""
    if size != target.nbytes:
        raise TransportError("tcp", request.what, f"{size} bytes came where {target.nbytes} were expected")
