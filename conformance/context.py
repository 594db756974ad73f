# SPDX-License-Identifier: Apache-2.0
"""The context of a check: the platform, opened in this process, with helpers that use it through the contract alone."""

from __future__ import annotations

import os
import signal
import time
import zlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.plugin import (
    Buffer,
    Capabilities,
    Client,
    Communicator,
    Device,
    DeviceDescription,
    Executable,
    Group,
    Pending,
    Platform,
    PlatformSettings,
    Rendezvous,
)
from olympus_core.program import DeviceProgram, Program

from .errors import Skipped
from .links import PlainLinks

_DTYPES = {str(dtype): dtype for dtype in dtypes.ALL}

Columns = Sequence[Sequence[np.ndarray]]  # for each input or output, one array for each local device


class Session:
    """A platform's client, and the devices for its descriptions.

    Args:
        platform: The platform.
        settings: The settings that it is opened with.
        descriptions: The descriptions of each process's devices; None for this process's alone, from the client.
        seconds: How long a communication may take.
    """

    def __init__(
        self, platform: Platform, settings: PlatformSettings,
        gather: Callable[[list[DeviceDescription]], list[list[DeviceDescription]]] | None = None, seconds: float = 20.0,
    ) -> None:
        self.platform, self.settings = platform, settings
        self._gather, self._seconds = gather, seconds
        self._open()

    def _open(self) -> None:
        platform, settings, gather = self.platform, self.settings, self._gather
        self.is_closed = False
        self.client: Client = platform.open(settings)
        own = list(self.client.describe_devices())
        everybody = gather(own) if gather is not None else [own]
        here = settings.process_index if gather is not None else 0
        self.all_devices = tuple(
            Device(description, platform=platform.name, process_index=process, local_index=i,
                   is_addressable=process == here)
            for process, descriptions in enumerate(everybody) for i, description in enumerate(descriptions)
        )
        self.devices = tuple(d for d in self.all_devices if d.is_addressable)
        self.client.bind_devices(self.devices)
        self.links = PlainLinks(self.client, settings.rendezvous, self._seconds)

    def close(self) -> None:
        """Closes communicators and client, unless a check has done so."""
        if not self.is_closed:
            self.is_closed = True
            try:
                self.links.close()
            finally:
                self.client.close()

    def reopen(self) -> None:
        """Closes and opens again: a new client in the same processes of the same job."""
        self.close()
        self._open()


class Context:
    """What a check works with.

    Attributes:
        platform: The platform under test.
        client: The platform's client in this process.
        capabilities: The declared capabilities.
        devices: This process's devices.
        all_devices: The devices of all processes that run this check, equal in each.
        process_index: This process's index among them.
        process_count: Number of processes.
        rendezvous: Their rendezvous; None for a single process.
        random: A random generator, equal in every process and every run of the same test.

    Args:
        session: The opened platform.
        identifier: The test's id, the seed of the random generator.
    """

    def __init__(self, session: Session, identifier: str) -> None:
        self.session = session
        self._take_client()
        self.process_index, self.process_count = session.settings.process_index, session.settings.process_count
        self.rendezvous: Rendezvous | None = session.settings.rendezvous
        self.seed = zlib.crc32(identifier.encode())
        self.random = np.random.default_rng(self.seed)

    def _take_client(self) -> None:
        session = self.session
        self.platform, self.client = session.platform, session.client
        self.capabilities: Capabilities = session.client.capabilities
        self.devices, self.all_devices = session.devices, session.all_devices

    def need_devices(self, count: int) -> tuple[Device, ...]:
        """This process's first `count` devices; skips the check where there are fewer."""
        if len(self.devices) < count:
            raise Skipped(f"it takes {count} devices in one process, and there are {len(self.devices)}")
        return self.devices[:count]

    def put(self, value: Any, device: Device | None = None) -> Buffer:
        """A buffer with a host value, on the first device by default."""
        return self.client.buffer_from_host(np.asarray(value), device or self.devices[0])

    def compile(
        self, program: Program, devices: Sequence[Device] | None = None, donated: Sequence[int] = ()
    ) -> Executable:
        """The program compiled for devices: this process's first one by default."""
        chosen = tuple(devices) if devices is not None else self.devices[:1]
        return self.client.compile(DeviceProgram(program, chosen, tuple(donated)), self.session.links)

    def run(self, program: Program, inputs: Columns, devices: Sequence[Device] | None = None) -> list[list[np.ndarray]]:
        """Compiles and executes a program.

        Args:
            program: The program of one device; groups of collectives hold positions in `devices`.
            inputs: For each input one array for each of this process's devices among `devices`.
            devices: The devices that run it: this process's first one by default.

        Returns:
            For each output one host array for each of this process's devices among `devices`.
        """
        chosen = tuple(devices) if devices is not None else self.devices[:1]
        local = [d for d in chosen if d.is_addressable]
        executable = self.compile(program, chosen)
        buffers = [[self.put(x, d) for x, d in zip(column, local, strict=True)] for column in inputs]
        return [[b.to_host() for b in column] for column in executable.execute(buffers)]

    def run_on_one(self, program: Program, inputs: Sequence[Any]) -> list[np.ndarray]:
        """Compiles and executes a program on the first device: one array for each input and output."""
        return [column[0] for column in self.run(program, [[np.asarray(x)] for x in inputs])]

    def communicator(self, devices: Sequence[Device] | None = None) -> Communicator:
        """The communicator of some devices, by default all of the job; opened once for each group."""
        return self.session.links.communicator(tuple(devices) if devices is not None else self.all_devices)

    def open_communicator(self, devices: Sequence[Device]) -> Communicator:
        """A communicator of some devices that the check closes itself."""
        return self.client.open_communicator(Group(tuple(devices)), self.rendezvous)

    def wait(self, pending: Pending, label: str) -> list[Buffer]:
        """Waits for a communication; raises an error if it takes too long."""
        return self.session.links.wait(pending, label)

    def exchange(self, label: str, value: bytes) -> list[bytes]:
        """Gathers a value of every process of the check; also a barrier."""
        if self.rendezvous is None:
            return [value]
        return self.rendezvous.exchange(f"check {label}", value)

    def open_again(self) -> Session:
        """A second client of the platform in this process, with devices of its own; the check closes it."""
        from dataclasses import replace

        return Session(self.platform, replace(
            self.session.settings, process_index=0, process_count=1, rendezvous=None))

    def reopen(self) -> None:
        """Closes the platform in this process and opens it again in the same job; for requirements with `fresh`."""
        self.session.reopen()
        self._take_client()

    def die(self) -> None:
        """Ends this process as a crash would; for the processes that a requirement lists as `casualties`."""
        os.kill(os.getpid(), signal.SIGKILL)

    def deadline(self, seconds: float = 20.0) -> float:
        """A deadline for `Pending.result`."""
        return time.monotonic() + seconds

    def group(self, devices: Sequence[Device]) -> Group:
        """A group of devices in this order."""
        return Group(tuple(devices))


def declared(capabilities: Capabilities, devices: int, need: str) -> bool:
    """Whether a platform declares what a case needs; see `Case.needs`."""
    kind, _, name = need.partition(":")
    if kind == "dtype":
        return _DTYPES[name] in capabilities.dtypes
    if kind == "operation":
        return capabilities.operations is None or name in capabilities.operations
    if kind == "devices":
        return devices >= int(name)
    return bool(getattr(capabilities, kind))
