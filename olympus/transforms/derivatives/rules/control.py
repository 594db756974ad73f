"""Derivatives of control flow: the values first, what their tangents need kept; then an operation on tangents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from olympus_core import ops
from olympus_core.errors import LoopReverseError, NotLinearError
from olympus_core.placement import Layout
from olympus_core.program import ArrayType, Program, Value

from ....tracing import Aval, aval_of, bind_all
from ...traces.annotations import annotation_of
from ...traces.arithmetic import plus, zeros
from ...traces.jvp_trace import JvpTrace
from ...traces.linear_trace import LinearTrace
from ...traces.linearization import linearized, run, staged, transposed, with_tangents
from ...traces.table import Step, Transposition, backward, forward, has_tangent

Result = tuple[Sequence[Any], Sequence[Any]]


def arranged(program: Program, order: Sequence[int], outputs: Sequence[int] | None = None) -> Program:
    """The program with its inputs in another order, and some of its outputs."""
    inputs = tuple(program.inputs[i] for i in order)
    outs = program.outputs if outputs is None else tuple(program.outputs[i] for i in outputs)
    return Program(program.name, inputs, program.operations, outs)


def with_inputs(program: Program, before: int, further: Sequence[ArrayType]) -> Program:
    """The program with further inputs, which it does not use."""
    inputs = (*program.inputs[:before], *(Value(t) for t in further), *program.inputs[before:])
    return Program(program.name, inputs, program.operations, program.outputs)


def present(values: Sequence[Any]) -> list[Any]:
    """The values that are not None."""
    return [value for value in values if value is not None]


def spread_out(values: Sequence[Any], has: Sequence[bool]) -> list[Any]:
    """Values at the places that have one, None elsewhere."""
    given = iter(values)
    return [next(given) if h else None for h in has]


@forward(ops.call)
def _call(step: Step) -> Result:
    """An annotated region by its own rule; others are written out."""
    (region,) = step.regions
    annotation = annotation_of(region)
    if annotation is not None:
        return annotation.differentiate(region, step.primals, step.tangents, step.forward)
    from ....tracing import current_trace, use_trace

    trace = JvpTrace(current_trace())
    with use_trace(trace):
        results = run(region, [trace.wrap(x, t) for x, t in zip(step.primals, step.tangents, strict=True)])
    pairs = [trace.split(result) for result in results]
    return [x for x, _ in pairs], [t for _, t in pairs]


@backward(ops.call)
def _call_back(t: Transposition) -> Sequence[Any]:
    (region,) = t.regions
    annotation = annotation_of(region)
    if annotation is not None and hasattr(annotation, "transpose"):
        return annotation.transpose(t)
    return through(t, lambda program, values: bind_all(ops.call, values, {}, (program,), False))


def through(t: Transposition, bind: Callable[[Program, list[Any]], list[Any]]) -> Sequence[Any]:
    """The way back through the only region of an operation that just runs it."""
    given = [c is not None for c in t.cotangents]
    program, captured = transposed(t.regions[0], t.avals, t.linear, given)
    rest = [x for x, is_linear in zip(t.operands, t.linear, strict=True) if not is_linear]
    return spread_out(bind(program, [*rest, *present(t.cotangents), *captured]), t.linear)


@forward(ops.cond)
def _cond(step: Step) -> Result:
    index, *operands = step.primals
    varies = [t is not None for t in step.tangents[1:]]
    avals = [aval_of(x) for x in operands]
    count = len(step.regions[0].outputs)
    parts = [linearized(region, avals, varies, step.forward) for region in step.regions]
    needed = [any(part.has_tangent[i] for part in parts) for i in range(count)]
    if any(part.has_tangent != needed for part in parts):
        parts = [linearized(region, avals, varies, step.forward, needed) for region in step.regions]
    # Each branch gives its own residuals, and zeros for those of the others.
    own = [[r for r, source in zip(p.residuals, p.sources, strict=True) if source is None] for p in parts]
    captured = [x for part in parts for x in part.captured]
    regions, first = [], 0
    for number, part in enumerate(parts):
        forms = [(i == number, r) for i, residuals in enumerate(own) for r in residuals]
        regions.append(_padded(part.forward, avals, part.captured, captured, first, forms, count))
        first += len(part.captured)
    results = bind_all(ops.cond, [index, *operands, *captured], {}, regions, step.weak)
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
    tangents = bind_all(ops.cond, [index, *flat, *present(step.tangents[1:])], {}, linear, False)
    return outputs, spread_out(tangents, needed)


def _padded(
    program: Program, avals: Sequence[Aval], own: Sequence[Any], captured: Sequence[Any], first: int,
    forms: Sequence[tuple[bool, Aval]], count: int,
) -> Program:
    """A branch that takes what all branches captured, and gives residuals for all of them."""
    every = [aval_of(x) for x in captured]

    def branch(*values: Any) -> list[Any]:
        mine = values[len(avals) + first:len(avals) + first + len(own)]
        results = run(program, [*values[:len(avals)], *mine])
        residuals = iter(results[count:])
        return [*results[:count], *(next(residuals) if is_mine else zeros(aval) for is_mine, aval in forms)]

    return staged(branch, [*avals, *every], program.name)


@backward(ops.cond)
def _cond_back(t: Transposition) -> Sequence[Any]:
    index, *operands = t.operands
    linear, avals = t.linear[1:], t.avals[1:]
    given = [c is not None for c in t.cotangents]
    found = [transposed(region, avals, linear, given) for region in t.regions]
    captured = [x for _, more in found for x in more]
    types = [aval_of(x).type for x in captured]
    regions, first = [], 0
    for program, more in found:
        whole = with_inputs(program, len(program.inputs) - len(more), types[:first])
        first += len(more)
        regions.append(with_inputs(whole, len(whole.inputs), types[first:]))
    rest = [x for x, is_linear in zip(operands, linear, strict=True) if not is_linear]
    results = bind_all(ops.cond, [index, *rest, *present(t.cotangents), *captured], {}, regions, False)
    return [None, *spread_out(results, linear)]


@forward(ops.while_)
def _while(step: Step) -> Result:
    """Forward only: values and tangents go through one loop."""
    if not step.forward:
        raise LoopReverseError
    constants = step.attributes["constants"]
    condition, body = step.regions
    avals = [aval_of(x) for x in step.primals]
    varies = [t is not None for t in step.tangents]
    while True:  # tangents of carried values only grow in number
        program, has, captured = with_tangents(body, avals, varies, varies[constants:])
        if has == varies[constants:]:
            break
        varies[constants:] = has
    tangents = [zeros(a) if v and t is None else t for t, a, v in zip(step.tangents, avals, varies, strict=True)]
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
    operands = [*captured, *step.primals[:constants], *of_constants, *step.primals[constants:], *of_carried]
    attributes = {"constants": k + constants + m}
    results = bind_all(ops.while_, operands, attributes, (test, body_region), False)
    count = n - constants
    values = results[:count]
    if any(isinstance(t._trace, LinearTrace) for t in results if hasattr(t, "_trace")):
        # Where tangents are only written down, so was the loop: the values come from one without.
        values = bind_all(ops.while_, step.primals, step.attributes, step.regions, step.weak)
    return values, spread_out(results[count:], varies[constants:])


@backward(ops.while_)
def _while_back(t: Transposition) -> Sequence[Any]:
    raise LoopReverseError


def slice_aval(aval: Aval) -> Aval:
    """What is known of one step's part of a scanned array."""
    layout = None if aval.layout is None else Layout(aval.layout.mesh, aval.layout.dims[1:])
    return Aval(ArrayType(aval.shape[1:], aval.dtype), False, layout)


