"""Derivatives of manual regions (`shard_map`): of all devices' functions at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from olympus_core import ops
from olympus_core.placement import Layout
from olympus_core.program import ArrayType, AxisGroup, Program

from ....tracing import Aval, aval_of, bind_all
from ....tracing.explicit import hide_axes
from ...traces.arithmetic import apply, reshape, scaled
from ...traces.linearization import linearized, run, staged, transposed
from ...traces.table import Step, Transposition, backward, forward
from .control import present, spread_out

Result = tuple[Sequence[Any], Sequence[Any]]
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


@forward(ops.manual)
def _manual(step: Step) -> Result:
    a = step.attributes
    mesh, axes, (region,) = a["mesh"], a["axes"], step.regions
    in_dims, out_dims = a["in_dims"], a["out_dims"]
    avals = [_local(mesh, aval_of(x), dims) for x, dims in zip(step.primals, in_dims, strict=True)]
    varies = [t is not None for t in step.tangents]
    count = len(region.outputs)
    with hide_axes(mesh.axis_names):
        part = linearized(region, avals, varies, step.forward)
        whole = {i: ((),) * aval_of(x).ndim for i, x in enumerate(part.captured, len(avals))}
        inputs = [*avals, *(aval_of(x) for x in part.captured)]
        # What a device keeps may differ from all others': one more dimension, split over all the axes.
        first = _reshaped(part.forward, inputs, list, lambda outs: [
            *outs[:count], *(reshape(x, (1, *aval_of(x).shape)) for x in outs[count:])])
    computed = [r for r, s in zip(part.residuals, part.sources, strict=True) if s is None]
    kept_dims = [(tuple(axes), *((),) * r.ndim) for r in computed]
    all_in = [*in_dims, *whole.values()]
    results = bind_all(ops.manual, [*step.primals, *part.captured], {
        **a, "in_dims": tuple(all_in), "out_dims": (*out_dims, *kept_dims)}, (first,), step.weak)
    outputs, kept = results[:count], iter(results[count:])
    everything, dims_of_kept = [*step.primals, *part.captured], iter(kept_dims)
    values = [next(kept) if s is None else everything[s] for s in part.sources]
    dims = [next(dims_of_kept) if s is None else all_in[s] for s in part.sources]
    moved = [s is None for s in part.sources]
    r = len(values)
    with hide_axes(mesh.axis_names):
        locals_ = [_stacked(x) if is_moved else x for x, is_moved in zip(part.residuals, moved, strict=True)]
        tangent_avals = [x for x, v in zip(avals, varies, strict=True) if v]
        second = _reshaped(part.linear, [*locals_, *tangent_avals], lambda xs: [
            reshape(x, aval_of(x).shape[1:]) if i < r and moved[i] else x for i, x in enumerate(xs)], list)
    tangents = bind_all(ops.manual, [*values, *present(step.tangents)], {
        **a, "in_dims": (*dims, *(d for d, v in zip(in_dims, varies, strict=True) if v)),
        "out_dims": tuple(d for d, has in zip(out_dims, part.has_tangent, strict=True) if has)}, (second,), False)
    return outputs, spread_out(tangents, part.has_tangent)


@backward(ops.manual)
def _manual_back(t: Transposition) -> Sequence[Any]:
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
            # A result that all devices along an axis give alike is each device's in equal parts.
            for i, dims in enumerate(out_dims, len(rest)):
                parts = 1
                for axis in _missing(axes, dims):
                    parts *= sizes[axis]
                if parts > 1:
                    values[i] = scaled(values[i], 1 / parts)
            return values

        def total(results: list[Any]) -> list[Any]:
            # An argument that all devices along an axis have whole is there for each of them.
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
