# SPDX-License-Identifier: Apache-2.0
"""Generated code that is wrong in one way."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from olympus_core.errors import NotCompiledWarning
from olympus_core.plugin import Links
from olympus_core.program import DeviceProgram, Operation
from olympus_core.toolkit.platform import TableClient, TablePlatform

from .base import Run, build, miscompiling, with_attributes, wrong_after
from .form import broken


def _overflown(operation: Operation, depth: int) -> dict[str, Any]:
    value = np.asarray(operation.attributes["value"])
    if value.dtype.kind != "i":
        return {}
    limits = np.iinfo(value.dtype)
    return with_attributes(operation, value=np.where(value == limits.min, limits.max, value).astype(value.dtype))


broken("least_literal_overflows", fails=["kernels/constants"],
       says="the least whole number is written as the greatest")(lambda: miscompiling("constant", _overflown))
broken("sums_before_all_is_there", fails=["kernels/rows"], says="sums of rows are read before all threads have added")(
    lambda: wrong_after("reduce_max", "reduce_sum"))


@broken("rest_left_out", fails=["kernels/lengths"], says="what is left over beside whole vectors is not computed")
def rest_left_out() -> TablePlatform:
    """Of results longer than a vector."""

    def execute(client: Any, run: Run, program: DeviceProgram, inputs: Any) -> Any:
        columns = run(inputs)
        if any(operation.name == "slice" for operation in program.program.operations):
            for buffer in (b for column in columns for b in column if b.array.ndim == 1 and b.array.size > 8):
                buffer.array = np.array(buffer.array)
                buffer.array[buffer.array.size // 8 * 8:] = 0
        return columns

    return build(execute=execute)


@broken("rejected_code", fails=["kernels/rows", "execution/one_device"],
        says="its own compiler rejects what it generates, and the table computes it")
def rejected_code() -> TablePlatform:
    """As `compile_with_generator` says it; results are right."""

    def compile(self: Any, program: DeviceProgram, links: Links) -> Any:
        if any(operation.name == "reduce_sum" for operation in program.program.operations):
            warnings.warn(NotCompiledWarning(program.program.name, "an unknown function"), stacklevel=2)
        return TableClient.compile(self, program, links)

    return build(client={"compile": compile})
