# SPDX-License-Identifier: Apache-2.0
"""Narrow floats in full, and special functions against exact values."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import mpmath as mp
import numpy as np
import pytest

from olympus_conformance.samples.instance import Instance
from olympus_core import dtypes, ops
from olympus_core.ops.select import converted

from ..emulation import EmulatedModule, missing
from .kernels import Applied, run, text_of

pytestmark = pytest.mark.skipif(missing() is not None, reason=str(missing()))
NARROW = (dtypes.float16, dtypes.bfloat16, *dtypes.NARROW_FLOATS)
narrow_types = pytest.mark.parametrize("dtype", NARROW, ids=str)


@pytest.fixture(autouse=True)
def quiet() -> Any:
    """NumPy warns of what is tried here."""
    with np.errstate(all="ignore"):
        yield


def results(operation: Any, *operands: np.ndarray, **attributes: Any) -> np.ndarray:
    instance = Instance(operation, operands, attributes)
    return run(EmulatedModule(text_of([Applied.of(instance)])), instance)[0]


def all_of(dtype: np.dtype) -> np.ndarray:
    return np.arange(1 << 8 * dtype.itemsize).astype(f"u{dtype.itemsize}").view(dtype)


def same(found: np.ndarray, wanted: np.ndarray) -> None:
    """Equal with signs of zeros, and NaN where NaN is wanted."""
    assert found.dtype == wanted.dtype
    raw = f"u{found.dtype.itemsize}"
    bad = (found.view(raw) != wanted.view(raw)) & ~(np.isnan(found) & np.isnan(wanted))
    assert not bad.any(), (np.flatnonzero(bad)[:5], found[bad][:5], wanted[bad][:5])


@narrow_types
def test_every_narrow_float_is_loaded_and_stored(dtype: np.dtype) -> None:
    x = all_of(dtype)
    same(results(ops.convert, x, dtype=dtypes.float32), x.astype(np.float32))
    same(results(ops.convert, x, dtype=dtypes.float64), x.astype(np.float64))
    same(results(ops.neg, x), -x)


def beside(dtype: np.dtype) -> np.ndarray:
    """Numbers of float64 in the middle between neighbours of a narrow type, and just beside."""
    x = np.unique(all_of(dtype)[np.isfinite(all_of(dtype))].astype(np.float64))
    greatest = float(ml_dtypes.finfo(dtype).max)
    x = np.concatenate([x, [greatest * (1 + 2.0**-k) for k in range(1, 13)]])
    x = np.unique(np.concatenate([x, -x]))
    middle = (x[1:] + x[:-1]) / 2
    near = [np.nextafter(middle, s) for s in (np.inf, -np.inf)]
    nearer = [np.nextafter(middle.astype(np.float32), np.float32(s)).astype(np.float64) for s in (np.inf, -np.inf)]
    return np.concatenate([x, middle, *near, *nearer, [np.inf, -np.inf, np.nan, 1e300, -1e-300, 1e-45, 5e-324]])


@narrow_types
def test_floats_are_rounded_to_the_nearest_ties_to_even(dtype: np.dtype) -> None:
    patterns = np.arange(0, 2**32, 65521, dtype=np.uint64).astype(np.uint32).view(np.float32)
    x = np.concatenate([beside(dtype).astype(np.float32), patterns])
    same(results(ops.convert, x, dtype=dtype), x.astype(dtype))


def test_doubles_are_rounded_once() -> None:
    x = beside(dtypes.float16)
    once = x.astype(np.float16)  # NumPy's rounds once
    same(results(ops.convert, x, dtype=dtypes.float16), once)
    assert (x.astype(np.float32).astype(np.float16) != once).any()


@narrow_types
@pytest.mark.parametrize("source", [np.float64, np.int32, np.uint32, np.int64, np.uint64])
def test_wide_numbers_are_rounded_once(source: type[np.generic], dtype: np.dtype) -> None:
    x = beside(dtype)
    if source is not np.float64:
        limits = np.iinfo(source)
        with np.errstate(invalid="ignore"):
            middles = x[(np.abs(x) > 256) & (x > limits.min) & (x < limits.max / 2)]
        x = np.array([int(m) + d for m in middles for d in (-1, 0, 1) if limits.min <= int(m) + d], source)
    same(results(ops.convert, x, dtype=dtype), converted(x, dtype))


@narrow_types
def test_neighbours(dtype: np.dtype) -> None:
    x = all_of(dtype)
    for direction in (np.inf, -np.inf, 0.0):
        toward = np.full_like(x, np.array(direction).astype(dtype))
        wanted = np.nextafter(x, toward)
        found = results(ops.next_after, x, toward)
        same(np.where(wanted == 0, np.abs(found), found), np.where(wanted == 0, np.abs(wanted), wanted))


@narrow_types
@pytest.mark.parametrize("operation", ["add", "mul", "div", "rem"])
def test_arithmetic_of_narrow_floats(operation: str, dtype: np.dtype) -> None:
    rng = np.random.default_rng(5)
    x, y = (rng.choice(all_of(dtype), 20_000) for _ in range(2))
    record = getattr(ops, operation)
    same(results(record, x, y), record.reference([x, y], {})[0])


def oracle(operation: str, x: np.ndarray) -> np.ndarray:
    with mp.workprec(120):
        function = {"lgamma": lambda v: mp.log(abs(mp.gamma(v))), "digamma": mp.digamma, "erf_inv": mp.erfinv,
                    "logistic": lambda v: 1 / (1 + mp.exp(-v))}[operation]
        return np.array([float(function(mp.mpf(float(v)))) for v in x])


@pytest.mark.parametrize(("operation", "low", "high", "ulps"), [
    ("lgamma", 1e-3, 40, 8), ("lgamma", 1e3, 1e9, 4), ("digamma", 1e-3, 40, 8), ("digamma", 1e3, 1e9, 4),
    ("logistic", -700, 700, 2), ("erf_inv", -1, 1, 4),
])
def test_special_functions_against_exact_values(operation: str, low: float, high: float, ulps: float) -> None:
    x = np.random.default_rng(7).uniform(low, high, 100)
    wanted = oracle(operation, x)
    near = 1e-2 if operation == "digamma" else 1.0  # beside the zeros the error counts beside a number of this size
    error = np.abs(results(getattr(ops, operation), x) - wanted)
    assert (error <= ulps * np.spacing(np.maximum(np.abs(wanted), near))).all()
    short = x.astype(np.float32)
    found = results(getattr(ops, operation), short)
    wanted = oracle(operation, short)
    assert (np.abs(found - wanted) <= 2 * np.spacing(np.abs(wanted).astype(np.float32))).all()


@pytest.mark.parametrize("operation", ["lgamma", "digamma"])
def test_gamma_functions_of_negative_numbers(operation: str) -> None:
    x = -np.random.default_rng(4).uniform(0, 30, 150)
    np.testing.assert_allclose(results(getattr(ops, operation), x), oracle(operation, x), rtol=4e-15, atol=4e-15)


@pytest.mark.parametrize("name", ["exp", "expm1", "logistic", "sinh", "cosh", "sin", "cos", "sqrt", "log", "atanh",
                                  "atan", "asin", "acosh"])
def test_complex_numbers_where_something_on_the_way_overflows_or_vanishes(name: str) -> None:
    """Exponentials beyond the range times small waves, and distances whose squares vanish."""
    parts = (5e-324, 1e-310, 1e-155, 1e-20, 0.5, 1.0, 1 - 2.0**-53, 1.5707963267948966, 709.79, 744.9, 1419.0)
    x = np.array([complex(s * a, b) for a in parts for b in parts for s in (1, -1)])
    with mp.workprec(2400):
        exact = {"logistic": lambda z: 1 / (1 + mp.exp(-z))}.get(name) or getattr(mp, name)
        wanted = np.array([complex(exact(mp.mpc(z))) for z in x])
    found = results(ops.OPERATIONS[name], x)
    for part in ("real", "imag"):
        np.testing.assert_allclose(getattr(found, part), getattr(wanted, part), rtol=1e-12, atol=2e-323)
