# SPDX-License-Identifier: Apache-2.0
"""Dependence analysis: nests of loops whose iterations are independent, which threads can execute in parallel."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from olympus_core.dataclass import dataclass
from olympus_core.ops import OPERATIONS
from olympus_core.ops.rules import compute_dtype

from ..loops import (
    Affine,
    Constant,
    Index,
    Kernel,
    Load,
    Loop,
    Parameter,
    Reduction,
    Scalar,
    Statement,
    Store,
    operands_of,
)


@dataclass(frozen=True, slots=True)
class Level:
    """One loop of a nest.

    Args:
        index: The variable.
        extent: Number of iterations.
        until: As a loop's.
        held: Its statements before the next level.
    """

    index: Index
    extent: int
    until: tuple[Affine, int] | None
    held: tuple[Statement, ...] = ()


@dataclass(frozen=True, slots=True)
class Nest:
    """Perfectly nested loops, all of whose iterations may run in parallel.

    Args:
        levels: The loops, outermost first.
        body: The innermost one's statements.
        reductions: Reductions over all iterations, with the initial value of the outermost loop and the terms of the
            innermost one.
    """

    levels: tuple[Level, ...]
    body: tuple[Statement, ...]
    reductions: tuple[Reduction, ...] = ()

    @property
    def size(self) -> int:
        """Number of iterations."""
        return math.prod(level.extent for level in self.levels)

    @property
    def statements(self) -> tuple[Statement, ...]:
        """The statements of one iteration."""
        return (*(s for level in self.levels for s in level.held), *self.body)

    @property
    def indices(self) -> tuple[Index, ...]:
        """The levels' variables."""
        return tuple(level.index for level in self.levels)


def accesses(statements: Iterable[Statement]) -> Iterator[Load | Store]:
    """The memory accesses of statements, including those in loops."""
    for statement in statements:
        if isinstance(statement, Loop):
            yield from accesses(statement.body)
        elif isinstance(statement, (Load, Store)):
            yield statement


def loops_of(statements: Iterable[Statement]) -> Iterator[Loop]:
    """All loops, in preorder."""
    for statement in statements:
        if isinstance(statement, Loop):
            yield statement
            yield from loops_of(statement.body)


def constants_of(kernel: Kernel) -> Mapping[Scalar, Constant]:
    """The scalars that are constants."""
    found: dict[Scalar, Constant] = {}
    for loop in (kernel.loop, *loops_of(kernel.loop.body)):
        found.update((s.result, s) for s in loop.body if isinstance(s, Constant))
    return found


def uses_of(kernel: Kernel) -> Mapping[Scalar, int]:
    """How often each scalar is used."""
    found: dict[Scalar, int] = {}
    for loop in (kernel.loop, *loops_of(kernel.loop.body)):
        for statement in (loop, *(s for s in loop.body if not isinstance(s, Loop))):
            for scalar in operands_of(statement):
                found[scalar] = found.get(scalar, 0) + 1
    return found


def is_distinct(at: Affine, levels: Sequence[Level]) -> bool:
    """Whether an address differs between any two iterations of a nest."""
    digits: dict[Index, tuple[int, int]] = {}
    limits: list[tuple[int, int]] = []
    rest = at
    for level in levels:
        digits[level.index] = (at.stride(level.index), level.extent)
    for level in levels:
        if level.until is None:
            continue
        affine, limit = level.until
        inner = {i for i, _ in affine.terms}
        times, remainder = divmod(rest.stride(level.index), affine.stride(level.index))
        if remainder or not times or not inner <= set(digits) or affine.constant < 0:
            continue
        if any(rest.stride(i) != times * affine.stride(i) for i in inner) or any(s < 0 for _, s in affine.terms):
            continue
        if not _digits([(s, digits[i][1]) for i, s in affine.terms]):
            continue
        rest = rest.plus(affine.scaled(-times))
        limits.append((times, limit))
        for index in inner:
            del digits[index]
    return _digits([*((s, n) for s, n in digits.values() if n > 1), *limits])


def _digits(digits: Iterable[tuple[int, int]]) -> bool:
    """Whether the sum of digits times strides is different for all choices of digits, given (stride, base) pairs."""
    reach = 0
    for stride, base in sorted((abs(s), n) for s, n in digits):
        if stride <= reach:
            return False
        reach += stride * (base - 1)
    return True


