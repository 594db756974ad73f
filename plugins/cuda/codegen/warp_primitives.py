"""Reductions and scans within a warp by shuffles (Hillis and Steele 1986), in an order that is always the same."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from olympus_core import dtypes

from .functions import register_type
from .writer import combined

WARP = 32
_WORDS = frozenset({dtypes.int32, dtypes.uint32, dtypes.int64, dtypes.uint64, dtypes.float64})


def shuffle_functions(types: Iterable[np.dtype]) -> str:
    """The functions that hand elements of some types from thread to thread of a warp."""
    return "".join(_shuffle(kind, dtype) for dtype in sorted(set(types), key=lambda d: d.name)
                   for kind in ("down", "up", "from"))


def _shuffle(kind: str, dtype: np.dtype) -> str:
    register = register_type(dtype)
    primitive = {"down": "__shfl_down_sync", "up": "__shfl_up_sync", "from": "__shfl_sync"}[kind]
    call = f"{primitive}(mask, {{}}, place, width)"
    if dtypes.is_complex(dtype):
        value = f"{register}{{{call.format('x.re')}, {call.format('x.im')}}}"
    elif dtype in _WORDS or dtypes.is_float(dtype):
        value = call.format("x")
    else:
        value = f"({register}){call.format('(int)x')}"
    return (f"__device__ __forceinline__ {register} shuffle_{kind}_{dtype.name}"
            f"(unsigned mask, {register} x, int place, int width) {{\n    return {value};\n}}\n\n")


def warp_reduce(
    operation: str, dtype: np.dtype, name: str, width: int, mask: str, to_all: bool = True
) -> list[str]:
    """Lines after which the first of every `width` lanes, or all of them, have the sum of theirs in `name`."""
    lines, distance = [], width // 2
    while distance:
        other = f"shuffle_down_{dtype.name}({mask}, {name}, {distance}, {width})"
        lines.append(f"{name} = {combined(operation, dtype, name, other, rounded=False)};")
        distance //= 2
    if width > 1 and to_all:
        lines.append(f"{name} = shuffle_from_{dtype.name}({mask}, {name}, 0, {width});")
    return lines


def warp_scan(operation: str, dtype: np.dtype, name: str, width: int, mask: str) -> list[str]:
    """Lines after which each of every `width` lanes has in `name` what it and the lanes before it had, put together."""
    lines, distance = [], 1
    while distance < width:
        other = f"shuffle_up_{dtype.name}({mask}, {name}, {distance}, {width})"
        both = combined(operation, dtype, "other", name, rounded=False)
        lines.append(f"{{ const {register_type(dtype)} other = {other}; "
                     f"if (lane % {width} >= {distance}) {name} = {both}; }}")
        distance *= 2
    return lines
