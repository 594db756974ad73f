# SPDX-License-Identifier: Apache-2.0
"""Generalized exponential integrals, Faddeeva's function and spherical harmonics, against mpmath."""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus.errors import ArgumentError, ConcretizationError
from olympus.scipy import special
from olympus.test_util import check_grads

mp = mpmath.mp.clone()
mp.dps = 60
INF, NAN = np.inf, np.nan
each_width = pytest.mark.parametrize("wide", [False, True], ids=["float32", "float64"])


@each_width
def test_expn_against_mpmath(wide: bool) -> None:
    dtype = np.float64 if wide else np.float32
    x = np.concatenate([np.geomspace(1e-5, 60, 14), np.linspace(0.4, 2.5, 14), [1, 1.0000001]]).astype(dtype)
    orders = np.array([0, 1, 2, 3, 7, 20, 21, 22, 60, 500])
    with olympus.enable_x64(wide):
        found = np.asarray(special.expn(orders[:, None], x))
    exact = np.array([[float(mp.expint(int(n), mp.mpf(float(v)))) for v in x] for n in orders])
    np.testing.assert_allclose(found, exact, rtol=16 * np.finfo(dtype).eps, atol=float(np.finfo(dtype).tiny))
    assert found.dtype == dtype


def test_ends_of_expn() -> None:
    rows = np.array([
        (0, 0, INF), (1, 0, INF), (2, 0, 1), (4, 0, 1 / 3), (2, INF, 0), (0, INF, 0), (2, -1, NAN), (-1, 1, NAN),
        (2.5, 1, NAN), (1, NAN, NAN), (NAN, 1, NAN), (5, -INF, NAN)])
    np.testing.assert_allclose(special.expn(rows[:, 0], rows[:, 1]), rows[:, 2], rtol=1e-6)
    assert special.expn(2, np.float16(1)).dtype == jnp.float16 and special.expn(2, 1).dtype == jnp.float32
    with olympus.enable_x64(True):
        check_grads(lambda x: special.expn(np.array([0, 1, 2, 5]), x), (np.array([0.3, 0.7, 1.5, 4.0]),), 2)


def _faddeeva(z: complex) -> complex:
    w = mp.mpc(z)
    return complex(mp.exp(-w * w) * mp.erfc(mp.mpc(w.imag, -w.real)))


@each_width
def test_wofz_against_mpmath(wide: bool) -> None:
    dtype, kind = (np.float64, np.complex128) if wide else (np.float32, np.complex64)
    random = np.random.default_rng(5)
    sizes = 10 ** random.uniform(-6, 1.2, (2, 120))
    upper = random.choice([-1, 1], 120) * sizes[0] + 1j * sizes[1]
    # On, beside and between the places of both rules, whose poles cancel.
    step = np.sqrt(np.pi / 12)
    places = (np.arange(0, 12, 0.25) * step).astype(dtype)
    beside = np.concatenate([places, np.nextafter(places, dtype(9)), places + 1e-3j, places + 0.3j])
    lower = random.uniform(-3, 3, 60) - 1j * random.uniform(0, 3, 60)
    eps = np.finfo(dtype).eps
    for z, scale in ((upper, 1), (beside, 1), (lower, 1 + abs(lower) ** 2)):
        z = z.astype(kind)
        with olympus.enable_x64(wide):
            found = np.asarray(special.wofz(z))
        exact = np.array([_faddeeva(complex(v)) for v in z])
        assert found.dtype == kind
        gauss = np.exp(-(z.astype(np.complex128) ** 2).real)  # what is off in its exponent
        bound = 16 * eps * (scale * abs(exact) + abs(z) ** 2 * np.where(z.imag <= z.real, gauss, 0))
        assert (abs(found - exact) <= bound).all(), (abs(found - exact) / bound).max()


