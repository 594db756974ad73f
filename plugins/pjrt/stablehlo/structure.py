# SPDX-License-Identifier: Apache-2.0
"""Data movement operations."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from olympus_core import dtypes
from olympus_core.program import Operation

from .elementwise import converted
from .literals import integers
from .table import emits
from .writer import Name, Writer

Names = Sequence[Name]
# Iota of other types is converted from int32, since compilers may wrap or round in them.
_COUNTED = (dtypes.int32, dtypes.uint32, dtypes.float32, dtypes.int64, dtypes.float64)


@emits("broadcast_in_dim")
def _broadcast(w: Writer, operation: Operation, xs: Names) -> Names:
    return [w.broadcast(xs[0], operation.attributes["shape"], operation.attributes["dimensions"])]


@emits("reshape")
def _reshape(w: Writer, operation: Operation, xs: Names) -> Names:
    return [w.reshape(xs[0], operation.attributes["shape"])]


@emits("transpose")
def _transpose(w: Writer, operation: Operation, xs: Names) -> Names:
    return [w.op("transpose", xs, operation.results[0].type,
                 f"permutation = {integers(operation.attributes['permutation'])}")]


@emits("slice")
def _slice(w: Writer, operation: Operation, xs: Names) -> Names:
    return [w.slice(xs[0], *(operation.attributes[key] for key in ("starts", "limits", "strides")))]


@emits("pad")
def _pad(w: Writer, operation: Operation, xs: Names) -> Names:
    low, high, interior = (operation.attributes[key] for key in ("low", "high", "interior"))
    return [pad(w, xs[0], xs[1], low, high, interior)]


def pad(
    w: Writer, x: Name, value: Name, low: Sequence[int], high: Sequence[int], interior: Sequence[int] | None = None
) -> Name:
    """The padded value; negative padding removes elements."""
    interior = [0] * len(low) if interior is None else interior
    shape = [
        n + before + after + max(n - 1, 0) * inside
        for n, before, after, inside in zip(x.shape, low, high, interior, strict=True)
    ]
    return w.op("pad", [x, value], x.type.with_shape(shape),
                f"edge_padding_low = {integers(low)}, edge_padding_high = {integers(high)}, "
                f"interior_padding = {integers(interior)}")


@emits("concatenate")
def _concatenate(w: Writer, operation: Operation, xs: Names) -> Names:
    return [w.op("concatenate", xs, operation.results[0].type,
                 f"dimension = {operation.attributes['dimension']} : i64")]


@emits("reverse")
def _reverse(w: Writer, operation: Operation, xs: Names) -> Names:
    return [w.op("reverse", xs, xs[0].type, f"dimensions = {integers(operation.attributes['dimensions'])}")]


@emits("iota")
def _iota(w: Writer, operation: Operation, xs: Names) -> Names:
    result = operation.results[0].type
    counted = w.iota(result.shape, result.dtype if result.dtype in _COUNTED else dtypes.int32,
                     operation.attributes["dimension"])
    return [converted(w, counted, result.dtype)]


@emits("constant")
def _constant(w: Writer, operation: Operation, xs: Names) -> Names:
    value = operation.attributes["value"]
    if dtypes.is_bool(value.dtype) and value.size > 1:  # there is no byte form of them
        numbers = w.constant(value.astype(np.int8))
        return [w.compare("NE", numbers, w.like(0, numbers))]
    return [w.constant(value)]


@emits("sharding_constraint")
def _constraint(w: Writer, operation: Operation, xs: Names) -> Names:
    return xs
