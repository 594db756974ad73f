# SPDX-License-Identifier: Apache-2.0
"""A listening socket for worker processes, which authenticate with the run's key."""

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


class WorkerListener:
    """Accepts connections of workers and hands each to the job that it belongs to.

    Attributes:
        address: ``host:port`` that workers connect to.
        key: The secret that they authenticate with, in hexadecimal.

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
        threading.Thread(target=self._listen, name="conformance-listener", daemon=True).start()

    def expect(self, job: str) -> queue.SimpleQueue[Arrival]:
        """The queue of a job's workers; workers of jobs that nobody expects are refused."""
        return self._expected.setdefault(job, queue.SimpleQueue())

    def forget(self, job: str) -> None:
        """Refuses the workers of a job from now on."""
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
            # In a thread of its own: a client that sends nothing must not block the others.
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
