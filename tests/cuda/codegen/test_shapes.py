# SPDX-License-Identifier: Apache-2.0
"""Every class of loops with sizes that fill warps, blocks and vectors, and with sizes that do not."""

from __future__ import annotations

import numpy as np
import pytest

from olympus_core import dtypes, ops
from olympus_core.program import run
from olympus_cuda.codegen import OPTIONS, Target
from olympus_cuda.codegen.schedule import CooperativePlan, PerThreadPlan, schedule

from ...toolkit.fusion.running import equal, single
from .programs import PROGRAMS, Writes, chain, written
from .running import SMALL_GPU, execute, kernels_of, needs_compiler, planned

pytestmark = needs_compiler
SHAPES = [(1, 1), (7, 13), (33, 64), (130, 67), (2, 4096), (600, 48), (70, 200)]
MANY = (129, 516)  # elements, for a small GPU: threads take two vectors


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_sizes(function: Writes) -> None:
    for place, (m, n) in enumerate(SHAPES):
        program, inputs = written(function, m, n)
        target = (SMALL_GPU, Target())[place % 2]
        results = execute(planned(program), inputs, target, checked=m * n < 15000, in_place=place % 3 == 0)
        for got, expected in zip(results, run(program, inputs), strict=True):
            equal(got, expected, 1e-3 if function.__name__.startswith("running_sum") else 2e-4)


def test_two_vectors_of_a_thread() -> None:
    for in_place in (False, True):
        program, inputs = written(chain, *MANY)
        (got,) = execute(planned(program), inputs, checked=True, in_place=in_place)
        equal(got, run(program, inputs)[0])


def test_two_runs_have_the_same_bits() -> None:
    for function in PROGRAMS:
        program, inputs = written(function, 67, 257)
        first, second = (execute(planned(program), inputs) for _ in range(2))
        for one, other in zip(first, second, strict=True):
            assert one.tobytes() == other.tobytes()


def test_the_sizes_meet_all_kinds_of_teams() -> None:
    found = set()
    for function in PROGRAMS:
        for m, n in [*SHAPES, MANY]:
            for kernel in kernels_of(planned(written(function, m, n)[0], OPTIONS)):
                for target in (SMALL_GPU, Target()):
                    for _, plan in schedule(kernel, target):
                        kind = type(plan).__name__
                        if isinstance(plan, CooperativePlan):
                            kind += " of a block" if plan.size > 32 else " of a warp" if plan.size == 32 else " of less"
                            kind += ", running" if plan.scans else ""
                        elif isinstance(plan, PerThreadPlan):
                            kind += " with vectors" if plan.width > 1 else ""
                        found.add(kind)
    teams = {f"CooperativePlan of {size}{kind}" for size in ("a block", "a warp", "less") for kind in ("", ", running")}
    assert found == {"PerThreadPlan", "PerThreadPlan with vectors", "ColumnReductionPlan", *teams}


@pytest.mark.parametrize(("shape", "dimension", "reverse"), [
    ((40_000,), 0, False), ((2, 33_003), 1, True), ((3000, 7), 0, True), ((2, 700, 3), 1, False),
    ((33_000, 2), 0, False), ((3, 5000), 1, False), ((5, 9_000), 1, False), ((400, 3), 1, False), ((3, 1_100), 1, True),
])
@pytest.mark.parametrize(
    "dtype", [dtypes.float32, dtypes.int8, dtypes.int64, dtypes.bfloat16, dtypes.complex64], ids=str)
def test_long_running_sums(shape: tuple[int, ...], dimension: int, reverse: bool, dtype: np.dtype) -> None:
    rng = np.random.default_rng(len(shape))
    x = rng.integers(-4, 5, shape).astype(dtype)  # sums are exact, in any order, but for what is rounded to 16 bits
    record = ops.cummin if dtype == dtypes.bfloat16 else ops.cumsum
    program = single(record, [x], dimension=dimension, reverse=reverse)
    for target in (SMALL_GPU, Target()):
        (got,) = execute(planned(program), [x], target, checked=dtype == dtypes.float32, in_place=True)
        (expected,) = run(program, [x])
        np.testing.assert_array_equal(got, expected)


def test_running_sums_of_any_operation_keep_their_order() -> None:
    x = np.random.default_rng(0).normal(size=(3, 5000)).astype(np.float32)
    x[1, 2500] = np.nan
    x[2, 4000] = np.inf
    for record in (ops.cummax, ops.cummin, ops.cumsum, ops.cumprod):
        program = single(record, [1 + x / 100 if record is ops.cumprod else x], dimension=1, reverse=False)
        given = [1 + x / 100 if record is ops.cumprod else x]
        (got,), (expected,) = execute(planned(program), given, checked=True), run(program, given)
        np.testing.assert_allclose(got, expected, rtol=2e-3, atol=2e-3)
