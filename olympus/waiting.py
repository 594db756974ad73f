"""Waiting for results."""

from __future__ import annotations

from typing import Any

from . import tree
from .array import Array


def block_until_ready(x: Any) -> Any:
    """Waits until all arrays of a nested container have their content.

    Args:
        x: An array or a nested container.

    Returns:
        The same.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> olympus.block_until_ready({"x": jnp.arange(2)})
        {'x': Array([0, 1], dtype=int32)}
    """
    for leaf in tree.leaves(x):
        if type(leaf) is Array:
            leaf.block_until_ready()
    return x
