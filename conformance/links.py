# SPDX-License-Identifier: Apache-2.0
"""The `Links` of executables under test: communicators, and waits with a deadline."""

from __future__ import annotations

import time

from olympus_core.plugin import Buffer, Client, Communicator, Device, Group, Pending, Rendezvous

from .errors import Failed

_SLICE = 0.05  # seconds between checks whether the job has failed


class PlainLinks:
    """The `Links` that `Client.compile` is given: opens communicators, and waits with a deadline.

    Args:
        client: The platform's client.
        rendezvous: The rendezvous of the processes; None for a single process.
        seconds: How long a communication may take.
    """

    def __init__(self, client: Client, rendezvous: Rendezvous | None, seconds: float) -> None:
        self._client, self._rendezvous, self.seconds = client, rendezvous, seconds
        self._communicators: dict[tuple[Device, ...], Communicator] = {}

    def communicator(self, devices: tuple[Device, ...]) -> Communicator:
        """The communicator of these devices, opened once."""
        found = self._communicators.get(devices)
        if found is None:
            found = self._client.open_communicator(Group(devices), self._rendezvous)
            self._communicators[devices] = found
        return found

    def wait(self, pending: Pending, label: str) -> list[Buffer]:
        """Waits for a communication; raises the job's error when a process is lost, `Failed` when it takes too long."""
        end = time.monotonic() + self.seconds
        while True:
            try:
                return pending.result(time.monotonic() + _SLICE)
            except TimeoutError:
                if self._rendezvous is not None:
                    self._rendezvous.check()
                if time.monotonic() > end:
                    raise Failed(
                        f"{label} was not done after {self.seconds:g} s", "every communication ends"
                    ) from None

    def close(self) -> None:
        """Closes the communicators in the order in which they were opened."""
        for communicator in self._communicators.values():
            communicator.close()
        self._communicators.clear()
