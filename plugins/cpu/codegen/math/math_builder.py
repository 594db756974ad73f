# SPDX-License-Identifier: Apache-2.0
"""`MathBuilder`: constants, polynomials and double-word arithmetic in one precision.

A double-word number is the unevaluated sum of two floats (Dekker 1971); its operations are error-free transformations
(Knuth's two-sum, Dekker's fast two-sum and two-product, Veltkamp's splitting).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ..builder import FunctionBuilder, Ir

Pair = tuple[Ir, Ir]  # a double-word number, the greater part first


class MathBuilder:
    """Writes mathematics of one precision on values of one type.

    Args:
        builder: Where the code goes.
        precision: "float" computes in float32 and "double" in float64; "short" computes in float64 a result that is
            rounded to float32 in the end.
        lanes: Lanes of the values.
        side_exit: Called once by a function with a slow path, where its code branches to it; None where its own code
            must be right for all operands.
    """

    def __init__(
        self, builder: FunctionBuilder, precision: str, lanes: int, side_exit: Callable[[], None] | None = None
    ) -> None:
        self.b, self.precision, self.lanes, self.side_exit = builder, precision, lanes, side_exit
        self.element = "float" if precision == "float" else "double"
        self.integer = "i32" if precision == "float" else "i64"
        self.mantissa = 23 if precision == "float" else 52
        self.bias = 127 if precision == "float" else 1023
        # Few enough that the product with any n that occurs is exact (Cody-Waite reduction).
        self.digits_of_ln2 = 10 if precision == "float" else 32

    def k(self, value: float) -> Ir:
        """A constant."""
        return self.b.constant(value, self.element, self.lanes)

    def i(self, value: int) -> Ir:
        """An integer constant of the same width."""
        return self.b.constant(value, self.integer, self.lanes)

    def bits(self, x: Ir) -> Ir:
        """A float's bits."""
        return self.b.bitcast(x, self.integer)

    def value(self, bits: Ir) -> Ir:
        """The float of bits."""
        return self.b.bitcast(bits, self.element)

    def is_small(self, x: Ir, limit: float) -> Ir:
        """Whether the absolute value is below a limit."""
        return self.b.fcmp("olt", self.b.abs(x), self.k(limit))

    def polynomial(self, x: Ir, family: Mapping[str, Sequence[float]], square: Ir | None = None) -> Ir:
        """A polynomial by its coefficients, highest first.

        Long ones are split into even and odd terms, two independent Horner chains (second-order Horner's rule), for
        instruction-level parallelism.
        """
        return self.horner(x, family[self.precision], square)

    def horner(self, x: Ir, coefficients: Sequence[float], square: Ir | None = None) -> Ir:
        """See `polynomial`."""
        if len(coefficients) < 7:
            return self._chain(x, coefficients)
        square = square if square is not None else self.b.mul(x, x)
        last = len(coefficients) - 1
        even = [c for i, c in enumerate(coefficients) if (last - i) % 2 == 0]
        odd = [c for i, c in enumerate(coefficients) if (last - i) % 2 == 1]
        return self.b.fma(self._chain(square, odd), x, self._chain(square, even))

    def _chain(self, x: Ir, coefficients: Sequence[float]) -> Ir:
        total = self.k(coefficients[0])
        for coefficient in coefficients[1:]:
            total = self.b.fma(total, x, self.k(coefficient))
        return total

    def nearest_integer(self, x: Ir, factor: float, offset: float = 0.0, bias: int = 0) -> tuple[Ir, Ir]:
        """The integer n nearest to x * factor + offset as a float, and bits whose lowest are those of n + bias.

        Adding 1.5 * 2^mantissa rounds to an integer, which the low bits of the sum then hold.
        """
        b, magic = self.b, self.k(1.5 * 2.0**self.mantissa + bias)
        if offset:
            shifted = b.add(b.fma(x, self.k(factor), self.k(offset)), magic)
        else:
            shifted = b.fma(x, self.k(factor), magic)
        return b.sub(shifted, magic), self.bits(shifted)

    def clamped(self, x: Ir, low: float | None, high: float | None) -> Ir:
        """X clamped to bounds; NaN stays."""
        b = self.b
        if low is not None:
            x = b.select(b.fcmp("olt", x, self.k(low)), self.k(low), x)
        if high is not None:
            x = b.select(b.fcmp("ogt", x, self.k(high)), self.k(high), x)
        return x

    def power_of_two(self, bits: Ir, offset: int = 0) -> Ir:
        """2 ** n, for bits whose lowest are those of n + bias + offset."""
        if offset:
            bits = self.b.sub(bits, self.i(offset))
        return self.value(self.b.shl(bits, self.mantissa))

    def scaled(self, x: Ir, bits: Ir) -> Ir:
        """X times 2 ** n, rounded once, by two factors; the lowest bits are those of n + 2 * bias."""
        b = self.b
        half = b.lshr(bits, 1)
        return b.mul(b.mul(x, self.power_of_two(half)), self.power_of_two(b.sub(bits, half)))

    # Double-word arithmetic

    def two_sum(self, x: Ir, y: Ir) -> Pair:
        """The sum and its rounding error (Knuth)."""
        b = self.b
        total = b.add(x, y)
        part = b.sub(total, x)
        return total, b.add(b.sub(x, b.sub(total, part)), b.sub(y, part))

    def fast_two_sum(self, x: Ir, y: Ir) -> Pair:
        """The same for |x| >= |y| (Dekker)."""
        b = self.b
        total = b.add(x, y)
        return total, b.sub(y, b.sub(total, x))

    def two_product(self, x: Ir, y: Ir) -> Pair:
        """The product and its rounding error, by FMA or Dekker's method."""
        b = self.b
        product = b.mul(x, y)
        if b.target.has_fma:
            return product, b.fma(x, y, b.neg(product))
        (xh, xl), (yh, yl) = self._split(x), self._split(y)
        error = b.add(b.add(b.sub(b.mul(xh, yh), product), b.add(b.mul(xh, yl), b.mul(xl, yh))), b.mul(xl, yl))
        return product, error

    def _split(self, x: Ir) -> Pair:
        """A float as two floats with half of the digits each (Veltkamp)."""
        b = self.b
        wide = b.mul(x, self.k(2.0 ** ((self.mantissa + 2) // 2) + 1.0))
        high = b.sub(wide, b.sub(wide, x))
        return high, b.sub(x, high)

    def product(self, x: Pair, y: Pair) -> Pair:
        """The product of double-word numbers."""
        b = self.b
        high, low = self.two_product(x[0], y[0])
        return self.fast_two_sum(high, b.add(low, b.add(b.mul(x[0], y[1]), b.mul(x[1], y[0]))))

    def plus(self, x: Pair, y: Pair) -> Pair:
        """The sum of double-word numbers."""
        b = self.b
        high, low = self.two_sum(x[0], y[0])
        return self.fast_two_sum(high, b.add(low, b.add(x[1], y[1])))

    def quotient(self, x: Pair, y: Pair) -> Pair:
        """The quotient of double-word numbers."""
        b = self.b
        first = b.div(x[0], y[0])
        high, low = self.two_product(first, y[0])
        rest = b.add(b.sub(b.sub(x[0], high), low), b.sub(x[1], b.mul(first, y[1])))
        return self.fast_two_sum(first, b.div(rest, y[0]))
