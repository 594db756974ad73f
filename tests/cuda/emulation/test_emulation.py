# SPDX-License-Identifier: Apache-2.0
"""The emulation itself: what kernels compute on it, and what it refuses."""

from __future__ import annotations

import concurrent.futures

import numpy as np
import pytest

from .compile import EmulatedModule, EmulationError, missing, source
from .memory import Guarded

pytestmark = pytest.mark.skipif(missing() is not None, reason=str(missing()))

INDICES = r"""
extern "C" __global__ void __launch_bounds__(64, 2) indices(uint4* out) {
    int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    out[block * blockDim.x * blockDim.y * blockDim.z + thread] =
        make_uint4(threadIdx.x, threadIdx.y, blockIdx.x, blockIdx.z);
}
extern "C" __global__ void scalars(float* out, int n, float x, double y) { out[n] = (float)(x + y); }
"""

TOGETHER = r"""
__device__ __forceinline__ float warp_sum(float v) {
    for (int offset = 16; offset; offset >>= 1) v += __shfl_xor_sync(0xffffffffu, v, offset);
    return v;
}
extern "C" __global__ void sum(const float* x, float* out, int n) {
    __shared__ float parts[32];
    float v = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) v += x[blockIdx.x * n + i];
    v = warp_sum(v);
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = v;
    __syncthreads();
    v = threadIdx.x < blockDim.x / 32 ? parts[threadIdx.x] : 0.0f;
    if (threadIdx.x < 32) v = warp_sum(v);
    if (threadIdx.x == 0) out[blockIdx.x] = v;
}
extern "C" __global__ void reversed(const int* x, int* out) {
    extern __shared__ int mirror[];
    mirror[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = mirror[blockDim.x - 1 - threadIdx.x];
}
extern "C" __global__ void unready(const int* x, int* out) {  // its barrier is missing
    extern __shared__ int mirror[];
    mirror[threadIdx.x] = x[threadIdx.x];
    out[blockIdx.x * blockDim.x + threadIdx.x] = mirror[blockDim.x - 1 - threadIdx.x];
}
extern "C" __global__ void shuffles(int* out, int width) {
    int lane = threadIdx.x;
    out[lane] = __shfl_sync(0xffffffffu, lane, 3, width);
    out[lane + 32] = __shfl_up_sync(0xffffffffu, lane, 3, width);
    out[lane + 64] = __shfl_down_sync(0xffffffffu, lane, 3, width);
    out[lane + 96] = __shfl_xor_sync(0xffffffffu, lane, 5, width);
}
extern "C" __global__ void votes(unsigned* out) {
    int lane = threadIdx.x % 32;
    unsigned found = __ballot_sync(0xffffffffu, threadIdx.x % 3 == 0);
    out[threadIdx.x] = found + __any_sync(0xffffffffu, lane > 30) + 2 * __all_sync(0xffffffffu, lane > 30);
    if (lane < 8) {
        long long wide = __shfl_down_sync(0xffu, (long long)lane << 40, 1, 8);
        out[threadIdx.x] = (unsigned)(wide >> 40);
    }
    out[threadIdx.x] += 1000u * __syncthreads_count(threadIdx.x < 40);
}
"""

