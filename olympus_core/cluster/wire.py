# SPDX-License-Identifier: Apache-2.0
"""Frames over TCP: a preamble once in each direction, then JSON messages with an optional binary payload.

A frame's head: sizes of text and payload, the frame's number, and the number of the last frame received. The number 0
is a frame's that is lost with its connection (`session.py`).
"""

from __future__ import annotations

import select
import struct
import time
from typing import NamedTuple

from .channels import Channel, TlsProblem
from .schema import MalformedFrame, Message, Table, compose, read

MAGIC = b"OLYMPUS"
PROTOCOL_VERSION = 3
PREAMBLE = MAGIC + bytes([PROTOCOL_VERSION])

_HEAD = struct.Struct(">IIQQ")
MOST_PAYLOAD = 256 * 1024 * 1024
HELLO_LIMIT = 64 * 1024  # of what a process says before it belongs to the job
_COPIED = 1 << 10  # up to this size a frame is one piece; longer ones are not copied for each receiver


class Frame(NamedTuple):
    """One message and its payload; its number, and the last that its sender had received."""

    message: Message
    payload: bytes
    number: int = 0
    acknowledged: int = 0


class Body(NamedTuple):
    """A message as it is sent, without its head: the same to many, and the same when it is sent again."""

    text: bytes
    payload: bytes

    @property
    def size(self) -> int:
        """Bytes without the head."""
        return len(self.text) + len(self.payload)

    def pieces(self, number: int = 0, acknowledged: int = 0) -> list[bytes]:
        """The frame, in one piece or several."""
        head = _HEAD.pack(len(self.text), len(self.payload), number, acknowledged)
        return [head + self.text + self.payload] if self.size <= _COPIED else [head, self.text, self.payload]


class BrokenStream(MalformedFrame):
    """The bytes are no frame, so the beginning of the next one is unknown."""


class LinkClosed(Exception):
    """The other side ended the connection, or it broke."""


def most_text(count: int) -> int:
    """The longest text of a message in a job of so many processes: it may describe each of them."""
    return min((1 << 20) + (count << 16), 1 << 31)


def body(message: Message, payload: bytes = b"") -> Body:
    """A message as it is sent."""
    return Body(compose(message), payload)


def encode(message: Message, payload: bytes = b"", number: int = 0, acknowledged: int = 0) -> bytes:
    """The bytes of a frame."""
    return b"".join(body(message, payload).pieces(number, acknowledged))


class FrameReader:
    """Cuts a stream of bytes into frames, and checks them.

    Args:
        table: What the sender may say.
        most_text: How long a message may be.
        most_payload: How long its payload may be.
    """

    __slots__ = ("_buffer", "_table", "most_payload", "most_text")

    def __init__(self, table: Table, most_text: int, most_payload: int = MOST_PAYLOAD) -> None:
        self._buffer = bytearray()
        self._table = table
        self.most_text, self.most_payload = most_text, most_payload

    def feed(self, data: bytes) -> None:
        """Adds received bytes."""
        self._buffer += data

    def frame(self) -> Frame | None:
        """The next frame that is whole.

        Raises:
            BrokenStream: If there can be none: nothing that follows can be read.
            MalformedFrame: If it holds no message; the next one may.
        """
        buffer = self._buffer
        if len(buffer) < _HEAD.size:
            return None
        head_size, payload_size, number, acknowledged = _HEAD.unpack_from(buffer)
        if head_size > self.most_text or payload_size > self.most_payload:
            raise BrokenStream(f"a frame of {head_size + payload_size} bytes is too long")
        start, end = _HEAD.size + head_size, _HEAD.size + head_size + payload_size
        if len(buffer) < end:
            return None
        head, payload = bytes(buffer[_HEAD.size : start]), bytes(buffer[start:end])
        del buffer[:end]
        return Frame(read(head, self._table), payload, number, acknowledged)

    def take(self) -> bytes:
        """What was received and is no whole frame yet; it is forgotten here."""
        rest = bytes(self._buffer)
        self._buffer.clear()
        return rest


class Link:
    """The member's side of a connection without a session yet: one thread sends and receives; each wait is limited."""

    def __init__(self, channel: Channel) -> None:
        self.channel = channel
        self._receive_poll = select.poll()
        self._receive_poll.register(channel, select.POLLIN)
        self._send_poll = select.poll()
        self._send_poll.register(channel, select.POLLOUT)

    def send(self, data: bytes, timeout: float) -> None:
        """Sends all or raises: LinkClosed, or TimeoutError after which the link is of no use any more."""
        deadline = time.monotonic() + timeout
        view = memoryview(data)
        while True:
            try:
                if view:
                    view = view[self.channel.send(view) :]
                    continue
                if self.channel.flush():
                    return
            except BlockingIOError:
                pass
            except (OSError, TlsProblem):
                raise LinkClosed from None
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            self._send_poll.poll(left * 1000)

    def receive(self, size: int, timeout: float) -> bytes:
        """Up to `size` bytes, empty if none came in time; raises LinkClosed or TlsProblem."""
        try:
            if not self._receive_poll.poll(max(0.0, timeout) * 1000):
                return b""
            data = self.channel.receive(size)
        except BlockingIOError:
            return b""
        except (OSError, ValueError):
            raise LinkClosed from None
        if not data:
            raise LinkClosed
        return data

    def close(self) -> None:
        """Closes the connection."""
        self.channel.close()
