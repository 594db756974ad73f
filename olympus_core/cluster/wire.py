"""Frames over TCP: a preamble once in each direction, then JSON messages with an optional binary payload."""

from __future__ import annotations

import contextlib
import json
import select
import socket
import struct
import threading
import time
from typing import Any, NamedTuple

MAGIC = b"OLYMPUS"
PROTOCOL_VERSION = 1
PREAMBLE = MAGIC + bytes([PROTOCOL_VERSION])

_HEAD = struct.Struct(">II")
STRANGER_LIMIT = 64 * 1024
MEMBER_LIMIT = 256 * 1024 * 1024

Message = dict[str, Any]


class Frame(NamedTuple):
    """One message and its payload."""

    message: Message
    payload: bytes


class LinkClosed(Exception):
    """The other side ended the connection, or it broke."""


class MalformedFrame(Exception):
    """What came is no frame."""


def encode(message: Message, payload: bytes = b"") -> bytes:
    """The bytes of a frame."""
    head = json.dumps(message, separators=(",", ":")).encode()
    return _HEAD.pack(len(head), len(payload)) + head + payload


class FrameReader:
    """Cuts a stream of bytes into frames."""

    __slots__ = ("_buffer", "limit")

    def __init__(self, limit: int = MEMBER_LIMIT) -> None:
        self._buffer = bytearray()
        self.limit = limit

    def feed(self, data: bytes) -> list[Frame]:
        """The frames completed by these bytes; raises MalformedFrame."""
        buffer = self._buffer
        buffer += data
        frames = []
        while len(buffer) >= _HEAD.size:
            head_size, payload_size = _HEAD.unpack_from(buffer)
            if head_size + payload_size > self.limit:
                raise MalformedFrame(f"a frame of {head_size + payload_size} bytes")
            end = _HEAD.size + head_size + payload_size
            if len(buffer) < end:
                break
            try:
                message = json.loads(bytes(buffer[_HEAD.size : _HEAD.size + head_size]))
            except ValueError as error:
                raise MalformedFrame(f"no JSON: {error}") from None
            if not isinstance(message, dict) or not isinstance(message.get("t"), str):
                raise MalformedFrame("no message")
            frames.append(Frame(message, bytes(buffer[_HEAD.size + head_size : end])))
            del buffer[:end]
        return frames


def prepare(sock: socket.socket) -> None:
    """Sets what every socket of the job needs: no blocking, no delay."""
    sock.setblocking(False)
    if sock.family in (socket.AF_INET, socket.AF_INET6):
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


class Link:
    """The client's side of a connection; many threads send, one receives, each wait has a deadline."""

    def __init__(self, sock: socket.socket) -> None:
        prepare(sock)
        self._socket = sock
        self._reader = FrameReader()
        self._lock = threading.Lock()
        self._receive_poll = select.poll()
        self._receive_poll.register(sock, select.POLLIN)
        self._send_poll = select.poll()
        self._send_poll.register(sock, select.POLLOUT)
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
            while view:
                try:
                    view = view[self._socket.send(view) :]
                except BlockingIOError:
                    left = deadline - time.monotonic()
                    if left <= 0:
                        self._broken = True
                        raise TimeoutError from None
                    self._send_poll.poll(left * 1000)
                except OSError:
                    self._broken = True
                    raise LinkClosed from None
        finally:
            self._lock.release()

    def receive_bytes(self, size: int, timeout: float) -> bytes:
        """Up to `size` bytes, empty if none came in time; raises LinkClosed."""
        try:
            if not self._receive_poll.poll(max(0.0, timeout) * 1000):
                return b""
            data = self._socket.recv(size)
        except BlockingIOError:
            return b""
        except (OSError, ValueError):
            raise LinkClosed from None
        if not data:
            raise LinkClosed
        return data

    def feed(self, data: bytes) -> list[Frame]:
        """Frames of bytes received otherwise; raises MalformedFrame."""
        return self._reader.feed(data)

    def receive(self, timeout: float) -> list[Frame]:
        """Frames that came within the time, perhaps none; raises LinkClosed or MalformedFrame."""
        data = self.receive_bytes(1 << 18, timeout)
        return self._reader.feed(data) if data else []

    def stop_receiving(self) -> None:
        """Ends a `receive` under way in another thread, as if the other side had closed."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RD)

    def close(self) -> None:
        """Ends the connection."""
        self._broken = True
        self._socket.close()


def describe_peer(sock: socket.socket) -> str:
    """The other side's address in words."""
    try:
        name = sock.getpeername()
    except OSError:
        return "a closed connection"
    return f"{name[0]}:{name[1]}" if isinstance(name, tuple) else "this process"
