# SPDX-License-Identifier: Apache-2.0
"""Checked modules: races, memory that nobody wrote, memory that is nobody's; and kernels that are right pass."""

from __future__ import annotations

import numpy as np
import pytest

from .compile import EmulatedModule, EmulationError, missing
from .memory import Guarded
from .test_emulation import TOGETHER

pytestmark = pytest.mark.skipif(missing() is not None, reason=str(missing()))

WARPS = r"""
__device__ void exchange(int* memory, const int* x, int* out) {
    int lane = threadIdx.x % 32, first = threadIdx.x - lane;
    memory[threadIdx.x] = x[threadIdx.x];
    BARRIER;
    int value = memory[first + (lane + 1) % 32] + memory[first + (lane + 2) % 32];
    BARRIER;
    memory[threadIdx.x] = value;
    out[threadIdx.x] = value;
}
extern "C" __global__ void exchanged(const int* x, int* out) {
    __shared__ int memory[64];
    exchange(memory, x, out);
}
extern "C" __global__ void through_global(const int* x, int* out) { exchange(out + 64, x, out); }
"""
SUBWARPS = r"""
extern "C" __global__ void halves(const int* x, int* out) {
    __shared__ int memory[32];
    unsigned mask = threadIdx.x < 16 ? 0xffffu : 0xffff0000u;
    memory[threadIdx.x] = x[threadIdx.x];
    __syncwarp(mask);
    out[threadIdx.x] = memory[WITHIN];
}
// All lanes of a half read what one of them writes then.
extern "C" __global__ void taken_over(const int* x, int* out) {
    __shared__ int memory[2];
    int half = threadIdx.x / 16;
    unsigned mask = half ? 0xffff0000u : 0xffffu;
    if (threadIdx.x % 16 == 3) memory[half] = x[half];
    __syncwarp(mask);
    int sum = memory[half];
    BETWEEN;
    if (threadIdx.x % 16 == 5) memory[half] = sum + x[2];
    __syncwarp(mask);
    out[threadIdx.x] = memory[half];
}
"""
WRONG = r"""
struct Four { char a, b, c, d; };
extern "C" __global__ void first_writes(const int* x, int* out) {
    __shared__ int memory;
    if (threadIdx.x == 0) memory = x[0];
    out[threadIdx.x] = memory;
}
extern "C" __global__ void last_writes(const int* x, int* out) {
    __shared__ int memory;
    if (threadIdx.x == 63) memory = x[0];
    __syncthreads();
    out[threadIdx.x] = memory;
    if (threadIdx.x == 63) memory = 5;
}
extern "C" __global__ void all_write(const int* x, int* out) {
    __shared__ int memory;
    memory = x[0];
    __syncthreads();
    out[threadIdx.x] = memory;
}
extern "C" __global__ void shuffle_is_no_barrier(const int* x, int* out) {
    __shared__ int memory[64];
    memory[threadIdx.x] = x[threadIdx.x];
    __shfl_sync(0xffffffffu, 1, 0);
    out[threadIdx.x] = memory[threadIdx.x ^ 1];
}
extern "C" __global__ void unwritten(const int* x, int* out) {
    __shared__ int memory[128];
    memory[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = memory[threadIdx.x + 1];
}
extern "C" __global__ void blocks_meet(const int* x, int* out) { out[threadIdx.x + 16 * blockIdx.x] = x[0]; }
extern "C" __global__ void blocks_read(const int* x, int* out) {
    if (blockIdx.x == 0) out[threadIdx.x] = 1;
    else out[threadIdx.x + 64] = out[threadIdx.x];
}
extern "C" __global__ void reads_beyond(const int* x, int* out) { out[threadIdx.x] = x[threadIdx.x + 1]; }
extern "C" __global__ void reads_far(const int* x, int* out) { out[threadIdx.x] = x[1 << 20]; }
extern "C" __global__ void reads_half_beyond(const int* x, int* out) {
    out[threadIdx.x] = (int)((const long long*)x)[threadIdx.x / 2 + 1];
}
extern "C" __global__ void dynamic_beyond(const int* x, int* out) {
    extern __shared__ int memory[];
    memory[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = memory[threadIdx.x + 1];
}
"""
RIGHT = r"""
extern "C" __global__ void bytes(const int* x, int* out) {  // neighbours share words, and nothing else
    __shared__ unsigned char memory[64];
    memory[threadIdx.x] = (unsigned char)x[threadIdx.x];
    ((unsigned char*)out)[threadIdx.x] = memory[threadIdx.x];
}
extern "C" __global__ void counted(const int* x, int* out) {
    if (x[threadIdx.x] > 30) atomicAdd(out, 1);
}
extern "C" __global__ void repeated(const int* x, int* out) {
    __shared__ int memory[2];
    int table[3] = {1, 2, 3}, sum = 0;
    for (int i = 0; i < 100; ++i) {
        if (threadIdx.x == i % 64) memory[i % 2] = x[i % 64] * table[i % 3];
        __syncthreads();
        sum += memory[i % 2];
    }
    out[threadIdx.x] = sum;
}
"""
X = np.arange(64, dtype=np.int32)


