# SPDX-License-Identifier: Apache-2.0
"""Kernels that only move elements: interleaved accesses, and elements as integers."""

from __future__ import annotations

from collections.abc import Sequence

import ml_dtypes
import numpy as np
import pytest

from olympus_core import ops
from olympus_core.toolkit.loops import (
    Affine,
    Compute,
    Index,
    Kernel,
    Load,
    Loop,
    Parameter,
    Scalar,
    Statement,
    Store,
    run_kernel,
)
from olympus_cpu.codegen.builder import FunctionBuilder
from olympus_cpu.codegen.emit.bitwise_moves import with_bitwise_moves
from olympus_cpu.codegen.emit.interleaved_access import deinterleave, interleave, interleave_groups
from olympus_cpu.codegen.emit.module import emit_kernel
from olympus_cpu.codegen.ir import Ir
from olympus_cpu.codegen.target import Target

from .running import Body, at_end_of_page, check, machine

F32, I8, BOOL, F16, BF16, C64, C128 = (
    np.dtype(t) for t in ("f4", "i1", "?", "f2", ml_dtypes.bfloat16, "c8", "c16"))
RNG = np.random.default_rng(5)


def elements(size: int, dtype: np.dtype) -> np.ndarray:
    if dtype.kind == "c":
        return (RNG.normal(size=size) + 1j * RNG.normal(size=size)).astype(dtype)
    return RNG.integers(0, 2, size).astype(dtype) if dtype == BOOL else (RNG.normal(size=size) * 50).astype(dtype)


def turning(gap: int, size: int, dtype: np.dtype, order: Sequence[int], reading: bool, row: int = 0) -> Kernel:
    """Arrays interleaved into one, or one deinterleaved into arrays."""
    index, body = Index("i"), Body()
    whole = Parameter("whole", dtype, gap * size + row, "input" if reading else "output")
    parts = [Parameter(f"p{k}", dtype, size, "output" if reading else "input") for k in range(gap)]
    for k in order:
        apart = Affine.of(index, gap).shifted(k + row)
        side = Affine.of(index)
        source, target = (whole, parts[k]) if reading else (parts[k], whole)
        value = body.load(source, apart if reading else side)
        body.store(target, side if reading else apart, value)
    parameters = (whole, *parts) if reading else (*parts, whole)
    return Kernel("interleave", parameters, Loop(index, size, "lanes", body.done()))


@pytest.mark.parametrize("reading", [False, True])
@pytest.mark.parametrize("dtype", [F32, I8, BOOL, BF16, C64, C128])
@pytest.mark.parametrize("gap", [2, 3, 4, 5, 6, 7, 8, 9, 12, 16])
def test_turns(gap: int, dtype: np.dtype, reading: bool) -> None:
    order = RNG.permutation(gap)
    for size in (3, 64, 101):
        kernel = turning(gap, size, dtype, order, reading, row=1)
        inputs = [elements(p.size, p.dtype) for p in kernel.parameters if p.role == "input"]
        check(kernel, inputs, cuts=[cut for cut in (2, 40) if cut < size], level=0)


@pytest.mark.parametrize("count", [1, 2, 3, 5, 6, 8, 12])
@pytest.mark.parametrize("width", [2, 4, 8])
def test_deinterleaving_inverts_interleaving(count: int, width: int) -> None:
    class VectorLoop:
        """A builder that shuffles numbers."""

        def __init__(self) -> None:
            self.known: dict[str, list[int]] = {}

        def value(self, lanes: Sequence[int]) -> Ir:
            name = f"%{len(self.known)}"
            self.known[name] = list(lanes)
            return Ir(name, "i32", len(lanes))

        def shuffle(self, first: Ir, lanes: Sequence[int], second: Ir | None = None) -> Ir:
            both = self.known[first.name] + (self.known[second.name] if second is not None else [])
            return self.value([both[lane] for lane in lanes])

    b = VectorLoop()
    builder: FunctionBuilder = b  # type: ignore[assignment]  # what is used of it
    vectors = [b.value([100 * k + lane for lane in range(width)]) for k in range(count)]
    made = interleave(builder, vectors)
    assert [n for v in made for n in b.known[v.name]] == [100 * k + lane for lane in range(width) for k in range(count)]
    assert [b.known[v.name] for v in deinterleave(builder, made)] == [b.known[v.name] for v in vectors]


