# SPDX-License-Identifier: Apache-2.0
"""`SharedWorld`: opens shared memory between the processes of a group."""

from __future__ import annotations

import hashlib
import os
import threading

from olympus_core.errors.platform import SharedMemoryError, TransportUnavailableError
from olympus_core.plugin import Group, Rendezvous
from olympus_core.toolkit.sharedfile import FOLDER, open_shared

from .communicator import SharedCommunicator
from .engine import Engine
from .futex_words import is_ordered
from .region import Layout, Region

MOST_PROCESSES = 64  # of a group: each pair of them has ring buffers


def is_usable() -> bool:
    """Whether this process can share memory with others of its machine."""
    return is_ordered() and os.access(FOLDER, os.W_OK | os.X_OK)


class SharedWorld:
    """The shared memory of one process of a job.

    Args:
        rendezvous: Exchanges data between the processes.
    """

    _current: SharedWorld | None = None  # a process belongs to one job

    def __init__(self, rendezvous: Rendezvous) -> None:
        self.rendezvous = rendezvous
        self._engine = Engine(rendezvous)
        self._opened: dict[tuple[int, ...], int] = {}
        self._lock = threading.Lock()

    @classmethod
    def begin(cls, rendezvous: Rendezvous) -> SharedWorld:
        """The world of a job."""
        if cls._current is None or cls._current.rendezvous is not rendezvous:
            cls._current = cls(rendezvous)
        return cls._current

    @classmethod
    def end(cls) -> None:
        """Ends the world if there is one."""
        world, cls._current = cls._current, None
        if world is not None:
            world._engine.close()

    def can_serve(self, group: Group) -> bool:
        """Whether the group's processes are on one machine, and not too many."""
        processes = group.processes
        return len({self.rendezvous.hosts[p] for p in processes}) == 1 and len(processes) <= MOST_PROCESSES

    def communicator(self, group: Group) -> SharedCommunicator:
        """A communicator of devices; called by all processes that own one, in the same order.

        Raises:
            TransportUnavailableError: One of the processes lacks the memory; raised in all of them.
        """
        processes = group.processes
        if not self.can_serve(group):
            raise TransportUnavailableError(
                "shared", f"the processes {list(processes)} are not at most {MOST_PROCESSES} on one machine",
                "Leave the choice of the transport to olympus: unset OLYMPUS_CPU_TRANSPORT.")
        ids = tuple(d.id for d in group.devices)
        with self._lock:
            count = self._opened[ids] = self._opened.get(ids, 0) + 1
        digest = hashlib.sha256(repr((group.devices[0].platform, ids)).encode()).hexdigest()[:16]
        layout = Layout(len(processes))
        try:
            file = open_shared(
                self.rendezvous, f"shared communicator {count} of {len(ids)} devices {digest}", layout.size, processes)
        except SharedMemoryError as error:
            raise TransportUnavailableError(
                "shared", f"there is no shared memory ({error.reason})",
                f"Give {FOLDER} more room, or choose messages: OLYMPUS_CPU_TRANSPORT=tcp.") from None
        region = Region(file, layout)
        return SharedCommunicator(group, region, self._engine)
