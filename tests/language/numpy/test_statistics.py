# SPDX-License-Identifier: Apache-2.0
"""Quantiles, covariances, differences, interpolation, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import olympus.numpy as jnp
from olympus_core.errors import ArgumentError

RNG = np.random.default_rng(2)
X = RNG.standard_normal((3, 5)).astype(np.float32)
HOLES = np.where(RNG.random((3, 5)) < 0.3, np.nan, X).astype(np.float32)


def check(found: object, expected: object, tolerance: float = 2e-5) -> None:
    assert found.shape == np.shape(expected)
    np.testing.assert_allclose(np.asarray(found), expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("axis", [None, 0, 1, (0, 1)])
@pytest.mark.parametrize("method", ["linear", "lower", "higher", "nearest", "midpoint"])
def test_quantiles(method: str, axis: object) -> None:
    for q in (0.0, 0.3, 1.0, np.array([0.25, 0.5]), np.array([[0.1], [0.9]])):
        check(jnp.quantile(X, q, axis=axis, method=method), np.quantile(X, q, axis=axis, method=method))
    check(jnp.percentile(X, 37, axis=axis, keepdims=True, method=method),
          np.percentile(X, 37, axis=axis, keepdims=True, method=method))


@pytest.mark.parametrize("axis", [None, 0, 1])
def test_quantiles_and_nan(axis: int | None) -> None:
    check(jnp.median(HOLES, axis=axis), np.median(HOLES, axis=axis))
    check(jnp.nanmedian(HOLES, axis=axis), np.nanmedian(HOLES, axis=axis))
    check(jnp.nanquantile(HOLES, 0.3, axis=axis), np.nanquantile(HOLES, 0.3, axis=axis))
    check(jnp.nanpercentile(HOLES, [30, 60], axis=axis), np.nanpercentile(HOLES, [30, 60], axis=axis))


@given(hnp.arrays(np.int32, st.integers(1, 9), elements=st.integers(-9, 9)))
@settings(max_examples=30)
def test_median_of_anything(x: np.ndarray) -> None:
    check(jnp.median(x), np.median(x))


def test_infinities_in_quantiles() -> None:
    x = np.array([-np.inf, 1.0, np.inf, np.inf], np.float32)
    check(jnp.quantile(x, 0.9), np.float32(np.inf))
    check(jnp.median(np.array([1.0, 2.0, np.inf], np.float32)), 2.0)


def test_covariances() -> None:
    y = RNG.standard_normal((2, 5)).astype(np.float32)
    check(jnp.cov(X), np.cov(X))
    check(jnp.cov(X, y), np.cov(X, y))
    check(jnp.cov(X, rowvar=False), np.cov(X, rowvar=False))
    check(jnp.cov(X, bias=True), np.cov(X, bias=True))
    check(jnp.cov(X, ddof=0), np.cov(X, ddof=0))
    counts, weights = np.array([1, 2, 1, 3, 1]), np.array([0.1, 0.2, 0.3, 0.2, 0.2])
    check(jnp.cov(X, fweights=counts), np.cov(X, fweights=counts))
    check(jnp.cov(X, aweights=weights), np.cov(X, aweights=weights))
    check(jnp.cov(X, fweights=counts, aweights=weights), np.cov(X, fweights=counts, aweights=weights))
    check(jnp.cov(X + 1j * X[::-1]), np.cov(X + 1j * X[::-1]))
    check(jnp.corrcoef(X), np.corrcoef(X))
    check(jnp.corrcoef(X, y), np.corrcoef(X, y))


def test_differences() -> None:
    for options in ({}, {"n": 2}, {"axis": 0}, {"n": 0}, {"prepend": 0}, {"append": X[:, :2]}):
        check(jnp.diff(X, **options), np.diff(X, **options))
    check(jnp.diff(np.array([True, False, False])), np.diff(np.array([True, False, False])))
    check(jnp.ediff1d(X), np.ediff1d(X))
    check(jnp.ediff1d(X, np.array([1, 2]), -1), np.ediff1d(X, [1, 2], -1))
    with pytest.raises(TypeError, match="does not fit"):
        jnp.ediff1d(np.arange(3), to_end=0.5)
    check(jnp.gradient(X[0]), np.gradient(X[0]))
    check(jnp.gradient(X[0], 0.5), np.gradient(X[0], 0.5))
    for found, expected in zip(jnp.gradient(X, 2.0, 3.0), np.gradient(X, 2.0, 3.0), strict=True):
        check(found, expected)
    check(jnp.trapezoid(X), ((X[:, 1:] + X[:, :-1]) / 2).sum(1))
    places = np.array([0.0, 1.0, 3.0, 4.0, 7.0], np.float32)
    check(jnp.trapezoid(X, places), ((X[:, 1:] + X[:, :-1]) / 2 * np.diff(places)).sum(1))
    check(jnp.trapezoid(X, dx=0.5, axis=0), ((X[1:] + X[:-1]) / 4).sum(0))


@pytest.mark.parametrize("values", [
    [0, np.inf, np.nan, 1], [np.nan, np.inf, 1, 2], [0, np.inf, np.inf, 1], [-np.inf, np.inf, 0, 1], [1, 2, 3, np.inf]])
def test_interpolation_beside_infinity_and_nan(values: list[float]) -> None:
    x = np.array([-1, 0, 0.5, 1, 1.5, 2, 2.5, 3, 4, np.nan, np.inf, -np.inf], np.float32)
    places, known = np.arange(4.0, dtype=np.float32), np.array(values, np.float32)
    check(jnp.interp(x, places, known), np.interp(x, places, known))


@given(hnp.arrays(np.float32, (2, 4), elements=st.floats(-3, 9, width=32)))
@settings(max_examples=30)
def test_interpolation(x: np.ndarray) -> None:
    places, values = np.array([0.0, 1.0, 2.5, 6.0], np.float32), np.array([1.0, -1.0, 4.0, 2.0], np.float32)
    check(jnp.interp(x, places, values), np.interp(x, places, values), 1e-4)
    check(jnp.interp(x, places, values, left=-7, right=9), np.interp(x, places, values, left=-7, right=9), 1e-4)
    check(jnp.interp(x, places, values, period=7), np.interp(x, places, values, period=7), 1e-4)


def test_interpolation_from_one_place() -> None:
    check(jnp.interp(np.array([0.0, 1.0, 2.0]), np.array([1.0]), np.array([5.0])), [5.0, 5.0, 5.0])


def test_polynomials_and_convolutions() -> None:
    p, x = np.array([1.0, -2.0, 3.0], np.float32), X
    check(jnp.polyval(p, x), np.polyval(p, x), 1e-4)
    for a, v in ((X[0], p), (p, X[0]), (X[0], X[1]), (X[0], p[:1]), (X[0], np.ones(4, np.float32))):
        for mode in ("full", "same", "valid"):
            check(jnp.convolve(a, v, mode=mode), np.convolve(a, v, mode=mode), 1e-4)
            check(jnp.correlate(a, v, mode=mode), np.correlate(a, v, mode=mode), 1e-4)


def test_polyval_of_several_polynomials() -> None:
    p = np.arange(12, dtype=np.float32).reshape(3, 4)
    x = np.linspace(-1, 1, 4, dtype=np.float32)
    check(jnp.polyval(p, x), np.polyval(p, x), 1e-5)
    check(jnp.polyval(p, np.float32(0.5)), np.polyval(p, np.float32(0.5)), 1e-5)
    check(jnp.polyval(p, x[:2, None]), p[0] * x[:2, None] ** 2 + p[1] * x[:2, None] + p[2], 1e-5)
    check(jnp.polyval(p[:0], x), np.zeros(4, np.float32), 0)


def test_mistakes_teach() -> None:
    with pytest.raises(ArgumentError, match="method is not known"):
        jnp.quantile(X, 0.5, method="best")
    with pytest.raises(ArgumentError, match="no elements"):
        jnp.median(jnp.zeros((0,)))
    with pytest.raises(ArgumentError, match="points and values do not fit"):
        jnp.interp(1.0, jnp.zeros(2), jnp.zeros(3))
    with pytest.raises(ArgumentError, match="no rows"):
        jnp.convolve(X, X)


def test_no_differences_are_the_array_itself() -> None:
    for x, ends in ((np.uint32(3), {}), (np.arange(3), {"prepend": 1, "append": [4, 5]})):
        np.testing.assert_array_equal(jnp.diff(x, n=0, **ends), np.diff(x, n=0, **ends))


@pytest.mark.parametrize("first, second, wanted", [
    ("int8", "float16", "float16"), ("bool", "bfloat16", "bfloat16"), ("int32", "float32", "float32"),
    ("float16", "bfloat16", "float32"), ("uint8", "int32", "float32"), ("float32", "complex64", "complex64"),
])
def test_covariances_have_the_type_of_both_arrays(first: str, second: str, wanted: str) -> None:
    x, y = jnp.array([1, 0, 2], first), jnp.array([1, 2, 3], second)
    exact = np.complex128 if wanted == "complex64" else np.float64
    rough = {"float16": 5e-3, "bfloat16": 3e-2}.get(wanted, 1e-6)
    for name in ("cov", "corrcoef"):
        found = getattr(jnp, name)(x, y)
        assert found.dtype == wanted
        np.testing.assert_allclose(np.asarray(found).astype(exact), getattr(np, name)(
            np.asarray(x).astype(exact), np.asarray(y).astype(exact)), rtol=rough, atol=rough)


def test_weights_of_covariances_count_as_exactly_as_they_are() -> None:
    x, weights = np.array([1, 2, 3], np.float16), np.array([1, 2, 3], np.float32)
    found = jnp.cov(x, aweights=weights)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, np.cov(x, aweights=weights), rtol=1e-6)
