"""Slurm: a task of a job step, as `srun` starts it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from .detection import Detection, Finding, integer, show

_FIRST_PORT, _PORTS = 61440, 4096
_MPI_PAIRS = (("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"), ("PMI_RANK", "PMI_SIZE"))


def find(environ: Mapping[str, str]) -> Finding:
    """A step's variables are needed: those of the job alone are left in every shell inside of an allocation."""
    if "SLURM_JOB_ID" not in environ:
        return Finding(None, "no SLURM_JOB_ID")
    job = environ["SLURM_JOB_ID"]
    if "SLURM_STEP_ID" not in environ:
        return Finding(None, f"SLURM_JOB_ID={job} but no SLURM_STEP_ID: not a step started by srun", True)
    process = integer(environ, "SLURM_PROCID")
    count = integer(environ, "SLURM_STEP_NUM_TASKS")
    nodes = environ.get("SLURM_STEP_NODELIST", "")
    absent = [
        name
        for name, value in (
            ("SLURM_PROCID", process),
            ("SLURM_STEP_NUM_TASKS", count),
            ("SLURM_STEP_NODELIST", nodes or None),
        )
        if value is None
    ]
    given = show(environ, "SLURM_JOB_ID", "SLURM_STEP_ID", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS")
    if absent or process is None or count is None:
        return Finding(None, f"{given} but no {', '.join(absent)}", True)
    for rank_name, size_name in _MPI_PAIRS:
        rank, size = integer(environ, rank_name), integer(environ, size_name)
        if rank is not None and size is not None and (rank, size) != (process, count):
            # mpiexec inside of an allocation uses srun for its own helpers, whose variables these are.
            other = show(environ, rank_name, size_name)
            return Finding(None, f"{given}, but {other}: the step belongs to mpiexec, not to the processes")
    step = environ["SLURM_STEP_ID"]
    port = _FIRST_PORT + (_number(job) + 31 * _number(step)) % _PORTS
    address = f"{first_node(nodes)}:{port}"
    local = integer(environ, "SLURM_LOCALID")
    return Finding(Detection("slurm", address, process, count, local), f"{given} SLURM_STEP_NODELIST={nodes}")


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


def _number(text: str) -> int:
    digits = re.sub(r"\D", "", text)
    return int(digits) if digits else 0
