# SPDX-License-Identifier: Apache-2.0
"""Strangers, and authenticated processes of no job: many connections at once, slow ones, floods."""

from __future__ import annotations

import contextlib
import random
import socket
from collections import deque

from . import samples
from .packets import noise, packet
from .seats import reset, show_secret

_LINGERING = 150  # idle connections that stay open as long as the coordinator permits
_FLOOD = 60


class Crowd:
    """Connects to a coordinator's port.

    Args:
        port: The port of this machine.
        secret: The job's secret.
        seed: Of the first packet.
    """

    def __init__(self, port: int, secret: bytes, seed: int) -> None:
        self._port, self._secret, self._seed = port, secret, seed
        self._lingering: deque[socket.socket] = deque()
        self.sent = self.refused = 0

    def act(self) -> None:
        """One connection, or a flood of them."""
        choice = random.Random(self._seed)
        draw = choice.random()
        try:
            if draw < 0.01:
                for _ in range(_FLOOD):
                    self._keep(self._dial(choice))
                self.sent += _FLOOD
            elif draw < 0.5:
                self._noise(choice)
            else:
                self._know_the_secret(choice)
        except OSError:
            self.refused += 1  # it was rejected or disconnected
        self._seed += 1

    def _dial(self, choice: random.Random) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self._port), 10, (_source(choice), 0))

    def _noise(self, choice: random.Random) -> None:
        sock = self._dial(choice)
        data = noise(self._seed)
        cut = choice.randrange(len(data) + 1)
        self.sent += 1
        try:
            sock.sendall(data[:cut])
            sock.sendall(data[cut:])
        finally:
            if choice.random() < 0.3:
                self._keep(sock)
            else:
                reset(sock)

    def _know_the_secret(self, choice: random.Random) -> None:
        sock = show_secret(self._port, self._secret, _source(choice))
        try:
            for number in range(choice.randrange(1, 6)):
                table = samples.FROM_MEMBERS if number or choice.random() < 0.5 else _HELLO
                self.sent += 1
                sock.sendall(packet(self._seed * 1000 + number, table)[1])
            if choice.random() < 0.3:
                sock.settimeout(0.05)
                with contextlib.suppress(OSError):
                    sock.recv(1 << 16)
        finally:
            reset(sock)

    def _keep(self, sock: socket.socket) -> None:
        self._lingering.append(sock)
        if len(self._lingering) > _LINGERING:
            reset(self._lingering.popleft())

    def close(self) -> None:
        """Ends those that linger."""
        while self._lingering:
            reset(self._lingering.popleft())


_HELLO = {kind: samples.FROM_MEMBERS[kind] for kind in ("hello", "resume")}


def _source(choice: random.Random) -> str:
    return f"127.0.0.{choice.choice((1, 1, 1, 2, 3))}"
