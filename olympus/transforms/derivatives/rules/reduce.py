"""Derivatives of what combines elements along dimensions: products, extremes, running folds, sorting."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from olympus_core import dtypes, ops
from olympus_core.program import OperationRecord, Program

from .... import lax
from ....tracing import aval_of, bind, bind_all
from ...traces.arithmetic import apply, compare, div, mul, reshape, transpose
from ...traces.table import Step, constant, forward, rewrite
from .indexing import taken_along

Result = tuple[Sequence[Any], Sequence[Any]]


@rewrite(ops.reduce_prod)
def _product(operands: Sequence[Any], attributes: Mapping[str, Any], regions: Sequence[Program]) -> Sequence[Any]:
    """A tree of products, so that zeros do no harm."""
    (x,), gone = operands, attributes["dimensions"]
    shape = aval_of(x).shape
    kept = tuple(d for d in range(len(shape)) if d not in gone)
    count = math.prod(shape[d] for d in gone)
    rest = tuple(shape[d] for d in kept)
    if not count:
        return [lax.full(rest, 1, aval_of(x).dtype)]
    x = reshape(transpose(x, (*gone, *kept)), (count, *rest))
    while count > 1:
        half = count // 2
        pair = mul(lax.slice_in_dim(x, 0, half), lax.slice_in_dim(x, half, 2 * half))
        x = lax.concatenate([pair, lax.slice_in_dim(x, 2 * half, count)], 0) if count % 2 else pair
        count = half + count % 2
    return [reshape(x, rest)]


def _extreme(record: OperationRecord) -> None:
    @forward(record)
    def rule(step: Step) -> Result:
        (x,), (t,), gone = step.primals, step.tangents, step.attributes["dimensions"]
        y = bind(record, x, weak=step.weak, dimensions=gone)
        shape = aval_of(x).shape
        kept = tuple(d for d in range(len(shape)) if d not in gone)
        there = apply(ops.broadcast_in_dim, y, shape=shape, dimensions=kept)
        # Several equal extremes share the slope.
        share = compare(ops.eq, x, there, aval_of(x).dtype)
        count = apply(ops.reduce_sum, share, dimensions=gone)
        return [y], [div(apply(ops.reduce_sum, mul(t, share), dimensions=gone), count)]


_extreme(ops.reduce_max)
_extreme(ops.reduce_min)
constant(ops.reduce_and, ops.reduce_or, ops.argmax, ops.argmin)


def _running(record: OperationRecord, step: OperationRecord) -> None:
    @rewrite(record)
    def rule(operands: Sequence[Any], attributes: Mapping[str, Any], regions: Sequence[Program]) -> Sequence[Any]:
        return [lax.associative_scan(lambda x, y: bind(step, x, y), operands[0], attributes["reverse"],
                                     attributes["dimension"])]


_running(ops.cumprod, ops.mul)
_running(ops.cummax, ops.max)
_running(ops.cummin, ops.min)


@forward(ops.sort)
def _sort(step: Step) -> Result:
    dimension = step.attributes["dimension"]
    shape = aval_of(step.primals[0]).shape
    places = apply(ops.iota, shape=shape, dtype=dtypes.index_dtype(shape[dimension]), dimension=dimension)
    *results, order = bind_all(ops.sort, [*step.primals, places], step.attributes, weak=False)
    return results, [None if t is None else taken_along(t, order, dimension) for t in step.tangents]


@forward(ops.top_k)
def _top_k(step: Step) -> Result:
    found, places = bind_all(ops.top_k, step.primals, step.attributes, weak=False)
    return [found, places], [taken_along(step.tangents[0], places, step.attributes["dimension"]), None]
