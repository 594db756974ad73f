# SPDX-License-Identifier: Apache-2.0
"""Makes and remakes this process's connections, in the engine's thread: dials larger indices, accepts smaller ones.

The smaller index dials, so process 0 listens at no port. It dials when it first sends to a process or waits for a block
of it, and again whenever the connection has ended or gone silent.
"""

from __future__ import annotations

import errno
import os
import selectors
import socket
import time
from collections import Counter
from contextlib import suppress
from functools import partial
from typing import Protocol

from olympus_core.dataclass import dataclass
from olympus_core.errors.platform import ProcessConnectionError, TransportError
from olympus_core.plugin import Rendezvous

from .handshake import DiallerHandshake, ListenerHandshake, Verdict

_CONNECT_TIME = 2.0  # seconds for the system to connect, before it is asked anew: it waits ever longer between tries
_HANDSHAKE_TIME = 5.0  # seconds for a handshake
_RETRY_DELAY = 0.05  # before a process is dialled again
_LONGEST_DELAY = 1.0
_MOST_UNAUTHENTICATED = 64  # accepted connections
_ACCEPTS = 16  # in a row, before other sockets are served
_KEEPALIVE_IDLE, _KEEPALIVE_PERIOD, _KEEPALIVE_COUNT = 1, 1, 8  # the kernel asks whether the other one lives


@dataclass(frozen=True, slots=True)
class Limits:
    """How long connections may take.

    Args:
        connect: Seconds until a process that is dialled for the first time must have answered.
        reconnect: Seconds in which a connection that has ended, or is silent, must have been made anew.
        redial: Seconds of silence after which a connection is made anew, beside the one that there is.
    """

    connect: float = 6.0
    reconnect: float = 40.0
    redial: float = 4.0


class Links(Protocol):
    """The engine, as the connector sees it."""

    def received(self, process: int) -> int:
        """Gives up the connection to a process, and returns how many bytes of its stream have been received."""

    def attach(self, process: int, connection: socket.socket, offset: int) -> None:
        """Takes an authenticated connection, and the number of bytes that the other side has received."""

    def lose(self, process: int, error: TransportError) -> None:
        """A process cannot be reached."""


class _Attempt:
    """A connection during its handshake."""

    __slots__ = ("deadline", "handshake", "host", "is_open", "received", "sock")

    def __init__(self, sock: socket.socket, handshake: ListenerHandshake | DiallerHandshake, host: str) -> None:
        self.sock, self.handshake, self.host = sock, handshake, host
        self.is_open = not self.is_dialled  # whether the system has connected it
        self.received = bytearray()
        self.deadline = time.monotonic() + (_CONNECT_TIME if self.is_dialled else _HANDSHAKE_TIME)

    @property
    def is_dialled(self) -> bool:
        """Whether this process has dialled."""
        return isinstance(self.handshake, DiallerHandshake)


class _Dial:
    """A process that is being dialled.

    Attributes:
        due: When to dial next, by the monotonic clock.
        alive_at: When its kernel last accepted a connection whose handshake it may still make; at first now.
        reason: Why the last connection ended.
    """

    __slots__ = ("alive_at", "attempt", "delay", "due", "is_first", "process", "reason")

    def __init__(self, process: int, is_first: bool, now: float) -> None:
        self.process, self.is_first, self.due, self.alive_at = process, is_first, now, now
        self.delay, self.reason = _RETRY_DELAY, "no answer"
        self.attempt: _Attempt | None = None


