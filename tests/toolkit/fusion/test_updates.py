# SPDX-License-Identifier: Apache-2.0
"""Kernels that update some of their output: as a whole, in two parts, and in the operand's own memory."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from olympus_core import dtypes, ops
from olympus_core.program import ArrayType, Program, ProgramBuilder, Value, run
from olympus_core.toolkit.fusion import FusionOptions, KernelStep, Plan
from olympus_core.toolkit.loops import Load, Loop, Store, run_kernel

from ...ops.test_indexing import scatter_attributes, situations, windows_shape
from .random_programs import RandomProgram
from .running import equal, execute, kinds, planned, single
from .test_operations import SMALL

IN_PLACE = FusionOptions(updates_in_place=True, least_updated=1)
IN_PARTS = replace(IN_PLACE, long_copy=1)
SMALL_IN_PARTS = replace(SMALL, updates_in_place=True, least_updated=1, long_copy=4)
RNG = np.random.default_rng(11)


def check(program: Program, inputs: Any, options: FusionOptions) -> Plan:
    """Compares all ways to run a plan with the interpreter."""
    plan = planned(program, options)
    expected = run(program, inputs)
    for in_place in (False, True):
        for got, wanted in zip(execute(plan, inputs, in_place), expected, strict=True):
            equal(got, wanted)
    for step in plan.steps:
        if isinstance(step, KernelStep) and step.updating is not None:
            assert step.updating.arguments == step.kernel.arguments
            assert step.reusable or step.filling is not None
    return plan


def last_step(plan: Plan) -> KernelStep:
    """The kernel that a plan ends with."""
    step = plan.steps[-1]
    assert isinstance(step, KernelStep), plan.text()
    return step


@settings(max_examples=150)
@given(situations(), st.sampled_from(["clip", "drop"]), st.sampled_from(["set", "add", "mul", "min", "max"]),
       st.sampled_from([dtypes.int64, dtypes.float32, dtypes.bfloat16]),
       st.sampled_from([IN_PLACE, IN_PARTS, SMALL_IN_PARTS]))
def test_scatter(case, mode, combine, dtype, options):
    x = (np.arange(np.prod(case["x_shape"], dtype=int)).reshape(case["x_shape"]) % 7).astype(dtype)
    shape = windows_shape(case)
    updates = (np.arange(np.prod(shape, dtype=int)).reshape(shape) % 5 - 1).astype(dtype)
    operands = [x, case["indices"], updates]
    plan = check(single(ops.scatter, operands, **scatter_attributes(case, mode, combine)), operands, options)
    if kinds(plan) == ["kernel"] and x.size > 1 and (dtype != dtypes.bfloat16 or combine not in ("add", "mul")):
        assert last_step(plan).reusable == ((0, 0),)


@st.composite
def windows(draw):
    """A shape, a window's and where it begins, also outside."""
    shape = tuple(draw(st.lists(st.integers(1, 6), min_size=1, max_size=4)))
    window = tuple(draw(st.integers(1, n)) for n in shape)
    return shape, window, [draw(st.integers(-3, n + 3)) for n in shape]


@settings(max_examples=150)
@given(windows(), st.sampled_from([np.int8, np.int32, np.int64, np.uint32]), st.booleans(),
       st.sampled_from([IN_PLACE, IN_PARTS, SMALL_IN_PARTS]))
def test_windows(case, kind, known, options):
    shape, window, starts = case
    x = RNG.normal(size=shape).astype(np.float32)
    update = RNG.normal(size=window).astype(np.float32)
    places = [np.asarray(max(s, 0) if kind == np.uint32 else s, kind) for s in starts]
    builder = ProgramBuilder("window")
    values = [builder.input(ArrayType(a.shape, a.dtype)) for a in (x, update)]
    if known:
        values += [builder.emit(ops.constant, (), {"value": p})[0] for p in places]
    else:
        values += [builder.input(ArrayType((), p.dtype)) for p in places]
    program = builder.finish(builder.emit(ops.dynamic_update_slice, values, {}))
    plan = check(program, [x, update] if known else [x, update, *places], options)
    step = last_step(plan)
    if x.size >= 4 * update.size:
        assert step.reusable == ((0, 0),)
        assert step.updating is not None
        assert sum(loop.extent for loop in _loops(step.updating.loop)) <= update.size + len(shape) + 1


@settings(max_examples=150)
@given(st.integers(0, 1 << 30), st.integers(1, 25), st.sampled_from([IN_PLACE, IN_PARTS, SMALL_IN_PARTS]))
def test_random_programs(seed, length, options):
    made = RandomProgram(seed, length)
    check(made.program, made.inputs, options)


