# SPDX-License-Identifier: Apache-2.0
"""Collectives.

The derivatives of a function for one device are those of all devices' functions at once: a device's value may have an
effect on other devices, so that the cotangent of what was summed is the sum of the cotangents, and so on.

In batches, a collective over the mapped dimension's name becomes ordinary operations; over mesh axes it stays. The
members of a group over several axes are numbered major axis first. The mapped dimension may stand anywhere among them
(`xmap` spreads one name over mesh axes and the indices that share a device): a rule does the axes before it, the mapped
dimension, and the axes after it one after another.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.dataclass import dataclass
from olympus_core.errors import NotSupportedError
from olympus_core.ops.reduce import BY_REDUCTION
from olympus_core.program import AxisGroup

from ...tracing import aval_of, bind
from ..context import MappedName
from ..traces.arithmetic import apply, compare, div, mul, select, zeros
from ..traces.dimensions import broadcast_to, moved, repeated, reshaped
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


@jvp_rule(ops.all_gather, ops.all_to_all, ops.permute, ops.broadcast)
def _move_jvp(call: JvpCall) -> Jvp:
    y = bind(call.record, *call.primals, weak=call.weak, **call.attributes)
    return [y], [apply(call.record, call.tangents[0], **call.attributes)]


def _total(x: Any, group: Any) -> Any:
    return apply(ops.all_reduce, x, reduction="sum", group=group)


@jvp_rule(ops.all_reduce)
def _all_reduce_jvp(call: JvpCall) -> Jvp:
    (x,), (t,), group = call.primals, call.tangents, call.attributes["group"]
    y = bind(ops.all_reduce, x, weak=call.weak, **call.attributes)
    reduction = call.attributes["reduction"]
    if reduction == "sum":
        return [y], [_total(t, group)]
    if reduction == "prod":
        raise _no_product("all_reduce")
    share = compare(ops.eq, x, y, aval_of(x).dtype)
    return [y], [div(_total(mul(t, share), group), _total(share, group))]


def _no_product(name: str) -> NotSupportedError:
    return NotSupportedError(f"The derivative of {name} with reduction prod", "it is not written",
                             "Gather the values with olympus.lax.all_gather and multiply them with .prod().")


@jvp_rule(ops.reduce_scatter)
def _reduce_scatter_jvp(call: JvpCall) -> Jvp:
    if call.attributes["reduction"] != "sum":
        raise NotSupportedError(
            f"The derivative of reduce_scatter with reduction {call.attributes['reduction']}", "it is not written",
            "Reduce with an all-reduce (olympus.lax.pmax, pmin) and take this device's part.")
    return _move_jvp(call)


@transpose_rule(ops.all_reduce)
def _all_reduce_transpose(t: TransposeCall) -> Sequence[Any]:
    return [_total(t.cotangent, t.attributes["group"])]


@transpose_rule(ops.all_gather)
def _all_gather_transpose(t: TransposeCall) -> Sequence[Any]:
    return [apply(ops.reduce_scatter, t.cotangent, reduction="sum", **t.attributes)]


@transpose_rule(ops.reduce_scatter)
def _reduce_scatter_transpose(t: TransposeCall) -> Sequence[Any]:
    attributes = {key: value for key, value in t.attributes.items() if key != "reduction"}
    return [apply(ops.all_gather, t.cotangent, **attributes)]


@transpose_rule(ops.all_to_all)
def _all_to_all_transpose(t: TransposeCall) -> Sequence[Any]:
    a = t.attributes
    return [apply(ops.all_to_all, t.cotangent, split_dimension=a["concat_dimension"],
                  concat_dimension=a["split_dimension"], group=a["group"])]


@transpose_rule(ops.permute)
def _permute_transpose(t: TransposeCall) -> Sequence[Any]:
    pairs = tuple((target, source) for source, target in t.attributes["pairs"])
    return [apply(ops.permute, t.cotangent, pairs=pairs, group=t.attributes["group"])]


@transpose_rule(ops.broadcast)
def _broadcast_transpose(t: TransposeCall) -> Sequence[Any]:
    group, aval = t.attributes["group"], t.avals[0]
    total = _total(t.cotangent, group)
    here = apply(ops.eq, apply(ops.axis_index, group=group), np.asarray(t.attributes["source"], dtypes.int32))
    mask = apply(ops.broadcast_in_dim, here, shape=aval.shape, dimensions=())
    return [select(mask, total, zeros(aval))]


no_tangent(ops.axis_index)


@dataclass(frozen=True, slots=True)
class _Split:
    """A group taken apart at the mapped dimension.

    Args:
        before: The group of the axes before it; None where there are none.
        after: The group of the axes after it, likewise.
        rest: The group of both.
    """

    before: AxisGroup | None
    after: AxisGroup | None
    rest: AxisGroup | None


def _split(call: BatchingCall) -> _Split | None:
    """The group's parts; None where it has nothing to do with the mapped dimension."""
    group, key = call.attributes["group"], call.trace.key
    if not isinstance(group, AxisGroup) or key not in group.axes:
        return None
    position = group.axes.index(key)
    parts = group.axes[:position], group.axes[position + 1:], group.axes[:position] + group.axes[position + 1:]
    return _Split(*(_part(group, axes) for axes in parts))


