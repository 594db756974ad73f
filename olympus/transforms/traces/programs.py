# SPDX-License-Identifier: Apache-2.0
"""Programs with other inputs, and lists in which only some values are there: what rules with regions share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from olympus_core.errors import OlympusInternalError
from olympus_core.program import ArrayType, Program, Value

from ...tracing import Aval, aval_of, stage


def arranged(program: Program, order: Sequence[int]) -> Program:
    """The program with its inputs in another order."""
    return Program(program.name, tuple(program.inputs[i] for i in order), program.operations, program.outputs)


def with_inputs(program: Program, before: int, further: Sequence[ArrayType]) -> Program:
    """The program with further inputs, which it does not use."""
    inputs = (*program.inputs[:before], *(Value(t) for t in further), *program.inputs[before:])
    return Program(program.name, inputs, program.operations, program.outputs)


def present(values: Sequence[Any]) -> list[Any]:
    """The values that are not None."""
    return [value for value in values if value is not None]


def spread_out(values: Sequence[Any], has: Sequence[bool]) -> list[Any]:
    """Values at the positions that have one, None elsewhere."""
    given = iter(values)
    return [next(given) if h else None for h in has]


def avals_of(values: Sequence[Any]) -> list[Aval]:
    """What is known of each value."""
    return [aval_of(value) for value in values]


def slice_aval(aval: Aval) -> Aval:
    """What is known of one index of a value along its first dimension."""
    layout = None if aval.layout is None else aval.layout.with_dims(aval.layout.dims[1:])
    return Aval(ArrayType(aval.shape[1:], aval.dtype), False, layout)


def staged(function: Callable[..., Sequence[Any]], avals: Sequence[Aval], name: str) -> Program:
    """The program of a function that uses nothing from outside."""
    program, _, captured = stage(function, avals, name)
    if captured:
        raise OlympusInternalError(f"{name} captured {captured}")
    return program


def dependent(program: Program, given: Sequence[bool]) -> list[bool]:
    """Which outputs depend on any of the inputs that are chosen.

    Args:
        program: The program.
        given: Which inputs are.
    """
    found = {id(v) for v, chosen in zip(program.inputs, given, strict=True) if chosen}
    for operation in program.operations:
        if any(id(v) in found for v in operation.operands):
            found.update(map(id, operation.results))
    return [id(v) in found for v in program.outputs]


def restricted(
    program: Program, inputs: Sequence[Value], outputs: Sequence[Value], effects: bool = False
) -> Program:
    """The part of a program that computes some of its values.

    Args:
        program: The program.
        inputs: The part's inputs, among those of the program.
        outputs: What it computes.
        effects: Whether it does what the program does besides, too.
    """
    needed, operations = set(map(id, outputs)), []
    for operation in reversed(program.operations):
        if (effects and operation.has_effects) or any(id(v) in needed for v in operation.results):
            needed.update(map(id, operation.operands))
            operations.append(operation)
    return Program(program.name, tuple(inputs), tuple(reversed(operations)), tuple(outputs))
