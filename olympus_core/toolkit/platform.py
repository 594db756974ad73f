"""A whole platform out of an operation table."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

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
from .executable import compile_with_table
from .flatten import CONTROL
from .local import LOCAL_COLLECTIVES, LocalCommunicator
from .namespace import table_from_namespace
from .optable import OperationTable

# What the standard for array namespaces knows; narrow floats are not in it.
STANDARD_DTYPES = frozenset({dtypes.bool_, *dtypes.INTEGERS, dtypes.float32, dtypes.float64, *dtypes.COMPLEXES})
_RUN_BY_TOOLKIT = CONTROL | frozenset(LOCAL_COLLECTIVES) | frozenset({"axis_index", "call"})


def table_platform(
    name: str, source: OperationTable | Any, device_count: int = 1, *, kind: str | None = None, priority: int = -1,
    dtypes: Collection[np.dtype] = STANDARD_DTYPES,
) -> TablePlatform:
    """A platform that runs programs of one process with an operation table.

    Its devices are `NAME_0`, `NAME_1`, ... and read `NameDevice(id=0)`.

    Args:
        name: The platform's name.
        source: The operation table, or an array-API namespace.
        device_count: Number of devices that it shows.
        kind: The hardware's name; the platform's when None.
        priority: See `Platform.priority`; below the CPU's by default.
        dtypes: The element types that its arrays can have.

    Returns:
        What a plugin's hook returns.

    Example:
        >>> table_platform("tiny", np).open(PlatformSettings()).describe_devices()[0].text
        'TINY_0'
    """
    table = source if isinstance(source, OperationTable) else table_from_namespace(source)
    return TablePlatform(name, table, device_count, kind or name, priority, frozenset(dtypes))


class TablePlatform:
    """Made by `table_platform`."""

    aliases: tuple[str, ...] = ()
    api_version = API_VERSION

    def __init__(
        self, name: str, table: OperationTable, device_count: int, kind: str, priority: int,
        dtypes: frozenset[np.dtype],
    ) -> None:
        self.name, self.table, self.device_count, self.kind = name, table, device_count, kind
        self.priority, self.dtypes = priority, dtypes

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
        self.capabilities = Capabilities(
            dtypes=platform.dtypes, operations=platform.table.names | _RUN_BY_TOOLKIT)

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
        """A buffer with a copy."""
        return self._wrap(self._platform.table.from_host(np.array(value, order="C")), device)

    def compile(self, program: DeviceProgram, links: Links) -> Executable:
        """Makes a program ready to run on the local devices."""
        return compile_with_table(program, self._platform.table, links, self._wrap)

    def open_communicator(self, group: Group, rendezvous: Rendezvous | None) -> Communicator:
        """A communicator within this process."""
        if len(group.processes) > 1:
            raise NotSupportedError(
                f"communication between processes on platform {self._platform.name}",
                "its operation table runs in one process",
                "Use a mesh of one process's devices, or a platform with a transport, such as cpu.",
            )
        return LocalCommunicator(group, lambda array, device: self._wrap(self._platform.table.from_host(array), device))

    def memory_stats(self, device: Device) -> dict[str, Any]:
        """Nothing is known."""
        return {}

    def synchronize(self) -> None:
        """Nothing to wait for."""

    def close(self) -> None:
        """Holds nothing."""

    def _wrap(self, array: Any, device: Device) -> TableBuffer:
        return TableBuffer(array, device, self._platform.table.to_host)


class TableBuffer(ArrayBuffer):
    """A buffer whose array reaches the host by the table's function."""

    __slots__ = ("_read",)

    def __init__(self, array: Any, device: Device, to_host: Any) -> None:
        super().__init__(array, device)
        self._read = to_host

    def to_host(self) -> np.ndarray:
        """The content as a NumPy array that must not be written to."""
        host = super().to_host() if self.array is None else np.asarray(self._read(self.array)).view()
        host.flags.writeable = False
        return host

    def copy_to(self, device: Device) -> TableBuffer:
        """The same content on another device."""
        return TableBuffer(self.array, device, self._read)
