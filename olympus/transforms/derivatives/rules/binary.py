"""Derivatives of operations on two operands of one type, and of choices among several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from olympus_core import ops
from olympus_core.program import OperationRecord

from ....tracing import aval_of, bind
from ...traces.arithmetic import add, apply, compare, div, like, mul, neg, plus, power, scaled, select, sub, zeros
from ...traces.table import Step, Transposition, backward, constant, forward

Result = tuple[Sequence[Any], Sequence[Any]]


@forward(ops.add)
def _add(step: Step) -> Result:
    return [bind(ops.add, *step.primals, weak=step.weak)], [plus(*step.tangents)]


@backward(ops.add)
def _add_back(t: Transposition) -> Sequence[Any]:
    return [t.cotangent, t.cotangent]


@forward(ops.sub)
def _sub(step: Step) -> Result:
    x, y = step.tangents
    tangent = x if y is None else neg(y) if x is None else sub(x, y)
    return [bind(ops.sub, *step.primals, weak=step.weak)], [tangent]


@backward(ops.sub)
def _sub_back(t: Transposition) -> Sequence[Any]:
    return [t.cotangent, neg(t.cotangent) if t.linear[1] else None]


@forward(ops.mul)
def _mul(step: Step) -> Result:
    (x, y), (tx, ty) = step.primals, step.tangents
    if x is y and tx is ty:  # a square
        return [bind(ops.mul, x, y, weak=step.weak)], [mul(tx, add(x, x))]
    tangent = plus(None if tx is None else mul(tx, y), None if ty is None else mul(x, ty))
    return [bind(ops.mul, x, y, weak=step.weak)], [tangent]


@backward(ops.mul)
def _mul_back(t: Transposition) -> Sequence[Any]:
    x, y = t.operands
    return [mul(t.cotangent, y), None] if t.linear[0] else [None, mul(t.cotangent, x)]


@forward(ops.div)
def _div(step: Step) -> Result:
    (x, y), (tx, ty) = step.primals, step.tangents
    result = bind(ops.div, x, y, weak=step.weak)
    tangent = None if tx is None else div(tx, y)
    if ty is not None:
        tangent = plus(tangent, neg(mul(ty, div(result, y))))
    return [result], [tangent]


@backward(ops.div)
def _div_back(t: Transposition) -> Sequence[Any]:
    return [div(t.cotangent, t.operands[1]), None]


@forward(ops.rem)
def _rem(step: Step) -> Result:
    (x, y), (tx, ty) = step.primals, step.tangents
    tangent = tx
    if ty is not None:
        quotient = div(x, y)
        whole = mul(apply(ops.sign, quotient), apply(ops.floor, apply(ops.abs, quotient)))
        tangent = plus(tx, neg(mul(ty, whole)))
    return [bind(ops.rem, x, y, weak=step.weak)], [tangent]


@forward(ops.pow)
def _pow(step: Step) -> Result:
    (x, y), (tx, ty) = step.primals, step.tangents
    result = bind(ops.pow, x, y, weak=step.weak)
    tangent = None
    if tx is not None:
        # Of x to the power of zero nothing changes, even at zero, where x to the power of minus one is infinite.
        none = apply(ops.eq, y, like(y, 0))
        slope = mul(y, power(x, select(none, like(y, 1), sub(y, like(y, 1)))))
        tangent = mul(tx, slope)
    if ty is not None:
        safe = select(apply(ops.eq, x, like(x, 0)), like(x, 1), x)
        tangent = plus(tangent, mul(ty, mul(apply(ops.log, safe), result)))
    return [result], [tangent]


def _extreme(record: OperationRecord, wins: OperationRecord) -> None:
    @forward(record)
    def rule(step: Step) -> Result:
        (x, y), (tx, ty) = step.primals, step.tangents
        dtype = aval_of(x).dtype
        # Each of two equal operands has half of the slope.
        half = scaled(compare(ops.eq, x, y, dtype), 0.5)
        share = add(compare(wins, x, y, dtype), half)
        tangent = None if tx is None else mul(tx, share)
        if ty is not None:
            tangent = plus(tangent, mul(ty, sub(like(share, 1), share)))
        return [bind(record, x, y, weak=step.weak)], [tangent]


_extreme(ops.max, ops.gt)
_extreme(ops.min, ops.lt)


@forward(ops.atan2)
def _atan2(step: Step) -> Result:
    (y, x), (ty, tx) = step.primals, step.tangents
    size = add(mul(x, x), mul(y, y))
    tangent = None if ty is None else mul(ty, div(x, size))
    if tx is not None:
        tangent = plus(tangent, mul(tx, div(neg(y), size)))
    return [bind(ops.atan2, y, x, weak=step.weak)], [tangent]


@forward(ops.complex)
def _complex(step: Step) -> Result:
    tangents = [zeros(aval_of(x)) if t is None else t for x, t in zip(step.primals, step.tangents, strict=True)]
    return [bind(ops.complex, *step.primals, weak=step.weak)], [apply(ops.complex, *tangents)]


@backward(ops.complex)
def _complex_back(t: Transposition) -> Sequence[Any]:
    real, imag = t.linear
    return [apply(ops.real, t.cotangent) if real else None, neg(apply(ops.imag, t.cotangent)) if imag else None]


@forward(ops.select)
def _select(step: Step) -> Result:
    (predicate, x, y), (_, tx, ty) = step.primals, step.tangents
    nothing = zeros(aval_of(x))
    tangent = select(predicate, nothing if tx is None else tx, nothing if ty is None else ty)
    return [bind(ops.select, predicate, x, y, weak=step.weak)], [tangent]


@backward(ops.select)
def _select_back(t: Transposition) -> Sequence[Any]:
    predicate, cotangent = t.operands[0], t.cotangent
    nothing = zeros(aval_of(cotangent))
    return [None, select(predicate, cotangent, nothing) if t.linear[1] else None,
            select(predicate, nothing, cotangent) if t.linear[2] else None]


@forward(ops.clamp)
def _clamp(step: Step) -> Result:
    (low, x, high), (t_low, tx, t_high) = step.primals, step.tangents
    dtype = aval_of(x).dtype
    tangent = None
    if tx is not None:
        inside = mul(compare(ops.gt, x, low, dtype), compare(ops.lt, x, high, dtype))
        tangent = mul(tx, inside)
    if t_low is not None:
        tangent = plus(tangent, mul(t_low, mul(compare(ops.lt, x, low, dtype), compare(ops.lt, low, high, dtype))))
    if t_high is not None:
        tangent = plus(tangent, mul(t_high, compare(ops.gt, apply(ops.max, x, low), high, dtype)))
    return [bind(ops.clamp, low, x, high, weak=step.weak)], [tangent]


constant(ops.next_after, ops.and_, ops.or_, ops.xor, ops.shift_left, ops.shift_right_logical,
         ops.shift_right_arithmetic, ops.eq, ops.ne, ops.lt, ops.le, ops.gt, ops.ge)
