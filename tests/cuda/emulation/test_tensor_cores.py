# SPDX-License-Identifier: Apache-2.0
"""Products by tensor cores, matrices in shared memory and copies that do not wait, as the emulation does them."""

from __future__ import annotations

import numpy as np
import pytest

from olympus_core import dtypes
from olympus_cuda.codegen import functions

from .compile import EmulatedModule, EmulationError, missing
from .memory import Guarded

pytestmark = pytest.mark.skipif(missing() is not None, reason=str(missing()))

# x is 16 by 16, y has 8 rows of 16 where it is read as columns, or 16 rows of 8, which end up contracted.
PRODUCTS = r"""
extern "C" __global__ void by_columns(const uint4* x, const uint4* y, float* out) {
    extern __shared__ __align__(16) uint4 tile[];
    int lane = threadIdx.x;
    olympus_copy_async(tile + lane, x + lane, true);
    olympus_copy_async(tile + 32 + lane, y + lane % 16, lane < 16);
    olympus_await_copies();
    BARRIER;
    unsigned a[4], b[4];
    olympus_load_matrices(a, tile, lane % 16 * 32 + lane / 16 * 16);
    olympus_load_matrices(b, tile + 32, lane % 8 * 32 + lane / 8 % 2 * 16);
    float c[4] = {};
    MULTIPLY(c, a, b[0], b[1]);
    for (int i = 0; i < 4; ++i) out[(lane / 4 + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = c[i];
}
extern "C" __global__ void contracted(const uint4* x, const uint4* y, float* out) {
    extern __shared__ __align__(16) uint4 tile[];
    int lane = threadIdx.x;
    olympus_copy_async(tile + lane, x + lane, true);
    olympus_copy_async(tile + 32 + lane, y + lane % 16, lane < 16);
    olympus_await_copies();
    BARRIER;
    unsigned a[4], b[4];
    olympus_load_matrices(a, tile, lane % 16 * 32 + lane / 16 * 16);
    olympus_load_transposes(b, tile + 32, lane % 16 * 16);
    float c[4] = {1, 1, 1, 1};
    MULTIPLY(c, a, b[0], b[1]);
    for (int i = 0; i < 4; ++i) out[(lane / 4 + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = c[i];
}
extern "C" __global__ void words(const float* x, float* out) {
    __shared__ float tile[32];
    olympus_copy_word_async(tile + threadIdx.x, x + threadIdx.x, threadIdx.x < 20);
    AWAIT;
    out[threadIdx.x] = tile[threadIdx.x];
}
extern "C" __global__ void pairs(const float* x, unsigned* out) {
    out[threadIdx.x] = PAIR(x[2 * threadIdx.x], x[2 * threadIdx.x + 1]);
}
extern "C" __global__ void askew(const unsigned short* x, uint4* out) {
    __shared__ uint4 tile[2];
    olympus_copy_async(tile, x + 1, true);
    olympus_await_copies();
    out[0] = tile[0];
}
"""


def text(dtype: np.dtype, barrier: str = "__syncwarp()", wait: str = "olympus_await_copies()") -> str:
    """The kernels for an element type."""
    body = (f"#define MULTIPLY olympus_mma_{dtype.name}\n#define PAIR olympus_pair_{dtype.name}\n"
            f"#define BARRIER {barrier}\n#define AWAIT {wait}\n{PRODUCTS}")
    return functions.needed(functions.mentioned(body)) + body


@pytest.mark.parametrize("dtype", [dtypes.float16, dtypes.bfloat16], ids=lambda d: d.name)
def test_products(dtype: np.dtype) -> None:
    random = np.random.default_rng(0)
    x, y = random.normal(size=(16, 16)).astype(dtype), random.normal(size=(8, 16)).astype(dtype)
    wanted = x.astype(np.float64) @ y.astype(np.float64).T
    module = EmulatedModule(text(dtype), checked=True)
    for name, second, added in (("by_columns", y, 0), ("contracted", np.ascontiguousarray(y.T), 1)):
        given, out = [Guarded(x), Guarded(second)], Guarded(512)
        every = [*given, out]
        module.launch(name, 1, 32, 1024, [b.address for b in every], [b.bound for b in every])
        np.testing.assert_allclose(out.read(np.dtype(np.float32), (16, 8)), wanted + added, rtol=1e-5, atol=1e-5)


def test_lanes_that_do_not_wait_for_each_other() -> None:
    x, out = Guarded(np.ones((16, 16), np.float16)), Guarded(512)
    module = EmulatedModule(text(dtypes.float16, barrier=""), checked=True)
    with pytest.raises(EmulationError, match="without a barrier|no thread"):
        module.launch("by_columns", 1, 32, 1024, [x.address, x.address, out.address], [x.bound, out.bound])


def test_a_copy_takes_place_when_it_is_waited_for() -> None:
    x, out = Guarded(np.arange(32, dtype=np.float32)), Guarded(128)
    EmulatedModule(text(dtypes.float16)).launch("words", 1, 32, 0, [x.address, out.address], [x.bound, out.bound])
    np.testing.assert_array_equal(out.read(np.dtype(np.float32)), np.where(np.arange(32) < 20, np.arange(32), 0))
    EmulatedModule(text(dtypes.float16, wait="")).launch("words", 1, 32, 0, [x.address, out.address])
    assert (out.read(np.dtype(np.uint32)) == 0xCDCDCDCD).all()


@pytest.mark.parametrize("dtype", [dtypes.float16, dtypes.bfloat16], ids=lambda d: d.name)
def test_pairs(dtype: np.dtype) -> None:
    x = np.array([1.0, -2.5, 1e-3, np.inf, 65519.0, 3.14159], np.float32)
    given, out = Guarded(x), Guarded(12)
    EmulatedModule(text(dtype)).launch("pairs", 1, 3, 0, [given.address, out.address], [given.bound, out.bound])
    np.testing.assert_array_equal(out.read(dtype), x.astype(dtype))


def test_what_is_not_aligned() -> None:
    x, out = Guarded(64), Guarded(16)
    with pytest.raises(EmulationError, match="multiple of its size"):
        EmulatedModule(text(dtypes.float16)).launch("askew", 1, 1, 0, [x.address, out.address])
