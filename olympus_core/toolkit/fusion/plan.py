# SPDX-License-Identifier: Apache-2.0
"""The plan of a device program: its steps in order."""

from __future__ import annotations

from collections.abc import Hashable

from olympus_core.dataclass import dataclass, replace
from olympus_core.program import Value, attribute_text

from ..flatten import Flat
from ..loops import Compute, Load, Loop, Statement, Store, print_kernel
from ..passes import Observer, PassList
from .built_kernels import Structure, for_other_values, structure_of
from .coordinates import NeedsSplit, Unexpressible
from .group import Group
from .grouping import MUCH_LARGER, Grouping, Materialise, Supports
from .lowering import lowering_passes
from .options import FusionOptions
from .phases import BuiltKernel, build
from .reuse import is_read_before, reusable
from .steps import KernelStep, OperationStep, Step, ViewStep
from .updates import updates_of

Known = dict[Hashable, tuple[BuiltKernel, Structure]]  # what was built, by what it is built of


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """A device program as steps.

    Args:
        inputs: The values given.
        steps: What is done, in order.
        outputs: The values handed back; an input or a value may stand here several times.
    """

    inputs: tuple[Value, ...]
    steps: tuple[Step, ...]
    outputs: tuple[Value, ...]

    def text(self) -> str:
        """The steps and their kernels; the same for the same plan."""
        numbers: dict[Value, str] = {}

        def name(value: Value) -> str:
            return numbers.setdefault(value, f"%{len(numbers)}")

        def typed(values: tuple[Value, ...]) -> str:
            return ", ".join(f"{name(v)}: {v.type}" for v in values)

        def names(values: tuple[Value, ...]) -> str:
            return ", ".join(map(name, values))

        lines = [f"plan({typed(self.inputs)})"]
        for step in self.steps:
            if isinstance(step, ViewStep):
                lines.append(f"{name(step.result)}: {step.result.type} = view {name(step.source)}")
            elif isinstance(step, OperationStep):
                operation = step.operation
                given = "".join(f" {k}={attribute_text(v)}" for k, v in sorted(operation.attributes.items()))
                given += "".join(f" {region.fingerprint}" for region in operation.regions)
                operands = names(operation.operands)
                lines.append(f"{typed(operation.results)} = {operation.name} {operands}{given}")
            else:
                pairs = "".join(f" {i}->{o}" for i, o in step.reusable)
                how = (pairs and f" reusing{pairs}") + (" updating" if pairs and step.updating is not None else "")
                lines.append(f"{typed(step.outputs)} = kernel {names(step.inputs)}{how}")
                lines += ["  " + line for line in print_kernel(step.kernel).splitlines()]
        return "\n".join([*lines, f"return {names(self.outputs)}"])


def plan(
    flat: Flat, supports: Supports, options: FusionOptions = FusionOptions(),  # noqa: B008 (frozen)
    passes: PassList | None = None, observe: Observer | None = None,
) -> Plan:
    """Plans a program.

    Args:
        flat: The program.
        supports: ``supports(record, types of operands and results)``: whether the emitter can compute an operation
            on elements of these types. ``supports(None, (dtype,))``: whether it can load and store such elements.
        options: Sizes and limits.
        passes: What is done to the program first; None for the toolkit's `lowering_passes`, which belong to every list.
        observe: Told of each pass that changed the program.

    Returns:
        The plan.
    """
    passes = PassList(*lowering_passes(supports, options)) if passes is None else passes
    simpler = passes.run(flat, observe)
    forced: set[Value] = set()
    while True:
        try:
            grouping = Grouping(simpler, supports, options, forced)
            return Plan(flat.inputs, _steps(grouping, options), simpler.outputs)
        except Materialise as request:
            if forced.issuperset(request.values):
                raise
            forced.update(request.values)


def _steps(grouping: Grouping, options: FusionOptions) -> tuple[Step, ...]:
    steps, known = list[Step](), Known()
    for step in grouping.order():
        if isinstance(step, Group):
            steps.append(_step(grouping, step, options, known))
        elif step in grouping.fused:
            steps.append(ViewStep(step.results[0], step.operands[0]))
        elif (own := step.record.kernel) is not None and _is_generated(own(step.attributes).loop, grouping.supports):
            steps.append(KernelStep(own(step.attributes), step.operands, step.results))
        else:
            steps.append(OperationStep(step))
    return reusable(steps, grouping.flat.outputs)


def _is_generated(statement: Statement, supports: Supports) -> bool:
    """Whether the emitter can compute every operation in a loop nest, and move its elements."""
    if isinstance(statement, Loop):
        return all(_is_generated(inner, supports) for inner in statement.body)
    if isinstance(statement, Compute):
        return supports(statement.record, tuple(s.dtype for s in (*statement.operands, *statement.results)))
    return not isinstance(statement, (Load, Store)) or supports(None, (statement.parameter.dtype,))


def _step(grouping: Grouping, group: Group, options: FusionOptions, known: Known) -> KernelStep:
    built = _kernel(grouping, group, options, known)
    step, updates = KernelStep(built.kernel, built.inputs, built.outputs), built.updates
    if updates is None or not options.updates_in_place:
        return step
    filling = updates.filling if step.outputs[0].type.size >= options.long_copy else None
    step = replace(step, updating=updates.updating, filling=filling)
    if updates.begin is None:
        return step
    if is_read_before(updates.updating, updates.begin, updates.is_apart):
        return replace(step, reusable=((updates.begin, 0),))
    begin, (operation,) = step.inputs[updates.begin], group.members.values()
    if begin.type.size >= MUCH_LARGER * updates_of(operation).type.size and begin not in grouping.flat.outputs:
        # What the updates are made of is there before them, so that they can be made in place.
        computed = [v for v in operation.operands[1:] if not grouping.has_memory(v)]
        read = [v for v in computed if begin in grouping.subgraphs[v].leaves]
        if read:
            raise Materialise(read)
    return step


def _kernel(grouping: Grouping, group: Group, options: FusionOptions, known: Known) -> BuiltKernel:
    stored = [v for v in group.members if v in grouping.wanted]
    operations = grouping.operations_of(group.operations)
    structure = structure_of(group, grouping.body(group), stored, operations)
    if structure is not None and structure[0] in known:
        return for_other_values(known[structure[0]], structure, operations)
    while True:
        body = grouping.body(group)
        try:
            built = build(group, body, stored, operations, options)
        except NeedsSplit as need:
            group.split(body.indices.index(need.index), need.inner)
        except Unexpressible as problem:
            raise Materialise(problem.args[0].results) from problem
        else:
            if structure is not None:
                known[structure[0]] = built, structure
            return built
