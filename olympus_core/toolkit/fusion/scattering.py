"""Scatter: a copy of the operand, then the updates in order."""

from __future__ import annotations

from olympus_core.ops import OPERATIONS

from ..loops import Affine, Index, Loop, Parameter, Scalar, Statement, Store
from ..loops.form import LoopKind
from .coordinates import At, Coordinate
from .group import Body, Group
from .nest import collapse
from .statements import Phase, depends, varying


def scatter_loop(group: Group, body: Body, out: Parameter) -> Loop:
    """The loops of a scatter, whose iteration space is that of its updates.

    The result's elements are copied first; then the updates go in order, since they may meet.
    """
    (operation,) = group.members.values()
    x, indices, updates = operation.operands
    attributes, shape, windows = operation.attributes, updates.type.shape, operation.attributes["update_window_dims"]
    every = Index("every")
    body.extents[every] = out.size
    given = body.element(x, At((out.size,), (Coordinate(Affine.of(every)),)))
    body.statements.append(Store(out, Affine.of(every), given))
    copy = Loop(every, out.size, "lanes", tuple(body.statements))
    body.memo, body.statements = {}, []
    seen = body.whole.seen_as(shape, body.extents)
    gone = {*attributes["inserted_window_dims"], *attributes["operand_batching_dims"]}
    kept = [d for d in range(x.type.ndim) if d not in gone]
    sizes = dict.fromkeys(range(x.type.ndim), 1) | {d: shape[w] for d, w in zip(kept, windows, strict=True)}
    batch = [c for d, c in enumerate(seen) if d not in windows]
    places, inside = body.window(
        x.type.shape, list(sizes.values()), indices, batch, [seen[d] for d in windows], attributes,
        "inserted_window_dims", "scatter_dims_to_operand_dims", None)
    place = At(x.type.shape, places).flat
    when = inside if isinstance(inside, Scalar) and attributes["mode"] == "drop" else None
    combine = None if attributes["combine"] == "set" else attributes["combine"]
    update = body.element(updates, body.whole)
    phase = Phase([*body.statements, Store(out, place.affine, update, place.dynamic, when, combine)])
    dims = collapse([(i, body.extents[i], False) for i in body.indices], [phase])
    *statements, store = phase.statements
    last = {dims[-1][0]} if dims else set()
    passing = varying(statements, last)
    # Lanes never meet inside one window; otherwise one update goes after the other.
    lanes = isinstance(store, Store) and any(store.at.stride(i) == 1 for i in last) and when not in passing and not any(
        s in passing for s, _ in place.dynamic)
    if lanes and combine is not None and isinstance(store, Store):
        body.statements = statements
        before = body.load(out, Coordinate(store.at, place.dynamic), when)
        store = Store(out, store.at, body.compute(OPERATIONS[combine], before, update), place.dynamic, when)
        passing = varying(statements, last)
    statements.append(store)
    moving = [s for s in statements if isinstance(s, Store) or depends(s, last, passing)]
    held = [s for s in statements if s not in moving] if dims else []
    nest: list[Statement] = moving if dims else statements
    for index, extent, _ in reversed(dims):
        kind: LoopKind = "lanes" if lanes and index in last else "serial"
        nest = [Loop(index, extent, kind, tuple(nest))]
        nest, held = [*held, *nest], []
    return Loop(Index("once"), 1, "parallel", (copy, *nest))
