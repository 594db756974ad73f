# SPDX-License-Identifier: Apache-2.0
"""Under an MPI launcher: process 0 listens at a free port, and MPI tells the others where, and a secret."""

from __future__ import annotations

import atexit
import secrets
import socket
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from olympus_core.errors.joining import JoinTimeoutError, LauncherMismatchError
from olympus_core.logs import Log
from olympus_core.network import bind_port, own_address

from .addresses import Address
from .machine import machine_identity

if TYPE_CHECKING:
    from .detect import Detection

_TEXT_SIZE, _SECRET_SIZE = 256, 32
_log = Log(__name__)
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


class MpiAddress(NamedTuple):
    """What MPI tells.

    Args:
        address: The coordinator's address.
        listener: In process 0 the socket that listens there already.
        secret: A secret for the job.
    """

    address: str
    listener: socket.socket | None
    secret: bytes


def agree_on_address(found: Detection, process: int, count: int, timeout: float) -> MpiAddress | None:
    """Process 0 tells the others where it listens; None where the library that is here would not start so.

    Raises:
        LauncherMismatchError: If MPI sees another number of processes.
        JoinTimeoutError: If not all come to it.
    """
    deadline = _Deadline(timeout)
    mpi = _open_mpi(found, process, deadline, count)
    if mpi is None:
        return None
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
    return MpiAddress(told[:_TEXT_SIZE].rstrip(b"\0").decode(), listener, bytes(told[_TEXT_SIZE:]))


def _open_mpi(found: Detection, process: int, deadline: _Deadline, count: int) -> Any:
    """Imports mpi4py and initialises MPI, with a deadline: MPI itself would wait for ever for a missing process.

    None where the library that is here is not the launcher's: MPI_Init would then end the process.
    """
    # Imported where there is a launcher of MPI: the others need none of it before their devices.
    from olympus_core.toolkit import mpi_runtime

    started_by = mpi_runtime.launcher()
    try:
        mpi = mpi_runtime.load()
    except (ImportError, RuntimeError) as error:
        return _without(process, found, f"mpi4py cannot be used ({str(error).splitlines()[0]})")
    if mpi.Is_initialized():
        return mpi
    if started_by is None or not mpi_runtime.fits(mpi, started_by):
        name = mpi.Get_library_version().split(",")[0].splitlines()[0].strip()
        return _without(process, found, f"the library that mpi4py uses ({name}) is not the launcher's")
    code = mpi_runtime.begin(mpi, started_by, (found.local_index or 0) + 1, deadline.left)
    if code != 0:
        raise _not_all(f"MPI_Init_thread {'did not return' if code is None else 'failed'}", deadline, count)
    _opened.append(mpi)
    return mpi


def _without(process: int, found: Detection, reason: str) -> None:
    if process == 0:
        where = found.other_address or "none: pass coordinator_address"
        _log.warning("MPI is not used to find the processes of this job: %s. They meet at the address that the "
                     "launcher's variables tell (%s). MPI4PY_LIBMPI names another library.", reason, where)


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
        from olympus_core.toolkit import mpi_runtime

        mpi_runtime.finalise(timeout)


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
