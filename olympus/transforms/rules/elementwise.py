# SPDX-License-Identifier: Apache-2.0
"""Elementwise operations: derivatives of functions of one operand and of several, batching of all."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.program import OperationRecord

from ...tracing import aval_of, bind, bind_all
from ..traces.arithmetic import add, apply, compare, div, like, mul, neg, plus, power, scaled, select, sub, zeros
from ..traces.table import (
    Batched,
    BatchingCall,
    Jvp,
    JvpCall,
    SeriesCall,
    Terms,
    TransposeCall,
    all_batched,
    batching_rule,
    jvp_rule,
    no_tangent,
    series_rule,
    transpose_rule,
)

Slope = Callable[[Any, Any], Any]  # of an operand and its result


def _sloped(record: OperationRecord, slope: Slope) -> None:
    @jvp_rule(record)
    def rule(call: JvpCall) -> Jvp:
        (x,) = call.primals
        y = bind(record, x, weak=call.weak)
        return [y], [mul(call.tangents[0], slope(x, y))]


def _one_minus_square(x: Any) -> Any:
    return sub(like(x, 1), mul(x, x))


def _asin_slope(x: Any, _: Any) -> Any:
    """By two roots where x is complex: of 1 - x² one of a branch cut's sides is lost, of 1 - x and 1 + x none."""
    if not dtypes.is_complex(aval_of(x).dtype):
        return apply(ops.rsqrt, _one_minus_square(x))
    real, imaginary = apply(ops.real, x), apply(ops.imag, x)
    return _inverse_roots(real, imaginary)


def _asinh_slope(x: Any, _: Any) -> Any:
    if not dtypes.is_complex(aval_of(x).dtype):
        return apply(ops.rsqrt, add(mul(x, x), like(x, 1)))
    return _inverse_roots(apply(ops.imag, x), neg(apply(ops.real, x)))


def _acosh_slope(x: Any, _: Any) -> Any:
    one = like(x, 1)
    if not dtypes.is_complex(aval_of(x).dtype):
        return mul(apply(ops.rsqrt, sub(x, one)), apply(ops.rsqrt, add(x, one)))
    real, imaginary = apply(ops.real, x), apply(ops.imag, x)
    below, above = (apply(ops.complex, add(real, like(real, n)), imaginary) for n in (-1, 1))
    return mul(apply(ops.rsqrt, below), apply(ops.rsqrt, above))


def _inverse_roots(real: Any, imaginary: Any) -> Any:
    """Of 1 - x and 1 + x; the imaginary parts keep the sign of their zeros, as no complex sum with 1 does."""
    one = like(real, 1)
    below = apply(ops.complex, sub(one, real), neg(imaginary))
    above = apply(ops.complex, add(one, real), imaginary)
    return mul(apply(ops.rsqrt, below), apply(ops.rsqrt, above))


def _third_of_square(x: Any) -> Any:
    return scaled(mul(x, x), 1 / 3)


def _exp_of_square(x: Any, sign: int, factor: float) -> Any:
    """``factor * exp(sign * x**2)``."""
    square = mul(x, x)
    return scaled(apply(ops.exp, square if sign > 0 else neg(square)), factor)


_SLOPES: list[tuple[OperationRecord, Slope]] = [
    (ops.exp, lambda x, y: y),
    (ops.expm1, lambda x, y: add(y, like(y, 1))),
    (ops.log, lambda x, y: div(like(x, 1), x)),
    (ops.log1p, lambda x, y: div(like(x, 1), add(x, like(x, 1)))),
    (ops.sqrt, lambda x, y: div(like(y, 0.5), y)),
    (ops.rsqrt, lambda x, y: scaled(div(y, x), -0.5)),
    (ops.cbrt, lambda x, y: _third_of_square(div(like(y, 1), y))),  # the slope of that is no NaN at zero
    (ops.sin, lambda x, y: apply(ops.cos, x)),
    (ops.cos, lambda x, y: neg(apply(ops.sin, x))),
    (ops.tan, lambda x, y: add(mul(y, y), like(y, 1))),
    (ops.asin, _asin_slope),
    (ops.acos, lambda x, y: neg(_asin_slope(x, y))),
    (ops.atan, lambda x, y: div(like(x, 1), add(mul(x, x), like(x, 1)))),
    (ops.sinh, lambda x, y: apply(ops.cosh, x)),
    (ops.cosh, lambda x, y: apply(ops.sinh, x)),
    (ops.tanh, lambda x, y: _one_minus_square(y)),
    (ops.asinh, _asinh_slope),
    (ops.acosh, _acosh_slope),
    (ops.atanh, lambda x, y: div(like(x, 1), _one_minus_square(x))),
    (ops.logistic, lambda x, y: mul(y, sub(like(y, 1), y))),
    (ops.erf, lambda x, y: _exp_of_square(x, -1, 2 / math.sqrt(math.pi))),
    (ops.erfc, lambda x, y: _exp_of_square(x, -1, -2 / math.sqrt(math.pi))),
    (ops.erf_inv, lambda x, y: _exp_of_square(y, 1, math.sqrt(math.pi) / 2)),
    (ops.lgamma, lambda x, y: apply(ops.digamma, x)),
]
for _record, _slope in _SLOPES:
    _sloped(_record, _slope)


