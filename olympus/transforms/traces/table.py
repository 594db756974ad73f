# SPDX-License-Identifier: Apache-2.0
"""The table of rules: for each operation its derivative (forward, and transposed where it is linear) and its batching.

The rules themselves are in `../rules`, one file for a family of operations; importing that package fills the table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from olympus_core.dataclass import dataclass
from olympus_core.errors import OlympusInternalError
from olympus_core.program import OperationRecord, Program

from ...tracing import Aval, Trace, aval_of, bind
from .arithmetic import zeros
from .dimensions import repeated


@dataclass(slots=True)
class JvpCall:
    """One operation on values of which some have tangents.

    Args:
        record: The operation.
        primals: The operands.
        tangents: Their tangents, of the same types; None for zero.
        attributes: The operation's attributes.
        regions: Its regions.
        weak: Whether results are weakly typed.
        forward: Whether the tangents are for forward mode only, never to be transposed.
    """

    record: OperationRecord
    primals: Sequence[Any]
    tangents: Sequence[Any]
    attributes: Mapping[str, Any]
    regions: Sequence[Program]
    weak: bool | None
    forward: bool

    def instantiated(self, *positions: int) -> list[Any]:
        """The tangents of some operands, zeros as arrays."""
        return [zeros(aval_of(self.primals[i])) if self.tangents[i] is None else self.tangents[i] for i in positions]


@dataclass(slots=True)
class TransposeCall:
    """One linear operation in the backward pass.

    Args:
        record: The operation.
        operands: What it was applied to; of linear operands only the type is known.
        linear: Which operands it is linear in.
        avals: What is known of the operands.
        results: What is known of the results.
        attributes: The operation's attributes.
        regions: Its regions.
        cotangents: Those of the results; None for zero.
    """

    record: OperationRecord
    operands: Sequence[Any]
    linear: Sequence[bool]
    avals: Sequence[Aval]
    results: Sequence[Aval]
    attributes: Mapping[str, Any]
    regions: Sequence[Program]
    cotangents: Sequence[Any]

    @property
    def cotangent(self) -> Any:
        """The cotangent of the only result."""
        return self.cotangents[0]


Terms = Sequence[Any]  # the coefficients of t, t**2 and so on of a Taylor series; None for zero


@dataclass(frozen=True, slots=True)
class SeriesCall:
    """One operation on values of which some have further terms of a Taylor series. Rules bind in the trace around.

    Args:
        record: The operation.
        values: The first terms of the operands.
        terms: Their further terms; of those that have any, as many as the order.
        order: How many further terms results have.
        attributes: The operation's attributes.
        weak: Whether results are weakly typed.
    """

    record: OperationRecord
    values: Sequence[Any]
    terms: Sequence[Terms]
    order: int
    attributes: Mapping[str, Any]
    weak: bool | None

    def term(self, i: int, k: int) -> Any:
        """The coefficient of the k-th power in an operand; None for zero."""
        return self.values[i] if not k else self.terms[i][k - 1] if self.terms[i] else None


class MappedDimension(Trace, Protocol):
    """What a batching rule may ask of the batching trace.

    Attributes:
        size: How many indices the mapped dimension has.
        key: What stands in collectives' groups for it; None where it has no name.
        mesh_axes: The mesh axes over which it is split, where that is known.
        is_eager: Whether operations run at once, with nothing but mapped dimensions in between.
    """

    size: int
    key: str | None
    mesh_axes: tuple[str, ...]
    is_eager: bool

    def inner(self, parent: Trace, size: int | None = None) -> MappedDimension:
        """The trace of the same dimension for the inside of a region."""

    def wrap(self, value: Any, weak: bool | None = None) -> Any:
        """One index's value of an array with the mapped dimension in front."""

    def unwrap(self, operand: Any) -> tuple[Any, bool]:
        """The value behind an operand, and whether the mapped dimension stands in front of it."""

    def close(self) -> None:
        """Ends the trace."""


Batched = list[tuple[Any, bool]]  # results, each with whether the mapped dimension stands in front of it


@dataclass(frozen=True, slots=True)
class BatchingCall:
    """One operation on values of which some carry a mapped dimension in front. Rules bind in the trace around.

    Args:
        trace: The batching trace.
        record: The operation.
        values: Its operands; the mapped dimension stands in front of those that have it.
        batched: Which of them have it.
        attributes: The operation's attributes, for one index.
        regions: Its regions, likewise.
        weak: Whether its results' element types are weak.
    """

    trace: MappedDimension
    record: OperationRecord
    values: Sequence[Any]
    batched: Sequence[bool]
    attributes: Mapping[str, Any]
    regions: Sequence[Program]
    weak: bool

    @property
    def size(self) -> int:
        """How many indices the mapped dimension has."""
        return self.trace.size

    def ndim(self, i: int) -> int:
        """The number of dimensions of one index's value of an operand."""
        return aval_of(self.values[i]).ndim - self.batched[i]

    def front(self, i: int) -> Any:
        """An operand with the mapped dimension in front, repeated along it where it has none."""
        return self.values[i] if self.batched[i] else repeated(self.values[i], self.size)

    def bind(self, *values: Any, **changed: Any) -> Any:
        """The same operation on other values, with other attributes where they are given."""
        return bind(self.record, *values, weak=self.weak, **{**self.attributes, **changed})

    def shifted(self, *names: str) -> dict[str, tuple[int, ...]]:
        """Attributes that list dimensions, for values with the mapped one in front."""
        return {name: tuple(d + 1 for d in self.attributes[name]) for name in names}


