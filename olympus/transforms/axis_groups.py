# SPDX-License-Identifier: Apache-2.0
"""The groups of devices that a collective names by axes."""

from __future__ import annotations

import dataclasses
from typing import Any

from olympus_core.errors import ArgumentError, NotSupportedError, UnboundAxisError, described
from olympus_core.program import AxisGroup

from ..operands import axes_of, integers, is_sequence, sequence
from .context import bound_axes, current_manual_axes


def group_of(function: str, axis_name: Any, axis_index_groups: Any = None) -> AxisGroup:
    """The group of devices along axes that are bound where a function is traced, or its parts."""
    axes = tuple(axis_name) if is_sequence(axis_name) else (axis_name,)
    try:
        hash(axes)
    except TypeError:
        raise ArgumentError(function, "an axis name cannot be hashed", described(axis_name),
                            "one axis name or several") from None
    bound = bound_axes()
    for axis in axes:
        if axis not in bound:
            raise UnboundAxisError(function, axis if bound or len(axes) == 1 else axes, tuple(bound))
    manual = current_manual_axes()
    mesh_shape = manual.mesh_shape if manual is not None else ()
    behind = [pair for axis in axes for pair in bound[axis]]
    known = dict(mesh_shape)
    mapped = tuple(dict.fromkeys(pair for pair in behind if pair[0] not in known))
    group = AxisGroup((*mesh_shape, *mapped), tuple(name for name, _ in behind))
    if axis_index_groups is None:
        return group
    if mapped:
        raise NotSupportedError(f"axis_index_groups of {function} over an axis of vmap",
                                "only devices are divided into groups",
                                "Give the mapped dimension another one, with a vmap for each.")
    parts = [integers(function, part, "an index of a group") for part in sequence(
        function, axis_index_groups, "axis_index_groups", "lists of indices")]
    if len({len(part) for part in parts}) != 1 or sorted(i for part in parts for i in part) != list(range(group.size)):
        raise ArgumentError(function, "axis_index_groups does not divide the devices into groups of equal size",
                            described(axis_index_groups),
                            f"lists of equal length with each index below {group.size} once")
    return dataclasses.replace(group, parts=tuple(parts))


def folded_axes(function: str, axis: Any, ndim: int) -> tuple[tuple[int, ...], AxisGroup | None]:
    """What a reduction's axes are: dimensions, and the group of what names among them stand for."""
    axes = tuple(axis) if is_sequence(axis) else (axis,)
    names = tuple(a for a in axes if _is_name(a))
    if not names:
        return axes_of(function, axis, ndim), None
    if len(set(names)) != len(names):
        raise ArgumentError(function, "an axis is named twice", axis, "different axes")
    return axes_of(function, tuple(a for a in axes if a not in names), ndim), group_of(function, names)


def _is_name(axis: Any) -> bool:
    if isinstance(axis, (int, str)):
        return isinstance(axis, str)
    try:
        return axis in bound_axes()
    except TypeError:  # it cannot be hashed
        return False
