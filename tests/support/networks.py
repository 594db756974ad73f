"""Two networks of this machine with a bridge between them, which a test can cut; where the machine allows it."""

from __future__ import annotations

import os
import shutil
import subprocess

ADDRESSES = ("10.77.5.1", "10.77.5.2")  # seen by nobody outside


class Networks:
    """Two network namespaces, each with one address; a context manager that takes them away.

    A cut of the bridge loses what is sent, and neither side sees its own link go.
    """

    def __init__(self) -> None:
        self._names = [f"olympus-{os.getpid()}-{side}" for side in ("a", "b", "hub")]

    def command(self, side: int) -> list[str]:
        """What a command begins with that runs in one of the networks."""
        return ["ip", "netns", "exec", self._names[side]]

    def cut(self) -> None:
        """Nothing passes from one side to the other any more."""
        _run("-n", self._names[2], "link", "set", "hub", "down")

    def heal(self) -> None:
        """Everything passes again."""
        _run("-n", self._names[2], "link", "set", "hub", "up")

    def __enter__(self) -> Networks:
        try:
            for name in self._names:
                _run("netns", "add", name)
            hub = self._names[2]
            _run("-n", hub, "link", "add", "name", "hub", "type", "bridge")
            for name, address in zip(self._names, ADDRESSES, strict=False):
                port = f"port{address[-1]}"
                _run("link", "add", "wire", "netns", name, "type", "veth", "peer", "name", port, "netns", hub)
                _run("-n", name, "addr", "add", f"{address}/24", "dev", "wire")
                for where, link in ((name, "lo"), (name, "wire"), (hub, port)):
                    _run("-n", where, "link", "set", link, "up")
                _run("-n", hub, "link", "set", port, "master", "hub")
            self.heal()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for name in self._names:
            subprocess.run(["ip", "netns", "del", name], check=False, capture_output=True)


def are_allowed() -> bool:
    """Whether this machine lets a test make networks."""
    if os.geteuid() != 0 or shutil.which("ip") is None:
        return False
    try:
        with Networks():
            return True
    except subprocess.CalledProcessError:
        return False


def _run(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, capture_output=True)
