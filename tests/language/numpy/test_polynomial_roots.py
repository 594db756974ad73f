# SPDX-License-Identifier: Apache-2.0
"""Roots, quotients and fits of polynomials, against NumPy's."""

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus.errors import ArgumentError, ConcretizationError

_RNG = np.random.default_rng(0)


@pytest.mark.parametrize("p", [
    [1.0, -6.0, 11.0, -6.0], [0, 0, 1, -3, 2, 0, 0], [2, 0, 3], [1 + 1j, 2.0, -1j], [5.0, 1.0], [4.0], [0.0, 0.0], [],
])
def test_roots(p):
    found = np.sort_complex(np.asarray(jnp.roots(jnp.array(p))))
    wanted = np.sort_complex(np.roots(p).astype(np.complex64))
    assert found.dtype == np.complex64
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-5)


def test_roots_of_traced_coefficients():
    p = np.array([2.0, -6.0, 4.0], np.float32)
    found = olympus.jit(lambda p: jnp.roots(p, strip_zeros=False))(p)
    np.testing.assert_allclose(np.sort(np.asarray(found).real), [1, 2], rtol=1e-5)
    assert np.isnan(np.asarray(jnp.roots(np.array([0, 1, 2], np.float32), strip_zeros=False))).all()
    with pytest.raises(ConcretizationError, match="strip_zeros=False"):
        olympus.jit(jnp.roots)(p)


def test_roots_with_wide_numbers():
    with olympus.enable_x64(True):
        p = np.poly(np.arange(1.0, 8.0))
        np.testing.assert_allclose(np.sort(np.asarray(jnp.roots(p)).real), np.arange(1, 8), rtol=1e-9)
        np.testing.assert_allclose(jnp.poly(np.arange(1.0, 8.0)), p, rtol=1e-14)


@pytest.mark.parametrize("zeros", [[1, 2, 3], [0.5], [], [1j, -2.0], [[2.0, 1.0], [1.0, 3.0]]])
def test_poly(zeros):
    wanted = np.poly(zeros)
    found = jnp.poly(jnp.array(zeros))
    assert found.shape == np.shape(wanted)
    np.testing.assert_allclose(np.asarray(found).real, np.real(wanted), rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(np.asarray(found).imag, np.imag(wanted), atol=1e-5)


@pytest.mark.parametrize(("u", "v"), [
    ([1.0, 5.0, 6.0, 2.0], [1.0, 2.0]), ([1, 2], [3]), ([3.0, 1.0], [1.0, 2.0, 3.0]), ([1j, 2.0, 1.0], [2.0, 1j]),
])
def test_polydiv(u, v):
    quotient, rest = jnp.polydiv(jnp.array(u), jnp.array(v))
    wanted, _ = np.polydiv(u, v)
    np.testing.assert_allclose(quotient, wanted, rtol=1e-6)
    assert rest.shape == (len(u),)
    np.testing.assert_allclose(jnp.polyadd(jnp.polymul(quotient, jnp.array(v)), rest)[-len(u):], u, atol=1e-6)
    trimmed = jnp.polydiv(jnp.array(u), jnp.array(v), trim_leading_zeros=True)[1]
    assert not trimmed.size or trimmed[0] != 0


def test_polyfit():
    x = np.linspace(-1, 2, 12)
    y = 3 * x**2 - x + _RNG.normal(size=12) / 10
    weights = np.linspace(1, 2, 12)
    with olympus.enable_x64(True):
        for how in ({}, {"w": weights}):
            wanted, wanted_cov = np.polyfit(x, y, 2, cov=True, **how)
            found, cov = jnp.polyfit(x, y, 2, cov=True, **how)
            np.testing.assert_allclose(found, wanted, rtol=1e-10)
            np.testing.assert_allclose(cov, wanted_cov, rtol=1e-9)
        np.testing.assert_allclose(jnp.polyfit(x, y, 2, w=weights, cov="unscaled")[1],
                                   np.polyfit(x, y, 2, w=weights, cov="unscaled")[1], rtol=1e-9)
        for found, wanted in zip(jnp.polyfit(x, y, 2, full=True), np.polyfit(x, y, 2, full=True), strict=True):
            np.testing.assert_allclose(found, wanted, rtol=1e-9)
        several = np.stack([y, 2 * y], 1)
        found, cov = jnp.polyfit(x, several, 1, cov=True)
        wanted, wanted_cov = np.polyfit(x, several, 1, cov=True)
        np.testing.assert_allclose(found, wanted, rtol=1e-10)
        np.testing.assert_allclose(cov, wanted_cov, rtol=1e-9)
        step = olympus.grad(lambda y: jnp.polyfit(x, y, 2)[0])(y)
        np.testing.assert_allclose(step, np.linalg.pinv(np.vander(x, 3))[0], rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("call", [
    lambda: jnp.poly(np.ones((2, 3))), lambda: jnp.roots(np.ones((2, 2))), lambda: jnp.polydiv([1.0], np.zeros(0)),
    lambda: jnp.polyfit(np.ones(3), np.ones(4), 1), lambda: jnp.polyfit(np.ones(3), np.ones(3), -1),
    lambda: jnp.polyfit(np.ones(0), np.ones(0), 1), lambda: jnp.polyfit(np.ones(3), np.ones(3), 2, cov=True),
    lambda: jnp.polyfit(np.ones(3), np.ones(3), 1, w=np.ones(2)),
    lambda: jnp.polyfit(np.ones(3), np.ones(3), 1, cov="x"),
])
def test_mistakes_are_explained(call):
    with pytest.raises(ArgumentError):
        call()