def all_batched(*values: Any) -> Batched:
    """Results that all carry the mapped dimension."""
    return [(value, True) for value in values]


@dataclass(frozen=True, slots=True)
class Separated:
    """An operation of which some results depend on no tangent.

    Args:
        results: Those results, computed; None for those that depend on tangents.
        operands: Operands of what is left: the same operation for the other results.
        attributes: Its attributes.
        regions: Its regions.
    """

    results: Sequence[Any]
    operands: Sequence[Any]
    attributes: Mapping[str, Any]
    regions: Sequence[Program]


Jvp = tuple[Sequence[Any], Sequence[Any]]  # results, and their tangents (None: zero)
JvpRule = Callable[[JvpCall], Jvp]
TransposeRule = Callable[[TransposeCall], Sequence[Any]]  # gives a cotangent for each operand (None: zero)
Rewrite = Callable[[Sequence[Any], Mapping[str, Any], Sequence[Program]], Sequence[Any]]
# Operands, which of them are tangents, attributes and regions; gives None where all results depend on tangents.
Separation = Callable[[Sequence[Any], Sequence[bool], Mapping[str, Any], Sequence[Program]], Separated | None]
BatchingRule = Callable[[BatchingCall], Batched]
SeriesRule = Callable[[SeriesCall], Terms | None]  # the terms of the only result from the first; None: as any other


@dataclass(slots=True)
class Rules:
    """The rules of one operation. Its derivative is exactly one of `jvp`, `rewrite` and `is_constant`.

    Attributes:
        jvp: Results and tangents of a call.
        rewrite: The same function in terms of operations that have a derivative.
        is_constant: Whether results have no tangents: integers, bools, steps.
        transpose: Cotangents of the operands in which the operation is linear.
        separation: What of the operation depends on no tangent, so that it is computed and not recorded.
        batching: The operation for all indices of a mapped dimension.
        series: The Taylor series of the result, where a recurrence is shorter than what follows from `jvp`.
        is_external: Whether a library has registered the operation; it may lack rules.
    """

    jvp: JvpRule | None = None
    rewrite: Rewrite | None = None
    is_constant: bool = False
    transpose: TransposeRule | None = None
    separation: Separation | None = None
    batching: BatchingRule | None = None
    series: SeriesRule | None = None
    is_external: bool = False

    def fill(self, name: str, field: str, rule: Any) -> None:
        """Sets a rule, once."""
        if getattr(self, field):
            raise OlympusInternalError(f"operation {name} has two rules for {field}")
        setattr(self, field, rule)


RULES: dict[str, Rules] = {}
NO_RULES = Rules()  # of operations that are not in the table


def _fill(records: Sequence[OperationRecord], field: str, rule: Any) -> Any:
    for record in records:
        RULES.setdefault(record.name, Rules()).fill(record.name, field, rule)
    return rule


def jvp_rule(*records: OperationRecord) -> Callable[[JvpRule], JvpRule]:
    """Registers the forward derivative of operations."""
    return lambda rule: _fill(records, "jvp", rule)


def rewrite_rule(*records: OperationRecord) -> Callable[[Rewrite], Rewrite]:
    """Registers a function that is differentiated in an operation's stead."""
    return lambda rule: _fill(records, "rewrite", rule)


def no_tangent(*records: OperationRecord) -> None:
    """Declares results to have no tangents."""
    _fill(records, "is_constant", True)


def transpose_rule(*records: OperationRecord) -> Callable[[TransposeRule], TransposeRule]:
    """Registers how cotangents go through operations where these are linear."""
    return lambda rule: _fill(records, "transpose", rule)


def separation(*records: OperationRecord) -> Callable[[Separation], Separation]:
    """Registers what of operations depends on no tangent."""
    return lambda rule: _fill(records, "separation", rule)


def batching_rule(*records: OperationRecord) -> Callable[[BatchingRule], BatchingRule]:
    """Registers how operations are done for all indices of a mapped dimension."""
    return lambda rule: _fill(records, "batching", rule)


def series_rule(*records: OperationRecord) -> Callable[[SeriesRule], SeriesRule]:
    """Registers a recurrence for the Taylor series of operations' results."""
    return lambda rule: _fill(records, "series", rule)
