# SPDX-License-Identifier: Apache-2.0
"""`dot_general` as NumPy's `matmul`, for what `contractions/` has no code for: mostly complex numbers."""

from __future__ import annotations

import math

import numpy as np

from olympus_core import dtypes
from olympus_core.program import Operation
from olympus_core.toolkit import Kernel

from ..compiled.arrays import recycled_empty
from ..machine.choice import choice

_DTYPES = frozenset({dtypes.float32, dtypes.float64, *dtypes.COMPLEXES, *dtypes.INTEGERS})


def can_multiply(operation: Operation) -> bool:
    """Whether `np.matmul` gives the result of the operation's reference."""
    (x, y), result = [v.type for v in operation.operands], operation.results[0].type
    if x.dtype not in _DTYPES or not x.dtype == y.dtype == result.dtype:
        return False
    return result.size > 0 and math.prod(x.shape[d] for d in operation.attributes["lhs_contracting"]) > 0


def dot_general(operation: Operation) -> Kernel | None:
    """A contraction as a batched matrix product, (batch, free, contracted) x (batch, contracted, free)."""
    if not can_multiply(operation):
        return None
    (x, y), result, attributes = [v.type for v in operation.operands], operation.results[0].type, operation.attributes
    batch_x, batch_y = tuple(attributes["lhs_batch"]), tuple(attributes["rhs_batch"])
    inner_x, inner_y = tuple(attributes["lhs_contracting"]), tuple(attributes["rhs_contracting"])
    free_x = tuple(d for d in range(x.ndim) if d not in batch_x + inner_x)
    free_y = tuple(d for d in range(y.ndim) if d not in batch_y + inner_y)
    order_x, order_y = batch_x + free_x + inner_x, batch_y + inner_y + free_y
    stack, inner = tuple(x.shape[d] for d in batch_x), math.prod(x.shape[d] for d in inner_x)
    rows, columns = math.prod(x.shape[d] for d in free_x), math.prod(y.shape[d] for d in free_y)
    shape_x, shape_y, shape = (*stack, rows, inner), (*stack, inner, columns), (*stack, rows, columns)

    multiply = _in_order if choice().is_reproducible and not dtypes.is_integer(x.dtype) else np.matmul

    def kernel(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        out = recycled_empty(result.shape, result.dtype)
        multiply(x.transpose(order_x).reshape(shape_x), y.transpose(order_y).reshape(shape_y), out.reshape(shape))
        return out

    return Kernel(kernel, is_fresh=True)


def _in_order(x: np.ndarray, y: np.ndarray, out: np.ndarray) -> None:
    """The product by sums in the order of the contracted elements: slow, and the same on every processor."""
    np.multiply(x[..., :1], y[..., :1, :], out=out)
    for i in range(1, x.shape[-1]):
        out += x[..., i:i + 1] * y[..., i:i + 1, :]
