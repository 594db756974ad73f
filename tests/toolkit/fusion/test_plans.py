# SPDX-License-Identifier: Apache-2.0
"""What is fused: the plans of programs that people write."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from olympus_core import dtypes, ops
from olympus_core.ops.host import HostFunction
from olympus_core.program import ArrayType, OperationRecord, Program, ProgramBuilder, Value, run
from olympus_core.toolkit.fusion import FusionOptions, KernelStep, estimate
from olympus_core.toolkit.loops import Load, Loop, Store

from .running import compare, equal, execute, kinds, planned
from .test_operations import SMALL

RNG = np.random.default_rng(3)


class Writer(ProgramBuilder):
    """Programs in few words: constants spread, reductions that keep their dimension."""

    def of(self, record: OperationRecord, *operands: Value, **attributes: Any) -> Value:
        return self.emit(record, operands, attributes, location=f"{record.name}.py:1")[0]

    def array(self, *shape: int, dtype: Any = dtypes.float32) -> Value:
        return self.input(ArrayType(shape, dtype))

    def number(self, value: float, like: Value) -> Value:
        constant = self.of(ops.constant, value=np.asarray(value, like.type.dtype))
        return self.of(ops.broadcast_in_dim, constant, shape=like.type.shape, dimensions=())

    def spread(self, x: Value, like: Value, *dimensions: int) -> Value:
        return self.of(ops.broadcast_in_dim, x, shape=like.type.shape, dimensions=dimensions)

    def total(self, record: OperationRecord, x: Value, dimension: int) -> Value:
        """A reduction spread over the operand's shape again."""
        result = self.of(record, x, dimensions=(dimension,))
        return self.spread(result, x, *(d for d in range(x.type.ndim) if d != dimension))

    def softmax(self, x: Value, dimension: int) -> Value:
        e = self.of(ops.exp, self.of(ops.sub, x, self.total(ops.reduce_max, x, dimension)))
        return self.of(ops.div, e, self.total(ops.reduce_sum, e, dimension))


def softmax(w: Writer) -> Any:
    return [w.softmax(w.array(6, 40), 1)]


def softmax_of_columns(w: Writer) -> Any:
    return [w.softmax(w.array(40, 6), 0)]


def softmax_of_short_rows(w: Writer) -> Any:
    return [w.softmax(w.array(40, 6), 1)]


def layernorm(w: Writer) -> Any:
    x = w.array(6, 40)
    mean = w.of(ops.div, w.total(ops.reduce_sum, x, 1), w.number(40, x))
    centred = w.of(ops.sub, x, mean)
    square = w.of(ops.mul, centred, centred)
    variance = w.of(ops.div, w.total(ops.reduce_sum, square, 1), w.number(40, x))
    return [w.of(ops.mul, centred, w.of(ops.rsqrt, w.of(ops.add, variance, w.number(1e-5, x))))]


def logsumexp(w: Writer) -> Any:
    x = w.array(6, 40)
    highest = w.of(ops.reduce_max, x, dimensions=(1,))
    e = w.of(ops.exp, w.of(ops.sub, x, w.spread(highest, x, 0)))
    return [w.of(ops.add, w.of(ops.log, w.of(ops.reduce_sum, e, dimensions=(1,))), highest)]


def log_softmax(w: Writer) -> Any:
    x = w.array(6, 40)
    shifted = w.of(ops.sub, x, w.total(ops.reduce_max, x, 1))
    total = w.of(ops.reduce_sum, w.of(ops.exp, shifted), dimensions=(1,))
    return [w.of(ops.sub, shifted, w.spread(w.of(ops.log, total), x, 0))]


def place_of_extreme(w: Writer) -> Any:
    return [w.of(ops.argmax, w.array(6, 40), dimension=1, dtype=dtypes.int32)]


def moments(w: Writer) -> Any:
    x = w.array(60, 5)
    return [w.of(ops.reduce_sum, x, dimensions=(0,)), w.of(ops.reduce_sum, w.of(ops.mul, x, x), dimensions=(0,))]


