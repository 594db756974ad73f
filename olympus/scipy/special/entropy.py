# SPDX-License-Identifier: Apache-2.0
"""Logarithms that are exact where a factor or a share is zero: entropies, the logit, powers; sums of exponentials."""

from __future__ import annotations

import math
from typing import Any

from olympus_core import dtypes, ops
from olympus_core.deferred import listed

from ... import nn
from ... import numpy as jnp
from ...numpy.promotion import promote_inexact
from ...operands import dtype_of, weakly
from ...tracing import bind
from ...transforms.derivatives import custom_jvp
from ...typing import Array, ArrayLike
from ..documentation import floats, inexact
from .parameters import function

__all__ = [
    "boxcox", "boxcox1p", "entr", "expit", "kl_div", "log_softmax", "logit", "logsumexp", "rel_entr", "softmax",
    "xlog1py", "xlogy",
]
__dir__ = listed(__all__)

logsumexp = nn.logsumexp


@function("expit(0.0)", "0.5")
def expit(x: ArrayLike) -> Array:
    """The logistic function, 1 / (1 + exp(-x))."""
    (x,), weak = promote_inexact("expit", x)
    return bind(ops.logistic, x, weak=weak)


@custom_jvp
def _logit(x: Any) -> Any:
    # Around one half the quotient is near one, and its logarithm is of what it is away from one.
    middle = (x > 0.3) & (x < 0.65)
    inner, outer = jnp.where(middle, x, 0.5), jnp.where(middle, 0.25, x)
    return jnp.where(middle, jnp.log1p((2 * inner - 1) / (1 - inner)), jnp.log(outer / (1 - outer)))


@_logit.defjvp
def _logit_slope(primals: tuple[Any], tangents: tuple[Any]) -> tuple[Any, Any]:
    (x,), (t,) = primals, tangents
    return _logit(x), t / (x * (1 - x))


@function("logit(0.5)", "0.0")
def logit(x: ArrayLike) -> Array:
    """The logarithm of the odds, log(x / (1 - x))."""
    (z,) = inexact("logit", x)
    return jnp.log(z / (1 - z)) if dtypes.is_complex(dtype_of(z)) else _logit(z)


@custom_jvp
def _xlogy(x: Any, y: Any) -> Any:
    zero = (x == 0) & (y == y)
    return jnp.where(zero, 0, x * jnp.log(jnp.where(zero, 1, y)))


@_xlogy.defjvp
def _xlogy_slope(primals: tuple[Any, Any], tangents: tuple[Any, Any]) -> tuple[Any, Any]:
    (x, y), (s, t) = primals, tangents
    return _xlogy(x, y), s * jnp.log(y) + t * (x / y)


@function("xlogy(0.0, 0.0)", "0.0")
def xlogy(x: ArrayLike, y: ArrayLike) -> Array:
    """The product of x and log(y), 0 where x is 0."""
    operands, weak = promote_inexact("xlogy", x, y)
    return weakly(_xlogy(*operands), weak)


@custom_jvp
def _xlog1py(x: Any, y: Any) -> Any:
    zero = (x == 0) & (y == y)
    return jnp.where(zero, 0, x * jnp.log1p(jnp.where(zero, 0, y)))


@_xlog1py.defjvp
def _xlog1py_slope(primals: tuple[Any, Any], tangents: tuple[Any, Any]) -> tuple[Any, Any]:
    (x, y), (s, t) = primals, tangents
    return _xlog1py(x, y), s * jnp.log1p(y) + t * (x / (1 + y))


@function("xlog1py(0.0, -1.0)", "0.0")
def xlog1py(x: ArrayLike, y: ArrayLike) -> Array:
    """The product of x and log(1 + y), 0 where x is 0."""
    operands, weak = promote_inexact("xlog1py", x, y)
    return weakly(_xlog1py(*operands), weak)


@custom_jvp
def _entr(x: Any) -> Any:
    return jnp.where(x < 0, -jnp.inf, -_xlogy(x, jnp.where(x < 0, 1, x)))


@_entr.defjvp
def _entr_slope(primals: tuple[Any], tangents: tuple[Any]) -> tuple[Any, Any]:
    (x,), (t,) = primals, tangents
    return _entr(x), -t * (jnp.log(x) + 1)


@function("entr(1.0) + 0.0", "0.0")
def entr(x: ArrayLike) -> Array:
    """A share's part of the entropy, -x log(x); minus infinity where x is negative."""
    return _entr(*floats("entr", x))


def _shares(p: Any, q: Any) -> tuple[Any, Any, Any, Any]:
    """Where both are positive; there the first, the second one's relative distance, and whether that is little."""
    inside = (p > 0) & (q > 0)
    first, second = jnp.where(inside, p, 1), jnp.where(inside, q, 1)
    away = (second - first) / first
    return inside, first, away, jnp.abs(away) < 0.5


def _logarithm(first: Any, second: Any) -> Any:
    """The logarithm of a quotient, also of one that is no float."""
    quotient = first / second
    tiny = float(jnp.finfo(dtype_of(quotient)).tiny)
    usable = (quotient >= tiny) & (quotient < jnp.inf)
    return jnp.where(usable, jnp.log(jnp.where(usable, quotient, 1)), jnp.log(first) - jnp.log(second))


