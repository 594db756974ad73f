# SPDX-License-Identifier: Apache-2.0
"""Quotients by a row's number: NumPy's bits, which are IEEE 754's, on whatever machine this is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus_core.toolkit.flatten import flatten
from olympus_core.toolkit.fusion import FusionOptions, KernelStep, plan
from olympus_core.toolkit.loops import Kernel
from olympus_cpu.codegen.emit.module import emit_kernel
from olympus_cpu.codegen.emit.operations import supports
from olympus_cpu.codegen.target import Target

COLUMNS = 512
TYPES = [np.float32, np.float64]


def rows_by(x: Any, s: Any) -> Any:
    return x / s[:, None]


def check(x: np.ndarray, s: np.ndarray) -> None:
    with olympus.enable_x64(True), np.errstate(all="ignore"):
        found, wanted = np.asarray(olympus.jit(rows_by)(x, s)), rows_by(x, s)
    assert found.dtype == wanted.dtype
    word = np.dtype(f"u{x.itemsize}")
    same = (found.view(word) == wanted.view(word)) | (np.isnan(found) & np.isnan(wanted))
    assert same.all(), [(x[i].hex(), s[i[0]].hex()) for i in map(tuple, np.argwhere(~same)[:3])]


def divisors(dtype: Any, count: int) -> np.ndarray:
    """Mantissas at random and at both ends."""
    rng, info = np.random.default_rng(count), np.finfo(dtype)
    s = rng.uniform(1, 2, count).astype(dtype)
    ends = np.array([1, 1 + info.eps, 1 + 2 * info.eps, 2 - info.eps, 2 - 2 * info.eps, 1.5], dtype)
    s[:ends.size] = ends
    return np.asarray(s * dtype(2) ** rng.integers(-20, 20, count).astype(dtype), dtype)


@pytest.mark.parametrize("dtype", TYPES)
def test_quotients_next_to_the_middle_between_two_floats(dtype: Any) -> None:
    rng, eps = np.random.default_rng(0), np.longdouble(np.finfo(dtype).eps)
    s = divisors(dtype, 1500)
    near = rng.uniform(1, 2, (s.size, COLUMNS)).astype(dtype).astype(np.longdouble) + eps / 2
    x = np.asarray(near * s[:, None].astype(np.longdouble), dtype)
    check(x, s)
    check(np.nextafter(x, dtype(0)), -s)
    check(np.nextafter(x, dtype(np.inf)), s)


@pytest.mark.parametrize("dtype", TYPES)
def test_quotients_of_all_sizes(dtype: Any) -> None:
    rng, info = np.random.default_rng(1), np.finfo(dtype)
    low, high = info.minexp - info.nmant, info.maxexp - 1
    for least, most in ((-30, 30), (low, high)):
        s = np.ldexp(rng.uniform(1, 2, 300), rng.integers(least, most, 300)).astype(dtype)
        x = np.ldexp(rng.uniform(-2, 2, (300, COLUMNS)), rng.integers(low, high, (300, COLUMNS))).astype(dtype)
        check(x, s)
        x[:, ::3] = 0
        check(x, -s)


@pytest.mark.parametrize("dtype", TYPES)
def test_numbers_that_are_none(dtype: Any) -> None:
    info = np.finfo(dtype)
    ends = np.array([0, -0.0, np.inf, -np.inf, np.nan, info.smallest_subnormal, info.tiny, info.max, 1, -3], dtype)
    x = np.ones((ends.size, COLUMNS), dtype)
    x[:, : ends.size] = ends
    check(x, ends)
    for end in ends:
        check(np.full((4, COLUMNS), end), np.array([1, 3, -3, 7], dtype))


@pytest.mark.parametrize("columns", [65, 100, 127, 200])
def test_remainders(columns: int) -> None:
    x = np.random.default_rng(3).standard_normal((64, columns)).astype(np.float32)
    check(x, divisors(np.float32, 64))


def test_a_constant_and_rows_that_are_short() -> None:
    x = np.random.default_rng(2).standard_normal((300, 7)).astype(np.float32)
    np.testing.assert_array_equal(olympus.jit(lambda x: x / 3)(x), x / np.float32(3))
    long = x.reshape(-1)
    found = olympus.jit(lambda x: jnp.sin(x) / 3)(long)
    np.testing.assert_array_equal(found, np.asarray(jnp.sin(long)) / np.float32(3))


def test_only_wide_divisions_are_replaced() -> None:
    program = olympus.jit(rows_by).trace(np.ones((64, COLUMNS), np.float32), np.ones(64, np.float32)).program
    (kernel,) = (s.kernel for s in plan(flatten(program), supports, FusionOptions(8, 1024)).steps
                 if isinstance(s, KernelStep))
    assert isinstance(kernel, Kernel)
    texts = {name: emit_kernel(kernel, Target.named(name), "f") for name in ("haswell", "skylake-avx512")}
    assert "rare" not in texts["haswell"] and "fdiv float" not in texts["haswell"]
    assert "rare" in texts["skylake-avx512"] and texts["skylake-avx512"].count("fdiv float") == 1
