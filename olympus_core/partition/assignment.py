# SPDX-License-Identifier: Apache-2.0
"""Arithmetic between the axes of dimensions and the axes of an operation's factors.

An *assignment* gives every factor of an operation the axes that split it. A dimension that is a product of factors
can be split from its major factor on: a minor factor only once all before it are split completely.
"""

from __future__ import annotations

from collections.abc import Sequence

from olympus_core.placement import Dims
from olympus_core.program import DimensionFactors, FactorRule

from .value_sharding import MeshShape, parts, sizes_of

Assignment = tuple[tuple[str, ...], ...]  # for each factor the axes that split it, major first


def project(mesh_shape: MeshShape, rule: FactorRule, term: DimensionFactors, dims: Dims) -> dict[int, tuple[str, ...]]:
    """The axes that a tensor's dims give to the factors of its dimensions.

    Args:
        mesh_shape: Name and size of each mesh axis.
        rule: The operation's rule.
        term: The factors of each of the tensor's dimensions.
        dims: The tensor's dims.

    Returns:
        For each factor that gets axes these axes; axes that fall across factors are left out.
    """
    sizes = sizes_of(mesh_shape)
    found: dict[int, tuple[str, ...]] = {}
    for factors, axes in zip(term, dims, strict=True):
        if not axes:
            continue
        waiting = list(axes)
        for factor in factors:
            left = rule.factors[factor].size
            taken: list[str] = []
            while waiting and left % sizes[waiting[0]] == 0 and left > 0:
                left //= sizes[waiting[0]]
                taken.append(waiting.pop(0))
            if taken:
                found[factor] = tuple(taken)
            if left != 1:
                break
    return found


def dims_of(mesh_shape: MeshShape, rule: FactorRule, term: DimensionFactors, assignment: Assignment) -> Dims:
    """The dims that an assignment means for a tensor; minor factors that cannot be split yet are left out."""
    dims: list[tuple[str, ...]] = []
    for factors in term:
        axes: tuple[str, ...] = ()
        for factor in factors:
            axes += assignment[factor]
            if parts(mesh_shape, assignment[factor]) != rule.factors[factor].size:
                break
        dims.append(axes)
    return tuple(dims)


def is_feasible(mesh_shape: MeshShape, rule: FactorRule, assignment: Assignment) -> bool:
    """Whether the operation can be split so: sizes divide, whole factors whole, minor factors after major ones."""
    for factor, axes in zip(rule.factors, assignment, strict=True):
        if axes and (factor.kind == "whole" or factor.size % parts(mesh_shape, axes)):
            return False
    for term in (*rule.operands, *rule.results):
        for factors in term:
            if len(factors) > 1:
                complete = True
                for f in factors:
                    if assignment[f] and not complete:
                        return False
                    complete = complete and parts(mesh_shape, assignment[f]) == rule.factors[f].size
    return True


def ordered(axes: Sequence[str], sequences: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """The axes in the order of the first sequence that holds them all, else as they come."""
    wanted = set(axes)
    for sequence in sequences:
        kept = tuple(axis for axis in sequence if axis in wanted)
        if len(kept) == len(wanted):
            return kept
    return tuple(axes)
