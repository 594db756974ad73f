# SPDX-License-Identifier: Apache-2.0
"""Shrinks failing cases, by a greedy search like delta debugging (Zeller and Hildebrandt 2002).

A smaller case has fewer outputs and operations. Values that its operations no longer compute become inputs, with the
content that the reference gives them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from olympus_core.program import Operation, Program, Value, run_members

from .case import Case, Columns

Fails = Callable[[Case], bool]


def shrunk(case: Case, fails: Fails, attempts: int = 300) -> Case:
    """The smallest failing case that the search finds.

    Args:
        case: A case that fails.
        fails: Whether a case fails.
        attempts: Number of cases that are tried, at most.
    """
    values = _all_values(case)
    changed = True
    while changed and attempts > 0:
        changed = False
        for smaller in _smaller(case, values):
            attempts -= 1
            if attempts <= 0:
                break
            if fails(smaller):
                case, changed = smaller, True
                break
    return case


def _all_values(case: Case) -> dict[Value, list[np.ndarray]]:
    """The reference's content of every value of the program."""
    made = [v for operation in case.program.operations for v in operation.results]
    whole = replace(case.program, outputs=tuple(made))
    with np.errstate(all="ignore"):
        columns = run_members(whole, case.inputs, tuple(range(case.count)))
    return dict(zip([*case.program.inputs, *made], [*case.inputs, *columns], strict=True))


def _smaller(case: Case, values: dict[Value, list[np.ndarray]]) -> Iterator[Case]:
    """Candidates that are one reduction smaller, the large reductions first."""
    program = case.program
    used = {*program.outputs, *(v for operation in program.operations for v in operation.operands)}
    if not used.issuperset(program.inputs):
        yield _with(case, program.operations, program.outputs, values)
    if case.count > 1 and not any(o.record.category == "collective" for o in program.operations):
        yield replace(case, inputs=[column[:1] for column in case.inputs], count=1)
    if case.donated:
        yield replace(case, donated=())
    for v in dict.fromkeys(program.outputs) if len(program.outputs) > 1 else ():
        yield _with(case, program.operations, (v,), values)
    for operation in program.operations:
        for v in operation.results:
            if program.outputs != (v,):
                yield _with(case, program.operations, (v,), values)
    for i in range(len(program.outputs) if len(program.outputs) > 1 else 0):
        yield _with(case, program.operations, (*program.outputs[:i], *program.outputs[i + 1:]), values)
    kept = list(program.operations)
    half = len(kept) // 2
    if half:
        yield _with(case, kept[half:], program.outputs, values)
    for i in range(len(kept)):
        if not set(kept[i].results) & set(program.outputs):
            yield _with(case, kept[:i] + kept[i + 1:], program.outputs, values)


def _with(
    case: Case, operations: list[Operation] | tuple[Operation, ...], outputs: tuple[Value, ...],
    values: dict[Value, list[np.ndarray]],
) -> Case:
    """The case with some of its operations; values that they need and do not compute become inputs."""
    needed, kept = set(outputs), []
    for operation in reversed(operations):
        if needed.intersection(operation.results):
            kept.append(operation)
            needed.update(operation.operands)
    kept.reverse()
    made = {v for operation in kept for v in operation.results}
    inputs = tuple(v for v in values if v in needed and v not in made)
    given: Columns = [values[v][: case.count] for v in inputs]
    donated = tuple(inputs.index(case.program.inputs[i]) for i in case.donated if case.program.inputs[i] in inputs)
    program = Program(case.program.name, inputs, tuple(kept), outputs)
    return replace(case, program=program, inputs=given, donated=donated)
