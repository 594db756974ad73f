# SPDX-License-Identifier: Apache-2.0
"""A library's descriptions of devices, and topologies of devices that need not be present."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..errors import PjrtArgumentError, PjrtClosedError, PjrtError
from .library import Library
from .values import NamedValue, pointers_at, read_values, write_values

_INVALID_ARGUMENT = 3


@dataclass(frozen=True, slots=True)
class DeviceFacts:
    """A library's description of a device.

    Args:
        id: Its id, unique in its client or topology.
        process_index: The process that it belongs to.
        kind: The hardware's name.
        text: The short text.
        representation: The long text.
        attributes: Further facts by name.
        local_hardware_id: Its index on its machine; None where it is not present.
        pointer: The client's device; None in a topology.
    """

    id: int
    process_index: int
    kind: str
    text: str
    representation: str
    attributes: Mapping[str, NamedValue] = field(default_factory=dict)
    local_hardware_id: int | None = None
    pointer: int | None = None


def describe(library: Library, description: int, pointer: int | None = None) -> DeviceFacts:
    """Reads a device description of a library."""
    call = library.call
    try:
        struct = call("DeviceDescription_Attributes", device_description=description)
        attributes = read_values(struct.attributes, struct.num_attributes)
    except PjrtError:
        attributes = {}
    hardware = None
    if pointer is not None:
        hardware = int(call("Device_LocalHardwareId", device=pointer).local_hardware_id)
    return DeviceFacts(
        int(call("DeviceDescription_Id", device_description=description).id),
        int(call("DeviceDescription_ProcessIndex", device_description=description).process_index),
        library.text("DeviceDescription_Kind", "device_kind", device_description=description),
        library.text("DeviceDescription_DebugString", "debug_string", device_description=description),
        library.text("DeviceDescription_ToString", "to_string", device_description=description),
        attributes, hardware, pointer,
    )


class Topology:
    """Devices of a library that need not be present, for ahead-of-time compilation.

    Args:
        library: The library.
        name: The topology's name, in the library's form.
        options: Further options.
    """

    def __init__(self, library: Library, name: str, options: Mapping[str, Any] | None = None) -> None:
        self.library, self.name = library, name
        self._pointer: int | None = library.call(
            "TopologyDescription_Create", topology_name=name.encode(), create_options=write_values(options or {}),
            num_options=len(options or {}),
        ).topology

    @property
    def pointer(self) -> int:
        """The library's topology."""
        if self._pointer is None:
            raise PjrtClosedError("topology")
        return self._pointer

    @property
    def platform_name(self) -> str:
        """The library's name of the platform."""
        return self.library.text("TopologyDescription_PlatformName", "platform_name", topology=self.pointer)

    def devices(self) -> list[DeviceFacts]:
        """Its devices, in the library's order."""
        struct = self.library.call("TopologyDescription_GetDeviceDescriptions", topology=self.pointer)
        pointers = pointers_at(struct.descriptions, struct.num_descriptions)
        return [describe(self.library, description) for description in pointers]

    def attributes(self) -> dict[str, NamedValue]:
        """Its attributes by name."""
        struct = self.library.call("TopologyDescription_Attributes", topology=self.pointer)
        return read_values(struct.attributes, struct.num_attributes)

    def serialize(self) -> bytes:
        """Serializes it."""
        struct = self.library.call("TopologyDescription_Serialize", topology=self.pointer)
        data = ctypes.string_at(struct.serialized_bytes, struct.serialized_bytes_size)
        release(struct.serialized_topology_deleter, struct.serialized_topology)
        return data

    def close(self) -> None:
        """Destroys it."""
        pointer, self._pointer = self._pointer, None
        self.library.destroy("TopologyDescription_Destroy", pointer)

    def __enter__(self) -> Topology:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_pointer", None) is not None:
            self.close()


def release(deleter: int | None, thing: int | None) -> None:
    """Calls the deleter of an object of the library."""
    if deleter and thing:
        ctypes.CFUNCTYPE(None, ctypes.c_void_p)(deleter)(thing)


def check_ids(assigned: Sequence[Sequence[int]], known: Sequence[int]) -> None:
    """Rejects unknown and duplicate device ids: some libraries abort the process on these."""
    flat = [i for row in assigned for i in row]
    strange = sorted(set(flat) - set(known))
    if strange or len(set(flat)) != len(flat) or not flat:
        problem = f"no device has the ids {strange}" if strange else f"the device ids {flat} are not distinct"
        raise PjrtArgumentError("Compile", _INVALID_ARGUMENT, f"{problem}; there are {sorted(known)}")
