# SPDX-License-Identifier: Apache-2.0
"""Where a jitted call runs: computation follows data."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import NamedTuple

from olympus_core import partition
from olympus_core.errors import IncompatibleDevicesError, NotSupportedError
from olympus_core.partition import explicit_layout
from olympus_core.placement import AxisType, Dims, Layout, Mesh, NamedSharding, Sharding, SingleDeviceSharding
from olympus_core.program import Program, operations_of
from olympus_core.runtime import get_world

from ..tracing import Aval
from .context import placing_mesh


class Plan(NamedTuple):
    """Where a call runs, and where its inputs and outputs are then."""

    mesh: Mesh
    committed: bool
    in_dims: list[Dims]
    out_dims: list[Dims | None]
    results: list[Sharding | None]
    later: list[Sharding | None]
    in_terms: list[tuple[str, ...]]
    out_terms: list[tuple[str, ...]]


def call_mesh(
    name: str, program: Program, given: Sequence[tuple[Sharding, int]], wanted: Sequence[tuple[Sharding, int]],
    typed: Mesh | None, describe: Callable[[], list[str]],
) -> tuple[Mesh, bool]:
    """The devices of a call.

    Args:
        name: The function, for errors.
        program: What is called.
        given: The shardings of the committed arguments, each with the number of dimensions.
        wanted: Those that the caller demands for arguments and results, likewise.
        typed: The mesh of the results' explicit shardings.
        describe: Called when an error needs a line for each committed argument.

    Returns:
        The mesh, and whether the results are committed to it.

    Raises:
        IncompatibleDevicesError: If committed arguments, or what is demanded, are on different devices.
    """
    inner = _meshes_inside(program)
    meshes = inner if typed is None else [typed, *inner]
    sets = {frozenset(sharding.devices) for sharding, _ in (*given, *wanted)}
    if len(sets | {frozenset(mesh.flat_devices) for mesh in meshes}) > 1:
        lines = [f"demanded: {sharding}" for sharding in dict.fromkeys(sharding for sharding, _ in wanted)]
        raise IncompatibleDevicesError(name, [*describe(), *lines, *(f"inside the function: {m}" for m in meshes)])
    for shardings in (wanted, given):
        # A mesh that the user made has the axes that specs inside may name.
        for sharding, _ in shardings:
            if isinstance(sharding, NamedSharding):
                return sharding.mesh, True
        if shardings is wanted and meshes:
            return meshes[0], True
    for sharding, ndim in (*wanted, *given):
        return sharding.layout(ndim).mesh, True
    around = placing_mesh()
    if around is not None:
        return around, True
    return SingleDeviceSharding.of(get_world().default_device()).layout(0).mesh, False


def _meshes_inside(program: Program) -> list[Mesh]:
    found: list[Mesh] = []
    for operation in operations_of(program):
        mesh = operation.attributes.get("mesh")
        # One without devices stands for those of the call.
        if isinstance(mesh, Mesh) and mesh not in found:
            found.append(mesh)
    if len(found) > 1 and len({m.shape_tuple for m in found}) > 1:
        raise NotSupportedError(
            f"Several meshes in one program ({', '.join(map(repr, found))})", "a program is split over one mesh",
            "Use one mesh whose axes serve all parts, or call the parts separately.",
        )
    return found


def translate(layout: Layout, mesh: Mesh) -> Dims | None:
    """The axes of another mesh that place an array just as `layout` does; None if there are none."""
    if layout.mesh is mesh:
        return layout.dims
    if layout.unreduced or layout.mesh.flat_devices != mesh.flat_devices:
        return None
    parts = layout.parts()
    choices: list[list[tuple[str, ...]]] = []
    for count in parts:
        found = [
            axes for n in range(len(mesh.axis_names) + 1) for axes in itertools.permutations(mesh.axis_names, n)
            if mesh.parts(axes) == count and all(dict(mesh.shape_tuple)[a] > 1 for a in axes)
        ]
        choices.append(found)
    for dims in itertools.product(*choices):
        flat = [axis for axes in dims for axis in axes]
        if len(set(flat)) == len(flat):
            candidate = Layout(mesh, dims)
            if (candidate.boxes(parts) == layout.boxes(parts)).all():
                return dims
    return None


def terms_on(mesh: Mesh, layout: Layout | None) -> tuple[str, ...]:
    """The axes of a call's mesh along which an argument or result is terms of a sum."""
    return layout.unreduced if layout is not None and layout.mesh is mesh else ()


def typed_by(aval: Aval, sharding: Sharding | None) -> Aval:
    """What is known of an argument that is brought to a sharding before the call; None leaves it where it is."""
    if sharding is None:
        return aval
    named = isinstance(sharding, NamedSharding)
    return Aval(aval.type, aval.weak, explicit_layout(sharding.layout(aval.ndim)) if named else None)


def typed_outputs(
    program: Program, mesh: Mesh, in_dims: Sequence[Dims], out_dims: Sequence[Dims | None], avals: Sequence[Aval]
) -> list[Dims | None]:
    """The dims of a program's outputs over a mesh with explicit axes, over which their types decide.

    Args:
        program: The program.
        mesh: Its mesh.
        in_dims: Those of the inputs.
        out_dims: Those that the caller demands; None for the others.
        avals: What is known of the outputs.

    Returns:
        The dims; those that are not demanded are split over explicit axes as the type says, and over automatic axes
        as propagation would have it.
    """
    typed = [
        dims if dims is not None else ((),) * a.ndim if a.layout is None else translate(a.layout, mesh)
        for dims, a in zip(out_dims, avals, strict=True)
    ]
    if AxisType.Auto not in mesh.axis_types or all(dims is not None for dims in out_dims):
        return typed
    automatic = {a for a, t in zip(mesh.axis_names, mesh.axis_types, strict=True) if t is AxisType.Auto}
    decided = partition.partition(program, mesh, in_dims, out_dims).out_dims
    return [
        want if want is None or demand is not None else _merged(mesh, aval, want, free, automatic)
        for want, demand, free, aval in zip(typed, out_dims, decided, avals, strict=True)
    ]


def _merged(mesh: Mesh, aval: Aval, typed: Dims, decided: Dims, automatic: set[str]) -> Dims:
    """The typed dims with the automatic axes of the decided ones, where the sizes allow."""
    merged = []
    for size, want, free in zip(aval.shape, typed, decided, strict=True):
        if tuple(axis for axis in free if axis not in automatic) == want:
            merged.append(free)
            continue
        both = (*want, *(axis for axis in free if axis in automatic))
        merged.append(want if size % mesh.parts(both) else both)
    return tuple(merged)
