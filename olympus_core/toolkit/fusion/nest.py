# SPDX-License-Identifier: Apache-2.0
"""From phases of statements to loops: rows, columns, blocks, tiles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from olympus_core import ops
from olympus_core.dataclass import dataclass, replace

from ..loops import (
    Affine,
    Compute,
    Constant,
    Index,
    Inside,
    Load,
    Loop,
    Parameter,
    Recurrence,
    Reduction,
    Scalar,
    Statement,
    Store,
    results_of,
)
from ..loops.form import LoopKind
from .group import Body, Group
from .options import FusionOptions
from .statements import Phase, affines_of, changed, depends, rewritten, varying


@dataclass(frozen=True, slots=True)
class Dim:
    """A loop to be made: ``base + index`` runs below the extent."""

    index: Index
    extent: int
    kind: LoopKind
    until: tuple[Affine, int] | None = None


def collapse(dims: list[tuple[Index, int, bool]], phases: list[Phase]) -> list[tuple[Index, int, bool]]:
    """Takes neighbouring loops together where all addresses allow it."""
    affines = affines_of(s for p in phases for s in p.statements)
    position = len(dims) - 1
    while position > 0:
        (outer, m, gone), (inner, n, too) = dims[position - 1: position + 1]
        if gone == too and all(a.stride(outer) == n * a.stride(inner) for a in affines):
            remove = partial(Affine.replaced, index=outer, by=Affine())
            for phase in phases:
                phase.statements = [rewritten(s, remove) for s in phase.statements]
            affines = list(map(remove, affines))
            dims = [*dims[: position - 1], (inner, m * n, gone), *dims[position + 1:]]
        position -= 1
    return dims


def assemble(group: Group, body: Body, phases: list[Phase], scratch: list[Parameter], options: FusionOptions) -> Loop:
    """Puts the loops around the phases; may ask for more scratch memory."""
    dims = [(i, n, gone) for i, (n, gone) in zip(body.indices, group.space, strict=True)]
    dims = collapse(dims, phases)
    column = group.is_column(options)
    kept = [Dim(i, n, "parallel") for i, n, gone in dims if not gone]
    inner = [Dim(i, n, "serial") for i, n, gone in dims if gone]
    if group.is_flat:
        return _flat(kept, phases[0].statements, scratch, options)
    if group.is_streamed(options):
        return _streamed(kept, inner, phases, scratch, options)
    change: Callable[[Affine], Affine] = lambda a: a  # noqa: E731
    if column:
        last = kept[-1]
        tiles, change = _cut(replace(last, kind="lanes"), options.lane_tile, "parallel")
        kept = [*kept[:-1], *tiles]
    elif not phases[0].running:
        inner[-1] = replace(inner[-1], kind="lanes")
    statements: list[Statement] = []
    indices = {d.index for d in inner}
    for phase in phases:
        passing = varying(phase.statements, indices, (inside for _, inside, _ in phase.running))
        loop = [s for s in phase.statements if depends(s, indices, passing)]
        statements += [rewritten(s, change) for s in phase.statements if not depends(s, indices, passing)]
        if loop or phase.reductions:
            inside = replace(phase, statements=[rewritten(s, change) for s in loop])
            statements += _pass(inner, inside, options)
    return around(kept or [Dim(Index("once"), 1, "parallel")], statements)


def around(dims: Sequence[Dim], statements: Sequence[Statement]) -> Loop:
    """Loops around statements."""
    for dim in reversed(dims[1:]):
        statements = [Loop(dim.index, dim.extent, dim.kind, tuple(statements), dim.until)]
    return Loop(dims[0].index, dims[0].extent, dims[0].kind, tuple(statements), dims[0].until)


def _streamed(
    kept: list[Dim], inner: list[Dim], phases: list[Phase], scratch: list[Parameter], options: FusionOptions
) -> Loop:
    """Sums over rows, a few rows at a time for all columns; what has been summed waits in scratch memory."""
    phase, last = phases[0], replace(kept[-1], kind="lanes")
    tiles, change = _cut(last, options.stream_tile, "parallel")
    blocks, within = _cut(inner[-1], options.stream_rows, "serial")
    begin: list[Statement] = []
    add: list[Statement] = []
    end: list[Statement] = []
    reductions = []
    for operation, contribution, result in phase.reductions:
        sums = Parameter(f"t{len(scratch)}", result.dtype, last.extent, "local")
        scratch.append(sums)
        start, before, some, total = (Scalar(result.dtype) for _ in range(4))
        position = Affine.of(last.index)
        begin += [Constant(start, ops.OPERATIONS[operation].nothing(result.dtype)[()]), Store(sums, position, start)]
        reductions.append((operation, contribution, some))
        add += [Load(before, sums, position), Compute((total,), ops.OPERATIONS[operation], (before, some)),
                Store(sums, position, total)]
        end.append(Load(result, sums, position))
    indices = {d.index for d in inner}
    passing = varying(phase.statements, indices)
    moving = [rewritten(s, within) for s in phase.statements if depends(s, indices, passing)]
    held = [s for s in phase.statements if not depends(s, indices, passing)]
    rows = _pass([blocks[-1]], Phase(moving, reductions, constants=phase.constants), options)
    iteration: Statement = around([tiles[-1]], [*held, *rows, *add])
    iteration = around([*inner[:-1], *blocks[:-1]], [iteration]) if len(inner) + len(blocks) > 2 else iteration
    end += [s for p in phases[1:] for s in p.statements]
    body = [around([tiles[-1]], begin), iteration, around([tiles[-1]], end)]
    return changed(around([*kept[:-1], *tiles[:-1]] or [Dim(Index("once"), 1, "parallel")], body), change)


def _cut(dim: Dim, block: int, kind: LoopKind) -> tuple[list[Dim], Callable[[Affine], Affine]]:
    """A loop as blocks of it, and how to write its index then."""
    if dim.extent <= block:
        return [dim], lambda a: a
    count = -(-dim.extent // block)
    outer, inner = Index(f"{dim.index}_block"), Index(dim.index.name)
    whole = Affine.of(outer, block).plus(Affine.of(inner))
    until = (whole, dim.extent) if dim.extent % block else None
    return [Dim(outer, count, kind), Dim(inner, block, dim.kind, until)], lambda a: a.replaced(dim.index, whole)


def _pass(inner: list[Dim], phase: Phase, options: FusionOptions) -> list[Statement]:
    """The loops of one phase, cut so that no sum grows long."""
    dims: list[Dim] = []
    until = _padding(phase, inner[-1], options)
    statements = phase.statements
    for dim in inner:
        block = options.lane_block if dim.kind == "lanes" else options.serial_block
        if phase.reductions and dim.extent >= 2 * block:
            parts, change = _cut(dim, block, "serial")
            statements = [rewritten(s, change) for s in statements]
            until = until and (change(until[0]), until[1])
        else:
            parts = [dim]
        dims += parts
    if until is not None:
        dims[-1] = replace(dims[-1], until=until)
    before: list[Statement] = []
    starts = [_identity(op, result.dtype, before) for op, _, result in phase.reductions]
    firsts = [_identity(op, inside.dtype, before, running=True) for op, inside, _ in phase.running]
    sums = [c for _, c, _ in phase.reductions]
    # From the innermost loop outwards: what a loop adds up is what the next one adds up.
    handed = [(inside, following) for _, inside, following in phase.running]
    for depth, dim in reversed(list(enumerate(dims))):
        results = [r if depth == 0 else Scalar(r.dtype) for _, _, r in phase.reductions]
        reductions = tuple(
            Reduction(r, op, start, c)
            for r, (op, _, _), start, c in zip(results, phase.reductions, starts, sums, strict=True))
        outer = [Scalar(i.dtype) for i, _ in handed]
        after = [Scalar(i.dtype) for i, _ in handed]
        recurrences = tuple(
            Recurrence(a, first if depth == 0 else o, i, f)
            for a, o, first, (i, f) in zip(after, outer, firsts, handed, strict=True))
        statements = [Loop(dim.index, dim.extent, dim.kind, tuple(statements), dim.until, reductions, recurrences)]
        sums, handed = results, list(zip(outer, after, strict=True))
    return [*before, *statements]


def _padding(phase: Phase, last: Dim, options: FusionOptions) -> tuple[Affine, int] | None:
    """Takes out of a phase that it adds up nothing beyond some position; the loop rather ends there."""
    made = {r: s for s in phase.statements for r in results_of(s)}
    chosen = [made.get(c) for _, c, _ in phase.reductions]
    block = options.lane_block if last.kind == "lanes" else options.serial_block
    cut = last.extent >= 2 * block and last.extent % block
    if cut or last.until or not chosen or any(isinstance(s, Store) for s in phase.statements):
        return None
    conditions = {s.operands[0] for s in chosen if isinstance(s, Compute) and s.record is ops.select}
    inside = made.get(conditions.pop()) if len(conditions) == 1 else None
    if not isinstance(inside, Inside) or inside.low > inside.of.constant or inside.of.stride(last.index) <= 0:
        return None
    terms = []
    for (operation, _, result), select in zip(phase.reductions, chosen, strict=True):
        if not isinstance(select, Compute) or select.record is not ops.select:
            return None
        fillers = phase.constants.get(select.operands[2])
        if fillers is None or fillers.tobytes() != ops.OPERATIONS[operation].nothing(result.dtype).tobytes():
            return None
        terms.append((operation, select.operands[1], result))
    if any(stride < 0 for _, stride in inside.of.terms):
        return None
    phase.reductions = terms
    statements = [replace(s, when=None) if isinstance(s, Load) and s.when is inside.result else s
                  for s in phase.statements if s not in chosen]
    used = any(depends(s, set(), {inside.result}) for s in statements)
    phase.statements = [s for s in statements if used or s is not inside]
    return inside.of, inside.high


def _identity(operation: str, dtype: Any, into: list[Statement], running: bool = False) -> Scalar:
    record = ops.OPERATIONS[operation]
    value = (record.neutral(dtype) if running else record.nothing(dtype))[()]  # what runs keeps -0
    scalar = Scalar(dtype)
    into.append(Constant(scalar, value))
    return scalar


def _flat(kept: list[Dim], statements: list[Statement], scratch: list[Parameter], options: FusionOptions) -> Loop:
    """Loops where nothing is reduced: lanes over the last dimension, tiles where another one is contiguous."""
    if not kept:
        return Loop(Index("i"), 1, "lanes", tuple(statements))
    last, tile = replace(kept[-1], kind="lanes"), options.transpose_tile
    across = _contiguous_elsewhere(kept, statements)
    dims = [*kept[:-1], last]
    if across is not None and _wants_tiles(across, last.extent):
        others = [d for d in kept[:-1] if d is not across]
        outer, change = _cut(across, tile, "parallel")
        inner, too = _cut(last, tile, "parallel")
        far = [s for s in statements if isinstance(s, Load) and not s.dynamic and s.when is None and
               abs(s.at.stride(last.index)) >= 2 * tile and abs(s.at.stride(across.index)) == 1]
        statements = [rewritten(s, lambda a: too(change(a))) for s in statements]
        dims = [*others, *outer[:-1], *inner[:-1], outer[-1], inner[-1]]
        if far and len(dims) > 2:
            return _staged(dims, statements, {s.result for s in far}, scratch, options)
        if len(dims) > 2:
            dims[-2] = replace(dims[-2], kind="serial")
    passing = varying(statements, {dims[-1].index})
    held = [s for s in statements if not depends(s, {dims[-1].index}, passing)] if len(dims) > 1 else []
    body: tuple[Statement, ...] = tuple(s for s in statements if s not in held)
    loop = Loop(dims[-1].index, dims[-1].extent, "lanes", body, dims[-1].until)
    for position, dim in reversed(list(enumerate(dims[:-1]))):
        within = (*held, loop) if position == len(dims) - 2 else (loop,)
        loop = Loop(dim.index, dim.extent, dim.kind, within, dim.until)
    return loop


def _staged(
    dims: list[Dim], statements: list[Statement], far: set[Scalar], scratch: list[Parameter], options: FusionOptions
) -> Loop:
    """Tiles whose far loads are copied to scratch memory first, in the order in which they lie in memory."""
    *tiles, down, along = dims
    # One more than a tile's extent, so that rows begin in different sets (or banks) of the cache.
    position = Affine.of(along.index, options.transpose_tile + 1).plus(Affine.of(down.index))
    copies: list[Statement] = []
    body: list[Statement] = []
    for statement in statements:
        if isinstance(statement, Load) and statement.result in far:
            read, dtype = Scalar(statement.result.dtype), statement.result.dtype
            copy = Parameter(f"t{len(scratch)}", dtype, options.transpose_tile * (options.transpose_tile + 1), "local")
            scratch.append(copy)
            copies += [replace(statement, result=read), Store(copy, position, read)]
            statement = Load(statement.result, copy, position)
        body.append(statement)
    copying = around([replace(along, kind="serial"), replace(down, kind="lanes")], copies)
    if tiles[0].extent < options.parallelism:
        tiles.sort(key=lambda d: -d.extent)
    outer = [tiles[0], *(replace(d, kind="serial") for d in tiles[1:])]  # scratch memory is the outermost loop's
    return around(outer, [copying, around([replace(down, kind="serial"), along], body)])


def _contiguous_elsewhere(kept: list[Dim], statements: list[Statement]) -> Dim | None:
    """The loop along which something is read that the last loop reads far apart."""
    last = kept[-1].index
    for statement in statements:
        if isinstance(statement, Load) and abs(statement.at.stride(last)) > 1:
            for dim in kept[:-1]:
                if abs(statement.at.stride(dim.index)) == 1:
                    return dim
    return None


def is_transposed(dims: Sequence[tuple[Index, int]], statements: list[Statement]) -> bool:
    """Whether elements change their order so that tiles are worth it."""
    across = _contiguous_elsewhere([Dim(i, n, "parallel") for i, n in dims], statements) if len(dims) > 1 else None
    return across is not None and _wants_tiles(across, dims[-1][1])


def _wants_tiles(across: Dim | None, extent: int) -> bool:
    return across is not None and extent >= 8 and across.extent >= 8
