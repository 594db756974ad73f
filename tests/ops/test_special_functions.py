# SPDX-License-Identifier: Apache-2.0
"""Incomplete gamma and beta functions, Bessel and zeta functions against mpmath, and at the ends of their domains."""

from __future__ import annotations

import math
from typing import Any

import mpmath
import numpy as np
import pytest

from olympus_core import ops

from .factor_check import apply

mp = mpmath.mp.clone()
mp.dps = 40
INF, NAN = math.inf, math.nan


def _igamma_grad_a(a: Any, x: Any) -> Any:
    """A difference quotient, of the smaller side."""
    share = (lambda t: mp.gammainc(t, 0, x, regularized=True)) if x < a else (
        lambda t: -mp.gammainc(t, x, mp.inf, regularized=True))
    h = mp.mpf(10) ** -12
    return (share(a + h) - share(a - h)) / (2 * h)


def _random_gamma_grad(a: Any, x: Any) -> Any:
    return -_igamma_grad_a(a, x) / mp.exp((a - 1) * mp.log(x) - x - mp.loggamma(a))


EXACT: dict[str, Any] = {
    "igamma": lambda a, x: mp.gammainc(a, 0, x, regularized=True),
    "igammac": lambda a, x: mp.gammainc(a, x, mp.inf, regularized=True),
    "igamma_grad_a": _igamma_grad_a, "random_gamma_grad": _random_gamma_grad,
    "betainc": lambda a, b, x: mp.betainc(a, b, 0, x, regularized=True),
    "bessel_i0e": lambda x: mp.exp(-abs(x)) * mp.besseli(0, x),
    "bessel_i1e": lambda x: mp.exp(-abs(x)) * mp.besseli(1, x),
    "zeta": mp.zeta, "polygamma": lambda m, x: mp.polygamma(int(m), x),
}


def operands_of(name: str, count: int) -> list[np.ndarray]:
    """Operands of all sizes, of gamma and beta functions mostly where the result is neither zero nor one."""
    random = np.random.default_rng(len(name))
    a, b = 10 ** random.uniform(-2, 3.5, (2, count))
    near = np.exp(random.normal(0, 2, count) / np.sqrt(a + 0.5))
    if name in ("igamma", "igammac", "igamma_grad_a", "random_gamma_grad"):
        return [a, a * near]
    if name == "betainc":
        return [a, b, a * near / (a * near + b)]
    if name == "zeta":
        return [1 + 10 ** random.uniform(-2, 1.5, count), 10 ** random.uniform(-2, 2, count)]
    if name == "polygamma":
        return [random.integers(0, 12, count).astype(float), 10 ** random.uniform(-1, 2, count)]
    return [random.normal(0, 20, count)]


@pytest.mark.parametrize("name", EXACT)
def test_numbers_of_all_sizes(name: str) -> None:
    operands = operands_of(name, 40)
    (found,) = apply(ops.OPERATIONS[name], operands)
    exact = np.array([float(EXACT[name](*(mp.mpf(v) for v in row))) for row in zip(*map(np.ndarray.tolist, operands),
                                                                                 strict=True)])
    np.testing.assert_allclose(found, exact, rtol=2e-13, atol=1e-18)


# Operands and the result that is exact, infinite or no number at all.
ENDS: dict[str, list[tuple[float, ...]]] = {
    "igamma": [(0, 0, NAN), (0, 1, 1), (2, 0, 0), (2, INF, 1), (INF, 2, 0), (-1, 2, NAN), (2, -1, NAN), (NAN, 1, NAN),
               (1, NAN, NAN), (1e-300, 1, 1), (1e10, 1, 0), (2, 1e300, 1), (INF, INF, NAN)],
    "igammac": [(0, 0, NAN), (0, 1, 0), (2, 0, 1), (2, INF, 0), (INF, 2, 1), (-1, 2, NAN), (2, -1, NAN), (2, 1e300, 0)],
    "igamma_grad_a": [(0, 1, NAN), (2, 0, 0), (2, INF, 0), (-1, 2, NAN), (2, -1, NAN), (NAN, 1, NAN), (1, NAN, NAN)],
    "random_gamma_grad": [(0, 1, NAN), (2, 0, 0), (-1, 2, NAN), (2, -1, NAN), (NAN, 1, NAN), (1, NAN, NAN)],
    "betainc": [(2, 3, 0, 0), (2, 3, 1, 1), (2, 3, -0.5, NAN), (2, 3, 1.5, NAN), (-1, 3, 0.5, NAN), (2, -3, 0.5, NAN),
                (NAN, 1, 0.5, NAN), (1, 1, NAN, NAN), (1, 1, 0.25, 0.25), (1e5, 1e5, 0.5, 0.5)],
    "bessel_i0e": [(0, 1), (INF, 0), (-INF, 0), (NAN, NAN)],
    "bessel_i1e": [(0, 0), (INF, 0), (NAN, NAN)],
    "zeta": [(1, 2, INF), (0.5, 2, NAN), (2, 0, INF), (2, -3, INF), (2.5, -0.5, NAN), (3, INF, 0), (INF, 2, 0),
             (INF, 1, 1), (NAN, 1, NAN), (2, NAN, NAN)],
    "polygamma": [(0, 0, NAN), (1, 0, INF), (1, -2, INF), (1, INF, 0), (0, INF, INF), (0.5, 1, NAN), (-1, 1, NAN),
                  (1, NAN, NAN), (NAN, 1, NAN)],
}


