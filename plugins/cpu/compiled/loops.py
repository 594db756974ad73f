# SPDX-License-Identifier: Apache-2.0
"""Control flow as steps of a native call: loops run without Python where all steps of their regions are native."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from olympus_core.program import Operation, Program, Value
from olympus_core.toolkit.basic_blocks import ScanShape, is_kept
from olympus_core.toolkit.flatten import CONTROL, Flat, flatten
from olympus_core.toolkit.fusion import KernelStep, OperationStep, Plan, ViewStep

from ..native.entry import rounded
from ..native.loops import IN_PLACE, RESULT_FIRST, TEMPORARY_FIRST, Carry, SlicedSlot
from .group import GroupStep, KernelGroup

_UNKNOWN_TRIP_COUNT = 1000  # assumed for loops with a condition

_STREAMED_BYTES = 1 << 20  # from this size on non-temporal stores may be used, which need aligned cache lines
_LINE = 64
_MOST_REFUSED = 4096  # regions that are remembered


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
    """

    group: KernelGroup
    constants: tuple[np.ndarray, ...]
    left: tuple[int, ...]
    spares: tuple[int, ...]
    copied: tuple[tuple[int, Value], ...]
    in_place: frozenset[int]

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
        return _UNKNOWN_TRIP_COUNT if self.trip_count is None else self.trip_count

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
        pointers = len(self.state) + len(sizes) + constants + 1 + sum(r.entries for r in regions)
        return rounded(8 * pointers) + sum(rounded(max(size, 1)) for size in sizes)

    def temporaries(self, regions: Sequence[Region]) -> tuple[int, ...]:
        """Bytes of each temporary: of the regions, of double-buffered carries, of the condition's result."""
        own = [size for region in regions for size in (*region.group.slots.temporaries, *region.spares)]
        stay = self.regions[-1].in_place
        return (*own, *(0 if n in stay else self.inputs[i].type.nbytes for n, i in enumerate(self.carries)), 1)


def carried(operation: Operation) -> range:
    """The indices of the operands that a loop carries from iteration to iteration."""
    if operation.name == "cond":
        return range(0)
    first = operation.attributes["constants"]
    count = operation.attributes["carry"] if operation.name == "scan" else len(operation.operands) - first
    return range(first, first + count)


class LoopPlanner:
    """Plans control operations as native steps.

    Args:
        plan: Fuses a flat program.
        made_step: The platform's own step for an operation.
    """

    def __init__(self, plan: Callable[[Flat], Plan], made_step: Callable[[Operation], Any]) -> None:
        self._plan, self._made_step = plan, made_step
        self._refused: set[str] = set()  # fingerprints of regions with steps that are not native

    def step_of(self, operation: Operation) -> LoopStep | None:
        """The step of a control operation, or None if a step of a region is not native."""
        if operation.name not in CONTROL or any(r.fingerprint in self._refused for r in operation.regions):
            return None
        regions = []
        for i, program in enumerate(operation.regions):
            is_body = operation.name != "cond" and i == len(operation.regions) - 1
            region = self._region(program, carried(operation) if is_body else range(0))
            if region is None:
                if len(self._refused) >= _MOST_REFUSED:
                    self._refused.clear()
                self._refused.add(program.fingerprint)
                return None
            regions.append(region)
        first = carried(operation).start
        return LoopStep(operation, operation.operands, operation.results, tuple(regions), tuple(
            (first + i, i) for i in sorted(regions[-1].in_place)))

    def _region(self, program: Program, carries: range) -> Region | None:
        found = self._plan(flatten(program))
        steps: list[GroupStep] = []
        root: dict[Value, Value] = {v: v for v in found.inputs}
        known: dict[Value, np.ndarray] = {}
        for step in found.steps:
            if isinstance(step, ViewStep):
                root[step.result] = root[step.source]
                steps.append(step)
                continue
            if isinstance(step, OperationStep):
                if self._note_constant(step.operation, known):
                    root.update((v, v) for v in step.operation.results)
                    continue
                step = self._made_step(step.operation)
                if step is None:
                    return None
            steps.append(step)
            root.update((v, v) for v in step.outputs)
        return _region(found, steps, root, known, carries)

    @staticmethod
    def _note_constant(operation: Operation, known: dict[Value, np.ndarray]) -> bool:
        """Whether an operation's results are constant; if so they are evaluated and recorded (constant folding)."""
        if operation.name == "constant":
            known[operation.results[0]] = np.asarray(operation.attributes["value"], order="C")
            return True
        if operation.record.reference is None or not all(v in known for v in operation.operands) or not is_kept(
                operation, ["c"] * len(operation.operands)):
            return False
        values = operation.record.reference([known[v] for v in operation.operands], operation.attributes)
        known.update((v, np.asarray(x, order="C")) for v, x in zip(operation.results, values, strict=True))
        return True


