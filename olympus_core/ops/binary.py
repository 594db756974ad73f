# SPDX-License-Identifier: Apache-2.0
"""Operations on two operands of one type, index by index."""

from __future__ import annotations

import numpy as np

from olympus_core import dtypes
from olympus_core.program.exactness import EXACT, ROUNDED, Exactness, Samples

from .identities import highest, lowest, one, zero
from .rules import ANY, BITS, FLOAT, INTEGER, NUMBER, ORDERED, PART, REAL, all_ones, elementwise

_TOGETHER = (frozenset({0, 1}),)
_COMPARED = Samples(often_equal=True)


def _div(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    if not dtypes.is_integer(x.dtype):
        return _complex_quotient(x, y) if dtypes.is_complex(x.dtype) else np.divide(x, y)
    # Minus one is handled apart: the least integer divided by it wraps around.
    special = (y == 0) | (y == all_ones(y.dtype)) if y.dtype.kind == "i" else y == 0
    divisor = np.where(special, y.dtype.type(1), y)
    quotient = np.floor_divide(x, divisor)
    inexact = quotient * divisor != x
    quotient = quotient + (inexact & ((x < 0) != (divisor < 0))).astype(x.dtype)
    if y.dtype.kind == "i":
        quotient = np.where(special, np.negative(x), quotient)
    return np.where(y == 0, all_ones(x.dtype), quotient)


def _complex_quotient(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """NumPy's quotient, but zero by an infinite number, as in C (ISO C, annex G.5.1): in the quotient's direction."""
    infinite = np.isinf(y)
    out = np.divide(x, np.where(infinite, _complex(*(np.copysign(np.isinf(v), v) for v in (y.real, y.imag))), y))
    return np.where(infinite, _complex(out.real * 0, out.imag * 0), out)


def _rem(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    if not dtypes.is_integer(x.dtype):
        return np.fmod(x, y)
    return x - _div(x, y) * y  # x where y is zero


def _pow(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    if not dtypes.is_integer(x.dtype):
        return np.power(x, y)
    if x.dtype.kind == "u":
        return np.power(x, y)
    one = x.dtype.type(1)
    power = np.power(x, np.maximum(y, x.dtype.type(0)))
    alternating = np.where(y & one, x, one)  # of a base whose size is one
    inverse = np.where(np.abs(x) == 1, alternating, x.dtype.type(0))
    return np.where(y < 0, inverse, power)


def _unsigned(x: np.ndarray) -> np.ndarray:
    return x.view(np.dtype(f"u{x.dtype.itemsize}"))


def _shifted(x: np.ndarray, y: np.ndarray, shift: np.ufunc, beyond: np.ndarray) -> np.ndarray:
    """`x` shifted by `y`; `beyond` where the amount, taken as unsigned, is not below the width."""
    bits = x.dtype.type(8 * x.dtype.itemsize - 1)
    amount = _unsigned(y)
    return np.where(amount > _unsigned(np.asarray(bits)), beyond, shift(x, y & bits))


def _shift_left(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return _shifted(x, y, np.left_shift, np.zeros_like(x))


def _shift_right_logical(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return _shifted(_unsigned(x), _unsigned(y), np.right_shift, np.zeros_like(_unsigned(x))).view(x.dtype)


def _shift_right_arithmetic(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    signed = x.view(np.dtype(f"i{x.dtype.itemsize}"))
    fill = np.where(signed < 0, signed.dtype.type(-1), signed.dtype.type(0))
    return _shifted(signed, y.view(signed.dtype), np.right_shift, fill).view(x.dtype)


def _complex(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    out = np.empty(x.shape, _complex_of(x.dtype))
    out.real, out.imag = x, y
    return out


def _complex_of(dtype: np.dtype) -> np.dtype:
    return dtypes.complex128 if dtype == dtypes.float64 else dtypes.complex64


def _bool(dtype: np.dtype) -> np.dtype:
    return dtypes.bool_


add = elementwise("add", 2, NUMBER, np.add, ROUNDED, additive=_TOGETHER, identity=zero)
sub = elementwise("sub", 2, NUMBER, np.subtract, ROUNDED, additive=_TOGETHER)
mul = elementwise(
    "mul", 2, NUMBER, np.multiply, Exactness("rounded", complex=8),
    additive=(frozenset({0}), frozenset({1})), identity=one)
div = elementwise(  # not additive: integers truncate
    "div", 2, NUMBER, _div, Exactness("rounded", complex=8), cost=3, samples=Samples(nonzero=True))
rem = elementwise("rem", 2, REAL, _rem, EXACT, cost=25, samples=Samples(nonzero=True))
# The exponent multiplies the logarithm's error.
pow = elementwise(
    "pow", 2, NUMBER, _pow, Exactness("function", 8, 8, complex=32, branch_cuts=True),
    cost=25, samples=Samples(((0.05, 8), (-4, 4)), integers=(0, 9)))
max = elementwise("max", 2, ORDERED, np.maximum, Exactness("exact", signed_zero=False), identity=lowest)
min = elementwise("min", 2, ORDERED, np.minimum, Exactness("exact", signed_zero=False), identity=highest)
atan2 = elementwise("atan2", 2, FLOAT, np.arctan2, Exactness("function", 6, 6), precise=True, cost=10)
next_after = elementwise(
    "next_after", 2, FLOAT, np.nextafter, Exactness("exact", signed_zero=False), widen=False, cost=3)
and_ = elementwise("and", 2, BITS, np.bitwise_and, EXACT, identity=all_ones)
or_ = elementwise("or", 2, BITS, np.bitwise_or, EXACT, identity=zero)
xor = elementwise("xor", 2, BITS, np.bitwise_xor, EXACT)
shift_left = elementwise("shift_left", 2, INTEGER, _shift_left, EXACT, samples=Samples(integers=(0, None)))
shift_right_logical = elementwise(
    "shift_right_logical", 2, INTEGER, _shift_right_logical, EXACT, samples=Samples(integers=(0, None)))
shift_right_arithmetic = elementwise(
    "shift_right_arithmetic", 2, INTEGER, _shift_right_arithmetic, EXACT, samples=Samples(integers=(0, None)))
complex = elementwise("complex", 2, PART, _complex, EXACT, result=_complex_of, additive=_TOGETHER)
eq = elementwise("eq", 2, ANY, np.equal, EXACT, result=_bool, samples=_COMPARED)
ne = elementwise("ne", 2, ANY, np.not_equal, EXACT, result=_bool, samples=_COMPARED)
lt = elementwise("lt", 2, ORDERED, np.less, EXACT, result=_bool, samples=_COMPARED)
le = elementwise("le", 2, ORDERED, np.less_equal, EXACT, result=_bool, samples=_COMPARED)
gt = elementwise("gt", 2, ORDERED, np.greater, EXACT, result=_bool, samples=_COMPARED)
ge = elementwise("ge", 2, ORDERED, np.greater_equal, EXACT, result=_bool, samples=_COMPARED)
