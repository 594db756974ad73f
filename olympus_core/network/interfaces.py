# SPDX-License-Identifier: Apache-2.0
"""This machine's interfaces, and the address of it that the others of a job can reach."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
import threading
from typing import NamedTuple

from olympus_core.config import config
from olympus_core.errors.network import NoAddressError

_LOOK_UP_TIME = 2.0
# Of RFC 5737 and RFC 3849, for documentation: their route is looked up, nothing is sent.
_ELSEWHERE = ("192.0.2.1", "2001:db8::1")
# Networks that lead to containers and virtual machines of this machine alone.
_VIRTUAL = ("docker", "br-", "virbr", "veth", "cni", "podman", "lxc", "lxd")


class Interface(NamedTuple):
    """One address of one interface.

    Args:
        name: The interface's name, such as ``eth0``.
        address: An IPv4 or IPv6 address.
        prefix: Bits of its network's part.
        is_running: Whether the interface is up and has a carrier.
    """

    name: str
    address: str
    prefix: int
    is_running: bool

    def __str__(self) -> str:
        return f"{self.name} {self.address}/{self.prefix}{'' if self.is_running else ' (no carrier)'}"


def own_address(towards: str | None = None) -> str:
    """The first of `own_addresses`.

    Args:
        towards: A host that will reach this machine, by name or address; None where none is known.

    Returns:
        An IPv4 or IPv6 address, never a loopback one.

    Raises:
        NoAddressError: If this machine has none, or none in the networks that the option names.
    """
    return own_addresses(towards)[0]


def own_addresses(towards: str | None = None) -> list[str]:
    """The addresses under which other machines can reach this one, the best first.

    Those of option ``olympus_network`` alone where it is set. Otherwise the one that the route to the host uses, the
    default route's, and those of the interfaces that are up.

    Args:
        towards: A host that will reach this machine, by name or address; None where none is known.

    Returns:
        IPv4 and IPv6 addresses, never a loopback one.

    Raises:
        NoAddressError: If this machine has none, or none in the networks that the option names.
    """
    here = sorted((i for i in own_interfaces() if is_reachable(i.address)), key=_preference)
    wanted = config.network
    if wanted is not None:
        chosen = [i.address for entry in wanted for i in here if _is_of(i, entry)]
        if not chosen:
            source = config.source("olympus_network")
            raise NoAddressError(",".join(wanted), source, [str(i) for i in own_interfaces()])
        return list(dict.fromkeys(chosen))
    routed = [_route_source(ip) for ip in ([] if towards is None else addresses_of(towards))]
    routed += [_route_source(ip) for ip in _ELSEWHERE]
    found = [ip for ip in routed if ip is not None and is_reachable(ip)]
    found += [i.address for i in here]
    if not found:
        raise NoAddressError(None, None, [str(i) for i in own_interfaces()])
    return list(dict.fromkeys(found))


def interface_of(address: str) -> str | None:
    """The name of the interface that has an address; None where it is not this machine's."""
    return next((i.name for i in own_interfaces() if i.address == address), None)


def own_interfaces() -> list[Interface]:
    """The addresses of all interfaces that are up, in the system's order; link-local ones of IPv6 are left out."""
    found = [i for i in _system_interfaces() if not (":" in i.address and _ip(i.address).is_link_local)]
    return list(dict.fromkeys(found))


def addresses_of(host: str) -> list[str]:
    """The addresses that a host's name stands for, IPv4 first; none where that is not known within two seconds."""
    found: list[str] = []

    def look_up() -> None:
        with contextlib.suppress(OSError, UnicodeError):
            entries = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
            entries.sort(key=lambda entry: entry[0] != socket.AF_INET)
            found.extend(dict.fromkeys(str(entry[4][0]) for entry in entries))

    # A name service that does not answer must not keep the job from starting.
    thread = threading.Thread(target=look_up, name="olympus-look-up", daemon=True)
    thread.start()
    thread.join(_LOOK_UP_TIME)
    return list(found)


def _route_source(ip: str) -> str | None:
    """The address of this machine from which the routing table would send to another; None where there is no route."""
    family = socket.AF_INET6 if ":" in ip else socket.AF_INET
    with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        # Connecting a datagram socket sends nothing.
        probe.connect((ip, 9))
        return str(probe.getsockname()[0])
    return None


def _ip(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    return ipaddress.ip_address(address)


def is_reachable(address: str) -> bool:
    """Whether another machine may reach it; a link-local address of IPv6 means nothing without this machine's scope."""
    ip = _ip(address.partition("%")[0])
    return not (ip.is_loopback or ip.is_unspecified or (ip.version == 6 and ip.is_link_local))


def _preference(interface: Interface) -> tuple[bool, bool, bool, bool]:
    ip = _ip(interface.address)
    return not interface.is_running, interface.name.startswith(_VIRTUAL), ip.is_link_local, ip.version == 6


def _is_of(interface: Interface, entry: str) -> bool:
    try:
        network = ipaddress.ip_network(entry)
    except ValueError:
        return interface.name == entry
    return _ip(interface.address) in network


def _system_interfaces() -> list[Interface]:
    """What the system's getifaddrs tells; empty where it has none."""
    import ctypes

    class Entry(ctypes.Structure):
        """The part of struct ifaddrs that is alike in Linux and the BSDs."""

    Entry._fields_ = [
        ("next", ctypes.POINTER(Entry)), ("name", ctypes.c_char_p), ("flags", ctypes.c_uint),
        ("address", ctypes.c_void_p), ("netmask", ctypes.c_void_p),
    ]
    first = ctypes.POINTER(Entry)()
    try:
        library = ctypes.CDLL(None)
        if library.getifaddrs(ctypes.byref(first)) != 0:
            return []
    except (OSError, AttributeError):
        return []
    found: list[Interface] = []
    try:
        entry = first
        while entry:
            at = entry.contents
            address = _socket_address(at.address)
            if address is not None and at.flags & _UP:
                mask = _socket_address(at.netmask)
                prefix = 0 if mask is None else bin(int(_ip(mask))).count("1")
                found.append(Interface(at.name.decode(errors="replace"), address, prefix, bool(at.flags & _RUNNING)))
            entry = at.next
    finally:
        library.freeifaddrs(first)
    return found


_UP, _RUNNING = 0x1, 0x40  # of Linux and the BSDs alike


def _socket_address(at: int | None) -> str | None:
    """The IPv4 or IPv6 address of a struct sockaddr."""
    import ctypes
    import sys

    if not at:
        return None
    # The BSDs keep the structure's length before its family.
    head = ctypes.string_at(at, 2)
    family = int.from_bytes(head, sys.byteorder) if sys.platform.startswith("linux") else head[1]
    if family == socket.AF_INET:
        return socket.inet_ntop(socket.AF_INET, ctypes.string_at(at + 4, 4))
    if family == socket.AF_INET6:
        return socket.inet_ntop(socket.AF_INET6, ctypes.string_at(at + 8, 16))
    return None
