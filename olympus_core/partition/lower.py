# SPDX-License-Identifier: Apache-2.0
"""Lowering: from a global program with dims for every value to the program of one device.

Values are kept where operations leave them: a placement that a later operation needs is made when it asks for it,
and kept for the next one that asks. So partial terms are combined late, as an all-reduce where the whole is needed
and as a reduce-scatter where a part is, and nothing is moved that nobody uses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from olympus_core import ops
from olympus_core.dataclass import dataclass, field
from olympus_core.errors import OlympusInternalError
from olympus_core.placement import Dims, Mesh
from olympus_core.program import ArrayType, Operation, Program, Value

from .choose import Question, choose
from .emit import DeviceEmitter, LocalPart, device_groups
from .propagate import rule_of
from .reshard import plan_reshard
from .value_sharding import ValueSharding, local_shape, without_trivial


@dataclass(slots=True)
class LoweredValue:
    """A value of the global program as the devices have it.

    Args:
        type: Its type, whole.
        producer: The operation that made it, for people.
        location: The user's line of that operation.
        states: For each placement in which it is there the local value.
    """

    type: ArrayType
    producer: str
    location: str | None
    states: dict[ValueSharding, Value] = field(default_factory=dict)


class Lowering:
    """Lowers the operations of one program or region; `ProgramLowering` adds those that have regions or groups.

    Args:
        mesh: The devices.
        emitter: Where the operations of one device go.
        dims: What propagation decided.
        program: The program or region.
        manual: The axes of the manual regions around it, along which every device is on its own.
    """

    def __init__(
        self, mesh: Mesh, emitter: DeviceEmitter, dims: Mapping[Value, Dims], program: Program,
        manual: frozenset[str] = frozenset(),
    ) -> None:
        self.mesh, self.emitter, self.dims, self.program, self.manual = mesh, emitter, dims, program, manual
        self.mesh_shape = mesh.shape_tuple
        self.values: dict[Value, LoweredValue] = {}
        self.uses = Counter(v for operation in program.operations for v in operation.operands)
        self.uses.update(program.outputs)
        # What only a constraint takes, and unreduced, is best left as the terms that it is made as.
        self.terms: dict[Value, tuple[str, ...]] = {
            operation.operands[0]: operation.attributes["unreduced"] for operation in program.operations
            if operation.attributes.get("unreduced") and self.uses[operation.operands[0]] == 1
        }

    def run(
        self, inputs: Sequence[Value], shardings: Sequence[ValueSharding], outputs: Sequence[Dims],
        terms: Sequence[tuple[str, ...]] = (),
    ) -> list[Value]:
        """Lowers everything.

        Args:
            inputs: The local values of the program's inputs.
            shardings: Where they are.
            outputs: Where the outputs must be.
            terms: For each output the axes over which it leaves as terms of a sum; nothing for none.

        Returns:
            The local values of the outputs.
        """
        out_terms = terms or [()] * len(outputs)
        self.terms.update((v, axes) for v, axes in zip(self.program.outputs, out_terms, strict=True)
                          if axes and self.uses[v] == 1)
        for value, local, at in zip(self.program.inputs, inputs, shardings, strict=True):
            self.values.setdefault(value, LoweredValue(value.type, "an input", None)).states[at] = local
        for operation in self.program.operations:
            self.emitter.location = operation.location
            self.lower(operation)
        return [
            self.need(value, self.summed(dims, axes), "an output")
            for value, dims, axes in zip(self.program.outputs, outputs, out_terms, strict=True)
        ]

    def summed(self, dims: Dims, axes: Sequence[str]) -> ValueSharding:
        """A placement in which devices hold terms of a sum over some axes."""
        partial = tuple(name for name, size in self.mesh_shape if name in axes and size > 1)
        return ValueSharding(self.normal(dims), partial, "sum" if partial else None)

    def normal(self, dims: Dims) -> Dims:
        """The dims without axes of size 1."""
        return without_trivial(self.mesh_shape, dims)

    def wanted(self, value: Value) -> Dims:
        """The dims that propagation decided for a value."""
        return self.normal(self.dims[value])

    def need(self, value: Value, target: ValueSharding, by: str) -> Value:
        """The local value in a placement, made from the nearest one that is there."""
        held = self.values[value]
        found = held.states.get(target)
        if found is not None:
            return found
        itemsize = held.type.dtype.itemsize
        plans = [
            plan_reshard(self.mesh_shape, held.type.shape, itemsize, source, target) for source in held.states
            if set(target.partial) <= set(source.partial) and target.reduction in (None, source.reduction)
        ]
        if not plans:  # the whole is a sum, too: of itself, and of zeros
            local = held.states[target] = self.emitter.first_term(self.need(value, target.whole(), by), target.partial)
            return local
        plan = min(plans, key=lambda plan: (plan.cost, len(plan.steps)))
        before = self.emitter.location
        if plan.source.partial != target.partial:
            why = f"the partial {plan.source.reduction} of {held.producer} is combined for {by}"
            self.emitter.location = held.location or before
        else:
            why = f"{by} needs {target}, {held.producer} is {plan.source}"
            self.emitter.location = before or held.location
        local = self.emitter.reshard(held.states[plan.source], plan, why)
        self.emitter.location = before
        held.states[target] = local
        return local

    def hold(self, operation: Operation, index: int, local: Value, sharding: ValueSharding) -> None:
        """Keeps a result."""
        value = operation.results[index]
        expected = local_shape(self.mesh_shape, value.type.shape, sharding.dims)
        if local.type.shape != expected:
            raise OlympusInternalError(
                f"one device's part of {operation.name} has shape {local.type.shape}, not {expected} as {sharding} says"
            )
        held = self.values.setdefault(value, LoweredValue(value.type, operation.name, operation.location))
        held.states[sharding] = local

    def nested(self, emitter: DeviceEmitter, program: Program, manual: frozenset[str] | None = None) -> Lowering:
        """The lowering of a region, which has its own values.

        Args:
            emitter: Where the region's operations go.
            program: The region.
            manual: The axes along which every device is on its own; None for the same.
        """
        return type(self)(self.mesh, emitter, self.dims, program, self.manual if manual is None else manual)

    def lower(self, operation: Operation) -> None:
        """Lowers one operation that has neither regions nor a group."""
        if operation.name == "sharding_constraint":
            sharding = self.summed(self.dims[operation.results[0]], operation.attributes.get("unreduced", ()))
            self.hold(operation, 0, self.need(operation.operands[0], sharding, "a sharding constraint"), sharding)
        else:
            self._by_factors(operation)

    def _by_factors(self, operation: Operation) -> None:
        split = choose(Question(
            self.mesh_shape, operation.record, rule_of(operation),
            tuple(v.type for v in operation.operands), tuple(v.type for v in operation.results),
            tuple(tuple(self.values[v].states) for v in operation.operands),
            tuple(self.wanted(v) for v in operation.results),
            frozenset(
                i for i, v in enumerate(operation.operands) if self.uses[v] == operation.operands.count(v)),
            tuple(self.terms.get(v, ()) for v in operation.results),
        ))
        operands = [
            self.need(value, sharding, operation.name)
            for value, sharding in zip(operation.operands, split.operands, strict=True)
        ]
        localize = operation.record.localize
        if localize is not None and any(split.assignment):
            part = LocalPart(
                self.emitter, [v.type for v in operation.results], split.results,
                [v.type for v in operation.operands], split.operands,
            )
            results = localize(part, operation, operands)
        elif operation.record.category == "host":
            results = self._once(operation, operands)
        else:
            results = self.emitter.emit(operation.record, operands, operation.attributes)
        for i, (local, sharding) in enumerate(zip(results, split.results, strict=True)):
            self.hold(operation, i, local, sharding)

    def _once(self, operation: Operation, operands: Sequence[Value]) -> tuple[Value, ...]:
        """What runs outside of the program: the first of the devices that all have its operands runs it.

        It need not give the same twice, so that the others get that device's results.
        """
        axes = tuple(axis for axis, size in self.mesh_shape if size > 1 and axis not in self.manual)
        if not axes:
            return self.emitter.emit(operation.record, operands, operation.attributes)
        regions = []
        for acts in (True, False):  # the branch of the first device, and that of all others
            inner = self.emitter.region(operation.name, 1)
            inner.location = operation.location
            inputs = [inner.builder.input(v.type) for v in operands]
            results: Sequence[Value] = [inner.zeros(v.type) for v in operation.results] if not acts else inner.emit(
                operation.record, inputs, operation.attributes)
            regions.append(inner.builder.finish(results))
        given = self.emitter.emit(ops.cond, [self.emitter.axis_index(axes), *operands], {}, regions)
        attributes = {"source": 0, "group": device_groups(self.mesh_shape, axes)}
        why = f"one device runs {operation.name} for all"
        return tuple(self.emitter.collective(ops.broadcast, v, attributes, axes, v.type.nbytes, why) for v in given)
