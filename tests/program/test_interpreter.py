# SPDX-License-Identifier: Apache-2.0
"""The reference interpreter against NumPy, and its rules about devices that part ways."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from olympus_core import ops
from olympus_core.errors import DisagreeingMembersError, OperandError
from olympus_core.placement import Mesh
from olympus_core.program import ArrayType, AxisGroup, DeviceGroups, ProgramBuilder, run, run_members, verify

MESH = Mesh(np.arange(8).reshape(2, 4), ("x", "y"))
CUBE = Mesh(np.arange(8).reshape(2, 2, 2), ("x", "y", "z"))
BOOL, INDEX, FLOAT = ArrayType((), "bool"), ArrayType((), "int32"), ArrayType((), "float32")


def program_of(types, body):
    """A program with inputs of these types whose outputs `body(emit, *inputs)` makes."""
    builder = ProgramBuilder("test")
    inputs = [builder.input(t) for t in types]

    def emit(record, *operands, regions=(), **attributes):
        results = builder.emit(record, operands, attributes, regions)
        return results[0] if len(results) == 1 else results

    outputs = body(emit, *inputs)
    return builder.finish(outputs if isinstance(outputs, (tuple, list)) else [outputs])


def number(emit, value, dtype="int32"):
    return emit(ops.constant, value=np.array(value, dtype))


def test_straight_line():
    program = program_of([ArrayType((3,), "float32")] * 2, lambda emit, x, y: [emit(ops.add, emit(ops.sin, x), y), x])
    x, y = np.float32([1, 2, 3]), np.float32([4, 5, 6])
    total, same = run(program, [x, y])
    np.testing.assert_array_equal(total, np.sin(x.astype(np.float64)).astype(np.float32) + y)  # rounded once
    np.testing.assert_array_equal(same, x)


def test_inputs_must_be_of_the_programs_types():
    program = program_of([FLOAT], lambda emit, x: x)
    for inputs in ([np.float64(1)], [np.zeros(1, np.float32)], []):
        with pytest.raises(OperandError, match="not of the program's types"):
            run(program, inputs)
    with pytest.raises(OperandError, match="not of the program's types"):
        run_members(program, [[np.float32(1), np.int32(1)]], (0, 1))


@pytest.mark.parametrize(("index", "branch"), [(-5, 0), (0, 0), (1, 1), (2, 2), (7, 2)])
def test_cond_clamps_its_index(index, branch):
    branches = [program_of([FLOAT], lambda emit, x, r=record: emit(r, x)) for record in (ops.sin, ops.cos, ops.tan)]
    program = program_of([INDEX, FLOAT], lambda emit, i, x: emit(ops.cond, i, x, regions=branches))
    (y,) = run(program, [np.int32(index), np.float32(0.5)])
    assert y == (np.sin, np.cos, np.tan)[branch](np.float32(0.5))


def loop(limit_type=INDEX):
    """carry (i, total), constant limit: while i < limit: i, total = i + 1, total + i."""
    types = [limit_type, INDEX, INDEX]
    condition = program_of(types, lambda emit, limit, i, total: emit(ops.lt, i, limit))
    body = program_of(
        types, lambda emit, limit, i, total: [emit(ops.add, i, number(emit, 1)), emit(ops.add, total, i)]
    )
    return condition, body


@pytest.mark.parametrize("limit", [0, 1, 10])
def test_while(limit):
    program = program_of(
        [INDEX, INDEX, INDEX],
        lambda emit, limit, i, t: emit(ops.while_, limit, i, t, constants=1, regions=loop()),
    )
    i, total = run(program, [np.int32(limit), np.int32(0), np.int32(100)])
    assert (i, total) == (limit, 100 + sum(range(limit)))


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("length", [0, 1, 5])
def test_scan(length, reverse):
    def step(emit, factor, total, x):
        total = emit(ops.add, total, emit(ops.mul, factor, x))
        return [total, emit(ops.neg, total)]

    body = program_of([FLOAT, FLOAT, FLOAT], step)
    program = program_of(
        [FLOAT, FLOAT, ArrayType((length,), "float32")],
        lambda emit, factor, start, xs: emit(
            ops.scan, factor, start, xs, constants=1, carry=1, length=length, reverse=reverse, regions=[body]
        ),
    )
    xs = np.arange(length, dtype=np.float32)
    total, stacked = run(program, [np.float32(3), np.float32(1), xs])
    order = xs[::-1] if reverse else xs
    partial = np.cumsum(np.float32([1, *(3 * order)]), dtype=np.float32)
    assert total == partial[-1]
    np.testing.assert_array_equal(stacked, -(partial[1:][::-1] if reverse else partial[1:]))
    assert stacked.shape == (length,)


def test_call_and_nesting():
    inner = program_of([FLOAT], lambda emit, x: emit(ops.mul, x, x))
    outer = program_of([FLOAT], lambda emit, x: emit(ops.call, emit(ops.call, x, regions=[inner]), regions=[inner]))
    assert run(program_of([FLOAT], lambda emit, x: emit(ops.call, x, regions=[outer])), [np.float32(3)]) == [81]


def manual(types, in_dims, out_dims, body, mesh=MESH, axes=None):
    """A program that is one manual region; `types` are global."""
    sizes = dict(mesh.shape_tuple)
    local = [
        t.with_shape(n // math.prod(sizes[a] for a in dim) for n, dim in zip(t.shape, dims, strict=True))
        for t, dims in zip(types, in_dims, strict=True)
    ]
    region = program_of(local, body)
    program = program_of(types, lambda emit, *xs: _as_list(emit(
        ops.manual, *xs, mesh=mesh, axes=axes or mesh.axis_names, in_dims=in_dims, out_dims=out_dims, regions=[region]
    )))
    verify(program)
    return program


def _as_list(results):
    return list(results) if isinstance(results, tuple) else [results]


def over(*axes, mesh=MESH):
    return AxisGroup(mesh.shape_tuple, axes)


def test_manual_matrix_product_by_partial_sums():
    attributes = {"lhs_contracting": (1,), "rhs_contracting": (0,), "lhs_batch": (), "rhs_batch": (), "dtype": None}
    program = manual(
        [ArrayType((6, 8), "int32"), ArrayType((8, 3), "int32")], ((("x",), ("y",)), (("y",), ())), ((("x",), ()),),
        lambda emit, a, b: emit(ops.all_reduce, emit(ops.dot_general, a, b, **attributes), reduction="sum",
                                group=over("y")),
    )
    a, b = np.arange(48, dtype=np.int32).reshape(6, 8), np.arange(24, dtype=np.int32).reshape(8, 3)
    np.testing.assert_array_equal(run(program, [a, b])[0], a @ b)


def test_axis_index_tells_every_device_its_place():
    one = ArrayType((1, 1), "int32")
    for axes, expected in {
        ("x", "y"): np.arange(8).reshape(2, 4),
        ("y", "x"): np.arange(8).reshape(4, 2).T,
        ("x",): np.repeat([[0], [1]], 4, 1),
        ("y",): np.tile(np.arange(4), (2, 1)),
    }.items():
        program = manual([], (), ((("x",), ("y",)),), lambda emit, axes=axes: emit(
            ops.reshape, emit(ops.axis_index, group=over(*axes)), shape=one.shape))
        np.testing.assert_array_equal(run(program, [])[0], expected)


def test_partly_manual_regions_leave_the_other_axes_alone():
    """Over x only: y's devices hold the same, and the region sees whole dimensions along y."""
    program = manual(
        [ArrayType((4, 4), "int32")], ((("x",), ()),), (((), ()),),
        lambda emit, a: emit(ops.all_reduce, a, reduction="sum", group=over("x")), axes=("x",),
    )
    a = np.arange(16, dtype=np.int32).reshape(4, 4)
    np.testing.assert_array_equal(run(program, [a])[0][:2], (a[:2] + a[2:]))
    assert run(program, [a])[0].shape == (2, 4)


