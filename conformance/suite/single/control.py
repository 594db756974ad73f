# SPDX-License-Identifier: Apache-2.0
"""Control flow: branches, loops and calls, also where devices take different branches."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.program import ArrayType, OperationRecord, Program, ProgramBuilder, Value

from ...context import Context
from ...programs import (
    array_type,
    groups,
    needs,
    program_of,
    random_integers,
    require_reference,
    scalar,
    splat,
)
from ...requirement import Case, requirement

_INDEX = array_type(dtype=dtypes.int32)
_VECTOR = array_type(5, dtype=dtypes.int32)


def _number(value: int) -> np.ndarray:
    return np.asarray(value, np.int32)


def _branch(record: OperationRecord) -> Program:
    return program_of("branch", [_VECTOR], lambda b, x: b.emit(record, [x] if record is ops.neg else [x, x]))


def _switch(count: int, shared: bool = False) -> Program:
    """One of several branches; where `shared`, the last one reduces over all devices."""
    branches = [_branch(record) for record in (ops.add, ops.mul, ops.neg, ops.sub)[:count]]
    if shared:
        branches[-1] = program_of("together", [_VECTOR], lambda b, x: b.emit(
            ops.all_reduce, [x], {"reduction": "sum", "group": groups(range(2))}))
    return program_of("switch", [_INDEX, _VECTOR], lambda b, i, x: b.emit(ops.cond, [i, x], {}, branches))


def _loop(shared: int = 0) -> Program:
    """``while i < n: x, i = x + x + c, i + 1``; where `shared`, x is summed over so many devices in every iteration."""
    types = [_VECTOR, _INDEX, _INDEX, _VECTOR]

    def body(b: ProgramBuilder, c: Value, n: Value, i: Value, x: Value) -> Sequence[Value]:
        (x,) = b.emit(ops.add, [x, x])
        (x,) = b.emit(ops.add, [x, c])
        if shared:
            (x,) = b.emit(ops.all_reduce, [x], {"reduction": "max", "group": groups(range(shared))})
        return [*b.emit(ops.add, [i, scalar(b, 1, dtypes.int32)]), x]

    condition = program_of("condition", types, lambda b, c, n, i, x: b.emit(ops.lt, [i, n]))
    regions = [condition, program_of("body", types, body)]
    return program_of("loop", [_VECTOR, _INDEX, _VECTOR], lambda b, c, n, x: b.emit(
        ops.while_, [c, n, scalar(b, 0, dtypes.int32), x], {"constants": 2}, regions))


def _scan(length: int, reverse: bool, shared: int = 0) -> Program:
    """Running sums of rows, scaled by a constant; where `shared`, carried over so many devices."""
    types = [_INDEX, _VECTOR, _VECTOR]

    def body(b: ProgramBuilder, c: Value, total: Value, x: Value) -> Sequence[Value]:
        (x,) = b.emit(ops.mul, [x, b.emit(ops.broadcast_in_dim, [c], {"shape": x.type.shape, "dimensions": ()})[0]])
        (total,) = b.emit(ops.sub, [x, total])
        if shared:
            (total,) = b.emit(ops.all_reduce, [total], {"reduction": "sum", "group": groups(range(shared))})
        return [total, x, total]

    region = program_of("step", types, body)
    attributes = {"constants": 1, "carry": 1, "length": length, "reverse": reverse}
    rows = ArrayType((length, *_VECTOR.shape), dtypes.int32)
    return program_of("scan", [_INDEX, _VECTOR, rows], lambda b, *values: b.emit(
        ops.scan, values, attributes, [region]))


def _nested() -> Program:
    """A scan in whose steps a branch is taken, one of them a loop that calls."""
    called = program_of("called", [_VECTOR], lambda b, x: b.emit(ops.add, [x, splat(b, 1, _VECTOR)]))
    types = [_INDEX, _VECTOR]
    condition = program_of("condition", types, lambda b, i, x: b.emit(ops.lt, [i, scalar(b, 3, dtypes.int32)]))
    iteration = program_of("iteration", types, lambda b, i, x: [
        *b.emit(ops.add, [i, scalar(b, 1, dtypes.int32)]), *b.emit(ops.call, [x], {}, [called])])
    looping = program_of("looping", [_VECTOR], lambda b, x: b.emit(
        ops.while_, [scalar(b, 0, dtypes.int32), x], {"constants": 0}, [condition, iteration])[1:])

    def step(b: ProgramBuilder, x: Value, index: Value) -> Sequence[Value]:
        (x,) = b.emit(ops.cond, [index, x], {}, [looping, _branch(ops.add), _branch(ops.neg)])
        return [x, x]

    region = program_of("step", [_VECTOR, _INDEX], step)
    attributes = {"constants": 0, "carry": 1, "length": 6, "reverse": False}
    return program_of("nested", [_VECTOR, array_type(6, dtype=dtypes.int32)], lambda b, x, indices: b.emit(
        ops.scan, [x, indices], attributes, [region]))


def _called_twice() -> Program:
    """One region called on the results of another call."""
    region = program_of("region", [_VECTOR, _VECTOR], lambda b, x, y: [*b.emit(ops.sub, [x, y]), x])
    return program_of("calls", [_VECTOR, _VECTOR], lambda b, x, y: b.emit(
        ops.call, b.emit(ops.call, [x, y], {}, [region]), {}, [region]))


@requirement(
    "control/cond",
    "`cond` MUST run the branch that its index names, the first one where the index is below and the last one where it "
    "is above.",
    why="Users choose with numbers that they computed.",
    profile="single",
    cases=[Case(f"{count}_branches", {"count": count}, needs=needs("cond", "add", "mul", "neg", "sub"))
           for count in (1, 2, 4)],
)
def cond(context: Context, count: int) -> None:
    """Indices on both sides of the branches; the devices' own where there are several."""
    program = _switch(count)
    executable = context.compile(program, context.devices)
    for first in (-(2**31), -1, 0, 1, 2, 3, 4, 2**31 - 8):
        indices = [_number(first + i) for i in range(len(context.devices))]
        values = [random_integers(context, _VECTOR, -9, 9) for _ in context.devices]
        require_reference(context, program, [indices, values], context.devices, executable=executable,
                          what=f"cond of index {first}")


