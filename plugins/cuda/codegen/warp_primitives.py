# SPDX-License-Identifier: Apache-2.0
"""Reductions and scans within a warp by shuffles, in a fixed order.

`warp_reduce` is a tree; `warp_scan` is the scan of Hillis and Steele (1986), as in CUB's `WarpScan`.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from olympus_core import dtypes

from .functions import register_type
from .language import combined

_WORDS = frozenset({dtypes.int32, dtypes.uint32, dtypes.int64, dtypes.uint64, dtypes.float64})


def shuffle_functions(types: Iterable[np.dtype]) -> str:
    """The device functions that shuffle register values of some element types among the lanes of a warp."""
    return "".join(_shuffle(kind, dtype) for dtype in sorted(set(types), key=lambda d: d.name)
                   for kind in ("down", "up", "from"))


def _shuffle(kind: str, dtype: np.dtype) -> str:
    register = register_type(dtype)
    primitive = {"down": "__shfl_down_sync", "up": "__shfl_up_sync", "from": "__shfl_sync"}[kind]
    call = f"{primitive}(mask, {{}}, lane, width)"
    if dtypes.is_complex(dtype):
        value = f"{register}{{{call.format('x.re')}, {call.format('x.im')}}}"
    elif dtype in _WORDS or dtypes.is_float(dtype):
        value = call.format("x")
    else:
        value = f"({register}){call.format('(int)x')}"
    return (f"__device__ __forceinline__ {register} shuffle_{kind}_{dtype.name}"
            f"(unsigned mask, {register} x, int lane, int width) {{\n    return {value};\n}}\n\n")


def warp_reduce(
    operation: str, dtype: np.dtype, name: str, width: int, mask: str, to_all: bool = True
) -> list[str]:
    """Lines that reduce the variable `name` over each group of `width` lanes.

    Args:
        operation: The reduction's operation.
        dtype: The element type.
        name: The variable.
        width: Lanes of a group: a power of two.
        mask: The lanes that take part.
        to_all: Whether all lanes get the result, or only the first of each group.
    """
    lines, distance = [], width // 2
    while distance:
        other = f"shuffle_down_{dtype.name}({mask}, {name}, {distance}, {width})"
        lines.append(f"{name} = {combined(operation, dtype, name, other, rounded=False)};")
        distance //= 2
    if width > 1 and to_all:
        lines.append(f"{name} = shuffle_from_{dtype.name}({mask}, {name}, 0, {width});")
    return lines


def warp_scan(operation: str, dtype: np.dtype, name: str, width: int, mask: str) -> list[str]:
    """Lines that replace the variable `name` by its inclusive scan over each group of `width` lanes."""
    lines, distance = [], 1
    while distance < width:
        other = f"shuffle_up_{dtype.name}({mask}, {name}, {distance}, {width})"
        both = combined(operation, dtype, "other", name, rounded=False)
        lines.append(f"{{ const {register_type(dtype)} other = {other}; "
                     f"if (lane % {width} >= {distance}) {name} = {both}; }}")
        distance *= 2
    return lines
