"""Contractions by matrix products, so that BLAS does the work."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.program import Operation
from olympus_core.toolkit import Kernel, quietly

from .blas import SideBySide

_DTYPES = frozenset({dtypes.float32, dtypes.float64, *dtypes.COMPLEXES, *dtypes.INTEGERS})
_BLAS_DTYPES = frozenset({dtypes.float32, dtypes.float64, *dtypes.COMPLEXES})
_WORTH_THREADS = 2e6  # multiplications, below which a second thread costs more than it brings
_SMALL_MATRIX = 128**3  # multiplications of one product that leave the library's own threads with too little to do

Empty = Callable[[tuple[int, ...], np.dtype], np.ndarray]


class MatrixProduct:
    """A `dot_general` as stacks of matrices (batch, free, contracted) x (batch, contracted, free).

    Args:
        operation: The operation; see `can_multiply`.
    """

    def __init__(self, operation: Operation) -> None:
        (x, y), attributes = [v.type for v in operation.operands], operation.attributes
        self.result = operation.results[0].type
        batch_x, batch_y = tuple(attributes["lhs_batch"]), tuple(attributes["rhs_batch"])
        inner_x, inner_y = tuple(attributes["lhs_contracting"]), tuple(attributes["rhs_contracting"])
        free_x = tuple(d for d in range(x.ndim) if d not in batch_x + inner_x)
        free_y = tuple(d for d in range(y.ndim) if d not in batch_y + inner_y)
        inner = math.prod(x.shape[d] for d in inner_x)
        stack = tuple(x.shape[d] for d in batch_x)
        self.is_plain = not batch_x and len(free_x) == len(free_y) == len(inner_x) == 1
        self.order_x, self.order_y = batch_x + free_x + inner_x, batch_y + inner_y + free_y
        rows, columns = math.prod(x.shape[d] for d in free_x), math.prod(y.shape[d] for d in free_y)
        self.shape_x, self.shape_y = (*stack, rows, inner), (*stack, inner, columns)
        self.shape, self.count = (*stack, rows, columns), math.prod(stack)
        self.multiplications = rows * columns * inner  # of one matrix of the stack

    def into(self, x: np.ndarray, y: np.ndarray, out: np.ndarray) -> None:
        """Computes the product into a row-major array."""
        x = x.transpose(self.order_x).reshape(self.shape_x)
        y = y.transpose(self.order_y).reshape(self.shape_y)
        quietly(np.matmul, x, y, out.reshape(self.shape))

    def pieces(self, x: np.ndarray, y: np.ndarray, out: np.ndarray, parts: int) -> list[Callable[[], None]]:
        """The product as pieces of work, cut along the stack where its matrices are small."""
        parts = min(parts, self.count) if self.count > 1 and self.multiplications <= _SMALL_MATRIX else 1
        if parts == 1:
            return [lambda: self.into(x, y, out)]
        x = x.transpose(self.order_x).reshape((self.count, *self.shape_x[-2:]))
        y = y.transpose(self.order_y).reshape((self.count, *self.shape_y[-2:]))
        stacked = out.reshape((self.count, *self.shape[-2:]))
        ends = [self.count * i // parts for i in range(parts + 1)]

        def piece(low: int, high: int) -> Callable[[], None]:
            def run() -> None:
                quietly(np.matmul, x[low:high], y[low:high], stacked[low:high])

            return run

        return [piece(low, high) for low, high in zip(ends, ends[1:], strict=False)]


def can_multiply(operation: Operation) -> bool:
    """Whether NumPy's product of matrices gives what the operation's reference gives."""
    (x, y), result = [v.type for v in operation.operands], operation.results[0].type
    if x.dtype not in _DTYPES or not x.dtype == y.dtype == result.dtype:
        return False
    return result.size > 0 and math.prod(x.shape[d] for d in operation.attributes["lhs_contracting"]) > 0


def dot_general(operation: Operation) -> Kernel | None:
    """The product for a table: one device, a new array."""
    if not can_multiply(operation):
        return None
    product = MatrixProduct(operation)
    if product.is_plain:
        return Kernel(_plain(product.order_x == (1, 0), product.order_y == (1, 0)), is_fresh=True)
    matmul, shape = np.matmul, product.result.shape

    def kernel(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        x = x.transpose(product.order_x).reshape(product.shape_x)
        y = y.transpose(product.order_y).reshape(product.shape_y)
        return matmul(x, y).reshape(shape)

    return Kernel(kernel)


def dot_library(operation: Operation, count: int, empty: Empty, together: SideBySide, threads: int) -> Any:
    """The product for generated programs: into recycled memory, several devices or matrices side by side.

    Returns:
        A function of place, x and y for one device, of places and columns for several; it gives a tuple of results.
    """
    if not can_multiply(operation):
        return None
    product = MatrixProduct(operation)
    shape, dtype, into = product.result.shape, product.result.dtype, product.into
    parts = threads if dtype in _BLAS_DTYPES and product.multiplications * product.count >= _WORTH_THREADS else 1

    def one(place: int, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray]:
        out = empty(shape, dtype)
        pieces = product.pieces(x, y, out, 4 * parts) if parts > 1 else ()
        if len(pieces) > 1:
            together.run(pieces)
        else:
            into(x, y, out)
        return (out,)

    def several(places: Sequence[int], xs: Sequence[np.ndarray], ys: Sequence[np.ndarray]) -> tuple[list[np.ndarray]]:
        outs = [empty(shape, dtype) for _ in places]
        rows = list(zip(xs, ys, outs, strict=True))
        if product.multiplications * product.count * count < _WORTH_THREADS:
            for x, y, out in rows:
                into(x, y, out)
        else:
            together.run([piece for row in rows for piece in product.pieces(*row, 1)])
        return (outs,)

    return one if count == 1 else several


def _plain(transpose_x: bool, transpose_y: bool) -> Callable[..., np.ndarray]:
    matmul = np.matmul
    if transpose_x and transpose_y:
        return lambda x, y: matmul(x.T, y.T)
    if transpose_x:
        return lambda x, y: matmul(x.T, y)
    if transpose_y:
        return lambda x, y: matmul(x, y.T)
    return matmul
