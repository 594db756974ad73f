# SPDX-License-Identifier: Apache-2.0
"""Shardings: which part of an array each device holds."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from typing import cast

from olympus_core.errors import (
    ArgumentError,
    NotAMeshError,
    SpecRankError,
    UnknownAxisError,
    UnreducedAxisError,
    described,
)

from .abstract import AbstractMesh
from .axes import Immutable
from .device import DEVICE_MEMORY, Device, memory_kind_of
from .layout import Index, Layout
from .mesh import Mesh
from .spec import PartitionSpec, spec_of

# No user's axis has this name, so a user's mesh of one device stays a mesh.
_SINGLE_AXIS = "<device>"


class Sharding(Immutable, ABC):
    """Which part of an array each device holds: the base of all kinds.

    A kind of sharding says only how it becomes a `Layout`; everything else follows from that.
    """

    memory_kind: str = DEVICE_MEMORY

    @property
    def is_on_host(self) -> bool:
        """Whether its arrays lie in the host's memory, beside their devices."""
        return self.memory_kind != DEVICE_MEMORY

    @abstractmethod
    def layout(self, ndim: int) -> Layout:
        """The sharding of an array with `ndim` dimensions, as mesh and axes."""

    @property
    @abstractmethod
    def devices(self) -> tuple[Device, ...]:
        """The devices, in the order of the shards."""

    @property
    @abstractmethod
    def is_fully_replicated(self) -> bool:
        """Whether every device holds the whole array."""

    @property
    def device_set(self) -> set[Device]:
        """The devices that hold a part, of all processes."""
        return set(self.devices)

    @property
    def has_addressable_devices(self) -> bool:
        """Whether some of its devices belong to this process."""
        return bool(self.local_positions)

    @abstractmethod
    def with_memory_kind(self, kind: str) -> Sharding:
        """The same sharding in another kind of memory.

        Args:
            kind: ``"device"``, or ``"pinned_host"`` or ``"unpinned_host"`` for the host's memory.

        Raises:
            MemoryKindError: For another kind.
        """

    def check_compatible_aval(self, aval_shape: Sequence[int]) -> None:
        """Refuses a shape that it cannot split.

        Args:
            aval_shape: The shape.

        Raises:
            SpecRankError: When it names more dimensions than there are.
            IndivisibleError: When a dimension does not divide.
        """
        self.layout(len(aval_shape)).shard_shape(aval_shape)

    @property
    def num_devices(self) -> int:
        """Number of devices."""
        return len(self.devices)

    @cached_property
    def local_positions(self) -> tuple[int, ...]:
        """Positions of this process's devices among `devices`."""
        return tuple(i for i, d in enumerate(self.devices) if d.is_addressable)

    @property
    def addressable_devices(self) -> set[Device]:
        """The devices of this process that hold a part."""
        return {self.devices[i] for i in self.local_positions}

    @cached_property
    def is_fully_addressable(self) -> bool:
        """Whether all its devices belong to this process."""
        return len(self.local_positions) == len(self.devices)

    def devices_indices_map(self, global_shape: Sequence[int]) -> Mapping[Device, Index]:
        """For each device the slices of its part.

        Args:
            global_shape: Shape of the whole array.

        Raises:
            IndivisibleError: Where a dimension does not divide.
        """
        layout = self.layout(len(global_shape))
        return dict(zip(self.devices, layout.indices(global_shape), strict=True))

    def addressable_devices_indices_map(self, global_shape: Sequence[int]) -> Mapping[Device, Index]:
        """For each of this process's devices the slices of its part."""
        return {d: i for d, i in self.devices_indices_map(global_shape).items() if d.is_addressable}

    def shard_shape(self, global_shape: Sequence[int]) -> tuple[int, ...]:
        """The shape of one device's part of an array.

        Args:
            global_shape: Shape of the whole array.

        Raises:
            IndivisibleError: Where a dimension does not divide.
        """
        return self.layout(len(global_shape)).shard_shape(global_shape)

    def is_equivalent_to(self, other: Sharding, ndim: int) -> bool:
        """Whether both place an array of `ndim` dimensions alike, with the same devices in the same order.

        Args:
            other: Another sharding, of any kind.
            ndim: Number of the array's dimensions.
        """
        if self is other:
            return True
        if not isinstance(other, Sharding) or type(ndim) is bool or not hasattr(type(ndim), "__index__") or ndim < 0:
            raise ArgumentError("is_equivalent_to", "a sharding and a number of dimensions are needed",
                                f"{described(other)}, {described(ndim)}", "a Sharding, and an integer of zero or more")
        if self.devices != other.devices:
            return False
        if self.memory_kind != other.memory_kind:
            return False
        mine, theirs = self.layout(ndim), other.layout(ndim)
        if mine == theirs:
            return True
        if mine.unreduced or theirs.unreduced:
            return (mine.mesh, mine.dims, mine.unreduced) == (theirs.mesh, theirs.dims, theirs.unreduced)
        return mine.parts() == theirs.parts() and bool((mine.coordinates() == theirs.coordinates()).all())