def test_turns_are_whole_vectors_in_memory() -> None:
    kernel = turning(3, 4096, F32, (2, 0, 1), reading=False)
    text = emit_kernel(kernel, Target.named("haswell"), "f")
    assert text.count("store <8 x float>") == 3 * 2 + 3  # two vectors of each in the main loop, then one
    assert "extractelement" not in text


@pytest.mark.parametrize("level", [0, 2])
@pytest.mark.parametrize("gap", [2, 3, 8])
def test_turns_of_elements_side_by_side(gap: int, level: int) -> None:
    """Rows of few elements again and again: LLVM would read a whole vector, and go astray."""
    row, index, body = Index("row"), Index("i"), Body()
    x, y = Parameter("x", F32, 9 * gap, "input"), Parameter("y", F32, 9 * 11 * gap, "output")
    for k in range(gap):
        value = body.load(x, Affine.of(row, gap).shifted(k))
        body.store(y, Affine.of(row, 11 * gap).plus(Affine.of(index, gap)).shifted(k), value)
    kernel = Kernel("rows", (x, y), Loop(row, 9, "parallel", (Loop(index, 11, "lanes", body.done()),)))
    check(kernel, [elements(x.size, F32)], level=level)


@pytest.mark.parametrize("level", [0, 2])
@pytest.mark.parametrize("dtype", [F32, I8, C64, C128])
def test_turns_of_the_same_element(dtype: np.dtype, level: int) -> None:
    """Again and again, a number between: LLVM would read each pair of parts at once, twice, and go astray."""
    index, body, gap = Index("i"), Body(), 16
    x, y = Parameter("x", dtype, 90, "input"), Parameter("y", dtype, 90 * gap, "output")
    value, number = body.load(x, Affine.of(index)), body.constant(np.ones((), dtype)[()])
    for k in range(gap):
        body.store(y, Affine.of(index, gap).shifted(k), number if k == 5 else value)
    kernel = Kernel("again", (x, y), Loop(index, 90, "lanes", body.done()))
    check(kernel, [elements(x.size, dtype)], level=level)


@pytest.mark.parametrize("level", [0, 2])
@pytest.mark.parametrize("dtype", [F32, np.dtype("f8"), I8, C64, BF16])
def test_nothing_behind_an_array_is_read(dtype: np.dtype, level: int) -> None:
    """Selected, interleaved, reversed and strided."""
    size = 1025
    index, body = Index("i"), Body()
    x, y = (Parameter(n, dtype, 3 * size, "input") for n in ("x", "y"))
    out = Parameter("out", dtype, 3 * size, "output")
    here, number = Affine.of(index, 3), body.constant(np.zeros((), dtype)[()])
    parts = [body.load(x, here.shifted(k)) for k in range(3)]
    which = body.compute(ops.ne, parts[1], number, dtype=BOOL)
    turned = body.load(y, Affine.of(index, -1).shifted(3 * size - 1))
    apart = body.load(y, Affine.of(index, 2).shifted(size))
    last = body.load(y, Affine.of(index).shifted(2 * size))
    for k, value in enumerate((turned, body.compute(ops.select, which, last, parts[0], dtype=dtype), apart)):
        body.store(out, here.shifted(k), value)
    kernel = Kernel("ends", (x, y, out), Loop(index, size, "lanes", body.done()))
    check(kernel, [at_end_of_page(elements(3 * size, dtype)) for _ in range(2)], level=level)


def turns_of(body: Sequence[Statement], index: Index) -> tuple[int, int]:
    found = interleave_groups(Loop(index, 64, "lanes", tuple(body)))
    return len(found.loads), len(found.stores)


