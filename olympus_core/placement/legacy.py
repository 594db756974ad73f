# SPDX-License-Identifier: Apache-2.0
"""Older kinds of sharding, kept for programs that use them: each becomes a `Layout` over a mesh of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, ClassVar, TypeVar

import numpy as np

from olympus_core.errors import PositionalShapeError, ShardedDimensionError, ShardingRankError

from .device import Device, memory_kind_of
from .label import platform_label
from .layout import Layout
from .mesh import Mesh, mesh_grid
from .sharding import Sharding
from .tiling import tiling_grid, tiling_text

Self = TypeVar("Self", bound="GridSharding")


class GridSharding(Sharding):
    """A sharding by position in a grid of devices, one dimension for each of the array's and one for replicas.

    Args:
        grid: The devices, in the shape of the shards, with the replicas of each shard along the last dimension.
        memory_kind: The kind of memory; None is the device's own.
    """

    _mesh: Mesh

    def __init__(self, grid: np.ndarray, *, memory_kind: str | None = None) -> None:
        names = [f"shards_{i}" for i in range(grid.ndim - 1)]
        self.__dict__.update(_mesh=Mesh(grid, (*names, "replicas")), memory_kind=memory_kind_of(memory_kind))

    def with_memory_kind(self: Self, kind: str) -> Self:
        """The same shards in another kind of memory; see `Sharding.with_memory_kind`."""
        made = object.__new__(type(self))
        made.__dict__.update(self.__dict__, memory_kind=memory_kind_of(kind))
        return made

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of shards along each dimension."""
        return self._mesh.axis_sizes[:-1]

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return len(self.shape)

    @property
    def devices(self) -> tuple[Device, ...]:
        """The devices, in the order of the shards."""
        return self._mesh.flat_devices

    @cached_property
    def is_fully_replicated(self) -> bool:
        """Whether there is one shard, which all devices hold."""
        return all(count == 1 for count in self.shape)

    def layout(self, ndim: int) -> Layout:
        """The grid as a mesh; raises `ShardingRankError` for another number of dimensions, unless all is one shard."""
        if self.is_fully_replicated:
            return Layout(self._mesh, ((),) * ndim)
        if ndim != self.ndim:
            raise ShardingRankError(repr(self), self.ndim, ndim)
        return Layout(self._mesh, tuple((name,) for name in self._mesh.axis_names[:-1]))

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, GridSharding) and type(self) is type(other) and self._mesh == other._mesh
            and self.memory_kind == other.memory_kind
        )

    def __hash__(self) -> int:
        return hash((type(self), self._mesh))

    def _suffix(self) -> str:
        return f", memory_kind={self.memory_kind}" if self.is_on_host else ""


class PositionalSharding(GridSharding):
    """A sharding by the position of devices in an array: one device, or set of replicas, for each shard.

    Args:
        devices: An array, or nested sequence, of devices.
        memory_kind: The kind of memory; None is the device's own.

    Raises:
        MeshError: For no device, or a device that stands twice.

    Example:
        ``PositionalSharding(olympus.devices()).reshape(4, 2)``
    """

    def __init__(self, devices: Any, *, memory_kind: str | None = None) -> None:
        grid = np.empty(np.shape(devices), dtype=object)
        grid[...] = devices
        super().__init__(grid[..., None], memory_kind=memory_kind)

    def reshape(self, *shape: Any) -> PositionalSharding:
        """The same shards in another shape.

        Args:
            *shape: The sizes, or one tuple of them; one may be -1.

        Raises:
            PositionalShapeError: For a shape with another number of shards.
        """
        sizes = tuple(shape[0]) if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape
        try:
            cells = np.empty(self.shape).reshape(sizes).shape
        except (ValueError, TypeError):
            raise PositionalShapeError(self.shape, sizes) from None
        return self._with(self._mesh.devices.reshape((*cells, -1)))

    def transpose(self, *axes: int) -> PositionalSharding:
        """The same shards with the dimensions in another order; reversed when none are named."""
        order = axes or tuple(range(self.ndim))[::-1]
        if sorted(order) != list(range(self.ndim)):
            raise PositionalShapeError(self.shape, axes)
        return self._with(self._mesh.devices.transpose((*order, self.ndim)))

    @property
    def T(self) -> PositionalSharding:
        """The same shards with the dimensions reversed."""
        return self.transpose()

    def replicate(self, axis: int | Sequence[int] | None = None, keepdims: bool = True) -> PositionalSharding:
        """The devices along some dimensions hold the same shard.

        Args:
            axis: The dimensions; None stands for all.
            keepdims: Whether these dimensions stay, with size 1.

        Raises:
            PositionalShapeError: For a dimension that is not there.
        """
        axes = range(self.ndim) if axis is None else (axis,) if isinstance(axis, int) else axis
        if any(not -self.ndim <= a < self.ndim for a in axes):
            raise PositionalShapeError(self.shape, axis)
        joined = sorted({a % self.ndim for a in axes})
        kept = [i for i in range(self.ndim) if i not in joined]
        grid = self._mesh.devices.transpose((*kept, *joined, self.ndim))
        sizes = [1 if i in joined else self.shape[i] for i in (range(self.ndim) if keepdims else kept)]
        return self._with(grid.reshape((*sizes, -1)))

    def _with(self, grid: np.ndarray) -> PositionalSharding:
        made = object.__new__(PositionalSharding)
        GridSharding.__init__(made, grid, memory_kind=self.memory_kind)
        return made

    def __repr__(self) -> str:
        label = platform_label(self.devices[0])
        texts = np.empty(self.shape, dtype=object)
        for cell in np.ndindex(self.shape):
            ids = sorted(d.id for d in self._mesh.devices[cell])
            texts[cell] = "{" + f"{label} {', '.join(map(str, ids))}" + "}"
        name = type(self).__name__
        body = np.array2string(
            texts, prefix=f"{name}(", suffix=")", max_line_width=100, threshold=texts.size + 1,
            formatter={"object": str},
        )
        return f"{name}({body}{self._suffix()})"


