# SPDX-License-Identifier: Apache-2.0
"""Quotients by a loop-invariant divisor, as of softmax's rows by their sums: multiplications that round as a division.

The reciprocal y = RN(1 / s) is computed once before the loop. q = a y is within two units of a / s; q + (a - q s) y is
then a faithful rounding, and the same step again, whose remainder is exact, gives RN(a / s) (P. Markstein, "Computation
of elementary functions on the IBM RISC System/6000 processor", 1990). Where a remainder might underflow or a step
overflow the vectors are divided. A division of 512 bits takes 10 to 16 cycles, all this 5.
"""

from __future__ import annotations

from olympus_core import dtypes
from olympus_core.dataclass import dataclass
from olympus_core.errors import OlympusInternalError
from olympus_core.toolkit.loops import Compute, Loop, Scalar

from ..builder import FunctionBuilder, Ir
from .state import Parts, State

_LEAST_VECTORS = 4  # in a row, for the reciprocal to pay


@dataclass(frozen=True, slots=True)
class _Format:
    """A type's bounds, within which no step rounds more than it should.

    Args:
        integer: The type of its bits.
        mantissa: Binary digits after the first.
        bias: Of the exponent.
        divisor: The absolute divisor is within 2 to the power of minus this and of this.
        dividend: So is the absolute dividend: a remainder's last digit is 2 mantissa + 1 below its first.
    """

    integer: str
    mantissa: int
    bias: int
    divisor: int
    dividend: int

    def bits(self, exponent: int) -> int:
        """The bits of a power of two."""
        return (self.bias + exponent) << self.mantissa


_FORMATS = {
    dtypes.float32: _Format("i32", 23, 127, 24, 100),
    dtypes.float64: _Format("i64", 52, 1023, 100, 900),
}


def prepare_quotients(state: State, loop: Loop) -> None:
    """Computes the reciprocals of a vectorized loop's invariant divisors before the loop."""
    b = state.builder
    if not (b.target.has_avx512 and b.target.vector_bits == 512) or loop.extent < _LEAST_VECTORS * state.shape.width:
        return
    for statement in loop.body:
        if isinstance(statement, Compute) and statement.record.name == "div":
            scalar = statement.operands[1]
            form = _FORMATS.get(scalar.dtype)
            if form is not None and _is_invariant(state, scalar):
                (divisor,) = state.scalar(scalar)
                state.splat(divisor)
                state.known[_key(state, divisor)] = state.splat(b.div(b.constant(1.0, divisor.element, 1), divisor))
                state.known[_outside(divisor)] = _is_outside(b, divisor, form, form.divisor)


def quotients(state: State, statement: Compute) -> list[Parts] | None:
    """The quotients of all copies; None where the divisor has no reciprocal here."""
    if statement.record.name != "div" or state.shape.width == 1:
        return None
    dividend, scalar = statement.operands
    form = _FORMATS.get(scalar.dtype)
    if form is None or not _is_invariant(state, scalar) or not state.is_varied(dividend):
        return None
    b, (divisor,) = state.builder, state.scalar(scalar)
    reciprocal = state.known.get(_key(state, divisor))
    if reciprocal is None:
        return None
    wide, rare = state.splat(divisor), None
    tops = [state.vector(dividend, copy)[0] for copy in range(state.shape.copies)]
    found = [_quotient(b, x, wide, reciprocal) for x in tops]
    for x in tops:
        # Negative zeros would lose their sign; the zeros that occur, of masked elements, are positive.
        zero = b.icmp("eq", b.bitcast(x, form.integer), b.constant(0, form.integer, x.lanes))
        outside = b.and_(b.not_(zero), _is_outside(b, x, form, form.dividend))
        rare = outside if rare is None else b.or_(rare, outside)
    if rare is None:
        raise OlympusInternalError("a vectorized loop without vectors")
    rare = b.or_(b.any(rare), state.known[_outside(divisor)])
    return [(x,) for x in b.rarely(rare, found, lambda: [b.div(x, wide) for x in tops])]


def _is_invariant(state: State, scalar: Scalar) -> bool:
    return id(scalar) in state.constants or (id(scalar) in state.values and not state.is_varied(scalar))


def _key(state: State, divisor: Ir) -> tuple[str, str, str, int]:
    return ("reciprocal", divisor.name, divisor.element, state.shape.width)


def _outside(divisor: Ir) -> tuple[str, str, str]:
    return ("divisor outside", divisor.name, divisor.element)


def _is_outside(b: FunctionBuilder, x: Ir, form: _Format, exponent: int) -> Ir:
    """Whether the absolute value is not within 2 to the power of -exponent and of exponent; of NaN it is true."""
    low, high = form.bits(-exponent), form.bits(exponent)
    above = b.sub(b.bitcast(b.abs(x), form.integer), b.constant(low, form.integer, x.lanes))
    return b.icmp("ugt", above, b.constant(high - low, form.integer, x.lanes))


def _quotient(b: FunctionBuilder, x: Ir, by: Ir, reciprocal: Ir) -> Ir:
    found = b.mul(x, reciprocal)
    for _ in range(2):
        found = b.fma(b.fma(b.neg(found), by, x), reciprocal, found)
    return found
