# SPDX-License-Identifier: Apache-2.0
"""What callers demand of a jitted call: shardings for arguments and results, and how arguments are told to people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus_core.ops import call, scan, sharding_constraint
from olympus_core.placement import (
    DEVICE_MEMORY,
    Dims,
    Layout,
    Mesh,
    PartitionSpec,
    Sharding,
    SingleDeviceSharding,
    sharding_of,
)
from olympus_core.program import Program, Value
from olympus_core.runtime import get_world

from ..array import Array, is_concrete
from ..tracing import Aval
from ..trees import inside as tree
from .constraint import named, placed_in, says_where
from .placement import translate
from .prefix import spread


def spread_shardings(function: str, what: str, prefix: Any, full: Any) -> list[Sharding | None]:
    """One sharding, or None, for each leaf of `full`.

    Args:
        function: The function, for errors.
        what: The parameter's name, for errors.
        prefix: A sharding, a spec under `set_mesh`, None, or a container of them: a tree prefix of `full`.
        full: The values.
    """
    entries = spread(function, what, prefix, full, _is_entry, "a sharding, or None,")
    return [_sharding_of(entry, function) for entry in entries]


def _sharding_of(entry: Any, function: str) -> Sharding | None:
    """The sharding of an entry; None for none, and for a format that says nothing of it."""
    if isinstance(entry, FirstDevice):
        return entry.sharding()
    if entry is None or hasattr(entry, "sharding_of") and entry.sharding_of(function, None) is None:
        return None
    return named(entry, function)


class FirstDevice:
    """Stands for this process's first device of a platform, which need not be open yet.

    Args:
        platform: The platform's name; None for the preferred one.
    """

    __slots__ = ("platform",)

    def __init__(self, platform: str | None) -> None:
        self.platform = platform

    def sharding(self) -> Sharding:
        """The device as a sharding."""
        return SingleDeviceSharding(next(d for d in get_world().devices(self.platform) if d.is_addressable))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FirstDevice) and self.platform == other.platform

    def __hash__(self) -> int:
        return hash((FirstDevice, self.platform))


def _is_entry(value: Any) -> bool:
    return value is None or says_where(value) or isinstance(value, FirstDevice)


def for_arguments(wanted: Any, arguments: Sequence[Any]) -> Any:
    """The prefix for a call's arguments: one entry for each, which a single one stands for."""
    return wanted if isinstance(wanted, (tuple, list)) else (wanted,) * len(arguments)


def constrained(function: str, what: str, values: Any, prefix: Any) -> Any:
    """The values, each where the prefix says."""
    leaves, structure = tree.flatten(values)
    wanted = spread_shardings(function, what, prefix, values)
    return tree.unflatten(
        structure, [x if s is None else placed_in(x, s) for x, s in zip(leaves, wanted, strict=True)]
    )


def dims_on(mesh: Mesh, value: Any, demanded: Layout | None) -> Dims:
    """The axes of a mesh where a call takes an argument: as demanded, else as it lies, as far as the mesh can say."""
    ndim = np.ndim(value) if not hasattr(value, "aval") else len(value.shape)
    given = sharding_given(value)
    for layout in (demanded, None if given is None else given.layout(ndim)):
        dims = None if layout is None else translate(layout, mesh)
        if dims is not None:
            return dims
    return ((),) * ndim


def sharding_given(value: Any) -> Sharding | None:
    """Where the user chose that an argument is, or, of what stands for one, that it would be."""
    if is_concrete(value):
        return value.sharding if value.committed else None
    if isinstance(value, Aval) and value.layout is None:
        return None
    found = getattr(value, "sharding", None)
    return found if isinstance(found, Sharding) else None


def describe(names: Sequence[str], leaves: Sequence[Any], captured: Sequence[Any]) -> list[str]:
    """A line for each committed argument: how the function calls it, what it is, where it was committed."""
    lines = [_line(name, x) for name, x in zip(names, leaves, strict=True) if is_concrete(x) and x.committed]
    return lines + [_line("captured from outside", c) for c in captured if is_concrete(c) and c.committed]


def _line(what: str, array: Array) -> str:
    where = f"at {array._committed_at}" if array._committed_at else "as the result of a call"
    return f"{what}: {array._signature.type} on {devices_text(array.sharding)}, committed {where}"


def devices_text(sharding: Sharding) -> str:
    """The devices of a sharding for people: the first few of them."""
    devices = sorted(map(str, sharding.devices))
    return ", ".join(devices[:4]) + (f", ... ({len(devices)} devices)" if len(devices) > 4 else "")


def sharding_typed(layout: Layout, aval: Aval) -> Sharding:
    """The sharding of a result that lies so; a type that is reduced says so, too."""
    reduced = () if aval.layout is None or aval.layout.mesh is not layout.mesh else aval.layout.reduced
    return sharding_of(Layout(layout.mesh, layout.dims, layout.unreduced, reduced) if reduced else layout)


def memory_kinds(program: Program) -> list[str | None]:
    """For each output the host's memory to which it is taken; None where it stays on the devices."""
    kinds: dict[Value, str | None] = {}
    for operation in program.operations:
        if operation.record is sharding_constraint:
            kinds[operation.results[0]] = operation.attributes.get("memory_kind")
        elif operation.record is call:
            from .traces.annotations import InMemory, annotation_of  # not all programs keep calls

            (region,) = operation.regions
            annotation = annotation_of(region)
            inside: list[str | None] = [annotation.kind] if isinstance(annotation, InMemory) else memory_kinds(region)
            kinds.update(zip(operation.results, inside, strict=True))
        elif operation.record is scan:
            carried = operation.attributes["carry"]
            kinds.update(zip(operation.results[carried:], memory_kinds(operation.regions[0])[carried:], strict=True))
    return [None if kinds.get(value) == DEVICE_MEMORY else kinds.get(value) for value in program.outputs]


def has_demands(jitted: Any) -> bool:
    """Whether a jitted function says where an argument or result is to be."""
    return bool(tree.leaves((jitted._in_shardings, jitted._out_shardings), is_leaf=lambda x: isinstance(
        x, PartitionSpec)))
