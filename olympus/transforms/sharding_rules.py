# SPDX-License-Identifier: Apache-2.0
"""How an operation may be split, in the notation of Shardy's rules: named factors for each dimension, as in einops."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import Any

from olympus_core.errors import ArgumentError, described
from olympus_core.program import ArrayType, Factor, FactorRule

BATCHING = "…"  # stands for any number of dimensions in front, the same wherever it stands
_TOKEN = re.compile(r"\s*(\.\.\.\d*|[A-Za-z_]\w*|[(),]|\S)")


class CompoundFactor(tuple[str, ...]):
    """A dimension that is a product of factors, major to minor: two or more.

    Args:
        *factors: Their names.

    Example:
        >>> from olympus.experimental.custom_partitioning import CompoundFactor
        >>> CompoundFactor("b", "c")
        CompoundFactor('b', 'c')
    """

    def __new__(cls, *factors: str) -> CompoundFactor:
        """Checks the factors."""
        if len(factors) < 2:
            raise ArgumentError("CompoundFactor", "too few factors", described(factors), "two names or more")
        if any(not isinstance(factor, str) or factor.startswith(BATCHING) for factor in factors):
            raise ArgumentError("CompoundFactor", "a factor has no name", described(factors), "texts, not BATCHING")
        return super().__new__(cls, factors)

    def __getnewargs__(self) -> tuple[str, ...]:
        return tuple(self)

    def __repr__(self) -> str:
        return f"CompoundFactor({', '.join(map(repr, self))})"


class ArrayMapping(tuple[Any, ...]):
    """The factors of the dimensions of an operand or result.

    Args:
        *dim_mappings: For each dimension a name, or a `CompoundFactor`; `BATCHING` (with a number where there are
            several kinds) may stand first.

    Example:
        >>> from olympus.experimental.custom_partitioning import BATCHING, ArrayMapping
        >>> len(ArrayMapping(BATCHING, "i", "j"))
        3
    """

    def __new__(cls, *dim_mappings: Any) -> ArrayMapping:
        """Checks the dimensions."""
        for place, one in enumerate(dim_mappings):
            if not isinstance(one, (str, CompoundFactor)):
                raise ArgumentError("ArrayMapping", "a dimension has no factor", described(one),
                                    "a name or a CompoundFactor")
            if not isinstance(one, str):
                continue
            batching = one.startswith(BATCHING)
            if batching and (place or not re.fullmatch(r"\d*", one[1:])):
                raise ArgumentError("ArrayMapping", "BATCHING does not stand alone and first", described(one),
                                    "BATCHING, or BATCHING and a number, as the first dimension")
            if not batching and not one.isidentifier():
                raise ArgumentError("ArrayMapping", "a factor has no name", described(one),
                                    "a letter, and letters, digits and _ after it")
        return super().__new__(cls, dim_mappings)

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self)

    def __repr__(self) -> str:
        return f"ArrayMapping({', '.join(map(repr, self))})"


class SdyShardingRule:
    """How an operation may be split: the factors of the dimensions of its operands and results.

    A factor that nothing is said of may be split, and each device does its part.

    Args:
        operand_mappings: For each operand an `ArrayMapping`, or a tuple of its dimensions.
        result_mappings: The same for the results.
        reduction_factors: Those over which results are summed: the function of one device has to combine its results.
        need_replication_factors: Those that must not be split.
        permutation_factors: Those along which devices exchange what the function needs of their neighbours.
        **factor_sizes: Sizes of factors that are no whole dimension anywhere.

    Raises:
        ArgumentError: When factors are named that are not there, or sizes lack or are too many.

    Example:
        >>> from olympus.experimental.custom_partitioning import SdyShardingRule
        >>> SdyShardingRule((("i", "j"), ("j", "k")), (("i", "k"),), reduction_factors=("j",))
        SdyShardingRule((ArrayMapping('i', 'j'), ArrayMapping('j', 'k')), (ArrayMapping('i', 'k'),))
    """

    def __init__(
        self, operand_mappings: Sequence[Sequence[Any]], result_mappings: Sequence[Sequence[Any]], *,
        reduction_factors: tuple[str, ...] = (), need_replication_factors: tuple[str, ...] = (),
        permutation_factors: tuple[str, ...] = (), **factor_sizes: int,
    ) -> None:
        self.operand_mappings = tuple(ArrayMapping(*m) for m in operand_mappings)
        self.result_mappings = tuple(ArrayMapping(*m) for m in result_mappings)
        self.reduction_factors, self.need_replication_factors = reduction_factors, need_replication_factors
        self.permutation_factors, self.factor_sizes = permutation_factors, factor_sizes
        inside: dict[str, None] = {}
        whole: set[str] = set()
        for one in (d for mapping in self._mappings() for d in mapping):
            if isinstance(one, str):
                whole.add(one)
            inside.update(dict.fromkeys((one,) if isinstance(one, str) else one))
        known = tuple(name for name in inside if not name.startswith(BATCHING))
        kinds = (*reduction_factors, *need_replication_factors, *permutation_factors)
        for factors in (reduction_factors, need_replication_factors, permutation_factors):
            if not isinstance(factors, tuple):
                self._refuse("factors of a kind are no tuple", factors, "a tuple of names")
        for name in (*kinds, *factor_sizes):
            if name not in known:
                self._refuse(f"there is no factor {name!r}", name, known)
            if kinds.count(name) > 1:
                self._refuse(f"factor {name!r} is said to be of several kinds", kinds, "each factor once")
        for name in known:
            if (name in whole) == (name in factor_sizes):
                self._refuse(f"the size of factor {name!r} " + ("follows from a dimension" if name in whole
                             else "follows from no dimension"), factor_sizes, "sizes of factors of products alone")

    def _mappings(self) -> tuple[ArrayMapping, ...]:
        return (*self.operand_mappings, *self.result_mappings)

    @staticmethod
    def _refuse(problem: str, given: Any, expected: Any) -> None:
        raise ArgumentError("sharding_rule", problem, described(given), str(expected))

    def factor_rule(self, operands: Sequence[ArrayType], results: Sequence[ArrayType]) -> FactorRule:
        """The rule for operands and results of some types.

        Raises:
            ArgumentError: When it does not fit them.
        """
        types = (*operands, *results)
        if (len(self.operand_mappings), len(self.result_mappings)) != (len(operands), len(results)):
            self._refuse("the rule has not as many operands and results as the function", self, f"{len(operands)} "
                         f"operands, {len(results)} results")
        sizes: dict[str, int] = dict(self.factor_sizes)
        terms = [self._dimensions(mapping, type) for mapping, type in zip(self._mappings(), types, strict=True)]
        fronts: dict[str, tuple[int, ...]] = {}
        for mapping, term, type in zip(self._mappings(), terms, types, strict=True):
            if mapping and isinstance(mapping[0], str) and mapping[0].startswith(BATCHING):
                front = type.shape[:type.ndim - len(mapping) + 1]
                if fronts.setdefault(mapping[0], front) != front:
                    self._refuse("the dimensions in front differ", f"{fronts[mapping[0]]} and {front}",
                                 "equal dimensions for one BATCHING; BATCHING and a number for others")
            for names, size in zip(term, type.shape, strict=True):
                if len(names) == 1:  # windows and the like leave dimensions of one factor unequal
                    sizes[names[0]] = math.gcd(sizes.get(names[0], size), size)
        for term, type in zip(terms, types, strict=True):
            for names, size in zip(term, type.shape, strict=True):
                if len(names) > 1 and math.prod(sizes[name] for name in names) != size:
                    self._refuse(f"the product of the factors {names} is no dimension of size {size}",
                                 {name: sizes[name] for name in names}, str(type))
        number = {name: i for i, name in enumerate(sizes)}
        factors = tuple(
            Factor(size, "reduced", "sum") if name in self.reduction_factors
            else Factor(size, "whole" if name in self.need_replication_factors else "parallel")
            for name, size in sizes.items())
        placed = [tuple(tuple(number[name] for name in names) for names in term) for term in terms]
        return FactorRule(factors, tuple(placed[:len(operands)]), tuple(placed[len(operands):]))

    def _dimensions(self, mapping: ArrayMapping, type: ArrayType) -> list[tuple[str, ...]]:
        """The factors of each dimension, those in front by number."""
        batched = bool(mapping) and isinstance(mapping[0], str) and mapping[0].startswith(BATCHING)
        named = mapping[1:] if batched else mapping
        front = type.ndim - len(named)
        if front < 0 or (front and not batched):
            self._refuse("the rule has other dimensions than an array", mapping, str(type))
        # Numbered from the front, as the dimensions are that it stands for.
        kind = mapping[0] + ":" if batched else ""
        return [*((f"{kind}{d}",) for d in range(front)),
                *((one,) if isinstance(one, str) else tuple(one) for one in named)]

    def __repr__(self) -> str:
        return f"SdyShardingRule({self.operand_mappings}, {self.result_mappings})"


def rule_of_text(rule: str, **kinds: Any) -> SdyShardingRule:
    """The rule that a text like ``"... i j, j k -> ... i k"`` says.

    Args:
        rule: Names of factors, apart by spaces; arrays apart by commas; products of factors in brackets.
        **kinds: As for `SdyShardingRule`.

    Raises:
        ArgumentError: When it is no such text.
    """
    sides = rule.split("->")
    if len(sides) != 2:
        raise ArgumentError("sharding_rule", "it has not one arrow", described(rule), "such as 'i j, j k -> i k'")
    left, right = (tuple(_arrays(rule, side)) for side in sides)
    return SdyShardingRule(left, right, **kinds)


def _arrays(rule: str, side: str) -> Iterator[ArrayMapping]:
    dimensions: list[Any] = []
    product: list[str] | None = None
    for token in _TOKEN.findall(side):
        if token == "," and product is None:
            yield ArrayMapping(*dimensions)
            dimensions = []
        elif token == "(" and product is None:
            product = []
        elif token == ")" and product is not None:
            dimensions.append(CompoundFactor(*product))
            product = None
        elif token.startswith("...") and product is None and not dimensions:
            dimensions.append(BATCHING + token[3:])
        elif token.isidentifier():
            (dimensions if product is None else product).append(token)
        else:
            raise ArgumentError("sharding_rule", f"{token!r} does not fit where it stands", described(rule),
                                "names of factors, ',', '(' and ')', and '...' in front")
    if product is not None:
        raise ArgumentError("sharding_rule", "a bracket is not closed", described(rule), "a ')' for each '('")
    yield ArrayMapping(*dimensions)
