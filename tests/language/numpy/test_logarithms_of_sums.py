# SPDX-License-Identifier: Apache-2.0
"""Logarithms of sums of powers, of complex numbers, against mpmath; what is made of them."""

from __future__ import annotations

import itertools

import mpmath
import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import nn
from olympus.test_util import check_grads

PARTS = (0.0, -0.0, 1.0, -1.0, 0.3, 3.0, -7.5, 40.0, -40.0, 100.0)
NUMBERS = np.array([complex(a, b) for a, b in itertools.product(PARTS, PARTS)], np.complex128)


def _exact(x, y, base):
    """The principal logarithm of the sum of two powers; None near a zero of the sum or near the cut."""
    with mpmath.workdps(60):
        total = mpmath.power(base, mpmath.mpc(x)) + mpmath.power(base, mpmath.mpc(y))
        size = max(abs(mpmath.power(base, mpmath.mpc(v))) for v in (x, y))
        if abs(total) < 1e-2 * size or abs(abs(mpmath.arg(total)) - mpmath.pi) < 1e-3:
            return None
        return complex(mpmath.log(total) / mpmath.log(base))


@pytest.mark.parametrize("function, base", [("logaddexp", mpmath.e), ("logaddexp2", 2)])
@pytest.mark.parametrize("dtype, bound", [(np.complex64, 3e-5), (np.complex128, 1e-13)])
def test_complex_numbers_have_the_principal_logarithm(function, base, dtype, bound):
    rng = np.random.default_rng(0)
    x, y = rng.choice(NUMBERS, 150), rng.choice(NUMBERS, 150)
    x, y = x.astype(dtype), y.astype(dtype)
    with olympus.enable_x64(dtype == np.complex128):
        found = np.asarray(getattr(jnp, function)(x, y))
    assert found.dtype == dtype
    exact = [_exact(complex(a), complex(b), base) for a, b in zip(x, y, strict=True)]
    known = np.array([e is not None for e in exact])
    assert known.sum() > 100
    np.testing.assert_allclose(found[known], np.array([e for e in exact if e is not None]), rtol=bound, atol=bound)


@pytest.mark.parametrize("x, y, expected", [
    (complex(-np.inf, 0), 1 + 2j, 1 + 2j),
    (1 + 2j, complex(-np.inf, np.inf), 1 + 2j),
    (complex(-np.inf, 1), complex(-np.inf, 2), complex(-np.inf, 0)),
    (complex(np.inf, 0), 1 + 2j, complex(np.inf, 0)),
    (complex(np.inf, 0), complex(np.inf, 0), complex(np.inf, 0)),
    (1j * np.pi, 1j * np.pi, complex(np.log(2), np.pi)),
])
def test_edges_of_complex_numbers(x, y, expected):
    found = complex(jnp.logaddexp(np.complex64(x), np.complex64(y)))
    np.testing.assert_allclose(found.real, expected.real, rtol=1e-6)
    np.testing.assert_allclose(found.imag, expected.imag, rtol=1e-6)


@pytest.mark.parametrize("x, y", [(complex(np.nan, 0), 1), (1, complex(0, np.nan)), (complex(np.nan, np.nan), 1j)])
def test_nan_goes_through(x, y):
    assert np.isnan(complex(jnp.logaddexp(np.complex64(x), np.complex64(y))))


@pytest.mark.parametrize("function, exact", [
    (nn.softplus, lambda z: np.log1p(np.exp(z))),
    (nn.log_sigmoid, lambda z: -np.log1p(np.exp(-z))),
    (nn.mish, lambda z: z * np.tanh(np.log1p(np.exp(z)))),
])
def test_activations_take_complex_numbers(function, exact):
    rng = np.random.default_rng(1)
    z = (rng.uniform(-2, 2, 50) + 1j * rng.uniform(-2, 2, 50)).astype(np.complex64)
    np.testing.assert_allclose(np.asarray(function(z)), exact(z.astype(np.complex128)), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(np.asarray(olympus.jit(olympus.vmap(function))(z)), np.asarray(function(z)), rtol=1e-6)
    with olympus.enable_x64(True):
        check_grads(function, (z.astype(np.complex128),), order=2)


@pytest.mark.parametrize("function", [jnp.logaddexp, jnp.logaddexp2])
@pytest.mark.parametrize("dtype", [np.float64, np.complex128])
def test_slopes(function, dtype):
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=(2, 6)).astype(dtype)
    if dtype == np.complex128:
        x, y = x + 0.5j * y, y - 0.5j
    with olympus.enable_x64(True):
        check_grads(function, (x, y), order=2)


@pytest.mark.parametrize("x, y, expected", [
    (1000.0, -np.inf, 1000.0), (-1.0, -1.0, 0.0), (3.0, 3.0, 4.0), (7.1, -200.0, 7.1)])
def test_powers_of_two_are_exact(x, y, expected):
    assert float(jnp.logaddexp2(np.float32(x), np.float32(y))) == np.float32(expected)


def test_celu_takes_negative_factors_and_zero():
    x = np.array([-2.0, -0.5, 0.0, 0.5, 3.0], np.float32)
    expected = np.where(x > 0, x, -2 * np.expm1(x / -2.0))
    np.testing.assert_allclose(np.asarray(nn.celu(x, -2.0)), expected, rtol=1e-6)
    assert complex(olympus.grad(nn.celu, holomorphic=True)(0j)) == 1
    assert float(olympus.grad(nn.celu)(0.0)) == 1
