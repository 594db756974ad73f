# SPDX-License-Identifier: Apache-2.0
"""Explicit mode: shardings as a part of types, which follow from operands to results by the factor rules.

One forward pass for each operation. What is not settled by the operands alone is an error that says what to write,
never a choice. A type's layout names only the axes of its mesh that are explicit; None means that nothing is known
of it in this mode, which counts as replicated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from olympus_core import dtypes
from olympus_core.dataclass import dataclass
from olympus_core.dtypes import name_of
from olympus_core.errors import (
    AmbiguousReductionError,
    AxisReuseError,
    DifferentMeshesError,
    ShardingConflictError,
    ShardingTypeError,
    SplitDimensionError,
    UnevenResultError,
    UnreducedOperandError,
)
from olympus_core.placement import AxisType, Dims, Layout, Mesh
from olympus_core.program import ArrayType, FactorRule, OperationRecord, Program, operations_of

from .value_sharding import format_dims

Layouts = list[Layout | None]


@lru_cache(maxsize=4096)
def explicit_layout(layout: Layout) -> Layout | None:
    """The part of a layout that belongs to the type: its explicit axes; None where the mesh has none."""
    mesh = layout.mesh
    if not mesh.has_explicit_axes:
        return None
    types = dict(zip(mesh.axis_names, mesh.axis_types, strict=True))
    if all(types[axis] is AxisType.Explicit for axes in layout.dims for axis in axes):
        return layout
    return layout.with_dims(tuple(tuple(a for a in axes if types[a] is AxisType.Explicit) for axes in layout.dims))


def same_layout(a: Layout | None, b: Layout | None) -> bool:
    """Whether two types' layouts are the same; none is as good as replicated."""
    if a is None or b is None:
        known = b if a is None else a
        return known is None or not (known.is_split or known.reduced)
    return a is b or a == b or not (a.is_split or b.is_split or a.reduced or b.reduced)


def type_text(type: ArrayType, layout: Layout | None) -> str:
    """A type with its sharding: ``int32[4@X,2]``, and ``float32[4]{U:x}`` where it is unreduced over ``x``."""
    if layout is None:
        return repr(type)
    dims = [
        str(size) + (f"@{axes[0]}" if len(axes) == 1 else f"@({','.join(axes)})" if axes else "")
        for size, axes in zip(type.shape, layout.dims, strict=True)
    ]
    sums = " ".join(f"{letter}:{','.join(axes)}" for letter, axes in (("U", layout.unreduced), ("R", layout.reduced))
                    if axes)
    return f"{name_of(type.dtype)}[{','.join(dims)}]" + (f"{{{sums}}}" if sums else "")


def is_explicit(attributes: Mapping[str, Any], regions: Sequence[Program]) -> bool:
    """Whether an operation gives its results an explicit sharding, whatever its operands are."""
    mesh = attributes.get("mesh")
    if mesh is not None:
        return bool(mesh.has_explicit_axes)
    return any(
        operation.attributes["mesh"].has_explicit_axes
        for region in regions for operation in operations_of(region) if "mesh" in operation.attributes
    )


def result_layouts(
    record: OperationRecord, types: Sequence[ArrayType], layouts: Sequence[Layout | None],
    result_types: Sequence[ArrayType], attributes: Mapping[str, Any], regions: Sequence[Program] = (),
) -> Layouts:
    """The explicit shardings of an operation's results.

    Args:
        record: The operation.
        types: Types of the operands.
        layouts: Their explicit shardings.
        result_types: Types of the results.
        attributes: The operation's attributes.
        regions: Its regions.

    Returns:
        One for each result; None where no operand and no attribute says anything.

    Raises:
        ShardingTypeError: When the operands do not settle it.
    """
    if record.name == "sharding_constraint":
        return [explicit_layout(constraint_layout(attributes))]
    if record.name == "manual":
        return [explicit_layout(Layout(attributes["mesh"], dims)) for dims in attributes["out_dims"]]
    if regions:
        return _REGIONS[record.name](layouts, attributes, regions)
    if record.expansion is not None and record.factor_rule is None:
        return program_layouts(record.expansion(types, attributes, None), layouts)
    known = [layout for layout in layouts if layout is not None]
    if not known or record.factor_rule is None:
        return [None] * len(result_types)
    step = _Step(record, tuple(types), tuple(layouts), tuple(result_types),
                 record.factor_rule(types, result_types, attributes))
    if any(layout.mesh is not known[0].mesh for layout in known):
        raise DifferentMeshesError(record.name, step.shown(), [repr(layout.mesh) for layout in known])
    unreduced = step.unreduced()
    reduced = _reduced(record, known)
    return [Layout(known[0].mesh, dims, unreduced, reduced) for dims in step.results(known[0].mesh, unreduced)]