def gelu(w: Writer) -> Any:
    x = w.array(6, 40)
    cube = w.of(ops.mul, x, w.of(ops.mul, x, x))
    inner = w.of(ops.add, x, w.of(ops.mul, w.number(0.044715, x), cube))
    half = w.of(ops.mul, w.number(0.5, x), x)
    return [w.of(ops.mul, half, w.of(ops.add, w.number(1, x), w.of(ops.tanh, inner)))]


def sum_of_sines(w: Writer) -> Any:
    return [w.of(ops.reduce_sum, w.of(ops.sin, w.array(1 << 17)), dimensions=(0,))]


def sum_of_many_rows(w: Writer) -> Any:
    return [w.of(ops.reduce_sum, w.array(1 << 15, 4), dimensions=(0,))]


def small_sum(w: Writer) -> Any:
    return [w.of(ops.reduce_sum, w.of(ops.sin, w.array(100, 30)), dimensions=(0, 1))]


def dot(w: Writer, x: Value, y: Value) -> Value:
    return w.of(ops.dot_general, x, y, lhs_contracting=(1,), rhs_contracting=(0,), lhs_batch=(), rhs_batch=(),
                dtype=None)


def perceptron(w: Writer) -> Any:
    x = w.array(6, 8)
    for n in (16, 16, 4):
        product = dot(w, x, w.array(x.type.shape[1], n))
        x = w.of(ops.add, product, w.spread(w.array(n), product, 1))
        x = w.of(ops.max, x, w.number(0, x))
    return [x]


def attention(w: Writer) -> Any:
    q, k, v = (w.array(3, 10, 4) for _ in range(3))
    batch = {"lhs_batch": (0,), "rhs_batch": (0,), "dtype": None}
    scores = w.of(ops.dot_general, q, k, lhs_contracting=(2,), rhs_contracting=(2,), **batch)
    weights = w.softmax(w.of(ops.div, scores, w.number(2, scores)), 2)
    return [w.of(ops.dot_general, weights, v, lhs_contracting=(2,), rhs_contracting=(1,), **batch)]


def gradient_of_a_layer(w: Writer) -> Any:
    x, out, up = w.array(6, 8), w.array(6, 4), w.array(6, 4)
    slope = w.of(ops.select, w.of(ops.gt, out, w.number(0, out)), up, w.number(0, up))
    weights = w.of(ops.dot_general, slope, x, lhs_contracting=(0,), rhs_contracting=(0,), lhs_batch=(), rhs_batch=(),
                   dtype=None)
    return [w.of(ops.transpose, weights, permutation=(1, 0)), w.of(ops.reduce_sum, slope, dimensions=(0,))]


def transposed_operand(w: Writer) -> Any:
    return [dot(w, w.of(ops.transpose, w.array(5, 3), permutation=(1, 0)), w.array(5, 4))]


def attention_of_heads(w: Writer) -> Any:
    """Heads are the second dimension, and the keys are transposed twice."""
    q, k, v = (w.of(ops.transpose, w.array(10, 3, 4), permutation=(1, 0, 2)) for _ in range(3))
    batch = {"lhs_batch": (0,), "rhs_batch": (0,), "dtype": None}
    turned = w.of(ops.transpose, k, permutation=(0, 2, 1))
    scores = w.of(ops.dot_general, q, turned, lhs_contracting=(2,), rhs_contracting=(1,), **batch)
    return [w.of(ops.dot_general, w.softmax(scores, 2), v, lhs_contracting=(2,), rhs_contracting=(1,), **batch)]


def dear_and_used_apart(w: Writer) -> Any:
    x = w.array(6, 40)
    sine = w.of(ops.sin, x)
    return [w.of(ops.add, sine, x), w.of(ops.transpose, sine, permutation=(1, 0))]


def cheap_and_used_apart(w: Writer) -> Any:
    x = w.array(6, 40)
    twice = w.of(ops.add, x, x)
    return [w.of(ops.reduce_sum, twice, dimensions=(1,)), w.of(ops.transpose, twice, permutation=(1, 0))]


def keepdims(w: Writer) -> Any:
    total = w.of(ops.reduce_sum, w.array(6, 40), dimensions=(1,))
    return [w.of(ops.reshape, total, shape=(6, 1)), total]


