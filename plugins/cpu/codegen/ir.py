# SPDX-License-Identifier: Apache-2.0
"""Values of LLVM IR as text: operands with their types, and constants."""

from __future__ import annotations

import struct
from functools import lru_cache

from olympus_core.dataclass import dataclass
from olympus_core.errors.base import OlympusInternalError

from .target import ELEMENT_BITS

FLOATS = frozenset({"half", "bfloat", "float", "double"})
NARROW_FLOATS = frozenset({"half", "bfloat"})


@dataclass(frozen=True, slots=True)
class Ir:
    """An operand: a register, a parameter or a constant.

    Elements of "half" and "bfloat" are held as 16-bit integers: nothing but conversions, moves and loads is defined
    for them, and so no target needs library functions for them.

    Args:
        name: Its text.
        element: One of ``i1 i8 i16 i32 i64 half bfloat float double ptr``.
        lanes: 1 for a scalar, else the number of elements of a vector, which may exceed the machine's.
    """

    name: str
    element: str
    lanes: int = 1

    @property
    def type(self) -> str:
        """The type's text."""
        return type_text(self.element, self.lanes)

    @property
    def typed(self) -> str:
        """Type and name, as operands of calls are written."""
        return f"{type_text(self.element, self.lanes)} {self.name}"

    @property
    def is_constant(self) -> bool:
        """Whether it is a constant, written literally in the text."""
        return not self.name.startswith("%")

    @property
    def is_float(self) -> bool:
        """Whether the machine computes with it as a float."""
        return self.element == "float" or self.element == "double"

    @property
    def bits(self) -> int:
        """Width of one element."""
        return ELEMENT_BITS[self.element]

    @property
    def integer(self) -> str:
        """The integer element of the same width."""
        return f"i{ELEMENT_BITS[self.element]}"


@lru_cache(None)
def type_text(element: str, lanes: int) -> str:
    """The text of a type."""
    scalar = "i16" if element in NARROW_FLOATS else element
    return scalar if lanes == 1 else f"<{lanes} x {scalar}>"


@lru_cache(None)
def suffix(element: str, lanes: int) -> str:
    """A type's suffix in the names of overloaded intrinsics."""
    scalar = {"float": "f32", "double": "f64", "ptr": "p0", "half": "i16", "bfloat": "i16"}.get(element, element)
    return scalar if lanes == 1 else f"v{lanes}{scalar}"


@lru_cache(4096)
def _float_bits(text: str, element: str) -> str:
    value = float.fromhex(text)
    if element == "double":
        return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"
    import numpy as np

    with np.errstate(over="ignore"):
        if element == "float":  # written as the double that equals it
            return f"0x{struct.unpack('<Q', struct.pack('<d', float(np.float32(value))))[0]:016X}"
        if element == "half":
            return str(int(np.float16(value).view(np.uint16)))
    import ml_dtypes

    return str(int(np.array(value, ml_dtypes.bfloat16).view(np.uint16)))


def scalar_text(value: float | int | bool, element: str) -> str:
    """A constant of one lane."""
    if element in FLOATS:
        return _float_bits(float(value).hex(), element)
    if element == "ptr":
        if value:
            raise OlympusInternalError("constants of type ptr are null")
        return "null"
    integer, bits = int(value), ELEMENT_BITS[element]
    if element == "i1":
        return "true" if integer & 1 else "false"
    if not -(1 << (bits - 1)) <= integer < 1 << (bits - 1):  # written as the signed number with the same bits
        integer &= (1 << bits) - 1
        integer -= (integer >> (bits - 1)) << bits
    return str(integer)


def constant(value: float | int | bool, element: str, lanes: int = 1) -> Ir:
    """A constant, equal in all lanes."""
    text = scalar_text(value, element)
    if lanes == 1:
        return Ir(text, element)
    return Ir(f"splat ({type_text(element, 1)} {text})", element, lanes)
