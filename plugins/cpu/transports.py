"""The transports between processes, and which one a job uses."""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Mapping
from pathlib import Path

from olympus_core.errors.platform import TransportUnavailableError
from olympus_core.plugin import Communicator, Group, PlatformSettings, Rendezvous, TransportFactory


class _MpiFactory:
    """Makes communicators over MPI; imports it at the first need."""

    def prepare(self, rendezvous: Rendezvous) -> None:
        """Begins to bring MPI up, in the background; called by every process of the job."""
        from .mpi.world import MpiWorld

        MpiWorld.begin(rendezvous)

    def __call__(self, group: Group, rendezvous: Rendezvous) -> Communicator:
        from .mpi.world import MpiWorld

        return MpiWorld.begin(rendezvous).communicator(group)

    def close(self) -> None:
        """Ends MPI if it was brought up."""
        from .mpi.world import MpiWorld

        MpiWorld.end()


class _TcpFactory:
    """Makes communicators over sockets."""

    def prepare(self, rendezvous: Rendezvous) -> None:
        """Begins to connect, in the background; called by every process of the job."""
        from .tcp import TcpWorld

        TcpWorld.begin(rendezvous)

    def __call__(self, group: Group, rendezvous: Rendezvous) -> Communicator:
        from .tcp import TcpWorld

        return TcpWorld.begin(rendezvous).communicator(group)

    def close(self) -> None:
        """Closes the connections if there are any."""
        from .tcp import TcpWorld

        TcpWorld.end()


TRANSPORTS: Mapping[str, TransportFactory] = {"mpi": _MpiFactory(), "tcp": _TcpFactory()}


class Transports:
    """The transport of one client: chosen when it opens, brought up while the program goes on.

    Args:
        settings: What the runtime says; `transport` None leaves the choice to the processes: MPI where all
            of them have it.
    """

    def __init__(self, settings: PlatformSettings) -> None:
        self._factories = {**TRANSPORTS, **settings.transports}
        self._name: str | None = None
        rendezvous = settings.rendezvous
        if rendezvous is None or rendezvous.process_count < 2:
            return
        self._name = settings.transport or _choice(rendezvous)
        if self._name not in self._factories:
            raise TransportUnavailableError(
                self._name, "no plugin offers it", f"Choose one of {', '.join(sorted(self._factories))}.")
        prepare = getattr(self._factories[self._name], "prepare", None)
        if prepare is not None:
            prepare(rendezvous)

    @property
    def name(self) -> str | None:
        """The transport's name; None in a job of one process."""
        return self._name

    def open(self, group: Group, rendezvous: Rendezvous) -> Communicator:
        """A communicator of devices of several processes."""
        if self._name is None:
            raise TransportUnavailableError(
                "none", "this client was opened for a job of one process",
                "Call olympus.distributed.initialize() before any device is used.")
        return self._factories[self._name](group, rendezvous)

    def close(self) -> None:
        """Ends the transport."""
        close = getattr(self._factories.get(self._name or ""), "close", None)
        if close is not None:
            close()


def mpi_is_usable() -> bool:
    """Whether this process can begin MPI; imports it only where a look at the files does not tell."""
    world = sys.modules.get(f"{__package__}.mpi.world")
    if world is not None and not world.MpiWorld.can_begin():
        return False  # an earlier job of this process has used it up
    if importlib.util.find_spec("mpi4py") is None:
        return False
    if any(Path(sys.prefix, "lib").glob("libmpi*.so*")):
        return True
    from .mpi import library

    try:
        library.load()
    except TransportUnavailableError:
        return False
    return True


def _choice(rendezvous: Rendezvous) -> str:
    answers = rendezvous.exchange("transport of cpu", json.dumps(mpi_is_usable()).encode())
    return "mpi" if all(json.loads(a) for a in answers) else "tcp"