@jvp_rule(ops.abs)
def _abs_jvp(call: JvpCall) -> Jvp:
    (x,), (t,) = call.primals, call.tangents
    y = bind(ops.abs, x, weak=call.weak)
    if not dtypes.is_complex(aval_of(x).dtype):
        return [y], [select(apply(ops.ge, x, like(x, 0)), t, neg(t))]  # at zero the slope is that of positive numbers
    return [y], [apply(ops.real, mul(t, apply(ops.conj, apply(ops.sign, x))))]


@jvp_rule(ops.sign)
def _sign_jvp(call: JvpCall) -> Jvp:
    (x,), (t,) = call.primals, call.tangents
    y = bind(ops.sign, x, weak=call.weak)
    aval = aval_of(x)
    if not dtypes.is_complex(aval.dtype):
        return [y], [None]
    # Of x / |x| only what is at a right angle to x changes.
    size = apply(ops.abs, x)
    none = apply(ops.eq, size, like(size, 0))  # there it is constant zero for whatever follows
    inverse = select(none, size, div(like(size, 1), select(none, like(size, 1), size)))
    along = apply(ops.real, mul(t, apply(ops.conj, y)))
    across = sub(t, mul(y, apply(ops.complex, along, zeros(aval_of(along)))))
    return [y], [mul(across, apply(ops.complex, inverse, like(inverse, 0)))]


def _linear(record: OperationRecord, back: Callable[[Any], Any]) -> None:
    @jvp_rule(record)
    def rule(call: JvpCall) -> Jvp:
        return [bind(record, *call.primals, weak=call.weak)], [apply(record, *call.tangents)]

    @transpose_rule(record)
    def transposed(t: TransposeCall) -> Sequence[Any]:
        return [back(t.cotangent)]


def _imaginary(x: Any) -> Any:
    return apply(ops.complex, like(x, 0), neg(x))


# The pairing of cotangents and tangents is Re(c * t): the cotangent of a * z is c * a, not conjugated.
_linear(ops.neg, neg)
_linear(ops.real, lambda c: apply(ops.complex, c, like(c, 0)))
_linear(ops.imag, _imaginary)
_linear(ops.conj, lambda c: apply(ops.conj, c))
no_tangent(ops.floor, ops.ceil, ops.round, ops.is_finite, ops.not_, ops.population_count, ops.count_leading_zeros)


@jvp_rule(ops.convert)
def _convert_jvp(call: JvpCall) -> Jvp:
    (x,), (t,), dtype = call.primals, call.tangents, call.attributes["dtype"]
    y = bind(ops.convert, x, weak=call.weak, dtype=dtype)
    if not (dtypes.is_float(dtype) or dtypes.is_complex(dtype)):
        return [y], [None]
    return [y], [t if np.dtype(dtype) == aval_of(x).dtype else apply(ops.convert, t, dtype=dtype)]


@transpose_rule(ops.convert)
def _convert_transpose(t: TransposeCall) -> Sequence[Any]:
    dtype, cotangent = t.avals[0].dtype, t.cotangent
    if dtypes.is_complex(aval_of(cotangent).dtype) and not dtypes.is_complex(dtype):
        cotangent = apply(ops.real, cotangent)
    return [cotangent if aval_of(cotangent).dtype == dtype else apply(ops.convert, cotangent, dtype=dtype)]


no_tangent(ops.bitcast_convert)


@jvp_rule(ops.add)
def _add_jvp(call: JvpCall) -> Jvp:
    return [bind(ops.add, *call.primals, weak=call.weak)], [plus(*call.tangents)]


@transpose_rule(ops.add)
def _add_transpose(t: TransposeCall) -> Sequence[Any]:
    return [t.cotangent, t.cotangent]


