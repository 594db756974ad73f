# SPDX-License-Identifier: Apache-2.0
"""Concatenations that no kernel around them can hold, as kernels of their own that copy one operand after the other."""

from __future__ import annotations

import math

from olympus_core.program import Operation, Value
from olympus_core.toolkit.fusion import KernelStep
from olympus_core.toolkit.loops.form import Affine, Index, Kernel, Load, Loop, Parameter, Scalar, Store

_MOST_OPERANDS = 512  # of one kernel: each has a loop of its own


def concatenation_step(operation: Operation) -> KernelStep | None:
    """A kernel that copies the operands to their places in the result.

    Args:
        operation: The concatenation, whose elements kernels can move.

    Returns:
        The step; None where there are too many operands, or the result has no elements.
    """
    (result,), dimension = operation.results, operation.attributes["dimension"]
    shape = result.type.shape
    if len(operation.operands) > _MOST_OPERANDS or not result.type.size:
        return None
    filled = [v for v in operation.operands if v.type.size]
    inputs = tuple(dict.fromkeys(filled))
    parameters = {v: Parameter(f"x{i}", v.type.dtype, v.type.size, "input") for i, v in enumerate(inputs)}
    output = Parameter("y0", result.type.dtype, result.type.size, "output")
    row, rows = Index("i0"), math.prod(shape[:dimension])
    inner = math.prod(shape[dimension + 1:])
    copies, at = [], 0
    for value in filled:
        length = value.type.shape[dimension] * inner
        copies.append(_copy(row, value, parameters[value], output, length, at, shape[dimension] * inner))
        at += length
    kernel = Kernel("concatenate", (*parameters.values(), output), Loop(row, rows, "parallel", tuple(copies)),
                    operation.location)
    return KernelStep(kernel, inputs, operation.results)


def _copy(
    row: Index, value: Value, source: Parameter, output: Parameter, length: int, at: int, stride: int
) -> Loop:
    """The elements of an operand in one row of the result."""
    index, element = Index("i1"), Scalar(value.type.dtype)
    step = Affine.of(index)
    return Loop(index, length, "lanes", (
        Load(element, source, Affine.of(row, length).plus(step)),
        Store(output, Affine.of(row, stride).plus(step).shifted(at), element)))
