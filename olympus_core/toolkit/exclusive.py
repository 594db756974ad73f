# SPDX-License-Identifier: Apache-2.0
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

    __slots__ = ("allocation",)
    allocation: object


# Defaults are quicker to look up than modules' attributes; every call with donated inputs comes by here.


def is_exclusive(allocation: Any, array: type = np.ndarray, count: Count = sys.getrefcount) -> bool:
    """Whether nothing but one buffer, and the function that asks, holds a block: no array looks at it.

    An array is never anybody's alone: its memory may be the user's. The buffer was given away before (`give`), so
    that nobody can come by the block between this answer and what is done about it.
    """
    return type(allocation) is not array and count(allocation) <= _references()[0]


def are_exclusive(allocations: Sequence[Any], array: type = np.ndarray, count: Count = sys.getrefcount) -> bool:
    """Whether this holds of all blocks of a list that the function that asks has made."""
    most = _references()[1]
    for allocation in allocations:
        if type(allocation) is array or count(allocation) > most:
            return False
    return True


# How many references a block has that one buffer holds depends on the interpreter: these look as the two above do.


def _look(allocation: Any, count: Count = sys.getrefcount) -> int:
    return count(allocation)


def _look_at_all(allocations: Sequence[Any], count: Count = sys.getrefcount) -> int:
    for allocation in allocations:
        return count(allocation)
    return 0


@lru_cache(maxsize=1)
def _references() -> tuple[int, int]:
    holders = [_Holder()]
    holders[0].allocation = object()
    allocation = holders[0].allocation
    alone = _look(allocation)
    del allocation
    allocations = [b.allocation for b in holders]
    return alone, _look_at_all(allocations)
