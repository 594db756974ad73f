# SPDX-License-Identifier: Apache-2.0
"""The blocks of a group's reductions: subtrees that one process can reduce alone, and their layout in a slot."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np

from olympus_core.toolkit import Members, quietly

from .reduction_tree import Arrays, Combine, reduce_into, tree_of


class Blocks:
    """The blocks of a group's reductions.

    Attributes:
        members: The group.
        tree: The reduction tree over the blocks of all processes, in the order of processes.
        counts: The number of blocks of each process.
        most: The largest of these.

    Args:
        members: The group.
    """

    def __init__(self, members: Members) -> None:
        self.members = members
        self.tree = tree_of([block for tree in members.trees for block in tree], 0, members.size)
        self.counts = [len(tree) for tree in members.trees]
        self.most = max(self.counts)
        own = members.trees[members.index]
        self._own_trees = [tree_of([(p, p + 1) for p in members.mine], *block) for block in own]

    def reduce_own(self, blocks: Arrays, inputs: Arrays, combine: Combine) -> None:
        """Reduces the arrays of this process's devices into the blocks of its slot."""
        work = blocks[0].dtype
        if inputs[0].dtype != work:
            inputs = [x.astype(work) for x in inputs]
        for block, tree in zip(blocks, self._own_trees, strict=True):
            quietly(reduce_into, block, tree, inputs, combine)


def in_blocks(slot: np.ndarray, dtype: np.dtype, blocks: int, count: int) -> list[np.ndarray]:
    """A slot as arrays, one for each block."""
    return list(elements(slot, dtype, blocks * count).reshape(blocks, count))


def elements(memory: np.ndarray, dtype: np.dtype, count: int) -> np.ndarray:
    """The beginning of some memory as `count` elements."""
    return memory[: count * dtype.itemsize].view(dtype)


def signature_of(*facts: Any) -> int:
    """A checksum that identifies a collective; the same in all processes."""
    return zlib.crc32(repr(facts).encode())
