# SPDX-License-Identifier: Apache-2.0
"""Slopes of shares are densities, at ends and beyond them too, where steps on the way have infinite slopes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.special
import scipy.stats

import olympus
import olympus.numpy as jnp
from olympus.scipy import special, stats

BEYOND = {
    "beta": ((0.5, 0.5), [-5.0, -0.5, 0.25, 0.75, 1.5, np.inf]), "gamma": ((0.5,), [-np.inf, -5.0, -0.5, 0.25, 3.0]),
    "chi2": ((1.0,), [-5.0, -0.5, 0.25, 3.0]), "cauchy": ((), [-3.0, -0.0, 0.0, 0.5, np.inf]),
    "expon": ((), [-np.inf, -5.0, -1e-9, 1e-9, 0.5, 40.0]), "pareto": ((2.0,), [-np.inf, -5.0, 0.0, 0.5, 1.5, 40.0]),
}


def _slopes(function: Any, x: np.ndarray, *parameters: float) -> np.ndarray:
    return np.asarray(olympus.vmap(olympus.grad(function), (0, *(None,) * len(parameters)))(x, *parameters))


@pytest.mark.parametrize("method", ["cdf", "sf", "logcdf", "logsf"])
@pytest.mark.parametrize("name", BEYOND)
def test_slopes_of_shares_are_densities(name: str, method: str) -> None:
    parameters, points = BEYOND[name]
    ours, theirs = getattr(stats, name), getattr(scipy.stats, name)
    x = np.array(points)
    with olympus.enable_x64(True):
        found = _slopes(getattr(ours, method), x, *parameters)
    expected = theirs.pdf(x, *parameters) * (1 if method.endswith("cdf") else -1)
    if method.startswith("log"):
        share = getattr(theirs, method[3:])(x, *parameters)
        some = share > 0  # where it is nothing the logarithm is minus infinity, which has no slope
        assert np.isfinite(found[~some & np.isfinite(x)]).all()
        found, expected = found[some], expected[some] / share[some]
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("beta", [0.7, 1.0, 2.0, 3.5])
def test_the_generalised_normal_share_at_its_middle_and_far_out(beta: float) -> None:
    x = np.array([-np.inf, -1.0, -0.0, 0.0, 0.5, np.inf])
    with olympus.enable_x64(True):
        np.testing.assert_allclose(stats.gennorm.cdf(x, beta), scipy.stats.gennorm.cdf(x, beta), rtol=1e-12)
        found = _slopes(stats.gennorm.cdf, x, beta)
    np.testing.assert_allclose(found, scipy.stats.gennorm.pdf(x, beta), rtol=1e-9, atol=1e-15)


def test_box_and_cox_at_the_ends() -> None:
    x, y = np.array([0, 0, np.inf, np.inf, 0, np.inf, 2.0]), np.array([0, 1, 0, -1, -1, 2, 0])
    np.testing.assert_allclose(special.boxcox(x, y), scipy.special.boxcox(x, y), rtol=1e-6)
    np.testing.assert_allclose(special.boxcox1p(x - 1, y), scipy.special.boxcox1p(x - 1, y), rtol=1e-6)
    ends = np.array([0, np.inf, np.inf, 0, 2], np.float32), np.array([0, 0, -1, -1, 0], np.float32)
    np.testing.assert_allclose(olympus.vmap(olympus.grad(special.boxcox))(*ends), [np.inf, 0, 0, np.inf, 0.5])


def test_weak_types_of_special_functions_of_python_numbers() -> None:
    assert special.digamma(1).weak_type and special.boxcox(1, 2).weak_type and special.boxcox1p(1, 2).weak_type
    assert not special.erfcx(0.5).weak_type and not special.dawsn(1).weak_type
    assert special.digamma(jnp.float32(1)).weak_type is False
    # As JAX has them.
    for name in ("exp1", "expi", "gamma", "gammasgn", "ndtr", "log_ndtr", "ndtri", "spence"):
        assert not getattr(special, name)(0.5).weak_type, name
    assert not any(v.weak_type for v in (*special.sici(0.5), *special.fresnel(0.5)))
    assert not special.owens_t(0.5, 2).weak_type
    for name in ("betaln", "comb"):
        assert getattr(special, name)(0.5, 2).weak_type, name
        assert not getattr(special, name)(jnp.float32(0.5), 2).weak_type, name
        assert not getattr(special, name)(0.5, jnp.float32(2)).weak_type, name
    assert special.logit(0.5).weak_type and special.factorial(3).weak_type and special.loggamma(0.5).weak_type


def test_lists_are_taken_where_jax_takes_them() -> None:
    for name in ("ndtr", "log_ndtr", "spence"):
        function = getattr(special, name)
        np.testing.assert_array_equal(function([0.5, 1.5]), function(np.array([0.5, 1.5], np.float32)))
    for name in ("expit", "gamma", "ndtri", "erf"):
        with pytest.raises(TypeError, match="list"):
            getattr(special, name)([0.5, 1.5])