class Connector:
    """All connections that are being made.

    Attributes:
        selector: The engine's; what is registered with it is called with the events.

    Args:
        rendezvous: Gives the key of the handshakes.
        links: Takes what is connected.
        limits: How long connections may take.
    """

    def __init__(self, rendezvous: Rendezvous, links: Links, limits: Limits) -> None:
        self._own, self._links, self._limits = rendezvous.process_index, links, limits
        self._key = rendezvous.key("connections of the tcp transport")
        self.selector = selectors.DefaultSelector()
        self._diallers = frozenset(range(self._own))
        self._addresses: dict[int, tuple[str, int]] = {}
        self._attempts: dict[_Attempt, None] = {}  # the oldest first
        self._dials: dict[int, _Dial] = {}
        self._listener: socket.socket | None = None

    @property
    def has_work(self) -> bool:
        """Whether a connection is being made."""
        return bool(self._attempts or self._dials)

    def listen(self, listener: socket.socket) -> None:
        """Accepts connections from now on."""
        listener.setblocking(False)
        self._listener = listener
        self.selector.register(listener, selectors.EVENT_READ, self._accept)

    def know(self, process: int, address: tuple[str, int]) -> None:
        """Learns where a process listens."""
        self._addresses[process] = address

    def dial(self, process: int, is_first: bool, delay: float = 0.0) -> None:
        """Begins to dial a process, unless it is being dialled.

        Args:
            process: Its index.
            is_first: Whether there has been no connection to it yet.
            delay: Seconds to wait before.
        """
        if process not in self._dials:
            dial = self._dials[process] = _Dial(process, is_first, time.monotonic())
            dial.due += delay
            if not delay:
                self._try(dial)

    def cancel(self, process: int) -> None:
        """Gives up dialling: the connection that there is lives."""
        dial = self._dials.pop(process, None)
        if dial is not None and dial.attempt is not None:
            self._drop(dial.attempt)

    def tick(self, now: float) -> float | None:
        """Does what is due, and returns when to be called again."""
        for attempt in [a for a in self._attempts if now >= a.deadline]:
            self._end(attempt, "no handshake in time" if attempt.is_open else "no answer")
        for dial in list(self._dials.values()):
            if dial.attempt is None and now >= dial.due:
                self._try(dial)
        return min((*(a.deadline for a in self._attempts),
                    *(d.due for d in self._dials.values() if d.attempt is None)), default=None)

    def close(self) -> None:
        """Ends everything that is under way, and listens no more."""
        for attempt in list(self._attempts):
            self._drop(attempt)
        self._dials.clear()
        if self._listener is not None:
            with suppress(KeyError, ValueError):
                self.selector.unregister(self._listener)
            self._listener.close()
            self._listener = None

    def _try(self, dial: _Dial) -> None:
        host, port = self._addresses[dial.process]
        sock = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
        sock.setblocking(False)
        handshake = DiallerHandshake(self._key, self._own, dial.process, self._links.received)
        attempt = dial.attempt = _Attempt(sock, handshake, host)
        self._attempts[attempt] = None
        try:
            sock.connect((host, port))
        except BlockingIOError:
            pass
        except OSError as error:
            self._end(attempt, os.strerror(error.errno) if error.errno else str(error), error.errno)
            return
        self.selector.register(sock, selectors.EVENT_WRITE, partial(self._move, attempt))

    def _accept(self, _: int) -> None:
        for _ in range(_ACCEPTS):
            if self._listener is None:
                return
            try:
                sock, (host, *_rest) = self._listener.accept()
            except BlockingIOError:
                return
            except OSError as error:  # the peer has closed it; or descriptors have run out, and one is freed
                if error.errno not in (errno.EMFILE, errno.ENFILE) or not self._evict():
                    return
                continue
            sock.setblocking(False)
            handshake = ListenerHandshake(self._key, self._own, self._diallers, self._links.received)
            attempt = _Attempt(sock, handshake, host)
            self._attempts[attempt] = None
            self.selector.register(sock, selectors.EVENT_READ, partial(self._move, attempt))
            if sum(not a.is_dialled for a in self._attempts) > _MOST_UNAUTHENTICATED:
                self._evict()
            if attempt in self._attempts:
                self._send(attempt, attempt.handshake.first())

    def _evict(self) -> bool:
        """Ends the oldest unauthenticated connection of the address that has most of them."""
        unknown = [a for a in self._attempts if not a.is_dialled]
        if not unknown:
            return False
        most = Counter(a.host for a in unknown).most_common(1)[0][0]
        self._drop(next(a for a in unknown if a.host == most))
        return True

    def _move(self, attempt: _Attempt, _: int) -> None:
        """Drives a handshake as far as possible."""
        if attempt not in self._attempts:
            return
        if not attempt.is_open and not self._has_connected(attempt):
            return
        handshake, received = attempt.handshake, attempt.received
        while handshake.lacks:
            try:
                piece = attempt.sock.recv(handshake.lacks - len(received))
            except BlockingIOError:
                return
            except OSError as error:
                self._end(attempt, str(error))
                return
            if not piece:
                self._end(attempt, "it closed the connection")
                return
            received += piece
            if len(received) < handshake.lacks:
                continue
            verdict, reply = handshake.take(bytes(received))
            received.clear()
            if verdict is Verdict.REJECTED:
                self._reject(attempt)
                return
            if not self._send(attempt, reply):
                return
            if verdict is Verdict.AUTHENTICATED:
                self._keep(attempt)
                return

    def _has_connected(self, attempt: _Attempt) -> bool:
        code = attempt.sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
        try:
            if not code and attempt.sock.getsockname() == attempt.sock.getpeername():
                code = errno.ECONNREFUSED  # Linux connects a port of the ephemeral range to itself, if nobody listens
        except OSError as error:  # it has been reset already
            code = error.errno or errno.ECONNRESET
            code = errno.ECONNRESET if code == errno.ENOTCONN else code
        if code:
            self._end(attempt, os.strerror(code), code)
            return False
        now = time.monotonic()
        attempt.is_open, attempt.deadline = True, now + _HANDSHAKE_TIME
        self.selector.modify(attempt.sock, selectors.EVENT_READ, partial(self._move, attempt))
        return True

    def _send(self, attempt: _Attempt, message: bytes) -> bool:
        """Sends a few bytes, which fit an idle connection's buffer."""
        try:
            if not message or attempt.sock.send(message) == len(message):
                return True
            self._end(attempt, "it accepts no data")
        except OSError as error:
            self._end(attempt, str(error))
        return False

    def _keep(self, attempt: _Attempt) -> None:
        process, sock = attempt.handshake.process, attempt.sock
        del self._attempts[attempt]
        self.selector.unregister(sock)
        if attempt.is_dialled:
            self._dials.pop(process, None)
        _set_options(sock)
        self._links.attach(process, sock, attempt.handshake.offset)

    def _reject(self, attempt: _Attempt) -> None:
        self._drop(attempt)
        if attempt.is_dialled:
            self._fail(attempt.handshake.process, "the process that listens there lacks the job's secret", 0.0)

    def _drop(self, attempt: _Attempt) -> None:
        self._attempts.pop(attempt, None)
        with suppress(KeyError, ValueError):
            self.selector.unregister(attempt.sock)
        attempt.sock.close()

    def _end(self, attempt: _Attempt, reason: str, code: int | None = None) -> None:
        """Ends a connection; a process that this one dials is dialled again, for a while."""
        self._drop(attempt)
        dial = self._dials.get(attempt.handshake.process) if attempt.is_dialled else None
        if dial is None or dial.attempt is not attempt:
            return
        now = time.monotonic()
        if attempt.is_open and now >= attempt.deadline:
            dial.alive_at = now  # its kernel answers, and it may be late
        dial.attempt, dial.reason = None, reason
        waited = now - dial.alive_at
        is_refused = dial.is_first and code is not None and code not in (
            errno.ETIMEDOUT, errno.ECONNRESET, errno.EINTR, errno.EAGAIN)
        if is_refused or waited > (self._limits.connect if dial.is_first else self._limits.reconnect):
            self._fail(dial.process, reason, waited)
            return
        dial.due = now + dial.delay
        dial.delay = min(2 * dial.delay, _LONGEST_DELAY)

    def _fail(self, process: int, reason: str, waited: float) -> None:
        dial = self._dials.pop(process, None)
        host, port = self._addresses[process]
        option = "olympus_connect_timeout" if dial is None or dial.is_first else "olympus_reconnect_timeout"
        where = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        self._links.lose(process, ProcessConnectionError("tcp", process, where, reason, waited, option))


def _set_options(sock: socket.socket) -> None:
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    # The kernels of an idle connection ask each other, so that silence is known on both sides.
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in (("TCP_KEEPIDLE", _KEEPALIVE_IDLE), ("TCP_KEEPINTVL", _KEEPALIVE_PERIOD),
                        ("TCP_KEEPCNT", _KEEPALIVE_COUNT)):
        option = getattr(socket, name, None)
        if option is not None:
            with suppress(OSError):
                sock.setsockopt(socket.IPPROTO_TCP, option, value)
