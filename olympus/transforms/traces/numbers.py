# SPDX-License-Identifier: Apache-2.0
"""Arrays with operators, for rules whose formulas are longer than a few operations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from olympus_core import ops
from olympus_core.program import OperationRecord

from .arithmetic import apply, like, select


class Number:
    """An array with operators; numbers beside it take its shape and element type."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def _with(self, record: OperationRecord, other: Any, turned: bool = False) -> Number:
        found = other.value if isinstance(other, Number) else like(self.value, other)
        return Number(apply(record, found, self.value) if turned else apply(record, self.value, found))

    def __add__(self, other: Any) -> Number:
        return self._with(ops.add, other)

    def __sub__(self, other: Any) -> Number:
        return self._with(ops.sub, other)

    def __rsub__(self, other: Any) -> Number:
        return self._with(ops.sub, other, turned=True)

    def __mul__(self, other: Any) -> Number:
        return self._with(ops.mul, other)

    def __truediv__(self, other: Any) -> Number:
        return self._with(ops.div, other)

    def __rtruediv__(self, other: Any) -> Number:
        return self._with(ops.div, other, turned=True)

    def __lt__(self, other: Any) -> Number:
        return self._with(ops.lt, other)

    def __ge__(self, other: Any) -> Number:
        return self._with(ops.ge, other)

    def __gt__(self, other: Any) -> Number:
        return self._with(ops.gt, other)

    def equals(self, other: Any) -> Number:
        """Where it is equal to another."""
        return self._with(ops.eq, other)

    def __and__(self, other: Number) -> Number:
        return self._with(ops.and_, other)

    def __or__(self, other: Number) -> Number:
        return self._with(ops.or_, other)

    def __invert__(self) -> Number:
        return Number(apply(ops.not_, self.value))


def unary(record: OperationRecord) -> Callable[[Number], Number]:
    """An operation of one operand."""
    return lambda x: Number(apply(record, x.value))


def where(condition: Number, x: Any, y: Any) -> Number:
    """Each element from one of two arrays, of which one may be a Python number."""
    shape = x if isinstance(x, Number) else y
    first, second = (v if isinstance(v, Number) else Number(like(shape.value, v)) for v in (x, y))
    return Number(select(condition.value, first.value, second.value))