def rolled(w: Writer) -> Any:
    flat = w.of(ops.reshape, w.array(4, 6), shape=(24,))
    ends = (w.of(ops.slice, flat, starts=(a,), limits=(b,), strides=(1,)) for a, b in ((20, 24), (0, 20)))
    return [w.of(ops.reshape, w.of(ops.concatenate, *ends, dimension=0), shape=(4, 6))]


PLANS = {
    softmax: ["kernel"], softmax_of_columns: ["kernel"], softmax_of_short_rows: ["kernel"], layernorm: ["kernel"],
    logsumexp: ["kernel"], log_softmax: ["kernel"], place_of_extreme: ["kernel"], moments: ["kernel"],
    gelu: ["kernel"], sum_of_sines: ["kernel"] * 2, sum_of_many_rows: ["kernel"] * 2, small_sum: ["kernel"],
    perceptron: ["dot_general", "kernel"] * 3, attention: ["dot_general", "kernel", "dot_general"],
    gradient_of_a_layer: ["kernel", "dot_general"], transposed_operand: ["dot_general"],
    attention_of_heads: ["dot_general", "kernel", "dot_general"],
    dear_and_used_apart: ["kernel"] * 2, cheap_and_used_apart: ["kernel"] * 2, keepdims: ["kernel", "view"],
    rolled: ["kernel"],
}


def written(function: Any) -> tuple[Program, list[np.ndarray]]:
    """A program and inputs for it."""
    writer = Writer(function.__name__)
    program = writer.finish([v for v in function(writer)])
    return program, [RNG.normal(size=t.shape).astype(t.dtype) for t in program.input_types]


@pytest.mark.parametrize("function", PLANS, ids=lambda f: f.__name__)
def test_plan(function):
    program, inputs = written(function)
    plan = planned(program)
    assert kinds(plan) == PLANS[function], plan.text()
    expected = run(program, inputs)
    for result, wanted in zip(execute(plan, inputs), expected, strict=True):
        equal(result, wanted, 2e-4)
    for result, wanted in zip(execute(planned(program, SMALL), inputs), expected, strict=True):
        equal(result, wanted, 2e-4)


def test_softmax_in_full():
    program, _ = written(softmax)
    assert planned(program).text() == """\
plan(%0: float32[6,40])
%1: float32[6,40] = kernel %0 reusing 0->0
  kernel reduce_max_exp_reduce_sum_div(p0: input float32[240], p1: output float32[240])
    parallel i0 < 6:
      %0 = float32 000080ff (-inf)
      lanes i1 < 40:
        %1 = p0[40*i0 + i1]
      %2 = max from %0 of %1
      %3 = float32 00000000 (0.0)
      lanes i1 < 40:
        %4 = p0[40*i0 + i1]
        %5 = sub(%4, %2): float32
        %6 = exp(%5): float32
        p1[40*i0 + i1] = %6
      %7 = add from %3 of %6
      lanes i1 < 40:
        %8 = p1[40*i0 + i1]
        %9 = div(%8, %7): float32
        p1[40*i0 + i1] = %9
return %1"""


def test_flat_work_is_one_loop():
    (step,) = planned(written(gelu)[0]).steps
    assert isinstance(step, KernelStep)
    assert (step.kernel.loop.kind, step.kernel.loop.extent) == ("lanes", 240)
    assert step.reusable == ((0, 0),)


def test_kernels_know_the_users_line():
    (step,) = planned(written(gelu)[0]).steps
    assert isinstance(step, KernelStep)
    assert step.kernel.location == "tanh.py:1"


def test_epilogues_write_over_products():
    steps = [s for s in planned(written(perceptron)[0]).steps if isinstance(s, KernelStep)]
    assert all(0 in dict(s.reusable) for s in steps)


