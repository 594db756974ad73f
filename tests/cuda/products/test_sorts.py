# SPDX-License-Identifier: Apache-2.0
"""Sorts of any length, dimension and element types, bit for bit as their reference."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from olympus_core import dtypes, ops
from olympus_core.program import ArrayType, Operation, Value
from olympus_cuda.products.work_steps import ProductWork

from .emulated_gpu import expected, made_step, run


def special(shape: Sequence[int], dtype: np.dtype, seed: int) -> np.ndarray:
    """Few different elements, so that there are ties; NaN, infinities and both zeros among them."""
    random = np.random.default_rng(seed)
    if dtypes.is_bool(dtype):
        return random.integers(0, 2, shape).astype(dtype)
    if dtypes.is_integer(dtype):
        limits = np.iinfo(dtype)
        return random.choice(np.array([limits.min, limits.max, 0, 1, 2, 7], dtype), shape)
    parts = [random.choice([0.0, -0.0, 1, 2, -3, np.nan, np.inf, -np.inf, 0.5], shape) for _ in range(2)]
    if dtypes.is_complex(dtype):
        made = np.empty(shape, dtype)
        made.real, made.imag = parts
        return made
    with np.errstate(invalid="ignore"):  # one narrow type has no infinity
        return parts[0].astype(dtype)


def check(shape: tuple[int, ...], kinds: Sequence[np.dtype], dimension: int, keys: int, seed: int = 0) -> ProductWork:
    """Sorts, compares, and gives the work."""
    arrays = [special(shape, dtype, seed + i) for i, dtype in enumerate(kinds)]
    values = tuple(Value(ArrayType(a.shape, a.dtype)) for a in arrays)
    results = tuple(Value(v.type) for v in values)
    operation = Operation(ops.sort, values, {"dimension": dimension, "keys": keys}, (), results, None)
    work = made_step(operation)
    assert isinstance(work, ProductWork)
    for given_, wanted in zip(run(work, arrays), expected(operation, arrays), strict=True):
        assert given_.tobytes() == np.ascontiguousarray(wanted).tobytes()
    return work


@pytest.mark.parametrize("dtype", dtypes.ALL, ids=lambda d: d.name)
def test_every_element_type_as_key_and_as_what_goes_along(dtype: np.dtype) -> None:
    check((3, 37), [dtype, dtypes.int32, dtype], 1, 1)


@pytest.mark.parametrize(("shape", "kinds", "dimension", "keys", "parts"), [
    ((5, 33, 3), [dtypes.float32, dtypes.int32, dtypes.complex64], 1, 3, 1),
    ((300, 4), [dtypes.float32, dtypes.int32], 1, 2, 1),
    ((4, 300), [dtypes.float32, dtypes.int32], 0, 1, 1),
    ((2048,), [dtypes.float32, dtypes.int32], 0, 1, 1),
    ((2049,), [dtypes.float32, dtypes.int32], 0, 1, 3),
    ((2, 5000, 2), [dtypes.float32, dtypes.int32], 1, 1, 4),
    ((4097,), [dtypes.complex128, dtypes.int32], 0, 2, 5),
    ((3, 1), [dtypes.float64, dtypes.int32], 1, 2, 1),
    ((1,), [dtypes.float16], 0, 1, 1),
])
def test_lengths_and_dimensions(
    shape: tuple[int, ...], kinds: list[np.dtype], dimension: int, keys: int, parts: int
) -> None:
    assert len(check(shape, kinds, dimension, keys).variants[0].steps) == parts


@settings(max_examples=12, deadline=None)
@given(st.lists(st.integers(1, 9), min_size=1, max_size=3).map(tuple), st.data())
def test_any_sort(shape: tuple[int, ...], data: st.DataObject) -> None:
    kinds = data.draw(st.lists(st.sampled_from([dtypes.float32, dtypes.int8, dtypes.complex64, dtypes.bool_]),
                               min_size=1, max_size=3))
    dimension = data.draw(st.integers(0, len(shape) - 1))
    check(shape, kinds, dimension, data.draw(st.integers(1, len(kinds))), data.draw(st.integers(0, 99)))


def test_many_operands() -> None:
    check((40,), [dtypes.int8, *[dtypes.float32] * 20], 0, 1)


def test_more_keys_than_shared_memory_holds_are_left_to_the_table() -> None:
    values = tuple(Value(ArrayType((40,), dtypes.complex128)) for _ in range(120))
    attributes = {"dimension": 0, "keys": 120}
    assert made_step(Operation(ops.sort, values, attributes, (), tuple(Value(v.type) for v in values), None)) is None


def test_nothing_to_sort() -> None:
    assert check((0, 3), [dtypes.float32], 0, 1).variants[0].steps == ()
