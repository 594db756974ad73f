# SPDX-License-Identifier: Apache-2.0
"""NumPy arrays over recycled blocks of memory."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..native.memory import allocator, block_array

_LARGE = 1 << 16  # least bytes of an array that the allocator serves faster than NumPy


def recycled_empty(shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """An uninitialised array; large ones reuse memory whose pages are mapped already."""
    size = math.prod(shape) * dtype.itemsize
    if size < _LARGE:
        return np.empty(shape, dtype)
    return block_array(allocator().take(size), shape, dtype)


def settled(array: Any) -> np.ndarray:
    """The result of a function of the table, in row-major order and not keeping a much larger array alive."""
    if not isinstance(array, np.ndarray):
        array = np.asarray(array)
    base = array.base
    if not array.flags.c_contiguous or (base is not None and getattr(base, "nbytes", 0) > 2 * array.nbytes + 1024):
        return array.copy("C")
    return array
