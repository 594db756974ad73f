# SPDX-License-Identifier: Apache-2.0
"""The transports between processes, and which one a job uses."""

from __future__ import annotations

import importlib.util
import json
import os
import sys
import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from olympus_core.errors.platform import SharedMemoryWarning, TransportUnavailableError
from olympus_core.plugin import Communicator, Group, PlatformSettings, Rendezvous, TransportFactory
from olympus_core.toolkit import mpi_runtime, mpich

if TYPE_CHECKING:
    from .mpi.world import MpiWorld
    from .tcp import TcpWorld


class _MpiFactory:
    """Makes communicators over MPI, which is imported at the first use.

    Args:
        settings: The runtime's, with the limit for its start.
    """

    def __init__(self, settings: PlatformSettings) -> None:
        self._settings = settings

    def prepare(self, rendezvous: Rendezvous) -> None:
        """Starts to initialise MPI in the background; called by every process of the job."""
        self._world(rendezvous)

    def __call__(self, group: Group, rendezvous: Rendezvous) -> Communicator:
        return self._world(rendezvous).communicator(group)

    def _world(self, rendezvous: Rendezvous) -> MpiWorld:
        from .mpi.world import MpiWorld

        return MpiWorld.begin(rendezvous, self._settings.transport_timeout)

    def close(self) -> None:
        """Finalises MPI if it was initialised."""
        from .mpi.world import MpiWorld

        MpiWorld.end()


class _TcpFactory:
    """Makes communicators over sockets.

    Args:
        settings: The runtime's, with the limits for connections.
    """

    def __init__(self, settings: PlatformSettings) -> None:
        self._settings = settings

    def prepare(self, rendezvous: Rendezvous) -> None:
        """Starts to exchange addresses in the background; called by every process of the job."""
        self._world(rendezvous).prepare()

    def __call__(self, group: Group, rendezvous: Rendezvous) -> Communicator:
        return self._world(rendezvous).communicator(group)

    def among(self, group: Group, rendezvous: Rendezvous) -> Communicator:
        """A communicator for which only the group's processes exchange addresses; only they call it."""
        return self._world(rendezvous).communicator(group, group.processes)

    def _world(self, rendezvous: Rendezvous) -> TcpWorld:
        from .tcp import Limits, TcpWorld

        settings = self._settings
        limits = Limits(settings.connect_timeout, settings.reconnect_timeout, settings.redial_timeout)
        return TcpWorld.begin(rendezvous, limits)

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


def factories(settings: PlatformSettings) -> dict[str, TransportFactory]:
    """The platform's transports by name."""
    return {"mpi": _MpiFactory(settings), "tcp": _TcpFactory(settings), "shared": _SharedFactory()}


TRANSPORTS: Mapping[str, TransportFactory] = factories(PlatformSettings())


class Transports:
    """The transports of one client: selected when it opens, started in the background.

    Args:
        settings: The runtime's settings. With `transport` None the processes choose: shared memory within a machine;
            between machines sockets, or MPI where all have InfiniBand.
    """

    def __init__(self, settings: PlatformSettings) -> None:
        self._factory: TransportFactory | None = None
        self._shared, self._tcp = _SharedFactory(), _TcpFactory(settings)
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
        self._factory = factories(settings).get(self._name) or settings.transports.get(self._name)
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
        if self._shares and self._shared.can_serve(group, rendezvous):
            try:
                return self._shared(group, rendezvous)
            except TransportUnavailableError as error:  # raised in all processes of the group
                self._warn_of_lack(error)
                if self._name == "shared":
                    return self._tcp.among(group, rendezvous)
        return self._factory(group, rendezvous)

    def _warn_of_lack(self, error: TransportUnavailableError) -> None:
        if not self._has_warned:
            self._has_warned = True
            warnings.warn(SharedMemoryWarning("Groups of one machine communicate", error), stacklevel=2)

    def close(self) -> None:
        """Ends the transports."""
        if self._shares:
            self._shared.close()
            self._tcp.close()
        close = getattr(self._factory, "close", None)
        if close is not None:
            close()


def way_to_start_mpi(count: int) -> str | None:
    """How this process can initialise MPI for so many; None if it cannot. Imports it only where nothing else tells."""
    world = sys.modules.get(f"{__package__}.mpi.world")
    if world is not None and not world.MpiWorld.can_begin():
        return None  # an earlier job of this process has finalised it
    if importlib.util.find_spec("mpi4py") is None:
        return None
    try:
        return mpi_runtime.way_to_start(count)
    except (ImportError, RuntimeError):
        return None


def _choice(rendezvous: Rendezvous) -> tuple[str, bool]:
    """The transport that all processes can use; and whether processes of one machine use shared memory beside it."""
    from .shared.world import MOST_PROCESSES, is_usable

    here = rendezvous.hosts.count(rendezvous.hosts[rendezvous.process_index])
    way = way_to_start_mpi(rendezvous.process_count) if mpich.has_room(here) else None
    facts = {"mpi": way, "shared": is_usable(), "fabric": has_fabric()}
    answers = [json.loads(a) for a in rendezvous.exchange("transport of cpu", json.dumps(facts).encode())]
    shares = all(a["shared"] for a in answers)
    is_one_machine = len(set(rendezvous.hosts)) == 1
    if shares and is_one_machine and rendezvous.process_count <= MOST_PROCESSES:
        return "shared", True
    return _by_messages(answers, is_one_machine), shares


def _by_messages(answers: Sequence[Mapping[str, Any]], is_one_machine: bool) -> str:
    """TCP or MPI, by what all processes have.

    Between machines TCP, unless all have an InfiniBand device, which only MPI can use: over Ethernet an all-reduce of
    64 MiB takes MPI twice as long (0039 has the figures), it is far slower on a link that loses packets, its data are
    not authenticated, and it outlives no long cut. MPI is quicker for small messages alone. Within one machine that has
    no room for shared memory, or too many processes for it, TCP over loopback is as quick as MPI, takes a quarter of
    the start and holds less memory.
    """
    ways = {a["mpi"] for a in answers}  # all by one launcher, or all without
    has_mpi = len(ways) == 1 and all(a["mpi"] and a["fabric"] for a in answers)
    return "mpi" if has_mpi and not is_one_machine else "tcp"


def has_fabric(folder: str = "/sys/class/infiniband") -> bool:
    """Whether this machine has a device for InfiniBand or the like, as Linux lists them.

    Example:
        >>> has_fabric("/nonexistent")
        False
    """
    try:
        return bool(os.listdir(folder))
    except OSError:
        return False