def _outside(p: Any, q: Any, at_zero: Any) -> Any:
    found = jnp.where((p == 0) & (q >= 0), at_zero, jnp.inf)
    return jnp.where(jnp.isnan(p) | jnp.isnan(q), jnp.nan, found)


@function("rel_entr(1.0, 1.0)", "0.0")
def rel_entr(p: ArrayLike, q: ArrayLike) -> Array:
    """A share's part of the relative entropy, p log(p / q); infinite where p or q is negative, or only q is 0."""
    p, q = floats("rel_entr", p, q)
    inside, first, away, near = _shares(p, q)
    logarithm = jnp.where(near, 0 - jnp.log1p(jnp.where(near, away, 0)), _logarithm(first, jnp.where(inside, q, 1)))
    return jnp.where(inside, first * logarithm, _outside(p, q, 0))


@function("kl_div(2.0, 2.0)", "0.0")
def kl_div(p: ArrayLike, q: ArrayLike) -> Array:
    """The Kullback-Leibler divergence's part, p log(p / q) - p + q; infinite where `rel_entr` is."""
    p, q = floats("kl_div", p, q)
    inside, first, away, near = _shares(p, q)
    # Of d = q / p - 1 it is p (d - log(1 + d)); log(1 + d) is 2 (r + r^3 / 3 + ...) for r = d / (2 + d).
    small = jnp.where(near, away, 0)
    ratio = small / (2 + small)
    square = ratio * ratio
    series = jnp.zeros_like(ratio)
    for k in range(16, 0, -1):
        series = (series + 1 / (2 * k + 1)) * square
    close = first * (small * ratio - 2 * ratio * series)
    second = jnp.where(inside, q, 1)
    found = jnp.where(near, close, first * _logarithm(first, second) - first + second)
    return jnp.where(inside, found, _outside(p, q, q))


@function("boxcox(3.0, 1.0)", "2.0")
def boxcox(x: ArrayLike, lmbda: ArrayLike) -> Array:
    """Box and Cox' transformation, (x^lmbda - 1) / lmbda, and log(x) where lmbda is 0."""
    x, lmbda = inexact("boxcox", x, lmbda)
    return _power_less_one(jnp.log(x), lmbda)


@function("boxcox1p(2.0, 1.0)", "2.0")
def boxcox1p(x: ArrayLike, lmbda: ArrayLike) -> Array:
    """Box and Cox' transformation of 1 + x."""
    x, lmbda = inexact("boxcox1p", x, lmbda)
    return _power_less_one(jnp.log1p(x), lmbda)


@custom_jvp
def _power_less_one(logarithm: Any, exponent: Any) -> Any:
    """(exp(logarithm * exponent) - 1) / exponent, and the logarithm where the exponent is 0."""
    endless = jnp.isinf(logarithm) & (exponent == 0)
    finite = jnp.where(endless, 0, logarithm)
    product = finite * exponent
    # Of so small a product only the first two terms are seen.
    small = jnp.abs(product) < float(jnp.finfo(product.dtype).eps) ** 0.5 / 8
    found = jnp.expm1(jnp.where(small, 1, product)) / jnp.where(small, 1, exponent)
    near = jnp.where(small, finite, 0) * (1 + jnp.where(small, product, 0) / 2)
    return jnp.where(endless, logarithm, jnp.where(small, near, found))


@_power_less_one.defjvp
def _power_less_one_slope(primals: tuple[Any, Any], tangents: tuple[Any, Any]) -> tuple[Any, Any]:
    (given, exponent), (s, t) = primals, tangents
    logarithm = jnp.where(jnp.isinf(given) & (exponent == 0), 0, given)
    product = logarithm * exponent
    # By the exponent it is logarithm^2 times the derivative of (exp(p) - 1) / p, near zero by its series.
    near = jnp.abs(product) < 1
    inner, outer, divisor = jnp.where(near, product, 0), jnp.where(near, 1, product), jnp.where(near, 1, exponent)
    series = jnp.zeros_like(inner)
    for k in range(22, 0, -1):
        series = series * inner + k / math.factorial(k + 1)
    bent = jnp.maximum(outer, -1e3) * jnp.exp(outer) - jnp.expm1(outer)
    bent = jnp.where(near, jnp.square(logarithm) * series, bent / (divisor * divisor))
    return _power_less_one(given, exponent), s * jnp.exp(product) + t * bent


@function("softmax(olympus.numpy.zeros(4))[0]", "0.25", static=("axis",))
def softmax(x: ArrayLike, /, *, axis: int | tuple[int, ...] | None = None) -> Array:
    """Exponentials, scaled so that their sum over some dimensions is one."""
    return nn.softmax(x, axis=axis)


@function("log_softmax(olympus.numpy.zeros(1))[0]", "0.0", static=("axis",))
def log_softmax(x: ArrayLike, /, *, axis: int | tuple[int, ...] | None = None) -> Array:
    """The logarithm of `softmax`, exact for small shares."""
    return nn.log_softmax(x, axis=axis)
