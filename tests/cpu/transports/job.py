# SPDX-License-Identifier: Apache-2.0
"""What the programs of the transports' tests begin with: a job of real processes with a transport between them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus_core.cluster.bootstrap import connect
from olympus_core.plugin import Device, DeviceDescription, Group, PlatformSettings
from olympus_cpu.buffer import CpuBuffer
from olympus_cpu.transports.selection import Transports


class Job:
    """This process of a job.

    Args:
        index: This process's index.
        address: The coordinator's.
        transport: Name of the transport.
        owners: For each device of the job the process that owns it.
    """

    def __init__(self, index: int, address: str, transport: str, owners: Sequence[int]) -> None:
        self.index, self.owners = index, list(owners)
        self.connection = connect(address, max(owners) + 1, index)
        self.transports = Transports(PlatformSettings(
            process_index=index, process_count=max(owners) + 1, rendezvous=self.connection, transport=transport))
        self.devices = tuple(
            Device(DeviceDescription(i, "cpu", f"D{i}", f"D(id={i})"), platform="cpu", process_index=p,
                   local_index=self.owners[:i].count(p), is_addressable=p == index)
            for i, p in enumerate(self.owners)
        )

    def open(self, positions: Sequence[int] | None = None) -> Any:
        """A communicator of the devices at these positions, all by default."""
        chosen = range(len(self.owners)) if positions is None else positions
        group = Group(tuple(self.devices[p] for p in chosen))
        return self.transports.open(group, self.connection)

    def buffers(self, communicator: Any, values: Sequence[np.ndarray]) -> list[CpuBuffer]:
        """The buffers of this process's members out of everybody's values."""
        devices = communicator.group.devices
        return [CpuBuffer(np.array(values[p]), devices[p]) for p in communicator.group.local_positions]

    def close(self) -> None:
        """Ends transport and connection in order."""
        self.transports.close()
        self.connection.shutdown()


def in_seconds(seconds: float) -> float:
    """A deadline."""
    return time.monotonic() + seconds
