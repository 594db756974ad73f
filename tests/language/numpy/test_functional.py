# SPDX-License-Identifier: Apache-2.0
"""Functions along dimensions and by pieces, divisors, windows, signals: beside NumPy's."""

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus.errors import ArgumentError


def test_functions_along_dimensions() -> None:
    x = np.random.default_rng(0).normal(size=(2, 3, 4)).astype("f")
    for axis in (0, 1, 2, -1):
        for ours, theirs in ((jnp.sort, np.sort), (jnp.sum, np.sum),
                             (lambda r: jnp.outer(r, r), lambda r: np.outer(r, r))):
            np.testing.assert_allclose(jnp.apply_along_axis(ours, axis, x), np.apply_along_axis(theirs, axis, x),
                                       rtol=1e-5)
    np.testing.assert_allclose(jnp.apply_over_axes(jnp.sum, x, (0, -1)), np.apply_over_axes(np.sum, x, (0, -1)),
                               rtol=1e-5)
    with pytest.raises(ArgumentError, match="number of dimensions"):
        jnp.apply_over_axes(lambda a, d: jnp.sum(a), x, (0,))


def test_pieces() -> None:
    x = np.linspace(-2, 2, 9, dtype="f")
    for conditions, functions in (
        ([x < 0, x > 1], [lambda v: -v, 5]), ([x < 0], [1, 2]), (x < 0, [lambda v: v * v, 3]),
        ([x < 0, x < 1, x > -1], [1, lambda v: v, 3, 4]),
    ):
        np.testing.assert_allclose(jnp.piecewise(x, conditions, functions), np.piecewise(x, conditions, functions))
    slope = olympus.grad(lambda v: jnp.piecewise(v, [v < 0], [lambda u: u * u, lambda u: 3 * u]))
    assert (slope(-2.0), slope(2.0)) == (-4, 3)
    with pytest.raises(ArgumentError, match="do not fit"):
        jnp.piecewise(x, [x < 0], [])


def test_divisors() -> None:
    a, b = np.array([12, 0, 7, -18, 0, 2**30]), np.array([-18, 5, 0, 12, 0, 2**20])
    np.testing.assert_array_equal(jnp.gcd(a, b), np.gcd(a, b))
    np.testing.assert_array_equal(jnp.lcm(a[:5], b[:5]), np.lcm(a[:5], b[:5]))
    np.testing.assert_array_equal(jnp.gcd(a[:, None], b), np.gcd(a[:, None], b))
    assert jnp.gcd(np.uint8(200), np.uint8(75)).dtype == np.uint8
    with pytest.raises(ArgumentError, match="integers"):
        jnp.gcd(1.5, 2)


def test_products_of_matrices_and_vectors() -> None:
    rng = np.random.default_rng(1)
    m = (rng.normal(size=(5, 2, 3)) + 1j * rng.normal(size=(5, 2, 3))).astype("F")
    u, v = m[:, :, 0], m[:, 0, :]
    np.testing.assert_allclose(jnp.matvec(m, v), np.einsum("bij,bj->bi", m, v), rtol=1e-5)
    np.testing.assert_allclose(jnp.vecmat(u, m), np.einsum("bi,bij->bj", u.conj(), m), rtol=1e-5)


def test_windows() -> None:
    for size in (0, 1, 2, 5, 12):
        for name in ("bartlett", "blackman", "hamming", "hanning"):
            np.testing.assert_allclose(getattr(jnp, name)(size), getattr(np, name)(size), atol=2e-7, err_msg=name)
        np.testing.assert_allclose(jnp.kaiser(size, 8.5), np.kaiser(size, 8.5), rtol=1e-5, atol=1e-6)
    x = np.linspace(-20, 20, 41, dtype="f")
    np.testing.assert_allclose(jnp.i0(x), np.i0(x), rtol=5e-6)


def test_signals() -> None:
    rng = np.random.default_rng(2)
    x = np.cumsum(rng.normal(size=(3, 50)) * 2, axis=1)
    with olympus.enable_x64(True):
        for options in ({}, {"axis": 0}, {"discont": 4.0}, {"period": 3.0}):
            np.testing.assert_allclose(jnp.unwrap(x, **options), np.unwrap(x, **options), atol=1e-12)
    y = np.array([0, 3, 5, 1, 7, 2])
    for period in (4, 5):
        np.testing.assert_array_equal(jnp.unwrap(y, period=period), np.unwrap(y, period=period))
    z = np.array([0, 0, 1, 0, 2, 0])
    for trim in ("fb", "f", "b"):
        np.testing.assert_array_equal(jnp.trim_zeros(z, trim), np.trim_zeros(z, trim))
    assert jnp.trim_zeros(np.zeros(3)).shape == (0,)
    assert jnp.trim_zeros(np.float32(3)) == 3 and jnp.trim_zeros(np.float32(0)).shape == ()
    c = np.array([[2, 1 + 1j, 1]], "F")
    np.testing.assert_array_equal(jnp.sort_complex(c), np.sort_complex(c))
    assert jnp.sort_complex(np.array([2, 1], np.int8)).dtype == np.complex64
    assert jnp.iterable([1])
    assert not jnp.iterable(jnp.float32(1))
