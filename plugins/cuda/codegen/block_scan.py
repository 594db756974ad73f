# SPDX-License-Identifier: Apache-2.0
"""Scans (cumulative sums, products and extremes) by the threads of a group, tile after tile.

As in CUB's `BlockScan`: each thread scans its vector, shuffles scan the threads' totals within a warp, and a second
warp scan over shared memory combines the totals of the warps. The order of operations is fixed, so that results have
the same bits in every run.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from olympus_core.toolkit.c_text import ALL, MANY, is_aligned, neutral, steady
from olympus_core.toolkit.loops import Load, Store

from .functions import register_type
from .language import combined, literal
from .scans import Scan
from .schedule import WARP, scan_vectors
from .thread_group import CudaThreadGroup
from .vectors import emit_vector_load, step, vector
from .warp_primitives import warp_scan


class BlockScan:
    """Writes a scan.

    A tile is a few vectors of every thread, all of which are loaded before anything is computed.

    Args:
        group: The threads.
        scan: The loops.
        width: Elements of a vector.
        name: The name of its shared memory, unique in the function.
    """

    def __init__(self, group: CudaThreadGroup, scan: Scan, width: int, name: str) -> None:
        self.group, self.w, self.scan, self.width, self.name = group, group.w, scan, width, name
        self.size = group.plan.size
        self.lanes, self.warps = min(self.size, WARP), max(1, self.size // WARP)
        self.count = scan.nest.size // width  # vectors of the whole scan
        self.vectors = scan_vectors(self.size, self.count)  # vectors of a thread in a tile
        self.tile = self.size * self.vectors
        self.dtype = np.dtype(scan.term.dtype)
        self.kind = register_type(self.dtype)
        known = [a for a in steady(scan.nest) if width == 1 or is_aligned(a, scan.nest, width)]
        self.loads = [a for a in known if isinstance(a, Load)]
        self.stores = [a for a in known if isinstance(a, Store) and width > 1]

    def emit(self) -> None:
        """Writes the loop over tiles."""
        w, several = self.w, self.count > self.tile
        w.declare(self.scan.result, w.scalar(self.scan.initial), const=False)
        if self.warps > 1:
            # Consecutive tiles alternate between two halves, so that one barrier for each tile is enough.
            self.group.shared.append(f"{self.kind} {self.name}[{WARP * (2 if several else 1)}]")
            self.group.touch([(self.name, True, MANY)])
        head = f"for ({w.index_type} base = 0; base < {self.count}; base += {self.tile})" if several else ""
        with w.block(head):
            if self.lanes > 1:
                w.line(f"const int lane = t{f' % {WARP}' if self.warps > 1 else ''};")
            self._load()
            if self.warps > 1 and several:
                w.line(f"{self.kind}* const warps = {self.name} + base / {self.tile} % 2 * {WARP};")
            self._scan_threads("warps" if several else self.name)
            if self.warps > 1:
                self.group.barrier()
                self._scan_warps("warps" if several else self.name)
            self._store_totals()
        if self.warps > 1:
            self.group.hazards.note([(self.name, False, ALL)])

    @contextmanager
    def _each_vector(self) -> Iterator[None]:
        """A loop over the vectors of a tile."""
        w = self.w
        w.line("#pragma unroll")
        with w.block(f"for (int j = 0; j < {self.vectors}; ++j)"):
            base = "base + " if self.count > self.tile else ""
            w.line(f"const {w.index_type} g = {base}{f'j * {self.size} + ' if self.vectors > 1 else ''}t;")
            self.group.indices(self.scan.nest, self.width)
            yield

    @contextmanager
    def _inside(self) -> Iterator[None]:
        """A block for the iterations that take place."""
        w, levels = self.w, self.scan.nest.levels
        limits = [f"g < {self.count}"] if self.count % self.tile else []
        limits += [w.condition(level.until) for level in levels if level.until is not None]
        if not limits:
            yield
            return
        with w.block(f"if ({' && '.join(limits)})"):
            yield

    def _load(self) -> None:
        w = self.w
        for number, load in enumerate(self.loads):
            w.line(f"{vector(load, self.width)} l{number}[{self.vectors}];")
        if self.loads:
            with self._each_vector(), self._inside():
                for number, load in enumerate(self.loads):
                    emit_vector_load(w, load, f"l{number}[j]", self.width, declare=False)

    def _scan_threads(self, warps: str) -> None:
        """Scans within threads and warps: `s` scans a thread's vector, `e` is the total of the lanes before it."""
        w, scan, last = self.w, self.scan, self.scan.nest.levels[-1].index
        w.line(f"{self.kind} s[{self.vectors}][{self.width}], e[{self.vectors}], a[{self.vectors}];")
        for number, load in enumerate(self.loads):
            w.given[load] = f"l{number}[j].at[v]"
        none = literal(neutral(scan.operation, self.dtype), self.dtype)
        with self._each_vector():
            w.line("#pragma unroll")
            w.line(f"for (int v = 0; v < {self.width}; ++v) s[j][v] = {none};")
            with self._inside():
                def after() -> None:
                    term = w.scalar(scan.term)
                    w.line(f"s[j][v] = {term};")
                    w.line(f"if (v > 0) s[j][v] = {self._both('s[j][v - 1]', term)};")

                step(w, scan.before, last, self.width, (), after=after)
            w.line(f"{self.kind} y = s[j][{self.width - 1}];")
            for line in warp_scan(scan.operation, self.dtype, "y", self.lanes, self.group.mask):
                w.line(line)
            if self.lanes > 1:
                w.line(f"e[j] = {self._shuffled('up', 'y', '1')};")
            if self.warps > 1:
                w.line(f"if (lane == {WARP - 1}) {warps}[{self._slot}] = y;")
            else:
                w.line(f"a[j] = {self._shuffled('from', 'y', str(self.lanes - 1)) if self.lanes > 1 else 'y'};")
        for load in self.loads:
            del w.given[load]

    @property
    def _slot(self) -> str:
        """The index of a warp's total for vector `j`, in the order of the tile's elements."""
        return f"j * {self.warps} + t / {WARP}" if self.vectors > 1 else f"t / {WARP}"

    def _scan_warps(self, warps: str) -> None:
        """Scans the totals of all warps: `a` is the total of the warps before, `all` that of the tile."""
        w, count = self.w, self.vectors * self.warps
        w.line(f"{self.kind} z = {warps}[lane{f' % {count}' if count < WARP else ''}];")
        for line in warp_scan(self.scan.operation, self.dtype, "z", count, self.group.mask):
            w.line(line)
        w.line("#pragma unroll")
        w.line(f"for (int j = 0; j < {self.vectors}; ++j) "
               f"a[j] = {self._shuffled('from', 'z', f'({self._slot} + {count - 1}) % {count}')};")
        w.line(f"const {self.kind} all = {self._shuffled('from', 'z', str(count - 1))};")

    def _store_totals(self) -> None:
        """The statements that use the running total, and the total that the next tile starts with."""
        w, scan = self.w, self.scan
        total = w.scalar(scan.result)

        def declare() -> None:
            w.declare(scan.total, self._both("b", "s[j][v]"))

        if self.warps > 1:
            w.line(f"const {self.kind} before = {total};")
        with self._each_vector():
            if self.warps > 1:
                w.line(f"{self.kind} b = before;")
                w.line(f"if ({self._slot} > 0) b = {self._both('b', 'a[j]')};")
            else:
                w.line(f"{self.kind} b = {total};")
            if self.lanes > 1:
                w.line(f"if (lane > 0) b = {self._both('b', 'e[j]')};")
            with self._inside():
                step(w, scan.after, scan.nest.levels[-1].index, self.width, self.stores, before=declare)
            if self.warps == 1:
                w.line(f"{total} = {self._both(total, 'a[j]')};")
        if self.warps > 1:
            w.line(f"{total} = {self._both('before', 'all')};")

    def _both(self, x: str, y: str) -> str:
        return combined(self.scan.operation, self.dtype, x, y)

    def _shuffled(self, kind: str, value: str, lane: str) -> str:
        return f"shuffle_{kind}_{self.dtype.name}({self.group.mask}, {value}, {lane}, {self.lanes})"
