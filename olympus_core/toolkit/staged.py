# SPDX-License-Identifier: Apache-2.0
"""Programs that communicate, as stages that all local devices run together (bulk-synchronous execution)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from olympus_core import recording
from olympus_core.codewriter import text_of
from olympus_core.errors import DisagreeingMembersError, NotSupportedError
from olympus_core.plugin import Communicator, Device, Links, Pending
from olympus_core.program import Operation, Program, Value

from .basic_blocks import BasicBlockCompiler, ScanShape
from .flatten import CONTROL, Flat, flatten, stands_alone
from .local import LOCAL_COLLECTIVES

State = list[list[Any]]  # for each slot, one array for each local device
LocalIndices = Sequence[int]  # local devices, by index


class Stage(Protocol):
    """A part of a program that runs on some local devices together."""

    def run(self, state: State, local_indices: LocalIndices) -> None:
        """Reads and fills slots of the state for these devices."""


class StagedProgram:
    """A program as a list of stages over slots; no device begins a stage before all have ended the one before it.

    Args:
        compiler: Compiles the basic blocks between the operations that communicate.
        devices: All devices of the program.
        links: How to reach other processes' devices.
        flat: The program.
    """

    def __init__(self, compiler: BasicBlockCompiler, devices: Sequence[Device], links: Links, flat: Flat) -> None:
        self.compiler, self.devices, self.links = compiler, devices, links
        self._slots: dict[int, int] = {}
        self.stages: list[Stage] = []
        self.inputs = [self._slot(v) for v in flat.inputs]
        self._last_use = _last_uses(flat)
        block: list[tuple[int, Operation]] = []
        for i, operation in enumerate(flat.operations):
            if stands_alone(operation, compiler.runs_by_reference):
                self._close(block)
                self.stages.append(self._stage(operation))
                self._free(i, operation.operands + operation.results)
            else:
                block.append((i, operation))
        self._close(block)
        self.outputs = [self._slot(v) for v in flat.outputs]
        self.size = len(self._slots)

    def run(self, inputs: Sequence[Sequence[Any]], local_indices: LocalIndices) -> list[list[Any]]:
        """For each input and output one array for each of *all* local devices; only `local_indices` are looked at."""
        count = len(self.compiler.positions)
        state: State = [[None] * count for _ in range(self.size)]
        for slot, column in zip(self.inputs, inputs, strict=True):
            state[slot] = list(column)
        for stage in self.stages:
            stage.run(state, local_indices)
        return [state[slot] for slot in self.outputs]

    def text(self) -> str:
        """The stages, one a line."""
        return "\n".join(f"{i}: {stage!r}" for i, stage in enumerate(self.stages))

    def _slot(self, value: Value) -> int:
        return self._slots.setdefault(id(value), len(self._slots))

    def _close(self, block: list[tuple[int, Operation]]) -> None:
        if not block:
            return
        operations = [operation for _, operation in block]
        end = block[-1][0]
        made = {id(v) for operation in operations for v in operation.results}
        used = {id(v): v for operation in operations for v in operation.operands if id(v) not in made}
        leaving = [v for operation in operations for v in operation.results if self._last_use.get(id(v), -1) > end]
        inputs = list(used.values())
        self.stages.append(BlockStage(
            self.compiler, operations, inputs, leaving, f"block {len(self.stages)}",
            [self._slot(v) for v in inputs], [self._slot(v) for v in leaving],
        ))
        dying = [v for v in inputs if self._last_use.get(id(v), -1) <= end]
        if dying:
            self.stages.append(ReleaseStage([self._slot(v) for v in dying]))
        block.clear()

    def _free(self, i: int, values: Sequence[Value]) -> None:
        dying = {self._slot(v) for v in values if self._last_use.get(id(v), -1) <= i}
        if dying:
            self.stages.append(ReleaseStage(sorted(dying)))

    def _stage(self, operation: Operation) -> Stage:
        operands, results = [self._slot(v) for v in operation.operands], [self._slot(v) for v in operation.results]
        if operation.name in CONTROL:
            programs = [self._inner(region) for region in operation.regions]
            return _CONTROL_STAGES[operation.name](operation, programs, operands, results, self.compiler)
        if operation.record.category == "host" or self.compiler.runs_by_reference(operation):
            return HostStage(operation, self.compiler, operands, results)
        if operation.name not in LOCAL_COLLECTIVES:
            raise NotSupportedError(
                f"collective {operation.name}", "the toolkit has no implementation of it",
                f"Use one of {', '.join(sorted(LOCAL_COLLECTIVES))}.",
            )
        return CollectiveStage(operation, self, operands, results)

    def _inner(self, region: Program) -> StagedProgram:
        return StagedProgram(self.compiler, self.devices, self.links, flatten(region))


class BlockStage:
    """Operations that need no other device; compiled for each number of devices that comes to them together."""

    def __init__(
        self, compiler: BasicBlockCompiler, operations: Sequence[Operation], values_in: Sequence[Value],
        values_out: Sequence[Value], name: str, inputs: list[int], outputs: list[int],
    ) -> None:
        self.inputs, self.outputs, self.everybody = inputs, outputs, len(compiler.positions)
        self._compile: Callable[[int], Callable[..., Any]] = lambda count: compiler.columns_function(
            tuple(operations), values_in, values_out, name, count)
        self.functions = {self.everybody: self._compile(self.everybody)}

    def run(self, state: State, local_indices: LocalIndices) -> None:
        """See `Stage.run`."""
        count = len(local_indices)
        if count == self.everybody:
            results = self.functions[count](local_indices, *[state[slot] for slot in self.inputs])
            for slot, result in zip(self.outputs, results, strict=True):
                state[slot] = result
            return
        if count not in self.functions:
            self.functions[count] = self._compile(count)
        columns = [[state[slot][local_index] for local_index in local_indices] for slot in self.inputs]
        results = self.functions[count](local_indices, *columns)
        for slot, result in zip(self.outputs, results, strict=True):
            column = state[slot]
            for local_index, array in zip(local_indices, result, strict=True):
                column[local_index] = array

    def __repr__(self) -> str:
        return f"block {self.inputs} -> {self.outputs}\n{text_of(self.functions[self.everybody])}"


class ReleaseStage:
    """Drops arrays after their last use."""

    def __init__(self, slots: list[int]) -> None:
        self.slots = slots

    def run(self, state: State, local_indices: LocalIndices) -> None:
        """See `Stage.run`."""
        for slot in self.slots:
            column = state[slot]
            for local_index in local_indices:
                column[local_index] = None

    def __repr__(self) -> str:
        return f"free {self.slots}"


class HostStage:
    """An operation that runs on the host, the user's code or a reference: outside the guard, in the program's order."""

    def __init__(
        self, operation: Operation, compiler: BasicBlockCompiler, operands: list[int], results: list[int]
    ) -> None:
        self.name, self.compiler, self.operands, self.results = operation.name, compiler, operands, results
        self.kernel, self.location = compiler.table.kernel(operation), operation.location

    def run(self, state: State, local_indices: LocalIndices) -> None:
        """See `Stage.run`."""
        for local_index in local_indices:
            arguments = [_locked(self.compiler.to_host(state[slot][local_index])) for slot in self.operands]
            to, run = recording.recorder, self.kernel.function
            results = run(*arguments) if to is None else recording.timed(
                to, "callback", self.name, self.location, run, *arguments)
            for slot, result in zip(self.results, results if self.kernel.is_tuple else (results,), strict=True):
                state[slot][local_index] = self.compiler.from_host(np.array(result))

    def __repr__(self) -> str:
        return f"{self.name} {self.operands} -> {self.results}"


class CollectiveStage:
    """A collective, group by group: in memory where this process owns the group, by communicator elsewhere."""

    def __init__(self, operation: Operation, program: StagedProgram, operands: list[int], results: list[int]) -> None:
        (self.operand,), (self.result,) = operands, results
        self.name, self.location, self.size = operation.name, operation.location, operation.operands[0].type.nbytes
        self.attributes = {k: v for k, v in operation.attributes.items() if k != "group"}
        self.compiler, self.links = program.compiler, program.links
        self.label = f"{self.name} at {operation.location}" if operation.location else self.name
        index_of = {position: local_index for local_index, position in enumerate(program.compiler.positions)}
        self.inner: list[tuple[tuple[int, ...], Callable[[Sequence[Any]], list[Any]]]] = []
        self.outer: list[tuple[tuple[int, ...], Communicator]] = []
        self.groups: dict[tuple[int, ...], tuple[int, ...]] = {}
        self.positions = program.compiler.positions
        self.devices = [program.devices[p] for p in self.positions]
        for group in operation.attributes["group"].groups:
            local_indices = tuple(index_of[p] for p in group if p in index_of)
            self.groups[local_indices] = tuple(group)
            if len(local_indices) == len(group):
                self.inner.append((local_indices, program.compiler.local_collective(operation, local_indices)))
            elif local_indices:
                members = tuple(program.devices[p] for p in group)
                self.outer.append((local_indices, program.links.communicator(members)))

    def run(self, state: State, local_indices: LocalIndices) -> None:
        """See `Stage.run`."""
        to = recording.recorder
        if to is None:
            self._run(state, local_indices)
            return
        recording.timed(to, "collective", self.name, self.location, self._run, state, local_indices, bytes=self.size)

    def _run(self, state: State, local_indices: LocalIndices) -> None:
        sources, targets = state[self.operand], state[self.result]
        if len(local_indices) < len(self.devices):
            self._check_agreement(local_indices)
        started = []
        for members, communicator in self.outer:
            if members[0] in local_indices:
                inputs = [self.compiler.leaving(sources[m], self.devices[m]) for m in members]
                started.append((members, _start(communicator, self.name, inputs, self.attributes)))
        for members, local in self.inner:
            if members[0] in local_indices:
                for m, result in zip(members, local([sources[m] for m in members]), strict=True):
                    targets[m] = result
        for members, pending in started:
            for m, buffer in zip(members, self.links.wait(pending, self.label), strict=True):
                targets[m] = self.compiler.entering(buffer)

    def _check_agreement(self, local_indices: LocalIndices) -> None:
        for members, group in self.groups.items():
            absent = [m for m in members if m not in local_indices]
            if absent and len(absent) < len(members):
                missing = {self.positions[m] for m in absent}
                raise DisagreeingMembersError(self.name, group, sorted(set(group) - missing), self.location)

    def __repr__(self) -> str:
        groups = [*(m for m, _ in self.inner), *(m for m, _ in self.outer)]
        return f"{self.name} {self.attributes} slot {self.operand} -> {self.result}, local devices {groups}"


def _start(communicator: Communicator, name: str, inputs: Sequence[Any], attributes: Mapping[str, Any]) -> Pending:
    if name == "permute":
        return communicator.permute(inputs, attributes["pairs"])
    pending: Pending = getattr(communicator, name)(inputs, **attributes)
    return pending


class _ControlStage:
    """What the stages with regions share."""

    def __init__(
        self, operation: Operation, programs: list[StagedProgram], operands: list[int], results: list[int],
        compiler: BasicBlockCompiler,
    ) -> None:
        self.programs, self.operands, self.results = programs, operands, results
        self.name, self.compiler, self.count = operation.name, compiler, len(compiler.positions)
        self._setup(operation)

    def _setup(self, operation: Operation) -> None:
        """Takes what the kind of control flow needs from the attributes."""

    def columns(self, state: State) -> list[list[Any]]:
        """The operands."""
        return [state[slot] for slot in self.operands]

    def store(self, state: State, values: Sequence[Sequence[Any]], local_indices: LocalIndices) -> None:
        """Puts values into the first results' slots, one for each."""
        for slot, column in zip(self.results, values, strict=False):
            for local_index in local_indices:
                state[slot][local_index] = column[local_index]

    def __repr__(self) -> str:
        inner = "\n".join("  " + line for p in self.programs for line in p.text().splitlines())
        return f"{self.name} {self.operands} -> {self.results}\n{inner}"


