# SPDX-License-Identifier: Apache-2.0
"""Two hosts on one machine: network namespaces with a link between them that can be delayed, lossy, slow and cut."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

from .processes import PROGRAMS

ADDRESSES = ("10.77.6.1", "10.77.6.2")  # seen by nobody outside


class TwoHosts:
    """Two network namespaces and a link between them; a context manager that removes them. Needs root and `ip`.

    Args:
        delay: Seconds that the link takes in each direction.
        loss: Share of the packets that it loses.
    """

    def __init__(self, delay: float = 0.0, loss: float = 0.0) -> None:
        self._hub = f"olympus-{os.getpid()}-hub"
        self._names = [f"olympus-{os.getpid()}-{side}" for side in ("a", "b")]
        self._delay, self._loss = delay, loss
        self._relay: subprocess.Popen[bytes] | None = None

    def command(self, host: int) -> list[str]:
        """What a command begins with that runs on one of the hosts; each has a name of its own, as machines have."""
        own_name = ["unshare", "--uts", "sh", "-c", f'hostname host{host}; exec "$@"', "sh"]
        return ["ip", "netns", "exec", self._names[host], *own_name]

    def limit(self, rate: str) -> None:
        """Limits what each host sends.

        Args:
            rate: Such as ``400mbit``.
        """
        shape = ("tbf", "rate", rate, "burst", "256kb", "latency", "50ms")
        for name in self._names:
            _run("tc", "-n", name, "qdisc", "replace", "dev", "wire", "root", *shape)

    def cut(self) -> None:
        """Nothing passes any more; neither host sees its own link go."""
        self._pass("cut", "down")

    def heal(self) -> None:
        """Everything passes again."""
        self._pass("heal", "up")

    def _pass(self, word: str, state: str) -> None:
        if self._relay is None:
            _run("ip", "-n", self._hub, "link", "set", "hub", state)
        elif self._relay.stdin is not None:
            self._relay.stdin.write(word.encode() + b"\n")
            self._relay.stdin.flush()

    def __enter__(self) -> TwoHosts:
        try:
            for name in (*self._names, self._hub):
                _run("ip", "netns", "add", name)
            if self._delay or self._loss:
                self._connect_by_relay()
            else:
                self._connect_by_bridge()
            for name, address in zip(self._names, ADDRESSES, strict=True):
                _run("ip", "-n", name, "addr", "add", f"{address}/24", "dev", "wire")
                for device in ("lo", "wire"):
                    _run("ip", "-n", name, "link", "set", device, "up")
            self.heal()
        except BaseException:
            self.__exit__()
            raise
        return self

    def _connect_by_bridge(self) -> None:
        _run("ip", "-n", self._hub, "link", "add", "name", "hub", "type", "bridge")
        for side, name in enumerate(self._names):
            peer = ("peer", "name", f"port{side}", "netns", self._hub)
            _run("ip", "link", "add", "wire", "netns", name, "type", "veth", *peer)
            _run("ip", "-n", self._hub, "link", "set", f"port{side}", "up", "master", "hub")

    def _connect_by_relay(self) -> None:
        devices = [f"oly{os.getpid() % 100000}{side}" for side in "ab"]
        arguments = (*devices, self._delay, self._loss)
        self._relay = subprocess.Popen(
            [sys.executable, str(PROGRAMS / "relay.py"), *map(str, arguments)], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, start_new_session=True)
        if self._relay.stdout is None or self._relay.stdout.readline() != b"ready\n":
            raise subprocess.CalledProcessError(self._relay.wait(), self._relay.args)
        for name, device in zip(self._names, devices, strict=True):
            _run("ip", "link", "set", device, "netns", name, "name", "wire")

    def __exit__(self, *_: object) -> None:
        if self._relay is not None:
            self._relay.communicate()  # its input ends, and so does it
        for name in (*self._names, self._hub):
            subprocess.run(["ip", "netns", "del", name], check=False, capture_output=True)


def are_allowed() -> bool:
    """Whether this machine lets a program make namespaces, and devices for them."""
    if os.geteuid() != 0 or shutil.which("ip") is None or shutil.which("tc") is None:
        return False
    try:
        with TwoHosts(delay=1e-3):
            return True
    except subprocess.CalledProcessError:
        return False


def _run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True)
