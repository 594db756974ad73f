# SPDX-License-Identifier: Apache-2.0
"""Reductions, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import olympus.numpy as jnp
from olympus_core.errors import ArgumentError, NotSupportedError

RNG = np.random.default_rng(0)
X = RNG.standard_normal((3, 4, 2)).astype(np.float32)
HOLES = np.where(RNG.random((4, 5)) < 0.3, np.nan, RNG.standard_normal((4, 5))).astype(np.float32)
HOLES[2, 3] = 1.0
AXES = [None, 0, 1, -1, (0, 2), (-1, 0), (0, 1, 2), ()]


def check(found: object, expected: object, tolerance: float = 1e-5) -> None:
    assert found.shape == np.shape(expected)
    np.testing.assert_allclose(np.asarray(found), expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("name", ["sum", "prod", "max", "min", "all", "any", "mean", "var", "std", "median"])
def test_axes(name: str, axis: object, keepdims: bool) -> None:
    if name == "median" and axis == ():
        pytest.skip("NumPy takes no empty axis here")
    check(getattr(jnp, name)(X, axis=axis, keepdims=keepdims), getattr(np, name)(X, axis=axis, keepdims=keepdims))


@pytest.mark.parametrize("name", ["sum", "prod", "max", "min", "mean"])
def test_where_and_initial(name: str) -> None:
    mask = X > np.min(X, axis=1, keepdims=True)  # something is left everywhere
    further = {} if name == "mean" else {"initial": np.float32(2)}
    check(getattr(jnp, name)(X, axis=1, where=mask, **further), getattr(np, name)(X, axis=1, where=mask, **further))
    narrow = mask[:1]
    check(getattr(jnp, name)(X, where=narrow, **further), getattr(np, name)(X, where=narrow, **further))


@given(
    hnp.array_shapes(min_dims=1, max_dims=4, min_side=0, max_side=4).flatmap(
        lambda shape: st.tuples(st.just(shape), hnp.valid_tuple_axes(len(shape)))),
    st.sampled_from(["sum", "prod", "any", "all", "count_nonzero"]),
)
@settings(max_examples=60)
def test_any_shape(given_shape: tuple[tuple[int, ...], tuple[int, ...]], name: str) -> None:
    shape, axes = given_shape
    x = (np.arange(np.prod(shape, dtype=int)) % 3).reshape(shape)
    check(getattr(jnp, name)(x, axis=axes), getattr(np, name)(x, axis=axes))


def test_element_types_of_sums() -> None:
    cases = {"bool": "int32", "int8": "int32", "uint8": "uint32", "int32": "int32", "float16": "float16",
             "bfloat16": "bfloat16", "complex64": "complex64"}
    for given_type, result in cases.items():
        assert jnp.sum(jnp.ones(3, given_type)).dtype.name == result
    assert jnp.sum(jnp.ones(3, "int8"), dtype=jnp.float16).dtype == jnp.float16
    assert jnp.cumsum(jnp.ones(3, bool)).dtype == jnp.int32
    assert jnp.cumsum(jnp.ones(3, jnp.int8)).dtype == jnp.int8
    assert jnp.mean(jnp.arange(3)).dtype == jnp.float32


def test_sums_of_halves_do_not_lose_small_numbers() -> None:
    x = jnp.full((4096,), 1.0, jnp.bfloat16)
    assert float(jnp.sum(x)) == 4096
    assert float(jnp.mean(x)) == 1


def test_variance_of_complex_numbers() -> None:
    x = (X + 1j * X[::-1]).astype(np.complex64)
    check(jnp.var(x, axis=0), np.var(x, axis=0))
    assert jnp.var(x).dtype == jnp.float32


def test_degrees_of_freedom() -> None:
    check(jnp.var(X, axis=0, ddof=1), np.var(X, axis=0, ddof=1))
    check(jnp.std(X, ddof=1), np.std(X, ddof=1))
    check(jnp.var(X, correction=1), np.var(X, ddof=1))
    mask = X > np.min(X, axis=1, keepdims=True)
    check(jnp.var(X, axis=1, where=mask), np.var(X, axis=1, where=mask))


@pytest.mark.parametrize("axis", [None, 0, 1])
@pytest.mark.parametrize("name", ["nansum", "nanprod", "nanmax", "nanmin", "nanmean", "nanvar", "nanstd", "nanmedian",
                                  "nanargmax", "nanargmin"])
def test_without_nan(name: str, axis: int | None) -> None:
    check(getattr(jnp, name)(HOLES, axis=axis), getattr(np, name)(HOLES, axis=axis))


def test_nothing_but_nan() -> None:
    x = np.full((2, 2), np.nan, np.float32)
    assert np.isnan(jnp.nanmax(x)) and np.isnan(jnp.nanmean(x, axis=0)).all()
    assert int(jnp.nanargmax(x)) == -1 and float(jnp.nansum(x)) == 0


@pytest.mark.parametrize("axis", [None, 0, 1, -1])
@pytest.mark.parametrize("name", ["argmax", "argmin"])
def test_places_of_extremes(name: str, axis: int | None) -> None:
    for x in (X, HOLES, np.array([[1, 3, 3], [0, 0, 2]])):
        check(getattr(jnp, name)(x, axis=axis), getattr(np, name)(x, axis=axis))
        check(getattr(jnp, name)(x, axis=axis, keepdims=True), getattr(np, name)(x, axis=axis, keepdims=True))


@pytest.mark.parametrize("axis", [None, 0, 2, -2])
@pytest.mark.parametrize("name", ["cumsum", "cumprod"])
def test_running(name: str, axis: int | None) -> None:
    check(getattr(jnp, name)(X, axis=axis), getattr(np, name)(X, axis=axis))


def test_cumulative_sum() -> None:
    x = np.arange(6).reshape(2, 3)
    check(jnp.cumulative_sum(x, axis=1, include_initial=True), np.array([[0, 0, 1, 3], [0, 3, 7, 12]]))
    with pytest.raises(ArgumentError, match="axis is not named"):
        jnp.cumulative_sum(x)


def test_average_with_weights_over_several_axes() -> None:
    x = np.arange(24.0, dtype=np.float32).reshape(2, 3, 4)
    for axis in ((0, 1), (2, 0), (-1, 1), (1, 2, 0), (1,)):
        weights = np.arange(1.0, 25.0, dtype=np.float32)[:np.prod([x.shape[d] for d in axis])]
        weights = weights.reshape([x.shape[d] for d in axis])
        found, total = jnp.average(x, axis, weights, returned=True, keepdims=True)
        expected, expected_total = np.average(x, axis, weights, returned=True, keepdims=True)
        check(found, expected)
        check(total, expected_total)
    for axis, shape in (((0, 1), (3, 2)), ((0, 0), (2, 2)), (None, (3,)), ((), ())):
        with pytest.raises(ArgumentError, match="weights"):
            jnp.average(x, axis, np.ones(shape, np.float32))


def test_average() -> None:
    weights = np.array([1.0, 2.0, 0.0], np.float32)
    check(jnp.average(X, axis=0, weights=weights), np.average(X, axis=0, weights=weights))
    check(jnp.average(X), np.average(X))
    found, total = jnp.average(X, axis=0, weights=weights, returned=True)
    expected, expected_total = np.average(X, axis=0, weights=weights, returned=True)
    check(found, expected)
    check(total, expected_total)
    with pytest.raises(ArgumentError, match="weights do not fit"):
        jnp.average(X, weights=weights)


def test_ptp() -> None:
    check(jnp.ptp(X, axis=1), np.ptp(X, axis=1))


def test_mistakes_teach() -> None:
    with pytest.raises(ArgumentError, match="axis 3 is out of bounds for an array of 3 dimensions"):
        jnp.sum(X, axis=3)
    with pytest.raises(ArgumentError, match="named twice"):
        jnp.sum(X, axis=(0, -3))
    with pytest.raises(ArgumentError, match="no elements to choose from"):
        jnp.max(jnp.zeros((0, 2)), axis=0)
    with pytest.raises(ArgumentError, match="needs something to begin with"):
        jnp.min(X, where=X > 0)
    with pytest.raises(ArgumentError, match="no elements to choose from"):
        jnp.argmax(jnp.zeros(0))
    with pytest.raises(NotSupportedError, match="arrays never change"):
        jnp.sum(X, out=np.zeros(()))
    with pytest.raises(ArgumentError, match="not an array"):
        jnp.sum([1, 2])


def test_variances_have_the_type_that_is_asked_for() -> None:
    x = np.array([1, 2, 5], np.int8)
    z = np.array([1, 2j, 5], np.complex64)
    for function in (jnp.var, jnp.std, jnp.nanvar):
        assert function(x, dtype=np.int8).dtype == np.float32
        assert function(x, dtype=np.float16).dtype == np.float16
        assert function(z, dtype=np.complex64).dtype == function(x, dtype=np.complex64).dtype == np.complex64
        assert function(z).dtype == np.float32
    np.testing.assert_allclose(jnp.var(z, dtype=np.complex64), np.var(z), rtol=1e-6)


@pytest.mark.parametrize("name", ["cumsum", "cumprod", "nancumsum", "nancumprod"])
def test_running_folds_of_a_number_have_one_dimension(name: str) -> None:
    for axis in (None, 0, -1):
        assert getattr(jnp, name)(2.5, axis=axis).tolist() == getattr(np, name)(2.5, axis=axis).tolist() == [2.5]
    with pytest.raises(ValueError, match="axis"):
        getattr(jnp, name)(2.5, axis=1)
