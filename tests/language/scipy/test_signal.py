# SPDX-License-Identifier: Apache-2.0
"""Convolutions, correlations and trends against SciPy's."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import scipy.signal

import olympus
import olympus.numpy as jnp
from olympus.errors import ArgumentError
from olympus.scipy import signal
from olympus.test_util import check_grads

SHAPES: list[tuple[tuple[int, ...], tuple[int, ...]]] = [
    ((5,), (3,)), ((3,), (4,)), ((6, 5), (2, 3)), ((2, 3), (4, 3)), ((4, 3, 2), (2, 2, 2))]


@pytest.mark.parametrize(("first", "second"), SHAPES)
def test_convolutions(first: tuple[int, ...], second: tuple[int, ...]) -> None:
    random = np.random.default_rng(0)
    x, y = random.normal(size=first), random.normal(size=second)
    with olympus.enable_x64():
        for mode in ("full", "same", "valid"):
            for name, method in itertools.product(("convolve", "correlate"), ("direct", "fft")):
                wanted = getattr(scipy.signal, name)(x, y, mode, method="direct")
                found = getattr(signal, name)(x, y, mode, method)
                assert found.shape == wanted.shape
                np.testing.assert_allclose(found, wanted, atol=1e-12, err_msg=f"{name} {method} {mode}")
            wanted = scipy.signal.fftconvolve(x * 1j, y + 2j, mode)
            np.testing.assert_allclose(signal.fftconvolve(x * 1j, y + 2j, mode), wanted, atol=1e-12)


def test_boundaries_of_matrices() -> None:
    random = np.random.default_rng(1)
    with olympus.enable_x64():
        for shapes in (((6, 5), (2, 3)), ((4, 4), (4, 2))):
            x, y = (random.normal(size=shape) for shape in shapes)
            for name, mode, boundary in itertools.product(
                ("convolve2d", "correlate2d"), ("full", "same", "valid"), ("fill", "wrap", "symm")
            ):
                wanted = getattr(scipy.signal, name)(x, y, mode, boundary, 1.5)
                found = getattr(signal, name)(x, y, mode, boundary, 1.5)
                np.testing.assert_allclose(found, wanted, atol=1e-12, err_msg=f"{name} {mode} {boundary}")


def test_trends_broadcasting_types_and_derivatives() -> None:
    random = np.random.default_rng(2)
    x = random.normal(size=(3, 12, 2))
    with olympus.enable_x64():
        for kind, points in (("linear", 0), ("linear", [4, 9]), ("constant", 0)):
            found = signal.detrend(x, 1, kind, points)
            np.testing.assert_allclose(found, scipy.signal.detrend(x, 1, kind, points), atol=1e-12)
        found = signal.fftconvolve(x, x[:1, :4], axes=(1,))
        np.testing.assert_allclose(found, scipy.signal.fftconvolve(x, x[:1, :4], axes=(1,)), atol=1e-12)
        check_grads(lambda a, b: signal.correlate(a, b, "same"), (x[0, :5, 0], x[1, :3, 0]), order=2)
    assert signal.convolve(np.arange(3), np.arange(3)).dtype == jnp.float32


def test_what_does_not_fit_is_refused() -> None:
    x = jnp.ones((3, 4))
    for call in (lambda: signal.convolve(x, x[0]), lambda: signal.convolve(x, x, "most"),
                 lambda: signal.convolve(x, x, method="slow"), lambda: signal.convolve(x, jnp.ones((4, 3)), "valid"),
                 lambda: signal.convolve(x, x[:0]), lambda: signal.convolve2d(x, x, boundary="round"),
                 lambda: signal.correlate2d(x[0], x[0]), lambda: signal.detrend(x, type="cubic"),
                 lambda: signal.detrend(x, bp=9), lambda: signal.fftconvolve(x, jnp.ones((2, 4)), axes=(1,))):
        with pytest.raises(ArgumentError):
            call()
