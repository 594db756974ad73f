# SPDX-License-Identifier: Apache-2.0
"""The choice of a reduction's implementation: by NCCL in an element type that it supports, or after a gather."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from olympus_core import dtypes
from olympus_core.plugin import Reduction

# Bools are stored as 0 and 1.
_OF_BOOL: dict[Reduction, Reduction] = {
    "sum": "max", "or": "max", "max": "max", "prod": "min", "and": "min", "min": "min",
}
_WIDER = {dtypes.int16: dtypes.int32, dtypes.uint16: dtypes.uint32}
_PARTS = {dtypes.complex64: dtypes.float32, dtypes.complex128: dtypes.float64}


@dataclass(frozen=True, slots=True)
class NcclReduction:
    """A reduction that NCCL can do.

    Args:
        work: The element type that NCCL is given.
        operation: NCCL's operation.
        parts: Elements of that type for each element of the array: 2 for complex numbers.
        ordered: Whether a kernel converts the array's floats to integers of the same order before, and back after:
            NCCL does not promise to propagate NaN in extremes; as integers NaNs are the largest or smallest values.
        converted: Whether elements are converted to a wider type: narrow floats are summed in float32 and rounded
            once, and NCCL lacks 16-bit integers.
    """

    work: np.dtype
    operation: Reduction
    parts: int = 1
    ordered: bool = False
    converted: bool = False

    @property
    def needs_kernels(self) -> bool:
        """Whether kernels convert elements before and after."""
        return self.ordered or self.converted


def native(dtype: np.dtype, reduction: Reduction) -> NcclReduction | None:
    """How NCCL does a reduction; None where it cannot.

    Example:
        >>> native(dtypes.int16, "sum").work
        dtype('int32')
        >>> native(dtypes.int32, "and") is None
        True
    """
    if dtypes.is_bool(dtype):
        return NcclReduction(dtypes.uint8, _OF_BOOL[reduction])
    if reduction in ("and", "or"):
        return None
    if dtypes.is_integer(dtype):
        wider = _WIDER.get(dtype)
        return NcclReduction(dtype, reduction) if wider is None else NcclReduction(wider, reduction, converted=True)
    if dtypes.is_complex(dtype):
        return NcclReduction(_PARTS[dtype], "sum", parts=2) if reduction == "sum" else None
    if reduction in ("max", "min"):
        return NcclReduction(dtypes.int64 if dtype == dtypes.float64 else dtypes.int32, reduction, ordered=True)
    if dtype in (dtypes.float32, dtypes.float64):
        return NcclReduction(dtype, reduction)
    return NcclReduction(dtypes.float32, reduction, converted=True)
