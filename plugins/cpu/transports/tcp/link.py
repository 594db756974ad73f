# SPDX-License-Identifier: Apache-2.0
"""The link to one process: a stream of bytes in each direction that outlives its connections.

A stream travels in frames: a length, how many bytes the sender has received of the other stream (an acknowledgement),
and so many bytes of its own. What is not acknowledged is kept, and sent again over the next connection from the offset
that the other side names. A block is a tag and a size, then its bytes.
"""

from __future__ import annotations

import socket
import struct
import time
from collections import deque

import numpy as np

from olympus_core.errors.platform import TransportError

from .blocks import Blocks, Incoming
from .request import TcpRequest

_FRAME = struct.Struct("<QQ")  # bytes of the stream that follow, bytes received
_BLOCK = struct.Struct("<QQ")  # tag, size
_SINGLE = struct.Struct("<QQQQ")  # both: a frame of one block
# Lengths of frames that are notices: acknowledge what has come; the same, and nothing new follows.
ASK, BYE = (1 << 64) - 2, (1 << 64) - 1
_FRAME_BYTES = 1 << 20  # of the stream in one frame; an acknowledgement waits for the end of the frame before it
_MOST_PARTS = 64  # of one frame; a system call takes no more than 1,024
_JOINED_BYTES = 1 << 12  # up to here a frame is sent faster from one memory than from several
COPIED_BYTES = 1 << 16  # up to here a block is copied to be kept; beyond, its communication lasts until it has arrived
_SILENT_BYTES = 1 << 18  # received without an acknowledgement; a copied block that nobody answers is kept so long
_READS = 16  # in a row, before other sockets are served


class _Piece:
    """Bytes of the outgoing stream in one memory; with its communication where the memory is not a copy.

    Args:
        view: The bytes.
        request: The communication whose memory it is; None for a copy.
        end: Offset of its end in the stream.
        skipped: Bytes at its beginning that are not of the stream: the header of the frame it was sent in.
    """

    __slots__ = ("end", "request", "skipped", "view")

    def __init__(self, view: bytes | memoryview, request: TcpRequest | None, end: int, skipped: int = 0) -> None:
        self.view, self.request, self.end, self.skipped = view, request, end, skipped

    def without_header(self) -> _Piece:
        """The same, ready to be sent again."""
        if self.skipped:
            self.view, self.skipped = memoryview(self.view)[self.skipped :], 0
        return self


