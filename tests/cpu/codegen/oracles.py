# SPDX-License-Identifier: Apache-2.0
"""Exact values of mathematical functions, and arguments that are hard."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import mpmath as mp
import numpy as np

context = mp.mp.clone()
context.prec = 160

EXACT: dict[str, Callable[..., Any]] = {
    "exp": context.exp, "exp2": lambda x: context.power(2, x),
    "expm1": context.expm1, "logistic": lambda x: 1 / (1 + context.exp(-x)), "tanh": context.tanh,
    "sinh": context.sinh, "cosh": context.cosh, "log": context.log, "log1p": context.log1p, "asinh": context.asinh,
    "acosh": context.acosh, "atanh": context.atanh, "sin": context.sin, "cos": context.cos, "tan": context.tan,
    "asin": context.asin, "acos": context.acos, "atan": context.atan, "erf": context.erf, "erfc": context.erfc,
    "erf_inv": context.erfinv, "sqrt": context.sqrt, "rsqrt": lambda x: 1 / context.sqrt(x), "cbrt": context.cbrt,
    "pow": context.power, "atan2": context.atan2, "lgamma": lambda x: context.log(abs(context.gamma(x))),
    "digamma": context.digamma, "bessel_i0e": lambda x: context.exp(-abs(x)) * context.besseli(0, x),
    "bessel_i1e": lambda x: context.exp(-abs(x)) * context.besseli(1, x),
    "igamma": lambda a, x: context.gammainc(a, 0, x, regularized=True),
    "igammac": lambda a, x: context.gammainc(a, x, context.inf, regularized=True),
    "random_gamma_grad": lambda a, x: (
        -_igamma_slope(a, x) * context.exp(x - (a - 1) * context.log(x)) * context.gamma(a)),
    "igamma_grad_a": lambda a, x: _igamma_slope(a, x),
    "betainc": lambda a, b, x: context.betainc(a, b, 0, x, regularized=True),
    "zeta": context.zeta, "polygamma": lambda m, x: context.polygamma(int(m), x),
}


def _igamma_slope(a: Any, x: Any) -> Any:
    """The derivative of the lower share by a, of the lesser share."""
    def share(t: Any) -> Any:
        if x < a:
            return context.gammainc(t, 0, x, regularized=True)
        return -context.gammainc(t, x, context.inf, regularized=True)

    h = context.mpf(10) ** -12
    return (share(a + h) - share(a - h)) / (2 * h)


# float64 is exact enough to judge float32 by.
IN_FLOAT64: dict[str, Callable[..., np.ndarray]] = {
    "exp": np.exp, "exp2": np.exp2,
    "expm1": np.expm1, "logistic": lambda x: 1 / (1 + np.exp(-x)), "tanh": np.tanh, "sinh": np.sinh,
    "cosh": np.cosh, "log": np.log, "log1p": np.log1p, "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh,
    "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan,
    "sqrt": np.sqrt, "rsqrt": lambda x: 1 / np.sqrt(x), "cbrt": np.cbrt,
}

DOMAINS = {
    "exp": (-745.0, 709.7), "exp2": (-1074.0, 1023.9),
    "expm1": (-50.0, 709.7), "logistic": (-745.0, 745.0), "tanh": (-20.0, 20.0),
    "sinh": (-710.4, 710.4), "cosh": (-710.4, 710.4), "asin": (-1.0, 1.0), "acos": (-1.0, 1.0),
    "atanh": (-1.0, 1.0), "erf": (-6.0, 6.0), "erfc": (-6.0, 26.5), "erf_inv": (-1.0, 1.0),
    "log": (5e-324, 1.7e308), "sqrt": (0.0, 1.7e308), "rsqrt": (5e-324, 1.7e308), "acosh": (1.0, 1.7e308),
    "log1p": (-1.0, 1.7e308), "cbrt": (0.0, 1.7e308), "lgamma": (1e-300, 1e300), "digamma": (1e-300, 1e300),
    "bessel_i0e": (-700.0, 700.0), "bessel_i1e": (-700.0, 700.0),
}


def exact(operation: str, *operands: np.ndarray) -> np.ndarray:
    """Values in extended precision."""
    function = EXACT[operation]
    return np.array([_long(function(*(context.mpf(float(v)) for v in row))) for row in zip(*operands, strict=True)])


def _long(value: Any) -> np.longdouble:
    high = float(value)
    if not math.isfinite(high):
        return np.longdouble(high)
    return np.longdouble(high) + np.longdouble(float(value - context.mpf(high)))


def arguments(operation: str, count: int, seed: int = 0) -> np.ndarray:
    """Arguments of float64 within the function's domain: of all sizes, usual ones, and close to zeros and edges."""
    random = np.random.default_rng(seed)
    low, high = DOMAINS.get(operation, (-1.7e308, 1.7e308))

    def sized(least: int, greatest: int) -> np.ndarray:
        return np.ldexp(random.uniform(1, 2, count), random.integers(least, greatest, count))

    sign = random.choice([-1.0, 1.0], count)
    parts = [random.uniform(max(low, -4), min(high, 4), count), sign * sized(-60, 60), sign * sized(-1074, 1023),
             1 + sized(-52, 2), 1 - sized(-53, -1)]
    if operation in DOMAINS and high < 1000:
        parts.append(random.uniform(low, high, count))
    if operation in ("sin", "cos", "tan"):
        parts += [random.uniform(-1e6, 1e6, count), random.integers(-(10**7), 10**7, count) * (math.pi / 2)]
    x = np.concatenate(parts)
    inside = (x >= low) & (x <= high)
    if operation in ("log1p", "atanh", "erf_inv"):
        inside &= np.abs(x) != 1
    return x[inside]
