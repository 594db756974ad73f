# SPDX-License-Identifier: Apache-2.0
"""Patterns: which operation, made of which operands, a rule is for.

A pattern is a tree. Its root is matched with an operation, its branches with the operations that made the operands::

    op("max", op("dot_general", bind="product", uses=1), splat(), commutes=True)

is the greater of a product that nothing else takes and of one number, in either order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from olympus_core.dataclass import dataclass, field
from olympus_core.program import Operation, Value

from .builder import Builder


@dataclass(frozen=True, slots=True)
class Pattern:
    """A value, and how it was made; written by `op`, `splat` and `anything`.

    Args:
        names: Names of the operations that may have made it; None: anything may have, an input is one, too.
        operands: Patterns of that operation's operands; none: they may be anything.
        bind: The name under which a match gives the value.
        uses: How often the program takes the value; None: however often.
        commutes: Whether the first two operands may stand in either order.
        is_splat: Whether all its elements must be one number that constants tell.
        where: What else must be true of the operation.
    """

    names: frozenset[str] | None
    operands: tuple[Pattern, ...] = ()
    bind: str = ""
    uses: int | None = None
    commutes: bool = False
    is_splat: bool = False
    where: Callable[[Operation], bool] | None = None

    def matches(self, match: Match, value: Value) -> bool:
        """Whether a value is what the pattern says; what is bound is noted in the match."""
        if self.uses is not None and match.builder.uses[value] != self.uses:
            return False
        if self.is_splat and match.builder.splat_of(value) is None:
            return False
        if self.bind:
            match.values[self.bind] = value
        if self.names is None:
            return True
        producer = match.builder.producer(value)
        return producer is not None and self.matches_operation(match, producer, producer.operands)

    def matches_operation(self, match: Match, operation: Operation, operands: tuple[Value, ...]) -> bool:
        """The same of the operation that makes the value, with these operands."""
        if self.names is not None and operation.name not in self.names:
            return False
        if self.where is not None and not self.where(operation):
            return False
        return not self.operands or any(
            len(self.operands) == len(order)
            and all(one.matches(match, value) for one, value in zip(self.operands, order, strict=True))
            for order in self._orders(operands)
        )

    def _orders(self, operands: tuple[Value, ...]) -> Iterator[tuple[Value, ...]]:
        yield operands
        if self.commutes:
            yield operands[1], operands[0], *operands[2:]


def op(
    names: str | Iterable[str], *operands: Pattern, bind: str = "", uses: int | None = None, commutes: bool = False,
    where: Callable[[Operation], bool] | None = None,
) -> Pattern:
    """The result of an operation.

    Args:
        names: The operation's name, or several of which it has one.
        operands: Patterns of its operands; none: they may be anything.
        bind: The name under which a match gives the value.
        uses: How often the program takes the value.
        commutes: Whether the first two operands may stand in either order.
        where: What else must be true of the operation.
    """
    found = frozenset((names,) if isinstance(names, str) else names)
    return Pattern(found, operands, bind, uses, commutes, where=where)


def splat(bind: str = "") -> Pattern:
    """One number everywhere, by constants."""
    return Pattern(None, bind=bind, is_splat=True)


def anything(bind: str = "") -> Pattern:
    """Any value."""
    return Pattern(None, bind=bind)


@dataclass(slots=True)
class Match:
    """An operation that a pattern was found for.

    Args:
        operation: The operation, as the program before the pass has it.
        operands: What its operands have become.
        builder: Where the replacement is written, and what is known of the program so far.
        values: What the pattern binds.
    """

    operation: Operation
    operands: tuple[Value, ...]
    builder: Builder
    values: dict[str, Value] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Value:
        return self.values[name]

    def producer(self, name: str) -> Operation:
        """The operation that made a value which the pattern binds."""
        return self.builder.producers[self.values[name]]

    def number(self, name: str) -> np.ndarray | None:
        """The one number that all elements of a value are, without dimensions, if constants say so."""
        return self.builder.splat_of(self.values[name])
