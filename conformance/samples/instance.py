# SPDX-License-Identifier: Apache-2.0
"""One operation on arrays, and the program of many."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.errors import OperandError
from olympus_core.ops import HostFunction
from olympus_core.program import ArrayType, OperationRecord, Program, ProgramBuilder, Value, run_members

from . import values


@dataclass(frozen=True, slots=True, eq=False)
class Instance:
    """One operation on arrays.

    Args:
        record: The operation.
        operands: Its operands.
        attributes: Its attributes.
        regions: Its regions.
    """

    record: OperationRecord
    operands: Sequence[np.ndarray] = ()
    attributes: Mapping[str, Any] = field(default_factory=dict)
    regions: Sequence[Program] = ()

    @property
    def operand_types(self) -> tuple[ArrayType, ...]:
        """The operands' types."""
        return tuple(ArrayType(x.shape, x.dtype) for x in self.operands)

    def result_types(self) -> tuple[ArrayType, ...]:
        """The results' types; raises `OperandError` where the operation does not take the operands."""
        return tuple(self.record.type_rule(self.operand_types, self.attributes, self.regions))

    def is_accepted(self) -> bool:
        """Whether the operation takes the operands."""
        try:
            self.result_types()
        except OperandError:
            return False
        return True

    def dtypes(self) -> frozenset[np.dtype]:
        """The element types of operands and results."""
        return frozenset(type.dtype for type in (*self.operand_types, *self.result_types()))

    def reference(self) -> list[np.ndarray]:
        """What it gives on one device, by the records' meaning."""
        if self.record.reference is not None:
            return [np.asarray(y) for y in self.record.reference(list(self.operands), self.attributes)]
        with np.errstate(all="ignore"):
            return [column[0] for column in run_members(program_of([self]), [[x] for x in self.operands], (0,))]

    def __str__(self) -> str:
        operands = ", ".join(map(str, self.operand_types))
        attributes = ", ".join(f"{key}={_shown(value)}" for key, value in self.attributes.items())
        return f"{self.record.name}({operands})" + (f" with {attributes}" if attributes else "")


class Draw:
    """Where instances get their arrays from.

    Args:
        seed: The same numbers for the same seed; None for arrays of zeros, where types are all that counts.
        denormals: Whether numbers below the least normal one are drawn among special ones.
    """

    def __init__(self, seed: int | None, denormals: bool = False) -> None:
        self.source = None if seed is None else np.random.default_rng(seed)
        self.denormals = denormals

    def plain(self, shape: Sequence[int], dtype: np.dtype) -> np.ndarray:
        """Numbers of a size with which one calculates; whole ranges of integers in every other array."""
        if self.source is None:
            return np.zeros(tuple(shape), dtype)
        type_ = ArrayType(shape, dtype)
        found = values.calm(self.source, type_)
        if dtypes.is_integer(dtype) and self.source.random() < 0.5:
            found = np.frombuffer(self.source.bytes(type_.nbytes), dtype).reshape(type_.shape)
        if dtypes.is_float(dtype):
            sizes = np.exp2(self.source.uniform(-8, 8, type_.shape)) * self.source.choice([-1, 1], type_.shape)
            found = np.where(self.source.random(type_.shape) < 0.3, sizes, found.astype(np.float64)).astype(dtype)
            found = np.where(values.is_denormal(found), np.zeros((), dtype), found)
        return np.asarray(found)

    def calm(self, shape: Sequence[int], dtype: np.dtype) -> np.ndarray:
        """Numbers of about one size, small integers: what one adds and multiplies many of."""
        if self.source is None:
            return np.zeros(tuple(shape), dtype)
        return values.calm(self.source, ArrayType(shape, dtype))

    def wild(self, shape: Sequence[int], dtype: np.dtype, denormals: bool = True) -> np.ndarray:
        """Special numbers among plain ones: for operations that only move elements."""
        if self.source is None:
            return np.zeros(tuple(shape), dtype)
        return values.wild(self.source, ArrayType(shape, dtype), denormals)

    def uniform(self, shape: Sequence[int], dtype: np.dtype, low: float, high: float) -> np.ndarray:
        """Real numbers between two bounds."""
        if self.source is None:
            return np.zeros(tuple(shape), dtype)
        return np.asarray(self.source.uniform(low, high, tuple(shape))).astype(dtype)

    def integers(self, shape: Sequence[int], dtype: np.dtype, low: int, high: int) -> np.ndarray:
        """Integers from `low` to below `high`."""
        if self.source is None:
            return np.zeros(tuple(shape), dtype)
        return np.asarray(self.source.integers(low, high, tuple(shape))).astype(dtype)


def program_of(instances: Sequence[Instance], name: str = "operations") -> Program:
    """The program of all instances, each on inputs of its own."""
    builder = ProgramBuilder(name)
    outputs: list[Value] = []
    for instance in instances:
        inputs = [builder.input(type_) for type_ in instance.operand_types]
        outputs += builder.emit(instance.record, inputs, instance.attributes, instance.regions)
    return builder.finish(outputs)


def inputs_of(instances: Sequence[Instance]) -> list[np.ndarray]:
    """The inputs of the instances' program."""
    return [np.ascontiguousarray(x).reshape(x.shape) for instance in instances for x in instance.operands]


def results_of(instances: Sequence[Instance], outputs: Sequence[np.ndarray]) -> Iterator[list[np.ndarray]]:
    """The outputs of the instances' program, for each instance its own."""
    rest = iter(outputs)
    return ([next(rest) for _ in instance.result_types()] for instance in instances)


def _shown(value: object) -> str:
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{list(value.shape)}"
    return value.name if isinstance(value, (np.dtype, HostFunction)) else repr(value)
