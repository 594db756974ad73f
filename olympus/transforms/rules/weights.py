# SPDX-License-Identifier: Apache-2.0
"""Logarithms of beta functions, and of the densities of gamma and beta distributions, whose great terms do not cancel.

Near its mean a density of great shapes is little beside the factors that it is written with. So it is taken as the
normal density there times what Stirling's formula and the logarithm of a ratio near one leave over: C. Loader, Fast and
Accurate Computation of Binomial Probabilities (2000).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from olympus_core import ops

from ...tracing import aval_of
from ..traces.arithmetic import like
from ..traces.numbers import Number, unary, where

# Coefficients of the series by which log(gamma) differs from Stirling's formula, B(2k) / (2k (2k - 1)).
_STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156)


_log, _log1p, _lgamma, _is_finite = (unary(record) for record in (ops.log, ops.log1p, ops.lgamma, ops.is_finite))


def stirling_rest(x: Any) -> Any:
    """What log(gamma) of an array of numbers of at least 10 is beyond Stirling's formula."""
    return _stirling_rest(Number(x)).value


def _stirling_rest(x: Number) -> Number:
    """What log(gamma) of a number of at least 10 is beyond Stirling's formula."""
    inverse = 1 / x
    square, total = inverse * inverse, Number(like(x.value, _STIRLING[-1]))
    for coefficient in reversed(_STIRLING[:-1]):
        total = total * square + coefficient
    return total * inverse


def _log1p_less(x: Number) -> Number:
    """What log(1 + x) is beyond x, for x from -1/2 to 1, by the series of the logarithm in x / (2 + x)."""
    ratio = x / (x + 2)
    square = ratio * ratio
    count = 17 if aval_of(x.value).dtype == np.float64 else 8
    total = Number(like(x.value, 1 / (2 * count + 1)))
    for k in range(count - 1, 0, -1):
        total = total * square + 1 / (2 * k + 1)
    return ratio * (square * total * 2 - x)


def _times_log(x: Number, y: Number, logarithm: Callable[[Number], Number] = _log) -> Number:
    """The product of x and log y, 0 where x is 0 and the logarithm not finite; its slope by x is log y at 0 too."""
    unclear = x.equals(0) & ~_is_finite(logarithm(y))
    return x * logarithm(where(unclear, 1 if logarithm is _log else 0, y))


def log_beta(a: Any, b: Any) -> Any:
    """The logarithm of the size of the beta function, in which great logarithms do not cancel; for arrays of one type.

    Args:
        a: The first shape; where it is negative it is not a whole number, and the sum positive.
        b: The second shape, likewise.
    """
    return _log_beta(Number(a), Number(b)).value


def _log_beta(a: Number, b: Number) -> Number:
    # Not by minimum and maximum, whose slopes of one half at a tie make second derivatives wrong.
    p, q = where(a < b, a, b), where(a < b, b, a)
    both, one = p >= 10, (q >= 10) & ((p > 0) | (p + q >= 10))
    # Numbers that keep each of the forms finite where it is not taken, for the sake of derivatives.
    r, s = where(both, p, 10), where(one, q, 10)
    share = r / (r + s)
    far = ((r - 0.5) * _log(share) - _log(s) * 0.5 + s * _log1p(0 - share) + 0.5 * math.log(2 * math.pi)
           + (_stirling_rest(r) + _stirling_rest(s) - _stirling_rest(r + s)))
    u = where(one & ~both, p, 1)
    middle = (_lgamma(u) + (_stirling_rest(s) - _stirling_rest(u + s)) + u - u * _log(u + s)
              + (s - 0.5) * _log1p(0 - u / (u + s)))
    v, w = where(one, 1, p), where(one, 1, q)
    near = _lgamma(v) + _lgamma(w) - _lgamma(v + w)
    found = where(both, far, where(one, middle, near))
    infinite = where(q.equals(math.inf) & (p > 0), -math.inf, found)
    return where(p.equals(0) & (q >= 0), math.inf, infinite)


def _beside_mean(shape: Number, away: Number, ratio: Number) -> Number:
    """Shape log(ratio) - away, where the ratio is 1 + away / shape."""
    relative = away / shape
    near = (relative > -0.5) & (relative < 1)
    return where(near, shape * _log1p_less(where(near, relative, 0)), shape * _log(where(near, 1, ratio)) - away)


def log_gamma_density(a: Any, x: Any) -> Any:
    """The logarithm of the gamma distribution's density; of a = k + 1 that of the Poisson distribution's mean x at k.

    Args:
        a: The shape, positive.
        x: Where, not negative; an array of the same type and shape.
    """
    shape, place = Number(a), Number(x)
    great = (shape >= 10) & (place > 0) & (place < math.inf) & (shape < math.inf)
    # Of a shape of 10 at 10 where the form is not taken.
    wide, inner = where(great, shape, 10), where(great, place, 10)
    far = (_beside_mean(wide, inner - wide, inner / wide) - _stirling_rest(wide) - _log(inner)
           + _log(wide * (0.5 / math.pi)) * 0.5)
    small, outer = where(great, 1, shape), where(great, 1, place)
    near = _times_log(small - 1, outer) - outer - _lgamma(small)
    return where(great, far, where(place.equals(math.inf), -math.inf, near)).value


def log_beta_density(a: Any, b: Any, x: Any) -> Any:
    """The logarithm of the beta distribution's density.

    Args:
        a: The first shape, positive.
        b: The second shape, positive.
        x: Where, from 0 to 1; arrays of one type and shape.
    """
    first, second, place = Number(a), Number(b), Number(x)
    great = (first >= 10) & (second >= 10) & (place > 0) & (place < 1)
    great = great & (first < math.inf) & (second < math.inf)
    p, q, u = where(great, first, 10), where(great, second, 10), where(great, place, 0.5)
    v, total = 1 - u, p + q
    away = u * q - v * p
    far = (_beside_mean(p, away, u * (total / p)) + _beside_mean(q, 0 - away, v * (total / q))
           - (_stirling_rest(p) + _stirling_rest(q) - _stirling_rest(total)) - _log(u) - _log1p(0 - u)
           + _log(p / total * q * (0.5 / math.pi)) * 0.5)
    r, s, outer = where(great, 1, first), where(great, 1, second), where(great, 0.5, place)
    near = _times_log(r - 1, outer) + _times_log(s - 1, 0 - outer, _log1p) - _log_beta(r, s)
    return where(great, far, near).value
