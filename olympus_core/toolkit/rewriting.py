"""What passes over a program's operations are written with: new operations, and what is known of values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from olympus_core import ops
from olympus_core.ops.sources import is_splat
from olympus_core.program import Operation, OperationRecord, Value

if TYPE_CHECKING:
    from .flatten import Flat


class Rewriting:
    """Operations that take another's place: one after the other, each with the types that its record gives.

    Args:
        location: The user's line that they stand for.
    """

    def __init__(self, location: str | None) -> None:
        self.location = location
        self.operations: list[Operation] = []

    def apply(self, record: OperationRecord, *operands: Value, **attributes: Any) -> Value:
        """The one result of a new operation."""
        (result,) = self.apply_all(record, *operands, **attributes)
        return result

    def apply_all(self, record: OperationRecord, *operands: Value, **attributes: Any) -> tuple[Value, ...]:
        """The results of a new operation."""
        types = record.type_rule([v.type for v in operands], attributes, ())
        results = tuple(map(Value, types))
        self.operations.append(Operation(record, operands, attributes, (), results, self.location))
        return results

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

    def splat(self, number: Any, shape: tuple[int, ...], dtype: np.dtype) -> Value:
        """One number, everywhere."""
        return self.broadcast(self.apply(ops.constant, value=np.asarray(number, dtype)), shape, ())


def splat_of(value: Value, makers: Mapping[Value, Operation]) -> np.ndarray | None:
    """The one number that all elements of a value are, without dimensions, if constants say so.

    Args:
        value: The value.
        makers: The operations that make values.
    """
    if not value.type.size:
        return None
    maker = makers.get(value)
    while maker is not None and maker.name in ("broadcast_in_dim", "reshape"):
        maker = makers.get(maker.operands[0])
    if maker is None or maker.name != "constant":
        return None
    array: np.ndarray = maker.attributes["value"]
    return array[(0,) * array.ndim].reshape(()) if is_splat(array) else None


def varying_values(flat: Flat) -> set[Value]:
    """What does not depend on constants alone; what does is computed once, by the operation table."""
    found = set(flat.inputs)
    for operation in flat.operations:
        if operation.has_effects or operation.regions or not found.isdisjoint(operation.operands):
            found.update(operation.results)
    return found
