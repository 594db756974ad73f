# SPDX-License-Identifier: Apache-2.0
"""Operations on one operand, index by index."""

from __future__ import annotations

import numpy as np

from olympus_core import dtypes
from olympus_core.program.exactness import EXACT, Exactness, Samples

from . import special
from .rules import BITS, COMPLEX, FLOAT, INEXACT, INTEGER, NUMBER, elementwise

_LINEAR = (frozenset({0}),)
# Bounds of functions that have no comment are what mathematical libraries promise on every kind of processor. Complex
# functions' formulas lose digits of one part where the other one is large, and libraries differ in which.


def _of_parts(x: np.ndarray, real: np.ndarray, imag: np.ndarray) -> np.ndarray:
    out = np.empty_like(x)
    out.real, out.imag = real, imag
    return out


def _sign(x: np.ndarray) -> np.ndarray:
    if dtypes.is_complex(x.dtype):
        size = np.abs(x)
        return _of_parts(x, *(np.where(size == 0, part, part / size) for part in (x.real, x.imag)))
    if dtypes.is_float(x.dtype):  # zeros keep their sign and NaN stays
        return np.where((x == 0) | np.isnan(x), x, np.copysign(np.ones_like(x), x))
    return np.sign(x)


def _logistic(x: np.ndarray) -> np.ndarray:
    left = x.real < 0
    small = np.exp(np.where(left, x, -x))  # never overflows, so that both tails stay exact
    return np.where(left, small, np.ones_like(x)) / (1 + small)


def _expm1(x: np.ndarray) -> np.ndarray:
    if not dtypes.is_complex(x.dtype):
        return np.expm1(x)
    power = np.exp(x)  # where NumPy's multiplies infinities by zeros
    found = np.where(np.isfinite(x) & (np.abs(x.real) < 700), np.expm1(x), _of_parts(x, power.real - 1, power.imag))
    return np.where(x.imag == 0, _of_parts(x, np.expm1(x.real), x.imag), found)


def _rsqrt(x: np.ndarray) -> np.ndarray:
    root = np.sqrt(x)
    if not dtypes.is_complex(x.dtype):
        return 1 / root
    return np.where(np.isinf(root.real) & ~np.isnan(root.imag), np.zeros_like(x), 1 / root)


def _not(x: np.ndarray) -> np.ndarray:
    return np.invert(x)  # logical for booleans, bitwise for integers


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


neg = elementwise("neg", 1, NUMBER, np.negative, EXACT, additive=_LINEAR)
abs = elementwise("abs", 1, NUMBER, np.abs, Exactness("exact", complex=8), result=dtypes.real_part)
sign = elementwise("sign", 1, NUMBER, _sign, Exactness("exact", complex=8))
floor = elementwise("floor", 1, FLOAT, np.floor, EXACT, samples=Samples(((-20, 20),)))
ceil = elementwise("ceil", 1, FLOAT, np.ceil, EXACT, samples=Samples(((-20, 20),)))
round = elementwise("round", 1, FLOAT, np.rint, EXACT, samples=Samples(((-20, 20),)))  # half to even
# The argument's reduction, where multiplication and addition are not fused.
exp = elementwise(
    "exp", 1, INEXACT, np.exp, Exactness("function", 5, 4, complex=8),
    precise=True, cost=10, samples=Samples(((-30, 30),)))
expm1 = elementwise(
    "expm1", 1, INEXACT, _expm1, Exactness("function", 4, 4, complex=32, complex_near_one=True),
    precise=True, cost=10, samples=Samples(((-5, 10),)))
log = elementwise(
    "log", 1, INEXACT, np.log, Exactness("function", 3, 3, complex=32, complex_near_one=True, branch_cuts=True),
    precise=True, cost=10, samples=Samples(((0.001, 20),)))
log1p = elementwise(
    "log1p", 1, INEXACT, np.log1p, Exactness("function", 4, 4, complex=32, complex_near_one=True, branch_cuts=True),
    precise=True, cost=10, samples=Samples(((-0.95, 10),)))
sqrt = elementwise(
    "sqrt", 1, INEXACT, np.sqrt, Exactness("rounded", complex=8, branch_cuts=True),
    cost=3, samples=Samples(((0, 100),)))
# A square root and a division, or an estimate and a step of Newton's.
rsqrt = elementwise(
    "rsqrt", 1, INEXACT, _rsqrt, Exactness("function", 2, 2, complex=32, branch_cuts=True),
    precise=True, cost=3, samples=Samples(((0.01, 100),)))
