"""Shardings: where arrays lie. See document 000, "Meshes, shardings, and computations can span processes"."""

from __future__ import annotations

from olympus_core.deferred import listed
from olympus_core.placement import (
    AbstractMesh,
    AxisType,
    GSPMDSharding,
    Mesh,
    NamedSharding,
    PartitionSpec,
    PmapSharding,
    PositionalSharding,
    Sharding,
    SingleDeviceSharding,
)

from .transforms.context import get_mesh, set_mesh
from .transforms.explicit import auto_axes, explicit_axes, get_abstract_mesh, reshard

__all__ = [
    "AbstractMesh", "AxisType", "GSPMDSharding", "Mesh", "NamedSharding", "PartitionSpec", "PmapSharding",
    "PositionalSharding", "Sharding", "SingleDeviceSharding", "auto_axes", "explicit_axes", "get_abstract_mesh",
    "get_mesh", "reshard", "set_mesh",
]
__dir__ = listed(__all__)
