# SPDX-License-Identifier: Apache-2.0
"""Which MPI library this process uses, and whether it starts under the launcher that is here.

A library that is started by another one's launcher ends the process in `MPI_Init`: so that is decided before, by facts.
"""

from __future__ import annotations

import ctypes
import os
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from olympus_core.dataclass import dataclass
from olympus_core.network.pmi import has_process_manager

from . import mpich

OPEN_MPI, MPICH = "Open MPI", "MPICH"
_PMI = ("PMI_RANK", "PMI_SIZE")
_PAIRS = {
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"): OPEN_MPI,
    ("MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"): MPICH,
    _PMI: MPICH,
}
_MPICH_LIKE = ("MPICH", "Intel MPI", "MVAPICH", "MVAPICH2")
_CHOICES = ("MPI4PY_LIBMPI", "MPI4PY_MPIABI")
_ALONE = "alone"
_OPEN_MPI_NAME, _MPICH_NAME = "libmpi.so.40", "libmpi.so.12"
_LOADED = ("libmpi.", "libmpich.", "libmpi_abi.")


@dataclass(frozen=True, slots=True)
class MpiLauncher:
    """A launcher of MPI that started this process.

    Args:
        family: Whose library it starts: ``Open MPI`` or ``MPICH``, whose derivatives have the same launcher.
        process: This process's index.
        count: Number of processes.
        major: Its major version, where it tells; the library's has to be the same.
    """

    family: str
    process: int
    count: int
    major: int | None = None


def launcher(environ: Mapping[str, str] = os.environ) -> MpiLauncher | None:
    """The launcher of MPI that this process can answer to; None if there is none, or only its variables are left.

    Args:
        environ: The environment variables.

    Example:
        >>> launcher({"OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "4", "OMPI_MCA_orte_num_nodes": "1"})
        MpiLauncher(family='Open MPI', process=1, count=4, major=4)
    """
    for pair, family in _PAIRS.items():
        process, count = (environ.get(name, "") for name in pair)
        if not (process.isdigit() and count.isdigit()):
            continue
        # Slurm's own server speaks PMI-2: under it MPICH starts with ours, as without a launcher.
        is_slurms = (process, count) == (environ.get("SLURM_PROCID"), environ.get("SLURM_STEP_NUM_TASKS"))
        if pair == _PMI and (is_slurms or not has_process_manager(environ)):
            continue
        major = None
        if family == OPEN_MPI:
            major = 4 if any(name.startswith("OMPI_MCA_orte_") for name in environ) else 5
        return MpiLauncher(family, int(process), int(count), major)
    return None


def load() -> Any:
    """The module ``mpi4py.MPI``, over the launcher's library where that is here; it begins and ends nothing by itself.

    Raises:
        ImportError: If there is no mpi4py, or none for that library.
        RuntimeError: If there is no library.
    """
    import mpi4py

    if "mpi4py.MPI" not in sys.modules:
        # Whoever uses MPI decides on its beginning and its end; after a failure there must be none.
        mpi4py.rc.initialize = False
        mpi4py.rc.finalize = False
        with _chosen():
            from mpi4py import MPI
    else:
        from mpi4py import MPI
    return MPI


def fits(mpi: Any, started_by: MpiLauncher) -> bool:
    """Whether the library can be initialised under a launcher.

    Args:
        mpi: The module.
        started_by: The launcher.
    """
    vendor, version = mpi.get_vendor()
    if started_by.family == OPEN_MPI:
        return bool(vendor == OPEN_MPI and started_by.major in (None, version[0]))
    return vendor in _MPICH_LIKE


def can_start_alone(mpi: Any) -> bool:
    """Whether the library starts with our PMI-1 server: MPICH and its derivatives do, Open MPI does not."""
    return mpi.get_vendor()[0] in _MPICH_LIKE


def way_to_start(count: int) -> str | None:
    """How a job's MPI could start here: by the launcher whose name this is, alone, or not at all.

    Args:
        count: Number of the job's processes; a launcher that started others starts no MPI for them.

    Raises:
        ImportError: As `load`, where only that tells.
        RuntimeError: Likewise.
    """
    started_by, module = launcher(), sys.modules.get("mpi4py.MPI")
    # The wheel of MPICH is found by mpi4py, whoever started the process, and starts with our server.
    is_free = module is None and not any(name in os.environ for name in _CHOICES)
    if is_free and started_by is None and Path(sys.prefix, "lib", _MPICH_NAME).exists():
        return _ALONE
    mpi = load()
    if started_by is not None and started_by.count == count and fits(mpi, started_by):
        return started_by.family
    return _ALONE if can_start_alone(mpi) else None


