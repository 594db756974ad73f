# SPDX-License-Identifier: Apache-2.0
"""Updates of parts of an array: a copy of the operand, then the updates in order.

Scatters go this way, and windows that are written into much larger arrays. Where the output lies in the operand's own
memory the updates are all there is to do.
"""

from __future__ import annotations

import math

from olympus_core.dataclass import dataclass, replace
from olympus_core.errors import OlympusInternalError
from olympus_core.ops import OPERATIONS
from olympus_core.program import Operation, Value

from ..loops import Affine, Index, Load, Loop, Parameter, Scalar, Statement, Store
from ..loops.form import LoopKind
from .coordinates import Coordinate, Position
from .group import Body, Group
from .nest import collapse
from .options import FusionOptions
from .statements import Phase, depends, varying


@dataclass(frozen=True, slots=True)
class UpdateLoops:
    """The loops of updates.

    Args:
        whole: All that is done.
        filling: What comes before the updates.
        updates: The updates.
        begin: The input of which the output is a copy before the updates; None where it is computed.
        is_apart: Whether no two updates have the same position.
    """

    whole: Loop
    filling: Loop
    updates: Loop
    begin: Parameter | None
    is_apart: bool


@dataclass(frozen=True, slots=True)
class _Write:
    """Where an update goes, and how; nowhere where `when` is false."""

    position: Coordinate
    when: Scalar | None
    combine: str | None
    is_apart: bool


def updates_of(operation: Operation) -> Value:
    """What is written into the first operand."""
    update = operation.record.update_operand
    if update is None:
        raise OlympusInternalError(f"{operation.name} updates nothing")
    return operation.operands[update]


def updating_loops(group: Group, body: Body, out: Parameter, options: FusionOptions) -> UpdateLoops:
    """The loops of a kernel whose iteration space is that of its updates."""
    (operation,) = group.members.values()
    filling = _filling(operation.operands[0], body, out)
    body.memo, body.statements = {}, []
    write = _window(operation, body) if operation.name == "dynamic_update_slice" else _scattered(operation, body)
    if not options.updates_in_place:
        write = replace(write, is_apart=False)  # a part of a larger kernel, which is given to threads as a whole
    updates = _updates(updates_of(operation), body, out, write)
    last = updates[-1]
    if write.is_apart and isinstance(last, Loop) and group.size >= options.long_copy:
        # Threads divide it; what it needs once is written in it.
        alone = Loop(last.index, last.extent, last.kind, (*updates[:-1], *last.body))
    else:
        alone = _once(*updates)
    return UpdateLoops(_once(filling, *updates), filling, alone, _copied(filling), write.is_apart)


def _once(*statements: Statement) -> Loop:
    return Loop(Index("once"), 1, "parallel", statements)


def _filling(x: Value, body: Body, out: Parameter) -> Loop:
    every = Index("every")
    body.extents[every] = out.size
    given = body.element(x, Position((out.size,), (Coordinate(Affine.of(every)),)))
    return Loop(every, out.size, "lanes", (*body.statements, Store(out, Affine.of(every), given)))


def _copied(filling: Loop) -> Parameter | None:
    """The input that a loop does nothing but copy."""
    read, *_, write = filling.body
    is_copy = isinstance(read, Load) and isinstance(write, Store) and len(filling.body) == 2 and read.at == write.at
    return read.parameter if is_copy and isinstance(read, Load) else None


def _window(operation: Operation, body: Body) -> _Write:
    """A window that is moved to lie inside."""
    x, update, *starts = operation.operands
    seen = body.whole.seen_as(update.type.shape, body.extents)
    sides = zip(seen, starts, x.type.shape, update.type.shape, strict=True)
    positions = tuple(position.plus(body.first(start, n - m, None)) for position, start, n, m in sides)
    return _Write(Position(x.type.shape, positions).flat, None, None, True)


def _scattered(operation: Operation, body: Body) -> _Write:
    """Many windows, each where its index vector says."""
    x, indices, updates = operation.operands
    attributes, shape, windows = operation.attributes, updates.type.shape, operation.attributes["update_window_dims"]
    seen = body.whole.seen_as(shape, body.extents)
    gone = {*attributes["inserted_window_dims"], *attributes["operand_batching_dims"]}
    kept = [d for d in range(x.type.ndim) if d not in gone]
    sizes = dict.fromkeys(range(x.type.ndim), 1) | {d: shape[w] for d, w in zip(kept, windows, strict=True)}
    batch = [d for d in range(len(shape)) if d not in windows]
    positions, inside = body.window(
        x.type.shape, list(sizes.values()), indices, [seen[d] for d in batch], [seen[d] for d in windows], attributes,
        "inserted_window_dims", "scatter_dims_to_operand_dims", None)
    when = inside if isinstance(inside, Scalar) and attributes["mode"] == "drop" else None
    combine = None if attributes["combine"] == "set" else attributes["combine"]
    meeting = math.prod(shape[d] for i, d in enumerate(batch) if i not in attributes["indices_batching_dims"])
    return _Write(Position(x.type.shape, positions).flat, when, combine, meeting == 1)


def _updates(updates: Value, body: Body, out: Parameter, write: _Write) -> tuple[Statement, ...]:
    """The updates: a loop after what it needs once, or statements alone for one update."""
    position, when, combine = write.position, write.when, write.combine
    update = body.element(updates, body.whole)
    phase = Phase([*body.statements, Store(out, position.affine, update, position.dynamic, when, combine)])
    dims = collapse([(i, body.extents[i], False) for i in body.indices], [phase])
    *statements, store = phase.statements
    last = {dims[-1][0]} if dims else set()
    passing = varying(statements, last)
    # Lanes never meet inside one window; otherwise one update goes after the other.
    lanes = bool(dims) and isinstance(store, Store) and (write.is_apart or (
        any(store.at.stride(i) == 1 for i in last) and when not in passing and
        not any(s in passing for s, _ in position.dynamic)))
    if lanes and combine is not None and isinstance(store, Store):
        body.statements = statements
        before = body.load(out, Coordinate(store.at, position.dynamic), when)
        store = Store(out, store.at, body.compute(OPERATIONS[combine], before, update), position.dynamic, when)
        passing = varying(statements, last)
    statements.append(store)
    if not dims:
        return tuple(statements)
    inner = [s for s in statements if isinstance(s, Store) or depends(s, last, passing)]
    held: list[Statement] = [s for s in statements if s not in inner]
    for index, extent, _ in reversed(dims):
        kind: LoopKind = "parallel" if write.is_apart else "serial"
        loop = Loop(index, extent, "lanes" if lanes and index in last else kind, tuple(inner))
        inner, held = [*held, loop], []
    return tuple(inner)
