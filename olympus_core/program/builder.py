# SPDX-License-Identifier: Apache-2.0
"""Building a program, one operation at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .program import Operation, Program, Value
from .record import OperationRecord
from .types import ArrayType


class ProgramBuilder:
    """Collects inputs and operations; result types come from the records' type rules.

    Args:
        name: The program's name.

    Example:
        >>> from olympus_core.ops import sin
        >>> builder = ProgramBuilder("f")
        >>> x = builder.input(ArrayType((4,), "float32"))
        >>> (y,) = builder.emit(sin, [x])
        >>> print(builder.finish([y]))
        program(%0: float32[4]) {
          %1: float32[4] = sin %0
          return %1
        }
    """

    def __init__(self, name: str = "program") -> None:
        self.name = name
        self.inputs: list[Value] = []
        self.operations: list[Operation] = []

    def input(self, type: ArrayType) -> Value:
        """Adds an input."""
        value = Value(type)
        self.inputs.append(value)
        return value

    def emit(
        self, record: OperationRecord, operands: Sequence[Value], attributes: Mapping[str, Any] | None = None,
        regions: Sequence[Program] = (), location: str | None = None,
    ) -> tuple[Value, ...]:
        """Adds an operation; raises `OperandError` where its type rule refuses the operands."""
        attributes = attributes or {}
        results = tuple(map(Value, record.type_rule([v.type for v in operands], attributes, regions)))
        self.operations.append(Operation(record, tuple(operands), attributes, tuple(regions), results, location))
        return results

    def finish(self, outputs: Sequence[Value]) -> Program:
        """The program; operations that nobody needs are left out."""
        needed = {id(v) for v in outputs}
        kept: list[Operation] = []
        for operation in reversed(self.operations):
            if operation.has_effects or not needed.isdisjoint(map(id, operation.results)):
                kept.append(operation)
                needed.update(map(id, operation.operands))
        return Program(self.name, tuple(self.inputs), tuple(reversed(kept)), tuple(outputs))
