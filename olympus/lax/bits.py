# SPDX-License-Identifier: Apache-2.0
"""Functions of bits: the upper half of a product, floats with fewer bits."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.errors import ArgumentError

from ..operands import broadcast, integer
from ..tracing import aval_of, bind
from ..transforms.jit import api
from ..typing import Array, ArrayLike
from .elementwise import strict_operands

__all__ = ["mulhi", "reduce_precision"]


def _constant(value: int, like: Any, dtype: np.dtype) -> Any:
    return broadcast(bind(ops.constant, value=np.array(value, dtype), weak=False), aval_of(like).shape)


@api
def mulhi(x: ArrayLike, y: ArrayLike, /) -> Array:
    """The upper half of the bits of a product of integers: of N bits each, those that the product has beyond N.

    Args:
        x: An array of integers.
        y: Another one, of the same type and shape.

    Returns:
        The upper halves, elementwise and exact.

    Raises:
        ArgumentError: If the operands are not integers.

    Example:
        >>> import numpy as np
        >>> from olympus import lax
        >>> lax.mulhi(np.int32([1 << 30, -1]), np.int32([8, 1]))
        Array([ 2, -1], dtype=int32)
    """
    (x, y), _ = strict_operands("mulhi", (x, y))
    dtype = aval_of(x).dtype
    if not dtypes.is_integer(dtype):
        raise ArgumentError("mulhi", f"it does not take {dtype.name}", dtype.name, "integers")
    signed, bits = dtypes.is_signed(dtype), dtypes.bits_of(dtype)
    if bits < 64:
        wide = dtypes.int64 if signed else dtypes.uint64
        product = bind(ops.mul, *(bind(ops.convert, v, dtype=wide) for v in (x, y)))
        return bind(ops.convert, bind(ops.shift_right_logical, product, _constant(bits, product, wide)), dtype=dtype)
    unsigned = [bind(ops.bitcast_convert, v, dtype=dtypes.uint64) if signed else v for v in (x, y)]
    high = _high_of_words(*unsigned)
    if not signed:
        return high
    # As unsigned numbers, negative ones are greater by 2^64.
    high, zero = bind(ops.bitcast_convert, high, dtype=dtype), _constant(0, x, dtype)
    for one, other in ((x, y), (y, x)):
        high = bind(ops.sub, high, bind(ops.select, bind(ops.lt, one, zero, weak=False), other, zero))
    return high


def _high_of_words(x: Any, y: Any) -> Any:
    """The upper 64 bits of a product of unsigned words, by products of their halves."""
    mask, half = _constant(0xFFFFFFFF, x, dtypes.uint64), _constant(32, x, dtypes.uint64)

    def low(v: Any) -> Any:
        return bind(ops.and_, v, mask)

    def high(v: Any) -> Any:
        return bind(ops.shift_right_logical, v, half)

    middle = bind(ops.add, bind(ops.mul, high(x), low(y)), high(bind(ops.mul, low(x), low(y))))
    other = bind(ops.add, bind(ops.mul, low(x), high(y)), low(middle))
    return bind(ops.add, bind(ops.mul, high(x), high(y)), bind(ops.add, high(middle), high(other)))


# For each type of floats an unsigned type of its width, and how many bits mantissa and exponent have.
_FORMATS = {
    dtypes.float16: (dtypes.uint16, 10, 5), dtypes.bfloat16: (dtypes.uint16, 7, 8),
    dtypes.float32: (dtypes.uint32, 23, 8), dtypes.float64: (dtypes.uint64, 52, 11),
}


def reduce_precision(operand: ArrayLike, exponent_bits: int, mantissa_bits: int) -> Array:
    """Rounds floats to those that a type with fewer bits has; the element type stays.

    Numbers are rounded to the nearest, ties to even. Those too great become infinite, and those below the least normal
    number of the smaller type zero of their sign.

    Args:
        operand: An array of floats.
        exponent_bits: How many bits the exponent has.
        mantissa_bits: How many bits the mantissa has, without the leading one.

    Returns:
        The rounded numbers.

    Raises:
        ArgumentError: If the exponent has no bits, or the elements are no floats.

    Example:
        >>> import numpy as np
        >>> from olympus import lax
        >>> lax.reduce_precision(np.float32([1.2345678, 1e5]), 5, 10)
        Array([1.234375,      inf], dtype=float32)
    """
    name = "reduce_precision"
    exponent = integer(name, exponent_bits, "the number of bits of the exponent", 1)
    mantissa = integer(name, mantissa_bits, "the number of bits of the mantissa", 0)
    dtype = aval_of(operand).dtype
    if not dtypes.is_float(dtype):
        raise ArgumentError(name, f"it does not take {dtype.name}", dtype.name, "floats")
    return _reduced(operand, exponent=exponent, mantissa=mantissa)


@api(static=("exponent", "mantissa"))
def _reduced(operand: Any, exponent: int, mantissa: int) -> Any:
    return _with_slope_of_reduced()(operand, exponent, mantissa)


@functools.cache
def _with_slope_of_reduced() -> Callable[..., Any]:
    from ..transforms.derivatives import custom_jvp

    @functools.partial(custom_jvp, nondiff_argnums=(1, 2))
    def reduced(x: Any, exponent: int, mantissa: int) -> Any:
        return _reduce_bits(x, exponent, mantissa)

    @reduced.defjvp
    def _(exponent: int, mantissa: int, primals: tuple[Any], tangents: tuple[Any]) -> tuple[Any, Any]:
        """The slope is one: rounding is a detail of how a number is stored."""
        return reduced(primals[0], exponent, mantissa), tangents[0]

    return reduced


def _reduce_bits(x: Any, exponent: int, mantissa: int) -> Any:
    aval = aval_of(x)
    if aval.dtype not in _FORMATS:  # narrow ones, all of which float32 holds
        wide = bind(ops.convert, x, dtype=dtypes.float32)
        return bind(ops.convert, _reduce_bits(wide, exponent, mantissa), dtype=aval.dtype, weak=aval.weak)
    word, own_mantissa, own_exponent = _FORMATS[aval.dtype]
    bits = bind(ops.bitcast_convert, x, dtype=word, weak=False)

    def of(value: int) -> Any:
        return _constant(value, bits, word)

    found = quiet = bits
    if mantissa < own_mantissa:
        shift = own_mantissa - mantissa
        kept = of((1 << 8 * word.itemsize) - (1 << shift))
        quiet = bind(ops.or_, bind(ops.and_, bits, kept), of(1 << (own_mantissa - 1)))
        last = bind(ops.and_, bind(ops.shift_right_logical, bits, of(shift)), of(1))
        found = bind(ops.add, bits, bind(ops.add, last, of((1 << (shift - 1)) - 1)))
        found = bind(ops.and_, found, kept)
    if exponent < own_exponent:
        bias, smaller = (1 << (own_exponent - 1)) - 1, (1 << (exponent - 1)) - 1
        sign_bit, all_ones = 1 << (own_mantissa + own_exponent), ((1 << own_exponent) - 1) << own_mantissa
        sign, size = bind(ops.and_, bits, of(sign_bit)), bind(ops.and_, found, of(all_ones))
        beyond = bind(ops.gt, size, of((bias + smaller) << own_mantissa), weak=False)
        below = bind(ops.le, size, of((bias - smaller) << own_mantissa), weak=False)
        found = bind(ops.select, beyond, bind(ops.or_, sign, of(all_ones)), found)
        found = bind(ops.select, below, sign, found)
    # NaN keeps its sign and what fits of its payload, as a quiet one: no result has more bits than asked for.
    found = bind(ops.select, bind(ops.ne, x, x, weak=False), quiet, found)
    return bind(ops.bitcast_convert, found, dtype=aval.dtype, weak=aval.weak)
