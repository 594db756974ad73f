# SPDX-License-Identifier: Apache-2.0
"""Threefry's words in one sequence, where `olympus_threefry_partitionable` is off: JAX's numbers of before 0.5.

The numbers below a count are encrypted in pairs, the first half of them beside the second one. So a word depends on how
many there are, and a device that makes its part of them needs more than its own counters.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.errors import NotSupportedError

from .. import lax
from ..lax.bit_generators import encrypted, joined
from ..numpy.joining import concatenate
from ..numpy.searching import where
from ..numpy.shapes import reshape
from ..operands import broadcast, convert

_MOST = 2**32 - 1  # of the words that one key counts


def words_of(key: list[Any], count: int) -> Any:
    """So many words, one after the other, of a key's two."""
    if count > _MOST:
        raise NotSupportedError(f"{count} random words of one key with olympus_threefry_partitionable off",
                                "they are counted by 32 bits", "Split the key, or leave the option on.")
    half = -(-count // 2)
    first = lax.iota("uint32", half)
    second = first + np.uint32(half)
    if count % 2:
        second = where(first == half - 1, np.uint32(0), second)
    return lax.slice_in_dim(concatenate(encrypted(key, [first, second])), 0, count)


def keys_in(key: list[Any], shape: tuple[int, ...]) -> Any:
    """The words of as many keys as a shape has."""
    return reshape(words_of(key, 2 * math.prod(shape)), (*shape, 2))


def bits_in(key: list[Any], shape: tuple[int, ...], dtype: np.dtype) -> Any:
    """Random integers of an unsigned type."""
    size, width = math.prod(shape), 8 * dtype.itemsize
    found = words_of(key, -(-width * size // 32))
    if width == 64:
        found = joined(found[size:], found[:size])
    elif width < 32:  # the lowest bits of a word come first
        shifts = np.arange(0, 32, width, dtype=np.uint32)
        rows = (len(found), len(shifts))
        parts = lax.shift_right_logical(broadcast(found[:, None], rows), broadcast(shifts, rows))
        found = reshape(parts, (math.prod(rows),))[:size]
        found = convert(found, dtype)
    return reshape(found, shape)


def keys_of_each(first: Any, second: Any, count: int) -> list[tuple[Any, Any]]:
    """For every one of many keys as many new ones, element by element."""
    words: list[list[Any]] = [[], []]
    for i in range(count):
        pair = encrypted([first, second], [np.uint32(i), np.uint32(count + i)])
        words[0].append(pair[0])
        words[1].append(pair[1])
    flat = [*words[0], *words[1]]
    return list(zip(flat[::2], flat[1::2], strict=True))


def bits_of_each(first: Any, second: Any, dtype: np.dtype) -> Any:
    """For every one of many keys one integer of an unsigned type."""
    wide = dtype == dtypes.uint64
    upper, lower = encrypted([first, second], [np.uint32(0), np.uint32(1 if wide else 0)])
    return joined(lower, upper) if wide else upper
