"""The platform opened in one process: its devices, and what runs on them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyopencl as cl

from olympus_core import dtypes
from olympus_core.ops import OPERATIONS
from olympus_core.plugin import (
    Capabilities,
    Communicator,
    Device,
    DeviceDescription,
    Executable,
    Group,
    Links,
    PlatformSettings,
    Rendezvous,
)
from olympus_core.program import DeviceProgram, Operation
from olympus_core.toolkit import (
    Carrier,
    Kernel,
    LocalCommunicator,
    OperationTable,
    compile_with_generator,
    quietly,
)
from olympus_core.toolkit.dumps import Dump
from olympus_core.toolkit.objectcache import ObjectCache

from .buffer import DeviceArray, OpenClBuffer, Stack
from .code import CodeStore
from .devices import described, found, target_of
from .generator import OpenClGenerator
from .memory import Lane


class OpenClClient:
    """The OpenCL devices of one process.

    Args:
        settings: What the runtime says about this process and the job.
    """

    def __init__(self, settings: PlatformSettings) -> None:
        self._settings = settings
        self._own = found(settings)
        contexts = {d.platform: None for d in self._own}
        made = {p: cl.Context(list({d: None for d in self._own if d.platform == p})) for p in contexts}
        self.lanes = tuple(
            Lane(made[d.platform], d, target_of(d), settings.wait_timeout) for d in self._own)
        for lane in self.lanes:
            lane.siblings = self.lanes
        cache = None
        if settings.cache_folder:
            cache = ObjectCache(settings.cache_folder, settings.cache_key_file, 1 << 30, settings.cache_least_bytes,
                                settings.cache_least_seconds)
        self._store, self._dump, self._table = CodeStore(cache), Dump(settings.dump_folder), device_table()
        self._carrier = Carrier(settings, self._wrap_host)
        self.capabilities = Capabilities(
            dtypes=frozenset(dtypes.ALL), donation=True, asynchronous=True, multi_process=self._carrier.is_usable)

    def describe_devices(self) -> Sequence[DeviceDescription]:
        """This process's devices."""
        return described(self._own, self._settings)

    def bind_devices(self, devices: Sequence[Device]) -> None:
        """Receives the runtime's devices, in the order of `describe_devices`."""
        for lane, device in zip(self.lanes, devices, strict=True):
            lane.name = f"{device} ({lane.name})"

    def buffer_from_host(self, value: np.ndarray, device: Device) -> OpenClBuffer:
        """A buffer with a copy of the array."""
        return self._wrap_host(np.asarray(value), device)

    def compile(self, program: DeviceProgram, links: Links) -> Executable:
        """Compiles a program for its local devices; operations without a kernel run on the host."""
        lanes = [self.lanes[device.local_index] for device in program.local_devices]
        generator = OpenClGenerator(self._store, lanes, self._dump)
        return compile_with_generator(program, self._table, links, self._wrap, generator)

    def open_communicator(self, group: Group, rendezvous: Rendezvous | None) -> Communicator:
        """In memory within this process; between processes over a transport that another plugin offers."""
        if len(group.processes) > 1:
            return self._carrier.open(group, rendezvous)
        return LocalCommunicator(group, self._wrap_host)

    def memory_stats(self, device: Device) -> dict[str, Any]:
        """Bytes in use, kept for later use, and there at all."""
        lane = self.lanes[device.local_index]
        return {"bytes_in_use": int(lane.pool.active_bytes), "bytes_reserved": int(lane.pool.managed_bytes),
                "bytes_limit": lane.total_bytes}

    def synchronize(self) -> None:
        """Waits for everything that was enqueued."""
        for lane in self.lanes:
            lane.drain()

    def close(self) -> None:
        """Waits for work under way, gives memory back, and ends the transport."""
        for lane in self.lanes:
            lane.close()
        self._carrier.close()

    def _wrap_host(self, array: np.ndarray, device: Device) -> OpenClBuffer:
        return self._wrap(DeviceArray.of_host(array), device)

    def _wrap(self, array: DeviceArray, device: Device) -> OpenClBuffer:
        return OpenClBuffer(array.allocation, array.type, device, self.lanes[device.local_index])


class _DeviceTable(OperationTable):
    """Every operation by its reference, with operands brought to the host; host callbacks get arrays of the host."""

    __slots__ = ()

    def kernel(self, operation: Operation) -> Kernel:
        """The function of an operation."""
        made = OperationTable.kernel(self, operation)
        return made if operation.record.category == "host" else Kernel(_on_host(made), is_tuple=made.is_tuple)


def device_table() -> OperationTable:
    """The table of the platform."""
    functions = {name: record.reference for name, record in OPERATIONS.items() if record.reference is not None}
    return _DeviceTable(functions, from_host=DeviceArray.of_host, to_host=to_host, guard=quietly, stack=Stack)


def to_host(array: Any) -> np.ndarray:
    """A value as a NumPy array."""
    return array.to_host() if isinstance(array, DeviceArray) else np.asarray(array)


def _on_host(made: Kernel) -> Callable[..., Any]:
    def run(*operands: Any) -> Any:
        result = made.function(*map(to_host, operands))
        return tuple(map(DeviceArray.of_host, result)) if made.is_tuple else DeviceArray.of_host(result)

    return run
