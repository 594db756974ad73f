# SPDX-License-Identifier: Apache-2.0
"""Programs compiled from tables give what the reference interpreter gives."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Sequence

import numpy as np
import pytest

from olympus_core import ops
from olympus_core.errors import DisagreeingMembersError, NotSupportedError
from olympus_core.errors.platform import KernelResultError
from olympus_core.ops.host import HostFunction
from olympus_core.program import ArrayType, DeviceGroups, Program, ProgramBuilder
from olympus_core.program.interpreter import run_members
from olympus_core.toolkit import (
    ArrayBuffer,
    OperationTable,
    compile_with_table,
    table_from_namespace,
    table_from_references,
)
from olympus_cpu.fallback.table import cpu_table

from .programs import (
    FLOAT,
    branches,
    collective,
    device_program,
    fake_devices,
    running_sum,
    scalar,
    sum_until,
)

ALL = [tuple(range(8))]
HALVES = [(0, 1, 2, 3), (4, 5, 6, 7)]
STRIDED = [(0, 2, 4, 6), (7, 5, 3, 1)]
TABLES = {"references": table_from_references, "cpu": cpu_table, "namespace": lambda: table_from_namespace(np)}


def random_inputs(program: Program, count: int, seed: int = 0) -> list[list[np.ndarray]]:
    random = np.random.default_rng(seed)
    return [[np.asarray(random.uniform(0, 3, t.shape).astype(t.dtype)) for _ in range(count)]
            for t in program.input_types]


def run(program: Program, inputs: Sequence[Sequence[np.ndarray]], table: OperationTable, count: int = 8):
    devices = fake_devices(count)
    executable = compile_with_table(device_program(program, devices), table, None)
    buffers = [[ArrayBuffer(a, d) for a, d in zip(column, devices, strict=True)] for column in inputs]
    results = executable.execute(buffers)
    assert all(b.device is d for column in results for b, d in zip(column, devices, strict=True))
    return [[buffer.to_host() for buffer in column] for column in results]


def compare(program: Program, inputs: Sequence[Sequence[np.ndarray]], table: OperationTable, count: int = 8) -> None:
    found, expected = run(program, inputs, table, count), run_members(program, inputs, range(count))
    for some, wanted in zip(found, expected, strict=True):
        for a, b in zip(some, wanted, strict=True):
            assert a.dtype == b.dtype
            assert a.shape == b.shape
            np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)


@pytest.fixture(params=TABLES)
def table(request: pytest.FixtureRequest) -> OperationTable:
    return TABLES[request.param]()


@pytest.mark.parametrize("groups", [ALL, HALVES, STRIDED], ids=["all", "halves", "strided"])
@pytest.mark.parametrize(("name", "attributes"), [
    ("all_reduce", {"reduction": "sum"}), ("all_reduce", {"reduction": "min"}), ("all_gather", {"dimension": 1}),
    ("reduce_scatter", {"dimension": 1, "reduction": "prod"}),
    ("all_to_all", {"split_dimension": 1, "concat_dimension": 0}), ("permute", {"pairs": ((0, 3), (3, 1))}),
    ("broadcast", {"source": 2}),
])
def test_collectives_between_stretches(table: OperationTable, name: str, attributes: dict, groups: list) -> None:
    program = collective(name, (3, 8), groups, **attributes)
    compare(program, random_inputs(program, 8), table)


@pytest.mark.parametrize("with_collective", [False, True])
def test_while(table: OperationTable, with_collective: bool) -> None:
    program = sum_until(50, with_collective, HALVES)
    inputs = random_inputs(program, 8)
    compare(program, inputs, table)
    # Groups may run for different numbers of turns; here the first one is done at once.
    inputs = [[x * (100 if i < 4 else 1) for i, x in enumerate(inputs[0])]]
    compare(program, inputs, table)


def test_devices_of_different_branches_go_their_own_ways(table: OperationTable) -> None:
    program = branches(HALVES, False)
    inputs = random_inputs(program, 8)
    inputs[0] = [np.int32(i % 3 - 2)[...] for i in range(8)]  # indices below and above the branches are clamped
    compare(program, inputs, table)


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("with_collective", [False, True])
def test_scan(table: OperationTable, with_collective: bool, reverse: bool) -> None:
    program = running_sum(STRIDED, with_collective, reverse)
    compare(program, random_inputs(program, 8), table)


def test_a_collective_that_part_of_a_group_reaches_is_refused(table: OperationTable) -> None:
    program = branches(HALVES, True)
    inputs = random_inputs(program, 8)
    inputs[0] = [np.int32(0)[...]] * 8
    with pytest.raises(DisagreeingMembersError, match=r"devices \[2, 3\] are there, devices \[0, 1\] are not"):
        run(program, inputs, table)
    inputs[0] = [np.int32(2)[...]] * 8  # now all of them take the branch that communicates
    compare(program, inputs, table)


def test_axis_index_inside_a_loop_differs_by_device(table: OperationTable) -> None:
    body = ProgramBuilder("body")
    carry = body.input(ArrayType((), np.int32))
    (place,) = body.emit(ops.axis_index, [], {"group": DeviceGroups(((3, 2), (1, 0)))})
    (total,) = body.emit(ops.add, [carry, place])
    outer = ProgramBuilder("f")
    x = outer.input(ArrayType((), np.int32))
    attributes = {"constants": 0, "carry": 1, "length": 5, "reverse": False}
    program = outer.finish(outer.emit(ops.scan, [x], attributes, [body.finish([total])]))
    (found,) = run(program, [[np.int32(10)[...]] * 4], table, 4)
    assert [int(x) for x in found] == [15, 10, 15, 10]


def test_calls_are_written_out_each_time(table: OperationTable) -> None:
    inner = ProgramBuilder("twice")
    x = inner.input(ArrayType((2,), FLOAT))
    (y,) = inner.emit(ops.add, [x, x])
    twice = inner.finish([y])
    outer = ProgramBuilder("f")
    x = outer.input(ArrayType((2,), FLOAT))
    (y,) = outer.emit(ops.call, [x], {}, [twice])
    (z,) = outer.emit(ops.call, [y], {}, [twice])
    program = outer.finish([z, y, z, x])
    compare(program, random_inputs(program, 2), table, 2)
    devices = fake_devices(2)
    assert "call" not in compile_with_table(device_program(program, devices), table, None).text()


def test_host_callbacks_come_in_order_and_see_read_only_arrays(table: OperationTable) -> None:
    seen: list[tuple[str, list[float], bool]] = []

    def note(name: str):
        def function(x: np.ndarray):
            seen.append((name, x.tolist(), x.flags.writeable))
            return (x * 2,)

        return HostFunction(name, function)

    kind = ArrayType((1,), FLOAT)
    builder = ProgramBuilder("f")
    x = builder.input(kind)
    attributes = {"result_types": (kind,), "ordered": True}
    (y,) = builder.emit(ops.host_callback, [x], {"callback": note("a"), **attributes})
    (z,) = builder.emit(ops.neg, [y])
    builder.emit(ops.host_callback, [z], {"callback": note("b"), **attributes})
    program = builder.finish([z])
    (found,) = run(program, [[np.float32([1]), np.float32([2])]], table, 2)
    assert [x.tolist() for x in found] == [[-2], [-4]]
    assert seen == [("a", [1], False), ("a", [2], False), ("b", [-2], False), ("b", [-4], False)]


def test_an_exception_of_a_callback_comes_out_as_it_is(table: OperationTable) -> None:
    def fail(x: np.ndarray):
        raise KeyError("mine")

    kind = ArrayType((1,), FLOAT)
    builder = ProgramBuilder("f")
    results = builder.emit(ops.host_callback, [builder.input(kind)],
                           {"callback": HostFunction("fail", fail), "result_types": (kind,), "ordered": True})
    with pytest.raises(KeyError, match="mine"):
        run(builder.finish(results), [[np.float32([1])]], table, 1)


def test_programs_without_operations_or_inputs_or_outputs(table: OperationTable) -> None:
    builder = ProgramBuilder("identity")
    x, y = builder.input(ArrayType((2,), FLOAT)), builder.input(ArrayType((), FLOAT))
    program = builder.finish([y, x, y])
    for count in (1, 3):
        compare(program, random_inputs(program, count), table, count)
    builder = ProgramBuilder("constant")
    program = builder.finish([scalar(builder, 7.0)])
    for count in (1, 3):
        (found,) = run(program, [], table, count)
        assert [x.tolist() for x in found] == [7.0] * count
        assert run(ProgramBuilder("nothing").finish([]), [], table, count) == []


def test_what_depends_on_constants_only_is_computed_once() -> None:
    calls: list[str] = []

    def counting(operands, attributes):
        calls.append("exp")
        return (np.exp(operands[0]),)

    builder = ProgramBuilder("f")
    x = builder.input(ArrayType((), FLOAT))
    (e,) = builder.emit(ops.exp, [scalar(builder, 1.0)])
    program = builder.finish(builder.emit(ops.mul, [x, e]))
    table = table_from_references().with_entries({"exp": counting})
    (device,) = fake_devices(1)
    executable = compile_with_table(device_program(program, [device]), table, None)
    for n in range(3):
        ((result,),) = executable.execute([[ArrayBuffer(np.float32(n)[...], device)]])
        assert result.to_host() == pytest.approx(n * np.e, rel=1e-6)
    assert calls == ["exp"]


class Watched(np.ndarray):
    """An array whose life can be watched."""


@pytest.mark.parametrize("with_collective", [False, True])
def test_intermediate_arrays_are_let_go_after_their_last_use(with_collective: bool) -> None:
    alive: list[weakref.ref] = []
    most = 0

    def tracked(operands, attributes):
        nonlocal most
        result = np.array(operands[0] + 1, np.float32).view(Watched)
        alive.append(weakref.ref(result))
        most = max(most, sum(r() is not None for r in alive))
        return (result,)

    builder = ProgramBuilder("chain")
    x = builder.input(ArrayType((4,), FLOAT))
    for i in range(10):
        (x,) = builder.emit(ops.neg, [x])
        if with_collective and i % 3 == 0:
            (x,) = builder.emit(ops.all_reduce, [x], {"reduction": "max", "group": DeviceGroups(((0,),))})
    table = table_from_references().with_entries({"neg": tracked})
    run(builder.finish([x]), [[np.zeros(4, np.float32)]], table, 1)
    gc.collect()
    assert len(alive) == 10
    assert most <= 2, "more than an operation's operand and its result were alive at once"


def test_an_operation_that_the_table_lacks_is_refused_at_compile_time() -> None:
    builder = ProgramBuilder("f")
    program = builder.finish(builder.emit(ops.sin, [builder.input(ArrayType((), FLOAT))]))
    with pytest.raises(NotSupportedError, match="operation sin is not supported"):
        compile_with_table(device_program(program, fake_devices(1)), OperationTable({}), None)


@pytest.mark.parametrize("result", [np.zeros(3, np.float32), np.zeros(2, np.float64), (1, 2)], ids=str)
def test_a_function_with_wrong_results_is_named(result: object) -> None:
    results = result if isinstance(result, tuple) else (result,)
    table = OperationTable({"sin": lambda operands, attributes: results})
    builder = ProgramBuilder("f")
    program = builder.finish(builder.emit(ops.sin, [builder.input(ArrayType((2,), FLOAT))]))
    with pytest.raises(KernelResultError, match="platform's function for sin") as caught:
        run(program, [[np.zeros(2, np.float32)]], table, 1)
    assert caught.value.operation == "sin"
    assert caught.value.expected == ("float32[2]",)


def test_only_the_groups_of_local_devices_are_run_in_memory() -> None:
    """Groups that span processes go to their communicators, all begun before the first is waited for."""
    events: list[str] = []

    class Communicator:
        def __init__(self, devices) -> None:
            self.name = "".join(str(d.id) for d in devices)

        def all_reduce(self, inputs, reduction):
            events.append(f"begin {self.name} {[b.to_host().tolist() for b in inputs]} {reduction}")
            return [np.float32([100])] * len(inputs), inputs

    class Links:
        def communicator(self, devices):
            events.append(f"open {''.join(str(d.id) for d in devices)}")
            return Communicator(devices)

        def wait(self, pending, label):
            events.append(f"wait {label}")
            arrays, inputs = pending
            return [ArrayBuffer(a, b.device) for a, b in zip(arrays, inputs, strict=True)]

    devices = fake_devices(8, [0, 0, 1, 1, 0, 0, 0, 1])
    local = [d for d in devices if d.is_addressable]
    program = collective("all_reduce", (1,), [(0, 2), (4, 5), (6, 7), (1, 3)], reduction="sum")
    executable = compile_with_table(device_program(program, devices), cpu_table(), Links())
    inputs = [[ArrayBuffer(np.float32([i]), d) for i, d in enumerate(local)]]
    _, reduced, _ = executable.execute(inputs)
    assert [b.to_host().tolist() for b in reduced] == [[100], [100], [10], [10], [100]]
    assert events == [
        "open 02", "open 67", "open 13", "begin 02 [[0.0]] sum", "begin 67 [[8.0]] sum", "begin 13 [[2.0]] sum",
        "wait all_reduce", "wait all_reduce", "wait all_reduce",
    ]
