"""What a batching rule is given: an operation, its values, and which of them carry the mapped dimension."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from olympus_core import ops
from olympus_core.program import OperationRecord, Program

from ...tracing import aval_of, bind

if TYPE_CHECKING:
    from .batching_trace import BatchingTrace

Result = tuple[Any, bool]  # a value, and whether the mapped dimension stands in front of it


@dataclass(frozen=True, slots=True)
class Call:
    """One operation in a batching trace. Rules bind in the trace around it.

    Args:
        trace: The batching trace.
        record: The operation.
        values: Its operands; the mapped dimension stands in front of those that have it.
        batched: Which of them have it.
        attributes: The operation's attributes, for one index.
        regions: Its regions, likewise.
        weak: Whether its results' element types are weak.
    """

    trace: BatchingTrace
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


def all_batched(*values: Any) -> list[Result]:
    """Results that all carry the mapped dimension."""
    return [(value, True) for value in values]


def repeated(value: Any, size: int) -> Any:
    """A value, the same for each index of a new dimension in front."""
    shape = aval_of(value).shape
    return bind(ops.broadcast_in_dim, value, shape=(size, *shape), dimensions=tuple(range(1, len(shape) + 1)))


def moved(value: Any, source: int, target: int) -> Any:
    """A value with one dimension at another place."""
    if source == target:
        return value
    order = [d for d in range(aval_of(value).ndim) if d != source]
    order.insert(target, source)
    return bind(ops.transpose, value, permutation=tuple(order))


def reshaped(value: Any, shape: Sequence[int]) -> Any:
    """A value in another shape."""
    return value if aval_of(value).shape == tuple(shape) else bind(ops.reshape, value, shape=tuple(shape))


def spread_to(value: Any, shape: Sequence[int], dimensions: Sequence[int]) -> Any:
    """A value repeated to a shape; its own dimensions become `dimensions`."""
    if aval_of(value).shape == tuple(shape):
        return value
    return bind(ops.broadcast_in_dim, value, shape=tuple(shape), dimensions=tuple(dimensions))


def constant(value: Any, dtype: Any) -> np.ndarray:
    """A constant operand."""
    return np.asarray(value).astype(dtype)
