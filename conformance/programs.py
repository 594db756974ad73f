# SPDX-License-Identifier: Apache-2.0
"""Small programs for checks, and comparisons with their reference.

Checks of how programs run use integers and exact floats, so that there is one right answer, bit for bit; the accuracy
of operations is tested by checks of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.plugin import Buffer, Device, Executable
from olympus_core.program import ArrayType, DeviceGroups, Program, ProgramBuilder, Value, run_members

from .checks import require, require_equal, require_refusal, require_same_bits
from .context import Columns, Context

Body = Callable[..., Sequence[Value]]


def needs(*operations: str) -> tuple[str, ...]:
    """The needs of a case that uses these operations; see `Case.needs`."""
    return tuple(f"operation:{name}" for name in operations)


def array_type(*shape: int, dtype: Any = dtypes.float32) -> ArrayType:
    """The type of an array, of float32 by default."""
    return ArrayType(shape, dtype)


def program_of(name: str, inputs: Sequence[ArrayType], body: Body) -> Program:
    """A program: `body` gets the builder and the inputs, and returns the outputs."""
    builder = ProgramBuilder(name)
    values = [builder.input(type) for type in inputs]
    return builder.finish(list(body(builder, *values)))


def scalar(builder: ProgramBuilder, value: Any, dtype: Any = dtypes.float32) -> Value:
    """A constant without dimensions."""
    return builder.emit(ops.constant, [], {"value": np.asarray(value, dtype)})[0]


def splat(builder: ProgramBuilder, value: Any, type: ArrayType) -> Value:
    """One number repeated."""
    number = scalar(builder, value, type.dtype)
    return builder.emit(ops.broadcast_in_dim, [number], {"shape": type.shape, "dimensions": ()})[0]


def groups(*members: Sequence[int]) -> DeviceGroups:
    """Groups of positions in a program's devices."""
    return DeviceGroups(tuple(tuple(group) for group in members))


def doubling(name: str, type: ArrayType, times: int = 1) -> Program:
    """``x + x``, repeated `times` times."""

    def body(builder: ProgramBuilder, x: Value) -> Sequence[Value]:
        for _ in range(times):
            (x,) = builder.emit(ops.add, [x, x])
        return [x]

    return program_of(name, [type], body)


def heavy(name: str, size: int, iterations: int) -> Program:
    """Repeated products of a matrix with itself modulo a number, which take a while; exact for small integers."""

    def body(builder: ProgramBuilder, x: Value) -> Sequence[Value]:
        for _ in range(iterations):
            (y,) = builder.emit(ops.dot_general, [x, x], {
                "lhs_contracting": (1,), "rhs_contracting": (0,), "lhs_batch": (), "rhs_batch": (), "dtype": None})
            (x,) = builder.emit(ops.rem, [y, splat(builder, 7, x.type)])
        return [x]

    return program_of(name, [array_type(size, size)], body)


def random_integers(context: Context, type: ArrayType, low: int = 0, high: int = 7) -> np.ndarray:
    """Random integers from `low` to `high`, in any type that represents them."""
    if dtypes.is_bool(type.dtype):
        return context.random.integers(0, 2, type.shape).astype(np.bool_)
    least = 0 if type.dtype in dtypes.UNSIGNED else low
    return np.asarray(context.random.integers(least, high + 1, type.shape)).astype(type.dtype)


def inputs_for(context: Context, program: Program, count: int, low: int = 0, high: int = 7) -> list[list[np.ndarray]]:
    """Random integers for every input and every one of `count` devices."""
    return [[random_integers(context, type, low, high) for _ in range(count)] for type in program.input_types]


def put_columns(context: Context, inputs: Columns, devices: Sequence[Device]) -> list[list[Buffer]]:
    """Buffers of the inputs on their devices."""
    return [[context.put(x, d) for x, d in zip(column, devices, strict=True)] for column in inputs]


def read_columns(columns: Sequence[Sequence[Buffer]]) -> list[list[np.ndarray]]:
    """Host arrays of the outputs."""
    return [[buffer.to_host() for buffer in column] for column in columns]


def require_columns(
    observed: Columns, required: Columns, what: str, program: Program, devices: Sequence[Device]
) -> None:
    """Fails unless all outputs on all devices have the same bits as the reference's."""
    for i, (found, wanted) in enumerate(zip(observed, required, strict=True)):
        for x, y, device in zip(found, wanted, devices, strict=True):
            require_same_bits(x, y, f"output {i} of {what} on {device}", program.text)


def require_reference(
    context: Context, program: Program, inputs: Columns | None = None, devices: Sequence[Device] | None = None,
    donated: Sequence[int] = (), what: str = "the program", executable: Executable | None = None,
) -> None:
    """Fails unless a program gives the reference's bits, in buffers of the right kind on the right devices.

    Args:
        context: The check's.
        program: The program of one device.
        inputs: For each input one array for each device; random integers when None.
        devices: The devices that run it: the first one by default.
        donated: Donated inputs.
        what: The program's name in messages.
        executable: The program compiled for these devices, if it is already.
    """
    chosen = tuple(devices) if devices is not None else context.devices[:1]
    given = inputs_for(context, program, len(chosen)) if inputs is None else inputs
    with np.errstate(all="ignore"):
        wanted = run_members(program, given, tuple(range(len(chosen))))
    made = executable if executable is not None else context.compile(program, chosen, donated)
    found = made.execute(put_columns(context, given, chosen))
    require_equal(len(found), len(program.outputs), f"the number of outputs of {what}")
    for column, type in zip(found, program.output_types, strict=True):
        require_equal(len(column), len(chosen), f"the number of buffers of an output of {what}")
        for buffer, device in zip(column, chosen, strict=True):
            require(
                (buffer.shape, buffer.dtype) == (type.shape, type.dtype) and buffer.device is device,
                observed=f"an output of {what} is {buffer.dtype}{list(buffer.shape)} on {buffer.device}",
                required=f"{type} on {device}", program=program.text,
            )
    require_columns(read_columns(found), wanted, what, program, chosen)


def require_refused(context: Context, program: Program, devices: Sequence[Device] | None = None) -> None:
    """Fails unless `compile` refuses a program with `NotSupportedError`."""
    names = ", ".join(dict.fromkeys(o.name for o in program.operations))
    require_refusal(lambda: context.compile(program, devices), f"compile of a program with {names}")
