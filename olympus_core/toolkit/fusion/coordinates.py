# SPDX-License-Identifier: Apache-2.0
"""Where in an array an element is asked for: coordinates affine in loop indices, plus computed integers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from olympus_core.dataclass import dataclass

from ..loops import Affine, Index
from ..loops.form import Dynamic

Extents = Mapping[Index, int]


class NeedsSplit(Exception):  # not an error: it tells the planner how to refine the iteration space
    """A position can be written down once a loop is two loops, the inner one of the given extent."""

    def __init__(self, index: Index, inner: int) -> None:
        super().__init__(index, inner)
        self.index, self.inner = index, inner


class Unexpressible(Exception):  # not an error: the planner materialises the value instead
    """A position has no affine form in any iteration space."""


@dataclass(frozen=True)
class Coordinate:
    """An integer: affine in loop indices, plus multiples of computed elements.

    Args:
        affine: The part that the loops give.
        dynamic: The part that is computed.
    """

    affine: Affine = Affine()
    dynamic: Dynamic = ()

    def plus(self, other: Coordinate) -> Coordinate:
        """The sum of two."""
        return Coordinate(self.affine.plus(other.affine), self.dynamic + other.dynamic)

    def scaled(self, factor: int) -> Coordinate:
        """A multiple of all of it."""
        if factor == 1:
            return self
        return Coordinate(self.affine.scaled(factor), tuple((s, n * factor) for s, n in self.dynamic))

    def shifted(self, distance: int) -> Coordinate:
        """The same plus a constant."""
        return Coordinate(self.affine.shifted(distance), self.dynamic) if distance else self

    @cached_property
    def key(self) -> tuple[object, ...]:
        """Equal for equal numbers, whatever the order of their terms."""
        return self.affine.constant, frozenset(self.affine.terms), self.dynamic


def extremes(affine: Affine, extents: Extents) -> tuple[int, int]:
    """The least and the greatest value that the loops give."""
    spans = [stride * (extents[index] - 1) for index, stride in affine.terms]
    low, high = sum(s for s in spans if s < 0), sum(s for s in spans if s > 0)
    return affine.constant + low, affine.constant + high


@dataclass(frozen=True)
class Position:
    """A position in an array, given in any shape whose elements are the array's in row-major order.

    Args:
        shape: The shape that the coordinates are about.
        coordinates: One for each of its dimensions.
    """

    shape: tuple[int, ...] = ()
    coordinates: tuple[Coordinate, ...] = ()

    @cached_property
    def flat(self) -> Coordinate:
        """The position in row-major order."""
        if not self.shape:
            return Coordinate()
        position = self.coordinates[0]
        for n, coordinate in zip(self.shape[1:], self.coordinates[1:], strict=True):
            position = position.scaled(n).plus(coordinate)
        return position

    def seen_as(self, shape: tuple[int, ...], extents: Extents) -> tuple[Coordinate, ...]:
        """The coordinates in another shape.

        Raises:
            NeedsSplit: If a loop has to be split before.
            Unexpressible: If they are not affine.
        """
        if self.shape == shape:
            return self.coordinates
        seen: list[Coordinate] = []
        for here, there in _groups(self.shape, shape):
            rest, minor = Position(self.shape[here], self.coordinates[here]).flat, []
            for n in reversed(shape[there][1:]):
                rest, inner = _divided(rest, n, extents)
                minor.append(inner)
            seen += [rest, *reversed(minor)] if shape[there] else []
        return tuple(seen)


def _groups(a: Sequence[int], b: Sequence[int]) -> Iterator[tuple[slice, slice]]:
    """The smallest runs of dimensions of two shapes that hold equal numbers of elements."""
    i = j = 0
    while i < len(a) or j < len(b):
        start, p, q = (i, j), 1, 1
        while (i, j) == start or p != q:
            if p <= q and i < len(a):
                p, i = p * a[i], i + 1
            else:
                q, j = q * b[j], j + 1
        yield slice(start[0], i), slice(start[1], j)


def _divided(position: Coordinate, n: int, extents: Extents) -> tuple[Coordinate, Coordinate]:
    """Quotient and remainder by `n`."""
    if n == 1:
        return position, Coordinate()
    high, low = divmod(position.affine.constant, n)
    outer = Affine(high, tuple((i, s // n) for i, s in position.affine.terms if s % n == 0))
    inner = Affine(low, tuple((i, s) for i, s in position.affine.terms if s % n))
    least, most = extremes(inner, extents)
    if any(s % n for _, s in position.dynamic):
        raise Unexpressible
    if least < 0 or most >= n:
        for index, stride in inner.terms:
            if 0 < stride < n and n % stride == 0 and extents[index] % (n // stride) == 0:
                if n // stride < extents[index]:
                    raise NeedsSplit(index, n // stride)
        raise Unexpressible
    return Coordinate(outer, tuple((e, s // n) for e, s in position.dynamic)), Coordinate(inner)