@jvp_rule(ops.sub)
def _sub_jvp(call: JvpCall) -> Jvp:
    x, y = call.tangents
    tangent = x if y is None else neg(y) if x is None else sub(x, y)
    return [bind(ops.sub, *call.primals, weak=call.weak)], [tangent]


@transpose_rule(ops.sub)
def _sub_transpose(t: TransposeCall) -> Sequence[Any]:
    return [t.cotangent, neg(t.cotangent) if t.linear[1] else None]


@jvp_rule(ops.mul)
def _mul_jvp(call: JvpCall) -> Jvp:
    (x, y), (tx, ty) = call.primals, call.tangents
    if x is y and tx is ty:  # a square
        return [bind(ops.mul, x, y, weak=call.weak)], [mul(tx, add(x, x))]
    tangent = plus(None if tx is None else mul(tx, y), None if ty is None else mul(x, ty))
    return [bind(ops.mul, x, y, weak=call.weak)], [tangent]


@transpose_rule(ops.mul)
def _mul_transpose(t: TransposeCall) -> Sequence[Any]:
    x, y = t.operands
    return [mul(t.cotangent, y), None] if t.linear[0] else [None, mul(t.cotangent, x)]


@jvp_rule(ops.div)
def _div_jvp(call: JvpCall) -> Jvp:
    (x, y), (tx, ty) = call.primals, call.tangents
    result = bind(ops.div, x, y, weak=call.weak)
    tangent = None if tx is None else div(tx, y)
    if ty is not None:
        tangent = plus(tangent, neg(mul(ty, div(result, y))))
    return [result], [tangent]


@series_rule(ops.div)
def _div_series(call: SeriesCall) -> Terms:
    """Of y = x / v the terms of x = y v say one after the other."""
    divisor = call.values[1]
    found = [bind(ops.div, *call.values, weak=call.weak)]
    for k in range(1, call.order + 1):
        rest = call.term(0, k)
        for j in range(k):
            v = call.term(1, k - j)
            if v is not None and found[j] is not None:
                part = mul(found[j], v)
                rest = neg(part) if rest is None else sub(rest, part)
        found.append(None if rest is None else div(rest, divisor))
    return found


@transpose_rule(ops.div)
def _div_transpose(t: TransposeCall) -> Sequence[Any]:
    return [div(t.cotangent, t.operands[1]), None]


@jvp_rule(ops.rem)
def _rem_jvp(call: JvpCall) -> Jvp:
    (x, y), (tx, ty) = call.primals, call.tangents
    tangent = tx
    if ty is not None:
        quotient = div(x, y)
        truncated = mul(apply(ops.sign, quotient), apply(ops.floor, apply(ops.abs, quotient)))
        tangent = plus(tx, neg(mul(ty, truncated)))
    return [bind(ops.rem, x, y, weak=call.weak)], [tangent]


@jvp_rule(ops.pow)
def _pow_jvp(call: JvpCall) -> Jvp:
    (x, y), (tx, ty) = call.primals, call.tangents
    result = bind(ops.pow, x, y, weak=call.weak)
    tangent = None
    if tx is not None:
        tangent = mul(tx, mul(y, power(_beside_zero(x, y), sub(y, like(y, 1)))))
    if ty is not None:
        safe = select(apply(ops.eq, x, like(x, 0)), like(x, 1), x)
        tangent = plus(tangent, mul(ty, mul(apply(ops.log, safe), result)))
    return [result], [tangent]


def _beside_zero(x: Any, factor: Any) -> Any:
    """A base, but 1 for a zero after the factor 0: nothing changes there, though negative powers of it are infinite.

    Other bases stay, for the factor's own derivatives.
    """
    nothing = apply(ops.and_, apply(ops.eq, factor, like(factor, 0)), apply(ops.eq, x, like(x, 0)))
    return select(nothing, like(x, 1), x)


@series_rule(ops.pow)
def _pow_series(call: SeriesCall) -> Terms | None:
    """For a fixed exponent by the binomial series, which holds for negative x and, for whole exponents, at zero too."""
    x, y = call.values
    if call.terms[1]:
        return None
    powers = list(call.terms[0])  # of what x changes by
    slopes, falling, exponent = [], like(y, 1), y
    for j in range(1, call.order + 1):
        falling = mul(falling, div(exponent, like(y, j)))
        exponent = sub(exponent, like(y, 1))
        slopes.append(mul(falling, power(_beside_zero(x, falling), exponent)))
    found: list[Any] = [None] * call.order
    for slope in slopes:
        found = [total if p is None else plus(total, mul(slope, p)) for total, p in zip(found, powers, strict=True)]
        powers = [_product_term(powers, call.terms[0], k) for k in range(call.order)]
    return [bind(ops.pow, x, y, weak=call.weak), *found]


