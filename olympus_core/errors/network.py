# SPDX-License-Identifier: Apache-2.0
"""Errors of this machine's ports and interfaces."""

from __future__ import annotations

from collections.abc import Sequence

from .cluster import ClusterError

__all__ = ["MachineListError", "NoAddressError", "NoFreePortError", "NotOwnAddressError"]


class NoFreePortError(ClusterError, OSError):
    """No port that a process may listen at is free.

    Args:
        host: The address of this machine; empty for all of its interfaces.
        ports: The ports that are allowed; None for any.
        source: Where that was said; None likewise.
        reason: The operating system's words.
    """

    def __init__(self, host: str, ports: str | None, source: str | None, reason: str) -> None:
        self.host, self.ports, self.source, self.reason = host, ports, source, reason
        where = host or "all interfaces"
        super().__init__(
            f"No port of {ports or 'this machine'} is free at {where}: {reason}.",
            given=None if ports is None else f"OLYMPUS_PORTS={ports} by {source}",
            expected="a free port for each process of this machine that listens",
            fix="Give OLYMPUS_PORTS (option olympus_ports) more ports, such as 8476-8499, or end what holds them.",
        )


class NotOwnAddressError(ClusterError, OSError):
    """A process was to listen at an address that is none of its machine's.

    Args:
        host: The address.
        reason: The operating system's words.
    """

    def __init__(self, host: str, reason: str) -> None:
        self.host, self.reason = host, reason
        super().__init__(
            f"This process cannot listen at {host!r}: {reason}.",
            expected="an address of this machine",
            fix="Name the network by OLYMPUS_NETWORK (option olympus_network): a subnet or an interface.",
        )


class NoAddressError(ClusterError, OSError):
    """This machine has no address that the others of the job could reach.

    Args:
        network: The networks that are allowed; None for any.
        source: Where that was said; None likewise.
        interfaces: The interfaces that are up, each with an address.
    """

    def __init__(self, network: str | None, source: str | None, interfaces: Sequence[str]) -> None:
        self.network, self.source, self.interfaces = network, source, tuple(interfaces)
        here = "; ".join(interfaces) or "no interface is up"
        if network is None:
            super().__init__(
                "This machine has no address that other machines could reach.",
                given=here,
                expected="an interface that is up and has an address beside the loopback one",
                fix="Bring up a network, or run all processes of the job on this machine.",
            )
            return
        super().__init__(
            f"This machine has no address in the network {network}.",
            given=f"OLYMPUS_NETWORK={network} by {source}; this machine has: {here}",
            expected="a subnet that holds an address of each machine, or the name of an interface that each has",
            fix="Correct OLYMPUS_NETWORK (option olympus_network), or leave it out: then routes decide.",
        )


class MachineListError(ClusterError, ValueError):
    """A list of machines to start processes on that cannot be used.

    Args:
        where: The list, or the file and line.
        reason: What is wrong with it.
    """

    def __init__(self, where: str, reason: str) -> None:
        self.where, self.reason = where, reason
        super().__init__(
            f"The list of hosts cannot be used: {reason}.",
            given=where,
            expected="names separated by commas (a,b:4,node[01-04]), or a file with a host in each line (a slots=4)",
            fix="Correct the list, or the number of processes (-n).",
        )
