# SPDX-License-Identifier: Apache-2.0
"""Collectives: the devices of a program are the replicas of its module, and groups are written as replica ids.

Replicas, not partitions: a module of partitions goes through a partitioner, which rejects `partition_id`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from olympus_core import dtypes
from olympus_core.program import ArrayType, Operation

from .literals import integers, table
from .reductions import FUNCTIONS, reduced
from .table import emits
from .writer import Name, Writer

Names = Sequence[Name]


def _members(w: Writer, operation: Operation) -> list[list[int]]:
    """The groups of the module's devices, by replica id."""
    replicas = w.module.replicas
    groups = operation.attributes["group"].groups
    return [[replicas[p] for p in group] for group in groups if group[0] in replicas]


def _groups(w: Writer, operation: Operation) -> str:
    return f"replica_groups = {table(_members(w, operation))}"


def _is_alone(operation: Operation) -> bool:
    return bool(operation.attributes["group"].size == 1)


def _is_folded(w: Writer, reduction: str, dtype: np.dtype) -> bool:
    """Whether the compiler supports the reduction between devices; otherwise devices gather and reduce locally."""
    policy = w.module.policy
    if dtypes.is_complex(dtype) or (dtype in (dtypes.int64, dtypes.uint64) and not policy.wide_integers):
        return False
    if reduction in ("and", "or"):
        return dtypes.is_bool(dtype)
    return reduction in ("sum", "prod") or policy.keeps_nan or not dtypes.is_float(dtype)


@emits("all_reduce")
def _all_reduce(w: Writer, operation: Operation, xs: Names) -> Names:
    (x,), reduction = xs, operation.attributes["reduction"]
    if _is_alone(operation):
        return xs
    if not _is_folded(w, reduction, x.dtype):
        return [reduced(w, _gathered(w, operation, x), [0], reduction)]
    return [_all_reduced(w, operation, x, reduction)]


def _all_reduced(w: Writer, operation: Operation, x: Name, reduction: str) -> Name:
    wide = w.wide(x)
    total = w.op("all_reduce", [wide], wide.type, _groups(w, operation), [w.folding(FUNCTIONS[reduction], wide.dtype)])
    return w.convert(total, x.dtype)


def _gathered(w: Writer, operation: Operation, x: Name) -> Name:
    """The values of all devices of the group, along a new first dimension."""
    row = w.reshape(x, (1, *x.shape))
    size = operation.attributes["group"].size
    return w.op("all_gather", [row], x.type.with_shape((size, *x.shape)),
                f"all_gather_dim = 0 : i64, {_groups(w, operation)}")


@emits("all_gather")
def _all_gather(w: Writer, operation: Operation, xs: Names) -> Names:
    if _is_alone(operation):
        return xs
    result = operation.results[0].type
    if 0 in result.shape:  # compilers reject empty arrays
        return [w.splat(0, result)]
    return [w.op("all_gather", xs, result,
                 f"all_gather_dim = {operation.attributes['dimension']} : i64, {_groups(w, operation)}")]


@emits("reduce_scatter")
def _reduce_scatter(w: Writer, operation: Operation, xs: Names) -> Names:
    (x,), result = xs, operation.results[0].type
    reduction, dimension = operation.attributes["reduction"], operation.attributes["dimension"]
    if _is_alone(operation):
        return xs
    if 0 in result.shape:
        return [w.splat(0, result)]
    if not _is_folded(w, reduction, x.dtype):
        total = reduced(w, _gathered(w, operation, x), [0], reduction)
        size = w.scalar(result.shape[dimension], dtypes.int32)
        zero = w.scalar(0, dtypes.int32)
        start = w.same("multiply", _position_in_group(w, operation), size)
        starts = [start if d == dimension else zero for d in range(result.ndim)]
        return [w.op("dynamic_slice", [total, *starts], result, f"slice_sizes = {integers(result.shape)}")]
    wide = w.wide(x)
    total = w.op("reduce_scatter", [wide], result.with_dtype(wide.dtype),
                 f"scatter_dimension = {dimension} : i64, {_groups(w, operation)}",
                 [w.folding(FUNCTIONS[reduction], wide.dtype)])
    return [w.convert(total, x.dtype)]


@emits("all_to_all")
def _all_to_all(w: Writer, operation: Operation, xs: Names) -> Names:
    if _is_alone(operation):
        return xs
    attributes = operation.attributes
    return [w.op("all_to_all", xs, operation.results[0].type,
                 f"split_dimension = {attributes['split_dimension']} : i64, "
                 f"concat_dimension = {attributes['concat_dimension']} : i64, "
                 f"split_count = {attributes['group'].size} : i64, {_groups(w, operation)}")]


@emits("permute")
def _permute(w: Writer, operation: Operation, xs: Names) -> Names:
    pairs = [
        (group[source], group[target])
        for group in _members(w, operation) for source, target in operation.attributes["pairs"]
    ]
    if not pairs:
        return [w.like(0, xs[0])]
    return [w.op("collective_permute", xs, xs[0].type, f"source_target_pairs = {table(pairs)}")]


@emits("broadcast")
def _broadcast(w: Writer, operation: Operation, xs: Names) -> Names:
    """A sum of bits in which only the source's are not zero: compilers do not support `collective_broadcast`."""
    (x,) = xs
    if _is_alone(operation):
        return xs
    if dtypes.is_complex(x.dtype):
        half = x.type.with_dtype(dtypes.real_part(x.dtype))
        parts = [_from_source(w, operation, w.op(part, xs, half)) for part in ("real", "imag")]
        return [w.op("complex", parts, x.type)]
    return [_from_source(w, operation, x)]


def _bits(dtype: np.dtype) -> np.dtype:
    return np.dtype(f"u{dtype.itemsize}")


def _row(w: Writer, rows: Name, index: int) -> Name:
    return w.slice(rows, [index] + [0] * (len(rows.shape) - 1), [index + 1, *rows.shape[1:]])


def _from_source(w: Writer, operation: Operation, x: Name) -> Name:
    is_bool = dtypes.is_bool(x.dtype)
    if not _is_folded(w, "sum", _bits(x.dtype)):
        return w.reshape(_row(w, _gathered(w, operation, x), operation.attributes["source"]), x.shape)
    bits = w.convert(x, dtypes.uint32) if is_bool else w.bitcast(x, _bits(x.dtype))
    source = w.scalar(operation.attributes["source"], dtypes.int32)
    here = w.broadcast(w.compare("EQ", _position_in_group(w, operation), source), x.shape)
    total = _all_reduced(w, operation, w.select(here, bits, w.like(0, bits)), "sum")
    return w.convert(total, x.dtype) if is_bool else w.bitcast(total, x.dtype)


@emits("axis_index")
def _axis_index(w: Writer, operation: Operation, xs: Names) -> Names:
    return [_position_in_group(w, operation)]


def _position_in_group(w: Writer, operation: Operation) -> Name:
    """This device's index in its group, looked up by its replica id."""
    groups = operation.attributes["group"].groups
    member = {p: i for group in groups for i, p in enumerate(group)}
    indices = np.array([member[p] for p in w.module.replicas], np.int32)
    if (indices == indices[0]).all():
        return w.scalar(int(indices[0]), dtypes.int32)
    position = w.convert(w.op("replica_id", [], ArrayType((), dtypes.uint32)), dtypes.int32)
    if (indices == np.arange(len(indices))).all():
        return position
    found = w.op("dynamic_slice", [w.constant(indices), position], ArrayType((1,), dtypes.int32),
                 f"slice_sizes = {integers([1])}")
    return w.reshape(found, ())
