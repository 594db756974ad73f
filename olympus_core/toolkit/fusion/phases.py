# SPDX-License-Identifier: Apache-2.0
"""From a group to a kernel: the statements of every phase."""

from __future__ import annotations

from collections.abc import Sequence

from olympus_core import dtypes
from olympus_core.dataclass import dataclass, replace
from olympus_core.ops import OPERATIONS
from olympus_core.program import Operation, Value

from ..loops import Affine, Constant, Kernel, Parameter, Scalar, Statement, Store
from .coordinates import Position, Unexpressible
from .group import Body, Group
from .index_splitting import split_loops
from .lowering import CUMULATIVE, REDUCTIONS
from .nest import assemble
from .options import FusionOptions
from .statements import Phase, varying
from .updates import UpdateLoops, updating_loops


@dataclass(slots=True)
class BuiltKernel:
    """A kernel with the values that its parameters hold.

    Args:
        kernel: The kernel.
        inputs: What its inputs hold.
        outputs: What its outputs hold afterwards.
        updates: The kernel as two, where it fills its output and then updates some of it.
    """

    kernel: Kernel
    inputs: tuple[Value, ...]
    outputs: tuple[Value, ...]
    updates: Updates | None = None


@dataclass(frozen=True, slots=True)
class Updates:
    """A kernel's two parts; they have the parameters of the whole.

    Args:
        filling: Gives the output what it is before the updates.
        updating: Updates it.
        begin: The number of the input that it is filled with; None where that is computed.
        is_apart: Whether no two updates have the same position.
    """

    filling: Kernel
    updating: Kernel
    begin: int | None
    is_apart: bool


def build(
    group: Group, body: Body, stored: Sequence[Value], operations: Sequence[Operation], options: FusionOptions
) -> BuiltKernel:
    """Makes a group's kernel.

    Args:
        group: What it computes.
        body: What writes its elements.
        stored: The members that others read.
        operations: All that it computes.
        options: How loops are cut.
    """
    parameters = {v: Parameter(f"y{i}", v.type.dtype, v.type.size, "output") for i, v in enumerate(stored)}
    writer = _Phases(group, body, parameters, options)
    updating: UpdateLoops | None = None
    if group.kind == "scatter":
        updating = updating_loops(group, body, next(iter(parameters.values())), options)
        loop = updating.whole
    else:
        loop = assemble(group, body, writer.phases(), writer.locals, options)
        sections = split_loops(group, body, writer.statements, operations, options)
        many = next((o for o in operations if o.name == "concatenate" and len(o.operands) > options.most_pieces), None)
        if sections is None and many is not None:  # every element would choose, and compute what it does not take
            raise Unexpressible(many)
        loop = sections or loop
    expensive = [o.name for o in operations if o.name in REDUCTIONS or o.record.cost >= options.recompute_limit]
    name = "_".join(dict.fromkeys([*expensive, *(o.name for o in group.members.values())]))[:60]
    kernel = Kernel(name, (*body.inputs.values(), *parameters.values(), *writer.locals), loop, location_of(operations))
    built = BuiltKernel(kernel, tuple(body.inputs), tuple(parameters))
    if updating is not None:
        begin = kernel.parameters.index(updating.begin) if updating.begin is not None else None
        built.updates = Updates(
            replace(kernel, name=f"{name}_begin", loop=updating.filling),
            replace(kernel, name=f"{name}_updates", loop=updating.updates), begin, updating.is_apart)
    return built


def location_of(operations: Sequence[Operation]) -> str | None:
    """The user's line that most of a kernel comes from."""
    return max(operations, key=lambda o: (o.location is not None, o.record.cost)).location