@pytest.mark.parametrize("name", EXACT)
def test_ends_of_the_domain(name: str) -> None:
    rows = np.array(ENDS[name])
    (found,) = apply(ops.OPERATIONS[name], list(rows[:, :-1].T.copy()))
    np.testing.assert_allclose(found, rows[:, -1], rtol=1e-13)


def test_negative_operands_of_zeta_and_polygamma() -> None:
    x = np.array([-0.5, -1.25, -7.9, -60.3])
    for m in (1, 2, 3, 6):
        exact = np.array([float(mp.polygamma(m, mp.mpf(v))) for v in x.tolist()])
        found = apply(ops.polygamma, [np.full_like(x, m), x])[0]
        np.testing.assert_allclose(found, exact, rtol=1e-13, atol=1e-12 * math.factorial(m))
        sign = -1 if m % 2 == 0 else 1
        found = apply(ops.zeta, [np.full_like(x, m + 1), x])[0]
        np.testing.assert_allclose(found * math.factorial(m) * sign, exact, rtol=1e-13, atol=1e-12 * math.factorial(m))


def test_odd_powers_whose_terms_cancel_on_both_sides_of_zero() -> None:
    for s, q in ((3, -0.5), (25, -0.5), (25, -1.5), (31, -20.5), (21, -1000.5), (7, -20.5 + 1e-9), (5, -3.25),
                 (9, -1e-20), (401, -0.25), (3, -100.5)):
        with mp.workdps(300):
            count = math.ceil(-q)
            below = sum(((mp.mpf(q) + n) ** -s for n in range(count)), mp.mpf(0))
            exact = float(below + mp.zeta(s, mp.mpf(q) + count))
        np.testing.assert_allclose(apply(ops.zeta, [np.array([s * 1.0]), np.array([q])])[0], exact, rtol=1e-12)


def test_what_is_left_where_all_terms_cancel_or_powers_vanish() -> None:
    """Constants by mpmath with 600 digits; the slopes of an even order are equal on both sides of zero at halves."""
    m, x = np.array([170.0, 170.0, 200.0, 2.0]), np.array([-170.5, -500.5, -170.5, -0.5])
    exact = np.array([-1.0073099042426901e-75, -4.527162629890718e-155, -9.376850410356259e-75, -0.82879664423432])
    np.testing.assert_allclose(apply(ops.polygamma, [m, x])[0], exact, rtol=1e-12)
    s, q = np.array([2.0, 3.0, 20.0, 1 + 2.0**-20]), np.array([1e300, 1e100, 1e16, 1e305])
    np.testing.assert_allclose(apply(ops.zeta, [s, q])[0], q ** (1 - s) / (s - 1), rtol=1e-12)


def test_shares_and_slopes_far_below_the_mean_keep_their_digits() -> None:
    a, x = np.array([10.0, 12.25, 60.0, 120.0, 500.0]), np.array([1e-20, 1e-10, 0.01, 0.5, 150.0])
    for name in ("igamma", "igamma_grad_a"):
        exact = [float(EXACT[name](mp.mpf(p), mp.mpf(q))) for p, q in zip(a.tolist(), x.tolist(), strict=True)]
        np.testing.assert_allclose(apply(ops.OPERATIONS[name], [a, x])[0], exact, rtol=1e-12)


def test_narrow_floats_are_rounded_once() -> None:
    a, x = np.float32([0.5, 2.0, 30.0]), np.float32([0.1, 3.0, 25.0])
    for dtype in (np.float16, np.float32):
        wide = apply(ops.igamma, [a.astype(dtype).astype(np.float64), x.astype(dtype).astype(np.float64)])[0]
        np.testing.assert_array_equal(apply(ops.igamma, [a.astype(dtype), x.astype(dtype)])[0], wide.astype(dtype))
