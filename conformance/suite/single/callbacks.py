# SPDX-License-Identifier: Apache-2.0
"""Calls from a program into the host's Python, and errors in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.plugin import Buffer, Device, Executable
from olympus_core.program import ArrayType, Program, ProgramBuilder, Value

from ...checks import require, require_equal, require_no_error, require_raises, require_same_bits
from ...context import Context
from ...programs import array_type, needs, program_of, require_refused, scalar
from ...requirement import Case, requirement

Way = Callable[[Buffer], object]

_VECTOR = array_type(4)
_CASE = [Case(needs=needs("host_callback", "add"))]


class _Intended(Exception):
    """An error that a callback raises on purpose."""


def _calling(
    builder: ProgramBuilder, name: str, function: Callable[..., Any], operands: Sequence[Value],
    types: Sequence[ArrayType] = (),
) -> tuple[Value, ...]:
    attributes = {"callback": ops.HostFunction(name, function), "result_types": tuple(types), "ordered": True}
    return builder.emit(ops.host_callback, operands, attributes)


def _around(name: str, function: Callable[[np.ndarray], Any]) -> Program:
    """``f(x + x) + x``."""

    def body(builder: ProgramBuilder, x: Value) -> Sequence[Value]:
        (y,) = builder.emit(ops.add, [x, x])
        (z,) = _calling(builder, name, lambda v: [function(v)], [y], [_VECTOR])
        return builder.emit(ops.add, [z, x])

    return program_of(name, [_VECTOR], body)


def _outcome(context: Context, program: Program, values: Sequence[np.ndarray], devices: Sequence[Device]) -> Any:
    """Executes a program and waits for all that comes of it."""
    columns = context.compile(program, devices).execute([[context.put(v, d) for v, d in
                                                         zip(values, devices, strict=True)]])
    for column in columns:
        for buffer in column:
            buffer.block_until_ready()
    return columns


def _values(devices: Sequence[Device]) -> list[np.ndarray]:
    return [np.arange(4, dtype=np.float32) + 10 * i for i in range(len(devices))]


def _refused(context: Context) -> None:
    require_refused(context, _around("refused", lambda value: value))


@requirement(
    "callbacks/results",
    "A callback MUST be called once for each device, with its operands as NumPy arrays of their types, and its results "
    "MUST be used.",
    why="Programs ask the host for what the device cannot compute.",
    profile="single",
    cases=_CASE,
    refusal=_refused,
)
def results(context: Context) -> None:
    """Each device with its own values."""
    given: list[np.ndarray] = []

    def function(value: np.ndarray) -> np.ndarray:
        given.append(np.array(value))
        return np.asarray(value * 3, np.float32)

    program = _around("times_three", function)
    values = _values(context.devices)
    columns = _outcome(context, program, values, context.devices)
    require_equal(len(given), len(values), "the number of calls")
    for value in values:
        require(any(np.array_equal(2 * value, x) and x.dtype == value.dtype for x in given),
                observed=f"the callback was given {given}", required=f"{2 * value} among them", program=program.text)
    for buffer, value in zip(columns[0], values, strict=True):
        require_same_bits(buffer.to_host(), 7 * value, "the result", program.text)


@requirement(
    "callbacks/order",
    "Ordered callbacks MUST be called in the order of the program, also when nobody uses their results, and in the "
    "iterations of loops.",
    why="Printing and logging are done by them.",
    profile="single",
    cases=[Case(needs=needs("host_callback", "scan", "add"))],
)
def order(context: Context) -> None:
    """Before, in and after a loop, in several executions."""
    calls: list[str] = []

    def note(builder: ProgramBuilder, name: str, value: Value) -> None:
        _calling(builder, name, lambda x: calls.append(f"{name} {float(np.ravel(x)[0]):g}"), [value])

    row = array_type()

    def step(builder: ProgramBuilder, x: Value) -> Sequence[Value]:
        note(builder, "iteration", x)
        return [x]

    region = program_of("step", [row], step)

    def body(builder: ProgramBuilder, x: Value) -> Sequence[Value]:
        note(builder, "first", x)
        note(builder, "second", builder.emit(ops.add, [x, x])[0])
        (y,) = builder.emit(ops.scan, [x], {"constants": 0, "carry": 0, "length": 4, "reverse": False}, [region])
        note(builder, "last", y)
        return builder.emit(ops.add, [y, y])

    program = program_of("notes", [_VECTOR], body)
    executable = context.compile(program)
    for start in (1, 5):
        calls.clear()
        ((output,),) = executable.execute([[context.put(np.arange(start, start + 4, dtype=np.float32))]])
        output.block_until_ready()
        context.client.synchronize()
        iterations = (f"iteration {start + i}" for i in range(4))
        wanted = [f"first {start}", f"second {2 * start}", *iterations, f"last {start}"]
        require(calls == wanted, observed=f"the calls were {calls}", required=f"{wanted}", program=program.text)


@requirement(
    "errors/raised",
    "An error in a callback MUST be raised by `execute`, by `block_until_ready` or by reading the output, and MUST NOT "
    "end in a result.",
    why="A program that goes wrong must not look as if it had gone well.",
    profile="single",
    cases=_CASE,
)
def raised(context: Context) -> None:
    """On each device, by each way of asking."""

    def fail(value: np.ndarray) -> np.ndarray:
        raise _Intended("on purpose")

    program = _around("failing", fail)
    ways: tuple[Way, ...] = (lambda b: b.block_until_ready(), lambda b: b.to_host())
    for device in context.devices:
        executable = context.compile(program, [device])
        for way in ways:
            given = context.put(np.ones(4, np.float32), device)

            def run(executable: Executable = executable, way: Way = way, given: Buffer = given) -> object:
                return way(executable.execute([[given]])[0][0])

            require_raises(Exception, run, "an execution whose callback raises")


@requirement(
    "errors/spread",
    "What depends on a failed execution MUST fail too.",
    why="A chain of programs that is not waited for must not end in numbers out of nowhere.",
    profile="single",
    cases=_CASE,
)
def spread(context: Context) -> None:
    """The output of a failed execution is given to another one, where it is handed out at all."""

    def fail(value: np.ndarray) -> np.ndarray:
        raise _Intended("on purpose")

    failing = context.compile(_around("failing", fail))
    after = context.compile(program_of("after", [_VECTOR], lambda b, x: b.emit(ops.add, [x, x])))

    def chain() -> np.ndarray:
        columns = failing.execute([[context.put(np.ones(4, np.float32))]])
        for _ in range(3):
            columns = after.execute(columns)
        return columns[0][0].to_host()

    require_raises(Exception, chain, "a chain whose first execution fails")


@requirement(
    "errors/leave_others",
    "After an execution has failed, its inputs and all other buffers MUST keep their contents, but donated inputs "
    "whose `is_spoiled` is not False; and later executions, also of the same executable, MUST work.",
    why="A notebook goes on after an error.",
    profile="single",
    cases=_CASE,
)
def leave_others(context: Context) -> None:
    """A callback that fails now and then, on one of the devices."""
    fails = True

    def maybe(value: np.ndarray) -> np.ndarray:
        if fails and value[0] == 0:  # on the first device
            raise _Intended("on purpose")
        return np.asarray(value * 3, np.float32)

    def over(builder: ProgramBuilder, x: Value) -> Sequence[Value]:
        """What the callback is given may lie where the donated input was."""
        (y,) = builder.emit(ops.add, [x, x])
        return _calling(builder, "maybe", lambda v: [maybe(v)], [y], [_VECTOR])

    program = _around("maybe", maybe)
    executable = context.compile(program, context.devices)
    values = _values(context.devices)
    inputs = [context.put(v, d) for v, d in zip(values, context.devices, strict=True)]
    other = context.put(values[0] + 1)

    def run(executable: Executable = executable, inputs: list[Buffer] = inputs) -> list[Buffer]:
        (column,) = executable.execute([inputs])
        for buffer in column:
            buffer.block_until_ready()
        return column

    donating = context.compile(program_of("over", [_VECTOR], over), context.devices, donated=(0,))
    for _ in range(3):
        fails = True
        require_raises(Exception, run, "an execution whose callback raises on one device")
        given = [context.put(v, d) for v, d in zip(values, context.devices, strict=True)]
        require_raises(Exception, partial(run, donating, given), "the same with a donated input")
        for buffer, value in zip(given, values, strict=True):
            if not getattr(buffer, "is_spoiled", True):
                require_same_bits(buffer.to_host(), value, "a donated buffer that is not spoiled")
        fails = False
        column = require_no_error(run, "the execution after the failed one")
        for i, (buffer, value) in enumerate(zip(column, values, strict=True)):
            require_same_bits(buffer.to_host(), 7 * value, f"output {i} of the execution after the failed one")
        for buffer, value in zip((*inputs, other), (*values, values[0] + 1), strict=True):
            require_same_bits(buffer.to_host(), value, "a buffer after the failed execution")
    context.client.synchronize()


@requirement(
    "errors/unknown_operation",
    "`compile` MUST refuse a program with an operation that the platform does not know with `NotSupportedError`, also "
    "inside control flow.",
    why="A program for a later version of olympus must be refused before anything runs.",
    profile="single",
    cases=[Case("plain", {"within": False}), Case("in_a_branch", {"within": True}, needs=needs("cond"))],
)
def unknown_operation(context: Context, within: bool) -> None:
    """An operation that no platform has."""
    import dataclasses

    from olympus_core.errors import NotSupportedError

    unknown = dataclasses.replace(ops.neg, name="conformance_unknown")
    program = program_of("unknown", [_VECTOR], lambda b, x: b.emit(unknown, [x]))
    if within:
        inner = program
        program = program_of("outer", [_VECTOR], lambda b, x: b.emit(
            ops.cond, [scalar(b, 0, dtypes.int32), x], {}, [inner, inner]))
    require_raises(NotSupportedError, lambda: context.compile(program), "compile of an unknown operation")
    require_same_bits(context.put(np.ones(4, np.float32)).to_host(), np.ones(4, np.float32), "a buffer afterwards")