class _Phases:
    """Writes the statements of every phase."""

    def __init__(self, group: Group, body: Body, outputs: dict[Value, Parameter], options: FusionOptions) -> None:
        self.group, self.body, self.outputs, self.options = group, body, outputs, options
        self.locals: list[Parameter] = []
        self.slots = self._slots()
        self.streamed = group.is_streamed(options)

    def phases(self) -> list[Phase]:
        """All of them, in order."""
        group, body = self.group, self.body
        body.results, reduced = {}, {i for i, (_, gone) in zip(body.indices, group.space, strict=True) if gone}
        phases = []
        for number in range(1 + max(group.phases.values())):
            statements: list[Statement] = []
            body.statements = statements
            phase, stores = Phase(statements), []
            for value, operation in group.members.items():
                if operation.name in REDUCTIONS and group.used[value] == number:
                    phase.reductions.append(self._reduction(value, operation))
                if group.phases[value] != number:
                    continue
                slot = self.slots.get(value)
                if value not in self.outputs and slot is None:
                    continue
                if operation.name in CUMULATIVE:
                    scalar, at = self._running(operation, phase)
                else:
                    at = body.place_of(value)
                    scalar = body.element(value, at)
                if value in self.outputs:
                    stores.append((self.outputs[value], at, scalar))
                if slot is not None and slot is not self.outputs.get(value):
                    stores.append((slot, body.row if slot in self.locals else at, scalar))
            # At the end, so that what a slot held before can still be read.
            statements += [Store(p, at.flat.affine if p.size > 1 else Affine(), s) for p, at, s in stores]
            passing = varying(statements, reduced)
            phase.constants = {s.result: s.value for s in statements if isinstance(s, Constant)}
            body.memo = {} if self.streamed else {k: s for k, s in body.memo.items() if s not in passing}
            for value, slot in self.slots.items():
                if group.phases[value] == number:
                    body.stashed[value] = slot, (body.row if slot in self.locals else body.whole).flat
                    body.memo = {k: s for k, s in body.memo.items() if k[0] is not value}
            phases.append(phase)
        return phases

    def statements(self, part: Body) -> list[Statement]:
        """What an iteration of a part of the iteration space does, where there is one phase."""
        (phase,) = _Phases(self.group, part, self.outputs, self.options).phases()
        return phase.statements

    def _reduction(self, value: Value, operation: Operation) -> tuple[str, Scalar, Scalar]:
        body, combine, dtype = self.body, REDUCTIONS[operation.name], value.type.dtype
        if dtype == dtypes.bool_:
            combine = {"max": "or", "min": "and"}.get(combine, combine)
        contribution, result = body.element(operation.operands[0], body.whole), Scalar(dtype)
        if body.results is not None:
            body.results[value] = result
        return combine, contribution, result

    def _running(self, operation: Operation, phase: Phase) -> tuple[Scalar, Position]:
        """The element of a running reduction, and where it stands."""
        group, body, x = self.group, self.body, operation.operands[0]
        combine = CUMULATIVE[operation.name]
        at = body.whole
        if operation.attributes["reverse"]:
            turned = (c.scaled(-1).shifted(n - 1) if gone else c
                      for c, (n, gone) in zip(at.coordinates, group.space, strict=True))
            at = Position(at.shape, tuple(turned))
        inside = Scalar(x.type.dtype)
        following = body.compute(OPERATIONS[combine], inside, body.element(x, at))
        phase.running.append((combine, inside, following))
        return following, at

    def _slots(self) -> dict[Value, Parameter]:
        """Where members are kept that a later phase needs again: their own output, another's that is written later,
        or scratch memory.
        """
        group, last = self.group, dict.fromkeys(self.group.members, 0)
        slots: dict[Value, Parameter] = {}
        taken: set[Parameter] = set()
        for value in reversed(group.members):
            operation, phase = group.members[value], group.phases[value]
            whole = operation.name not in REDUCTIONS and value.type.size == group.size and not group.is_flat
            needed = max((max(group.used[v], last[v] if v not in slots else 0)
                          for v in group.members if value in group.leaves[v]), default=0)
            last[value] = needed
            if not whole or needed <= phase:
                continue
            slot = self.outputs.get(value) or self._free_slot(value, needed, taken)
            if slot is not None:
                slots[value] = slot
                taken.add(slot)
        return slots

    def _free_slot(self, value: Value, needed: int, taken: set[Parameter]) -> Parameter | None:
        group, body, dtype = self.group, self.body, value.type.dtype
        for other, parameter in self.outputs.items():
            fits = other.type.size == group.size and other.type.dtype == dtype and group.phases[other] >= needed
            if fits and parameter not in taken:
                return parameter
        size = group.size // group.rows
        if group.is_column(self.options) or len(body.rows.shape) > 1:
            return None
        if size * dtype.itemsize > self.options.largest_local:
            return None
        self.locals.append(Parameter(f"t{len(self.locals)}", dtype, size, "local"))
        return self.locals[-1]