def _product_term(x: Terms, y: Terms, k: int) -> Any:
    """A term of the product of two series that begin with the first power."""
    total = None
    for i in range(k):
        if x[i] is not None and y[k - 1 - i] is not None:
            total = plus(total, mul(x[i], y[k - 1 - i]))
    return total


def _extreme(record: OperationRecord, wins: OperationRecord) -> None:
    @jvp_rule(record)
    def rule(call: JvpCall) -> Jvp:
        (x, y), (tx, ty) = call.primals, call.tangents
        dtype = aval_of(x).dtype
        # Each of two equal operands has half of the slope; beside a NaN, which nothing moves, none has any.
        half = scaled(compare(ops.eq, x, y, dtype), 0.5)
        tangent = None if tx is None else mul(tx, add(compare(wins, x, y, dtype), half))
        if ty is not None:
            tangent = plus(tangent, mul(ty, add(compare(wins, y, x, dtype), half)))
        return [bind(record, x, y, weak=call.weak)], [tangent]


_extreme(ops.max, ops.gt)
_extreme(ops.min, ops.lt)


@jvp_rule(ops.atan2)
def _atan2_jvp(call: JvpCall) -> Jvp:
    (y, x), (ty, tx) = call.primals, call.tangents
    size = add(mul(x, x), mul(y, y))
    tangent = None if ty is None else mul(ty, div(x, size))
    if tx is not None:
        tangent = plus(tangent, mul(tx, div(neg(y), size)))
    return [bind(ops.atan2, y, x, weak=call.weak)], [tangent]


@jvp_rule(ops.complex)
def _complex_jvp(call: JvpCall) -> Jvp:
    tangents = [zeros(aval_of(x)) if t is None else t for x, t in zip(call.primals, call.tangents, strict=True)]
    return [bind(ops.complex, *call.primals, weak=call.weak)], [apply(ops.complex, *tangents)]


@transpose_rule(ops.complex)
def _complex_transpose(t: TransposeCall) -> Sequence[Any]:
    real, imag = t.linear
    return [apply(ops.real, t.cotangent) if real else None, neg(apply(ops.imag, t.cotangent)) if imag else None]


@jvp_rule(ops.select)
def _select_jvp(call: JvpCall) -> Jvp:
    (predicate, x, y), (_, tx, ty) = call.primals, call.tangents
    nothing = zeros(aval_of(x))
    tangent = select(predicate, nothing if tx is None else tx, nothing if ty is None else ty)
    return [bind(ops.select, predicate, x, y, weak=call.weak)], [tangent]


@transpose_rule(ops.select)
def _select_transpose(t: TransposeCall) -> Sequence[Any]:
    predicate, cotangent = t.operands[0], t.cotangent
    nothing = zeros(aval_of(cotangent))
    return [None, select(predicate, cotangent, nothing) if t.linear[1] else None,
            select(predicate, nothing, cotangent) if t.linear[2] else None]


@jvp_rule(ops.clamp)
def _clamp_jvp(call: JvpCall) -> Jvp:
    (low, x, high), (t_low, tx, t_high) = call.primals, call.tangents
    dtype = aval_of(x).dtype
    tangent = None
    if tx is not None:
        inside = mul(compare(ops.gt, x, low, dtype), compare(ops.lt, x, high, dtype))
        tangent = mul(tx, inside)
    if t_low is not None:
        tangent = plus(tangent, mul(t_low, mul(compare(ops.lt, x, low, dtype), compare(ops.lt, low, high, dtype))))
    if t_high is not None:
        tangent = plus(tangent, mul(t_high, compare(ops.gt, apply(ops.max, x, low), high, dtype)))
    return [bind(ops.clamp, low, x, high, weak=call.weak)], [tangent]


no_tangent(ops.next_after, ops.and_, ops.or_, ops.xor, ops.shift_left, ops.shift_right_logical,
           ops.shift_right_arithmetic, ops.eq, ops.ne, ops.lt, ops.le, ops.gt, ops.ge)


def elementwise(call: BatchingCall) -> Batched:
    """The operation on operands that all have the mapped dimension."""
    values = [call.front(i) for i in range(len(call.values))]
    return all_batched(*bind_all(call.record, values, call.attributes, (), call.weak))


batching_rule(*(record for record in ops.OPERATIONS.values() if record.category == "elementwise"))(elementwise)
