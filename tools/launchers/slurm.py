# SPDX-License-Identifier: Apache-2.0
"""Slurm: a controller and a daemon on each of two machines, with munge, all in one folder."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from .machines import NAMES, Machines

_CONFIGURATION = """
ClusterName=test
SlurmctldHost=n1
SlurmctldPort=17817
SlurmUser=root
AuthType=auth/munge
CredType=cred/munge
TmpFS={folder}/own
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
MpiDefault=none
ReturnToService=2
SwitchType=switch/none
NodeName=n1,n2 Port=17821 CPUs=8 State=UNKNOWN
PartitionName=all Nodes=n1,n2 Default=YES State=UP OverSubscribe=YES
"""
_SOCKET = Path("/run/munge/munge.socket.2")


class Slurm:
    """A context manager; commands of Slurm need `environment`.

    Args:
        folder: For its files.
        machines: Where it runs.
    """

    def __init__(self, folder: Path, machines: Machines) -> None:
        self._folder, self._machines = folder, machines
        self._daemons: list[subprocess.Popen[bytes]] = []
        # Where PMIx has its files, in both machines: a folder that each has for itself.
        self.environment = {"SLURM_CONF": str(folder / "slurm.conf"), "SLURM_PMIX_TMPDIR": str(folder / "own")}

    def __enter__(self) -> Slurm:
        folder = self._folder
        (folder / "slurm.conf").write_text(_CONFIGURATION.format(folder=folder))
        (folder / "cgroup.conf").write_text("CgroupAutomount=no\n")
        for name in ("state", *(f"spool-{name}" for name in NAMES)):
            (folder / name).mkdir()
        try:
            if not _SOCKET.exists():
                self._start_munge()
            self._start([*self._machines.command(0), "slurmctld", "-D"], "slurmctld")
            for index, name in enumerate(NAMES):
                self._start([*self._machines.command(index), "slurmd", "-D", "-N", name], f"slurmd-{name}")
            self._wait(lambda: self._ask("sinfo", "--noheader", "--format=%D %t").strip() == "2 idle")
        except BaseException:
            self.__exit__()
            raise
        return self

    def _start_munge(self) -> None:
        key = self._folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o600)
        _SOCKET.parent.mkdir(mode=0o755, exist_ok=True)
        files = [f"--{name}-file={self._folder}/munge.{name}" for name in ("pid", "log", "seed")]
        self._start(["munged", "--foreground", "--force", f"--key-file={key}", *files], "munged")
        self._wait(_SOCKET.exists)

    def _ask(self, *command: str) -> str:
        run = [*self._machines.command(0), *command]
        return subprocess.run(
            run, env={**os.environ, **self.environment}, capture_output=True, text=True, check=False).stdout

    def _start(self, command: list[str], name: str) -> None:
        with (self._folder / f"{name}.out").open("wb") as out:
            self._daemons.append(subprocess.Popen(
                command, stdout=out, stderr=out, env={**os.environ, **self.environment}))

    def _wait(self, is_so: Callable[[], bool]) -> None:
        end = time.monotonic() + 30
        while not is_so():
            if time.monotonic() > end:
                files = self._folder.glob("*.out")
                said = [f"{file.name}: {file.read_text(errors='replace')[-600:]}" for file in files]
                raise OSError("Slurm did not come up:\n" + "\n".join(said))
            time.sleep(0.1)

    def __exit__(self, *_: object) -> None:
        for daemon in reversed(self._daemons):
            daemon.terminate()
        for daemon in reversed(self._daemons):
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
