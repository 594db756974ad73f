# SPDX-License-Identifier: Apache-2.0
"""Loop distribution around a recurrence: what does not wait for the iteration before is computed in vectors, ahead.

A serial loop that hands a value on, as a cumulative sum does, has no vectors. What it adds up may be costly, and needs
none of what is handed on: a lanes loop computes it into scratch memory, strip by strip, and the serial loop reads it
there. Results are the same; nothing is added up in another order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from olympus_core.toolkit.loops import (
    Affine,
    Compute,
    Constant,
    Index,
    IndexValue,
    Inside,
    Kernel,
    Load,
    Loop,
    Parameter,
    Recurrence,
    Scalar,
    Statement,
    Store,
    operands_of,
    results_of,
)

from .storage import storage
from .vectorization import operation_weight

_STRIP = 1024  # iterations whose values lie in the first-level cache
_LEAST_EXTENT = 16
_LEAST_WEIGHT = 16  # of what is computed ahead; less is done as fast beside the recurrence
_MOST_LIVE = 3  # values for each iteration


def with_distributed_recurrences(kernel: Kernel) -> Kernel:
    """The kernel with lanes loops ahead of those of its serial loops that hand values on."""
    made: list[Parameter] = []
    loop = _within(kernel.loop, made)
    return replace(kernel, parameters=(*kernel.parameters, *made), loop=loop) if made else kernel


def _within(loop: Loop, made: list[Parameter]) -> Loop:
    # In lanes all values are vectors already; scratch memory belongs to an iteration of the outermost loop.
    if loop.kind == "lanes" or not any(isinstance(s, Loop) for s in loop.body):
        return loop
    body: list[Statement] = []
    for statement in loop.body:
        if isinstance(statement, Loop):
            body += _distributed(_within(statement, made), made)
        else:
            body.append(statement)
    return replace(loop, body=tuple(body))


def _distributed(loop: Loop, made: list[Parameter]) -> Sequence[Statement]:
    """A serial loop, with what is done ahead of it where that pays."""
    if loop.kind != "serial" or not loop.recurrences or loop.reductions or loop.until is not None:
        return [loop]
    if loop.extent < _LEAST_EXTENT or any(isinstance(s, Loop) for s in loop.body):
        return [loop]
    ahead, waiting = _parted(loop)
    weight = sum(operation_weight(s.record) for s in ahead if isinstance(s, Compute))
    used = {id(x) for s in (*waiting, loop) for x in operands_of(s)}
    live = [x for s in ahead if isinstance(s, Compute) for x in s.results if id(x) in used]
    storages = [storage(x.dtype) for x in live]
    if weight < _LEAST_WEIGHT or len(live) > _MOST_LIVE or any(s.parts > 1 or s.kind == "bool" for s in storages):
        return [loop]
    scratch = [Parameter(f"ahead{len(made) + k}", x.dtype, min(loop.extent, _STRIP), "local")
               for k, x in enumerate(live)]
    made += scratch
    constants = [s for s in ahead if isinstance(s, Constant)]
    ahead = [s for s in ahead if not isinstance(s, Constant)]
    # What costs nothing is done in both loops.
    twice = [s for s in ahead if not isinstance(s, Compute) and any(id(x) in used for x in results_of(s))]
    parts = (ahead, [*twice, *waiting], live, scratch)
    if loop.extent <= _STRIP:
        return [*constants, *_strip(loop, parts, Affine(), loop.extent, loop.recurrences)]
    whole, rest = divmod(loop.extent, _STRIP)
    block = Index(f"{loop.index.name}_strip")
    starts = [Scalar(r.initial.dtype) for r in loop.recurrences]
    ends = [Scalar(r.result.dtype) for r in loop.recurrences]
    middles = [Scalar(r.result.dtype) if rest else r.result for r in loop.recurrences]
    inner = [replace(r, initial=start, result=end)
             for r, start, end in zip(loop.recurrences, starts, ends, strict=True)]
    outer = tuple(Recurrence(middle, r.initial, start, end)
                  for r, start, end, middle in zip(loop.recurrences, starts, ends, middles, strict=True))
    body = _strip(loop, parts, Affine.of(block, _STRIP), _STRIP, inner)
    found: list[Statement] = [*constants, Loop(block, whole, "serial", tuple(body), recurrences=outer)]
    if rest:
        last = [replace(r, initial=middle) for r, middle in zip(loop.recurrences, middles, strict=True)]
        found += _strip(loop, parts, Affine(whole * _STRIP), rest, last)
    return found


_Parts = tuple[Sequence[Statement], Sequence[Statement], Sequence[Scalar], Sequence[Parameter]]


def _parted(loop: Loop) -> tuple[list[Statement], list[Statement]]:
    """The statements that depend on no iteration before, and the others."""
    late = {id(r.inside) for r in loop.recurrences}
    ahead: list[Statement] = []
    waiting: list[Statement] = []
    for statement in loop.body:
        waits = isinstance(statement, Store) or any(id(x) in late for x in operands_of(statement))
        # What is no input may have been written by an iteration before.
        if waits or (isinstance(statement, Load) and statement.parameter.role != "input"):
            late |= {id(x) for x in results_of(statement)}
            waiting.append(statement)
        else:
            ahead.append(statement)
    return ahead, waiting


def _strip(
    loop: Loop, parts: _Parts, start: Affine, extent: int, recurrences: Sequence[Recurrence],
) -> Sequence[Statement]:
    """The two loops over iterations from `start` on."""
    ahead, waiting, live, scratch = parts
    lane, turn = Index(f"{loop.index.name}_ahead"), Index(loop.index.name)
    copies = _Copies(loop.index, Affine.of(lane).plus(start))
    lanes = [copies.of(s) for s in ahead]
    lanes += [Store(p, Affine.of(lane), copies.scalar(x)) for x, p in zip(live, scratch, strict=True)]
    copies = _Copies(loop.index, Affine.of(turn).plus(start))
    inside = {id(r.inside): Scalar(r.inside.dtype) for r in recurrences}
    copies.scalars.update(inside)
    turns: list[Statement] = [Load(copies.new(x), p, Affine.of(turn)) for x, p in zip(live, scratch, strict=True)]
    turns += [copies.of(s) for s in waiting]
    handed = tuple(replace(r, inside=inside[id(r.inside)], following=copies.scalar(r.following)) for r in recurrences)
    return [Loop(lane, extent, "lanes", tuple(lanes)),
            Loop(turn, extent, "serial", tuple(turns), recurrences=handed)]


class _Copies:
    """Statements of a loop in another one.

    Args:
        index: The loop's variable.
        by: What it is there.
    """

    def __init__(self, index: Index, by: Affine) -> None:
        self.index, self.by = index, by
        self.scalars: dict[int, Scalar] = {}

    def scalar(self, x: Scalar) -> Scalar:
        """The element there; one from outside of the loop is the same."""
        return self.scalars.get(id(x), x)

    def new(self, x: Scalar) -> Scalar:
        """Another element in its place."""
        return self.scalars.setdefault(id(x), Scalar(x.dtype))

    def of(self, s: Statement) -> Statement:
        """The statement there."""
        if isinstance(s, Compute):
            return replace(s, operands=tuple(map(self.scalar, s.operands)), results=tuple(map(self.new, s.results)))
        if isinstance(s, (IndexValue, Inside)):
            return replace(s, of=s.of.replaced(self.index, self.by), result=self.new(s.result))
        if isinstance(s, (Load, Store)):
            at = s.at.replaced(self.index, self.by)
            dynamic = tuple((self.scalar(x), stride) for x, stride in s.dynamic)
            when = None if s.when is None else self.scalar(s.when)
            if isinstance(s, Load):
                return replace(s, at=at, dynamic=dynamic, when=when, result=self.new(s.result))
            return replace(s, at=at, dynamic=dynamic, when=when, value=self.scalar(s.value))
        return s
