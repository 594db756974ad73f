# SPDX-License-Identifier: Apache-2.0
"""Control flow as steps of a native call: loops run without Python where all steps of their regions are native."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from olympus_core.dataclass import dataclass, field, replace
from olympus_core.program import Operation, Value
from olympus_core.toolkit.flatten import Flat
from olympus_core.toolkit.fusion import KernelStep, Plan
from olympus_core.toolkit.regions import RegionPlan, RegionPlanner, carried, sliced

from ..native.entry import rounded
from ..native.loops import FOLLOWING, IN_PLACE, RESULT_FIRST, TEMPORARY_FIRST, Carry, SlicedSlot
from .group import KernelGroup

UNKNOWN_TRIP_COUNT = 1000  # assumed for loops with a condition

_STREAMED_BYTES = 1 << 20  # from this size on non-temporal stores may be used, which need aligned cache lines
_LINE = 64


@dataclass(frozen=True, slots=True, eq=False)
class Region:
    """A region of a control operation, as native steps.

    Args:
        group: Its steps. Inputs are the region's, then constants; outputs are the results written directly, then those
            that are copied.
        constants: Arrays that its kernels read.
        left: The results that kernels write directly, other than over an input.
        spares: Bytes of each of the group's other outputs.
        copied: The other results, with the values that are copied to them.
        in_place: Results that overwrite the carry that they update, or are that carry.
        following: Carried results that lie in a stacked result, with its index: an iteration reads them where the one
            before it has written its slice.
    """

    group: KernelGroup
    constants: tuple[np.ndarray, ...]
    left: tuple[int, ...]
    spares: tuple[int, ...]
    copied: tuple[tuple[int, Value], ...]
    in_place: frozenset[int]
    following: Mapping[int, int]

    @property
    def entries(self) -> int:
        """An upper bound of the table entries of its steps."""
        return 2 * len(self.copied) + sum(3 * (len(s.inputs) + len(s.outputs)) + 8 for s in self.group.steps)


@dataclass(frozen=True, slots=True, eq=False)
class LoopStep:
    """A `while`, `scan` or `cond` in a group of kernels.

    Args:
        operation: What it does.
        inputs: The operands.
        outputs: The results.
        regions: Its regions.
        reusable: Carries that overwrite their initial value, as input and output.
    """

    operation: Operation
    inputs: tuple[Value, ...]
    outputs: tuple[Value, ...]
    regions: tuple[Region, ...]
    reusable: tuple[tuple[int, int], ...] = ()
    addresses: tuple[int, ...] = field(default=(0,))  # of the plan, once it is written

    @property
    def trip_count(self) -> int | None:
        """The trip count; None if it is decided by a condition."""
        return {"scan": self.operation.attributes.get("length"), "cond": 1}.get(self.operation.name)

    @property
    def estimated_trip_count(self) -> int:
        """The trip count, or an estimate."""
        return UNKNOWN_TRIP_COUNT if self.trip_count is None else self.trip_count

    @property
    def state(self) -> tuple[Value, ...]:
        """The values of the plan's first slots: operands and results, without a branch's index."""
        return (*self.inputs[self.operation.name == "cond":], *self.outputs)

    @property
    def carries(self) -> range:
        """The indices of the carried operands."""
        return carried(self.operation)

    @property
    def memory(self) -> tuple[int, ...]:
        """An upper bound of the bytes of memory that an iteration needs."""
        if self.operation.name == "cond":
            return (max(self._bound((region,)) for region in self.regions),)
        return (self._bound(self.regions),)

    def _bound(self, regions: Sequence[Region]) -> int:
        sizes = self.temporaries(regions)
        constants = sum(len(r.group.slots.constants) + len(r.constants) for r in regions)
        tables = 2 if len(self.carries) > len(self._staying) else 1  # one for every other iteration
        pointers = len(self.state) + len(sizes) + constants + 1 + tables * sum(r.entries for r in regions)
        return rounded(8 * pointers) + sum(rounded(max(size, 1)) for size in sizes)

    @property
    def _staying(self) -> set[int]:
        """The carries that need no second buffer."""
        return {*self.regions[-1].in_place, *self.regions[-1].following}

    def temporaries(self, regions: Sequence[Region]) -> tuple[int, ...]:
        """Bytes of each temporary: of the regions, of double-buffered carries, of the condition's result."""
        own = [size for region in regions for size in (*region.group.slots.temporaries, *region.spares)]
        stay = self._staying
        return (*own, *(0 if n in stay else self.inputs[i].type.nbytes for n, i in enumerate(self.carries)), 1)


