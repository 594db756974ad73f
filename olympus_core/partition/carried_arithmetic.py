# SPDX-License-Identifier: Apache-2.0
"""Arithmetic with the narrowest numbers on what carries them.

Floats become float32, and results are rounded once, as those of all narrow floats. The carrier of an integer of 2 or 4
bits holds the number itself. An operation computes with 8 bits, and what leaves the narrow type's range wraps: the low
bits are kept, and the highest of them is the sign.
"""

from __future__ import annotations

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.program import Value

from .carried_floats import FloatEmitter

# They see bits above the narrow type's.
_OF_BITS = frozenset({"shift_right_logical", "population_count", "count_leading_zeros"})


def computed(dtype: np.dtype) -> np.dtype:
    """The type in which operations on elements of a type compute."""
    return dtypes.float32 if dtype in dtypes.CARRIED_FLOATS else dtypes.carrier(dtype)


class Arithmetic(FloatEmitter):
    """Writes operations on carried numbers."""

    def operand(self, name: str, position: int, x: Value, dtype: np.dtype) -> Value:
        """What an operation takes for an operand of a type, whose carrier is given."""
        if dtype in dtypes.CARRIED_FLOATS:
            return self.decoded(x, dtype)
        if dtype not in dtypes.NARROW_INTEGERS:
            return x
        if name == "shift_right_arithmetic" and not position:  # the highest bit is a sign, of unsigned ones as well
            return self._signed(x, dtype)
        return self._pattern(x, dtype) if name in _OF_BITS else x

    def result(self, name: str, y: Value, dtype: np.dtype) -> Value:
        """The carrier of a result of a type, from what an operation on the computed type gave."""
        if dtype not in dtypes.CARRIED_FLOATS and dtype not in dtypes.NARROW_INTEGERS:
            return y
        if name in ("reduce_max", "reduce_min"):  # of nothing they give an end of the wider type's range
            y = self._clamped(y, dtype)
        if dtype in dtypes.CARRIED_FLOATS:
            return self.encoded(y, dtype)
        if name == "count_leading_zeros":
            y = self._with(ops.sub, y, 8 - dtypes.bits_of(dtype))
        return self._wrapped(y, dtype)

    def converted(self, x: Value, source: np.dtype, target: np.dtype) -> Value:
        """Elements in another type: integers wrap, floats saturate."""
        if source in dtypes.CARRIED_FLOATS:
            x = self.decoded(x, source)
        if target in dtypes.CARRIED_FLOATS:
            return self.encoded(self.to_float32(x), target)
        found = self._apply(ops.convert, x, dtype=computed(target))
        if target not in dtypes.NARROW_INTEGERS or dtypes.is_bool(source):
            return found
        return self._wrapped(found, target) if dtypes.is_integer(source) else self._clamped(found, target)

    def reinterpreted(self, x: Value, source: np.dtype, target: np.dtype) -> Value:
        """The same bits as elements of another type of equal width."""
        x = self._apply(ops.bitcast_convert, x, dtype=dtypes.carrier(target))
        if target in dtypes.NARROW_INTEGERS:
            return self._wrapped(x, target)
        return self._pattern(x, source) if source in dtypes.NARROW_INTEGERS else x

    def _pattern(self, x: Value, dtype: np.dtype) -> Value:
        """The narrow type's bits alone."""
        return self._with(ops.and_, x, (1 << dtypes.bits_of(dtype)) - 1)

    def _wrapped(self, x: Value, dtype: np.dtype) -> Value:
        if dtypes.is_unsigned(dtype):
            return self._pattern(x, dtype)
        return self._signed(x, dtype)

    def _signed(self, x: Value, dtype: np.dtype) -> Value:
        """The highest of the narrow type's bits in all bits above."""
        rest = 8 - dtypes.bits_of(dtype)
        return self._with(ops.shift_right_arithmetic, self._with(ops.shift_left, x, rest), rest)

    def _clamped(self, x: Value, dtype: np.dtype) -> Value:
        low, high = (self._constant(float(record.nothing(dtype)), x) for record in (ops.max, ops.min))
        return self._apply(ops.clamp, low, x, high)
