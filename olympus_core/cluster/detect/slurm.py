# SPDX-License-Identifier: Apache-2.0
"""Slurm: a task of a job step, as `srun` starts it; the parts of a heterogeneous step are one."""

from __future__ import annotations

import re
from collections.abc import Mapping

from olympus_core.network.pmi import has_process_manager

from .detection import Detection, Finding, integer, job_name, job_ports, listed, show

_FIRST_PORT, _PORTS = 61440, 4096
_MPI_PAIRS = (("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"), ("PMI_RANK", "PMI_SIZE"))


def find(environ: Mapping[str, str]) -> Finding:
    """A step's variables are needed: those of the job alone are left in every shell inside of an allocation."""
    if "SLURM_JOB_ID" not in environ:
        return Finding(None, "no SLURM_JOB_ID")
    if "SLURM_STEP_ID" not in environ:
        return _without_a_step(environ)
    process = integer(environ, "SLURM_PROCID")
    count = integer(environ, "SLURM_STEP_NUM_TASKS")
    nodes = environ.get("SLURM_STEP_NODELIST", "")
    values = {"SLURM_PROCID": process, "SLURM_STEP_NUM_TASKS": count, "SLURM_STEP_NODELIST": nodes or None}
    absent = [name for name, value in values.items() if value is None]
    given = show(environ, "SLURM_JOB_ID", "SLURM_STEP_ID", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS")
    if absent or process is None or count is None:
        fix = f"Start the program itself with srun, which sets {listed(absent)}."
        return Finding(Detection("slurm", None, process, count), f"{given} but no {listed(absent)}", True, fix)
    for rank_name, size_name in _MPI_PAIRS:
        if rank_name == "PMI_RANK" and not has_process_manager(environ):
            continue  # left by an mpiexec that started another process
        rank, size = integer(environ, rank_name), integer(environ, size_name)
        if rank is not None and size is not None and (rank, size) != (process, count):
            # mpiexec inside of an allocation uses srun for its own helpers, whose variables these are.
            other = show(environ, rank_name, size_name)
            return Finding(None, f"{given}, but {other}: the step belongs to mpiexec, not to the processes")
    name = job_name("slurm", environ["SLURM_JOB_ID"], environ["SLURM_STEP_ID"])
    ports = job_ports(name, _FIRST_PORT, _PORTS)
    address = f"{first_node(nodes)}:{ports[0]}"
    found = Detection("slurm", address, process, count, integer(environ, "SLURM_LOCALID"), job=name, ports=ports)
    return Finding(found, f"{given} SLURM_STEP_NODELIST={nodes}")


def _without_a_step(environ: Mapping[str, str]) -> Finding:
    """A batch script or a shell: with several tasks each of them was meant to be a process."""
    given = show(environ, "SLURM_JOB_ID", "SLURM_NTASKS")
    reason = f"{given} but no SLURM_STEP_ID: not a step started by srun"
    numbers = ("SLURM_NTASKS", "SLURM_JOB_NUM_NODES", "SLURM_NNODES")
    if all(integer(environ, name) in (None, 1) for name in numbers):
        return Finding(None, reason)
    return Finding(None, reason, True, "Start the program with srun: `srun python program.py`.")


def first_node(nodes: str) -> str:
    """The first name of a node list such as ``a[03-05,7]-x,b``.

    Example:
        >>> first_node("gpu[003-005,7],login")
        'gpu003'
    """
    depth, end = 0, len(nodes)
    for index, letter in enumerate(nodes):
        depth += (letter == "[") - (letter == "]")
        if letter == "," and depth == 0:
            end = index
            break
    return re.sub(r"\[([^\],-]*)[^\]]*\]", r"\1", nodes[:end])
