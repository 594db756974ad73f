# SPDX-License-Identifier: Apache-2.0
"""Reductions, cumulative operations and sorting."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.program import OperationRecord, Program

from ...operands import broadcast
from ...tracing import aval_of, bind, bind_all
from ..associative import joined, part, running_folds
from ..traces.arithmetic import apply, compare, convert, div, mul, reshape, taken_along, transpose
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
    rewrite_rule,
    transpose_rule,
)


@rewrite_rule(ops.reduce_prod)
def _product(operands: Sequence[Any], attributes: Mapping[str, Any], regions: Sequence[Program]) -> Sequence[Any]:
    """A tree of products, so that zeros do no harm."""
    (x,), gone = operands, attributes["dimensions"]
    shape = aval_of(x).shape
    kept = tuple(d for d in range(len(shape)) if d not in gone)
    count = math.prod(shape[d] for d in gone)
    rest = tuple(shape[d] for d in kept)
    if not count:
        one = bind(ops.constant, value=np.asarray(1, aval_of(x).dtype), weak=False)
        return [broadcast(one, rest, weak=False)]
    x = reshape(transpose(x, (*gone, *kept)), (count, *rest))
    while count > 1:
        half = count // 2
        pair = mul(part(x, 0, half, 0), part(x, half, 2 * half, 0))
        x = joined([pair, part(x, 2 * half, count, 0)], 0) if count % 2 else pair
        count = half + count % 2
    return [reshape(x, rest)]


def _extreme(record: OperationRecord) -> None:
    @jvp_rule(record)
    def rule(call: JvpCall) -> Jvp:
        (x,), (t,), gone = call.primals, call.tangents, call.attributes["dimensions"]
        y = bind(record, x, weak=call.weak, dimensions=gone)
        shape = aval_of(x).shape
        kept = tuple(d for d in range(len(shape)) if d not in gone)
        there = apply(ops.broadcast_in_dim, y, shape=shape, dimensions=kept)
        # Several equal extremes share the slope.
        share = compare(ops.eq, x, there, aval_of(x).dtype)
        count = apply(ops.reduce_sum, share, dimensions=gone)
        return [y], [div(apply(ops.reduce_sum, mul(t, share), dimensions=gone), count)]


_extreme(ops.reduce_max)
_extreme(ops.reduce_min)
no_tangent(ops.reduce_and, ops.reduce_or, ops.argmax, ops.argmin)


def _running(record: OperationRecord, step: OperationRecord) -> None:
    @rewrite_rule(record)
    def rule(operands: Sequence[Any], attributes: Mapping[str, Any], regions: Sequence[Program]) -> Sequence[Any]:
        (x,), d = operands, attributes["dimension"]
        return running_folds(lambda left, right: [bind(step, left[0], right[0])], [x], [d], aval_of(x).shape[d],
                             attributes["reverse"])


_running(ops.cumprod, ops.mul)
_running(ops.cummax, ops.max)
_running(ops.cummin, ops.min)


@jvp_rule(ops.sort)
def _sort_jvp(call: JvpCall) -> Jvp:
    dimension = call.attributes["dimension"]
    shape = aval_of(call.primals[0]).shape
    positions = apply(ops.iota, shape=shape, dtype=dtypes.index_dtype(shape[dimension]), dimension=dimension)
    *results, order = bind_all(ops.sort, [*call.primals, positions], call.attributes, weak=False)
    return results, [None if t is None else taken_along(t, order, dimension) for t in call.tangents]


@jvp_rule(ops.top_k)
def _top_k_jvp(call: JvpCall) -> Jvp:
    found, positions = bind_all(ops.top_k, call.primals, call.attributes, weak=False)
    return [found, positions], [taken_along(call.tangents[0], positions, call.attributes["dimension"]), None]


@transpose_rule(ops.reduce_sum)
def _reduce_sum_transpose(t: TransposeCall) -> Sequence[Any]:
    shape, summed = t.avals[0].shape, t.attributes["dimensions"]
    kept = tuple(d for d in range(len(shape)) if d not in summed)
    return [apply(ops.broadcast_in_dim, convert(t.cotangent, t.avals[0].dtype), shape=shape, dimensions=kept)]


@transpose_rule(ops.cumsum)
def _cumsum_transpose(t: TransposeCall) -> Sequence[Any]:
    return [apply(ops.cumsum, t.cotangent, dimension=t.attributes["dimension"],
                  reverse=not t.attributes["reverse"])]


@batching_rule(ops.reduce_sum, ops.reduce_prod, ops.reduce_max, ops.reduce_min, ops.reduce_and, ops.reduce_or)
def _reduction_batching(call: BatchingCall) -> Batched:
    return all_batched(call.bind(call.values[0], **call.shifted("dimensions")))


@batching_rule(ops.argmax, ops.argmin, ops.cumsum, ops.cumprod, ops.cummax, ops.cummin)
def _along_batching(call: BatchingCall) -> Batched:
    return all_batched(call.bind(call.values[0], dimension=call.attributes["dimension"] + 1))


@batching_rule(ops.sort)
def _sort_batching(call: BatchingCall) -> Batched:
    values = [call.front(i) for i in range(len(call.values))]
    attributes = {**call.attributes, "dimension": call.attributes["dimension"] + 1}
    return all_batched(*bind_all(call.record, values, attributes, (), call.weak))


@batching_rule(ops.top_k)
def _top_k_batching(call: BatchingCall) -> Batched:
    attributes = {**call.attributes, "dimension": call.attributes["dimension"] + 1}
    return all_batched(*bind_all(call.record, [call.front(0)], attributes, (), call.weak))
