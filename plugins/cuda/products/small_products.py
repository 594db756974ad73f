# SPDX-License-Identifier: Apache-2.0
"""The pass that writes small products as sums of products of broadcasts, which fuse with what is around them.

A kernel of the library takes a few microseconds for as few multiplications, and what follows it takes another kernel.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from olympus_core import ops
from olympus_core.ops.rules import sum_dtype
from olympus_core.program import Operation, Value
from olympus_core.toolkit.passes import Builder, Match, Rule, op, rewriting_pass

from .tiled import sum_type

MOST = 1 << 16  # multiplications


def is_small(operation: Operation) -> bool:
    """Whether a product has few multiplications, of numbers that kernels add as its reference does."""
    x, y = (v.type for v in operation.operands)
    result = operation.results[0].type
    if 0 in (x.size, y.size) or sum_type(x.dtype, result.dtype) is None:
        return False
    contracted = math.prod(x.shape[d] for d in operation.attributes["lhs_contracting"])
    return result.size * contracted <= MOST


def _as_sum(new: Builder, match: Match) -> Value | None:
    """The sum over the contracted dimensions, which are the last ones of a product of broadcasts."""
    operation, attributes = match.operation, match.operation.attributes
    if not new.varies(match.operands):
        return None  # constant subprograms are computed once
    result = operation.results[0].type
    wide = sum_dtype(operation.operands[0].type.dtype, result.dtype)
    inner = [operation.operands[0].type.shape[d] for d in attributes["lhs_contracting"]]
    shape = (*result.shape, *inner)
    sides, free = [], len(attributes["lhs_batch"])
    for value, side in zip(match.operands, ("lhs", "rhs"), strict=True):
        batch, summed = attributes[f"{side}_batch"], attributes[f"{side}_contracting"]
        own = [d for d in range(value.type.ndim) if d not in batch and d not in summed]
        places = {d: i for i, d in enumerate(batch)}
        places.update({d: free + i for i, d in enumerate(own)})
        places.update({d: result.ndim + i for i, d in enumerate(summed)})
        free += len(own)
        sides.append(_spread(new, new.convert(value, wide), [places[d] for d in range(value.type.ndim)], shape))
    product = new.apply(ops.mul, *sides)
    summed_last = tuple(range(result.ndim, len(shape)))
    total = new.apply(ops.reduce_sum, product, dimensions=summed_last) if summed_last else product
    return new.convert(total, result.dtype)


def _spread(new: Builder, value: Value, places: Sequence[int], shape: tuple[int, ...]) -> Value:
    """A value in a larger shape, where its dimension d is `places[d]`."""
    order = sorted(range(len(places)), key=lambda d: places[d])
    return new.broadcast(new.transpose(value, tuple(order)), shape, tuple(places[d] for d in order))


SMALL_PRODUCTS = rewriting_pass("small-products", Rule(op("dot_general", where=is_small), _as_sum))
