# SPDX-License-Identifier: Apache-2.0
"""Random bits from a counter: every element's bits depend on the key and the element's position alone.

The generator is Threefry-2x32 with 20 rounds (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as
1, 2, 3", SC 2011). A device can therefore make its part of an array by itself, and gets the bits that it would have
had with any other sharding.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from olympus_core import dtypes
from olympus_core.errors import OperandError
from olympus_core.program import (
    ArrayType,
    Attributes,
    Factor,
    FactorRule,
    LocalEmitter,
    Operation,
    OperationRecord,
    Program,
    Value,
)

from .binary import add
from .rules import check, elementwise_factors
from .select import convert

Types = Sequence[ArrayType]
KEY = ArrayType((2,), dtypes.uint32)
STARTS = (ArrayType((), dtypes.int32), ArrayType((), dtypes.int64))

_ROTATIONS = ((13, 15, 26, 6), (17, 29, 16, 24))
_PARITY = np.uint32(0x1BD11BDA)


def threefry(
    k0: np.ndarray, k1: np.ndarray, x0: np.ndarray, x1: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Encrypts the counters (x0, x1) with the keys (k0, k1); all uint32, broadcast against each other."""
    with np.errstate(over="ignore"):
        keys = (k0, k1, k0 ^ k1 ^ _PARITY)
        x0, x1 = x0 + keys[0], x1 + keys[1]
        for block in range(5):
            for distance in _ROTATIONS[block % 2]:
                x0 = x0 + x1
                x1 = x0 ^ ((x1 << np.uint32(distance)) | (x1 >> np.uint32(32 - distance)))
            x0 = x0 + keys[(block + 1) % 3]
            x1 = x1 + keys[(block + 2) % 3] + np.uint32(block + 1)
        return x0, x1


def _threefry_types(operands: Types, attributes: Attributes, regions: Sequence[Program]) -> Types:
    check("threefry2x32", operands, attributes, regions, 4)
    if len(set(operands)) != 1 or operands[0].dtype != dtypes.uint32:
        raise OperandError("threefry2x32", "the operands do not fit", tuple(operands), "four uint32 of one shape")
    return [operands[0]] * 2


def _threefry(values: Sequence[np.ndarray], attributes: Attributes) -> Sequence[np.ndarray]:
    return [np.asarray(word, dtypes.uint32) for word in threefry(*values)]


def _bits_types(operands: Types, attributes: Attributes, regions: Sequence[Program]) -> Types:
    check("random_bits", operands, attributes, regions, required=("shape", "global_shape", "dtype"))
    shape, whole, dtype = attributes["shape"], attributes["global_shape"], np.dtype(attributes["dtype"])
    if dtype not in dtypes.UNSIGNED:
        raise OperandError("random_bits", "the bits' type is not an unsigned integer", dtype.name,
                           ", ".join(t.name for t in dtypes.UNSIGNED))
    if len(shape) != len(whole) or any(not 0 <= n <= m for n, m in zip(shape, whole, strict=True)):
        raise OperandError("random_bits", "shape is not the shape of a part of global_shape", shape, whole)
    count, wrong = len(operands), set(operands[1:]).difference(STARTS)
    if not operands or operands[0] != KEY or count not in (1, 1 + len(shape)) or wrong:
        raise OperandError("random_bits", "the operands do not fit", tuple(operands),
                           f"{KEY}, then no starts or one integer ({STARTS[0]} or {STARTS[1]}) for each dimension")
    if len(operands) == 1 and tuple(shape) != tuple(whole):
        raise OperandError("random_bits", "a part needs its starts", shape, f"{len(shape)} starts")
    return [ArrayType(shape, dtype)]


def _bits_factors(operands: Types, results: Types, attributes: Attributes) -> FactorRule:
    shape = results[0].shape
    factors = (Factor(2, "whole"), *(Factor(n) for n in shape))
    dims = tuple((i + 1,) for i in range(len(shape)))
    return FactorRule(factors, (((0,),), *((),) * (len(operands) - 1)), (dims,))


def _bits(values: Sequence[np.ndarray], attributes: Attributes) -> Sequence[np.ndarray]:
    key, starts = values[0], [int(v) for v in values[1:]]
    shape, whole, dtype = attributes["shape"], attributes["global_shape"], np.dtype(attributes["dtype"])
    if 0 in shape:  # another dimension may be longer than memory
        return [np.zeros(shape, dtype)]
    index = np.zeros(shape, np.uint64)
    for d, size in enumerate(shape):
        start = starts[d] if starts else 0
        positions = np.arange(start, start + size, dtype=np.uint64) * np.uint64(math.prod(whole[d + 1:]))
        index += positions.reshape((size, *(1,) * (len(shape) - d - 1)))
    high, low = (index >> np.uint64(32)).astype(np.uint32), index.astype(np.uint32)
    b0, b1 = threefry(key[0], key[1], high, low)
    if dtype == dtypes.uint64:
        return [np.asarray((b0.astype(np.uint64) << np.uint64(32)) | b1)]
    return [np.asarray(b0 ^ b1).astype(dtype)]


def _bits_localize(emitter: LocalEmitter, operation: Operation, operands: Sequence[Value]) -> Sequence[Value]:
    shape = emitter.local_shape(0)
    starts = list(operands[1:])
    if any(emitter.is_split(0, d) for d in range(len(shape))):
        offsets = [emitter.offset(0, d) for d in range(len(shape))]
        if starts:
            starts = [_sum(emitter, s, o) for s, o in zip(starts, offsets, strict=True)]
        else:
            starts = offsets
    return emitter.emit(random_bits, [operands[0], *starts], {**operation.attributes, "shape": shape})


def _sum(emitter: LocalEmitter, x: Value, y: Value) -> Value:
    """The sum of indices, in the wider type."""
    if x.type != y.type:
        x, y = (v if v.type == STARTS[1] else emitter.emit(convert, [v], {"dtype": dtypes.int64})[0] for v in (x, y))
    return emitter.emit(add, [x, y], {})[0]


threefry2x32 = OperationRecord(
    "threefry2x32", "elementwise", _threefry_types, elementwise_factors, reference=_threefry, random_bits=64,
    decomposition=threefry, cost=38,
)
random_bits = OperationRecord(
    "random_bits", "random", _bits_types, _bits_factors, reference=_bits, localize=_bits_localize
)
