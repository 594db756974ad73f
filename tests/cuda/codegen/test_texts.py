# SPDX-License-Identifier: Apache-2.0
"""What the texts look like, and that the GPU's compiler takes them."""

from __future__ import annotations

import re

import numpy as np
import pytest

from olympus_core import dtypes
from olympus_cuda import nvrtc
from olympus_cuda.codegen import Module, Target, emit_module

from ..functions.kernels import LONG
from ..nvrtc.test_nvrtc import needs_nvrtc
from .programs import (
    PROGRAMS,
    Writes,
    chain,
    running_sum,
    running_sum_of_columns,
    scaled_rows,
    scattered_again,
    scattered_elements,
    scattered_rows,
    softmax,
    sum_of_columns,
    sum_of_rows,
    transposed,
    written,
)
from .running import SMALL_GPU, kernels_of, planned
from .test_operations import program


def text_of(function: Writes, m: int, n: int, target: Target = SMALL_GPU) -> Module:
    """The one kernel of a program, as a module."""
    (kernel,) = kernels_of(planned(written(function, m, n)[0]))
    return emit_module([(kernel, "kernel")], target)


def accesses(text: str, pointer: str) -> int:
    """How often a pointer is read or written through."""
    return len(re.findall(rf"\b{pointer}\[", text))


def test_chains_go_by_vectors() -> None:
    text = text_of(chain, 64, 1024).text
    assert "*(const olympus_vector<float, 4>*)&p0[" in text and "*(olympus_vector<float, 4>*)&p1[" in text
    assert accesses(text, "p0") == accesses(text, "p1") == 1


def test_what_all_rows_read_is_not_read_early() -> None:
    """Registers are kept for what comes from far."""
    text = text_of(scaled_rows, 600, 8192, Target()).text
    assert "k0[4]" in text and re.search(r"v\d+ = \*\(const olympus_vector<float, 4>\*\)&p1\[", text), text


def test_running_sums_are_shared_by_threads() -> None:
    text = text_of(running_sum, 300, 4096, Target()).text
    assert "shuffle_up_float32" in text and text.count("__syncthreads();") == 1
    assert "__syncthreads" not in text_of(running_sum, 5000, 64, Target()).text


def test_long_running_sums_are_three_launches() -> None:
    launches = text_of(running_sum, 1, 1 << 20, Target()).launches["kernel"]
    assert [launch.grid for launch in launches] == [256, 1, 256]
    assert len({launch.scratch for launch in launches}) == 1 and launches[0].scratch >= 4 * 256
    launches = text_of(running_sum_of_columns, 1 << 16, 32, Target()).launches["kernel"]
    assert len(launches) == 3 and launches[2].grid * launches[2].block >= 1 << 16
    assert len(text_of(running_sum, 300, 1 << 15, Target()).launches["kernel"]) == 1


def test_loops_of_one_thread_load_before_they_store() -> None:
    text = text_of(running_sum_of_columns, 40, 512, Target()).text
    assert "l0[u] = p0[" in text and text.index("l0[u] = p0[") < text.index("p1[")


def test_rows_are_read_once_and_written_once() -> None:
    for m, n in [(64, 1024), (1000, 96), (3, 8192), (16, 333)]:
        text = text_of(softmax, m, n).text
        assert accesses(text, "p0") == accesses(text, "p1") == 1, text


def test_long_rows_are_read_again() -> None:
    assert accesses(text_of(softmax, 200, 100_000, Target()).text, "p0") > 1


def test_transposes_go_through_shared_memory() -> None:
    text = text_of(transposed, 256, 320).text
    assert "__shared__ __align__(16) float p2[4160];" in text
    assert text.count("__syncthreads();") == 1


def test_rows_without_blocks_have_no_barrier_of_blocks() -> None:
    text = text_of(sum_of_rows, 4096, 128, Target()).text
    assert "__syncthreads" not in text and "shuffle_down_float32" in text


def test_every_tile_is_a_block() -> None:
    (launch,) = text_of(transposed, 256, 320).launches["kernel"]
    assert launch.grid == 4 * 5


def test_columns_are_shared_where_they_are_few() -> None:
    text = text_of(sum_of_columns, 100, 40, Target()).text
    assert "g += 16" in text and "__syncthreads" in text


def test_a_large_copy_before_a_scatter_is_a_launch_of_its_own() -> None:
    module = text_of(scattered_rows, 300, 512)
    copy, scatter = module.launches["kernel"]
    assert copy.grid * copy.block >= 300 * 512 // 8 and scatter.grid * scatter.block >= 512
    assert len(text_of(scattered_rows, 3, 5).launches["kernel"]) == 1


def test_updates_are_shared_by_the_classes_of_their_places() -> None:
    (kernel,) = kernels_of(planned(written(scattered_elements, 64, 64)[0]))
    assert emit_module([(kernel, "kernel")], Target()).launches["kernel"][1].block == 32  # 9 classes
    kernels = kernels_of(planned(written(scattered_again, 64, 512)[0]))
    rows = emit_module([(kernels[-1], "kernel")], Target()).launches["kernel"][-1]
    assert rows.grid * rows.block >= 5 * 512


def test_constants_are_exact() -> None:
    from olympus_cuda.codegen.language import literal

    assert literal(np.float32(0.1), dtypes.float32) == "0x1.99999a0000000p-4f"
    assert literal(np.float64(-0.0), dtypes.float64) == "-0x0.0p+0"
    assert literal(np.float32(np.nan), dtypes.float32) == "__uint_as_float(0x7fc00000u)"
    assert literal(np.float64(-np.inf), dtypes.float64) == "__longlong_as_double(-4503599627370496ll)"
    assert literal(np.int64(-(2**63)), dtypes.int64) == "(-9223372036854775807ll - 1)"
    assert literal(np.uint64(2**64 - 1), dtypes.uint64) == "18446744073709551615ull"


@needs_nvrtc
@pytest.mark.parametrize(("turn", "architecture"), [(0, "sm_80"), (1, "sm_90"), (2, "sm_100")])
def test_the_compiler_takes_all_classes(turn: int, architecture: str) -> None:
    """For a large GPU all of them, for a small one a third with each architecture."""
    for target, programs in ((SMALL_GPU, PROGRAMS[turn::3]), (Target(architecture), PROGRAMS)):
        plans = [planned(written(f, m, n)[0]) for f in programs for m, n in [(7, 13), (256, 320)]]
        kernels = [k for found in plans for k in kernels_of(found)]
        module = emit_module([(k, f"k{i}") for i, k in enumerate(kernels)], target)
        assert nvrtc.compile_cubin(module.text, architecture, "classes")[:4] == b"\x7fELF"


@needs_nvrtc
@pytest.mark.parametrize("dtype", dtypes.ALL, ids=lambda d: d.name)
def test_the_compiler_takes_all_operations(dtype: np.dtype) -> None:
    """But for long functions of others than float32, which `functions/test_functions.py` compiles by themselves."""
    kernels = kernels_of(planned(program(dtype, () if dtype == dtypes.float32 else LONG)[0]))
    module = emit_module([(k, f"k{i}") for i, k in enumerate(kernels)])
    architecture = {0: "sm_80", 1: "sm_90", 2: "sm_100"}[dtype.num % 3]
    assert nvrtc.compile_cubin(module.text, architecture, "operations")[:4] == b"\x7fELF"
