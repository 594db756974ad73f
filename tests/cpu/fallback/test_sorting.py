# SPDX-License-Identifier: Apache-2.0
"""Sorts and greatest elements of the CPU platform's table: the references' bits, few also against Python."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from olympus_core import dtypes, ops
from olympus_core.program import ArrayType, OperationRecord, ProgramBuilder
from olympus_core.toolkit import quietly
from olympus_cpu.fallback.sorting import SORT_FACTORIES

# Below and above each number of elements or length at which another way is taken.
SHAPES = [(0,), (1,), (7,), (300,), (600,), (5000,), (3, 700), (4, 0), (0, 4), (300, 8), (30, 7, 12), (2, 40, 300)]


def values(shape: Sequence[int], dtype: np.dtype, kind: str, seed: int = 0) -> np.ndarray:
    """Elements that all differ, that are few with special numbers among them, or that are all alike."""
    random = np.random.default_rng(seed)
    if kind == "alike":
        return np.zeros(shape, dtype)
    if dtypes.is_bool(dtype):
        return random.integers(0, 2, shape).astype(dtype)
    if dtypes.is_integer(dtype):
        limits = np.iinfo(dtype)
        if kind == "few":
            return random.choice(np.array([limits.min, limits.max, 0, 1, 2, 7], dtype), shape)
        return random.integers(limits.min, limits.max, shape, dtype, endpoint=True)
    some = [0.0, -0.0, 1, 2, -3, np.inf, -np.inf, 0.5, *([np.nan, -np.nan] if kind == "few" else [])]
    with np.errstate(all="ignore"):
        if kind == "distinct":
            return np.asarray(random.standard_normal(shape)).astype(dtype)
        return random.choice(some, shape).astype(dtype)


def check(record: OperationRecord, operands: Sequence[np.ndarray], **attributes: Any) -> list[np.ndarray]:
    """Compares the kernel with the reference, bit for bit, and gives what it found."""
    builder = ProgramBuilder("one")
    inputs = [builder.input(ArrayType(x.shape, x.dtype)) for x in operands]
    kernel = SORT_FACTORIES[record.name](builder.finish(builder.emit(record, inputs, attributes)).operations[0])
    assert kernel is not None
    before = [x.tobytes() for x in operands]
    made = quietly(kernel.function, *operands)
    found = list(made) if kernel.is_tuple else [made]
    assert [x.tobytes() for x in operands] == before
    assert record.reference is not None
    for got, wanted in zip(found, record.reference(operands, attributes), strict=True):
        assert (got.shape, got.dtype) == (wanted.shape, wanted.dtype)
        assert got.tobytes() == wanted.tobytes()
    return found


@pytest.mark.parametrize("kind", ["distinct", "few", "zeros", "alike"])
@pytest.mark.parametrize("dtype", [d for d in dtypes.ALL if not dtypes.is_complex(d)], ids=str)
def test_what_the_references_give(dtype: np.dtype, kind: str) -> None:
    for shape in SHAPES:
        x = values(shape, dtype, kind)
        along = np.arange(x.size).reshape(shape).astype(np.int16)
        for dimension, n in enumerate(shape):
            check(ops.sort, [x], dimension=dimension, keys=1)
            check(ops.sort, [x, along, x], dimension=dimension, keys=1)
            for k in sorted({0, min(1, n), min(5, n), n // 3, n}):
                check(ops.top_k, [x], dimension=dimension, k=k, dtype=dtypes.int32)


@pytest.mark.parametrize("dtype", [dtypes.float32, dtypes.float64, dtypes.int32, dtypes.bfloat16], ids=str)
def test_operands_that_do_not_lie_row_by_row(dtype: np.dtype) -> None:
    for kind in ("distinct", "few"):
        x = values((40, 600), dtype, kind)
        for view in (x.T, x[:, ::2], x[::-1, ::-1], np.broadcast_to(x[:1], (9, 600))):
            for dimension in (0, 1):
                check(ops.sort, [view], dimension=dimension, keys=1)
                check(ops.sort, [view, view], dimension=dimension, keys=1)
                check(ops.top_k, [view], dimension=dimension, k=4, dtype=dtypes.int64)


@pytest.mark.parametrize("nowhere", [0, 3, 4, 5, 699, 700])
def test_lines_with_more_and_fewer_nan_than_are_wanted(nowhere: int) -> None:
    x = np.stack([values((700,), dtypes.float32, "distinct", i) for i in range(4)])
    x[1, np.random.default_rng(0).permutation(700)[:nowhere]] = np.nan
    found, places = check(ops.top_k, [x], dimension=1, k=4, dtype=dtypes.int32)
    assert np.isnan(found).sum() == min(nowhere, 4)
    assert places[1, : min(nowhere, 4)].tolist() == np.flatnonzero(np.isnan(x[1]))[:4].tolist()


def test_the_first_of_many_equal_elements() -> None:
    x = np.zeros((5, 1000), np.float32)
    x[2, 700:] = 1
    x[3, 5] = 2
    _, places = check(ops.top_k, [x], dimension=1, k=3, dtype=dtypes.int32)
    assert places.tolist() == [[0, 1, 2], [0, 1, 2], [700, 701, 702], [5, 0, 1], [0, 1, 2]]


def test_long_lines_in_blocks() -> None:
    for shape in ((300, 1000), (3, 100_003)):
        x = values(shape, dtypes.float32, "distinct")
        found, places = check(ops.top_k, [x], dimension=1, k=20, dtype=dtypes.int32)
        np.testing.assert_array_equal(found, -np.sort(-x, 1)[:, :20])
        np.testing.assert_array_equal(places, np.argsort(-x, 1, kind="stable")[:, :20])


def test_both_zeros_keep_their_order_and_nan_their_bits() -> None:
    for count in (10, 5000):
        x = np.random.default_rng(0).choice(np.array([0.0, -0.0], np.float32), count)
        (found,) = check(ops.sort, [x], dimension=0, keys=1)
        assert found.tobytes() == x.tobytes()
        bits = (0x7FC00000 + np.arange(count)).astype(np.uint32)
        (found,) = check(ops.sort, [bits.view(np.float32)], dimension=0, keys=1)
        assert found.view(np.uint32).tolist() == bits.tolist()


numbers = st.sampled_from([-1.0, -0.0, 0.0, 1.0, 2.0, math.inf, -math.inf, math.nan])


@settings(max_examples=100, deadline=None)
@given(st.lists(st.lists(numbers, min_size=5, max_size=5), max_size=4), st.integers(0, 5))
def test_against_python(rows: list[list[float]], k: int) -> None:
    x = np.array(rows, np.float32).reshape(len(rows), 5)
    _, places = check(ops.top_k, [x], dimension=1, k=k, dtype=dtypes.int32)
    for row, found in zip(rows, places.tolist(), strict=True):
        assert found == sorted(range(5), key=lambda i: (not math.isnan(row[i]), -row[i] if row[i] == row[i] else 0))[:k]


def test_what_is_left_to_the_references() -> None:
    for dtype, keys in ((dtypes.complex64, 1), (dtypes.float32, 2)):
        builder = ProgramBuilder("one")
        x = builder.input(ArrayType((4,), dtype))
        operation = builder.finish(builder.emit(ops.sort, [x, x], {"dimension": 0, "keys": keys})).operations[0]
        assert SORT_FACTORIES["sort"](operation) is None
