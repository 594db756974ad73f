# SPDX-License-Identifier: Apache-2.0
"""Propagation: from the placements that are given to one for every value.

Every operation is an *equation* between the dims of its operands and results, by its factor rule; control flow gives
equations between what goes into a region and what comes out. Equations are applied forward and backward until
nothing changes. Dims only ever grow (a dimension gets further axes), so this ends. Given dims never change.

In a conflict the better claim wins: parallel factors before reduced ones, given before propagated, then the larger
tensor. A first phase applies only the equations that pass dims through unchanged (elementwise, structure, control
flow), so that contractions follow what their neighbours have agreed on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from olympus_core.dataclass import dataclass, field
from olympus_core.errors import OlympusInternalError
from olympus_core.placement import Dims, Layout, Mesh
from olympus_core.program import DimensionFactors, Factor, FactorRule, Operation, Program, Value

from .assignment import Assignment, dims_of, project
from .meshes import dims_on
from .prepare import values_of
from .value_sharding import MeshShape, format_dims, parts

_PASSES_THROUGH = ("elementwise", "structure", "control")


@dataclass(frozen=True, slots=True)
class Propagated:
    """What propagation decided.

    Args:
        dims: The dims of every value; in manual regions over the axes that are not manual there.
        decisions: For people: each conflict and what settled it.
    """

    dims: Mapping[Value, Dims]
    decisions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Equation:
    """Values whose dims hang together by a rule."""

    what: str
    rule: FactorRule
    values: tuple[Value, ...]
    terms: tuple[DimensionFactors, ...]
    passes_through: bool


@dataclass(slots=True)
class _State:
    mesh: Mesh
    dims: dict[Value, Dims] = field(default_factory=dict)
    given: set[Value] = field(default_factory=set)
    decisions: dict[str, None] = field(default_factory=dict)  # kept in order, each once

    def fix(self, value: Value, dims: Dims) -> None:
        self.dims[value] = dims
        self.given.add(value)


def propagate(
    program: Program, mesh: Mesh, in_dims: Sequence[Dims], out_dims: Sequence[Dims | None]
) -> Propagated:
    """Decides the dims of every value.

    Args:
        program: A prepared program: no calls, no shared regions.
        mesh: The devices.
        in_dims: The inputs' dims.
        out_dims: The outputs' dims; None where propagation decides.

    Returns:
        The dims of all values and the reasons for them.
    """
    state = _State(mesh)
    for value, dims in zip(program.inputs, in_dims, strict=True):
        state.fix(value, dims)
    equations = list(_equations(program, state))
    for output, wanted in zip(program.outputs, out_dims, strict=True):
        if wanted is not None:
            asked = Value(output.type)
            state.fix(asked, wanted)
            equations.append(_equal("an output", [output, asked]))
    for equation in equations:
        for value in equation.values:
            state.dims.setdefault(value, ((),) * value.type.ndim)
    first = [equation for equation in equations if equation.passes_through]
    for phase in (first, equations):
        changed = True
        while changed:
            changed = False
            for order in (phase, reversed(phase)):
                for equation in order:
                    changed |= _apply(equation, state)
    for value in values_of(program):
        state.dims.setdefault(value, ((),) * value.type.ndim)
    return Propagated(state.dims, tuple(state.decisions))


def _apply(equation: _Equation, state: _State) -> bool:
    """Applies one equation; whether any dims grew."""
    if not any(any(state.dims[value]) for value in equation.values):
        return False
    assignment = _agreed(equation, state)
    changed = False
    for value, term in zip(equation.values, equation.terms, strict=True):
        if value not in state.given:
            wanted = dims_of(state.mesh.shape_tuple, equation.rule, term, assignment)
            grown = _grown(state.mesh.shape_tuple, value, state.dims[value], wanted)
            if grown != state.dims[value]:
                state.dims[value] = grown
                changed = True
    return changed


def _agreed(equation: _Equation, state: _State) -> Assignment:
    """For each factor the longest sequence of axes that the better claims allow."""
    rule = equation.rule
    claims = []
    for order, (value, term) in enumerate(zip(equation.values, equation.terms, strict=True)):
        for factor, axes in project(state.mesh.shape_tuple, rule, term, state.dims[value]).items():
            reduced = rule.factors[factor].kind == "reduced"
            claims.append((reduced, value not in state.given, -value.type.nbytes, order, factor, axes))
    assignment: list[tuple[str, ...]] = [()] * len(rule.factors)
    owner: dict[str, int] = {}
    for _, _, _, order, factor, axes in sorted(claims):
        have = assignment[factor]
        shared = min(len(have), len(axes))
        if have[:shared] != axes[:shared]:
            _note(equation, state, order, axes, f"the factor is already split over {have}")
            continue
        for axis in axes[shared:]:
            if owner.get(axis, factor) != factor:
                _note(equation, state, order, axes, f"axis {axis!r} already splits another factor")
                break
            owner[axis] = factor
            assignment[factor] += (axis,)
    return tuple(assignment)


def _note(equation: _Equation, state: _State, order: int, axes: tuple[str, ...], why: str) -> None:
    value = equation.values[order]
    state.decisions.setdefault(
        f"{equation.what}: {value.type} placed {format_dims(state.dims[value])} asks for {axes}, but {why}"
    )


def _grown(mesh_shape: MeshShape, value: Value, dims: Dims, wanted: Dims) -> Dims:
    """The dims with the further axes that are wanted and fit."""
    grown = list(dims)
    for d, (have, more) in enumerate(zip(dims, wanted, strict=True)):
        if len(more) > len(have) and more[: len(have)] == have:
            elsewhere = {axis for e, axes in enumerate(grown) if e != d for axis in axes}
            axes = have
            for axis in more[len(have):]:
                if axis in elsewhere or value.type.shape[d] % parts(mesh_shape, (*axes, axis)):
                    break
                axes = (*axes, axis)
            grown[d] = axes
    return tuple(grown)


def _equations(program: Program, state: _State) -> Iterator[_Equation]:
    sliced = {o.results[0]: o.operands[0] for o in program.operations if o.name == "slice"}
    for operation in program.operations:
        rolled = _rolled(operation, sliced)
        if rolled is not None:
            yield _equal(described(operation), [rolled, operation.results[0]])
        if operation.name == "manual":
            yield from _manual_equations(operation, state)
        elif operation.record.category == "control":
            yield from _CONTROL[operation.name](operation)
            for region in operation.regions:
                yield from _equations(region, state)
        elif operation.record.category == "collective":
            if operation.operands:
                yield _collective_equation(operation)
        else:
            if operation.name == "sharding_constraint":
                dims = dims_on(state.mesh, operation.attributes["mesh"], operation.attributes["dims"])
                Layout(state.mesh, dims).shard_shape(operation.results[0].type.shape)  # refuses what does not divide
                state.fix(operation.results[0], dims)
            yield _operation_equation(operation)


def _rolled(operation: Operation, sliced: Mapping[Value, Value]) -> Value | None:
    """The value that a concatenation puts together again from its two parts; None where it does something else.

    Their sizes may not divide, so that the parts are whole, but a rolled array is best placed as it was before.
    """
    if operation.name != "concatenate" or len(operation.operands) != 2:
        return None
    source, other = (sliced.get(part) for part in operation.operands)
    is_whole = source is not None and source is other and source.type.shape == operation.results[0].type.shape
    return source if is_whole else None


def _operation_equation(operation: Operation) -> _Equation:
    rule = rule_of(operation)
    terms = _paired(rule)
    passes = operation.record.category in _PASSES_THROUGH
    return _Equation(described(operation), rule, (*operation.operands, *operation.results), terms, passes)


def rule_of(operation: Operation) -> FactorRule:
    """The factor rule of an operation for its types."""
    factor_rule = operation.record.factor_rule
    if factor_rule is None:
        raise OlympusInternalError(f"operation {operation.name} has no factor rule")
    return factor_rule([v.type for v in operation.operands], [v.type for v in operation.results], operation.attributes)


def described(operation: Operation) -> str:
    """The operation with the user's line, for people."""
    return f"{operation.name} at {operation.location}" if operation.location else operation.name


