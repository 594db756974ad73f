# SPDX-License-Identifier: Apache-2.0
"""Programs without calls: what is called once or many times is written out in place."""

from __future__ import annotations

from collections.abc import Callable

from olympus_core.dataclass import dataclass
from olympus_core.errors import NotSupportedError
from olympus_core.program import Operation, Program, Value

# Regions of these are run by the toolkit; those of `call` are written out.
CONTROL = frozenset({"cond", "while", "scan"})


@dataclass(frozen=True, slots=True, eq=False)
class Flat:
    """A program whose operations are neither calls nor whole-mesh manual regions."""

    inputs: tuple[Value, ...]
    operations: tuple[Operation, ...]
    outputs: tuple[Value, ...]

    def program(self, name: str) -> Program:
        """The same as a program."""
        return Program(name, self.inputs, self.operations, self.outputs)


def flatten(program: Program) -> Flat:
    """Writes out the calls of a program; regions of control flow stay as they are."""
    operations: list[Operation] = []
    outputs = _write_out(program, program.inputs, operations)
    return Flat(program.inputs, tuple(operations), outputs)


def stands_alone(operation: Operation, runs_by_reference: Callable[[Operation], bool]) -> bool:
    """Whether the operation, or one inside its regions, communicates, calls the user's code, or runs on the host.

    Args:
        operation: The operation.
        runs_by_reference: Tells of operations that a platform leaves to the host.
    """
    if operation.record.communicates or operation.record.category == "host" or runs_by_reference(operation):
        return True
    return any(stands_alone(inner, runs_by_reference) for region in operation.regions for inner in region.operations)


def _write_out(program: Program, arguments: tuple[Value, ...], into: list[Operation]) -> tuple[Value, ...]:
    known = {id(v): a for v, a in zip(program.inputs, arguments, strict=True)}
    for operation in program.operations:
        operands = tuple(known[id(v)] for v in operation.operands)
        if operation.name == "call" or (operation.name == "manual" and operation.attributes["mesh"].size == 1):
            results = _write_out(operation.regions[0], operands, into)
        elif operation.name == "manual":
            raise NotSupportedError(
                "a manual region over several devices in a device program",
                "device programs are written for one device", "Lower the program with olympus_core.partition first.",
            )
        else:
            results = tuple(Value(v.type) for v in operation.results)
            into.append(Operation(
                operation.record, operands, operation.attributes, operation.regions, results, operation.location,
            ))
        known.update((id(v), r) for v, r in zip(operation.results, results, strict=True))
    return tuple(known[id(v)] for v in program.outputs)
