# SPDX-License-Identifier: Apache-2.0
"""Gather and scatter on one shard of the dimension that they index: indices are counted from where the shard begins.

An index that another device answers for lies outside then. A scatter drops it; a gather gives zero for it, so that
the sum over all devices is the whole's answer.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.program import LocalEmitter, OperationRecord, Value

from .binary import and_, eq, gt, lt, or_, sub
from .reduce import reduce_or
from .select import clamp, convert, select
from .sources import constant
from .structure import broadcast_in_dim, concatenate


def _one(emitter: LocalEmitter, record: OperationRecord, *operands: Value, **attributes: Any) -> Value:
    return emitter.emit(record, operands, attributes)[0]


def _vector(emitter: LocalEmitter, numbers: Sequence[int], like: Value) -> Value:
    """The same numbers for every index vector."""
    value = _one(emitter, constant, value=np.array(numbers, like.type.dtype))
    return _one(emitter, broadcast_in_dim, value, shape=like.type.shape, dimensions=(like.type.ndim - 1,))


def wide_indices(emitter: LocalEmitter, indices: Value, shape: Sequence[int]) -> Value:
    """The indices in a type that holds every offset in an array of this shape."""
    dtype = dtypes.index_dtype(max(shape, default=0))
    if indices.type.dtype.itemsize >= dtype.itemsize:
        return indices
    return _one(emitter, convert, indices, dtype=dtype)


def clipped(emitter: LocalEmitter, indices: Value, last: Sequence[int]) -> Value:
    """The indices moved to where windows lie inside the whole; `last` is the greatest start of each component."""
    return _one(
        emitter, clamp, _vector(emitter, [0] * len(last), indices), indices, _vector(emitter, last, indices)
    )


def shifted(emitter: LocalEmitter, indices: Value, offsets: Mapping[int, Value]) -> Value:
    """The indices less where the part begins, for each component that has an offset."""
    parts = []
    for component in range(indices.type.shape[-1]):
        offset = offsets.get(component)
        if offset is None:
            parts.append(_one(emitter, constant, value=np.zeros(1, indices.type.dtype)))
        else:
            if indices.type.dtype != offset.type.dtype:
                offset = _one(emitter, convert, offset, dtype=indices.type.dtype)
            parts.append(_one(emitter, broadcast_in_dim, offset, shape=(1,), dimensions=()))
    vector = parts[0] if len(parts) == 1 else _one(emitter, concatenate, *parts, dimension=0)
    last = indices.type.ndim - 1
    vector = _one(emitter, broadcast_in_dim, vector, shape=indices.type.shape, dimensions=(last,))
    return _one(emitter, sub, indices, vector)


def filled(
    emitter: LocalEmitter, result: Value, indices: Value, last: Sequence[int], batch_dims: Sequence[int],
    fill: np.ndarray, offsets: Sequence[Value],
) -> Value:
    """A gather's terms with the fill value for windows outside the whole: given once, by the first part."""
    below = _one(emitter, lt, indices, _vector(emitter, [0] * len(last), indices))
    above = _one(emitter, gt, indices, _vector(emitter, last, indices))
    outside = _one(
        emitter, reduce_or, _one(emitter, or_, below, above), dimensions=(indices.type.ndim - 1,)
    )
    zeros = [_one(emitter, constant, value=np.zeros((), offset.type.dtype)) for offset in offsets]
    first = functools.reduce(
        lambda x, y: _one(emitter, and_, x, y), [_one(emitter, eq, *pair) for pair in zip(offsets, zeros, strict=True)]
    )
    shape = result.type.shape
    mine = _one(
        emitter, and_, _one(emitter, broadcast_in_dim, outside, shape=shape, dimensions=tuple(batch_dims)),
        _one(emitter, broadcast_in_dim, first, shape=shape, dimensions=()),
    )
    value = _one(emitter, constant, value=fill)
    return _one(emitter, select, mine, _one(emitter, broadcast_in_dim, value, shape=shape, dimensions=()), result)

