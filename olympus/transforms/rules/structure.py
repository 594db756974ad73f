# SPDX-License-Identifier: Apache-2.0
"""Operations that move elements: tangents are moved alike, cotangents moved back, dimensions shifted by one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus_core import ops

from ...array import is_concrete
from ...operands import is_zero
from ...tracing import aval_of, bind
from ..traces.arithmetic import apply, reshape, sub, transpose
from ..traces.dimensions import broadcast_to
from ..traces.table import (
    Batched,
    BatchingCall,
    Jvp,
    JvpCall,
    TransposeCall,
    all_batched,
    batching_rule,
    jvp_rule,
    no_tangent,
    transpose_rule,
)

_MOVES = (ops.broadcast_in_dim, ops.reshape, ops.transpose, ops.slice, ops.reverse, ops.reduce_sum, ops.cumsum)


@jvp_rule(*_MOVES)
def _move_jvp(call: JvpCall) -> Jvp:
    """One operand, linear in it."""
    y = bind(call.record, *call.primals, weak=call.weak, **call.attributes)
    return [y], [apply(call.record, call.tangents[0], **call.attributes)]


@jvp_rule(ops.sharding_constraint)
def _constraint_jvp(call: JvpCall) -> Jvp:
    """A value that is there is moved; its cotangent goes back to where it came from."""
    (x,), (t,) = call.primals, call.tangents
    y = bind(ops.sharding_constraint, x, **call.attributes)
    if is_concrete(x):
        source = x.sharding.layout(x.ndim)
        t = apply(ops.sharding_constraint, t, mesh=source.mesh, dims=source.dims, **_sums(source.unreduced))
    return [y], [apply(ops.sharding_constraint, t, **call.attributes)]


@transpose_rule(ops.broadcast_in_dim)
def _broadcast_transpose(t: TransposeCall) -> Sequence[Any]:
    (x,), dims = t.avals, t.attributes["dimensions"]
    shape = t.results[0].shape
    kept = {d for n, d in zip(x.shape, dims, strict=True) if n == shape[d]}
    summed = tuple(d for d in range(len(shape)) if d not in kept)
    total = apply(ops.reduce_sum, t.cotangent, dimensions=summed) if summed else t.cotangent
    return [reshape(total, x.shape)]


@transpose_rule(ops.reshape)
def _reshape_transpose(t: TransposeCall) -> Sequence[Any]:
    return [reshape(t.cotangent, t.avals[0].shape)]


@transpose_rule(ops.transpose)
def _transpose_transpose(t: TransposeCall) -> Sequence[Any]:
    return [transpose(t.cotangent, tuple(int(d) for d in np.argsort(t.attributes["permutation"])))]


def padding(x: Any, low: Sequence[int], high: Sequence[int], interior: Sequence[int]) -> Any:
    """Zeros put around and between elements."""
    if all(map(is_zero, (*low, *high, *interior))):
        return x
    zero = np.zeros((), aval_of(x).dtype)
    return apply(ops.pad, x, zero, low=tuple(low), high=tuple(high), interior=tuple(interior))


@transpose_rule(ops.slice)
def _slice_transpose(t: TransposeCall) -> Sequence[Any]:
    starts, strides = t.attributes["starts"], t.attributes["strides"]
    given, full = t.results[0].shape, t.avals[0].shape
    reach = [start + (n - 1) * stride + 1 if n else start
             for start, n, stride in zip(starts, given, strides, strict=True)]
    return [padding(t.cotangent, starts, [n - end for n, end in zip(full, reach, strict=True)],
                    [stride - 1 for stride in strides])]


@transpose_rule(ops.reverse)
def _same_transpose(t: TransposeCall) -> Sequence[Any]:
    return [apply(t.record, t.cotangent, **t.attributes)]


@transpose_rule(ops.sharding_constraint)
def _constraint_transpose(t: TransposeCall) -> Sequence[Any]:
    """What is reduced is unreduced in the cotangent, and the other way round."""
    attributes = dict(t.attributes)
    reduced, unreduced = attributes.pop("reduced", ()), attributes.pop("unreduced", ())
    return [apply(t.record, t.cotangent, **attributes, **_sums(reduced, unreduced))]


def _sums(unreduced: tuple[str, ...], reduced: tuple[str, ...] = ()) -> dict[str, tuple[str, ...]]:
    """The attributes of a constraint that say over which axes a value, or its cotangent, is unreduced."""
    return {name: axes for name, axes in (("unreduced", unreduced), ("reduced", reduced)) if axes}


@jvp_rule(ops.pad)
def _pad_jvp(call: JvpCall) -> Jvp:
    y = bind(ops.pad, *call.primals, weak=call.weak, **call.attributes)
    return [y], [apply(ops.pad, *call.instantiated(0, 1), **call.attributes)]


@transpose_rule(ops.pad)
def _pad_transpose(t: TransposeCall) -> Sequence[Any]:
    low, high, interior = (t.attributes[name] for name in ("low", "high", "interior"))
    # Padding is removed, then the elements between which interior padding stands are taken.
    cut = apply(ops.pad, t.cotangent, np.zeros((), aval_of(t.cotangent).dtype), low=tuple(-n for n in low),
                high=tuple(-n for n in high), interior=(0,) * len(low)) if any((*low, *high)) else t.cotangent
    x = cut
    if any(interior):
        shape = aval_of(cut).shape
        x = apply(ops.slice, cut, starts=(0,) * len(shape), limits=shape, strides=tuple(n + 1 for n in interior))
    value = None
    if t.linear[1]:
        total = apply(ops.reduce_sum, t.cotangent, dimensions=tuple(range(len(low))))
        value = sub(total, apply(ops.reduce_sum, x, dimensions=tuple(range(len(low)))))
    return [x if t.linear[0] else None, value]


@jvp_rule(ops.concatenate)
def _concatenate_jvp(call: JvpCall) -> Jvp:
    y = bind(ops.concatenate, *call.primals, weak=call.weak, **call.attributes)
    return [y], [apply(ops.concatenate, *call.instantiated(*range(len(call.primals))), **call.attributes)]


@transpose_rule(ops.concatenate)
def _concatenate_transpose(t: TransposeCall) -> Sequence[Any]:
    dimension, found, start = t.attributes["dimension"], [], 0
    shape = t.results[0].shape
    for aval, linear in zip(t.avals, t.linear, strict=True):
        stop = start + aval.shape[dimension]
        if linear:
            starts = tuple(start if d == dimension else 0 for d in range(len(shape)))
            limits = tuple(stop if d == dimension else n for d, n in enumerate(shape))
            found.append(apply(ops.slice, t.cotangent, starts=starts, limits=limits, strides=(1,) * len(shape)))
        else:
            found.append(None)
        start = stop
    return found


no_tangent(ops.iota, ops.constant)


@batching_rule(ops.broadcast_in_dim)
def _broadcast_in_dim_batching(call: BatchingCall) -> Batched:
    shape, dims = call.attributes["shape"], call.attributes["dimensions"]
    return all_batched(call.bind(call.values[0], shape=(call.size, *shape), dimensions=(0, *(d + 1 for d in dims))))


@batching_rule(ops.reshape)
def _reshape_batching(call: BatchingCall) -> Batched:
    return all_batched(call.bind(call.values[0], shape=(call.size, *call.attributes["shape"])))


@batching_rule(ops.transpose)
def _transpose_batching(call: BatchingCall) -> Batched:
    order = (0, *(d + 1 for d in call.attributes["permutation"]))
    return all_batched(call.bind(call.values[0], permutation=order))


@batching_rule(ops.slice)
def _slice_batching(call: BatchingCall) -> Batched:
    starts, limits, strides = (call.attributes[name] for name in ("starts", "limits", "strides"))
    return all_batched(call.bind(
        call.values[0], starts=(0, *starts), limits=(call.size, *limits), strides=(1, *strides)))


@batching_rule(ops.pad)
def _pad_batching(call: BatchingCall) -> Batched:
    amounts: dict[str, Any] = {name: (0, *call.attributes[name]) for name in ("low", "high", "interior")}
    x, value = call.front(0), call.values[1]
    if not call.batched[1]:
        return all_batched(call.bind(x, value, **amounts))
    # Each index has its own padding value: it is put where a padded mask says.
    aval = aval_of(x)
    padded = call.bind(x, np.asarray(0, aval.dtype), **amounts)
    shape = aval_of(padded).shape
    there = bind(ops.pad, np.ones(aval.shape, bool), np.zeros((), bool), **amounts)
    return all_batched(bind(ops.select, there, padded, broadcast_to(value, shape, (0,)), weak=call.weak))


@batching_rule(ops.concatenate)
def _concatenate_batching(call: BatchingCall) -> Batched:
    values = [call.front(i) for i in range(len(call.values))]
    return all_batched(call.bind(*values, dimension=call.attributes["dimension"] + 1))


@batching_rule(ops.reverse)
def _reverse_batching(call: BatchingCall) -> Batched:
    return all_batched(call.bind(call.values[0], **call.shifted("dimensions")))


@batching_rule(ops.sharding_constraint)
def _sharding_constraint_batching(call: BatchingCall) -> Batched:
    x, mesh, dims = call.values[0], call.attributes["mesh"], call.attributes["dims"]
    layout = aval_of(x).layout
    front = tuple(axis for axis in call.trace.mesh_axes if axis in mesh.axis_names)
    if not front and layout is not None and layout.mesh is mesh:
        front = layout.dims[0]  # an explicit type says where the mapped dimension is
    used = {axis for axes in dims for axis in axes}
    front = tuple(axis for axis in front if axis not in used)
    if aval_of(x).shape[0] % mesh.parts(front):
        front = ()
    return all_batched(call.bind(x, dims=(front, *dims)))


@batching_rule(ops.iota, ops.constant)
def _source_batching(call: BatchingCall) -> Batched:
    """Without operands nothing is mapped."""
    return [(bind(call.record, **call.attributes), False)]
