# SPDX-License-Identifier: Apache-2.0
"""Kernels in sections: what is joined, padded, repeated or picked has a loop for each place that it comes from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from olympus_core import ops
from olympus_core.program import ArrayType, Program, ProgramBuilder, Value
from olympus_core.toolkit.fusion import FusionOptions, KernelStep, Plan, index_splitting
from olympus_core.toolkit.fusion.strided_gathers import StridedSlice, strided_slices
from olympus_core.toolkit.loops import Compute, IndexValue, Inside, Load, Loop, Statement, Store

from .running import compare, kinds, planned, single
from .test_operations import SECTIONS

RNG = np.random.default_rng(11)
WHOLE = replace(FusionOptions(), sections=48)  # large blocks


def array(*shape: int) -> np.ndarray:
    return RNG.normal(size=shape).astype(np.float32)


def statements(plan: Plan) -> list[Statement]:
    """All that the plan's only kernel does."""
    (step,) = (s for s in plan.steps if isinstance(s, KernelStep))

    def inside(loop: Loop) -> Iterator[Statement]:
        for statement in loop.body:
            yield statement
            if isinstance(statement, Loop):
                yield from inside(statement)

    return [step.kernel.loop, *inside(step.kernel.loop)]


def chooses(plan: Plan) -> bool:
    """Whether an element asks where it comes from."""
    return any(isinstance(s, (Inside, IndexValue, Compute)) or (isinstance(s, Load) and s.when is not None)
               for s in statements(plan))


def lanes(plan: Plan) -> list[Loop]:
    return [s for s in statements(plan) if isinstance(s, Loop) and s.kind == "lanes"]


def of(record: Any, operands: Any, options: FusionOptions = WHOLE, **attributes: Any) -> Plan:
    return compare(single(record, operands, **attributes), operands, options)


@pytest.mark.parametrize("count", [2, 3, 9, 20])
def test_joined_arrays_are_a_loop_each(count: int) -> None:
    plan = of(ops.concatenate, [array(5 + i, 4) for i in range(count)], dimension=0)
    assert kinds(plan) == ["kernel"]
    assert not chooses(plan)
    assert len(lanes(plan)) == count


def test_more_pieces_than_there_may_be_sections_stay_an_operation() -> None:
    plan = of(ops.concatenate, [array(2) for _ in range(60)], dimension=0)
    assert kinds(plan) == ["concatenate"]


def test_without_sections_elements_choose() -> None:
    assert chooses(of(ops.concatenate, [array(5), array(6)], FusionOptions(), dimension=0))


@pytest.mark.parametrize("count", [2, 3, 4, 9])
def test_a_new_last_dimension_is_written_by_one_loop(count: int) -> None:
    plan = of(ops.concatenate, [array(40, 1) for _ in range(count)], dimension=1)
    (loop,) = lanes(plan)
    stores = [s for s in loop.body if isinstance(s, Store)]
    assert [s.at.constant for s in stores] == list(range(count))
    assert all(s.at.stride(loop.index) == count for s in stores)


def test_short_rows_of_several_arrays_are_written_by_one_loop() -> None:
    plan = of(ops.concatenate, [array(40, 3), array(40, 2)], dimension=1)
    (loop,) = lanes(plan)
    assert loop.extent == 40
    assert len(loop.body) == 10


def test_padding_asks_nothing() -> None:
    plan = of(ops.pad, [array(9, 30), np.float32(2)], low=(1, 2), high=(3, 0), interior=(0, 0))
    assert not chooses(plan)
    assert len(lanes(plan)) == 4  # rows above and below, what is left of the array, the array


@pytest.mark.parametrize("low", [0, 1, -3])
def test_elements_between_others_are_written_by_their_loop(low: int) -> None:
    plan = of(ops.pad, [array(90), np.float32(2)], low=(low,), high=(2,), interior=(2,))
    assert not chooses(plan)
    longest = max(lanes(plan), key=lambda loop: loop.extent)
    assert sum(isinstance(s, Store) for s in longest.body) == 3


