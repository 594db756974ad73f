# SPDX-License-Identifier: Apache-2.0
"""Running a case: all instances in one program, and the one that fails once more by itself."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..checks import require_refusal
from ..context import Context
from ..errors import Failed, Skipped
from .catalogue import Kind, instances
from .compare import require_results
from .instance import Instance, inputs_of, program_of, results_of


def require_case(context: Context, operation: str, dtype: np.dtype, kind: Kind, may_flush: bool = True) -> None:
    """Fails unless all instances of a case give the reference's results."""
    found = instances(operation, dtype, kind, context.seed, context.capabilities.dtypes)
    if not found:
        raise Skipped(f"no form of {operation} on {dtype} has declared element types only")
    program = program_of(found)
    outputs = context.run_on_one(program, inputs_of(found))
    for instance, results in zip(found, results_of(found, outputs), strict=True):
        try:
            require_results(instance, results, "", may_flush)
        except Failed:
            _require_alone(context, instance, may_flush)
            require_results(instance, results, program.text, may_flush)  # it takes the others to fail


def _require_alone(context: Context, instance: Instance, may_flush: bool) -> None:
    alone: Sequence[Instance] = [instance]
    program = program_of(alone)
    require_results(instance, context.run_on_one(program, inputs_of(alone)), program.text, may_flush)


def require_case_refused(context: Context, operation: str, dtype: np.dtype, kind: Kind) -> None:
    """Fails unless what is not declared is refused: an element type by buffers, an operation when it is compiled."""
    known = context.capabilities.dtypes
    if dtype not in known:
        require_refusal(lambda: context.put(np.zeros(3, dtype)), f"buffer_from_host of {dtype}")
        return
    declared = context.capabilities.operations
    found = instances(operation, dtype, kind, context.seed, known)
    if found and declared is not None and operation not in declared:
        program = program_of(found[:1])
        require_refusal(lambda: context.compile(program), f"compile of a program with {operation}")