def _part(group: AxisGroup, axes: tuple[str, ...]) -> AxisGroup | None:
    """The group over some of the axes; the mesh axes stay, of mapped dimensions those that it names."""
    shape = tuple((name, size) for name, size in group.mesh_shape if not isinstance(name, MappedName) or name in axes)
    return AxisGroup(shape, axes) if axes else None


@batching_rule(ops.all_reduce)
def _all_reduce_batching(call: BatchingCall) -> Batched:
    split, x = _split(call), call.values[0]
    if split is None:
        return all_batched(call.bind(x))
    x = bind(BY_REDUCTION[call.attributes["reduction"]], call.front(0), dimensions=(0,), weak=call.weak)
    return [(x if split.rest is None else call.bind(x, group=split.rest), False)]


@batching_rule(ops.all_gather)
def _all_gather_batching(call: BatchingCall) -> Batched:
    split, d = _split(call), call.attributes["dimension"]
    if split is None:
        return all_batched(call.bind(call.values[0], dimension=d + 1))
    x = call.front(0)
    if split.after is not None:
        x = call.bind(x, dimension=d + 1, group=split.after)
    size, *shape = aval_of(x).shape
    x = reshaped(moved(x, 0, d), (*shape[:d], size * shape[d], *shape[d + 1:]))
    return [(x if split.before is None else call.bind(x, group=split.before), False)]


