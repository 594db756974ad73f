# SPDX-License-Identifier: Apache-2.0
"""Donation: an execution may reuse the memory of inputs that are given away, and nobody may notice.

Whether memory is reused is the platform's business, declared or not: donated inputs may always be handed to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from olympus_core import ops
from olympus_core.program import ArrayType, Program, ProgramBuilder, Value, run_members

from ...checks import require_same_bits
from ...context import Context
from ...programs import (
    array_type,
    doubling,
    needs,
    program_of,
    put_columns,
    read_columns,
    require_columns,
    require_reference,
    splat,
)
from ...requirement import Case, requirement

_SIZES = (3, 1000, 100_000, 1_000_000)  # platforms queue large work: the last is still under way when it is donated
_OPERATIONS = needs("add", "mul", "neg", "reverse")
_CASES = [Case(str(size), {"size": size}, needs=_OPERATIONS) for size in _SIZES]


def _step(type: ArrayType) -> Program:
    """Results of the inputs' types; what comes last needs an input whose memory an eager platform has reused."""

    def body(builder: ProgramBuilder, x: Value, y: Value) -> Sequence[Value]:
        (total,) = builder.emit(ops.add, [x, y])
        (product,) = builder.emit(ops.mul, [total, splat(builder, 2, type)])
        (backwards,) = builder.emit(ops.reverse, [x], {"dimensions": (0,)})
        (negative,) = builder.emit(ops.neg, [y])
        return [product, *builder.emit(ops.add, [backwards, negative])]

    return program_of("step", [type, type], body)


@requirement(
    "donation/results",
    "A program MUST give the same results when inputs are donated, whichever these are.",
    why="Donation is asked for to save memory; it must not be seen.",
    profile="single",
    cases=_CASES,
)
def results(context: Context, size: int) -> None:
    """Each input, and both, on all devices."""
    for donated in ((0,), (1,), (0, 1)):
        require_reference(context, _step(array_type(size)), devices=context.devices, donated=donated,
                          what=f"a program with inputs {donated} donated")


@requirement(
    "donation/beside",
    "What is computed of a donated input and what is computed of an operation's result on it MUST both be right, "
    "whether the platform compiles the operation or has it run elsewhere.",
    why="Where one result may be written over for certain and another one only if nobody else holds it, the two are "
    "easily confused.",
    profile="single",
    cases=[Case(f"{name},{size}", {"name": name, "size": size}, needs=needs(name, "mul", "add"), quick=size == 1000)
           for name in ("sort", "top_k", "reverse", "cumsum", "concatenate") for size in _SIZES[1:3]],
)
def beside(context: Context, name: str, size: int) -> None:
    """Donated and read by nobody else, and beside a copy that somebody reads; each result first."""
    type = array_type(size, dtype=np.int32)
    attributes: dict[str, dict[str, Any]] = {
        "sort": {"dimension": 0, "keys": 1}, "top_k": {"dimension": 0, "k": size, "dtype": type.dtype},
        "reverse": {"dimensions": (0,)}, "cumsum": {"dimension": 0, "reverse": False}, "concatenate": {"dimension": 0},
    }

    def body(builder: ProgramBuilder, x: Value) -> Sequence[Value]:
        made = builder.emit(ops.OPERATIONS[name], [x], attributes[name])
        (of_input,) = builder.emit(ops.add, [x, splat(builder, 7, type)])
        return [of_input, *(y for v in made for y in builder.emit(ops.mul, [v, splat(builder, 3, type)]))]

    program = program_of("beside", [type], body)
    turned = replace(program, outputs=program.outputs[::-1])
    copied = context.compile(doubling("made", type), context.devices)
    for one in (program, turned):
        executable = context.compile(one, context.devices, donated=(0,))
        for is_read in (False, True):
            # Donated buffers come out of an execution: what a platform takes from the host it may have to leave alone.
            values = [context.random.permutation(size).astype(np.int32) for _ in context.devices]
            (given,) = copied.execute(put_columns(context, [values], context.devices))
            reader = [buffer.to_host() for buffer in given] if is_read else None
            found = read_columns(executable.execute([given]))
            wanted = run_members(one, [[2 * x for x in values]], tuple(range(len(values))))
            require_columns(found, wanted, f"a program with {name} of its donated input", one, context.devices)
            for x, y in zip(reader or [], values, strict=False):
                require_same_bits(x, 2 * y, "what was read of the input before it was donated", one.text)