def _region(
    found: Plan, steps: Sequence[GroupStep], root: dict[Value, Value], known: dict[Value, np.ndarray], carries: range
) -> Region:
    """A region's group, and how each of its results is written."""
    made = {v for step in steps if not isinstance(step, ViewStep) for v in step.outputs}
    over = _overwritten(steps, found, root)
    direct: dict[Value, int] = {}
    separate: list[Value] = []
    reused: dict[Value, Value] = {}
    copied: list[tuple[int, Value]] = []
    in_place: set[int] = set()
    for i, output in enumerate(found.outputs):
        source, size = root[output], output.type.nbytes
        own = found.inputs[carries[i]] if i < len(carries) else None
        if source is own:
            in_place.add(i)
        elif source in made and source not in direct and source not in separate:
            if size >= _STREAMED_BYTES and size % _LINE and own is None:  # an iteration's slice may be unaligned
                separate.append(source)
                copied.append((i, source))
                continue
            direct[source] = i
            if own is not None and over.get(source) is own:
                reused[source] = own
                in_place.add(i)
        else:
            copied.append((i, source))
    group = KernelGroup(steps, (*found.inputs, *known), (*direct, *separate), reused, 1)
    left = tuple(i for v, i in direct.items() if v not in reused)
    spares = tuple(v.type.nbytes for v in separate)
    return Region(group, tuple(known.values()), left, spares, tuple(copied), frozenset(in_place))


def _overwritten(steps: Sequence[GroupStep], found: Plan, root: dict[Value, Value]) -> dict[Value, Value]:
    """Values that kernels compute, with the input of the region that they may overwrite."""
    leaving = [root[v] for v in found.outputs]
    read = [root[v] for step in steps if not isinstance(step, ViewStep) for v in step.inputs]
    over: dict[Value, Value] = {}
    for step in steps:
        if isinstance(step, ViewStep):
            continue
        for i, o in step.reusable:
            source, target = step.inputs[i], step.outputs[o]
            begin = over.get(source, source)  # the result of an update may be updated again
            alone = isinstance(step, KernelStep) or read.count(source) == 1
            fits = begin in found.inputs and source not in leaving and begin.type.nbytes == target.type.nbytes
            again = begin is not source and getattr(step, "updating", None) is not None
            if alone and fits and target not in over and (again or begin not in over.values()):
                over[target] = begin
    return over


def sliced_slots(step: LoopStep) -> list[SlicedSlot]:
    """The operands and results of a scan of which each iteration accesses a slice."""
    operation = step.operation
    if operation.name != "scan":
        return []
    shape = ScanShape(operation)
    first = shape.constants + shape.carry
    slots = [*range(first, len(step.inputs)), *range(len(step.inputs) + shape.carry, len(step.state))]
    found = []
    for slot in slots:
        stride = step.state[slot].type.nbytes // max(shape.length, 1)
        start = (shape.length - 1) * stride if operation.attributes["reverse"] else 0
        found.append(SlicedSlot(slot, max(start, 0), -stride if operation.attributes["reverse"] else stride))
    return found


def carries_of(step: LoopStep, first_temporary: int) -> list[Carry]:
    """Double buffering of a loop's carries in result and temporary, such that the last iteration writes the result."""
    found, count = [], step.trip_count
    kind = TEMPORARY_FIRST if count is not None and count % 2 == 0 else RESULT_FIRST
    for i, slot in enumerate(step.carries):
        own = IN_PLACE if i in step.regions[-1].in_place else kind
        found.append(Carry(slot, len(step.inputs) + i, first_temporary + i, step.inputs[slot].type.nbytes, own))
    return found
