# SPDX-License-Identifier: Apache-2.0
"""Speculation: programs run as if no branch with a callback were taken, natively, and say when that was wrong.

Checks of libraries are branches that hardly ever run: an error is raised in one of them. A program with a callback in
it would be a list of stages, loops turn by turn. Without these branches it is compiled like any other; it has one more
result, the flag, which says whether one of them was reached. Then its results are dropped, and the whole program runs
again, with callbacks: nothing that it did before had effects.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.program import ArrayType, DeviceProgram, Operation, Program, ProgramBuilder, Value, operations_of

from .executable import TableExecutable
from .flatten import CONTROL, flatten

_FLAG = ArrayType((), dtypes.bool_)
_MOST_MISSES, _LEAST_SHARE = 4, 8  # so many, and one in so many runs: callbacks are no exception there


class _Unfit(Exception):
    """A callback that is in no branch."""


def speculative_program(program: DeviceProgram) -> DeviceProgram | None:
    """The program with the flag as its last output, and no callback; None where there are none, or not in branches.

    Args:
        program: The program. Where inputs are donated a second run could not read them, and devices that communicate
            would have to agree: there it is None, too.
    """
    if program.donated or program.spans_processes:
        return None
    every = operations_of(program.program)
    if any(o.record.communicates for o in every) or not any(o.record.category == "host" for o in every):
        return None
    try:
        return replace(program, program=_rewritten(program.program, None, len(program.program.outputs)))
    except _Unfit:
        return None


def speculative_executable(
    program: DeviceProgram, quick: TableExecutable, whole: Callable[[], TableExecutable],
    to_host: Callable[[Any], np.ndarray],
) -> TableExecutable:
    """The executable that runs what `speculative_program` made, and the whole program where its flag is set.

    Args:
        program: The whole program.
        quick: What is run first.
        whole: Compiles the whole program, when it is needed.
        to_host: The content of the platform's arrays.
    """
    again = cache(whole)
    runs = misses = 0

    def execute(inputs: Sequence[Sequence[Any]]) -> list[list[Any]]:
        nonlocal runs, misses
        if misses > _MOST_MISSES and misses * _LEAST_SHARE > runs:
            return again().execute(inputs)
        runs += 1
        results: list[list[Any]] = quick.execute(inputs)
        if not any(bool(to_host(flag.array)) for flag in results.pop()):
            return results
        misses += 1
        return again().execute(inputs)

    def text() -> str:
        return f"{quick.text()}\n\nwhere a callback is reached:\n{again().text()}"

    return TableExecutable(program, execute, text, False, quick.takes_allocations, quick.seconds, quick.code_bytes,
                           quick.scratch_bytes)


def _rewritten(program: Program, flag_at: int | None, flag_out: int) -> Program:
    """A program or region with the flag among its outputs.

    Args:
        program: What is rewritten.
        flag_at: Where among the inputs the flag comes in; None where it is not set yet.
        flag_out: Where among the outputs it goes.
    """
    flat = flatten(program)
    builder, known = ProgramBuilder(program.name), dict[Value, Value]()
    builder.inputs = list(flat.inputs)
    flag = None if flag_at is None else Value(_FLAG)
    if flag is not None and flag_at is not None:
        builder.inputs.insert(flag_at, flag)
    for operation in flat.operations:
        operands = [known.get(v, v) for v in operation.operands]
        if operation.record.category == "host":
            raise _Unfit
        # Where the flag is set numbers mean nothing: no loop may wait for them.
        if _has(operation, "host") or (flag is not None and (operation.name == "while" or _has(operation, "while"))):
            results, flag = _control(builder, operation, operands, flag)
            known.update(zip(operation.results, results, strict=True))
        else:
            builder.operations.append(replace(operation, operands=tuple(operands)))
    outputs = [known.get(v, v) for v in flat.outputs]
    outputs.insert(flag_out, _false(builder) if flag is None else flag)
    return builder.finish(outputs)


def _control(
    builder: ProgramBuilder, operation: Operation, operands: list[Value], flag: Value | None
) -> tuple[list[Value], Value]:
    """Control flow with the flag among its operands and results; its own results, and the flag after it."""
    if operation.name not in CONTROL:
        raise _Unfit
    attributes, regions = dict(operation.attributes), operation.regions
    at, out = len(operands), len(operation.results)
    if operation.name == "cond":
        made = [_branch(region) for region in regions]
        if all(one is None for one in made):
            raise _Unfit
        regions = tuple(_reached(region) if one is None else one for one, region in zip(made, regions, strict=True))
    elif operation.name == "while":
        condition, body = regions
        regions = _condition(condition), _rewritten(body, at, out)
    else:
        at, out = attributes["constants"] + attributes["carry"], attributes["carry"]
        attributes["carry"] += 1
        regions = (_rewritten(regions[0], at, out),)
    operands.insert(at, _false(builder) if flag is None else flag)
    results = list(builder.emit(operation.record, operands, attributes, regions, operation.location))
    return results, results.pop(out)


def _branch(region: Program) -> Program | None:
    """A branch with the flag as last input and output; None for one that is assumed not to be taken."""
    try:
        return _rewritten(region, len(region.inputs), len(region.outputs))
    except _Unfit:
        return None


def _reached(region: Program) -> Program:
    """Instead of a branch with a callback: zeros, and the flag is set."""
    builder = ProgramBuilder(region.name)
    builder.inputs = [Value(type) for type in (*region.input_types, _FLAG)]
    outputs: list[Value] = []
    for type in region.output_types:
        (zero,) = builder.emit(ops.constant, [], {"value": np.zeros((), type.dtype)})
        outputs += builder.emit(ops.broadcast_in_dim, [zero], {"shape": type.shape, "dimensions": ()})
    return builder.finish([*outputs, *builder.emit(ops.constant, [], {"value": np.array(True)})])


def _condition(region: Program) -> Program:
    """A loop's condition, which no longer holds when the flag is set."""
    if any(o.record.category == "host" or o.name == "while" for o in operations_of(region)):
        raise _Unfit
    flat = flatten(region)
    builder = ProgramBuilder(region.name)
    builder.inputs, builder.operations = list(flat.inputs), list(flat.operations)
    (unset,) = builder.emit(ops.not_, [builder.input(_FLAG)])
    return builder.finish(builder.emit(ops.and_, [flat.outputs[0], unset]))


def _has(operation: Operation, what: str) -> bool:
    """Whether an operation of this category or name is in a region of an operation."""
    return any(what in (inner.name, inner.record.category)
               for region in operation.regions for inner in operations_of(region))


def _false(builder: ProgramBuilder) -> Value:
    (found,) = builder.emit(ops.constant, [], {"value": np.array(False)})
    return found