def _loops(loop: Loop) -> list[Loop]:
    return [loop, *(inner for s in loop.body if isinstance(s, Loop) for inner in _loops(s))]


def _accesses(loop: Loop) -> list[Load | Store]:
    return [s for inner in _loops(loop) for s in inner.body if isinstance(s, (Load, Store))]


class Writer(ProgramBuilder):
    """Programs in few words."""

    def of(self, record: Any, *operands: Value, **attributes: Any) -> Value:
        return self.emit(record, operands, attributes)[0]

    def array(self, *shape: int, dtype: Any = dtypes.float32) -> Value:
        return self.input(ArrayType(shape, dtype))

    def number(self, value: int) -> Value:
        return self.of(ops.constant, value=np.asarray(value, np.int32))

    def written(self, x: Value, update: Value, *starts: Value) -> Value:
        return self.of(ops.dynamic_update_slice, x, update, *starts)

    def taken(self, x: Value, sizes: tuple[int, ...], *starts: Value) -> Value:
        return self.of(ops.dynamic_slice, x, *starts, sizes=sizes)

    def row_updates(self, x: Value, places: Value, rows: Value) -> Value:
        """`x.at[places].set(rows)`."""
        return self.of(
            ops.scatter, x, places, rows, update_window_dims=(1,), inserted_window_dims=(0,),
            scatter_dims_to_operand_dims=(0,), operand_batching_dims=(), indices_batching_dims=(), combine="set",
            mode="drop")

    def rows(self, x: Value, places: Value) -> Value:
        """`x[places]`."""
        return self.of(
            ops.gather, x, places, offset_dims=(1,), collapsed_slice_dims=(0,), start_index_map=(0,),
            operand_batching_dims=(), indices_batching_dims=(), slice_sizes=(1, x.type.shape[1]), mode="clip",
            fill_value=None)


def _inputs(program: Program) -> list[np.ndarray]:
    return [RNG.integers(0, 5, t.shape).astype(t.dtype) for t in program.input_types]


def test_what_a_place_held_may_be_read():
    """`x.at[i, :].add(row)`: each element before it is written, so that nothing needs memory of its own."""
    w = Writer()
    x, row, i = w.array(12, 5), w.array(1, 5), w.array(dtype=dtypes.int32)
    program = w.finish([w.written(x, w.of(ops.add, w.taken(x, (1, 5), i, w.number(0)), row), i, w.number(0))])
    plan = check(program, _inputs(program), IN_PLACE)
    assert kinds(plan) == ["kernel"]
    assert last_step(plan).reusable == ((0, 0),)


def test_a_single_update_may_be_made_of_anything():
    w = Writer()
    x, i = w.array(12), w.array(dtype=dtypes.int32)
    before = w.taken(x, (1,), w.of(ops.sub, i, w.number(1)))
    program = w.finish([w.written(x, w.of(ops.add, before, w.taken(x, (1,), i)), i)])
    plan = check(program, _inputs(program), IN_PLACE)
    assert kinds(plan) == ["kernel"]
    assert last_step(plan).reusable == ((0, 0),)


@pytest.mark.parametrize("apart", [True, False])
def test_updates_of_other_places_have_memory(apart):
    """`x.at[i].set(sin(x[j]))`: rows are read before any is written."""
    w = Writer()
    x = w.array(12, 5)
    if apart:
        i, j = w.array(dtype=dtypes.int32), w.array(dtype=dtypes.int32)
        result = w.written(x, w.of(ops.sin, w.taken(x, (2, 5), j, w.number(0))), i, w.number(0))
    else:
        i, j = w.array(2, 1, dtype=dtypes.int32), w.array(2, 1, dtype=dtypes.int32)
        result = w.row_updates(x, i, w.of(ops.sin, w.rows(x, j)))
    program = w.finish([result])
    for _ in range(5):
        plan = check(program, _inputs(program), IN_PLACE)
    assert kinds(plan) == ["kernel", "kernel"]
    assert last_step(plan).reusable == ((0, 0),)


def test_updates_as_large_as_the_operand_are_not_put_aside():
    w = Writer()
    x, i = w.array(12, 5), w.array(10, 1, dtype=dtypes.int32)
    program = w.finish([w.row_updates(x, i, w.of(ops.sin, w.rows(x, i)))])
    plan = check(program, _inputs(program), IN_PLACE)
    assert kinds(plan) == ["kernel"]
    assert last_step(plan).reusable == ()
    assert last_step(plan).updating is None


