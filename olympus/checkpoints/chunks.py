# SPDX-License-Identifier: Apache-2.0
"""Into which chunks an array is cut, and which process writes each of them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from olympus_core.placement import Sharding
from olympus_core.placement.boxes import Box, part_numbers

MOST_BYTES = 16 << 20  # of a chunk: who reads a part of it reads all of it, for the checksum
_LARGEST_FACTOR = 64  # a shard of a prime size is rather one large chunk than many tiny ones


@dataclass(frozen=True, slots=True)
class Grid:
    """The regular chunks of an array.

    Args:
        shape: The array's shape.
        chunk: The chunks' shape.
    """

    shape: tuple[int, ...]
    chunk: tuple[int, ...]

    @property
    def counts(self) -> tuple[int, ...]:
        """The number of chunks along each dimension."""
        return tuple(-(-size // step) for size, step in zip(self.shape, self.chunk, strict=True))

    @property
    def count(self) -> int:
        """The number of chunks."""
        return math.prod(self.counts)

    def indices(self) -> Iterator[tuple[int, ...]]:
        """The index of each chunk, in row-major order, which numbers them."""
        return itertools.product(*map(range, self.counts))

    def number(self, index: Sequence[int]) -> int:
        """The number of a chunk."""
        found = 0
        for position, count in zip(index, self.counts, strict=True):
            found = found * count + position
        return found

    def box(self, index: Sequence[int]) -> Box:
        """The part of the array that a chunk holds."""
        return tuple((i * step, min((i + 1) * step, size))
                     for i, step, size in zip(index, self.chunk, self.shape, strict=True))

    def touched(self, box: Box) -> Iterator[tuple[int, ...]]:
        """The chunks that hold something of a part of the array."""
        if any(start >= stop for start, stop in box):
            return iter(())
        return itertools.product(*(
            range(start // step, -(-stop // step)) for (start, stop), step in zip(box, self.chunk, strict=True)))


def chunk_shape(shape: Sequence[int], parts: Sequence[int], itemsize: int, most: int = MOST_BYTES) -> tuple[int, ...]:
    """The shape of an array's chunks: that of a shard, split along its longest dimensions where it is large.

    No chunk has elements of two shards, so that each has one writer.

    Args:
        shape: The array's shape.
        parts: Into how many parts each dimension is sharded.
        itemsize: Bytes of an element.
        most: Bytes that a chunk should have at most.

    Example:
        >>> chunk_shape((8192, 8192), (2, 1), 4)
        (2048, 2048)
    """
    sizes = [size // count for size, count in zip(shape, parts, strict=True)]
    while math.prod(sizes) * itemsize > most:
        for dimension in sorted(range(len(sizes)), key=lambda d: -sizes[d]):
            size = sizes[dimension]
            # Only in a dimension that is not sharded may the last chunk be a smaller one.
            factor = _smallest_factor(size) if parts[dimension] > 1 else 2
            if size > 1 and factor <= _LARGEST_FACTOR:
                sizes[dimension] = -(-size // factor)
                break
        else:
            break
    return tuple(max(1, size) for size in sizes)


def _smallest_factor(number: int) -> int:
    return next((k for k in range(2, _LARGEST_FACTOR + 1) if number % k == 0), number)


def holders(sharding: Sharding, ndim: int) -> list[tuple[int, ...]]:
    """For each part of an array, in row-major order of the parts, the processes that hold it."""
    layout = sharding.layout(ndim)
    found: list[set[int]] = [set() for _ in range(math.prod(layout.parts()))]
    for number, device in zip(part_numbers(layout), sharding.devices, strict=True):
        found[number].add(device.process_index)
    return [tuple(sorted(processes)) for processes in found]


class Writers:
    """Gives each chunk one writer among the processes that hold it, so that all write about as much.

    Every process comes to the same result, since it depends only on what is given and in which order.

    Args:
        count: The number of processes.
    """

    def __init__(self, count: int) -> None:
        self._loads = np.zeros(count, np.int64)

    def assign(
        self, grid: Grid, parts: Sequence[int], owners: Sequence[tuple[int, ...]], itemsize: int
    ) -> list[int]:
        """The writer of each chunk of an array.

        Args:
            grid: Its chunks.
            parts: Into how many parts each dimension is sharded.
            owners: For each part the processes that hold it.
            itemsize: Bytes of an element.
        """
        size = math.prod(grid.chunk) * itemsize
        if len(owners[0]) == 1 and len(set(owners)) == 1:
            self._loads[owners[0][0]] += size * grid.count
            return list(owners[0]) * grid.count
        along = [max(1, count // cut) for count, cut in zip(grid.counts, parts, strict=True)]
        candidates = [np.array(processes) for processes in owners]
        found = []
        for index in grid.indices():
            here = candidates[part_of(index, along, parts)]
            writer = int(here[self._loads[here].argmin()])
            self._loads[writer] += size
            found.append(writer)
        return found


def part_of(index: Sequence[int], along: Sequence[int], parts: Sequence[int]) -> int:
    """The number of the part that a chunk belongs to.

    Args:
        index: The chunk's index.
        along: How many chunks a part has along each dimension.
        parts: How many parts there are along each dimension.
    """
    number = 0
    for i, step, count in zip(index, along, parts, strict=True):
        number = number * count + (i // step if count > 1 else 0)
    return number