def test_who_takes_turns() -> None:
    """Only accesses that together touch all, whose order does not matter."""
    index, x = Index("i"), Scalar(F32)
    a, b = Parameter("a", F32, 400, "input"), Parameter("b", F32, 400, "output")

    def load(constant: int, gap: int = 2) -> Load:
        return Load(Scalar(F32), a, Affine.of(index, gap).shifted(constant))

    def store(constant: int, gap: int = 2, **more: object) -> Store:
        return Store(b, Affine.of(index, gap).shifted(constant), x, **more)  # type: ignore[arg-type]

    assert turns_of([load(1), load(0)], index) == (2, 0)
    assert turns_of([load(1), load(0), load(0, 1)], index) == (2, 0)
    assert turns_of([load(0), load(0, 3)], index) == (0, 0)
    assert turns_of([load(0), load(2)], index) == (0, 0)
    assert turns_of([store(0), store(1)], index) == (0, 2)
    assert turns_of([store(4), store(3)], index) == (0, 2)
    assert turns_of([store(0), store(1), store(1, 1)], index) == (0, 0)
    assert turns_of([store(0), store(1, combine="add")], index) == (0, 0)
    assert turns_of([store(0), store(1), Load(Scalar(F32), b, Affine.of(index))], index) == (0, 0)
    assert turns_of([store(0, 40), store(1, 40)], index) == (0, 0)


def moving(dtype: np.dtype, size: int) -> Kernel:
    """One of two arrays or a constant, as a condition and a mask say; backwards."""
    index, body = Index("i"), Body()
    inputs = [Parameter(f"x{k}", dtype, size, "input") for k in range(2)]
    condition, out = Parameter("c", BOOL, size, "input"), Parameter("y", dtype, size, "output")
    here = Affine.of(index)
    which = body.load(condition, here)
    first, second = (body.load(p, Affine.of(index, -1).shifted(size - 1)) for p in inputs)
    masked = body.load(inputs[0], here, when=which)
    one = body.constant(np.ones((), dtype)[()])
    chosen = body.compute(ops.select, which, first, body.compute(ops.select, which, one, second), dtype=dtype)
    last = body.compute(ops.select, which, masked, chosen, dtype=dtype)
    body.store(out, here, last)
    return Kernel("moving", (*inputs, condition, out), Loop(index, size, "lanes", body.done()))


@pytest.mark.parametrize("dtype", [F16, BF16, C64, BOOL, F32, C128])
def test_elements_that_are_only_moved_are_whole_numbers(dtype: np.dtype) -> None:
    kernel = moving(dtype, 77)
    kinds = {p.name: p.dtype.kind for p in with_bitwise_moves(kernel).parameters}
    is_changed = dtype not in (F32, C128)
    assert kinds["c"] == "b"  # a condition
    assert {kinds["x0"], kinds["x1"], kinds["y"]} == {"u" if is_changed else dtype.kind}
    inputs = [elements(77, dtype), elements(77, dtype), elements(77, BOOL)]
    (expected,), (found,) = run_kernel(kernel, inputs), machine(kernel, inputs)
    assert expected.tobytes() == found.tobytes()


@pytest.mark.parametrize("dtype", [F16, BF16])
def test_moved_bits_stay(dtype: np.dtype) -> None:
    """All of them, those of signalling NaN too."""
    index, value = Index("i"), Scalar(dtype)
    a, b = Parameter("a", dtype, 1 << 16, "input"), Parameter("b", dtype, 1 << 16, "output")
    body = (Load(value, a, Affine.of(index)), Store(b, Affine.of(index), value))
    bits = np.arange(1 << 16, dtype=np.uint16)
    (found,) = machine(Kernel("copy", (a, b), Loop(index, 1 << 16, "lanes", body)), [bits.view(dtype)])
    assert (found.view(np.uint16) == bits).all()


def test_elements_with_which_is_computed_are_not() -> None:
    index, body = Index("i"), Body()
    x, y, z = (Parameter(n, F16, 8, r) for n, r in (("x", "input"), ("y", "output"), ("z", "output")))  # type: ignore[arg-type]
    value = body.load(x, Affine.of(index))
    body.store(y, Affine.of(index), value)
    double = Scalar(F16)
    body.add(Compute((double,), ops.add, (value, value), {}))
    body.store(z, Affine.of(index), double)
    kernel = Kernel("mixed", (x, y, z), Loop(index, 8, "lanes", body.done()))
    assert with_bitwise_moves(kernel) is kernel
