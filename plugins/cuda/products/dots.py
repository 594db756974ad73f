# SPDX-License-Identifier: Apache-2.0
"""`dot_general`: by cuBLASLt, in the operands' own layout where possible, or by a tiled kernel."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from olympus_core import dtypes
from olympus_core.ops.rules import sum_dtype
from olympus_core.program import Operation, Value

from ..codegen.module import Module
from .copies import copy_module, zeros_module
from .cublaslt import ALIGNMENT, Matmul, Matrix
from .matrices import Plan, Side, planned, roles_of
from .tiled import Epilogue, epilogue_module, reading_of_dot, sum_type, tiled_module
from .work_steps import SCRATCH, BufferSlice, KernelLaunchStep, MatmulStep, ProductWork, Step, Variant

_HALVES = (dtypes.float16, dtypes.bfloat16)
_MOST = (1 << 31) - 1  # the largest sizes and leading dimensions of cuBLASLt
_LARGE = 1 << 22  # multiplications from which on the large workspace is used
_WORKSPACE, _SMALL_WORKSPACE = 32 << 20, 256 << 10
_FLOAT8_ARCHITECTURE, _TF32_ARCHITECTURE = 89, 80


@dataclass(frozen=True, slots=True)
class Kind:
    """The element types of a product in cuBLASLt.

    Args:
        operand: The type of both operands.
        result: The type of the result.
        inner_last: Whether the contracted dimension must be contiguous in both operands.
        multiple: The number of which sizes have to be multiples.
        least: The oldest architecture that supports it.
        tf32: Whether tensor cores read float32 operands as TensorFloat-32.
    """

    operand: np.dtype
    result: np.dtype
    inner_last: bool = False
    multiple: int = 1
    least: int = 0
    tf32: bool = False


@dataclass(slots=True)
class Building:
    """A variant under construction.

    Args:
        steps: Its steps so far.
        scratch: Bytes of scratch used so far.
    """

    steps: list[Step] = field(default_factory=list)
    scratch: int = 0

    def room(self, nbytes: int) -> BufferSlice:
        """New memory in the scratch."""
        found = BufferSlice(SCRATCH, self.scratch)
        self.scratch += -(-nbytes // ALIGNMENT) * ALIGNMENT
        return found

    def kernel(self, written: Callable[[], Module], *slices: BufferSlice) -> None:
        """Appends the launch of a kernel, whose text is generated when it is needed."""
        self.steps.append(KernelLaunchStep(written, slices))

    def copied(
        self, operand: BufferSlice, source: np.dtype, target: np.dtype, parts: Sequence[tuple[int, int]]
    ) -> BufferSlice:
        """Appends a copy into another order or element type; returns its memory."""
        to = self.room(math.prod(size for size, _ in parts) * target.itemsize)
        self.kernel(partial(copy_module, source, target, parts), operand, to)
        return to

    def variant(self, least: int = 0) -> Variant:
        """The variant."""
        return Variant(tuple(self.steps), self.scratch, least)


def kinds_of(source: np.dtype, result: np.dtype) -> list[Kind]:
    """The element types in which cuBLASLt may compute a product, best first."""
    if dtypes.is_integer(source):
        fits = source == dtypes.int8 and dtypes.is_integer(result) and result.itemsize <= 4
        return [Kind(dtypes.int8, dtypes.int32, True, 4)] if fits else []
    if not (dtypes.is_float(source) or dtypes.is_complex(source)):
        return []
    wide = sum_dtype(source, result)
    if wide != dtypes.float32 or source == dtypes.float32:
        return [Kind(wide, wide)]
    operand = source if source in _HALVES else dtypes.bfloat16
    kept = result if result in (operand, dtypes.float32) else dtypes.float32
    # cuBLASLt has no products of two e5m2; bfloat16 represents both types exactly.
    narrow = [Kind(source, dtypes.float32, True, 16, _FLOAT8_ARCHITECTURE)] if source == dtypes.float8_e4m3fn else []
    return [*narrow, Kind(operand, kept)]


def dot_work(
    operation: Operation, epilogue: Epilogue | None = None, operands: Sequence[Value] = (), tf32: bool = False
) -> ProductWork | None:
    """The work of a `dot_general`, or None where there is none.

    Args:
        operation: The operation.
        epilogue: The epilogue that is fused into it.
        operands: With an epilogue, all operands of the work: those of the product and, where there is one, the bias.
        tf32: Whether the operands, of float32, have no more bits than TensorFloat-32.
    """
    operands = tuple(operands) or operation.operands
    source, result = operation.operands[0].type.dtype, operation.results[0].type.dtype
    if sum_type(source, result) is None:
        return None
    if any(v.type.size == 0 for v in (*operation.operands, *operation.results)):
        # Epilogues are fused only into products with elements.
        return empty_work(operation) if epilogue is None else None
    last = partial(tiled_module, source, result, reading_of_dot(operation), epilogue)
    wanted = [epilogue] if epilogue is None else [epilogue, None]
    kinds = kinds_of(source, result)
    if tf32 and result == dtypes.float32:
        kinds = [Kind(source, result, least=_TF32_ARCHITECTURE, tf32=True), *kinds]
    found = [_by_library(operation, kind, fused, epilogue, len(operands)) for fused in wanted for kind in kinds]
    own = Variant((KernelLaunchStep(last, tuple(BufferSlice(i) for i in range(len(operands) + 1))),))
    variants = tuple(v for v in found if v is not None)
    return ProductWork(operands, operation.results, (*variants, own))


def empty_work(operation: Operation) -> ProductWork:
    """The work of an operation whose sums are empty: zeros, if the result has elements."""
    result, count = operation.results[0].type, len(operation.operands)
    zeros = (KernelLaunchStep(partial(zeros_module, result.nbytes), (BufferSlice(count),)),) if result.size else ()
    return ProductWork(operation.operands, operation.results, (Variant(zeros),))


def _by_library(
    operation: Operation, kind: Kind, fused: Epilogue | None, epilogue: Epilogue | None, count: int
) -> Variant | None:
    """The product by cuBLASLt with the copies that it needs; None where sizes or layouts are not supported.

    Args:
        operation: The product.
        kind: The element types.
        fused: The epilogue that the library applies; None for none.
        epilogue: The epilogue that is wanted; by another kernel if not by the library.
        count: Number of the work's inputs.
    """
    dot = roles_of(operation)
    plan = planned(dot, kind.inner_last)
    if max(plan.batch, plan.rows, plan.columns, plan.inner, plan.x.leading, plan.y.leading) > _MOST:
        return None
    sizes = (plan.columns, plan.inner, *((plan.rows,) if kind.multiple > 4 else ()))
    if any(n % kind.multiple for n in (*sizes, *_steps(plan.x), *_steps(plan.y))):
        return None
    building, result = Building(), operation.results[0].type
    x, y = (_operand(building, operation, i, side, kind) for i, side in enumerate((plan.x, plan.y)))
    out = BufferSlice(count)
    if epilogue is not None and kind.result != result.dtype:
        return None
    target = out if kind.result == result.dtype else building.room(result.size * kind.result.itemsize)
    matmul = matmul_of(plan, kind, fused)
    workspace = building.room(matmul.workspace)
    size, made = kind.operand.itemsize, kind.result.itemsize
    calls = []
    for index in itertools.product(*map(range, plan.loops)):
        at = [sum(i * step for i, step in zip(index, steps, strict=True))
              for steps in (plan.x.loops, plan.y.loops, plan.order[:-1])]
        # A row-major product is the column-major product of the transposes: the operands are exchanged.
        calls.append((moved_by(y, at[1] * size), moved_by(x, at[0] * size), moved_by(target, at[2] * made)))
    bias = BufferSlice(2) if epilogue is not None and epilogue.bias else None
    building.steps.append(MatmulStep(matmul, tuple(calls), bias if fused is not None else None, workspace))
    if epilogue is not None and fused is None:
        finishing = partial(epilogue_module, result.dtype, plan.rows, plan.columns, epilogue)
        building.kernel(finishing, *([bias] if bias is not None else []), out)
    if target is not out:
        building.kernel(partial(copy_module, kind.result, result.dtype, [(result.size, 1)]), target, out)
    return building.variant(kind.least)


def matmul_of(plan: Plan, kind: Kind, epilogue: Epilogue | None = None) -> Matmul:
    """The product for cuBLASLt: the transpose of the row-major product, since the library is column-major."""
    operands = []
    for side, free in ((plan.y, plan.columns), (plan.x, plan.rows)):
        shape = (plan.inner, free) if side.is_inner_last else (free, plan.inner)
        operands.append(Matrix(kind.operand, *shape, side.leading, side.stride))
    result = Matrix(kind.result, plan.columns, plan.rows, plan.columns, plan.order[-1])
    multiplications = plan.batch * plan.rows * plan.columns * plan.inner
    a, b = operands
    return Matmul(
        a, b, result, plan.y.is_inner_last, not plan.x.is_inner_last, plan.batch,
        *((epilogue.bias, epilogue.relu, epilogue.gelu) if epilogue is not None else (False, False, False)),
        _WORKSPACE if multiplications >= _LARGE else _SMALL_WORKSPACE, kind.tf32,
    )


def _operand(building: Building, operation: Operation, i: int, side: Side, kind: Kind) -> BufferSlice:
    """The memory of an operand in the form that the plan needs."""
    type_ = operation.operands[i].type
    if side.copied is not None:
        return building.copied(BufferSlice(i), type_.dtype, kind.operand, side.copied)
    if type_.dtype != kind.operand:
        return building.copied(BufferSlice(i), type_.dtype, kind.operand, [(type_.size, 1)])
    return BufferSlice(i)


def _steps(side: Side) -> tuple[int, ...]:
    return (side.leading, side.stride, *side.loops)


def moved_by(part: BufferSlice, nbytes: int) -> BufferSlice:
    """A slice that begins so many bytes later."""
    return BufferSlice(part.index, part.offset + nbytes)
