# SPDX-License-Identifier: Apache-2.0
"""Few long scans as three launches: reduce-then-scan.

The first launch reduces each chunk, the second scans the chunks' totals, and the third scans each chunk, starting from
the total of the chunks before it. Merrill and Garland (2016) compare this scheme with the single-pass scan with
decoupled look-back; it reads the input twice, but needs no communication between blocks of one launch.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from olympus_core import dtypes, ops
from olympus_core.toolkit.c_text import Level, Nests, neutral
from olympus_core.toolkit.loops import (
    Affine,
    Compute,
    Constant,
    Index,
    Inside,
    Kernel,
    Load,
    Loop,
    Parameter,
    Recurrence,
    Reduction,
    Scalar,
    Statement,
    Store,
)

from .scans import Scan, scan_of
from .target import Target

_ROWS = 2  # rows for each multiprocessor, from which on rows alone are enough parallelism
_BLOCKS = 16  # blocks for each multiprocessor: while some wait for memory, others compute
_TILE = 4096  # elements of a row for each block, at least
_MOST_TILES = 8  # tiles of a row up to which one block is faster than three launches
_THREADS = 1024  # for each multiprocessor, where a thread scans one column of a chunk
_LEAST = 32  # rows of a chunk of columns, at least
_ALIGNED = 128  # elements, of which chunks are a multiple


def reduce_then_scan(kernel: Kernel, target: Target) -> list[Kernel] | None:
    """The three launches of a kernel that is few long scans, or None; the chunks' totals are a further parameter."""
    if any(p.role == "local" for p in kernel.parameters):
        return None
    levels, body, lanes = Nests(kernel).chain(kernel)
    loops = [s for s in body if isinstance(s, Loop)]
    plain = all(isinstance(s, (Constant, Load, Inside, Compute, Loop)) for s in body)
    if len(loops) != 1 or body[-1] is not loops[0] or not plain or any(level.held or level.until for level in levels):
        return None
    scan = scan_of(loops[0], Nests(kernel))
    if scan is None or len(scan.nest.levels) != 1 or scan.nest.levels[0].until or scan.nest.size != loops[0].extent:
        return None
    if any(isinstance(s, Load) and s.parameter.role != "input" for s in (*body, *scan.before)):
        return None
    rows = math.prod(level.extent for level in levels)
    length = _chunk(rows, loops[0].extent, lanes, target)
    return _ReduceThenScan(kernel, levels, body[:-1], loops[0], scan, length, lanes).kernels() if length else None


def _chunk(rows: int, length: int, lanes: bool, target: Target) -> int:
    """Elements of a chunk; 0 where there is enough parallelism without chunks."""
    if lanes:
        threads = _THREADS * target.multiprocessors
        if 4 * rows > threads or length < 8 * _LEAST:
            return 0
        return max(_LEAST, -(-length * rows // threads))
    blocks = _BLOCKS * target.multiprocessors
    if rows > _ROWS * target.multiprocessors or length < _MOST_TILES * _TILE:
        return 0
    return max(_TILE, -(-length * rows // blocks // _ALIGNED) * _ALIGNED)


class _ReduceThenScan:
    """The three kernels.

    Args:
        kernel: Whose launches they are.
        levels: The loops around the scan.
        held: The statements before it.
        loop: The loop that is the scan.
        scan: The scan.
        length: Elements of a chunk.
        lanes: Whether the innermost loop around it is over lanes.
    """

    def __init__(
        self, kernel: Kernel, levels: Sequence[Level], held: Sequence[Statement], loop: Loop, scan: Scan, length: int,
        lanes: bool,
    ) -> None:
        self.kernel, self.levels, self.held, self.loop, self.scan = kernel, levels, held, loop, scan
        self.length, self.lanes = length, lanes
        self.count = -(-loop.extent // length)
        rows = math.prod(level.extent for level in levels)
        self.dtype = scan.term.dtype
        self.sums = Parameter("sums", self.dtype, rows * self.count, "output")
        self.chunk = Index("chunk")
        self.position, stride = Affine.of(self.chunk), self.count
        for level in reversed(levels):
            self.position = self.position.plus(Affine.of(level.index, stride))
            stride *= level.extent

    def kernels(self) -> list[Kernel]:
        """The kernels, in order."""
        parameters = (*self.kernel.parameters, self.sums)
        return [replace(self.kernel, parameters=parameters, loop=loop)
                for loop in (self._reduce_chunks(), self._scan_totals(), self._scan_chunks())]

    def _around(self, body: Sequence[Statement], chunks: bool) -> Loop:
        """Loops over rows and chunks: the loop over chunks is innermost, but outside a loop over lanes."""
        dims = [(level.index, level.extent) for level in self.levels]
        if chunks:
            dims.insert(len(dims) - 1 if self.lanes else len(dims), (self.chunk, self.count))
        (index, extent), outer = dims[-1], dims[:-1]
        loop = Loop(index, extent, "lanes" if chunks and self.lanes else "parallel", tuple(body))
        for index, extent in reversed(outer):
            loop = Loop(index, extent, "parallel", (loop,))
        return loop

    def _limit(self) -> tuple[Affine, int] | None:
        extent, index = self.loop.extent, self.loop.index
        whole = Affine.of(self.chunk, self.length).plus(Affine.of(index))
        return (whole, extent) if extent % self.length else None

    def _moved(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """The statements of an element, with its index replaced by the index within its chunk."""
        whole = Affine.of(self.chunk, self.length).plus(Affine.of(self.loop.index))
        made: list[Statement] = []
        for s in statements:
            if isinstance(s, (Load, Store)):
                s = replace(s, at=s.at.replaced(self.loop.index, whole))
            elif not isinstance(s, (Constant, Compute, Loop)):
                s = replace(s, of=s.of.replaced(self.loop.index, whole))
            made.append(s)
        return tuple(made)

    def _neutral(self) -> Constant:
        value = neutral(self.scan.operation, self.dtype)
        return Constant(Scalar(self.dtype), self.dtype.type(value))

    def _reduce_chunks(self) -> Loop:
        scan, none, total = self.scan, self._neutral(), Scalar(self.dtype)
        reduction = Reduction(total, scan.operation, none.result, scan.term)
        loop = replace(self.loop, extent=self.length, body=self._moved(scan.before), until=self._limit(),
                       reductions=(reduction,), recurrences=())
        return self._around([*self.held, none, loop, Store(self.sums, self.position, total)], True)

    def _scan_totals(self) -> Loop:
        none = self._neutral()
        inside, term, total = (Scalar(self.dtype) for _ in range(3))
        body = (Load(term, self.sums, self.position),
                Compute((total,), ops.OPERATIONS[self.scan.operation], (inside, term)),
                Store(self.sums, self.position, total))
        loop = Loop(self.chunk, self.count, "serial", body,
                    recurrences=(Recurrence(Scalar(self.dtype), none.result, inside, total),))
        return self._around([none, loop], False)

    def _scan_chunks(self) -> Loop:
        (recurrence,) = self.loop.recurrences
        none, later = self._neutral(), Scalar(dtypes.bool_)
        before, begin = Scalar(self.dtype), Scalar(self.dtype)
        first: list[Statement] = [
            none, Inside(later, Affine.of(self.chunk), 1, self.count),
            Load(before, self.sums, self.position.shifted(-1), (), later),
            Compute((begin,), ops.select, (later, before, none.result)),
        ]
        loop = replace(self.loop, extent=self.length, body=self._moved(self.loop.body), until=self._limit(),
                       recurrences=(replace(recurrence, initial=begin),))
        return self._around([*self.held, *first, loop], True)
