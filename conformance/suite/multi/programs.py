# SPDX-License-Identifier: Apache-2.0
"""Programs that devices of several processes run together."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.program import Program, ProgramBuilder, Value

from ...checks import require_equal, require_same_bits
from ...context import Context
from ...programs import array_type, needs, program_of, scalar
from ...requirement import requirement
from .case_lists import process_cases
from .groups import Devices, Findings, all_groups, collective, communicate, is_here
from .spanning import (
    all_reduce,
    columns,
    compare,
    everybody,
    execute_and_compare,
    group_index,
    inputs_of,
    own_columns,
    ring,
    rows,
)

_KIND = array_type(8, 3)
_COLLECTIVES = needs("all_reduce", "all_gather", "permute", "axis_index")


def _all_collectives(count: int) -> Program:
    """Every collective over rows, columns and all devices, some on others' results; as many outputs."""

    def body(builder: ProgramBuilder, x: Value, y: Value) -> Sequence[Value]:
        outputs: list[Value] = []
        for group in (everybody(count), rows(count), columns(count)):
            outputs += [
                all_reduce(builder, x, group), all_reduce(builder, y, group, "max"),
                all_reduce(builder, ring(builder, x, group), group, "min"),
                *builder.emit(ops.all_gather, [x], {"dimension": 1, "group": group}),
                ring(builder, y, group), group_index(builder, group),
            ]
        first = all_reduce(builder, all_reduce(builder, x, rows(count)), columns(count))
        return [*outputs, first]

    return program_of("all_collectives", [_KIND, _KIND.with_dtype(dtypes.int32)], body)


def _run(context: Context, findings: Findings, program: Program, devices: Devices, what: str, times: int = 1) -> None:
    """Compiles a program for devices and runs it on different inputs, where this process takes part."""
    inputs = [inputs_of(context, program, len(devices)) for _ in range(times)]
    if is_here(devices):
        executable = context.compile(program, devices)
        for i, given in enumerate(inputs):
            execute_and_compare(context, findings, executable, program, devices, given, f"{what}, execution {i},")


def _run_in_groups(context: Context, takes: Callable[[int], bool]) -> None:
    """Runs all collectives in every group whose number of devices is asked for."""
    findings = Findings()
    for name, devices in all_groups(context):
        if takes(len(devices)):
            _run(context, findings, _all_collectives(len(devices)), devices, f"a program for {name}")
    findings.settle()


@requirement(
    "programs/collectives_in_groups",
    "An executable MUST run a program's collectives within each of their groups of positions, any number of them one "
    "after the other, and give what the reference gives.",
    why="The rows and columns of a mesh are such groups.",
    profile="multi", cases=process_cases(needs=_COLLECTIVES), seconds=60.0,
)
def collectives_in_groups(context: Context) -> None:
    """All collectives in rows, columns and all together, three times on different inputs."""
    findings, devices = Findings(), context.all_devices
    _run(context, findings, _all_collectives(len(devices)), devices, "a program of collectives", times=3)
    findings.settle()


@requirement(
    "programs/scattering_collectives",
    "An executable MUST run reduce_scatter, all_to_all and broadcast across processes as the reference does.",
    why="The partitioner uses them where it saves memory over all_reduce and all_gather.",
    profile="multi",
    cases=process_cases(needs=needs("reduce_scatter", "all_to_all", "broadcast", "all_gather")), seconds=60.0,
)
def scattering_collectives(context: Context) -> None:
    """In every group, and gathered again."""
    findings, devices = Findings(), context.all_devices
    count = len(devices)

    def body(builder: ProgramBuilder, x: Value) -> Sequence[Value]:
        outputs: list[Value] = []
        for group in (everybody(count), rows(count), columns(count)):
            (part,) = builder.emit(ops.reduce_scatter, [x], {"dimension": 0, "reduction": "sum", "group": group})
            (turned,) = builder.emit(
                ops.all_to_all, [x], {"split_dimension": 0, "concat_dimension": 1, "group": group})
            (copied,) = builder.emit(ops.broadcast, [x], {"source": group.size - 1, "group": group})
            outputs += [part, turned, copied, *builder.emit(ops.all_gather, [part], {"dimension": 0, "group": group})]
        return outputs

    _run(context, findings, program_of("scattering", [array_type(2 * count, 3)], body), devices, "a program", times=2)
    findings.settle()