def test_nested_manual_regions():
    """x outside, y inside; the innermost sum is over both."""
    inner = program_of([ArrayType((2, 1), "int32")], lambda emit, a: emit(
        ops.all_reduce, a, reduction="sum", group=over("x", "y")))

    def body(emit, a):
        dims = {"in_dims": (((), ("y",)),), "out_dims": (((), ()),)}
        return emit(ops.manual, a, mesh=MESH, axes=("y",), **dims, regions=[inner])

    program = manual([ArrayType((4, 4), "int32")], ((("x",), ()),), ((("x",), ()),), body, axes=("x",))
    a = np.arange(16, dtype=np.int32).reshape(4, 4)
    expected = a.reshape(2, 2, 4).sum(axis=(0, 2))[:, None]
    np.testing.assert_array_equal(run(program, [a])[0], np.tile(expected, (2, 1)))


@st.composite
def placements(draw, mesh, ndim):
    """For each dimension a tuple of axes, each axis used once at most."""
    axes = draw(st.permutations(mesh.axis_names))
    axes = axes[: draw(st.integers(0, len(axes)))]
    places = [draw(st.integers(0, ndim - 1)) for _ in axes] if ndim else []
    return tuple(tuple(a for a, p in zip(axes, places, strict=False) if p == d) for d in range(ndim))


