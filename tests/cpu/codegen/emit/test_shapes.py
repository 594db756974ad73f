# SPDX-License-Identifier: Apache-2.0
"""Kernels of every shape: tails, rows, columns, blocks, strides, conditions, computed addresses, scratch memory."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from olympus_core import dtypes, ops
from olympus_core.toolkit.loops import (
    Affine,
    Index,
    IndexValue,
    Inside,
    Kernel,
    Loop,
    Parameter,
    Recurrence,
    Reduction,
    Scalar,
    run_kernel,
)
from olympus_core.toolkit.loops.form import LoopKind
from olympus_cpu.codegen.emit.module import emit_kernel, emit_module
from olympus_cpu.codegen.target import Target
from olympus_cpu.native.linker import link

from .running import Body, check, flat_kernel, machine, same

F32, F64, I32, I8, BOOL = (np.dtype(t) for t in ("f4", "f8", "i4", "i1", "?"))
RNG = np.random.default_rng(7)


def normal(size: int, dtype: np.dtype = F32) -> np.ndarray:
    return RNG.normal(size=size).astype(dtype)


@pytest.mark.parametrize("size", [2, 4, 8, 24, 64, 96, 128, 576, 640, 1000, 1001, 1024])
def test_pieces_of_whole_cache_lines(size: int) -> None:
    """Where a rest cannot be, there is no code for it; where it can, there is."""
    for record in (ops.add, ops.mul, ops.div):
        kernel = flat_kernel(record, [F32, F32], [F32], size)
        cuts = [cut for cut in (64, 64, 512) if cut < size]
        check(kernel, [normal(size), normal(size)], level=0, granule=64, cuts=cuts)
    loops = emit_module([(kernel, "f")], Target.named("haswell"), 64).count(" = phi ")
    assert (loops == 1) == (size in (2, 4, 8, 64, 96, 128, 576, 640, 1024)), loops


@pytest.mark.parametrize("dtype", [F32, F64])
@pytest.mark.parametrize("size", [1000, 1 << 15, (1 << 15) + 8, (1 << 15) + 37])
def test_long_loops_give_what_short_ones_do(size: int, dtype: np.dtype) -> None:
    """Vectors are wider than the machine's where the body is heavy and the loop long: the bits stay the same."""
    x, part = normal(size, dtype), 500
    kernel = flat_kernel(ops.exp, [dtype], [dtype], size)
    text = emit_module([(kernel, "f")], Target.named("haswell"), 64)
    lanes, element = 32 // dtype.itemsize, "float" if dtype == F32 else "double"
    # A rest is not made where there was none: 32776 is 8 times 4097.
    times = {1000: 1, (1 << 15) + 8: 8 // lanes}.get(size, 4)
    assert [n for n in (1, 2, 4) if f"<{n * lanes} x {element}>" in text] == [times]
    (found,) = machine(kernel, [x], granule=64, cuts=[64, 192])
    short = flat_kernel(ops.exp, [dtype], [dtype], part)
    for start in (0, size - part):
        np.testing.assert_array_equal(machine(short, [x[start:start + part]])[0], found[start:start + part])


@pytest.mark.parametrize("size", [*range(1, 19), 31, 32, 33, 63, 64, 65, 71, 127, 129])
def test_tails(size: int) -> None:
    check(flat_kernel(ops.add, [F32, F32], [F32], size), [normal(size), normal(size)], level=0)


@pytest.mark.parametrize("dtype", [I8, F64, BOOL, np.dtype("c8"), np.dtype("f2"), dtypes.bfloat16])
def test_tails_of_other_widths(dtype: np.dtype) -> None:
    for size in (1, 2, 5, 33, 100):
        x, y = (RNG.integers(0, 2, size).astype(dtype) for _ in range(2))
        check(flat_kernel(ops.eq, [dtype, dtype], [BOOL], size), [x, y], level=0)


def test_ranges_of_the_outermost_loop() -> None:
    kernel = flat_kernel(ops.mul, [F32, F32], [F32], 1000)
    check(kernel, [normal(1000), normal(1000)], cuts=(1, 8, 9, 100, 100, 612, 999))


def rows(count: int, size: int, body_of, reductions: int = 1) -> Kernel:
    """A kernel of rows; `body_of(outer, x, y, row)` fills the parallel loop's body."""
    row = Index("row")
    x, y = Parameter("x", F32, count * size, "input"), Parameter("y", F32, count * size, "output")
    outer = Body()
    body_of(outer, x, y, row)
    return Kernel("rows", (x, y), Loop(row, count, "parallel", outer.done()))


def softmax(count: int, size: int) -> Kernel:
    def fill(outer: Body, x: Parameter, y: Parameter, row: Index) -> None:
        at = Affine.of(row, size)
        lowest, zero = outer.constant(F32.type(-np.inf)), outer.constant(F32.type(0))
        i, first = Index("i"), Body()
        greatest = Scalar(F32)
        value = first.load(x, at.plus(Affine.of(i)))
        outer.add(Loop(i, size, "lanes", first.done(), reductions=(Reduction(greatest, "max", lowest, value),)))
        j, second = Index("j"), Body()
        total = Scalar(F32)
        value = second.compute(ops.sub, second.load(x, at.plus(Affine.of(j))), greatest)
        value = second.compute(ops.mul, value, value)
        second.store(y, at.plus(Affine.of(j)), value)
        outer.add(Loop(j, size, "lanes", second.done(), reductions=(Reduction(total, "add", zero, value),)))
        k, third = Index("k"), Body()
        third.store(y, at.plus(Affine.of(k)), third.compute(ops.div, third.load(y, at.plus(Affine.of(k))), total))
        outer.add(Loop(k, size, "lanes", third.done()))

    return rows(count, size, fill)


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 7, 8, 10, 31, 64, 100, 1000])
def test_row_programs(size: int) -> None:
    check(softmax(5, size), [normal(5 * size)], ulps=40, cuts=(2,), level=0)


