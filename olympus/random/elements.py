# SPDX-License-Identifier: Apache-2.0
"""A key for each element: what rejection needs, where every element goes on drawing until its own number is accepted.

Keys are two arrays of words here, of the drawn array's shape, so that making new ones is elementwise.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.config import config
from olympus_core.errors import ArgumentError

from .. import lax
from ..numpy.shapes import reshape
from ..operands import broadcast, broadcast_shape, cast, convert, element_type, shape_of
from ..tracing import bind_all
from .distributions import _float, _shape, as_unit, normal_from_unit
from .keys import threefry_words
from .sequences import bits_of_each, keys_in, keys_of_each

ElementKeys: TypeAlias = tuple[Any, Any]  # first and second words


def element_keys(key: Any, shape: tuple[int, ...]) -> ElementKeys:
    """The keys that splitting one into the shape gives."""
    if not config.threefry_partitionable:
        words = keys_in(list(threefry_words(key)), shape)
        return lax.index_in_dim(words, 0, -1, keepdims=False), lax.index_in_dim(words, 1, -1, keepdims=False)
    first, second = (broadcast(word, shape) for word in threefry_words(key))
    numbers = reshape(lax.iota("uint32", math.prod(shape)), shape)
    return _encrypted((first, second), lax.full_like(numbers, 0), numbers)


def split_elements(keys: ElementKeys, count: int) -> list[ElementKeys]:
    """For every element as many new keys."""
    if not config.threefry_partitionable:
        return keys_of_each(*keys, count)
    zero = lax.full_like(keys[0], 0)
    return [_encrypted(keys, zero, lax.full_like(keys[0], i)) for i in range(count)]


def unit_elements(keys: ElementKeys, dtype: np.dtype) -> Any:
    """For every element a number from 0 to below 1."""
    if not config.threefry_partitionable:
        return as_unit(bits_of_each(*keys, np.dtype(f"u{dtype.itemsize}")), dtype)
    zero = lax.full_like(keys[0], 0)
    b0, b1 = _encrypted(keys, zero, zero)
    if dtype.itemsize == 8:
        wide = np.dtype(np.uint64)
        upper = lax.shift_left(convert(b0, wide), lax.full_like(convert(b0, wide), 32))
        return as_unit(lax.bitwise_or(upper, convert(b1, wide)), dtype)
    return as_unit(lax.bitwise_xor(b0, b1), dtype)


def normal_elements(keys: ElementKeys, dtype: np.dtype) -> Any:
    """For every element a number of the standard normal distribution."""
    return normal_from_unit(unit_elements(keys, dtype), dtype)


def _encrypted(keys: ElementKeys, high: Any, low: Any) -> ElementKeys:
    first, second = bind_all(ops.threefry2x32, [*keys, high, low], weak=False)
    return first, second


def float_parameters(
    function: str, shape: Any, dtype: Any, parameters: Sequence[Any]
) -> tuple[tuple[int, ...], np.dtype, list[Any]]:
    """The shape (that of the parameters for None), the element type, and the parameters in it."""
    kind = _float(function, dtype)
    return drawn_shape(function, shape, parameters), kind, [cast(p, kind) for p in parameters]


def drawn_shape(function: str, shape: Any, parameters: Sequence[Any]) -> tuple[int, ...]:
    """The shape of what is drawn, to which all parameters have to broadcast."""
    whole = broadcast_shape(f"random.{function}", [shape_of(p) for p in parameters])
    if shape is None:
        return whole
    sizes = _shape(function, shape)
    if broadcast_shape(f"random.{function}", [whole, sizes]) != sizes:
        raise ArgumentError(f"random.{function}", "the parameters do not broadcast to the shape",
                            [shape_of(p) for p in parameters], sizes)
    return sizes


def integer_type(function: str, dtype: Any) -> np.dtype:
    """The element type of counts; int32, or int64 where 64 bits are enabled, for None."""
    found = element_type(f"random.{function}", int if dtype is None else dtype)
    if not dtypes.is_integer(found):
        raise ArgumentError(f"random.{function}", "the element type is not one of integers", found.name,
                            "an integer type")
    return found
