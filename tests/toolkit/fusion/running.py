# SPDX-License-Identifier: Apache-2.0
"""Runs plans with the kernels' NumPy reference, and compares them with the interpreter of programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus_core.program import ArrayType, OperationRecord, Program, ProgramBuilder, run
from olympus_core.toolkit.flatten import flatten
from olympus_core.toolkit.fusion import FusionOptions, KernelStep, Plan, ViewStep, plan
from olympus_core.toolkit.loops import run_kernel, verify_kernel

from .in_turn import run_in_turn


def everything(record: OperationRecord | None, types: tuple[np.dtype, ...]) -> bool:
    """The answer of an emitter that can do all."""
    return True


def planned(program: Program, options: FusionOptions = FusionOptions(), supports: Any = everything) -> Plan:
    """The plan of a program, all of whose kernels are well-formed."""
    result = plan(flatten(program), supports, options)
    for step in result.steps:
        if isinstance(step, KernelStep):
            for kernel in (step.kernel, step.updating, step.filling):
                if kernel is not None:
                    verify_kernel(kernel)
    return result


def run_step(step: KernelStep, inputs: Sequence[np.ndarray], in_place: bool = False) -> list[np.ndarray]:
    """Runs a step as its caller does: in parts where it has them, `in_place` as `execute` says."""
    if step.updating is not None and in_place and step.reusable:
        return run_in_turn(step.updating, inputs, step.reusable)
    if step.updating is not None and step.filling is not None:
        return run_in_turn(step.updating, inputs, begun=run_kernel(step.filling, inputs))
    return run_in_turn(step.kernel, inputs, step.reusable) if in_place else run_kernel(step.kernel, inputs)


def execute(plan: Plan, inputs: Sequence[Any], in_place: bool = False) -> list[np.ndarray]:
    """Runs a plan; `in_place` with one iteration after the other and outputs over the inputs that they may replace."""
    values = {v: np.array(x).reshape(-1) for v, x in zip(plan.inputs, inputs, strict=True)}
    for step in plan.steps:
        if isinstance(step, KernelStep):
            results = run_step(step, [values[v] for v in step.inputs], in_place)
            values.update(zip(step.outputs, results, strict=True))
        elif isinstance(step, ViewStep):
            values[step.result] = values[step.source].view(step.result.type.dtype)
        else:
            operation = step.operation
            operands = [values[v].reshape(v.type.shape) for v in operation.operands]
            assert operation.record.reference is not None
            made = operation.record.reference(operands, operation.attributes)
            flat = (np.ascontiguousarray(x).reshape(-1) for x in made)
            values.update(zip(operation.results, flat, strict=True))
    return [values[v].reshape(v.type.shape) for v in plan.outputs]


def equal(result: np.ndarray, expected: np.ndarray, tolerance: float | None = None) -> None:
    """Asserts that arrays are the same, sums in another order allowed for."""
    assert result.dtype == expected.dtype
    assert result.shape == expected.shape
    if expected.dtype.kind in "biu":
        np.testing.assert_array_equal(result, expected)
        return
    if tolerance is None:
        tolerance = {2: 2e-2, 1: 0.3}.get(expected.dtype.itemsize, 2e-5)
    wide = np.complex128 if expected.dtype.kind == "c" else np.float64
    np.testing.assert_allclose(result.astype(wide), expected.astype(wide), rtol=tolerance, atol=tolerance)


def compare(program: Program, inputs: Sequence[Any], options: FusionOptions = FusionOptions()) -> Plan:
    """Runs a program by plan and by interpreter; the results must be the same."""
    result = planned(program, options)
    for got, expected in zip(execute(result, inputs), run(program, inputs), strict=True):
        equal(got, expected)
    return result


def single(record: OperationRecord, operands: Sequence[Any], **attributes: Any) -> Program:
    """The program of one operation."""
    builder = ProgramBuilder(record.name)
    arrays = [np.asarray(x) for x in operands]
    values = [builder.input(ArrayType(x.shape, x.dtype)) for x in arrays]
    return builder.finish(builder.emit(record, values, attributes))


def kinds(plan: Plan) -> list[str]:
    """What the steps are: the operations' names, ``"kernel"`` and ``"view"``."""
    return [
        "kernel" if isinstance(s, KernelStep) else "view" if isinstance(s, ViewStep) else s.operation.name
        for s in plan.steps
    ]
