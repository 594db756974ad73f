# SPDX-License-Identifier: Apache-2.0
"""The loop-nest form: text, verification and reference."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from olympus_core import ops
from olympus_core.errors import KernelFormError
from olympus_core.toolkit.loops import (
    Affine,
    Compute,
    Constant,
    Index,
    Inside,
    Kernel,
    Load,
    Loop,
    Parameter,
    Recurrence,
    Reduction,
    Scalar,
    Store,
    kernel_key,
    print_kernel,
    run_kernel,
    verify_kernel,
)

F32, BOOL = np.dtype("f4"), np.dtype("?")


def softmax(rows: int, columns: int) -> Kernel:
    x, o = Parameter("x", F32, rows * columns, "input"), Parameter("o", F32, rows * columns, "output")
    row, j, k, m = Index("row"), Index("j"), Index("k"), Index("m")
    low, zero, top, total = Scalar(F32), Scalar(F32), Scalar(F32), Scalar(F32)
    a, b, c, d, e, f = (Scalar(F32) for _ in range(6))
    base = Affine.of(row, columns)
    body = (
        Constant(low, np.float32(-np.inf)), Constant(zero, np.float32(0)),
        Loop(j, columns, "lanes", (Load(a, x, base.plus(Affine.of(j))),), reductions=(Reduction(top, "max", low, a),)),
        Loop(k, columns, "lanes", (
            Load(b, x, base.plus(Affine.of(k))), Compute((c,), ops.sub, (b, top)), Compute((d,), ops.exp, (c,)),
            Store(o, base.plus(Affine.of(k)), d),
        ), reductions=(Reduction(total, "add", zero, d),)),
        Loop(m, columns, "lanes", (
            Load(e, o, base.plus(Affine.of(m))), Compute((f,), ops.div, (e, total)),
            Store(o, base.plus(Affine.of(m)), f),
        )),
    )
    return Kernel("softmax", (x, o), Loop(row, rows, "parallel", body))


def test_row_program() -> None:
    kernel = softmax(5, 7)
    verify_kernel(kernel)
    x = np.random.default_rng(0).normal(size=(5, 7)).astype("f4")
    (result,) = run_kernel(kernel, [x])
    exp = np.exp(x - x.max(1, keepdims=True))
    np.testing.assert_allclose(result.reshape(5, 7), exp / exp.sum(1, keepdims=True), rtol=1e-6)


def test_text_does_not_depend_on_objects() -> None:
    assert print_kernel(softmax(5, 7)) == print_kernel(softmax(5, 7))
    assert kernel_key(softmax(5, 7)) != kernel_key(softmax(5, 8))
    assert "lanes i1 < 7:" in print_kernel(softmax(5, 7))


def ragged_sum(size: int, block: int) -> Kernel:
    x, o = Parameter("x", F32, size, "input"), Parameter("o", F32, -(-size // block), "output")
    b, j, zero, a, total = Index("b"), Index("j"), Scalar(F32), Scalar(F32), Scalar(F32)
    at = Affine.of(b, block).plus(Affine.of(j))
    inner = Loop(j, block, "lanes", (Load(a, x, at),), until=(at, size), reductions=(Reduction(total, "add", zero, a),))
    body = (Constant(zero, np.float32(0)), inner, Store(o, Affine.of(b), total))
    return Kernel("ragged", (x, o), Loop(b, -(-size // block), "parallel", body))


def test_last_block_is_cut_off() -> None:
    kernel = ragged_sum(10, 4)
    verify_kernel(kernel)
    (result,) = run_kernel(kernel, [np.arange(10, dtype="f4")])
    assert result.tolist() == [6, 22, 17]


def tiled_transpose(rows: int, columns: int, tile: int) -> Kernel:
    x, o = Parameter("x", F32, rows * columns, "input"), Parameter("o", F32, rows * columns, "output")
    ti, tj, i, j, a = Index("ti"), Index("tj"), Index("i"), Index("j"), Scalar(F32)
    row, column = Affine.of(ti, tile).plus(Affine.of(i)), Affine.of(tj, tile).plus(Affine.of(j))
    body = (Load(a, x, row.scaled(columns).plus(column)), Store(o, column.scaled(rows).plus(row), a))
    lanes = Loop(i, tile, "lanes", body, until=(row, rows))
    serial = Loop(j, tile, "serial", (lanes,), until=(column, columns))
    middle = Loop(tj, -(-columns // tile), "serial", (serial,))
    return Kernel("transpose", (x, o), Loop(ti, -(-rows // tile), "parallel", (middle,)))


def test_two_limits_bound_an_address() -> None:
    kernel = tiled_transpose(7, 10, 4)
    verify_kernel(kernel)
    x = np.arange(70, dtype="f4").reshape(7, 10)
    np.testing.assert_array_equal(run_kernel(kernel, [x])[0].reshape(10, 7), x.T)


def cumsum(size: int) -> Kernel:
    x, o = Parameter("x", F32, size, "input"), Parameter("o", F32, size, "output")
    i, zero, before, a, after, last = Index("i"), Scalar(F32), Scalar(F32), Scalar(F32), Scalar(F32), Scalar(F32)
    one = Index("one")
    body = (Load(a, x, Affine.of(i)), Compute((after,), ops.add, (before, a)), Store(o, Affine.of(i), after))
    loop = Loop(i, size, "serial", body, recurrences=(Recurrence(last, zero, before, after),))
    return Kernel("cumsum", (x, o), Loop(one, 1, "parallel", (Constant(zero, np.float32(0)), loop)))


def test_recurrence() -> None:
    kernel = cumsum(6)
    verify_kernel(kernel)
    assert run_kernel(kernel, [np.arange(6, dtype="f4")])[0].tolist() == [0, 1, 3, 6, 10, 15]


def test_conditional_load_pads() -> None:
    x, o = Parameter("x", F32, 3, "input"), Parameter("o", F32, 5, "output")
    i, here, a = Index("i"), Scalar(BOOL), Scalar(F32)
    load = Load(a, x, Affine.of(i).shifted(-1), when=here)
    body = (Inside(here, Affine.of(i), 1, 4), load, Store(o, Affine.of(i), a))
    kernel = Kernel("pad", (x, o), Loop(i, 5, "lanes", body))
    verify_kernel(kernel)
    assert run_kernel(kernel, [np.array([7, 8, 9], "f4")])[0].tolist() == [0, 7, 8, 9, 0]


def test_meeting_stores_are_combined() -> None:
    x, at = Parameter("x", F32, 4, "input"), Parameter("at", np.dtype("i4"), 4, "input")
    o = Parameter("o", F32, 2, "output")
    i, one, a, where = Index("i"), Index("one"), Scalar(F32), Scalar(np.dtype("i4"))
    body = (
        Load(a, x, Affine.of(i)), Load(where, at, Affine.of(i)),
        Store(o, Affine(), a, dynamic=((where, 1),), combine="add"),
    )
    kernel = Kernel("scatter", (x, at, o), Loop(one, 1, "parallel", (Loop(i, 4, "serial", body),)))
    verify_kernel(kernel)
    values = np.array([1, 2, 3, 4], "f4"), np.array([0, 1, 0, 0], "i4")
    assert run_kernel(kernel, values)[0].tolist() == [8, 2]


def test_faults_are_found() -> None:
    good = ragged_sum(10, 4)
    x, o = good.parameters
    first, inner, last = good.loop.body
    broken = {
        "addresses 0 to 11": replace(good, loop=replace(good.loop, body=(first, replace(inner, until=None), last))),
        "order inputs": replace(good, parameters=(o, x)),
        "is no parameter": replace(good, parameters=(o,)),
        "used and not defined": replace(good, loop=replace(good.loop, body=(inner, last))),
        "defined twice": replace(good, loop=replace(good.loop, body=(first, first, inner, last))),
        "no iteration": replace(good, loop=replace(good.loop, extent=0)),
        "belongs to no loop": replace(good, loop=replace(good.loop, index=Index("other"))),
        "parallel or outermost": replace(good, loop=replace(
            good.loop, body=(first, replace(inner, kind="parallel"), last))),
        "float64 for": replace(good, loop=replace(good.loop, body=(
            first, inner, replace(last, value=Scalar(np.dtype("f8")))))),
    }
    for problem, kernel in broken.items():
        with pytest.raises(KernelFormError, match=problem):
            verify_kernel(kernel)
