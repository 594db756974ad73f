# SPDX-License-Identifier: Apache-2.0
"""Kernels in CUDA C++ from outside: compiled, launched among others, captured, split."""

from __future__ import annotations

from ..conftest import RunWithGpus

_HEAD = """
import numpy as np
import olympus
import olympus.numpy as jnp
from olympus.extend.core import Primitive
from olympus.extend.cuda_kernels import CudaKernel, lower_cuda
from olympus.interpreters import ad, batching, mlir
from olympus_core.errors import ArgumentError
from tests.cuda.standin.machine import MACHINE

TEXT = '''
extern "C" __global__ void pair(const float* x, float* twice, float* square, unsigned long long n) {
    __shared__ float held[64];
    unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
    held[threadIdx.x] = i < n ? x[i] : 0;
    __syncthreads();
    if (i < n) twice[i] = 2 * held[threadIdx.x], square[i] = held[threadIdx.x] * held[threadIdx.x];
}'''
X = np.linspace(-2, 2, 1000, dtype=np.float32)

def build(operands, results):
    size = operands[0].size
    return CudaKernel(TEXT, "pair", -(-size // 64), 64, numbers=(size,))

pair = Primitive("pair")
pair.multiple_results = True
pair.def_abstract_eval(lambda x: [x, x])
mlir.register_lowering(pair, lower_cuda(build))
"""


def test_it_is_an_operation_among_others(run_with_gpus: RunWithGpus) -> None:
    run_with_gpus(_HEAD + """
ad.primitive_jvps[pair] = lambda primals, tangents: (
    pair.bind(*primals), [2 * tangents[0], 2 * primals[0] * tangents[0]])
batching.primitive_batchers[pair] = lambda args, axes: (pair.bind(*args), [axes[0]] * 2)

def f(x):
    twice, square = pair.bind(x + 1)
    return twice * 3 + jnp.sin(square)

program, y = olympus.jit(f), X + 1
for _ in range(4):
    np.testing.assert_allclose(program(X), 6 * y + np.sin(y * y), rtol=1e-4, atol=1e-5)
assert MACHINE.graph_launches
slopes = olympus.jit(olympus.grad(lambda x: f(x).sum()))(X)
np.testing.assert_allclose(slopes, 6 + 2 * y * np.cos(y * y), rtol=1e-4, atol=1e-4)
np.testing.assert_allclose(olympus.jit(olympus.vmap(f))(X.reshape(10, 100)).reshape(-1), program(X), rtol=1e-5)
loop = olympus.jit(lambda x: olympus.lax.fori_loop(0, 5, lambda i, c: pair.bind(c)[0], x))
np.testing.assert_array_equal(loop(X), 32 * X)
one, other = olympus.jit(pair.bind)(X[:0])
assert one.shape == other.shape == (0,)
""")


def test_what_cannot_be_launched_is_refused_before(run_with_gpus: RunWithGpus) -> None:
    run_with_gpus(_HEAD + """
for kernel, words in ((CudaKernel(TEXT, "pair", 1, 2000), "block"), (CudaKernel(TEXT, "pair", 0, 32), "grid"),
                      (CudaKernel(TEXT, "pair", 1, 32, shared=-1), "shared"),
                      (CudaKernel(TEXT, "other", 1, 32), "text"), (CudaKernel(TEXT, "pair", 1.5, 32), "grid"),
                      (TEXT, "no kernel")):
    broken = Primitive("broken")
    broken.multiple_results = True
    broken.def_abstract_eval(lambda x: [x, x])
    mlir.register_lowering(broken, lower_cuda(lambda operands, results, kernel=kernel: kernel))
    try:
        olympus.jit(broken.bind)(X)
    except ArgumentError as error:
        assert words in str(error), error
    else:
        raise AssertionError(words)
""")