def test_indices_out_of_the_operand_have_memory():
    w = Writer()
    x, rows = w.array(12, 2, dtype=dtypes.int32), w.array(2, 2, dtype=dtypes.int32)
    places = w.of(ops.slice, x, starts=(0, 0), limits=(2, 1), strides=(1, 1))
    program = w.finish([w.row_updates(x, w.of(ops.add, places, places), rows)])
    plan = check(program, _inputs(program), IN_PLACE)
    assert kinds(plan) == ["kernel", "kernel"]
    assert last_step(plan).reusable == ((0, 0),)


def test_an_operand_that_is_still_needed_stays():
    w = Writer()
    x, row, i = w.array(12, 5), w.array(1, 5), w.array(dtype=dtypes.int32)
    program = w.finish([w.written(x, row, i, w.number(0)), x])
    step = last_step(check(program, _inputs(program), IN_PLACE))
    assert (step.reusable, step.updating) == ((), None)
    step = last_step(check(program, _inputs(program), IN_PARTS))
    assert step.reusable == ()
    assert step.updating is not None


def test_a_computed_operand_is_filled_in():
    """Zeros, or what elementwise work gives: threads compute it, the updates follow."""
    w = Writer()
    x, rows, i = w.array(12, 5), w.array(2, 5), w.array(2, 1, dtype=dtypes.int32)
    program = w.finish([w.row_updates(w.of(ops.neg, x), i, rows)])
    step = last_step(check(program, _inputs(program), IN_PARTS))
    assert step.filling is not None
    assert (step.filling.loop.kind, step.filling.loop.extent) == ("lanes", 60)
    assert step.reusable == ()


def test_long_windows_are_divided():
    """Their outermost loop is the windows' own."""
    w = Writer()
    x, rows, i = w.array(60, 50), w.array(10, 40), w.array(dtype=dtypes.int32)
    program = w.finish([w.written(x, rows, i, w.number(2))])
    step = last_step(check(program, _inputs(program), replace(IN_PLACE, long_copy=100)))
    assert step.updating is not None
    assert [(loop.kind, loop.extent) for loop in _loops(step.updating.loop)] == [("parallel", 10), ("lanes", 40)]


def test_the_operand_is_not_read():
    w = Writer()
    x, row, i = w.array(60, 50), w.array(1, 50), w.array(dtype=dtypes.int32)
    plan = planned(w.finish([w.written(x, row, i, w.number(0))]), IN_PLACE)
    step = last_step(plan)
    assert "reusing 0->0 updating" in plan.text()
    assert step.updating is not None
    assert all(a.parameter is not step.updating.parameters[0] for a in _accesses(step.updating.loop))


def test_windows_join_what_makes_or_reads_them():
    """Boundary values of a field that is used at once: no pass through memory only for them."""
    w = Writer()
    x, row, i = w.array(60, 50), w.array(1, 50), w.array(dtype=dtypes.int32)
    for start in (w.number(0), i):
        field = w.written(x, row, start, w.number(0))
        x = w.of(ops.add, field, field)
    program = w.finish([x])
    assert kinds(check(program, _inputs(program), IN_PLACE)) == ["kernel"]


def test_windows_after_each_other_are_updates():
    w = Writer()
    x, row = w.array(60, 50), w.array(1, 50)
    for start in (0, 59):
        x = w.written(x, row, w.number(start), w.number(0))
    program = w.finish([x])
    plan = check(program, _inputs(program), IN_PLACE)
    assert [s.reusable for s in plan.steps if isinstance(s, KernelStep)] == [((0, 0),), ((0, 0),)]


def test_only_who_asks_for_parts_gets_them():
    w = Writer()
    x, row, i = w.array(600, 500), w.array(1, 500), w.array(1, dtype=dtypes.int32)
    program = w.finish([w.row_updates(x, w.of(ops.reshape, i, shape=(1, 1)), row)])
    step = last_step(planned(program))
    assert (step.updating, step.filling, step.reusable) == (None, None, ())


def test_parts_make_the_whole():
    """By the loops' reference: filling alone is the operand, the kernel has the updates, too."""
    w = Writer()
    x, row, i = w.array(6, 5), w.array(1, 5), w.array(dtype=dtypes.int32)
    step = last_step(planned(w.finish([w.written(x, row, i, w.number(0))]), IN_PARTS))
    assert step.filling is not None
    operand, update = np.arange(30, dtype=np.float32), -np.ones(5, np.float32)
    given = [{x: operand, row: update, i: np.asarray([4], np.int32)}[v] for v in step.inputs]
    np.testing.assert_array_equal(run_kernel(step.filling, given)[0], operand)
    operand[20:25] = -1
    np.testing.assert_array_equal(run_kernel(step.kernel, given)[0], operand)
