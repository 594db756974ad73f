"""Donation: an execution may reuse the memory of inputs that are given away, and nobody may notice.

Whether memory is reused is the platform's business, declared or not: donated inputs may always be handed to it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from olympus_core import ops
from olympus_core.program import ArrayType, Program, ProgramBuilder, Value

from ...checks import require_same_bits
from ...context import Context
from ...programs import array_type, needs, program_of, put_columns, require_reference, splat
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
