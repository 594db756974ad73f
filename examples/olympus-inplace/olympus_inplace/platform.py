"""The platform: buffers that own their memory, and the client's eight methods."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.errors import NotSupportedError
from olympus_core.plugin import (
    Capabilities,
    Communicator,
    Device,
    DeviceDescription,
    Executable,
    Group,
    Links,
    PlatformSettings,
    Probe,
    Rendezvous,
)
from olympus_core.program import DeviceProgram
from olympus_core.toolkit import (
    ArrayBuffer,
    Carrier,
    LocalCommunicator,
    compile_with_table,
    table_from_references,
)

from .compiler import CompiledProgram, can_compile


class InplaceBuffer(ArrayBuffer):
    """A NumPy array that no other buffer shares: whoever is given it for good may write to it."""

    def copy_to(self, device: Device) -> InplaceBuffer:
        """A copy with memory of its own."""
        return InplaceBuffer(np.array(self.to_host()), device)


def own(array: np.ndarray, device: Device) -> InplaceBuffer:
    """A buffer of a copy: what others made may be shared, or read-only."""
    return InplaceBuffer(np.array(array, order="C"), device)


class InplaceClient:
    """One process's devices; each is a name for a part of the process's memory."""

    def __init__(self, settings: PlatformSettings) -> None:
        self._settings = settings
        self._carrier = Carrier(settings, own)
        self._table = table_from_references()
        self.capabilities = Capabilities(
            dtypes=frozenset(dtypes.ALL), donation=True, multi_process=self._carrier.is_usable)

    def describe_devices(self) -> Sequence[DeviceDescription]:
        """As many as are asked for; two by default. Ids are unique among all processes."""
        count = self._settings.device_count or 2
        first = self._settings.process_index * count
        ids = range(first, first + count)
        return [DeviceDescription(i, "inplace", f"INPLACE_{i}", f"InplaceDevice(id={i})") for i in ids]

    def bind_devices(self, devices: Sequence[Device]) -> None:
        """Nothing to prepare."""

    def buffer_from_host(self, value: np.ndarray, device: Device) -> InplaceBuffer:
        """A copy: the caller may change the array afterwards."""
        if value.dtype not in self.capabilities.dtypes:
            raise NotSupportedError(f"element type {value.dtype}", "it is none of olympus's", "Convert it first.")
        return own(value, device)

    def compile(self, program: DeviceProgram, links: Links) -> Executable:
        """With the compiler of this package; what it cannot take runs by the toolkit, operation by operation."""
        if can_compile(program):
            return CompiledProgram(program, InplaceBuffer)
        return compile_with_table(program, self._table, links, own)

    def open_communicator(self, group: Group, rendezvous: Rendezvous | None) -> Communicator:
        """In memory within this process; over another plugin's transport between processes."""
        if len(group.processes) > 1:
            return self._carrier.open(group, rendezvous)
        return LocalCommunicator(group, own)

    def memory_stats(self, device: Device) -> dict[str, Any]:
        """Nothing is known."""
        return {}

    def synchronize(self) -> None:
        """Nothing is ever under way: `execute` returns when it is done."""

    def close(self) -> None:
        """Ends the transport, if one was used."""
        self._carrier.close()


class InplacePlatform:
    """What the hook gives olympus."""

    name = "inplace"
    aliases: tuple[str, ...] = ()
    priority = -1
    api_version = (1, 0)  # the version of the contract that this was written for

    def probe(self) -> Probe:
        """NumPy is always there."""
        return Probe(True, f"NumPy {np.__version__}")

    def open(self, settings: PlatformSettings) -> InplaceClient:
        """Opens the platform in this process."""
        return InplaceClient(settings)
