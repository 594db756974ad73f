# SPDX-License-Identifier: Apache-2.0
"""Waiting for results."""

from __future__ import annotations

from typing import Any, TypeVar

from . import tree
from .array import Array
from .trees.kinds import kind_of

T = TypeVar("T")


def block_until_ready(x: T) -> T:
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
    _wait(x)
    return x


def copy_to_host_async(x: T) -> T:
    """Begins to copy all arrays of a nested container to the host, and does not wait for it.

    Args:
        x: An array or a nested container; leaves that are no arrays stay what they are.

    Returns:
        The same.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> olympus.copy_to_host_async((jnp.arange(2), "name"))
        (Array([0, 1], dtype=int32), 'name')
    """
    for leaf in tree.leaves(x):
        if (copy := getattr(leaf, "copy_to_host_async", None)) is not None:
            copy()
    return x


def _wait(x: Any) -> None:
    """Goes through Python's own containers by itself: `tree.leaves` would sort their keys."""
    kind = type(x)
    if kind is Array:
        x.block_until_ready()
    elif kind is dict or kind is list or kind is tuple:
        for value in x.values() if kind is dict else x:
            if type(value) is Array:  # most are: a call less for each
                value.block_until_ready()
            else:
                _wait(value)
    elif kind_of(kind) is not None:
        for leaf in tree.leaves(x):
            _wait(leaf)
