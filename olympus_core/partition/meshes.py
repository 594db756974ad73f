# SPDX-License-Identifier: Apache-2.0
"""Axes of one mesh in terms of another over the same devices."""

from __future__ import annotations

from functools import lru_cache

from olympus_core.errors import NotSupportedError
from olympus_core.placement import AbstractMesh, Dims, Mesh


def dims_on(mesh: Mesh, other: Mesh | AbstractMesh, dims: Dims) -> Dims:
    """Dims over the axes of `other`, as dims over the axes of `mesh`.

    Args:
        mesh: The mesh of the program.
        other: The mesh that the dims name; the same, or one whose axes are products of neighbouring axes of `mesh`
            over the same devices in the same order; an abstract one stands for the program's devices.
        dims: The dims over `other`.

    Returns:
        Dims that put every part on the same device.

    Raises:
        NotSupportedError: When the devices, their order or the sizes of the axes do not allow it.
    """
    if other is mesh or (other.shape_tuple == mesh.shape_tuple and _has_devices_of(other, mesh)):
        return dims
    table = axes_on(mesh, other)
    return tuple(tuple(inner for axis in axes for inner in table[axis]) for axes in dims)


@lru_cache(maxsize=256)
def axes_on(mesh: Mesh, other: Mesh | AbstractMesh) -> dict[str, tuple[str, ...]]:
    """For each axis of `other` the axes of `mesh` that make it up; not to be changed."""
    if not _has_devices_of(other, mesh):
        raise NotSupportedError(
            f"a region or constraint over {other} in a program over {mesh}",
            "their devices, or the order of their devices, differ",
            "Use one mesh in one compiled function, or move the values with olympus.device_put between two functions.",
        )
    table: dict[str, tuple[str, ...]] = {}
    waiting = [(name, size) for name, size in mesh.shape_tuple if size > 1]
    for axis, size in other.shape_tuple:
        made: list[str] = []
        left = size
        while left > 1 and waiting and left % waiting[0][1] == 0:
            name, inner = waiting.pop(0)
            left //= inner
            made.append(name)
        if left != 1:
            raise NotSupportedError(
                f"a region or constraint over {other} in a program over {mesh}",
                f"axis {axis!r} of size {size} is not a product of neighbouring axes of the program's mesh",
                "Use one mesh in one compiled function.",
            )
        table[axis] = tuple(made)
    return table


def _has_devices_of(other: Mesh | AbstractMesh, mesh: Mesh) -> bool:
    """Whether both are over the same devices in the same order, as far as `other` has any."""
    return isinstance(other, AbstractMesh) or other.flat_devices == mesh.flat_devices
