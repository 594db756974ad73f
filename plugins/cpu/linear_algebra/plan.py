"""Plans: what is done for each matrix of a batch, as words that the native code of `batches.c` runs through."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from olympus_core import dtypes
from olympus_core.program import Operation
from olympus_core.toolkit import Kernel

from ..compiled.arrays import recycled_empty
from ..native.pool import pool
from ..native.schedule import schedule
from .library import ARGUMENTS, address, batches

_END, _CALL, _TRANSPOSE, _COPY, _TRIANGLE, _CHECK, _FILL, _PIVOTS, _VALUES, _VECTORS = range(10)
# Larger matrices are computed one after the other: the library has threads of its own for each.
_MOST_ROWS = 128
_SECONDS_OF_FLOP = 1e-9
_LINE = 64


class Plan:
    """The steps for one matrix of each operand, and the slots that they name by number.

    Args:
        operation: Whose operands and results they are.
        tails: For each operand, how many of its dimensions are no batch dimensions.
    """

    def __init__(self, operation: Operation, tails: Sequence[int]) -> None:
        self._operation = operation
        operands, results = [v.type for v in operation.operands], [v.type for v in operation.results]
        front = operands[0].ndim - tails[0]
        self._total = math.prod(operands[0].shape[:front])
        self._words: list[int] = []
        self._slots: list[list[int]] = []  # address, bytes to the next matrix, bytes to the next chunk
        self._kept: list[np.ndarray] = []
        self._work: dict[int, int] = {}  # slots of workspace to where they begin
        self._work_size = 0
        given = [*operands, *results]
        self._bound = [self._slot(0, t.nbytes // self._total) for t in given]
        self.operands, self.results = self._bound[:len(operands)], self._bound[len(operands):]

    def _slot(self, address: int, step: int = 0, chunk: int = 0) -> int:
        self._slots.append([address, step, chunk])
        return len(self._slots) - 1

    def work(self, size: int) -> int:
        """A slot of so many bytes, for one matrix at a time."""
        found = self._slot(0)
        self._work[found] = self._work_size
        self._work_size += -(-max(size, 1) // _LINE) * _LINE
        return found

    def after(self, slot: int, size: int) -> int:
        """A slot of workspace that begins so many bytes after another does."""
        found = self._slot(0)
        self._work[found] = self._work[slot] + size
        return found

    def constant(self, value: np.ndarray) -> int:
        """A slot with values that LAPACK reads."""
        self._kept.append(value)
        return self._slot(value.ctypes.data)

    def size(self, value: int) -> int:
        """A slot with a size."""
        return self.constant(np.array(value, np.int32))

    def letter(self, value: str) -> int:
        """A slot with one of LAPACK's choices."""
        return self.constant(np.array([ord(value)], np.uint8))

    def call(self, name: str, *slots: int, status: int = -1) -> None:
        """Calls a function of LAPACK or BLAS; a status that is not zero means that the matrix failed."""
        self._words += [_CALL, address(name), status, *slots, *[-1] * (ARGUMENTS - len(slots))]

    def transpose(self, itemsize: int, rows: int, columns: int, source: int, target: int) -> None:
        """Turns a matrix in row-major order into one in column-major order."""
        self._words += [_TRANSPOSE, itemsize, rows, columns, source, target]

    def copy(self, size: int, source: int, target: int) -> None:
        """Copies bytes."""
        self._words += [_COPY, size, source, target]

    def clear_above(self, itemsize: int, size: int, slot: int) -> None:
        """Writes zeros above the diagonal."""
        self._words += [_TRIANGLE, itemsize, size, slot]

    def check(self, dtype: np.dtype, count: int, slot: int, step: int = 1) -> None:
        """The matrix failed if one of these elements is not finite; what is called after that is not called."""
        parts, is_double = _parts(dtype)
        step, count = (parts * step, count) if step > 1 else (1, parts * count)
        self._words += [_CHECK, is_double, count, step, slot]

    def fill(self, dtype: np.dtype, count: int, slot: int) -> None:
        """Fills elements with NaN if the matrix failed."""
        parts, is_double = _parts(dtype)
        self._words += [_FILL, is_double, parts * count, slot]

    def count_pivots(self, pivots: int, order: int, count: int, rows: int) -> None:
        """Turns LAPACK's exchanges into those counted from zero and the order of the rows."""
        self._words += [_PIVOTS, pivots, order, count, rows]

    def complex_values(self, real: np.dtype, size: int, parts: Sequence[int], target: int) -> None:
        """Makes complex numbers of their real and imaginary parts."""
        self._words += [_VALUES, int(real == dtypes.float64), size, *parts, target]

    def complex_vectors(self, real: np.dtype, size: int, imaginaries: int, columns: int, target: int) -> None:
        """Makes complex vectors of the columns that LAPACK gives for a real matrix."""
        self._words += [_VECTORS, int(real == dtypes.float64), size, imaginaries, columns, target]

    def kernel(self, rows: int, flops: float) -> Kernel:
        """The kernel that runs the plan for all matrices.

        Args:
            rows: The greatest dimension of a matrix.
            flops: About how many operations a matrix takes.
        """
        total, chunk = self._total, self._total
        if rows <= _MOST_ROWS:
            chunk = schedule(total, total * flops * _SECONDS_OF_FLOP).chunk
        chunks, each = -(-total // chunk), self._work_size
        for slot, start in self._work.items():
            self._slots[slot][:] = [start, 0, each]
        words = np.array([*self._words, _END], np.int64)
        template = np.array([len(self._slots), *(word for slot in self._slots for word in slot)], np.int64)
        work_places = np.array([1 + 3 * slot for slot in self._work], np.int64)
        bound = [1 + 3 * slot for slot in self._bound]
        results = [v.type for v in self._operation.results]
        kept, run = [*self._kept, words], batches()

        def function(*operands: np.ndarray) -> tuple[np.ndarray, ...]:
            arrays = [np.ascontiguousarray(x) for x in operands]
            found = tuple(recycled_empty(t.shape, t.dtype) for t in results)
            workspace = recycled_empty((each * chunks,), dtypes.uint8)
            slots = template.copy()
            slots[bound] = [x.ctypes.data for x in (*arrays, *found)]
            slots[work_places] += workspace.ctypes.data
            table = np.array([kept[-1].ctypes.data, slots.ctypes.data], np.int64)
            pool().parallel_for(run, table.ctypes.data, total, chunk)
            return found

        return as_kernel(function)


def as_kernel(function: Callable[..., tuple[np.ndarray, ...]]) -> Kernel:
    """A function that gives a tuple of new arrays."""
    return Kernel(function, is_tuple=True, is_fresh=True)


def _parts(dtype: np.dtype) -> tuple[int, int]:
    """How many numbers an element is, and whether they are of 64 bits."""
    return (2 if dtypes.is_complex(dtype) else 1), int(dtypes.real_part(dtype) == dtypes.float64)