@pytest.mark.parametrize("options", [WHOLE, SECTIONS])
@pytest.mark.parametrize("shape", [(3, 50), (50, 3), (4, 3, 60), (4, 60, 3), (7, 40, 5)])
def test_short_dimensions_that_change_place_are_written_out(shape: tuple[int, ...], options: FusionOptions) -> None:
    turned = (*range(len(shape) - 2), len(shape) - 1, len(shape) - 2)
    plan = of(ops.transpose, [array(*shape)], options, permutation=turned)
    (loop,) = lanes(plan)
    assert sum(isinstance(s, Store) for s in loop.body) == min(shape[-2:])


def test_large_transpositions_are_tiles() -> None:
    assert len(lanes(of(ops.transpose, [array(300, 200)], permutation=(1, 0)))) == 2  # to scratch memory, and back


def test_iterations_are_blocks_of_every_section() -> None:
    plan = of(ops.concatenate, [array(70_000), array(50_001), array(3)], dimension=0)
    top = statements(plan)[0]
    assert isinstance(top, Loop)
    assert top.kind == "parallel"
    assert top.extent == 16
    assert all(loop.extent % 64 == 0 or loop.extent == 1 for loop in lanes(plan))


@pytest.mark.parametrize("channels", [64, 100, 128, 200, 256])
def test_blocks_of_the_last_dimension_are_whole_vectors(channels: int) -> None:
    edges = {"low": (0, 1, 1, 0), "high": (0, 1, 1, 0), "interior": (0,) * 4}
    plan = of(ops.pad, [array(8, 4, 4, channels), np.float32(0)], **edges)
    extents = {loop.extent for loop in lanes(plan)}
    assert max(extents) >= 48
    assert all(extent <= 16 or extent % 16 == 0 for extent in extents)


def test_rows_stay_together() -> None:
    """Blocks are rows of all arrays, not columns, and no more of them than there are rows."""
    plan = of(ops.concatenate, [array(20, 3000), array(20, 2000)], dimension=1)
    top = statements(plan)[0]
    assert isinstance(top, Loop)
    assert top.extent <= 20
    assert [loop.extent for loop in lanes(plan)] == [3000, 2000]


def shifted_sums(n: int) -> Program:
    builder = ProgramBuilder("stencil")

    def emit(record: Any, *operands: Value, **attributes: Any) -> Value:
        return builder.emit(record, operands, attributes)[0]

    x = builder.input(ArrayType((n, n), np.dtype("f4")))
    total = x
    for dimension in (0, 1):
        size = [n, n]
        size[dimension] = 1
        for starts, limits in (((0, 0), tuple(size)), ((n - size[0], n - size[1]), (n, n))):
            rest = ([0, 0], [n, n])
            first = starts == (0, 0)
            rest[0 if first else 1][dimension] += 1 if first else -1
            edge = emit(ops.slice, x, starts=starts, limits=limits, strides=(1, 1))
            others = emit(ops.slice, x, starts=tuple(rest[0]), limits=tuple(rest[1]), strides=(1, 1))
            rolled = emit(ops.concatenate, *((others, edge) if first else (edge, others)), dimension=dimension)
            total = emit(ops.add, total, rolled)
    return builder.finish([total])


def test_shifted_arrays_are_added_inside_without_questions() -> None:
    plan = compare(shifted_sums(12), [array(12, 12)], WHOLE)
    assert kinds(plan) == ["kernel"]
    assert not any(isinstance(s, Inside) for s in statements(plan))
    assert sum(isinstance(s, Store) for s in statements(plan)) == 9  # corners, edges, inside


def test_long_computations_are_not_written_several_times() -> None:
    def program(record: Any, times: int) -> Program:
        builder = ProgramBuilder("computed")
        x, number = builder.input(ArrayType((9, 9), np.dtype("f4"))), builder.input(ArrayType((), np.dtype("f4")))
        (y,) = builder.emit(ops.pad, [x, number], {"low": (1, 1), "high": (1, 1), "interior": (0, 0)})
        for _ in range(times):
            (y,) = builder.emit(record, [y])
        return builder.finish([y])

    inputs = [array(9, 9), np.float32(0.5)]
    assert not any(isinstance(s, Inside) for s in statements(compare(program(ops.neg, 5), inputs, WHOLE)))
    assert any(isinstance(s, Inside) for s in statements(compare(program(ops.sin, 5), inputs, WHOLE)))