@requirement(
    "control/while",
    "`while` MUST run its body as long as its condition holds, on each device by itself, and not at all where it does "
    "not hold at first.",
    why="A device that is done must not go on because another is not.",
    profile="single",
    cases=[Case(needs=needs("while", "add", "lt"))],
)
def while_(context: Context) -> None:
    """No iteration, one and many; other numbers of iterations on other devices."""
    program = _loop()
    executable = context.compile(program, context.devices)
    for iterations in (0, 1, 7, 25):
        counts = [_number(max(iterations - 3 * i, 0)) for i in range(len(context.devices))]
        columns = [[random_integers(context, _VECTOR) for _ in context.devices] for _ in range(2)]
        require_reference(context, program, [columns[0], counts, columns[1]], context.devices, executable=executable,
                          what=f"while of {iterations} iterations")


@requirement(
    "control/while_many_turns",
    "`while` MUST take as many iterations as its condition asks for.",
    why="Solvers iterate until they are done.",
    profile="single",
    cases=[Case(needs=needs("while", "add", "lt"))],
)
def while_many_turns(context: Context) -> None:
    """Some thousand iterations that count."""
    types = [_INDEX, _INDEX]
    condition = program_of("condition", types, lambda b, i, x: b.emit(ops.lt, [i, scalar(b, 3000, dtypes.int32)]))
    body = program_of("body", types, lambda b, i, x: [
        *b.emit(ops.add, [i, scalar(b, 1, dtypes.int32)]), *b.emit(ops.add, [x, i])])
    program = program_of("count", types, lambda b, i, x: b.emit(
        ops.while_, [i, x], {"constants": 0}, [condition, body]))
    require_reference(context, program, [[_number(0)], [_number(5)]], what="3000 iterations")


@requirement(
    "control/scan",
    "`scan` MUST carry values from step to step, forwards or backwards, and stack what each step gives in the order of "
    "the rows; without rows it hands back what it was to carry.",
    why="Recurrences and training loops are written with it.",
    profile="single",
    cases=[Case(f"{length}_rows{'_reversed' if reverse else ''}", {"length": length, "reverse": reverse},
                needs=needs("scan", "mul", "sub", "broadcast_in_dim"))
           for length in (0, 1, 6) for reverse in (False, True)],
)
def scan(context: Context, length: int, reverse: bool) -> None:
    """A constant, a carry and rows, on all devices."""
    require_reference(context, _scan(length, reverse), devices=context.devices, what="scan")


@requirement(
    "control/call",
    "`call` MUST give what its region gives.",
    why="Functions within a program are called several times.",
    profile="single",
    cases=[Case(needs=needs("call", "sub"))],
)
def call(context: Context) -> None:
    """The results of one call are the operands of the next."""
    require_reference(context, _called_twice(), devices=context.devices, what="call")


@requirement(
    "control/nested",
    "Control flow MUST work within control flow.",
    why="A training step in a loop branches and loops.",
    profile="single",
    cases=[Case(needs=needs("scan", "cond", "while", "call", "add", "neg", "lt"))],
)
def nested(context: Context) -> None:
    """A branch that is a loop that calls, in the steps of a scan; each device its own ways."""
    program = _nested()
    indices = [np.asarray([(i + d) % 4 - 1 for i in range(6)], np.int32) for d in range(len(context.devices))]
    values = [random_integers(context, _VECTOR, -9, 9) for _ in context.devices]
    require_reference(context, program, [values, indices], context.devices, what="nested control flow")


_TOGETHER: dict[str, Callable[[int], Program]] = {
    "while": _loop, "scan": lambda count: _scan(4, False, count), "scan_reversed": lambda count: _scan(4, True, count),
}


@requirement(
    "control/collectives_inside",
    "Collectives MUST work within loops and branches that all of their group take together.",
    why="Training steps that reduce gradients stand in loops.",
    profile="single",
    cases=[Case(kind, {"kind": kind}, needs=("devices:2", *needs("add", "all_reduce", kind.partition("_")[0])))
           for kind in _TOGETHER],
)
def collectives_inside(context: Context, kind: str) -> None:
    """All devices, as many iterations on each."""
    program = _TOGETHER[kind](len(context.devices))
    count = len(context.devices)
    inputs = [[random_integers(context, t) for _ in range(count)] for t in program.input_types]
    if kind == "while":
        inputs[1] = [_number(4)] * count
    require_reference(context, program, inputs, context.devices, what=f"{kind} with a collective")


@requirement(
    "control/groups_part_ways",
    "Devices MUST be free to take different branches, with a collective in one of them, as long as all of a group take "
    "it or none.",
    why="Each group of a mesh decides by its own values.",
    profile="single",
    cases=[Case(needs=("devices:2", *needs("all_reduce", "cond", "add", "mul")))],
)
def groups_part_ways(context: Context) -> None:
    """Two devices take the branch that reduces, then none of them does, then each another."""
    devices = context.need_devices(2)
    program = _switch(3, shared=True)
    executable = context.compile(program, devices)
    for indices in ((2, 2), (0, 1), (5, 2), (1, 1), (0, 0)):
        values = [random_integers(context, _VECTOR) for _ in devices]
        require_reference(context, program, [[_number(i) for i in indices], values], devices, executable=executable,
                          what=f"branches {indices}")
