# SPDX-License-Identifier: Apache-2.0
"""`Storage`: the representation of an element type in memory and in registers."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import numpy as np

from olympus_core import dtypes
from olympus_core.dataclass import dataclass
from olympus_core.errors import OlympusInternalError

Kind = Literal["bool", "signed", "unsigned", "float", "complex"]


@dataclass(frozen=True, slots=True)
class Storage:
    """The representation of an element type.

    Args:
        dtype: The element type.
        kind: Its family.
        memory: The IR type of one part in memory.
        register: The IR type of one part in registers: bools are bits; narrow floats are held in wider ones, with
            values of the narrow type.
        parts: Two for complex numbers.
        bits: Width of one part in registers; 8 for bools.
    """

    dtype: np.dtype
    kind: Kind
    memory: str
    register: str
    parts: int
    bits: int

    @property
    def is_narrow(self) -> bool:
        """Whether registers hold it in a wider type."""
        return self.kind == "float" and self.memory != self.register

    @property
    def part_bytes(self) -> int:
        """Bytes of one part in memory."""
        return self.dtype.itemsize // self.parts


_FLOATS = {dtypes.float16: "half", dtypes.bfloat16: "bfloat", dtypes.float32: "float", dtypes.float64: "double"}
_COMPLEXES = {dtypes.complex64: "float", dtypes.complex128: "double"}


@lru_cache(None)
def storage_of(dtype: np.dtype) -> Storage | None:
    """The representation of an element type, or None where kernels do not support it."""
    if dtype not in dtypes.ALL:  # what travels in carriers
        return None
    if dtypes.is_bool(dtype):
        return Storage(dtype, "bool", "i8", "i1", 1, 8)
    if dtypes.is_integer(dtype):
        element = f"i{8 * dtype.itemsize}"
        return Storage(dtype, "signed" if dtype in dtypes.SIGNED else "unsigned", element, element, 1,
                       8 * dtype.itemsize)
    if dtype in _FLOATS:
        memory = _FLOATS[dtype]
        register = "double" if memory == "double" else "float"
        return Storage(dtype, "float", memory, register, 1, 64 if memory == "double" else 32)
    if dtype in _COMPLEXES:
        return Storage(dtype, "complex", _COMPLEXES[dtype], _COMPLEXES[dtype], 2, 4 * dtype.itemsize)
    return None


def storage(dtype: np.dtype) -> Storage:
    """The representation of an element type that kernels support."""
    found = storage_of(dtype)
    if found is None:
        raise OlympusInternalError(f"no kernel holds elements of {dtype.name}")
    return found