class NamedSharding(Sharding):
    """A sharding by the axes of a mesh.

    Args:
        mesh: The devices.
        spec: For each dimension the mesh axes that split it.
        memory_kind: The kind of memory; None is the device's own.

    Raises:
        UnknownAxisError: When the spec names an axis that the mesh does not have.
        NotAMeshError: When the first argument is not a mesh.

    Example:
        ``NamedSharding(olympus.make_mesh((4, 2), ("i", "j")), PartitionSpec("i"))``
    """

    mesh: Mesh
    spec: PartitionSpec
    _hash: int
    _layouts: dict[int, Layout]

    def __init__(self, mesh: Mesh | AbstractMesh, spec: PartitionSpec, *, memory_kind: str | None = None) -> None:
        if not isinstance(mesh, (Mesh, AbstractMesh)):
            raise NotAMeshError(repr(mesh))
        if not isinstance(spec, PartitionSpec):
            spec = PartitionSpec(*spec) if isinstance(spec, (tuple, list)) else PartitionSpec(spec)
        for axes in spec.dims(len(spec)):
            for axis in axes:
                if axis not in mesh.axis_names:
                    raise UnknownAxisError(axis, repr(spec), repr(mesh), mesh.axis_names)
        for axis in sorted(spec.unreduced | spec.reduced):
            if axis not in mesh.axis_names:
                raise UnknownAxisError(axis, repr(spec), repr(mesh), mesh.axis_names)
            if axis not in mesh.explicit_axes:
                raise UnreducedAxisError(axis, repr(spec), repr(mesh))
        # The instance's dictionary, since assignment is what a sharding refuses.
        self.__dict__.update(
            mesh=cast(Mesh, mesh), spec=spec, memory_kind=memory_kind_of(memory_kind), _hash=hash((mesh, spec)),
            _layouts={},
        )

    def layout(self, ndim: int) -> Layout:
        """The mesh, and the spec's axes for each of `ndim` dimensions; made once for each rank."""
        found = self._layouts.get(ndim)
        if found is None:
            if len(self.spec.canonical) > ndim:
                raise SpecRankError(repr(self.spec), len(self.spec), ndim)
            spec, names = self.spec, self.mesh.axis_names
            found = self._layouts[ndim] = Layout(
                self.mesh, spec.dims(ndim)[:ndim], tuple(axis for axis in names if axis in spec.unreduced),
                tuple(axis for axis in names if axis in spec.reduced))
        return found

    @cached_property
    def devices(self) -> tuple[Device, ...]:
        """The devices of the mesh, in row-major order."""
        return self.mesh.flat_devices

    @cached_property
    def is_fully_replicated(self) -> bool:
        """Whether the spec splits nothing."""
        spec, mesh = self.spec, self.mesh
        return all(mesh.parts(axes) == 1 for axes in (*spec.dims(len(spec)), tuple(spec.unreduced)))

    def with_spec(self, spec: PartitionSpec) -> NamedSharding:
        """The same mesh with another spec."""
        return self.update(spec=spec)

    def with_memory_kind(self, kind: str) -> NamedSharding:
        """The same sharding in another kind of memory; see `Sharding.with_memory_kind`."""
        return self.update(memory_kind=kind)

    def update(
        self, *, mesh: Mesh | AbstractMesh | None = None, spec: PartitionSpec | None = None,
        memory_kind: str | None = None,
    ) -> NamedSharding:
        """The sharding with another mesh, spec or kind of memory.

        Args:
            mesh: The mesh; the same when left out.
            spec: The spec; the same when left out.
            memory_kind: The kind of memory; the same when left out.
        """
        return NamedSharding(self.mesh if mesh is None else mesh, self.spec if spec is None else spec,
                             memory_kind=self.memory_kind if memory_kind is None else memory_kind)

    @property
    def replicated_axes(self) -> frozenset[str]:
        """The axes that the spec does not name."""
        return frozenset(self.mesh.axis_names).difference(*self.spec.dims(len(self.spec)), self.spec.unreduced)

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, NamedSharding) and self._hash == other._hash and self.mesh == other.mesh
            and self.spec == other.spec and self.memory_kind == other.memory_kind
        )

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"NamedSharding(mesh={self.mesh!r}, spec={self.spec!r}, memory_kind={self.memory_kind})"


class SingleDeviceSharding(Sharding):
    """The whole array on one device.

    Args:
        device: The device.
        memory_kind: The kind of memory; None is the device's own.

    Example:
        ``SingleDeviceSharding(olympus.devices()[0])``
    """

    device: Device
    _hash: int

    def __init__(self, device: Device, *, memory_kind: str | None = None) -> None:
        self.__dict__.update(
            device=device, memory_kind=memory_kind_of(memory_kind), _hash=hash((SingleDeviceSharding, device)))

    @staticmethod
    @lru_cache(maxsize=1024)
    def of(device: Device) -> SingleDeviceSharding:
        """A device's own memory: one object for all who ask, which keeps what it has found out.

        Args:
            device: The device.
        """
        return SingleDeviceSharding(device)

    def with_memory_kind(self, kind: str) -> SingleDeviceSharding:
        """The same device's other memory; see `Sharding.with_memory_kind`."""
        return SingleDeviceSharding(self.device, memory_kind=kind)

    def layout(self, ndim: int) -> Layout:
        """A mesh of the one device, and no axes."""
        return _single_layout(self.device, ndim)

    @cached_property
    def devices(self) -> tuple[Device, ...]:
        """The one device."""
        return (self.device,)

    @property
    def is_fully_replicated(self) -> bool:
        """Always true: the one device holds the whole."""
        return True

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, SingleDeviceSharding) and self.device is other.device
            and self.memory_kind == other.memory_kind
        )

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"SingleDeviceSharding(device={self.device!r}, memory_kind={self.memory_kind})"


@lru_cache(maxsize=1024)
def _single_layout(device: Device, ndim: int) -> Layout:
    return Layout(Mesh.of_one(device, _SINGLE_AXIS), ((),) * ndim)


def sharding_of(layout: Layout) -> Sharding:
    """The sharding that a layout stands for: on one device a `SingleDeviceSharding`, else a `NamedSharding`."""
    if layout.mesh.axis_names == (_SINGLE_AXIS,) and layout.mesh.size == 1:
        return SingleDeviceSharding.of(layout.mesh.flat_devices[0])
    return NamedSharding(layout.mesh, spec_of(layout.dims, layout.unreduced, layout.reduced))
