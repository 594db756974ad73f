# SPDX-License-Identifier: Apache-2.0
"""Statements as a whole: what they depend on, how their addresses change."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from olympus_core.dataclass import dataclass, field, replace

from ..loops import Affine, Compute, Index, IndexValue, Inside, Load, Loop, Scalar, Statement, Store, results_of


@dataclass(slots=True)
class Phase:
    """One pass over the reduced part of the iteration space.

    Args:
        statements: What it does, in order; some of it may not depend on the pass.
        reductions: Operation, contribution and result of what it adds up.
        running: Operation, value before and value after of what it hands on.
        constants: The numbers that are known.
    """

    statements: list[Statement]
    reductions: list[tuple[str, Scalar, Scalar]] = field(default_factory=list)
    running: list[tuple[str, Scalar, Scalar]] = field(default_factory=list)
    constants: dict[Scalar, Any] = field(default_factory=dict)


def varying(statements: Iterable[Statement], indices: set[Index], known: Iterable[Scalar] = ()) -> set[Scalar]:
    """The elements that depend on some of the loops, or on those of which that is known."""
    found = set(known)
    for statement in statements:
        if depends(statement, indices, found):
            found.update(results_of(statement))
    return found


def depends(statement: Statement, indices: set[Index], scalars: set[Scalar]) -> bool:
    """Whether a statement mentions one of the indices or elements."""
    used: list[Any] = []
    if isinstance(statement, (Load, Store)):
        used = [i for i, _ in statement.at.terms] + [s for s, _ in statement.dynamic] + [statement.when]
        used += [statement.value] if isinstance(statement, Store) else []
    elif isinstance(statement, (IndexValue, Inside)):
        used = [i for i, _ in statement.of.terms]
    elif isinstance(statement, Compute):
        used = list(statement.operands)
    return any(u in indices if isinstance(u, Index) else u in scalars for u in used)


def rewritten(statement: Statement, change: Callable[[Affine], Affine]) -> Statement:
    """A statement with its affine numbers changed."""
    if isinstance(statement, (Load, Store)):
        return replace(statement, at=change(statement.at))
    if isinstance(statement, (IndexValue, Inside)):
        return replace(statement, of=change(statement.of))
    return statement


def affines_of(statements: Iterable[Statement]) -> list[Affine]:
    """The affine numbers that statements hold."""
    return [s.at if isinstance(s, (Load, Store)) else s.of
            for s in statements if isinstance(s, (Load, Store, IndexValue, Inside))]


def changed(loop: Loop, change: Callable[[Affine], Affine]) -> Loop:
    """A loop with all affine numbers in it changed."""
    body = [changed(s, change) if isinstance(s, Loop) else rewritten(s, change) for s in loop.body]
    return replace(loop, body=tuple(body), until=loop.until and (change(loop.until[0]), loop.until[1]))
