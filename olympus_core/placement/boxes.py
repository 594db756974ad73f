# SPDX-License-Identifier: Apache-2.0
"""Arithmetic of boxes: the parts of arrays that devices hold.

A box has a start and a stop for each dimension. Everything here is a pure function of values.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from .layout import Dims, Index, Layout, coordinates

Box = tuple[tuple[int, int], ...]


def whole(shape: Sequence[int]) -> Box:
    """The box of a whole array."""
    return tuple((0, size) for size in shape)


def slices(box: Box) -> Index:
    """The box as slices, to index an array with."""
    return tuple(slice(start, stop) for start, stop in box)


def extent(box: Box) -> tuple[int, ...]:
    """The box's size in each dimension."""
    return tuple(stop - start for start, stop in box)


def intersect(first: Box, second: Box) -> Box | None:
    """What two boxes have in common.

    Args:
        first: A box.
        second: A box of as many dimensions.

    Returns:
        The common box, or None where they share no element.

    Example:
        >>> intersect(((0, 4), (0, 2)), ((2, 6), (0, 2)))
        ((2, 4), (0, 2))
    """
    common = []
    for (a, b), (c, d) in zip(first, second, strict=True):
        start, stop = max(a, c), min(b, d)
        if start >= stop:
            return None
        common.append((start, stop))
    return tuple(common)


def relative(box: Box, origin: Box) -> Box:
    """The box in the coordinates of another.

    Args:
        box: A box in the whole array.
        origin: The box whose start becomes zero, such as a shard's.

    Example:
        >>> relative(((2, 4), (0, 2)), ((2, 6), (0, 2)))
        ((0, 2), (0, 2))
    """
    return tuple((a - c, b - c) for (a, b), (c, _) in zip(box, origin, strict=True))


def boxes_of(layout: Layout, shape: Sequence[int]) -> list[Box]:
    """The box of every device of a layout, in row-major order of its mesh."""
    return [tuple((a, b) for a, b in box) for box in layout.boxes(shape).tolist()]


def part_numbers(layout: Layout) -> tuple[int, ...]:
    """For every device the number of its part, counted in row-major order of the parts."""
    return _part_numbers(layout.mesh.shape_tuple, layout.dims, layout.parts())


@lru_cache(maxsize=1024)
def _part_numbers(mesh_shape: tuple[tuple[str, int], ...], dims: Dims, parts: tuple[int, ...]) -> tuple[int, ...]:
    of_devices = coordinates(mesh_shape, dims)
    return tuple(np.ravel_multi_index(tuple(of_devices.T), parts).tolist()) if dims else (0,) * len(of_devices)


def replica_ids(layout: Layout, shape: Sequence[int] | None = None) -> tuple[int, ...]:
    """For every device how many devices before it hold the same part.

    Args:
        layout: How the array lies on its mesh.
        shape: The array's shape, to check that it divides; the result does not depend on it.

    Returns:
        One number for each device in row-major order of the mesh; 0 for the first holder of a part.
    """
    if shape is not None:
        layout.shard_shape(shape)
    seen: dict[int, int] = {}
    result = []
    for part in part_numbers(layout):
        result.append(seen.setdefault(part, 0))
        seen[part] += 1
    return tuple(result)
