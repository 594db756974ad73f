# SPDX-License-Identifier: Apache-2.0
"""The MPI world of this process: initialised once, in the background, and finalised once."""

from __future__ import annotations

import atexit
import threading
import time
from typing import Any

from olympus_core.errors.platform import TransportError, TransportUnavailableError
from olympus_core.plugin import Group, Rendezvous
from olympus_core.toolkit import MoverCommunicator, Steps, mpi_runtime, mpich, start_thread

from ...buffer import CpuBuffer
from ..communicator_ids import CommunicatorIds
from .bootstrap import Bootstrap
from .engine import Engine, MpiRequest
from .failures import Connections

_END_TIME = 5.0  # seconds for all processes to reach MPI's finalisation
_EXIT_TIME = 2.0  # the same, where programs exit without a shutdown
_FINALISATION_TIME = 300.0  # once all have reached it: on a loaded machine of many processes it takes long
_STRAY_TIME = 0.4  # in which a start that failed may still create shared memory, which must be removed
_SEQUENCE_BITS = 12  # of a tag: log2 of the communications of one group that may be under way


class MpiWorld:
    """All processes of a job as one MPI world.

    Args:
        rendezvous: Exchanges addresses between the processes.
        start_timeout: Seconds for all processes to initialise MPI.
    """

    _current: MpiWorld | None = None  # MPI belongs to the process, so there is one

    def __init__(self, rendezvous: Rendezvous, start_timeout: float) -> None:
        self.rendezvous, self._start_timeout = rendezvous, start_timeout
        self._bootstrap = Bootstrap(rendezvous)
        self._engine: Engine | None = None
        self._error: BaseException | None = None
        self._is_up = threading.Event()
        self._is_over = self._is_exiting = False
        self._ids = CommunicatorIds("mpi", rendezvous)
        self._most_communicators = 1 << 16
        self._thread = start_thread(self._bring_up, "olympus-mpi-start", "beginning MPI")

    @classmethod
    def begin(cls, rendezvous: Rendezvous, start_timeout: float) -> MpiWorld:
        """The world of a job; its initialisation begins at the first call, which every process makes."""
        if cls._current is None or (cls._current._is_over and not cls._current._bootstrap.is_ours):
            cls._current = cls(rendezvous, start_timeout)
            atexit.register(cls._current._at_exit)
        elif cls._current.rendezvous is not rendezvous:
            raise TransportUnavailableError(
                "mpi", "MPI served an earlier job in this process, and begins only once",
                "Start a new process, or choose the sockets: OLYMPUS_CPU_TRANSPORT=tcp.")
        return cls._current

    @classmethod
    def end(cls) -> None:
        """Ends the world if there is one."""
        if cls._current is not None:
            cls._current._end()

    @classmethod
    def can_begin(cls) -> bool:
        """Whether MPI can still be initialised: no earlier job of this process did."""
        return cls._current is None

    def communicator(self, group: Group) -> MoverCommunicator:
        """A communicator of devices; called by all processes that own one, in the same order."""
        engine = self._wait_until_up()
        number = self._ids.agree(group, self._most_communicators)
        ranks = {process: self._bootstrap.ranks[process] for process in group.processes}
        return MoverCommunicator(group, _GroupMover(engine, number << _SEQUENCE_BITS, ranks), CpuBuffer)

    def _wait_until_up(self) -> Engine:
        deadline = time.monotonic() + self._start_timeout
        while not self._is_up.wait(0.01):
            self.rendezvous.check()
            if self._bootstrap.error is not None:
                raise self._bootstrap.error
            if time.monotonic() > deadline:
                raise TransportUnavailableError(
                    "mpi", f"MPI did not come up in {self._start_timeout:.0f} s",
                    "Set OLYMPUS_CPU_TRANSPORT=tcp, or another OLYMPUS_TRANSPORT_TIMEOUT; `olympus doctor` says more.")
        if self._error is not None:
            raise self._error
        if self._engine is None:
            raise TransportUnavailableError("mpi", "it has been closed", "Do not use devices after shutdown().")
        return self._engine

    def _bring_up(self) -> None:
        try:
            mpich.remove_leftovers()
            mpi = self._bootstrap.run()
            # A communicator of its own, because the program may use MPI too.
            communicator, request = mpi.COMM_WORLD.Idup()
            self._finish(request, self._start_timeout)
            mpich.unlink_segments()
            self._most_communicators = (communicator.Get_attr(mpi.TAG_UB) + 1) >> _SEQUENCE_BITS
            connections = Connections(self.rendezvous)
            connections.watch()
            self._engine = Engine(mpi, communicator, self.rendezvous, connections)
            self._mpi = mpi
            self._world = communicator
        except BaseException as error:  # noqa: BLE001  (raised by whoever needs the world)
            self._error = error
        finally:
            self._is_up.set()

    def _finish(self, request: Any, timeout: float) -> None:
        deadline = time.monotonic() + timeout
        while not request.Test():
            self.rendezvous.check()
            if time.monotonic() > deadline:
                raise TimeoutError("the processes did not come to MPI's barrier")
            time.sleep(1e-4)

    def _end(self) -> None:
        if self._is_over:
            return
        self._is_over = True
        try:
            engine = self._wait_until_up()
            engine.close()
            patience = self._exit_patience() if self._is_exiting else _END_TIME
            if engine.is_healthy and self._bootstrap.is_ours and patience:
                # MPI_Finalize has crashed without a barrier before it.
                self._finish(self._world.Ibarrier(), patience)
                mpi_runtime.finalise(_FINALISATION_TIME)
        except Exception:  # noqa: BLE001  (the job has failed, and whoever waits has been told; nothing to end)
            pass
        finally:
            mpich.unlink_segments()
            self._bootstrap.detach()

    def _exit_patience(self) -> float:
        """How long a program that exits without a shutdown waits for the others.

        Not at all where its last messages are in shared memory; a moment where they may not have left the machine.
        """
        return 0.0 if len(set(self.rendezvous.hosts)) == 1 else _EXIT_TIME

    def _at_exit(self) -> None:
        """At the program's end: waits until MPI is not in the middle of its initialisation."""
        self._is_exiting = True
        deadline = time.monotonic() + _END_TIME
        while not self._is_up.wait(0.05) and self._bootstrap.error is None and time.monotonic() < deadline:
            try:
                self.rendezvous.check()
            except Exception:  # noqa: BLE001  (the job has failed: MPI will not come up)
                break
        if self._engine is not None:
            self._engine.stop_progress_thread()
        mpich.unlink_segments()
        # If the job failed while MPI was starting, its shared memory may still appear.
        deadline = time.monotonic() + _STRAY_TIME
        while not self._is_up.wait(0.02) and time.monotonic() < deadline:
            mpich.unlink_segments()


class _GroupMover:
    """The engine for one group: its tags, and the ranks of its processes."""

    def __init__(self, engine: Engine, first_tag: int, ranks: dict[int, int]) -> None:
        self._engine, self._first_tag, self._ranks = engine, first_tag, ranks
        self._count = 0
        self._requests: list[MpiRequest] = []

    def begin(self, steps: Steps, what: str) -> MpiRequest:
        self._count = (self._count + 1) & ((1 << _SEQUENCE_BITS) - 1)
        request = self._engine.begin(steps, what, self._first_tag | self._count, self._ranks)
        if request.is_under_way:
            self._requests = [other for other in self._requests if other.is_under_way]
            self._requests.append(request)
        return request

    def abort(self, reason: str) -> None:
        for request in self._requests:
            request.was_aborted = True
        self._engine.abandon(self._requests, TransportError("mpi", "a communication", reason))

    def close(self) -> None:
        """Leaves communications under way, because other processes may still need their messages."""
