# SPDX-License-Identifier: Apache-2.0
"""Writes a program's operations one after the other, and knows what makes each value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from olympus_core import ops
from olympus_core.ops.sources import is_splat
from olympus_core.program import Operation, OperationRecord, Value

_PURE = frozenset({
    "elementwise", "structure", "reduction", "cumulative", "contraction", "fourier", "indexing", "linear_algebra",
    "random"})


class Builder:
    """Operations, each with the types that its record gives.

    Args:
        inputs: The values that are given.
        simplifies: Whether an operation is written once however often it is asked for, and numbers that are the same
            everywhere are computed instead of written.

    Attributes:
        operations: What was written.
        producers: The operation that makes each value.
        uses: How often the program before the pass takes a value, or what it was before.
        location: The user's line that new operations stand for.
    """

    def __init__(self, inputs: Iterable[Value] = (), simplifies: bool = False) -> None:
        self.operations: list[Operation] = []
        self.producers: dict[Value, Operation] = {}
        self.uses: Counter[Value] = Counter()
        self.location: str | None = None
        self._varying = set(inputs)
        self._simplifies = simplifies
        self._known: dict[Any, tuple[Value, ...]] = {}

    def make(self, record: OperationRecord, *operands: Value, **attributes: Any) -> Operation:
        """An operation that is not written yet."""
        types = record.type_rule([v.type for v in operands], attributes, ())
        return Operation(record, operands, attributes, (), tuple(map(Value, types)), self.location)

    def emit(self, operation: Operation) -> tuple[Value, ...]:
        """Writes an operation; gives its results, or what is known to be the same."""
        key = None
        if self._simplifies:
            folded = self._folded(operation)
            if folded is not None:
                operation = Operation(ops.constant, (), {"value": folded}, (), operation.results, operation.location)
            key = operation_key(operation)
            if key is not None and key in self._known:
                return self._known[key]
        self.operations.append(operation)
        for value in operation.results:
            self.producers[value] = operation
        if not self._varying.isdisjoint(operation.operands) or operation.regions or operation.has_effects:
            self._varying.update(operation.results)
        if key is not None:
            self._known[key] = operation.results
        return operation.results

    def apply(self, record: OperationRecord, *operands: Value, **attributes: Any) -> Value:
        """The one result of a new operation."""
        (result,) = self.emit(self.make(record, *operands, **attributes))
        return result

    def apply_all(self, record: OperationRecord, *operands: Value, **attributes: Any) -> tuple[Value, ...]:
        """The results of a new operation."""
        return self.emit(self.make(record, *operands, **attributes))

    def copy(self, operation: Operation, operands: tuple[Value, ...]) -> tuple[Value, ...]:
        """Writes an operation of the program before, with these operands."""
        if operands != operation.operands:
            results = tuple(Value(v.type) for v in operation.results)
            operation = Operation(
                operation.record, operands, operation.attributes, operation.regions, results, operation.location)
        return self.emit(operation)

    def convert(self, x: Value, dtype: np.dtype) -> Value:
        """The value in another element type."""
        return x if x.type.dtype == dtype else self.apply(ops.convert, x, dtype=dtype)

    def reshape(self, x: Value, shape: Sequence[int]) -> Value:
        """The value in another shape."""
        producer = self.producers.get(x)
        x = producer.operands[0] if producer is not None and producer.name == "reshape" else x
        return x if x.type.shape == tuple(shape) else self.apply(ops.reshape, x, shape=tuple(shape))

    def transpose(self, x: Value, permutation: tuple[int, ...]) -> Value:
        """The value with its dimensions in another order."""
        if permutation == tuple(range(x.type.ndim)):
            return x
        return self.apply(ops.transpose, x, permutation=permutation)

    def broadcast(self, x: Value, shape: Sequence[int], dimensions: Sequence[int]) -> Value:
        """The value along more dimensions."""
        return self.apply(ops.broadcast_in_dim, x, shape=tuple(shape), dimensions=tuple(dimensions))

    def splat(self, number: Any, shape: Sequence[int], dtype: np.dtype | None = None) -> Value:
        """A constant: one number, everywhere; of its own element type where none is given."""
        return self.apply(ops.constant, value=np.broadcast_to(np.asarray(number, dtype), tuple(shape)))

    def producer(self, value: Value) -> Operation | None:
        """The operation that makes a value; None for an input."""
        return self.producers.get(value)

    def splat_of(self, value: Value) -> np.ndarray | None:
        """The one number that all elements of a value are, without dimensions, if constants say so."""
        return splat_of(value, self.producers)

    def varies(self, values: Iterable[Value]) -> bool:
        """Whether some value depends on more than constants: what does not is computed once, by the operation table."""
        return not self._varying.isdisjoint(values)

    def _folded(self, operation: Operation) -> np.ndarray | None:
        if operation.record.category != "elementwise" and operation.name not in ("broadcast_in_dim", "reshape"):
            return None
        splats = [self.splat_of(v) for v in operation.operands]
        found = [x for x in splats if x is not None]
        if len(found) != len(splats) or len(operation.results) > 1 or operation.record.reference is None:
            return None
        if not operation.results[0].type.size:
            return None
        if operation.record.category == "elementwise":
            found = list(operation.record.reference(found, operation.attributes))
        return np.broadcast_to(found[0], operation.results[0].type.shape)


def splat_of(value: Value, producers: Mapping[Value, Operation]) -> np.ndarray | None:
    """The one number that all elements of a value are, without dimensions, if constants say so.

    Args:
        value: The value.
        producers: The operations that make values.
    """
    if not value.type.size:
        return None
    producer = producers.get(value)
    while producer is not None and producer.name in ("broadcast_in_dim", "reshape"):
        producer = producers.get(producer.operands[0])
    if producer is None or producer.name != "constant":
        return None
    array: np.ndarray = producer.attributes["value"]
    return array[(0,) * array.ndim].reshape(()) if is_splat(array) else None


def operation_key(operation: Operation) -> Any:
    """What is equal for operations with the same results; None where that is not known or not worth knowing."""
    if operation.name == "constant":
        value = operation.attributes["value"]
        if value.size and is_splat(value):
            return "splat", value.shape, value.dtype, value[(0,) * value.ndim].tobytes()
        return ("constant", value.shape, value.dtype, value.tobytes()) if value.size <= 64 else None
    if operation.record.category not in _PURE or operation.regions or operation.name in ("gather", "iota"):
        return None
    return operation.record, operation.operands, tuple(sorted(operation.attributes.items()))
