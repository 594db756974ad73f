# SPDX-License-Identifier: Apache-2.0
"""Operations on arrays of one type, each a single bind: what rules are written with. Results are strongly typed."""

from __future__ import annotations

from typing import Any

import numpy as np

from olympus_core import ops
from olympus_core.program import OperationRecord

from ... import operands
from ...operands import broadcast
from ...tracing import Aval, aval_of, bind
from ...tracing.aval import has_tangent
from ...tracing.values import number_as


def _binary(record: OperationRecord) -> Any:
    return lambda x, y: bind(record, x, y, weak=False)


add, sub, mul, div, power = (_binary(record) for record in (ops.add, ops.sub, ops.mul, ops.div, ops.pow))


def apply(record: OperationRecord, *operands: Any, **attributes: Any) -> Any:
    """One operation, its result strongly typed."""
    return bind(record, *operands, weak=False, **attributes)


def filled(aval: Aval, number: Any) -> Any:
    """A constant array of a shape and element type."""
    return broadcast(number_as(number, aval.dtype), aval.shape, weak=False)


def array(x: Any) -> Any:
    """A host value as an array of the current trace, for functions of users; other values as they are."""
    if hasattr(x, "aval") or not isinstance(x, (np.ndarray, np.generic)) or not x.dtype.itemsize:
        return x
    return apply(ops.constant, value=np.asarray(x))


def as_weak_as(tangent: Any, aval: Aval) -> Any:
    """A tangent or cotangent, weakly typed where the value that it belongs to is."""
    return operands.convert(tangent, aval.dtype, weak=True) if aval.weak and has_tangent(aval) else tangent


def like(x: Any, number: Any) -> Any:
    """A constant array of the shape and element type of another."""
    return filled(aval_of(x), number)


def zeros(aval: Aval) -> Any:
    """Zeros in a shape and element type."""
    return filled(aval, 0)


def scaled(x: Any, number: Any) -> Any:
    """An array times a number."""
    return mul(x, like(x, number))


def neg(x: Any) -> Any:
    """The negative."""
    return apply(ops.neg, x)


def convert(x: Any, dtype: np.dtype) -> Any:
    """The elements in another type."""
    return x if aval_of(x).dtype == dtype else apply(ops.convert, x, dtype=dtype)


def weakened(x: Any, is_weak: bool) -> Any:
    """A value whose element type gives way to others, where that is asked for."""
    if not is_weak or aval_of(x).weak:
        return x
    return bind(ops.convert, x, dtype=aval_of(x).dtype, weak=True)


def select(predicate: Any, x: Any, y: Any) -> Any:
    """Each element from one of two arrays."""
    return apply(ops.select, predicate, x, y)


def compare(record: OperationRecord, x: Any, y: Any, dtype: np.dtype) -> Any:
    """A comparison as ones and zeros of a type."""
    return apply(ops.convert, bind(record, x, y, weak=False), dtype=dtype)


def reshape(x: Any, shape: tuple[int, ...]) -> Any:
    """The elements in another shape."""
    return x if aval_of(x).shape == tuple(shape) else apply(ops.reshape, x, shape=tuple(shape))


def transpose(x: Any, permutation: tuple[int, ...]) -> Any:
    """The dimensions in another order."""
    if tuple(permutation) == tuple(range(len(permutation))):
        return x
    return apply(ops.transpose, x, permutation=tuple(permutation))


def plus(x: Any, y: Any) -> Any:
    """A sum in which None is zero."""
    return y if x is None else x if y is None else add(x, y)


def taken_along(x: Any, order: Any, dimension: int) -> Any:
    """Elements along a dimension, in the order that an array of indices gives for each line."""
    shape = aval_of(x).shape
    rest = tuple(d for d in range(len(shape)) if d != dimension)
    indices = reshape(order, (*aval_of(order).shape, 1))
    return apply(
        ops.gather, x, indices, offset_dims=(), collapsed_slice_dims=(dimension,), start_index_map=(dimension,),
        operand_batching_dims=rest, indices_batching_dims=rest, slice_sizes=(1,) * len(shape), mode="clip")