def _reduced(record: OperationRecord, known: Sequence[Layout]) -> tuple[str, ...]:
    """The axes over which results are reduced: those of all operands; not in contractions."""
    axes = {layout.reduced for layout in known}
    return axes.pop() if len(axes) == 1 and record.category != "contraction" else ()


def constraint_layout(attributes: Mapping[str, Any]) -> Layout:
    """The layout that a `sharding_constraint` says."""
    return Layout(attributes["mesh"], attributes["dims"], attributes.get("unreduced", ()),
                  attributes.get("reduced", ()))


@dataclass(frozen=True, slots=True)
class _Claim:
    """What a dimension of an operand asks for a factor."""

    operand: int
    dimension: int
    axes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Step:
    """One operation, its operands and its rule."""

    record: OperationRecord
    types: tuple[ArrayType, ...]
    layouts: tuple[Layout | None, ...]
    result_types: tuple[ArrayType, ...]
    rule: FactorRule

    def shown(self) -> list[str]:
        """The operands' types, for errors."""
        return [type_text(type, layout) for type, layout in zip(self.types, self.layouts, strict=True)]

    def unreduced(self) -> tuple[str, ...]:
        """The axes over which the results are unreduced: those of all operands in which it is linear together."""
        sums = {i: layout.unreduced for i, layout in enumerate(self.layouts) if layout is not None and layout.unreduced}
        if not sums:
            return ()
        record, which, axes = self.record, frozenset(sums), next(iter(sums.values()))
        every = record.moves_only and len(which) == len(self.types)
        quotient = record.name in ("div", "convert") and which == {0} and all(
            dtypes.is_float(t.dtype) or dtypes.is_complex(t.dtype) for t in (*self.types, *self.result_types))
        if set(sums.values()) != {axes} or not (every or quotient or which in record.additive):
            raise UnreducedOperandError(record.name, self.shown(), axes)
        return axes

    def results(self, mesh: Mesh, unreduced: tuple[str, ...] = ()) -> list[Dims]:
        """The dims of all results.

        Args:
            mesh: The mesh of the operands.
            unreduced: The axes over which the results are unreduced, and not split.
        """
        claims = self._claims(mesh)
        assignment = [self._agreed(factor, claims[factor]) for factor in range(len(self.rule.factors))]
        carried = self._carried(claims)
        found = []
        for number, (term, type) in enumerate(zip(self.rule.results, self.result_types, strict=True)):
            dims = tuple(
                carried.get((number, d)) or self._joined([(f, assignment[f]) for f in factors], type)
                for d, factors in enumerate(term)
            )
            self._check(mesh, type, dims, unreduced)
            found.append(dims)
        return found

    def _dims(self, operand: int) -> Dims:
        layout = self.layouts[operand]
        return ((),) * self.types[operand].ndim if layout is None else layout.dims

    def _claims(self, mesh: Mesh) -> list[list[_Claim]]:
        """For each factor what each dimension that has it asks for, also where that is nothing."""
        claims: list[list[_Claim]] = [[] for _ in self.rule.factors]
        for operand, term in enumerate(self.rule.operands):
            for dimension, (factors, axes) in enumerate(zip(term, self._dims(operand), strict=True)):
                for factor, share in self._shares(mesh, operand, dimension, factors, axes):
                    claims[factor].append(_Claim(operand, dimension, share))
        return claims

    def _shares(
        self, mesh: Mesh, operand: int, dimension: int, factors: Sequence[int], axes: tuple[str, ...]
    ) -> list[tuple[int, tuple[str, ...]]]:
        """The axes of a dimension, dealt to its factors: the major one is filled before the next gets any."""
        if len(factors) == 1:
            return [(factors[0], axes)]
        waiting, shares = list(axes), []
        for factor in factors:
            left, share = self.rule.factors[factor].size, []
            while left > 1 and waiting:
                if left % mesh.parts(waiting[:1]):
                    raise SplitDimensionError(self.record.name, self.shown(), operand, dimension, axes,
                                              self._result_texts())
                left //= mesh.parts(waiting[:1])
                share.append(waiting.pop(0))
            shares.append((factor, tuple(share)))
        return shares

    def _agreed(self, factor: int, claims: Sequence[_Claim]) -> tuple[str, ...]:
        """The axes of a factor; none for one that is not parallel."""
        kind = self.rule.factors[factor].kind
        if kind == "whole":
            return ()  # see `_carried`
        asking = [claim for claim in claims if claim.axes]
        if kind == "reduced" and self.record.category == "reduction":
            return ()  # an all-reduce follows: nothing to choose
        if any(claim.axes != asking[0].axes for claim in asking):
            self._refuse_conflict([claim for claim in claims if claim.axes])
        if kind == "parallel":
            return asking[0].axes if asking else ()
        if asking and self.record.category != "contraction":
            claim = asking[0]
            raise SplitDimensionError(self.record.name, self.shown(), claim.operand, claim.dimension, claim.axes)
        if asking and len(asking) == len(claims):
            raise AmbiguousReductionError(self.record.name, self.shown(), asking[0].axes)
        return ()

    def _carried(self, claims: Sequence[Sequence[_Claim]]) -> dict[tuple[int, int], tuple[str, ...]]:
        """For dimensions of results of which the operation needs all: the axes that they keep from the operands.

        A slice, a padding or a concatenation along a dimension leaves it a dimension of the same meaning, and so its
        sharding; a sorted or indexed dimension must not be split; one that argmax or argmin removes is gone.
        """
        carried: dict[tuple[int, int], list[_Claim]] = {}
        for factor, asking in enumerate(claims):
            if self.rule.factors[factor].kind != "whole" or self.rule.factors[factor].size == 1:
                continue
            gone = self.record.category == "reduction" and all((factor,) not in term for term in self.rule.results)
            for claim in asking:
                positions = self._positions(factor, claim)
                for position in positions:
                    carried.setdefault(position, []).append(claim)
                if claim.axes and not positions and not gone:
                    raise SplitDimensionError(self.record.name, self.shown(), claim.operand, claim.dimension,
                                              claim.axes, is_matrix=self.record.category == "linear_algebra")
        for along in carried.values():
            if any(claim.axes != along[0].axes for claim in along):
                self._refuse_conflict(along)
        return {position: along[0].axes for position, along in carried.items()}

    def _positions(self, factor: int, claim: _Claim) -> list[tuple[int, int]]:
        """The results, and in each the dimension, to which a whole dimension hands its axes on."""
        record, d, operand = self.record, claim.dimension, self.types[claim.operand]
        if not (record.category == "structure" or record.moves_only):
            return []
        found = []
        for number, (term, result) in enumerate(zip(self.rule.results, self.result_types, strict=True)):
            reshaped = operand.size == result.size and operand.shape != result.shape  # a dimension means another thing
            if len(term) == operand.ndim and len(term[d]) == 1 and not reshaped:
                same = term[d] == (factor,)
                if self.rule.factors[term[d][0]].kind == "whole" and (record.moves_only or not same):
                    found.append((number, d))
        return found

    def _joined(self, shares: Sequence[tuple[int, tuple[str, ...]]], type: ArrayType) -> tuple[str, ...]:
        """The axes of a dimension that is a product of factors: no factor may be split after one that is not."""
        axes: tuple[str, ...] = ()
        gap = False
        for factor, share in shares:
            if share and gap:
                raise SplitDimensionError(self.record.name, self.shown(), results=self._result_texts(), axes=share)
            gap = gap or (not share and self.rule.factors[factor].size > 1)
            axes += share
        return axes

    def _check(self, mesh: Mesh, type: ArrayType, dims: Dims, unreduced: tuple[str, ...]) -> None:
        used = [*unreduced, *(axis for axes in dims for axis in axes)]
        text = type_text(type, Layout(mesh, dims)) if used else ""
        twice = sorted({axis for axis in used if used.count(axis) > 1})
        if twice:
            raise AxisReuseError(self.record.name, self.shown(), twice, text)
        for d, (size, axes) in enumerate(zip(type.shape, dims, strict=True)):
            if size % mesh.parts(axes):
                raise UnevenResultError(self.record.name, self.shown(), repr(type), d, axes, mesh.parts(axes))

    def _refuse_conflict(self, claims: Sequence[_Claim]) -> None:
        first = claims[0]
        other = next(claim for claim in claims if claim.axes != first.axes)
        source, target = (other, first) if first.axes else (first, other)
        if self.rule.operands[source.operand] == self.rule.operands[target.operand]:
            dims = list(self._dims(target.operand))
        else:  # the other's axes at the position of the conflict, and nowhere else
            dims = [tuple(a for a in axes if a not in target.axes) for axes in self._dims(source.operand)]
            dims[source.dimension] = target.axes
        raise ShardingConflictError(self.record.name, self.shown(), first.axes, other.axes, source.operand,
                                    format_dims(tuple(dims)))

    def _result_texts(self) -> list[str]:
        return [repr(type) for type in self.result_types]


