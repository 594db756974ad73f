# SPDX-License-Identifier: Apache-2.0
"""The narrowest floats and their bits: from one to a float32 of equal value, from a float32 to the nearest one.

All of it is arithmetic with integers of 32 bits, so that every platform gives the same bits and compilers fuse it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import ml_dtypes
import numpy as np

from olympus_core import dtypes, ops
from olympus_core.dataclass import dataclass
from olympus_core.program import OperationRecord, ProgramBuilder, Value

_INFINITE = 0x7F800000  # the bits of a float32's infinity


@dataclass(frozen=True, slots=True)
class _Format:
    """What the bits of a type mean.

    Args:
        bits: How many an element has.
        mantissa: Bits of the mantissa, without the leading one.
        least: The exponent of the least normal number.
        greatest: The bits of the greatest number.
        infinite: The bits of what numbers too great become.
        not_a_number: The bits of what NaN becomes, and those of NaN with the sign bit.
        has_infinity: Whether there are infinities.
        has_negative_zero: Whether zero has a sign.
        is_signed: Whether numbers have one.
        nans: Whether there is NaN.
    """

    bits: int
    mantissa: int
    least: int
    greatest: int
    infinite: int
    not_a_number: tuple[int, int]
    has_infinity: bool
    has_negative_zero: bool
    is_signed: bool
    nans: bool

    @property
    def sign(self) -> int:
        """The bit of the sign."""
        return 1 << (self.bits - 1)


@lru_cache(None)
def _format_of(dtype: np.dtype) -> _Format:
    about = ml_dtypes.finfo(dtype)
    with np.errstate(all="ignore"):
        special = np.array([np.inf, np.nan, -np.nan, -0.0, about.max, -1.0], np.float32).astype(dtype)
    codes, values = special.view(np.uint8).tolist(), special.astype(np.float32)
    return _Format(
        int(about.bits), int(about.nmant), int(about.minexp), codes[4], codes[0], (codes[1], codes[2]),
        bool(np.isinf(values[0])), codes[3] != 0, not np.isnan(values[5]), bool(np.isnan(values[1])))


class FloatEmitter:
    """Writes what goes between floats and their bits.

    Args:
        builder: Where operations go.
        location: The user's line.
    """

    def __init__(self, builder: ProgramBuilder, location: str | None) -> None:
        self._builder, self._location = builder, location

    def _apply(self, record: OperationRecord, *operands: Value, **attributes: Any) -> Value:
        (found,) = self._builder.emit(record, operands, attributes, (), self._location)
        return found

    def _constant(self, value: Any, like: Value) -> Value:
        number = self._apply(ops.constant, value=np.asarray(value, like.type.dtype))
        if not like.type.ndim:
            return number
        return self._apply(ops.broadcast_in_dim, number, shape=like.type.shape, dimensions=())

    def _with(self, record: OperationRecord, x: Value, value: Any) -> Value:
        """An operation on elements and a number."""
        return self._apply(record, x, self._constant(value, x))

    def _choose(self, condition: Value, x: Any, y: Value) -> Value:
        """`x`, which may be a number, where the condition holds, and `y` elsewhere."""
        return self._apply(ops.select, condition, x if isinstance(x, Value) else self._constant(x, y), y)

    def _as(self, x: Value, dtype: np.dtype) -> Value:
        return self._apply(ops.bitcast_convert, x, dtype=dtype)

    def decoded(self, code: Value, dtype: np.dtype) -> Value:
        """The float32 of equal value."""
        form = _format_of(dtype)
        bits = self._apply(ops.convert, code, dtype=dtypes.int32)
        size = self._with(ops.and_, bits, form.sign - 1) if form.is_signed else bits
        shift, first = 23 - form.mantissa, 1 << form.mantissa  # the first of the normal numbers
        normal = self._with(ops.add, self._with(ops.shift_left, size, shift), (126 + form.least) << 23)
        if not form.is_signed:  # powers of two; the least is no normal float32
            value = self._choose(self._with(ops.eq, size, 0), 1 << 22, self._with(ops.shift_left, size, shift))
            value = self._choose(self._with(ops.eq, size, form.not_a_number[0]), 0x7FC00000, value)
            return self._as(value, dtypes.float32)
        small = self._apply(ops.convert, size, dtype=dtypes.float32)
        small = self._as(self._with(ops.mul, small, 2.0 ** (form.least - form.mantissa)), dtypes.int32)
        value = self._choose(self._with(ops.lt, size, first), small, normal)
        if form.has_infinity:
            value = self._choose(self._with(ops.ge, size, form.infinite), _INFINITE, value)
            value = self._choose(self._with(ops.gt, size, form.infinite), 0x7FC00000, value)
        negative = self._with(ops.shift_left, self._with(ops.shift_right_logical, bits, form.bits - 1), 31)
        value = self._apply(ops.or_, value, negative)
        if form.nans and not form.has_infinity:
            value = self._choose(self._with(ops.eq, bits, form.not_a_number[0]), 0x7FC00000, value)
        return self._as(value, dtypes.float32)

    def encoded(self, x: Value, dtype: np.dtype) -> Value:
        """The nearest elements of a type to float32 numbers, ties to even; as ml_dtypes has them where none is near."""
        form = _format_of(dtype)
        bits = self._as(x, dtypes.int32)
        size = self._with(ops.and_, bits, 0x7FFFFFFF)
        bounded = self._with(ops.min, size, _INFINITE)
        is_nan = self._with(ops.gt, size, _INFINITE)
        shift = 23 - form.mantissa
        if not form.is_signed:
            # Powers of two: a tie goes up, as does all between the two least. What is no number above zero is NaN.
            code = self._with(ops.shift_right_logical, self._with(ops.add, bounded, 1 << 22), 23)
            code = self._choose(self._with(ops.le, bounded, 0x00400000), 0, code)
            outside = self._apply(ops.or_, self._with(ops.le, bits, 0), self._with(ops.gt, code, form.greatest))
            code = self._choose(self._apply(ops.or_, outside, is_nan), form.not_a_number[0], code)
            return self._apply(ops.convert, code, dtype=dtypes.uint8)
        odd = self._with(ops.and_, self._with(ops.shift_right_logical, bounded, shift), 1)
        offset = (1 << (shift - 1)) - 1 - ((126 + form.least) << 23)
        normal = self._with(ops.shift_right_arithmetic, self._with(
            ops.add, self._apply(ops.add, bounded, odd), offset), shift)
        # Added to a number whose last digit is that of the numbers below the normal ones, these are rounded to it.
        rounder = np.float32(2.0 ** (form.least + shift))
        rounded = self._as(self._with(ops.add, self._as(bounded, dtypes.float32), rounder), dtypes.int32)
        small = self._with(ops.sub, rounded, int(rounder.view(np.int32)))
        code = self._choose(self._with(ops.lt, bounded, (127 + form.least) << 23), small, normal)
        code = self._choose(self._with(ops.gt, code, form.greatest), form.infinite, code)
        negative = self._with(ops.lt, bits, 0)
        signed = self._with(ops.or_, code, form.sign)
        if not form.has_negative_zero:
            signed = self._choose(self._with(ops.eq, code, 0), 0, signed)
        code = self._choose(negative, signed, code)
        nan = self._choose(negative, form.not_a_number[1], self._constant(form.not_a_number[0], code))
        return self._apply(ops.convert, self._choose(is_nan, nan, code), dtype=dtypes.uint8)

    def to_float32(self, x: Value) -> Value:
        """Numbers as float32; float64 such that rounding again is as rounding once (Boldo, Melquiond 2008)."""
        if dtypes.is_complex(x.type.dtype):
            x = self._apply(ops.real, x)
        near = self._apply(ops.convert, x, dtype=dtypes.float32)
        if x.type.dtype != dtypes.float64:
            return near
        back = self._apply(ops.convert, near, dtype=dtypes.float64)
        beyond = self._apply(ops.gt, self._apply(ops.abs, back), self._apply(ops.abs, x))
        inexact = self._apply(ops.and_, self._apply(ops.ne, back, x), self._apply(ops.eq, x, x))
        down, odd = (self._apply(ops.convert, v, dtype=dtypes.int32) for v in (beyond, inexact))
        return self._as(self._apply(ops.or_, self._apply(ops.sub, self._as(near, dtypes.int32), down), odd),
                        dtypes.float32)
