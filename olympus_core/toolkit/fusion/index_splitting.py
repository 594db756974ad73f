# SPDX-License-Identifier: Apache-2.0
"""Index-set splitting: loops are divided so that no element has to choose among several operands.

A joined, padded or rolled array is made of boxes: within each box, the source of an element is known. A kernel's
iteration space is cut at the borders of the boxes; where elements of several sources are interleaved (a new last
dimension, elements put between others), it is cut into strided ranges. Each section has loops of its own. Interleaved
sections share theirs, so that an emitter sees all stores to one cache line together; a short dimension whose
neighbours lie side by side is unrolled for that (the last one of a result, or of the operand that is moved).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from olympus_core.dataclass import dataclass
from olympus_core.program import Operation

from ..loops import Affine, Compute, Index, Load, Loop, Statement, Store
from ..loops.form import LoopKind
from .coordinates import Coordinate, NeedsSplit, Position, Unexpressible
from .elements import NeedsSections
from .group import Body, Group, Mismatch
from .nest import collapse, is_transposed
from .options import FusionOptions
from .statements import Phase, rewritten

_CUT = frozenset({"concatenate", "pad"})  # operations whose elements come from several positions
_SHORT = 8  # a dimension up to this is written out, if its neighbours in memory then are in the same loop
_INTERLEAVED = 16  # the longest distance between neighbouring iterations whose gaps others fill
_MOST_STATEMENTS = 512  # of all sections together
_MOST_COST = 96  # of these, in additions: where much is computed choices cost little, and its text several times a lot
_ALIGNED = 64  # elements: what blocks of a last dimension are multiples of
_LANES = 16  # the same of shorter blocks: most vectors' lanes, so that no code is needed for what is left over
_BLOCKS = 16  # so many there should be before they grow to the size that they may have
_TOGETHER = 4  # of the blocks that they may have, where sections share rows: each block's are in the nearest caches
_LEAST = 16  # the same of the least


@dataclass(frozen=True, slots=True)
class _Range:
    """Iterations of one dimension: ``start + step * i`` for i below the count."""

    start: int
    count: int
    step: int = 1

    def part(self, first: int, last: int) -> _Range:
        """Those from the first up to the last."""
        return _Range(self.start + self.step * first, last - first, self.step)

    def cut(self, at: Sequence[int]) -> list[_Range]:
        """Ranges that begin at these iterations."""
        ends = [0, *at, self.count]
        return [self.part(a, b) for a, b in zip(ends, ends[1:], strict=False)]

    def interleaved(self, number: int) -> list[_Range]:
        """Strided ranges of equal length, and the iterations that are left at the end one by one."""
        whole = self.count // number
        every = [_Range(self.start + self.step * i, whole, self.step * number) for i in range(number)] if whole else []
        return every + [self.part(i, i + 1) for i in range(whole * number, self.count)]


_Box = tuple[_Range, ...]


@dataclass(slots=True)
class _Section:
    """Loops, outermost first, and what is done in them."""

    dims: list[tuple[Index, int]]
    statements: list[Statement]

    @property
    def stores(self) -> list[Store]:
        return [s for s in self.statements if isinstance(s, Store)]

    @property
    def loads(self) -> list[Load]:
        return [s for s in self.statements if isinstance(s, Load)]


def split_loops(
    group: Group, body: Body, write: Callable[[Body], list[Statement]], operations: Sequence[Operation],
    options: FusionOptions,
) -> Loop | None:
    """The loops of a kernel that reduces nothing, section by section; None where there is but one, or too many.

    Args:
        group: What the kernel computes.
        body: What writes its elements in the whole iteration space; its inputs are the sections', too.
        write: Gives the statements of an iteration.
        operations: All that is computed.
        options: How many sections there may be.
    """
    if not options.sections or not group.is_flat:
        return None
    if len(group.space) < 2 and all(o.name not in _CUT for o in operations):
        return None
    try:
        sections = _sections(group, body, write, options)
    except (NeedsSplit, Unexpressible, Mismatch):
        return None
    if sections is None or len(sections) < 2:
        return None
    return _blocks(_with_interleaved_joined(sections), group.size, options.section_block)


def _sections(
    group: Group, body: Body, write: Callable[[Body], list[Statement]], options: FusionOptions
) -> list[_Section] | None:
    waiting: list[_Box] = [tuple(_Range(0, n) for n, _ in group.space)]
    found: list[_Section] = []
    total, cost = 0, 0.0
    while waiting:
        if len(found) + len(waiting) > options.sections:
            return None
        box = waiting.pop()
        part = _within(body, box)
        try:
            phase = Phase(write(part))
        except NeedsSections as need:
            if len(need.at) > options.sections or need.stride > options.sections:
                return None  # before so many are made: what lies between elements may be as much as an array holds
            position = part.indices.index(need.index)
            ranges = box[position].interleaved(need.stride) if need.stride else box[position].cut(need.at)
            waiting += [(*box[:position], r, *box[position + 1:]) for r in reversed(ranges)]
            continue
        dims = [(i, r.count, False) for i, r in zip(part.indices, box, strict=True) if r.count > 1]
        dims = collapse(dims, [phase]) if dims else dims
        section = _Section([(i, n) for i, n, _ in dims], phase.statements)
        if is_transposed(section.dims, section.statements):
            return None
        short = _short(section)
        if short is not None and box[position := part.indices.index(short[0])].count == short[1]:
            ranges = box[position].cut(range(1, short[1]))
            waiting += [(*box[:position], r, *box[position + 1:]) for r in reversed(ranges)]
            continue
        total += len(phase.statements)
        cost += sum(s.record.cost for s in phase.statements if isinstance(s, Compute))
        if total > _MOST_STATEMENTS or cost > _MOST_COST:
            return None
        found.append(section)
    return found


def _within(body: Body, box: _Box) -> Body:
    """What writes elements of a part of the iteration space."""
    part = Body(body.producer, body.group)
    part.inputs, part.is_cut = body.inputs, True
    part.extents.update((i, r.count) for i, r in zip(part.indices, box, strict=True))
    positions = (
        Coordinate(Affine(r.start, ((i, r.step),) if r.count > 1 else ()))
        for i, r in zip(part.indices, box, strict=True)
    )
    part.whole = part.rows = Position(part.whole.shape, tuple(positions))
    return part


def _short(section: _Section) -> tuple[Index, int] | None:
    """A dimension that holds a few elements of lines which go on with the next iteration of another, inner one."""
    if len(section.dims) < 2:
        return None
    *others, (last, extent) = section.dims
    outer, count = others[-1]
    if extent <= _SHORT:  # of what is written
        gap = max(abs(s.at.stride(outer)) for s in section.stores)
        again = any(load.at.stride(last) and not load.at.stride(outer) for load in section.loads)  # the same each time
        return (last, extent) if gap <= _INTERLEAVED and count > _SHORT and not again else None
    for load in section.loads:  # of what is read
        for index, n in others:
            if n <= _SHORT and load.at.stride(index) == 1 and load.at.stride(last) == n and not load.dynamic:
                return index, n
    return None


def _with_interleaved_joined(sections: Sequence[_Section]) -> list[_Section]:
    """The sections; those that write, or read, in each other's gaps are one."""
    alike: dict[object, list[_Section]] = {}
    for section in sections:
        key = (tuple(n for _, n in section.dims),
               tuple((id(s.parameter), *(s.at.stride(i) for i, _ in section.dims)) for s in section.stores))
        alike.setdefault(key, []).append(section)
    found: list[_Section] = []
    for members in alike.values():
        members.sort(key=lambda s: s.stores[0].at.constant)
        while members:
            first, *members = members
            access = _apart(first)
            while access is not None and members and _is_between(access, members[0], first):
                _join(first, members.pop(0))
            found.append(first)
    return found


