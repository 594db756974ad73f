# SPDX-License-Identifier: Apache-2.0
"""Loops: `while` has forward mode only; `scan` is linearized into a scan of values and one of tangents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from olympus_core import ops
from olympus_core.errors import LoopReverseError, NotLinearError
from olympus_core.program import Program, Value

from ...tracing import Aval, aval_of, bind, bind_all, current_trace
from ...tracing.aval import has_tangent
from ..traces.arithmetic import plus, zeros
from ..traces.batched_regions import batch_region, run_batched, selected
from ..traces.dimensions import moved, repeated
from ..traces.linear_trace import LinearTrace
from ..traces.linearization import linearized, run, transposed, with_tangents
from ..traces.programs import (
    arranged,
    avals_of,
    dependent,
    present,
    restricted,
    slice_aval,
    spread_out,
    staged,
)
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


@jvp_rule(ops.while_)
def _while_jvp(call: JvpCall) -> Jvp:
    """Forward mode only: one loop computes values and tangents."""
    if not call.forward:
        raise LoopReverseError
    constants = call.attributes["constants"]
    condition, body = call.regions
    avals = [aval_of(x) for x in call.primals]
    varies = [t is not None for t in call.tangents]
    while True:  # tangents of carried values only grow in number
        program, has, captured = with_tangents(body, avals, varies, varies[constants:])
        if has == varies[constants:]:
            break
        varies[constants:] = has
    tangents = [zeros(a) if v and t is None else t for t, a, v in zip(call.tangents, avals, varies, strict=True)]
    of_constants, of_carried = present(tangents[:constants]), present(tangents[constants:])
    # The loop takes: captured, constants, their tangents; carried values, their tangents.
    n, m = len(avals), len(of_constants)
    k, first = len(captured), len(avals) + len(of_constants) + len(of_carried)
    order = [*range(first, first + k), *range(constants), *range(n, n + m), *range(constants, n), *range(n + m, first)]
    body_region = arranged(program, order)
    types = [v.type for v in body_region.inputs]
    inputs = [Value(t) for t in types]
    kept = [*inputs[k:k + constants], *inputs[k + constants + m:k + m + n]]
    renamed = staged(lambda *values: run(condition, values), [Aval(v.type) for v in kept], condition.name)
    at = {id(v): i for i, v in enumerate(kept)}
    test = Program(condition.name, tuple(
        renamed.inputs[at[id(v)]] if id(v) in at else v for v in inputs), renamed.operations, renamed.outputs)
    operands = [*captured, *call.primals[:constants], *of_constants, *call.primals[constants:], *of_carried]
    attributes = {"constants": k + constants + m}
    results = bind_all(ops.while_, operands, attributes, (test, body_region), False)
    count = n - constants
    values = results[:count]
    if any(isinstance(t._trace, LinearTrace) for t in results if hasattr(t, "_trace")):
        # Where tangents are recorded only, so was the whole loop: values come from the loop without tangents.
        values = bind_all(ops.while_, call.primals, call.attributes, call.regions, call.weak)
    return values, spread_out(results[count:], varies[constants:])


@transpose_rule(ops.while_)
def _while_transpose(t: TransposeCall) -> Sequence[Any]:
    raise LoopReverseError


@jvp_rule(ops.scan)
def _scan_jvp(call: JvpCall) -> Jvp:
    a = call.attributes
    constants, carry = a["constants"], a["carry"]
    split = constants + carry
    (region,) = call.regions
    avals = [aval_of(x) if i < split else slice_aval(aval_of(x)) for i, x in enumerate(call.primals)]
    varies = [t is not None for t in call.tangents]
    while True:  # tangents of carried values only grow in number
        needed = [*varies[constants:split], *[False] * (len(region.outputs) - carry)]
        part = linearized(region, avals, varies, call.forward, needed, lambda i: not constants <= i < split)
        if part.has_tangent[:carry] == varies[constants:split]:
            break
        varies[constants:split] = part.has_tangent[:carry]
    n, count = len(avals), len(region.outputs)
    captured = part.captured
    order = [*range(n, n + len(captured)), *range(n)]
    attributes = {**a, "constants": constants + len(captured)}
    results = bind_all(ops.scan, [*captured, *call.primals], attributes, (arranged(part.forward, order),), call.weak)
    outputs, stacked = results[:count], iter(results[count:])
    # Of residuals, constants stay constants; all others are scanned.
    inputs = [*call.primals, *captured]
    values = [next(stacked) if s is None else inputs[s] for s in part.sources]
    is_constant = [s is not None and (s < constants or s >= n) for s in part.sources]
    tangents = [
        zeros(aval_of(x)) if v and t is None else t
        for t, x, v in zip(call.tangents, call.primals, varies, strict=True)]
    r = len(values)
    still = [i for i in range(r) if is_constant[i]]
    moving = [i for i in range(r) if not is_constant[i]]
    c, k = sum(varies[:constants]), sum(varies[constants:split])
    order = [*still, *range(r, r + c + k), *moving, *range(r + c + k, len(part.linear.inputs))]
    operands = [*values, *present(tangents)]
    attributes = {**a, "constants": len(still) + c, "carry": k}
    found = bind_all(ops.scan, [operands[i] for i in order], attributes, (arranged(part.linear, order),), False)
    return outputs, spread_out(found, part.has_tangent)


@separation(ops.scan)
def _scan_separated(
    operands: Sequence[Any], linear: Sequence[bool], attributes: Mapping[str, Any], regions: Sequence[Program]
) -> Separated | None:
    """Values that are carried beside tangents are scanned alone; the scan of tangents is given those of each step."""
    constants, carry = attributes["constants"], attributes["carry"]
    split = constants + carry
    (region,) = regions
    varies = list(linear)
    while True:
        found = dependent(region, varies)
        grown = [a or b for a, b in zip(varies[constants:split], found[:carry], strict=True)]
        if grown == varies[constants:split]:
            break
        varies[constants:split] = grown
    found[:carry] = grown
    if all(found):
        return None
    kept = [i for i in range(len(varies)) if not varies[i]]
    carried = [i for i in kept if constants <= i < split]
    wanted = [v for v, is_linear in zip(region.outputs, found, strict=True) if not is_linear]
    inputs = region.inputs
    alone = restricted(region, [inputs[i] for i in kept], [*wanted, *(inputs[i] for i in carried)])
    counts = {"constants": sum(i < constants for i in kept), "carry": len(carried)}
    values = bind_all(ops.scan, [operands[i] for i in kept], {**attributes, **counts}, (alone,), False)
    order = [*(i for i in range(len(inputs)) if i not in carried), *carried]
    rest = restricted(region, [inputs[i] for i in order], [
        v for v, is_linear in zip(region.outputs, found, strict=True) if is_linear], effects=True)
    given = [*operands, *values[len(wanted):]]
    moved = dict(zip(carried, range(len(operands), len(given)), strict=True))
    computed = iter(values)
    return Separated(
        [None if is_linear else next(computed) for is_linear in found],
        [given[moved.get(i, i)] for i in order], {**attributes, "carry": carry - len(carried)}, (rest,))


@transpose_rule(ops.scan)
def _scan_transpose(t: TransposeCall) -> Sequence[Any]:
    a = t.attributes
    constants, carry = a["constants"], a["carry"]
    split = constants + carry
    # A carried tangent may begin as zero, which is not on the tape.
    linear = [x or (constants <= i < split and has_tangent(t.avals[i])) for i, x in enumerate(t.linear)]
    if not all(linear[constants:split]):
        raise NotLinearError("scan", "it carries tangents and other values",
                             "Carry tangents only; hand other values in as constants or along with the scanned arrays.")
    avals = [x if i < split else slice_aval(x) for i, x in enumerate(t.avals)]
    given = [i < carry or c is not None for i, c in enumerate(t.cotangents)]
    program, captured = transposed(t.regions[0], avals, linear, given)
    rest = [i for i in range(len(avals)) if not linear[i]]
    still, moving = [i for i in rest if i < constants], [i for i in rest if i >= split]
    of_constants = [i for i in range(constants) if linear[i]]
    m = len(of_constants)
    y_avals = [slice_aval(aval_of(c)) for c in t.cotangents[carry:] if c is not None]
    carried = [t.avals[i] for i in (*of_constants, *range(constants, split))]

    def body(*values: Any) -> list[Any]:
        more, values = values[:len(captured)], values[len(captured):]
        fixed, values = values[:len(still)], values[len(still):]
        sums, values = values[:m], values[m:]
        back, values = values[:carry], values[carry:]
        found = run(program, [*fixed, *values[:len(moving)], *back, *values[len(moving):], *more])
        return [*(plus(x, y) for x, y in zip(sums, found[:m], strict=True)), *found[m:]]

    shown = [Aval(x.type, False, x.layout) for x in carried]
    region = staged(body, [
        *(aval_of(x) for x in captured), *(avals[i] for i in still), *shown, *(avals[i] for i in moving), *y_avals,
    ], f"{t.regions[0].name}_back")
    first = [
        *(zeros(t.avals[i]) for i in of_constants),
        *(zeros(t.avals[constants + i]) if c is None else c for i, c in enumerate(t.cotangents[:carry])),
    ]
    operands = [*captured, *(t.operands[i] for i in still), *first, *(t.operands[i] for i in moving),
                *present(t.cotangents[carry:])]
    attributes = {"constants": len(captured) + len(still), "carry": m + carry, "length": a["length"],
                  "reverse": not a["reverse"]}
    return spread_out(bind_all(ops.scan, operands, attributes, (region,), False), linear)


@batching_rule(ops.while_)
def _while_batching(call: BatchingCall) -> Batched:
    count = call.attributes["constants"]
    constants, carry = call.values[:count], list(call.values[count:])
    fixed, flags = list(call.batched[:count]), list(call.batched[count:])
    condition, body = call.regions

    def avals() -> list[Aval]:
        return avals_of([*constants, *carry])

    while True:
        decides, (varies,) = batch_region(call.trace, condition, avals(), [*fixed, *flags])
        _, found = batch_region(call.trace, body, avals(), [*fixed, *flags])
        grown = [flag or new or varies for flag, new in zip(flags, found, strict=True)]
        if grown == flags:
            break
        carry = [repeated(v, call.size) if new and not flag else v
                 for v, new, flag in zip(carry, grown, flags, strict=True)]
        flags = grown
    if varies:
        return _while_any(call, constants, carry, fixed)
    step, _ = batch_region(call.trace, body, avals(), [*fixed, *flags], flags)
    results = bind_all(call.record, [*constants, *carry], call.attributes, (decides, step), False)
    return list(zip(results, flags, strict=True))


def _while_any(call: BatchingCall, constants: Sequence[Any], carry: Sequence[Any], fixed: Sequence[bool]) -> Batched:
    """Runs while any index goes on; those that are done keep their values. Who goes on is carried along."""
    condition, body = call.regions
    count, flags = len(constants), [*fixed, *[True] * len(carry)]

    def going(trace: Any, values: Sequence[Any]) -> Any:
        ((value, is_batched),) = run_batched(trace, condition, values, flags)
        return value if is_batched else repeated(value, call.size)

    def any_goes(*values: Any) -> list[Any]:
        return [bind(ops.reduce_or, values[count], dimensions=(0,))]

    def step(*values: Any) -> list[Any]:
        trace = call.trace.inner(current_trace())
        shared, goes, old = values[:count], values[count], values[count + 1:]
        found = run_batched(trace, body, [*shared, *old], flags)
        new = [selected(goes, v if is_batched else repeated(v, call.size), before)
               for (v, is_batched), before in zip(found, old, strict=True)]
        still = bind(ops.and_, goes, going(trace, [*shared, *new]))
        trace.close()
        return [still, *new]

    goes = going(call.trace, [*constants, *carry])
    operands = [*constants, goes, *carry]
    avals = avals_of(operands)
    regions = (staged(any_goes, avals, condition.name), staged(step, avals, body.name))
    results = bind_all(call.record, operands, call.attributes, regions, False)
    return [(value, True) for value in results[1:]]


@batching_rule(ops.scan)
def _scan_batching(call: BatchingCall) -> Batched:
    count, carried = call.attributes["constants"], call.attributes["carry"]
    first = count + carried
    constants, carry = call.values[:count], list(call.values[count:first])
    # The scanned dimension comes first, the mapped one second.
    scanned = [moved(v, 0, 1) if is_batched else v for v, is_batched in zip(
        call.values[first:], call.batched[first:], strict=True)]
    fixed, flags, scanned_flags = call.batched[:count], list(call.batched[count:first]), call.batched[first:]
    (body,) = call.regions

    def batch(forced: Sequence[bool] | None = None) -> tuple[Program, list[bool]]:
        avals = [*avals_of([*constants, *carry]), *map(slice_aval, avals_of(scanned))]
        return batch_region(call.trace, body, avals, [*fixed, *flags, *scanned_flags], forced)

    while True:
        _, found = batch()
        grown = [flag or new for flag, new in zip(flags, found[:carried], strict=True)]
        if grown == flags:
            break
        carry = [repeated(v, call.size) if new and not flag else v
                 for v, new, flag in zip(carry, grown, flags, strict=True)]
        flags = grown
    stacked = found[carried:]
    region, _ = batch([*flags, *stacked])
    results = bind_all(call.record, [*constants, *carry, *scanned], call.attributes, (region,), False)
    return [*zip(results[:carried], flags, strict=True), *(
        (moved(value, 1, 0) if is_batched else value, is_batched)
        for value, is_batched in zip(results[carried:], stacked, strict=True))]
