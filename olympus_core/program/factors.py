# SPDX-License-Identifier: Apache-2.0
"""How an operation may be split: its dimensions named like an einsum's.

Every dimension of every operand and result is a product of *factors*, major to minor. A factor is *parallel*
(each device does its part), *reduced* (splitting it leaves partial results) or *whole* (the operation needs all of
it). The idea is that of Shardy's operation sharding rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from olympus_core.dataclass import dataclass

Reduction = Literal["sum", "prod", "max", "min", "and", "or"]  # how the terms of several devices combine
Kind = Literal["parallel", "reduced", "whole"]
DimensionFactors = tuple[tuple[int, ...], ...]  # for each dimension the factors, major to minor


@dataclass(frozen=True, slots=True)
class Factor:
    """One factor of an operation's index space.

    Args:
        size: Its number of indices.
        kind: What splitting it means.
        reduction: How the partial results of a reduced factor combine.
    """

    size: int
    kind: Kind = "parallel"
    reduction: Reduction | None = None


@dataclass(frozen=True, slots=True)
class FactorRule:
    """The factors of one operation and where they stand.

    Args:
        factors: All factors.
        operands: For each operand, for each dimension, indices into `factors`.
        results: The same for the results.
    """

    factors: tuple[Factor, ...]
    operands: tuple[DimensionFactors, ...]
    results: tuple[DimensionFactors, ...]

    @staticmethod
    def einsum(
        notation: str,
        operand_shapes: Sequence[Sequence[int]],
        result_shapes: Sequence[Sequence[int]],
        reduced: Mapping[str, Reduction] | None = None,
        whole: str = "",
    ) -> FactorRule:
        """A rule in which every dimension is one factor, one letter each.

        Args:
            notation: Such as ``"mk,kn->mn"``; scalars are empty terms.
            operand_shapes: Shapes of the operands.
            result_shapes: Shapes of the results.
            reduced: The reduction of each reduced letter.
            whole: The letters that must not be split.

        Returns:
            The rule.
        """
        left, right = notation.split("->")
        terms = (left.split(",") if operand_shapes else []) + (right.split(",") if result_shapes else [])
        sizes: dict[str, int] = {}
        for letters, shape in zip(terms, [*operand_shapes, *result_shapes], strict=True):
            for letter, size in zip(letters, shape, strict=True):
                sizes[letter] = size
        reduced = reduced or {}
        index = {letter: i for i, letter in enumerate(sizes)}
        factors = tuple(
            Factor(size, "reduced", reduced[letter]) if letter in reduced
            else Factor(size, "whole" if letter in whole else "parallel")
            for letter, size in sizes.items()
        )
        dims = [tuple((index[letter],) for letter in letters) for letters in terms]
        count = len(operand_shapes)
        return FactorRule(factors, tuple(dims[:count]), tuple(dims[count:]))

    @staticmethod
    def elementwise(shape: Sequence[int], operands: int, results: int = 1) -> FactorRule:
        """The rule of an operation that treats every index by itself."""
        dims = tuple((i,) for i in range(len(shape)))
        return FactorRule(tuple(Factor(n) for n in shape), (dims,) * operands, (dims,) * results)

    @staticmethod
    def unsplittable(
        operand_shapes: Sequence[Sequence[int]], result_shapes: Sequence[Sequence[int]]
    ) -> FactorRule:
        """The rule of an operation that must see all of everything."""
        factors: list[Factor] = []
        terms: list[DimensionFactors] = []
        for shape in [*operand_shapes, *result_shapes]:
            terms.append(tuple((len(factors) + i,) for i in range(len(shape))))
            factors.extend(Factor(n, "whole") for n in shape)
        return FactorRule(tuple(factors), tuple(terms[: len(operand_shapes)]), tuple(terms[len(operand_shapes):]))
