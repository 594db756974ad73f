# SPDX-License-Identifier: Apache-2.0
"""Initialisation of MPI: one world from plain processes, from a launcher's, or the existing one."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Sequence
from typing import Any

from olympus_core.errors.platform import TransportError, TransportUnavailableError
from olympus_core.plugin import Rendezvous
from olympus_core.toolkit import mpi_runtime, mpich

from .pmi import PmiServer

_FIX = "Install mpi4py with the mpich wheel, or choose the sockets: OLYMPUS_CPU_TRANSPORT=tcp."


class Bootstrap:
    """Initialises MPI.

    Attributes:
        ranks: For each process of the job its rank in `COMM_WORLD`.
        is_ours: Whether MPI was initialised here, and so is to be finalised here.

    Args:
        rendezvous: How to reach the other processes.
    """

    def __init__(self, rendezvous: Rendezvous) -> None:
        self._rendezvous = rendezvous
        self._server: PmiServer | None = None
        self._pmi_end: socket.socket | None = None
        self.ranks: Sequence[int] = range(rendezvous.process_count)
        self.is_ours = False

    @property
    def error(self) -> BaseException | None:
        """Why MPI cannot start, as far as the PMI server knows."""
        return self._server.error if self._server is not None else None

    def run(self) -> Any:
        """Initialises MPI, or uses the world that exists; returns the module `mpi4py.MPI`."""
        try:
            mpi = mpi_runtime.load()
        except (ImportError, RuntimeError) as error:
            reason = f"mpi4py or its library cannot be loaded ({error})"
            raise TransportUnavailableError("mpi", reason, _FIX) from None
        is_begun = mpi.Is_initialized()
        facts = {
            "begun": is_begun, "ended": mpi.Is_finalized(), "alone": mpi_runtime.can_start_alone(mpi),
            "rank": mpi.COMM_WORLD.Get_rank() if is_begun else -1,
            "size": mpi.COMM_WORLD.Get_size() if is_begun else -1, "launcher": _launched(mpi),
            "room": is_begun or mpich.has_room(processes_here(self._rendezvous)),
        }
        answers = self._rendezvous.exchange("MPI start", json.dumps(facts).encode())
        all_facts = [json.loads(a) for a in answers]
        count = self._rendezvous.process_count
        if any(f["ended"] for f in all_facts):
            raise TransportUnavailableError(
                "mpi", "MPI has been ended in this process, and begins only once",
                "Start a new process, or choose the sockets: OLYMPUS_CPU_TRANSPORT=tcp.")
        if not all(f["room"] for f in all_facts):
            raise TransportUnavailableError(
                "mpi", f"there is too little room in {mpich.FOLDER}: a machine of so many processes needs"
                f" {mpich.room_needed(processes_here(self._rendezvous)):,} bytes there",
                f"Give {mpich.FOLDER} more room, or choose the sockets: OLYMPUS_CPU_TRANSPORT=tcp.")
        if all(f["begun"] for f in all_facts) and _is_world([(f["rank"], f["size"]) for f in all_facts], count):
            self.ranks = [f["rank"] for f in all_facts]
        elif any(f["begun"] for f in all_facts):
            raise TransportUnavailableError(
                "mpi", "the processes of the job are not one MPI world: some have begun MPI by themselves",
                "Do not import mpi4py.MPI before olympus.distributed.initialize(), or start all with one mpiexec.")
        elif all(f["launcher"] for f in all_facts) and _is_world([tuple(f["launcher"]) for f in all_facts], count):
            self.ranks = [f["launcher"][0] for f in all_facts]
            is_mpich = all_facts[0]["alone"]
            with mpich.settings(mpi_runtime.process_manager_settings() if is_mpich else None):
                self._initialise(mpi)
        elif all(f["alone"] for f in all_facts):
            self._initialise_alone(mpi)
        else:
            raise TransportUnavailableError(
                "mpi", f"{mpi.get_vendor()[0]} starts only under its own launcher",
                "Start the job with its mpiexec, install the mpich wheel, or set OLYMPUS_CPU_TRANSPORT=tcp.")
        mpi.COMM_WORLD.Set_errhandler(mpi.ERRORS_RETURN)
        mpi.COMM_SELF.Set_errhandler(mpi.ERRORS_RETURN)
        return mpi

    def detach(self) -> None:
        """Answers MPICH's last PMI request in advance: it comes after Python, and with it the PMI server, has ended."""
        if self._pmi_end is None:
            return
        ours, theirs = socket.socketpair()
        theirs.sendall(b"cmd=finalize_ack rc=0\n")
        os.dup2(ours.fileno(), self._pmi_end.fileno())
        ours.close()
        # Both stay open to the very end of the process.
        theirs.detach()
        self._pmi_end.detach()
        self._pmi_end = None

    def _initialise_alone(self, mpi: Any) -> None:
        self._pmi_end, server_end = socket.socketpair()
        self._server = PmiServer(server_end, self._rendezvous)
        self._server.start()
        variables = {
            **mpi_runtime.process_manager_settings(),
            "PMI_FD": str(self._pmi_end.fileno()), "PMI_RANK": str(self._rendezvous.process_index),
            "PMI_SIZE": str(self._rendezvous.process_count), "PMI_PORT": None, "PMI_ID": None, "PMI_SPAWNED": None,
            **_interface_settings(self._rendezvous),
        }
        with mpich.settings(variables):
            self._initialise(mpi)

    def _initialise(self, mpi: Any) -> None:
        code = mpi_runtime.initialise(int(mpi.THREAD_SERIALIZED))
        if code:
            raise TransportError("mpi", "MPI_Init_thread", f"it returned {code}")
        self.is_ours = True


def _launched(mpi: Any) -> tuple[int, int] | None:
    """Rank and size that a launcher gave this process, if the library starts under it."""
    started_by = mpi_runtime.launcher()
    if started_by is None or not mpi_runtime.fits(mpi, started_by):
        return None
    return started_by.process, started_by.count


def _is_world(ranks_and_sizes: Sequence[tuple[int, ...]], count: int) -> bool:
    ranks = sorted(rank for rank, _ in ranks_and_sizes)
    return ranks == list(range(count)) and all(size == count for _, size in ranks_and_sizes)


def processes_here(rendezvous: Rendezvous) -> int:
    """Number of the job's processes on this machine."""
    return rendezvous.hosts.count(rendezvous.hosts[rendezvous.process_index])


def _interface_settings(rendezvous: Rendezvous) -> dict[str, str | None]:
    """Between machines: the interface that reaches the coordinator, in case several machines share an address."""
    from olympus_core.network import interface_of

    from ..addresses import address_towards

    if len(set(rendezvous.hosts)) == 1 or os.path.isdir("/sys/class/infiniband"):
        return {}
    name = interface_of(address_towards(rendezvous))
    chosen = {"UCX_NET_DEVICES": name, "FI_TCP_IFACE": name}
    return {k: v for k, v in chosen.items() if v is not None and k not in os.environ}
