# SPDX-License-Identifier: Apache-2.0
"""`Number`: formulas of real numbers as Python writes them, each operation of which is one of StableHLO's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .writer import Name, Writer


@dataclass(frozen=True, slots=True, eq=False)
class Number:
    """An array of floats, or of truth values, in a formula.

    Args:
        writer: Where its operations are written.
        name: The value.
    """

    writer: Writer
    name: Name

    def apply(self, function: str, *others: Number | float) -> Number:
        """One of StableHLO's functions whose result is of this type, such as ``sine``."""
        return self._with(self.writer.same(function, self.name, *map(self._named, others)))

    def __add__(self, other: Number | float) -> Number:
        return self.apply("add", other)

    def __sub__(self, other: Number | float) -> Number:
        return self.apply("subtract", other)

    def __mul__(self, other: Number | float) -> Number:
        return self.apply("multiply", other)

    def __truediv__(self, other: Number | float) -> Number:
        return self.apply("divide", other)

    def __radd__(self, other: float) -> Number:
        return self.like(other) + self

    def __rsub__(self, other: float) -> Number:
        return self.like(other) - self

    def __rmul__(self, other: float) -> Number:
        return self.like(other) * self

    def __rtruediv__(self, other: float) -> Number:
        return self.like(other) / self

    def __neg__(self) -> Number:
        return self.apply("negate")

    def __abs__(self) -> Number:
        return self.apply("abs")

    def __lt__(self, other: Number | float) -> Number:
        return self._compared("LT", other)

    def __gt__(self, other: Number | float) -> Number:
        return self._compared("GT", other)

    def __ge__(self, other: Number | float) -> Number:
        return self._compared("GE", other)

    def equals(self, other: Number | float) -> Number:
        """Whether both are the same number; NaN is none."""
        return self._compared("EQ", other)

    def is_nan(self) -> Number:
        """Whether it is no number."""
        return self._compared("NE", self)

    def has_size(self, size: float) -> Number:
        """Whether it is zero, or infinite, of any sign."""
        return abs(self).equals(size)

    def __invert__(self) -> Number:
        return self.apply("not")

    def __and__(self, other: Number) -> Number:
        return self.apply("and", other)

    def __or__(self, other: Number) -> Number:
        return self.apply("or", other)

    def choose(self, on_true: Number | float, on_false: Number | float) -> Number:
        """Of two, one of which is a number, the first where this is true."""
        first = on_true if isinstance(on_true, Number) else self._beside(on_true, on_false)
        second = on_false if isinstance(on_false, Number) else first.like(on_false)
        return self._with(self.writer.select(self.name, first.name, second.name))

    def like(self, value: float) -> Number:
        """A constant of this type."""
        return self._with(self.writer.like(value, self.name))

    def sqrt(self) -> Number:
        """The square root."""
        return self.apply("sqrt")

    def exp(self) -> Number:
        """The exponential."""
        return self.apply("exponential")

    def log(self) -> Number:
        """The logarithm."""
        return self.apply("log")

    def angle(self, x: Number) -> Number:
        """The angle of the point (x, this)."""
        return self.apply("atan2", x)

    def with_sign_of(self, other: Number) -> Number:
        """The magnitude with the sign of another number, also of zeros and NaN."""
        w, name = self.writer, other.name
        bits = np.dtype(f"u{name.dtype.itemsize}")
        raw = w.bitcast(name, bits)
        sign = w.same("and", raw, w.like(1 << (8 * bits.itemsize - 1), raw))
        return self._with(w.bitcast(w.same("or", w.bitcast(abs(self).name, bits), sign), name.dtype))

    def leading(self, digits: int) -> Number:
        """The number without its last binary digits: differences to it, and products of such, are exact.

        Args:
            digits: How many are taken away.
        """
        w, bits = self.writer, np.dtype(f"u{self.name.dtype.itemsize}")
        raw = w.bitcast(self.name, bits)
        kept = (1 << 8 * bits.itemsize) - (1 << digits)
        return self._with(w.bitcast(w.same("and", raw, w.like(kept, raw)), self.name.dtype))

    def polynomial(self, coefficients: Sequence[float]) -> Number:
        """A polynomial by its coefficients, highest first (Horner's rule)."""
        total = self.like(coefficients[0])
        for coefficient in coefficients[1:]:
            total = total * self + coefficient
        return total

    def converted(self, dtype: np.dtype) -> Number:
        """The same in another type of float."""
        return self._with(self.writer.convert(self.name, dtype))

    def _beside(self, value: float, other: Number | float) -> Number:
        return other.like(value) if isinstance(other, Number) else self.like(value)

    def _compared(self, direction: str, other: Number | float) -> Number:
        return self._with(self.writer.compare(direction, self.name, self._named(other)))

    def _named(self, other: Number | float) -> Name:
        return other.name if isinstance(other, Number) else self.writer.like(other, self.name)

    def _with(self, name: Name) -> Number:
        return Number(self.writer, name)
