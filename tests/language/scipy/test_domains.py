# SPDX-License-Identifier: Apache-2.0
"""Complex numbers, narrow floats, and parameters that are none, in special functions and distributions."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
import scipy.special
import scipy.stats

import olympus
import olympus.numpy as jnp
from olympus.scipy import special, stats

mp = mpmath.mp.clone()
mp.dps = 30
EXACT = {"gamma": mp.gamma, "loggamma": mp.loggamma, "digamma": mp.digamma}
HALVES = [np.dtype(np.float16), np.dtype(jnp.bfloat16)]


def _points() -> np.ndarray:
    random = np.random.default_rng(3)
    spread = random.uniform(-15, 15, 80) + 1j * random.choice([1, -1], 80) * 10 ** random.uniform(-3, 1.5, 80)
    return np.concatenate([spread, [1.01, 2 - 0.01j, 1 + 0.1j, 0.5, -3 + 1e-3j, 0.3 + 30j, 8, 12 - 2j]])


@pytest.mark.parametrize("wide", [False, True], ids=["complex64", "complex128"])
@pytest.mark.parametrize("name", EXACT)
def test_gamma_functions_are_those_of_mpmath(name: str, wide: bool) -> None:
    dtype = np.complex128 if wide else np.complex64
    z = _points().astype(dtype)
    with olympus.enable_x64(wide):
        found = np.asarray(getattr(special, name)(z))
    exact = np.array([complex(EXACT[name](mp.mpc(complex(v)))) for v in z])
    assert found.dtype == dtype
    error = np.abs(found - exact) / np.maximum(np.abs(exact), np.finfo(dtype).tiny)
    assert error.max() <= (1e-13 if wide else 1.2e-7)


@pytest.mark.parametrize("name", EXACT)
def test_cuts_and_poles_are_those_of_scipy(name: str) -> None:
    with olympus.enable_x64(True):
        z = np.array([complex(-0.5, 0.0), complex(-0.5, -0.0), complex(-2.5, 0.0), complex(-2.5, -0.0)])
        np.testing.assert_allclose(getattr(special, name)(z), getattr(scipy.special, name)(z), rtol=1e-13, atol=1e-13)
        poles = np.array([0, -1, -7, complex(np.nan, 1)])
        assert not np.isfinite(getattr(special, name)(poles)).any()


def test_slopes_of_gamma_functions() -> None:
    z = np.complex64(1.3 - 2j)
    for name, exact in EXACT.items():
        function = getattr(special, name)
        first = olympus.grad(function, holomorphic=True)(z)
        np.testing.assert_allclose(first, complex(mp.diff(exact, complex(z))), rtol=1e-6)
        second = olympus.grad(olympus.grad(function, holomorphic=True), holomorphic=True)(z)
        np.testing.assert_allclose(second, complex(mp.diff(exact, complex(z), 2)), rtol=1e-6)
        np.testing.assert_allclose(olympus.jvp(function, (z,), (z,))[1], z * first, rtol=1e-6)


def test_elementary_functions_and_sums_of_complex_numbers() -> None:
    z = np.array([1.5 + 0.5j, 0.3 - 2j, -2 + 0.1j], np.complex64)
    wide = z.astype(np.complex128)
    np.testing.assert_allclose(special.erfcx(z), scipy.special.erfcx(wide), rtol=1e-6)
    np.testing.assert_allclose(special.logit(z), np.log(wide / (1 - wide)), rtol=1e-6)
    np.testing.assert_allclose(special.boxcox(z, z), (wide**wide - 1) / wide, rtol=2e-6)
    np.testing.assert_allclose(special.boxcox1p(z, 0), np.log(1 + wide), rtol=1e-6)
    total = np.exp(wide).sum()
    np.testing.assert_allclose(special.logsumexp(z), np.log(total), rtol=1e-6)
    size, sign = special.logsumexp(z, return_sign=True)
    assert size.dtype == jnp.float32
    np.testing.assert_allclose(size, np.log(abs(total)), rtol=1e-6)
    np.testing.assert_allclose(sign, total / abs(total), rtol=1e-6)


@pytest.mark.parametrize("dtype", HALVES, ids=str)
def test_narrow_floats_are_rounded_once(dtype: np.dtype) -> None:
    x = np.array([-3, -1.5, -0.5, 0.25, 1, 3, 7.5]).astype(dtype)
    wide = x.astype(np.float64)
    for name in ("erfcx", "gamma", "expi", "dawsn", "log_ndtr", "ndtr"):
        found = getattr(special, name)(x)
        assert found.dtype == dtype
        exact = getattr(scipy.special, name)(wide).astype(dtype)
        np.testing.assert_array_equal(np.asarray(found, np.float32), exact.astype(np.float32), err_msg=name)
    # The logarithms of gamma that make this up have many times its digits.
    assert special.beta(dtype.type(-1.5), dtype.type(171)) == dtype.type(scipy.special.beta(-1.5, 171))
    assert stats.norm.logpdf(dtype.type(300), np.float32(1)).dtype == np.float32
    assert special.sici(x)[0].dtype == dtype
    assert special.beta(np.int8(3), dtype.type(2)).dtype == dtype


@pytest.mark.parametrize("function, operands", [
    ("norm.cdf", (0, 0, -1)), ("expon.sf", (1, 0, 0)), ("beta.pdf", (0.5, -1, 2)), ("gamma.cdf", (1, 0)),
    ("chi2.logcdf", (1, 0)), ("gennorm.cdf", (1, 0)), ("uniform.cdf", (1, 0, -2)), ("t.logpdf", (1, -1)),
    ("truncnorm.pdf", (5, 1, -1)), ("vonmises.pdf", (0, -1)), ("wrapcauchy.pdf", (7, np.nan)),
    ("poisson.pmf", (2, -1, 3)),
    ("bernoulli.pmf", (2, 1.1)), ("geom.pmf", (-1, np.nan)), ("binom.pmf", (-1, 5, np.nan)),
    ("nbinom.pmf", (-1, 5, 1.1)),
    ("pareto.ppf", (0.5, -1)), ("gumbel_l.cdf", (0, 0, -1)), ("truncnorm.pdf", (0, -1, 1, 0, -1)),
], ids=str)
def test_parameters_that_are_none_give_nan(function: str, operands: tuple[float, ...]) -> None:
    name, method = function.split(".")
    assert np.isnan(getattr(getattr(stats, name), method)(*operands))


def test_the_logarithm_of_nearly_the_whole_truncated_normal_distribution() -> None:
    x, a, b = np.array([7, 7, 12, 10, 0.5]), np.array([-2, 0, 0, 3, -1]), np.array([np.inf, np.inf, np.inf, 50, 2])
    expected = scipy.stats.truncnorm.logcdf(x, a, b)
    np.testing.assert_allclose(stats.truncnorm.logcdf(x, a, b), expected, rtol=2e-5)
    found = stats.truncnorm.logsf(*(np.append(*v) for v in ((-x, 1e-30), (-b, 0), (-a, 2.5))))
    np.testing.assert_allclose(found[:-1], expected, rtol=2e-5)
    assert float(found[-1]) <= 0
    slope = olympus.vmap(olympus.grad(stats.truncnorm.logcdf))(*(v.astype(np.float32) for v in (x, a, b)))
    np.testing.assert_allclose(slope, np.exp(scipy.stats.truncnorm.logpdf(x, a, b) - expected), rtol=2e-5)


@pytest.mark.parametrize("wide", [False, True], ids=["float32", "float64"])
def test_the_slope_of_erfcx_does_not_cancel(wide: bool) -> None:
    x = np.array([-2, 0, 1, 7.9, 8, 20, 100, 1e4, 1e15], np.float64 if wide else np.float32)
    with olympus.enable_x64(wide), mp.workdps(60):
        found = olympus.vmap(olympus.grad(special.erfcx))(x)
        exact = [float(2 * v * mp.exp(v * v) * mp.erfc(v) - 2 / mp.sqrt(mp.pi)) for v in map(mp.mpf, map(float, x[:7]))]
        exact += [float(-1 / (np.sqrt(np.pi) * np.float64(v) ** 2)) for v in x[7:]]
        np.testing.assert_allclose(found, exact, rtol=1e-7 if wide else 3e-5)
