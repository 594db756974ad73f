# SPDX-License-Identifier: Apache-2.0
"""A whole platform out of an operation table."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from olympus_core import dtypes
from olympus_core.errors import NotSupportedError
from olympus_core.plugin import (
    API_VERSION,
    Buffer,
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

from .arrays import ArrayBuffer
from .carried import Carrier
from .executable import compile_with_table
from .flatten import CONTROL
from .generated import compile_with_generator
from .local import LOCAL_COLLECTIVES, LocalCommunicator
from .namespace import table_from_namespace
from .optable import OperationTable

if TYPE_CHECKING:
    from .kernel_generator import KernelGenerator

    MakeGenerator = Callable[[PlatformSettings], KernelGenerator]

# What the standard for array namespaces knows; narrow floats are not in it.
STANDARD_DTYPES = frozenset({dtypes.bool_, *dtypes.INTEGERS, dtypes.float32, dtypes.float64, *dtypes.COMPLEXES})
_RUN_BY_TOOLKIT = CONTROL | frozenset(LOCAL_COLLECTIVES) | frozenset({"axis_index", "call"})


def table_platform(
    name: str, source: OperationTable | Any, device_count: int = 1, *, kind: str | None = None, priority: int = -1,
    dtypes: Collection[np.dtype] = STANDARD_DTYPES, api_version: tuple[int, int] = API_VERSION,
    generator: MakeGenerator | None = None,
) -> TablePlatform:
    """A platform that runs programs with an operation table; between processes it uses a transport of another plugin.

    Its devices are `NAME_0`, `NAME_1`, ... and read `NameDevice(id=0)`.

    Args:
        name: The platform's name.
        source: The operation table, or an array-API namespace.
        device_count: Number of devices that it shows.
        kind: The hardware's name; the platform's when None.
        priority: See `Platform.priority`; below the CPU's by default.
        dtypes: The element types that its arrays can have.
        api_version: The version of the contract that the plugin was written for, as plain numbers; a package that is
            published gives it, so that a later olympus knows.
        generator: Makes the generator of kernels for what a client is opened with; the table then runs what it cannot
            generate. None where there is none.

    Returns:
        What a plugin's hook returns.

    Example:
        >>> table_platform("tiny", np).open(PlatformSettings()).describe_devices()[0].text
        'TINY_0'
    """
    table = source if isinstance(source, OperationTable) else table_from_namespace(source)
    return TablePlatform(name, table, device_count, kind or name, priority, frozenset(dtypes), api_version, generator)


class TablePlatform:
    """Made by `table_platform`."""

    aliases: tuple[str, ...] = ()

    def __init__(
        self, name: str, table: OperationTable, device_count: int, kind: str, priority: int,
        dtypes: frozenset[np.dtype], api_version: tuple[int, int], generator: MakeGenerator | None = None,
    ) -> None:
        self.name, self.table, self.device_count, self.kind = name, table, device_count, kind
        self.priority, self.dtypes, self.api_version, self.generator = priority, dtypes, api_version, generator

    def probe(self) -> Probe:
        """Available: the table is there."""
        return Probe(True, f"{len(self.table.names)} operations in a table")

    def open(self, settings: PlatformSettings) -> TableClient:
        """Opens the platform."""
        return TableClient(self, settings)


class TableClient:
    """One process's devices of a `TablePlatform`."""

    def __init__(self, platform: TablePlatform, settings: PlatformSettings) -> None:
        self._platform, self._settings = platform, settings
        self._generator = platform.generator(settings) if platform.generator is not None else None
        self._carrier = Carrier(settings, self._wrap_array)
        self.capabilities = Capabilities(
            dtypes=platform.dtypes, operations=platform.table.names | _RUN_BY_TOOLKIT,
            multi_process=self._carrier.is_usable, donation=self._generator is not None)

    def describe_devices(self) -> Sequence[DeviceDescription]:
        """The devices that the platform was made with."""
        platform = self._platform
        count = self._settings.device_count or platform.device_count
        first = self._settings.process_index * count
        label = platform.name.capitalize()
        return [
            DeviceDescription(i, platform.kind, f"{platform.name.upper()}_{i}", f"{label}Device(id={i})")
            for i in range(first, first + count)
        ]

    def bind_devices(self, devices: Sequence[Device]) -> None:
        """Nothing to prepare."""

    def buffer_from_host(self, value: np.ndarray, device: Device) -> Buffer:
        """A buffer with a copy; raises `NotSupportedError` for an element type that is not declared."""
        if value.dtype not in self.capabilities.dtypes:
            raise NotSupportedError(
                f"element type {value.dtype.name} on platform {self._platform.name}",
                "the platform does not declare it",
                "Convert to a type that it declares, or use another platform, such as cpu.",
            )
        return self._wrap(self._platform.table.from_host(np.array(value, order="C")), device)

    def compile(self, program: DeviceProgram, links: Links) -> Executable:
        """Makes a program ready to run on the local devices."""
        table, generator = self._platform.table, self._generator
        if generator is None:
            return compile_with_table(program, table, links, self._wrap)
        return compile_with_generator(program, table, links, self._wrap, generator)

    def open_communicator(self, group: Group, rendezvous: Rendezvous | None) -> Communicator:
        """A communicator: in memory within this process, over a transport of another plugin between processes."""
        if len(group.processes) > 1:
            return self._carrier.open(group, rendezvous)
        return LocalCommunicator(group, self._wrap_array)

    def memory_stats(self, device: Device) -> dict[str, Any]:
        """Nothing is known."""
        return {}

    def synchronize(self) -> None:
        """Nothing to wait for."""

    def close(self) -> None:
        """Ends the transport, if one was used."""
        self._carrier.close()

    def _wrap_array(self, array: np.ndarray, device: Device) -> Buffer:
        # A copy: members may share one result, and others' memory is not the table's to keep.
        return self._wrap(self._platform.table.from_host(np.array(array, order="C")), device)

    def _wrap(self, array: Any, device: Device) -> Buffer:
        if self._generator is not None:
            made: Buffer = self._generator.wrap_array(array, device)
            return made
        return TableBuffer(array, device, self._platform.table.to_host)


class TableBuffer(ArrayBuffer):
    """A buffer whose array reaches the host by the table's function."""

    __slots__ = ("_read",)

    def __init__(self, array: Any, device: Device, to_host: Any) -> None:
        super().__init__(array, device)
        self._read = to_host

    def to_host(self) -> np.ndarray:
        """The content as a NumPy array that must not be written to."""
        host = np.asarray(self._read(self.array)).view()
        host.flags.writeable = False
        return host

    def copy_to(self, device: Device) -> TableBuffer:
        """The same content on another device."""
        return TableBuffer(self.array, device, self._read)
