# SPDX-License-Identifier: Apache-2.0
"""Associated Legendre functions of all orders and degrees, against mpmath."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus.errors import ArgumentError
from olympus.scipy.special import lpmn, lpmn_values, sph_harm_y

Z = np.array([-1, -0.99, -0.375, 0, 0.5, 1.0])


@pytest.fixture(scope="module")
def exact() -> np.ndarray:
    """By Rodrigues's formula: derivatives of polynomials."""
    out = np.zeros((6, 6, len(Z)))
    for degree in range(6):
        legendre = np.polynomial.legendre.Legendre.basis(degree)
        for order in range(degree + 1):
            out[order, degree] = [
                float((-1) ** order * mpmath.power(1 - mpmath.mpf(z) ** 2, mpmath.mpf(order) / 2)) * v
                for z, v in zip(Z, (legendre.deriv(order) if order else legendre)(Z), strict=True)]
    return out


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize("m, n", [(5, 5), (0, 0), (2, 4), (4, 1)])
def test_values(dtype: str, m: int, n: int, exact: np.ndarray) -> None:
    with olympus.enable_x64(dtype == "float64"):
        z = jnp.asarray(Z, dtype)
        rounding = float(jnp.finfo(dtype).eps)
        wanted = exact[:m + 1, :n + 1]
        if dtype in ("float16", "bfloat16"):
            z = jnp.asarray([-1, -1, -0.375, 0, 0.5, 1], dtype)
            wanted = wanted[..., [0, 0, 2, 3, 4, 5]]
        found = lpmn_values(m, n, z, False)
        assert found.shape == (m + 1, n + 1, 6) and found.dtype == dtype
        size = np.abs(wanted).max(-1, keepdims=True)
        assert (np.abs(np.asarray(found, float) - wanted) <= 8 * rounding * size).all()
        norms = [[math.sqrt((2 * d + 1) / 4 / math.pi / math.perm(d + o, 2 * o)) if o <= d else 0
                  for d in range(n + 1)] for o in range(m + 1)]
        normed = np.asarray(olympus.jit(lpmn_values, static_argnums=(0, 1, 3))(m, n, z, True), float)
        np.testing.assert_allclose(normed, wanted * np.array(norms)[..., None], atol=8 * rounding)


def test_high_degrees_are_those_of_spherical_harmonics() -> None:
    with olympus.enable_x64():
        found = lpmn_values(20, 20, Z, True)
        orders, degrees = np.mgrid[:21, :21]
        wanted = sph_harm_y(degrees[..., None], orders[..., None], np.arccos(Z), 0.0).real
        np.testing.assert_allclose(found, wanted, atol=1e-13)


def test_derivatives(exact: np.ndarray) -> None:
    with olympus.enable_x64():
        values, slopes = lpmn(5, 5, Z)
        np.testing.assert_allclose(values, exact, atol=1e-11)
        order, degree = np.mgrid[:6, :6, :4][:2]
        inside = Z[1:5]
        before = np.concatenate([np.zeros((6, 1, 4)), exact[:, :-1, 1:5]], axis=1)
        wanted = (degree * inside * exact[..., 1:5] - (degree + order) * before) / (inside**2 - 1)  # DLMF 14.10.5
        np.testing.assert_allclose(slopes[..., 1:5], wanted, rtol=1e-10, atol=1e-9)
        # At the ends those of order 1 have the slope of a root, those of higher orders that of a power.
        ends = np.asarray(slopes)[..., [0, 5]]
        assert np.isinf(ends[1, 1:]).all() and np.isfinite(ends[[0, 2, 3, 4, 5]]).all()
        np.testing.assert_allclose(ends[0, :, 1], [d * (d + 1) / 2 for d in range(6)])
        np.testing.assert_allclose(ends[2, 2], [6, -6])
        np.testing.assert_allclose(ends[3:], 0, atol=1e-12)


def test_beyond_the_ends_odd_orders_have_no_values() -> None:
    found = np.asarray(lpmn_values(3, 3, np.array([1.5, np.nan], np.float32), False))
    assert np.isnan(found[1, 1:, 0]).all() and np.isnan(found[3, 3, 0]) and np.isnan(found[2, 2:, 1]).all()
    np.testing.assert_allclose(found[0, :, 0], [1, 1.5, 2.875, 6.1875])


def test_bad_arguments() -> None:
    for bad in (lambda: lpmn_values(1, 1, 0.5, False), lambda: lpmn_values(-1, 1, Z, False), lambda: lpmn(1, 1.5, Z)):
        with pytest.raises(ArgumentError):
            bad()