class Link:
    """The streams to and from one process.

    Attributes:
        socket: The present connection; None where there is none.
        wants_write: Whether the engine has the system report when the connection takes more.
        error: Why the link has ended for good.
        received: Bytes of the incoming stream that have been taken in.
        owes: Whether the other side waits for an acknowledgement.
        has_left: Whether the other side has said that nothing follows.
        attached_at: When the present connection, or the last one, was taken, by the monotonic clock.
        broken_since: When the last connection ended, by the monotonic clock; None while there is one.

    Args:
        process: The other process's index.
    """

    __slots__ = (
        "_acknowledged", "_framed", "_has_told_notice", "_kept", "_left", "_notice", "_outgoing", "_queued", "_rest",
        "_told", "_wire", "attached_at", "blocks", "broken_since", "current", "error", "has_left", "owes", "process",
        "received", "socket", "wants_write",
    )

    def __init__(self, process: int) -> None:
        self.process, self.blocks = process, Blocks(process)
        self.socket: socket.socket | None = None
        self.wants_write = self.owes = self.has_left = False
        self._notice, self._has_told_notice = 0, True
        self.error: TransportError | None = None
        self.broken_since: float | None = None
        self.attached_at = 0.0
        self.received = self._told = 0
        self.current: Incoming | None = None  # the block whose bytes come now
        self._left = 0  # bytes of the present frame that have not come
        self._rest = b""  # of a header that has not come whole
        self._queued = self._framed = self._acknowledged = 0  # offsets of the outgoing stream
        self._outgoing: deque[_Piece] = deque()  # not framed, or not to the end
        self._kept: deque[_Piece] = deque()  # framed, not acknowledged
        self._wire: list[bytes | memoryview] = []  # of the present frame, what the system has not taken

    @property
    def is_settled(self) -> bool:
        """Whether the other side has taken in everything."""
        return self._acknowledged == self._queued

    @property
    def has_unsent(self) -> bool:
        """Whether something waits for the system to take it."""
        return bool(self._wire or self._outgoing or self.owes or not self._has_told_notice)

    @property
    def waiting(self) -> set[TcpRequest]:
        """The communications that need the link."""
        waiting = self.blocks.waiting
        waiting |= {p.request for queue in (self._kept, self._outgoing) for p in queue if p.request is not None}
        if self.current is not None and self.current.request is not None:
            waiting.add(self.current.request)
        return waiting

    def queue(self, request: TcpRequest, block: np.ndarray) -> None:
        """Takes a block to be sent."""
        size = block.nbytes
        if size > COPIED_BYTES:
            self._append(_BLOCK.pack(request.tag, size), None)
            self._append(block.data, request)
            request.unacknowledged += 1
        elif self._outgoing or self._wire or self.socket is None:
            self._append(_BLOCK.pack(request.tag, size) + block.data, None)
        else:  # the usual case: a frame of its own, at once
            received = self.received
            frame = _SINGLE.pack(_BLOCK.size + size, received, request.tag, size) + block.data
            end = self._queued = self._framed = self._queued + _BLOCK.size + size
            self._kept.append(_Piece(frame, None, end, _FRAME.size))
            self._wire.append(frame)
            self._told, self.owes = received, False

    def notify(self, notice: int) -> None:
        """Says `ASK` or `BYE` when everything has been sent."""
        self._notice, self._has_told_notice = notice, False

    def copy(self, request: TcpRequest) -> None:
        """Keeps copies of a communication's blocks, because it has ended and its memory may change."""
        for queue in (self._kept, self._outgoing):
            for piece in queue:
                if piece.request is request:
                    piece.view, piece.request = bytes(piece.view), None
        if request.unacknowledged:  # what is being sent is seen through the old memory
            self._wire = [bytes(part) for part in self._wire]

    def clear(self) -> None:
        """Forgets everything that is to be sent."""
        self._outgoing.clear()
        self._kept.clear()
        self._wire.clear()
        self._acknowledged = self._framed = self._queued

    def detach(self, now: float) -> socket.socket | None:
        """Gives up the connection; what it had of a header that was not whole comes again over the next one."""
        connection, self.socket = self.socket, None
        if connection is not None:
            self.broken_since = now
        self.wants_write = False
        self._left, self._rest = 0, b""
        return connection

    def attach(self, connection: socket.socket, offset: int) -> list[TcpRequest]:
        """Goes on over a new connection.

        Args:
            connection: Authenticated and non-blocking.
            offset: Bytes of the outgoing stream that the other side has received.

        Returns:
            The communications of which a block has now been acknowledged, once for each block.
        """
        arrived = self._acknowledge(offset)
        self.socket, self.broken_since, self.has_left = connection, None, False
        self.attached_at, self._has_told_notice = time.monotonic(), not self._notice
        self._told, self.owes = self.received, False
        self._outgoing.extendleft(piece.without_header() for piece in reversed(self._kept))
        self._kept.clear()
        self._wire.clear()
        self._framed = offset
        return arrived

    def write(self) -> int:
        """Sends as much as the system takes, and returns the number of bytes; raises `OSError` where it takes none."""
        connection, total = self.socket, 0
        if connection is None:
            return 0
        while self._wire or self._compose():
            wire = self._wire
            try:
                if len(wire) == 1:
                    size = len(wire[0])
                    sent = connection.send(wire[0])
                else:
                    size = sum(map(len, wire))
                    sent = connection.sendmsg(wire)
            except BlockingIOError:
                break
            total += sent
            if sent == size:
                wire.clear()
                continue
            while sent >= len(wire[0]):
                sent -= len(wire.pop(0))
            if sent:
                wire[0] = memoryview(wire[0])[sent:]
            break  # its buffer is full
        return total

    def read(self, scratch: memoryview, arrived: list[Incoming], acknowledged: list[TcpRequest]) -> int:
        """Takes in what has come, up to a limit.

        Args:
            scratch: Memory for what is not received into its target.
            arrived: Where blocks are put that have come whole.
            acknowledged: Where communications are put of which a block has been acknowledged.

        Returns:
            The number of bytes.

        Raises:
            OSError: The connection has ended.
            TransportError: What has come is no stream of ours.
        """
        connection, total = self.socket, 0
        for _ in range(_READS):
            if connection is None:
                break
            current = self.current
            count = 0 if current is None else min(self._left, current.size - current.filled)
            try:
                if current is not None and count > len(scratch) and not self._rest:
                    space = current.room()[:count]
                    got = connection.recv_into(space)
                    is_drained = got < len(space)
                    self._took(current, got, arrived)
                else:
                    # Between two frames of a large block its header alone: what follows goes to the target.
                    is_within = current is not None and current.size - current.filled > len(scratch)
                    space = scratch[: _FRAME.size if is_within and not self._left else len(scratch)]
                    known = len(self._rest)
                    space[:known] = self._rest
                    got = connection.recv_into(space[known:])
                    is_drained = got < len(space) - known
                    self._parse(space[: known + got], arrived, acknowledged)
            except BlockingIOError:
                break
            if got == 0:
                raise ConnectionResetError("the other side closed it")
            total += got
            if is_drained and self.current is None and not self._rest:
                break  # else the rest of the block is near
        return total

    def _append(self, view: bytes | memoryview, request: TcpRequest | None) -> None:
        self._queued += len(view)
        self._outgoing.append(_Piece(view, request, self._queued))

    def _compose(self) -> bool:
        """Makes the next frame; whether there is one to send."""
        outgoing = self._outgoing
        if not outgoing:
            if not self._has_told_notice:
                self._has_told_notice = True
                self._wire = [_FRAME.pack(self._notice, self.received)]
                return True
            if not self.owes:
                return False
        parts: list[bytes | memoryview] = [b""]
        framed = self._framed
        limit = framed + _FRAME_BYTES
        while outgoing and framed < limit and len(parts) < _MOST_PARTS:
            piece = outgoing[0]
            view, start = piece.view, len(piece.view) - piece.end + framed
            # What is copied goes whole, so that no header is cut.
            stop = len(view) if piece.request is None else min(len(view), start + limit - framed)
            parts.append(view if start == 0 and stop == len(view) else memoryview(view)[start:stop])
            framed += stop - start
            if stop == len(view):
                self._kept.append(outgoing.popleft())
        size = framed - self._framed
        parts[0] = _FRAME.pack(size, self.received)
        self._framed, self._told, self.owes = framed, self.received, False
        self._wire = [b"".join(parts)] if size <= _JOINED_BYTES else parts
        return True

    def _parse(self, data: memoryview, arrived: list[Incoming], acknowledged: list[TcpRequest]) -> None:
        at, stop = 0, len(data)
        while at < stop:
            if self._left == 0:
                if stop - at < _FRAME.size:
                    break
                length, offset = _FRAME.unpack_from(data, at)
                at += _FRAME.size
                if offset != self._acknowledged:
                    acknowledged += self._acknowledge(offset)
                if length >= ASK:
                    self.owes, self.has_left = True, self.has_left or length == BYE
                else:
                    self._left = length
            elif self.current is None:
                if self._left < _BLOCK.size:
                    raise TransportError("tcp", "a communication", f"process {self.process} sends a broken frame")
                if stop - at < _BLOCK.size:
                    break
                tag, size = _BLOCK.unpack_from(data, at)
                self.current = self.blocks.announced(tag, size)
                at += _BLOCK.size
                self.received += _BLOCK.size
                self._left -= _BLOCK.size
                if size == 0:
                    self._took(self.current, 0, arrived)
            else:
                room = self.current.room()
                count = min(len(room), stop - at, self._left)
                room[:count] = data[at : at + count]
                at += count
                self._took(self.current, count, arrived)
        self._rest = bytes(data[at:])

    def _took(self, current: Incoming, count: int, arrived: list[Incoming]) -> None:
        """Counts bytes of the present block."""
        current.filled += count
        self.received += count
        self._left -= count
        if current.filled == current.size:
            self.current = None
            arrived.append(current)
            if current.size > COPIED_BYTES:
                self.owes = True
        if self.received - self._told >= _SILENT_BYTES and current.size <= COPIED_BYTES:
            self.owes = True

    def _acknowledge(self, offset: int) -> list[TcpRequest]:
        """Lets go what the other side has received."""
        if not self._acknowledged <= offset <= self._framed:
            raise TransportError(
                "tcp", "a communication", f"process {self.process} says that it has received {offset:,} bytes, of"
                f" {self._framed:,} sent and {self._acknowledged:,} acknowledged before")
        self._acknowledged = offset
        kept, arrived = self._kept, []
        while kept and kept[0].end <= offset:
            request = kept.popleft().request
            if request is not None:
                arrived.append(request)
        return arrived