def _paired(rule: FactorRule) -> tuple[DimensionFactors, ...]:
    """The terms, with whole dimensions of operands taken for the result's dimension of the same number.

    A slice or a pad changes a dimension's size and needs all of it, but its result is best placed as its operand
    was; such dimensions have factors of their own in the rule, so they are put together here.
    """
    if len(rule.results) != 1:
        return (*rule.operands, *rule.results)
    (result,) = rule.results
    terms = []
    for operand in rule.operands:
        same = len(operand) == len(result)
        terms.append(tuple(
            result[d] if same and _is_whole(rule, factors) and _is_whole(rule, result[d]) else factors
            for d, factors in enumerate(operand)
        ))
    return (*terms, result)


def _is_whole(rule: FactorRule, factors: tuple[int, ...]) -> bool:
    return len(factors) == 1 and rule.factors[factors[0]].kind == "whole"


def _equal(what: str, values: Sequence[Value], leading: frozenset[int] = frozenset()) -> _Equation:
    """Values that lie alike; those in `leading` have one dimension more in front, which is never split."""
    shape = next(v.type.shape[1:] if i in leading else v.type.shape for i, v in enumerate(values))
    rule = FactorRule.elementwise((1, *shape), 0, 0)
    dims = tuple((i + 1,) for i in range(len(shape)))
    terms = tuple(((0,), *dims) if i in leading else dims for i in range(len(values)))
    return _Equation(what, rule, tuple(values), terms, True)