@forward(ops.scan)
def _scan(step: Step) -> Result:
    a = step.attributes
    constants, carry = a["constants"], a["carry"]
    split = constants + carry
    (region,) = step.regions
    avals = [aval_of(x) if i < split else slice_aval(aval_of(x)) for i, x in enumerate(step.primals)]
    varies = [t is not None for t in step.tangents]
    while True:  # tangents of carried values only grow in number
        needed = [*varies[constants:split], *[False] * (len(region.outputs) - carry)]
        part = linearized(region, avals, varies, step.forward, needed, lambda i: not constants <= i < split)
        if part.has_tangent[:carry] == varies[constants:split]:
            break
        varies[constants:split] = part.has_tangent[:carry]
    n, count = len(avals), len(region.outputs)
    captured = part.captured
    order = [*range(n, n + len(captured)), *range(n)]
    attributes = {**a, "constants": constants + len(captured)}
    results = bind_all(ops.scan, [*captured, *step.primals], attributes, (arranged(part.forward, order),), step.weak)
    outputs, stacked = results[:count], iter(results[count:])
    # Of residuals, constants stay constants; all others are walked along.
    inputs = [*step.primals, *captured]
    values = [next(stacked) if s is None else inputs[s] for s in part.sources]
    is_constant = [s is not None and (s < constants or s >= n) for s in part.sources]
    tangents = [
        zeros(aval_of(x)) if v and t is None else t
        for t, x, v in zip(step.tangents, step.primals, varies, strict=True)]
    r = len(values)
    still = [i for i in range(r) if is_constant[i]]
    moving = [i for i in range(r) if not is_constant[i]]
    c, k = sum(varies[:constants]), sum(varies[constants:split])
    order = [*still, *range(r, r + c + k), *moving, *range(r + c + k, len(part.linear.inputs))]
    operands = [*values, *present(tangents)]
    attributes = {**a, "constants": len(still) + c, "carry": k}
    found = bind_all(ops.scan, [operands[i] for i in order], attributes, (arranged(part.linear, order),), False)
    return outputs, spread_out(found, part.has_tangent)


@backward(ops.scan)
def _scan_back(t: Transposition) -> Sequence[Any]:
    a = t.attributes
    constants, carry = a["constants"], a["carry"]
    split = constants + carry
    # A carried tangent may begin as zero, which is none of the tangents that were written down.
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

