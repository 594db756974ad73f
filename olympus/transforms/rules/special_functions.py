# SPDX-License-Identifier: Apache-2.0
"""Derivatives of incomplete gamma and beta functions, Bessel and zeta functions; batching follows from the category."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus_core import ops
from olympus_core.errors import MissingDerivativeError
from olympus_core.program import OperationRecord

from ...tracing import aval_of, bind
from ..traces.arithmetic import add, apply, div, like, mul, neg, plus, sub
from ..traces.numbers import Number, where
from ..traces.table import Jvp, JvpCall, jvp_rule
from .weights import log_beta_density, log_gamma_density

_BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510)  # B(2k)


def _sloped(record: OperationRecord, slopes: Sequence[Any], operands: Sequence[str]) -> None:
    """A derivative for each operand, of the operands and the result; None where operations do not say it."""

    @jvp_rule(record)
    def rule(call: JvpCall) -> Jvp:
        result = bind(record, *call.primals, weak=call.weak)
        tangent = None
        for t, slope, operand in zip(call.tangents, slopes, operands, strict=True):
            if t is None:
                continue
            if slope is None:
                raise MissingDerivativeError(record.name, operand)
            tangent = plus(tangent, mul(t, slope(*call.primals, result)))
        return [result], [tangent]


def _gamma_density(a: Any, x: Any) -> Any:
    return apply(ops.exp, log_gamma_density(a, x))


def _from_mean(a: Any, x: Any) -> Any:
    """The logarithm less its mean over the gamma distribution of shape a."""
    return sub(apply(ops.log, x), apply(ops.digamma, a))


def _quantile_slope_by_x(a: Any, x: Any, slope: Any) -> Any:
    """Of -F_a / f, where F is the distribution's share below x and f its density."""
    falling = sub(div(sub(a, like(a, 1)), x), like(x, 1))
    return neg(add(_from_mean(a, x), mul(slope, falling)))


def _beta_density(a: Any, b: Any, x: Any, _: Any) -> Any:
    return apply(ops.exp, log_beta_density(a, b, x))


def _bessel_difference(x: Any) -> Number:
    """I0 - |I1| times exp(-|x|): far out by Hankel's expansions, of which the first terms cancel, DLMF 10.40.1."""
    start, count = (30, 22) if aval_of(x).dtype == np.float64 else (12, 12)
    size = Number(apply(ops.abs, x))
    far, endless = size >= start, size.equals(math.inf)
    # At infinity all derivatives are 0, which the root of the inverse does not tell.
    wide = where(endless, start, where(far, size, start))
    inverse, terms, first, second = 1 / wide, [], 1.0, 1.0
    for k in range(1, count + 1):
        first *= (2 * k - 1) ** 2 / (8 * k)
        second *= ((2 * k - 1) ** 2 - 4) / (8 * k)
        terms.append(first - second)
    total = Number(like(x, terms[-1]))
    for term in reversed(terms[:-1]):
        total = total * inverse + term
    series = total * inverse * Number(apply(ops.sqrt, (inverse * (0.5 / math.pi)).value))
    near = where(far, 0, size).value
    difference = Number(apply(ops.bessel_i0e, near)) - Number(apply(ops.bessel_i1e, near))
    return where(endless, 0, where(far, series, difference))


def _bessel_i0e_slope(x: Any, _: Any) -> Any:
    return neg(mul(apply(ops.sign, x), _bessel_difference(x).value))


def _bessel_i1e_slope(x: Any, y: Any) -> Any:
    # The quotient by x, near zero by its series: of y and x it would have no second derivative.
    size = Number(apply(ops.abs, x))
    near = size < 1
    inner = where(near, Number(x), 0)
    square = inner * inner * 0.25
    total = Number(like(x, 0))
    for k in range(12, -1, -1):
        total = total * square + 0.5 / (math.factorial(k) * math.factorial(k + 1))
    falling = Number(apply(ops.exp, (0 - size).value))
    return (_bessel_difference(x) - where(near, falling * total, Number(y) / where(near, 1, Number(x)))).value


def _zeta_slope_by_s(s: Any, q: Any, y: Any) -> Any:
    """The sum of -log(q + n) (q + n)^-s, by ten terms and the derivative of Euler and Maclaurin's formula."""
    known = Number(q) > 0
    order, first = where(known, Number(s), 2), where(known, Number(q), 1)

    def part(base: Number) -> tuple[Number, Number]:
        return Number(apply(ops.pow, base.value, (0 - order).value)), Number(apply(ops.log, base.value))

    total = Number(like(s, 0))
    for k in range(10):
        power, logarithm = part(first + k)
        total = total - power * logarithm
    end = first + 10
    power, logarithm = part(end)
    above = order - 1
    total = total - power * (logarithm * (end / above + 0.5) + end / (above * above))
    term, inverses, inverse = power * order / end, 1 / order, 1 / end
    for k, bernoulli in enumerate(_BERNOULLI, 1):
        total = total + term * (bernoulli / math.factorial(2 * k)) * (inverses - logarithm)
        low, high = order + (2 * k - 1), order + 2 * k
        term = term * low * inverse * high * inverse
        inverses = inverses + 1 / low + 1 / high
    infinite = Number(s).equals(math.inf)
    return where(known, where(infinite, 0, total), math.nan).value


_sloped(ops.igamma, (lambda a, x, y: apply(ops.igamma_grad_a, a, x), lambda a, x, y: _gamma_density(a, x)), ("a", "x"))
_sloped(ops.igammac, (lambda a, x, y: neg(apply(ops.igamma_grad_a, a, x)),
                      lambda a, x, y: neg(_gamma_density(a, x))), ("a", "x"))
_sloped(ops.igamma_grad_a, (None, lambda a, x, y: mul(_gamma_density(a, x), _from_mean(a, x))), ("a", "x"))
_sloped(ops.random_gamma_grad, (None, _quantile_slope_by_x), ("a", "x"))
_sloped(ops.betainc, (None, None, _beta_density), ("a", "b", "x"))
_sloped(ops.bessel_i0e, (_bessel_i0e_slope,), ("x",))
_sloped(ops.bessel_i1e, (_bessel_i1e_slope,), ("x",))
_sloped(ops.zeta, (_zeta_slope_by_s, lambda s, q, y: mul(neg(s), apply(ops.zeta, add(s, like(s, 1)), q))), ("s", "q"))
_sloped(ops.polygamma, (None, lambda m, x, y: apply(ops.polygamma, add(m, like(m, 1)), x)), ("m", "x"))
_sloped(ops.digamma, (lambda x, y: apply(ops.polygamma, like(x, 1), x),), ("x",))
