# SPDX-License-Identifier: Apache-2.0
"""How a value of the global program is sharded while it is being partitioned, partial sums included."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

from olympus_core.dataclass import dataclass
from olympus_core.placement import Dims
from olympus_core.program import Reduction

MeshShape = tuple[tuple[str, int], ...]  # name and size of each axis


@dataclass(frozen=True, slots=True)
class ValueSharding:
    """One sharding of a value: split over some axes, partial over others (terms of a reduction), else replicated.

    Args:
        dims: For each dimension the axes that split it, major first.
        partial: The axes over which every device holds only a term, in the mesh's order.
        reduction: How the terms combine; None when nothing is partial.
    """

    dims: Dims
    partial: tuple[str, ...] = ()
    reduction: Reduction | None = None

    def whole(self) -> ValueSharding:
        """The same split with all terms combined."""
        return ValueSharding(self.dims)

    def __str__(self) -> str:
        text = format_dims(self.dims)
        return f"{text} partial {self.reduction} over {self.partial}" if self.partial else text


def format_dims(dims: Dims) -> str:
    """The dims as a spec is written.

    Example:
        >>> format_dims((("a", "b"), ()))
        "P(('a', 'b'), None)"
    """
    entries = [repr(axes[0]) if len(axes) == 1 else repr(axes) if axes else "None" for axes in dims]
    return f"P({', '.join(entries)})"


@lru_cache(maxsize=1024)
def sizes_of(mesh_shape: MeshShape) -> dict[str, int]:
    """The axes' sizes by name; not to be changed."""
    return dict(mesh_shape)


def parts(mesh_shape: MeshShape, axes: Sequence[str]) -> int:
    """Into how many parts these axes split a dimension."""
    sizes = sizes_of(mesh_shape)
    return math.prod(sizes[axis] for axis in axes)


def local_shape(mesh_shape: MeshShape, shape: Sequence[int], dims: Dims) -> tuple[int, ...]:
    """The shape of one device's part; the sizes divide."""
    return tuple(n // parts(mesh_shape, axes) if axes else n for n, axes in zip(shape, dims, strict=True))


def divides(mesh_shape: MeshShape, shape: Sequence[int], dims: Dims) -> bool:
    """Whether every dimension divides among its axes."""
    return all(n % parts(mesh_shape, axes) == 0 for n, axes in zip(shape, dims, strict=True) if axes)


def without_trivial(mesh_shape: MeshShape, dims: Dims) -> Dims:
    """The dims without axes of size 1, which split nothing."""
    sizes = sizes_of(mesh_shape)
    return tuple(tuple(axis for axis in axes if sizes[axis] > 1) for axes in dims)


def mesh_order(mesh_shape: MeshShape, axes: Sequence[str]) -> tuple[str, ...]:
    """These axes in the mesh's order, each once."""
    wanted = set(axes)
    return tuple(name for name, _ in mesh_shape if name in wanted)
