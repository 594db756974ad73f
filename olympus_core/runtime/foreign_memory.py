# SPDX-License-Identifier: Apache-2.0
"""Arrays of the memory that another library of this process exports on a device."""

from __future__ import annotations

from typing import Any, TypeVar

from olympus_core.placement import SingleDeviceSharding
from olympus_core.plugin import Device
from olympus_core.program import ArrayType

from .array import Array, SharedBuffers
from .signature import Signature
from .world import get_world

_Array = TypeVar("_Array", bound=Array)


def imported(cls: type[_Array], value: Any, wanted: Device | None, copy: bool | None) -> _Array | None:
    """An array of the memory that a value exports by DLPack, on the device where it lies.

    Args:
        cls: The class of the result.
        value: An array of another library with `__dlpack__` and `__dlpack_device__`.
        wanted: Which device, where several have that memory.
        copy: True copies it; False refuses that, with a `BufferError`; None copies what cannot be used as it lies.

    Returns:
        The array, on the default device uncommitted; None where no platform that is open has that memory.
    """
    world = get_world()
    devices = [device for name in world.clients for device in world.local_devices(name)]
    for device in sorted(devices, key=lambda device: device is not wanted):
        adopt = getattr(world.client(device), "buffer_from_dlpack", None)
        buffer = None if adopt is None else adopt(value, device, copy)
        if buffer is not None:
            type_ = ArrayType(buffer.shape, buffer.dtype)
            signature = Signature(type_, SingleDeviceSharding.of(device), device is not world.default_device(), False)
            return cls._make(signature, SharedBuffers([buffer]))  # donated it goes in as a copy
    return None
