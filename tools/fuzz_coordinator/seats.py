# SPDX-License-Identifier: Apache-2.0
"""A coordinator and two of its members in this process; the third member, or a coordinator, is simulated."""

from __future__ import annotations

import contextlib
import logging
import os
import random
import socket
import struct
import threading
import traceback
from collections.abc import Callable, Iterator

from olympus_core import logs
from olympus_core.cluster.addresses import Address
from olympus_core.cluster.authentication import NONCE_SIZE, PROOF_SIZE, SIZE, Challenge, proof
from olympus_core.cluster.connection import Connection
from olympus_core.cluster.coordinator import Coordinator
from olympus_core.cluster.joining import Joined, Joiner
from olympus_core.cluster.member import Member
from olympus_core.cluster.secret import Secret, Secrets, Security
from olympus_core.cluster.session import UNNUMBERED
from olympus_core.cluster.settings import ClusterSettings
from olympus_core.cluster.values import pack
from olympus_core.cluster.wire import PREAMBLE, encode
from olympus_core.errors import OlympusError

from . import samples
from .packets import packet

SECRET = "f" * 64
_SETTINGS = ClusterSettings(
    heartbeat_period=0.1, heartbeat_timeout=5.0, deadlock_timeout=5.0, late_timeout=5.0, shutdown_timeout=1.0
)
_PACKETS = 20
# The ways in which a member can end its job; "lost" must name it.
_ITS_OWN = ("lost", "aborted", "timeout", "divergence", "join-timeout", "duplicate", "size", "stranger")


@contextlib.contextmanager
def faults() -> Iterator[list[str]]:
    """Collects the stacks of unexpected exceptions in threads."""
    found: list[str] = []

    class Handler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if record.exc_info:
                found.append(self.format(record))

    logger, handler, before = logging.getLogger("olympus_core.cluster"), Handler(), threading.excepthook
    level, propagates = logger.level, logger.propagate
    logger.addHandler(handler)
    logger.propagate = False
    threading.excepthook = lambda args: found.append("".join(traceback.format_exception(args.exc_value)))
    try:
        yield found
        logs.drain(1.0)
    finally:
        logger.removeHandler(handler)
        logger.propagate = propagates
        logger.setLevel(level)
        threading.excepthook = before


def show_secret(port: int, secret: bytes, source: str = "127.0.0.1") -> socket.socket:
    """An authenticated connection to a coordinator."""
    return introduced(port, secret, source)[0]


def introduced(port: int, secret: bytes, source: str = "127.0.0.1") -> tuple[socket.socket, bytes]:
    """An authenticated connection to a coordinator, and both nonces."""
    sock = socket.create_connection(("127.0.0.1", port), 10, (source, 0))
    nonce = os.urandom(NONCE_SIZE)
    sock.sendall(PREAMBLE + nonce)
    answer = _read(sock, len(PREAMBLE) + 1 + NONCE_SIZE + SIZE.size)
    theirs = answer[len(PREAMBLE) + 1 : -SIZE.size]
    sock.sendall(proof(secret, "member", nonce, theirs))
    _read(sock, 1 + PROOF_SIZE)
    return sock, nonce + theirs


