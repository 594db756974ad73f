# SPDX-License-Identifier: Apache-2.0
"""Sorting, searching, counting and sets, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import olympus
import olympus.numpy as jnp
from olympus_core.errors import ArgumentError, ConcretizationError

X = np.array([[3, 1, 2, 1], [0, -1, 5, 5], [2, 2, 2, -7]])
HOLES = np.array([2.0, np.nan, -1.0, np.inf, np.nan, 0.0, -0.0], np.float32)


def same(found: object, expected: object) -> None:
    assert found.shape == np.shape(expected)
    np.testing.assert_array_equal(np.asarray(found), expected)


@pytest.mark.parametrize("axis", [None, 0, 1, -1])
def test_sort(axis: int | None) -> None:
    same(jnp.sort(X, axis=axis), np.sort(X, axis=axis))
    same(jnp.argsort(X, axis=axis), np.argsort(X, axis=axis, kind="stable"))
    same(jnp.sort(X, axis=axis, descending=True), np.flip(np.sort(X, axis=axis), -1 if axis is None else axis))
    same(jnp.argsort(X, axis=axis, descending=True), np.argsort(-X, axis=axis, kind="stable"))


def test_nan_is_last() -> None:
    same(jnp.sort(HOLES), np.sort(HOLES))
    same(jnp.argsort(HOLES), np.argsort(HOLES, kind="stable"))


def test_lexsort_and_partition() -> None:
    keys = (X[0], X[1], np.array([1, 0, 1, 0]))
    same(jnp.lexsort(keys), np.lexsort(keys))
    assert not jnp.lexsort((np.float32(1), np.float32(2))).weak_type
    found = np.asarray(jnp.partition(X, 2, axis=1))
    same(found[:, 2], np.partition(X, 2, axis=1)[:, 2])
    place = int(jnp.argpartition(X[0], 2)[2])
    assert X[0][place] == np.sort(X[0])[2]


rows = hnp.arrays(np.float32, st.integers(0, 9), elements=st.floats(-4, 4, width=32).map(lambda v: round(v, 0)))


@given(rows, hnp.arrays(np.float32, (2, 3), elements=st.floats(-5, 5, width=32)), st.sampled_from(["left", "right"]))
@settings(max_examples=50)
def test_searchsorted(a: np.ndarray, v: np.ndarray, side: str) -> None:
    a = np.sort(a)
    same(jnp.searchsorted(a, v, side=side), np.searchsorted(a, v, side=side))


def test_searchsorted_with_nan_and_sorter() -> None:
    a, v = np.array([0.0, 1.0, np.nan], np.float32), np.array([np.nan, 0.5, 2.0], np.float32)
    for side in ("left", "right"):
        same(jnp.searchsorted(a, v, side=side), np.searchsorted(a, v, side=side))
    a = np.array([3, 1, 2])
    same(jnp.searchsorted(a, np.array([2]), sorter=np.argsort(a)), [1])


@pytest.mark.parametrize("right", [False, True])
def test_digitize(right: bool) -> None:
    x = np.array([0.0, 0.5, 1.0, 1.5, 9.0], np.float32)
    for bins in (np.array([0.0, 1.0, 2.0]), np.array([2.0, 1.0, 0.0])):
        same(jnp.digitize(x, bins, right=right), np.digitize(x, bins, right=right))


def test_bincount_of_numbers_beyond_int32() -> None:
    """They are beyond the length too, not small numbers."""
    with olympus.enable_x64(True):
        for number, dtype in ((2**32 + 1, "int64"), (2**32 + 1, "uint64"), (2**32 - 1, "uint32"), (2**63, "uint64")):
            same(jnp.bincount(jnp.asarray(np.array([number, 1], dtype)), length=3), [0, 1, 0])
        same(jnp.bincount(jnp.array([1, 200], jnp.uint8), length=3), [0, 1, 0])


def test_bincount() -> None:
    x = np.array([1, 1, 4, 0])
    same(jnp.bincount(x), np.bincount(x))
    same(jnp.bincount(x, minlength=8), np.bincount(x, minlength=8))
    weights = np.array([0.5, 1.0, 2.0, 4.0], np.float32)
    same(jnp.bincount(x, weights), np.bincount(x, weights))
    same(olympus.jit(lambda x: jnp.bincount(x, length=3))(x), [1, 2, 0])
    with pytest.raises(ConcretizationError, match="bincount without length="):
        olympus.jit(jnp.bincount)(x)


@pytest.mark.parametrize("options", [{}, {"bins": 4}, {"bins": 3,
                                                       "range": (-1.0, 2.0)}, {"bins": np.array([0.0, 1.0, 4.0])},
                                     {"density": True, "bins": 5}, {"weights": np.arange(12).reshape(3, 4)}])
def test_histogram(options: dict) -> None:
    x = X.astype(np.float32)
    for found, expected in zip(jnp.histogram(x, **options), np.histogram(x, **options), strict=True):
        assert found.shape == expected.shape
        np.testing.assert_allclose(np.asarray(found), expected, rtol=1e-5)


def test_unique() -> None:
    x = np.array([3, 1, 2, 3, 1])
    for options in ({}, {"return_index": True}, {"return_inverse": True, "return_counts": True}):
        found, expected = jnp.unique(x, **options), np.unique(x, **options)
        for a, b in zip(found if options else [found], expected if options else [expected], strict=True):
            same(a, b)
    same(jnp.unique(X, axis=0), np.unique(X, axis=0))
    assert jnp.unique(HOLES).shape == np.unique(HOLES).shape
    with pytest.raises(ConcretizationError, match="depends on the values"):
        olympus.jit(jnp.unique)(x)


@given(hnp.arrays(np.int32, st.integers(1, 8), elements=st.integers(-2, 2)), st.integers(0, 7))
@settings(max_examples=40)
def test_unique_of_known_size(x: np.ndarray, size: int) -> None:
    values, first, inverse, counts = np.unique(x, True, True, True)

    def fitted(row: np.ndarray, fill: int) -> np.ndarray:
        out = np.full(size, fill)
        out[:min(size, len(row))] = row[:size]
        return out

    expected = [fitted(values, 9), fitted(first, first[0]), inverse, fitted(counts, 0)]
    traced = olympus.jit(lambda v: jnp.unique(v, True, True, True, size=size, fill_value=9))(x)
    known = jnp.unique(x, True, True, True, size=size, fill_value=9)
    for a, b, c in zip(traced, known, expected, strict=True):
        same(a, c)
        same(b, c)


def test_sets() -> None:
    a, b = np.array([1, 2, 2, 5]), np.array([2, 3])
    for name in ("union1d", "intersect1d", "setdiff1d", "setxor1d"):
        same(getattr(jnp, name)(a, b), getattr(np, name)(a, b))
    same(jnp.isin(X, b), np.isin(X, b))
    same(jnp.isin(X, [2, 3], invert=True), np.isin(X, [2, 3], invert=True))
    same(jnp.isin(X, np.array([], int)), np.isin(X, []))


def test_mistakes_teach() -> None:
    with pytest.raises(ArgumentError, match="side is not known"):
        jnp.searchsorted(X[0], 1, side="middle")
    with pytest.raises(ArgumentError, match="not one dimension"):
        jnp.searchsorted(X, 1)
    with pytest.raises(ArgumentError, match="keys differ in shape"):
        jnp.lexsort((X[0], X[0][:2]))
