# SPDX-License-Identifier: Apache-2.0
"""Who takes part in a collective: groups of devices, written by mesh axes or by positions."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from olympus_core.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class AxisGroup:
    """The groups that some axes of a mesh make: devices that differ in these axes only, major axis first.

    Args:
        mesh_shape: Name and size of every axis of the mesh, in order.
        axes: The axes, in the order that numbers a group's members.
        parts: Parts of equal size into which each of these groups is divided, as positions among its members, all of
            them; None for undivided groups.
    """

    mesh_shape: tuple[tuple[str, int], ...]
    axes: tuple[str, ...]
    parts: tuple[tuple[int, ...], ...] | None = None

    @property
    def size(self) -> int:
        """Number of members of each group."""
        return len(self.groups[0])

    @property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """Each group's members, as positions in the mesh's devices in row-major order."""
        whole = axis_groups(self.mesh_shape, self.axes)
        if self.parts is None:
            return whole
        return tuple(tuple(members[i] for i in part) for members in whole for part in self.parts)

    def __repr__(self) -> str:
        divided = "" if self.parts is None else "; " + " ".join(",".join(map(str, part)) for part in self.parts)
        return f"({','.join(self.axes)}{divided})"


@dataclass(frozen=True, slots=True)
class DeviceGroups:
    """Groups written out, as positions in a device program's devices.

    Args:
        groups: Disjoint groups of equal size; every position stands in one of them.
    """

    groups: tuple[tuple[int, ...], ...]

    @property
    def size(self) -> int:
        """Number of members of each group."""
        return len(self.groups[0])

    def __repr__(self) -> str:
        return "{" + ",".join("[" + ",".join(map(str, g)) + "]" for g in self.groups) + "}"


@lru_cache(maxsize=4096)
def axis_groups(mesh_shape: tuple[tuple[str, int], ...], axes: tuple[str, ...]) -> tuple[tuple[int, ...], ...]:
    """The groups of mesh positions that differ in `axes` only.

    Args:
        mesh_shape: Name and size of every axis.
        axes: The axes, major first.

    Returns:
        The groups, ordered by their first member.

    Example:
        >>> axis_groups((("x", 2), ("y", 2)), ("y",))
        ((0, 1), (2, 3))
    """
    names = [name for name, _ in mesh_shape]
    positions = np.arange(int(np.prod([n for _, n in mesh_shape], dtype=int))).reshape([n for _, n in mesh_shape])
    others = [i for i, name in enumerate(names) if name not in axes]
    inside = [names.index(axis) for axis in axes]
    size = int(np.prod([mesh_shape[i][1] for i in inside], dtype=int))
    table = positions.transpose(others + inside).reshape(-1, size)
    return tuple(sorted(tuple(int(p) for p in row) for row in table) if size == 1 else
                 sorted((tuple(int(p) for p in row) for row in table), key=min))


Groups = AxisGroup | DeviceGroups
