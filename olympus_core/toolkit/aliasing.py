# SPDX-License-Identifier: Apache-2.0
"""Updates in place: which steps of a group of kernels write into memory that is there, and which copy first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from olympus_core.dataclass import dataclass, replace
from olympus_core.program import Value

from .fusion import KernelStep, ViewStep

GroupStep = Any  # KernelStep, ViewStep, or a platform's own


@dataclass(frozen=True, slots=True)
class StepAliasing:
    """The steps of a group, and the values that share memory.

    Args:
        steps: The steps: an update is in place, or it is a copy and then an update in place, or one kernel for both.
        written: Results that overwrite another value's memory, with that value.
        becomes: Values of the group that are overwritten by another one of it, with that one.
    """

    steps: tuple[GroupStep, ...]
    written: Mapping[Value, Value]
    becomes: Mapping[Value, Value]

    def end(self, value: Value) -> Value:
        """What the memory of a value holds in the end."""
        return _end(value, self.becomes)

    def last_uses(self) -> dict[Value, int]:
        """For what each memory holds in the end, the last step that reads it, also through a view."""
        root: dict[Value, Value] = {}
        last: dict[Value, int] = {}
        for i, step in enumerate(self.steps):
            for v in (step.source,) if isinstance(step, ViewStep) else step.inputs:
                last[self.end(root.get(v, v))] = i
            if isinstance(step, ViewStep):
                root[step.result] = root.get(step.source, step.source)
        return last


def step_aliasing(steps: Sequence[GroupStep], outputs: Sequence[Value], reused: Mapping[Value, Value]) -> StepAliasing:
    """Chooses for each update of an array whether it is made in that array's memory.

    Args:
        steps: The steps of a group, in order.
        outputs: The values that the group returns.
        reused: Outputs that overwrite an input, with the input.

    Returns:
        The steps, and which values share memory.
    """
    over = _written_over(steps, outputs)
    becomes = {source: v for v, source in over.items()}
    written = {**_updates_of_inputs(steps, becomes, reused), **reused, **over}
    return StepAliasing(tuple(_updating(steps, written)), written, becomes)


def _end(value: Value, becomes: Mapping[Value, Value]) -> Value:
    while value in becomes:
        value = becomes[value]
    return value


def _written_over(steps: Sequence[GroupStep], outputs: Sequence[Value]) -> dict[Value, Value]:
    """Results of updates that overwrite a value of this group, with that value, which then shares their memory."""
    made = {v for step in steps if isinstance(step, KernelStep) for v in step.outputs} - {*outputs}
    views = {step.source for step in steps if isinstance(step, ViewStep)}
    over: dict[Value, Value] = {}
    for step in steps:
        if isinstance(step, KernelStep) and step.updating is not None:
            for i, o in step.reusable:
                source, target = step.inputs[i], step.outputs[o]
                if source in made - views and source.type.nbytes == target.type.nbytes:
                    over[target] = source
    return over


def _updates_of_inputs(
    steps: Sequence[GroupStep], becomes: Mapping[Value, Value], reused: Mapping[Value, Value]
) -> dict[Value, Value]:
    """Results of updates of an input that a later update writes to that input's memory, with the input."""
    pairs = [(step.outputs[o], step.inputs[i]) for step in steps
             if isinstance(step, KernelStep) and step.updating is not None for i, o in step.reusable]
    return {v: source for v, source in pairs if reused.get(_end(v, becomes)) is source}


def _updating(steps: Sequence[GroupStep], over: Mapping[Value, Value]) -> Iterator[GroupStep]:
    """The steps, where updates of a copy of an array become a copy and updates, or updates alone."""
    for step in steps:
        if not isinstance(step, KernelStep) or step.updating is None:
            yield step
        elif any(over.get(step.outputs[o]) is step.inputs[i] for i, o in step.reusable):
            yield replace(step, kernel=step.updating, updating=None, filling=None)
        elif step.filling is not None:
            yield replace(step, kernel=step.filling, reusable=(), updating=None, filling=None)
            yield replace(step, kernel=step.updating, reusable=(), updating=None, filling=None)
        else:
            yield step