@pytest.mark.parametrize("steps", [1, 2, 6])
def test_stencils_one_after_the_other_grow_with_their_number(steps):
    """What several readers move has memory: computed for each, a step would be all before it, four times."""
    writer = Writer()

    def rolled_by_one(x, dimension):
        n = x.type.shape[dimension]
        starts, limits = [0, 0], list(x.type.shape)
        starts[dimension] = n - 1
        last = writer.of(ops.slice, x, starts=tuple(starts), limits=tuple(limits), strides=(1, 1))
        starts[dimension], limits[dimension] = 0, n - 1
        rest = writer.of(ops.slice, x, starts=tuple(starts), limits=tuple(limits), strides=(1, 1))
        return writer.of(ops.concatenate, last, rest, dimension=dimension)

    x = writer.array(12, 10)
    for _ in range(steps):
        around = writer.of(ops.add, rolled_by_one(x, 0), rolled_by_one(x, 1))
        x = writer.of(ops.add, writer.of(ops.mul, x, writer.number(0.5, x)), around)
    program = writer.finish([x])
    plan = planned(program)
    inputs = [RNG.normal(size=t.shape).astype(t.dtype) for t in program.input_types]
    for result, wanted in zip(execute(plan, inputs), run(program, inputs), strict=True):
        equal(result, wanted, 1e-4)
    assert len(plan.text().splitlines()) < 100 * steps


def test_transposes_go_by_tiles():
    """Far elements are copied row by row to scratch memory, and read from there column by column."""
    writer = Writer()
    x = writer.array(100, 150)
    (step,) = planned(writer.finish([writer.of(ops.transpose, x, permutation=(1, 0))])).steps
    assert isinstance(step, KernelStep)
    loop: Any = step.kernel.loop
    found = []
    while isinstance(loop, Loop):
        found.append((loop.kind, loop.extent))
        body, loop = loop.body, loop.body[0]
    assert found == [("parallel", 3), ("serial", 2), ("serial", 64), ("lanes", 64)]
    read, write = body
    assert isinstance(read, Load)
    assert isinstance(write, Store)
    assert (read.parameter.role, write.parameter.role) == ("input", "local")
    assert step.reusable == ()


def test_a_value_still_needed_is_not_written_over():
    writer = Writer()
    x, weights = writer.array(6, 6), writer.array(6, 6)
    product = dot(writer, x, weights)
    sine = writer.of(ops.sin, product)
    plan = planned(writer.finish([dot(writer, sine, product)]))
    assert kinds(plan) == ["dot_general", "kernel", "dot_general"]
    assert plan.steps[1].reusable == ()


def test_operations_that_stay():
    writer = Writer()
    x, whole, index = writer.array(4, 6), writer.array(1, 2, 6, 6), writer.array(4, 1, dtype=dtypes.int32)
    writer.of(ops.sort, x, dimension=0, keys=1)
    writer.of(ops.convolution, whole, writer.array(3, 2, 2, 2), window_strides=(1, 1), padding=((0, 0), (0, 0)),
              lhs_dilation=(1, 1), rhs_dilation=(1, 1), lhs_layout="NCHW", rhs_layout="OIHW", out_layout="NCHW",
              feature_groups=1, batch_groups=1)
    dot(writer, x, writer.array(6, 3))
    writer.of(ops.constant, value=np.arange(6))
    writer.of(ops.concatenate, *[x] * 9, dimension=0)
    writer.of(ops.slice, x, starts=(0, 0), limits=(0, 6), strides=(1, 1))
    writer.of(ops.concatenate, *[x] * 8, dimension=0)
    writer.of(ops.gather, x, index, offset_dims=(1,), collapsed_slice_dims=(0,), start_index_map=(0,),
              operand_batching_dims=(), indices_batching_dims=(), slice_sizes=(1, 6), mode="clip")
    program = writer.finish([v for o in writer.operations for v in o.results])
    stay = set(kinds(planned(program))) - {"kernel", "view"}
    assert stay == {"sort", "convolution", "dot_general", "constant", "concatenate", "slice"}
    fused = {r.name for r in ops.OPERATIONS.values() if r.category in ("elementwise", "structure", "reduction")}
    assert fused - stay


def test_what_the_emitter_refuses_stays():
    program, inputs = written(gelu)
    for refused in (lambda record, types: record is not ops.tanh, lambda record, types: types != (dtypes.float32,)):
        plan = planned(program, supports=refused)
        assert "tanh" in kinds(plan)
        for got, expected in zip(execute(plan, inputs), run(program, inputs), strict=True):
            equal(got, expected)


