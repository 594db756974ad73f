# SPDX-License-Identifier: Apache-2.0
"""Conditionals: linearized branch by branch; with a mapped index every branch runs, and results are selected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from olympus_core import ops
from olympus_core.program import Program

from ...tracing import Aval, aval_of, bind, bind_all
from ...tracing.aval import has_tangent
from ..traces.annotations import constants
from ..traces.arithmetic import zeros
from ..traces.batched_regions import batch_region, run_batched, selected
from ..traces.dimensions import broadcast_to, repeated
from ..traces.linearization import linearized, run, transposed
from ..traces.programs import avals_of, dependent, present, restricted, spread_out, staged, with_inputs
from ..traces.table import (
    Batched,
    BatchingCall,
    Jvp,
    JvpCall,
    Separated,
    TransposeCall,
    batching_rule,
    jvp_rule,
    separation,
    transpose_rule,
)


@jvp_rule(ops.cond)
def _cond_jvp(call: JvpCall) -> Jvp:
    index, *operands = call.primals
    varies = [t is not None for t in call.tangents[1:]]
    avals = [aval_of(x) for x in operands]
    count = len(call.regions[0].outputs)
    parts = [linearized(region, avals, varies, call.forward) for region in call.regions]
    needed = [any(part.has_tangent[i] for part in parts) for i in range(count)]
    if any(part.has_tangent != needed for part in parts):
        parts = [linearized(region, avals, varies, call.forward, needed) for region in call.regions]
    # Each branch gives its own residuals, and zeros for those of the others.
    own = [[r for r, source in zip(p.residuals, p.sources, strict=True) if source is None] for p in parts]
    captured = [x for part in parts for x in part.captured]
    regions, first = [], 0
    for number, part in enumerate(parts):
        forms = [(i == number, r) for i, residuals in enumerate(own) for r in residuals]
        regions.append(_padded(part.forward, avals, part.captured, captured, first, forms, count))
        first += len(part.captured)
    results = bind_all(ops.cond, [index, *operands, *captured], {}, regions, call.weak)
    outputs, residuals = results[:count], results[count:]
    # Then the tangents, of what each branch needs.
    given: list[Any] = []
    linear, start = [], 0
    for part, mine in zip(parts, own, strict=True):
        computed = iter(residuals[start:start + len(mine)])
        inputs = [*operands, *part.captured]
        given.append([next(computed) if s is None else inputs[s] for s in part.sources])
        start += len(mine)
    types = [[aval_of(x).type for x in values] for values in given]
    for number, part in enumerate(parts):
        program = with_inputs(part.linear, 0, [t for other in types[:number] for t in other])
        before = sum(len(other) for other in types[:number + 1])
        linear.append(with_inputs(program, before, [t for other in types[number + 1:] for t in other]))
    flat = [x for values in given for x in values]
    tangents = bind_all(ops.cond, [index, *flat, *present(call.tangents[1:])], {}, linear, False)
    return outputs, spread_out(tangents, needed)


def _padded(
    program: Program, avals: Sequence[Aval], own: Sequence[Any], captured: Sequence[Any], first: int,
    forms: Sequence[tuple[bool, Aval]], count: int,
) -> Program:
    """A branch with the captured inputs and the residuals of all branches."""
    every = [aval_of(x) for x in captured]

    def branch(*values: Any) -> list[Any]:
        mine = values[len(avals) + first:len(avals) + first + len(own)]
        results = run(program, [*values[:len(avals)], *mine])
        residuals = iter(results[count:])
        return [*results[:count], *(next(residuals) if is_mine else zeros(aval) for is_mine, aval in forms)]

    return staged(branch, [*avals, *every], program.name)


@separation(ops.cond)
def _cond_separated(
    operands: Sequence[Any], linear: Sequence[bool], attributes: Mapping[str, Any], regions: Sequence[Program]
) -> Separated | None:
    found = [any(flags) for flags in zip(*(dependent(region, linear[1:]) for region in regions), strict=True)]
    if all(found):
        return None
    kept = [i for i, is_linear in enumerate(linear) if not is_linear]

    def branches(inputs: Sequence[int], wanted: bool) -> list[Program]:
        return [restricted(region, [region.inputs[i - 1] for i in inputs], [
            v for v, is_linear in zip(region.outputs, found, strict=True) if is_linear == wanted], wanted)
            for region in regions]

    computed = iter(bind_all(ops.cond, [operands[i] for i in kept], attributes, branches(kept[1:], False), False))
    return Separated([None if is_linear else next(computed) for is_linear in found], operands, attributes,
                     branches(range(1, len(operands)), True))


@transpose_rule(ops.cond)
def _cond_transpose(t: TransposeCall) -> Sequence[Any]:
    index, *operands = t.operands
    linear, avals = t.linear[1:], t.avals[1:]
    given = [c is not None for c in t.cotangents]
    found = [transposed(region, avals, linear, given) for region in t.regions]
    captured = [x for _, more in found for x in more]
    types = [aval_of(x).type for x in captured]
    regions, first = [], 0
    for program, more in found:
        extended = with_inputs(program, len(program.inputs) - len(more), types[:first])
        first += len(more)
        regions.append(with_inputs(extended, len(extended.inputs), types[first:]))
    rest = [x for x, is_linear in zip(operands, linear, strict=True) if not is_linear]
    results = bind_all(ops.cond, [index, *rest, *present(t.cotangents), *captured], {}, regions, False)
    return [None, *spread_out(results, linear)]


@batching_rule(ops.cond)
def _cond_batching(call: BatchingCall) -> Batched:
    index, *arguments = call.values
    flags = call.batched[1:]
    if call.batched[0]:
        return _chosen(call, index, arguments, flags)
    avals = avals_of(arguments)
    found = [batch_region(call.trace, region, avals, flags)[1] for region in call.regions]
    forced = [any(each) for each in zip(*found, strict=True)]
    regions = [batch_region(call.trace, region, avals, flags, forced)[0] for region in call.regions]
    results = bind_all(call.record, call.values, call.attributes, regions, call.weak)
    return list(zip(results, forced, strict=True))


def _chosen(call: BatchingCall, index: Any, arguments: Sequence[Any], flags: Sequence[bool]) -> Batched:
    """Every branch for all indices; each index takes its own branch's results."""
    size, last = call.size, len(call.regions) - 1
    bounds = [broadcast_to(np.asarray(number, np.int32), (size,), ()) for number in range(last + 1)]
    # The last one that the index reaches: what is beyond both ends counts as the end.
    reached = [None, *(bind(ops.ge, index, bound) for bound in bounds[1:])]
    results: list[Any] = []
    for number, region in enumerate(call.regions):
        takes = reached[number]
        if number < last:
            before = bind(ops.not_, reached[number + 1])
            takes = before if takes is None else bind(ops.and_, takes, before)
        found = run_batched(call.trace, region, *_differentiated(takes, arguments, flags, size))
        values = [value if is_batched else repeated(value, size) for value, is_batched in found]
        if number == 0:
            results = values
            continue
        results = [selected(reached[number], new, old) for new, old in zip(values, results, strict=True)]
    handed_on = [_handed_on(call.regions, position) for position in range(len(results))]
    return [(value, True) if operand is None else (arguments[operand], flags[operand])
            for value, operand in zip(results, handed_on, strict=True)]


def _handed_on(regions: Sequence[Program], position: int) -> int | None:
    """The operand that every branch gives as this result, as it is; None where there is none."""
    found = {next((i for i, x in enumerate(region.inputs) if x is region.outputs[position]), None)
             for region in regions}
    return found.pop() if len(found) == 1 else None


def _differentiated(
    takes: Any, arguments: Sequence[Any], flags: Sequence[bool], size: int
) -> tuple[list[Any], list[bool]]:
    """A branch's arguments, constants for the derivatives of the indices that do not take the branch.

    An infinite slope in a branch that an index does not take would otherwise meet its tangent of zero, and make NaN.
    """
    if takes is None:  # there is one branch, which all take
        return list(arguments), list(flags)
    values, batched = [], []
    for value, is_batched in zip(arguments, flags, strict=True):
        if has_tangent(aval_of(value)):
            value, is_batched = value if is_batched else repeated(value, size), True
            value = selected(takes, value, constants(value))
        values.append(value)
        batched.append(is_batched)
    return values, batched
