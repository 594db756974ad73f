# SPDX-License-Identifier: Apache-2.0
"""Statements of one thread as text in a language of C's family."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

import numpy as np

from olympus_core import dtypes
from olympus_core.errors import OlympusInternalError

from ..loops import (
    Affine,
    Compute,
    Constant,
    Index,
    IndexValue,
    Inside,
    Load,
    Loop,
    Parameter,
    Reduction,
    Scalar,
    Statement,
    Store,
)
from .affine_text import affine_text
from .language import Language, is_narrow
from .nests import neutral


class Writer:
    """Writes the statements of one function.

    Args:
        language: How elements and operations are written.
        parameters: The names of the pointer parameters.
        index_type: The type of loop indices.

    Attributes:
        lines: What was written.
        given: For accesses to memory, the registers that stand for them.
        loop_emitters: Loops, by their identity, that another function emits in a way of its own.
    """

    def __init__(self, language: Language, parameters: Mapping[Parameter, str], index_type: str) -> None:
        self.language, self.parameters, self.index_type = language, dict(parameters), index_type
        self.lines: list[str] = []
        self.depth = 1
        self.scalars: dict[Scalar, str] = {}
        self.indices: dict[Index, str] = {}
        self.given: dict[Load | Store, str] = {}
        self.loop_emitters: dict[int, Callable[[Loop], None]] = {}

    def line(self, text: str) -> None:
        """Writes one line."""
        self.lines.append("    " * self.depth + text)

    @contextmanager
    def block(self, head: str = "") -> Iterator[None]:
        """Writes a block in braces."""
        self.line(f"{head} {{" if head else "{")
        self.depth += 1
        yield
        self.depth -= 1
        self.line("}")

    def scalar(self, scalar: Scalar) -> str:
        """The name of a scalar."""
        if scalar not in self.scalars:
            self.scalars[scalar] = f"x{len(self.scalars)}"
        return self.scalars[scalar]

    def index(self, index: Index) -> str:
        """The name of a loop index."""
        if index not in self.indices:
            self.indices[index] = f"i{len(self.indices)}"
        return self.indices[index]

    def affine(self, affine: Affine) -> str:
        """An affine expression."""
        return affine_text(affine, self.index)

    def condition(self, until: tuple[Affine, int]) -> str:
        """The condition under which an iteration takes place."""
        return f"{self.affine(until[0])} < {until[1]}"

    def declare(self, scalar: Scalar, value: str, const: bool = True) -> None:
        """Declares a scalar with its value."""
        kind = self.language.register_type(scalar.dtype)
        self.line(f"{'const ' if const else ''}{kind} {self.scalar(scalar)} = {value};")

    def element(self, access: Load | Store) -> str:
        """The element that an access reads or writes, as an lvalue."""
        parts = [self.affine(access.at)] if access.at.terms or access.at.constant or not access.dynamic else []
        for scalar, stride in access.dynamic:
            number = f"({self.index_type}){self.scalar(scalar)}"
            parts.append(number if stride == 1 else f"{stride} * {number}")
        return f"{self.parameters[access.parameter]}[{' + '.join(parts)}]"

    def statements(self, statements: Sequence[Statement]) -> None:
        """Writes statements in order."""
        for statement in statements:
            if isinstance(statement, Loop):
                self.loop(statement)
            elif isinstance(statement, Store):
                self.store(statement)
            else:
                self.pure(statement)

    def pure(self, statement: Statement) -> None:
        """Writes a statement that defines scalars and has no other effect."""
        if isinstance(statement, Constant):
            self.declare(statement.result, self.language.literal(statement.value, statement.result.dtype))
        elif isinstance(statement, IndexValue):
            self.declare(statement.result, self.number(statement.of, statement.result.dtype))
        elif isinstance(statement, Inside):
            self.declare(statement.result, self.inside(statement))
        elif isinstance(statement, Load):
            self.load(statement)
        elif isinstance(statement, Compute):
            self.compute(statement)
        else:
            raise OlympusInternalError(f"{type(statement).__name__} defines no scalar")

    def number(self, affine: Affine, dtype: np.dtype) -> str:
        """An affine expression converted to an element type."""
        text = self.affine(affine)
        if dtypes.is_integer(dtype):
            return f"({self.language.register_type(dtype)})({text})"
        return self.language.number(text, dtype)

    def inside(self, statement: Inside) -> str:
        """The condition that an affine expression lies in a range."""
        text = self.affine(statement.of)
        return f"{text} >= {statement.low} && {text} < {statement.high}"

    def load(self, load: Load) -> None:
        """Writes a load from memory, or from a register that holds the element already."""
        if load in self.given:
            self.declare(load.result, self.language.loaded(self.given[load], load.parameter.dtype))
            return
        value = self.language.loaded(self.element(load), load.parameter.dtype)
        if load.when is not None:
            zero = self.language.literal(np.zeros((), load.result.dtype)[()], load.result.dtype)
            value = f"{self.scalar(load.when)} ? {value} : {zero}"
        self.declare(load.result, value)

    def store(self, store: Store, only: str = "") -> None:
        """Writes a store to memory, or to a register that is stored later."""
        dtype = store.parameter.dtype
        target = self.given.get(store) or self.element(store)
        value = self.scalar(store.value)
        if store.combine is not None:
            value = self.language.combined(store.combine, dtype, self.language.loaded(target, dtype), value)
        conditions = [*([only] if only else []), *([self.scalar(store.when)] if store.when is not None else [])]
        if store in self.given:
            conditions = []
        head = f"if ({' && '.join(conditions)}) " if conditions else ""
        self.line(f"{head}{target} = {self.language.stored(value, dtype)};")

    def compute(self, statement: Compute) -> None:
        """Writes an elementwise operation."""
        name, operands = statement.record.name, [self.scalar(s) for s in statement.operands]
        types = [s.dtype for s in statement.operands]
        if len(statement.results) > 1:  # a function that is given where its results go
            for scalar in statement.results:
                self.line(f"{self.language.register_type(scalar.dtype)} {self.scalar(scalar)};")
            operands += [self.language.given(self.scalar(s)) for s in statement.results]
            self.line(f"{self.language.function_of(name, types[0])}({', '.join(operands)});")
            return
        (result,) = statement.results
        self.declare(result, self.language.expression(name, operands, types, result.dtype))

    def loop(self, loop: Loop) -> None:
        """Writes a loop that one thread executes."""
        emitter = self.loop_emitters.get(id(loop))
        if emitter is not None:
            emitter(loop)
            return
        for reduction in loop.reductions:
            self.declare(reduction.result, self.start(reduction), const=False)
        for recurrence in loop.recurrences:
            self.declare(recurrence.result, self.scalar(recurrence.initial), const=False)
        with self.block(self.header(loop)):
            self.iteration(loop)
        self.closed(loop)

    def iteration(self, loop: Loop) -> None:
        """Writes one iteration of a loop, with the updates of its recurrences and reductions."""
        for recurrence in loop.recurrences:
            self.declare(recurrence.inside, self.scalar(recurrence.result))
        self.statements(loop.body)
        self.carried(loop)

    def start(self, reduction: Reduction) -> str:
        """The initial value of a reduction; the identity for narrow types, which combine theirs at the end."""
        dtype = reduction.result.dtype
        if is_narrow(dtype):
            return self.language.literal(neutral(reduction.operation, dtype), dtype)
        return self.scalar(reduction.initial)

    def header(self, loop: Loop) -> str:
        """The header of a loop."""
        name = self.index(loop.index)
        until = f" && {self.condition(loop.until)}" if loop.until is not None else ""
        return f"for ({self.index_type} {name} = 0; {name} < {loop.extent}{until}; ++{name})"

    def carried(self, loop: Loop) -> None:
        """Writes the updates of reductions and recurrences at the end of an iteration."""
        for reduction in loop.reductions:
            self.accumulate(reduction.operation, reduction.result, reduction.contribution)
        for recurrence in loop.recurrences:
            self.line(f"{self.scalar(recurrence.result)} = {self.scalar(recurrence.following)};")

    def accumulate(self, operation: str, total: Scalar, term: Scalar, name: str = "") -> None:
        """Writes the accumulation of a term; sums of narrow types are rounded once, at the end of the loop."""
        name = name or self.scalar(total)
        value = self.language.combined(operation, total.dtype, name, self.scalar(term), rounded=False)
        self.line(f"{name} = {value};")

    def closed(self, loop: Loop) -> None:
        """Writes the end of a loop: sums of narrow types are combined with their initial value and rounded."""
        for reduction in loop.reductions:
            if is_narrow(reduction.result.dtype):
                name, dtype = self.scalar(reduction.result), reduction.result.dtype
                value = self.language.combined(reduction.operation, dtype, self.scalar(reduction.initial), name)
                self.line(f"{name} = {value};")
