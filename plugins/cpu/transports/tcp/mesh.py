"""Authenticated connections between all pairs of processes."""

from __future__ import annotations

import errno
import hashlib
import json
import selectors
import socket
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress

from olympus_core.errors.platform import TransportError
from olympus_core.network import bind_port
from olympus_core.plugin import Rendezvous

from ..addresses import address_towards
from .handshake import DiallerHandshake, ListenerHandshake, Verdict

_HANDSHAKE_TIME = 5.0  # seconds for a handshake
_CHECK_PERIOD = 0.05  # seconds between two checks of the job's state
_RETRY_DELAY = 0.05  # before a process that closed the connection is dialled again
_MOST_UNAUTHENTICATED = 64  # accepted connections
_ACCEPTS = 16  # in a row, before other sockets are served
_BACKLOG = 128  # connections that the system keeps until they are accepted
_MOST_ADDRESS = 256  # bytes of a process's address


def connect_all(rendezvous: Rendezvous, processes: Sequence[int], timeout: float) -> dict[int, socket.socket]:
    """Connects this process with others.

    Args:
        rendezvous: Exchanges addresses and gives the key of the handshakes.
        processes: All processes to connect pairwise, ascending, this one included.
        timeout: Seconds for everything.

    Returns:
        A non-blocking socket for each other process.

    Raises:
        TransportError: A process cannot be reached, does not connect, or does not belong to the job.
    """
    deadline = time.monotonic() + timeout
    address = address_towards(rendezvous)
    with bind_port(address, _BACKLOG) as listener:  # the address that the others use only
        listener.setblocking(False)
        mine = json.dumps([address, listener.getsockname()[1]]).encode()
        digest = hashlib.sha256(repr(list(processes)).encode()).hexdigest()[:16]
        answers = rendezvous.exchange(f"tcp addresses of {len(processes)} processes {digest}", mine, processes)
        addresses = {p: _address_of(p, answer) for p, answer in zip(processes, answers, strict=True)}
        with _Handshakes(rendezvous, processes, addresses, listener) as handshakes:
            links = handshakes.run(deadline)
    for link in links.values():
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return links


def _address_of(process: int, text: bytes) -> tuple[str, int]:
    try:
        host, port = json.loads(text) if len(text) <= _MOST_ADDRESS else (None, None)
        if isinstance(host, str) and type(port) is int and 0 < port < 1 << 16:
            return host, port
    except (ValueError, TypeError, RecursionError):
        pass
    raise TransportError("tcp", f"connecting to process {process}", "it tells no address")


class _Connection:
    """A connection during its handshake."""

    __slots__ = ("handshake", "host", "is_dialled", "is_open", "link", "received", "since")

    def __init__(self, link: socket.socket, handshake: ListenerHandshake | DiallerHandshake, host: str) -> None:
        self.link, self.handshake, self.host = link, handshake, host
        self.is_dialled = isinstance(handshake, DiallerHandshake)
        self.is_open = not self.is_dialled  # whether the system has connected it
        self.received = bytearray()
        self.since = time.monotonic()


