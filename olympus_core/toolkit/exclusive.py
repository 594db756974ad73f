"""Whether a value's memory is held by one buffer alone, so that a kernel may write over it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

Count = Callable[[Any], int]


class _Holder:
    """Stands for a buffer when references are counted."""

    __slots__ = ("cell",)
    cell: object


# Defaults are quicker to look up than modules' attributes; every call with donated inputs comes by here.


def is_exclusive(cell: Any, array: type = np.ndarray, count: Count = sys.getrefcount) -> bool:
    """Whether nothing but one buffer, and the function that asks, holds a block: no array looks at it.

    An array is never anybody's alone: its memory may be the user's. The buffer was given away before (`give`), so
    that nobody can come by the block between this answer and what is done about it.
    """
    return type(cell) is not array and count(cell) <= _references()[0]


def are_exclusive(cells: Sequence[Any], array: type = np.ndarray, count: Count = sys.getrefcount) -> bool:
    """Whether this holds of all blocks of a list that the function that asks has made."""
    most = _references()[1]
    for cell in cells:
        if type(cell) is array or count(cell) > most:
            return False
    return True


# How many references a block has that one buffer holds depends on the interpreter: these look as the two above do.


def _look(cell: Any, count: Count = sys.getrefcount) -> int:
    return count(cell)


def _look_at_all(cells: Sequence[Any], count: Count = sys.getrefcount) -> int:
    for cell in cells:
        return count(cell)
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
