# SPDX-License-Identifier: Apache-2.0
"""Kernels that the planner makes: moves, reductions, gathers, scatters, random programs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from olympus_core import dtypes, ops
from olympus_core.program import run
from olympus_core.toolkit.fusion import FusionOptions
from olympus_cuda.codegen import OPTIONS, Target

from ...ops.test_indexing import gather_attributes, scatter_attributes, situations, windows_shape
from ...toolkit.fusion.random_programs import RandomProgram
from ...toolkit.fusion.running import equal, single
from ...toolkit.fusion.test_operations import MOVES, REDUCTIONS, sample, takes
from .running import SMALL_GPU, execute, needs_compiler, planned

pytestmark = needs_compiler
# Small tiles and partial sums, so that small arrays meet all ways of cutting loops, streams and scratch memory too.
SMALL = replace(OPTIONS, lane_tile=16, serial_block=4, reduction_block=64, parallelism=8, transpose_tile=8,
                short_row=3, stream_columns=3, stream_tile=16, lane_block=32)
LARGE_GPU = Target()


def compare(
    program: Any, inputs: Any, options: FusionOptions = OPTIONS, target: Target = SMALL_GPU, checked: bool = False,
    in_place: bool = False,
) -> None:
    """Runs a program by emitted kernels and by interpreter; the results must be the same."""
    results = execute(planned(program, options), inputs, target, checked, in_place)
    for got, expected in zip(results, run(program, inputs), strict=True):
        equal(got, expected)


@pytest.mark.parametrize("case", MOVES, ids=lambda c: c[0].name)
def test_moves(case: Any) -> None:
    record, operands, attributes = case
    for options in (OPTIONS, SMALL):
        compare(single(record, operands, **attributes), operands, options, checked=options is SMALL)


@pytest.mark.parametrize("dtype", [dtypes.bool_, dtypes.int8, dtypes.uint64, dtypes.bfloat16, dtypes.float16,
                                   dtypes.float32, dtypes.float64, dtypes.complex64], ids=lambda d: d.name)
def test_reductions(dtype: np.dtype) -> None:
    shapes = [((7,), (0,)), ((3, 20), (1,)), ((40, 70), (0,)), ((4, 3, 5), (0, 2)), ((2, 1100), (1,)),
              ((2, 37, 2), (1,)), ((1, 6), (0,)), ((), ())]
    count = 0
    for place, (shape, dimensions) in enumerate(shapes):
        if dtype != dtypes.float32 and (place + dtype.num) % 2:
            continue
        record = REDUCTIONS[(place + dtype.num) % len(REDUCTIONS)]
        for chosen in {record.name: record, "reduce_sum": ops.reduce_sum, "reduce_max": ops.reduce_max}.values():
            x = sample(shape, dtype)
            if takes(chosen, x, dimensions=dimensions):
                options, target = ((OPTIONS, SMALL_GPU), (SMALL, LARGE_GPU))[place % 2]
                compare(single(chosen, [x], dimensions=dimensions), [x], options, target, checked=True)
                count += 1
    assert count


def test_extremes_carry_nan() -> None:
    x = np.array([[1, np.nan, 3], [np.inf, 2, -np.inf], [np.nan, np.nan, 0]], np.float32)
    for record in (ops.reduce_max, ops.reduce_min):
        compare(single(record, [x], dimensions=(1,)), [x])
    for record in (ops.argmax, ops.argmin):
        for dimension in range(2):
            compare(single(record, [x], dimension=dimension, dtype=dtypes.int32), [x], checked=True)


@pytest.mark.parametrize("name", ["cumsum", "cumprod", "cummax", "cummin"])
def test_running_reductions(name: str) -> None:
    for shape, dimension in [((7,), 0), ((3, 9), 1), ((4, 5, 3), 1)]:
        for dtype in (dtypes.int8, dtypes.bfloat16, dtypes.float32):
            x = sample(shape, dtype)
            attributes = {"dimension": dimension, "reverse": dtype == dtypes.int8}
            compare(single(ops.OPERATIONS[name], [x], **attributes), [x], checked=True)


@settings(max_examples=15, deadline=None)
@given(situations(), st.sampled_from(["clip", "fill"]))
def test_gather(case: Any, mode: str) -> None:
    x = np.arange(np.prod(case["x_shape"], dtype=int)).reshape(case["x_shape"]).astype(np.float32)
    program = single(ops.gather, [x, case["indices"]], **gather_attributes(case, mode))
    compare(program, [x, case["indices"]])


@settings(max_examples=25, deadline=None)
@given(situations(), st.sampled_from(["clip", "drop"]), st.sampled_from(["set", "add", "mul", "min", "max"]),
       st.sampled_from([dtypes.int64, dtypes.bfloat16]))
def test_scatter(case: Any, mode: str, combine: str, dtype: np.dtype) -> None:
    x = (np.arange(np.prod(case["x_shape"], dtype=int)).reshape(case["x_shape"]) % 7).astype(dtype)
    shape = windows_shape(case)
    updates = (np.arange(np.prod(shape, dtype=int)).reshape(shape) % 5 - 1).astype(dtype)
    operands = [x, case["indices"], updates]
    compare(single(ops.scatter, operands, **scatter_attributes(case, mode, combine)), operands, checked=True)


@pytest.mark.parametrize("options", [OPTIONS, SMALL], ids=["usual", "small"])
@pytest.mark.parametrize("seed", range(16))
def test_random_programs(seed: int, options: FusionOptions) -> None:
    made = RandomProgram(seed, 15)
    compare(made.program, made.inputs, options, (SMALL_GPU, LARGE_GPU)[seed % 2], in_place=seed % 3 == 0)


@pytest.mark.parametrize(("seed", "size"), [*((seed, 12) for seed in range(100, 106)), (532, 18)])
def test_random_programs_have_no_races(seed: int, size: int) -> None:
    made = RandomProgram(seed, size)
    compare(made.program, made.inputs, SMALL, (SMALL_GPU, LARGE_GPU)[seed % 2], checked=True, in_place=True)
