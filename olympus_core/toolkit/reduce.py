# SPDX-License-Identifier: Apache-2.0
"""Reductions in one fixed order, so that every way of dividing the work gives the same bits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import ml_dtypes
import numpy as np

from olympus_core.ops.reduce import UFUNCS
from olympus_core.plugin import Reduction

from .quiet import quietly

Combine = Callable[..., np.ndarray]

_COMBINE_BOOL: Mapping[str, Combine] = {**UFUNCS, "sum": np.logical_or, "prod": np.logical_and}

# Added up in float32 and rounded once, as the operation set's references do.
_NARROW = frozenset(
    np.dtype(t) for t in (np.float16, ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2)
)


def combiner(reduction: Reduction, dtype: np.dtype) -> Combine:
    """The function ``f(x, y, out=None)`` of two arrays that a reduction repeats."""
    return (_COMBINE_BOOL if dtype == np.bool_ else UFUNCS)[reduction]


def working_dtype(dtype: np.dtype) -> np.dtype:
    """The type in which partial results are kept and sent; they are rounded to `dtype` at the end."""
    return np.dtype(np.float32) if dtype in _NARROW else dtype


def tree_blocks(size: int, positions: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """The largest subtrees of the reduction's tree whose leaves all stand in `positions`.

    The tree over `size` members splits at the largest power of two below it. Who owns these subtrees'
    leaves can reduce them alone, and the result is the same for every distribution of the members.

    Args:
        size: Number of members of the group.
        positions: The members in question, ascending.

    Returns:
        ``(start, stop)`` of each subtree, ascending.

    Example:
        >>> tree_blocks(8, (0, 1, 2, 3)), tree_blocks(8, (1, 2, 3)), tree_blocks(3, (1, 2))
        (((0, 4),), ((1, 2), (2, 4)), ((1, 2), (2, 3)))
    """
    owned = frozenset(positions)

    def blocks(start: int, stop: int) -> Iterator[tuple[int, int]]:
        if all(p in owned for p in range(start, stop)):
            yield start, stop
        elif stop - start > 1:
            middle = start + left_half(stop - start)
            yield from blocks(start, middle)
            yield from blocks(middle, stop)

    return tuple(blocks(0, size)) if size else ()


def tree_reduce(
    parts: Mapping[tuple[int, int], np.ndarray], start: int, stop: int, combine: Combine, owned: bool = False
) -> np.ndarray:
    """The reduction of the members from `start` to `stop`, from the subtrees that are at hand.

    Args:
        parts: Reduced subtrees by ``(start, stop)``; single members are ``(i, i + 1)``.
        start: First member.
        stop: One past the last member.
        combine: Function of two arrays.
        owned: Whether the parts' arrays may be written to.
    """
    return _reduce(parts, start, stop, combine, owned)[0]


def _reduce(
    parts: Mapping[tuple[int, int], np.ndarray], start: int, stop: int, combine: Combine, owned: bool
) -> tuple[np.ndarray, bool]:
    found = parts.get((start, stop))
    if found is not None:
        return found, owned
    middle = start + left_half(stop - start)
    left, left_is_ours = _reduce(parts, start, middle, combine, owned)
    right, right_is_ours = _reduce(parts, middle, stop, combine, owned)
    if left_is_ours:
        return combine(left, right, out=left), True
    if right_is_ours:
        return combine(left, right, out=right), True
    return np.asarray(combine(left, right)), True


def reduce_members(arrays: Sequence[np.ndarray], reduction: Reduction) -> np.ndarray:
    """The reduction of all members' arrays, in the tree's order.

    Example:
        >>> reduce_members([np.float32([1]), np.float32([2]), np.float32([3])], "sum")
        array([6.], dtype=float32)
    """
    dtype = arrays[0].dtype
    work = working_dtype(dtype)
    parts = {(i, i + 1): a if work is dtype else a.astype(work) for i, a in enumerate(arrays)}
    result = quietly(tree_reduce, parts, 0, len(arrays), combiner(reduction, work), work is not dtype)
    return result.copy() if result is arrays[0] else quietly(result.astype, dtype, "K", "unsafe", True, False)


def left_half(size: int) -> int:
    """How many of `size` members stand in the left subtree."""
    return 1 << (size - 1).bit_length() - 1
