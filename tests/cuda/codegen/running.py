# SPDX-License-Identifier: Apache-2.0
"""Kernels emitted, run by emulation, and compared with what they mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from olympus_core.program import Program
from olympus_core.toolkit.flatten import flatten
from olympus_core.toolkit.fusion import FusionOptions, KernelStep, OperationStep, Plan, ViewStep, plan
from olympus_core.toolkit.loops import Kernel, run_kernel
from olympus_cuda.codegen import OPTIONS, Module, Target, emit_module, supports

from ..emulation.compile import EmulatedModule, missing
from ..emulation.memory import Guarded

needs_compiler = pytest.mark.skipif(missing() is not None, reason=missing() or "")
# Few multiprocessors, so that small arrays get vectors, and rows several to a block.
SMALL_GPU = Target(multiprocessors=1)


def launched(module: Module, name: str, buffers: Sequence[Guarded], checked: bool = False) -> None:
    """Runs the launches of a kernel."""
    emulated = EmulatedModule(module.text, checked)
    scratch = Guarded(max(launch.scratch for launch in module.launches[name]))
    for launch in module.launches[name]:
        every = [*buffers, *([scratch] if launch.scratch else [])]
        emulated.launch(launch.function, launch.grid, launch.block, launch.shared, [b.address for b in every],
                        [b.bound for b in every])


def machine(
    kernel: Kernel, inputs: Sequence[np.ndarray], target: Target = SMALL_GPU, checked: bool = False,
    over: Sequence[tuple[int, int]] = (), before: Sequence[Kernel] = (),
) -> list[np.ndarray]:
    """What an emitted kernel computes; `over` names outputs that are written over inputs.

    The kernels of `before` run first, on the same buffers.
    """
    kernels = [(one, f"kernel{i}") for i, one in enumerate((*before, kernel))]
    module = emit_module(kernels, target)
    given = [Guarded(np.ascontiguousarray(x)) for x in inputs]
    outputs = [Guarded(p.size * p.dtype.itemsize) for p in kernel.parameters if p.role == "output"]
    for source, result in over:
        outputs[result] = given[source]
    for _, name in kernels:
        launched(module, name, [*given, *outputs], checked)
    kinds = [p.dtype for p in kernel.parameters if p.role == "output"]
    return [b.read(dtype) for b, dtype in zip(outputs, kinds, strict=True)]


def execute(
    planned: Plan, inputs: Sequence[Any], target: Target = SMALL_GPU, checked: bool = False, in_place: bool = False
) -> list[np.ndarray]:
    """Runs a plan, kernels by emulation and all else by its reference."""
    values = {v: np.array(x).reshape(-1) for v, x in zip(planned.inputs, inputs, strict=True)}
    for step in planned.steps:
        if isinstance(step, KernelStep):
            over, kernel, before = step.reusable if in_place else (), step.kernel, ()
            if step.updating is not None and over:
                kernel = step.updating
            elif step.updating is not None and step.filling is not None:
                kernel, before = step.updating, (step.filling,)
            results = machine(kernel, [values[v] for v in step.inputs], target, checked, over, before)
            values.update(zip(step.outputs, results, strict=True))
        elif isinstance(step, ViewStep):
            values[step.result] = values[step.source].view(step.result.type.dtype)
        elif isinstance(step, OperationStep):
            operation = step.operation
            assert operation.record.reference is not None
            operands = [values[v].reshape(v.type.shape) for v in operation.operands]
            made = operation.record.reference(operands, operation.attributes)
            flat = (np.ascontiguousarray(x).reshape(-1) for x in made)
            values.update(zip(operation.results, flat, strict=True))
    return [values[v].reshape(v.type.shape) for v in planned.outputs]


def planned(program: Program, options: FusionOptions = OPTIONS) -> Plan:
    """The plan of a program."""
    return plan(flatten(program), supports, options)


def kernels_of(found: Plan) -> list[Kernel]:
    """The kernels of a plan."""
    return [step.kernel for step in found.steps if isinstance(step, KernelStep)]


def reference(kernel: Kernel, inputs: Sequence[np.ndarray]) -> list[np.ndarray]:
    """What a kernel means."""
    return run_kernel(kernel, inputs)
