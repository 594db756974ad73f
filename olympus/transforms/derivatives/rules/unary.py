"""Derivatives of operations on one operand, index by index."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.program import OperationRecord

from ....tracing import aval_of, bind
from ...traces.arithmetic import add, apply, div, like, mul, neg, scaled, select, sub, zeros
from ...traces.table import Step, Transposition, backward, constant, forward

Slope = Callable[[Any, Any], Any]  # of an operand and its result


def _sloped(record: OperationRecord, slope: Slope) -> None:
    @forward(record)
    def rule(step: Step) -> tuple[Sequence[Any], Sequence[Any]]:
        (x,) = step.primals
        y = bind(record, x, weak=step.weak)
        return [y], [mul(step.tangents[0], slope(x, y))]


def _one_minus_square(x: Any) -> Any:
    return sub(like(x, 1), mul(x, x))




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
    (ops.cbrt, lambda x, y: div(scaled(y, 1 / 3), x)),
    (ops.sin, lambda x, y: apply(ops.cos, x)),
    (ops.cos, lambda x, y: neg(apply(ops.sin, x))),
    (ops.tan, lambda x, y: add(mul(y, y), like(y, 1))),
    (ops.asin, lambda x, y: apply(ops.rsqrt, _one_minus_square(x))),
    (ops.acos, lambda x, y: neg(apply(ops.rsqrt, _one_minus_square(x)))),
    (ops.atan, lambda x, y: div(like(x, 1), add(mul(x, x), like(x, 1)))),
    (ops.sinh, lambda x, y: apply(ops.cosh, x)),
    (ops.cosh, lambda x, y: apply(ops.sinh, x)),
    (ops.tanh, lambda x, y: _one_minus_square(y)),
    (ops.asinh, lambda x, y: apply(ops.rsqrt, add(mul(x, x), like(x, 1)))),
    (ops.acosh, lambda x, y: mul(apply(ops.rsqrt, sub(x, like(x, 1))), apply(ops.rsqrt, add(x, like(x, 1))))),
    (ops.atanh, lambda x, y: div(like(x, 1), _one_minus_square(x))),
    (ops.logistic, lambda x, y: mul(y, sub(like(y, 1), y))),
    (ops.erf, lambda x, y: _exp_of_square(x, -1, 2 / math.sqrt(math.pi))),
    (ops.erfc, lambda x, y: _exp_of_square(x, -1, -2 / math.sqrt(math.pi))),
    (ops.erf_inv, lambda x, y: _exp_of_square(y, 1, math.sqrt(math.pi) / 2)),
    (ops.lgamma, lambda x, y: apply(ops.digamma, x)),
    (ops.digamma, lambda x, y: trigamma(x)),
]
for _record, _slope in _SLOPES:
    _sloped(_record, _slope)


def trigamma(x: Any) -> Any:
    """The derivative of digamma: by reflection, recurrence and the asymptotic series."""
    low = apply(ops.lt, x, like(x, 0.5))
    one = like(x, 1)
    z = select(low, sub(one, x), x)
    total = like(x, 0)
    for _ in range(8):
        total = add(total, div(one, mul(z, z)))
        z = add(z, one)
    inverse = div(one, z)
    square = mul(inverse, inverse)
    series = like(x, 5 / 66)
    for coefficient in (-1 / 30, 1 / 42, -1 / 30, 1 / 6):
        series = add(mul(series, square), like(x, coefficient))
    tail = mul(inverse, add(one, mul(inverse, add(like(x, 0.5), mul(inverse, series)))))
    total = add(total, tail)
    # Reflected: pi^2 / sin^2(pi x) - trigamma(1 - x).
    turned = apply(ops.sin, scaled(x, math.pi))
    return select(low, sub(div(like(x, math.pi ** 2), mul(turned, turned)), total), total)


@forward(ops.abs)
def _abs(step: Step) -> tuple[Sequence[Any], Sequence[Any]]:
    (x,), (t,) = step.primals, step.tangents
    sign = apply(ops.sign, x)
    if not dtypes.is_complex(aval_of(x).dtype):
        return [bind(ops.abs, x, weak=step.weak)], [mul(t, sign)]
    return [bind(ops.abs, x, weak=step.weak)], [apply(ops.real, mul(t, apply(ops.conj, sign)))]


@forward(ops.sign)
def _sign(step: Step) -> tuple[Sequence[Any], Sequence[Any]]:
    (x,), (t,) = step.primals, step.tangents
    y = bind(ops.sign, x, weak=step.weak)
    aval = aval_of(x)
    if not dtypes.is_complex(aval.dtype):
        return [y], [None]
    # Of x / |x| only what is at a right angle to x changes.
    size = apply(ops.abs, x)
    whole = apply(ops.complex, size, like(size, 0))
    along = apply(ops.real, mul(t, apply(ops.conj, y)))
    across = sub(t, mul(y, apply(ops.complex, along, zeros(aval_of(along)))))
    return [y], [mul(across, div(like(x, 1), whole))]


def _linear(record: OperationRecord, back: Callable[[Any], Any]) -> None:
    @forward(record)
    def rule(step: Step) -> tuple[Sequence[Any], Sequence[Any]]:
        return [bind(record, *step.primals, weak=step.weak)], [apply(record, *step.tangents)]

    @backward(record)
    def transposed(t: Transposition) -> Sequence[Any]:
        return [back(t.cotangent)]


def _imaginary(x: Any) -> Any:
    return apply(ops.complex, like(x, 0), neg(x))


# The pairing of cotangents and tangents is Re(c * t): the cotangent of a * z is c * a, not conjugated.
_linear(ops.neg, neg)
_linear(ops.real, lambda c: apply(ops.complex, c, like(c, 0)))
_linear(ops.imag, _imaginary)
_linear(ops.conj, lambda c: apply(ops.conj, c))
constant(ops.floor, ops.ceil, ops.round, ops.is_finite, ops.not_, ops.population_count, ops.count_leading_zeros)


@forward(ops.convert)
def _convert(step: Step) -> tuple[Sequence[Any], Sequence[Any]]:
    (x,), (t,), dtype = step.primals, step.tangents, step.attributes["dtype"]
    y = bind(ops.convert, x, weak=step.weak, dtype=dtype)
    if not (dtypes.is_float(dtype) or dtypes.is_complex(dtype)):
        return [y], [None]
    return [y], [t if np.dtype(dtype) == aval_of(x).dtype else apply(ops.convert, t, dtype=dtype)]


@backward(ops.convert)
def _convert_back(t: Transposition) -> Sequence[Any]:
    dtype, cotangent = t.avals[0].dtype, t.cotangent
    if dtypes.is_complex(aval_of(cotangent).dtype) and not dtypes.is_complex(dtype):
        cotangent = apply(ops.real, cotangent)
    return [cotangent if aval_of(cotangent).dtype == dtype else apply(ops.convert, cotangent, dtype=dtype)]


constant(ops.bitcast_convert)