class GSPMDSharding(GridSharding):
    """A sharding written as the tiling that a compiler gives.

    Args:
        devices: The devices that the tiling's numbers count.
        tiling: The tiling's text, such as ``"{devices=[2,4]<=[8]}"`` or ``"{replicated}"``, or a `Layout` over
            the same devices.
        memory_kind: The kind of memory; None is the device's own.

    Raises:
        TilingError: For something that is not a tiling over these devices.

    Example:
        ``GSPMDSharding(olympus.devices(), "{devices=[4,2]<=[8]}")``
    """

    def __init__(self, devices: Sequence[Device], tiling: str | Layout, *, memory_kind: str | None = None) -> None:
        listed = list(devices)
        numbers = tiling_grid(tiling, listed)
        grid = np.empty(len(listed), dtype=object)
        grid[:] = listed
        self.__dict__["_tiling"] = tiling_text(numbers)
        super().__init__(grid[numbers], memory_kind=memory_kind)

    @classmethod
    def get_replicated(cls, devices: Sequence[Device], *, memory_kind: str | None = None) -> GSPMDSharding:
        """A whole copy on each device.

        Args:
            devices: The devices.
            memory_kind: The kind of memory; None is the device's own.
        """
        return cls(devices, "{replicated}", memory_kind=memory_kind)

    def __repr__(self) -> str:
        return f"GSPMDSharding({self.__dict__['_tiling']}{self._suffix()})"


class PmapSharding(Sharding):
    """The sharding of a mapped function's arrays: one index of a dimension on each device.

    Args:
        devices: The devices, one for each index.
        sharded_dim: The dimension; None places a copy on each device.
        memory_kind: The kind of memory; None is the device's own.

    Raises:
        MeshError: For no device, or a device that stands twice.

    Example:
        ``PmapSharding.default((8, 128), devices=olympus.local_devices())``
    """

    sharded_dim: int | None
    _mesh: Mesh

    def __init__(
        self, devices: Sequence[Device], sharded_dim: int | None = 0, *, memory_kind: str | None = None
    ) -> None:
        mesh = Mesh(mesh_grid(devices).reshape(-1), ("mapped",))
        self.__dict__.update(_mesh=mesh, sharded_dim=sharded_dim, memory_kind=memory_kind_of(memory_kind))

    def with_memory_kind(self, kind: str) -> PmapSharding:
        """The same shards in another kind of memory; see `Sharding.with_memory_kind`."""
        return PmapSharding(self.devices, self.sharded_dim, memory_kind=kind)

    all_devices: ClassVar[Callable[[], Sequence[Device]]]  # the runtime's, which the language wires in

    @classmethod
    def default(
        cls, shape: Sequence[int], sharded_dim: int | None = 0, *, devices: Sequence[Device] | None = None
    ) -> PmapSharding:
        """The sharding of an array with one index of a dimension on each of the first devices.

        Args:
            shape: The array's shape.
            sharded_dim: The dimension; None places a copy on each device.
            devices: The devices to choose from; all of all processes when left out.

        Raises:
            ShardedDimensionError: For a dimension that is not there, or has more indices than there are devices.
        """
        devices = cls.all_devices() if devices is None else devices
        if sharded_dim is None:
            return cls(devices, None)
        if not 0 <= sharded_dim < len(shape) or not 0 < shape[sharded_dim] <= len(devices):
            raise ShardedDimensionError(shape, sharded_dim, len(devices))
        return cls(devices[:shape[sharded_dim]], sharded_dim)

    @property
    def devices(self) -> tuple[Device, ...]:
        """The devices, in the order of the shards."""
        return self._mesh.flat_devices

    @property
    def is_fully_replicated(self) -> bool:
        """Whether no dimension is split, or there is one device."""
        return self.sharded_dim is None or self._mesh.size == 1

    def layout(self, ndim: int) -> Layout:
        """The devices as a mesh of one axis; raises `ShardingRankError` where the sharded dimension is not there."""
        if self.sharded_dim is not None and self.sharded_dim >= ndim:
            raise ShardingRankError(repr(self), self.sharded_dim + 1, ndim)
        return Layout(self._mesh, tuple(("mapped",) if i == self.sharded_dim else () for i in range(ndim)))

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, PmapSharding) and self._mesh == other._mesh
            and self.sharded_dim == other.sharded_dim and self.memory_kind == other.memory_kind
        )

    def __hash__(self) -> int:
        return hash((PmapSharding, self._mesh, self.sharded_dim))

    def __repr__(self) -> str:
        ids = [d.id for d in self.devices]
        return (f"PmapSharding(sharded_dim={self.sharded_dim}, device_ids={ids}, "
                f"device_platform={platform_label(self.devices[0])}, device_shape=({len(ids)},))")