@settings(max_examples=100)
@given(st.data())
def test_joined_shapes(data: st.DataObject) -> None:
    ndim = data.draw(st.integers(1, 3))
    d = data.draw(st.integers(0, ndim - 1))
    shape = [data.draw(st.integers(1, 9)) for _ in range(ndim)]
    sizes = data.draw(st.lists(st.integers(0, 6), min_size=1, max_size=12).filter(any))
    operands = [array(*shape[:d], n, *shape[d + 1:]) for n in sizes]
    of(ops.concatenate, operands, data.draw(st.sampled_from([WHOLE, SECTIONS])), dimension=d)


@settings(max_examples=100)
@given(st.data())
def test_padded_shapes(data: st.DataObject) -> None:
    ndim = data.draw(st.integers(1, 3))
    x = array(*(data.draw(st.integers(1, 9)) for _ in range(ndim)))
    low, high = ([data.draw(st.integers(-2, 3)) for _ in range(ndim)] for _ in range(2))
    interior = [data.draw(st.integers(0, 3)) for _ in range(ndim)]
    for d, n in enumerate(x.shape):
        high[d] = max(high[d], 1 - low[d] - n - (n - 1) * interior[d])
    of(ops.pad, [x, np.float32(3)], data.draw(st.sampled_from([WHOLE, SECTIONS])),
       low=tuple(low), high=tuple(high), interior=tuple(interior))


def picked(x: np.ndarray, indices: np.ndarray, dimension: int, mode: str = "clip") -> Program:
    builder = ProgramBuilder("picked")
    value = builder.input(ArrayType(x.shape, x.dtype))
    (places,) = builder.emit(ops.constant, [], {"value": indices.reshape(-1, 1)})
    sizes = tuple(1 if d == dimension else n for d, n in enumerate(x.shape))
    return builder.finish(builder.emit(ops.gather, [value, places], {
        "offset_dims": tuple(d for d in range(x.ndim) if d != dimension), "collapsed_slice_dims": (dimension,),
        "start_index_map": (dimension,), "slice_sizes": sizes, "mode": mode, "fill_value": None,
        "operand_batching_dims": (), "indices_batching_dims": ()}))


@pytest.mark.parametrize("indices", [
    [0, 0, 0, 1, 2, 3, 4, 4], [3, 2, 1, 0, 1, 2, 3, 4, 3, 2], [2, 0, 1], [1], [4, 2, 0], [-7, 0, 9], [0, 3, 1, 4, 2, 2],
])
@pytest.mark.parametrize("dimension", [0, 1])
def test_runs_of_known_indices_are_slices(indices: list[int], dimension: int) -> None:
    x = array(5, 5)
    plan = compare(picked(x, np.array(indices), dimension), [x], WHOLE)
    assert not any(isinstance(s, Load) and s.dynamic for s in statements(plan))


def test_other_indices_stay_a_gather() -> None:
    x = array(40)
    for program in (picked(x, RNG.permutation(40), 0), picked(x, np.array([3, 99]), 0, "fill")):
        plan = compare(program, [x], WHOLE)
        assert any(isinstance(s, Load) and s.dynamic for s in statements(plan))
    (gather,) = (o for o in picked(array(5, 6), np.array([1, 2, 3]), 0).operations if o.name == "gather")
    (constant,) = (o for o in picked(array(5, 6), np.array([1, 2, 3]), 0).operations if o.name == "constant")
    assert strided_slices(gather, constant) == (0, (StridedSlice(1, 1, 3),))
    assert strided_slices(gather, None) is None


@pytest.mark.parametrize("rows", [5, 300])
def test_indices_that_no_signed_number_holds_are_beyond_the_end(rows: int) -> None:
    x = array(rows, 6)
    compare(picked(x, np.array([(1 << 64) - 1, 2, 1 << 63], np.uint64), 0), [x], WHOLE)


@settings(max_examples=100)
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(-3, 3), st.integers(1, 6)), min_size=1, max_size=10))
def test_runs(runs: list[tuple[int, int, int]]) -> None:
    x = array(6, 10)
    indices = np.concatenate([start + step * np.arange(count) for start, step, count in runs])
    compare(picked(x, indices, 1), [x], SECTIONS)


def test_plans_are_planned_again_alike() -> None:
    program = shifted_sums(9)
    assert planned(program, SECTIONS).text() == planned(program, SECTIONS).text()


