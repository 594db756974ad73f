# SPDX-License-Identifier: Apache-2.0
"""Plans: what is done for each matrix of a batch, as words that the native code of `batches.c` runs through."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from olympus_core import dtypes
from olympus_core.program import Operation
from olympus_core.toolkit import Kernel

from ..compiled.arrays import recycled_empty
from ..native.routines import Routine
from ..native.schedule import schedule
from .library import ARGUMENTS

_END, _CALL, _TRANSPOSE, _COPY, _TRIANGLE, _CHECK, _FILL, _PIVOTS, _VALUES, _VECTORS = range(10)
# Larger matrices are computed one after the other: the library has threads of its own for each.
_MOST_ROWS = 128
_SECONDS_OF_FLOP = 1e-9
_LINE = 64
_WORD = 8


class Plan:
    """The steps for one matrix of each operand, and the slots that they name by number.

    Args:
        operation: Whose operands and results they are.
        tails: For each operand, how many of its dimensions are no batch dimensions.
    """

    def __init__(self, operation: Operation, tails: Sequence[int]) -> None:
        operands, results = [v.type for v in operation.operands], [v.type for v in operation.results]
        front = operands[0].ndim - tails[0]
        self._total = math.prod(operands[0].shape[:front])
        self._words: list[int] = []
        self._functions: list[tuple[int, str]] = []  # places of the words before
        self._slots: list[list[int]] = []  # place in the table, bytes there, to the next matrix, to the next chunk
        self._constants: list[int] = []
        self._placed: dict[int, int] = {}  # slots of constants to where they begin
        self._work: dict[int, int] = {}  # slots of workspace to where they begin
        self._work_size = 0
        given = [*operands, *results]
        self._workspace = 1 + len(given)
        bound = [self._slot(1 + i, 0, t.nbytes // self._total) for i, t in enumerate(given)]
        self.operands, self.results = bound[:len(operands)], bound[len(operands):]

    def _slot(self, place: int, offset: int = 0, step: int = 0) -> int:
        self._slots.append([place, offset, step, 0])
        return len(self._slots) - 1

    def work(self, size: int) -> int:
        """A slot of so many bytes, for one matrix at a time."""
        found = self._slot(self._workspace)
        self._work[found] = self._work_size
        self._work_size += -(-max(size, 1) // _LINE) * _LINE
        return found

    def after(self, slot: int, size: int) -> int:
        """A slot of workspace that begins so many bytes after another does."""
        found = self._slot(self._workspace)
        self._work[found] = self._work[slot] + size
        return found

    def constant(self, value: np.ndarray) -> int:
        """A slot with values that LAPACK reads; they stand behind the steps."""
        found = self._slot(0)
        self._placed[found] = len(self._constants)
        content = np.zeros(-(-value.nbytes // _WORD), np.int64)
        content.view(np.uint8)[:value.nbytes] = np.frombuffer(value.tobytes(), np.uint8)
        self._constants += content.tolist()
        return found

    def size(self, value: int) -> int:
        """A slot with a size."""
        return self.constant(np.array(value, np.int32))

    def letter(self, value: str) -> int:
        """A slot with one of LAPACK's choices."""
        return self.constant(np.array([ord(value)], np.uint8))

    def call(self, name: str, *slots: int, status: int = -1) -> None:
        """Calls a function of LAPACK or BLAS; a status that is not zero means that the matrix failed."""
        self._functions.append((len(self._words) + 1, name))
        self._words += [_CALL, 0, status, *slots, *[-1] * (ARGUMENTS - len(slots))]

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

    def routine(self, rows: int, flops: float) -> Routine:
        """The routine that runs the plan for all matrices.

        Args:
            rows: The greatest dimension of a matrix.
            flops: About how many operations a matrix takes.
        """
        total, seconds = self._total, self._total * flops * _SECONDS_OF_FLOP
        chunk = schedule(total, seconds).chunk if rows <= _MOST_ROWS else total
        each, head = self._work_size, 1 + 4 * len(self._slots)
        behind = head + len(self._words) + 1
        for slot, start in self._work.items():
            self._slots[slot][1], self._slots[slot][3] = start, each
        for slot, start in self._placed.items():
            self._slots[slot][1] = _WORD * (behind + start)
        slots = [word for slot in self._slots for word in slot]
        words = np.array([len(self._slots), *slots, *self._words, _END, *self._constants], np.int64)
        functions = tuple((head + place, name) for place, name in self._functions)
        return Routine("batches", "batch", words, functions, total, chunk, each * -(-total // chunk), seconds)


def kernel_of(operation: Operation, routine: Routine) -> Kernel:
    """A routine as a function of arrays that gives a tuple of new ones."""
    results = [v.type for v in operation.results]

    def function(*operands: np.ndarray) -> tuple[np.ndarray, ...]:
        found = tuple(recycled_empty(t.shape, t.dtype) for t in results)
        routine.run([np.ascontiguousarray(x) for x in operands], found)
        return found

    return Kernel(function, is_tuple=True, is_fresh=True)


def _parts(dtype: np.dtype) -> tuple[int, int]:
    """How many numbers an element is, and whether they are of 64 bits."""
    return (2 if dtypes.is_complex(dtype) else 1), int(dtypes.real_part(dtype) == dtypes.float64)
