"""This machine's address on the network of the job."""

from __future__ import annotations

import socket
import struct
from contextlib import suppress

from olympus_core.plugin import Rendezvous

_LOOPBACK = "127.0.0.1"
_SIOCGIFADDR = 0x8915


def address_towards(rendezvous: Rendezvous) -> str:
    """The address of the interface that routes to the coordinator; loopback if all processes are on one machine."""
    if len(set(rendezvous.hosts)) == 1:
        return _LOOPBACK
    coordinator = str(getattr(rendezvous, "coordinator_address", ""))
    name = coordinator.rpartition(":")[0].strip("[]")
    candidates = [name] if name and name not in ("localhost", "0.0.0.0") else []  # compared, not bound
    for target in (*candidates, "192.0.2.1"):  # RFC 5737's documentation network: only its route is looked up
        with suppress(OSError):
            family, kind, protocol, _, end = socket.getaddrinfo(target, 9, type=socket.SOCK_DGRAM)[0]
            with socket.socket(family, kind, protocol) as probe:
                probe.connect(end)
                address = str(probe.getsockname()[0])
                if not address.startswith("127."):
                    return address
    return socket.gethostbyname(socket.gethostname())


def interface_of(address: str) -> str | None:
    """The name of the interface that owns an IPv4 address."""
    import fcntl

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            with suppress(OSError):
                request = struct.pack("256s", name.encode()[:15])
                if socket.inet_ntoa(fcntl.ioctl(probe, _SIOCGIFADDR, request)[20:24]) == address:
                    return name
    return None
