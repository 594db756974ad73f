# SPDX-License-Identifier: Apache-2.0
"""Slices of references whose start is a traced value: ``ref[ds(start, size)]``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from olympus_core.errors import ArgumentError, described

from . import lax
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

    __slots__ = ("is_open", "size", "start", "stride")

    def __init__(self, start: Any, size: int, stride: int = 1) -> None:
        self.is_open = False  # whether it stays where it reaches outside: zero is read there, and nothing written
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


def opened(index: Any) -> Any:
    """The index with slices that stay where they reach outside of the array, for those who mask what is there.

    Args:
        index: The index.
    """
    if isinstance(index, tuple):
        return tuple(map(opened, index))
    if isinstance(index, Slice):
        index = Slice(index.start, index.size, index.stride)
        index.is_open = True
    return index


def read(content: Any, index: Any) -> Any:
    """The elements that an index with such slices names.

    Args:
        content: The array.
        index: The index.
    """
    window = _Window(content, index)
    return window.part()[window.rest]


def replaced(content: Any, index: Any, put: Callable[[Any, Any], Any]) -> Any:
    """The array with other elements where an index with such slices names some.

    Args:
        content: The array.
        index: The index.
        put: Of the part that the slices reach, and what is left of the index: that part with the other elements.
    """
    window = _Window(content, index)
    return window.replaced(put(window.part(), window.rest))


class _Window:
    """The part of an array that slices reach.

    Args:
        content: The array.
        index: The index.
    """

    def __init__(self, content: Any, index: Any) -> None:
        self.shape = aval_of(content).shape
        self.starts, self.sizes, self.rest, self.open = _split(index, self.shape)
        self.moved: dict[int, Any] = {}  # by how much what is read was moved, where a slice may reach outside
        beyond = [(0, max(self.sizes[d] - n, 0), 0) for d, n in enumerate(self.shape)]
        self.content = _padded(content, beyond) if any(map(any, beyond)) else content
        for d in self.open:
            inside = lax.clamp(0, self.starts[d], max(self.shape[d] - self.sizes[d], 0))
            self.moved[d] = lax.clamp(-self.sizes[d], lax.sub(self.starts[d], inside), self.sizes[d])
            self.starts[d] = inside
        self.block = lax.dynamic_slice(self.content, self.starts, self.sizes, allow_negative_indices=False)

    def part(self) -> Any:
        """The elements; zero where there are none."""
        return self._moved(self.block, 1)

    def replaced(self, part: Any) -> Any:
        """The array with other elements there."""
        block = self._moved(part, -1)
        for d in self.open:
            lane = lax.sub(lax.broadcasted_iota(self.moved[d].dtype, self.sizes, d), self.moved[d])
            block = lax.select(lax.bitwise_and(lax.ge(lane, 0), lax.lt(lane, self.sizes[d])), block, self.block)
        whole = lax.dynamic_update_slice(self.content, block, self.starts, allow_negative_indices=False)
        return whole if aval_of(whole).shape == self.shape else lax.slice(whole, [0] * len(self.shape), self.shape)

    def _moved(self, block: Any, sign: int) -> Any:
        if not self.moved:
            return block
        around = [(n, n, 0) if d in self.moved else (0, 0, 0) for d, n in enumerate(self.sizes)]
        starts = [n + sign * self.moved[d] if d in self.moved else 0 for d, n in enumerate(self.sizes)]
        return lax.dynamic_slice(_padded(block, around), starts, self.sizes, allow_negative_indices=False)


def _padded(x: Any, config: list[tuple[int, int, int]]) -> Any:
    return lax.pad(x, lax.full((), 0, aval_of(x).dtype), config)


def _split(index: Any, shape: tuple[int, ...]) -> tuple[list[Any], tuple[int, ...], tuple[Any, ...], list[int]]:
    """Where the part that the slices reach begins, its shape, the index into it, and where it may reach outside."""
    items = list(index) if isinstance(index, tuple) else [index]
    used = sum(_dimensions(item) for item in items)
    if used > len(shape):
        raise ArgumentError("Ref", "there are more indices than dimensions", described(index), f"{len(shape)} or fewer")
    at = [i for i, item in enumerate(items) if item is Ellipsis]
    rest = [slice(None)] * (len(shape) - used)
    items = [*items[:at[0]], *rest, *items[at[0] + 1:]] if at else [*items, *rest]
    starts: list[Any] = [0] * len(shape)
    sizes = list(shape)
    axis, outside = 0, []
    for position, item in enumerate(items):
        if isinstance(item, Slice):
            last = shape[axis] - item.reach
            if item.is_open and item.size and not (type(item.start) is int and 0 <= item.start <= last):
                outside.append(axis)
            elif last < 0:
                raise ArgumentError("Ref", "a slice is longer than its dimension", f"{item} of {shape[axis]}",
                                    f"a reach of at most {shape[axis]}")
            starts[axis], sizes[axis] = item.start, item.reach
            items[position] = slice(None, None, item.stride)
        axis += _dimensions(item)
    return starts, tuple(sizes), tuple(items), outside


def _dimensions(item: Any) -> int:
    """How many dimensions one item of an index is about."""
    if item is None or item is Ellipsis:
        return 0
    return int(item.ndim) if getattr(item, "dtype", None) == np.bool_ else 1
