# SPDX-License-Identifier: Apache-2.0
"""Where data lies: devices, meshes, specs, shardings, and the index arithmetic between them."""

from .abstract import AbstractDevice, AbstractMesh
from .axes import AxisType
from .boxes import Box, boxes_of, intersect, relative, replica_ids
from .device import DEVICE_MEMORY, MEMORY_KINDS, Device, DeviceDescription, Memory, memory_kind_of
from .label import platform_label
from .layout import Dims, Index, Layout, forget_layouts
from .legacy import GSPMDSharding, PmapSharding, PositionalSharding
from .mesh import Mesh
from .sharding import NamedSharding, Sharding, SingleDeviceSharding, sharding_of
from .spec import UNCONSTRAINED, PartitionSpec, spec_of
from .topology import create_device_mesh, device_grid, make_mesh

__all__ = [
    "DEVICE_MEMORY", "MEMORY_KINDS", "UNCONSTRAINED", "AbstractDevice", "AbstractMesh", "AxisType", "Box", "Device",
    "DeviceDescription", "Dims", "GSPMDSharding", "Index", "Layout", "Memory", "Mesh", "NamedSharding", "PartitionSpec",
    "PmapSharding", "PositionalSharding", "Sharding", "SingleDeviceSharding", "boxes_of", "create_device_mesh",
    "device_grid", "forget_layouts", "intersect", "make_mesh", "memory_kind_of", "platform_label", "relative",
    "replica_ids", "sharding_of", "spec_of",
]
