# SPDX-License-Identifier: Apache-2.0
"""The order of devices in a mesh: neighbours along an axis are neighbours in the hardware where that can be.

Devices with coordinates (``coords``, and ``core_on_chip`` where a chip has several) that fill a box lie on a torus.
Each mesh axis is made of sides of that torus, or of factors of sides, so that a step along the axis is a step along
a side. Devices without coordinates, or with holes between them, keep the order in which they are given.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np

from olympus_core.errors import DeviceCountError, OlympusInternalError, SplitAxisError

from .axes import AxisType, axis_names_of, axis_sizes_of, axis_types_of, check_axes
from .device import Device
from .mesh import Mesh

Sides = tuple[int, ...]


def make_mesh(
    shape: int | Sequence[int], names: str | Sequence[str], *, devices: Sequence[Device],
    axis_types: AxisType | Sequence[AxisType] | None = None,
) -> Mesh:
    """A mesh whose device order follows the topology.

    Args:
        shape: Size of each axis.
        names: Name of each axis; a plain string for one axis.
        devices: The devices; the first of them when there are more than the shape needs.
        axis_types: One `AxisType` for each axis (a single one stands for all); `Auto` when left out.

    Returns:
        The mesh.

    Raises:
        MeshError: For sizes, names and types that do not fit, or too few devices.

    Example:
        ``make_mesh((4, 2), ("i", "j"), devices=olympus.devices())``
    """
    sizes, axis_names = axis_sizes_of(shape), axis_names_of(names)
    types = axis_types_of(axis_types, len(axis_names))
    check_axes(axis_names, sizes, types)
    needed = math.prod(sizes)
    if needed > len(devices):
        raise DeviceCountError(sizes, needed, len(devices))
    return Mesh(device_grid(sizes, devices[:needed]), axis_names, types)


def create_device_mesh(
    shape: int | Sequence[int], devices: Sequence[Device], *, allow_split_physical_axes: bool = True
) -> np.ndarray:
    """The devices in a grid that is good to make a mesh of.

    Args:
        shape: Size of each axis; the last are those that communicate most.
        devices: As many devices as the shape needs.
        allow_split_physical_axes: Whether two mesh axes may share one side of the torus.

    Returns:
        An array of devices of this shape.

    Raises:
        DeviceCountError: For another number of devices.
        SplitAxisError: Where sides must be shared and may not.

    Example:
        ``Mesh(create_device_mesh((4, 2), olympus.devices()), ("a", "b"))``
    """
    sizes = axis_sizes_of(shape)
    if math.prod(sizes) != len(devices):
        raise DeviceCountError(sizes, math.prod(sizes), len(devices))
    if not allow_split_physical_axes:
        torus = _torus(devices)
        if torus is not None and not all(_is_whole(factors, torus.shape) for factors in _assign(torus.shape, sizes)):
            raise SplitAxisError(sizes, [n for n in torus.shape if n > 1])
    return device_grid(sizes, devices)


def device_grid(shape: Sequence[int], devices: Sequence[Device]) -> np.ndarray:
    """The devices as an array of this shape, ordered by topology.

    Args:
        shape: Size of each axis; the last are those that communicate most, and choose first.
        devices: The devices, as many as the shape needs.
    """
    shape = tuple(shape)
    torus = _torus(devices)
    if torus is None:
        return _listed(devices).reshape(shape)
    assignment = _assign(torus.shape, shape)
    rings = [_ring_sides(factors, torus.shape) for factors in assignment]
    wide = sum(n > 1 for n in torus.shape) > 1
    if sum(n > 1 for n in shape) == 1 and wide and not any(rings):
        # A single axis over a torus without a ring communicates along the sides, in any order;
        # the order of the list keeps each process's devices together.
        return _listed(devices).reshape(shape)
    grid = _arrange(torus, assignment).reshape(shape)
    for axis, sides in enumerate(rings):
        if sides:
            grid = grid.take(ring_order(sides), axis=axis)
    return grid


def ring_order(sides: Sides) -> list[int]:
    """A closed walk through a box with a side of 2, each step to a neighbour: out on one level, back on the other.

    Args:
        sides: The box's sides, all above 1; at least two of them, and one is 2.

    Returns:
        The positions in row-major order.

    Example:
        >>> ring_order((4, 2))
        [0, 2, 4, 6, 7, 5, 3, 1]
    """
    level = len(sides) - 1 - sides[::-1].index(2)
    out = _snake(sides[:level] + sides[level + 1:])
    walk = [point[:level] + (k,) + point[level:] for k in (0, 1) for point in (out if k == 0 else out[::-1])]
    return [int(np.ravel_multi_index(point, sides)) for point in walk]


def _snake(sides: Sides) -> list[tuple[int, ...]]:
    """A walk through a box, the first side fastest, that turns back at each end."""
    if not sides:
        return [()]
    inner = _snake(sides[:-1])
    return [point + (k,) for k in range(sides[-1]) for point in (inner[::-1] if k % 2 else inner)]


def _listed(devices: Sequence[Device]) -> np.ndarray:
    listed = np.empty(len(devices), dtype=object)
    listed[:] = list(devices)
    return listed


def _torus(devices: Sequence[Device]) -> np.ndarray | None:
    """The devices by coordinates, or None unless they have coordinates that fill a box, each once."""
    if not devices or any(getattr(d, "coords", None) is None for d in devices):
        return None
    points = [(*d.coords, getattr(d, "core_on_chip", 0)) for d in devices]
    if len({len(point) for point in points}) > 1:
        return None
    low = [min(values) for values in zip(*points, strict=True)]
    high = [max(values) for values in zip(*points, strict=True)]
    sides = tuple(h - n + 1 for n, h in zip(low, high, strict=True))
    if math.prod(sides) != len(devices) or len(set(points)) != len(devices):
        return None
    torus = np.empty(sides, dtype=object)
    for device, point in zip(devices, points, strict=True):
        torus[tuple(p - n for p, n in zip(point, low, strict=True))] = device
    return torus


def _assign(sides: Sides, shape: tuple[int, ...]) -> list[Sides]:
    """For each mesh axis the factor of each side that it is made of: whole sides where that can be."""
    found = _search(sides, sides, shape, whole=True) or _search(sides, sides, shape, whole=False)
    if found is None:
        raise OlympusInternalError(f"sides {sides} have no factors for a mesh of shape {shape}")
    return found


def _search(sides: Sides, free: Sides, shape: tuple[int, ...], *, whole: bool) -> list[Sides] | None:
    """The best choice of the last axis that leaves one for the others; `free` is what later axes left of each side."""
    if not shape:
        return []
    choices = [
        factors for factors in itertools.product(*(_divisors(n) for n in free))
        if math.prod(factors) == shape[-1] and (not whole or _is_whole(factors, sides))
    ]
    for factors in sorted(choices, key=lambda factors: _preference(factors, sides, free), reverse=True):
        left = tuple(n // factor for n, factor in zip(free, factors, strict=True))
        others = _search(sides, left, shape[:-1], whole=whole)
        if others is not None:
            return [*others, factors]
    return None


def _preference(factors: Sides, sides: Sides, free: Sides) -> tuple[object, ...]:
    """Whole sides first (a whole side has the link that closes it), then many, then sides that nobody uses yet."""
    whole = [f for f, side in zip(factors, sides, strict=True) if f == side and f > 1]
    shared = math.prod(f for f, side, n in zip(factors, sides, free, strict=True) if n != side)
    return math.prod(whole), len(whole), -shared, factors


def _divisors(n: int) -> list[int]:
    return [k for k in range(1, n + 1) if n % k == 0]


def _is_whole(factors: Sides, sides: Sides) -> bool:
    return all(f in (1, side) for f, side in zip(factors, sides, strict=True))


def _ring_sides(factors: Sides, sides: Sides) -> Sides:
    """The sides an axis is made of, where a ring goes through them; else nothing."""
    used = tuple(f for f in factors if f > 1)
    return used if _is_whole(factors, sides) and len(used) > 1 and 2 in used else ()


def _arrange(torus: np.ndarray, assignment: Sequence[Sides]) -> np.ndarray:
    """The torus with its sides split among the mesh axes, and those dimensions grouped by mesh axis."""
    axes = range(len(assignment))
    # Within a side the first mesh axis is major: the last, which communicates most, gets direct neighbours.
    split = [(axis, side) for side in range(torus.ndim) for axis in axes if assignment[axis][side] > 1]
    grid = torus.reshape([assignment[axis][side] for axis, side in split])
    return grid.transpose(sorted(range(len(split)), key=split.__getitem__))
