# SPDX-License-Identifier: Apache-2.0
"""Plans: what is done for all matrices of a batch, as steps in stream order, and the work that they are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from olympus_core import dtypes
from olympus_core.program import Operation, Value

from ..products.cublaslt import ALIGNMENT
from ..products.work_steps import SCRATCH, BufferSlice, CopyStep, FillStep, KernelLaunchStep, Step
from . import kernels
from .library import Argument, Constant, LibraryCall, Moving, Settings

if TYPE_CHECKING:
    from ..compiled.code import CodeStore
    from ..compiled.work import Enqueue
    from ..gpu import Gpu, Stream

_INT = np.dtype(np.int32)
_POINTER_BYTES = 8
_CHECKED, _CHECKING = 1 << 13, 256  # numbers that a block looks at, at least, and blocks that look


@dataclass(frozen=True, slots=True, eq=False)
class LinearAlgebraWork:
    """A decomposition or an equation among the kernels of a program.

    Args:
        inputs: The values that it reads.
        outputs: The values that it writes.
        steps: Its steps.
        own: Bytes of its scratch before the library's workspace.
        reusable: Always empty: no result can share an operand's memory.
    """

    inputs: tuple[Value, ...]
    outputs: tuple[Value, ...]
    steps: tuple[Step, ...]
    own: int
    reusable: tuple[tuple[int, int], ...] = ()

    @property
    def capturable(self) -> bool:
        """Whether it can be captured into a graph: the libraries' calls may wait, and take memory of their own."""
        return not any(isinstance(step, LibraryCall) for step in self.steps)

    def scratch_on(self, gpu: Gpu, ordinal: int) -> int:
        """Bytes of scratch: its own, and the greatest workspace of a call."""
        calls = [step for step in self.steps if isinstance(step, LibraryCall)]
        return self.own + max((call.workspace(gpu, ordinal)[0] * call.itemsize for call in calls), default=0)

    def prepare(self, gpu: Gpu, ordinal: int, code: CodeStore) -> Enqueue:
        """Prepares its steps."""
        ready = [step.prepare(gpu, ordinal, code) for step in self.steps]

        def enqueue(stream: Stream, addresses: Sequence[int], scratch: int) -> None:
            table = [*addresses, scratch]
            for step in ready:
                step(stream, table)

        return enqueue


