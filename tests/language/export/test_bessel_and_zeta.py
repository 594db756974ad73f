# SPDX-License-Identifier: Apache-2.0
"""Exported modules of Bessel functions, zeta and polygamma, read back by our reader: their numbers and edges."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import ml_dtypes
import mpmath as mp
import numpy as np
import pytest

import olympus
from olympus import export, lax
from olympus.export.stablehlo.artefact import TABLE
from olympus.export.stablehlo.module import Module

NAN, INF = math.nan, math.inf
LEAST, LARGEST = float(np.finfo(np.float64).tiny), float(np.finfo(np.float64).max)
RNG = np.random.default_rng(5)


def exported(function: Callable[..., Any], *operands: np.ndarray) -> np.ndarray:
    """What the exported module computes."""
    with olympus.enable_x64(True):
        blob = export.export(olympus.jit(function))(*operands).mlir_module_serialized
        return np.asarray(Module(blob, TABLE).call("main", list(operands))[0])


def hurwitz(s: float, q: float) -> Any:
    """zeta(s, q) to all digits, also where it is small: terms, and Euler and Maclaurin's formula."""
    total, a, exponent = mp.mpf(0), mp.mpf(q), mp.mpf(s)
    for _ in range(40 + int(s / 2) + 2 * max(0, math.ceil(-q))):
        total += a ** -int(s) if s == int(s) else a**-exponent
        a += 1
    last = a**-exponent
    total += last * (a / (exponent - 1) + 0.5)
    factor = last * exponent / a
    for k in range(1, 20):
        total += factor * mp.bernoulli(2 * k) / mp.factorial(2 * k)
        factor *= (exponent + 2 * k - 1) * (exponent + 2 * k) / a**2
    return total


def polygamma(m: float, x: float) -> Any:
    """The derivative of order m of digamma."""
    return (-1) ** (int(m) + 1) * mp.factorial(int(m)) * hurwitz(m + 1, x)


def bessel(order: int, x: float) -> Any:
    """A Bessel function of the first kind, modified and scaled."""
    return mp.exp(-abs(mp.mpf(x))) * mp.besseli(order, mp.mpf(x))


X = np.concatenate([RNG.uniform(-20, 20, 20), 10.0 ** RNG.uniform(-20, 20, 15), [8.0, -8.0, np.nextafter(8, 9)]])
BELOW = -RNG.integers(0, 40, 12) - RNG.integers(1, 1024, 12) / 1024
OPERANDS: dict[str, tuple[Callable[..., Any], list[np.ndarray], Callable[..., float]]] = {
    "bessel_i0e": (lambda x: bessel(0, x), [X], lambda x: 8.0),
    "bessel_i1e": (lambda x: bessel(1, x), [X], lambda x: 8.0),
    # Of one call, elements that need the terms on both sides of zero, and others.
    "zeta": (hurwitz, [np.concatenate([1 + 10.0 ** RNG.uniform(-5, 2.5, 30), RNG.integers(2, 30, 12), [1.01, 3.0]]),
                       np.concatenate([10.0 ** RNG.uniform(-4, 4, 30), BELOW, [1e20, 1e80]])], lambda s, q: 8.0),
    "polygamma": (polygamma, [np.concatenate([RNG.integers(1, 12, 32), RNG.integers(12, 600, 8), [170.0, 200, 900]]),
                              np.concatenate([10.0 ** RNG.uniform(-1, 2, 20), BELOW, RNG.uniform(20, 300, 8),
                                              [-500.5, -170.5, 300.0]])],
                  lambda m, x: 8.0 + m / 2 if m <= 600 else 5000.0),
}
ENDS: dict[str, list[tuple[float, ...]]] = {
    "bessel_i0e": [(0, 1), (-0.0, 1), (INF, 0), (-INF, 0), (NAN, NAN)],
    "bessel_i1e": [(0.0, 0.0), (-0.0, -0.0), (INF, 0), (-INF, -0.0), (NAN, NAN), (1e-300, 5e-301)],
    "zeta": [(1, 2, INF), (1, -0.5, INF), (0.5, 2, NAN), (-2, 2, NAN), (2, 0, INF), (2, -0.0, INF), (2, -3, INF),
             (2.5, -3, INF), (2.5, -0.5, NAN), (INF, -0.5, NAN), (3, INF, 0), (INF, 2, 0), (INF, 1, 1), (INF, 0.5, INF),
             (NAN, 1, NAN), (2, NAN, NAN), (3, -1e17, INF), (2, 1e-200, INF), (1e30, 2, 0), (1e300, 0.5, INF),
             (2, 1e300, 1e-300), (1 + 2.0**-20, 1e305, 2.0**20 * 1e305 ** -(2.0**-20))],
    "polygamma": [(0, 0, NAN), (0, 1, -0.5772156649015329), (1, 0, INF), (2, 0, -INF), (1, -2, INF), (1, INF, 0),
                  (0, INF, INF), (0.5, 1, NAN), (-1, 1, NAN), (1, NAN, NAN), (NAN, 1, NAN), (INF, 1, NAN),
                  (700, 0.5, -INF), (800, 0.5, -INF), (170, 1e5, -0.0), (601, -0.25, INF)],
}