@batching_rule(ops.reduce_scatter)
def _reduce_scatter_batching(call: BatchingCall) -> Batched:
    split, d = _split(call), call.attributes["dimension"]
    if split is None:
        return all_batched(call.bind(call.values[0], dimension=d + 1))
    x = call.front(0)
    if split.before is not None:
        x = call.bind(x, dimension=d + 1, group=split.before)
    x = bind(BY_REDUCTION[call.attributes["reduction"]], x, dimensions=(0,), weak=call.weak)
    shape = aval_of(x).shape
    x = moved(reshaped(x, (*shape[:d], call.size, shape[d] // call.size, *shape[d + 1:])), d, 0)
    return all_batched(x if split.after is None else call.bind(x, dimension=d + 1, group=split.after))


@batching_rule(ops.all_to_all)
def _all_to_all_batching(call: BatchingCall) -> Batched:
    split, group = _split(call), call.attributes["group"]
    source, target = call.attributes["split_dimension"], call.attributes["concat_dimension"]
    if split is None:
        x = call.values[0]
        return all_batched(call.bind(x, split_dimension=source + 1, concat_dimension=target + 1))
    x = call.front(0)
    before = 1 if split.before is None else split.before.size
    after = 1 if split.after is None else split.after.size
    size, *shape = aval_of(x).shape
    tile = shape[source] // group.size
    # The receiver's three indices, one exchanged for the sender's after the other.
    x = reshaped(x, (size, *shape[:source], before, size, after, tile, *shape[source + 1:]))
    position = source + 1
    for axes, d in ((split.before, position), (split.after, position + 2)):
        if axes is not None:
            x = call.bind(x, split_dimension=d, concat_dimension=d, group=axes)
    exchanged = [position, position + 1, position + 2]
    order = [d for d in range(aval_of(x).ndim) if d not in exchanged]
    order[target + 1:target + 1] = exchanged
    # The mapped dimension's own exchange: its index and the receiver's are exchanged.
    order = [position + 1 if d == 0 else 0 if d == position + 1 else d for d in order]
    x = bind(ops.transpose, x, permutation=tuple(order))
    rest = [*shape[:source], tile, *shape[source + 1:]]
    return all_batched(reshaped(x, (size, *rest[:target], group.size * rest[target], *rest[target + 1:])))


@batching_rule(ops.permute)
def _permute_batching(call: BatchingCall) -> Batched:
    split, size = _split(call), call.size
    if split is None:
        return all_batched(call.bind(call.values[0]))
    x = call.front(0)
    after = 1 if split.after is None else split.after.size
    if split.rest is None:
        return all_batched(_taken(x, {target: source for source, target in call.attributes["pairs"]}, size))
    # Pairs that differ in the indices that share a device only go in one exchange between devices.
    exchanges: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for pair in call.attributes["pairs"]:
        (sender, source), (receiver, target) = (_apart(member, size, after) for member in pair)
        exchanges.setdefault((source, target), []).append((sender, receiver))
    together: dict[tuple[tuple[int, int], ...], dict[int, int]] = {}
    # One source may go to several targets in one exchange, each target has one source.
    for (source, target), pairs in exchanges.items():
        together.setdefault(tuple(sorted(pairs)), {})[target] = source
    me = bind(ops.axis_index, group=split.rest)
    result = broadcast_to(np.zeros((), aval_of(x).dtype), aval_of(x).shape, ())
    for between, sources in together.items():
        part = _taken(x, sources, size)
        if any(sender != receiver for sender, receiver in between):
            part = call.bind(part, pairs=between, group=split.rest)
        receives = np.zeros((split.rest.size, size), bool)
        receives[np.ix_([receiver for _, receiver in between], list(sources))] = True
        mine = bind(ops.dynamic_slice, receives, me, np.zeros((), np.int32), sizes=(1, size))
        mask = broadcast_to(reshaped(mine, (size,)), aval_of(x).shape, (0,))
        result = bind(ops.select, mask, part, result, weak=call.weak)
    return all_batched(result)


def _apart(member: int, size: int, after: int) -> tuple[int, int]:
    """A member's number among the devices, and its index along the mapped dimension."""
    major, minor = divmod(member, after)
    device, index = divmod(major, size)
    return device * after + minor, index


def _taken(x: Any, sources: dict[int, int], size: int) -> Any:
    """For each index along the first dimension another one's value, or zeros."""
    if all(sources.get(i) == i for i in range(size)):
        return x
    shape = aval_of(x).shape
    indices = np.asarray([[sources.get(i, size)] for i in range(size)], np.int32).reshape(size, 1)
    return bind(
        ops.gather, x, indices, offset_dims=tuple(range(1, len(shape))), collapsed_slice_dims=(0,),
        start_index_map=(0,), operand_batching_dims=(), indices_batching_dims=(),
        slice_sizes=(min(1, size), *shape[1:]), mode="fill", fill_value=0)


@batching_rule(ops.broadcast)
def _broadcast_batching(call: BatchingCall) -> Batched:
    split, x = _split(call), call.values[0]
    if split is None:
        return all_batched(call.bind(x))
    after = 1 if split.after is None else split.after.size
    device, index = _apart(call.attributes["source"], call.size, after)
    if call.batched[0]:
        shape = aval_of(x).shape
        x = bind(ops.slice, x, starts=(index, *(0,) * (len(shape) - 1)), limits=(index + 1, *shape[1:]),
                 strides=(1,) * len(shape))
        x = reshaped(x, shape[1:])
    return [(x if split.rest is None else call.bind(x, source=device, group=split.rest), False)]


@batching_rule(ops.axis_index)
def _axis_index_batching(call: BatchingCall) -> Batched:
    split = _split(call)
    if split is None:
        return [(call.bind(), False)]
    index = bind(ops.iota, shape=(call.size,), dtype=np.dtype(np.int32), dimension=0)
    if split.before is not None:
        major = bind(ops.mul, bind(ops.axis_index, group=split.before), np.asarray(call.size, np.int32))
        index = bind(ops.add, index, repeated(major, call.size))
    if split.after is not None:
        count = broadcast_to(np.asarray(split.after.size, np.int32), (call.size,), ())
        index = bind(ops.mul, index, count)
        index = bind(ops.add, index, repeated(bind(ops.axis_index, group=split.after), call.size))
    return all_batched(index)
