# SPDX-License-Identifier: Apache-2.0
"""Kernels in which each iteration of the outer loops is computed by one thread: the plan, and its indices as text."""

from __future__ import annotations

import math

from olympus_core.dataclass import dataclass

from ..loops import IndexValue, Inside, Kernel, Statement
from .nests import Level, accesses, loops_of
from .writer import Writer


@dataclass(frozen=True, slots=True)
class PerThreadPlan:
    """Each iteration is computed by one thread.

    Args:
        levels: The loops that are divided among threads.
        body: The statements of one iteration.
        width: Consecutive iterations of the last loop that one thread takes as a vector.
        block: Threads of a block.
        is_wide: Whether indices need 64 bits.
    """

    levels: tuple[Level, ...]
    body: tuple[Statement, ...]
    width: int
    block: int
    is_wide: bool

    @property
    def threads(self) -> int:
        """Number of threads that have work."""
        counts = [level.extent for level in self.levels]
        return math.prod(counts[:-1]) * -(-counts[-1] // self.width) if counts else 1

    @property
    def grid(self) -> int:
        """Number of blocks."""
        return -(-self.threads // self.block)


def emit_indices(writer: Writer, plan: PerThreadPlan, leave: str = "return") -> None:
    """Writes the loop indices of thread `t`, and the statements of the outer loops.

    Args:
        writer: Where the text goes.
        plan: The plan.
        leave: The statement of a thread whose iteration does not take place.
    """
    counts = [level.extent for level in plan.levels]
    if counts:
        counts[-1] = -(-counts[-1] // plan.width)
    below = 1
    found: list[str] = []
    for number in reversed(range(len(counts))):
        index = "t" if below == 1 else f"t / {below}"
        below *= counts[number]
        if counts[number] == 1:
            index = "0"
        elif below < plan.threads:
            index = f"{index} % {counts[number]}"
        found.append(index)
    for level, index in zip(plan.levels, reversed(found), strict=True):
        scale = f" * {plan.width}" if level is plan.levels[-1] and plan.width > 1 else ""
        name = writer.index(level.index)
        writer.line(f"const {writer.index_type} {name} = ({writer.index_type})({index}){scale};")
        if level.until is not None:
            writer.line(f"if (!({writer.condition(level.until)})) {leave};")
        writer.statements(level.held)


def is_wide(kernel: Kernel) -> bool:
    """Whether an index or a number of threads may need more than 31 bits."""
    bound = 1 << 31
    if any(p.size >= bound for p in kernel.parameters):
        return True
    extents = {kernel.loop.index: kernel.loop.extent}
    extents.update((loop.index, loop.extent) for loop in loops_of(kernel.loop.body))
    loops = [kernel.loop, *loops_of(kernel.loop.body)]
    affines = [a.at for a in accesses((kernel.loop,))] + [loop.until[0] for loop in loops if loop.until]
    affines += [s.of for loop in loops for s in loop.body if isinstance(s, (IndexValue, Inside))]
    reach = [abs(a.constant) + sum(abs(s) * extents[i] for i, s in a.terms) for a in affines]
    return max([*reach, *extents.values()], default=0) >= bound or math.prod(
        loop.extent for loop in loops if loop.kind == "parallel" or loop is kernel.loop) >= bound