@pytest.mark.parametrize(("kind", "operation"), [
    (k, o) for k in ("f4", "f8", "i4", "u1", "i8", "f2", "c8") for o in ("add", "mul", "max", "min")
    if not (k == "c8" and o in ("max", "min"))] + [("i4", "and"), ("i4", "or"), ("?", "and"), ("?", "or")])
def test_reductions(kind: str, operation: str) -> None:
    dtype = np.dtype(kind)
    for size in (1, 7, 40, 333):
        outer, inner, i, row = Body(), Body(), Index("i"), Index("row")
        x, y = Parameter("x", dtype, 3 * size, "input"), Parameter("y", dtype, 3, "output")
        start = outer.constant(dtype.type(1))
        total = Scalar(dtype)
        value = inner.load(x, Affine.of(row, size).plus(Affine.of(i)))
        outer.add(Loop(i, size, "lanes", inner.done(), reductions=(Reduction(total, operation, start, value),)))
        outer.store(y, Affine.of(row), total)
        values = (RNG.integers(0, 3, 3 * size) if dtype.kind in "biu" else 1 + RNG.normal(size=3 * size) * 0.01)
        check(Kernel("r", (x, y), Loop(row, 3, "parallel", outer.done())), [values.astype(dtype)], ulps=200, level=0)


def test_nan_wins_in_extremes() -> None:
    for operation in ("max", "min"):
        for place in (0, 1, 33, 63, 64, 70):
            outer, inner, i, row = Body(), Body(), Index("i"), Index("row")
            x, y = Parameter("x", F32, 71, "input"), Parameter("y", F32, 1, "output")
            start = outer.constant(F32.type(0))
            total, value = Scalar(F32), inner.load(x, Affine.of(i))
            outer.add(Loop(i, 71, "lanes", inner.done(), reductions=(Reduction(total, operation, start, value),)))
            outer.store(y, Affine.of(row), total)
            values = normal(71)
            values[place] = np.nan
            (got,) = machine(Kernel("r", (x, y), Loop(row, 1, "parallel", outer.done())), [values], level=0)
            assert np.isnan(got[0]), (operation, place)


