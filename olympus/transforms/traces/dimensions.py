# SPDX-License-Identifier: Apache-2.0
"""Moves of whole dimensions, as batching rules need them. Results stay weakly typed where the operand is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from olympus_core import ops

from ...shape_dtype import ShapeDtypeStruct
from ...tracing import aval_of, bind


def repeated(value: Any, size: int) -> Any:
    """A value, the same for each index of a new dimension in front."""
    shape = aval_of(value).shape
    return bind(ops.broadcast_in_dim, value, shape=(size, *shape), dimensions=tuple(range(1, len(shape) + 1)))


def moved(value: Any, source: int, target: int) -> Any:
    """A value with one dimension at another position."""
    if source == target:
        return value
    order = [d for d in range(aval_of(value).ndim) if d != source]
    order.insert(target, source)
    if isinstance(value, ShapeDtypeStruct):  # of which a function uses the shape alone
        return ShapeDtypeStruct([value.shape[d] for d in order], value.dtype, weak_type=value.weak_type)
    return bind(ops.transpose, value, permutation=tuple(order))


def reshaped(value: Any, shape: Sequence[int]) -> Any:
    """A value in another shape."""
    return value if aval_of(value).shape == tuple(shape) else bind(ops.reshape, value, shape=tuple(shape))


def broadcast_to(value: Any, shape: Sequence[int], dimensions: Sequence[int]) -> Any:
    """A value repeated to a shape; its own dimensions become `dimensions`."""
    if aval_of(value).shape == tuple(shape):
        return value
    return bind(ops.broadcast_in_dim, value, shape=tuple(shape), dimensions=tuple(dimensions))
