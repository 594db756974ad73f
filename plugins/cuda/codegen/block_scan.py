"""BlockScan sums of a group: threads add up neighbours, warps what their threads have, blocks what their warps have."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

from olympus_core.toolkit.loops import Load, Store

from .access_analysis import ALL, MANY, is_aligned, steady
from .functions import register_type
from .literals import literal
from .nests import neutral
from .scans import Scan
from .schedule import WARP, vectors_per_thread
from .vectors import emit_vector_load, step, vector
from .warp_primitives import warp_scan
from .writer import combined

if TYPE_CHECKING:
    from .cooperative import CooperativeWriter


class BlockScan:
    """Writes a running sum, tile after tile; the order in which elements are put together is always the same.

    A tile is a few turns of all threads, each of which takes a vector a turn: all loads come first. Warps put together
    what their lanes have; then every warp puts together what all warps have, of all turns.

    Args:
        group: Who shares it.
        scan: The loops.
        width: Neighbours that a thread takes together.
        name: A name of its own in the function.
    """

    def __init__(self, group: CooperativeWriter, scan: Scan, width: int, name: str) -> None:
        self.group, self.w, self.scan, self.width, self.name = group, group.w, scan, width, name
        self.size = group.plan.size
        self.lanes, self.warps = min(self.size, WARP), max(1, self.size // WARP)
        self.groups = scan.nest.size // width
        self.vectors = vectors_per_thread(self.size, self.groups)
        self.tile = self.size * self.vectors
        self.dtype = np.dtype(scan.term.dtype)
        self.kind = register_type(self.dtype)
        known = [a for a in steady(scan.nest) if width == 1 or is_aligned(a, scan.nest, width)]
        self.loads = [a for a in known if isinstance(a, Load)]
        self.stores = [a for a in known if isinstance(a, Store) and width > 1]

    def emit(self) -> None:
        """The loop over tiles."""
        w, several = self.w, self.groups > self.tile
        w.declare(self.scan.result, w.scalar(self.scan.initial), const=False)
        if self.warps > 1:
            # Of two tiles, so that one barrier is enough.
            self.group.shared.append(f"{self.kind} {self.name}[{WARP * (2 if several else 1)}]")
            self.group.touch([(self.name, True, MANY)])
        head = f"for ({w.index_type} base = 0; base < {self.groups}; base += {self.tile})" if several else ""
        with w.block(head):
            if self.lanes > 1:
                w.line(f"const int lane = t{f' % {WARP}' if self.warps > 1 else ''};")
            self._load()
            if self.warps > 1 and several:
                w.line(f"{self.kind}* const warps = {self.name} + base / {self.tile} % 2 * {WARP};")
            self._add_up("warps" if several else self.name)
            if self.warps > 1:
                self.group.barrier()
                self._put_together("warps" if several else self.name)
            self._hand_out()
        if self.warps > 1:
            self.group.hazards.note([(self.name, False, ALL)])

    @contextmanager
    def _each_vector(self) -> Iterator[None]:
        """Every turn of a tile."""
        w = self.w
        w.line("#pragma unroll")
        with w.block(f"for (int j = 0; j < {self.vectors}; ++j)"):
            base = "base + " if self.groups > self.tile else ""
            w.line(f"const {w.index_type} g = {base}{f'j * {self.size} + ' if self.vectors > 1 else ''}t;")
            self.group.places(self.scan.nest, self.width)
            yield

    @contextmanager
    def _inside(self) -> Iterator[None]:
        """Iterations that take place."""
        w, levels = self.w, self.scan.nest.levels
        limits = [f"g < {self.groups}"] if self.groups % self.tile else []
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

    def _add_up(self, warps: str) -> None:
        """Threads, then warps: `s` is the sum within a thread, `e` what its warp's threads before it have."""
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
                w.line(f"if (lane == {WARP - 1}) {warps}[{self._position}] = y;")
            else:
                w.line(f"a[j] = {self._shuffled('from', 'y', str(self.lanes - 1)) if self.lanes > 1 else 'y'};")
        for load in self.loads:
            del w.given[load]

    @property
    def _position(self) -> str:
        """The place of a warp's turn among all of the tile."""
        return f"j * {self.warps} + t / {WARP}" if self.vectors > 1 else f"t / {WARP}"

    def _put_together(self, warps: str) -> None:
        """What all warps have, in all turns: `z` of a lane is that of the places up to its own."""
        w, count = self.w, self.vectors * self.warps
        w.line(f"{self.kind} z = {warps}[lane{f' % {count}' if count < WARP else ''}];")
        for line in warp_scan(self.scan.operation, self.dtype, "z", count, self.group.mask):
            w.line(line)
        w.line("#pragma unroll")
        w.line(f"for (int j = 0; j < {self.vectors}; ++j) "
               f"a[j] = {self._shuffled('from', 'z', f'({self._position} + {count - 1}) % {count}')};")
        w.line(f"const {self.kind} all = {self._shuffled('from', 'z', str(count - 1))};")

    def _hand_out(self) -> None:
        """Every element's own, and what the next tile begins with."""
        w, scan = self.w, self.scan
        total = w.scalar(scan.result)

        def declare() -> None:
            w.declare(scan.total, self._both("b", "s[j][v]"))

        if self.warps > 1:
            w.line(f"const {self.kind} before = {total};")
        with self._each_vector():
            if self.warps > 1:
                w.line(f"{self.kind} b = before;")
                w.line(f"if ({self._position} > 0) b = {self._both('b', 'a[j]')};")
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

    def _shuffled(self, kind: str, value: str, place: str) -> str:
        return f"shuffle_{kind}_{self.dtype.name}({self.group.mask}, {value}, {place}, {self.lanes})"
