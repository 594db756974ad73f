"""The platform opened in one process: its devices, and what runs on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyopencl as cl

from olympus_core import dtypes, plugin
from olympus_core.program import DeviceProgram
from olympus_core.toolkit import Carrier, LocalCommunicator, compile_with_generator, table_on_host
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

    def __init__(self, settings: plugin.PlatformSettings) -> None:
        self._settings = settings
        self._own = found(settings)
        contexts = {d.platform: None for d in self._own}
        made = {p: cl.Context(list({d: None for d in self._own if d.platform == p})) for p in contexts}
        self.lanes = tuple(Lane(made[d.platform], d, target_of(d), settings.wait_timeout) for d in self._own)
        for lane in self.lanes:
            lane.siblings = self.lanes
        cache = ObjectCache(
            settings.cache_folder, settings.cache_key_file, 1 << 30, settings.cache_least_bytes,
            settings.cache_least_seconds) if settings.cache_folder else None
        self._store, self._dump = CodeStore(cache), Dump(settings.dump_folder)
        self._table = table_on_host(DeviceArray, Stack)
        self._carrier = Carrier(settings, self._wrap_host)
        self.capabilities = plugin.Capabilities(
            dtypes=frozenset(dtypes.ALL), donation=True, asynchronous=True, multi_process=self._carrier.is_usable)

    def describe_devices(self) -> Sequence[plugin.DeviceDescription]:
        """This process's devices."""
        return described(self._own, self._settings)

    def bind_devices(self, devices: Sequence[plugin.Device]) -> None:
        """Receives the runtime's devices, in the order of `describe_devices`."""
        for lane, device in zip(self.lanes, devices, strict=True):
            lane.name = f"{device} ({lane.name})"

    def buffer_from_host(self, value: np.ndarray, device: plugin.Device) -> OpenClBuffer:
        """A buffer with a copy of the array."""
        return self._wrap_host(np.asarray(value), device)

    def compile(self, program: DeviceProgram, links: plugin.Links) -> plugin.Executable:
        """Compiles a program for its local devices; operations without a kernel run on the host."""
        lanes = [self.lanes[device.local_index] for device in program.local_devices]
        generator = OpenClGenerator(self._store, lanes, self._dump)
        return compile_with_generator(program, self._table, links, self._wrap, generator)

    def open_communicator(self, group: plugin.Group, rendezvous: plugin.Rendezvous | None) -> plugin.Communicator:
        """In memory within this process; between processes over a transport that another plugin offers."""
        if len(group.processes) > 1:
            return self._carrier.open(group, rendezvous)
        return LocalCommunicator(group, self._wrap_host)

    def memory_stats(self, device: plugin.Device) -> dict[str, Any]:
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

    def _wrap_host(self, array: np.ndarray, device: plugin.Device) -> OpenClBuffer:
        return self._wrap(DeviceArray.of_host(array), device)

    def _wrap(self, array: DeviceArray, device: plugin.Device) -> OpenClBuffer:
        return OpenClBuffer(array.allocation, array.type, device, self.lanes[device.local_index])