WRONG = r"""
extern "C" __global__ void half(int* out) {
    if (threadIdx.x >= 40) __syncthreads();
    out[threadIdx.x] = 1;
}
extern "C" __global__ void alone(int* out) {
    if (threadIdx.x != 5) __syncwarp();
    out[threadIdx.x] = 1;
}
extern "C" __global__ void unnamed(int* out) { out[threadIdx.x] = __shfl_sync(0x7fffffffu, 1, 0); }
extern "C" __global__ void odd(int* out) { out[threadIdx.x] = __shfl_sync(0xffffffffu, 1, 0, 12); }
extern "C" __global__ void after(int* out) { out[threadIdx.x + 1] = 1; }
extern "C" __global__ void before(int* out) { out[(int)threadIdx.x - 2] = 1; }
extern "C" __global__ void behind_shared(int* out) {
    extern __shared__ __align__(16) char memory[];
    memory[threadIdx.x] = 1;
    out[threadIdx.x] = memory[threadIdx.x];
}
extern "C" __global__ void askew(int* out) { *(float4*)(out + threadIdx.x) = make_float4(1, 2, 3, 4); }
extern "C" __global__ void long_index(int* out) {
    __shared__ int memory[32];
    memory[threadIdx.x] = 1;
    out[threadIdx.x] = memory[threadIdx.x];
}
extern "C" __global__ void large(int* out) {
    int size = 1 << 16;
    out[threadIdx.x] = (size + (int)threadIdx.x) * size;
}
extern "C" __global__ void shifted(int* out) { out[threadIdx.x] = 1 << threadIdx.x; }
extern "C" __global__ void quotient(int* out) { out[threadIdx.x] = 64 / (int)threadIdx.x; }
extern "C" __global__ void unset(unsigned* out) {
    __shared__ unsigned memory[64];
    extern __shared__ unsigned more[];
    out[threadIdx.x] = memory[threadIdx.x] & more[threadIdx.x];
}
"""


def test_indices_and_arguments() -> None:
    module = EmulatedModule(INDICES)
    assert module.names == ("indices", "scalars")
    out = Guarded(12 * 12 * 16)
    module.launch("indices", (2, 3, 2), (4, 3), 0, [out.address], [out.bound])
    found = out.read(np.dtype(np.uint32), (2, 3, 2, 3, 4, 4))
    wanted = np.indices((2, 3, 2, 3, 4))
    np.testing.assert_array_equal(found[..., 0], wanted[4])
    np.testing.assert_array_equal(found[..., 1], wanted[3])
    np.testing.assert_array_equal(found[..., 2], wanted[2])
    np.testing.assert_array_equal(found[..., 3], wanted[0])
    out = Guarded(8)
    bits = [int(np.float32(1.5).view(np.uint32)), int(np.float64(0.25).view(np.uint64))]
    module.launch("scalars", 1, 1, 0, [out.address, 1, *bits], [out.bound])
    assert out.read(np.dtype(np.float32))[1] == 1.75


@pytest.mark.parametrize(("block", "length"), [(32, 1), (64, 100), (256, 1000), (1024, 33)])
def test_sums_by_shuffles_and_shared_memory(block: int, length: int) -> None:
    x = np.random.default_rng(length).integers(-50, 50, (5, length)).astype(np.float32)
    given, out = Guarded(x), Guarded(20)
    EmulatedModule(TOGETHER).launch("sum", 5, block, 0, [given.address, out.address, length], [given.bound, out.bound])
    np.testing.assert_array_equal(out.read(np.dtype(np.float32)), x.sum(1))


def test_dynamic_shared_memory_behind_a_barrier_and_without() -> None:
    x = np.arange(96, dtype=np.int32)
    given, out = Guarded(x), Guarded(2 * x.nbytes)
    module = EmulatedModule(TOGETHER)
    module.launch("reversed", 1, 96, x.nbytes, [given.address, out.address])
    np.testing.assert_array_equal(out.read(x.dtype)[:96], x[::-1])
    module.launch("unready", 2, 96, x.nbytes, [given.address, out.address])
    assert (out.read(x.dtype).reshape(2, 96) != x[::-1]).any()


@pytest.mark.parametrize("width", [32, 16, 4])
def test_shuffles(width: int) -> None:
    out = Guarded(512)
    EmulatedModule(TOGETHER).launch("shuffles", 1, 32, 0, [out.address, width], [out.bound])
    lane = np.arange(32)
    first, last = lane // width * width, lane // width * width + width - 1
    wanted = [first + 3 % width, np.where(lane - 3 < first, lane, lane - 3), np.where(lane + 3 > last, lane, lane + 3),
              np.where((lane ^ 5) > last, lane, lane ^ 5)]
    np.testing.assert_array_equal(out.read(np.dtype(np.int32), (4, 32)), wanted)


