"""mpi4py and its MPI library, loaded so that neither initialises or finalises MPI by itself."""

from __future__ import annotations

import ctypes
import os
import sys
import threading
from typing import Any

from olympus_core.errors.platform import TransportUnavailableError

_FIX = "Install mpi4py with the mpich wheel, or choose the sockets: OLYMPUS_CPU_TRANSPORT=tcp."


def load() -> Any:
    """The module `mpi4py.MPI`."""
    try:
        import mpi4py

        if "mpi4py.MPI" not in sys.modules:
            mpi4py.rc.initialize = False
            mpi4py.rc.finalize = False
        from mpi4py import MPI
    except (ImportError, RuntimeError) as error:
        raise TransportUnavailableError("mpi", f"mpi4py or its library cannot be loaded ({error})", _FIX) from None
    return MPI


def can_start_alone(mpi: Any) -> bool:
    """Whether the library starts with our PMI-1 server: MPICH and its derivatives do, Open MPI does not."""
    return mpi.get_vendor()[0] in ("MPICH", "Intel MPI", "MVAPICH", "MVAPICH2")


def library() -> ctypes.CDLL:
    """The library that mpi4py has loaded; calls through it let other Python threads run."""
    return ctypes.CDLL(_path())


def initialise(mpi: Any) -> int:
    """`MPI_Init_thread`; blocks in C until all processes call it, so it is called in a thread of its own."""
    provided = ctypes.c_int()
    level = ctypes.c_int(int(mpi.THREAD_SERIALIZED))
    return int(library().MPI_Init_thread(None, None, level, ctypes.byref(provided)))


def finalise(timeout: float) -> bool:
    """`MPI_Finalize` with a deadline; whether it came back."""
    thread = threading.Thread(target=library().MPI_Finalize, name="olympus-mpi-finalize", daemon=True)
    thread.start()
    thread.join(timeout)
    return not thread.is_alive()


def _path() -> str:
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="replace") as file:
            for line in file:
                path = line.rstrip("\n").partition("/")[2]
                if os.path.basename(path).startswith(("libmpi.", "libmpich.", "libmpi_abi.")):
                    return f"/{path}"
    except OSError:
        pass
    return os.path.join(sys.prefix, "lib", "libmpi.so.12")