def test_wofz_far_away_and_at_infinity() -> None:
    z = np.array([999 + 1j, 1001 + 1j, 1e5 + 1e-4j, 1e30, 1e30j, -1e20 + 1e20j], np.complex64)
    exact = 1j / np.sqrt(np.pi) / z.astype(np.complex128)
    exact = exact * (1 + 0.5 / z.astype(np.complex128) ** 2)
    np.testing.assert_allclose(special.wofz(z), exact, rtol=1e-6)
    np.testing.assert_array_equal(special.wofz(np.array([INF, -INF, complex(0, INF)], np.complex64)), 0)
    assert np.isnan(special.wofz(NAN)) and np.isposinf(special.wofz(complex(0, -INF)).real)
    assert special.wofz(1).dtype == jnp.complex64 and special.wofz(np.float16(0)) == 1
    with olympus.enable_x64(True):
        check_grads(lambda x: special.wofz(x + 1j * x * 0.3 - 0.2j), (np.array([-3, 0.7, 1.5, 40.0]),), 2)


def _harmonic(n: int, m: int, theta: float, phi: float) -> complex:
    return 0 if abs(m) > n else complex(mp.spherharm(n, m, theta, phi))


@each_width
def test_spherical_harmonics_against_mpmath(wide: bool) -> None:
    dtype = np.float64 if wide else np.float32
    random = np.random.default_rng(2)
    n, m = (np.array(list(np.ndindex(4, 9))) - [0, 4]).T
    n, m = np.append(n, [12, 30, 30]), np.append(m, [-7, 30, 1])
    theta, phi = random.uniform(0, np.pi, n.size).astype(dtype), random.uniform(0, 6, n.size).astype(dtype)
    with olympus.enable_x64(wide):
        found = np.asarray(special.sph_harm_y(n, m, theta, phi))
    rows = zip(n.tolist(), m.tolist(), theta.tolist(), phi.tolist(), strict=True)
    exact = np.array([_harmonic(*row) for row in rows])
    assert found.dtype == (np.complex128 if wide else np.complex64)
    assert (abs(found - exact) <= (10 * n + 4) * np.finfo(dtype).eps).all()


def test_spherical_harmonics_are_orthonormal_differentiable_and_refuse() -> None:
    n, m = np.array([(a, b) for a in range(4) for b in range(-a, a + 1)]).T
    nodes, weights = np.polynomial.legendre.leggauss(8)
    phi = np.arange(9) * (2 * np.pi / 9)
    theta, azimuth = np.meshgrid(np.arccos(nodes), phi, indexing="ij")
    values = np.asarray(special.sph_harm_y(n[:, None, None], m[:, None, None], theta, azimuth, n_max=3))
    products = np.einsum("aij,bij,i->ab", values.conj(), values, weights) * (2 * np.pi / 9)
    np.testing.assert_allclose(products, np.eye(n.size), atol=1e-5)
    with olympus.enable_x64(True):
        check_grads(lambda x: special.sph_harm_y(np.array([0, 1, 3, 4]), np.array([0, -1, 2, -4]), x, 2 * x),
                    (np.array([0.3, 0.7, 1.5, 2.0]),), 2)
    slope = olympus.grad(lambda t: special.sph_harm_y(2, 1, t, 0.1, n_max=2).real)
    assert np.isfinite(olympus.vmap(slope)(np.array([0, np.pi]))).all()
    clipped = special.sph_harm_y(np.array([10]), 2, 0.3, 0.2, n_max=6)
    np.testing.assert_allclose(clipped, special.sph_harm_y(np.array([6]), 2, 0.3, 0.2), rtol=1e-6)
    assert np.isnan(special.sph_harm_y(-1, 0, 0.3, 0.2))

    def refused(error: type[Exception], *args: Any, **kwargs: Any) -> None:
        with pytest.raises(error):
            special.sph_harm_y(*args, **kwargs)

    refused(ArgumentError, 1, 0, 0.3, 0.2, diff_n=1)
    refused(ArgumentError, 1.0, 0, 0.3, 0.2)
    with pytest.raises(ConcretizationError):
        olympus.jit(special.sph_harm_y)(2, 1, 0.5, 0.1)
