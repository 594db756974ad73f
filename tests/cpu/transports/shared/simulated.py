# SPDX-License-Identifier: Apache-2.0
"""Simulated processes: each has its own mapping of the group's file, and all are driven in turn."""

from __future__ import annotations

import os
import uuid
from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus_core.plugin import Device, DeviceDescription, Group
from olympus_core.toolkit import LOCAL_COLLECTIVES
from olympus_core.toolkit.sharedfile import FOLDER, SharedFile
from olympus_cpu.buffer import CpuBuffer
from olympus_cpu.transports.shared.communicator import SharedCommunicator
from olympus_cpu.transports.shared.engine import Engine
from olympus_cpu.transports.shared.region import Layout, Region


class Job:
    """A job that fails when a test says so."""

    error: Exception | None = None

    def check(self) -> None:
        if self.error is not None:
            raise self.error


class SimulatedGroup:
    """A group and its processes.

    Args:
        owners: For each member the process that owns it, from 0 on.
    """

    def __init__(self, owners: Sequence[int]) -> None:
        self.owners, self.job = list(owners), Job()
        count = max(owners) + 1
        path = os.path.join(FOLDER, f"olympus-test-{uuid.uuid4()}")
        self.devices = [
            tuple(Device(DeviceDescription(i, "cpu", f"D{i}", f"D(id={i})"), platform="cpu", process_index=p,
                         local_index=self.owners[:i].count(p), is_addressable=p == here)
                  for i, p in enumerate(self.owners))
            for here in range(count)
        ]
        try:
            self.regions = [Region(SharedFile(path, Layout(count).size), Layout(count)) for _ in range(count)]
        finally:
            os.unlink(path)
        self.engines = [Engine(self.job) for _ in range(count)]
        self.communicators = [
            SharedCommunicator(Group(devices), region, engine)
            for devices, region, engine in zip(self.devices, self.regions, self.engines, strict=True)
        ]

    def start(self, process: int, name: str, values: Sequence[np.ndarray], *attributes: Any) -> Any:
        """Begins a collective in one process."""
        communicator = self.communicators[process]
        buffers = [CpuBuffer(values[p], self.devices[process][p]) for p in communicator.group.local_positions]
        return getattr(communicator, name)(buffers, *attributes)

    def finish(self, pending: Sequence[Any]) -> list[list[np.ndarray]]:
        """Drives all until they are done; for each process its results."""
        for _ in range(1_000_000):
            if all([p.is_done() for p in pending]):
                return [[b.to_host() for b in p.result(0.0)] for p in pending]
        raise AssertionError("nothing moves any more")

    def run(self, name: str, values: Sequence[np.ndarray], **attributes: Any) -> list[list[np.ndarray]]:
        """A collective in all processes, compared with the same one in memory."""
        results = self.finish([self.start(p, name, values, *attributes.values())
                               for p in range(len(self.communicators))])
        expected = LOCAL_COLLECTIVES[name](values, attributes)
        for process, found in enumerate(results):
            mine = [i for i, p in enumerate(self.owners) if p == process]
            for position, array in zip(mine, found, strict=True):
                wanted = expected[position]
                assert (array.dtype, array.shape) == (wanted.dtype, wanted.shape), (name, attributes)
                assert array.tobytes() == wanted.tobytes(), (name, attributes)
                assert not array.flags.writeable
        return results

    def close(self) -> None:
        """Ends the threads."""
        for engine in self.engines:
            engine.close()
