# SPDX-License-Identifier: Apache-2.0
"""Bessel functions of the first kind and Owen's T against mpmath, with their ends and derivatives."""

from __future__ import annotations

import math
from typing import Any

import mpmath
import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus.errors import ArgumentError
from olympus.scipy import special
from olympus.test_util import check_grads

mp = mpmath.mp.clone()
mp.dps = 30
INF, NAN = math.inf, math.nan


@pytest.mark.parametrize("wide", [False, True], ids=["float32", "float64"])
@pytest.mark.parametrize("v", [0, 5, 40, 128])
def test_bessel_functions_of_all_orders(v: int, wide: bool) -> None:
    dtype = np.float64 if wide else np.float32
    z = np.concatenate([np.linspace(-30, 140, 41), [1e-8, 0.3, 25, 25.001, v, v + 1e-3, v + 1, 1e3]]).astype(dtype)
    with olympus.enable_x64(wide):
        found = np.asarray(special.bessel_jn(z, v=v))
    assert found.dtype == dtype and found.shape == (v + 1, len(z))
    for k in {0, v // 2, v}:
        exact = np.array([float(mp.besselj(k, mp.mpf(float(x)))) for x in z])
        np.testing.assert_allclose(found[k], exact, rtol=0, atol=16 * np.finfo(dtype).eps)
        # Below the order there are no zeros, and small values are as exact as large ones.
        low = np.abs(z) < k
        least = float(np.finfo(dtype).tiny)
        np.testing.assert_allclose(found[k][low], exact[low], rtol=2e3 * np.finfo(dtype).eps, atol=least)


def test_ends_and_derivatives_of_bessel_functions() -> None:
    found = np.asarray(special.bessel_jn(jnp.array([[0, INF], [-INF, NAN]], jnp.float32), v=2))
    np.testing.assert_allclose(found, np.array([[[1, 0], [0, NAN]], [[0, 0], [0, NAN]], [[0, 0], [0, NAN]]]), atol=1e-7)
    assert special.bessel_jn(1, v=2).dtype == np.float32
    assert special.bessel_jn(jnp.zeros(0, jnp.bfloat16), v=2).dtype == jnp.bfloat16
    with olympus.enable_x64(True):
        for x in (0.0, 1.3, -2.0, 24.0, 60.0):
            check_grads(lambda z: special.bessel_jn(z, v=2), (np.float64(x),), 2, atol=1e-4, rtol=1e-4)
        z = np.linspace(1, 50, 8)
        mapped: Any = olympus.jit(olympus.vmap(lambda x: special.bessel_jn(x, v=2)))(z)
        np.testing.assert_allclose(mapped, np.asarray(special.bessel_jn(z, v=2)).T, rtol=1e-12)
    with pytest.raises(ArgumentError, match="order"):
        special.bessel_jn(1.0, v=-1)
    with pytest.raises(ArgumentError, match="order"):
        special.bessel_jn(1.0, v=2.5)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="complex"):
        special.bessel_jn(1j, v=2)


def _owens_t(h: float, a: float) -> float:
    # Where the integrand has vanished, quadrature need not go.
    end = min(mp.mpf(a), 14 / mp.mpf(max(h, 1e-3)))
    parts = [end * k / 8 for k in range(9)]
    square = mp.mpf(h) ** 2 / 2
    return float(mp.exp(-square) * mp.quad(lambda x: mp.exp(-square * x * x) / (1 + x * x), parts) / (2 * mp.pi))


@pytest.mark.parametrize("wide", [False, True], ids=["float32", "float64"])
def test_owens_t(wide: bool) -> None:
    dtype = np.float64 if wide else np.float32
    h, a = (v.ravel().astype(dtype) for v in np.meshgrid(
        [0, 1e-5, 0.1, 0.7, 1.5, 4, 9, 12], [1e-7, 0.05, 0.4, 0.9999, 1, 1.0001, 1.7, 6, 100]))
    exact = np.array([_owens_t(float(x), float(y)) for x, y in zip(h, a, strict=True)])
    with olympus.enable_x64(wide):
        found = np.asarray(special.owens_t(h, a))
        np.testing.assert_array_equal(np.asarray(special.owens_t(-h, -a)), -found)
    assert found.dtype == dtype
    error = np.abs(found - exact) / np.maximum(np.abs(exact), np.finfo(dtype).tiny) / np.finfo(dtype).eps
    assert (error <= 8 + h * h / 2).all(), (error.max(), h[error.argmax()], a[error.argmax()])


def test_ends_and_derivatives_of_owens_t() -> None:
    rows = np.array([(0, 1, 0.125), (0, INF, 0.25), (1, INF, 0.0793276), (1, -INF, -0.0793276), (INF, 1, 0),
                     (INF, INF, 0), (-INF, -2, 0), (NAN, 1, NAN), (1, NAN, NAN), (1, 0, 0),
                     (0, 1e30, 0.25)], np.float32)
    np.testing.assert_allclose(special.owens_t(rows[:, 0], rows[:, 1]), rows[:, 2], rtol=1e-5)
    assert special.owens_t(1, 2).dtype == np.float32
    assert special.owens_t(jnp.float16(0), jnp.float16(1)).dtype == np.float16
    assert special.owens_t(jnp.zeros((0, 2)), 1.0).shape == (0, 2)
    with olympus.enable_x64(True):
        for h, a in ((0.0, 0.5), (1.3, 0.4), (-0.7, 3.0)):
            check_grads(special.owens_t, (np.float64(h), np.float64(a)), 2, atol=1e-4, rtol=1e-4)
        h = np.linspace(-2, 2, 8)
        mapped: Any = olympus.jit(olympus.vmap(special.owens_t, (0, None)))(h, 0.5)
        np.testing.assert_allclose(mapped, special.owens_t(h, 0.5), rtol=1e-14)
    with pytest.raises(ArgumentError, match="complex"):
        special.owens_t(1j, 1.0)
