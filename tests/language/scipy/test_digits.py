# SPDX-License-Identifier: Apache-2.0
"""Special functions and their slopes keep their digits where great terms cancel, overflow or vanish."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import mpmath as mp
import numpy as np
import pytest

import olympus
from olympus.scipy import special

WIDE = pytest.mark.parametrize("wide", [False, True], ids=["float32", "float64"])


def off(found: Any, exact: list[Any]) -> float:
    """By how many units of its last place the worst number is off."""
    found = np.asarray(found)
    wanted = np.array([float(v) if abs(v) <= np.finfo(found.dtype).max else math.copysign(math.inf, v) for v in exact])
    assert np.array_equal(np.isfinite(found), np.isfinite(wanted))
    some = np.isfinite(found)
    pairs = zip(found[some], np.array(exact)[some], strict=True)
    error = np.array([float(abs(mp.mpf(float(f)) - e)) for f, e in pairs])
    return float(np.max(error / np.spacing(np.abs(wanted[some]).astype(found.dtype)).astype(np.float64)))


def slope(function: Callable[..., Any], argument: int, order: int = 1) -> Callable[..., Any]:
    """The derivative by one argument, of arrays element by element."""
    for _ in range(order):
        function = olympus.grad(function, argument)
    return olympus.vmap(function)


def exact_slopes(function: Callable[..., Any], rows: Any, argument: int, order: int = 1) -> list[Any]:
    """The derivatives of a function of mpmath by one argument."""
    def one(row: Any) -> Any:
        row = [mp.mpf(float(v)) for v in row]
        return mp.diff(lambda v: function(*row[:argument], v, *row[argument + 1:]), row[argument], order)

    with mp.workdps(40):
        return [one(row) for row in rows]


@WIDE
def test_gamma_and_its_derivatives(wide: bool) -> None:
    x = np.array([0.25, 1.5, 2.5, 6.0, 9.5, 10.5, 20.0, 33.25, 34.9, -0.5, -1.25, -7.75, -20.3], np.float32)
    x = np.append(x.astype(np.float64), [100.5, 171.5, -90.25]) if wide else x
    rows = [(v,) for v in x]
    with olympus.enable_x64(wide):
        assert off(special.gamma(x), [mp.gamma(mp.mpf(float(v))) for v in x]) <= 64
        assert off(special.gamma(x[x > 0]), [mp.gamma(mp.mpf(float(v))) for v in x[x > 0]]) <= 16
        assert off(slope(special.gamma, 0)(x), exact_slopes(mp.gamma, rows, 0)) <= 100
        whole = special.gamma(np.arange(1.0, 11.0, dtype=x.dtype))
    np.testing.assert_array_equal(whole, [math.factorial(n) for n in range(10)])


@WIDE
def test_beta_of_great_and_negative_numbers(wide: bool) -> None:
    a = np.array([0.5, 3.0, 25.0, 1000.0, 0.5, -2.5, -20.25, 12.0], np.float64 if wide else np.float32)
    b = np.array([0.5, 4.0, 30.0, 2000.0, 1e6, 30.0, 40.5, 0.001], a.dtype)
    pairs = [(mp.mpf(float(p)), mp.mpf(float(q))) for p, q in zip(a, b, strict=True)]
    with olympus.enable_x64(wide), mp.workdps(40):
        logs = [mp.log(abs(mp.beta(*row))) for row in pairs]
        found = np.asarray(special.betaln(a, b))
        np.testing.assert_allclose(found, [float(v) for v in logs], rtol=20 * np.finfo(a.dtype).eps)
        values = [mp.beta(*row) for row in pairs]
        few = [i for i, v in enumerate(values) if abs(v) > 1e-30]
        bound = 20 * (1 + max(abs(float(logs[i])) for i in few))
        assert off(np.asarray(special.beta(a, b))[few], [values[i] for i in few]) <= bound
        np.testing.assert_allclose(slope(special.betaln, 0)(a, b), [float(v) for v in exact_slopes(
            lambda p, q: mp.log(abs(mp.beta(p, q))), pairs, 0)], rtol=200 * np.finfo(a.dtype).eps)


@WIDE
def test_counts_have_all_their_digits(wide: bool) -> None:
    pairs = [(n, k) for n in (5, 10, 26) for k in range(0, 6)]
    n, k = np.array(pairs, np.float64 if wide else np.float32).T
    with olympus.enable_x64(wide):
        np.testing.assert_array_equal(special.comb(n, k), [math.comb(*row) for row in pairs])
        start = np.array([-3, -2.5, -7, 0.5, 4, 5.5], n.dtype)
        assert off(special.poch(start, np.full_like(start, 4)), [mp.rf(mp.mpf(float(v)), 4) for v in start]) <= 4
        # Only gamma(z + m) has a pole.
        np.testing.assert_array_equal(special.poch(n.dtype.type(0.5), n.dtype.type(-2.5)), np.inf)
        inner = np.array([(20.0, 3.0), (9.5, 2.0), (40.0, 7.0)], n.dtype)
        for argument in (0, 1):
            assert off(slope(special.comb, argument)(*inner.T), exact_slopes(mp.binomial, inner, argument)) <= 200
            assert off(slope(special.poch, argument)(*inner.T), exact_slopes(mp.rf, inner, argument)) <= 200


@WIDE
def test_slopes_of_shares_of_great_shapes(wide: bool) -> None:
    shape = np.array([200.0, 1e4, 1e4, 50.0], np.float64 if wide else np.float32)
    x = np.array([190.0, 1e4, 10100.0, 80.0], shape.dtype)
    rows = [(mp.mpf(float(a)), mp.mpf(float(v))) for a, v in zip(shape, x, strict=True)]
    with olympus.enable_x64(wide):
        with mp.workdps(40):
            exact = [mp.exp((a - 1) * mp.log(v) - v - mp.loggamma(a)) for a, v in rows]
        assert off(slope(special.gammainc, 1)(shape, x), exact) <= 200
        other, y = shape[::-1].copy(), (shape / (shape + shape[::-1]))
        triples = [(mp.mpf(float(a)), mp.mpf(float(b)), mp.mpf(float(v)))
                   for a, b, v in zip(shape, other, y, strict=True)]
        with mp.workdps(40):
            exact = [mp.exp((a - 1) * mp.log(v) + (b - 1) * mp.log(1 - v) - mp.loggamma(a) - mp.loggamma(b)
                            + mp.loggamma(a + b)) for a, b, v in triples]
        assert off(slope(special.betainc, 2)(shape, other, y), exact) <= 2000


@WIDE
def test_slopes_of_zeta_by_its_exponent(wide: bool) -> None:
    s = np.array([1.1, 2.0, 3.5, 12.0, 40.0], np.float64 if wide else np.float32)
    q = np.array([1.0, 0.5, 3.0, 7.5, 1.0], s.dtype)
    with olympus.enable_x64(wide), mp.workdps(40):
        exact = [mp.zeta(mp.mpf(float(v)), mp.mpf(float(p)), 1) for v, p in zip(s, q, strict=True)]
        assert off(slope(special.zeta, 0)(s, q), exact) <= 20
        assert np.isnan(olympus.grad(special.zeta)(s[0], -q[0]))
        mixed = olympus.vmap(olympus.grad(olympus.grad(special.zeta), 1))(s[1:3], q[1:3])
        exact = [-mp.zeta(v + 1, p) - v * mp.zeta(v + 1, p, 1)
                 for v, p in ((mp.mpf(float(v)), mp.mpf(float(p))) for v, p in zip(s[1:3], q[1:3], strict=True))]
        np.testing.assert_allclose(mixed, [float(v) for v in exact], rtol=50 * np.finfo(s.dtype).eps)


@WIDE
def test_bessel_functions_to_the_end_of_their_range_and_their_slopes(wide: bool) -> None:
    x = np.array([-30.0, -1.5, -1e-3, 0.25, 2.0, 15.0, 88.0, 89.5, 91.0], np.float64 if wide else np.float32)
    x = np.append(x, [-700.0, 713.0]) if wide else x
    first, second = (lambda v: mp.besseli(0, v)), (lambda v: mp.besseli(1, v))
    falling = [(lambda v, k=k: mp.besseli(k, v) * mp.exp(-abs(v))) for k in (0, 1)]
    rows = [(v,) for v in x]
    with olympus.enable_x64(wide), mp.workdps(40):
        assert off(special.i0(x), [first(mp.mpf(float(v))) for v in x]) <= 16
        assert off(special.i1(x), [second(mp.mpf(float(v))) for v in x]) <= 16
        for order in (1, 2):
            assert off(slope(special.i0, 0, order)(x), exact_slopes(first, rows, 0, order)) <= 64
            assert off(slope(special.i1, 0, order)(x), exact_slopes(second, rows, 0, order)) <= 64
        far = np.append(x, np.array([200.0, 1e4], x.dtype))
        for function, exact in zip((special.i0e, special.i1e), falling, strict=True):
            found = np.asarray(slope(function, 0)(far))
            wanted = np.array([float(v) for v in exact_slopes(exact, [(v,) for v in far], 0)])
            np.testing.assert_allclose(found, wanted, rtol=400 * np.finfo(x.dtype).eps)
        assert float(olympus.grad(special.i0)(np.inf)) == np.inf


@WIDE
def test_derivatives_of_powers_less_one_near_an_exponent_of_zero(wide: bool) -> None:
    x = np.array([0.25, 2.0, 7.5, 2.0, 3.0, 100.0], np.float64 if wide else np.float32)
    exponent = np.array([0.0, 0.0, 1e-6, 0.3, -0.5, -1e-4], x.dtype)

    def exact(order: int) -> list[Any]:
        # The integral of log(x)^(order + 1) exp(t log(x)) t^order dt from 0 to 1, by the exponent's derivative.
        def one(v: float, y: float) -> Any:
            logarithm = mp.log(mp.mpf(float(v)))
            return mp.quad(lambda t: logarithm * (t * logarithm) ** order * mp.exp(t * mp.mpf(float(y)) * logarithm),
                           [0, 1])

        return [one(*row) for row in zip(x, exponent, strict=True)]

    with olympus.enable_x64(wide):
        assert off(special.boxcox(x, exponent), exact(0)) <= 20
        assert off(slope(special.boxcox, 1)(x, exponent), exact(1)) <= 100
        assert off(slope(special.boxcox, 1, 2)(x, exponent), exact(2)) <= 200
        assert off(slope(special.boxcox1p, 1, 2)(x[:1] + 2, exponent[:1]), [mp.log(mp.mpf("3.25")) ** 3 / 3]) <= 100