def test_votes_of_warps_and_of_a_part_of_one() -> None:
    out = Guarded(256)
    EmulatedModule(TOGETHER).launch("votes", 1, 64, 0, [out.address], [out.bound])
    third = np.arange(64) % 3 == 0
    wanted = np.repeat([int(sum(1 << i for i in range(32) if part[i])) for part in third.reshape(2, 32)], 32) + 1
    for first in (0, 32):
        wanted[first : first + 8] = [*range(1, 8), 7]
    np.testing.assert_array_equal(out.read(np.dtype(np.uint32)), (wanted + 40000) % 2**32)


@pytest.mark.parametrize(("name", "shared", "what"), [
    ("half", 0, "kernel half, block .* thread 40: .*barrier"), ("alone", 0, "kernel alone, .* thread 0: .*warp"),
    ("unnamed", 0, "thread .*mask"), ("odd", 0, "width"),
    ("after", 0, "kernel after wrote 4 bytes behind .* offset 256"),
    ("before", 0, "wrote 8 bytes before .* offset -8"), ("behind_shared", 63, "beyond the dynamic shared memory"),
    ("askew", 0, "kernel askew, .* thread 1: .* aligned .* in line 19 of the text"),
    ("long_index", 0, "thread 32: an index is outside .* line 22"), ("large", 0, "product overflows"),
    ("shifted", 0, "thread 32: a shift"), ("quotient", 0, "thread 0: .* quotient"),
])
def test_what_no_gpu_allows_is_an_error(name: str, shared: int, what: str) -> None:
    out = Guarded(256)
    module = EmulatedModule(WRONG)
    with pytest.raises(EmulationError, match=what):
        module.launch(name, 1, 64, shared, [out.address], [out.bound])
    # The module goes on: threads that waited are gone.
    out = Guarded(256)
    module.launch("behind_shared", 2, 64, 64, [out.address], [out.bound])
    assert (out.read(np.dtype(np.int32)) == 1).all()


def test_shared_memory_is_poisoned_before_each_block() -> None:
    out = Guarded(256)
    module = EmulatedModule(WRONG)
    module.launch("behind_shared", 1, 64, 64, [out.address])
    module.launch("unset", 1, 64, 256, [out.address])
    assert (out.read(np.dtype(np.uint32)) == 0xCDCDCDCD).all()


def test_wrong_launches_and_texts() -> None:
    module = EmulatedModule(WRONG)
    for arguments, what in [
        (("nothing", 1, 1, 0, [0]), "no kernel nothing"), (("half", 1, 1, 0, []), "takes 1 arguments"),
        (("half", 1, 1025, 0, [0]), "1 to 1024 threads"), (("half", 0, 32, 0, [0]), "at least one"),
        (("half", 1, 32, 1 << 20, [0]), "shared memory"),
    ]:
        with pytest.raises(EmulationError, match=what):
            module.launch(*arguments)
    with pytest.raises(EmulationError, match="unknown"):
        EmulatedModule('extern "C" __global__ void wrong(int* x) { *x = unknown; }')


def test_names_are_found_outside_comments_only() -> None:
    text = "// __global__ void no(int)\n/* __global__ void nor() */ __global__ void yes(int* x) {}"
    assert source(text)[1] == ("yes",)


def test_many_threads_launch_at_once() -> None:
    module, x = EmulatedModule(TOGETHER), np.arange(640, dtype=np.float32).reshape(2, 320)

    def run(_: int) -> float:
        given, out = Guarded(x), Guarded(8)
        module.launch("sum", 2, 128, 0, [given.address, out.address, 320], [given.bound, out.bound])
        return float(out.read(np.dtype(np.float32)).sum())

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert set(pool.map(run, range(40))) == {float(x.sum())}