def program_layouts(program: Program, layouts: Sequence[Layout | None]) -> Layouts:
    """The explicit shardings of a program's outputs, given those of its inputs.

    What was staged in a scope where axes are not explicit may not follow from its operands; its results count as
    replicated until a constraint says where they are, as such a scope ends with one.
    """
    known = dict(zip(program.inputs, layouts, strict=True))
    for operation in program.operations:
        operands = [known[v] for v in operation.operands]
        if any(operands) or is_explicit(operation.attributes, operation.regions):
            types, result_types = [v.type for v in operation.operands], [v.type for v in operation.results]
            try:
                found = result_layouts(operation.record, types, operands, result_types, operation.attributes,
                                       operation.regions)
            except ShardingTypeError:
                found = [None] * len(operation.results)
        else:
            found = [None] * len(operation.results)
        known.update(zip(operation.results, found, strict=True))
    return [known[v] for v in program.outputs]


def _without_leading(layout: Layout | None) -> Layout | None:
    return None if layout is None else layout.with_dims(layout.dims[1:])


def _with_leading(layout: Layout | None) -> Layout | None:
    return None if layout is None else layout.with_dims(((), *layout.dims))


def _call(layouts: Sequence[Layout | None], attributes: Mapping[str, Any], regions: Sequence[Program]) -> Layouts:
    return program_layouts(regions[0], layouts)