class _Handshakes:
    """All handshakes of one process, concurrently; a context manager that closes the connections that failed.

    Args:
        rendezvous: Reports failures of the job.
        processes: All processes to connect.
        addresses: The address at which each of them listens.
        listener: This process's listening socket.
    """

    def __init__(
        self, rendezvous: Rendezvous, processes: Sequence[int], addresses: dict[int, tuple[str, int]],
        listener: socket.socket,
    ) -> None:
        self._rendezvous, self._own, self._addresses = rendezvous, rendezvous.process_index, addresses
        self._key = rendezvous.key("connections of the tcp transport")
        self._others = frozenset(processes) - {self._own}
        self._diallers = frozenset(p for p in processes if p > self._own)  # this one dials smaller indices
        self._due = {p: 0.0 for p in processes if p < self._own}  # when to dial, by the clock
        self._closed: dict[int, str] = {}  # why the last connection to a process ended
        self._listener = listener
        self._selector = selectors.DefaultSelector()
        self._selector.register(listener, selectors.EVENT_READ, None)
        self._pending: dict[_Connection, None] = {}  # the oldest first
        self._links: dict[int, socket.socket] = {}
        self._is_done = False

    def run(self, deadline: float) -> dict[int, socket.socket]:
        """Connects all processes."""
        while self._links.keys() != self._others:
            self._rendezvous.check()
            now = time.monotonic()
            if now > deadline:
                raise self._too_late()
            for process in [p for p, due in self._due.items() if due <= now]:
                del self._due[process]
                self._dial(process)
            for key, _ in self._selector.select(min(_CHECK_PERIOD, deadline - now)):
                if key.data is None:
                    self._accept()
                elif key.data in self._pending:
                    self._move(key.data)
            for connection in [c for c in self._pending if now - c.since > _HANDSHAKE_TIME]:
                self._end(connection, "no handshake in time")
        self._is_done = True
        return self._links

    def __enter__(self) -> _Handshakes:
        return self

    def __exit__(self, *_: object) -> None:
        for connection in self._pending:
            connection.link.close()
        for link in () if self._is_done else self._links.values():
            link.close()
        self._selector.close()

    def _dial(self, process: int) -> None:
        host, port = self._addresses[process]
        link = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
        link.setblocking(False)
        connection = _Connection(link, DiallerHandshake(self._key, self._own, process), host)
        self._pending[connection] = None
        self._selector.register(link, selectors.EVENT_WRITE, connection)
        try:
            link.connect((host, port))
        except BlockingIOError:
            pass
        except OSError as error:
            self._end(connection, str(error), error.errno)

    def _accept(self) -> None:
        for _ in range(_ACCEPTS):
            try:
                link, (host, *_) = self._listener.accept()
            except BlockingIOError:
                return
            except OSError as error:  # the peer has closed it; or descriptors have run out, and one is freed
                if error.errno not in (errno.EMFILE, errno.ENFILE) or not self._evict():
                    return
                continue
            link.setblocking(False)
            connection = _Connection(link, ListenerHandshake(self._key, self._own, self._diallers), host)
            self._pending[connection] = None
            self._selector.register(link, selectors.EVENT_READ, connection)
            if sum(not c.is_dialled for c in self._pending) > _MOST_UNAUTHENTICATED:
                self._evict()
            if connection in self._pending:
                self._send(connection, connection.handshake.first())

    def _evict(self) -> bool:
        """Ends the oldest unauthenticated connection of the address that has most of them."""
        unknown = [c for c in self._pending if not c.is_dialled]
        if not unknown:
            return False
        most = Counter(c.host for c in unknown).most_common(1)[0][0]
        self._end(next(c for c in unknown if c.host == most), "too many unauthenticated connections")
        return True

    def _move(self, connection: _Connection) -> None:
        """Drives a handshake as far as possible."""
        if not connection.is_open:
            code = connection.link.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
            if code:
                self._end(connection, OSError(code, errno.errorcode.get(code, "")).strerror or "", code)
                return
            connection.is_open = True
            self._selector.modify(connection.link, selectors.EVENT_READ, connection)
            return
        handshake, received = connection.handshake, connection.received
        while handshake.lacks:
            try:
                piece = connection.link.recv(handshake.lacks - len(received))
            except BlockingIOError:
                return
            except OSError as error:
                self._end(connection, str(error))
                return
            if not piece:
                self._end(connection, "it closed the connection")
                return
            received += piece
            if len(received) < handshake.lacks:
                continue
            verdict, reply = handshake.take(bytes(received))
            received.clear()
            if verdict is Verdict.REJECTED:
                self._reject(connection)
                return
            if not self._send(connection, reply):
                return
            if verdict is Verdict.AUTHENTICATED:
                self._keep(connection)
                return

    def _send(self, connection: _Connection, message: bytes) -> bool:
        """Sends a few bytes, which fit an idle connection's buffer."""
        try:
            if not message or connection.link.send(message) == len(message):
                return True
            self._end(connection, "it accepts no data")
        except OSError as error:
            self._end(connection, str(error))
        return False

    def _keep(self, connection: _Connection) -> None:
        process = connection.handshake.process
        del self._pending[connection]
        self._selector.unregister(connection.link)
        before = self._links.get(process)
        if before is not None:  # the peer has given that one up, since it dialled again
            before.close()
        self._links[process] = connection.link

    def _reject(self, connection: _Connection) -> None:
        self._end(connection, "")
        if connection.is_dialled:
            raise TransportError(
                "tcp", f"connecting to process {connection.handshake.process}",
                "the process that listens there lacks the job's secret")

    def _end(self, connection: _Connection, reason: str, code: int | None = None) -> None:
        """Ends a connection; a process that this one dials is dialled again, unless nobody listens there."""
        self._pending.pop(connection, None)
        with suppress(KeyError, ValueError):
            self._selector.unregister(connection.link)
        connection.link.close()
        if not connection.is_dialled:
            return
        process = connection.handshake.process
        if code is not None and code not in (errno.ETIMEDOUT, errno.ECONNRESET, errno.EINTR, errno.EAGAIN):
            self._rendezvous.check()
            host, port = self._addresses[process]
            raise TransportError("tcp", f"connecting to process {process}", f"{host}:{port} does not answer ({reason})")
        self._closed[process] = reason
        self._due[process] = time.monotonic() + _RETRY_DELAY

    def _too_late(self) -> TransportError:
        missing = sorted(self._others - self._links.keys())
        reasons = [f"process {p}: {self._closed[p]}" for p in missing if p in self._closed]
        more = f" ({'; '.join(reasons)}; perhaps not the same job's)" if reasons else ""
        return TransportError("tcp", "connecting the processes", f"processes {missing} did not connect{more}")
