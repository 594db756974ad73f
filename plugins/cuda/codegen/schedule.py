"""How the loops of a kernel become threads; decided before any text is written."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from olympus_core.toolkit.loops import (
    IndexValue,
    Inside,
    Kernel,
    Load,
    Loop,
    Statement,
    Store,
)

from .access_analysis import VECTOR_BYTES, is_aligned, steady, width_of
from .interchange import parts
from .nests import Level, Nest, Nests, accesses, loops_of
from .scans import Scan, scan_of
from .target import Target

FLAT_BLOCK = 256
MOST_THREADS = 512
WARP = 32
SIDE = 32  # columns of a block
SHARED_BYTES = 46 << 10  # of 48 KiB, the rest is for sums
_BUSY = 2048  # threads that one multiprocessor likes to have
_MANY_THREADS = 8 * _BUSY  # of one multiprocessor: then fewer, with more to do each, still fill it
_MOST_TURNS = 4
_EACH = 8  # elements of a row that a thread takes, at least where rows are many


@dataclass(frozen=True, slots=True)
class PerThreadPlan:
    """Iterations are threads.

    Args:
        levels: The loops whose iterations are.
        body: What one does.
        width: Neighbours of the last loop that one thread takes.
        block: Threads of a block.
        is_wide: Whether numbers need 64 bits.
        turns: How many times so many neighbours one takes.
    """

    levels: tuple[Level, ...]
    body: tuple[Statement, ...]
    width: int
    block: int
    is_wide: bool
    vectors: int = 1

    @property
    def threads(self) -> int:
        """Number of threads that have something to do, if each does so once."""
        counts = [level.extent for level in self.levels]
        return math.prod(counts[:-1]) * -(-counts[-1] // self.width) if counts else 1

    @property
    def grid(self) -> int:
        """Number of blocks."""
        return -(-self.threads // (self.block * self.vectors))


@dataclass(frozen=True, slots=True)
class ColumnReductionPlan:
    """Iterations are columns of threads, which share the terms of its sums.

    Args:
        flat: The iterations.
        nests: What they add up, by the loop.
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
    """Iterations are teams of threads: a block, a warp or a part of one.

    Args:
        levels: The loops whose iterations are.
        body: What one does; its nests are the threads'.
        nests: Which loops are shared by the threads, with the neighbours that one takes.
        scans: Which loops are running sums that the threads share, likewise.
        size: Threads of a team.
        teams: Teams of a block.
        is_wide: Whether numbers need 64 bits.
    """

    levels: tuple[Level, ...]
    body: tuple[Statement, ...]
    nests: Mapping[int, tuple[Nest, int]]
    scans: Mapping[int, tuple[Scan, int]]
    size: int
    teams: int
    is_wide: bool

    @property
    def rows(self) -> int:
        """Number of teams that have something to do."""
        return math.prod(level.extent for level in self.levels)

    @property
    def block(self) -> int:
        """Threads of a block."""
        return self.size * self.teams

    @property
    def grid(self) -> int:
        """Number of blocks."""
        return -(-self.rows // self.teams)


Plan = PerThreadPlan | ColumnReductionPlan | CooperativePlan


def schedule(kernel: Kernel, target: Target) -> Iterator[tuple[Kernel, Plan]]:
    """The launches that a kernel becomes, each with what it computes."""
    for part in parts(kernel, target):
        yield part, _scheduled(part, target)


def _scheduled(kernel: Kernel, target: Target) -> Plan:
    nests = Nests(kernel)
    levels, body, lanes = nests.chain(kernel)
    rows = math.prod(level.extent for level in levels)
    wide = _is_wide(kernel)
    if lanes:
        width = 1 if any(p.role == "local" for p in kernel.parameters) else width_of(Nest((levels[-1],), body), True)
        while width > 1 and rows // width < FLAT_BLOCK * target.multiprocessors // 2:
            width //= 2
        made = _flat(levels, body, width, wide, target)
        return _with_two_vectors(made, target) if width > 1 else _columns(made, kernel, nests, target) or made
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
    size, teams = _team(rows, largest, widths.get(largest, width), target)
    if scans and rows >= 2 * target.multiprocessors:
        size = min(size, FLAT_BLOCK)
    return CooperativePlan(levels, body, found, scans, min(size, MOST_THREADS) if scans else size, teams, wide)


def _flat(
    levels: tuple[Level, ...], body: tuple[Statement, ...], width: int, wide: bool, target: Target
) -> PerThreadPlan:
    made = PerThreadPlan(levels, body, width, FLAT_BLOCK, wide)
    block = FLAT_BLOCK
    while block > WARP and -(-made.threads // block) < target.multiprocessors:
        block //= 2
    return replace(made, block=block)


def _with_two_vectors(flat: PerThreadPlan, target: Target) -> PerThreadPlan:
    """The same with two vectors for each thread, where one would leave too few bytes on their way from memory."""
    last = flat.levels[-1]
    if flat.threads < _MANY_THREADS * target.multiprocessors or last.extent % flat.width:
        return flat
    if any(level.until or level.held for level in flat.levels):
        return flat
    nest = Nest((last,), flat.body)
    nbytes = [a.parameter.dtype.itemsize * flat.width for a in steady(nest)
              if isinstance(a, Load) and is_aligned(a, nest, flat.width)]
    return replace(flat, vectors=2) if nbytes and sum(nbytes) <= VECTOR_BYTES else flat


def _columns(flat: PerThreadPlan, kernel: Kernel, nests: Nests, target: Target) -> ColumnReductionPlan | None:
    """The same with several threads for each iteration, where these are few and all that they do is to add up."""
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
    most = min(SIDE, SHARED_BYTES // (2 * SIDE * widest), least // 4)  # two sets of shared memory for sums
    while 2 * split <= most and flat.threads * split < _BUSY * target.multiprocessors:
        split *= 2
    return ColumnReductionPlan(flat, summed, split) if split > 1 else None


def _team(rows: int, largest: int, width: int, target: Target) -> tuple[int, int]:
    """Threads of a team, and teams of a block."""
    groups = -(-largest // width)
    most = 1 << (groups - 1).bit_length() if groups > 1 else 1
    each = max(2, _EACH // width)  # vectors: two loads at least are on their way
    size = 1 << max(0, (groups // each).bit_length() - 1)
    size = max(size, min(most, WARP))
    if size <= 4 * WARP and rows >= 16 * target.multiprocessors:
        size = min(size, WARP) if largest <= 32 * WARP else size
    while rows * size < _BUSY * target.multiprocessors and size < most:
        size *= 2
    size = min(size, MOST_THREADS if groups <= 32 * MOST_THREADS else 2 * MOST_THREADS)
    teams = 1
    if size <= WARP:
        teams = FLAT_BLOCK // size
        while teams > 1 and (teams * size > WARP) and -(-rows // teams) < target.multiprocessors:
            teams //= 2
    return size, teams


def vectors_per_thread(size: int, groups: int) -> int:
    """Vectors of a thread in a tile of a running sum: a power of two, such that a warp's lanes can hold all sums."""
    needed = 1 << (-(-groups // size) - 1).bit_length()
    return max(1, min(_MOST_TURNS, WARP // max(1, size // WARP), needed))


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


def _is_wide(kernel: Kernel) -> bool:
    """Whether an address or a number of threads may need more than 31 bits."""
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
