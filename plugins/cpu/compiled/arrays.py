"""Cells and arrays of generated programs: blocks of recycled memory, and NumPy arrays over them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from ..native.memory import allocator, block_array

_LARGE = 1 << 16  # bytes; smaller arrays NumPy allocates as fast


def recycled_empty(shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """An array without content; large ones use memory again, whose pages are there."""
    size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    if size < _LARGE:
        return np.empty(shape, dtype)
    return block_array(allocator().take(size), shape, dtype)


def settled(array: Any) -> np.ndarray:
    """What a function of the table gave, row-major and not holding a much larger array alive."""
    if not isinstance(array, np.ndarray):
        array = np.asarray(array)
    base = array.base
    if not array.flags.c_contiguous or (base is not None and getattr(base, "nbytes", 0) > 2 * array.nbytes + 1024):
        return array.copy("C")
    return array


class _Holder:
    """Stands for a buffer when references are counted."""

    __slots__ = ("cell",)
    cell: object


def is_exclusive(cell: Any) -> bool:
    """Whether nothing but one buffer, and the function that asks, holds a block: no array looks at it."""
    return type(cell) is not int and sys.getrefcount(cell) <= _references()[0]


def are_exclusive(cells: Sequence[Any]) -> bool:
    """Whether this holds of all blocks of a list that the function that asks has made."""
    for cell in cells:
        if type(cell) is int or sys.getrefcount(cell) > _references()[1]:
            return False
    return True


# How many references a block has that one buffer holds depends on the interpreter: these look as the two above do.


def _look(cell: Any) -> int:
    return sys.getrefcount(cell)


def _look_at_all(cells: Sequence[Any]) -> int:
    for cell in cells:
        return sys.getrefcount(cell)
    return 0


@lru_cache(maxsize=1)
def _references() -> tuple[int, int]:
    holders = [_Holder()]
    holders[0].cell = object()
    cell = holders[0].cell
    alone = _look(cell)
    del cell
    cells = [b.cell for b in holders]
    return alone, _look_at_all(cells)
