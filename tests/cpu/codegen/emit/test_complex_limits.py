# SPDX-License-Identifier: Apache-2.0
"""Functions of complex numbers at zeros, infinities and NaN, by C99's annex G as NumPy follows it.

And where something on the way would overflow or vanish, though the result does not.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus_core import dtypes, ops

from .running import flat_kernel, machine

PARTS = (0.0, -0.0, 1.0, -1.0, 1000.0, -1000.0, np.inf, -np.inf, np.nan)
NAMES = ("exp", "expm1", "log", "log1p", "sqrt", "sinh", "cosh", "tanh", "sin", "cos", "tan", "arcsin", "arccos",
         "arctan", "arcsinh", "arccosh", "arctanh", "sign")
# Where an argument is not finite the standard leaves most signs open: of all of these, and of infinities beside NaN.
OPEN_ZEROS = {"exp", "expm1", "sinh", "cosh", "tanh", "sin", "cos", "tan", "sign"}


def compiled(name: str, x: np.ndarray) -> np.ndarray:
    record = ops.OPERATIONS[name.replace("arc", "a")]
    (result,) = machine(flat_kernel(record, [x.dtype], [x.dtype], x.size), [x], level=0)
    return result


def expected(name: str, x: np.ndarray) -> np.ndarray:
    """What NumPy finds; a logistic function it lacks.

    Its `expm1` overflows where the exponential does not, and is NaN where that has a limit.
    """
    if name == "logistic":
        return np.where(x.real < -80, np.exp(x), 1 / (1 + np.exp(-x)))
    if name == "expm1":
        great = ~(np.abs(x.real) <= 80)
        less = np.exp(x)
        less.real -= 1
        return np.where(great, less, np.expm1(x))
    return getattr(np, name)(x)


def check(name: str, x: np.ndarray) -> None:
    """Both parts up to rounding, with the signs of zeros and infinities that are not open."""
    with np.errstate(all="ignore"):
        want = expected(name, x)
    got = compiled(name, x)
    finite = np.isfinite(x.real) & np.isfinite(x.imag)
    for part, other in (("real", "imag"), ("imag", "real")):
        wanted, found, beside = getattr(want, part), getattr(got, part), getattr(want, other)
        signed = finite | ~(np.isnan(beside) | ((wanted == 0) & (name in OPEN_ZEROS)))
        if name in ("sign", "logistic"):
            signed &= wanted != 0  # zeros keep theirs, where NumPy's are positive; and what vanishes has none
        wanted, found = (np.where(signed, v, np.abs(v)) for v in (wanted, found))
        least = 4 * float(np.finfo(x.real.dtype).smallest_subnormal)
        np.testing.assert_allclose(found, wanted, rtol=1e-6 if x.dtype == np.complex64 else 1e-13, atol=least)
        number = signed & ~np.isnan(wanted)
        np.testing.assert_array_equal(np.signbit(found)[number], np.signbit(wanted)[number])


@pytest.mark.parametrize("dtype", dtypes.COMPLEXES, ids=lambda t: t.name)
@pytest.mark.parametrize("name", NAMES)
def test_limits(name: str, dtype: np.dtype) -> None:
    check(name, np.array([complex(*pair) for pair in itertools.product(PARTS, PARTS)], dtype))


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith("arc")])
def test_great_arguments(name: str) -> None:
    parts = (1e-100, -1.0, 1e90, -1e91, 1e160, -1e200, 1.7e307)
    check(name, np.array([complex(*pair) for pair in itertools.product(parts, parts)]))


GREAT = (700.5, 709.0, 709.7, 709.79, 710.5, 730.0, 744.9, 746.0, 1000.0, 1417.9, 1418.1, 1454.0, 1455.0, 3000.0, 1e300)
ANGLES = (0.0, 5e-324, 1e-310, 1e-300, 1e-150, 0.001, 1.0, 1.5, np.pi / 2, np.pi, 100.0, np.inf, np.nan)


@pytest.mark.parametrize("dtype", dtypes.COMPLEXES, ids=lambda t: t.name)
@pytest.mark.parametrize("name", ("exp", "expm1", "sinh", "cosh", "tanh", "logistic"))
def test_an_exponential_beyond_the_range_times_a_small_wave(name: str, dtype: np.dtype) -> None:
    parts = GREAT if dtype == np.complex128 else (87.9, 88.8, 89.5, 103.0, 150.0, 192.5, 400.0, 1e30)
    signed = [sign * part for part in parts for sign in (1, -1)]
    with np.errstate(all="ignore"):
        x = np.array([complex(*pair) for pair in itertools.product(signed, (*ANGLES, *np.negative(ANGLES)))], dtype)
    check(name, x)
    if name in ("sinh", "cosh"):  # the circular ones, a quarter turn away
        turned = np.empty_like(x)
        turned.real, turned.imag = x.imag, x.real
        check(name.removesuffix("h"), turned)


TINY = (0.0, 5e-324, 1e-310, 3e-308, 1e-200, 1e-155, 1e-20, 0.5, 1.0, 1 - 2.0**-53, 1 + 2.0**-52, 2.0, 1e155, 1e300)


@pytest.mark.parametrize("name", ("sqrt", "log", *(name for name in NAMES if name.startswith("arc"))))
def test_distances_whose_squares_vanish(name: str) -> None:
    """Beside zero, and beside poles and branch points."""
    signed = [sign * part for part in TINY for sign in (1, -1)]
    check(name, np.array([complex(*pair) for pair in itertools.product(signed, signed)]))


@pytest.mark.parametrize("name", ["log", "log1p", "log10"])
def test_logarithms_of_numbers_whose_size_is_none(name: str) -> None:
    x = np.array([1.5e308 + 1.5e308j, -1.7e308 + 1e308j, 1e308j, 1.79e308 - 1.79e308j, np.inf + 1j, 1e300 - 1e-300j])
    with olympus.enable_x64(True):
        got = np.asarray(olympus.jit(getattr(jnp, name))(x))
    part = np.maximum(np.abs(x.real), np.abs(x.imag))
    with np.errstate(all="ignore"):
        size = np.log(part) + np.log(np.hypot(x.real / part, x.imag / part))
    size = np.where(np.isinf(part), np.inf, size)
    base = {"log": 1.0, "log1p": 1.0, "log10": np.log(10)}[name]
    np.testing.assert_allclose(got.real, size / base, rtol=4e-15)
    np.testing.assert_allclose(got.imag, np.angle(x) / base, rtol=4e-15)