@requirement(
    "donation/others_unchanged",
    "An execution that reuses donated memory MUST NOT change any other buffer: no input that is kept, no copy of the "
    "donated one, no earlier output with the same content.",
    why="A buffer never changes; copies and outputs may share memory until somebody gives it away.",
    profile="single",
    cases=_CASES,
)
def others_unchanged(context: Context, size: int) -> None:
    """Buffers that an aliasing platform makes of one piece of memory; one of them is donated."""
    type = array_type(size)
    # Donated buffers come out of an execution: what a platform takes from the host it may have to leave alone.
    made = program_of("made", [type], lambda b, x: b.emit(ops.add, [x, x]))
    alike = program_of("alike", [type], lambda b, x: [x, x])
    source, identity = context.compile(made), context.compile(alike)
    donating = context.compile(_step(type), donated=(0,))
    value = np.arange(size, dtype=np.float32) % 50
    for _ in range(3):
        ((given,),) = source.execute([[context.put(value)]])
        kept = context.put(value)
        copies = [given.copy_to(device) for device in context.devices[1:]]
        (first,), (second,) = identity.execute([[given]])
        for output in donating.execute([[given], [kept]]):
            output[0].block_until_ready()
        del given, output
        for what, buffer, wanted in (
            ("an output that was equal to the donated input", first, 2 * value), ("another such output", second,
            2 * value), ("the input that was kept", kept, value),
            *((f"the donated input's copy on {b.device}", b, 2 * value) for b in copies),
        ):
            require_same_bits(buffer.to_host(), wanted, f"after the execution, {what}", _step(type).text)


@requirement(
    "donation/handed_back",
    "A donated input that is also an output, as it is or in another shape, MUST come out with its content.",
    why="A training step hands back the parameters that it did not change.",
    profile="single",
    cases=[Case(str(size), {"size": size}, needs=needs("add", "mul", "reshape")) for size in _SIZES],
)
def handed_back(context: Context, size: int) -> None:
    """Next to results of its type that would fit into its memory."""

    def body(builder: ProgramBuilder, x: Value) -> Sequence[Value]:
        (y,) = builder.emit(ops.add, [x, x])
        (z,) = builder.emit(ops.mul, [y, x])
        return [z, x, y, *builder.emit(ops.reshape, [x], {"shape": (size, 1)})]

    require_reference(context, program_of("handed_back", [array_type(size)], body), devices=context.devices,
                      donated=(0,), what="a program that hands its donated input back")


@requirement(
    "donation/steps",
    "Executions that each donate what the one before them gave MUST give the right results at the end.",
    why="This is a training loop.",
    profile="single",
    cases=_CASES,
)
def steps(context: Context, size: int) -> None:
    """Fifty steps, the outputs donated without being looked at; exact modulo 2^32."""
    type = array_type(size, dtype=np.int32)
    executable = context.compile(_step(type), context.devices, donated=(0, 1))
    values = [[context.random.integers(-9, 9, size).astype(np.int32) for _ in context.devices] for _ in range(2)]
    columns = put_columns(context, values, context.devices)
    for _ in range(50):
        columns = executable.execute(columns)
        with np.errstate(over="ignore"):
            values = [[2 * (x + y) for x, y in zip(*values, strict=True)],
                      [x[::-1] - y for x, y in zip(*values, strict=True)]]
    for i, (column, wanted) in enumerate(zip(columns, values, strict=True)):
        for buffer, array in zip(column, wanted, strict=True):
            require_same_bits(buffer.to_host(), array, f"value {i} after 50 steps", _step(type).text)