class Nests:
    """The nests of one kernel.

    Args:
        kernel: The kernel.
    """

    def __init__(self, kernel: Kernel) -> None:
        self.constants = constants_of(kernel)
        self.uses = uses_of(kernel)

    def nest(self, loop: Loop) -> Nest | None:
        """The deepest nest that begins with a loop, or None where its iterations depend on each other."""
        levels: list[Level] = []
        reductions = loop.reductions
        ordered = False  # whether there is a serial loop, whose iterations have to be proved independent
        while True:
            if loop.recurrences:
                return None
            levels.append(Level(loop.index, loop.extent, loop.until))
            ordered |= loop.kind == "serial"
            inner = self._inner(loop) if loop.kind != "lanes" else None
            if inner is None:
                break
            levels[-1] = Level(loop.index, loop.extent, loop.until, loop.body[:-1])
            loop = inner
        if any(inner.kind == "lanes" for inner in loops_of(loop.body)):
            return None
        terms = tuple(Reduction(outer.result, outer.operation, outer.initial, inner.contribution)
                      for outer, inner in zip(reductions, loop.reductions, strict=True))
        nest = Nest(tuple(levels), loop.body, terms)
        return nest if not ordered or self.is_independent(nest) else None

    def _inner(self, loop: Loop) -> Loop | None:
        """The next loop of a nest, where a loop contains nothing else that has an effect."""
        inner = loop.body[-1] if loop.body else None
        if not isinstance(inner, Loop) or any(isinstance(s, (Loop, Store)) for s in loop.body[:-1]):
            return None
        if len(loop.reductions) != len(inner.reductions) or inner.recurrences:
            return None
        for outer, part in zip(loop.reductions, inner.reductions, strict=True):
            if outer.operation != part.operation or outer.contribution is not part.result:
                return None
            if self.uses[part.result] != 1 or not self._is_neutral(part):
                return None
        return inner

    def _is_neutral(self, reduction: Reduction) -> bool:
        """Whether the initial value of a reduction is its operation's identity."""
        constant = self.constants.get(reduction.initial)
        if constant is None:
            return False
        dtype, value = np.dtype(reduction.result.dtype), constant.value
        if reduction.operation == "add":
            return bool(value == 0)
        return bool(np.asarray(value).tobytes() == OPERATIONS[reduction.operation].nothing(dtype).tobytes())

    def is_independent(self, nest: Nest) -> bool:
        """Whether no iteration of a nest accesses what another one writes."""
        touched = list(accesses(nest.statements))
        within = [loop.index for loop in loops_of(nest.body)]
        stored: set[Parameter] = set()
        for store in touched:
            if not isinstance(store, Store):
                continue
            inner = any(store.at.stride(index) for index in within)
            if store.dynamic or store.combine or store.parameter in stored or inner:
                return False
            if not is_distinct(store.at, nest.levels):
                return False
            stored.add(store.parameter)
        written = {s.parameter: s.at for s in touched if isinstance(s, Store)}
        return not any(isinstance(a, Load) and a.parameter in stored and
                       (a.dynamic or not same(a.at, written[a.parameter])) for a in touched)

    def chain(self, kernel: Kernel) -> tuple[tuple[Level, ...], tuple[Statement, ...], bool]:
        """The loops from the outermost one inwards whose iterations are independent and get threads of their own.

        Returns:
            The loops, the statements of the last one, and whether that one is a loop over lanes.
        """
        levels: list[Level] = []
        loop = kernel.loop
        while True:
            free = loop.kind == "parallel" or (loop.kind == "lanes" and not loop.reductions)
            if not free and not self._is_private(loop, levels):
                return tuple(levels), (loop,), False
            levels.append(Level(loop.index, loop.extent, loop.until))
            inner = self._inner(loop) if loop.kind != "lanes" and not loop.reductions else None
            if inner is None or inner.reductions:
                return tuple(levels), loop.body, loop.kind == "lanes"
            if inner.kind == "serial" and not self._is_private(inner, levels):
                return tuple(levels), loop.body, False
            levels[-1] = Level(loop.index, loop.extent, loop.until, loop.body[:-1])
            loop = inner

    def _is_private(self, loop: Loop, around: Sequence[Level]) -> bool:
        """Whether a serial loop's iterations are independent if each has scratch memory of its own."""
        if loop.recurrences or loop.reductions or loop.kind != "serial":
            return False
        stored: set[Parameter] = set()
        for access, loops in _around((loop,), ()):
            parameter = access.parameter
            levels = [*around, *(Level(inner.index, inner.extent, inner.until) for inner in loops)]
            if isinstance(access, Store):
                if access.dynamic or access.combine:
                    return False
                if parameter.role != "local" and (parameter in stored or not is_distinct(access.at, levels)):
                    return False
                stored.add(parameter)
        for access, loops in _around((loop,), ()):
            if not isinstance(access, Load) or access.parameter.role == "input":
                continue
            if access.parameter.role == "output":
                if access.parameter in stored:
                    return False
            elif not self._is_written(access, loops, loop):
                return False
        return True

    def _is_written(self, load: Load, loops: Sequence[Loop], loop: Loop) -> bool:
        """Whether a load of scratch memory reads what the same iteration of a loop has written before."""
        space = {(inner.index, inner.extent, inner.until) for inner in loops}
        for access, around in _around((loop,), ()):
            if access is load:
                return False
            if isinstance(access, Store) and access.parameter is load.parameter and access.when is None:
                same_space = {(inner.index, inner.extent, inner.until) for inner in around} == space
                if same_space and not load.dynamic and same(load.at, access.at):
                    return True
        return False


def _around(
    statements: Iterable[Statement], loops: tuple[Loop, ...]
) -> Iterator[tuple[Load | Store, tuple[Loop, ...]]]:
    for statement in statements:
        if isinstance(statement, Loop):
            yield from _around(statement.body, (*loops, statement))
        elif isinstance(statement, (Load, Store)):
            yield statement, loops


def same(x: Affine, y: Affine) -> bool:
    """Whether two affine expressions are equal, whatever the order of their terms."""
    return x.constant == y.constant and dict(x.terms) == dict(y.terms)


def neutral(operation: str, dtype: np.dtype) -> Any:
    """The identity of a reduction's operation as a register value; narrow floats are float32 there."""
    return OPERATIONS[operation].neutral(dtype).astype(compute_dtype(dtype))[()]
