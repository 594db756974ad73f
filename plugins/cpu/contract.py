"""Contractions by matrix products, so that BLAS does the work."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from olympus_core import dtypes
from olympus_core.program import Operation
from olympus_core.toolkit import Kernel

_DTYPES = frozenset({dtypes.float32, dtypes.float64, *dtypes.COMPLEXES, *dtypes.INTEGERS})


def dot_general(operation: Operation) -> Kernel | None:
    """Operands as stacks of matrices (batch, free, contracted) x (batch, contracted, free)."""
    (x, y), attributes = [v.type for v in operation.operands], operation.attributes
    result = operation.results[0].type
    if x.dtype not in _DTYPES or not x.dtype == y.dtype == result.dtype:
        return None
    batch_x, batch_y = tuple(attributes["lhs_batch"]), tuple(attributes["rhs_batch"])
    inner_x, inner_y = tuple(attributes["lhs_contracting"]), tuple(attributes["rhs_contracting"])
    free_x = tuple(d for d in range(x.ndim) if d not in batch_x + inner_x)
    free_y = tuple(d for d in range(y.ndim) if d not in batch_y + inner_y)
    inner = math.prod(x.shape[d] for d in inner_x)
    if inner == 0 or result.size == 0:
        return None
    if not batch_x and len(free_x) == len(free_y) == len(inner_x) == 1:
        return Kernel(_plain(inner_x[0] == 0, inner_y[0] == 1), is_fresh=True)
    stack = tuple(x.shape[d] for d in batch_x)
    order_x, order_y = batch_x + free_x + inner_x, batch_y + inner_y + free_y
    shape_x = (*stack, math.prod(x.shape[d] for d in free_x), inner)
    shape_y = (*stack, inner, math.prod(y.shape[d] for d in free_y))
    shape, matmul = result.shape, np.matmul

    def kernel(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        product = matmul(x.transpose(order_x).reshape(shape_x), y.transpose(order_y).reshape(shape_y))
        return product.reshape(shape)

    return Kernel(kernel)


def _plain(transpose_x: bool, transpose_y: bool) -> Callable[..., np.ndarray]:
    matmul = np.matmul
    if transpose_x and transpose_y:
        return lambda x, y: matmul(x.T, y.T)
    if transpose_x:
        return lambda x, y: matmul(x.T, y)
    if transpose_y:
        return lambda x, y: matmul(x, y.T)
    return matmul