def _cond_equations(operation: Operation) -> Iterator[_Equation]:
    what = described(operation)
    for i, operand in enumerate(operation.operands[1:]):
        yield _equal(what, [operand, *(region.inputs[i] for region in operation.regions)])
    for i, result in enumerate(operation.results):
        yield _equal(what, [result, *(region.outputs[i] for region in operation.regions)])


def _while_equations(operation: Operation) -> Iterator[_Equation]:
    what, (condition, body) = described(operation), operation.regions
    constants = operation.attributes["constants"]
    for i, operand in enumerate(operation.operands):
        values = [operand, body.inputs[i], condition.inputs[i]]
        if i >= constants:
            values += [body.outputs[i - constants], operation.results[i - constants]]
        yield _equal(what, values)


def _scan_equations(operation: Operation) -> Iterator[_Equation]:
    what, (body,) = described(operation), operation.regions
    constants, carried = operation.attributes["constants"], operation.attributes["carry"]
    for i, operand in enumerate(operation.operands):
        values = [operand, body.inputs[i]]
        if constants <= i < constants + carried:
            values += [body.outputs[i - constants], operation.results[i - constants]]
        yield _equal(what, values, frozenset({0}) if i >= constants + carried else frozenset())
    for stacked, value in zip(operation.results[carried:], body.outputs[carried:], strict=True):
        yield _equal(what, [stacked, value], frozenset({0}))


_CONTROL = {"cond": _cond_equations, "while": _while_equations, "scan": _scan_equations}


def _manual_equations(operation: Operation, state: _State) -> Iterator[_Equation]:
    """What is outside lies as the border says, then as inside; inside there are only the axes that are not manual."""
    attributes, (region,) = operation.attributes, operation.regions
    mesh = attributes["mesh"]
    for operand, inside, dims in zip(operation.operands, region.inputs, attributes["in_dims"], strict=True):
        yield _border(operation, operand, inside, dims_on(state.mesh, mesh, dims), state)
    yield from _equations(region, state)
    for result, inside, dims in zip(operation.results, region.outputs, attributes["out_dims"], strict=True):
        border = dims_on(state.mesh, mesh, dims)
        state.dims[result] = border
        yield _border(operation, result, inside, border, state)


def _border(operation: Operation, outside: Value, inside: Value, dims: Dims, state: _State) -> _Equation:
    """Outside every dimension is the border's factor, then the one of inside."""
    shape_tuple = state.mesh.shape_tuple
    (manual,) = dims_on(state.mesh, operation.attributes["mesh"], (operation.attributes["axes"],))
    idle = [axis for axis in manual if not any(axis in group for group in dims)]
    ndim = outside.type.ndim
    # The manual axes that the border does not use get factors of their own, so that nobody else gets these axes.
    factors = (
        *(Factor(parts(shape_tuple, group)) for group in dims), *(Factor(n) for n in inside.type.shape),
        *(Factor(parts(shape_tuple, (axis,))) for axis in idle),
    )
    shape = (*outside.type.shape, *(factor.size for factor in factors[2 * ndim:]))
    given = Value(outside.type.with_shape(shape))
    state.fix(given, (*dims, *((axis,) for axis in idle)))
    whole = tuple((d, ndim + d) for d in range(ndim))
    terms = (
        (*whole, *((2 * ndim + i,) for i in range(len(idle)))), whole, tuple((ndim + d,) for d in range(ndim))
    )
    return _Equation(described(operation), FactorRule(factors, (), ()), (given, outside, inside), terms, True)


def _collective_equation(operation: Operation) -> _Equation:
    """Dimensions that the collective leaves alone lie as before."""
    (operand,), (result,) = operation.operands, operation.results
    touched = {operation.attributes.get(key) for key in ("dimension", "split_dimension", "concat_dimension")}
    ndim = operand.type.ndim
    factors = tuple(Factor(n) for n in (*operand.type.shape, *result.type.shape))
    before = tuple((d,) for d in range(ndim))
    after = tuple((ndim + d,) if d in touched else (d,) for d in range(ndim))
    return _Equation(described(operation), FactorRule(factors, (), ()), (operand, result), (before, after), True)
