"""Under an MPI launcher: process 0 listens at a free port, and MPI tells the others where, and a secret."""

from __future__ import annotations

import atexit
import ctypes
import os
import secrets
import socket
import sys
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from olympus_core.errors.joining import IncompleteClusterError, JoinTimeoutError, LauncherMismatchError
from olympus_core.network import bind_port, own_address

from .addresses import Address
from .machine import machine_identity

if TYPE_CHECKING:
    from .detect import Detection

_TEXT_SIZE, _SECRET_SIZE = 256, 32
# MPI, if it was initialised here.
_opened: list[Any] = []


class _Deadline:
    """The end of the time for all steps together."""

    def __init__(self, timeout: float) -> None:
        self._started, self._timeout = time.monotonic(), timeout

    @property
    def waited(self) -> float:
        return time.monotonic() - self._started

    @property
    def left(self) -> float:
        return max(0.0, self._timeout - self.waited)


def agree_on_address(
    found: Detection, process: int, count: int, timeout: float
) -> tuple[str, socket.socket | None, bytes]:
    """The coordinator's address, in process 0 the socket that listens there already, and a secret for the job."""
    deadline = _Deadline(timeout)
    mpi = _open_mpi(found, deadline, count)
    world = mpi.COMM_WORLD
    if world.Get_size() != count:
        raise LauncherMismatchError(found.name, count, world.Get_size(), _library_evidence(mpi))
    machine = machine_identity()
    machines = bytearray(16 * count)
    _finish(world.Iallgather(machine.encode(), [machines, mpi.BYTE]), "MPI all-gather", deadline, count)
    is_one_machine = len({bytes(machines[16 * i : 16 * i + 16]) for i in range(count)}) == 1
    listener: socket.socket | None = None
    told = bytearray(_TEXT_SIZE + _SECRET_SIZE)
    if process == 0:
        host = "127.0.0.1" if is_one_machine else own_address()
        listener = bind_port(host)
        address = str(Address(host, listener.getsockname()[1]))
        told[: len(address)] = address.encode()
        told[_TEXT_SIZE:] = secrets.token_bytes(_SECRET_SIZE)
    _finish(world.Ibcast([told, mpi.BYTE], root=0), "MPI broadcast", deadline, count)
    from olympus_core.toolkit import mpich

    mpich.unlink_segments()  # all have them by now, and a killed job leaves nothing
    return told[:_TEXT_SIZE].rstrip(b"\0").decode(), listener, bytes(told[_TEXT_SIZE:])


def _open_mpi(found: Detection, deadline: _Deadline, count: int) -> Any:
    """Imports mpi4py and initialises MPI, with a deadline: MPI itself would wait for ever for a missing process."""
    try:
        import mpi4py

        mpi4py.rc.initialize = False
        # Whoever uses MPI later (a transport) decides on its end; after a failure there must be none.
        mpi4py.rc.finalize = False
        from mpi4py import MPI
    except (ImportError, RuntimeError) as error:
        raise IncompleteClusterError(
            {"num_processes": found.num_processes, "process_id": found.process_id},
            ["coordinator_address"],
            [*found.evidence, f"mpi4py, which would find the address, cannot be used: {error}"],
        ) from None
    if MPI.Is_initialized():
        return MPI
    # Imported where there is a launcher of MPI: the others need none of it before their devices.
    from olympus_core.toolkit import mpich

    mpich.remove_leftovers()
    mpich.check_room((found.local_index or 0) + 1)
    result: list[int] = []
    library = ctypes.CDLL(_library_path())
    provided = ctypes.c_int()

    def initialise() -> None:
        # Through ctypes, which lets the other threads run meanwhile; mpi4py's own call does not.
        level = ctypes.c_int(int(MPI.THREAD_MULTIPLE))
        result.append(library.MPI_Init_thread(None, None, level, ctypes.byref(provided)))

    thread = threading.Thread(target=initialise, name="olympus-mpi-init", daemon=True)
    with mpich.settings():
        thread.start()
        thread.join(deadline.left)
    if not result or result[0] != 0:
        raise _not_all(f"MPI_Init_thread {'failed' if result else 'did not return'}", deadline, count)
    _opened.append(MPI)
    MPI.COMM_WORLD.Set_errhandler(MPI.ERRORS_RETURN)
    MPI.COMM_SELF.Set_errhandler(MPI.ERRORS_RETURN)
    return MPI


def finalize_at_exit(is_wanted: Callable[[], bool], timeout: float) -> None:
    """At the program's end, ends MPI if this room began it: its launcher takes a process that does not for a crash.

    Args:
        is_wanted: Asked then; after a failure MPI must not be ended, it would wait for the lost.
        timeout: Seconds that the others have to come.
    """
    if _opened:
        atexit.unregister(_finalize)  # of an earlier job
        atexit.register(_finalize, is_wanted, timeout)


def _finalize(is_wanted: Callable[[], bool], timeout: float) -> None:
    if is_wanted() and not _opened[0].Is_finalized():
        library = ctypes.CDLL(_library_path())
        thread = threading.Thread(target=library.MPI_Finalize, name="olympus-mpi-finalize", daemon=True)
        thread.start()
        thread.join(timeout)


def _library_path() -> str:
    """The MPI library that mpi4py has loaded."""
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="replace") as file:
            for line in file:
                path = line.rstrip("\n").partition("/")[2]
                if os.path.basename(path).startswith(("libmpi.", "libmpich.", "libmpi_abi.")):
                    return f"/{path}"
    except OSError:
        pass
    return os.path.join(sys.prefix, "lib", "libmpi.so.12")


def _library_evidence(mpi: Any) -> str:
    return f"mpi4py uses {mpi.Get_library_version().splitlines()[0].strip()}, which may not be the launcher's library"


def _finish(request: Any, what: str, deadline: _Deadline, count: int) -> None:
    pause = 0.0
    while not request.Test():
        if not deadline.left:
            raise _not_all(f"{what} did not end", deadline, count)
        time.sleep(pause)
        pause = min(0.005, pause + 0.0001)


def _not_all(view: str, deadline: _Deadline, count: int) -> JoinTimeoutError:
    return JoinTimeoutError(
        joined=None, expected=count, missing=(), seconds=deadline.waited, address="that MPI would tell", view=view
    )