@settings(deadline=None, max_examples=60)
@given(st.data(), st.sampled_from([MESH, CUBE]))
def test_cut_and_joined_is_the_whole(data, mesh):
    """What is cut over some axes and put together over the same axes is what it was."""
    ndim = data.draw(st.integers(0, 3))
    dims = data.draw(placements(mesh, ndim))
    sizes = dict(mesh.shape_tuple)
    shape = tuple(data.draw(st.integers(0, 2)) * math.prod(sizes[a] for a in dim) for dim in dims)
    program = manual([ArrayType(shape, "float32")], (dims,), (dims,), lambda emit, x: emit(ops.neg, x), mesh=mesh)
    x = np.arange(math.prod(shape), dtype=np.float32).reshape(shape)
    np.testing.assert_array_equal(run(program, [x])[0], -x)


@settings(deadline=None, max_examples=60)
@given(st.data(), st.sampled_from([MESH, CUBE]))
def test_gathering_all_axes_of_a_dimension_gives_the_whole(data, mesh):
    ndim = data.draw(st.integers(1, 3))
    dims = data.draw(placements(mesh, ndim))
    sizes = dict(mesh.shape_tuple)
    shape = tuple(2 * math.prod(sizes[a] for a in dim) for dim in dims)

    def body(emit, x):
        for d, axes in enumerate(dims):
            x = emit(ops.all_gather, x, dimension=d, group=over(*axes, mesh=mesh))
        return x

    program = manual([ArrayType(shape, "int32")], (dims,), (((),) * ndim,), body, mesh=mesh)
    x = np.arange(math.prod(shape), dtype=np.int32).reshape(shape)
    np.testing.assert_array_equal(run(program, [x])[0], x)


def test_run_members_of_a_device_program():
    groups = DeviceGroups(((0, 2), (1, 3)))
    everybody = DeviceGroups(((0, 1, 2, 3),))
    program = program_of([FLOAT], lambda emit, x: [
        emit(ops.all_reduce, x, reduction="sum", group=groups), emit(ops.axis_index, group=everybody)])
    verify(program, devices=4)
    values = [np.float32(10**i) for i in range(4)]
    sums, places = run_members(program, [values], range(4))
    assert sums == [101, 1010, 101, 1010]
    assert places == [0, 1, 2, 3]
    # The order of the members is the caller's; positions say who they are.
    sums, places = run_members(program, [values], (3, 0, 1, 2))
    assert places == [3, 0, 1, 2]
    assert sums == [100 + 1, 10 + 1000, 100 + 1, 10 + 1000]


def count_program(group, collective):
    """Each member counts to its own limit; the turns hold a collective or not."""
    types = [INDEX, INDEX, INDEX]
    condition = program_of(types, lambda emit, limit, i, total: emit(ops.lt, i, limit))

    def turn(emit, limit, i, total):
        one = number(emit, 1)
        step = emit(ops.all_reduce, one, reduction="sum", group=group) if collective else one
        return [emit(ops.add, i, one), emit(ops.add, total, step)]

    regions = [condition, program_of(types, turn)]
    return program_of([INDEX], lambda emit, limit: emit(
        ops.while_, limit, number(emit, 0), number(emit, 0), constants=1, regions=regions))


def test_members_may_loop_for_different_times_without_a_collective():
    limits = [np.int32(n) for n in (3, 0, 5, 1)]
    turns, totals = run_members(count_program(DeviceGroups(((0, 1, 2, 3),)), False), [limits], range(4))
    assert turns == totals == [3, 0, 5, 1]


def test_members_must_agree_where_a_collective_is_inside():
    program = count_program(DeviceGroups(((0, 1, 2, 3),)), True)
    limits = [np.int32(n) for n in (3, 3, 3, 2)]
    with pytest.raises(DisagreeingMembersError, match="all_reduce") as caught:
        run_members(program, [limits], range(4))
    assert caught.value.group == (0, 1, 2, 3)
    assert caught.value.present == (0, 1, 2)
    assert "[3] are not" in str(caught.value)


def test_groups_that_agree_within_themselves_may_differ():
    program = count_program(DeviceGroups(((0, 2), (1, 3))), True)
    limits = [np.int32(n) for n in (3, 1, 3, 1)]
    turns, totals = run_members(program, [limits], range(4))
    assert turns == [3, 1, 3, 1]
    assert totals == [6, 2, 6, 2]


