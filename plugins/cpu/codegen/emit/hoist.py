# SPDX-License-Identifier: Apache-2.0
"""Loop-invariant code motion: statements move to the outermost loop in which their operands are defined.

Values of a row therefore stay scalars and are computed once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from olympus_core.toolkit.loops import (
    Affine,
    Compute,
    Constant,
    Index,
    IndexValue,
    Inside,
    Kernel,
    Load,
    Loop,
    Scalar,
    Statement,
    Store,
    addressed_by,
    results_of,
)


def loops_in(loop: Loop) -> Iterator[Loop]:
    """The loop and all loops in it."""
    yield loop
    for statement in loop.body:
        if isinstance(statement, Loop):
            yield from loops_in(statement)


def extents_of(kernel: Kernel) -> dict[Index, int]:
    """Every index of the kernel with its loop's extent."""
    return {loop.index: loop.extent for loop in loops_in(kernel.loop)}


def affine_range(affine: Affine, extents: Mapping[Index, int]) -> tuple[int, int]:
    """The least and the greatest value of an affine expression over all iterations, without regard to loops' limits."""
    low = high = affine.constant
    for index, stride in affine.terms:
        far = stride * (extents[index] - 1)
        low, high = low + min(far, 0), high + max(far, 0)
    return low, high


def in_bounds(access: Load | Store, extents: Mapping[Index, int]) -> bool:
    """Whether the address is in the buffer for all iterations, without regard to loops' limits and conditions."""
    low, high = affine_range(access.at, extents)
    return not access.dynamic and low >= 0 and high < access.parameter.size


def hoisted(kernel: Kernel) -> tuple[tuple[Statement, ...], Loop, dict[int, Constant]]:
    """The kernel with every statement in the outermost loop in which its operands are defined.

    Returns:
        The statements before the outermost loop, that loop, and the constants by the identity of their elements.
    """
    hoister = _Hoister(kernel)
    loop = hoister.loop(kernel.loop, 1)
    return tuple(hoister.bodies[0]), loop, hoister.constants


class _Hoister:
    def __init__(self, kernel: Kernel) -> None:
        self.extents = extents_of(kernel)
        self.bodies: list[list[Statement]] = [[]]  # of the enclosing loops, the function's own first
        self.loops: list[Loop] = []
        self.depths: dict[int, int] = {}  # at which each element is defined
        self.index_depths: dict[Index, int] = {}
        self.constants: dict[int, Constant] = {}

    def loop(self, loop: Loop, depth: int) -> Loop:
        """The loop without the statements that moved out of it."""
        self.index_depths[loop.index] = depth
        for recurrence in loop.recurrences:
            self.depths[id(recurrence.inside)] = depth
        self.bodies.append([])
        self.loops.append(loop)
        for statement in loop.body:
            self.statement(statement, depth)
        self.loops.pop()
        body = self.bodies.pop()
        for scalar in results_of(loop):
            self.depths[id(scalar)] = depth - 1
        return replace(loop, body=tuple(body))

    def statement(self, statement: Statement, depth: int) -> None:
        """Moves a statement to its loop."""
        if isinstance(statement, Constant):
            self.constants[id(statement.result)] = statement
            self.depths[id(statement.result)] = 0
            return
        if isinstance(statement, Loop):
            self.bodies[depth].append(self.loop(statement, depth + 1))
            return
        target = depth if isinstance(statement, Store) else self.least_depth(statement, depth)
        self.bodies[target].append(statement)
        for scalar in results_of(statement):
            self.depths[id(scalar)] = target

    def least_depth(self, statement: Compute | IndexValue | Inside | Load, depth: int) -> int:
        """The least depth at which the statement's operands are defined."""
        if isinstance(statement, Compute):
            return max((self.depth(s) for s in statement.operands), default=0)
        if not isinstance(statement, Load):
            return self.affine(statement.of)
        if statement.parameter.role != "input":
            return depth
        least = max([self.affine(statement.at), *(self.depth(s) for s in addressed_by(statement))])
        if statement.when is None and not in_bounds(statement, self.extents):
            # A loop with a limit may have no iterations, and then this address need not be valid.
            while depth > least and self.loops[depth - 1].until is None:
                depth -= 1
            return depth
        return least

    def affine(self, affine: Affine) -> int:
        """The depth of the innermost index of an affine expression."""
        return max((self.index_depths[i] for i, _ in affine.terms), default=0)

    def depth(self, scalar: Scalar) -> int:
        """The depth at which an element is defined."""
        return self.depths[id(scalar)]
