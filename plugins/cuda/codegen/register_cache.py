"""What threads keep in registers from one nest to the next, rather than read it again."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

from olympus_core.toolkit.loops import Affine, Kernel, Load, Loop, Parameter, Store

from .access_analysis import is_aligned, steady
from .nests import Nest, accesses
from .schedule import CooperativePlan
from .vectors import vector

_KEPT_BYTES = 256  # of registers, in a thread of a block of up to 512


@dataclass(slots=True)
class RegisterCache:
    """What is kept.

    Args:
        names: For each access whose element is in registers, the array that it is in.
        first: Loads that fill registers.
        dropped: Stores that nobody sees.
        unused: Scratch memory that is never touched.
        arrays: Names and types of what is declared.
    """

    names: dict[Load | Store, str] = field(default_factory=dict)
    first: set[Load | Store] = field(default_factory=set)
    dropped: set[Load | Store] = field(default_factory=set)
    unused: set[Parameter] = field(default_factory=set)
    arrays: list[tuple[str, str]] = field(default_factory=list)


def kept(kernel: Kernel, plan: CooperativePlan, most_turns: int) -> RegisterCache:
    """Decides what stays in registers: what several nests of a row touch at the same places."""
    result = RegisterCache()
    groups: dict[Hashable, list[tuple[Nest, int, Load | Store]]] = {}
    for statement in plan.body:
        found = plan.nests.get(id(statement)) if isinstance(statement, Loop) else None
        if found is None:
            continue
        nest, width = found
        if -(-(nest.size // width) // plan.size) > most_turns:
            continue
        for access in steady(nest):
            if access.when is None and not access.dynamic and (width == 1 or is_aligned(access, nest, width)):
                groups.setdefault(_key(access, nest, width), []).append((nest, width, access))
    counts: dict[Parameter, int] = {}
    for access in accesses((kernel.loop,)):
        counts[access.parameter] = counts.get(access.parameter, 0) + 1
    budget = _KEPT_BYTES if plan.block <= 512 else _KEPT_BYTES // 2
    for members in groups.values():
        nest, width, first = members[0]
        loads = [a for _, _, a in members if isinstance(a, Load)]
        parameter = first.parameter
        if parameter.role != "input" and (len(members) != counts[parameter] or isinstance(first, Load)):
            continue
        if not loads or len(members) < 2:
            continue
        turns = -(-(nest.size // width) // plan.size)
        nbytes = turns * width * parameter.dtype.itemsize
        if nbytes > budget:
            continue
        budget -= nbytes
        name = f"k{len(result.arrays)}"
        result.arrays.append((f"{name}[{turns}]", vector(first, width)))
        result.names.update((a, name) for _, _, a in members)
        if isinstance(first, Load):
            result.first.add(first)
        stores = [a for _, _, a in members if isinstance(a, Store)]
        result.dropped.update(stores if parameter.role == "local" else stores[:-1])
        if parameter.role == "local":
            result.unused.add(parameter)
    return result


def _key(access: Load | Store, nest: Nest, width: int) -> Hashable:
    """What accesses to the same places by the same threads have in common."""
    place = {index: number for number, index in enumerate(nest.indices)}

    def shape(affine: Affine) -> Hashable:
        return affine.constant, frozenset((place.get(i, i), s) for i, s in affine.terms)

    limits = tuple(level.until and (shape(level.until[0]), level.until[1]) for level in nest.levels)
    return access.parameter, shape(access.at), tuple(level.extent for level in nest.levels), limits, width
