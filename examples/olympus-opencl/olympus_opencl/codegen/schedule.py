"""Scheduling: how a kernel's loops become work-groups and work-items, decided before any text is written."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from olympus_core.toolkit.c_text import Level, Nest, Nests, PerThreadPlan, is_wide, loops_of
from olympus_core.toolkit.loops import Kernel, Loop, Statement

from ..devices import Target
from .vectors import vector_width

_BLOCK = 256
_BUSY = 64  # rows for each compute unit from which on a work-item takes a whole one
_GROUP = 256
_CPU_WIDTHS, _GPU_WIDTHS = (16, 8), (4,)  # elements of a vector: of processors two, whose steps interleave, or one


@dataclass(frozen=True, slots=True)
class GroupPlan:
    """Each iteration of the outer loops is computed by a work-group.

    Args:
        levels: The loops that are divided among groups.
        body: The statements of one iteration.
        nests: By the identity of their loop, the nests that are divided among the work-items.
        size: Work-items of a group.
        is_wide: Whether indices need 64 bits.
    """

    levels: tuple[Level, ...]
    body: tuple[Statement, ...]
    nests: Mapping[int, Nest]
    size: int
    is_wide: bool

    @property
    def rows(self) -> int:
        """Number of groups."""
        return math.prod(level.extent for level in self.levels)


def scheduled(kernel: Kernel, target: Target) -> PerThreadPlan | GroupPlan:
    """The plan of a kernel."""
    nests = Nests(kernel)
    levels, body, lanes = nests.chain(kernel)
    rows, wide = math.prod(level.extent for level in levels), is_wide(kernel)
    block = min(_BLOCK, target.most_threads)
    if lanes:
        width = vector_width(levels, body, _CPU_WIDTHS if target.is_cpu else _GPU_WIDTHS, wide)
        return PerThreadPlan(levels, body, width, _block(rows // width, block, target), wide)
    found: dict[int, Nest] = {}
    _collect(body, nests, found)
    largest = max((nest.size for nest in found.values()), default=0)
    shared = any(loop.kind == "lanes" for loop in loops_of(body)) or any(
        len(nest.levels) > 1 or nest.reductions for nest in found.values())
    # A processor's work-group is one core's: it would share nothing, and its barriers cost, above all the compiler.
    if target.is_cpu or largest < 2 or not (shared or rows < _BUSY * target.units):
        return PerThreadPlan(levels, body, 1, _block(rows, block, target), wide)
    return GroupPlan(levels, body, found, min(_GROUP, target.most_threads, 1 << (largest - 1).bit_length()), wide)


def _block(threads: int, most: int, target: Target) -> int:
    """Work-items of a group: few where there are few, so that all compute units have some."""
    block = most
    while block > 1 and -(-threads // block) < 8 * target.units:
        block //= 2
    return block


def _collect(statements: Sequence[Statement], nests: Nests, found: dict[int, Nest]) -> None:
    for statement in statements:
        if isinstance(statement, Loop):
            nest = nests.nest(statement)
            if nest is not None:
                found[id(statement)] = nest
            else:
                _collect(statement.body, nests, found)
