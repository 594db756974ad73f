# SPDX-License-Identifier: Apache-2.0
"""The polar decomposition by Halley's iteration, as `lax.linalg.qdwh` gives it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from olympus_core import dtypes, ops

from ..operands import dtype_of, shape_of
from ..tracing import bind
from ..transforms.traces.arithmetic import apply
from ..transforms.traces.matrices import adjoint, constant, matmul, part
from .control import while_loop


def weights(bound: float, count: int) -> np.ndarray:
    """For each step the factors of X and of Q1 Q2^H, the root of what weighs X in the QR factorization, and whether
    singular values may still be far from one after it.

    They depend on a lower bound of the singular values alone, which every step brings nearer to one.

    Args:
        bound: The bound at the beginning.
        count: The number of steps.
    """
    rows = []
    for _ in range(count):
        square = bound * bound
        d = np.cbrt(4 * (1 / square - 1) / square)
        root = math.sqrt(1 + d)
        a = root + math.sqrt(max(2 - d + 2 * (2 - square) / (square * root), 0.0))
        b = (a - 1) ** 2 / 4
        c = a + b - 1
        bound = min(bound * (a + b * square) / (1 + c * square), 1.0)
        rows.append((b / c, (a - b / c) / math.sqrt(c), math.sqrt(c), float(bound < 1 - 1e-6)))
    return np.array(rows)


def _length(x: Any) -> Any:
    size = apply(ops.abs, x)
    return apply(ops.sqrt, apply(ops.reduce_sum, size * size, dimensions=(0, 1)))


def polar(
    x: Any, orthonormal: Callable[[Any], Any], max_iterations: int | None, eps: float | None,
    dynamic_shape: tuple[int, int] | None,
) -> tuple[Any, Any, Any, Any]:
    """The decomposition; see `lax.linalg.qdwh`.

    Args:
        x: The matrix.
        orthonormal: A matrix to the Q of its QR factorization.
        max_iterations: The greatest number of steps.
        eps: The precision that ends it.
        dynamic_shape: The part of the matrix that counts.
    """
    (m, n), dtype = shape_of(x), dtype_of(x)
    real = dtypes.real_part(dtype)
    eps = float(np.finfo(real).eps) if eps is None else eps
    count = 10 if max_iterations is None else max_iterations
    if dynamic_shape is not None:
        rows, columns = dynamic_shape
        numbers = [apply(ops.iota, shape=(m, n), dtype=np.dtype(np.int32), dimension=d) for d in (0, 1)]
        x = bind(ops.select, (numbers[0] < rows) & (numbers[1] < columns), x, x * 0)
    size = apply(ops.abs, x)
    sums = [apply(ops.reduce_max, apply(ops.reduce_sum, size, dimensions=(d,)), dimensions=(0,)) for d in (0, 1)]
    scale = apply(ops.sqrt, sums[0] * sums[1])
    scale = bind(ops.select, scale == 0, scale + 1, scale)
    none, yes = constant(np.zeros((), np.int32)), constant(np.ones((), np.bool_))
    table = constant(weights(max(eps, float(np.finfo(real).eps)), max(count, 1)).astype(real))
    identity = constant(np.eye(n, dtype=dtype))
    small = (4 * eps) ** (1 / 3)

    def step(state: Any) -> Any:
        u, k, _ = state
        row = apply(ops.dynamic_slice, table, k, none, sizes=(1, 4))
        old, new, root = (apply(ops.convert, row[0, i], dtype=dtype) for i in range(3))
        stacked = apply(ops.concatenate, u * root, identity, dimension=0)
        q = orthonormal(stacked)
        following = u * old + matmul(part(q, 0, m, 0), adjoint(part(q, m, m + n, 0))) * new
        return following, k + 1, (_length(following - u) > small * _length(following)) | (row[0, 3] > 0)

    start = (x / apply(ops.convert, scale, dtype=dtype), none, yes)
    u, steps, moving = while_loop(lambda s: s[2] & (s[1] < count), step, start)
    product = matmul(adjoint(u), x)
    return u, (product + adjoint(product)) * 0.5, steps, ~moving
