# SPDX-License-Identifier: Apache-2.0
"""Reductions of segments, against NumPy's unbuffered updates."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import olympus
import olympus.numpy as jnp
from olympus.errors import ArgumentError, ConcretizationError
from olympus.ops import segment_max, segment_min, segment_prod, segment_sum
from olympus.sharding import NamedSharding, PartitionSpec
from olympus.test_util import check_grads

FUNCTIONS = {segment_sum: np.add, segment_prod: np.multiply, segment_max: np.maximum, segment_min: np.minimum}
REAL = ["int8", "int32", "uint8", "uint32", "float16", "bfloat16", "float32"]
TYPES = [(f, t) for f in FUNCTIONS for t in REAL] + [
    (segment_sum, "complex64"), (segment_prod, "complex64"), (segment_max, "bool"), (segment_min, "bool")]


def expected(function: Any, data: np.ndarray, ids: np.ndarray, count: int, mode: str | None = None) -> np.ndarray:
    start: Any = {segment_sum: 0, segment_prod: 1}.get(function)
    if start is None:
        sign = 1 if function is segment_min else -1
        kind = data.dtype
        if kind.kind == "b":
            start = sign > 0
        elif kind.kind in "iu":
            start = np.iinfo(kind).max if sign > 0 else np.iinfo(kind).min
        else:
            start = sign * np.inf
    out = np.full((count, *data.shape[1:]), start, data.dtype)
    if mode == "clip":
        ids = np.clip(ids, 0, count - 1)
    for row, segment in zip(data, ids, strict=True):
        if 0 <= segment < count:
            out[segment] = FUNCTIONS[function](out[segment], row)
    return out


@pytest.mark.parametrize(("function", "dtype"), TYPES)
def test_every_type(function: Any, dtype: str) -> None:
    random = np.random.RandomState(0)
    data = np.asarray(random.randint(0, 3, (9, 2))).astype(jnp.dtype(dtype))
    ids = np.array([0, 3, 1, -1, 3, 5, 0, 3, 4])  # none for 2; -1 and 5 are outside
    wanted = expected(function, data, ids, 5)
    for buckets in (None, 1, 4, 100):
        found = function(data, ids, 5, bucket_size=buckets)
        assert found.dtype == data.dtype
        np.testing.assert_array_equal(np.asarray(found), wanted)
    np.testing.assert_array_equal(
        np.asarray(function(data, ids, 5, mode="clip")), expected(function, data, ids, 5, "clip"))


@settings(max_examples=15, deadline=None)
@given(st.lists(st.integers(-2, 6), min_size=0, max_size=12), st.integers(0, 6), st.sampled_from([None, 5]))
def test_any_ids(ids: list[int], count: int, buckets: int | None) -> None:
    data = np.arange(1, len(ids) + 1, dtype=np.float32)
    places = np.array(ids, np.int32)
    found = segment_sum(data, places, count, bucket_size=buckets)
    np.testing.assert_array_equal(np.asarray(found), expected(segment_sum, data, places, count))


def test_the_number_of_segments_follows_from_the_ids() -> None:
    assert segment_sum(jnp.ones(3), jnp.array([0, -1, 5])).shape == (6,)
    assert segment_sum(jnp.ones((0, 2)), jnp.zeros(0, int)).shape == (0, 2)
    assert segment_sum(jnp.ones(2), jnp.array([-3, -1])).shape == (0,)
    with pytest.raises(ConcretizationError, match="num_segments"):
        olympus.jit(segment_sum)(jnp.ones(3), jnp.array([0, 1, 2]))


def test_nan_stays_in_its_segment() -> None:
    data = np.array([1.0, np.nan, 3.0, np.inf], np.float32)
    ids = np.array([0, 1, 0, 2])
    for function in FUNCTIONS:
        np.testing.assert_array_equal(np.asarray(function(data, ids, 4)), expected(function, data, ids, 4))


def test_transforms() -> None:
    ids = np.array([0, 2, 0, 1, 2, 9])
    data = np.random.RandomState(0).randn(6, 2).astype(np.float32)
    check_grads(lambda x: segment_sum(x, ids, 3), (data,), order=2)
    check_grads(lambda x: segment_max(x, ids, 3), (data,), order=1)
    check_grads(lambda x: segment_sum(x, ids, 3, bucket_size=2), (data,), order=1)
    many = np.stack([ids, ids[::-1]])
    found = olympus.vmap(lambda i: segment_sum(data, i, 3))(many)
    np.testing.assert_allclose(
        np.asarray(found), np.stack([expected(segment_sum, data, i, 3) for i in many]), rtol=1e-6)


def test_split_data() -> None:
    mesh = olympus.make_mesh((8,), ("x",))
    data = np.arange(32, dtype=np.float32)
    ids = np.arange(32) % 5
    split = olympus.device_put(data, NamedSharding(mesh, PartitionSpec("x")))
    found = olympus.jit(segment_sum, static_argnums=2)(split, ids, 5)
    np.testing.assert_array_equal(np.asarray(found), expected(segment_sum, data, ids, 5))


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("shape, ids_shape", [((), (6,)), ((1,), (6,)), ((1, 2), (6,)), ((3,), (2, 3)), ((), ())])
def test_data_are_broadcast_to_the_ids(function: Any, shape: tuple[int, ...], ids_shape: tuple[int, ...]) -> None:
    data, ids = np.full(shape, 2.0, np.float32), np.resize([0, 2, 0, 5, -1, 2], ids_shape)
    wide = np.broadcast_to(data, (*ids_shape, *shape[1:])).reshape(-1, *shape[1:])
    for buckets in (None, 4):
        np.testing.assert_array_equal(
            np.asarray(function(data, ids, 3, bucket_size=buckets)), expected(function, wide, ids.ravel(), 3))


@pytest.mark.parametrize(("function", "data", "ids", "problem"), [
    (segment_sum, np.ones(3), 0, "do not fit"), (segment_sum, np.ones(3), [0, 1], "do not fit"),
    (segment_sum, np.ones(2), [0.0, 1.0], "do not fit"), (segment_sum, np.ones(2, bool), [0, 1], "cannot be combined"),
])
def test_bad_arguments(function: Any, data: Any, ids: Any, problem: str) -> None:
    with pytest.raises(ArgumentError, match=problem):
        function(data, np.array(ids), 2)
    with pytest.raises(ArgumentError):
        segment_sum(np.ones(2), np.array([0, 1]), -1)
