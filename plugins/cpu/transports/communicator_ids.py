# SPDX-License-Identifier: Apache-2.0
"""A number for each communicator: equal in all processes of its group, and never used twice in one process."""

from __future__ import annotations

import hashlib
import threading

from olympus_core.errors.platform import TransportError
from olympus_core.plugin import Group, Rendezvous


class CommunicatorIds:
    """The communicators' numbers of one process.

    Args:
        transport: The transport's name.
        rendezvous: Exchanges data between the processes.
    """

    def __init__(self, transport: str, rendezvous: Rendezvous) -> None:
        self._transport, self._rendezvous = transport, rendezvous
        self._next = 1
        self._opened: dict[tuple[int, ...], int] = {}
        self._lock = threading.Lock()

    def agree(self, group: Group, limit: int) -> int:
        """A number that is free in all processes of the group: the maximum of their next free numbers."""
        ids = tuple(d.id for d in group.devices)
        with self._lock:
            count = self._opened[ids] = self._opened.get(ids, 0) + 1
            digest = hashlib.sha256(repr((group.devices[0].platform, ids)).encode()).hexdigest()[:16]
            label = f"{self._transport} communicator {count} of {len(ids)} devices {digest}"
            answers = self._rendezvous.exchange(label, str(self._next).encode(), group.processes)
            number = max(map(int, answers))
            self._next = number + 1
        if number >= limit:
            raise TransportError(self._transport, "opening a communicator", f"there are {limit} already")
        return number
