# SPDX-License-Identifier: Apache-2.0
"""What a kernel of attention is generated for, and the tiles that it works on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from olympus_core.program import Operation

THREADS = 128  # four warps


@dataclass(frozen=True, slots=True)
class Shape:
    """An attention.

    Args:
        dtype: The elements of queries, keys and values: float16 or bfloat16.
        batch: Number of examples.
        queries: Queries of each.
        keys: Keys of each.
        heads: Heads of queries.
        groups: Heads of keys and values.
        size: Elements of a head, a multiple of 8 up to 128.
        scale: The factor of the products, above zero.
        left: How many keys before its own position a query sees; None for all.
        right: How many behind it; None for all, 0 where attention is causal.
        mask: For each dimension of (batch, heads, queries, keys) whether the mask has it; None without a mask.
    """

    dtype: np.dtype
    batch: int
    queries: int
    keys: int
    heads: int
    groups: int
    size: int
    scale: float
    left: int | None
    right: int | None
    mask: tuple[bool, bool, bool, bool] | None

    @property
    def width(self) -> int:
        """Elements of a row of a tile: those of a head, and zeros behind them."""
        return 64 if self.size <= 64 else 128

    @property
    def shared_heads(self) -> int:
        """How many heads of queries have the same keys."""
        return self.heads // self.groups


def shape_of(operation: Operation) -> Shape:
    """The attention of an operation, forwards or backwards: both begin with query, key and value."""
    query, key = (v.type for v in operation.operands[:2])
    batch, queries, heads, size = query.shape
    attributes = operation.attributes
    mask = None
    if attributes["masked"]:
        b, h, t, s = operation.operands[3].type.shape
        mask = (b > 1, h > 1, t > 1, s > 1)
    return Shape(query.dtype, batch, queries, key.shape[1], heads, key.shape[2], size, attributes["scale"],
                 attributes["left"], attributes["right"], mask)


@dataclass(frozen=True, slots=True)
class Tiles:
    """How many queries and keys a block has at a time.

    Args:
        queries: Rows of a tile of queries.
        keys: Rows of a tile of keys.
    """

    queries: int
    keys: int


# By the width of a row: a warp holds its part of the results and of the scores in at most 255 registers of each thread.
FORWARD = {64: Tiles(128, 64), 128: Tiles(128, 32)}
BACKWARD_OF_QUERIES = {64: Tiles(128, 32), 128: Tiles(128, 32)}
BACKWARD_OF_KEYS = {64: Tiles(64, 64), 128: Tiles(64, 64)}
