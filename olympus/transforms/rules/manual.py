# SPDX-License-Identifier: Apache-2.0
"""Manual regions (`shard_map`): derivatives are those of all devices' functions at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from olympus_core import ops
from olympus_core.placement import Layout
from olympus_core.program import ArrayType, AxisGroup, Program, operations_of

from ...tracing import Aval, aval_of, bind_all
from ...tracing.explicit import hide_axes
from ..traces.arithmetic import apply, reshape, scaled
from ..traces.batched_regions import batch_region
from ..traces.linearization import linearized, run, transposed
from ..traces.programs import present, spread_out, staged
from ..traces.table import Batched, BatchingCall, Jvp, JvpCall, TransposeCall, batching_rule, jvp_rule, transpose_rule

Dims = tuple[tuple[str, ...], ...]


def _local(mesh: Any, aval: Aval, dims: Dims) -> Aval:
    return Aval(ArrayType(Layout(mesh, dims).shard_shape(aval.shape), aval.dtype))


def _stacked(aval: Aval) -> Aval:
    return Aval(ArrayType((1, *aval.shape), aval.dtype))


def _reshaped(
    program: Program, avals: Sequence[Aval], change: Callable[[list[Any]], list[Any]],
    results: Callable[[list[Any]], list[Any]],
) -> Program:
    return staged(lambda *values: results(run(program, change(list(values)))), avals, program.name)


@jvp_rule(ops.manual)
def _manual_jvp(call: JvpCall) -> Jvp:
    a = call.attributes
    mesh, axes, (region,) = a["mesh"], a["axes"], call.regions
    in_dims, out_dims = a["in_dims"], a["out_dims"]
    avals = [_local(mesh, aval_of(x), dims) for x, dims in zip(call.primals, in_dims, strict=True)]
    varies = [t is not None for t in call.tangents]
    count = len(region.outputs)
    with hide_axes(mesh.axis_names):
        part = linearized(region, avals, varies, call.forward)
        captured_dims = {i: ((),) * aval_of(x).ndim for i, x in enumerate(part.captured, len(avals))}
        inputs = [*avals, *(aval_of(x) for x in part.captured)]
        # Residuals differ from device to device: they get one more dimension, split over all manual axes.
        first = _reshaped(part.forward, inputs, list, lambda outs: [
            *outs[:count], *(reshape(x, (1, *aval_of(x).shape)) for x in outs[count:])])
    computed = [r for r, s in zip(part.residuals, part.sources, strict=True) if s is None]
    kept_dims = [(tuple(axes), *((),) * r.ndim) for r in computed]
    all_in = [*in_dims, *captured_dims.values()]
    results = bind_all(ops.manual, [*call.primals, *part.captured], {
        **a, "in_dims": tuple(all_in), "out_dims": (*out_dims, *kept_dims)}, (first,), call.weak)
    outputs, kept = results[:count], iter(results[count:])
    everything, dims_of_kept = [*call.primals, *part.captured], iter(kept_dims)
    values = [next(kept) if s is None else everything[s] for s in part.sources]
    dims = [next(dims_of_kept) if s is None else all_in[s] for s in part.sources]
    moved = [s is None for s in part.sources]
    r = len(values)
    with hide_axes(mesh.axis_names):
        locals_ = [_stacked(x) if is_moved else x for x, is_moved in zip(part.residuals, moved, strict=True)]
        tangent_avals = [x for x, v in zip(avals, varies, strict=True) if v]
        second = _reshaped(part.linear, [*locals_, *tangent_avals], lambda xs: [
            reshape(x, aval_of(x).shape[1:]) if i < r and moved[i] else x for i, x in enumerate(xs)], list)
    tangents = bind_all(ops.manual, [*values, *present(call.tangents)], {
        **a, "in_dims": (*dims, *(d for d, v in zip(in_dims, varies, strict=True) if v)),
        "out_dims": tuple(d for d, has in zip(out_dims, part.has_tangent, strict=True) if has)}, (second,), False)
    return outputs, spread_out(tangents, part.has_tangent)


@transpose_rule(ops.manual)
def _manual_transpose(t: TransposeCall) -> Sequence[Any]:
    a = t.attributes
    mesh, axes, in_dims = a["mesh"], a["axes"], a["in_dims"]
    sizes = dict(mesh.shape_tuple)
    given = [c is not None for c in t.cotangents]
    out_dims = [d for d, has in zip(a["out_dims"], given, strict=True) if has]
    cotangents = present(t.cotangents)
    avals = [_local(mesh, x, dims) for x, dims in zip(t.avals, in_dims, strict=True)]
    rest = [i for i, is_linear in enumerate(t.linear) if not is_linear]
    linear_dims = [d for d, is_linear in zip(in_dims, t.linear, strict=True) if is_linear]
    with hide_axes(mesh.axis_names):
        program, captured = transposed(t.regions[0], avals, t.linear, given)
        local = [_local(mesh, aval_of(c), d) for c, d in zip(cotangents, out_dims, strict=True)]

        def spread(values: list[Any]) -> list[Any]:
            # A result that is replicated along an axis counts once: each device has an equal share of its cotangent.
            for i, dims in enumerate(out_dims, len(rest)):
                parts = 1
                for axis in _missing(axes, dims):
                    parts *= sizes[axis]
                if parts > 1:
                    values[i] = scaled(values[i], 1 / parts)
            return values

        def total(results: list[Any]) -> list[Any]:
            # An argument that is replicated along an axis has the sum of the devices' cotangents.
            found = []
            for x, dims in zip(results, linear_dims, strict=True):
                missing = _missing(axes, dims)
                group = AxisGroup(mesh.shape_tuple, missing)
                found.append(apply(ops.all_reduce, x, reduction="sum", group=group) if missing else x)
            return found

        region = _reshaped(program, [*(avals[i] for i in rest), *local, *(aval_of(x) for x in captured)], spread, total)
    results = bind_all(ops.manual, [*(t.operands[i] for i in rest), *cotangents, *captured], {
        **a, "in_dims": (*(in_dims[i] for i in rest), *out_dims, *(((),) * aval_of(x).ndim for x in captured)),
        "out_dims": tuple(linear_dims)}, (region,), False)
    return spread_out(results, t.linear)


def _missing(axes: Sequence[str], dims: Dims) -> tuple[str, ...]:
    used = {axis for entry in dims for axis in entry}
    return tuple(axis for axis in axes if axis not in used)


@batching_rule(ops.manual)
def _manual_batching(call: BatchingCall) -> Batched:
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


def _front_axes(call: BatchingCall) -> tuple[str, ...]:
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