class LoopPlanner:
    """Plans control operations as native steps.

    Args:
        plan: Fuses a flat program.
        made_step: The platform's own step for an operation.
    """

    def __init__(self, plan: Callable[[Flat], Plan], made_step: Callable[[Operation], Any]) -> None:
        self._planner = RegionPlanner(plan, made_step, _lies_apart)

    def step_of(self, operation: Operation) -> LoopStep | None:
        """The step of a control operation, or None if a step of a region is not native."""
        plans = self._planner.regions_of(operation)
        if plans is None:
            return None
        first = carried(operation).start
        turns = operation.name != "cond"
        regions = tuple(_region(operation, found, first if turns and found is plans[-1] else None) for found in plans)
        return LoopStep(operation, operation.operands, operation.results, regions, tuple(
            (first + i, i) for i in sorted(regions[-1].in_place)))


def _lies_apart(result: Value, is_carry: bool) -> bool:
    """Whether kernels need a result aligned: an iteration's slice may not be."""
    size = result.type.nbytes
    return size >= _STREAMED_BYTES and bool(size % _LINE) and not is_carry


def _region(operation: Operation, found: RegionPlan, fixed: int | None) -> Region:
    """A region's steps; so many of its first inputs are the same in each iteration, None: there is only one."""
    found, following = _followed(operation, found)
    group = KernelGroup(
        found.steps, (*found.inputs, *found.constants), (*found.direct, *found.separate), found.reused, 1,
        (*found.inputs[:fixed], *found.constants) if fixed is not None else ())
    left = tuple(i for v, i in found.direct.items() if v not in found.reused)
    spares = tuple(v.type.nbytes for v in found.separate)
    return Region(group, tuple(found.constants.values()), left, spares, found.copied, found.in_place, following)


def _followed(operation: Operation, found: RegionPlan) -> tuple[RegionPlan, dict[int, int]]:
    """The plan in which values that a scan both carries and stacks are written once; such carries, with the result."""
    if operation.name != "scan":
        return found, {}
    count, outputs = operation.attributes["carry"], operation.regions[0].outputs
    updates = {v for s in found.steps if isinstance(s, KernelStep) and s.updating is not None for v in s.outputs}
    direct, following = dict(found.direct), {}
    for stacked, source in found.copied:
        carry = direct.get(source, count)
        if carry < count <= stacked and source not in updates and not _lies_apart(outputs[stacked], False):
            direct[source] = stacked
            following[carry] = stacked
    copied = tuple((i, v) for i, v in found.copied if direct.get(v) != i)
    reused = {v: own for v, own in found.reused.items() if direct[v] == found.direct[v]}
    return replace(found, direct=direct, copied=copied, reused=reused,
                   in_place=found.in_place.difference(following)), following


def sliced_slots(step: LoopStep) -> list[SlicedSlot]:
    """The operands and results of a scan of which each iteration accesses a slice."""
    return [SlicedSlot(slot, start, stride) for slot, (start, stride) in sliced(step.operation).items()]


def carries_of(step: LoopStep, first_temporary: int) -> list[Carry]:
    """Double buffering of a loop's carries in result and temporary, such that the last iteration writes the result."""
    found, count = [], step.trip_count
    kind = TEMPORARY_FIRST if count is not None and count % 2 == 0 else RESULT_FIRST
    body = step.regions[-1]
    for i, slot in enumerate(step.carries):
        own = IN_PLACE if i in body.in_place else FOLLOWING if i in body.following else kind
        other = len(step.inputs) + body.following[i] if i in body.following else first_temporary + i
        found.append(Carry(slot, len(step.inputs) + i, other, step.inputs[slot].type.nbytes, own))
    return found
