# SPDX-License-Identifier: Apache-2.0
"""The launchers of Open MPI and MPICH; MPI itself then tells where process 0 is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from olympus_core.network.pmi import has_process_manager

from .detection import Detection, Finding, integer, job_name, job_ports, show

_FIRST_PORT, _PORTS = 61440, 4096


class _Launcher(NamedTuple):
    """One row: a launcher and its variables."""

    name: str
    process: str
    size: str
    local: str


LAUNCHERS = (
    _Launcher("Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"),
    _Launcher("MVAPICH", "MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_LOCAL_RANK"),
    _Launcher("MPICH", "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID"),
)
_LOCAL_SIZES = ("OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS")
_FIX = "Start the program itself with mpiexec."


def find(environ: Mapping[str, str]) -> Finding:
    """An index and a number from the same launcher are needed, and of MPICH's the connection to it."""
    partial = []
    for launcher in LAUNCHERS:
        process, count = integer(environ, launcher.process), integer(environ, launcher.size)
        given = show(environ, launcher.process, launcher.size)
        if process is not None and count is not None:
            if launcher.name == "MPICH" and count > 1 and not has_process_manager(environ):
                shown = show(environ, "PMI_FD") or "neither PMI_FD nor PMI_PORT"
                partial.append(f"{given}, but {shown} is no open connection: mpiexec started another process, not this")
                continue
            local = integer(environ, launcher.local)
            job, address, ports = _without_mpi(environ, count)
            found = Detection(
                "mpiexec", None, process, count, local, is_mpi=count > 1, other_address=address, job=job, ports=ports)
            return Finding(found, f"{launcher.name}: {given}")
        if given:
            partial.append(f"{given} without its pair")
    if "PMIX_RANK" in environ:
        partial.append(f"{show(environ, 'PMIX_RANK')}, which does not tell the number of processes")
    if partial:
        return Finding(None, "; ".join(partial), True, _FIX)
    return Finding(None, "no " + ", ".join(launcher.process for launcher in LAUNCHERS))


def _without_mpi(environ: Mapping[str, str], count: int) -> tuple[str | None, str | None, tuple[int, ...]]:
    """The job's name, and the address of process 0 where MPI cannot tell it: Open MPI tells its own machine's.

    Its first process is there unless a list of hosts leaves that machine out; then the user has to name the address.
    """
    name = environ.get("PMIX_NAMESPACE") or environ.get("OMPI_MCA_ess_base_jobid")
    if name is None:
        return None, None, ()
    job = job_name("mpiexec", name)
    ports = job_ports(job, _FIRST_PORT, _PORTS)
    if any(integer(environ, size) == count for size in _LOCAL_SIZES):
        return job, f"127.0.0.1:{ports[0]}", ports
    told = re.search(r"tcp://([^,:]+)|tcp6://\[([^],]+)", environ.get("OMPI_MCA_orte_hnp_uri", ""))
    # Open MPI 5: prterun-MACHINE-PID@JOB
    machine = re.fullmatch(r"prte(?:run)?-(.+)-\d+@\d+", name)
    host = (told[1] or f"[{told[2]}]") if told else machine[1] if machine else None
    return job, f"{host}:{ports[0]}" if host else None, ports