def test_words_without_the_generator_in_hardware():
    writer = Writer()
    program = writer.finish([writer.of(
        ops.random_bits, writer.array(2, dtype=dtypes.uint32), shape=(5, 3), global_shape=(5, 3), dtype=dtypes.uint32)])
    key = np.array([3, 4], np.uint32)
    plan = planned(program, supports=lambda record, types: record is not ops.threefry2x32)
    assert kinds(plan) == ["kernel"]
    np.testing.assert_array_equal(execute(plan, [key])[0], run(program, [key])[0])


def test_long_chains_are_cut():
    writer = Writer()
    first = x = writer.array(10, 10)
    for _ in range(400):
        x = writer.of(ops.sin, writer.of(ops.add, x, first))
    program = writer.finish([x])
    plan = compare(program, [RNG.normal(size=(10, 10)).astype(np.float32)])
    assert 5 <= len(plan.steps) <= 16


def test_many_parameters_are_divided():
    writer = Writer()
    values = [writer.array(5) for _ in range(200)]
    total = values[0]
    for value in values[1:]:
        total = writer.of(ops.add, total, value)
    program = writer.finish([total])
    plan = compare(program, [np.full(5, i, np.float32) for i in range(200)])
    assert all(len(s.inputs) <= FusionOptions().most_parameters + 1 for s in plan.steps if isinstance(s, KernelStep))


def test_equal_work_is_done_once():
    writer = Writer()
    x = writer.array(6, 40)
    twice = [writer.of(ops.reduce_sum, writer.of(ops.sin, x), dimensions=(1,)) for _ in range(2)]
    (step,) = planned(writer.finish(twice)).steps
    assert isinstance(step, KernelStep)
    assert len(step.outputs) == 1


def test_effects_keep_their_order():
    writer = Writer()
    x = writer.array(4)
    note = HostFunction("note", lambda *arrays: [])
    for value in (writer.of(ops.sin, writer.of(ops.reduce_sum, x, dimensions=(0,))), x, writer.of(ops.neg, x)):
        writer.emit(ops.host_callback, [value], {"callback": note, "result_types": (), "ordered": True})
    plan = planned(writer.finish([]))
    shapes = [s.operation.operands[0].type.shape for s in plan.steps if not isinstance(s, KernelStep)]
    assert shapes == [(), (4,), (4,)]


def test_sums_are_cut():
    """No accumulator takes more than a block of terms, so that errors stay those of pairwise sums."""
    for shape, dimension in [((3, 100_000), 1), ((100_000, 3), 0), ((1_000_000,), 0), ((999_983,), 0)]:
        writer = Writer()
        x = writer.array(*shape)
        program = writer.finish([writer.of(ops.reduce_sum, x, dimensions=(dimension,))])
        for step in planned(program).steps:
            assert isinstance(step, KernelStep)
            assert _longest(step.kernel.loop) <= 8192


def _longest(loop: Loop) -> int:
    inner = [_longest(s) for s in loop.body if isinstance(s, Loop)]
    return max([loop.extent if loop.reductions else 0, *inner])


def test_estimates():
    costs = {}
    for function in (gelu, moments, softmax):
        (step,) = planned(written(function)[0]).steps
        assert isinstance(step, KernelStep)
        costs[function] = estimate(step.kernel)
    assert 240 * 15 < costs[gelu] < 240 * 40
    assert 300 * 2 < costs[moments] < 300 * 8
    assert 240 * 12 < costs[softmax] < 240 * 40


def _accesses(loop: Loop) -> list[Load | Store]:
    inner = [a for s in loop.body if isinstance(s, Loop) for a in _accesses(s)]
    return [s for s in loop.body if isinstance(s, (Load, Store))] + inner


def test_a_result_is_spread_from_registers():
    """What a row's reduction gives is not read from memory again."""
    for function in (softmax, layernorm, logsumexp):
        (step,) = planned(written(function)[0]).steps
        assert isinstance(step, KernelStep)
        assert len(step.inputs) == len(step.outputs) == 1
        assert all(a.parameter.role != "local" for a in _accesses(step.kernel.loop)), function
