"""Finds GELU in its form with tanh among multiplications and additions, however they are ordered."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from olympus_core.program import Operation, Value
from olympus_core.toolkit.rewriting import splat_of

_ROOT, _CUBE = math.sqrt(2 / math.pi), 0.044715
_MOST_FACTORS = 16


@dataclass(slots=True)
class _Factors:
    """A product: a number times some values."""

    number: float = 1.0
    values: Counter[Value] = field(default_factory=Counter)


def gelu_of(operation: Operation, makers: Mapping[Value, Operation], uses: Mapping[Value, int]) -> Value | None:
    """What an operation is the GELU of, if it is one and nothing else takes that or what is between.

    Args:
        operation: A multiplication.
        makers: The operations that make values.
        uses: How often values are taken.

    Returns:
        x, where the operation gives ``0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3)))``; else None.
    """
    search = _Search(makers)
    x = search.found(operation)
    if x is None or any(uses[value] != count for value, count in search.taken.items()):
        return None
    return x


class _Search:
    def __init__(self, makers: Mapping[Value, Operation]) -> None:
        self.makers = makers
        self.taken: Counter[Value] = Counter()  # how often the pattern takes x and what is between

    def found(self, operation: Operation) -> Value | None:
        whole = self._factors(operation.results[0])
        self.taken.clear()
        if whole is None or sorted(whole.values.values()) != [1, 1] or not self._is(whole.number, 0.5, operation):
            return None
        first, second = whole.values
        for x, rest in ((first, second), (second, first)):
            self.taken.clear()
            self._factors(operation.results[0])
            if self._is_one_and_tanh(rest, x):
                return x
        return None

    def _is_one_and_tanh(self, value: Value, x: Value) -> bool:
        parts = self._sum(value)
        for one, tanh in (parts, parts[::-1]) if parts else ():
            maker = self.makers.get(tanh)
            if self._number(one) == 1.0 and maker is not None and maker.name == "tanh":
                self.taken[tanh] += 1
                return self._is_inner(maker.operands[0], x)
        return False

    def _is_inner(self, value: Value, x: Value) -> bool:
        """Whether a value is ``sqrt(2 / pi) (x + 0.044715 x^3)``."""
        self.taken[value] += 1
        scaled = self._factors(value, stop=x)
        if scaled is None or list(scaled.values.values()) != [1]:
            return False
        if not self._is(scaled.number, _ROOT, self.makers[value]):
            return False
        (total,) = scaled.values
        parts = self._sum(total)
        for plain, cube in (parts, parts[::-1]) if parts else ():
            if plain is x and cube is not x:
                self.taken[x] += 1
                self.taken[cube] += 1
                found = self._factors(cube, stop=x)
                return found is not None and found.values == Counter({x: 3}) and self._is(
                    found.number, _CUBE, self.makers[cube])
        return False

    def _factors(self, value: Value, stop: Value | None = None) -> _Factors | None:
        """A value as a product; multiplications that it consists of count as taken where they are operands."""
        found, open_, steps = _Factors(), [value], 0
        while open_:
            one = open_.pop()
            number, maker = self._number(one), self.makers.get(one)
            steps += 1
            if steps > 2 * _MOST_FACTORS:
                return None
            if one is not value and number is None:
                self.taken[one] += 1
            if number is not None:
                found.number *= number
            elif one is not stop and maker is not None and maker.name == "mul":
                open_ += maker.operands
            else:
                found.values[one] += 1
        return found

    def _sum(self, value: Value) -> tuple[Value, ...]:
        maker = self.makers.get(value)
        return maker.operands if maker is not None and maker.name == "add" else ()

    def _number(self, value: Value) -> float | None:
        """The number that a value is everywhere."""
        number = splat_of(value, self.makers)
        return None if number is None else float(number)

    @staticmethod
    def _is(number: float, wanted: float, operation: Operation) -> bool:
        """Whether a number is the one that is wanted, as the element type holds it."""
        held = float(operation.results[0].type.dtype.type(wanted))
        return abs(number - held) <= 1e-6 * held
