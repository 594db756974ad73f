"""Operations for rewritten programs: one after the other, each with the types that its record gives."""

from __future__ import annotations

from typing import Any

import numpy as np

from olympus_core import ops
from olympus_core.program import Operation, OperationRecord, Value


class Rewriting:
    """Operations that take another's place.

    Args:
        location: The user's line that they stand for.
    """

    def __init__(self, location: str | None) -> None:
        self.location = location
        self.operations: list[Operation] = []

    def apply(self, record: OperationRecord, *operands: Value, **attributes: Any) -> Value:
        """The one result of a new operation."""
        (type_,) = record.type_rule([v.type for v in operands], attributes, ())
        result = Value(type_)
        self.operations.append(Operation(record, operands, attributes, (), (result,), self.location))
        return result

    def last_is(self, result: Value) -> list[Operation]:
        """The operations, with the value that they are written for as the last one's result."""
        last = self.operations[-1]
        self.operations[-1] = Operation(
            last.record, last.operands, last.attributes, last.regions, (result,), self.location)
        return self.operations

    def convert(self, x: Value, dtype: np.dtype) -> Value:
        """The value in another element type."""
        return x if x.type.dtype == dtype else self.apply(ops.convert, x, dtype=dtype)

    def transpose(self, x: Value, permutation: tuple[int, ...]) -> Value:
        """The value with its dimensions in another order."""
        if permutation == tuple(range(x.type.ndim)):
            return x
        return self.apply(ops.transpose, x, permutation=permutation)

    def broadcast(self, x: Value, shape: tuple[int, ...], dimensions: tuple[int, ...]) -> Value:
        """The value along more dimensions."""
        return self.apply(ops.broadcast_in_dim, x, shape=shape, dimensions=dimensions)
