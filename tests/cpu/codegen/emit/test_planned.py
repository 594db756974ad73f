# SPDX-License-Identifier: Apache-2.0
"""Kernels that the planner makes of random programs, as machine code against the interpreter of programs."""

from __future__ import annotations

import numpy as np
import pytest

from olympus_core.program import run
from olympus_core.toolkit.flatten import flatten
from olympus_core.toolkit.fusion import FusionOptions, KernelStep, ViewStep, plan
from olympus_cpu.codegen.emit.operations import supports

from ....toolkit.fusion.random_programs import RandomProgram
from ....toolkit.fusion.running import equal
from .running import machine

SMALL = FusionOptions(lane_tile=16, lane_block=32, serial_block=4, reduction_block=64, transpose_tile=8, short_row=3)


@pytest.mark.parametrize("options", [FusionOptions(), SMALL], ids=["usual", "small"])
@pytest.mark.parametrize("seed", range(40))
def test_random_programs(seed: int, options: FusionOptions) -> None:
    made = RandomProgram(seed, 15)
    planned = plan(flatten(made.program), supports, options)
    values = {v: np.array(x).reshape(-1) for v, x in zip(planned.inputs, made.inputs, strict=True)}
    for step in planned.steps:
        if isinstance(step, KernelStep):
            outputs = machine(step.kernel, [values[v] for v in step.inputs], level=0)
            values.update(zip(step.outputs, outputs, strict=True))
        elif isinstance(step, ViewStep):
            values[step.result] = values[step.source].view(step.result.type.dtype)
        else:
            operation = step.operation
            assert operation.record.reference is not None
            operands = [values[v].reshape(v.type.shape) for v in operation.operands]
            results = operation.record.reference(operands, operation.attributes)
            values.update((v, np.ascontiguousarray(x).reshape(-1))
                          for v, x in zip(operation.results, results, strict=True))
    for value, expected in zip(planned.outputs, run(made.program, made.inputs), strict=True):
        equal(values[value].reshape(value.type.shape), expected)
