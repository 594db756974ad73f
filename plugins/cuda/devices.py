# SPDX-License-Identifier: Apache-2.0
"""The choice and the descriptions of this process's devices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from olympus_core.plugin import DeviceDescription, PlatformSettings

from .errors import NoSuchGpuError

if TYPE_CHECKING:
    from .gpu import Gpu

_LABEL = "cuda/devices"


def chosen(count: int, settings: PlatformSettings) -> list[int]:
    """The GPU of each device.

    Args:
        count: Number of GPUs that this process sees.
        settings: The GPUs of this process and the number of devices. Where there are more devices than GPUs,
            neighbouring devices share one.

    Raises:
        NoSuchGpuError: If the settings name a GPU that is not there.

    Example:
        >>> chosen(2, PlatformSettings()), chosen(2, PlatformSettings(device_count=4))
        ([0, 1], [0, 0, 1, 1])
    """
    wanted = settings.local_device_ids
    own = list(range(count)) if wanted is None else [int(i) for i in wanted]
    for ordinal in own:
        if not 0 <= ordinal < count:
            raise NoSuchGpuError(ordinal, count)
    devices = settings.device_count
    if devices is None:
        return own
    return [own[i * len(own) // devices] if devices > len(own) else own[i] for i in range(devices)]


def first_id(settings: PlatformSettings, count: int) -> int:
    """The id of this process's first device: ids are consecutive over all processes."""
    rendezvous = settings.rendezvous
    if settings.process_count < 2 or rendezvous is None:
        return 0
    counts = [int(value) for value in rendezvous.exchange(_LABEL, str(count).encode())]
    return sum(counts[: settings.process_index])


def described(gpu: Gpu, ordinals: Sequence[int], first: int) -> list[DeviceDescription]:
    """The descriptions of the devices."""
    found = []
    for i, ordinal in enumerate(ordinals, first):
        properties = gpu.properties(ordinal)
        found.append(DeviceDescription(i, properties.name, f"cuda:{i}", f"CudaDevice(id={i})", {
            "family": "gpu", "compute_capability": _capability(properties.architecture),
            "core_count": properties.multiprocessors, "local_hardware_id": ordinal,
        }))
    return found


def _capability(architecture: str) -> str:
    digits = architecture.removeprefix("sm_")
    return f"{digits[:-1]}.{digits[-1]}"
