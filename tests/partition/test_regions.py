# SPDX-License-Identifier: Apache-2.0
"""Control flow and manual regions over many devices."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from olympus_core import ops
from olympus_core.errors import NotSupportedError
from olympus_core.partition import partition
from olympus_core.placement import Dims, Mesh
from olympus_core.program import ArrayType, AxisGroup, DeviceGroups, Program, ProgramBuilder, Value, operations_of
from olympus_core.program.interpreter import run_members
from olympus_core.program.verify import verify

from .oracle import check, mesh_of, placements, shards, whole

F = "float32"
Body = Callable[[ProgramBuilder, list[Value]], Sequence[Value]]


def region(types: Sequence[ArrayType], body: Body) -> Program:
    builder = ProgramBuilder("region")
    return builder.finish(body(builder, [builder.input(t) for t in types]))


def one(builder: ProgramBuilder, record: ops.OperationRecord, operands: Sequence[Value], **attributes: object) -> Value:
    return builder.emit(record, operands, attributes, location="user.py:1")[0]


def power_iteration(size: int, batch: int) -> Program:
    """x, w -> scan of x = x @ w over some steps, with the sums of each step stacked."""
    builder = ProgramBuilder("scan")
    x, w, b = (
        builder.input(ArrayType(shape, F)) for shape in ((batch, size), (size, size), (4, batch, size))
    )

    def body(m: ProgramBuilder, v: list[Value]) -> Sequence[Value]:
        weights, state, bias = v
        product = one(m, ops.dot_general, [state, weights], lhs_contracting=(1,), rhs_contracting=(0,), lhs_batch=(),
                      rhs_batch=(), dtype=None)
        moved = one(m, ops.add, [product, bias])
        return [moved, one(m, ops.reduce_sum, [moved], dimensions=(0,))]

    types = [w.type, x.type, ArrayType((batch, size), F)]
    results = builder.emit(
        ops.scan, [w, x, b], {"constants": 1, "carry": 1, "length": 4, "reverse": False}, [region(types, body)]
    )
    return builder.finish(results)


def ints(*shapes: tuple[int, ...]) -> list[np.ndarray]:
    random = np.random.default_rng(3)
    return [random.integers(-1, 2, shape).astype(F) for shape in shapes]


@pytest.mark.parametrize("dims", [
    [(("a",), ()), ((), ()), ((), ("a",), ())],
    [(("a",), ("b",)), (("b",), ()), ((), ("a",), ())],
    [((), ("a",)), (("a",), ()), (("a",), (), ())],
    [((), ()), ((), ("b",)), (("b",), ("a",), ())],
], ids=str)
def test_scan(dims: list[tuple[tuple[str, ...], ...]]) -> None:
    program = power_iteration(8, 16)
    inputs = ints((16, 8), (8, 8), (4, 16, 8))
    partitioned = check(program, inputs, whole(program, inputs), mesh_of(2, 4), dims)
    assert all(use.times in (1, 4) for use in partitioned.collectives)


def test_scan_over_rows_talks_only_where_it_must() -> None:
    partitioned = partition(power_iteration(8, 16), mesh_of(8), [(("a",), ()), ((), ()), ((), ("a",), ())], [None] * 2)
    assert partitioned.out_dims == ((("a",), ()), ((), ()))
    assert [(use.operation, use.times) for use in partitioned.collectives] == [("all_reduce", 4)]


def test_constant_of_a_loop_is_gathered_once_before_it() -> None:
    program = power_iteration(8, 256)
    dims = [(("a",), ()), (("a",), ()), ((), ("a",), ())]
    inputs = ints((256, 8), (8, 8), (4, 256, 8))
    partitioned = check(program, inputs, whole(program, inputs), mesh_of(8), dims)
    assert [(use.operation, use.times) for use in partitioned.collectives] == [("all_gather", 1), ("all_reduce", 4)]


def counting(shape: tuple[int, ...]) -> Program:
    """While the sum is below a bound, double and add the constant."""
    builder = ProgramBuilder("while")
    c, x = builder.input(ArrayType(shape, F)), builder.input(ArrayType(shape, F))

    def condition(m: ProgramBuilder, v: list[Value]) -> Sequence[Value]:
        total = one(m, ops.reduce_sum, [v[1]], dimensions=(0, 1))
        return [one(m, ops.lt, [total, one(m, ops.constant, [], value=np.array(1000, F))])]

    def body(m: ProgramBuilder, v: list[Value]) -> Sequence[Value]:
        return [one(m, ops.add, [one(m, ops.add, [v[1], v[1]]), v[0]])]

    types = [c.type, x.type]
    return builder.finish(
        builder.emit(ops.while_, [c, x], {"constants": 1}, [region(types, condition), region(types, body)])
    )


def test_while_with_a_condition_over_all_devices() -> None:
    program = counting((8, 4))
    inputs = [np.ones((8, 4), F), np.ones((8, 4), F)]
    for dims in placements(mesh_of(2, 2).shape_tuple, (8, 4)):
        partitioned = check(program, inputs, whole(program, inputs), mesh_of(2, 2), [dims, (("a",), ())])
        assert partitioned.out_dims[0][0][:1] == ("a",)
        assert [use.times for use in partitioned.collectives][-1:] == [None]


def test_while_carry_keeps_one_layout() -> None:
    """The body swaps its carried values: both get one placement that holds in every turn."""
    builder = ProgramBuilder("swap")
    n, x, y = builder.input(ArrayType((), F)), builder.input(ArrayType((8,), F)), builder.input(ArrayType((8,), F))
    types = [n.type, x.type, y.type]

    def condition(m: ProgramBuilder, v: list[Value]) -> Sequence[Value]:
        return [one(m, ops.lt, [v[0], one(m, ops.constant, [], value=np.array(3, F))])]

    def body(m: ProgramBuilder, v: list[Value]) -> Sequence[Value]:
        return [one(m, ops.add, [v[0], one(m, ops.constant, [], value=np.array(1, F))]), v[2], v[1]]

    program = builder.finish(
        builder.emit(ops.while_, [n, x, y], {"constants": 0}, [region(types, condition), region(types, body)])
    )
    inputs = [np.zeros((), F), np.arange(8, dtype=F), -np.arange(8, dtype=F)]
    for dims in ([(), (("a",),), (("b",),)], [(), ((),), (("b", "a"),)], [(), (("a", "b"),), (("b", "a"),)]):
        check(program, inputs, whole(program, inputs), mesh_of(2, 2), dims)


@pytest.mark.parametrize("index", [-1, 0, 1, 7])
def test_cond_with_branches_that_disagree(index: int) -> None:
    builder = ProgramBuilder("cond")
    i, x = builder.input(ArrayType((), "int32")), builder.input(ArrayType((8, 8), F))
    turn = region([x.type], lambda m, v: [one(m, ops.transpose, v, permutation=(1, 0))])
    sort = region([x.type], lambda m, v: [one(m, ops.sort, v, dimension=0, keys=1)])
    program = builder.finish(builder.emit(ops.cond, [i, x], {}, [turn, sort]))
    inputs = [np.array(index, "int32"), *ints((8, 8))]
    for dims in placements(mesh_of(2, 4).shape_tuple, (8, 8)):
        check(program, inputs, whole(program, inputs), mesh_of(2, 4), [(), dims])


def test_region_used_twice_is_partitioned_twice() -> None:
    builder = ProgramBuilder("twice")
    x, y = builder.input(ArrayType((8,), F)), builder.input(ArrayType((8,), F))
    shared = region([x.type], lambda m, v: [one(m, ops.neg, v)])
    i = one(builder, ops.constant, [], value=np.array(0, "int32"))
    outputs = [
        builder.emit(ops.cond, [i, x], {}, [shared, shared])[0], builder.emit(ops.call, [y], {}, [shared])[0],
        builder.emit(ops.call, [x], {}, [shared])[0],
    ]
    program = builder.finish(outputs)
    inputs = ints((8,), (8,))
    partitioned = check(program, inputs, whole(program, inputs), mesh_of(2, 4), [(("a",),), (("b",),)])
    assert partitioned.out_dims == ((("a",),), (("b",),), (("a",),))
    assert partitioned.collectives == ()


def test_calls_on_one_device_are_written_in_place() -> None:
    builder = ProgramBuilder("calls")
    x, y = builder.input(ArrayType((4,), F)), builder.input(ArrayType((4,), F))
    inner = region([x.type], lambda m, v: [one(m, ops.neg, v), one(m, ops.sin, v)])  # of which one is used
    outer = region([x.type], lambda m, v: [m.emit(ops.call, v, {}, [inner])[0]])
    i = one(builder, ops.constant, [], value=np.array(0, "int32"))
    chosen = builder.emit(ops.cond, [i, x], {}, [outer, outer])[0]
    program = builder.finish([builder.emit(ops.call, [y], {}, [outer])[0], chosen])
    mesh = mesh_of(1)
    for dims in ((), (mesh.axis_names[0],)):  # nothing to decide, and something
        partitioned = partition(program, mesh, [(dims,), ((),)], [None, None])
        local = partitioned.device_program.program
        verify(local)
        assert "call" not in str(local) and "sin" not in str(local)
        assert partitioned.out_dims == (((),), (dims,)) and partitioned.collectives == ()
        inputs = ints((4,), (4,))
        for found, wanted in zip(whole(local, inputs), whole(program, inputs), strict=True):
            np.testing.assert_array_equal(found, wanted)


def test_a_program_without_calls_runs_as_it_is_on_one_device() -> None:
    builder = ProgramBuilder("plain")
    x = builder.input(ArrayType((4,), F))
    program = builder.finish([one(builder, ops.neg, [x])])
    assert partition(program, mesh_of(1), [((),)], [None]).device_program.program is program


def manual(
    mesh: Mesh, body: Body, in_dims: list[Dims], out_dims: list[Dims], types: list[ArrayType], axes: tuple[str, ...]
) -> Program:
    builder = ProgramBuilder("manual")
    inputs = [builder.input(t) for t in types]
    local = [
        t.with_shape(n // mesh.parts(group) for n, group in zip(t.shape, dims, strict=True))
        for t, dims in zip(types, in_dims, strict=True)
    ]
    attributes = {"mesh": mesh, "axes": axes, "in_dims": tuple(in_dims), "out_dims": tuple(out_dims)}
    return builder.finish(builder.emit(ops.manual, inputs, attributes, [region(local, body)]))


def test_manual_region_is_written_in_place() -> None:
    mesh = mesh_of(2, 4)
    group = AxisGroup(mesh.shape_tuple, ("b",))

    def body(m: ProgramBuilder, v: list[Value]) -> Sequence[Value]:
        total = one(m, ops.all_reduce, [v[0]], reduction="sum", group=group)
        index = one(m, ops.convert, [one(m, ops.axis_index, [], group=group)], dtype=np.dtype(F))
        spread = one(m, ops.broadcast_in_dim, [index], shape=v[0].type.shape, dimensions=())
        return [total, one(m, ops.add, [v[0], spread])]

    types = [ArrayType((8, 8), F)]
    program = manual(mesh, body, [(("a",), ("b",))], [(("a",), ()), (("a",), ("b",))], types, ("a", "b"))
    inputs = ints((8, 8))
    for dims in placements(mesh.shape_tuple, (8, 8)):
        partitioned = check(program, inputs, whole(program, inputs), mesh, [dims])
        assert partitioned.out_dims == ((("a",), ()), (("a",), ("b",)))
    found = [o for o in operations_of(partitioned.device_program.program) if o.name == "all_reduce"]
    assert [o.attributes["group"] for o in found] == [DeviceGroups(((0, 1, 2, 3), (4, 5, 6, 7)))]
    assert [use.why for use in partitioned.collectives if use.operation == "all_reduce"] == ["written by the program"]


def test_manual_over_some_axes_repeats_over_the_others() -> None:
    mesh = mesh_of(2, 4)
    group = AxisGroup(mesh.shape_tuple, ("a",))
    program = manual(
        mesh, lambda m, v: [one(m, ops.all_gather, [v[0]], dimension=0, group=group)],
        [(("a",), ())], [((), ())], [ArrayType((8, 8), F)], ("a",),
    )
    inputs = ints((8, 8))
    for dims in placements(mesh.shape_tuple, (8, 8)):
        check(program, inputs, whole(program, inputs), mesh, [dims], [(("b",), ("a",))])


def test_automatic_axes_of_a_manual_region_are_partitioned() -> None:
    mesh = mesh_of(2, 4)
    group = AxisGroup(mesh.shape_tuple, ("a",))

    def body(m: ProgramBuilder, v: list[Value]) -> Sequence[Value]:
        return [one(m, ops.sin, [one(m, ops.all_reduce, v, reduction="sum", group=group)])]

    program = manual(mesh, body, [(("a",), ())], [((), ())], [ArrayType((8, 8), F)], ("a",))
    inputs = ints((8, 8))
    partitioned = check(program, inputs, whole(program, inputs), mesh, [(("a",), ("b",))])
    assert partitioned.out_dims == (((), ("b",)),)
    (use,) = partitioned.collectives
    assert (use.operation, use.axes, use.bytes_per_device) == ("all_reduce", ("a",), 4 * 2 * 4)


def test_manual_axes_do_not_come_in_otherwise() -> None:
    """A value that is split over a manual axis, but whole in the region, is gathered first."""
    mesh = mesh_of(2, 4)
    program = manual(mesh, lambda m, v: [one(m, ops.sort, v, dimension=0, keys=1)], [((), ())], [((), ())],
                     [ArrayType((8, 8), F)], ("a",))
    inputs = ints((8, 8))
    for dims in placements(mesh.shape_tuple, (8, 8)):
        partitioned = check(program, inputs, whole(program, inputs), mesh, [dims])
        assert not any("a" in axes for axes in partitioned.out_dims[0])


def test_nested_manual_regions() -> None:
    mesh = mesh_of(2, 4)
    a, b = AxisGroup(mesh.shape_tuple, ("a",)), AxisGroup(mesh.shape_tuple, ("b",))

    def inner(m: ProgramBuilder, v: list[Value]) -> Sequence[Value]:
        return [one(m, ops.all_reduce, [v[0]], reduction="max", group=b)]

    def outer(m: ProgramBuilder, v: list[Value]) -> Sequence[Value]:
        total = one(m, ops.all_reduce, [v[0]], reduction="sum", group=a)
        attributes = {"mesh": mesh, "axes": ("b",), "in_dims": (((), ("b",)),), "out_dims": (((), ()),)}
        return [m.emit(ops.manual, [total], attributes, [region([ArrayType((4, 2), F)], inner)])[0]]

    program = manual(mesh, outer, [(("a",), ())], [((), ())], [ArrayType((8, 8), F)], ("a",))
    inputs = ints((8, 8))
    for dims in placements(mesh.shape_tuple, (8, 8)):
        check(program, inputs, whole(program, inputs), mesh, [dims])


def test_manual_inside_a_loop() -> None:
    mesh = mesh_of(4)
    group = AxisGroup(mesh.shape_tuple, ("a",))
    pairs = tuple((i, (i + 1) % 4) for i in range(4))

    def ring(m: ProgramBuilder, v: list[Value]) -> Sequence[Value]:
        return [one(m, ops.permute, [v[0]], pairs=pairs, group=group)]

    def body(m: ProgramBuilder, v: list[Value]) -> Sequence[Value]:
        attributes = {"mesh": mesh, "axes": ("a",), "in_dims": ((("a",),),), "out_dims": ((("a",),),)}
        return [m.emit(ops.manual, v, attributes, [region([ArrayType((2,), F)], ring)])[0]]

    builder = ProgramBuilder("loop")
    x = builder.input(ArrayType((8,), F))
    attributes = {"constants": 0, "carry": 1, "length": 3, "reverse": False}
    program = builder.finish(builder.emit(ops.scan, [x], attributes, [region([x.type], body)]))
    partitioned = check(program, ints((8,)), whole(program, ints((8,))), mesh, [(("a",),)])
    assert [(use.operation, use.times) for use in partitioned.collectives] == [("permute", 3)]


def test_manual_on_one_device_is_written_in_place() -> None:
    mesh = mesh_of(1)
    group = AxisGroup(mesh.shape_tuple, ("a",))
    program = manual(
        mesh, lambda m, v: [one(m, ops.all_reduce, [v[0]], reduction="sum", group=group)],
        [(("a",),)], [((),)], [ArrayType((8,), F)], ("a",),
    )
    partitioned = check(program, ints((8,)), whole(program, ints((8,))), mesh, [((),)])
    assert "manual" not in [o.name for o in partitioned.device_program.program.operations]


def test_manual_over_another_mesh_is_refused() -> None:
    mesh, other = mesh_of(2, 4), mesh_of(4)
    program = manual(other, lambda m, v: [one(m, ops.neg, v)], [(("a",),)], [(("a",),)], [ArrayType((8,), F)], ("a",))
    with pytest.raises(NotSupportedError, match="their devices, or the order of their devices, differ"):
        partition(program, mesh, [((),)], [None])


def test_host_callback_gets_whole_values() -> None:
    builder = ProgramBuilder("callback")
    x = builder.input(ArrayType((8,), F))
    function = ops.HostFunction("double", lambda v: [v + v])
    y = one(builder, ops.host_callback, [x], callback=function, result_types=(x.type,), ordered=False)
    program = builder.finish([y])
    check(program, ints((8,)), whole(program, ints((8,))), mesh_of(4), [(("a",),)])


def logging(seen: list[float]) -> tuple[ops.HostFunction, Body]:
    function = ops.HostFunction("log", lambda v: seen.append(float(v.sum())))

    def body(m: ProgramBuilder, v: list[Value]) -> Sequence[Value]:
        m.emit(ops.host_callback, v, {"callback": function, "result_types": (), "ordered": True})
        return [one(m, ops.neg, v)]

    return function, body


def test_effect_without_results_happens_once() -> None:
    seen: list[float] = []
    _, body = logging(seen)
    program = region([ArrayType((8,), F)], body)
    partitioned = partition(program, mesh_of(2, 2), [(("a",),)], [None])
    local = partitioned.device_program.program
    verify(local, 4)
    run_members(local, [shards(mesh_of(2, 2), (("a",),), np.arange(8, dtype=F))], range(4))
    assert seen == [28.0]


def test_effect_in_a_manual_region_happens_once_for_each_part() -> None:
    seen: list[float] = []
    _, body = logging(seen)
    program = manual(mesh_of(2, 2), body, [(("a",),)], [(("a",),)], [ArrayType((8,), F)], ("a",))
    local = partition(program, mesh_of(2, 2), [(("a",),)], [None]).device_program.program
    run_members(local, [shards(mesh_of(2, 2), (("a",),), np.arange(8, dtype=F))], range(4))
    assert seen == [6.0, 22.0]


def test_random_bits_do_not_depend_on_the_sharding() -> None:
    builder = ProgramBuilder("bits")
    key = builder.input(ArrayType((2,), "uint32"))
    bits = one(builder, ops.random_bits, [key], shape=(8, 16), global_shape=(8, 16), dtype=np.dtype("uint32"))
    program = builder.finish([bits])
    inputs = [np.array([1, 2], "uint32")]
    for dims in placements(mesh_of(2, 4).shape_tuple, (8, 16)):
        partitioned = check(program, inputs, whole(program, inputs), mesh_of(2, 4), [((),)], [dims])
        assert partitioned.collectives == ()
