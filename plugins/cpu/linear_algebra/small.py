# SPDX-License-Identifier: Apache-2.0
"""Batches of small real matrices: kernels that compute one matrix in each lane of a vector."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from olympus_core import dtypes
from olympus_core.program import Operation

from ..native.routines import Routine
from ..native.schedule import schedule

_MOST = 32  # rows and columns; MOST in small.c
_MOST_OF_VECTORS = 16  # of matrices that are alone: more rows take longer than the library does
_LEAST_MATRICES = 4
_LANES = 8
_SECONDS_OF_FLOP = 3e-10


def is_small(operation: Operation) -> bool:
    """Whether the first operand is a batch of matrices for these kernels."""
    x = operation.operands[0].type
    return (max(x.shape[-2:]) <= _MOST and math.prod(x.shape[:-2]) >= _LEAST_MATRICES
            and x.dtype in (dtypes.float32, dtypes.float64))


def has_small_vectors(operation: Operation) -> bool:
    """Whether eigenvectors come from these kernels: by the size alone, so that a batch and its parts agree."""
    x = operation.operands[0].type
    return x.shape[-1] <= _MOST_OF_VECTORS and x.dtype in (dtypes.float32, dtypes.float64)


def cholesky(operation: Operation) -> Routine:
    """Words: the size."""
    n = operation.operands[0].type.shape[-1]
    return _routine(operation, [n], n ** 3 / 3 + n * n)


def lu(operation: Operation) -> Routine:
    """Words: rows, columns."""
    m, n = operation.operands[0].type.shape[-2:]
    return _routine(operation, [m, n], 2 / 3 * max(m, n) ** 3 + 4 * m * n)


def eigh(operation: Operation) -> Routine:
    """Words: the size, whether the lower triangle is read."""
    n = operation.operands[0].type.shape[-1]
    name = "eigh" if operation.attributes["vectors"] else "eigvalsh"
    return _routine(operation, [n, int(operation.attributes["lower"])], 60 * n ** 3, name)


def triangular_solve(operation: Operation) -> Routine:
    """Words: as in `small_kernels.h`; what is transposed, upper, or on the right differs in strides alone."""
    a, b = [v.type for v in operation.operands]
    attributes, n = operation.attributes, a.shape[-1]
    left, lower = attributes["left_side"], attributes["lower"]
    row, column = (n, 1)
    # X A = B is A^T X^T = B^T.
    if attributes["transpose"] == left:
        row, column, lower = column, row, not lower
    m, k = b.shape[-2:]
    columns, down, across = (k, k, 1) if left else (m, 1, k)
    first_a = first_b = 0
    if not lower:
        first_a, first_b = (n - 1) * (row + column), (n - 1) * down
        row, column, down = -row, -column, -down
    words = [n, columns, int(attributes["unit_diagonal"]), row, column, down, across, n * n, m * k, first_a, first_b]
    return _routine(operation, words, n * n * (columns + 2))


def _routine(operation: Operation, words: Sequence[int], flops: float, name: str = "") -> Routine:
    x = operation.operands[0].type
    total = math.prod(x.shape[:-2])
    seconds = total * flops * _SECONDS_OF_FLOP
    function = f"{name or operation.record.name}_f{8 * x.dtype.itemsize}"
    return Routine("small", function, np.array(words, np.int64), (), total,
                   schedule(total, seconds, granule=_LANES).chunk, 0, seconds)