@pytest.mark.parametrize(("rows_", "columns"), [(1, 1), (5, 3), (64, 8), (33, 70), (100, 257)])
def test_column_sums(rows_: int, columns: int) -> None:
    column, block, k = Index("column"), Index("block"), Index("k")
    x, y = Parameter("x", F32, rows_ * columns, "input"), Parameter("y", F32, columns, "output")
    outer, middle, inner = Body(), Body(), Body()
    zero = outer.constant(F32.type(0))
    at = Affine.of(block, 16 * columns).plus(Affine.of(k, columns)).plus(Affine.of(column))
    value = inner.load(x, at)
    part, total = Scalar(F32), Scalar(F32)
    until = (Affine.of(block, 16).plus(Affine.of(k)), rows_)
    middle.add(Loop(k, 16, "serial", inner.done(), until=until, reductions=(Reduction(part, "add", zero, value),)))
    outer.add(Loop(block, -(-rows_ // 16), "serial", middle.done(), reductions=(Reduction(total, "add", zero, part),)))
    outer.store(y, Affine.of(column), total)
    check(Kernel("columns", (x, y), Loop(column, columns, "lanes", outer.done())), [normal(rows_ * columns)], ulps=64)


def test_cumulative_sum_over_lanes_and_alone() -> None:
    for kind in ("lanes", "parallel"):
        kernel = running_sum(kind, 37, 20)
        check(kernel, [normal(37 * 20)])


def running_sum(kind: LoopKind, columns: int, length: int) -> Kernel:
    column, k = Index("column"), Index("k")
    x, y = Parameter("x", F32, columns * length, "input"), Parameter("y", F32, columns * length, "output")
    outer, inner = Body(), Body()
    zero = outer.constant(F32.type(0))
    inside, result = Scalar(F32), Scalar(F32)
    at = Affine.of(k, columns).plus(Affine.of(column))
    following = inner.compute(ops.add, inside, inner.load(x, at))
    inner.store(y, at, following)
    outer.add(Loop(k, length, "serial", inner.done(), recurrences=(Recurrence(result, zero, inside, following),)))
    return Kernel("running", (x, y), Loop(column, columns, kind, outer.done()))


@pytest.mark.parametrize("dtype", [F32, np.dtype("c8"), np.dtype("f2"), I8, BOOL])
@pytest.mark.parametrize("stride", [-3, -2, -1, 0, 1, 2, 3, 40])
def test_strides(dtype: np.dtype, stride: int) -> None:
    size = 50
    start = -stride * (size - 1) if stride < 0 else 0
    i, body = Index("i"), Body()
    x = Parameter("x", dtype, abs(stride) * (size - 1) + 1, "input")
    y = Parameter("y", dtype, size, "output")
    body.store(y, Affine.of(i), body.load(x, Affine(start, ((i, stride),) if stride else ())))
    check(Kernel("s", (x, y), Loop(i, size, "lanes", body.done())),
          [RNG.integers(0, 100, x.size).astype(dtype)], level=0)


@pytest.mark.parametrize("stride", [-1, 2, 3])
def test_strided_stores(stride: int) -> None:
    size = 50
    start = size - 1 if stride < 0 else 0
    i, body = Index("i"), Body()
    x, y = Parameter("x", F32, size, "input"), Parameter("y", F32, abs(stride) * size, "output")
    body.store(y, Affine(start, ((i, stride),)), body.load(x, Affine.of(i)))
    check(Kernel("s", (x, y), Loop(i, size, "lanes", body.done())), [normal(size)], level=0)


@pytest.mark.parametrize("dtype", [F32, F64, I8, BOOL, np.dtype("f2"), np.dtype("c8")])
@pytest.mark.parametrize("low", [0, 3, 30])
def test_pads(dtype: np.dtype, low: int) -> None:
    size, whole = 41, 90
    i, body = Index("i"), Body()
    x, y = Parameter("x", dtype, size, "input"), Parameter("y", dtype, whole, "output")
    inside = Scalar(BOOL)
    body.add(Inside(inside, Affine.of(i), low, low + size))
    body.store(y, Affine.of(i), body.load(x, Affine(-low, ((i, 1),)), when=inside))
    check(Kernel("pad", (x, y), Loop(i, whole, "lanes", body.done())),
          [RNG.integers(0, 100, size).astype(dtype)], level=0)


@pytest.mark.parametrize("dtype", [F32, I8, np.dtype("c8")])
def test_conditional_stores(dtype: np.dtype) -> None:
    size = 75
    i, body = Index("i"), Body()
    x, y = Parameter("x", dtype, size, "input"), Parameter("y", dtype, size, "output")
    inside = Scalar(BOOL)
    body.add(Inside(inside, Affine.of(i, 3), 20, 160))
    body.store(y, Affine.of(i), body.load(x, Affine.of(i)), when=inside)
    check(Kernel("some", (x, y), Loop(i, size, "lanes", body.done())),
          [RNG.integers(0, 100, size).astype(dtype)], level=0)


@pytest.mark.parametrize("index_type", [np.dtype(t) for t in ("i4", "i8", "u1", "u4")])
@pytest.mark.parametrize("dtype", [F32, F64, I8, np.dtype("c8")])
def test_gathers(index_type: np.dtype, dtype: np.dtype) -> None:
    size, width = 77, 5
    i, body = Index("i"), Body()
    x, at = Parameter("x", dtype, 100 * width, "input"), Parameter("at", index_type, size, "input")
    y = Parameter("y", dtype, size, "output")
    chosen = body.load(at, Affine.of(i))
    inside = body.compute(ops.lt, chosen, body.constant(index_type.type(100)), dtype=bool)
    body.store(y, Affine.of(i), body.load(x, Affine(2), dynamic=((chosen, width),), when=inside))
    check(Kernel("gather", (x, at, y), Loop(i, size, "lanes", body.done())),
          [RNG.integers(0, 100, x.size).astype(dtype), RNG.integers(0, 120, size).astype(index_type)], level=0)


def test_gathered_rows_stay_vectors() -> None:
    size, width = 9, 50
    row, i, outer, body = Index("row"), Index("i"), Body(), Body()
    x, at = Parameter("x", F32, 20 * width, "input"), Parameter("at", I32, size, "input")
    y = Parameter("y", F32, size * width, "output")
    chosen = outer.load(at, Affine.of(row))
    value = body.load(x, Affine.of(i), dynamic=((chosen, width),))
    body.store(y, Affine.of(row, width).plus(Affine.of(i)), value)
    outer.add(Loop(i, width, "lanes", body.done()))
    check(Kernel("rows", (x, at, y), Loop(row, size, "parallel", outer.done())),
          [normal(20 * width), RNG.integers(0, 20, size).astype(I32)])


@pytest.mark.parametrize("dtype", [F32, I8, np.dtype("c8")])
@pytest.mark.parametrize("width", [3, 50, 64])
def test_updated_rows_are_vectors(dtype: np.dtype, width: int) -> None:
    """Quick code, too, adds whole rows where data say: lanes are neighbours in a row that they have in common."""
    size, count = 40, 6
    row, i, outer, body = Index("row"), Index("i"), Body(), Body()
    x, at = Parameter("x", dtype, size * width, "input"), Parameter("at", I32, size, "input")
    y = Parameter("y", dtype, count * width, "output")
    chosen = outer.load(at, Affine.of(row))
    inside = outer.compute(ops.lt, chosen, outer.constant(I32.type(count)), dtype=bool)
    before = body.load(y, Affine.of(i), dynamic=((chosen, width),), when=inside)
    added = body.compute(ops.add, before, body.load(x, Affine.of(row, width).plus(Affine.of(i))))
    body.store(y, Affine.of(i), added, dynamic=((chosen, width),), when=inside)
    outer.add(Loop(i, width, "lanes", body.done()))
    once = Loop(Index("once"), 1, "parallel", (Loop(row, size, "serial", outer.done()),))
    kernel = Kernel("rows", (x, at, y), once)
    check(kernel, [RNG.integers(0, 20, x.size).astype(dtype), RNG.integers(0, 8, size).astype(I32)])
    if dtype == F32 and width > 3:
        for is_short in (False, True):
            assert "load <8 x float>" in emit_module([(kernel, "f")], Target.named("haswell"), 64, is_short)


@pytest.mark.parametrize("dtype", [F32, I32, np.dtype("f2"), np.dtype("c8"), BOOL])
def test_scatter_combines_in_order(dtype: np.dtype) -> None:
    size = 60
    combine = "or" if dtype == BOOL else "add"
    i, body = Index("i"), Body()
    x, at = Parameter("x", dtype, size, "input"), Parameter("at", I32, size, "input")
    y = Parameter("y", dtype, 10, "output")
    chosen = body.load(at, Affine.of(i))
    inside = body.compute(ops.lt, chosen, body.constant(I32.type(10)), dtype=bool)
    body.store(y, Affine(), body.load(x, Affine.of(i)), dynamic=((chosen, 1),), when=inside, combine=combine)
    check(Kernel("scatter", (x, at, y), Loop(i, size, "serial", body.done())),
          [RNG.integers(0, 5, size).astype(dtype), RNG.integers(0, 14, size).astype(I32)])


def test_combining_lanes_of_a_serial_loop() -> None:
    i, k, outer, body = Index("i"), Index("k"), Body(), Body()
    x, y = Parameter("x", F32, 7 * 45, "input"), Parameter("y", F32, 45, "output")
    body.store(y, Affine.of(i), body.load(x, Affine.of(k, 45).plus(Affine.of(i))), combine="add")
    outer.add(Loop(i, 45, "lanes", body.done()))
    check(Kernel("add", (x, y), Loop(k, 7, "serial", outer.done())), [normal(7 * 45)])


@pytest.mark.parametrize("result", [I32, np.dtype("i8"), np.dtype("u1"), F32, F64, np.dtype("f2")])
def test_index_values(result: np.dtype) -> None:
    i, row, outer, body = Index("i"), Index("row"), Body(), Body()
    y = Parameter("y", result, 4 * 55, "output")
    number = Scalar(result)
    body.add(IndexValue(number, Affine(-7, ((row, 1000), (i, 3)))))
    body.store(y, Affine.of(row, 55).plus(Affine.of(i)), number)
    outer.add(Loop(i, 55, "lanes", body.done()))
    check(Kernel("iota", (y,), Loop(row, 4, "parallel", outer.done())), [])


def test_far_indices_need_all_digits() -> None:
    i, body = Index("i"), Body()
    y = Parameter("y", np.dtype("i8"), 70, "output")
    number = Scalar(np.dtype("i8"))
    body.add(IndexValue(number, Affine(1 << 40, ((i, 1 << 33),))))
    body.store(y, Affine.of(i), number)
    check(Kernel("iota", (y,), Loop(i, 70, "lanes", body.done())), [])


@pytest.mark.parametrize("kind", ["parallel", "lanes"])
def test_scratch_memory(kind: LoopKind) -> None:
    row, i, j, outer, first, second = Index("row"), Index("i"), Index("j"), Body(), Body(), Body()
    x, y = Parameter("x", F32, 6 * 50, "input"), Parameter("y", F32, 6 * 50, "output")
    local = Parameter("local", F32, 50, "local")
    value = first.load(x, Affine.of(row, 50).plus(Affine.of(i)))
    first.store(local, Affine.of(i), first.compute(ops.add, value, value))
    second.store(y, Affine.of(row, 50).plus(Affine.of(j)), second.load(local, Affine(49, ((j, -1),))))
    inner: LoopKind = "lanes" if kind == "parallel" else "serial"
    outer.add(Loop(i, 50, inner, first.done()))
    outer.add(Loop(j, 50, inner, second.done()))
    check(Kernel("scratch", (x, y, local), Loop(row, 6, kind, outer.done())), [normal(300)])


def test_limits_of_blocks() -> None:
    size = 1003
    block, i, outer, body = Index("block"), Index("i"), Body(), Body()
    x, y = Parameter("x", F32, size, "input"), Parameter("y", F32, 16, "output")
    zero, total = outer.constant(F32.type(0)), Scalar(F32)
    at = Affine.of(block, 64).plus(Affine.of(i))
    value = body.load(x, at)
    outer.add(Loop(i, 64, "lanes", body.done(), until=(at, size), reductions=(Reduction(total, "add", zero, value),)))
    outer.store(y, Affine.of(block), total)
    check(Kernel("blocks", (x, y), Loop(block, 16, "parallel", outer.done())), [normal(size)], ulps=100)


@pytest.mark.parametrize(("block", "size", "start", "loops"), [
    (64, 448, 0, 1), (64, 416, 0, 2), (64, 413, 0, 3), (64, 448, 3, 3), (48, 960, 48, 2), (32, 992, 0, 1)])
def test_a_limit_that_leaves_whole_vectors_needs_no_remainder(block: int, size: int, start: int, loops: int) -> None:
    """Blocks of one more than there are whole ones, so that the last may be cut, or empty."""
    outer_index, i, outer, body = Index("block"), Index("i"), Body(), Body()
    x, y = Parameter("x", I8, size, "input"), Parameter("y", I8, size, "output")
    at = Affine.of(outer_index, block).plus(Affine.of(i)).plus(Affine(start))
    body.store(y, at, body.load(x, at))
    outer.add(Loop(i, block, "lanes", body.done(), until=(at, size)))
    count = -(-size // block) + 1
    kernel = Kernel("cut", (x, y), Loop(outer_index, count, "parallel", outer.done()))
    check(kernel, [RNG.integers(0, 100, size).astype(I8)])
    text = emit_kernel(kernel, replace(Target.named("haswell"), vector_bits=128), "f")
    assert text.count(" phi ") - 1 == loops  # one is the loop over blocks


@pytest.mark.parametrize(("stride", "count", "is_vector"), [(1, 6, True), (2, 6, True), (20, 3, True), (20, 6, False)])
def test_many_strided_moves_are_scalar(stride: int, count: int, is_vector: bool) -> None:
    """Gathering lanes only to move them would save nothing and be as many instructions as there are lanes."""
    i, body = Index("i"), Body()
    x, y = Parameter("x", F32, 300 * stride, "input"), Parameter("y", F32, 300, "output")
    values = [body.load(x, Affine.of(i, stride).plus(Affine(at % stride))) for at in range(count)]
    total = values[0]
    for value in values[1:]:
        total = body.compute(ops.max, total, value)
    body.store(y, Affine.of(i), total)
    kernel = Kernel("moved", (x, y), Loop(i, 300, "lanes", body.done()))
    check(kernel, [normal(300 * stride)])
    assert ("x float>" in emit_kernel(kernel, Target.host(), "f")) == is_vector


def test_limit_with_a_stride_and_on_the_outermost_loop() -> None:
    i, body = Index("i"), Body()
    x, y = Parameter("x", F32, 100, "input"), Parameter("y", F32, 100, "output")
    body.store(y, Affine.of(i), body.load(x, Affine.of(i)))
    check(Kernel("cut", (x, y), Loop(i, 100, "lanes", body.done(), until=(Affine(1, ((i, 3),)), 130))), [normal(100)])


@pytest.mark.parametrize("dtype", [F32, F64, I8, BOOL, np.dtype("f2"), np.dtype("c8")])
@pytest.mark.parametrize(("rows_", "columns", "tile"), [(37, 50, 16), (32, 64, 32), (5, 3, 8), (16, 40, 16)])
def test_transposed_tiles(dtype: np.dtype, rows_: int, columns: int, tile: int) -> None:
    a, b, c, lane = Index("a"), Index("b"), Index("c"), Index("lane")
    x, y = Parameter("x", dtype, rows_ * columns, "input"), Parameter("y", dtype, rows_ * columns, "output")
    z, v = Parameter("z", dtype, rows_ * columns, "input"), Parameter("v", dtype, columns, "input")
    outer, middle, inner, body = Body(), Body(), Body(), Body()
    r, k = Affine.of(a, tile).plus(Affine.of(lane)), Affine.of(b, tile).plus(Affine.of(c))
    at = k.scaled(rows_).plus(r)
    transposed, contiguous, same_in_lanes = body.load(x, r.scaled(columns).plus(k)), body.load(z, at), body.load(v, k)
    is_equal = body.compute(ops.eq, contiguous, same_in_lanes, dtype=bool)
    body.store(y, at, body.compute(ops.select, is_equal, contiguous, transposed, dtype=dtype))
    ragged = rows_ % tile or columns % tile
    inner.add(Loop(lane, tile, "lanes", body.done(), until=(r, rows_) if ragged else None))
    middle.add(Loop(c, tile, "serial", inner.done(), until=(k, columns) if ragged else None))
    outer.add(Loop(b, -(-columns // tile), "serial", middle.done()))
    arrays = [RNG.integers(0, 3, p.size).astype(dtype) for p in (x, z, v)]
    check(Kernel("turned", (x, z, v, y), Loop(a, -(-rows_ // tile), "parallel", outer.done())), arrays)


@pytest.mark.parametrize("dtype", [F32, F64, I8, BOOL, np.dtype("f2"), np.dtype("c8")])
@pytest.mark.parametrize(("rows_", "columns", "low"), [(32, 16, 0), (20, 37, 1), (3, 5, 2)])
def test_transposed_tiles_with_padding(dtype: np.dtype, rows_: int, columns: int, low: int) -> None:
    """Whether a tile is inside is the same for all of it; one outside reads nothing."""
    a, c, lane, places = Index("a"), Index("c"), Index("lane"), 4
    x = Parameter("x", dtype, places * rows_ * columns, "input")
    y = Parameter("y", dtype, (places + 3) * rows_ * columns, "output")
    outer, middle, body = Body(), Body(), Body()
    inside = Scalar(np.dtype(bool))
    middle.add(Inside(inside, Affine.of(a).plus(Affine(-low)), 0, places))
    at = Affine.of(a, columns).plus(Affine.of(lane, places * columns)).plus(Affine.of(c)).plus(Affine(-low * columns))
    value = body.load(x, at, when=inside)
    body.store(y, Affine.of(a, rows_ * columns).plus(Affine.of(c, rows_)).plus(Affine.of(lane)), value)
    middle.add(Loop(lane, rows_, "lanes", body.done()))
    outer.add(Loop(c, columns, "serial", middle.done()))
    kernel = Kernel("padded", (x, y), Loop(a, places + 3, "parallel", outer.done()))
    check(kernel, [RNG.integers(1, 3, x.size).astype(dtype)])
    if dtype == F32 and min(rows_, columns) >= 8:
        assert emit_kernel(kernel, Target.named("haswell"), "f").count("shufflevector") >= 8 * 3


def test_output_over_an_input() -> None:
    kernel, x = flat_kernel(ops.add, [F32, F32], [F32], 1000), normal(1000)
    (want,) = run_kernel(kernel, [x, x])
    library = link(emit_kernel(kernel, Target.host(), "f"), ["f"])
    library.run("f", [x.ctypes.data] * 3, 0, 1000)
    same(x, want)


def test_values_of_the_row_are_made_once() -> None:
    """What does not change in the inner loop is written before it."""
    row, i, outer, body = Index("row"), Index("i"), Body(), Body()
    x, y = Parameter("x", F32, 10, "input"), Parameter("y", F32, 1000, "output")
    value = body.load(x, Affine.of(row))
    body.store(y, Affine.of(row, 100).plus(Affine.of(i)), body.compute(ops.mul, value, value))
    outer.add(Loop(i, 100, "lanes", body.done()))
    kernel = Kernel("rows", (x, y), Loop(row, 10, "parallel", outer.done()))
    text = emit_kernel(kernel, Target.named("haswell"), "f")
    assert text.count("fmul") == 1
    assert "fmul float" in text
    check(kernel, [normal(10)])
