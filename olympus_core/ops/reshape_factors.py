# SPDX-License-Identifier: Apache-2.0
"""The factors that the dimensions of an array have in common before and after a reshape."""

from __future__ import annotations

import math
from collections.abc import Sequence

from olympus_core.program import FactorRule
from olympus_core.program.factors import DimensionFactors

from .rules import FactorTable


def reshape_factor_rule(before: Sequence[int], after: Sequence[int]) -> FactorRule:
    """The rule of a reshape, by common refinement: (6, 4) to (3, 8) is ``(a b) c -> a (b c)``.

    Dimensions of size one get a factor of their own. Where the sizes have no common divisor, the dimensions up to the
    next position at which both shapes meet are whole, as (2, 3) to (3, 2).
    """
    table = FactorTable()
    sides = _Side(before, table), _Side(after, table)
    left, right = sides
    while left.ahead() and right.ahead():
        if left.rest == right.rest == 0:
            _share(table, sides, 0)
        elif left.rest == 0 or right.rest == 0:
            break  # no elements: nothing more to relate
        else:
            common = math.gcd(left.rest, right.rest)
            if common > 1:
                _share(table, sides, common)
            if left.rest > 1 and right.rest > 1:
                _whole_block(left, right)
    for side in sides:
        side.finish()
    return FactorRule(tuple(table.factors), (left.factors(),), (right.factors(),))


class _Side:
    """One of the two shapes, read from its major dimension on."""

    def __init__(self, shape: Sequence[int], table: FactorTable) -> None:
        self.shape = shape
        self.table = table
        self.dims: list[list[int]] = [[] for _ in shape]
        self.at = 0
        self.rest = shape[0] if shape else 1  # what no factor covers yet of the dimension `at`

    def ahead(self) -> bool:
        """Whether dimensions are left; moves on to one that is not covered."""
        while self.at < len(self.shape) and self.rest == 1:
            self.step()
        return self.at < len(self.shape)

    def step(self) -> None:
        """Goes to the next dimension."""
        if not self.dims[self.at]:
            self.dims[self.at].append(self.table.whole(1))
        self.at += 1
        self.rest = self.shape[self.at] if self.at < len(self.shape) else 1

    def take_whole(self) -> int:
        """Covers what is left of this dimension with a factor that must not be split; its size."""
        size = self.rest
        self.dims[self.at].append(self.table.whole(size))
        self.rest = 1
        return size

    def finish(self) -> None:
        """Covers all that is left."""
        while self.ahead():
            self.take_whole()

    def factors(self) -> DimensionFactors:
        """The factors of each dimension."""
        return tuple(tuple(dim) for dim in self.dims)


def _share(table: FactorTable, sides: tuple[_Side, _Side], size: int) -> None:
    factor = table.new(size)
    for side in sides:
        side.dims[side.at].append(factor)
        side.rest = side.rest // size if size else 1


def _whole_block(left: _Side, right: _Side) -> None:
    sizes = [left.take_whole(), right.take_whole()]
    while sizes[0] != sizes[1]:
        index = 0 if sizes[0] < sizes[1] else 1
        side = (left, right)[index]
        if not side.ahead() or side.rest == 0:
            return  # a size of zero follows: the rest is covered as whole
        sizes[index] *= side.take_whole()
