"""Functions of complex numbers at zeros, infinities and NaN, by C99's annex G as NumPy follows it."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from olympus_core import dtypes, ops

from .running import flat_kernel, machine

PARTS = (0.0, -0.0, 1.0, -1.0, 1000.0, -1000.0, np.inf, -np.inf, np.nan)
NAMES = ("exp", "expm1", "log", "log1p", "sqrt", "sinh", "cosh", "tanh", "sin", "cos", "tan", "arcsin", "arccos",
         "arctan", "arcsinh", "arccosh", "arctanh", "sign")
# Where an argument is not finite the standard leaves most signs open: of all of these, and of infinities beside NaN.
OPEN_ZEROS = {"exp", "sinh", "cosh", "tanh", "sin", "cos", "tan", "sign"}


def compiled(name: str, x: np.ndarray) -> np.ndarray:
    record = ops.OPERATIONS[name.replace("arc", "a")]
    (result,) = machine(flat_kernel(record, [x.dtype], [x.dtype], x.size), [x], level=0)
    return result


def check(name: str, x: np.ndarray) -> None:
    """Both parts up to rounding, with the signs of zeros and infinities that are not open."""
    with np.errstate(all="ignore"):
        want = getattr(np, name)(x)
    got = compiled(name, x)
    finite = np.isfinite(x.real) & np.isfinite(x.imag)
    for part, other in (("real", "imag"), ("imag", "real")):
        wanted, found, beside = getattr(want, part), getattr(got, part), getattr(want, other)
        signed = finite | ~(np.isnan(beside) | ((wanted == 0) & (name in OPEN_ZEROS)))
        if name == "sign":
            signed &= wanted != 0  # zeros keep theirs, where NumPy's are positive
        wanted, found = (np.where(signed, v, np.abs(v)) for v in (wanted, found))
        np.testing.assert_allclose(found, wanted, rtol=1e-6 if x.dtype == np.complex64 else 1e-13)
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
