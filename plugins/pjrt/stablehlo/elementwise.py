# SPDX-License-Identifier: Apache-2.0
"""Elementwise operations of one, two or three operands."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from olympus_core import dtypes
from olympus_core.program import Operation

from .composites import chlo
from .table import EMISSIONS, emits
from .writer import Emission, Name, Writer, is_narrow

Names = Sequence[Name]

# Exact, or rounded once: narrow types give the same results as float32 followed by a conversion.
_EXACT = {
    "neg": "negate", "floor": "floor", "ceil": "ceil", "round": "round_nearest_even",
    "add": "add", "sub": "subtract", "mul": "multiply",
    "and": "and", "or": "or", "xor": "xor", "not": "not", "population_count": "popcnt",
}
# Computed in float32 where the operands are narrower.
_WIDENED = {
    "exp": "exponential", "expm1": "exponential_minus_one", "log": "log", "sqrt": "sqrt", "rsqrt": "rsqrt",
    "sin": "sine", "cos": "cosine", "tan": "tan", "logistic": "logistic", "atan2": "atan2",
}
# Those that only the dialect CHLO has.
_LACKING = ("asin", "acos", "atan", "asinh", "acosh", "erf", "digamma")
_COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")


def _direct(stablehlo: str) -> Emission:
    def emission(w: Writer, operation: Operation, xs: Names) -> Names:
        if xs[0].dtype in dtypes.NARROW_FLOATS:  # few compilers compute in 8 bits
            return [w.convert(w.same(stablehlo, *map(w.wide, xs)), xs[0].dtype)]
        return [w.same(stablehlo, *xs)]

    return emission


def _widened(stablehlo: str) -> Emission:
    def emission(w: Writer, operation: Operation, xs: Names) -> Names:
        return [w.convert(w.same(stablehlo, *map(w.wide, xs)), xs[0].dtype)]

    return emission


def _lacking(name: str) -> Emission:
    return lambda w, operation, xs: [w.convert(chlo(w, name, w.wide(xs[0])), xs[0].dtype)]


def _comparison(direction: str) -> Emission:
    def emission(w: Writer, operation: Operation, xs: Names) -> Names:
        return [w.compare(direction, *map(w.wide, xs))]

    return emission


EMISSIONS.update({name: _direct(other) for name, other in _EXACT.items()})
EMISSIONS.update({name: _widened(other) for name, other in _WIDENED.items()})
EMISSIONS.update({name: _lacking(name) for name in _LACKING})
EMISSIONS.update({name: _comparison(name.upper()) for name in _COMPARISONS})


@emits("count_leading_zeros")
def _count_leading_zeros(w: Writer, operation: Operation, xs: Names) -> Names:
    # Some compilers count the zeros of a constant after sign extension to 64 bits.
    (x,) = xs
    plain = w.bitcast(x, np.dtype(f"uint{x.dtype.itemsize * 8}"))
    return [w.bitcast(w.same("count_leading_zeros", plain), x.dtype)]


@emits("max", "min")
def _extreme(w: Writer, operation: Operation, xs: Names) -> Names:
    return [w.convert(w.combine(f"{operation.name}imum", *map(w.wide, xs)), xs[0].dtype)]


@emits("sign")
def _sign(w: Writer, operation: Operation, xs: Names) -> Names:
    if xs[0].dtype in dtypes.UNSIGNED:
        return [w.convert(w.compare("NE", xs[0], w.like(0, xs[0])), xs[0].dtype)]
    return _widened("sign")(w, operation, xs)


@emits("abs", "real", "imag")
def _part(w: Writer, operation: Operation, xs: Names) -> Names:
    result = operation.results[0].type
    if xs[0].dtype in dtypes.NARROW_FLOATS:
        return [w.convert(w.same("abs", w.wide(xs[0])), result.dtype)]
    if xs[0].dtype in dtypes.UNSIGNED:
        return [xs[0]]
    return [w.op(operation.name, xs, result)]


@emits("conj")
def _conj(w: Writer, operation: Operation, xs: Names) -> Names:
    part = xs[0].type.with_dtype(dtypes.real_part(xs[0].dtype))
    real, imag = w.op("real", xs, part), w.op("imag", xs, part)
    return [w.op("complex", [real, w.same("negate", imag)], xs[0].type)]


@emits("div", "rem")
def _division(w: Writer, operation: Operation, xs: Names) -> Names:
    x, y = xs
    function = "divide" if operation.name == "div" else "remainder"
    if not dtypes.is_integer(x.dtype):
        return _widened(function)(w, operation, xs)
    # Division by zero, and of the smallest integer by -1, are undefined in StableHLO.
    zero, one, ones = w.like(0, x), w.like(1, x), w.constant(np.broadcast_to(_all_ones(x.dtype), x.shape))
    by_zero = w.compare("EQ", y, zero)
    is_signed = x.dtype in dtypes.SIGNED
    by_minus_one = w.compare("EQ", y, ones) if is_signed else by_zero
    special = w.same("or", by_zero, by_minus_one) if is_signed else by_zero
    result = w.same(function, x, w.select(special, one, y))
    if is_signed:
        result = w.select(by_minus_one, w.same("negate", x) if function == "divide" else zero, result)
    return [w.select(by_zero, ones if function == "divide" else x, result)]


def _all_ones(dtype: np.dtype) -> np.ndarray:
    return np.invert(np.zeros((), dtype))


@emits("pow")
def _pow(w: Writer, operation: Operation, xs: Names) -> Names:
    x, y = xs
    if not dtypes.is_integer(x.dtype):
        return _widened("power")(w, operation, xs)
    zero, one = w.like(0, x), w.like(1, x)
    power = _power(w, x, w.same("maximum", y, zero) if x.dtype in dtypes.SIGNED else y)
    if x.dtype in dtypes.UNSIGNED:
        return [power]
    unit = w.compare("EQ", w.same("abs", x), one)
    alternating = w.select(w.compare("NE", w.same("and", y, one), zero), x, one)
    return [w.select(w.compare("LT", y, zero), w.select(unit, alternating, zero), power)]


def _power(w: Writer, x: Name, y: Name) -> Name:
    """Exponentiation by squaring: compilers use only the low bits of an exponent."""
    types = [y.type, x.type, x.type]

    def goes_on(inner: Writer, state: Names) -> Names:
        left = inner.compare("NE", state[0], inner.like(0, y))
        return [inner.reduce(left, inner.scalar(False, dtypes.bool_), range(len(x.shape)), "or")]

    def iteration(inner: Writer, state: Names) -> Names:
        rest, base, power = state
        one = inner.like(1, x)
        odd = inner.compare("NE", inner.same("and", rest, one), inner.like(0, x))
        return [inner.same("shift_right_logical", rest, one), inner.same("multiply", base, base),
                inner.select(odd, inner.same("multiply", power, base), power)]

    return w.write("while", [y, x, w.like(1, x)], types, "", [w.region(types, goes_on), w.region(types, iteration)])[2]


@emits("next_after")
def _next_after(w: Writer, operation: Operation, xs: Names) -> Names:
    x, y = xs
    # By bits alone: hardware that flushes denormal numbers to zero would skip them.
    bits = np.dtype(f"i{x.dtype.itemsize}")
    raw_x, raw_y = w.bitcast(x, bits), w.bitcast(y, bits)
    zero, one, most = w.like(0, raw_x), w.like(1, raw_x), w.like(np.iinfo(bits).max, raw_x)
    size_x, size_y = w.same("and", raw_x, most), w.same("and", raw_y, most)
    rank_x = w.select(w.compare("LT", raw_x, zero), w.same("negate", size_x), size_x)
    rank_y = w.select(w.compare("LT", raw_y, zero), w.same("negate", size_y), size_y)
    outward = w.compare("EQ", w.compare("LT", rank_x, rank_y), w.compare("GT", rank_x, zero))
    moved = w.select(outward, w.same("add", raw_x, one), w.same("subtract", raw_x, one))
    from_zero = w.same("or", w.same("and", raw_y, w.like(np.iinfo(bits).min, raw_y)), one)
    moved = w.select(w.compare("EQ", rank_x, zero), from_zero, moved)
    moved = w.select(w.compare("EQ", rank_x, rank_y), raw_y, moved)
    first_nan = w.like(_first_nan(x.dtype), raw_x)
    nan = w.same("or", w.compare("GE", size_x, first_nan), w.compare("GE", size_y, first_nan))
    return [w.bitcast(w.select(nan, first_nan, moved), x.dtype)]


def _first_nan(dtype: np.dtype) -> int:
    """The first bit pattern, without the sign, that is NaN."""
    infinity = np.asarray(np.inf).astype(dtype)
    bits = int(infinity.view(np.dtype(f"u{dtype.itemsize}")))
    return bits + 1 if bool(np.isinf(infinity)) else bits


@emits("shift_left", "shift_right_logical", "shift_right_arithmetic")
def _shift(w: Writer, operation: Operation, xs: Names) -> Names:
    width = xs[0].dtype.itemsize
    arithmetic = operation.name == "shift_right_arithmetic"
    dtype = np.dtype(f"{'i' if arithmetic else 'u'}{width}")
    x, y = w.bitcast(xs[0], dtype), w.bitcast(xs[1], np.dtype(f"u{width}"))
    # Shifts beyond the width are undefined in StableHLO.
    inside = w.compare("LT", y, w.like(8 * width, y))
    amount = w.bitcast(w.same("and", y, w.like(8 * width - 1, y)), dtype)
    beyond = w.like(0, x)
    if arithmetic:
        beyond = w.same(operation.name, x, w.like(8 * width - 1, x))
    return [w.bitcast(w.select(inside, w.same(operation.name, x, amount), beyond), xs[0].dtype)]


@emits("clamp")
def _clamp(w: Writer, operation: Operation, xs: Names) -> Names:
    low, x, high = map(w.wide, xs)
    return [w.convert(w.combine("minimum", w.combine("maximum", x, low), high), xs[0].dtype)]


def converted(w: Writer, x: Name, dtype: np.dtype) -> Name:
    """The elements converted to another type by the rules of the operation set."""
    if x.dtype == dtype:
        return x
    if dtypes.is_bool(dtype):
        x = w.wide(x)
        return w.compare("NE", x, w.like(0, x))
    if dtypes.is_complex(x.dtype) and not dtypes.is_complex(dtype):
        x = w.op("real", [x], x.type.with_dtype(dtypes.real_part(x.dtype)))
    if dtypes.is_complex(dtype) and not dtypes.is_complex(x.dtype):
        real = converted(w, x, dtypes.real_part(dtype))
        return w.op("complex", [real, w.like(0, real)], x.type.with_dtype(dtype))
    if dtypes.is_float(x.dtype) and dtypes.is_integer(dtype):
        return _saturated(w, w.wide(x), dtype)
    if is_narrow(dtype) and not dtypes.is_bool(x.dtype) and x.dtype.itemsize > 1:
        x = _single(w, x)
    return w.convert(x, dtype)


def _single(w: Writer, x: Name) -> Name:
    """The elements as float32, rounded to odd where they are inexact, so that rounding these again is right."""
    integer = dtypes.uint64 if x.dtype.itemsize == 8 else dtypes.uint32
    if x.dtype == dtypes.float64:
        near = w.convert(x, dtypes.float32)
        back = w.convert(near, dtypes.float64)
        bits = w.bitcast(near, dtypes.uint32)
        beyond = w.convert(w.compare("GT", w.same("abs", back), w.same("abs", x)), dtypes.uint32)
        inexact = w.convert(w.compare("NE", back, x), dtypes.uint32)
        return w.bitcast(w.same("or", w.same("subtract", bits, beyond), inexact), dtypes.float32)
    if not dtypes.is_integer(x.dtype) or x.dtype.itemsize < 4:
        return w.convert(x, dtypes.float32) if dtypes.is_integer(x.dtype) else x
    size, negative = w.convert(x, integer), None
    if dtypes.is_signed(x.dtype):
        negative = w.compare("LT", x, w.like(0, x))
        size = w.select(negative, w.same("negate", size), size)
    # float32 has 24 digits: those that follow are in the last one of these.
    digits = w.same("subtract", w.like(8 * x.dtype.itemsize, size), w.same("count_leading_zeros", size))
    surplus = w.same("subtract", w.same("maximum", digits, w.like(24, size)), w.like(24, size))
    kept = w.same("shift_right_logical", size, surplus)
    inexact = w.convert(w.compare("NE", w.same("shift_left", kept, surplus), size), integer)
    single = w.convert(w.same("shift_left", w.same("or", kept, inexact), surplus), dtypes.float32)
    return single if negative is None else w.select(negative, w.same("negate", single), single)


def _saturated(w: Writer, x: Name, dtype: np.dtype) -> Name:
    """A float as an integer: truncated and saturated, and zero for NaN."""
    limits = np.iinfo(dtype)
    result = x.type.with_dtype(dtype)
    above = w.compare("GE", x, w.like(2.0 ** (limits.bits - (limits.min < 0)), x))
    below = w.compare("LT", x, w.like(float(limits.min), x))
    bad = w.same("or", w.same("or", above, below), w.compare("NE", x, x))
    inside = w.convert(w.select(bad, w.like(0, x), x), dtype)
    return w.select(above, w.splat(limits.max, result), w.select(below, w.splat(limits.min, result), inside))


EMISSIONS.update({
    "select": lambda w, operation, xs: [w.select(*xs)],
    "complex": lambda w, operation, xs: [w.op("complex", xs, operation.results[0].type)],
    "is_finite": lambda w, operation, xs: [w.op("is_finite", [w.wide(xs[0])], operation.results[0].type)],
    "bitcast_convert": lambda w, operation, xs: [w.bitcast(xs[0], operation.results[0].type.dtype)],
    "convert": lambda w, operation, xs: [converted(w, xs[0], operation.results[0].type.dtype)],
})
