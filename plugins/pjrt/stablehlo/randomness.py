# SPDX-License-Identifier: Apache-2.0
"""Random bits as plain integer operations, so that they are the same on every platform."""

from __future__ import annotations

import math
from collections.abc import Sequence

from olympus_core import dtypes
from olympus_core.program import Operation

from .table import emits
from .writer import Name, Writer

Names = Sequence[Name]
_ROTATIONS = ((13, 15, 26, 6), (17, 29, 16, 24))
_PARITY = 0x1BD11BDA


def _threefry(w: Writer, k0: Name, k1: Name, x0: Name, x1: Name) -> tuple[Name, Name]:
    keys = (k0, k1, w.same("xor", w.same("xor", k0, k1), w.like(_PARITY, k0)))
    x0, x1 = w.same("add", x0, keys[0]), w.same("add", x1, keys[1])
    for block in range(5):
        for distance in _ROTATIONS[block % 2]:
            x0 = w.same("add", x0, x1)
            turned = w.same("or", w.same("shift_left", x1, w.like(distance, x1)),
                            w.same("shift_right_logical", x1, w.like(32 - distance, x1)))
            x1 = w.same("xor", x0, turned)
        x0 = w.same("add", x0, keys[(block + 1) % 3])
        x1 = w.same("add", w.same("add", x1, keys[(block + 2) % 3]), w.like(block + 1, x1))
    return x0, x1


@emits("threefry2x32")
def _threefry2x32(w: Writer, operation: Operation, xs: Names) -> Names:
    k0, k1, x0, x1 = xs
    return _threefry(w, k0, k1, x0, x1)


@emits("random_bits")
def _random_bits(w: Writer, operation: Operation, xs: Names) -> Names:
    key, starts = xs[0], xs[1:]
    attributes, result = operation.attributes, operation.results[0].type
    shape, whole = result.shape, attributes["global_shape"]
    # Elements are counted in 32 bits where that suffices: accelerators compute 64 bits in several steps.
    dtype = dtypes.uint32 if math.prod(whole) <= 2**32 else dtypes.uint64
    index = w.splat(0, result.with_dtype(dtype))
    for d in range(len(shape)):
        positions = w.iota(shape, dtype, d)
        if starts:
            wide = operation.operands[1 + d].type.dtype == dtypes.int64
            start = w.convert(starts[d], dtypes.uint64 if wide else dtypes.uint32)
            positions = w.same("add", positions, w.broadcast(w.convert(start, dtype), shape))
        step = math.prod(whole[d + 1:])
        index = w.same("add", index, w.same("multiply", positions, w.like(step, positions)) if step != 1 else positions)
    if dtype == dtypes.uint64:
        high = w.convert(w.same("shift_right_logical", index, w.like(32, index)), dtypes.uint32)
        low = w.convert(w.same("and", index, w.like(2**32 - 1, index)), dtypes.uint32)
    else:
        high, low = w.like(0, index), index
    b0, b1 = _threefry(w, _word(w, key, 0, shape), _word(w, key, 1, shape), high, low)
    if result.dtype == dtypes.uint64:
        wide0, wide1 = w.convert(b0, dtypes.uint64), w.convert(b1, dtypes.uint64)
        return [w.same("or", w.same("shift_left", wide0, w.like(32, wide0)), wide1)]
    return [w.convert(w.same("xor", b0, b1), result.dtype)]


def _word(w: Writer, key: Name, i: int, shape: Sequence[int]) -> Name:
    return w.broadcast(w.reshape(w.slice(key, [i], [i + 1]), ()), shape)


