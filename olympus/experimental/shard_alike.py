# SPDX-License-Identifier: Apache-2.0
"""Arrays that are to be split in the same way."""

from __future__ import annotations

from typing import Any, TypeVar

from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError

from .. import tree
from ..operands import shape_of

__all__ = ["shard_alike"]
__dir__ = listed(__all__)

T = TypeVar("T")


def shard_alike(x: T, y: T) -> tuple[T, T]:
    """Says that two arrays are best split in the same way; the partitioner splits as computation asks.

    Args:
        x: An array, or a nested container of arrays.
        y: Another one, of the same structure and shapes.

    Returns:
        Both, with the same values.

    Raises:
        ArgumentError: If structures or shapes differ.

    Example:
        >>> import olympus.numpy as jnp
        >>> [v.tolist() for v in shard_alike(jnp.arange(2), jnp.ones(2))]
        [[0, 1], [1.0, 1.0]]
    """
    (left, structure), (right, other) = tree.flatten(x), tree.flatten(y)
    if structure != other:
        raise ArgumentError("shard_alike", "the structures differ", f"{structure} and {other}", "equal structures")
    shapes: list[Any] = [[shape_of(leaf) for leaf in leaves] for leaves in (left, right)]
    if shapes[0] != shapes[1]:
        raise ArgumentError("shard_alike", "the shapes differ", f"{shapes[0]} and {shapes[1]}", "equal shapes")
    return x, y