# Some C libraries, maybe the reference's, are off by up to four in float64.
cbrt = elementwise("cbrt", 1, FLOAT, np.cbrt, Exactness("function", 2, 5), precise=True, cost=10)
sin = elementwise("sin", 1, INEXACT, np.sin, Exactness("function", 4, 4, complex=32), precise=True, cost=10)
cos = elementwise("cos", 1, INEXACT, np.cos, Exactness("function", 4, 4, complex=32), precise=True, cost=10)
tan = elementwise(
    "tan", 1, INEXACT, np.tan, Exactness("function", 5, 5, complex=32, complex_near_one=True), precise=True, cost=10)
asin = elementwise(
    "asin", 1, INEXACT, np.arcsin, Exactness("function", 4, 4, complex=32, complex_near_one=True, branch_cuts=True),
    precise=True, cost=10, samples=Samples(((-1, 1),)))
acos = elementwise(
    "acos", 1, INEXACT, np.arccos, Exactness("function", 4, 4, complex=32, complex_near_one=True, branch_cuts=True),
    precise=True, cost=10, samples=Samples(((-1, 1),)))
atan = elementwise(
    "atan", 1, INEXACT, np.arctan, Exactness("function", 5, 5, complex=32, complex_near_one=True, branch_cuts=True),
    precise=True, cost=10)
# Computed from an exponential and a division.
sinh = elementwise(
    "sinh", 1, INEXACT, np.sinh, Exactness("function", 6, 6, complex=32),
    precise=True, cost=10, samples=Samples(((-10, 10),)))
cosh = elementwise(
    "cosh", 1, INEXACT, np.cosh, Exactness("function", 6, 6, complex=32),
    precise=True, cost=10, samples=Samples(((-10, 10),)))
tanh = elementwise(
    "tanh", 1, INEXACT, np.tanh, Exactness("function", 5, 5, complex=32, complex_near_one=True),
    precise=True, cost=10, samples=Samples(((-10, 10),)))
# Computed from a logarithm.
asinh = elementwise(
    "asinh", 1, INEXACT, np.arcsinh, Exactness("function", 4, 4, complex=32, complex_near_one=True, branch_cuts=True),
    precise=True, cost=10)
acosh = elementwise(
    "acosh", 1, INEXACT, np.arccosh, Exactness("function", 4, 4, complex=32, complex_near_one=True, branch_cuts=True),
    precise=True, cost=10, samples=Samples(((1, 30),)))
atanh = elementwise(
    "atanh", 1, INEXACT, np.arctanh, Exactness("function", 5, 5, complex=32, complex_near_one=True, branch_cuts=True),
    precise=True, cost=10, samples=Samples(((-0.999, 0.999),)))
logistic = elementwise(
    "logistic", 1, INEXACT, _logistic, Exactness("function", 4, 4, complex=32, complex_near_one=True),
    precise=True, cost=10, samples=Samples(((-20, 20),)))
# These compute in float64 by themselves. Piecewise approximations, the reference's own among them.
erf = elementwise(
    "erf", 1, FLOAT, special.erf, Exactness("function", 8, 8), widen=False, cost=10, samples=Samples(((-4, 4),)))
# The exponential of a square that is rounded.
erfc = elementwise(
    "erfc", 1, FLOAT, special.erfc, Exactness("function", 16, 16), widen=False, cost=10, samples=Samples(((-4, 6),)))
# The logarithm of what is left to one.
erf_inv = elementwise(
    "erf_inv", 1, FLOAT, special.erf_inv, Exactness("function", 8, 16),
    widen=False, cost=25, samples=Samples(((-0.999, 0.999),)))
# The reference is of 14 digits, and zeros lie at numbers that no float is.
lgamma = elementwise(
    "lgamma", 1, FLOAT, special.lgamma,
    Exactness("function", 16, 16, near=1, signed_zero=False, reference_sizes=(1e-300, 1e300)),
    widen=False, cost=40, samples=Samples(((-6, 40),)))
digamma = elementwise(
    "digamma", 1, FLOAT, special.digamma,
    Exactness("function", 16, 16, near=1, signed_zero=False, reference_sizes=(1e-300, 1e300)),
    widen=False, cost=40, samples=Samples(((-6, 40),)))
is_finite = elementwise("is_finite", 1, FLOAT, np.isfinite, EXACT, result=lambda dtype: dtypes.bool_)
not_ = elementwise("not", 1, BITS, _not, EXACT)
population_count = elementwise("population_count", 1, INTEGER, _population_count, EXACT, cost=3)
count_leading_zeros = elementwise("count_leading_zeros", 1, INTEGER, _count_leading_zeros, EXACT, cost=3)
real = elementwise("real", 1, COMPLEX, np.real, EXACT, result=dtypes.real_part, additive=_LINEAR)
imag = elementwise("imag", 1, COMPLEX, np.imag, EXACT, result=dtypes.real_part, additive=_LINEAR)
conj = elementwise("conj", 1, COMPLEX, np.conj, EXACT, additive=_LINEAR)
