# SPDX-License-Identifier: Apache-2.0
"""Threads that compute one iteration together: statements that all execute, and the barriers between their accesses."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence

from ..loops import Kernel, Load, Loop, Statement, Store
from .access_analysis import ALL, FIRST, Hazards
from .nests import Level, Nest
from .writer import Writer


class ThreadGroup(ABC):
    """A group of threads, each with a number `t` in it, that a language's barrier keeps together.

    Args:
        writer: Where the text goes.
        kernel: The kernel.

    Attributes:
        hazards: The memory accesses since the last barrier.
        reduced: Reductions written so far.
        names: Variables written so far.
    """

    def __init__(self, writer: Writer, kernel: Kernel) -> None:
        self.w, self.kernel = writer, kernel
        self.hazards = Hazards(kernel)
        self.reduced = self.names = 0

    @abstractmethod
    def barrier(self) -> None:
        """Writes a barrier of all threads of the group, and clears the hazards."""

    @abstractmethod
    def divided(self, loop: Loop) -> bool:
        """Writes a loop whose iterations the threads divide; whether it has, or all threads have to execute all."""

    def touch(self, touched: Sequence[tuple[Hashable, bool, Hashable]]) -> None:
        """Notes accesses that are about to be written, after a barrier where they need one."""
        if self.hazards.conflicts(touched):
            self.barrier()
        self.hazards.note(touched)

    def outer(self, levels: Sequence[Level]) -> None:
        """Writes the indices of the group's iteration, whose number is `row`, and the statements of the outer loops."""
        w, below, rows = self.w, 1, math.prod(level.extent for level in levels)
        indices: list[str] = []
        for level in reversed(levels):
            index = "row" if below == 1 else f"row / {below}"
            below *= level.extent
            indices.append("0" if level.extent == 1 else index if below == rows else f"{index} % {level.extent}")
        for level, index in zip(levels, reversed(indices), strict=True):
            w.line(f"const {w.index_type} {w.index(level.index)} = {index};")
            if level.until is not None:
                w.line(f"if (!({w.condition(level.until)})) return;")  # all of the group or none
            self.statements(level.held)

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

    def statements(self, statements: Sequence[Statement]) -> None:
        """Writes statements that all threads of the group execute; only the first thread stores."""
        for statement in statements:
            if isinstance(statement, Loop):
                if not self.divided(statement):
                    self.uniform(statement)
            elif isinstance(statement, Store):
                self.touch([(statement.parameter, True, FIRST)])
                self.w.store(statement, "t == 0")
            else:
                if isinstance(statement, Load):
                    self.touch([(statement.parameter, False, ALL)])
                self.w.pure(statement)

    def uniform(self, loop: Loop) -> None:
        """Writes a loop whose iterations all threads execute together, one after the other."""
        state, length, reduced, names = self.hazards.copy(), len(self.w.lines), self.reduced, self.names
        self._uniform(loop)
        # An iteration follows the accesses of the one before: the loop is written again with these as a starting point.
        after = self.hazards.copy()
        del self.w.lines[length:]
        self.reduced, self.names = reduced, names
        self.hazards.restore(state)
        self.hazards.merge(after)
        self._uniform(loop)
        self.hazards.merge(state)

    def _uniform(self, loop: Loop) -> None:
        w = self.w
        for reduction in loop.reductions:
            w.declare(reduction.result, w.start(reduction), const=False)
        for recurrence in loop.recurrences:
            w.declare(recurrence.result, w.scalar(recurrence.initial), const=False)
        with w.block(w.header(loop)):
            for recurrence in loop.recurrences:
                w.declare(recurrence.inside, w.scalar(recurrence.result))
            self.statements(loop.body)
            w.carried(loop)
        w.closed(loop)
