# SPDX-License-Identifier: Apache-2.0
"""Meshes: devices arranged in a grid with named axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from weakref import WeakValueDictionary

import numpy as np

from olympus_core.errors import ClosedDevicesError, LocalMeshError, MeshSizesError, RepeatedDeviceError

from .abstract import AbstractMesh
from .axes import AxisType, NamedAxes, axis_names_of, axis_types_of, check_axes
from .device import Device

__all__ = ["AxisType", "Mesh"]

# Weak, so that the meshes of a world that ended do not keep its devices alive.
_interned: WeakValueDictionary[Any, Mesh] = WeakValueDictionary()


class Mesh(NamedAxes):
    """Devices in a grid whose axes have names; equal meshes are the same object, so identity is equality.

    Args:
        devices: An array (or nested sequence) of devices, one dimension for each axis.
        axis_names: The axes' names; a plain string for one axis.
        axis_types: One `AxisType` for each axis (a single one stands for all); `Auto` when left out.

    Raises:
        MeshError: For names, types and dimensions that do not fit, or a device that stands twice.
        ClosedDevicesError: For devices of a job that is over.

    Example:
        ``Mesh(np.array(olympus.devices()).reshape(4, 2), ("i", "j"))``
    """

    __slots__ = ("__weakref__", "_position", "devices", "flat_devices")
    devices: np.ndarray
    flat_devices: tuple[Device, ...]
    _position: dict[Device, int]

    def __new__(  # a mesh, and no subclass
        cls, devices: Any, axis_names: str | Sequence[str], axis_types: AxisType | Sequence[AxisType] | None = None
    ) -> Mesh:
        """The mesh of these devices and axes, which may exist already."""
        grid = mesh_grid(devices)
        names = axis_names_of(axis_names)
        types = axis_types_of(axis_types, len(names))
        flat = tuple(grid.flat)
        refuse_closed(flat)
        return cls._interned_of(grid, flat, names, types)

    @classmethod
    def _interned_of(
        cls, grid: np.ndarray, flat: tuple[Device, ...], names: tuple[str, ...], types: tuple[AxisType, ...]
    ) -> Mesh:
        key = (flat, grid.shape, names, types)
        found = _interned.get(key)
        if found is not None:
            return found
        check_axes(names, grid.shape, types)
        if grid.size == 0:
            raise MeshSizesError(grid.shape)
        position = {device: i for i, device in enumerate(flat)}
        if len(position) != len(flat):
            raise RepeatedDeviceError(sorted({str(d) for d in flat if flat.count(d) > 1}))
        self = object.__new__(cls)
        grid.flags.writeable = False
        self._set_axes(names, grid.shape, types)
        for attribute, value in (("devices", grid), ("flat_devices", flat), ("_position", position)):
            object.__setattr__(self, attribute, value)
        return _interned.setdefault(key, self)

    @classmethod
    def of_one(cls, device: Device, axis_name: str) -> Mesh:
        """The mesh of a single device, which may be closed: arrays that lie there can still be read."""
        return cls._interned_of(mesh_grid([device]), (device,), (axis_name,), (AxisType.Auto,))

    def check_open(self) -> None:
        """Refuses devices of a job that is over; a mesh never has some of one and some of another.

        Raises:
            ClosedDevicesError: When they have been closed.
        """
        if self.flat_devices[0].is_closed:
            refuse_closed(self.flat_devices)

    @property
    def size(self) -> int:
        """Number of devices."""
        return len(self.flat_devices)

    @property
    def device_ids(self) -> np.ndarray:
        """The devices' ids, in the mesh's shape."""
        return np.array([d.id for d in self.flat_devices]).reshape(self.devices.shape)

    @property
    def local_devices(self) -> list[Device]:
        """The devices of this process in the mesh."""
        return [d for d in self.flat_devices if d.is_addressable]

    @property
    def is_multi_process(self) -> bool:
        """Whether the devices belong to several processes."""
        return len({d.process_index for d in self.flat_devices}) > 1

    @property
    def abstract_mesh(self) -> AbstractMesh:
        """The same axes without devices."""
        return AbstractMesh(self.axis_sizes, self.axis_names, self.axis_types)

    @property
    def local_mesh(self) -> Mesh:
        """The part of the mesh that holds this process's devices; raises `LocalMeshError` where they are no block."""
        if not self.is_multi_process:
            return self
        own = np.vectorize(lambda device: device.is_addressable, otypes=[bool])(self.devices)
        if not own.any():
            raise LocalMeshError(repr(self))
        block = tuple(slice(int(where.min()), int(where.max()) + 1) for where in np.nonzero(own))
        if not own[block].all():
            raise LocalMeshError(repr(self))
        return Mesh(self.devices[block], self.axis_names, self.axis_types)

    def update(
        self, devices: Any = None, axis_names: str | Sequence[str] | None = None,
        axis_types: AxisType | Sequence[AxisType] | None = None,
    ) -> Mesh:
        """The mesh with other devices, names or types.

        Args:
            devices: An array of devices; the same when left out.
            axis_names: The axes' names; the same when left out.
            axis_types: The axes' types; the same when left out.
        """
        return Mesh(self.devices if devices is None else devices, self.axis_names if axis_names is None else axis_names,
                    self.axis_types if axis_types is None else axis_types)

    def position(self, device: Device) -> int:
        """The device's position in the row-major order of the mesh."""
        return self._position[device]

    def __reduce__(self) -> tuple[Any, ...]:
        """The devices are looked up where the mesh is restored."""
        return _restored, (self.flat_devices, self.axis_sizes, self.axis_names, self.axis_types)


def _restored(
    devices: Sequence[Device], sizes: tuple[int, ...], names: tuple[str, ...], types: tuple[AxisType, ...]
) -> Mesh:
    return Mesh(np.array(devices, object).reshape(sizes), names, types)


def refuse_closed(devices: Sequence[Device]) -> None:
    """Refuses devices of a job that is over."""
    closed = [str(device) for device in devices if getattr(device, "is_closed", False)]  # a mesh is of anything
    if closed:
        raise ClosedDevicesError(closed)


def mesh_grid(devices: Any) -> np.ndarray:
    """A copy of the devices as an array of objects, which NumPy must not look into."""
    if isinstance(devices, np.ndarray):
        return devices.astype(object)
    shape: list[int] = []
    level: Any = devices
    while isinstance(level, (list, tuple)):
        shape.append(len(level))
        level = level[0] if level else None
    flat = devices if shape else [devices]
    for count in shape[1:]:
        if any(not isinstance(row, (list, tuple)) or len(row) != count for row in flat):
            raise MeshSizesError([len(row) if isinstance(row, (list, tuple)) else 1 for row in flat])
        flat = [item for row in flat for item in row]
    return np.fromiter(flat, dtype=object, count=len(flat)).reshape(shape)
