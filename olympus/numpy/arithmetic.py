# SPDX-License-Identifier: Apache-2.0
"""Elementwise arithmetic with two operands."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.errors import ArgumentError, OperandError
from olympus_core.program import OperationRecord

from .. import lax
from ..lax.elementwise import angle_of, log_add_exp
from ..operands import (
    as_array,
    broadcast,
    broadcast_shape,
    cast,
    check_range,
    convert,
    dtype_of,
    is_number,
    shape_of,
    weakly,
)
from ..tracing import aval_of, bind
from ..transforms.complex_order import bind_ordered
from ..transforms.jit import api
from ..typing import Array, ArrayLike
from .promotion import promote, promote_inexact, result_of
from .ufuncs import (
    binary,
    is_float_array,
    isinf_of,
    isnan_of,
    like,
    pairwise,
    refuse_complex,
    refuse_out,
    signbit_of,
    trunc_of,
    universal,
)

__all__ = [
    "add", "arctan2", "atan2", "bitwise_and", "bitwise_left_shift", "bitwise_or", "bitwise_right_shift", "bitwise_xor",
    "clip", "copysign", "divide", "divmod", "float_power", "floor_divide", "fmax", "fmin", "fmod", "heaviside", "hypot",
    "left_shift", "logaddexp", "logaddexp2", "maximum", "minimum", "mod", "modf", "multiply", "nextafter",
    "pow", "power", "remainder", "right_shift", "subtract", "true_divide",
]

_binary = functools.partial(binary, __name__)
_universal = functools.partial(universal, __name__)

_MOST_MULTIPLICATIONS = 1024  # the greatest exponent that is computed by repeated squaring
add = _universal(
    "add", "The sum; of bools, whether either is true.", pairwise("add", ops.add, ops.or_), "1, 2.5", "3.5", 0)
subtract = _universal("subtract", "The difference.", pairwise("subtract", ops.sub), "1, 2.5", "-1.5", None)


def _multiply(x: Any, y: Any) -> Any:
    first, second = aval_of(x), aval_of(y)
    if dtypes.is_bool(first.dtype) == dtypes.is_bool(second.dtype):
        return _product(x, y)
    # A mask chooses: what it hides counts nothing, also where it is infinite or NaN.
    mask, number = (x, y) if dtypes.is_bool(first.dtype) else (y, x)
    dtype, weak = result_of("multiply", [first, second])
    shape = broadcast_shape("multiply", [first.shape, second.shape])
    number = broadcast(cast(number, dtype, "multiply"), shape)
    return bind(ops.select, broadcast(mask, shape), number, like(number, 0), weak=weak)


_product = pairwise("multiply", ops.mul, ops.and_)
multiply = _universal(
    "multiply", "The product; of bools, whether both are true; of a bool and a number, the number or zero.", _multiply,
    "2, 2.5", "5.0", 1)
divide = true_divide = _binary(
    "divide", "The quotient, as a float.", pairwise("divide", ops.div, inexact=True), "1, 4", "0.25",
    inexact=True)
maximum = _universal(
    "maximum", "The greater one; NaN where either is NaN.", pairwise("maximum", ops.max), "1, 2", "2", None)
minimum = _universal(
    "minimum", "The lesser one; NaN where either is NaN.", pairwise("minimum", ops.min), "1, 2", "1", None)


def _arctan2(y: Any, x: Any) -> Any:
    (y, x), weak = promote_inexact("arctan2", y, x)
    return angle_of(y, x, weak)


arctan2 = atan2 = _binary(
    "arctan2", "The angle of the point (y, x), given y first.", _arctan2,
    "0.0, 1.0", "0.0", inexact=True)
nextafter = _binary(
    "nextafter", "The number next to x in the direction of y.", pairwise("nextafter", ops.next_after, inexact=True),
    "0.0, 0.0", "0.0", inexact=True)
bitwise_and = _universal(
    "bitwise_and", "The bits that both have.", pairwise("bitwise_and", ops.and_, needs_bits=True), "6, 3", "2", -1)
bitwise_or = _universal(
    "bitwise_or", "The bits that either has.", pairwise("bitwise_or", ops.or_, needs_bits=True), "6, 3", "7", 0)
bitwise_xor = _universal(
    "bitwise_xor", "The bits that one has and the other has not.", pairwise("bitwise_xor", ops.xor, needs_bits=True),
    "6, 3", "5", 0)


def _shiftable(name: str, x: Any, y: Any) -> tuple[Any, Any, bool]:
    """Promoted integers; of bools int32 is made."""
    (x, y), weak = promote(name, x, y)
    dtype = dtype_of(x)
    if dtypes.is_bool(dtype):
        return convert(x, dtypes.int32), convert(y, dtypes.int32), False
    if not dtypes.is_integer(dtype):
        own = dtypes.name_of(dtype)
        raise OperandError(name, f"it does not take {own}", own, "integers or bools")
    return x, y, weak


def _shift_up(x: Any, y: Any) -> Any:
    x, y, weak = _shiftable("left_shift", x, y)
    return bind(ops.shift_left, x, y, weak=weak)


left_shift = bitwise_left_shift = _binary(
    "left_shift", "The bits moved up.", _shift_up, "3, 2", "12")


def _shift_down(x: Any, y: Any) -> Any:
    x, y, weak = _shiftable("right_shift", x, y)
    unsigned = dtypes.is_unsigned(dtype_of(x))
    return bind(ops.shift_right_logical if unsigned else ops.shift_right_arithmetic, x, y, weak=weak)


right_shift = bitwise_right_shift = _binary(
    "right_shift", "The bits moved down, the sign kept.", _shift_down, "12, 2", "3")


def _remainder(x: Any, y: Any) -> Any:
    """The remainder with the sign of the divisor."""
    rest = bind(ops.rem, x, y)
    if dtypes.is_unsigned(dtype_of(x)):
        return rest
    zero = like(rest, 0)
    other_sign = bind(ops.ne, bind(ops.lt, rest, zero), bind(ops.lt, y, zero))
    wrong = bind(ops.and_, bind(ops.ne, rest, zero), other_sign)
    if is_float_array(rest):  # a zero takes the divisor's sign too; differences keep the derivative
        upper, lower = bind(ops.sub, zero, bind(ops.neg, rest)), bind(ops.neg, bind(ops.sub, zero, rest))
        rest = bind(ops.select, bind(ops.lt, y, zero), lower, upper)
    return bind(ops.select, wrong, bind(ops.add, rest, y), rest)


def _numbers(name: str, x: Any, y: Any) -> tuple[Any, Any, bool]:
    """Promoted operands, bools as integers."""
    (x, y), weak = promote(name, x, y)
    if dtypes.is_bool(dtype_of(x)):
        x, y = (convert(v, dtypes.int32) for v in (x, y))
    if dtypes.is_complex(dtype_of(x)):
        raise ArgumentError(name, "it does not take complex numbers", dtype_of(x).name, "integers or floats")
    return x, y, weak


def _mod(x: Any, y: Any) -> Any:
    x, y, weak = _numbers("remainder", x, y)
    return weakly(_remainder(x, y), weak)


def _floor_divide(x: Any, y: Any) -> Any:
    x, y, weak = _numbers("floor_divide", x, y)
    if dtypes.is_integer(dtype_of(x)):
        quotient = bind(ops.div, x, y)
        if dtypes.is_unsigned(dtype_of(x)):
            return weakly(quotient, weak)
        zero = like(x, 0)
        inexact = bind(ops.ne, bind(ops.rem, x, y), zero)
        signs_differ = bind(ops.ne, bind(ops.lt, x, zero), bind(ops.lt, y, zero))
        lower = bind(ops.and_, inexact, signs_differ)
        return weakly(bind(ops.select, lower, bind(ops.sub, quotient, like(x, 1)), quotient), weak)
    # Through the remainder, since the plain quotient may round up to an integer; but where something is infinite or
    # zero the remainder says nothing, and the array API standard has the plain quotient.
    quotient = bind(ops.div, bind(ops.sub, x, _remainder(x, y)), y)
    ends = [bind(ops.eq, v, like(v, 0)) for v in (x, y)] + [isinf_of(x), isinf_of(y)]
    special = functools.reduce(lambda a, b: bind(ops.or_, a, b), ends)
    return weakly(bind(ops.round, bind(ops.select, special, bind(ops.div, x, y), quotient)), weak)


def _fmod(x: Any, y: Any) -> Any:
    x, y, weak = _numbers("fmod", x, y)
    return bind(ops.rem, x, y, weak=weak)


def power_of_floats(x: Any, y: Any) -> Any:
    """The body of `float_power`."""
    (x, y), weak = promote_inexact("power", x, y)
    return bind(ops.pow, x, y, weak=weak)


def _power(x: Any, y: Any) -> Any:
    exponent = y
    (x, y), weak = promote("power", x, y)
    own = dtype_of(x)
    if dtypes.is_integer(dtype_of(exponent)) and (dtypes.is_float(own) or dtypes.is_complex(own)):
        # As integers, which are odd also where no float is.
        found = lax.pow(x, broadcast(as_array(exponent), shape_of(x)))
        return weakly(found, weak and aval_of(exponent).weak)
    if dtypes.is_bool(dtype_of(x)):
        x, y = (convert(v, dtypes.int32) for v in (x, y))
    return bind(ops.pow, x, y, weak=weak)


floor_divide = _binary("floor_divide", "The quotient, rounded downwards.", _floor_divide, "-7, 2", "-4", is_call=True)
remainder = mod = _binary("remainder", "The rest of `floor_divide`, with the sign of y.", _mod, "-7, 2", "1",
                          is_call=True)
fmod = _binary("fmod", "The rest of the division cut towards zero, with the sign of x.", _fmod, "-7, 2", "-1",
               is_call=True)
float_power = _binary("float_power", "x to the power of y, as a float.", power_of_floats, "2, 3", "8.0", inexact=True)
_general_power = _binary("power", "x to the power of y.", _power, "2.0, 3.0", "8.0")


def power(x: ArrayLike, y: ArrayLike, /) -> Array:
    """X to the power of y.

    A Python integer as y becomes multiplications.

    Args:
        x: An array or number.
        y: An array or number.

    Returns:
        The powers.

    Raises:
        ArgumentError: For integers and a negative Python integer.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.power(2, 3).tolist(), jnp.power(2.0, -1).tolist()
        (8, 0.5)
    """
    if isinstance(y, (np.integer, np.ndarray)) and y.ndim == 0 and y.dtype.kind in "iu":
        y = int(y)
    if type(y) is int and -_MOST_MULTIPLICATIONS <= y <= _MOST_MULTIPLICATIONS:
        return lax.integer_pow(convert(x, dtypes.int32) if dtypes.is_bool(dtype_of(x)) else x, y=y)
    return _general_power(x, y)


pow = power


@api(call="divmod")
def divmod(x: ArrayLike, y: ArrayLike, /) -> tuple[Array, Array]:
    """The quotient rounded downwards, and the rest.

    Args:
        x: An array or number.
        y: An array or number.

    Returns:
        Both.

    Example:
        >>> import olympus.numpy as jnp
        >>> [v.tolist() for v in jnp.divmod(-7, 2)]
        [-4, 1]
    """
    return floor_divide(x, y), remainder(x, y)


@api(call="modf")
def modf(x: ArrayLike, /, out: None = None) -> tuple[Array, Array]:
    """The fraction and the integer part of a number.

    Args:
        x: An array or number.
        out: Not used: arrays never change.

    Returns:
        Both, as floats; the fraction of an infinity is zero.

    Example:
        >>> import olympus.numpy as jnp
        >>> [v.tolist() for v in jnp.modf(-1.5)]
        [-0.5, -1.0]
    """
    refuse_out("modf", out)
    (x,), weak = promote_inexact("modf", x)
    whole = trunc_of(x)
    nothing = _copysign(like(x, 0), x)
    return weakly((bind(ops.select, isinf_of(x), nothing, bind(ops.sub, x, whole)), whole), weak)


def _either(name: str, record: OperationRecord) -> Callable[[Any, Any], Any]:
    def body(x: Any, y: Any) -> Any:
        (x, y), weak = promote(name, x, y)
        if is_float_array(x):  # of equal ones the second, so that a derivative belongs to one of them
            wins = bind(ops.or_, bind(ops.gt if record is ops.max else ops.lt, x, y), isnan_of(y))
            return bind(ops.select, wins, x, y, weak=weak)
        result = bind_ordered(record, x, y, weak=weak)
        if not dtypes.is_complex(dtype_of(x)):
            return result
        return bind(ops.select, isnan_of(x), y, bind(ops.select, isnan_of(y), x, result), weak=weak)

    return body


def _logaddexp(x: Any, y: Any) -> Any:
    (x, y), weak = promote_inexact("logaddexp", x, y)
    return log_add_exp(x, y, weak)


def _logaddexp2(x: Any, y: Any) -> Any:
    (x, y), weak = promote_inexact("logaddexp2", x, y)
    return log_add_exp(x, y, weak, 2)


def _hypot(x: Any, y: Any) -> Any:
    (x, y), weak = promote_inexact("hypot", x, y)
    refuse_complex("hypot", x)
    x, y = bind(ops.abs, x), bind(ops.abs, y)
    # Not by max and min, whose slopes of one half at a tie make second derivatives wrong.
    less = bind(ops.lt, x, y)
    greater, lesser = bind(ops.select, less, y, x), bind(ops.select, less, x, y)
    safe = bind(ops.select, bind(ops.eq, greater, like(x, 0)), like(x, 1), greater)
    ratio = bind(ops.div, lesser, safe)
    size = bind(ops.mul, greater, bind(ops.sqrt, bind(ops.add, like(x, 1), bind(ops.mul, ratio, ratio))))
    infinite = bind(ops.or_, isinf_of(x), isinf_of(y))
    return bind(ops.select, infinite, like(x, math.inf), size, weak=weak)


def _copysign(x: Any, y: Any) -> Any:
    (x, y), weak = promote_inexact("copysign", x, y)
    refuse_complex("copysign", x)
    size = bind(ops.abs, x)
    return bind(ops.select, signbit_of(y), bind(ops.neg, size), size, weak=weak)


def _heaviside(x: Any, y: Any) -> Any:
    (x, y), weak = promote_inexact("heaviside", x, y)
    refuse_complex("heaviside", x)
    step = bind(ops.select, bind(ops.lt, x, like(x, 0)), like(x, 0), like(x, 1))
    found = bind(ops.select, bind(ops.eq, x, like(x, 0)), y, step)
    return bind(ops.select, isnan_of(x), x, found, weak=weak)


fmax = _binary("fmax", "The greater one; the other where one is NaN.", _either("fmax", ops.max), "1.0, jnp.nan", "1.0",
               by_name=True, is_call=True)
fmin = _binary("fmin", "The lesser one; the other where one is NaN.", _either("fmin", ops.min), "1.0, jnp.nan", "1.0",
               by_name=True, is_call=True)
logaddexp = _universal(
    "logaddexp", "The logarithm of the sum of exponentials.", _logaddexp, "-jnp.inf, 0.0", "0.0", -math.inf,
    inexact=True)
logaddexp2 = _universal(
    "logaddexp2", "Likewise to base 2.", _logaddexp2, "-jnp.inf, 0.0", "0.0", -math.inf, inexact=True)
hypot = _binary("hypot", "The length of a vector of two components.", _hypot, "3.0, 4.0", "5.0", inexact=True,
                is_call=True)
copysign = _binary("copysign", "The size of x with the sign of y.", _copysign, "1.5, -0.0", "-1.5", inexact=True,
                   is_call=True)
heaviside = _binary(
    "heaviside", "0 for negative x, 1 for positive, y for zero.", _heaviside, "0.0, 0.5", "0.5", inexact=True,
    is_call=True)


@api(call="clip")
def _clip(arr: ArrayLike, low: ArrayLike | None, high: ArrayLike | None) -> Any:
    if low is not None:
        arr = maximum(arr, low)
    if high is not None:
        arr = minimum(arr, high)
    return as_array(arr)


def clip(arr: ArrayLike, /, min: ArrayLike | None = None, max: ArrayLike | None = None) -> Array:
    """Moves what lies outside of an interval to its nearer end.

    Args:
        arr: An array or number.
        min: The lower end; None where there is none.
        max: The upper end.

    Returns:
        Numbers inside the interval.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.clip(jnp.arange(4), 1, 2)
        Array([1, 1, 2, 2], dtype=int32)
    """
    dtype = aval_of(arr).dtype
    if dtypes.is_integer(dtype):  # Python's numbers beyond the type bound nothing, or cannot be given
        bounds = dtypes.limits(dtype)
        min = None if type(min) is int and min < bounds.min else min
        max = None if type(max) is int and max > bounds.max else max
        for end in (min, max):
            if type(end) is int and not is_number(arr):
                check_range("clip", end, dtype)
    return _clip(arr, min, max)
