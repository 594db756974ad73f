"""How a reduction is done: by NCCL in a type that it knows, or on what was gathered."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from olympus_core import dtypes
from olympus_core.plugin import Reduction

# Truth values lie in memory as 0 and 1.
_OF_BOOL: dict[Reduction, Reduction] = {
    "sum": "max", "or": "max", "max": "max", "prod": "min", "and": "min", "min": "min",
}
_WIDER = {dtypes.int16: dtypes.int32, dtypes.uint16: dtypes.uint32}
_PARTS = {dtypes.complex64: dtypes.float32, dtypes.complex128: dtypes.float64}


@dataclass(frozen=True, slots=True)
class NcclReduction:
    """A reduction that NCCL does.

    Args:
        work: The type of the elements that it is given.
        operation: Its operation.
        parts: How many of its elements make one of the array.
        ordered: Whether they are numbers that stand in the order of the array's floats, made by a kernel: NCCL does not
            promise to carry a NaN into a maximum; as whole numbers NaNs are the largest, or the smallest.
        converted: Whether they are the array's elements in a wider type: narrow floats are added up in float32 and
            rounded once, and 16-bit integers NCCL does not know.
    """

    work: np.dtype
    operation: Reduction
    parts: int = 1
    ordered: bool = False
    converted: bool = False

    @property
    def needs_kernels(self) -> bool:
        """Whether elements are changed before and after."""
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
