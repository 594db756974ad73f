# SPDX-License-Identifier: Apache-2.0
"""`sort` and `top_k` of short lines as routines."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from olympus_core import dtypes
from olympus_core.program import Operation

from ..native.routines import Routine
from ..native.schedule import schedule

# Elements up to which this code takes no longer than NumPy's and the way there: of one operand, whose values NumPy
# sorts by vector instructions, of several, and for a few greatest elements of short or strided lines. In a loop
# that way is longer: the whole body would have to take it.
_ONE, _SEVERAL, _GREATEST, _IN_LOOPS = 1 << 8, 1 << 12, 1 << 16, 1 << 14
_FEW = 16  # what is inserted into a list costs as many moves
_LONG = 256  # a line whose least elements are passed over many at a time
_LANES = 8
# Of an element's share of a run or of a merge; of an element that is compared alone, and with its neighbours.
_SECONDS, _SECONDS_OF_FEW, _SECONDS_OF_MANY = 6e-9, 5e-9, 4e-10
_SIGNED, _UNSIGNED, _FLOAT, _FALSE_OR_TRUE = range(4)  # as in lines.h
# The greatest bits of a magnitude that is no NaN.
_INFINITIES = {
    dtypes.float8_e4m3fn: 0x7E, dtypes.float8_e5m2: 0x7C, dtypes.float16: 0x7C00, dtypes.bfloat16: 0x7F80,
    dtypes.float32: 0x7F800000, dtypes.float64: 0x7FF0000000000000}


def routine_of(operation: Operation, is_in_loop: bool) -> Routine | None:
    """The routine of a sort; None for what is left to NumPy: many elements, empty operands, floats of other layouts.

    Args:
        operation: A `sort` or `top_k`.
        is_in_loop: Whether it runs in each turn of a loop.
    """
    types, attributes = [v.type for v in operation.operands], operation.attributes
    x, is_sort = types[0], operation.name == "sort"
    length = x.shape[attributes["dimension"]] if x.ndim else 1
    kept = length if is_sort else attributes["k"]
    is_few = kept <= min(_FEW, length - 1) and not dtypes.is_complex(x.dtype) and not is_sort
    inner = math.prod(x.shape[attributes["dimension"] + 1:])
    is_scanned = is_few and inner == 1 and length >= _LONG
    most = _GREATEST if is_few else _ONE if is_sort and len(types) == 1 else _SEVERAL
    if not x.size or not kept or not is_scanned and x.size > (max(most, _IN_LOOPS) if is_in_loop else most):
        return None
    keys: list[int] = []
    count = attributes["keys"] if is_sort else 1
    for i, type in enumerate(types[:count]):
        found = _keys(i, type.dtype)
        if found is None:
            return None
        keys += found
    index_size = 0 if is_sort else attributes["dtype"].itemsize
    words = [length, inner, kept, int(not is_sort), index_size, len(types), len(keys) // 5,
             *(type.dtype.itemsize for type in types), *keys]
    total = x.size // length
    each = _SECONDS * (len(keys) // 5) * max(1.0, math.log2(length / _LANES))
    if is_few:
        each = _SECONDS_OF_MANY if is_scanned else _SECONDS_OF_FEW
    seconds = x.size * each
    chunk = schedule(total, seconds).chunk
    padded = -(-length // _LANES) * _LANES
    unit, function = ("greatest", "greatest_of_lines") if is_few else ("sorts", "sort_lines")
    return Routine(unit, function, np.array(words, np.int64), (), total, chunk,
                   -(-total // chunk) * 4 * 8 * padded, seconds)


def _keys(operand: int, dtype: np.dtype) -> Sequence[int] | None:
    """The words of what is compared of an operand, first things first."""
    size = dtype.itemsize
    if dtypes.is_complex(dtype):
        half, infinity = size // 2, _INFINITIES[dtypes.real_part(dtype)]
        return [operand, _FALSE_OR_TRUE, half, 0, infinity, operand, _FLOAT, half, 0, infinity,
                operand, _FLOAT, half, half, infinity]
    if dtypes.is_bool(dtype):
        return [operand, _UNSIGNED, size, 0, 0]
    if dtypes.is_integer(dtype):
        return [operand, _SIGNED if dtypes.is_signed(dtype) else _UNSIGNED, size, 0, 0]
    return [operand, _FLOAT, size, 0, _INFINITIES[dtype]] if dtype in _INFINITIES else None
