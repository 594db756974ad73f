# SPDX-License-Identifier: Apache-2.0
"""Spectra, interpolation and estimated densities against SciPy."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import scipy.interpolate
import scipy.signal
import scipy.stats

import olympus
import olympus.numpy as jnp
from olympus.errors import ArgumentError, NotSupportedError
from olympus.scipy import signal
from olympus.scipy.interpolate import RegularGridInterpolator
from olympus.scipy.stats import gaussian_kde
from olympus.test_util import check_grads


@pytest.fixture(autouse=True)
def wide() -> Iterator[None]:
    with olympus.enable_x64(True):
        yield


def numbers(shape: tuple[int, ...], is_complex: bool = False, seed: int = 0) -> np.ndarray:
    random = np.random.RandomState(seed)
    return random.randn(*shape) + (1j * random.randn(*shape) if is_complex else 0)


def near(found: Any, wanted: Any, *what: Any) -> None:
    for x, y in zip(found, wanted, strict=True):
        assert x.shape == np.shape(y), what
        np.testing.assert_allclose(np.asarray(x), y, rtol=1e-9, atol=1e-11, err_msg=repr(what))


DENSITIES: list[dict[str, Any]] = [
    {}, {"nperseg": 16}, {"nperseg": 17, "noverlap": 5, "window": "hamming"},
    {"nperseg": 16, "nfft": 32, "detrend": "linear"}, {"nperseg": 16, "detrend": False, "scaling": "spectrum"},
    {"nperseg": 16, "return_onesided": False}, {"nperseg": 16, "average": "median"},
    {"window": ("kaiser", 3.0), "nperseg": 20, "fs": 7.5}, {"window": np.arange(1.0, 13)},
]


@pytest.mark.parametrize("options", DENSITIES, ids=str)
@pytest.mark.parametrize("is_complex", [False, True])
def test_densities(options: dict[str, Any], is_complex: bool) -> None:
    for shape, axis in (((100,), -1), ((100, 3), 0)):
        x, y = numbers(shape, is_complex), numbers(shape, is_complex, 1)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # SciPy's, where a segment is longer than the signal
            near(signal.csd(x, y, axis=axis, **options), scipy.signal.csd(x, y, axis=axis, **options), shape)
            near(signal.welch(x, axis=axis, **options), scipy.signal.welch(x, axis=axis, **options), shape)


TRANSFORMS: list[dict[str, Any]] = [
    {"nperseg": 16}, {"nperseg": 17, "noverlap": 4}, {"nperseg": 16, "nfft": 20}, {"nperseg": 16, "boundary": None},
    {"nperseg": 16, "boundary": "even"}, {"nperseg": 16, "boundary": "odd", "padded": False},
    {"nperseg": 16, "boundary": "constant", "fs": 3.0},
    {"nperseg": 16, "detrend": "constant", "return_onesided": False},
]


@pytest.mark.parametrize("options", TRANSFORMS, ids=str)
@pytest.mark.parametrize("is_complex", [False, True])
def test_short_transforms_and_their_inverse(options: dict[str, Any], is_complex: bool) -> None:
    for shape, axis in (((100,), -1), ((100, 3), 0)):
        x = numbers(shape, is_complex)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # SciPy's, of halves of complex signals
            wanted = scipy.signal.stft(x, axis=axis, **options)
            near(signal.stft(x, axis=axis, **options), wanted, shape)
            own = {k: v for k, v in options.items() if k in ("nperseg", "noverlap", "nfft", "fs")}
            own |= {"input_onesided": not is_complex and options.get("return_onesided", True),
                    "boundary": options.get("boundary", "zeros") is not None, "freq_axis": 0 if axis == 0 else -2}
            again = scipy.signal.istft(wanted[2], **own)[1]
        times, found = signal.istft(wanted[2], **own)
        near([found], [again], shape, own)
        near([times], [np.arange(max(again.shape)) / options.get("fs", 1.0)])


def test_spectra_are_traced_and_differentiated() -> None:
    x = numbers((40,))
    near(olympus.jit(lambda x: signal.welch(x, nperseg=8))(x), scipy.signal.welch(x, nperseg=8))
    check_grads(lambda x: signal.welch(x, nperseg=8)[1], (x,), order=2)
    check_grads(lambda x: signal.istft(signal.stft(x, nperseg=8)[2] ** 2, nperseg=8)[1], (x,), order=1)
    for act in (lambda: signal.welch(x, nperseg=8, noverlap=8), lambda: signal.csd(x, x, window="big"),
                lambda: signal.stft(x, nperseg=8, boundary="far"), lambda: signal.welch(x, average="mode"),
                lambda: signal.istft(numbers((5, 5), True), time_axis=0, freq_axis=0)):
        with pytest.raises(ArgumentError):
            act()


@pytest.mark.parametrize("method", ["linear", "nearest"])
@pytest.mark.parametrize("fill", [np.nan, 7.0, None])
def test_interpolation(method: str, fill: Any) -> None:
    grid, values = (np.array([0.0, 1, 3, 4]), np.array([-1.0, 0, 2])), numbers((4, 3, 2))
    edges = [[0, -1], [4, 2], [3, 0], [2, 1], [np.nan, 0]]
    points = np.concatenate([np.random.RandomState(1).uniform(-1, 5, (40, 2)), edges])
    found = RegularGridInterpolator(grid, values, method, fill_value=fill)
    wanted = scipy.interpolate.RegularGridInterpolator(grid, values, method, bounds_error=False, fill_value=fill)
    near([found(points)], [wanted(points)])
    near([found((points[:, 0], 0.5))], [wanted((points[:, 0], 0.5))])
    near([olympus.jit(lambda f, p: f(p))(found, points)], [wanted(points)])
    if method == "linear":
        inner = np.array([[0.3, 0.2], [2.2, 1.5]])
        check_grads(lambda v, p: RegularGridInterpolator(grid, v)(p), (values, inner), order=1)
    with pytest.raises(NotSupportedError):
        RegularGridInterpolator(grid, values, bounds_error=True)
    for act in (lambda: RegularGridInterpolator(grid, values[:3]), lambda: found(points[:, :1]),
                lambda: RegularGridInterpolator(grid, values, "cubic"),
                lambda: RegularGridInterpolator((grid[0][::-1], grid[1]), values)):
        with pytest.raises(ArgumentError):
            act()


@pytest.mark.parametrize("values, points, wanted", [
    ("bfloat16", "float64", "float64"), ("float32", "float32", "float32"), ("float64", "float32", "float64"),
    ("complex64", "float64", "complex128"), ("float32", "int32", "float32"),
])
def test_interpolation_has_the_common_type_of_values_and_points(values: str, points: str, wanted: str) -> None:
    with olympus.enable_x64(True):
        line, row = jnp.arange(3, dtype="float32"), jnp.array([1, 2, 4]).astype(values)
        found = RegularGridInterpolator((line,), row)(jnp.array([[1], [2]]).astype(points))
        assert found.dtype == wanted and found.tolist() == [2, 4]


@pytest.mark.parametrize("shape", [(0,), (0, 20), (2, 0)])
def test_spectra_of_nothing_are_nothing(shape: tuple[int, ...]) -> None:
    x = np.zeros(shape, np.float32)
    for found, wanted in ((signal.welch(x), scipy.signal.welch(x)), (signal.csd(x, x), scipy.signal.csd(x, x))):
        assert [v.shape for v in found] == [v.shape for v in wanted]


@pytest.mark.parametrize("width", [None, "silverman", 0.4, lambda kde: 0.3])
@pytest.mark.parametrize("count", [1, 3])
def test_estimated_densities(width: Any, count: int) -> None:
    data, weights = numbers((count, 20)), np.random.RandomState(2).uniform(0.5, 2, 20)
    found, wanted = (kind(data, width, weights) for kind in (gaussian_kde, scipy.stats.gaussian_kde))
    other, wanted_other = (kind(data[:, ::2] + 1) for kind in (gaussian_kde, scipy.stats.gaussian_kde))
    points = numbers((count, 7), seed=3)
    near([found(points), found.logpdf(points), found.covariance, found.inv_cov],
         [wanted(points), wanted.logpdf(points), wanted.covariance, wanted.inv_cov])
    near([found.integrate_kde(other), found.integrate_gaussian(points[:, 0], np.eye(count))],
         [wanted.integrate_kde(wanted_other), wanted.integrate_gaussian(points[:, 0], np.eye(count))])
    near([olympus.jit(lambda k, p: k(p))(found, points)], [wanted(points)])
    check_grads(lambda d: gaussian_kde(d, 0.5)(points), (data,), order=1)
    drawn = np.asarray(found.resample(olympus.random.key(0), (20_000,)))
    assert drawn.shape == (count, 20_000)
    spread = np.asarray(found.covariance) + np.cov(data, aweights=weights, bias=True)
    np.testing.assert_allclose(np.cov(drawn), np.squeeze(spread), rtol=0.1, atol=0.05)
    if count == 1:
        near([found.integrate_box_1d(-1, 2.0)], [wanted.integrate_box_1d(-1, 2.0)])
    else:
        with pytest.raises(ArgumentError):
            found.integrate_box_1d(0, 1)
    for act in (lambda: gaussian_kde(np.ones((2, 1))), lambda: gaussian_kde(data, "wide"),
                lambda: gaussian_kde(data, weights=np.ones(3)), lambda: found(np.ones((count + 1, 2)))):
        with pytest.raises(ArgumentError):
            act()
    with pytest.raises(NotSupportedError):
        found.integrate_box(0, 1)
