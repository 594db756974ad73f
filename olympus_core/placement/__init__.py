"""Where data lies: devices, meshes, specs, shardings, and the index arithmetic between them."""

from .abstract import AbstractMesh
from .axes import AxisType
from .boxes import Box, boxes_of, intersect, relative, replica_ids
from .device import Device, DeviceDescription
from .label import platform_label
from .layout import Dims, Index, Layout, forget_layouts
from .legacy import GSPMDSharding, PmapSharding, PositionalSharding
from .mesh import Mesh
from .sharding import NamedSharding, Sharding, SingleDeviceSharding, sharding_of
from .spec import UNCONSTRAINED, PartitionSpec, spec_of
from .topology import create_device_mesh, device_grid, make_mesh

__all__ = [
    "UNCONSTRAINED", "AbstractMesh", "AxisType", "Box", "Device", "DeviceDescription", "Dims", "GSPMDSharding", "Index",
    "Layout", "Mesh", "NamedSharding", "PartitionSpec", "PmapSharding", "PositionalSharding", "Sharding",
    "SingleDeviceSharding", "boxes_of", "create_device_mesh", "device_grid", "forget_layouts", "intersect", "make_mesh",
    "platform_label", "relative", "replica_ids", "sharding_of", "spec_of",
]
