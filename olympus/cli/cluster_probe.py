# SPDX-License-Identifier: Apache-2.0
"""What `olympus doctor --cluster` says to the other processes: small authenticated messages, then probes of a path."""

from __future__ import annotations

import contextlib
import hmac
import json
import secrets
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

# Seconds: for a connection, and for each answer on it.
CONNECT_TIME, ANSWER_TIME = 5.0, 5.0
# Who asks judges: the answering side must not give a conversation up before the asking one does.
_SERVE_TIME = 3 * ANSWER_TIME
# What a message of a program's start has at most; what a path is tried with, and what its bandwidth is measured with.
_MOST_BYTES = 1 << 20
LARGE, _BULK = 1 << 16, 1 << 20
_PINGS = 3
_MOST_CONNECTIONS = 512
_MOST_PROBES = 64


class ProbeError(Exception):
    """A conversation that came to nothing, in words."""


class SecretsDiffer(ProbeError):
    """The other side does not know the secret."""

    def __init__(self) -> None:
        super().__init__("the secrets of both differ (OLYMPUS_SECRET_FILE names the file of all members)")


@dataclass(frozen=True)
class Path:
    """What a process found on the way to another's address.

    Args:
        process: The other one.
        address: Where it was dialled, host and port.
        problem: Why it is not reached, in words; None where it is.
        latency: Seconds of a message and its answer, the least of several.
        bandwidth: Bytes in a second, by a message of 1 MiB; None where that was not tried.
        clock: Seconds by which the other machine's clock is ahead.
    """

    process: int
    address: str
    problem: str | None = None
    latency: float | None = None
    bandwidth: float | None = None
    clock: float | None = None

    def to_message(self) -> dict[str, Any]:
        """As a message's part."""
        return asdict(self)


class Talk:
    """A connection between two doctors, whose every message is authenticated with the job's secret.

    Args:
        sock: The connection; both sides have a time limit for each step.

    Attributes:
        sealed: What process 0 has told of the secret.
    """

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self._data = b""
        self._nonce = secrets.token_hex(16)
        self._theirs = ""
        self._key = b""
        self.sealed = b""

    def greet(self, sealed: bytes = b"") -> None:
        """Sends what the other side's proof has to be made of."""
        self._send({"nonce": self._nonce, "sealed": sealed.hex()})

    def greeted(self, key: Callable[[bytes], bytes]) -> None:
        """Takes the other side's greeting.

        Args:
            key: Gives the secret, from what the greeting brings.
        """
        greeting = self._receive()
        self._theirs = str(greeting.get("nonce", ""))
        try:
            self.sealed = bytes.fromhex(str(greeting.get("sealed", "")))
            self._key = key(self.sealed)
        except ValueError:
            raise ProbeError("it says what no doctor says") from None

    def say(self, body: dict[str, Any]) -> None:
        """Sends a message with its proof."""
        text = json.dumps(body)
        self._send({"body": text, "proof": self._proof(self._theirs, text)})

    def hear(self) -> dict[str, Any]:
        """The next message, if it is of somebody who knows the secret."""
        message = self._receive()
        text = message.get("body")
        if message.get("error") == "secret" or not isinstance(text, str) or not hmac.compare_digest(
            str(message.get("proof", "")).encode(), self._proof(self._nonce, text).encode()
        ):
            raise SecretsDiffer
        body = json.loads(text)
        if not isinstance(body, dict):
            raise ProbeError("it says what no doctor says")
        return body

    def take(self, size: int) -> bytes:
        """So many raw bytes."""
        while len(self._data) < size:
            self._more()
        taken, self._data = self._data[:size], self._data[size:]
        return taken

    def refuse(self) -> None:
        """Tells the other side that its proof is not accepted."""
        self._send({"error": "secret"})

    def _proof(self, nonce: str, text: str) -> str:
        return hmac.new(self._key, f"olympus doctor {nonce} {text}".encode(), "sha256").hexdigest()

    def _send(self, message: dict[str, Any]) -> None:
        self.sock.sendall(json.dumps(message).encode() + b"\n")

    def _receive(self) -> dict[str, Any]:
        while b"\n" not in self._data:
            if len(self._data) > _MOST_BYTES:
                raise ProbeError("it says too much")
            self._more()
        line, _, self._data = self._data.partition(b"\n")
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, dict):
            raise ProbeError("another program listens there")
        return message

    def _more(self) -> None:
        piece = self.sock.recv(1 << 16)
        if not piece:
            raise ProbeError("it closed the connection")
        self._data += piece


