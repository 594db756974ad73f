# SPDX-License-Identifier: Apache-2.0
"""Contractions: the dot product and convolution, linear in each operand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from olympus_core import ops

from ...tracing import Aval, aval_of, bind
from ..traces.arithmetic import apply, convert, plus, reshape, transpose, zeros
from ..traces.dimensions import moved, reshaped
from ..traces.table import (
    Batched,
    BatchingCall,
    Jvp,
    JvpCall,
    TransposeCall,
    all_batched,
    batching_rule,
    jvp_rule,
    transpose_rule,
)

Attributes = Mapping[str, Any]


@jvp_rule(ops.dot_general, ops.convolution)
def _bilinear_jvp(call: JvpCall) -> Jvp:
    (x, y), (tx, ty) = call.primals, call.tangents
    result = bind(call.record, x, y, weak=call.weak, **call.attributes)
    tangent = None if tx is None else apply(call.record, tx, y, **call.attributes)
    if ty is not None:
        tangent = plus(tangent, apply(call.record, x, ty, **call.attributes))
    return [result], [tangent]


@transpose_rule(ops.dot_general)
def _dot_transpose(t: TransposeCall) -> Sequence[Any]:
    side = 0 if t.linear[0] else 1
    found = _dot_side(t, side)
    return [found, None] if side == 0 else [None, found]


def _dot_side(t: TransposeCall, side: int) -> Any:
    """The cotangent is contracted with the other operand over the other's free dimensions."""
    own, other = ("lhs", "rhs") if side == 0 else ("rhs", "lhs")
    batch, contracting = t.attributes[f"{own}_batch"], t.attributes[f"{own}_contracting"]
    other_batch, other_contracting = t.attributes[f"{other}_batch"], t.attributes[f"{other}_contracting"]
    ndim, other_ndim = t.avals[side].ndim, t.avals[1 - side].ndim
    free = [d for d in range(ndim) if d not in batch and d not in contracting]
    other_free = tuple(d for d in range(other_ndim) if d not in other_batch and d not in other_contracting)
    # The result's dimensions: batch, what is free on the left, what is free on the right.
    first = len(batch) + (len(free) if side == 0 else 0)
    over = tuple(range(first, first + len(other_free)))
    dtype, wide = t.avals[side].dtype, aval_of(t.cotangent).dtype
    taken = {"contracting": (over, other_free), "batch": (tuple(range(len(batch))), tuple(other_batch))}
    # What remains of the other operand, its contracted dimensions, stands in the other's order.
    order = sorted(range(len(contracting)), key=lambda i: other_contracting[i])
    positions = [*batch, *(contracting[i] for i in order), *free]
    swapped = positions == sorted(positions)  # then the other operand first, and nothing is left to move
    operands = [t.cotangent, convert(t.operands[1 - side], wide)]
    if not swapped:
        positions = [*batch, *free, *(contracting[i] for i in order)]
    first, second = (1, 0) if swapped else (0, 1)
    product = apply(
        ops.dot_general, operands[first], operands[second], lhs_contracting=taken["contracting"][first],
        rhs_contracting=taken["contracting"][second], lhs_batch=taken["batch"][first],
        rhs_batch=taken["batch"][second], dtype=None,
    )
    return convert(transpose(product, tuple(int(i) for i in np.argsort(positions))), dtype)


@transpose_rule(ops.convolution)
def _convolution_transpose(t: TransposeCall) -> Sequence[Any]:
    if t.linear[0]:
        return [_of_image(t), None]
    return [None, _of_kernel(t)]


def _renamed(layout: str, names: Mapping[str, str]) -> str:
    return "".join(names.get(letter, letter) for letter in layout)


def _spatial(aval: Aval | Sequence[int], layout: str, letters: Sequence[str]) -> list[int]:
    shape = aval.shape if isinstance(aval, Aval) else aval
    return [shape[layout.index(letter)] for letter in letters]


def _dilated(sizes: Sequence[int], steps: Sequence[int]) -> list[int]:
    return [(n - 1) * step + 1 if n else 0 for n, step in zip(sizes, steps, strict=True)]


