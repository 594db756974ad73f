# SPDX-License-Identifier: Apache-2.0
"""Whether a kernel is well-formed: made once for each kernel in tests and when kernels are dumped."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from olympus_core.errors import KernelFormError
from olympus_core.ops.reduce import COMBINING

from .form import (
    Affine,
    Compute,
    Constant,
    Index,
    IndexValue,
    Inside,
    Kernel,
    Load,
    Loop,
    Parameter,
    Scalar,
    Statement,
    Store,
    results_of,
)
from .text import print_kernel

COMBINATIONS = frozenset(combine.name for combine in COMBINING.values())


def verify_kernel(kernel: Kernel) -> None:
    """Checks definitions, types, roles, kinds of loops and that no affine address leaves its buffer.

    Raises:
        KernelFormError: With the first fault found and the kernel's text.
    """
    checker = _Checker(kernel)
    if len({id(p) for p in kernel.parameters}) != len(kernel.parameters):
        checker.fail("a parameter stands twice")
    roles = [p.role for p in kernel.parameters]
    if roles != sorted(roles, key=("input", "output", "local").index):
        checker.fail("parameters must stand in the order inputs, outputs, locals")
    checker.loop(kernel.loop, set(), {}, 0)


class _Checker:
    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self.parameters = {id(p) for p in kernel.parameters}
        self.limits: list[tuple[Index, Affine, int]] = []  # of the loops around
        self.made: set[int] = set()

    def fail(self, problem: str) -> None:
        raise KernelFormError(self.kernel.name, problem, print_kernel(self.kernel))

    def loop(self, loop: Loop, known: set[int], ranges: dict[Index, tuple[int, int]], depth: int) -> None:
        """A loop whose body may use what is known outside."""
        if loop.extent < 1:
            self.fail(f"loop {loop.index} has no iteration")
        if loop.index in ranges:
            self.fail(f"index {loop.index} is used by two loops, one in the other")
        if loop.recurrences and loop.kind != "serial":
            self.fail(f"loop {loop.index} is {loop.kind} and has a recurrence")
        if loop.reductions and (loop.kind == "parallel" or not depth):
            self.fail(f"loop {loop.index} is parallel or outermost and has a reduction")
        inner = {**ranges, loop.index: (0, loop.extent - 1)}
        if loop.until is not None:
            affine, limit = loop.until
            self.affine(affine, inner)
            if affine.stride(loop.index) <= 0:
                self.fail(f"the limit of loop {loop.index} does not grow with its index")
            self.limits.append((loop.index, affine, limit))
        self.uses([r.initial for r in loop.reductions] + [r.initial for r in loop.recurrences], known)
        scope = set(known)
        for recurrence in loop.recurrences:
            self.defines([recurrence.inside], scope)
        for statement in loop.body:
            self.statement(statement, scope, inner, depth + 1)
        if loop.until is not None:
            self.limits.pop()
        for reduction in loop.reductions:
            self.uses([reduction.contribution], scope)
            self.same(reduction.result, reduction.initial, reduction.contribution)
            if reduction.operation not in COMBINATIONS:
                self.fail(f"reduction by {reduction.operation}")
        for recurrence in loop.recurrences:
            self.uses([recurrence.following], scope)
            self.same(recurrence.result, recurrence.initial, recurrence.inside, recurrence.following)
        self.defines(results_of(loop), known)

    def statement(
        self, statement: Statement, known: set[int], ranges: dict[Index, tuple[int, int]], depth: int
    ) -> None:
        """One statement of a body."""
        if isinstance(statement, Loop):
            self.loop(statement, known, ranges, depth)
            return
        if isinstance(statement, (Load, Store)):
            self.access(statement, known, ranges)
        elif isinstance(statement, (IndexValue, Inside)):
            self.affine(statement.of, ranges)
            if isinstance(statement, Inside) and statement.result.dtype != np.dtype(bool):
                self.fail("Inside gives a bool")
        elif isinstance(statement, Compute):
            self.uses(statement.operands, known)
        elif isinstance(statement, Constant) and statement.value.dtype != statement.result.dtype:
            self.fail(f"a constant of {statement.value.dtype} for {statement.result.dtype}")
        self.defines(results_of(statement), known)

    def access(self, access: Load | Store, known: set[int], ranges: dict[Index, tuple[int, int]]) -> None:
        """A load or store: roles, types, bounds where they can be known."""
        parameter, value = access.parameter, access.result if isinstance(access, Load) else access.value
        if id(parameter) not in self.parameters:
            self.fail(f"{parameter.name} is no parameter")
        if value.dtype != parameter.dtype:
            self.fail(f"{value.dtype} for parameter {parameter.name} of {parameter.dtype}")
        self.uses([s for s, _ in access.dynamic], known)
        if any(s.dtype.kind not in "iu" for s, _ in access.dynamic):
            self.fail("an address must be computed in integers")
        self.uses([access.when] if access.when is not None else [], known)
        if isinstance(access, Store):
            self.store(access, parameter, known)
        self.affine(access.at, ranges)
        if access.when is None and not access.dynamic:
            self.bounds(access.at, parameter, ranges)

    def store(self, store: Store, parameter: Parameter, known: set[int]) -> None:
        """What holds of stores alone."""
        if parameter.role == "input":
            self.fail(f"a store to input {parameter.name}")
        if store.combine is not None and store.combine not in COMBINATIONS:
            self.fail(f"a store combined by {store.combine}")
        self.uses([store.value], known)

    def bounds(self, at: Affine, parameter: Parameter, ranges: dict[Index, tuple[int, int]]) -> None:
        """The least and greatest address; the limits of the loops around count where the address contains them."""
        low, high = _extremes(at, ranges)
        rest, least, most = at, 0, 0
        for index, affine, limit in self.limits:
            times, remainder = divmod(rest.stride(index), affine.stride(index))
            if times and not remainder:
                ends = times * _extremes(affine, ranges)[0], times * (limit - 1)
                rest, least, most = rest.plus(affine.scaled(-times)), least + min(ends), most + max(ends)
        extremes = _extremes(rest, ranges)
        low, high = max(low, least + extremes[0]), min(high, most + extremes[1])
        if low < 0 or high >= parameter.size:
            self.fail(f"addresses {low} to {high} of {parameter.name}, which has {parameter.size} elements")

    def affine(self, affine: Affine, ranges: dict[Index, tuple[int, int]]) -> None:
        """All indices belong to loops around."""
        for index, _ in affine.terms:
            if index not in ranges:
                self.fail(f"index {index} belongs to no loop around")

    def uses(self, scalars: Sequence[Scalar], known: set[int]) -> None:
        """All are defined before."""
        for scalar in scalars:
            if id(scalar) not in known:
                self.fail(f"{scalar} is used and not defined before")

    def defines(self, scalars: Sequence[Scalar], known: set[int]) -> None:
        """None is defined yet."""
        for scalar in scalars:
            if id(scalar) in self.made:
                self.fail(f"{scalar} is defined twice")
            self.made.add(id(scalar))
            known.add(id(scalar))

    def same(self, *scalars: Scalar) -> None:
        """All have one type."""
        if len({s.dtype for s in scalars}) > 1:
            self.fail(f"types {[s.dtype.name for s in scalars]} of one carried value")


def _extremes(affine: Affine, ranges: dict[Index, tuple[int, int]]) -> tuple[int, int]:
    low = high = affine.constant
    for index, stride in affine.terms:
        ends = [stride * end for end in ranges[index]]
        low, high = low + min(ends), high + max(ends)
    return low, high
