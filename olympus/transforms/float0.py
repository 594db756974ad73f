# SPDX-License-Identifier: Apache-2.0
"""Tangents of what has none, `float0`, in the arguments and results of traced functions.

They hold nothing, so that no program knows them: in a container they are nodes without leaves, and become arrays
again where the container is restored.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np

from ..trees import inside as tree
from .traces.jvp_trace import float0


class NoTangents:
    """A node that stands for an array of `float0`.

    Args:
        shape: The array's shape.
    """

    __slots__ = ("shape",)

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.shape = shape


tree.register_pytree_node(NoTangents, lambda node: ((), node.shape), lambda shape, _: np.zeros(shape, float0))


def hidden(value: Any, front: tuple[int, ...] = (), skipped: int = 0) -> Any:
    """The container with nodes without leaves for its arrays of `float0`.

    Args:
        value: The container.
        front: Dimensions that the restored arrays have in front of their own.
        skipped: How many of their own dimensions they lack in front.
    """
    def stand_in(leaf: Any) -> Any:
        return NoTangents((*front, *leaf.shape[skipped:])) if is_float0(leaf) else leaf

    return tree.map(stand_in, value)


def is_float0(value: Any) -> bool:
    """Whether a value is an array of `float0`."""
    return type(value) is np.ndarray and value.dtype == float0


def without(
    args: tuple[Any, ...], kwargs: dict[str, Any], numbers: Collection[int], names: Collection[str],
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """A call's arguments, hidden, but for the static ones of these positions and names."""
    return (tuple(a if i in numbers else hidden(a) for i, a in enumerate(args)),
            {k: v if k in names else hidden(v) for k, v in kwargs.items()})
