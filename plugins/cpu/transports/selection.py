"""The transports between processes, and which one a job uses."""

from __future__ import annotations

import importlib.util
import json
import sys
import warnings
from collections.abc import Mapping
from pathlib import Path

from olympus_core.errors.platform import SharedMemoryWarning, TransportUnavailableError
from olympus_core.plugin import Communicator, Group, PlatformSettings, Rendezvous, TransportFactory
from olympus_core.toolkit import mpich


class _MpiFactory:
    """Makes communicators over MPI, which is imported at the first use."""

    def prepare(self, rendezvous: Rendezvous) -> None:
        """Starts to initialise MPI in the background; called by every process of the job."""
        from .mpi.world import MpiWorld

        MpiWorld.begin(rendezvous)

    def __call__(self, group: Group, rendezvous: Rendezvous) -> Communicator:
        from .mpi.world import MpiWorld

        return MpiWorld.begin(rendezvous).communicator(group)

    def close(self) -> None:
        """Finalises MPI if it was initialised."""
        from .mpi.world import MpiWorld

        MpiWorld.end()


class _TcpFactory:
    """Makes communicators over sockets."""

    def prepare(self, rendezvous: Rendezvous) -> None:
        """Starts to connect in the background; called by every process of the job."""
        from .tcp import TcpWorld

        TcpWorld.begin(rendezvous)

    def __call__(self, group: Group, rendezvous: Rendezvous) -> Communicator:
        from .tcp import TcpWorld

        return TcpWorld.begin(rendezvous).communicator(group)

    def among(self, group: Group, rendezvous: Rendezvous) -> Communicator:
        """A communicator for which only the group's processes connect; only they call it."""
        from .tcp import TcpWorld

        return TcpWorld.begin(rendezvous, group.processes).communicator(group)

    def close(self) -> None:
        """Closes the connections if there are any."""
        from .tcp import TcpWorld

        TcpWorld.end()


class _SharedFactory:
    """Makes communicators over shared memory for processes of one machine."""

    def __call__(self, group: Group, rendezvous: Rendezvous) -> Communicator:
        from .shared import SharedWorld

        return SharedWorld.begin(rendezvous).communicator(group)

    def can_serve(self, group: Group, rendezvous: Rendezvous) -> bool:
        """Whether the group's processes are on one machine."""
        from .shared import SharedWorld

        return SharedWorld.begin(rendezvous).can_serve(group)

    def close(self) -> None:
        """Ends all communications."""
        from .shared import SharedWorld

        SharedWorld.end()


_SHARED, _TCP = _SharedFactory(), _TcpFactory()
TRANSPORTS: Mapping[str, TransportFactory] = {"mpi": _MpiFactory(), "tcp": _TCP, "shared": _SHARED}


class Transports:
    """The transports of one client: selected when it opens, started in the background.

    Args:
        settings: The runtime's settings. With `transport` None the processes choose: shared memory within a machine;
            between machines MPI where all processes have it, else sockets.
    """

    def __init__(self, settings: PlatformSettings) -> None:
        self._factory: TransportFactory | None = None
        self._name: str | None = None
        self._shares = False  # whether groups within a machine use shared memory, as long as there is enough
        self._has_warned = False
        rendezvous = settings.rendezvous
        if rendezvous is None or rendezvous.process_count < 2:
            return
        self._name = settings.transport
        if self._name is None:
            self._name, self._shares = _choice(rendezvous)
        # The platform's own transports by their names first: no plugin can replace one.
        self._factory = TRANSPORTS.get(self._name) or settings.transports.get(self._name)
        if self._factory is None:
            names = sorted({*TRANSPORTS, *settings.transports})
            raise TransportUnavailableError(self._name, "no plugin offers it", f"Choose one of {', '.join(names)}.")
        prepare = getattr(self._factory, "prepare", None)
        if prepare is not None:
            prepare(rendezvous)

    @property
    def name(self) -> str | None:
        """The transport's name; None in a job of one process."""
        return self._name

    def open(self, group: Group, rendezvous: Rendezvous) -> Communicator:
        """A communicator of devices of several processes."""
        if self._factory is None:
            raise TransportUnavailableError(
                "none", "this client was opened for a job of one process",
                "Call olympus.distributed.initialize() before any device is used.")
        if self._shares and _SHARED.can_serve(group, rendezvous):
            try:
                return _SHARED(group, rendezvous)
            except TransportUnavailableError as error:  # raised in all processes of the group
                self._warn_of_lack(error)
                if self._name == "shared":
                    return _TCP.among(group, rendezvous)
        return self._factory(group, rendezvous)

    def _warn_of_lack(self, error: TransportUnavailableError) -> None:
        if not self._has_warned:
            self._has_warned = True
            warnings.warn(SharedMemoryWarning("Groups of one machine communicate", error), stacklevel=2)

    def close(self) -> None:
        """Ends the transports."""
        if self._shares:
            _SHARED.close()
            _TCP.close()
        close = getattr(self._factory, "close", None)
        if close is not None:
            close()


def mpi_is_usable() -> bool:
    """Whether this process can initialise MPI; imports it only where the installed files do not tell."""
    world = sys.modules.get(f"{__package__}.mpi.world")
    if world is not None and not world.MpiWorld.can_begin():
        return False  # an earlier job of this process has finalised it
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


def _choice(rendezvous: Rendezvous) -> tuple[str, bool]:
    """The transport that all processes can use; and whether processes of one machine use shared memory beside it."""
    from .shared.world import MOST_PROCESSES, is_usable

    here = rendezvous.hosts.count(rendezvous.hosts[rendezvous.process_index])
    facts = {"mpi": mpi_is_usable() and mpich.has_room(here), "shared": is_usable()}
    answers = [json.loads(a) for a in rendezvous.exchange("transport of cpu", json.dumps(facts).encode())]
    shares = all(a["shared"] for a in answers)
    if shares and len(set(rendezvous.hosts)) == 1 and rendezvous.process_count <= MOST_PROCESSES:
        return "shared", True
    return "mpi" if all(a["mpi"] for a in answers) else "tcp", shares
