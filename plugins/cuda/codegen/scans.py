# SPDX-License-Identifier: Apache-2.0
"""Recognition of scans: serial loops that compute a prefix sum, product or extreme (Blelloch 1990)."""

from __future__ import annotations

from dataclasses import dataclass

from olympus_core.toolkit.c_text import Level, Nest, Nests, is_narrow
from olympus_core.toolkit.loops import (
    Compute,
    Load,
    Loop,
    Recurrence,
    Scalar,
    Statement,
    Store,
    operands_of,
    results_of,
)

_OPERATIONS = frozenset({"add", "mul", "max", "min"})


@dataclass(frozen=True, slots=True)
class Scan:
    """Nested loops that carry nothing but the running result of one operation; their iterations are else independent.

    Args:
        nest: The loops; the body is without the operation.
        operation: The operation.
        initial: The value before the first iteration.
        term: The value that an iteration contributes.
        total: The running result including an iteration's own term.
        result: The value after the last iteration.
        before: The statements of an iteration that compute its term.
        after: The statements that use the running result.
    """

    nest: Nest
    operation: str
    initial: Scalar
    term: Scalar
    total: Scalar
    result: Scalar
    before: tuple[Statement, ...]
    after: tuple[Statement, ...]


def scan_of(loop: Loop, nests: Nests) -> Scan | None:
    """The scan that a loop computes, or None."""
    levels: list[Level] = []
    first, inner = loop.recurrences[0] if len(loop.recurrences) == 1 else None, loop
    if first is None:
        return None
    handed = first
    while True:
        if inner.kind != "serial" or inner.reductions:
            return None
        last = inner.body[-1] if inner.body else None
        if not isinstance(last, Loop):
            break
        step = _continued(inner, last, handed, nests)
        if step is None:
            return None
        levels.append(Level(inner.index, inner.extent, inner.until, inner.body[:-1]))
        handed, inner = step, last
    levels.append(Level(inner.index, inner.extent, inner.until))
    return _divided(levels, inner, handed, first, nests)


def _continued(outer: Loop, inner: Loop, handed: Recurrence, nests: Nests) -> Recurrence | None:
    """The recurrence of an inner loop, if it continues that of the outer one."""
    if len(inner.recurrences) != 1 or any(isinstance(s, (Loop, Store)) for s in outer.body[:-1]):
        return None
    (step,) = inner.recurrences
    if step.initial is not handed.inside or handed.following is not step.result:
        return None
    return step if nests.uses[handed.inside] == 1 and nests.uses[step.result] == 1 else None


def _divided(levels: list[Level], loop: Loop, handed: Recurrence, first: Recurrence, nests: Nests) -> Scan | None:
    made = {r: s for s in loop.body for r in results_of(s)}
    step = made.get(handed.following)
    if not isinstance(step, Compute) or step.record.name not in _OPERATIONS or is_narrow(handed.inside.dtype):
        return None
    terms = [x for x in step.operands if x is not handed.inside]
    if len(terms) != 1 or len(step.operands) != 2 or nests.uses[handed.inside] != 1:
        return None
    total = handed.following
    late: set[Scalar] = {total}
    before: list[Statement] = []
    after: list[Statement] = []
    for statement in loop.body:
        if statement is step:
            continue
        if isinstance(statement, Loop):
            return None
        if isinstance(statement, Store) or not late.isdisjoint(operands_of(statement)):
            late.update(results_of(statement))
            after.append(statement)
        else:
            before.append(statement)
    early = {r for s in before for r in results_of(s)}
    early.update(r for level in levels for s in level.held for r in results_of(s))
    # Only the term may pass from the statements before to the statements after.
    if any(isinstance(s, Load) or not early.isdisjoint(operands_of(s)) for s in after) or terms[0] in late:
        return None
    nest = Nest(tuple(levels), (*before, *after))
    if not nests.is_independent(nest):
        return None
    held = (s for level in levels for s in level.held)
    return Scan(nest, step.record.name, first.initial, terms[0], total, first.result, (*held, *before), tuple(after))
