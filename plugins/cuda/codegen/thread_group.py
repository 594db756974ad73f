# SPDX-License-Identifier: Apache-2.0
"""A cooperative group of threads: its barriers, its shared memory and the memory accesses since the last barrier."""

from __future__ import annotations

from olympus_core.toolkit.c_text import ThreadGroup, Writer
from olympus_core.toolkit.loops import Kernel

from .schedule import WARP, CooperativePlan


class CudaThreadGroup(ThreadGroup):
    """The threads that compute one iteration of a plan's loops together: a block, a warp, or a part of a warp.

    Args:
        writer: Where the text goes.
        kernel: The kernel.
        plan: How it becomes threads.
    """

    def __init__(self, writer: Writer, kernel: Kernel, plan: CooperativePlan) -> None:
        super().__init__(writer, kernel)
        self.plan = plan
        self.shared: list[str] = []  # declarations of shared memory

    @property
    def mask(self) -> str:
        """The lanes of the warp that belong to the group, as the warp intrinsics take them."""
        if self.plan.size >= WARP:
            return "0xffffffffu"
        return f"({hex((1 << self.plan.size) - 1)}u << (threadIdx.x & {WARP - self.plan.size}))"

    def barrier(self) -> None:
        """Writes a barrier of all threads of the group."""
        if self.plan.size > WARP:
            self.w.line("__syncthreads();")
        elif self.plan.size > 1:
            self.w.line(f"__syncwarp({self.mask});")
        self.hazards.clear()