def library() -> ctypes.CDLL:
    """The library that mpi4py has loaded; calls through it let other Python threads run."""
    return ctypes.CDLL(_path())


def initialise(level: int) -> int:
    """`MPI_Init_thread`; blocks in C until all processes call it, so it is called in a thread of its own.

    Args:
        level: What threads may do.
    """
    provided = ctypes.c_int()
    return int(library().MPI_Init_thread(None, None, ctypes.c_int(level), ctypes.byref(provided)))


def begin(mpi: Any, started_by: MpiLauncher, neighbours: int, seconds: float) -> int | None:
    """Initialises MPI under its launcher, for any threads; its result, None if it did not come in time.

    Args:
        mpi: The module.
        started_by: The launcher, which the library fits.
        neighbours: The processes of this machine, as far as they are known.
        seconds: How long to wait; MPI itself waits for ever for a missing process.

    Raises:
        SharedMemoryError: If there is too little for MPICH.
    """
    is_mpich = started_by.family == MPICH
    if is_mpich:
        mpich.remove_leftovers()
        mpich.check_room(neighbours)
    result: list[int] = []

    def run() -> None:
        # Through ctypes, which lets the other threads run meanwhile; mpi4py's own call does not.
        result.append(initialise(int(mpi.THREAD_MULTIPLE)))

    thread = threading.Thread(target=run, name="olympus-mpi-init", daemon=True)
    with mpich.settings(process_manager_settings() if is_mpich else None):
        thread.start()
        thread.join(seconds)
    if not result:
        return None
    if result[0] == 0:
        mpi.COMM_WORLD.Set_errhandler(mpi.ERRORS_RETURN)
        mpi.COMM_SELF.Set_errhandler(mpi.ERRORS_RETURN)
    return result[0]


def finalise(timeout: float) -> bool:
    """`MPI_Finalize` with a deadline; whether it came back."""
    thread = threading.Thread(target=library().MPI_Finalize, name="olympus-mpi-finalize", daemon=True)
    thread.start()
    thread.join(timeout)
    return not thread.is_alive()


def process_manager_settings(environ: Mapping[str, str] = os.environ) -> dict[str, str | None]:
    """What MPICH has to be told to ask over PMI-1, for `mpich.settings`.

    Without it, variables of PMIx (of Open MPI's launcher, or of ``srun --mpi=pmix``) make it ask a PMIx server, which
    the wheel cannot, and end the process.
    """
    found: dict[str, str | None] = {name: None for name in environ if name.startswith("PMIX_")}
    return {**found, "MPIR_CVAR_PMI_VERSION": "1"}


@contextmanager
def _chosen() -> Iterator[None]:
    """While mpi4py looks for a library: Open MPI's where its launcher is here, if the user has not named one."""
    started_by = launcher()
    path = None
    if started_by is not None and started_by.family == OPEN_MPI and not any(name in os.environ for name in _CHOICES):
        path = _open_mpi_path()
    if path is None:
        yield
        return
    with mpich.settings({"MPI4PY_LIBMPI": path}):
        yield


def _open_mpi_path() -> str | None:
    """Open MPI's library: beside the launcher itself, else where the system's loader finds it."""
    places = [Path(os.environ["OPAL_PREFIX"])] if "OPAL_PREFIX" in os.environ else []
    try:
        places.append(Path(os.readlink(f"/proc/{os.getppid()}/exe")).parent.parent)
    except OSError:
        pass  # the parent is another user's, or has ended
    names = [str(place / folder / _OPEN_MPI_NAME) for place in places for folder in ("lib", "lib64")]
    for name in [*names, _OPEN_MPI_NAME]:
        try:
            found = ctypes.CDLL(name, os.RTLD_LAZY | os.RTLD_LOCAL)
        except OSError:
            continue
        if hasattr(found, "ompi_mpi_comm_self"):
            return name
    return None


def _path() -> str:
    """The MPI library that is loaded; of several (another one may have been looked at) mpi4py's own."""
    wanted = _OPEN_MPI_NAME if _is_open_mpi() else ""
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="replace") as file:
            for line in file:
                path = line.rstrip("\n").partition("/")[2]
                if os.path.basename(path).startswith(wanted or _LOADED):
                    return f"/{path}"
    except OSError:
        pass
    return os.path.join(sys.prefix, "lib", _MPICH_NAME)


def _is_open_mpi() -> bool:
    module = sys.modules.get("mpi4py.MPI")
    return module is not None and module.get_vendor()[0] == OPEN_MPI
