"""The launchers of Open MPI and MPICH; MPI itself then tells where process 0 is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from .detection import Detection, Finding, integer, show


class _Launcher(NamedTuple):
    """One row: a launcher and its variables."""

    name: str
    process: str
    size: str
    local: tuple[str, ...]


LAUNCHERS = (
    _Launcher("Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", ("OMPI_COMM_WORLD_LOCAL_RANK",)),
    _Launcher("MVAPICH", "MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", ("MV2_COMM_WORLD_LOCAL_RANK",)),
    _Launcher("MPICH", "PMI_RANK", "PMI_SIZE", ("MPI_LOCALRANKID",)),
)


def find(environ: Mapping[str, str]) -> Finding:
    """An index and a number from the same launcher are needed."""
    partial = []
    for launcher in LAUNCHERS:
        process, count = integer(environ, launcher.process), integer(environ, launcher.size)
        given = show(environ, launcher.process, launcher.size)
        if process is not None and count is not None:
            local = next((value for name in launcher.local if (value := integer(environ, name)) is not None), None)
            found = Detection("mpiexec", None, process, count, local, is_mpi=True)
            return Finding(found, f"{launcher.name}: {given}")
        if given:
            partial.append(f"{given} without its pair")
    if "PMIX_RANK" in environ:
        partial.append(f"{show(environ, 'PMIX_RANK')}, which does not tell the number of processes")
    if partial:
        return Finding(None, "; ".join(partial), True)
    return Finding(None, "no " + ", ".join(launcher.process for launcher in LAUNCHERS))