def _read(sock: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        piece = sock.recv(size - len(data))
        if not piece:
            raise ConnectionResetError
        data += piece
    return data


def _joiner(port: int, process: int, count: int) -> Joiner:
    address = Address("127.0.0.1", port)
    secrets = Secrets({"OLYMPUS_SECRET": SECRET}, None, address)
    return Joiner([address], Member(process, count), 10.0, _SETTINGS, secrets, None)


def _connection(joined: Joined, process: int, count: int, coordinator: Coordinator | None) -> Connection:
    return Connection(
        joined.link, Member(process, count), joined.coordinator, joined.job, joined.machines, "here", _SETTINGS,
        coordinator, joined.secret, joined.salt, joined.early,
    )


class Job:
    """A coordinator with members 0 and 1 in threads of this process, and a connection that plays the third.

    Args:
        between: Makes the way that member 1 takes of the coordinator's port: another port.
    """

    def __init__(self, between: Callable[[int], int] = lambda port: port) -> None:
        listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
        self.port = listener.getsockname()[1]
        security = Security(Secret(SECRET.encode(), "the fuzzer"))
        self.coordinator = Coordinator(listener, Member(0, 3), f"localhost:{self.port}", 10.0, _SETTINGS, security)
        own = self.coordinator.start()
        joined: dict[int, Joined] = {}

        def join(process: int, way: socket.socket | None) -> None:
            joined[process] = _joiner(between(self.port) if process else self.port, process, 3).join(way)

        threads = [threading.Thread(target=join, args=(p, w)) for p, w in ((0, own), (1, None))]
        for thread in threads:
            thread.start()
        self.seat = show_secret(self.port, SECRET.encode())
        self.seat.sendall(encode({"t": "hello", "member": Member(2, 3, space="elsewhere").to_message()}))
        for thread in threads:
            thread.join(20)
        self.members = [_connection(joined[p], p, 3, self.coordinator if p == 0 else None) for p in (0, 1)]

    def meet(self, label: str) -> str | None:
        """Members 0 and 1 exchange values; returns the problem, unless the job has failed."""
        found: list[object] = [None, None]

        def work(process: int) -> None:
            try:
                found[process] = self.members[process].exchange(label, b"%d" % process, (0, 1))
            except OlympusError as error:
                found[process] = error

        other = threading.Thread(target=work, args=(1,))
        other.start()
        work(0)
        other.join(20)
        for process, value in enumerate(found):
            if value != [b"0", b"1"] and not (isinstance(value, OlympusError) and self.members[process].failed):
                return f"member {process} got {value!r}"
        return None

    def problem(self) -> str | None:
        """The problem after the third member's last packet, or None."""
        for member in self.members:
            fact = member._failure
            if fact is None:
                continue
            try:
                member.check()
            except OlympusError as error:
                if not str(error):
                    return "an error without words"
            if fact["kind"] not in _ITS_OWN:
                return f"the job failed of {fact['kind']}"
        return None if self.coordinator._thread.is_alive() else "the coordinator's thread has ended"

    def close(self) -> None:
        """Ends all."""
        self.seat.close()
        for member in reversed(self.members):
            member._is_closing = True
            member._close()
        self.coordinator.stop()


def play_member(seed: int, count: int = _PACKETS) -> tuple[int, str | None]:
    """A round with a misbehaving member: the number of packets that it sent, and the problem."""
    choice = random.Random(seed)
    sent, following = 0, 1
    with faults() as found:
        job = Job()
        try:
            for number in range(count):
                kind, data = packet(seed * 1000 + number, samples.FROM_MEMBERS, following)
                if kind in ("fail", "words", "leave", "hello", "resume") and choice.random() < 0.8:
                    continue  # these end its part, and most rounds should last
                following += kind not in UNNUMBERED
                if not _say(choice, job.seat, data):
                    break
                sent += 1
            problem = job.meet(f"after {seed}") or job.problem()
        finally:
            job.close()
    return sent, found[0] if found else problem


def _say(choice: random.Random, sock: socket.socket, data: bytes) -> bool:
    sock.settimeout(5)
    try:
        if choice.random() < 0.2 and len(data) > 2:
            cut = choice.randrange(1, len(data))
            sock.sendall(data[:cut])
            data = data[cut:]
        sock.sendall(data)
        sock.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            return bool(sock.recv(1 << 16))
    except OSError:
        return False
    return True


def play_coordinator(seed: int, count: int = _PACKETS) -> tuple[int, str | None]:
    """A round with a misbehaving coordinator: the number of packets that it sent, and the problem."""
    choice = random.Random(seed)
    outcome: list[str | None] = ["it hung"]
    with faults() as found, socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        thread = threading.Thread(target=_live, args=(port, outcome), daemon=True)
        thread.start()
        sock, _ = listener.accept()
        sent, following = 0, 1
        with sock:
            challenge = Challenge(SECRET.encode(), b"")
            while not challenge.is_over:
                sock.sendall(challenge.feed(sock.recv(1 << 16))[0])
            good = [("welcome", samples.FROM_COORDINATOR["welcome"]), ("go", samples.FROM_COORDINATOR["go"])]
            if choice.random() < 0.7:
                payloads = {"go": pack([b"m", b"m"])}
                numbers = {"welcome": 0, "go": following}
                frames = [encode({"t": k, **m}, payloads.get(k, b""), numbers[k]) for k, m in good]
                sock.sendall(b"".join(frames))
                following += 1
            for number in range(count):
                kind, data = packet(seed * 1000 + number, samples.FROM_COORDINATOR, following)
                following += kind not in UNNUMBERED
                if not _say(choice, sock, data):
                    break
                sent += 1
        listener.close()
        thread.join(20)
    return sent, found[0] if found else outcome[0]


def _live(port: int, outcome: list[str | None]) -> None:
    connection: Connection | None = None
    try:
        connection = _connection(_joiner(port, 1, 2).join(), 1, 2, None)
        for number in range(1000):
            connection.exchange(f"m{number}", b"x", (0, 1), timeout=0.2)
            connection.check_group((0, 1), number)
        outcome[0] = None
    except OlympusError as error:
        outcome[0] = None if str(error) else "an error without words"
    except BaseException:  # noqa: BLE001  (it is the outcome)
        outcome[0] = traceback.format_exc()
    finally:
        if connection is not None:
            connection._is_closing = True
            connection._close()


def reset(sock: socket.socket) -> None:
    """Ends a connection at once, without leaving its port busy."""
    with contextlib.suppress(OSError):
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    sock.close()
