# SPDX-License-Identifier: Apache-2.0
"""The regions of control operations as steps of a platform, for loops that the platform runs by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from olympus_core.dataclass import dataclass
from olympus_core.program import Operation, Program, Value

from .basic_blocks import ScanShape, is_kept
from .flatten import CONTROL, Flat, flatten
from .fusion import KernelStep, OperationStep, Plan, ViewStep

_MOST_REFUSED = 4096  # regions that are remembered

GroupStep = Any  # KernelStep, ViewStep, or a platform's own


@dataclass(frozen=True, slots=True, eq=False)
class RegionPlan:
    """A region of a control operation, and how each of its results is written.

    Args:
        steps: Its steps.
        inputs: Its inputs.
        constants: Further values that its steps read, with what they are.
        direct: Values that steps write to a result of the region, with the result's index.
        separate: Values that could be written so, but that lie in a block of their own first.
        copied: The other results, by index, with the values that are copied to them.
        reused: Values that overwrite the carry that they update, with the carry.
        in_place: Results, by index, that overwrite the carry that they update, or are that carry.
    """

    steps: tuple[GroupStep, ...]
    inputs: tuple[Value, ...]
    constants: dict[Value, np.ndarray]
    direct: dict[Value, int]
    separate: tuple[Value, ...]
    copied: tuple[tuple[int, Value], ...]
    reused: dict[Value, Value]
    in_place: frozenset[int]


def carried(operation: Operation) -> range:
    """The indices of the operands that a loop carries from iteration to iteration."""
    if operation.name == "cond":
        return range(0)
    first = operation.attributes["constants"]
    count = operation.attributes["carry"] if operation.name == "scan" else len(operation.operands) - first
    return range(first, first + count)


def sliced(operation: Operation) -> dict[int, tuple[int, int]]:
    """The sequences of a scan: of each operand and result, by its place among both, where its first slice begins.

    Args:
        operation: A control operation.

    Returns:
        For each the bytes to the slice of the first iteration, and from one iteration's slice to the next's.
    """
    if operation.name != "scan":
        return {}
    shape, state = ScanShape(operation), (*operation.operands, *operation.results)
    places = [*range(shape.constants + shape.carry, len(operation.operands)),
              *range(len(operation.operands) + shape.carry, len(state))]
    found = {}
    for place in places:
        stride = state[place].type.nbytes // max(shape.length, 1)
        found[place] = (max(shape.length - 1, 0) * stride, -stride) if operation.attributes["reverse"] else (0, stride)
    return found


class RegionPlanner:
    """Plans the regions of control operations.

    Args:
        plan: Fuses a flat program.
        made_step: The platform's own step for an operation.
        lies_apart: Whether a result that is written in every iteration has to lie in a block of its own first. It
            takes the result and whether it is a carry.
    """

    def __init__(
        self, plan: Callable[[Flat], Plan], made_step: Callable[[Operation], Any],
        lies_apart: Callable[[Value, bool], bool] = lambda value, is_carry: False,
    ) -> None:
        self._plan, self._made_step, self._lies_apart = plan, made_step, lies_apart
        self._refused: set[str] = set()  # fingerprints of regions with steps that are the table's

    def regions_of(self, operation: Operation) -> tuple[RegionPlan, ...] | None:
        """The plans of all regions of a control operation; None if a step of a region is the table's."""
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
        return tuple(regions)

    def _region(self, program: Program, carries: range) -> RegionPlan | None:
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
                if _note_constant(step.operation, known):
                    root.update((v, v) for v in step.operation.results)
                    continue
                step = self._made_step(step.operation)
                if step is None:
                    return None
            steps.append(step)
            root.update((v, v) for v in step.outputs)
        return self._written(found, steps, root, known, carries)

    def _written(
        self, found: Plan, steps: Sequence[GroupStep], root: dict[Value, Value], known: dict[Value, np.ndarray],
        carries: range,
    ) -> RegionPlan:
        """How each result of a region is written."""
        made = {v for step in steps if not isinstance(step, ViewStep) for v in step.outputs}
        over = _overwritten(steps, found, root)
        direct: dict[Value, int] = {}
        separate: list[Value] = []
        reused: dict[Value, Value] = {}
        copied: list[tuple[int, Value]] = []
        in_place: set[int] = set()
        for i, output in enumerate(found.outputs):
            source = root[output]
            own = found.inputs[carries[i]] if i < len(carries) else None
            if source is own:
                in_place.add(i)
            elif source in made and source not in direct and source not in separate:
                if self._lies_apart(output, own is not None):
                    separate.append(source)
                    copied.append((i, source))
                    continue
                direct[source] = i
                if own is not None and over.get(source) is own:
                    reused[source] = own
                    in_place.add(i)
            else:
                copied.append((i, source))
        return RegionPlan(
            tuple(steps), tuple(found.inputs), known, direct, tuple(separate), tuple(copied), reused,
            frozenset(in_place))


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
