"""A cooperative group of threads: its barriers, its shared memory and the memory accesses since the last barrier."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from olympus_core.toolkit.loops import Kernel

from .access_analysis import Hazards
from .nests import Nest
from .schedule import WARP, CooperativePlan
from .writer import Writer


class ThreadGroup:
    """The threads that compute one iteration of a plan's loops together: a block, a warp, or a part of a warp.

    Args:
        writer: Where the text goes.
        kernel: The kernel.
        plan: How it becomes threads.
    """

    def __init__(self, writer: Writer, kernel: Kernel, plan: CooperativePlan) -> None:
        self.w, self.kernel, self.plan = writer, kernel, plan
        self.hazards = Hazards(kernel)
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

    def touch(self, touched: Sequence[tuple[Hashable, bool, Hashable]]) -> None:
        """Notes accesses that are about to be written, after a barrier where they need one."""
        if self.hazards.conflicts(touched):
            self.barrier()
        self.hazards.note(touched)

    def indices(self, nest: Nest, width: int) -> None:
        """Writes the loop indices of the first element of vector `g` of a nest."""
        w = self.w
        counts = [level.extent for level in nest.levels]
        counts[-1] //= width
        below = 1
        for number, level in reversed(list(enumerate(nest.levels))):
            index = "g" if below == 1 else f"g / {below}"
            below *= counts[number]
            index = index if number == 0 else f"{index} % {counts[number]}"
            scale = f" * {width}" if width > 1 and number == len(counts) - 1 else ""
            name = w.index(level.index)
            w.line(f"const {w.index_type} {name} = {index}{scale};")