def run(text: str, name: str, grid: int = 1, out_bytes: int = 1024, shared: int = 0) -> np.ndarray:
    given, out = Guarded(X), Guarded(out_bytes)
    out.bytes[:] = 0
    module = EmulatedModule(text, checked=True)
    module.launch(name, grid, 64, shared, [given.address, out.address], [given.bound, out.bound])
    return out.read(X.dtype)


@pytest.mark.parametrize(("name", "what"), [
    ("first_writes", "thread .* without a barrier"),
    ("last_writes", "writes 4 bytes .* shared memory, which thread .* reads without"),
    ("all_write", "writes 4 bytes .* writes, too, without"), ("shuffle_is_no_barrier", "shared memory"),
    ("unwritten", "thread 63: reads shared memory that no thread"),
    ("blocks_meet", r"block \(1, 0, 0\).* writes 4 bytes at offset .* of a buffer"),
    ("blocks_read", r"block \(1, 0, 0\).* reads 4 bytes .* which thread .* of block 0 writes"),
    ("reads_beyond", "thread 63: reads 4 bytes outside .* at offset 256 of one with 256 bytes"),
    ("reads_far", "reads 4 bytes outside of all buffers"), ("reads_half_beyond", "outside .* at offset 256"),
    ("dynamic_beyond", "thread 63: reads 4 bytes outside"),
])
def test_what_is_found(name: str, what: str) -> None:
    with pytest.raises(EmulationError, match=what):
        run(WRONG, name, 2, shared=256 if name == "dynamic_beyond" else 0)


def test_barriers_of_warps_order_their_lanes() -> None:
    wanted = np.concatenate([np.roll(part, -1) + np.roll(part, -2) for part in X.reshape(2, 32)])
    for name in ("exchanged", "through_global"):
        np.testing.assert_array_equal(run(f"#define BARRIER __syncwarp()\n{WARPS}", name)[:64], wanted)
        with pytest.raises(EmulationError, match="without a barrier|no thread"):
            run(f"#define BARRIER __shfl_sync(0xffffffffu, 1, 0)\n{WARPS}", name)


def test_a_barrier_of_some_lanes_orders_these() -> None:
    given, out = Guarded(X[:32]), Guarded(128)
    good, bad = (EmulatedModule(f"#define WITHIN {place}\n#define BETWEEN\n{SUBWARPS}", checked=True)
                 for place in ("(threadIdx.x & 16) + (threadIdx.x + 1) % 16", "(threadIdx.x + 1) % 32"))
    good.launch("halves", 1, 32, 0, [given.address, out.address], [given.bound, out.bound])
    np.testing.assert_array_equal(out.read(X.dtype), np.concatenate([np.roll(p, -1) for p in X[:32].reshape(2, 16)]))
    with pytest.raises(EmulationError, match="without a barrier"):
        bad.launch("halves", 1, 32, 0, [given.address, out.address], [given.bound, out.bound])


def test_a_barrier_of_some_lanes_is_enough_where_they_alone_have_read() -> None:
    """The other lanes of the warp may know nothing of it."""
    given, out = Guarded(X[:32]), Guarded(128)

    def launch(between: str) -> None:
        module = EmulatedModule(f"#define WITHIN 0\n#define BETWEEN {between}\n{SUBWARPS}", checked=True)
        module.launch("taken_over", 1, 32, 0, [given.address, out.address], [given.bound, out.bound])

    launch("__syncwarp(mask)")
    np.testing.assert_array_equal(out.read(X.dtype), np.repeat(X[:2] + X[2], 16))
    for wrong in ("", "if (half == 0) __syncwarp(mask); else sum += memory[0]"):
        with pytest.raises(EmulationError, match="without a barrier"):
            launch(wrong)


def test_right_kernels_pass() -> None:
    assert (run(RIGHT, "bytes").view(np.uint8)[:64] == X).all()
    assert run(RIGHT, "counted", 2)[0] == 2 * 33
    wanted = sum(int(X[i % 64]) * (i % 3 + 1) for i in range(100))
    assert (run(RIGHT, "repeated")[:64] == wanted).all()
    given, out = Guarded(X.astype(np.float32)), Guarded(20)
    module = EmulatedModule(TOGETHER, checked=True)
    module.launch("sum", 1, 64, 0, [given.address, out.address, 64], [given.bound, out.bound])
    assert out.read(np.dtype(np.float32))[0] == X.sum()


def test_a_race_that_the_order_of_turns_hides_is_still_found() -> None:
    given, out = Guarded(X), Guarded(1024)
    text = TOGETHER
    with pytest.raises(EmulationError, match="kernel unready"):
        EmulatedModule(text, checked=True).launch("unready", 1, 64, 256, [given.address, out.address])
