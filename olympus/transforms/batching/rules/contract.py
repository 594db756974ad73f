"""Contractions: the mapped dimension is a batch dimension, a free dimension, or part of a group of features."""

from __future__ import annotations

from typing import Any

from ....tracing import aval_of
from ...traces.batching_call import Call, Result, all_batched, moved, reshaped
from .table import Rule


def _dot_general(call: Call) -> list[Result]:
    x, y = call.values
    changed: dict[str, Any] = {}
    for i, side in enumerate(("lhs", "rhs")):
        if call.batched[i]:
            changed |= call.shifted(f"{side}_contracting", f"{side}_batch")
    if all(call.batched):
        changed |= {side: (0, *changed[side]) for side in ("lhs_batch", "rhs_batch")}
        return all_batched(call.bind(x, y, **changed))
    # Of the operand that has it the mapped dimension is the first free one; results begin with the batch dimensions.
    place = len(call.attributes["lhs_batch"])
    if call.batched[1]:
        place = call.ndim(0) - len(call.attributes["lhs_contracting"])
    return all_batched(moved(call.bind(x, y, **changed), place, 0))


def _folded(value: Any, place: int, groups: int) -> Any:
    """The mapped dimension made part of another one: within each of its `groups`, before what is in the group."""
    size, *shape = aval_of(value).shape
    inner = shape[place] // groups
    parted = reshaped(value, (size, *shape[:place], groups, inner, *shape[place + 1:]))
    return reshaped(moved(parted, 0, place + 1), (*shape[:place], groups * size * inner, *shape[place + 1:]))


def _unfolded(value: Any, place: int, groups: int, size: int) -> Any:
    """The inverse of `_folded`."""
    shape = aval_of(value).shape
    inner = shape[place] // (groups * size)
    parted = reshaped(value, (*shape[:place], groups, size, inner, *shape[place + 1:]))
    return reshaped(moved(parted, place + 1, 0), (size, *shape[:place], groups * inner, *shape[place + 1:]))


def _convolution(call: Call) -> list[Result]:
    x, kernel = call.values
    lhs, rhs, out = (call.attributes[f"{side}_layout"] for side in ("lhs", "rhs", "out"))
    features, batches = call.attributes["feature_groups"], call.attributes["batch_groups"]
    size, changed = call.size, {}
    if all(call.batched):
        # Every index is a group of its own; groups are numbered mapped dimension first.
        letter, name = ("N", "batch_groups") if batches > 1 else ("C", "feature_groups")
        x, kernel = _folded(x, lhs.index(letter), 1), _folded(kernel, rhs.index("O"), 1)
        changed[name] = call.attributes[name] * size
        return all_batched(_unfolded(call.bind(x, kernel, **changed), out.index("C"), 1, size))
    if call.batched[0]:
        result = call.bind(_folded(x, lhs.index("N"), batches), kernel)
        return all_batched(_unfolded(result, out.index("N"), 1, size))
    groups = features * batches
    result = call.bind(x, _folded(kernel, rhs.index("O"), groups))
    return all_batched(_unfolded(result, out.index("C"), groups, size))


CONTRACTION: dict[str, Rule] = {"dot_general": _dot_general, "convolution": _convolution}