@pytest.mark.parametrize("collective", [False, True])
def test_branches_by_device(collective):
    group = DeviceGroups(((0, 1),))

    def branch(record):
        return program_of([INDEX], lambda emit, x: emit(record, emit(
            ops.all_reduce, x, reduction="max", group=group) if collective else x))

    branches = [branch(ops.neg), branch(ops.sign)]
    program = program_of([INDEX], lambda emit, x: emit(
        ops.cond, emit(ops.axis_index, group=group), x, regions=branches))
    values = [np.int32(7), np.int32(9)]
    if collective:
        with pytest.raises(DisagreeingMembersError):
            run_members(program, [values], (0, 1))
    else:
        assert run_members(program, [values], (0, 1)) == [[-7, 1]]


def test_a_collective_of_a_global_program_misses_its_members():
    program = program_of([FLOAT], lambda emit, x: emit(ops.all_reduce, x, reduction="sum", group=over("x")))
    with pytest.raises(DisagreeingMembersError):
        run(program, [np.float32(1)])


def test_a_manual_region_inside_a_scan_inside_a_manual_region():
    """Every construct in every other: the scan's carry crosses the devices of y at every turn."""
    pairs = tuple((i, (i + 1) % 4) for i in range(4))
    ring = program_of([ArrayType((1,), "int32")], lambda emit, x: emit(ops.permute, x, pairs=pairs, group=over("y")))

    def step(emit, x):
        dims = ((("y",),),)
        return [emit(ops.manual, x, mesh=MESH, axes=("y",), in_dims=dims, out_dims=dims, regions=[ring])] * 2

    body = program_of([ArrayType((4,), "int32")], step)
    program = manual(
        [ArrayType((8,), "int32")], ((("x",),),), ((("x",),), ((), ("x",))),
        lambda emit, x: emit(ops.scan, x, constants=0, carry=1, length=3, reverse=False, regions=[body]), axes=("x",),
    )
    x = np.arange(8, dtype=np.int32)
    last, every = run(program, [x])
    rows = x.reshape(2, 4)
    np.testing.assert_array_equal(last, np.roll(rows, 3, axis=1).reshape(-1))
    np.testing.assert_array_equal(every, np.stack([np.roll(rows, i + 1, axis=1).reshape(-1) for i in range(3)]))


def test_members_do_not_see_each_others_writes():
    """Joined results and replicated values may be one array; a run leaves its inputs as they were."""
    program = manual([ArrayType((8,), "int32")], ((("x", "y"),),), (((),),), lambda emit, x: emit(
        ops.all_gather, emit(ops.neg, x), dimension=0, group=over("x", "y")))
    x = np.arange(8, dtype=np.int32)
    np.testing.assert_array_equal(run(program, [x])[0], -np.arange(8))
    np.testing.assert_array_equal(x, np.arange(8))


@settings(deadline=None, max_examples=40)
@given(st.lists(st.integers(0, 6), min_size=8, max_size=8))
def test_while_over_devices_is_each_devices_own_loop(limits):
    """Nested: a loop whose length is the device's own inside a branch that is the device's own."""
    count = count_program(over("x"), False)
    twice = program_of([INDEX], lambda emit, n: emit(ops.call, n, regions=[count]))
    nothing = program_of([INDEX], lambda emit, n: [n, number(emit, -1)])

    def body(emit, n):
        scalar = emit(ops.reshape, n, shape=())
        odd = emit(ops.rem, scalar, number(emit, 2))
        turns, total = emit(ops.cond, odd, scalar, regions=[nothing, twice])
        return [emit(ops.reshape, v, shape=(1,)) for v in (turns, total)]

    program = manual([ArrayType((8,), "int32")], ((("x", "y"),),), ((("x", "y"),),) * 2, body)
    turns, total = run(program, [np.int32(limits)])
    np.testing.assert_array_equal(turns, limits)
    np.testing.assert_array_equal(total, [n if n % 2 else -1 for n in limits])


def test_positions_follow_the_mesh_in_row_major_order():
    names = CUBE.axis_names
    program = manual([], (), tuple(((n,),) for n in names),
                     lambda emit: [emit(ops.reshape, emit(ops.axis_index, group=over(n, mesh=CUBE)), shape=(1,))
                                   for n in names], mesh=CUBE)
    for values in run(program, []):
        np.testing.assert_array_equal(values, [0, 1])
    groups = over("z", "x", mesh=CUBE).groups
    places = list(itertools.product(range(2), repeat=3))
    assert all([places[p][2] * 2 + places[p][0] for p in g] == [0, 1, 2, 3] for g in groups)