@pytest.mark.parametrize(("ndim", "expected"), [(1, 1), (2, 1), (3, 1), (4, 2)])
def test_edges_along_several_dimensions_are_one_kernel_of_not_too_many_sections(ndim: int, expected: int) -> None:
    builder, x = ProgramBuilder("edges"), array(*(4,) * ndim)
    value = builder.input(ArrayType(x.shape, x.dtype))
    for d in range(ndim):
        (places,) = builder.emit(ops.constant, [], {"value": np.array([0, 0, 1, 2, 3, 3], np.int32).reshape(-1, 1)})
        (value,) = builder.emit(ops.gather, [value, places], {
            "offset_dims": tuple(o for o in range(ndim) if o != d), "collapsed_slice_dims": (d,),
            "start_index_map": (d,), "slice_sizes": tuple(1 if o == d else n for o, n in enumerate(value.type.shape)),
            "mode": "clip", "fill_value": None, "operand_batching_dims": (), "indices_batching_dims": ()})
    plan = compare(builder.finish([value]), [x], WHOLE)
    assert kinds(plan) == ["kernel"] * expected


@pytest.mark.parametrize("turned", [False, True])
def test_many_pieces_that_have_no_sections_are_joined_by_the_platform(turned: bool) -> None:
    """Every element would choose among them, and compute all."""
    builder = ProgramBuilder("many")
    x = builder.input(ArrayType((30, 40), np.float32))
    pieces = []
    for _ in range(40):
        piece = builder.emit(ops.transpose, [x], {"permutation": (1, 0)})[0] if turned else x
        for _ in range(4):
            (piece,) = builder.emit(ops.mul, [piece, piece])
        pieces.append(piece)
    plan = compare(builder.finish(builder.emit(ops.concatenate, pieces, {"dimension": 0})), [array(30, 40)], WHOLE)
    assert "concatenate" in kinds(plan)


@pytest.mark.parametrize("apart", [10, 47, 48, 49, 1000])
@pytest.mark.parametrize("shape", [(3,), (1,), (3, 4), (2, 3)])
def test_elements_far_apart(shape: tuple[int, ...], apart: int) -> None:
    sides = dict(low=(1,) * len(shape), high=(-1,) * len(shape), interior=(apart,) + (0,) * (len(shape) - 1))
    of(ops.pad, [array(*shape), array()], **sides)


@pytest.mark.parametrize("record, shape, attributes", [
    (ops.pad, (2,), lambda n: dict(low=(0,), high=(0,), interior=(n,))),
    (ops.pad, (1,), lambda n: dict(low=(0,), high=(n,), interior=(n,))),
    (ops.pad, (3, 2), lambda n: dict(low=(0, n), high=(5, 0), interior=(n // 100, 0))),
    (ops.pad, (3, 2), lambda n: dict(low=(0, 0), high=(0, 0), interior=(0, n))),
    (ops.broadcast_in_dim, (2,), lambda n: dict(shape=(n, 2), dimensions=(1,))),
])
def test_plans_do_not_grow_with_sizes(
    record: Any, shape: tuple[int, ...], attributes: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []
    original = index_splitting._Range

    def counted(*args: int) -> Any:
        made.append(args)
        return original(*args)

    monkeypatch.setattr(index_splitting, "_Range", counted)
    figures = []
    for n in (10_000, 100_000_000):
        made.clear()
        builder = ProgramBuilder("far")
        operands = [builder.input(ArrayType(shape, np.float32)), builder.input(ArrayType((), np.float32))]
        plan = planned(builder.finish(builder.emit(record, operands[:2 if record is ops.pad else 1], attributes(n))),
                       WHOLE)
        figures.append((len(made), len(statements(plan))))
    assert figures[0] == figures[1] and max(figures[0]) < 200


def test_one_index_many_times_is_not_looked_at_many_times() -> None:
    x, places = ArrayType((5,), np.float32), np.broadcast_to(np.int32(3), (1 << 40, 1))
    builder = ProgramBuilder("same")
    (indices,) = builder.emit(ops.constant, [], {"value": places})
    found = builder.emit(ops.gather, [builder.input(x), indices], dict(
        offset_dims=(), collapsed_slice_dims=(0,), start_index_map=(0,), operand_batching_dims=(),
        indices_batching_dims=(), slice_sizes=(1,), mode="clip"))
    producer, gather = builder.finish(found).operations
    assert strided_slices(gather, producer) == (0, (StridedSlice(3, 0, 1 << 40),))
