# SPDX-License-Identifier: Apache-2.0
"""Kernels that libraries have written in CUDA C++ for operations of their own, as works."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from olympus_core.program import Operation, Value

from ..codegen.module import Launch, Module
from .work_steps import BufferSlice, KernelLaunchStep

if TYPE_CHECKING:
    from ..compiled.code import CodeStore
    from ..compiled.work import Enqueue
    from ..gpu import Gpu, Stream

NAME = "cuda_kernel"


@dataclass(frozen=True, slots=True, eq=False)
class ExternalKernelWork:
    """A kernel from outside.

    Args:
        inputs: The values that it reads.
        outputs: The values that it writes.
        step: Its launch.
        reusable: Always empty: nobody knows in which order it reads and writes.
    """

    inputs: tuple[Value, ...]
    outputs: tuple[Value, ...]
    step: KernelLaunchStep
    reusable: tuple[tuple[int, int], ...] = ()

    def scratch_on(self, gpu: Gpu, ordinal: int) -> int:
        """None."""
        return 0

    def prepare(self, gpu: Gpu, ordinal: int, code: CodeStore) -> Enqueue:
        """Compiles it; see `Work.prepare`."""
        ready = self.step.prepare(gpu, ordinal, code)

        def enqueue(stream: Stream, addresses: Sequence[int], scratch: int) -> None:
            ready(stream, addresses)

        return enqueue


def external_kernel_work(operation: Operation) -> ExternalKernelWork:
    """The work of a kernel from outside, which its attribute `kernel` describes (`olympus.extend.cuda_kernels`)."""
    given = operation.attributes["kernel"]
    launch = Launch(given.function, int(given.grid), int(given.block), int(given.shared))
    written = partial(Module, given.text, {given.function: (launch,)})
    count = len(operation.operands) + len(operation.results)
    slices = tuple(BufferSlice(i) for i in range(count))
    step = KernelLaunchStep(written, slices, tuple(map(int, given.numbers)))
    return ExternalKernelWork(tuple(operation.operands), tuple(operation.results), step)
