# SPDX-License-Identifier: Apache-2.0
"""Scheduling: how the loops of a kernel become blocks and threads, decided before any text is written."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from olympus_core.toolkit.c_text import (
    Level,
    Nest,
    Nests,
    PerThreadPlan,
    accesses,
    is_wide,
    loops_of,
    width_of,
)
from olympus_core.toolkit.loops import (
    Kernel,
    Loop,
    Statement,
    Store,
)

from .interchange import launches_of
from .scans import Scan, scan_of
from .target import Target

FLAT_BLOCK = 256
MOST_THREADS = 512
WARP = 32
SIDE = 32  # iterations of a block of a `ColumnReductionPlan`
SHARED_BYTES = 46 << 10  # for scratch; the rest of 48 KiB is for partial sums
_BUSY = 2048  # threads that one multiprocessor can hold
_MOST_SCAN_VECTORS = 4
_EACH = 8  # elements of a row for each thread, at least, where there are many rows


@dataclass(frozen=True, slots=True)
class ColumnReductionPlan:
    """Each iteration is computed by a column of threads of a block, which divide the terms of its reductions.

    Args:
        flat: The iterations.
        nests: The reductions, by the identity of their loop.
        split: Threads of a column.
    """

    flat: PerThreadPlan
    nests: Mapping[int, Nest]
    split: int

    @property
    def block(self) -> int:
        """Threads of a block."""
        return SIDE * self.split

    @property
    def grid(self) -> int:
        """Number of blocks."""
        return -(-self.flat.threads // SIDE)


@dataclass(frozen=True, slots=True)
class CooperativePlan:
    """Each iteration is computed by a cooperative group of threads: a block, a warp, or a part of a warp.

    Args:
        levels: The loops that are divided among groups.
        body: The statements of one iteration.
        nests: By the identity of their loop, the nests that are divided among the threads, with their vector width.
        scans: Likewise the scans that the threads compute together.
        size: Threads of a group.
        groups: Groups of a block.
        is_wide: Whether indices need 64 bits.
    """

    levels: tuple[Level, ...]
    body: tuple[Statement, ...]
    nests: Mapping[int, tuple[Nest, int]]
    scans: Mapping[int, tuple[Scan, int]]
    size: int
    groups: int
    is_wide: bool

    @property
    def rows(self) -> int:
        """Number of groups that have work."""
        return math.prod(level.extent for level in self.levels)

    @property
    def block(self) -> int:
        """Threads of a block."""
        return self.size * self.groups

    @property
    def grid(self) -> int:
        """Number of blocks."""
        return -(-self.rows // self.groups)


Plan = PerThreadPlan | ColumnReductionPlan | CooperativePlan


def schedule(kernel: Kernel, target: Target) -> Iterator[tuple[Kernel, Plan]]:
    """The launches of a kernel, each as a kernel of its own with its plan."""
    for launch in launches_of(kernel, target):
        yield launch, _scheduled(launch, target)


def _scheduled(kernel: Kernel, target: Target) -> Plan:
    nests = Nests(kernel)
    levels, body, lanes = nests.chain(kernel)
    rows = math.prod(level.extent for level in levels)
    wide = is_wide(kernel)
    if lanes:
        width = 1 if any(p.role == "local" for p in kernel.parameters) else width_of(Nest((levels[-1],), body), True)
        while width > 1 and rows // width < FLAT_BLOCK * target.multiprocessors // 2:
            width //= 2
        made = _flat(levels, body, width, wide, target)
        return made if width > 1 else _columns(made, kernel, nests, target) or made
    found: dict[int, tuple[Nest, int]] = {}
    scans: dict[int, tuple[Scan, int]] = {}
    _collect(body, nests, found, scans)
    sizes = [(nest.size, width) for nest, width in found.values()]
    sizes += [(scan.nest.size, width) for scan, width in scans.values()]
    largest, width = max(sizes, default=(0, 1))
    useful = largest > 1 and (scans or any(len(n.levels) > 1 or n.reductions for n, _ in found.values()) or
                              any(loop.kind == "lanes" for loop in loops_of(body)) or rows < _BUSY)
    if not useful:
        return _flat(levels, body, 1, wide, target)
    widths = {size: min(w for n, w in found.values() if n.size == size) for size in {n.size for n, _ in found.values()}}
    found = {key: (nest, widths[nest.size]) for key, (nest, _) in found.items()}
    size, groups = _group_size(rows, largest, widths.get(largest, width), target)
    if scans and rows >= 2 * target.multiprocessors:
        size = min(size, FLAT_BLOCK)
    return CooperativePlan(levels, body, found, scans, min(size, MOST_THREADS) if scans else size, groups, wide)


def _flat(
    levels: tuple[Level, ...], body: tuple[Statement, ...], width: int, wide: bool, target: Target
) -> PerThreadPlan:
    made = PerThreadPlan(levels, body, width, FLAT_BLOCK, wide)
    block = FLAT_BLOCK
    while block > WARP and -(-made.threads // block) < target.multiprocessors:
        block //= 2
    return replace(made, block=block)


def _columns(flat: PerThreadPlan, kernel: Kernel, nests: Nests, target: Target) -> ColumnReductionPlan | None:
    """The plan with several threads for each iteration, where iterations are few and only reduce; else None."""
    loops = [s for s in flat.body if isinstance(s, Loop)]
    held = [s for level in flat.levels for s in level.held]
    if not loops or any(isinstance(s, Loop) for s in held) or any(level.until for level in flat.levels):
        return None
    last = flat.body.index(loops[-1])
    early = [*held, *flat.body[:last + 1]]
    if any(isinstance(a, Store) or a.parameter.role != "input" for a in accesses(early)):
        return None
    found = {id(loop): nests.nest(loop) for loop in loops}
    if any(nest is None or not nest.reductions for nest in found.values()):
        return None
    summed = {key: nest for key, nest in found.items() if nest is not None}
    least, split = min(nest.size for nest in summed.values()), 1
    widest = max(sum(max(4, r.result.dtype.itemsize) for r in nest.reductions) for nest in summed.values())
    most = min(SIDE, SHARED_BYTES // (2 * SIDE * widest), least // 4)  # partial sums are double-buffered
    while 2 * split <= most and flat.threads * split < _BUSY * target.multiprocessors:
        split *= 2
    return ColumnReductionPlan(flat, summed, split) if split > 1 else None


def _group_size(rows: int, largest: int, width: int, target: Target) -> tuple[int, int]:
    """Threads of a group, and groups of a block."""
    vectors = -(-largest // width)
    most = 1 << (vectors - 1).bit_length() if vectors > 1 else 1
    each = max(2, _EACH // width)  # vectors of a thread: at least two loads are in flight
    size = 1 << max(0, (vectors // each).bit_length() - 1)
    size = max(size, min(most, WARP))
    if size <= 4 * WARP and rows >= 16 * target.multiprocessors:
        size = min(size, WARP) if largest <= 32 * WARP else size
    while rows * size < _BUSY * target.multiprocessors and size < most:
        size *= 2
    size = min(size, MOST_THREADS if vectors <= 32 * MOST_THREADS else 2 * MOST_THREADS)
    groups = 1
    if size <= WARP:
        groups = FLAT_BLOCK // size
        while groups > 1 and (groups * size > WARP) and -(-rows // groups) < target.multiprocessors:
            groups //= 2
    return size, groups


def scan_vectors(size: int, vectors: int) -> int:
    """Vectors of a thread in a tile of a scan: a power of two, such that one warp can scan the totals of all warps.

    Args:
        size: Threads of the group.
        vectors: Vectors of the whole scan.
    """
    needed = 1 << (-(-vectors // size) - 1).bit_length()
    return max(1, min(_MOST_SCAN_VECTORS, WARP // max(1, size // WARP), needed))


def _collect(
    statements: Sequence[Statement], nests: Nests, found: dict[int, tuple[Nest, int]],
    scans: dict[int, tuple[Scan, int]],
) -> None:
    for statement in statements:
        if isinstance(statement, Loop):
            nest = nests.nest(statement)
            scan = scan_of(statement, nests) if nest is None else None
            if nest is not None:
                found[id(statement)] = nest, width_of(nest, False)
            elif scan is not None:
                scans[id(statement)] = scan, width_of(scan.nest, False)
            else:
                _collect(statement.body, nests, found, scans)
