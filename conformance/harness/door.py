"""Where workers come in: one port, which only those who know the run's key can pass."""

from __future__ import annotations

import contextlib
import queue
import secrets
import socket
import threading
from multiprocessing import AuthenticationError  # noqa: TID251  (for its challenge: messages go as bytes)
from multiprocessing.connection import (  # noqa: TID251  (for its challenge: messages go as bytes)
    Connection,
    answer_challenge,
    deliver_challenge,
)

from .messages import Hello
from .wire import MessageError, receive

Arrival = tuple[Hello, Connection]


class Door:
    """Listens for workers and sorts them by their jobs.

    Attributes:
        address: ``host:port`` that workers dial.
        key: What they must know, in hexadecimal.

    Args:
        is_local: Whether all workers are on this machine.
    """

    def __init__(self, is_local: bool) -> None:
        host = "127.0.0.1" if is_local else ""
        self._socket = socket.create_server((host, 0), backlog=128)
        name = host or socket.getfqdn()
        self.address = f"{name}:{self._socket.getsockname()[1]}"
        self.key = secrets.token_hex(16)
        self._expected: dict[str, queue.SimpleQueue[Arrival]] = {}
        threading.Thread(target=self._listen, name="conformance-door", daemon=True).start()

    def expect(self, job: str) -> queue.SimpleQueue[Arrival]:
        """Where the workers of a job will be found; others are turned away."""
        return self._expected.setdefault(job, queue.SimpleQueue())

    def forget(self, job: str) -> None:
        """Turns the workers of a job away from now on."""
        self._expected.pop(job, None)

    def close(self) -> None:
        """Stops listening."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def _listen(self) -> None:
        while True:
            try:
                link, _ = self._socket.accept()
            except OSError:
                return  # closed
            # In a thread of its own, so that a stranger who says nothing keeps nobody waiting.
            threading.Thread(target=self._admit, args=(link,), name="conformance-admit", daemon=True).start()

    def _admit(self, link: socket.socket) -> None:
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection = Connection(link.detach())
        try:
            deliver_challenge(connection, bytes.fromhex(self.key))
            answer_challenge(connection, bytes.fromhex(self.key))
            hello = receive(connection)
        except (AuthenticationError, EOFError, OSError, MessageError):
            connection.close()
            return
        found = self._expected.get(hello.job) if isinstance(hello, Hello) else None
        if found is None:
            connection.close()
        else:
            found.put((hello, connection))
