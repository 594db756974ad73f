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
exp = elementwise("exp", 1, INEXACT, np.exp, precise=True)
expm1 = elementwise("expm1", 1, INEXACT, np.expm1, precise=True)
log = elementwise("log", 1, INEXACT, np.log, precise=True)
log1p = elementwise("log1p", 1, INEXACT, np.log1p, precise=True)
sqrt = elementwise("sqrt", 1, INEXACT, np.sqrt)
rsqrt = elementwise("rsqrt", 1, INEXACT, lambda x: 1 / np.sqrt(x), precise=True)
cbrt = elementwise("cbrt", 1, FLOAT, np.cbrt, precise=True)
sin = elementwise("sin", 1, INEXACT, np.sin, precise=True)
cos = elementwise("cos", 1, INEXACT, np.cos, precise=True)
tan = elementwise("tan", 1, INEXACT, np.tan, precise=True)
asin = elementwise("asin", 1, INEXACT, np.arcsin, precise=True)
acos = elementwise("acos", 1, INEXACT, np.arccos, precise=True)
atan = elementwise("atan", 1, INEXACT, np.arctan, precise=True)
sinh = elementwise("sinh", 1, INEXACT, np.sinh, precise=True)
cosh = elementwise("cosh", 1, INEXACT, np.cosh, precise=True)
tanh = elementwise("tanh", 1, INEXACT, np.tanh, precise=True)
asinh = elementwise("asinh", 1, INEXACT, np.arcsinh, precise=True)
acosh = elementwise("acosh", 1, INEXACT, np.arccosh, precise=True)
atanh = elementwise("atanh", 1, INEXACT, np.arctanh, precise=True)
logistic = elementwise("logistic", 1, INEXACT, _logistic, precise=True)
erf = elementwise("erf", 1, FLOAT, special.erf, widen=False)  # in float64 by itself
erfc = elementwise("erfc", 1, FLOAT, special.erfc, widen=False)  # in float64 by itself
erf_inv = elementwise("erf_inv", 1, FLOAT, special.erf_inv, widen=False)  # in float64 by itself
lgamma = elementwise("lgamma", 1, FLOAT, special.lgamma, widen=False)  # in float64 by itself
digamma = elementwise("digamma", 1, FLOAT, special.digamma, widen=False)  # in float64 by itself
is_finite = elementwise("is_finite", 1, FLOAT, np.isfinite, result=lambda dtype: dtypes.bool_)
not_ = elementwise("not", 1, BITS, _not)
population_count = elementwise("population_count", 1, INTEGER, _population_count)
count_leading_zeros = elementwise("count_leading_zeros", 1, INTEGER, _count_leading_zeros)
real = elementwise("real", 1, COMPLEX, np.real, result=dtypes.real_part, additive=_LINEAR)
imag = elementwise("imag", 1, COMPLEX, np.imag, result=dtypes.real_part, additive=_LINEAR)
conj = elementwise("conj", 1, COMPLEX, np.conj, additive=_LINEAR)
