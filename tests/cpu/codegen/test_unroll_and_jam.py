# SPDX-License-Identifier: Apache-2.0
"""Sums over rows, several of them in each iteration: the same numbers, and only where it is meant to be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus_core.toolkit.flatten import flatten
from olympus_core.toolkit.fusion import FusionOptions, KernelStep, plan
from olympus_core.toolkit.loops import Kernel, run_kernel, verify_kernel
from olympus_cpu.codegen import unroll_and_jam as unrolling
from olympus_cpu.codegen.emit.module import emit_kernel
from olympus_cpu.codegen.emit.operations import supports
from olympus_cpu.codegen.target import Target
from olympus_cpu.codegen.unroll_and_jam import unroll_and_jam
from olympus_cpu.compiled import group

from .emit.running import machine

ROWS, COLUMNS = 256, 1030


def kernels_of(f: Callable[[Any], Any], x: np.ndarray) -> list[Kernel]:
    """The kernels of a function of an array."""
    program = olympus.jit(f).trace(x).program
    planned = plan(flatten(program), supports, FusionOptions(parallelism=8, lane_block=1024))
    return [step.kernel for step in planned.steps if isinstance(step, KernelStep)]


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unrolling, "_LARGE", 1 << 10)


def numbers(dtype: Any = np.float32, shape: tuple[int, ...] = (ROWS, COLUMNS)) -> np.ndarray:
    return (np.random.default_rng(0).standard_normal(shape) * 100).astype(dtype)


@pytest.mark.parametrize(("f", "truth"), [
    (lambda x: jnp.sum(x, axis=1), lambda x: np.sum(x, axis=1, dtype=np.float64)),
    (lambda x: jnp.max(x, axis=1), lambda x: np.max(x, axis=1)),
    (lambda x: jnp.mean(x * x, axis=1), lambda x: np.mean(x.astype(np.float64)**2, axis=1)),
    (lambda x: jnp.any(x > 250, axis=1), lambda x: np.any(x > 250, axis=1)),
    (lambda x: jnp.sum(jnp.where(x > 0, x, 1), axis=1), lambda x: np.sum(np.where(x > 0, x, 1), axis=1)),
], ids=["sum", "max", "mean-of-squares", "any", "where"])
@pytest.mark.parametrize("dtype", [np.float32, np.int32])
def test_rows_beside_each_other_give_the_same(f: Any, truth: Any, dtype: Any) -> None:
    x = numbers(dtype)
    (before,) = kernels_of(f, x)
    after = unroll_and_jam(before)
    assert after.loop.extent == ROWS // 4
    verify_kernel(after)
    (plain,), (jammed,) = run_kernel(before, [x.reshape(-1)]), run_kernel(after, [x.reshape(-1)])
    np.testing.assert_array_equal(jammed, plain)
    (native,) = machine(after, [x.reshape(-1)], level=0)
    np.testing.assert_allclose(native, truth(x), rtol=1e-5, atol=2e-1 if dtype == np.float32 else 0)


def test_equal_rows_have_equal_sums() -> None:
    x = np.tile(numbers(shape=(1, COLUMNS)), (ROWS, 1))
    (kernel,) = kernels_of(lambda x: jnp.sum(x, axis=1), x)
    (sums,) = machine(unroll_and_jam(kernel), [x.reshape(-1)], level=0)
    assert len(set(sums.tolist())) == 1


@pytest.mark.parametrize(("f", "shape"), [
    (lambda x: jnp.sum(x, axis=1), (ROWS + 2, COLUMNS)),
    (lambda x: jnp.sum(x, axis=1), (ROWS // 2, COLUMNS)),
    (lambda x: jnp.sum(x, axis=1), (ROWS, 1000)),
    (lambda x: jnp.sum(x, axis=0), (COLUMNS, ROWS)),
    (lambda x: jnp.sum(jnp.exp(x), axis=1), (ROWS, COLUMNS)),
    (lambda x: x - jnp.max(x, axis=1, keepdims=True), (ROWS, COLUMNS)),
    (lambda x: x + 1, (ROWS, COLUMNS)),
], ids=["rows-that-do-not-divide", "few-rows", "short-rows", "columns", "heavy", "stored-too", "no-sum"])
def test_other_kernels_stay_as_they_are(f: Any, shape: tuple[int, int]) -> None:
    kernels = kernels_of(f, numbers(shape=shape))
    assert kernels and all(unroll_and_jam(kernel) is kernel for kernel in kernels)


def test_small_inputs_stay_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    (kernel,) = kernels_of(lambda x: jnp.sum(x, axis=1), numbers())
    assert unroll_and_jam(kernel) is kernel


def test_compiled_programs_read_rows_beside_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[int, int]] = []

    def spied(kernel: Kernel) -> Kernel:
        after = unroll_and_jam(kernel)
        seen.append((kernel.loop.extent, after.loop.extent))
        return after

    monkeypatch.setattr(group, "unroll_and_jam", spied)
    x = numbers()
    found = olympus.jit(lambda x: jnp.sum(x * 2, axis=1) + 1)(x)
    assert (ROWS, ROWS // 4) in seen
    np.testing.assert_allclose(np.asarray(found), np.sum(x * 2.0, axis=1, dtype=np.float64) + 1, rtol=1e-5, atol=2e-1)


@pytest.mark.parametrize("processor", ["haswell", "skylake-avx512"])
def test_rows_beside_each_other_are_prefetched_a_line_at_a_time(processor: str) -> None:
    (kernel,) = kernels_of(lambda x: jnp.sum(x, axis=1), np.empty((ROWS, 1 << 14), np.float32))
    one, four = (emit_kernel(k, Target.named(processor), "f") for k in (kernel, unroll_and_jam(kernel)))
    assert one.count("call void @llvm.prefetch") == 0  # a single stream is read faster without
    assert four.count("call void @llvm.prefetch") == 4
