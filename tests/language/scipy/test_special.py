# SPDX-License-Identifier: Apache-2.0
"""olympus.scipy.special against mpmath and SciPy, over the whole domain, its ends and its derivatives."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import mpmath
import numpy as np
import pytest
import scipy.special

import olympus
import olympus.numpy as jnp
from olympus.errors import ArgumentError
from olympus.scipy import special
from olympus.test_util import check_grads

mp = mpmath.mp.clone()
mp.dps = 40
INF, NAN = math.inf, math.nan


def _log_ndtr(x: Any) -> Any:
    return mp.log(mp.ncdf(x)) if x < 1 else mp.log1p(-mp.ncdf(-x))


EXACT: dict[str, Callable[..., Any]] = {
    "expit": lambda x: 1 / (1 + mp.exp(-x)), "erf": mp.erf, "erfc": mp.erfc,
    "erfcx": lambda x: mp.exp(x * x) * mp.erfc(x), "ndtr": mp.ncdf, "log_ndtr": _log_ndtr,
    "gamma": mp.gamma, "gammaln": lambda x: mp.log(abs(mp.gamma(x))), "digamma": mp.digamma,
    "i0": lambda x: mp.besseli(0, x), "i1": lambda x: mp.besseli(1, x),
    "i0e": lambda x: mp.besseli(0, x) * mp.exp(-abs(x)), "i1e": lambda x: mp.besseli(1, x) * mp.exp(-abs(x)),
    "logit": lambda p: mp.log(p / (1 - p)), "ndtri": lambda p: mp.sqrt(2) * mp.erfinv(2 * p - 1),
    "erfinv": mp.erfinv, "entr": lambda p: -p * mp.log(p),
    "xlogy": lambda x, y: x * mp.log(y), "xlog1py": lambda x, y: x * mp.log1p(y),
    "rel_entr": lambda p, q: p * mp.log(p / q), "kl_div": lambda p, q: p * mp.log(p / q) - p + q,
    "betaln": lambda a, b: mp.log(mp.beta(a, b)), "beta": mp.beta,
    "boxcox": lambda x, y: (mp.power(x, y) - 1) / y, "boxcox1p": lambda x, y: (mp.power(1 + x, y) - 1) / y,
    "gammainc": lambda a, x: mp.gammainc(a, 0, x, regularized=True),
    "gammaincc": lambda a, x: mp.gammainc(a, x, mp.inf, regularized=True),
    "poch": mp.rf, "comb": mp.binomial, "zeta": mp.zeta, "polygamma": lambda n, x: mp.polygamma(int(n), x),
    "betainc": lambda a, b, x: mp.betainc(a, b, 0, x, regularized=True),
}
# Functions whose results' exponents are large lose as many digits as these have.
LOOSE = {"gamma": 300, "beta": 300, "poch": 1000, "comb": 100, "boxcox": 500, "boxcox1p": 500, "betainc": 100}
PAIRS = ("xlogy", "xlog1py", "betaln", "beta", "boxcox", "boxcox1p", "gammainc", "gammaincc", "poch")


def operands_of(name: str, count: int) -> list[np.ndarray]:
    random = np.random.default_rng(len(name))
    positive = [10 ** random.uniform(-2, 2, count) for _ in range(2)]
    if name in ("logit", "ndtri", "erfinv", "entr"):
        return [np.concatenate([random.uniform(0.001, 0.999, count), 10 ** random.uniform(-30, -2, 10)])]
    if name in ("kl_div", "rel_entr"):
        return [positive[0], positive[0] * np.exp(random.normal(0, 10 ** random.uniform(-5, 1, count)))]
    if name == "betainc":
        return [*positive, random.uniform(0, 1, count)]
    if name == "zeta":
        return [1.1 + positive[0] / 10, positive[1]]
    if name in ("polygamma", "comb"):
        whole = np.floor(random.uniform(0, 8, count))
        return [whole, positive[1]] if name == "polygamma" else [whole + np.floor(positive[0] / 4), whole]
    if name in PAIRS:
        return [positive[0], np.sqrt(positive[1])] if "boxcox" in name else positive
    return [random.normal(0, {"gamma": 4, "erfc": 4, "erfcx": 3}.get(name, 12), count)]


@pytest.mark.parametrize("wide", [False, True], ids=["float32", "float64"])
@pytest.mark.parametrize("name", EXACT)
def test_numbers_against_mpmath(name: str, wide: bool) -> None:
    dtype = np.float64 if wide else np.float32
    operands = [x.astype(dtype) for x in operands_of(name, 60)]
    with olympus.enable_x64(wide):
        found = np.asarray(getattr(special, name)(*operands))
    exact = np.array([float(mp.re(EXACT[name](*(mp.mpf(float(v)) for v in row))))
                      for row in zip(*operands, strict=True)])
    assert found.dtype == dtype
    eps = float(np.finfo(dtype).eps)
    with np.errstate(over="ignore"):
        exact = np.where(np.isinf(exact.astype(dtype)), np.copysign(INF, exact), exact)
    least = float(np.finfo(dtype).tiny)
    np.testing.assert_allclose(found, exact, rtol=LOOSE.get(name, 20) * eps, atol=max(16 * eps * (name in (
        "gammaln", "digamma", "betaln", "boxcox", "gammainc", "gammaincc")), least))


def test_normal_quantiles_in_32_bits() -> None:
    shares = (np.linspace(0.001, 0.999, 3001), 10 ** np.linspace(-44, -3, 1001), 1 - 10 ** np.linspace(-6, -3, 501))
    for p in (share.astype(np.float32) for share in shares):
        exact = scipy.special.ndtri(p.astype(np.float64))
        off = np.abs(np.asarray(special.ndtri(p)) - exact) / np.spacing(np.abs(exact).astype(np.float32))
        off = off[np.abs(exact) > 1e-3]  # nearer to one half, the unit is less than that of p
        assert off.max() < 3 and off.mean() < 0.48


# Operands, and results that are not found by computing.
ENDS: dict[str, list[tuple[float, ...]]] = {
    "expit": [(INF, 1), (-INF, 0), (NAN, NAN)], "logit": [(0, -INF), (1, INF), (-0.1, NAN), (1.1, NAN), (NAN, NAN)],
    "ndtr": [(INF, 1), (-INF, 0), (NAN, NAN)], "log_ndtr": [(INF, 0), (-INF, -INF), (NAN, NAN)],
    "ndtri": [(0, -INF), (1, INF), (-0.1, NAN), (1.1, NAN), (NAN, NAN)], "erfcx": [(INF, 0), (-INF, INF), (NAN, NAN)],
    "gammasgn": [(0, 1), (-0.5, -1), (-1.5, 1), (-1, NAN), (-INF, NAN), (INF, 1), (NAN, NAN)],
    "gamma": [(0, INF), (-1, NAN), (INF, INF), (-INF, NAN), (NAN, NAN)],
    "gammaln": [(0, INF), (-1, INF), (INF, INF), (NAN, NAN)], "factorial": [(-1, 0), (0, 1), (NAN, NAN)],
    "entr": [(0, 0), (-1, -INF), (INF, -INF), (NAN, NAN)],
    "xlogy": [(0, 0, 0), (0, INF, 0), (1, 0, -INF), (NAN, 1, NAN), (0, NAN, NAN)],
    "xlog1py": [(0, -1, 0), (1, -1, -INF), (NAN, 1, NAN), (0, NAN, NAN)],
    "rel_entr": [(0, 0, 0), (0, 2, 0), (1, 0, INF), (-1, 1, INF), (NAN, 1, NAN), (1, NAN, NAN)],
    "kl_div": [(0, 0, 0), (0, 2, 2), (1, 0, INF), (-1, 1, INF), (NAN, 1, NAN), (1, NAN, NAN)],
    "comb": [(5, -1, 0), (3, 5, 0), (-2, 1, 0), (5, 0, 1), (INF, 0, 1), (INF, 3, INF), (INF, INF, NAN)],
    "boxcox": [(1, 0, 0), (-1, 1, NAN), (math.e, 0, 1)],
    "poch": [(-3, 2, 6), (-3, 0, 1), (-3, 5, 0), (0, 0, 1)],
    "betaln": [(0, 1, INF), (0, 0, INF), (1, 1, 0), (2, INF, -INF), (-3, 1, -math.log(3)), (NAN, 1, NAN)],
    "beta": [(2, INF, 0), (INF, 0.5, 0), (0, 2, INF), (-3, 1, -1 / 3), (2, -2, 0.5), (1, -1, -1), (-1, 2, NAN)],
}


@pytest.mark.parametrize("name", ENDS)
def test_ends_of_the_domain(name: str) -> None:
    rows = np.array(ENDS[name], np.float32)
    found = getattr(special, name)(*rows[:, :-1].T)
    np.testing.assert_allclose(found, rows[:, -1], rtol=1e-5, atol=1e-7)


DIFFERENTIABLE: dict[str, tuple[float, ...]] = {
    **dict.fromkeys(["expit", "erf", "erfc", "erfcx", "ndtr", "log_ndtr", "gamma", "gammaln", "digamma", "i0e", "i1",
                     "entr"], (1.3,)),
    **dict.fromkeys(["logit", "ndtri", "erfinv"], (0.3,)),
    **dict.fromkeys(["xlogy", "xlog1py", "kl_div", "rel_entr", "betaln", "beta", "boxcox", "poch"], (1.7, 2.4)),
}


@pytest.mark.parametrize("name", DIFFERENTIABLE)
def test_derivatives_in_both_modes_to_second_order(name: str) -> None:
    function = getattr(special, name)
    with olympus.enable_x64(True):
        check_grads(function, tuple(np.float64(v) for v in DIFFERENTIABLE[name]), order=2, modes=("fwd", "rev"),
                    atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize("wide", [False, True], ids=["float32", "float64"])
def test_the_beta_function_of_a_negative_and_a_great_number(wide: bool) -> None:
    a, b = np.array([-0.5, -1.5, -1.5, -7.25, -0.25]), np.array([1e10, 1e10, 12.0, 30.0, 1e6])
    with olympus.enable_x64(wide):
        a, b = a.astype(np.float64 if wide else np.float32), b.astype(np.float64 if wide else np.float32)
        exact = [float(mp.beta(float(p), float(q))) for p, q in zip(a, b, strict=True)]
        for found in (special.beta(a, b), special.beta(b, a)):
            np.testing.assert_allclose(found, exact, rtol=1e-12 if wide else 1e-5)
        slope = olympus.vmap(olympus.grad(special.betaln))(a, b)
    p, q = a.astype(float), b.astype(float)
    expected = scipy.special.digamma(p) - scipy.special.digamma(p + q)
    np.testing.assert_allclose(slope, expected, rtol=1e-9 if wide else 1e-4)


def test_poles_of_gamma_beyond_which_its_logarithm_overflows() -> None:
    with olympus.enable_x64(True):
        assert np.isinf(special.gammaln(np.array([-1e300, -1e306, -1.7e308, 1.7e308]))).all()


def test_beta_of_a_zero_has_the_sign_of_the_zero() -> None:
    """Beside whatever is no pole: there the beta function is about 1 / a."""
    others = np.array([-2.5, -0.5, 0.5, 2.0])
    for zero, end in ((0.0, INF), (-0.0, -INF)):
        np.testing.assert_array_equal(special.beta(zero, others), end)
        np.testing.assert_array_equal(special.beta(others, zero), end)
        assert special.beta(zero, zero) == end and np.isnan(special.beta(zero, -zero))
        assert np.isnan(special.beta(zero, -2.0)) and special.beta(1.0, -2.0) == -0.5


def test_shares_far_below_the_mean_keep_their_digits() -> None:
    a, x = [10.0, 12.25, 60.0, 120.0, 500.0], [1e-20, 1e-10, 0.01, 0.5, 150.0]
    shapes, places = [10.0, 10.0, 50.0, 50.0, 12.0], [1e-20, 1e-5, 1e-5, 0.99999, 1e-30]
    with olympus.enable_x64(True):
        np.testing.assert_allclose(special.gammainc(np.array(a), np.array(x)), [
            float(EXACT["gammainc"](mp.mpf(p), mp.mpf(q))) for p, q in zip(a, x, strict=True)], rtol=3e-13)
        np.testing.assert_allclose(special.gammaincc(12.25, 500.5), 1.4003137291440747e-195, rtol=3e-13)
        np.testing.assert_allclose(special.betainc(np.array(shapes), 20.0, np.array(places)), [
            float(EXACT["betainc"](mp.mpf(p), 20, mp.mpf(q))) for p, q in zip(shapes, places, strict=True)], rtol=3e-13)


def test_shares_of_shapes_that_are_one_less_themselves() -> None:
    # By the uniform expansion (https://dlmf.nist.gov/8.12), whose next term is less than 1 / a.
    def upper(a: Any, x: Any) -> Any:
        a, x = mp.mpf(a), mp.mpf(x)
        ratio = x / a
        eta = mp.sign(ratio - 1) * mp.sqrt(2 * (ratio - 1 - mp.log(ratio)))
        first = -mp.mpf(1) / 3 if ratio == 1 else 1 / (ratio - 1) - 1 / eta
        return mp.erfc(eta * mp.sqrt(a / 2)) / 2 + mp.exp(-a * eta * eta / 2) / mp.sqrt(2 * mp.pi * a) * first

    shapes = np.array([[9e15], [1e16], [3e17], [1e30]])
    points = shapes + np.sqrt(shapes) * np.array([-3, -1, -0.25, 0, 0.25, 1, 3])
    with mp.workdps(60):
        exact = np.vectorize(upper, otypes=[object])(shapes, points)
        above, below = exact.astype(float), (1 - exact).astype(float)
    with olympus.enable_x64(True):
        np.testing.assert_allclose(special.gammaincc(shapes, points), above, rtol=4e-15)
        np.testing.assert_allclose(special.gammainc(shapes, points), below, rtol=4e-15)


def test_betainc_of_a_tiny_second_shape_keeps_its_digits() -> None:
    """The share above is all but one there: what is left was one less it, with no digits of its own."""
    rows = [(a, b, x) for a in (1e-8, 0.001, 0.5, 3.0, 100.0) for b in (1e-12, 1e-8, 1e-3, 0.1)
            for x in (0.5, 0.9, 0.999)]
    with mp.workdps(60), olympus.enable_x64():
        exact = [float(mp.betainc(mp.mpf(a), mp.mpf(b), 0, mp.mpf(x), regularized=True)) for a, b, x in rows]
        np.testing.assert_allclose(special.betainc(*np.array(rows).T), exact, rtol=2e-13, atol=1e-60)


def test_odd_powers_whose_terms_cancel_on_both_sides_of_zero() -> None:
    orders, places = [2.0, 20.0, 30.0, 30.0, 4.0], [-20.5, -1.5, -0.5, -20.5, -3.25]
    with mp.workdps(100):
        exact = [float(mp.polygamma(int(m), mp.mpf(q))) for m, q in zip(orders, places, strict=True)]
    with olympus.enable_x64(True):
        np.testing.assert_allclose(special.polygamma(np.array(orders), np.array(places)), exact, rtol=1e-12)


def test_what_is_left_where_all_terms_cancel_or_powers_vanish() -> None:
    """Constants by mpmath with 600 digits."""
    with olympus.enable_x64(True):
        found = olympus.jit(special.polygamma)(np.array([170, 170, 200, 2]), np.array([-170.5, -500.5, -170.5, -0.5]))
        np.testing.assert_allclose(found, [-1.0073099042426901e-75, -4.527162629890718e-155, -9.376850410356259e-75,
                                           -0.82879664423432], rtol=1e-12)
        s, q = np.array([2.0, 3.0, 20.0, 1 + 2.0**-20]), np.array([1e300, 1e100, 1e16, 1e305])
        np.testing.assert_allclose(olympus.jit(special.zeta)(s, q), q ** (1 - s) / (s - 1), rtol=1e-12)


def test_derivatives_in_the_tails_and_at_zero() -> None:
    grad = olympus.grad
    np.testing.assert_allclose(grad(special.log_ndtr)(-30.0), 30.0332, rtol=1e-5)
    np.testing.assert_allclose(grad(special.xlogy)(0.0, 2.0), math.log(2), rtol=1e-6)
    np.testing.assert_allclose(grad(special.boxcox, 1)(2.0, 0.0), math.log(2) ** 2 / 2, rtol=1e-5)
    np.testing.assert_allclose(grad(special.betaln)(2e4, 3.0), -3 / 2e4, rtol=1e-3)
    for p, q in ((0.5, 0.5), (1e-3, 2.0)):
        assert math.isfinite(grad(special.kl_div)(p, q)) and math.isfinite(grad(special.rel_entr, 1)(p, q))


def test_sums_of_exponentials_and_shares() -> None:
    x = np.random.default_rng(0).normal(0, 50, (3, 4)).astype(np.float32)
    np.testing.assert_allclose(special.logsumexp(x, axis=1), scipy.special.logsumexp(x, axis=1), rtol=1e-6)
    np.testing.assert_allclose(special.softmax(x, axis=(0, 1)), scipy.special.softmax(x, axis=(0, 1)), rtol=1e-5)
    np.testing.assert_allclose(special.log_softmax(x), scipy.special.log_softmax(x), rtol=1e-6)
    found, sign = special.logsumexp(jnp.array([1.0, 2.0]), b=jnp.array([1.0, -2.0]), return_sign=True)
    np.testing.assert_allclose(sign * np.exp(found), math.e - 2 * math.e**2, rtol=1e-6)


def test_counting() -> None:
    np.testing.assert_allclose(special.bernoulli(30), scipy.special.bernoulli(30), rtol=1e-6, atol=1e-9)
    assert special.bernoulli(0).shape == (1,)
    np.testing.assert_allclose(special.multigammaln(5.5, 3), scipy.special.multigammaln(5.5, 3), rtol=1e-6)
    np.testing.assert_allclose(special.comb(np.arange(5.0), 2.0, repetition=True),
                               scipy.special.comb(np.arange(5.0), 2.0, repetition=True), rtol=1e-6)
    np.testing.assert_allclose(special.factorial(np.arange(6)), [1, 1, 2, 6, 24, 120], rtol=1e-6)
    np.testing.assert_allclose(special.zeta(2), math.pi**2 / 6, rtol=1e-6)


def test_what_is_refused() -> None:
    with pytest.raises(ArgumentError, match="complex"):
        special.gammaln(1j)
    with pytest.raises(ArgumentError, match="exact"):
        special.factorial(5, exact=True)
    with pytest.raises(ArgumentError, match="dimension"):
        special.multigammaln(5.0, 2.5)
    with pytest.raises(ArgumentError):
        special.bernoulli(-1)


@pytest.fixture
def narrow() -> Iterator[Any]:
    yield jnp.bfloat16


def test_narrow_floats_keep_their_type_and_integers_become_floats(narrow: Any) -> None:
    x = jnp.array([0.25, 0.5], narrow)
    for name in ("expit", "ndtr", "gammaln", "i0e", "erfcx", "ndtri"):
        found = getattr(special, name)(x)
        assert found.dtype == narrow
        np.testing.assert_allclose(found.astype("f4"), getattr(scipy.special, name)([0.25, 0.5]), rtol=2e-2)
    assert special.gammaln(3).dtype == np.float32 and special.betainc(1, 2, 0.5).dtype == np.float32


def test_mapped_compiled_and_split() -> None:
    x = np.linspace(0.1, 4, 16, dtype=np.float32)
    for name in ("ndtr", "gammainc"):
        function = getattr(special, name)
        operands = (x,) if name == "ndtr" else (x, x[::-1].copy())
        whole = np.asarray(function(*operands))
        np.testing.assert_array_equal(olympus.jit(olympus.vmap(function))(*operands), whole)
        mesh = olympus.make_mesh((8,), ("i",))
        split = [olympus.device_put(v, olympus.NamedSharding(mesh, olympus.P("i"))) for v in operands]
        found = olympus.jit(function)(*split)
        np.testing.assert_array_equal(found, whole)
        assert found.sharding.spec == olympus.P("i")


def test_poch_of_large_numbers() -> None:
    z = np.array([1e10, 1e20, 1e6, 1e5, 30, 20, 1e8, -548, 10.5], np.float32)
    m = np.array([0.5, 0.5, -1, -2.3, 5, -8.5, -99999984, -5, -3.25], np.float32)
    wide = scipy.special.poch(z.astype(np.float64), m.astype(np.float64))
    np.testing.assert_allclose(special.poch(z, m)[:6], wide[:6], rtol=1e-5)
    np.testing.assert_allclose(special.poch(z, m)[7:], wide[7:], rtol=1e-5)
    assert special.poch(z, m)[6] == 0
    np.testing.assert_allclose(olympus.grad(special.poch)(1e6, 0.5), 5e-4, rtol=1e-5)
    np.testing.assert_allclose(olympus.grad(special.poch, 1)(1e6, 0.5), 1000 * np.log(1e6), rtol=1e-5)


def test_the_dimension_of_a_multivariate_gamma_function_is_one_number() -> None:
    for dimension in (np.array([1, 2]), 1.5, 0):
        with pytest.raises(ArgumentError, match="no|not"):
            special.multigammaln(2.5, dimension)


def test_shares_of_the_normal_distribution_around_its_middle() -> None:
    x = np.linspace(-0.5, 6, 4001, dtype=np.float32)
    truth = scipy.special.ndtr(x.astype(np.float64))
    found = np.asarray(special.ndtr(x))
    assert (np.abs(found - truth) / np.spacing(truth.astype(np.float32))).max() < 1.5  # by erfc of negative numbers: 3


@pytest.mark.parametrize("a, b", [(1.0, -2.5), (2.0, -2.5), (0.5, -1.75), (0.25, -3.5), (1.5, 2.5), (0.75, -0.25)])
def test_second_derivatives_of_the_logarithm_of_beta_beside_negative_numbers(a: float, b: float) -> None:
    """Also where the reflection's factor is 1 by chance: its logarithm is zero there, and bends."""
    wanted = scipy.special.polygamma(1, a) - scipy.special.polygamma(1, a + b)
    np.testing.assert_allclose(olympus.grad(olympus.grad(special.betaln))(a, b), wanted, rtol=2e-4)


@pytest.mark.parametrize("name", ["i0e", "i1e"])
def test_bessel_functions_have_all_derivatives_at_infinity(name: str) -> None:
    function = getattr(special, name)
    for _ in range(3):
        function = olympus.grad(function)
        assert float(function(np.inf)) == 0 and float(function(-np.inf)) == 0
    second = olympus.grad(olympus.grad(getattr(special, name)))(50.0)
    wanted = mp.diff(lambda x: mp.besseli(int(name[1]), x) * mp.exp(-x), 50, 2)
    np.testing.assert_allclose(float(second), float(wanted), rtol=1e-4)