@pytest.mark.parametrize("name", OPERANDS)
def test_numbers_are_within_the_bounds(name: str) -> None:
    exact, operands, bound = OPERANDS[name]
    found = exported(getattr(lax, name), *operands)
    rows = list(zip(*(x.tolist() for x in operands), strict=True))
    with mp.workdps(600):  # what is left at -500.5
        wanted = [exact(*row) for row in rows]
        for row, got, value in zip(rows, found.tolist(), wanted, strict=True):
            if abs(value) > LARGEST:
                assert got == math.copysign(INF, value), row
            else:
                assert abs(got - value) <= bound(*row) * abs(value) * 2.0**-52 + LEAST, (row, got, float(value))
    narrow = [x[:12].astype(np.float32) for x in operands]
    single = exported(getattr(lax, name), *narrow)
    assert single.dtype == np.float32
    with mp.workdps(60), np.errstate(over="ignore"):
        rounded = np.array([float(exact(*row)) for row in zip(*(x.tolist() for x in narrow), strict=True)], np.float32)
    np.testing.assert_allclose(single, rounded, rtol=2.0**-23, atol=float(np.finfo(np.float32).tiny))


@pytest.mark.parametrize("name", ENDS)
def test_ends_of_the_domain_are_those_of_the_operation(name: str) -> None:
    rows = np.array(ENDS[name], np.float64)
    operands = list(rows[:, :-1].T.copy())
    found = exported(getattr(lax, name), *operands)
    np.testing.assert_allclose(found, rows[:, -1], rtol=1e-15)
    exact = np.isfinite(rows[:, -1])
    np.testing.assert_array_equal(np.signbit(found[exact]), np.signbit(rows[exact, -1]))
    with olympus.enable_x64(True):
        np.testing.assert_allclose(found, olympus.jit(getattr(lax, name))(*operands), rtol=1e-14)


@pytest.mark.parametrize(("name", "dtype", "shape"), list(itertools.product(
    ("zeta", "bessel_i1e"), (np.float16, ml_dtypes.bfloat16), ((), (0, 3), (2, 2)))))
def test_narrow_floats_and_all_shapes(name: str, dtype: type, shape: tuple[int, ...]) -> None:
    operands = [np.full(shape, 2.5, dtype)] * (2 if name == "zeta" else 1)
    found = exported(getattr(lax, name), *operands)
    assert found.dtype == dtype and found.shape == shape
    exact = float(hurwitz(2.5, 2.5) if name == "zeta" else bessel(1, 2.5))
    np.testing.assert_array_equal(found, np.full(shape, exact, dtype))


def test_derivatives_are_exported() -> None:
    x = np.array([0.5, 3.0, -0.75])

    def f(v: Any) -> Any:
        return (lax.polygamma(olympus.numpy.full_like(v, 1.0), v) + lax.bessel_i1e(v)).sum()

    wanted = [float(polygamma(2, v) + bessel(0, v) - bessel(1, v) * (np.sign(v) + 1 / v)) for v in x.tolist()]
    np.testing.assert_allclose(exported(olympus.grad(f), x), wanted, rtol=1e-12)