class Plan:
    """The steps for the matrices of an operation, under construction.

    Attributes:
        batch: Number of matrices.
        operands: The memory of each operand.
        results: The memory of each result.

    Args:
        operation: The operation, none of whose operands is empty.
        tail: How many dimensions of its first operand are no batch dimensions.
    """

    def __init__(self, operation: Operation, tail: int = 2) -> None:
        shape = operation.operands[0].type.shape
        self.batch = math.prod(shape[:len(shape) - tail])
        self._operation = operation
        self._steps: list[Step] = []
        self._own = 0
        count = len(operation.operands)
        self.operands = [BufferSlice(i) for i in range(count)]
        self.results = [BufferSlice(count + i) for i in range(len(operation.results))]

    def room(self, count: int, dtype: np.dtype) -> BufferSlice:
        """New memory for so many elements of each matrix."""
        found = BufferSlice(SCRATCH, self._own)
        self._own += -(-self.batch * count * dtype.itemsize // ALIGNMENT) * ALIGNMENT
        return found

    def kernel(self, written: kernels.Written, slices: Sequence[BufferSlice], *numbers: int) -> None:
        """A kernel."""
        self._steps.append(KernelLaunchStep(written, tuple(slices), numbers))

    def copy(self, dtype: np.dtype, count: int, source: BufferSlice, target: BufferSlice) -> None:
        """Copies matrices of so many elements."""
        self._steps.append(CopyStep(source, target, self.batch * count * dtype.itemsize))

    def rows(
        self, dtype: np.dtype, shape: tuple[int, int], source: BufferSlice, target: BufferSlice,
        strides: tuple[int, int] | None = None, conjugated: bool = False,
    ) -> None:
        """Copies matrices whose rows are contiguous.

        Args:
            dtype: The elements' type.
            shape: Rows and columns.
            source: From where.
            target: To where, without gaps.
            strides: Elements from one matrix to the next, and from one row to the next; None where there are no gaps.
            conjugated: Whether complex numbers are conjugated.
        """
        rows, columns = shape
        stride, leading = strides or (rows * columns, columns)
        total = self.batch * rows * columns
        self.kernel(kernels.moved(dtype, total, conjugated), [source, target], total, rows, columns, stride, leading)

    def columns(
        self, dtype: np.dtype, shape: tuple[int, int], source: BufferSlice, target: BufferSlice,
        strides: tuple[int, int] | None = None, conjugated: bool = False,
    ) -> None:
        """Copies matrices whose columns are contiguous, the library's, into rows; arguments are as those of `rows`."""
        rows, columns = shape
        stride, leading = strides or (rows * columns, rows)
        written = kernels.transposed(dtype, self.batch, rows, columns, conjugated)
        self.kernel(written, [source, target], rows, columns, stride, leading)

    def to_columns(self, dtype: np.dtype, shape: tuple[int, int], source: BufferSlice, target: BufferSlice) -> None:
        """Copies matrices of so many rows and columns into the library's order, in which columns are contiguous."""
        # Seen by the kernel, the source is a matrix of contiguous columns: its own transpose.
        self.columns(dtype, (shape[1], shape[0]), source, target)

    def status(self) -> BufferSlice:
        """New memory for a number of each matrix, which is not zero where it has failed."""
        return self.room(1, _INT)

    def check(
        self, dtype: np.dtype, count: int, slot: BufferSlice, failed: BufferSlice, stride: int, step: int = 1,
        joined: bool = False, nan_alone: bool = False,
    ) -> None:
        """Matrices with an element that is not finite have failed.

        Args:
            dtype: The elements' type.
            count: Number of elements to look at; of complex ones that are not neighbours, the real parts.
            slot: The first.
            failed: The matrices' numbers.
            stride: Elements from one matrix to the next.
            step: Elements from one to the next.
            joined: Whether matrices that have failed before remain so.
            nan_alone: Whether infinities are as good as others.
        """
        parts = 2 if dtypes.is_complex(dtype) else 1
        numbers = (count, stride * parts, step * parts) if step > 1 else (count * parts, stride * parts, 1)
        blocks = min(-(-numbers[0] // _CHECKED), max(1, _CHECKING // self.batch))
        if blocks > 1 and not joined:
            self._steps.append(FillStep(failed, self.batch * _INT.itemsize))
        written = kernels.checked(dtypes.real_part(dtype), self.batch, blocks, joined or blocks > 1, nan_alone)
        self.kernel(written, [slot, failed], *numbers, blocks)

    def clear(self, dtype: np.dtype, count: int, slot: BufferSlice, failed: BufferSlice) -> None:
        """Fills matrices that have failed with zeros, so that each iteration of the library has an end."""
        self._fill(dtype, count, slot, failed, False)

    def fill(self, dtype: np.dtype, count: int, slot: BufferSlice, failed: BufferSlice) -> None:
        """Fills matrices that have failed with NaN."""
        self._fill(dtype, count, slot, failed, True)

    def _fill(self, dtype: np.dtype, count: int, slot: BufferSlice, failed: BufferSlice, with_nan: bool) -> None:
        each = count * (2 if dtypes.is_complex(dtype) else 1)
        total = self.batch * each
        self.kernel(kernels.filled(dtypes.real_part(dtype), total, with_nan), [slot, failed], total, each)

    def join(self, failed: BufferSlice, elsewhere: BufferSlice) -> None:
        """Matrices that have failed elsewhere have failed."""
        self.kernel(kernels.joined(self.batch), [failed, elsewhere], self.batch)

    def addresses(self, nbytes: int, slot: BufferSlice) -> BufferSlice:
        """The addresses of the matrices, as calls for a batch want them.

        Args:
            nbytes: Bytes from one matrix to the next.
            slot: The first matrix.
        """
        found = self.room(_POINTER_BYTES, np.dtype(np.uint8))
        self.kernel(kernels.pointers(self.batch), [slot, found], self.batch, nbytes)
        return found

    def call(
        self, library: str, function: str, *arguments: Argument, each: bool = True,
        query: tuple[str, tuple[int | Settings, ...]] | None = None, itemsize: int = 1,
    ) -> None:
        """A call of a library, for each matrix or for the batch.

        Args:
            library: The library.
            function: The function.
            arguments: Its arguments.
            each: Whether it is called for each matrix.
            query: The function that tells the workspace's size, with its arguments.
            itemsize: Bytes of the unit of that.
        """
        self._steps.append(LibraryCall(
            library, function, arguments, self.batch if each else 1, query, itemsize, BufferSlice(SCRATCH, -1)))

    def work(self) -> LinearAlgebraWork:
        """The work."""
        at = BufferSlice(SCRATCH, self._own)
        steps = tuple(step.behind(at) if isinstance(step, LibraryCall) else step for step in self._steps)
        return LinearAlgebraWork(self._operation.operands, self._operation.results, steps, self._own)


def each_of(slot: BufferSlice, count: int, dtype: np.dtype) -> Moving:
    """The elements of one matrix after the other, so many of each."""
    return Moving(slot, count * dtype.itemsize)


def one_of(dtype: np.dtype) -> Constant:
    """The number 1."""
    return Constant(1.0, dtype)
