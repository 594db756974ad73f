# SPDX-License-Identifier: Apache-2.0
"""Distributions far from their middle, with great, small and infinite parameters: against mpmath, and their slopes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath as mp
import numpy as np
import pytest
import scipy.stats

import olympus
from olympus.scipy import stats

WIDE = pytest.mark.parametrize("wide", [False, True], ids=["float32", "float64"])
INF = float("inf")


def compare(found: Any, exact: Callable[..., Any], rows: np.ndarray, bound: float = 100) -> None:
    """Compare with a function of mpmath, to so many units in the last place of the numbers, or of one."""
    found = np.asarray(found)
    with mp.workdps(50):
        wanted = np.array([float(exact(*(mp.mpf(float(v)) for v in row))) for row in rows])
    kind = np.finfo(found.dtype)
    # What is less than mpmath's digits of one is not known.
    np.testing.assert_allclose(found, wanted, rtol=bound * float(kind.eps), atol=max(float(kind.tiny), 1e-45))


def slopes(function: Callable[..., Any], argument: int) -> Callable[..., Any]:
    return olympus.vmap(olympus.grad(function, argument))


GAMMA = np.array([(1e-30, 7.5), (2.5, 200.0), (40.0, 200.0), (6.0, 1.0), (1000.0, 2.0), (9000.0, 1e4), (12000.0, 1e4),
                  (600.0, 200.0), (1e-8, 0.5), (5.0, 5.0), (190.0, 200.0), (130.0, 1.5), (5000.0, 1e4)])
BETA = np.array([(1e-30, 3.0, 1.0), (0.3, 300.0, 20.0), (0.05, 300.0, 20.0), (0.9999, 300.0, 20.0), (0.4, 1e4, 1e4),
                 (0.5, 2.0, 3.0), (1e-8, 0.5, 0.75), (0.001, 2.0, 500.0), (0.6, 2.0, 500.0), (0.75, 1e4, 1e4)])


def upper_gamma(x: Any, a: Any) -> Any:
    return mp.gammainc(a, x, regularized=True)


def lower_gamma(x: Any, a: Any) -> Any:
    return mp.power(x, a) * mp.exp(-x) / mp.gamma(a + 1) * mp.hyp1f1(1, a + 1, x)


def lower_beta(x: Any, a: Any, b: Any) -> Any:
    if x > a / (a + b):
        return 1 - lower_beta(1 - x, b, a)
    return mp.power(x, a) * mp.power(1 - x, b) / a / mp.beta(a, b) * mp.hyp2f1(a + b, 1, a + 1, x)


def upper_beta(x: Any, a: Any, b: Any) -> Any:
    return lower_beta(1 - x, b, a)


@WIDE
def test_logarithms_of_shares_of_gamma_and_chi2(wide: bool) -> None:
    rows = GAMMA.astype(np.float64 if wide else np.float32)
    x, a = rows.T

    def above(x: Any, a: Any) -> Any:
        # By the fraction where mpmath would take long.
        if a < 1000 or x < a:
            return upper_gamma(x, a)
        last = x + 401 - a
        for k in range(200, 0, -1):
            last = x + 2 * k - 1 - a - k * (k - a) / last
        return mp.power(x, a) * mp.exp(-x) / mp.gamma(a) / last

    def below(x: Any, a: Any) -> Any:
        return 1 - above(x, a) if x > a else lower_gamma(x, a)

    def over(x: Any, a: Any) -> Any:
        return above(x, a) if x > a else 1 - lower_gamma(x, a)

    def density(x: Any, a: Any) -> Any:
        return mp.power(x, a - 1) * mp.exp(-x) / mp.gamma(a)

    with olympus.enable_x64(wide):
        compare(stats.gamma.logcdf(x, a), lambda x, a: mp.log(below(x, a)), rows)
        compare(stats.gamma.logsf(x, a), lambda x, a: mp.log(over(x, a)), rows)
        compare(stats.chi2.logcdf(2 * x, 2 * a), lambda x, a: mp.log(below(x, a)), rows)
        compare(stats.chi2.logsf(2 * x, 2 * a), lambda x, a: mp.log(over(x, a)), rows)
        compare(slopes(stats.gamma.logcdf, 0)(x, a), lambda x, a: density(x, a) / below(x, a), rows, 2e4)
        compare(slopes(stats.gamma.logsf, 0)(x, a), lambda x, a: -density(x, a) / over(x, a), rows, 2e4)
        # By the shape too, where the share itself is no number any more.
        far = rows[:1] * [1e-250 if wide else 1, 1]
        compare(slopes(stats.gamma.logcdf, 1)(*far.T), lambda x, a: mp.log(x) - mp.digamma(a + 1), far)
        ends = np.array([-1.0, 0.0, INF], x.dtype)
        np.testing.assert_array_equal(stats.gamma.logcdf(ends, 2.0), [-INF, -INF, 0])
        np.testing.assert_array_equal(stats.gamma.logsf(ends, 2.0), [0, 0, -INF])


@WIDE
def test_shares_of_beta_and_their_logarithms(wide: bool) -> None:
    rows = BETA.astype(np.float64 if wide else np.float32)
    with olympus.enable_x64(wide):
        compare(stats.beta.logcdf(*rows.T), lambda *v: mp.log(lower_beta(*v)), rows, 400)
        compare(stats.beta.logsf(*rows.T), lambda *v: mp.log(upper_beta(*v)), rows, 400)
        compare(stats.beta.sf(*rows[-5:-2].T), upper_beta, rows[-5:-2])

        def slope(x: Any, a: Any, b: Any) -> Any:
            return mp.power(x, a - 1) * mp.power(1 - x, b - 1) / mp.beta(a, b) / lower_beta(x, a, b)

        compare(slopes(stats.beta.logcdf, 0)(*rows.T), slope, rows, 2e4)
        ends = np.array([-1.0, 0.0, 1.0, 2.0], rows.dtype)
        np.testing.assert_array_equal(stats.beta.logcdf(ends, 2.0, 3.0), [-INF, -INF, 0, 0])
        np.testing.assert_array_equal(stats.beta.sf(ends, 2.0, 3.0), [1, 1, 0, 0])


@WIDE
def test_logarithms_of_shares_of_gumbel(wide: bool) -> None:
    x = np.array([-3.0, 0.0, 15.0, 19.0, 101.0, 200.0, 1e4], np.float64 if wide else np.float32)
    rows = x[:, None]
    with olympus.enable_x64(wide):
        compare(stats.gumbel_r.logsf(x), lambda v: mp.log(-mp.expm1(-mp.exp(-v))) if v < 100 else -v, rows)
        compare(stats.gumbel_l.logcdf(-x), lambda v: mp.log(-mp.expm1(-mp.exp(-v))) if v < 100 else -v, rows)
        compare(slopes(stats.gumbel_r.logsf, 0)(x), lambda v: (
            -mp.exp(-v) / mp.expm1(mp.exp(-v)) if v < 100 else -1), rows)


@WIDE
def test_densities_of_great_shapes(wide: bool) -> None:
    dtype = np.float64 if wide else np.float32
    cases: list[tuple[Any, list[tuple[float, ...]], Callable[..., Any]]] = [
        (stats.gamma.pdf, [(1e4, 1e4), (10050.0, 1e4), (90.0, 200.0), (200.0, 200.0)],
         lambda x, a: mp.power(x, a - 1) * mp.exp(-x) / mp.gamma(a)),
        (stats.beta.pdf, [(0.5, 1e4, 1e4), (0.9, 300.0, 20.0), (0.5, 2e5, 2e5)],
         lambda x, a, b: mp.exp((a - 1) * mp.log(x) + (b - 1) * mp.log(1 - x) - mp.log(mp.beta(a, b)))),
        (stats.poisson.pmf, [(1000.0, 1000.0), (1e5, 1e5), (30.0, 20.0)],
         lambda k, mu: mp.exp(k * mp.log(mu) - mu - mp.loggamma(k + 1))),
        (stats.binom.pmf, [(500.0, 1000.0, 0.5), (4e4, 1e5, 0.40625)],
         lambda k, n, p: mp.binomial(n, k) * p ** k * (1 - p) ** (n - k)),
        (stats.nbinom.pmf, [(500.0, 500.0, 0.5), (9000.0, 3000.0, 0.25)],
         lambda k, n, p: mp.binomial(k + n - 1, k) * p ** n * (1 - p) ** k),
        (stats.betabinom.pmf, [(3.0, 9.0, 300.0, 200.0), (500.0, 1000.0, 1e4, 1e4), (4.0, 9.0, 1.5, 2.0)],
         lambda k, n, a, b: mp.binomial(n, k) * mp.beta(k + a, n - k + b) / mp.beta(a, b)),
    ]
    with olympus.enable_x64(wide):
        for function, numbers, exact in cases:
            rows = np.array(numbers, dtype)
            compare(function(*rows.T), exact, rows, 100)
        rows = np.array([(3.0, 9.0, 300.0, 200.0), (5.0, 20.0, 1.5, 2.0)], dtype)
        compare(slopes(stats.betabinom.logpmf, 2)(*rows.T), lambda k, n, a, b: (
            mp.digamma(k + a) - mp.digamma(a) - mp.digamma(n + a + b) + mp.digamma(a + b)), rows, 4000)
        rows = np.array([(90.0, 200.0), (1e4, 1e4), (10050.0, 1e4)], dtype)
        np.testing.assert_allclose(slopes(stats.gamma.logpdf, 1)(*rows.T), [
            float(mp.log(mp.mpf(float(x))) - mp.digamma(mp.mpf(float(a)))) for x, a in rows], rtol=1e-4, atol=1e-7)


@WIDE
def test_infinite_parameters(wide: bool) -> None:
    x = np.array([-INF, -3.0, 0.5, 1.0, 1.5, 40.0, INF], np.float64 if wide else np.float32)
    with olympus.enable_x64(wide), np.errstate(all="ignore"):
        for name in ("cdf", "sf", "logpdf", "logcdf", "logsf", "pdf"):
            wanted = getattr(scipy.stats.pareto, name)(x, INF)
            np.testing.assert_array_equal(getattr(stats.pareto, name)(x, INF), wanted, err_msg=name)
        np.testing.assert_array_equal(stats.pareto.ppf(np.array([0.0, 0.5, 1.0], x.dtype), INF), [1, 1, INF])
        for name in ("pdf", "logpdf"):
            ours, theirs = getattr(stats.t, name), getattr(scipy.stats.t, name)
            wanted = theirs(x.astype(np.float64), INF, 0.5, 2.0)
            np.testing.assert_allclose(ours(x, INF, 0.5, 2.0), wanted, rtol=1e-6, atol=1e-37)
        np.testing.assert_allclose(slopes(stats.t.logpdf, 0)(x[1:-1], np.full(5, INF, x.dtype)), -x[1:-1], rtol=1e-6)


@WIDE
def test_the_generalised_normal_share_of_a_great_exponent(wide: bool) -> None:
    x = np.array([-0.9, -0.5, -0.1, -1e-3, 1e-30, 1e-3, 0.1, 0.7, 0.99], np.float64 if wide else np.float32)
    rows = np.stack([x, np.full_like(x, 50)], 1)

    def exact(v: Any, beta: Any) -> Any:
        return 0.5 + mp.sign(v) * mp.gammainc(1 / beta, 0, abs(v) ** beta, regularized=True) / 2

    with olympus.enable_x64(wide):
        compare(stats.gennorm.cdf(*rows.T), exact, rows, 20)
        compare(slopes(stats.gennorm.cdf, 0)(*rows.T), lambda v, beta: (
            beta / 2 / mp.gamma(1 / beta) * mp.exp(-abs(v) ** beta)), rows, 100)


@WIDE
def test_the_cut_normal_distribution_of_infinite_ends_and_of_narrow_ones(wide: bool) -> None:
    rows = np.array([(30.0, 1.0, INF), (1e30, 1.0, INF), (-1e30, -INF, 1.0), (1e30, -INF, INF), (-3.0, -INF, INF),
                     (-0.99988, -1.0, 2.0), (5e-4, 0.0, 1e-3), (1e-8, 0.0, 1e-3), (8.0, 7.9375, 8.0625),
                     (-20.0, -20.25, -19.0), (0.3, -0.25, 0.5), (INF, 1.0, INF), (-INF, -INF, 1.0)],
                    np.float64 if wide else np.float32)
    most = float(np.finfo(rows.dtype).max)

    def mass(low: Any, high: Any) -> Any:
        if low > 0:
            low, high = -high, -low
        return (mp.erfc(-high / mp.sqrt(2)) - (mp.erfc(-low / mp.sqrt(2)) if low > -mp.inf else 0)) / 2

    def log_below(x: Any, a: Any, b: Any) -> Any:
        if x == -mp.inf:
            return -mp.inf
        if x == mp.mpf(float(rows[2, 0])):
            return -mp.mpf(most) * 2 if most < 1e60 else -x * x / 2
        return mp.log(mass(a, x) / mass(a, b)) if x < b else 0

    def finite(found: float) -> float:
        return -INF if found < -most else found

    mirrored = rows[:, [0, 2, 1]] * [-1, -1, -1]
    with olympus.enable_x64(wide), mp.workdps(60):
        for function, other, places in ((stats.truncnorm.logcdf, stats.truncnorm.logsf, rows),
                                        (stats.truncnorm.logsf, stats.truncnorm.logcdf, mirrored)):
            found, turned = np.asarray(function(*places.T.astype(rows.dtype))), np.asarray(
                other(*(places[:, [0, 2, 1]] * [-1, -1, -1]).T.astype(rows.dtype)))
            np.testing.assert_array_equal(found, turned)
        wanted = [finite(float(log_below(*(mp.mpf(float(v)) for v in row)))) for row in rows]
        found = np.asarray(stats.truncnorm.logcdf(*rows.T))
        np.testing.assert_allclose(found, wanted, rtol=1e-12 if wide else 1e-5, atol=1e-40)
        inner = rows[5:11]
        compare(stats.truncnorm.pdf(*inner.T), lambda x, a, b: mp.npdf(x) / mass(a, b), inner, 200)
        compare(slopes(stats.truncnorm.cdf, 0)(*inner.T), lambda x, a, b: mp.npdf(x) / mass(a, b), inner, 400)
