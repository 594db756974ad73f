# SPDX-License-Identifier: Apache-2.0
"""Random bits, which have no derivatives. Those of many keys are written out in `threefry2x32`, as counters."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from olympus_core import dtypes, ops

from ...tracing import aval_of, bind, bind_all
from ..traces.dimensions import broadcast_to, repeated, reshaped
from ..traces.table import Batched, BatchingCall, all_batched, batching_rule, no_tangent

no_tangent(ops.threefry2x32, ops.random_bits)


@batching_rule(ops.random_bits)
def _random_bits_batching(call: BatchingCall) -> Batched:
    shape, global_shape, dtype = (call.attributes[name] for name in ("shape", "global_shape", "dtype"))
    full = (call.size, *shape)
    # Counters of more than 32 bits are made as one number and taken apart.
    word = dtypes.uint64 if math.prod(global_shape) > 2**32 else dtypes.uint32
    counter = _filled(0, full, word)
    for d in range(len(shape)):
        stride = math.prod(global_shape[d + 1:])
        positions = bind(ops.iota, shape=full, dtype=word, dimension=d + 1)
        if len(call.values) > 1:
            start = bind(ops.convert, call.values[1 + d], dtype=word)
            positions = bind(ops.add, positions, broadcast_to(start, full, (0,) if call.batched[1 + d] else ()))
        counter = bind(ops.add, counter, bind(ops.mul, positions, _filled(stride, full, word)))
    high, low = _filled(0, full, dtypes.uint32), counter
    if word == dtypes.uint64:
        high = _converted(bind(ops.shift_right_logical, counter, _filled(32, full, word)), dtypes.uint32)
        low = _converted(counter, dtypes.uint32)
    keys = call.values[0] if call.batched[0] else repeated(call.values[0], call.size)
    words = []
    for i in range(2):
        one = bind(ops.slice, keys, starts=(0, i), limits=(call.size, i + 1), strides=(1, 1))
        words.append(broadcast_to(reshaped(one, (call.size,)), full, (0,)))
    first, second = bind_all(ops.threefry2x32, [*words, high, low], weak=False)
    if dtype == dtypes.uint64:
        upper = bind(ops.shift_left, _converted(first, dtypes.uint64), _filled(32, full, dtypes.uint64))
        return all_batched(bind(ops.or_, upper, _converted(second, dtypes.uint64)))
    return all_batched(_converted(bind(ops.xor, first, second), dtype))


def _filled(number: int, shape: tuple[int, ...], dtype: np.dtype) -> Any:
    """One number everywhere. Host values are narrowed while 64 bits are not enabled, what programs compute is not."""
    if number < 2**32:
        one = _converted(np.asarray(number, np.uint32), dtype)
    else:
        one = bind(ops.constant, value=np.asarray(number, dtype))
    return broadcast_to(one, shape, ())


def _converted(value: Any, dtype: np.dtype) -> Any:
    return value if aval_of(value).dtype == dtype else bind(ops.convert, value, dtype=np.dtype(dtype))
