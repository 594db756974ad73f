# SPDX-License-Identifier: Apache-2.0
"""The GPU that text is emitted for, and the operations that can be emitted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from olympus_core import dtypes
from olympus_core.program import OperationRecord

from .functions import function_of, kind_of


@dataclass(frozen=True, slots=True)
class Target:
    """The properties of a GPU on which the text depends.

    Args:
        architecture: Its name for the compiler.
        multiprocessors: Number of its multiprocessors; a launch should have at least as many blocks.
    """

    architecture: str = "sm_90"
    multiprocessors: int = 132


def supports(record: OperationRecord | None, types: Sequence[np.dtype]) -> bool:
    """Whether kernels may hold an operation on elements of these types.

    Args:
        record: The operation; None asks whether kernels can load and store the types.
        types: The element types of its operands, optionally followed by those of its results.

    Returns:
        Whether `emit_module` accepts it.

    Example:
        >>> from olympus_core import dtypes, ops
        >>> supports(ops.sin, [dtypes.bfloat16]), supports(ops.sort, [dtypes.float32])
        (True, False)
    """
    if not types or any(dtype not in dtypes.ALL for dtype in types):
        return False
    # Reductions and scatter combine by operations that all their types have.
    if record is None or record.combine is not None or record.name in ("select", "convert", "scatter"):
        return True
    if record.name == "bitcast_convert":
        return kind_of(types[0]) in ("integer", "float")
    return function_of(record.name, types[0]) is not None
