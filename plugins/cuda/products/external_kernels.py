# SPDX-License-Identifier: Apache-2.0
"""Kernels that libraries have written in CUDA C++ for operations of their own, as works."""

from __future__ import annotations

from functools import partial

from olympus_core.program import Operation

from ..codegen.module import Launch, Module
from .work_steps import BufferSlice, KernelLaunchStep, ProductWork, Variant

NAME = "cuda_kernel"


def external_kernel_work(operation: Operation) -> ProductWork:
    """The work of a kernel from outside, which its attribute `kernel` describes (`olympus.extend.cuda_kernels`)."""
    given = operation.attributes["kernel"]
    launch = Launch(given.function, int(given.grid), int(given.block), int(given.shared))
    written = partial(Module, given.text, {given.function: (launch,)})
    slices = tuple(map(BufferSlice, range(len(operation.operands) + len(operation.results))))
    step = KernelLaunchStep(written, slices, tuple(map(int, given.numbers)))
    return ProductWork(operation.operands, operation.results, (Variant((step,)),))
