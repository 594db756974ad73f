# SPDX-License-Identifier: Apache-2.0
"""Compares magnitudes of complex numbers with a number by their squares: no root is taken."""

from __future__ import annotations

import functools
import math
import struct
from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.program import OperationRecord
from olympus_core.toolkit.loops import Compute, Constant, Kernel, Loop, Scalar, Statement, operands_of

from .hoist import loops_in

_MIRRORED = {ops.lt.name: ops.gt, ops.le.name: ops.ge, ops.gt.name: ops.lt, ops.ge.name: ops.le}


def with_squared_magnitudes(kernel: Kernel) -> Kernel:
    """The kernel with squares in place of magnitudes of complex64 that are compared with constants.

    A magnitude is the rounded root of the squares' sum (`complexes.magnitude`) and grows with it: the least sum whose
    root is not below a number takes that number's place, and every comparison has the result that it had.
    """
    statements = [s for loop in loops_in(kernel.loop) for s in (*loop.body, loop)]
    sizes = {id(s.results[0]): s for s in statements if isinstance(s, Compute) and _is_size(s)}
    if not sizes:
        return kernel
    constants = {id(s.result): s for s in statements if isinstance(s, Constant)}
    loop = _rewritten(kernel.loop, sizes, constants)
    used = {id(x) for inner in loops_in(loop) for s in (*inner.body, inner) for x in operands_of(s)}
    return replace(kernel, loop=_without(loop, {id(s) for key, s in sizes.items() if key not in used}))


def _is_size(statement: Compute) -> bool:
    return statement.record is ops.abs and statement.operands[0].dtype == dtypes.complex64


def _rewritten(loop: Loop, sizes: Mapping[int, Compute], constants: Mapping[int, Constant]) -> Loop:
    body: list[Statement] = []
    for statement in loop.body:
        if isinstance(statement, Loop):
            body.append(_rewritten(statement, sizes, constants))
        elif isinstance(statement, Compute) and statement.record.name in _MIRRORED:
            body += _compared(statement, sizes, constants)
        else:
            body.append(statement)
    return replace(loop, body=tuple(body))


def _without(loop: Loop, gone: set[int]) -> Loop:
    body = (_without(s, gone) if isinstance(s, Loop) else s for s in loop.body if id(s) not in gone)
    return replace(loop, body=tuple(body))


def _compared(
    statement: Compute, sizes: Mapping[int, Compute], constants: Mapping[int, Constant],
) -> Iterable[Statement]:
    """The statements in place of a comparison."""
    record, (first, second) = statement.record, statement.operands
    if id(second) in sizes:
        record, first, second = _MIRRORED[record.name], second, first
    size, constant = sizes.get(id(first)), constants.get(id(second))
    if size is None or constant is None or not math.isfinite(constant.value):
        return [statement]
    made: list[Constant | Compute] = []

    def add(record: OperationRecord, kind: np.dtype, *operands: Scalar, **attributes: object) -> Scalar:
        result = Scalar(kind)
        made.append(Compute((result,), record, operands, attributes))
        return result

    def number(value: np.generic) -> Scalar:
        result = Scalar(value.dtype)
        made.append(Constant(result, value))
        return result

    (value,) = size.operands
    parts = [add(record, dtypes.float32, value) for record in (ops.real, ops.imag)]
    wide = [add(ops.convert, dtypes.float64, part, dtype=dtypes.float64) for part in parts]
    total = add(ops.add, dtypes.float64, *(add(ops.mul, dtypes.float64, part, part) for part in wide))
    # Below x are the sums below the first whose root is x or more; up to x those below the first whose root is more.
    strict = record in (ops.lt, ops.ge)
    limit = number(np.float64(_least_sum(float(constant.value), strict)))
    if record in (ops.lt, ops.le):
        return [*made, Compute(statement.results, ops.lt, (total, limit))]
    # A magnitude is infinite where a part is, even beside NaN.
    infinity = number(np.float32(math.inf))
    above = add(ops.ge, dtypes.bool_, total, limit)
    for part in parts:
        infinite = add(ops.eq, dtypes.bool_, add(ops.abs, dtypes.float32, part), infinity)
        before, above = above, Scalar(dtypes.bool_)
        made.append(Compute((above,), ops.or_, (before, infinite)))
    return [*made[:-1], Compute(statement.results, ops.or_, (before, infinite))]


@functools.lru_cache(maxsize=1024)
def _least_sum(number: float, reached: bool) -> float:
    """The least float64 whose root as float32 is at least a number, or greater: by bisection of bit patterns."""
    low, high = 0, _bits(math.inf)  # the infinity's root is above every number
    while low < high:
        middle = (low + high) // 2
        with np.errstate(over="ignore"):
            root = float(np.float32(math.sqrt(_of_bits(middle))))
        if root >= number if reached else root > number:
            high = middle
        else:
            low = middle + 1
    return _of_bits(low)


def _bits(x: float) -> int:
    return int(struct.unpack("<q", struct.pack("<d", x))[0])


def _of_bits(bits: int) -> float:
    return float(struct.unpack("<d", struct.pack("<q", bits))[0])
