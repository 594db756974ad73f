# SPDX-License-Identifier: Apache-2.0
"""Unions, intersections and differences against NumPy, with values known and under jit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import olympus
import olympus.numpy as jnp
from olympus.errors import ArgumentError

NAMES = ("union1d", "intersect1d", "setdiff1d", "setxor1d")
FLOATS = st.lists(st.sampled_from([-1.5, 0.0, 2.0, 3.0, np.inf, np.nan]), max_size=5)


def fitted(values: np.ndarray, size: int, fill: float) -> np.ndarray:
    return np.concatenate([values, np.full(size, fill, values.dtype)])[:size]


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=15, deadline=None)
@given(a=FLOATS, b=FLOATS, size=st.sampled_from([0, 2, 12]))
def test_with_a_size_they_are_numpys_cut_or_lengthened(name: str, a: list[float], b: list[float], size: int) -> None:
    x, y = np.array(a, np.float32), np.array(b, np.float32)
    expected = getattr(np, name)(x, y)
    np.testing.assert_array_equal(getattr(jnp, name)(x, y), expected)
    found = olympus.jit(lambda p, q: getattr(jnp, name)(p, q, size=size, fill_value=7))(x, y)
    np.testing.assert_array_equal(found, fitted(expected, size, 7))


@pytest.mark.parametrize("size", [None, 1, 2, 4])
def test_intersections_tell_where_the_elements_are(size: int | None) -> None:
    a, b = np.array([5, 3, 9, 3]), np.array([9, 4, 3])
    values, first, second = np.intersect1d(a, b, return_indices=True)
    expected = [values, first, second]
    if size is not None:
        expected = [fitted(x, size, fill) for x, fill in zip(expected, (3, 4, 3), strict=True)]
    for part, wanted in zip(jnp.intersect1d(a, b, return_indices=True, size=size), expected, strict=True):
        np.testing.assert_array_equal(part, wanted)


def test_what_is_missing_is_filled_with_the_least_element_or_zero() -> None:
    a, b = jnp.array([5, 3, 9, 3]), jnp.array([9, 4, 3])
    assert jnp.setxor1d(a, b, size=4).tolist() == [4, 5, 4, 4]
    assert jnp.setdiff1d(a, b, size=4).tolist() == [5, 0, 0, 0]
    assert jnp.union1d(a, b, size=6).tolist() == [3, 4, 5, 9, 3, 3]


def test_unique_arrays_keep_their_order_in_a_difference() -> None:
    a, b = np.array([9, 2, 7, 1]), np.array([7])
    for size in (None, 3):
        assert jnp.setdiff1d(a, b, assume_unique=True, size=size).tolist() == [9, 2, 1]


def test_batches_of_sets() -> None:
    a, b = np.array([[1, 2, 2], [4, 4, 0]]), np.array([[2, 3], [0, 0]])
    found = olympus.vmap(lambda p, q: jnp.setxor1d(p, q, size=3, fill_value=-1))(a, b)
    assert found.tolist() == [[1, 3, -1], [4, -1, -1]]


def test_packages_show_no_features_of_python() -> None:
    assert "annotations" not in dir(olympus.scipy.special)


@pytest.mark.parametrize("first, second", [
    (np.array([1, 2, 2**31 + 5], np.uint32), np.array([1, 2, -3], np.int8)),
    (np.array([1, -2, 3], np.int8), np.array([1, 2**31 + 5], np.uint32)),
    (np.array([1, 2, 3], np.int16), np.array([2.0, 2.5], np.float16)),
    (np.array([0.5, 2.0], np.float32), np.array([2, 7], np.int32)),
])
def test_a_difference_has_the_type_of_the_first_array(first: np.ndarray, second: np.ndarray) -> None:
    wanted = np.setdiff1d(first, second)
    for found in (jnp.setdiff1d(first, second), jnp.setdiff1d(first, second, assume_unique=True),
                  olympus.jit(lambda a, b: jnp.setdiff1d(a, b, size=wanted.size))(first, second)):
        assert found.dtype == first.dtype
        np.testing.assert_array_equal(np.sort(found), wanted)


def test_differences_carry_derivatives() -> None:
    slope = olympus.grad(lambda x: (jnp.setdiff1d(x, np.array([2, 5])) ** 2).sum())(jnp.array([3.0, 2.0, 1.0]))
    np.testing.assert_array_equal(slope, [6, 0, 2])


@pytest.mark.parametrize("shape", [(0,), (0, 3)])
def test_different_elements_of_nothing(shape: tuple[int, ...]) -> None:
    nothing = np.zeros(shape, np.float32)
    for mode in (lambda f: f, olympus.jit):
        values, first, inverse, counts = mode(lambda x: jnp.unique(x, True, True, True, size=2, fill_value=7))(nothing)
        assert values.tolist() == [7, 7] and first.tolist() == counts.tolist() == [0, 0] and inverse.shape == shape
        assert mode(lambda x: jnp.unique(x, size=0))(nothing).shape == (0,)
        with pytest.raises(ArgumentError, match="no elements to fill"):
            mode(lambda x: jnp.unique(x, size=2))(nothing)
    rows = jnp.unique(np.zeros((0, 3), np.float32), axis=0, size=2, fill_value=1)
    np.testing.assert_array_equal(rows, np.ones((2, 3)))


@pytest.mark.parametrize("dtype", [jnp.bfloat16, jnp.float16, jnp.float8_e4m3fn, jnp.float8_e5m2])
def test_nan_of_narrow_floats_comes_last(dtype: Any) -> None:
    """NumPy sorts the NaN of types that are not its own anywhere."""
    wide = np.array([0.5, np.nan, -2, 1.5, -1, 0, 3, np.nan, -0.5, 0.5], np.float32)
    x, y = jnp.asarray(wide, dtype), jnp.asarray(wide[:4], dtype)
    for found, expected in zip(jnp.unique(x, True, True, True), np.unique(wide, True, True, True), strict=True):
        np.testing.assert_array_equal(np.asarray(found).astype(expected.dtype), expected)
    rows = jnp.unique(x.reshape(5, 2), axis=0)
    assert rows.dtype == dtype
    np.testing.assert_array_equal(rows.astype("float32"), np.unique(wide.reshape(5, 2), axis=0))
    for name in ("union1d", "intersect1d", "setdiff1d", "setxor1d"):
        result = getattr(jnp, name)(x, y)
        assert result.dtype == dtype
        np.testing.assert_array_equal(result.astype("float32"), getattr(np, name)(wide, wide[:4]))
    slope = olympus.grad(lambda v: jnp.union1d(v, y).astype("float32")[:3].sum())(x)
    np.testing.assert_array_equal(slope.astype("float32"), [0, 0, 1, 0, 1, 0, 0, 0, 1, 0])
