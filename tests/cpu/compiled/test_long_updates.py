# SPDX-License-Identifier: Apache-2.0
"""Many single elements combined with an array where data say: in order, in vectors, whatever lies outside left out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax, ops

COUNT = (1 << 15) + 13  # from here on loops of updates are vectorized; not a whole number of vectors
TYPES = [np.float32, np.float64, np.float16, jnp.bfloat16, np.int8, np.uint16, np.int32, np.int64, np.complex64,
         np.complex128]


def some(dtype: Any, count: int = COUNT) -> np.ndarray:
    rng = np.random.default_rng(0)
    values = rng.integers(-3, 4, count) if np.issubdtype(np.dtype(dtype), np.integer) else rng.standard_normal(count)
    return np.asarray(values + (1j * rng.standard_normal(count) if np.issubdtype(dtype, np.complexfloating) else 0)
                      ).astype(dtype)


def positions(size: int, dtype: Any = np.int32, outside: bool = True) -> np.ndarray:
    found = np.random.default_rng(1).integers(0, size, COUNT)
    if outside:
        found[::501] = size + 7
        found[3] = -size - 1
    return found.astype(dtype)


@pytest.mark.parametrize("outside", [False, True])
@pytest.mark.parametrize("dtype", TYPES)
def test_sums_are_made_in_order(dtype: Any, outside: bool) -> None:
    with olympus.enable_x64(True):
        x, where = some(dtype), positions(1000, outside=outside)
        inside = (where >= 0) & (where < 1000)
        wide = np.dtype(np.float32 if np.dtype(dtype) in (np.float16, jnp.bfloat16) else dtype)
        expected = np.zeros(1000, wide)
        np.add.at(expected, where[inside], x[inside].astype(wide))
        np.testing.assert_array_equal(
            olympus.jit(lambda x, i: ops.segment_sum(x, i, 1000))(x, where), expected.astype(dtype))


@pytest.mark.parametrize("index", [np.int8, np.uint8, np.int16, np.uint32, np.int64])
def test_positions_of_every_type(index: Any) -> None:
    with olympus.enable_x64(True):
        x, where = some(np.float32), positions(100, index, outside=False)
        expected = np.zeros(100, np.float32)
        np.add.at(expected, where, x)
        found = olympus.jit(lambda x, i: jnp.zeros(100, jnp.float32).at[i].add(x))(x, where)
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("function, truth", [
    (lambda a, i, x: a.at[i].max(x), np.maximum), (lambda a, i, x: a.at[i].min(x), np.minimum),
    (lambda a, i, x: a.at[i].multiply(x), np.multiply),
])
def test_other_combinations(function: Callable[..., Any], truth: np.ufunc) -> None:
    x, where, a = some(np.float32), positions(999), some(np.float32, 999)
    x[77] = np.nan
    inside = (where >= 0) & (where < 999)
    expected = a.copy()
    with np.errstate(invalid="ignore"):
        truth.at(expected, where[inside], x[inside])
    np.testing.assert_array_equal(olympus.jit(function)(a, where, x), expected)


def test_bits_are_combined() -> None:
    dims = lax.ScatterDimensionNumbers((), (0,), (0,))
    x, where = np.random.default_rng(2).random(COUNT) < 0.001, positions(4096)
    inside = (where >= 0) & (where < 4096)
    expected = np.zeros(4096, bool)
    np.logical_or.at(expected, where[inside], x[inside])
    found = olympus.jit(lambda i, x: lax.scatter_max(jnp.zeros(4096, bool), i[:, None], x, dims))(where, x)
    np.testing.assert_array_equal(found, expected)


def test_updates_of_what_is_updated() -> None:
    """The operand is read by the updates themselves, also where its memory is given away."""
    x, where = some(np.float32), positions(COUNT, outside=False)
    expected = x.copy()
    np.add.at(expected, where, 2 * x)
    f = lambda x, i: x.at[i].add(2 * x)
    np.testing.assert_array_equal(olympus.jit(f)(x, where), expected)
    np.testing.assert_array_equal(olympus.jit(f, donate_argnums=0)(jnp.array(x), where), expected)


def test_values_and_positions_are_computed_and_gathered_in_the_same_loop() -> None:
    x, where, table = some(np.float32), positions(500, outside=False), some(np.float32, 500)
    expected = np.zeros(250, np.float32)
    np.add.at(expected, where // 2, np.sqrt(np.abs(x)) * table[where])
    found = olympus.jit(lambda x, i, t: jnp.zeros(250).at[i // 2].add(jnp.sqrt(jnp.abs(x)) * t[i]))(x, where, table)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-4)
