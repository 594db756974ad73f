# SPDX-License-Identifier: Apache-2.0
"""Asks a machine's kernel for a sign of life: whether it answers, be it that nothing listens there."""

from __future__ import annotations

import contextlib
import errno
import socket

Endpoint = tuple[int, tuple[object, ...]]

_PERIOD = 0.5  # seconds between an answer and the next question
_ANSWER_TIME = 2.0  # beyond which there is none
_ANSWERS = frozenset({0, errno.EISCONN, errno.ECONNREFUSED})
_PENDING = frozenset({errno.EINPROGRESS, errno.EALREADY, errno.EWOULDBLOCK})


class MachineProbe:
    """Dials an address again and again, without waiting.

    Args:
        endpoint: Family and address of the connection that a process had: its port is nobody's now, so that the
            kernel refuses what is dialled there.

    Example:
        >>> probe = MachineProbe((socket.AF_INET, ("127.0.0.1", 9)))
        >>> probe.look(0.0)
        0.0
        >>> probe.close()
    """

    def __init__(self, endpoint: Endpoint) -> None:
        self._family, self._address = endpoint
        self._socket: socket.socket | None = None
        self._asked = float("-inf")
        self._answers_since: float | None = None

    def look(self, now: float) -> float:
        """For how long the machine has answered each question until now, in seconds; 0 where it does not."""
        if self._socket is None and now - self._asked >= _PERIOD:
            self._asked = now
            self._socket = socket.socket(self._family, socket.SOCK_STREAM)
            self._socket.setblocking(False)
        if self._socket is not None:
            self._judge(self._socket, now)
        return now - self._answers_since if self._answers_since is not None else 0.0

    def close(self) -> None:
        """Ends a question under way."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _judge(self, sock: socket.socket, now: float) -> None:
        code = errno.EHOSTUNREACH
        with contextlib.suppress(OSError):
            code = sock.connect_ex(self._address)
        if code in _PENDING and now - self._asked < _ANSWER_TIME:
            return
        self.close()
        if code not in _ANSWERS:
            self._answers_since = None
        elif self._answers_since is None:
            self._answers_since = now