def _cond(layouts: Sequence[Layout | None], attributes: Mapping[str, Any], regions: Sequence[Program]) -> Layouts:
    branches = [program_layouts(region, layouts[1:]) for region in regions]
    return [next((layout for layout in results if layout is not None), None) for results in zip(*branches, strict=True)]


def _while(layouts: Sequence[Layout | None], attributes: Mapping[str, Any], regions: Sequence[Program]) -> Layouts:
    return _carried_as(layouts[attributes["constants"]:], program_layouts(regions[1], layouts))


def _scan(layouts: Sequence[Layout | None], attributes: Mapping[str, Any], regions: Sequence[Program]) -> Layouts:
    first = attributes["constants"] + attributes["carry"]
    results = program_layouts(regions[0], [*layouts[:first], *map(_without_leading, layouts[first:])])
    carried = _carried_as(layouts[attributes["constants"]:first], results[: attributes["carry"]])
    return [*carried, *map(_with_leading, results[attributes["carry"]:])]


def _carried_as(given: Sequence[Layout | None], made: Sequence[Layout | None]) -> Layouts:
    """The layouts of carried values, which are those with which they begin, where these are known."""
    return [after if before is None else before for before, after in zip(given, made, strict=True)]


_REGIONS = {"call": _call, "cond": _cond, "while": _while, "scan": _scan}
