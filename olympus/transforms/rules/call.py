# SPDX-License-Identifier: Apache-2.0
"""Calls of programs: annotated regions by their own rules, others by those of their operations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from olympus_core import ops
from olympus_core.runtime import BoundedCache, ProgramEntry, size_of

from ...tracing import bind_all, current_trace, use_trace
from ..caches import kept
from ..traces.annotations import annotated, annotation_of
from ..traces.batched_regions import batch_region
from ..traces.jvp_trace import JvpTrace
from ..traces.linearization import run, transposed
from ..traces.programs import avals_of, present, spread_out
from ..traces.table import Batched, BatchingCall, Jvp, JvpCall, TransposeCall, batching_rule, jvp_rule, transpose_rule


@jvp_rule(ops.call)
def _call_jvp(call: JvpCall) -> Jvp:
    """An annotated region by its own rule; the operations of others are bound one by one."""
    (region,) = call.regions
    annotation = annotation_of(region)
    if annotation is not None:
        return annotation.differentiate(region, call.primals, call.tangents, call.forward)
    trace = JvpTrace(current_trace())
    with use_trace(trace):
        results = run(region, [trace.wrap(x, t) for x, t in zip(call.primals, call.tangents, strict=True)])
    pairs = [trace.split(result) for result in results]
    return [x for x, _ in pairs], [t for _, t in pairs]


@transpose_rule(ops.call)
def _call_transpose(t: TransposeCall) -> Sequence[Any]:
    (region,) = t.regions
    annotation = annotation_of(region)
    found = None if annotation is None else annotation.transpose(t)
    if found is not None:
        return found
    given = [c is not None for c in t.cotangents]
    program, captured = transposed(region, t.avals, t.linear, given)
    rest = [x for x, is_linear in zip(t.operands, t.linear, strict=True) if not is_linear]
    results = bind_all(ops.call, [*rest, *present(t.cotangents), *captured], {}, (program,), False)
    return spread_out(results, t.linear)


# Of eager calls; `about` says which results are batched.
_batched_programs: BoundedCache[Any, ProgramEntry] = kept(BoundedCache())


@batching_rule(ops.call)
def _call_batching(call: BatchingCall) -> Batched:
    (region,) = call.regions
    annotation = annotation_of(region)
    found = None if annotation is None else annotation.batch(call)
    if found is not None:
        return list(found)
    avals, trace = avals_of(call.values), call.trace
    layouts = tuple(a.layout for a in avals)
    key = (region, tuple(avals), layouts, tuple(call.batched), trace.size, trace.key, trace.mesh_axes)
    known = _batched_programs.get(key) if trace.is_eager else None
    if known is not None:
        known.was_used = True
        program, flags = known.program, known.about
    else:
        forced = [True] * len(region.outputs) if annotation is not None and annotation.changes_derivative else None
        program, flags = batch_region(trace, region, avals, call.batched, forced)
        if annotation is not None:  # derivatives have a rule for the call
            annotated(program, annotation.batched(region, trace, call.batched))
        if trace.is_eager:
            made = ProgramEntry(program, size_of(program), flags)
            _batched_programs.remember(key, made, made)
    results = bind_all(call.record, call.values, call.attributes, (program,), call.weak)
    return list(zip(results, flags, strict=True))