class CondStage(_ControlStage):
    """Each device takes the branch that its index names; those of one branch go together."""

    def run(self, state: State, local_indices: LocalIndices) -> None:
        """See `Stage.run`."""
        index, *arguments = self.columns(state)
        last = len(self.programs) - 1
        chosen = {i: min(max(int(self.compiler.to_host(index[i])), 0), last) for i in local_indices}
        for branch in sorted(set(chosen.values())):
            some = [local_index for local_index in local_indices if chosen[local_index] == branch]
            self.store(state, self.programs[branch].run(arguments, some), some)


class WhileStage(_ControlStage):
    """Devices whose predicate is false are left alone while the others go on."""

    def _setup(self, operation: Operation) -> None:
        self.constants = operation.attributes["constants"]

    def run(self, state: State, local_indices: LocalIndices) -> None:
        """See `Stage.run`."""
        columns = self.columns(state)
        constants, carry = columns[: self.constants], [list(c) for c in columns[self.constants :]]
        condition, body = self.programs
        going = list(local_indices)
        while True:
            (predicate,) = condition.run([*constants, *carry], going)
            going = [local_index for local_index in going if self.compiler.to_host(predicate[local_index])]
            if not going:
                break
            for column, new in zip(carry, body.run([*constants, *carry], going), strict=True):
                for local_index in going:
                    column[local_index] = new[local_index]
        self.store(state, carry, local_indices)


