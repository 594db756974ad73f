# SPDX-License-Identifier: Apache-2.0
"""Matches GELU in its tanh form among multiplications and additions, in any order and association."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field

from olympus_core.program import Operation, Value
from olympus_core.toolkit.passes import Builder

_ROOT, _CUBE = math.sqrt(2 / math.pi), 0.044715
_MOST_FACTORS = 16


@dataclass(slots=True)
class _Factors:
    """A product of a number and values with multiplicities."""

    number: float = 1.0
    values: Counter[Value] = field(default_factory=Counter)


def gelu_of(operation: Operation, operands: tuple[Value, ...], new: Builder) -> Value | None:
    """The argument of a GELU, if an operation is one and nothing else uses the values between.

    Factors and terms may be in any order and association: this is a search, and not a pattern.

    Args:
        operation: A multiplication.
        operands: Its operands in the rewritten program.
        new: The rewritten program so far.

    Returns:
        x, where the operation computes ``0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3)))``; else None.
    """
    search = _Search(new)
    x = search.found(operation, operands)
    if x is None or any(new.uses[value] != count for value, count in search.taken.items()):
        return None
    return x


class _Search:
    def __init__(self, new: Builder) -> None:
        self.new, self.producers = new, new.producers
        self.taken: Counter[Value] = Counter()  # the uses of x and of the values between by the pattern

    def found(self, operation: Operation, operands: tuple[Value, ...]) -> Value | None:
        whole = self._factors(operands)
        self.taken.clear()
        if whole is None or sorted(whole.values.values()) != [1, 1] or not self._is(whole.number, 0.5, operation):
            return None
        first, second = whole.values
        for x, rest in ((first, second), (second, first)):
            self.taken.clear()
            self._factors(operands)
            if self._is_one_and_tanh(rest, x):
                return x
        return None

    def _is_one_and_tanh(self, value: Value, x: Value) -> bool:
        parts = self._sum(value)
        for one, tanh in (parts, parts[::-1]) if parts else ():
            producer = self.producers.get(tanh)
            if self._number(one) == 1.0 and producer is not None and producer.name == "tanh":
                self.taken[tanh] += 1
                return self._is_inner(producer.operands[0], x)
        return False

    def _is_inner(self, value: Value, x: Value) -> bool:
        """Whether a value is ``sqrt(2 / pi) (x + 0.044715 x^3)``."""
        self.taken[value] += 1
        scaled = self._product(value, x)
        if scaled is None or list(scaled.values.values()) != [1]:
            return False
        if not self._is(scaled.number, _ROOT, self.producers[value]):
            return False
        (total,) = scaled.values
        parts = self._sum(total)
        for plain, cube in (parts, parts[::-1]) if parts else ():
            if plain is x and cube is not x:
                self.taken[x] += 1
                self.taken[cube] += 1
                found = self._product(cube, x)
                return found is not None and found.values == Counter({x: 3}) and self._is(
                    found.number, _CUBE, self.producers[cube])
        return False

    def _product(self, value: Value, x: Value) -> _Factors | None:
        """The factors of a multiplication's result, with x as a factor; None where it is not a multiplication."""
        producer = self.producers.get(value)
        if value is x or producer is None or producer.name != "mul":
            return None
        return self._factors(producer.operands, stop=x)

    def _factors(self, values: tuple[Value, ...], stop: Value | None = None) -> _Factors | None:
        """The product of values; uses of the multiplications within it are counted."""
        found, open_, steps = _Factors(), [*values], 0
        while open_:
            one = open_.pop()
            number, producer = self._number(one), self.producers.get(one)
            steps += 1
            if steps > 2 * _MOST_FACTORS:
                return None
            if number is not None:
                found.number *= number
                continue
            self.taken[one] += 1
            if one is not stop and producer is not None and producer.name == "mul":
                open_ += producer.operands
            else:
                found.values[one] += 1
        return found

    def _sum(self, value: Value) -> tuple[Value, ...]:
        producer = self.producers.get(value)
        return producer.operands if producer is not None and producer.name == "add" else ()

    def _number(self, value: Value) -> float | None:
        """The number that a value is everywhere, or None."""
        number = self.new.splat_of(value)
        return None if number is None else float(number)

    @staticmethod
    def _is(number: float, wanted: float, operation: Operation) -> bool:
        """Whether a number equals another one as rounded to the element type."""
        held = float(operation.results[0].type.dtype.type(wanted))
        return abs(number - held) <= 1e-6 * held
