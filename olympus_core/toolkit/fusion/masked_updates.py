# SPDX-License-Identifier: Apache-2.0
"""Updates that only some rows of an array get: the choice is made for each update, and not for each element.

``select(rows, scatter(x, indices, updates), x)`` is what batching makes of updates in a loop or a branch that some
elements of the batch have left. As it stands it reads and writes all of `x`, twice. A scatter whose indices lie outside
in the rows that keep what they had gives the same, and may be done in place.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.dataclass import dataclass
from olympus_core.program import Operation, Value

from ..passes import Builder, Match, Rule, anything, op


def masked_updates() -> tuple[Rule, ...]:
    """Rules for updates of which a selection keeps a part, or all, or nothing."""
    return (
        Rule(op("select", anything("chosen"), op("scatter", uses=1, bind="update"), anything("old")),
             lambda new, match: _scattered(new, match, kept=False)),
        Rule(op("select", anything("chosen"), anything("old"), op("scatter", uses=1, bind="update")),
             lambda new, match: _scattered(new, match, kept=True)),
        Rule(op("select", anything("chosen"), op("dynamic_update_slice", uses=1, bind="update"), anything("old")),
             lambda new, match: _window(new, match, kept=False)),
        Rule(op("select", anything("chosen"), anything("old"), op("dynamic_update_slice", uses=1, bind="update")),
             lambda new, match: _window(new, match, kept=True)),
    )


def _scattered(new: Builder, match: Match, kept: bool) -> Value | None:
    """The scatter with indices outside of the array where its result is not chosen."""
    scatter, old = match.producer("update"), match["old"]
    x, indices, updates = scatter.operands
    attributes = scatter.attributes
    found = _choice(new, match["chosen"])
    pairs = dict(zip(attributes["operand_batching_dims"], attributes["indices_batching_dims"], strict=True))
    if x is not old or found is None or not indices.type.shape[-1]:
        return None
    along = [pairs.get(d, -1) for d in found.dimensions]
    if -1 in along or along != sorted(along):
        return None
    mask = found.along(new, indices.type.shape, along)
    if attributes["mode"] == "clip":
        indices = _clipped(new, indices, scatter)
    dtype = indices.type.dtype
    indices = new.convert(indices, dtypes.int64 if dtype.itemsize == 8 or dtype == dtypes.uint32 else dtypes.int32)
    outside = new.splat(indices.type.dtype.type(-1), indices.type.shape)
    indices = new.apply(ops.select, mask, *((outside, indices) if kept else (indices, outside)))
    return new.apply(scatter.record, x, indices, updates, **{**attributes, "mode": "drop"})


def _clipped(new: Builder, indices: Value, scatter: Operation) -> Value:
    """Indices whose windows lie inside."""
    x, _, updates = scatter.operands
    attributes, sizes = scatter.attributes, [1] * x.type.ndim
    gone = {*attributes["inserted_window_dims"], *attributes["operand_batching_dims"]}
    kept = [d for d in range(x.type.ndim) if d not in gone]
    for d, window in zip(kept, attributes["update_window_dims"], strict=True):
        sizes[d] = updates.type.shape[window]
    greatest = int(dtypes.limits(indices.type.dtype).max)
    last = [min(x.type.shape[d] - sizes[d], greatest) for d in attributes["scatter_dims_to_operand_dims"]]
    high = np.broadcast_to(np.array(last, indices.type.dtype), indices.type.shape)
    low = new.splat(indices.type.dtype.type(0), indices.type.shape)
    return new.apply(ops.clamp, low, indices, new.apply(ops.constant, value=high))


def _window(new: Builder, match: Match, kept: bool) -> Value | None:
    """The window with what stands there already where it is not chosen."""
    update = match.producer("update")
    x, window, *starts = update.operands
    found = _choice(new, match["chosen"])
    if x is not match["old"] or found is None or found.dimensions:
        return None
    before = new.apply(ops.dynamic_slice, x, *starts, sizes=window.type.shape)
    chosen = found.along(new, window.type.shape, ())
    pair = (before, window) if kept else (window, before)
    return new.apply(update.record, x, new.apply(ops.select, chosen, *pair), *starts)


@dataclass(frozen=True, slots=True)
class _Choice:
    """A choice that is the same along most dimensions.

    Args:
        value: What is broadcast.
        dimensions: The dimensions along which it differs.
    """

    value: Value
    dimensions: tuple[int, ...]

    def along(self, new: Builder, shape: tuple[int, ...], dimensions: Sequence[int]) -> Value:
        """The choice in another array, these of whose dimensions are its own."""
        sizes = [shape[d] for d in dimensions]
        return new.broadcast(new.reshape(self.value, sizes), shape, dimensions)


def _choice(new: Builder, chosen: Value) -> _Choice | None:
    """What a choice is, if it is the same along some dimension."""
    producer, shape = new.producer(chosen), chosen.type.shape
    if producer is None or producer.name != "broadcast_in_dim":
        return None
    (rows,) = producer.operands
    pairs = zip(producer.attributes["dimensions"], rows.type.shape, strict=True)
    dimensions = tuple(d for d, n in pairs if n == shape[d] and n > 1)
    return _Choice(rows, dimensions) if rows.type.size < chosen.type.size else None