class ScanStage(_ControlStage):
    """A loop whose length is known."""

    def _setup(self, operation: Operation) -> None:
        self.shape = ScanShape(operation)

    def run(self, state: State, local_indices: LocalIndices) -> None:
        """See `Stage.run`."""
        shape, compiler = self.shape, self.compiler
        constants, carry, sequences = shape.split(self.columns(state))
        stacks = {local_index: [compiler.stack(type_) for type_ in shape.stack_types] for local_index in local_indices}
        for i in shape.steps:
            slices = [[None if x is None else compiler.part(x, i) for x in column] for column in sequences]
            results = self.programs[0].run([*constants, *carry, *slices], local_indices)
            carry = results[: shape.carry]
            for n, column in enumerate(results[shape.carry :]):
                for local_index in local_indices:
                    stacks[local_index][n].put(i, column[local_index])
        self.store(state, carry, local_indices)
        for n, slot in enumerate(self.results[shape.carry :]):
            for local_index in local_indices:
                state[slot][local_index] = stacks[local_index][n].array()


_CONTROL_STAGES: dict[str, type[CondStage] | type[WhileStage] | type[ScanStage]] = {
    "cond": CondStage, "while": WhileStage, "scan": ScanStage,
}


def _last_uses(flat: Flat) -> dict[int, int]:
    last = {id(v): i for i, operation in enumerate(flat.operations) for v in (*operation.results, *operation.operands)}
    last.update((id(v), len(flat.operations)) for v in flat.outputs)
    return last


def _locked(array: np.ndarray) -> np.ndarray:
    view = array.view()
    view.flags.writeable = False
    return view