def _while_program(count: int) -> Program:
    """``while sum over all of x < limit: x = x + largest of all``: as many iterations as the values take."""
    kind = array_type(3, dtype=dtypes.int32)

    def condition(builder: ProgramBuilder, x: Value) -> Sequence[Value]:
        (total,) = builder.emit(ops.reduce_sum, [all_reduce(builder, x, everybody(count))], {"dimensions": (0,)})
        return builder.emit(ops.lt, [total, scalar(builder, 2000, dtypes.int32)])

    def body(builder: ProgramBuilder, x: Value) -> Sequence[Value]:
        largest = all_reduce(builder, builder.emit(ops.abs, [x])[0], everybody(count), "max")
        return builder.emit(ops.add, [x, largest])

    regions = [program_of("condition", [kind], condition), program_of("body", [kind], body)]

    def outer(builder: ProgramBuilder, x: Value) -> Sequence[Value]:
        one = builder.emit(ops.broadcast_in_dim, [scalar(builder, 1, dtypes.int32)], {"shape": (3,), "dimensions": ()})
        positive = builder.emit(ops.max, [x, one[0]])
        return builder.emit(ops.while_, positive, {"constants": 0}, regions)

    return program_of("while_across", [kind], outer)


def _scan_program(count: int) -> Program:
    """Values go round a ring, are summed up in columns on the way, and every iteration's are kept."""
    kind = array_type(2, dtype=dtypes.int32)

    def step(builder: ProgramBuilder, carry: Value, x: Value) -> Sequence[Value]:
        moved = ring(builder, carry, everybody(count))
        (total,) = builder.emit(ops.add, [moved, all_reduce(builder, x, columns(count))])
        return [total, moved]

    region = program_of("step", [kind, kind], step)

    def outer(builder: ProgramBuilder, carry: Value, xs: Value) -> Sequence[Value]:
        attributes = {"constants": 0, "carry": 1, "length": 5, "reverse": False}
        return builder.emit(ops.scan, [carry, xs], attributes, [region])

    return program_of("scan_across", [kind, array_type(5, 2, dtype=dtypes.int32)], outer)


def _cond_program(count: int) -> Program:
    """All devices take the branch that a maximum over all of them names; one of the branches communicates."""
    kind = array_type(3, dtype=dtypes.int32)

    def branch(make: Callable[[ProgramBuilder, Value], Value]) -> Program:
        return program_of("branch", [kind], lambda builder, x: [make(builder, x)])

    branches = [
        branch(lambda builder, x: builder.emit(ops.neg, [x])[0]),
        branch(lambda builder, x: all_reduce(builder, x, columns(count))),
        branch(lambda builder, x: ring(builder, x, rows(count))),
    ]

    def outer(builder: ProgramBuilder, index: Value, x: Value) -> Sequence[Value]:
        return builder.emit(ops.cond, [all_reduce(builder, index, everybody(count), "max"), x], {}, branches)

    return program_of("cond_across", [array_type(dtype=dtypes.int32), kind], outer)


@requirement(
    "programs/collectives_in_control_flow",
    "Collectives MUST work in the bodies of while, scan and cond and in the condition of while, with as many "
    "iterations as the values take, the same on all devices.",
    why="Training steps and solvers that run until all agree are loops around collectives.",
    profile="multi",
    cases=process_cases(
        needs=(*_COLLECTIVES, *needs("while", "scan", "cond", "reduce_sum", "abs", "lt", "broadcast_in_dim"))),
    seconds=60.0,
)
def collectives_in_control_flow(context: Context) -> None:
    """Loops with iterations that depend on what all have, and every branch."""
    findings, devices = Findings(), context.all_devices
    count = len(devices)
    _run(context, findings, _while_program(count), devices, "a while loop", times=2)
    _run(context, findings, _scan_program(count), devices, "a scan", times=2)
    program = _cond_program(count)
    executable = context.compile(program, devices)
    for index in (-1, 0, 1, 2, 9):
        inputs = inputs_of(context, program, count)
        inputs[0] = [np.asarray(index if i == count - 1 else -1, np.int32) for i in range(count)]
        execute_and_compare(context, findings, executable, program, devices, inputs, f"a cond with index {index}")
    findings.settle()


@requirement(
    "programs/device_order",
    "Positions in collectives' groups MUST be indices into the program's own list of devices, in whatever order that "
    "is.",
    why="Topology-aware meshes list devices in another order than they have ids.",
    profile="multi", cases=process_cases(needs=_COLLECTIVES), seconds=60.0,
)
def device_order(context: Context) -> None:
    """The same program for the devices in every kind of order."""
    _run_in_groups(context, lambda count: count == len(context.all_devices))


@requirement(
    "programs/subset_of_processes",
    "A program for some of the devices MUST run without the processes that own none of them.",
    why="Different meshes may run different things at the same time.",
    profile="multi", cases=process_cases(needs=_COLLECTIVES), seconds=60.0,
)
def subset_of_processes(context: Context) -> None:
    """Every group that leaves out devices; whoever is not in it goes on at once."""
    _run_in_groups(context, lambda count: count < len(context.all_devices))


