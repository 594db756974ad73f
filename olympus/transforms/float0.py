"""Tangents of what has none, `float0`, in the arguments and results of traced functions.

They hold nothing, so that no program knows them: in a container they are nodes without leaves, and become arrays
again where the container is restored.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np

from .. import tree
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


def hidden(value: Any) -> Any:
    """The container with nodes without leaves for its arrays of `float0`."""
    def stand_in(leaf: Any) -> Any:
        return NoTangents(leaf.shape) if type(leaf) is np.ndarray and leaf.dtype == float0 else leaf

    return tree.map(stand_in, value)


def without(
    args: tuple[Any, ...], kwargs: dict[str, Any], numbers: Collection[int], names: Collection[str],
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """A call's arguments, hidden, but for the static ones of these positions and names."""
    return (tuple(a if i in numbers else hidden(a) for i, a in enumerate(args)),
            {k: v if k in names else hidden(v) for k, v in kwargs.items()})
