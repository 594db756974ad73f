# SPDX-License-Identifier: Apache-2.0
"""Slices of references whose start is a traced value: ``ref[ds(start, size)]``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from olympus_core.errors import ArgumentError, described

from .lax.slicing import dynamic_slice, dynamic_update_slice
from .operands import integer
from .tracing import aval_of


class Slice:
    """A part of a dimension that begins where a value says; it is moved inside where it would reach outside.

    Args:
        start: The first index, an integer that may be traced.
        size: How many indices it has.
        stride: The distance between them.

    Raises:
        ArgumentError: For a size below 0 or a stride below 1.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> from olympus.experimental import pallas as pl
        >>> ref = olympus.new_ref(jnp.arange(6))
        >>> start = jnp.int32(2)
        >>> print(ref[pl.Slice(start, 3)])
        [2 3 4]
    """

    __slots__ = ("size", "start", "stride")

    def __init__(self, start: Any, size: int, stride: int = 1) -> None:
        self.start = start
        self.size = integer("Slice", size, "the size", 0)
        self.stride = integer("Slice", stride, "the stride", 1)

    @property
    def reach(self) -> int:
        """How many indices there are from the first to the last one."""
        return (self.size - 1) * self.stride + 1 if self.size else 0

    def __repr__(self) -> str:
        return f"Slice({self.start}, {self.size}, {self.stride})"


def has_slices(index: Any) -> bool:
    """Whether an index has such a slice."""
    return isinstance(index, Slice) or isinstance(index, tuple) and any(isinstance(item, Slice) for item in index)


def read(content: Any, index: Any) -> Any:
    """The elements that an index with such slices names.

    Args:
        content: The array.
        index: The index.
    """
    starts, sizes, rest = _split(index, aval_of(content).shape)
    return dynamic_slice(content, starts, sizes, allow_negative_indices=False)[rest]


def replaced(content: Any, index: Any, put: Callable[[Any, Any], Any]) -> Any:
    """The array with other elements where an index with such slices names some.

    Args:
        content: The array.
        index: The index.
        put: Of the part that the slices reach, and what is left of the index: that part with the other elements.
    """
    starts, sizes, rest = _split(index, aval_of(content).shape)
    part = put(dynamic_slice(content, starts, sizes, allow_negative_indices=False), rest)
    return dynamic_update_slice(content, part, starts, allow_negative_indices=False)


def _split(index: Any, shape: tuple[int, ...]) -> tuple[list[Any], tuple[int, ...], tuple[Any, ...]]:
    """Where the part that the slices reach begins, its shape, and the index into it."""
    items = list(index) if isinstance(index, tuple) else [index]
    used = sum(_dimensions(item) for item in items)
    if used > len(shape):
        raise ArgumentError("Ref", "there are more indices than dimensions", described(index), f"{len(shape)} or fewer")
    at = [i for i, item in enumerate(items) if item is Ellipsis]
    rest = [slice(None)] * (len(shape) - used)
    items = [*items[:at[0]], *rest, *items[at[0] + 1:]] if at else [*items, *rest]
    starts: list[Any] = [0] * len(shape)
    sizes = list(shape)
    axis = 0
    for position, item in enumerate(items):
        if isinstance(item, Slice):
            if item.reach > shape[axis]:
                raise ArgumentError("Ref", "a slice is longer than its dimension", f"{item} of {shape[axis]}",
                                    f"a reach of at most {shape[axis]}")
            starts[axis], sizes[axis] = item.start, item.reach
            items[position] = slice(None, None, item.stride)
        axis += _dimensions(item)
    return starts, tuple(sizes), tuple(items)


def _dimensions(item: Any) -> int:
    """How many dimensions one item of an index is about."""
    if item is None or item is Ellipsis:
        return 0
    return int(item.ndim) if getattr(item, "dtype", None) == np.bool_ else 1