def _split_out(x: Any, dimension: int, groups: int) -> Any:
    """A dimension as groups (in front) and what is in each."""
    shape = list(aval_of(x).shape)
    shape[dimension:dimension + 1] = [groups, shape[dimension] // groups]
    x = reshape(x, tuple(shape))
    order = [dimension, *(d for d in range(len(shape)) if d != dimension)]
    return transpose(x, tuple(order))


def _merged_into(x: Any, dimension: int) -> Any:
    """The first dimension joined to another (counted without it), in front of it."""
    ndim = len(aval_of(x).shape) - 1
    order = [d + 1 for d in range(ndim)]
    order.insert(dimension, 0)
    x = transpose(x, tuple(order))
    shape = list(aval_of(x).shape)
    shape[dimension:dimension + 2] = [shape[dimension] * shape[dimension + 1]]
    return reshape(x, tuple(shape))


def _of_image(t: TransposeCall) -> Any:
    """The cotangent convolved with the reversed kernel; strides and input dilation are exchanged."""
    a = t.attributes
    lhs, rhs, out = a["lhs_layout"], a["rhs_layout"], a["out_layout"]
    letters = [c for c in rhs if c not in "OI"]
    if 0 in t.results[0].shape:
        return zeros(t.avals[0])
    kernel, groups = t.operands[1], max(a["feature_groups"], a["batch_groups"])
    if groups > 1:
        o, i = rhs.index("O"), rhs.index("I")
        kernel = _merged_into(_split_out(kernel, o, groups), i)
    kernel = apply(ops.reverse, kernel, dimensions=tuple(sorted(rhs.index(c) for c in letters)))
    image = _dilated(_spatial(t.avals[0], lhs, letters), a["lhs_dilation"])
    reach = _dilated(_spatial(t.avals[1], rhs, letters), a["rhs_dilation"])
    result = _dilated(_spatial(t.results[0], out, letters), a["window_strides"])
    low = [k - before - 1 for k, (before, _) in zip(reach, a["padding"], strict=True)]
    high = [n + k - 1 - m - before for n, k, m, before in zip(image, reach, result, low, strict=True)]
    found = apply(
        ops.convolution, t.cotangent, kernel, window_strides=a["lhs_dilation"],
        padding=tuple(zip(low, high, strict=True)), lhs_dilation=a["window_strides"], rhs_dilation=a["rhs_dilation"],
        lhs_layout=out, rhs_layout=_renamed(rhs, {"O": "I", "I": "O"}), out_layout=lhs, feature_groups=groups,
        batch_groups=1,
    )
    if a["batch_groups"] > 1:
        found = _merged_into(_split_out(found, lhs.index("C"), groups), lhs.index("N"))
    return found


def _of_kernel(t: TransposeCall) -> Any:
    """The image convolved with the cotangent: what was the batch is summed over."""
    a = t.attributes
    lhs, rhs, out = a["lhs_layout"], a["rhs_layout"], a["out_layout"]
    if 0 in t.results[0].shape:
        return zeros(t.avals[1])
    letters = [c for c in rhs if c not in "OI"]
    image = _dilated(_spatial(t.avals[0], lhs, letters), a["lhs_dilation"])
    reach = _dilated(_spatial(t.avals[1], rhs, letters), a["rhs_dilation"])
    result = _dilated(_spatial(t.results[0], out, letters), a["window_strides"])
    padding = [(before, m + k - n - before - 1)
               for n, k, m, (before, _) in zip(image, reach, result, a["padding"], strict=True)]
    # The kernel of this convolution is the cotangent, in whose layout spatial letters may stand in another order.
    layout = _renamed(out, {"C": "O", "N": "I"})
    order = [letters.index(c) for c in layout if c not in "OI"]
    groups, batches = a["feature_groups"], a["batch_groups"]
    if batches > 1:
        groups, batches = batches, 1
    elif groups > 1:
        groups, batches = 1, groups
    strides, spread, holes = a["rhs_dilation"], a["lhs_dilation"], a["window_strides"]
    return apply(
        ops.convolution, t.operands[0], t.cotangent, window_strides=tuple(strides[i] for i in order),
        padding=tuple(padding[i] for i in order), lhs_dilation=tuple(spread[i] for i in order),
        rhs_dilation=tuple(holes[i] for i in order), lhs_layout=_renamed(lhs, {"N": "C", "C": "N"}),
        rhs_layout=layout, out_layout=_renamed(rhs, {"I": "N", "O": "C"}), feature_groups=groups,
        batch_groups=batches,
    )


@batching_rule(ops.dot_general)
def _dot_general_batching(call: BatchingCall) -> Batched:
    x, y = call.values
    changed: dict[str, Any] = {}
    for i, side in enumerate(("lhs", "rhs")):
        if call.batched[i]:
            changed |= call.shifted(f"{side}_contracting", f"{side}_batch")
    if all(call.batched):
        changed |= {side: (0, *changed[side]) for side in ("lhs_batch", "rhs_batch")}
        return all_batched(call.bind(x, y, **changed))
    # Of the operand that has it the mapped dimension is the first free one; results begin with the batch dimensions.
    position = len(call.attributes["lhs_batch"])
    if call.batched[1]:
        position = call.ndim(0) - len(call.attributes["lhs_contracting"])
    return all_batched(moved(call.bind(x, y, **changed), position, 0))


def _folded(value: Any, position: int, groups: int) -> Any:
    """The mapped dimension made part of another one: within each of its `groups`, before what is in the group."""
    size, *shape = aval_of(value).shape
    inner = shape[position] // groups
    parted = reshaped(value, (size, *shape[:position], groups, inner, *shape[position + 1:]))
    return reshaped(moved(parted, 0, position + 1), (*shape[:position], groups * size * inner, *shape[position + 1:]))


def _unfolded(value: Any, position: int, groups: int, size: int) -> Any:
    """The inverse of `_folded`."""
    shape = aval_of(value).shape
    inner = shape[position] // (groups * size)
    parted = reshaped(value, (*shape[:position], groups, size, inner, *shape[position + 1:]))
    return reshaped(moved(parted, position + 1, 0), (size, *shape[:position], groups * inner, *shape[position + 1:]))


@batching_rule(ops.convolution)
def _convolution_batching(call: BatchingCall) -> Batched:
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
