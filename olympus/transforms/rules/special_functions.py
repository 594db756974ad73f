# SPDX-License-Identifier: Apache-2.0
"""Derivatives of incomplete gamma and beta functions, Bessel and zeta functions; batching follows from the category."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from olympus_core import ops
from olympus_core.errors import MissingDerivativeError
from olympus_core.program import OperationRecord

from ...tracing import bind
from ..traces.arithmetic import add, apply, div, like, mul, neg, plus, select, sub
from ..traces.table import Jvp, JvpCall, jvp_rule


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


def _times_log(x: Any, y: Any) -> Any:
    """The product of x and log y, 0 where x is 0 and the logarithm not finite; its slope by x is log y at 0 too."""
    logarithm = apply(ops.log, y)
    unclear = apply(ops.and_, apply(ops.eq, x, like(x, 0)), apply(ops.not_, apply(ops.is_finite, logarithm)))
    return mul(x, apply(ops.log, select(unclear, like(y, 1), y)))


def _gamma_density(a: Any, x: Any) -> Any:
    return apply(ops.exp, sub(sub(_times_log(sub(a, like(a, 1)), x), x), apply(ops.lgamma, a)))


def _from_mean(a: Any, x: Any) -> Any:
    """The logarithm less its mean over the gamma distribution of shape a."""
    return sub(apply(ops.log, x), apply(ops.digamma, a))


def _quantile_slope_by_x(a: Any, x: Any, slope: Any) -> Any:
    """Of -F_a / f, where F is the distribution's share below x and f its density."""
    falling = sub(div(sub(a, like(a, 1)), x), like(x, 1))
    return neg(add(_from_mean(a, x), mul(slope, falling)))


def _beta_density(a: Any, b: Any, x: Any, _: Any) -> Any:
    one = like(x, 1)
    size = sub(add(apply(ops.lgamma, a), apply(ops.lgamma, b)), apply(ops.lgamma, add(a, b)))
    exponent = add(_times_log(sub(a, one), x), _times_log(sub(b, one), sub(one, x)))
    return apply(ops.exp, sub(exponent, size))


def _bessel_i1e_slope(x: Any, y: Any) -> Any:
    zero = apply(ops.eq, x, like(x, 0))
    safe = select(zero, like(x, 1), x)
    slope = sub(apply(ops.bessel_i0e, safe), mul(y, add(apply(ops.sign, safe), div(like(x, 1), safe))))
    return select(zero, like(x, 0.5), slope)


_sloped(ops.igamma, (lambda a, x, y: apply(ops.igamma_grad_a, a, x), lambda a, x, y: _gamma_density(a, x)), ("a", "x"))
_sloped(ops.igammac, (lambda a, x, y: neg(apply(ops.igamma_grad_a, a, x)),
                      lambda a, x, y: neg(_gamma_density(a, x))), ("a", "x"))
_sloped(ops.igamma_grad_a, (None, lambda a, x, y: mul(_gamma_density(a, x), _from_mean(a, x))), ("a", "x"))
_sloped(ops.random_gamma_grad, (None, _quantile_slope_by_x), ("a", "x"))
_sloped(ops.betainc, (None, None, _beta_density), ("a", "b", "x"))
_sloped(ops.bessel_i0e, (lambda x, y: sub(apply(ops.bessel_i1e, x), mul(apply(ops.sign, x), y)),), ("x",))
_sloped(ops.bessel_i1e, (_bessel_i1e_slope,), ("x",))
_sloped(ops.zeta, (None, lambda s, q, y: mul(neg(s), apply(ops.zeta, add(s, like(s, 1)), q))), ("s", "q"))
_sloped(ops.polygamma, (None, lambda m, x, y: apply(ops.polygamma, add(m, like(m, 1)), x)), ("m", "x"))
_sloped(ops.digamma, (lambda x, y: apply(ops.polygamma, like(x, 1), x),), ("x",))
