# SPDX-License-Identifier: Apache-2.0
"""How long nothing has come over a connection, not even an acknowledgement of the other side's kernel."""

from __future__ import annotations

import socket
import struct

# Of Linux's `struct tcp_info`: milliseconds since data and since an acknowledgement came.
_AGES = struct.Struct("=II")
_AGES_AT = 52


def silence_of(connection: socket.socket) -> float:
    """Seconds; 0 where the system does not tell, and only the end of a connection is a sign.

    Args:
        connection: A TCP connection whose kernels ask each other while it is idle (`SO_KEEPALIVE`).

    Example:
        >>> silence_of(socket.socketpair()[0])
        0.0
    """
    option = getattr(socket, "TCP_INFO", None)
    if option is None or connection.family == getattr(socket, "AF_UNIX", None):
        return 0.0
    try:
        told = connection.getsockopt(socket.IPPROTO_TCP, option, _AGES_AT + _AGES.size)
    except OSError:
        return 0.0
    return min(_AGES.unpack_from(told, _AGES_AT)) / 1000 if len(told) >= _AGES_AT + _AGES.size else 0.0
