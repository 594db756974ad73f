# SPDX-License-Identifier: Apache-2.0
"""The one form that every sharding has inside the core: a mesh, and axes for each dimension."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from olympus_core.dataclass import dataclass, field
from olympus_core.errors import IndivisibleError

from .mesh import Mesh

Dims = tuple[tuple[str, ...], ...]
Index = tuple[slice, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """How an array of known rank lies on a mesh.

    Args:
        mesh: The devices.
        dims: For each dimension the mesh axes that split it, major first.
        unreduced: The axes along which each device holds one term of a sum, in the mesh's order.
        reduced: The axes along which its cotangent does, likewise.
    """

    mesh: Mesh
    dims: Dims
    unreduced: tuple[str, ...] = ()
    reduced: tuple[str, ...] = ()
    _parts: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_parts", tuple([self.mesh.parts(axes) for axes in self.dims]))

    def with_dims(self, dims: Dims) -> Layout:
        """The same mesh and sums with other dimensions."""
        return Layout(self.mesh, dims, self.unreduced, self.reduced)

    @property
    def is_split(self) -> bool:
        """Whether devices hold different things: parts of it, or terms."""
        return bool(self.unreduced) or any(self.dims)

    def terms(self) -> np.ndarray:
        """Which term of the sum every device holds: an int64 array, zeros where there is no sum."""
        found: np.ndarray = Layout(self.mesh, (self.unreduced,)).coordinates()[:, 0]
        return found

    def parts(self) -> tuple[int, ...]:
        """For each dimension into how many parts it is split."""
        return self._parts

    def shard_shape(self, shape: Sequence[int]) -> tuple[int, ...]:
        """The shape of one device's part; raises `IndivisibleError` where a dimension does not divide."""
        local = []
        for dimension, (size, count) in enumerate(zip(shape, self._parts, strict=True)):
            if size % count:
                raise IndivisibleError(shape, dimension, self.dims[dimension], count)
            local.append(size // count)
        return tuple(local)

    def coordinates(self) -> np.ndarray:
        """Which part of each dimension every device holds.

        Returns:
            A read-only int64 array of shape (devices, dimensions), for the devices in row-major order.
        """
        return coordinates(self.mesh.shape_tuple, self.dims)

    def boxes(self, shape: Sequence[int]) -> np.ndarray:
        """The part of every device.

        Args:
            shape: The whole array's shape.

        Returns:
            An int64 array of shape (devices, dimensions, 2): start and stop for each device of the mesh in
            row-major order.
        """
        local = np.array(self.shard_shape(shape), dtype=np.int64)
        start = self.coordinates() * local
        return np.stack([start, start + local], axis=-1)

    def indices(self, shape: Sequence[int]) -> list[Index]:
        """The part of every device as slices; whole dimensions are ``slice(None)``."""
        return list(_indices(self, tuple(shape)))

    @property
    def is_replicated(self) -> bool:
        """Whether every device holds the whole."""
        return all(count == 1 for count in self._parts) and self.mesh.parts(self.unreduced) == 1


# Bounded: an entry of `_indices` keeps its mesh alive, and a long run sees few shapes at a time.
@lru_cache(maxsize=1024)
def coordinates(mesh_shape: tuple[tuple[str, int], ...], dims: Dims) -> np.ndarray:
    """Which part of each dimension every device of a mesh holds, as `Layout.coordinates` has it."""
    names = [name for name, _ in mesh_shape]
    sizes = [size for _, size in mesh_shape]
    along = np.indices(sizes, dtype=np.int64).reshape(len(names), -1)
    result = np.zeros((int(np.prod(sizes, dtype=np.int64)), len(dims)), dtype=np.int64)
    for dimension, axes in enumerate(dims):
        for axis in axes:
            i = names.index(axis)
            result[:, dimension] = result[:, dimension] * sizes[i] + along[i]
    result.flags.writeable = False
    return result


@lru_cache(maxsize=1024)
def _indices(layout: Layout, shape: tuple[int, ...]) -> tuple[Index, ...]:
    split = [count > 1 for count in layout.parts()]
    return tuple(
        tuple(slice(int(a), int(b)) if s else slice(None) for (a, b), s in zip(box, split, strict=True))
        for box in layout.boxes(shape).tolist()
    )


def forget_layouts() -> None:
    """Lets go of the meshes, and so of the devices, that layouts were computed for."""
    _indices.cache_clear()
