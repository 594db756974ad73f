# SPDX-License-Identifier: Apache-2.0
"""Operations whose code on NVIDIA's GPUs is a kernel in CUDA C++."""

from __future__ import annotations

import hashlib
import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError, NotSupportedError, described
from olympus_core.program import ArrayType, Attributes, OperationRecord

from ..transforms.jaxpr.writing import Lowering
from .code_records import lowering_by, types_of, unsplittable

NAME = "cuda"  # the platform
_MOST_THREADS, _MOST_BLOCKS = 1024, (1 << 31) - 1


@dataclass(frozen=True, slots=True)
class CudaKernel:
    """A kernel in CUDA C++, and how it is launched.

    Args:
        text: The whole source, which includes nothing; the kernel is ``extern "C" __global__``. Its arguments are
            pointers to the operands, then to the results, flat and row-major, and then ``unsigned long long`` numbers.
        function: The kernel's name.
        grid: Number of blocks.
        block: Threads of a block, at most 1,024.
        shared: Bytes of dynamic shared memory.
        numbers: The numbers, such as sizes, that follow the pointers: one text then serves many.
    """

    text: str
    function: str
    grid: int
    block: int
    shared: int = 0
    numbers: tuple[int, ...] = ()

    def __repr__(self) -> str:
        digest = hashlib.sha256(self.text.encode()).hexdigest()[:16]
        return f"{self.function}[{self.grid}, {self.block}, {self.shared}, {self.numbers}, {digest}]"


def lower_cuda(build: Callable[..., CudaKernel]) -> Lowering:
    """A lowering rule by a kernel in CUDA C++, for `olympus.interpreters.mlir.register_lowering`.

    It is the rule of the platform `cuda` alone, which compiles the text with NVRTC and launches it in the order of its
    stream, captured in graphs as its own kernels are. Give the primitive another lowering for other platforms. Where it
    has a sharding rule, each device runs a kernel of its part.

    Args:
        build: Takes the types of the operands, those of the results, and the parameters; gives the kernel. It is not
            asked where there is no element.

    Returns:
        The rule.

    Raises:
        ArgumentError: For what is no kernel, or cannot be launched, where a program with the primitive is compiled.
        NotSupportedError: Where a program for another platform has a primitive with no other lowering.

    Example:
        >>> from olympus.extend.core import Primitive
        >>> from olympus.extend.cuda_kernels import CudaKernel, lower_cuda
        >>> from olympus.interpreters import mlir
        >>> import olympus, numpy as np
        >>> TEXT = '''
        ... extern "C" __global__ void twice(const float* x, float* y, unsigned long long n) {
        ...     unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
        ...     if (i < n) y[i] = 2 * x[i];
        ... }'''
        >>> def twice(operands, results):
        ...     size = operands[0].size
        ...     return CudaKernel(TEXT, "twice", -(-size // 256), 256, numbers=(size,))
        >>> twice_p = Primitive("twice")
        >>> aval = twice_p.def_abstract_eval(lambda x: x)
        >>> mlir.register_lowering(twice_p, mlir.lower_fun(lambda x: x * 2, multiple_results=False))
        >>> mlir.register_lowering(twice_p, lower_cuda(twice))
        >>> print(olympus.jit(twice_p.bind)(np.arange(3, dtype=np.float32)))
        [0. 2. 4.]
    """
    def attributes_of(operands: Sequence[ArrayType], results: Sequence[ArrayType], **params: Any) -> Attributes:
        kernel = build(operands, results, **params)
        _check(kernel)
        return {"kernel": kernel}

    return lowering_by(_record, attributes_of, platform=NAME)


def _check(kernel: CudaKernel) -> None:
    if not isinstance(kernel, CudaKernel):
        raise ArgumentError("lower_cuda", "what was built is no kernel", described(kernel), "a CudaKernel")
    if not re.search(rf"\b{re.escape(str(kernel.function))}\s*\(", str(kernel.text)):
        raise ArgumentError("lower_cuda", "the text has no such kernel", kernel.function,
                            f'extern "C" __global__ void {kernel.function}(...)')
    for name, least, most in (("grid", 1, _MOST_BLOCKS), ("block", 1, _MOST_THREADS), ("shared", 0, _MOST_BLOCKS)):
        value = getattr(kernel, name)
        try:
            fits = least <= operator.index(value) <= most
        except TypeError:
            fits = False
        if not fits:
            raise ArgumentError("lower_cuda", f"{name} of kernel {kernel.function} is out of its range",
                                described(value), f"a whole number from {least} to {most}")


def _reference(values: Sequence[np.ndarray], attributes: Attributes) -> Sequence[np.ndarray]:
    raise NotSupportedError(
        f"the kernel {attributes['kernel'].function}", "it is CUDA C++, which runs on the platform cuda only",
        "Give the primitive a lowering of array operations for others.")


_record = OperationRecord("cuda_kernel", "external", types_of, unsplittable, reference=_reference)

__all__ = ["CudaKernel", "lower_cuda"]
__dir__ = listed(__all__)
