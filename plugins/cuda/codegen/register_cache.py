# SPDX-License-Identifier: Apache-2.0
"""Register caching: elements that several nests of a row access stay in a thread's registers between them."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

from olympus_core.toolkit.c_text import Nest, accesses, is_aligned, steady
from olympus_core.toolkit.loops import Affine, Kernel, Load, Loop, Parameter, Store

from .schedule import CooperativePlan
from .vectors import vector

_CACHED_BYTES = 256  # of a thread's registers, in blocks of up to 512 threads


@dataclass(slots=True)
class RegisterCache:
    """What is cached.

    Args:
        names: For each access to a cached element, the name of the register array that holds it.
        first: The loads that fill the registers.
        dropped: Stores to memory that nobody reads.
        unused: Scratch memory that is not needed, since all its elements stay in registers.
        arrays: The declarations of register arrays: names and types.
    """

    names: dict[Load | Store, str] = field(default_factory=dict)
    first: set[Load | Store] = field(default_factory=set)
    dropped: set[Load | Store] = field(default_factory=set)
    unused: set[Parameter] = field(default_factory=set)
    arrays: list[tuple[str, str]] = field(default_factory=list)


def cached_registers(kernel: Kernel, plan: CooperativePlan, most: int) -> RegisterCache:
    """Chooses the elements to cache: those that several nests access with the same threads.

    Args:
        kernel: The kernel.
        plan: How it becomes threads.
        most: Vectors of a nest for each thread, up to which its loop is unrolled: registers need constant indices.
    """
    result = RegisterCache()
    groups: dict[Hashable, list[tuple[Nest, int, Load | Store]]] = {}
    for statement in plan.body:
        found = plan.nests.get(id(statement)) if isinstance(statement, Loop) else None
        if found is None:
            continue
        nest, width = found
        if -(-(nest.size // width) // plan.size) > most:
            continue
        for access in steady(nest):
            if access.when is None and not access.dynamic and (width == 1 or is_aligned(access, nest, width)):
                groups.setdefault(_key(access, nest, width), []).append((nest, width, access))
    counts: dict[Parameter, int] = {}
    for access in accesses((kernel.loop,)):
        counts[access.parameter] = counts.get(access.parameter, 0) + 1
    budget = _CACHED_BYTES if plan.block <= 512 else _CACHED_BYTES // 2
    for members in groups.values():
        nest, width, first = members[0]
        loads = [a for _, _, a in members if isinstance(a, Load)]
        parameter = first.parameter
        if parameter.role != "input" and (len(members) != counts[parameter] or isinstance(first, Load)):
            continue
        if not loads or len(members) < 2:
            continue
        per_thread = -(-(nest.size // width) // plan.size)
        nbytes = per_thread * width * parameter.dtype.itemsize
        if nbytes > budget:
            continue
        budget -= nbytes
        name = f"k{len(result.arrays)}"
        result.arrays.append((f"{name}[{per_thread}]", vector(first, width)))
        result.names.update((a, name) for _, _, a in members)
        if isinstance(first, Load):
            result.first.add(first)
        stores = [a for _, _, a in members if isinstance(a, Store)]
        result.dropped.update(stores if parameter.role == "local" else stores[:-1])
        if parameter.role == "local":
            result.unused.add(parameter)
    return result


def _key(access: Load | Store, nest: Nest, width: int) -> Hashable:
    """A key that is equal for accesses of the same elements by the same threads."""
    position = {index: number for number, index in enumerate(nest.indices)}

    def shape(affine: Affine) -> Hashable:
        return affine.constant, frozenset((position.get(i, i), s) for i, s in affine.terms)

    limits = tuple(level.until and (shape(level.until[0]), level.until[1]) for level in nest.levels)
    return access.parameter, shape(access.at), tuple(level.extent for level in nest.levels), limits, width
