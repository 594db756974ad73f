# SPDX-License-Identifier: Apache-2.0
"""Clients: the opened devices of a library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..errors import PjrtClosedError, PjrtError
from .buffer import DeviceBuffer, put
from .client_handle import ClientHandle
from .devices import DeviceFacts, Topology, check_ids, describe
from .executable import Executable, LoadedExecutable
from .keyvalues import KeyValueCallbacks, KeyValues
from .library import Library
from .options import Override, compile_options
from .values import pointers_at, write_values


class Client:
    """The devices of a library, opened in this process.

    Args:
        library: The library.
        options: The library's options for it.
        values: The key-value store of the job's processes; None for a single process.
    """

    def __init__(
        self, library: Library, options: Mapping[str, Any] | None = None, values: KeyValues | None = None
    ) -> None:
        self.library = library
        shared = KeyValueCallbacks(values) if values is not None else None
        try:
            struct = library.call(
                "Client_Create", create_options=write_values(options or {}), num_options=len(options or {}),
                **(shared.fields if shared is not None else {}),
            )
        except PjrtError as error:
            if shared is not None and shared.failure is not None:
                raise shared.failure from error
            raise
        self._pointer: int = struct.client
        self._owner: ClientHandle | None = ClientHandle(library, self._pointer, shared)
        devices = library.call("Client_AddressableDevices", client=self._pointer)
        self.devices: tuple[DeviceFacts, ...] = tuple(
            describe(library, library.call("Device_GetDescription", device=d).device_description, d)
            for d in pointers_at(devices.addressable_devices, devices.num_addressable_devices)
        )
        everything = library.call("Client_Devices", client=self._pointer)
        self.device_count = int(everything.num_devices)

    @property
    def owner(self) -> ClientHandle:
        """Keeps the client alive."""
        if self._owner is None:
            raise PjrtClosedError("client")
        return self._owner

    @property
    def platform_name(self) -> str:
        """The library's name of the platform."""
        return self.library.text("Client_PlatformName", "platform_name", client=self.owner and self._pointer)

    @property
    def process_index(self) -> int:
        """This process's index in the library."""
        return int(self.library.call("Client_ProcessIndex", client=self.owner and self._pointer).process_index)

    def put(self, value: np.ndarray, device: DeviceFacts) -> DeviceBuffer:
        """A buffer with the content of a host array, which may be changed afterwards."""
        buffer, done = put(self.owner, self._pointer, value, device.pointer or 0)
        done.block_until_ready()
        done.close()
        return buffer

    def compile(
        self, code: str | bytes, devices: Sequence[Sequence[DeviceFacts]], *, inputs: int | None = None,
        overrides: Mapping[str, Override] | None = None,
    ) -> LoadedExecutable:
        """Compiles a program for devices, in any order.

        Args:
            code: The program.
            devices: For each replica the devices of its partitions.
            inputs: Number of its inputs on each device, where known.
            overrides: Flags of the compiler.
        """
        ids = [[d.id for d in row] for row in devices]
        check_ids(ids, [d.id for d in self.devices])
        struct = self.library.call(
            "Client_Compile", client=self.owner and self._pointer, program=_program(self.library, code),
            compile_options=compile_options(ids, overrides),
        )
        return LoadedExecutable(self.owner, struct.executable, inputs)

    def deserialize(self, data: bytes) -> LoadedExecutable:
        """A program that was serialised by the same release of the library."""
        struct = self.library.call(
            "Executable_DeserializeAndLoad", client=self.owner and self._pointer, serialized_executable=data
        )
        return LoadedExecutable(self.owner, struct.loaded_executable)

    def memory_stats(self, device: DeviceFacts) -> dict[str, int]:
        """The memory statistics of a device, in bytes by name; empty where the library has none."""
        try:
            struct = self.library.call("Device_MemoryStats", device=self.owner and device.pointer)
        except PjrtError:
            return {}
        found = {"bytes_in_use": int(struct.bytes_in_use)}
        for name, _ in struct._fields_:
            if name.endswith("_is_set") and getattr(struct, name):
                plain = name[: -len("_is_set")]
                found[plain] = int(getattr(struct, plain))
        return found

    def synchronize(self) -> None:
        """Waits for all executions."""
        self.owner.synchronize()

    def close(self) -> None:
        """Drops the client, which is destroyed with the last of its buffers and executables."""
        owner, self._owner = self._owner, None
        if owner is not None:
            owner.synchronize()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def compile_ahead_of_time(
    topology: Topology, code: str | bytes, devices: Sequence[Sequence[DeviceFacts]], *,
    overrides: Mapping[str, Override] | None = None,
) -> Executable:
    """Compiles a program for a topology's devices, which need not be present; see `Client.compile`."""
    library = topology.library
    ids = [[d.id for d in row] for row in devices]
    check_ids(ids, [d.id for d in topology.devices()])
    struct = library.call(
        "Compile", topology=topology.pointer, program=_program(library, code),
        compile_options=compile_options(ids, overrides),
    )
    return Executable(library, struct.executable)


def _program(library: Library, code: str | bytes) -> Any:
    return library.new("Program", code=code.encode() if isinstance(code, str) else code, format=b"mlir")
