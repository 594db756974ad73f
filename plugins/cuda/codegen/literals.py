"""Constants and affine expressions as C++."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.toolkit.loops import Affine, Index

from .functions import register_type


def literal(value: Any, dtype: np.dtype) -> str:
    """A constant of the register type of an element type, exact to the bit.

    Example:
        >>> literal(np.float32(-1.5), np.dtype("f4")), literal(np.int8(-3), np.dtype("i1"))
        ('-0x1.8000000000000p+0f', '(signed char)-3')
    """
    if dtypes.is_bool(dtype):
        return "true" if value else "false"
    if dtypes.is_integer(dtype):
        return _integer(int(value), dtype)
    if dtypes.is_complex(dtype):
        part = dtypes.float32 if dtype.itemsize == 8 else dtypes.float64
        number = complex(value)
        return f"{register_type(dtype)}{{{_float(number.real, part)}, {_float(number.imag, part)}}}"
    return _float(value, dtypes.float64 if dtype == dtypes.float64 else dtypes.float32)


def _integer(number: int, dtype: np.dtype) -> str:
    if dtype.itemsize == 8:
        if dtype.kind == "u":
            return f"{number}ull"
        return f"({number + 1}ll - 1)" if number == -(1 << 63) else f"{number}ll"
    if dtype.itemsize == 4:
        if dtype.kind == "u":
            return f"{number}u"
        return f"({number + 1} - 1)" if number == -(1 << 31) else str(number)
    return f"({register_type(dtype)}){number}"


def _float(value: Any, dtype: np.dtype) -> str:
    number = float(value)
    if not np.isfinite(number):
        if dtype == dtypes.float64:
            return f"__longlong_as_double({int(np.float64(number).view(np.int64))}ll)"
        return f"__uint_as_float({hex(int(np.float32(number).view(np.uint32)))}u)"
    return number.hex() + ("" if dtype == dtypes.float64 else "f")


def affine_text(affine: Affine, name: Callable[[Index], str]) -> str:
    """An affine expression of loop indices as C++."""
    text = ""
    for index, stride in affine.terms:
        term = name(index) if abs(stride) == 1 else f"{abs(stride)} * {name(index)}"
        text += (f" - {term}" if stride < 0 else f" + {term}") if text else (f"-{term}" if stride < 0 else term)
    if affine.constant or not text:
        number = affine.constant
        text += (f" - {-number}" if number < 0 else f" + {number}") if text else str(number)
    return text
