# SPDX-License-Identifier: Apache-2.0
"""Reductions into given memory in the order of the toolkit's reduction tree: the same bits as every other transport."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from olympus_core.toolkit import tree_blocks

# A leaf is the index of a block; an inner node is a pair of subtrees.
Tree = Any
Combine = Callable[..., np.ndarray]
Arrays = Sequence[np.ndarray]


def tree_of(blocks: Sequence[tuple[int, int]], start: int, stop: int) -> Tree:
    """The tree over the members from `start` to `stop`, whose leaves are the blocks.

    Example:
        >>> tree_of([(0, 2), (2, 3), (3, 4), (4, 6)], 0, 6)
        ((0, (1, 2)), 3)
    """
    return _tree({block: i for i, block in enumerate(blocks)}, start, stop)


def _tree(index: Mapping[tuple[int, int], int], start: int, stop: int) -> Tree:
    found = index.get((start, stop))
    if found is not None:
        return found
    # Without the last member the largest subtree is the left one.
    middle = start + tree_blocks(stop - start, range(stop - start - 1))[0][1]
    return _tree(index, start, middle), _tree(index, middle, stop)


def reduce_into(out: np.ndarray, tree: Tree, arrays: Arrays, combine: Combine) -> None:
    """Reduces arrays of the working type into an array of that type or of one that it is rounded to."""
    if isinstance(tree, int):
        np.copyto(out, arrays[tree], casting="unsafe")
    elif out.dtype == arrays[0].dtype:
        _reduce(out, tree, arrays, combine)
    else:
        space = np.empty(out.shape, arrays[0].dtype)
        _reduce(space, tree, arrays, combine)
        np.copyto(out, space, casting="unsafe")


def _reduce(out: np.ndarray, tree: Tree, arrays: Arrays, combine: Combine) -> None:
    left, right = tree
    if not isinstance(left, int):
        _reduce(out, left, arrays, combine)
    if not isinstance(right, int):
        space = np.empty_like(out)
        _reduce(space, right, arrays, combine)
    combine(
        arrays[left] if isinstance(left, int) else out, arrays[right] if isinstance(right, int) else space, out=out
    )
