# SPDX-License-Identifier: Apache-2.0
"""Programs inside of operations: run again in a batching trace, they become programs for all indices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from olympus_core.ops import scan, select
from olympus_core.program import Program, Value

from ...tracing import Aval, aval_of, bind, bind_all, current_trace, use_trace
from .dimensions import broadcast_to, repeated
from .programs import slice_aval, staged
from .table import BatchingCall, MappedDimension


def replayed(program: Program, values: Sequence[Any]) -> list[Any]:
    """A program's outputs, its operations bound once more in the current trace."""
    known: dict[Value, Any] = dict(zip(program.inputs, values, strict=True))
    for operation in program.operations:
        operands = [known[v] for v in operation.operands]
        results = bind_all(operation.record, operands, operation.attributes, operation.regions, False)
        known.update(zip(operation.results, results, strict=True))
    return [known[v] for v in program.outputs]


def run_batched(
    trace: MappedDimension, program: Program, values: Sequence[Any], batched: Sequence[bool]
) -> list[tuple[Any, bool]]:
    """A program for all indices at once, its operations bound in the trace around `trace`.

    Args:
        trace: The batching trace.
        program: The program for one index.
        values: Its inputs.
        batched: Which of them have the mapped dimension in front.
    """
    inputs = [trace.wrap(v, False) if is_batched else v for v, is_batched in zip(values, batched, strict=True)]
    with use_trace(trace):
        return [trace.unwrap(result) for result in replayed(program, inputs)]


def batch_region(
    trace: MappedDimension, program: Program, avals: Sequence[Aval], batched: Sequence[bool],
    forced: Sequence[bool] | None = None, size: int | None = None,
) -> tuple[Program, list[bool]]:
    """The program for all indices of a region.

    Args:
        trace: The batching trace.
        program: The region for one index.
        avals: What is known of its inputs: those that are batched with the mapped dimension in front.
        batched: Which of them are.
        forced: Which outputs get the mapped dimension even where they are the same for all indices.
        size: How many indices the mapped dimension has in the region; as many as outside when left out.

    Returns:
        The program, and which of its outputs have the mapped dimension in front.
    """
    flags: list[bool] = []

    def flat(*tracers: Any) -> list[Any]:
        inner = trace.inner(current_trace(), size)
        results = run_batched(inner, program, tracers, batched)
        inner.close()
        wanted = [is_batched or force for (_, is_batched), force in zip(
            results, forced if forced is not None else [False] * len(results), strict=True)]
        flags[:] = wanted
        return [repeated(value, inner.size) if want and not is_batched else value
                for (value, is_batched), want in zip(results, wanted, strict=True)]

    return staged(flat, avals, program.name), flags


def one_after_another(call: BatchingCall, body: Callable[[list[Any]], list[Any]]) -> list[Any]:
    """An operation for one index after another, in order, as a loop.

    Args:
        call: The operation.
        body: Operands of one index to results of one index.

    Returns:
        The results, with the mapped dimension in front.
    """
    shared = [i for i, is_batched in enumerate(call.batched) if not is_batched]
    mapped = [i for i, is_batched in enumerate(call.batched) if is_batched]
    avals = [aval_of(call.values[i]) for i in shared] + [slice_aval(aval_of(call.values[i])) for i in mapped]

    def flat(*values: Any) -> list[Any]:
        operands: list[Any] = [None] * len(values)
        for i, value in zip([*shared, *mapped], values, strict=True):
            operands[i] = value
        return body(operands)

    region = staged(flat, avals, call.record.name)
    attributes = {"constants": len(shared), "carry": 0, "length": call.size, "reverse": False}
    return bind_all(scan, [call.values[i] for i in (*shared, *mapped)], attributes, (region,), call.weak)


def selected(predicate: Any, on_true: Any, on_false: Any) -> Any:
    """For each index of the mapped dimension one of two values."""
    shape = aval_of(on_true).shape
    return bind(select, broadcast_to(predicate, shape, (0,)), on_true, on_false, weak=False)
