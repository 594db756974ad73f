"""Control flow: regions are batched; where indices go different ways, all ways are gone and results selected."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus_core import ops
from olympus_core.program import AxisGroup, Program, operations_of
from olympus_core.runtime import KeptProgram, Recent, size_of

from ....tracing import Aval, aval_of, bind, bind_all, current_trace
from ....tracing.explicit import hide_axes
from ...caches import kept
from ...traces.annotations import annotated, annotation_of
from ...traces.batched_regions import batch_region, closed, run_batched, slice_aval
from ...traces.batching_call import Call, Result, moved, repeated, spread_to
from .table import Rule

# Jitted functions' regions, where they run at once.
_known: Recent[Any, KeptProgram] = kept(Recent())  # about: which results are batched


def _call(call: Call) -> list[Result]:
    (region,) = call.regions
    avals, trace = _avals(call.values), call.trace
    key = (region, tuple(avals), tuple(call.batched), trace.size, trace.key, trace.mesh_axes)
    known = _known.get(key) if trace.is_eager else None
    if known is not None:
        known.was_used = True
        program, flags = known.program, known.about
    else:
        annotation = annotation_of(region)
        forced = [True] * len(region.outputs) if annotation is not None and annotation.is_rule else None
        program, flags = batch_region(trace, region, avals, call.batched, forced)
        if annotation is not None:  # derivatives have a rule for the call
            annotated(program, annotation.mapped(region, trace, call.batched))
        if trace.is_eager:
            made = KeptProgram(program, size_of(program), flags)
            _known.remember(key, made, made)
    results = bind_all(call.record, call.values, call.attributes, (program,), call.weak)
    return list(zip(results, flags, strict=True))


def _avals(values: Sequence[Any]) -> list[Aval]:
    return [aval_of(value) for value in values]


def _cond(call: Call) -> list[Result]:
    index, *arguments = call.values
    flags = call.batched[1:]
    if call.batched[0]:
        return _chosen(call, index, arguments, flags)
    avals = _avals(arguments)
    found = [batch_region(call.trace, region, avals, flags)[1] for region in call.regions]
    forced = [any(each) for each in zip(*found, strict=True)]
    regions = [batch_region(call.trace, region, avals, flags, forced)[0] for region in call.regions]
    results = bind_all(call.record, call.values, call.attributes, regions, call.weak)
    return list(zip(results, forced, strict=True))


def _chosen(call: Call, index: Any, arguments: Sequence[Any], flags: Sequence[bool]) -> list[Result]:
    """Every branch for all indices; each index takes its own branch's results."""
    size = call.size
    results: list[Any] = []
    for number, region in enumerate(call.regions):
        found = run_batched(call.trace, region, arguments, flags)
        values = [value if is_batched else repeated(value, size) for value, is_batched in found]
        if number == 0:
            results = values
            continue
        # The last one that the index reaches: what is beyond both ends counts as the end.
        reached = bind(ops.ge, index, spread_to(np.asarray(number, np.int32), (size,), ()))
        results = [_selected(reached, new, old) for new, old in zip(values, results, strict=True)]
    return [(value, True) for value in results]


def _selected(predicate: Any, on_true: Any, on_false: Any) -> Any:
    """For each index of the mapped dimension one of two values."""
    shape = aval_of(on_true).shape
    return bind(ops.select, spread_to(predicate, shape, (0,)), on_true, on_false, weak=False)


def _while(call: Call) -> list[Result]:
    count = call.attributes["constants"]
    constants, carry = call.values[:count], list(call.values[count:])
    fixed, flags = list(call.batched[:count]), list(call.batched[count:])
    condition, body = call.regions

    def avals() -> list[Aval]:
        return _avals([*constants, *carry])

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


def _while_any(call: Call, constants: Sequence[Any], carry: Sequence[Any], fixed: Sequence[bool]) -> list[Result]:
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
        new = [_selected(goes, v if is_batched else repeated(v, call.size), before)
               for (v, is_batched), before in zip(found, old, strict=True)]
        still = bind(ops.and_, goes, going(trace, [*shared, *new]))
        trace.close()
        return [still, *new]

    goes = going(call.trace, [*constants, *carry])
    operands = [*constants, goes, *carry]
    avals = _avals(operands)
    regions = (closed(any_goes, avals, condition.name), closed(step, avals, body.name))
    results = bind_all(call.record, operands, call.attributes, regions, False)
    return [(value, True) for value in results[1:]]


def _scan(call: Call) -> list[Result]:
    count, carried = call.attributes["constants"], call.attributes["carry"]
    first = count + carried
    constants, carry = call.values[:count], list(call.values[count:first])
    # The loop walks along the first dimension, so that the mapped one comes second in what it walks along.
    scanned = [moved(v, 0, 1) if is_batched else v for v, is_batched in zip(
        call.values[first:], call.batched[first:], strict=True)]
    fixed, flags, walked = call.batched[:count], list(call.batched[count:first]), call.batched[first:]
    (body,) = call.regions

    def batch(forced: Sequence[bool] | None = None) -> tuple[Program, list[bool]]:
        avals = [*_avals([*constants, *carry]), *map(slice_aval, _avals(scanned))]
        return batch_region(call.trace, body, avals, [*fixed, *flags, *walked], forced)

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


def _manual(call: Call) -> list[Result]:
    mesh, in_dims, out_dims = (call.attributes[name] for name in ("mesh", "in_dims", "out_dims"))
    front = _front_axes(call)
    size = call.size // mesh.parts(front)
    (region,) = call.regions
    avals = []
    for value, is_batched in zip(region.inputs, call.batched, strict=True):
        shape = (size, *value.type.shape) if is_batched else value.type.shape
        avals.append(Aval(value.type.with_shape(shape)))
    with hide_axes(mesh.axis_names):
        program, flags = batch_region(call.trace, region, avals, call.batched, size=size)
    attributes = {
        **call.attributes,
        "in_dims": tuple((front, *d) if is_batched else d for d, is_batched in zip(in_dims, call.batched, strict=True)),
        "out_dims": tuple((front, *d) if is_batched else d for d, is_batched in zip(out_dims, flags, strict=True)),
    }
    results = bind_all(call.record, call.values, attributes, (program,), call.weak)
    return list(zip(results, flags, strict=True))


def _front_axes(call: Call) -> tuple[str, ...]:
    """The manual axes over which the mapped dimension may stay split: those that mean nothing else inside."""
    wanted = call.trace.mesh_axes
    for value, is_batched in zip(call.values, call.batched, strict=True):
        layout = aval_of(value).layout
        if is_batched and layout is not None and layout.mesh is call.attributes["mesh"]:
            wanted = layout.dims[0]
            break
    attributes = call.attributes
    used = {axis for dims in (*attributes["in_dims"], *attributes["out_dims"]) for axes in dims for axis in axes}
    for operation in operations_of(call.regions[0]):
        group = operation.attributes.get("group")
        used |= set(group.axes) if isinstance(group, AxisGroup) else set()
    front = tuple(axis for axis in wanted if axis in attributes["axes"] and axis not in used)
    return () if call.trace.key is not None or call.size % attributes["mesh"].parts(front) else front


CONTROL: dict[str, Rule] = {"call": _call, "cond": _cond, "while": _while, "scan": _scan, "manual": _manual}
