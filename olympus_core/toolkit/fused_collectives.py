# SPDX-License-Identifier: Apache-2.0
"""Collectives among devices of one process as programs of their parts, so that they become kernels like the rest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from olympus_core import ops
from olympus_core.ops.reduce import combining
from olympus_core.program import ArrayType, Operation, OperationRecord, Reduction, Value

from .flatten import Flat
from .reduce import left_half, working_dtype


def local_program(collective: Operation, count: int) -> Flat | None:
    """The program that makes of all members' arrays the one that every member gets.

    Args:
        collective: The operation that each member runs.
        count: Number of members.

    Returns:
        The program; None for collectives that are not of this kind, and where there is nothing to do.
    """
    name, attributes, type = collective.name, collective.attributes, collective.operands[0].type
    if type.size == 0 or count < 2:
        return None
    builder = _Builder()
    members = tuple(Value(type) for _ in range(count))
    if name == "all_reduce":
        output = builder.reduced(members, attributes["reduction"])
    elif name == "all_gather":
        d = attributes["dimension"]
        shape = [*type.shape[:d], type.shape[d] * count, *type.shape[d + 1:]]
        output = builder.apply(ops.concatenate, members, ArrayType(shape, type.dtype), {"dimension": d})
    else:
        return None
    return Flat(members, tuple(builder.operations), (output,))


class _Builder:
    def __init__(self) -> None:
        self.operations: list[Operation] = []

    def apply(
        self, record: OperationRecord, operands: tuple[Value, ...], type: ArrayType,
        attributes: Mapping[str, Any] | None = None,
    ) -> Value:
        """The result of one more operation."""
        result = Value(type)
        self.operations.append(Operation(record, operands, attributes or {}, (), (result,)))
        return result

    def reduced(self, members: tuple[Value, ...], reduction: Reduction) -> Value:
        """The members' reduction, in the order of the tree that every transport keeps."""
        type = members[0].type
        wide = ArrayType(type.shape, working_dtype(type.dtype))
        record = combining(reduction, type.dtype)

        def tree(start: int, stop: int) -> Value:
            if stop - start == 1:
                return self._converted(members[start], wide)
            middle = start + left_half(stop - start)
            return self.apply(record, (tree(start, middle), tree(middle, stop)), wide)

        return self._converted(tree(0, len(members)), type)

    def _converted(self, value: Value, type: ArrayType) -> Value:
        return value if value.type is type else self.apply(ops.convert, (value,), type, {"dtype": type.dtype})
