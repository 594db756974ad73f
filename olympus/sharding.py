# SPDX-License-Identifier: Apache-2.0
"""Shardings: where arrays lie."""

from __future__ import annotations

from olympus_core.deferred import listed
from olympus_core.placement import (
    AbstractDevice,
    AbstractMesh,
    AxisType,
    Device,
    GSPMDSharding,
    Mesh,
    NamedSharding,
    PartitionSpec,
    PmapSharding,
    PositionalSharding,
    Sharding,
    SingleDeviceSharding,
)

from .devices import devices
from .tracing.aval import ManualAxisType
from .transforms.context import get_mesh, set_mesh, use_abstract_mesh
from .transforms.explicit import auto_axes, explicit_axes, get_abstract_mesh, reshard

__all__ = [
    "AbstractDevice", "AbstractMesh", "AxisType", "GSPMDSharding", "ManualAxisType", "Mesh", "NamedSharding",
    "PartitionSpec", "PmapSharding", "PositionalSharding", "Sharding", "SingleDeviceSharding", "auto_axes",
    "explicit_axes", "get_abstract_mesh", "get_mesh", "make_single_device_sharding", "reshard", "set_mesh",
    "use_abstract_mesh",
]
__dir__ = listed(__all__)

PmapSharding.all_devices = devices  # placement stands below the runtime, which knows them


def _mesh_html(mesh: Mesh) -> str:
    from .displays import mesh_html  # for notebooks only

    return mesh_html(mesh)


def _sharding_html(sharding: Sharding) -> str:
    from .displays import sharding_html

    return sharding_html(sharding)


# Drawings are the language's.
Mesh._repr_html_ = _mesh_html  # type: ignore[attr-defined]
Sharding._repr_html_ = _sharding_html  # type: ignore[attr-defined]


def make_single_device_sharding(device: Device, *, memory_kind: str | None = None) -> SingleDeviceSharding:
    """The sharding of arrays that lie on one device.

    Args:
        device: The device.
        memory_kind: The kind of memory; the device's own when left out.

    Returns:
        The sharding.

    Example:
        >>> import olympus
        >>> olympus.sharding.make_single_device_sharding(olympus.devices()[1])
        SingleDeviceSharding(device=CpuDevice(id=1), memory_kind=device)
    """
    return SingleDeviceSharding(device, memory_kind=memory_kind)