def _apart(section: _Section) -> Store | Load | None:
    """The first access of which others fill the gaps."""
    accesses: list[Store | Load] = [section.stores[0], *section.loads] if section.dims else []
    for access in accesses:
        if 1 < access.at.stride(section.dims[-1][0]) <= _INTERLEAVED and not access.dynamic and access.when is None:
            return access
    return None


def _is_between(access: Store | Load, other: _Section, section: _Section) -> bool:
    """Whether a section that is otherwise alike touches what lies in an access's gaps."""
    position = section.stores.index(access) if isinstance(access, Store) else section.loads.index(access)
    others = other.stores if isinstance(access, Store) else other.loads
    if position >= len(others) or others[position].parameter is not access.parameter:
        return False
    its, gap = others[position], access.at.stride(section.dims[-1][0])
    pairs = zip(section.dims, other.dims, strict=True)
    same = all(access.at.stride(i) == its.at.stride(j) for (i, _), (j, _) in pairs)
    return same and not its.dynamic and its.when is None and abs(its.at.constant - access.at.constant) < gap


def _join(first: _Section, other: _Section) -> None:
    """Does what another section does in the same iterations."""
    for (mine, _), (its, _) in zip(first.dims, other.dims, strict=True):
        other.statements = [rewritten(s, partial(Affine.replaced, index=its, by=Affine.of(mine)))
                            for s in other.statements]
    first.statements += other.statements


def _blocks(sections: Sequence[_Section], size: int, block: int) -> Loop:
    """One loop around all, each of whose iterations does as large a part of one of every section's loops."""
    for section in sections:
        section.dims = section.dims or [(Index("once"), 1)]
    together = len({s.dims[0][1] for s in sections}) == 1 and all(len(s.dims) > 1 for s in sections)
    count = max(1, size // (block // _TOGETHER if together else block), min(_BLOCKS, size * _LEAST // block))
    divided = [_divided(section.dims, count) for section in sections]
    count = min(count, max(n for _, n in divided))
    outer = Index("block")
    blocks = (_block(section, outer, count, *dim) for section, dim in zip(sections, divided, strict=True))
    return Loop(outer, count, "parallel", tuple(blocks))


def _divided(dims: Sequence[tuple[Index, int]], count: int) -> tuple[Index, int]:
    """The loop that blocks are parts of: the first that gives enough of them."""
    return next((d for d in dims if d[1] >= min(count, _BLOCKS)), max(dims, key=lambda d: d[1]))


def _block(section: _Section, outer: Index, count: int, divided: Index, extent: int) -> Loop:
    """The loops of a section, within a block of one of them."""
    dims, last = section.dims, section.dims[-1][0]
    length = -(-extent // count)
    if divided is last and length > _LANES and count > 1:
        unit = _ALIGNED if length > _ALIGNED else _LANES
        length = -(-length // unit) * unit
    position = Affine.of(outer, length if count > 1 else 0).plus(Affine.of(divided))
    until = (position, extent) if length * count > extent else None
    statements: tuple[Statement, ...] = tuple(
        rewritten(s, partial(Affine.replaced, index=divided, by=position)) for s in section.statements)
    for index, n in reversed(dims):
        kind: LoopKind = "lanes" if index is last else "parallel"
        own = Loop(index, n, kind, statements) if index is not divided else Loop(index, length, kind, statements, until)
        statements = (own,)
    return own
