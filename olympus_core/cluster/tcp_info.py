# SPDX-License-Identifier: Apache-2.0
"""What the kernel knows of a TCP connection: whether the other side's kernel acknowledges what is sent.

A kernel acknowledges for its processes whether they run, are stopped, swapped out or hold Python's lock. So a machine
and its network are alive while acknowledgements come, whatever the process does.
"""

from __future__ import annotations

import socket
import struct
from typing import NamedTuple

# The first fields of Linux's `struct tcp_info`, which grows at its end only.
_FIELDS = struct.Struct("=8B 13I")
_PROBES, _UNACKED, _LAST_ACK = 3, 8 + 4, 8 + 12
_SIZE = 256  # asked for; older kernels give less

_KEEPALIVE = {"TCP_KEEPIDLE": 5, "TCP_KEEPINTVL": 5, "TCP_KEEPCNT": 127}  # seconds, seconds, packets


class TcpInfo(NamedTuple):
    """The acknowledgements of a connection.

    Args:
        unanswered: Whether something that was sent, data or a probe, waits for its acknowledgement.
        age: Seconds since the last acknowledgement came.
    """

    unanswered: bool
    age: float


def tcp_info(sock: socket.socket) -> TcpInfo | None:
    """The state of a socket's connection; None where it is no TCP connection, or the system does not tell.

    A peer whose buffer is full has acknowledged all that it had room for, so it is not unanswered between two of the
    kernel's probes, which come up to two minutes apart.

    Example:
        >>> with socket.socket(socket.AF_UNIX) as local:
        ...     tcp_info(local) is None
        True
    """
    if sock.family not in (socket.AF_INET, socket.AF_INET6):
        return None
    try:
        data = sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _SIZE)
        values = _FIELDS.unpack_from(data)
    except (AttributeError, OSError, struct.error):
        return None
    return TcpInfo(bool(values[_UNACKED] or values[_PROBES]), values[_LAST_ACK] / 1000.0)


def keep_alive(sock: socket.socket) -> None:
    """Lets the kernel ask the other side's each 5 s where nothing else is sent, also while this process is stopped."""
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in _KEEPALIVE.items():
            if hasattr(socket, name):
                sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
    except OSError:
        pass  # the connection has ended, which is met when it is read
