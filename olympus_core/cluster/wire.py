"""Frames over TCP: a preamble once in each direction, then JSON messages with an optional binary payload."""

from __future__ import annotations

import select
import struct
import threading
import time
from typing import NamedTuple

from .channels import Channel, TlsProblem
from .schema import FROM_COORDINATOR, MalformedFrame, Message, Table, compose, read
from .tcp_info import TcpInfo

MAGIC = b"OLYMPUS"
PROTOCOL_VERSION = 2
PREAMBLE = MAGIC + bytes([PROTOCOL_VERSION])

_HEAD = struct.Struct(">II")
MOST_PAYLOAD = 256 * 1024 * 1024
HELLO_LIMIT = 64 * 1024  # of what a process says before it belongs to the job


class Frame(NamedTuple):
    """One message and its payload."""

    message: Message
    payload: bytes


class BrokenStream(MalformedFrame):
    """The bytes are no frame, so the beginning of the next one is unknown."""


class LinkClosed(Exception):
    """The other side ended the connection, or it broke."""


def most_text(count: int) -> int:
    """The longest text of a message in a job of so many processes: it may describe each of them."""
    return min((1 << 20) + (count << 16), 1 << 31)


def encode(message: Message, payload: bytes = b"") -> bytes:
    """The bytes of a frame."""
    return encode_head(message, len(payload)) + payload


def encode_head(message: Message, size: int) -> bytes:
    """The bytes of a frame without its payload, which has this size and follows."""
    head = compose(message)
    return _HEAD.pack(len(head), size) + head


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
        head_size, payload_size = _HEAD.unpack_from(buffer)
        if head_size > self.most_text or payload_size > self.most_payload:
            raise BrokenStream(f"a frame of {head_size + payload_size} bytes is too long")
        start, end = _HEAD.size + head_size, _HEAD.size + head_size + payload_size
        if len(buffer) < end:
            return None
        head, payload = bytes(buffer[_HEAD.size : start]), bytes(buffer[start:end])
        del buffer[:end]
        return Frame(read(head, self._table), payload)


class Link:
    """The client's side of a connection; many threads send, one receives, each wait has a deadline."""

    def __init__(self, channel: Channel, count: int = 1) -> None:
        self._channel = channel
        self._reader = FrameReader(FROM_COORDINATOR, most_text(count))
        self._lock = threading.Lock()
        self._receive_poll = select.poll()
        self._receive_poll.register(channel, select.POLLIN)
        self._send_poll = select.poll()
        self._send_poll.register(channel, select.POLLOUT)
        self._broken = False

    def send(self, data: bytes, timeout: float) -> None:
        """Sends all or raises: LinkClosed, or TimeoutError after which the link is of no use any more."""
        deadline = time.monotonic() + timeout
        if not self._lock.acquire(timeout=timeout):
            raise TimeoutError
        try:
            if self._broken:
                raise LinkClosed
            view = memoryview(data)
            while True:
                try:
                    if view:
                        view = view[self._channel.send(view) :]
                        continue
                    if self._channel.flush():
                        return
                except BlockingIOError:
                    pass
                except (OSError, TlsProblem):
                    self._broken = True
                    raise LinkClosed from None
                left = deadline - time.monotonic()
                if left <= 0:
                    self._broken = True
                    raise TimeoutError
                self._send_poll.poll(left * 1000)
        finally:
            self._lock.release()

    def receive_bytes(self, size: int, timeout: float) -> bytes:
        """Up to `size` bytes, empty if none came in time; raises LinkClosed or TlsProblem."""
        try:
            if not self._receive_poll.poll(max(0.0, timeout) * 1000):
                return b""
            data = self._channel.receive(size)
        except BlockingIOError:
            return b""
        except (OSError, ValueError):
            raise LinkClosed from None
        if not data:
            raise LinkClosed
        return data

    def feed(self, data: bytes) -> list[Frame]:
        """The frames in bytes that were received elsewhere; raises MalformedFrame."""
        self._reader.feed(data)
        frames = []
        while (frame := self._reader.frame()) is not None:
            frames.append(frame)
        return frames

    def receive(self, timeout: float) -> list[Frame]:
        """The frames received within the time, perhaps none; raises LinkClosed, TlsProblem or MalformedFrame."""
        data = self.receive_bytes(1 << 18, timeout)
        return self.feed(data) if data else []

    def tcp_info(self) -> TcpInfo | None:
        """What the kernel knows of the connection, where it does."""
        return self._channel.tcp_info()

    def stop_receiving(self) -> None:
        """Ends a `receive` under way in another thread, as if the other side had closed."""
        self._channel.end_receiving()

    def close(self) -> None:
        """Closes the connection."""
        self._broken = True
        self._channel.close()
