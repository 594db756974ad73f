"""The table of rules: for each operation how tangents go forward through it and, if linear, how cotangents go back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from olympus_core import dtypes
from olympus_core.program import OperationRecord, Program

from ...tracing import Aval


@dataclass(slots=True)
class Step:
    """One operation on values of which some have tangents. A rule gives (results, their tangents; None: zero).

    Args:
        record: The operation.
        primals: The operands.
        tangents: Their tangents, of the same types; None for zero.
        attributes: The operation's attributes.
        regions: Its regions.
        weak: Whether results are weakly typed.
        forward: Whether tangents go forward only, never to be transposed.
    """

    record: OperationRecord
    primals: Sequence[Any]
    tangents: Sequence[Any]
    attributes: Mapping[str, Any]
    regions: Sequence[Program]
    weak: bool | None
    forward: bool


@dataclass(slots=True)
class Transposition:
    """One linear operation, to be gone through backwards. A rule gives a cotangent for each operand (None: zero).

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


Forward = Callable[[Step], tuple[Sequence[Any], Sequence[Any]]]
Backward = Callable[[Transposition], Sequence[Any]]
Rewrite = Callable[[Sequence[Any], Mapping[str, Any], Sequence[Program]], Sequence[Any]]

FORWARD: dict[str, Forward] = {}
BACKWARD: dict[str, Backward] = {}
REWRITES: dict[str, Rewrite] = {}  # the same in terms of operations that have rules
CONSTANT: set[str] = set()  # results without tangents: whole numbers, truth values, steps
REFUSED: dict[str, tuple[str, str]] = {}  # why, and what to do instead


def forward(*records: OperationRecord) -> Callable[[Forward], Forward]:
    """Registers how tangents go through operations."""
    def register(rule: Forward) -> Forward:
        FORWARD.update((record.name, rule) for record in records)
        return rule

    return register


def backward(*records: OperationRecord) -> Callable[[Backward], Backward]:
    """Registers how cotangents go back through operations where these are linear."""
    def register(rule: Backward) -> Backward:
        BACKWARD.update((record.name, rule) for record in records)
        return rule

    return register


def rewrite(*records: OperationRecord) -> Callable[[Rewrite], Rewrite]:
    """Registers a function that is differentiated in an operation's stead."""
    def register(rule: Rewrite) -> Rewrite:
        REWRITES.update((record.name, rule) for record in records)
        return rule

    return register


def constant(*records: OperationRecord) -> None:
    """Declares results to have no tangents."""
    CONSTANT.update(record.name for record in records)


def refuse(record: OperationRecord, reason: str, fix: str) -> None:
    """Declares an operation to have no derivative here."""
    REFUSED[record.name] = (reason, fix)


def has_tangent(aval: Aval) -> bool:
    """Whether values of this type have tangents: real and complex numbers have, integers and truth values have not."""
    return dtypes.is_float(aval.dtype) or dtypes.is_complex(aval.dtype)