class Server:
    """Answers the other processes at one listening socket, each in a thread of its own.

    Args:
        listener: Where.
        key: The job's secret.
        sealed: The same for processes that have it from process 0.
        on_hello: Called with a process's facts and its conversation, in the thread; None where only probes come.
    """

    def __init__(
        self, listener: socket.socket, key: bytes, sealed: bytes,
        on_hello: Callable[[dict[str, Any], Talk], None] | None = None,
    ) -> None:
        self._listener, self._key, self._sealed, self._on_hello = listener, key, sealed, on_hello
        self._free = threading.Semaphore(_MOST_CONNECTIONS)
        self.turned_away: list[str] = []
        threading.Thread(target=self._run, name="olympus-doctor", daemon=True).start()

    def _run(self) -> None:
        while True:
            try:
                sock, where = self._listener.accept()
            except OSError:
                return
            if self._free.acquire(timeout=ANSWER_TIME):
                threading.Thread(target=self._serve, args=(sock, where[0]), name="olympus-doctor", daemon=True).start()
            else:
                sock.close()

    def _serve(self, sock: socket.socket, host: str) -> None:
        # A member of another version may say what this one does not understand.
        with contextlib.suppress(OSError, ProbeError, KeyError, TypeError, ValueError), sock:
            sock.settimeout(_SERVE_TIME)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            talk = Talk(sock)
            talk.greet(self._sealed)
            talk.greeted(lambda _: self._key)
            try:
                body = talk.hear()
            except SecretsDiffer as error:
                self.turned_away.append(f"{host}: {error}")
                talk.refuse()
            else:
                self._answer(body, talk)
        self._free.release()

    def _answer(self, body: dict[str, Any], talk: Talk) -> None:
        if body.get("kind") == "hello" and self._on_hello is not None:
            self._on_hello(body, talk)
        elif body.get("kind") == "probe":
            talk.say({"time": time.time()})
            for _ in range(_MOST_PROBES):
                size = int.from_bytes(talk.take(4), "big")
                if size > _MOST_BYTES:
                    return
                talk.take(size)
                talk.sock.sendall(b"+")


def open_talk(host: str, port: int, key: Callable[[bytes], bytes], timeout: float = CONNECT_TIME) -> Talk:
    """Connects with another doctor; raises OSError where nobody answers.

    Args:
        host: Its address.
        port: Its port.
        key: Gives the job's secret, from what the other side's greeting brings.
        timeout: Seconds for the connection, and then for each answer.
    """
    sock = socket.create_connection((host, port), timeout)
    try:
        sock.settimeout(ANSWER_TIME)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        talk = Talk(sock)
        talk.greet()
        talk.greeted(key)
        return talk
    except BaseException:
        sock.close()
        raise


def probe(process: int, host: str, port: int, key: bytes) -> Path:
    """Tries the way to another process's port.

    Args:
        process: The other one.
        host: An address of its machine.
        port: Where it listens.
        key: The job's secret.
    """
    shown = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    step = "nothing answers (a firewall drops what is sent to this port, or this network does not lead there)"
    latency = bandwidth = clock = None
    try:
        talk = open_talk(host, port, lambda _: key)
        with talk.sock:
            step = "it accepts the connection, and then says nothing"
            before = time.time()
            talk.say({"kind": "probe"})
            theirs = talk.hear().get("time")
            clock = float(theirs) - (before + time.time()) / 2 if isinstance(theirs, (int, float)) else None
            latency = min(_send(talk, 1) for _ in range(_PINGS))
            step = (
                "small messages pass and one of 64 KiB does not: packets of full size are lost on the way (check the "
                "MTU of all interfaces and tunnels in between)")
            _send(talk, LARGE)
            step = "a message of 1 MiB takes too long"
            bandwidth = _BULK / _send(talk, _BULK)
        return Path(process, shown, None, latency, bandwidth, clock)
    except TimeoutError:
        return Path(process, shown, step, latency, bandwidth, clock)
    except OSError as error:
        return Path(process, shown, error.strerror or str(error), latency, bandwidth, clock)
    except ProbeError as error:
        return Path(process, shown, str(error), latency, bandwidth, clock)


def _send(talk: Talk, size: int) -> float:
    """Seconds until a message of so many bytes is answered."""
    started = time.perf_counter()
    talk.sock.sendall(size.to_bytes(4, "big") + bytes(size))
    talk.take(1)
    return time.perf_counter() - started


def close(sock: socket.socket | None) -> None:
    """Closes a listener, and with it the thread that waits there."""
    if sock is not None:
        with contextlib.suppress(OSError):
            sock.shutdown(socket.SHUT_RDWR)
        sock.close()
