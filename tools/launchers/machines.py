# SPDX-License-Identifier: Apache-2.0
"""Two machines made of one: each has a network, a name and shared memory of its own."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

from tests.support.networks import ADDRESSES, Networks

NAMES = ("n1", "n2")
_ENTER = "--net --uts --mount"
_BEGIN = (
    # The network's own /sys, as MPI reads it, and the control groups that slurmd looks for.
    "hostname {name} && mkdir {folder}/{name}-groups && mount --rbind /sys/fs/cgroup {folder}/{name}-groups "
    "&& mount -t sysfs sysfs /sys && mount --rbind {folder}/{name}-groups /sys/fs/cgroup "
    "&& mount --bind {folder}/hosts /etc/hosts && mount -t tmpfs tmpfs /dev/shm "
    "&& mkdir -p {folder}/own && mount -t tmpfs tmpfs {folder}/own "
    "&& touch {folder}/{name} && exec sleep infinity"
)
# What mpirun and mpiexec call in place of ssh.
_AGENT = """#!/bin/sh
while [ "${{1#-}}" != "$1" ]; do shift; done
pid=$(cat {folder}/$1.pid); shift
exec nsenter --target "$pid" {enter} -- sh -c "$*"
"""


class Machines:
    """A context manager.

    Args:
        folder: Where their files are, and `agent`, which runs a command on one of them.
    """

    def __init__(self, folder: Path) -> None:
        self._folder, self._networks = folder, Networks()
        self._holders: list[subprocess.Popen[bytes]] = []
        self.agent = folder / "agent"

    def command(self, index: int) -> list[str]:
        """What a command begins with that runs on one of them."""
        return ["nsenter", "--target", str(self._holders[index].pid), *_ENTER.split(), "--"]

    def __enter__(self) -> Machines:
        names = "".join(f"{address} {name}\n" for address, name in zip(ADDRESSES, NAMES, strict=True))
        (self._folder / "hosts").write_text(f"127.0.0.1 localhost\n{names}")
        self.agent.write_text(_AGENT.format(folder=self._folder, enter=_ENTER))
        self.agent.chmod(0o755)
        self._networks.__enter__()
        for index, name in enumerate(NAMES):
            begin = _BEGIN.format(name=name, folder=self._folder)
            network = f"--net=/run/netns/{self._networks.command(index)[-1]}"
            command = ["nsenter", network, "unshare", "--uts", "--mount", "sh", "-c", begin]
            self._holders.append(subprocess.Popen(command))
            (self._folder / f"{name}.pid").write_text(str(self._holders[-1].pid))
        end = time.monotonic() + 10
        while not all((self._folder / name).exists() for name in NAMES):
            if time.monotonic() > end or any(holder.poll() is not None for holder in self._holders):
                self.__exit__()
                raise OSError("the two machines did not come up")
            time.sleep(0.02)
        return self

    def __exit__(self, *_: object) -> None:
        for holder in self._holders:
            holder.kill()
            holder.wait()
        self._networks.__exit__()
