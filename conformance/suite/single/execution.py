# SPDX-License-Identifier: Apache-2.0
"""Execution: a compiled program gives the reference's results, on the devices that it was compiled for."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.plugin import Device
from olympus_core.program import ArrayType, Program, ProgramBuilder, Value

from ...checks import require, require_equal, require_same_bits
from ...context import Context
from ...programs import (
    array_type,
    inputs_for,
    needs,
    program_of,
    put_columns,
    read_columns,
    require_reference,
    scalar,
    splat,
)
from ...requirement import Case, requirement

_ARITHMETIC = needs("add", "mul", "sub", "reduce_sum")


def _arithmetic(shape: tuple[int, ...] = (5, 7)) -> Program:
    """Some operations on two inputs, with a result that is smaller."""

    def body(builder: ProgramBuilder, x: Value, y: Value) -> Sequence[Value]:
        (product,) = builder.emit(ops.mul, [x, y])
        (total,) = builder.emit(ops.reduce_sum, [product], {"dimensions": (1,)})
        return [*builder.emit(ops.sub, [product, x]), total]

    type = ArrayType(shape, dtypes.int32)
    return program_of("arithmetic", [type, type], body)


@requirement(
    "execution/one_device",
    "A program that is compiled for one device MUST give the reference's results on that device, whichever it is.",
    why="This is what a platform is for.",
    profile="single",
    cases=[Case(needs=_ARITHMETIC)],
)
def one_device(context: Context) -> None:
    """Every device by itself."""
    for device in context.devices:
        require_reference(context, _arithmetic(), devices=[device], what=f"a program of {device}")


_ORDERS: dict[str, Callable[[Sequence[Device]], Sequence[Device]]] = {
    "all": lambda devices: devices,
    "reversed": lambda devices: devices[::-1],
    "all_but_the_first": lambda devices: devices[1:],
    "last_then_first": lambda devices: (devices[-1], devices[0]),
}


@requirement(
    "execution/devices",
    "A program that is compiled for several devices of a process MUST take and give one buffer for each of them, in "
    "the order of the program's devices, whichever they are and however they are ordered.",
    why="The order of a mesh is the user's, and each device has its own part of every array.",
    profile="single",
    cases=[Case(order, {"order": order}, needs=("devices:2", *_ARITHMETIC)) for order in _ORDERS],
)
def devices_in_order(context: Context, order: str) -> None:
    """Each device with its own values."""
    chosen = _ORDERS[order](context.devices)
    require_reference(context, _arithmetic(), devices=chosen)


@requirement(
    "execution/repeated",
    "An executable MUST give the right results however often it is executed, on whatever inputs.",
    why="A program is compiled once and executed a million times.",
    profile="single",
    cases=[Case(needs=_ARITHMETIC)],
)
def repeated(context: Context) -> None:
    """Other values each time; results of earlier executions are read at the end."""
    program = _arithmetic()
    executable = context.compile(program, context.devices)
    outputs, wanted = [], []
    for i in range(20):
        inputs = inputs_for(context, program, len(context.devices))
        outputs.append(executable.execute(put_columns(context, inputs, context.devices)))
        wanted.append([[x * y - x, (x * y).sum(1, dtype=np.int32)] for x, y in zip(*inputs, strict=True)])
        if i % 7 == 0:
            require_reference(context, program, devices=context.devices, executable=executable)
    for i, (found, right) in enumerate(zip(outputs, wanted, strict=True)):
        for output, column in enumerate(read_columns(found)):
            for device, array in enumerate(column):
                require_same_bits(array, right[device][output], f"output {output} of execution {i}", program.text)


def _forms() -> dict[str, Program]:
    """Programs whose inputs and outputs are of uncommon kinds."""
    vector, empty = array_type(6), array_type(0, 3)

    def constants(b: ProgramBuilder) -> Sequence[Value]:
        return [scalar(b, 2.5), splat(b, 7, array_type(2, 3, dtype=dtypes.int32)),
                *b.emit(ops.constant, [], {"value": np.arange(12, dtype=np.float32).reshape(3, 4)})]

    def aliased(b: ProgramBuilder, x: Value, y: Value) -> Sequence[Value]:
        return [y, *b.emit(ops.add, [x, y]), x]

    def repeated_outputs(b: ProgramBuilder, x: Value) -> Sequence[Value]:
        (y,) = b.emit(ops.add, [x, x])
        return [y, x, y, x, y]

    def zero_size(b: ProgramBuilder, x: Value) -> Sequence[Value]:
        return [*b.emit(ops.add, [x, x]), *b.emit(ops.reduce_sum, [x], {"dimensions": (0,)}),
                *b.emit(ops.reduce_sum, [x], {"dimensions": (1,)})]

    return {
        "constants": program_of("constants", [], constants),
        "inputs_as_outputs": program_of("aliased", [vector, vector], aliased),
        "only_inputs": program_of("identity", [vector, vector], lambda b, x, y: [y, x]),
        "repeated_outputs": program_of("repeated", [vector], repeated_outputs),
        "unused_inputs": program_of("unused", [vector, empty, vector], lambda b, x, y, z: b.emit(ops.add, [z, z])),
        "zero_size": program_of("zero_size", [empty], zero_size),
        "no_outputs": program_of("nothing", [vector], lambda b, x: []),
        "scalars": program_of("scalars", [array_type(), array_type()], lambda b, x, y: b.emit(ops.mul, [x, y])),
        "many_inputs": program_of("many_inputs", [vector] * 100, lambda b, *xs: [_summed(b, xs)]),
        "many_outputs": program_of("many_outputs", [vector], lambda b, x: [
            b.emit(ops.add, [x, splat(b, i, x.type)])[0] for i in range(100)]),
        "deep": program_of("deep", [array_type(8, dtype=dtypes.int32)], _deep),
        "long_name": program_of("long " + "na\u00efve name/with:odd{characters}\n" * 100, [vector],
                                lambda b, x: b.emit(ops.neg, [x])),
    }


def _summed(builder: ProgramBuilder, values: Sequence[Value]) -> Value:
    total = values[0]
    for value in values[1:]:
        (total,) = builder.emit(ops.add, [total, value])
    return total


def _deep(builder: ProgramBuilder, x: Value) -> Sequence[Value]:
    """A thousand operations in a row."""
    three = splat(builder, 3, x.type)
    for i in range(1000):
        (x,) = builder.emit((ops.add, ops.mul, ops.xor, ops.sub)[i % 4], [x, three])
    return [x]


_FORMS = _forms()


@requirement(
    "execution/forms",
    "A program MUST run whatever the number and kind of its inputs and outputs: none, many, unused, repeated, "
    "constant, empty, or an input handed back; and whatever its length and name.",
    why="Programs are what users write; the runtime cleans up nothing for the platform.",
    profile="single",
    cases=[Case(form, {"form": form}, needs=needs(*dict.fromkeys(o.name for o in program.operations)))
           for form, program in _FORMS.items()],
)
def forms(context: Context, form: str) -> None:
    """On the first device and on all."""
    for devices in dict.fromkeys((context.devices[:1], context.devices)):
        require_reference(context, _FORMS[form], devices=devices, what=form)


@requirement(
    "execution/inputs_unchanged",
    "An execution MUST NOT change the buffers of inputs that are not donated.",
    why="A buffer never changes; the user goes on to use the array.",
    profile="single",
    cases=[Case(str(size), {"size": size}, needs=needs("add", "mul", "neg", "dynamic_update_slice"))
           for size in (3, 1000, 200_000)],
)
def inputs_unchanged(context: Context, size: int) -> None:
    """A chain that could be computed in place, and a part written into an input."""

    def body(builder: ProgramBuilder, x: Value, y: Value) -> Sequence[Value]:
        (z,) = builder.emit(ops.add, [x, y])
        (z,) = builder.emit(ops.mul, [z, x])
        (z,) = builder.emit(ops.neg, [z])
        (part,) = builder.emit(ops.neg, [scalar(builder, 5)])
        (part,) = builder.emit(ops.broadcast_in_dim, [part], {"shape": (2,), "dimensions": ()})
        return [z, *builder.emit(ops.dynamic_update_slice, [y, part, scalar(builder, 1, dtypes.int32)])]

    program = program_of("in_place", [array_type(size), array_type(size)], body)
    inputs = inputs_for(context, program, len(context.devices))
    buffers = put_columns(context, inputs, context.devices)
    executable = context.compile(program, context.devices)
    for _ in range(3):
        for column in executable.execute(buffers):
            for buffer in column:
                buffer.block_until_ready()
    for i, (column, values) in enumerate(zip(buffers, inputs, strict=True)):
        for buffer, value in zip(column, values, strict=True):
            require_same_bits(buffer.to_host(), value, f"input {i} after the executions", program.text)


@requirement(
    "execution/outputs_live_alone",
    "Each output MUST keep its content when an input or another output is deleted, also where it is the same value.",
    why="Each becomes an array of its own, which the user deletes or keeps.",
    profile="single",
    cases=[Case(needs=needs("add", "reshape"))],
)
def outputs_live_alone(context: Context) -> None:
    """An input handed back, a value given twice, and the same elements in another shape."""

    def body(builder: ProgramBuilder, x: Value) -> Sequence[Value]:
        (y,) = builder.emit(ops.add, [x, x])
        return [x, y, y, *builder.emit(ops.reshape, [y], {"shape": (y.type.size,)}),
                *builder.emit(ops.reshape, [x], {"shape": (x.type.size,)})]

    for shape in ((2, 3), (200, 300)):
        program = program_of("alike", [array_type(*shape)], body)
        value = context.random.integers(0, 100, shape).astype(np.float32)
        wanted = [value, 2 * value, 2 * value, (2 * value).reshape(-1), value.reshape(-1)]
        executable = context.compile(program)
        for kept in range(len(wanted)):
            given = context.put(value)
            outputs = [column[0] for column in executable.execute([[given]])]
            for i, buffer in enumerate(outputs):
                if i != kept:
                    buffer.delete()
            given.delete()
            others = [context.put(np.full(shape, -1, np.float32)) for _ in range(3)]
            require_same_bits(outputs[kept].to_host(), wanted[kept],
                              f"output {kept} after all others and the input are deleted", program.text)
            del others


@requirement(
    "execution/one_buffer_twice",
    "A buffer MUST be taken for several inputs of one execution.",
    why="Users call f(x, x).",
    profile="single",
    cases=[Case(needs=_ARITHMETIC)],
)
def one_buffer_twice(context: Context) -> None:
    """The same object in both columns."""
    program = _arithmetic()
    x = inputs_for(context, program, 1)[0][0]
    buffer = context.put(x)
    first, second = (column[0] for column in context.compile(program).execute([[buffer], [buffer]]))
    require_same_bits(first.to_host(), x * x - x, "x * x - x", program.text)
    require_same_bits(second.to_host(), (x * x).sum(1, dtype=np.int32), "sum of x * x", program.text)


@requirement(
    "execution/described",
    "An executable's text MUST be a string that is not empty, and its cost a mapping from names to floats that are not "
    "negative.",
    why="Tools show them to people who ask what was compiled.",
    profile="single",
    cases=[Case(needs=_ARITHMETIC)],
)
def described(context: Context) -> None:
    """Before and after an execution."""
    program = _arithmetic()
    executable = context.compile(program, context.devices)
    for _ in range(2):
        text, cost = executable.text(), executable.cost()
        require(isinstance(text, str) and bool(text), observed=f"text is {text!r}", required="a string with content")
        fits = isinstance(cost, dict) and all(
            isinstance(n, str) and isinstance(v, float) and math.isfinite(v) and v >= 0 for n, v in cost.items())
        require(fits, observed=f"cost is {cost!r}", required="names with floats, 0 or more")
        executable.execute(put_columns(context, inputs_for(context, program, len(context.devices)), context.devices))


def _rounded() -> Program:
    """Operations whose results depend on how they are computed: sums, products of matrices, functions."""

    def body(builder: ProgramBuilder, x: Value, y: Value) -> Sequence[Value]:
        (z,) = builder.emit(ops.dot_general, [x, y], {
            "lhs_contracting": (1,), "rhs_contracting": (0,), "lhs_batch": (), "rhs_batch": (), "dtype": None})
        (e,) = builder.emit(ops.exp, [z])
        (s,) = builder.emit(ops.sin, [z])
        (total,) = builder.emit(ops.reduce_sum, [e], {"dimensions": (0, 1)})
        (rows,) = builder.emit(ops.reduce_sum, [s], {"dimensions": (1,)})
        return [z, e, s, total, rows]

    return program_of("rounded", [array_type(150, 70), array_type(70, 130)], body)


_ROUNDED = needs("dot_general", "exp", "sin", "reduce_sum")


def _executed(context: Context, times: int) -> list[list[list[np.ndarray]]]:
    program = _rounded()
    inputs = [context.random.standard_normal(t.shape).astype(np.float32) / 8 for t in program.input_types]
    executable = context.compile(program, context.devices)
    columns = put_columns(context, [[x] * len(context.devices) for x in inputs], context.devices)
    return [read_columns(executable.execute(columns)) for _ in range(times)]


@requirement(
    "execution/devices_agree",
    "In one execution, devices that are given the same bits MUST give the same bits.",
    why="Replicated values decide which branch is taken: devices that disagree meet in different collectives and wait "
    "for each other.",
    profile="single",
    cases=[Case(needs=("devices:2", *_ROUNDED))],
)
def devices_agree(context: Context) -> None:
    """Rounded results on all devices."""
    (columns,) = _executed(context, 1)
    for output, column in enumerate(columns):
        for device, array in zip(context.devices, column, strict=True):
            require_same_bits(array, column[0], f"output {output} on {device}, next to the first device's",
                              _rounded().text)


@requirement(
    "execution/same_bits_again",
    "An executable SHOULD give the same bits each time that it is given the same bits.",
    why="A result that cannot be had again cannot be debugged.",
    profile="single",
    cases=[Case(needs=_ROUNDED)],
)
def same_bits_again(context: Context) -> None:
    """Rounded results, five times."""
    first, *rest = _executed(context, 5)
    for i, columns in enumerate(rest):
        for output, (column, before) in enumerate(zip(columns, first, strict=True)):
            for x, y in zip(column, before, strict=True):
                require_same_bits(x, y, f"output {output} of execution {i + 2}, next to the first", _rounded().text)


@requirement(
    "execution/large",
    "Arrays of more than 2^27 elements MUST be taken like small ones.",
    why="Offsets of 32 bits end there, in bits or in bytes.",
    profile="single",
    cases=[Case(needs=("dtype:int8", *needs("add", "slice")), quick=False)],
    seconds=120,
)
def large(context: Context) -> None:
    """One array of bytes, doubled; its ends are looked at."""
    size = (1 << 27) + 1

    def body(builder: ProgramBuilder, x: Value) -> Sequence[Value]:
        (y,) = builder.emit(ops.add, [x, x])
        ends = [builder.emit(ops.slice, [y], {"starts": (a,), "limits": (b,), "strides": (1,)})[0]
                for a, b in ((0, 5), (size - 5, size))]
        return [y, *ends]

    program = program_of("large", [array_type(size, dtype=dtypes.int8)], body)
    value = np.zeros(size, np.int8)
    value[:5], value[-5:], value[1 << 26] = range(1, 6), range(11, 16), 9
    whole, first, last = (column[0] for column in context.compile(program).execute([[context.put(value)]]))
    require_same_bits(first.to_host(), 2 * value[:5], "the first elements", program.text)
    require_same_bits(last.to_host(), 2 * value[-5:], "the last elements", program.text)
    host = whole.to_host()
    require_equal(host.shape, (size,), "the shape")
    require(bool((host == 2 * value).all()), observed="some elements are not doubled", required="2 * x",
            program=program.text)
    for buffer in (whole, first, last):
        buffer.delete()