@requirement(
    "programs/local_and_spanning",
    "Executables of one device, of all local devices and of devices of several processes MUST work alternately on the "
    "same buffers.",
    why="A training loop's metrics, its step and its input pipeline are such executables.",
    profile="multi", cases=process_cases(needs=(*_COLLECTIVES, *needs("add"))), seconds=60.0,
)
def local_and_spanning(context: Context) -> None:
    """A spanning sum, doubled by each process on its own, reduced again by a communicator, again and again."""
    findings, devices = Findings(), context.all_devices
    kind, count = array_type(50, dtype=dtypes.int32), len(context.all_devices)

    def added(builder: ProgramBuilder, x: Value) -> Sequence[Value]:
        return builder.emit(ops.add, [x, all_reduce(builder, x, everybody(count), "max")])

    def doubled(builder: ProgramBuilder, x: Value) -> Sequence[Value]:
        return builder.emit(ops.add, [x, x])

    spanning = context.compile(program_of("spanning", [kind], added), devices)
    local = context.compile(program_of("local", [kind], doubled), context.devices)
    single = context.compile(program_of("single", [kind], doubled), context.devices[:1])
    values = [np.full(50, i + 1, np.int32) for i in range(count)]
    buffers = [context.put(values[i], d) for i, d in enumerate(devices) if d.is_addressable]
    for _ in range(4):
        (buffers,) = spanning.execute([buffers])
        values = [v + np.max(values, 0) for v in values]
        (buffers,) = local.execute([buffers])
        values = [v * 2 for v in values]
        ((first,),) = single.execute([buffers[:1]])
        buffers = [first, *buffers[1:]]
        values = [v * 2 if d.local_index == 0 else v for v, d in zip(values, devices, strict=True)]
        buffers = context.wait(context.communicator().all_reduce(buffers, "min"), "all_reduce between executions")
        values = [np.min(values, 0) + 0 * v for v in values]
    with findings:
        for buffer in buffers:
            require_same_bits(buffer.to_host(), values[0], "what went through four rounds of executables")
    findings.settle()


@requirement(
    "programs/under_way_together",
    "Executions across processes and communications MUST be paired in the order in which they are begun, before any of "
    "their results is asked for.",
    why="The runtime launches a step before the last one's results are there.",
    profile="multi", cases=process_cases(needs=_COLLECTIVES), seconds=60.0,
)
def under_way_together(context: Context) -> None:
    """Twenty executions of two programs with communications between them; the results are read afterwards."""
    findings, devices = Findings(), context.all_devices
    count = len(devices)
    programs = [_all_collectives(count), _scan_program(count)]
    executables = [context.compile(program, devices) for program in programs]
    begun = []
    for iteration in range(20):
        program, executable = programs[iteration % 2], executables[iteration % 2]
        inputs = inputs_of(context, program, count)
        outputs = executable.execute(own_columns(context, devices, inputs))
        begun.append((program, inputs, outputs))
        if iteration % 4 == 3:
            values = [np.array([iteration, i], np.int32) for i in range(count)]
            label = f"all_gather after execution {iteration}"
            results = communicate(context, devices, values, collective("all_gather", 0), label)
            with findings:
                for _, buffer in results:
                    require_same_bits(buffer.to_host(), np.concatenate(values), label)
    for iteration, (program, inputs, outputs) in enumerate(begun):
        compare(findings, outputs, program, devices, inputs, f"execution {iteration} of 20")
    findings.settle()


@requirement(
    "programs/donation_across",
    "An executable across processes MUST give the right outputs from donated inputs, again and again.",
    why="A training step gives its parameters away and gets the new ones in their memory.",
    profile="multi", cases=process_cases(needs=(*_COLLECTIVES, "donation")), seconds=60.0,
)
def donation_across(context: Context) -> None:
    """Each execution's output is the next one's donated input."""
    findings, devices = Findings(), context.all_devices
    count, kind = len(devices), array_type(1000, dtype=dtypes.int32)

    def body(builder: ProgramBuilder, x: Value) -> Sequence[Value]:
        return builder.emit(ops.add, [x, all_reduce(builder, x, rows(count))])

    executable = context.compile(program_of("step", [kind], body), devices, donated=(0,))
    values = [np.arange(1000, dtype=np.int32) % 5 + i for i in range(count)]
    buffers = [context.put(values[i], d) for i, d in enumerate(devices) if d.is_addressable]
    for _ in range(5):
        (buffers,) = executable.execute([buffers])
        sums = {p: np.sum([values[q] for q in g], 0, dtype=np.int32) for g in rows(count).groups for p in g}
        values = [v + sums[i] for i, v in enumerate(values)]
    with findings:
        require_equal(len(buffers), len(context.devices), "the number of outputs")
        for buffer, position in zip(buffers, context.group(devices).local_positions, strict=True):
            require_same_bits(buffer.to_host(), values[position], f"the parameters after five steps at {position}")
    findings.settle()
