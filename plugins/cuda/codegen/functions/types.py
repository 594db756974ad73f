# SPDX-License-Identifier: Apache-2.0
"""The C++ types of elements in memory and in registers, and the device function of each operation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np

from olympus_core import dtypes
from olympus_core.toolkit.c_text import is_narrow

from .library import names

Kind = Literal["bool", "integer", "float", "complex"]

# Functions that are not called after the family of their operands' type, which they take a few of.
_OF_ONE_FAMILY: Mapping[str, tuple[str, tuple[np.dtype, ...]]] = {
    "complex": ("olympus_complex_make", (dtypes.float32, dtypes.float64)),
    "threefry2x32": ("olympus_threefry2x32", (dtypes.uint32,)),
}
_STORAGE = {
    dtypes.bool_: "unsigned char",
    dtypes.int8: "signed char", dtypes.int16: "short", dtypes.int32: "int", dtypes.int64: "long long",
    dtypes.uint8: "unsigned char", dtypes.uint16: "unsigned short", dtypes.uint32: "unsigned int",
    dtypes.uint64: "unsigned long long",
    dtypes.float16: "unsigned short", dtypes.bfloat16: "unsigned short", dtypes.float32: "float",
    dtypes.float64: "double", dtypes.float8_e4m3fn: "unsigned char", dtypes.float8_e5m2: "unsigned char",
    dtypes.complex64: "olympus_complex64", dtypes.complex128: "olympus_complex128",
}


def kind_of(dtype: np.dtype) -> Kind:
    """The kind of an element type, which is part of its functions' names."""
    if dtypes.is_bool(dtype):
        return "bool"
    if dtypes.is_integer(dtype):
        return "integer"
    return "complex" if dtypes.is_complex(dtype) else "float"


def storage_type(dtype: np.dtype) -> str:
    """The C++ type of elements in memory."""
    return _STORAGE[dtype]


def register_type(dtype: np.dtype) -> str:
    """The C++ type of elements in registers."""
    if dtypes.is_bool(dtype):
        return "bool"
    return "float" if is_narrow(dtype) else _STORAGE[dtype]


def function_of(operation: str, dtype: np.dtype, result: np.dtype | None = None) -> str | None:
    """The device function of an elementwise operation; the caller rounds results of narrow floats.

    Args:
        operation: The operation's name.
        dtype: The element type of its operands.
        result: The element type of its result; `convert` needs it.

    Returns:
        The function's name, or None where there is none: `select` and `bitcast_convert` have none.

    Example:
        >>> from olympus_core import dtypes
        >>> function_of("div", dtypes.int8), function_of("sin", dtypes.float16), function_of("sin", dtypes.int8)
        ('olympus_integer_div', 'olympus_float_sin', None)
    """
    if operation == "convert":
        return None if result is None else f"olympus_convert_{result.name}"
    if operation in _OF_ONE_FAMILY:
        name, accepted = _OF_ONE_FAMILY[operation]
        return name if dtype in accepted else None
    name = f"olympus_{kind_of(dtype)}_{operation}"
    if operation == "next_after" and is_narrow(dtype):
        name = f"{name}_{dtype.name}"
    return name if name in names() else None
