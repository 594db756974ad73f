# SPDX-License-Identifier: Apache-2.0
"""How to split one operation: of all ways that fit, the one that moves the fewest bytes.

A way gives every mesh axis in play to one of the operation's factors, or to none. Its cost is what it takes to bring
the operands there from where they are, and the results from there to where propagation wants them. What a device
computes counts too, but far less: it settles ties, and keeps large contractions from being repeated on every device
to save a few bytes.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

from olympus_core import dtypes
from olympus_core.dataclass import dataclass
from olympus_core.errors import OlympusInternalError
from olympus_core.placement import Dims
from olympus_core.program import ArrayType, FactorRule, OperationRecord, Reduction

from .assignment import Assignment, dims_of, is_feasible, ordered, project
from .reshard import plan_reshard
from .value_sharding import MeshShape, ValueSharding, mesh_order, parts, sizes_of

MOST_WAYS = 512
COMPUTED_FOR_A_BYTE = 64  # elements that a device computes in about the time in which a byte reaches it


@dataclass(frozen=True, slots=True)
class Split:
    """One way to split an operation.

    Args:
        assignment: The axes of each factor.
        operands: Where the operands must be.
        results: Where the results are then.
        cost: What moving costs each device, the wanted placement of the results included (`ReshardPlan.cost`).
    """

    assignment: Assignment
    operands: tuple[ValueSharding, ...]
    results: tuple[ValueSharding, ...]
    cost: int


@dataclass(frozen=True, slots=True)
class _Terms:
    """Operands that stay partial."""

    operands: frozenset[int]
    axes: tuple[str, ...]
    reduction: Reduction


@dataclass(frozen=True, slots=True)
class Question:
    """What the choice is about.

    Args:
        mesh_shape: Name and size of each mesh axis.
        record: The operation.
        rule: Its factors.
        types: Types of the operands, whole.
        result_types: Types of the results, whole.
        held: For each operand the placements in which it is there.
        wanted: For each result the dims that propagation wants.
        passing: Operands that may stay partial: nobody else needs them.
        wanted_terms: For each result the axes over which it may stay the terms of a sum.
    """

    mesh_shape: MeshShape
    record: OperationRecord
    rule: FactorRule
    types: tuple[ArrayType, ...]
    result_types: tuple[ArrayType, ...]
    held: tuple[tuple[ValueSharding, ...], ...]
    wanted: tuple[Dims, ...]
    passing: frozenset[int]
    wanted_terms: tuple[tuple[str, ...], ...] = ()


def choose(question: Question) -> Split:
    """The cheapest way to split an operation."""
    best: Split | None = None
    best_score: int | None = None
    ways = _Ways(question)
    modes = [terms for terms in (_passing_terms(question),) if terms is not None]
    for terms in (*modes, None):
        for assignment in ways:
            split = _evaluated(question, assignment, terms, best_score)
            if split is None:
                continue
            score = split.cost * COMPUTED_FOR_A_BYTE + _volume(question, assignment)
            if best_score is None or score < best_score:
                best, best_score = split, score
            if split.cost == 0 and assignment == ways.natural:
                return split
    if best is None:
        raise OlympusInternalError(f"no way to split {question.record.name} of {question.types}")
    return best


def move_cost(
    mesh_shape: MeshShape, type: ArrayType, sources: Sequence[ValueSharding], target: ValueSharding
) -> int | None:
    """What bringing a value from the nearest of its placements costs each device; None where none leads there."""
    costs = [
        plan_reshard(mesh_shape, type.shape, type.dtype.itemsize, source, target).cost
        for source in sources
        if set(target.partial) <= set(source.partial)
    ]
    return min(costs) if costs else None


def _passing_terms(question: Question) -> _Terms | None:
    """The operands that could stay partial through this operation, if it is one that terms pass through."""
    held = {
        i: placements for i, placements in enumerate(question.held) if all(sharding.partial for sharding in placements)
    }
    if not held or not held.keys() <= question.passing:
        return None
    kinds = {(sharding.partial, sharding.reduction) for placements in held.values() for sharding in placements}
    if len(kinds) != 1:
        return None
    ((axes, reduction),) = kinds
    if reduction is None:
        raise OlympusInternalError("a partial value has no reduction")
    which = frozenset(held)
    record = question.record
    if record.moves_only and len(which) == len(question.types):
        return _Terms(which, axes, reduction)
    # Integer division is listed as linear in its first operand like any division, and is not.
    inexact = all(dtypes.is_float(t.dtype) or dtypes.is_complex(t.dtype) for t in question.result_types)
    if reduction == "sum" and which in record.additive and inexact:
        return _Terms(which, axes, reduction)
    return None


def _evaluated(
    question: Question, assignment: Assignment, terms: _Terms | None, limit: int | None
) -> Split | None:
    """The way with its cost; None when it is impossible or its score is beyond `limit` by moving alone."""
    mesh_shape, rule = question.mesh_shape, question.rule
    reduced = [axis for f, axes in enumerate(assignment) if rule.factors[f].kind == "reduced" for axis in axes]
    reductions = {
        rule.factors[f].reduction for f, axes in enumerate(assignment) if axes and rule.factors[f].kind == "reduced"
    }
    if terms is not None:
        if set(terms.axes) & {axis for axes in assignment for axis in axes}:
            return None
        reductions.add(terms.reduction)
        reduced += terms.axes
    if len(reductions) > 1:
        return None
    reduction = next(iter(reductions), None)
    total = 0
    operands: list[ValueSharding] = []
    for i, term in enumerate(rule.operands):
        sharding = ValueSharding(dims_of(mesh_shape, rule, term, assignment))
        if terms is not None and i in terms.operands:
            sharding = ValueSharding(sharding.dims, terms.axes, terms.reduction)
        cost = move_cost(mesh_shape, question.types[i], question.held[i], sharding)
        if cost is None or (limit is not None and (total + cost) * COMPUTED_FOR_A_BYTE > limit):
            return None
        total += cost
        operands.append(sharding)
    results: list[ValueSharding] = []
    for i, term in enumerate(rule.results):
        dims = dims_of(mesh_shape, rule, term, assignment)
        sharding = ValueSharding(dims, mesh_order(mesh_shape, reduced), reduction)
        target = ValueSharding(question.wanted[i])
        stays = question.wanted_terms[i] if question.wanted_terms and reduction == "sum" else ()
        if stays and (kept := tuple(axis for axis in sharding.partial if axis in stays)):
            target = ValueSharding(target.dims, kept, reduction)
        cost = move_cost(mesh_shape, question.result_types[i], [sharding], target)
        if cost is None or (limit is not None and (total + cost) * COMPUTED_FOR_A_BYTE > limit):
            return None
        total += cost
        results.append(sharding)
    return Split(assignment, tuple(operands), tuple(results), total)


def _volume(question: Question, assignment: Assignment) -> int:
    """The size of one device's part of the operation's index space."""
    return math.prod(
        factor.size // parts(question.mesh_shape, axes)
        for factor, axes in zip(question.rule.factors, assignment, strict=True)
    )


class _Ways:
    """The assignments worth comparing, the natural one first."""

    def __init__(self, question: Question) -> None:
        self.question = question
        rule, mesh_shape = question.rule, question.mesh_shape
        self.sequences: list[list[tuple[str, ...]]] = [[] for _ in rule.factors]
        claims = []
        homeless: set[str] = set()
        tensors = [
            (term, type, sharding.dims)
            for term, type, placements in zip(rule.operands, question.types, question.held, strict=True)
            for sharding in placements
        ] + list(zip(rule.results, question.result_types, question.wanted, strict=True))
        for order, (term, type, dims) in enumerate(tensors):
            placed_axes: set[str] = set()
            for factor, axes in project(mesh_shape, rule, term, dims).items():
                if rule.factors[factor].kind == "whole":
                    continue
                self.sequences[factor].append(axes)
                placed_axes.update(axes)
                claims.append((rule.factors[factor].kind == "reduced", -type.nbytes, order, factor, axes))
            homeless.update(axis for group in dims for axis in group if axis not in placed_axes)
        self.homeless = homeless
        self.natural = self._natural(sorted(claims))

    def _natural(self, claims: Sequence[tuple[bool, int, int, int, tuple[str, ...]]]) -> Assignment:
        assignment: list[tuple[str, ...]] = [()] * len(self.question.rule.factors)
        owner: dict[str, int] = {}
        for _, _, _, factor, axes in claims:
            if axes[: len(assignment[factor])] == assignment[factor]:
                for axis in axes[len(assignment[factor]):]:
                    if owner.setdefault(axis, factor) != factor:
                        break
                    assignment[factor] += (axis,)
        return tuple(assignment)

    def __iter__(self) -> Iterator[Assignment]:
        mesh_shape, rule = self.question.mesh_shape, self.question.rule
        if is_feasible(mesh_shape, rule, self.natural):
            yield self.natural
        options: dict[str, list[int | None]] = {}
        for f, sequences in enumerate(self.sequences):
            for axis in {axis for axes in sequences for axis in axes}:
                options.setdefault(axis, [None]).append(f)
        for axis in self.homeless:
            # What splits a factor that must be whole can split another one instead: an all-to-all, not a gather.
            known = options.setdefault(axis, [None])
            known += [
                f for f, factor in enumerate(rule.factors)
                if factor.kind == "parallel" and f not in known and factor.size % sizes_of(mesh_shape)[axis] == 0
                and factor.size > 1
            ]
        axes = mesh_order(mesh_shape, list(options))
        if math.prod(len(options[axis]) for axis in axes) > MOST_WAYS:
            yield from self._variations(axes, options)
            return
        for positions in itertools.product(*(options[axis] for axis in axes)):
            assignment = self._assignment(axes, positions)
            if assignment != self.natural and is_feasible(mesh_shape, rule, assignment):
                yield assignment

    def _variations(self, axes: Sequence[str], options: dict[str, list[int | None]]) -> Iterator[Assignment]:
        """Where there are too many: nothing split, and the natural one with the position of one axis changed."""
        mesh_shape, rule = self.question.mesh_shape, self.question.rule
        yield ((),) * len(rule.factors)
        at = {axis: f for f, group in enumerate(self.natural) for axis in group}
        for axis in axes:
            for position in options[axis]:
                positions = [position if other == axis else at.get(other) for other in axes]
                assignment = self._assignment(axes, positions)
                if is_feasible(mesh_shape, rule, assignment):
                    yield assignment

    def _assignment(self, axes: Sequence[str], positions: Sequence[int | None]) -> Assignment:
        groups: list[list[str]] = [[] for _ in self.question.rule.factors]
        for axis, position in zip(axes, positions, strict=True):
            if position is not None:
                groups[position].append(axis)
        return tuple(ordered(group, self.sequences[f]) for f, group in enumerate(groups))
