"""Operations on one operand, index by index."""

from __future__ import annotations

import numpy as np

from olympus_core import dtypes

from . import special
from .rules import BITS, COMPLEX, FLOAT, INEXACT, INTEGER, NUMBER, elementwise

_LINEAR = (frozenset({0}),)


def _sign(x: np.ndarray) -> np.ndarray:
    if dtypes.is_complex(x.dtype):
        size = np.abs(x)
        return np.where(size == 0, x, x / size)
    if dtypes.is_float(x.dtype):  # zeros keep their sign and NaN stays
        return np.where((x == 0) | np.isnan(x), x, np.copysign(np.ones_like(x), x))
    return np.sign(x)


def _logistic(x: np.ndarray) -> np.ndarray:
    left = x.real < 0
    small = np.exp(np.where(left, x, -x))  # never overflows, so that both tails stay exact
    return np.where(left, small, np.ones_like(x)) / (1 + small)


def _not(x: np.ndarray) -> np.ndarray:
    return np.invert(x)  # logical for truth values, bitwise for integers


def _unsigned(x: np.ndarray) -> np.ndarray:
    return x.view(np.dtype(f"u{x.dtype.itemsize}"))


def _population_count(x: np.ndarray) -> np.ndarray:
    bits = _unsigned(x)
    count = np.zeros_like(bits)
    for position in range(8 * bits.dtype.itemsize):
        count += (bits >> bits.dtype.type(position)) & bits.dtype.type(1)
    return count


def _count_leading_zeros(x: np.ndarray) -> np.ndarray:
    bits = _unsigned(x)
    count = np.zeros_like(bits)
    for position in range(8 * bits.dtype.itemsize):
        count += (bits >> bits.dtype.type(position)) == 0
    return count


neg = elementwise("neg", 1, NUMBER, np.negative, additive=_LINEAR)
abs = elementwise("abs", 1, NUMBER, np.abs, result=dtypes.real_part)
sign = elementwise("sign", 1, NUMBER, _sign)
floor = elementwise("floor", 1, FLOAT, np.floor)
ceil = elementwise("ceil", 1, FLOAT, np.ceil)
round = elementwise("round", 1, FLOAT, np.rint)  # half to even
exp = elementwise("exp", 1, INEXACT, np.exp, precise=True, cost=12)
expm1 = elementwise("expm1", 1, INEXACT, np.expm1, precise=True, cost=12)
log = elementwise("log", 1, INEXACT, np.log, precise=True, cost=12)
log1p = elementwise("log1p", 1, INEXACT, np.log1p, precise=True, cost=12)
sqrt = elementwise("sqrt", 1, INEXACT, np.sqrt, cost=3)
rsqrt = elementwise("rsqrt", 1, INEXACT, lambda x: 1 / np.sqrt(x), precise=True, cost=3)
cbrt = elementwise("cbrt", 1, FLOAT, np.cbrt, precise=True, cost=12)
sin = elementwise("sin", 1, INEXACT, np.sin, precise=True, cost=12)
cos = elementwise("cos", 1, INEXACT, np.cos, precise=True, cost=12)
tan = elementwise("tan", 1, INEXACT, np.tan, precise=True, cost=12)
asin = elementwise("asin", 1, INEXACT, np.arcsin, precise=True, cost=12)
acos = elementwise("acos", 1, INEXACT, np.arccos, precise=True, cost=12)
atan = elementwise("atan", 1, INEXACT, np.arctan, precise=True, cost=12)
sinh = elementwise("sinh", 1, INEXACT, np.sinh, precise=True, cost=12)
cosh = elementwise("cosh", 1, INEXACT, np.cosh, precise=True, cost=12)
tanh = elementwise("tanh", 1, INEXACT, np.tanh, precise=True, cost=12)
asinh = elementwise("asinh", 1, INEXACT, np.arcsinh, precise=True, cost=12)
acosh = elementwise("acosh", 1, INEXACT, np.arccosh, precise=True, cost=12)
atanh = elementwise("atanh", 1, INEXACT, np.arctanh, precise=True, cost=12)
logistic = elementwise("logistic", 1, INEXACT, _logistic, precise=True, cost=12)
erf = elementwise("erf", 1, FLOAT, special.erf, widen=False, cost=12)  # in float64 by itself
erfc = elementwise("erfc", 1, FLOAT, special.erfc, widen=False, cost=12)  # in float64 by itself
erf_inv = elementwise("erf_inv", 1, FLOAT, special.erf_inv, widen=False, cost=30)  # in float64 by itself
lgamma = elementwise("lgamma", 1, FLOAT, special.lgamma, widen=False, cost=40)  # in float64 by itself
digamma = elementwise("digamma", 1, FLOAT, special.digamma, widen=False, cost=40)  # in float64 by itself
is_finite = elementwise("is_finite", 1, FLOAT, np.isfinite, result=lambda dtype: dtypes.bool_)
not_ = elementwise("not", 1, BITS, _not)
population_count = elementwise("population_count", 1, INTEGER, _population_count, cost=3)
count_leading_zeros = elementwise("count_leading_zeros", 1, INTEGER, _count_leading_zeros, cost=3)
real = elementwise("real", 1, COMPLEX, np.real, result=dtypes.real_part, additive=_LINEAR)
imag = elementwise("imag", 1, COMPLEX, np.imag, result=dtypes.real_part, additive=_LINEAR)
conj = elementwise("conj", 1, COMPLEX, np.conj, additive=_LINEAR)
