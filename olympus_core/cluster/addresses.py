# SPDX-License-Identifier: Apache-2.0
"""The coordinator's address: reading it, listening at it, dialling it."""

from __future__ import annotations

import contextlib
import errno
import ipaddress
import os
import socket
import time
from typing import NamedTuple

from olympus_core.errors.joining import AddressInUseError, CoordinatorAddressError
from olympus_core.network.interfaces import addresses_of
from olympus_core.network.ports import first_port, listen_at

# A port that a dying earlier run still holds becomes free within this time.
_BIND_PATIENCE = 1.0


class Address(NamedTuple):
    """A host and a port."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def is_loopback(self) -> bool:
        """Whether only processes of this machine can reach it."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False


def parse_address(text: str) -> Address:
    """Reads ``host:port``, ``[v6]:port`` or a host alone."""
    if not isinstance(text, str) or not text.strip():
        raise CoordinatorAddressError(text, "it is empty")
    text = text.strip()
    if text.startswith("["):
        host, bracket, rest = text[1:].partition("]")
        if not bracket or (rest and not rest.startswith(":")):
            raise CoordinatorAddressError(text, "the bracket is not closed before the port")
        port = rest[1:]
    elif text.count(":") > 1:
        host, port = text, ""
    else:
        host, _, port = text.partition(":")
    if not host or "/" in host or any(c.isspace() for c in host):
        raise CoordinatorAddressError(text, "the host is missing or not a name")
    if not port:
        return Address(host, first_port())
    if not (port.isascii() and port.isdigit() and int(port) < 65536):
        raise CoordinatorAddressError(text, f"{port!r} is not a port")
    return Address(host, int(port))


def listen(address: Address, bind: str | None, *, patience: float = _BIND_PATIENCE) -> socket.socket:
    """A socket that listens for the job.

    Args:
        address: The advertised address.
        bind: Where to listen instead: an address, a host; None for the interface that the advertised address leads
            to, and for all interfaces where that is not known here or there are several.
        patience: Seconds in which a port that is taken may become free.
    """
    if bind is not None:
        return _listen_at(parse_address(bind if ":" in bind else f"{bind}:{address.port}"), patience)
    if address.is_loopback:
        return _listen_at(address, patience)
    with contextlib.ExitStack() as found:
        listeners: list[socket.socket] = []
        for own in _own_addresses(address):
            try:
                listeners.append(found.enter_context(_listen_at(Address(own, address.port), patience)))
            except AddressInUseError as error:
                # What leads here may be another machine's address: a translation of addresses, a service.
                if not error.is_elsewhere:
                    raise
        if len(listeners) == 1:
            found.pop_all()
            return listeners[0]
    # A name of several of this machine's addresses: the others take the first one that passes.
    return _listen_at(Address("", address.port), patience)


def _listen_at(where: Address, patience: float) -> socket.socket:
    deadline = time.monotonic() + patience
    while True:
        try:
            return listen_at(where.host, where.port)
        except OSError as error:
            if error.errno != errno.EADDRINUSE or time.monotonic() > deadline:
                shown = str(where) if where.host else f"port {where.port} of all interfaces"
                reason = os.strerror(error.errno) if error.errno and error.errno > 0 else str(error)
                raise AddressInUseError(shown, reason, error.errno == errno.EADDRNOTAVAIL) from None
        time.sleep(0.02)


def _own_addresses(address: Address) -> list[str]:
    """What the address stands for here, in the order in which it is dialled; empty where it stands for loopback.

    Many machines know their own name as a loopback address, which the other machines do not.
    """
    own = addresses_of(address.host)
    return [] if any(Address(text, 0).is_loopback for text in own) else own


class DialResult(NamedTuple):
    """One attempt to connect.

    Args:
        sock: The socket; None if there is no connection.
        names: What the name stands for, in words.
        outcome: What each address did, in words.
        problem: Why there is no connection: the name is ``unknown``, a machine ``refused``, or was ``silent``.
        is_loopback: Whether the name stands for this machine's loopback alone.
    """

    sock: socket.socket | None
    names: str
    outcome: str
    problem: str = ""
    is_loopback: bool = False


def dial(address: Address, timeout: float) -> DialResult:
    """Tries once to connect to every address that the name stands for, in order; never through a proxy.

    Args:
        address: Where to.
        timeout: Seconds for each.
    """
    try:
        found = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)
    except OSError as error:
        names = f"no address is known for the name {address.host!r} ({error.strerror})"
        return DialResult(None, names, "not tried", "unknown")
    # The coordinator listens at IPv4's loopback when the name is localhost.
    found.sort(key=lambda entry: entry[0] != socket.AF_INET)
    ips = list(dict.fromkeys(str(entry[4][0]) for entry in found))
    names = f"{address.host} is {', '.join(ips)}"
    outcomes: list[str] = []
    problem = "silent"
    for family, kind, protocol, _, endpoint in found:
        where = Address(str(endpoint[0]), int(endpoint[1]))
        try:
            sock = socket.socket(family, kind, protocol)
        except OSError as error:  # this machine has no such family
            outcomes.append(f"{where}: {error.strerror}")
            continue
        try:
            sock.settimeout(max(0.01, timeout))
            sock.connect(endpoint)
            # Linux connects a port of the ephemeral range to itself when nobody listens there.
            if sock.getsockname() == sock.getpeername():
                raise ConnectionRefusedError(errno.ECONNREFUSED, "Connection refused")
            return DialResult(sock, names, f"connected to {where}")
        except OSError as error:
            sock.close()
            outcomes.append(f"{where}: {error.strerror or 'no answer in time'}")
            if isinstance(error, ConnectionRefusedError):
                problem = "refused"
    is_loopback = all(Address(ip, 0).is_loopback for ip in ips)
    return DialResult(None, names, "; ".join(dict.fromkeys(outcomes)) or "not tried", problem, is_loopback)
