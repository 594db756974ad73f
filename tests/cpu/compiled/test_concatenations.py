# SPDX-License-Identifier: Apache-2.0
"""Concatenations of many parts: kernels of their own, where no kernel around them can hold them."""

from __future__ import annotations

import logging
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax

COUNTS = (8, 9, 21, 49, 130)
TYPES = ("bool", "i1", "u2", "i4", "i8", "f2", "bf16", "f4", "f8", "c8", "c16")


@pytest.fixture(autouse=True)
def nothing_is_run_by_numpy(caplog: pytest.LogCaptureFixture) -> Any:
    caplog.set_level(logging.DEBUG, "olympus.cpu")
    yield
    assert not [r for r in caplog.records if "not compiled" in r.getMessage()]


@pytest.mark.parametrize("count", COUNTS)
def test_stacks_of_numbers_with_work_around_them(count: int) -> None:
    x = np.random.default_rng(count).standard_normal(count).astype("f4")
    total = olympus.jit(lambda x: jnp.stack([jnp.sin(x[i]) for i in range(count)]).sum())(x)
    np.testing.assert_allclose(total, np.sin(x.astype("f8")).sum(), atol=1e-5)
    assert olympus.jit(lambda *xs: jnp.stack(xs) * 2)(*map(np.float32, range(count))).tolist() == [
        2 * i for i in range(count)]


@pytest.mark.parametrize("count", COUNTS)
def test_a_loop_stays_native(count: int) -> None:
    x = np.arange(count, dtype="f4")
    found = olympus.jit(lambda x: lax.fori_loop(
        0, 3, lambda i, c: jnp.stack([c[(j + 1) % count] * 1.5 for j in range(count)]), x))(x)
    np.testing.assert_array_equal(found, np.roll(x, -3) * np.float32(1.5**3))


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("dimension", [0, 1, 2])
def test_parts_of_all_types_and_sizes(dtype: str, dimension: int) -> None:
    kind = np.dtype(ml_dtypes.bfloat16 if dtype == "bf16" else dtype)
    shape = [3, 4, 5]
    with olympus.enable_x64(True):
        parts = []
        for i in range(60):
            shape[dimension] = i % 4  # every fourth is empty
            parts.append((np.random.default_rng(i).standard_normal(shape) * 9).astype(kind))
        found = olympus.jit(lambda xs: jnp.concatenate([*xs, xs[1], xs[7]], dimension))(parts)
    assert found.dtype == kind
    np.testing.assert_array_equal(found, np.concatenate([*parts, parts[1], parts[7]], dimension))
