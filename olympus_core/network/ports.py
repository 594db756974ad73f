# SPDX-License-Identifier: Apache-2.0
"""Listening sockets, in the ports that the user allows."""

from __future__ import annotations

import errno
import os
import socket

from olympus_core.config import config
from olympus_core.errors.network import NoFreePortError, NotOwnAddressError

# Where a coordinator listens when only its machine is known.
DEFAULT_PORT = 8476

_BACKLOG = 1024
# A port that others hold or that only root may use: the next one may be free.
_TAKEN = frozenset({errno.EADDRINUSE, errno.EACCES})


def bind_port(host: str = "", backlog: int = _BACKLOG) -> socket.socket:
    """A listening socket at the first free port of option ``olympus_ports``, or at any where that is not set.

    Args:
        host: The address of this machine to listen at; empty for all of its interfaces, IPv6 as well.
        backlog: How many connections the system keeps until they are accepted.

    Returns:
        The socket, which listens.

    Raises:
        NoFreePortError: If all these ports are taken.
        NotOwnAddressError: If the host is no address of this machine.

    Example:
        >>> with bind_port("127.0.0.1") as listener:
        ...     listener.getsockname()[1] > 0
        True
    """
    allowed = config.ports
    reason = ""
    for port in (0,) if allowed is None else (p for first, last in ranges(allowed) for p in range(first, last + 1)):
        try:
            return listen_at(host, port, backlog)
        except OSError as error:
            reason = os.strerror(error.errno) if error.errno and error.errno > 0 else str(error)
            if error.errno not in _TAKEN:
                raise NotOwnAddressError(host, reason) from None
    raise NoFreePortError(host, allowed, None if allowed is None else config.source("olympus_ports"), reason)


def first_port() -> int:
    """The port of a coordinator where only its machine is known: the first of option ``olympus_ports``, or 8476."""
    return DEFAULT_PORT if config.ports is None else ranges(config.ports)[0][0]


def ranges(text: str) -> list[tuple[int, int]]:
    """The first and the last port of each part of an option's value.

    Example:
        >>> ranges("8476,9000-9009")
        [(8476, 8476), (9000, 9009)]
    """
    parts = [part.partition("-") for part in text.split(",")]
    return [(int(first), int(last or first)) for first, _, last in parts]


def listen_at(host: str, port: int, backlog: int = _BACKLOG) -> socket.socket:
    """A listening socket at one address; an empty host stands for all interfaces, of both families where there are two.

    Raises:
        OSError: As the system says it.
    """
    if not host and socket.has_dualstack_ipv6():
        try:
            return socket.create_server(("", port), family=socket.AF_INET6, dualstack_ipv6=True, backlog=backlog)
        except OSError as error:
            # Machines without IPv6 addresses refuse here, and only a busy port is the user's matter.
            if error.errno == errno.EADDRINUSE:
                raise
    host = "127.0.0.1" if host == "localhost" else host
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=backlog)
