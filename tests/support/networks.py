# SPDX-License-Identifier: Apache-2.0
"""Networks between hosts of this machine, which a test can cut, filter and narrow; where the machine allows it."""

from __future__ import annotations

import functools
import itertools
import os
import shutil
import subprocess

ADDRESSES = ("10.77.5.1", "10.77.5.2")  # seen by nobody outside
_numbers = itertools.count()


class Networks:
    """Hosts, each a network namespace with one address in each network; a context manager that takes them away.

    No host has a default route. A cut of a network loses what is sent, and no host sees its own link go.

    Args:
        hosts: How many hosts.
        count: How many networks; each host has an address in each, on interfaces wire0, wire1 and so on.
    """

    def __init__(self, hosts: int = 2, count: int = 1) -> None:
        run = f"olympus-{os.getpid()}-{next(_numbers)}"
        self._names = [f"{run}-{host}" for host in range(hosts)]
        self._hub, self._count = f"{run}-hub", count

    def address(self, host: int, network: int = 0) -> str:
        """The address of a host in a network."""
        return f"10.77.{5 + network}.{host + 1}"

    def command(self, host: int) -> list[str]:
        """What a command begins with that runs on one of the hosts."""
        return ["ip", "netns", "exec", self._names[host]]

    def machine(self, host: int) -> list[str]:
        """The same for a process that takes itself to be on another machine, named host0, host1 and so on."""
        rename = 'echo "$0" > /proc/sys/kernel/hostname; exec "$@"'
        return [*self.command(host), "unshare", "--uts", "sh", "-c", rename, f"host{host}"]

    def cut(self, network: int = 0) -> None:
        """Nothing passes from one host to another any more."""
        _run("-n", self._hub, "link", "set", f"hub{network}", "down")

    def heal(self, network: int = 0) -> None:
        """Everything passes again."""
        _run("-n", self._hub, "link", "set", f"hub{network}", "up")

    def drop(self, host: int, port: int, network: int = 0) -> None:
        """What is sent to a TCP port of a host does not arrive, as with a firewall that drops it."""
        # The answers are not sent, which for who connects is the same.
        source = ["from", self.address(host, network), "ipproto", "tcp", "sport", str(port)]
        _run("-n", self._names[host], "rule", "add", *source, "blackhole")

    def narrow(self, host: int, size: int, network: int = 0) -> None:
        """Packets of more than so many bytes do not arrive at a host, and nobody is told."""
        _run("-n", self._hub, "link", "set", f"port{network}-{host}", "mtu", str(size))

    def limit(self, rate: str, network: int = 0) -> None:
        """Limits what each host sends, to a rate such as ``16mbit``; needs ``tc``."""
        for name in self._names:
            shape = ("tbf", "rate", rate, "burst", "32kb", "latency", "50ms")
            command = ("tc", "-n", name, "qdisc", "replace", "dev", f"wire{network}", "root", *shape)
            subprocess.run(command, check=True, capture_output=True)

    def __enter__(self) -> Networks:
        try:
            for name in (*self._names, self._hub):
                _run("netns", "add", name)
                _run("-n", name, "link", "set", "lo", "up")
            for network in range(self._count):
                hub = f"hub{network}"
                _run("-n", self._hub, "link", "add", "name", hub, "type", "bridge")
                for host, name in enumerate(self._names):
                    wire, port = f"wire{network}", f"port{network}-{host}"
                    there = ["peer", "name", port, "netns", self._hub]
                    _run("link", "add", wire, "netns", name, "type", "veth", *there)
                    _run("-n", name, "addr", "add", f"{self.address(host, network)}/24", "dev", wire)
                    _run("-n", name, "link", "set", wire, "up")
                    _run("-n", self._hub, "link", "set", port, "up")
                    _run("-n", self._hub, "link", "set", port, "master", hub)
                self.heal(network)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for name in (*self._names, self._hub):
            subprocess.run(["ip", "netns", "del", name], check=False, capture_output=True)


@functools.cache
def are_allowed() -> bool:
    """Whether this machine lets a test make networks."""
    if os.geteuid() != 0 or shutil.which("ip") is None or shutil.which("unshare") is None:
        return False
    try:
        with Networks() as networks:
            networks.drop(0, 9)
        return True
    except subprocess.CalledProcessError:
        return False


def _run(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, capture_output=True)
