# SPDX-License-Identifier: Apache-2.0
"""Object code for processors that this machine need not be, and vectors of all widths on this one."""

from __future__ import annotations

import re

import numpy as np
import pytest

from olympus_core import dtypes, ops
from olympus_core.toolkit.loops import Affine, Index, Kernel, Loop, Parameter, Reduction, Scalar
from olympus_cpu.codegen.emit.module import emit_kernel, emit_module
from olympus_cpu.codegen.target import Target
from olympus_cpu.codegen.target import _of as of_description
from olympus_cpu.machine.description import Description
from olympus_cpu.native.linker import BASELINE

from .running import Body, check, flat_kernel, machine
from .test_shapes import normal, running_sum, softmax

F32 = dtypes.float32
KERNELS: list[Kernel] = [
    flat_kernel(ops.add, [F32, F32], [F32], 100),
    flat_kernel(ops.div, [dtypes.int32] * 2, [dtypes.int32], 100),
    flat_kernel(ops.rem, [dtypes.float64] * 2, [dtypes.float64], 100),
    flat_kernel(ops.convert, [dtypes.float64], [dtypes.uint8], 100, {"dtype": dtypes.uint8}),
    flat_kernel(ops.floor, [dtypes.float16], [dtypes.float16], 100),
    flat_kernel(ops.mul, [dtypes.bfloat16] * 2, [dtypes.bfloat16], 100),
    flat_kernel(ops.mul, [dtypes.complex64] * 2, [dtypes.complex64], 100),
    flat_kernel(ops.lt, [dtypes.uint8] * 2, [dtypes.bool_], 100),
    flat_kernel(ops.exp, [F32], [F32], 100),
    softmax(3, 100),
    running_sum("lanes", 37, 20),
]


@pytest.mark.parametrize("name", ["x86-64", "haswell", "skylake-avx512", "neoverse", "neoverse-v1", "a64fx"])
def test_object_code_of_other_processors(name: str) -> None:
    import llvmlite.binding as llvm

    target = Target.named(name)
    generator = target.machine(2)
    text = emit_module([(kernel, f"kernel{place}") for place, kernel in enumerate(KERNELS)], target)
    module = llvm.parse_assembly(text, context=llvm.create_context())
    assembly = generator.emit_assembly(module)
    assert all(f"kernel{place}:" in assembly for place in range(len(KERNELS)))
    called = re.findall(r"^\s+(?:callq?|bl)\s+(\S+)", assembly, re.MULTILINE)
    assert all(function.startswith("olympus.") for function in called), "a library is called"
    assert bool(re.search(r"\bz\d+\.s\b", assembly)) == (target.scalable_bits > 0)


@pytest.mark.parametrize(("length", "wanted", "width"), [
    (0, None, 128), (128, None, 128), (256, None, 128), (256, 256, 256), (512, None, 512), (512, 256, 256),
    (0, 256, 256)])
def test_scalable_vectors_are_used_from_512_bits_on_or_when_asked_for(
    length: int, wanted: int | None, width: int
) -> None:
    arm = Target.named("a64fx")
    found = Description(arm.triple, arm.data_layout, arm.cpu, arm.features, "llvm", length, wanted)
    target = of_description(found, wanted)
    assert target.vector_bits == width
    is_exact = f"vscale_range({length // 128},{length // 128})" in target.attributes()
    assert is_exact == (length >= width > 128)


def test_vectors_have_the_width_of_the_target() -> None:
    kernel = KERNELS[0]
    for name, vector in (("x86-64", "<4 x float>"), ("haswell", "<8 x float>"), ("skylake-avx512", "<16 x float>")):
        assert vector in emit_kernel(kernel, Target.named(name), "f")


@pytest.mark.parametrize("bits", [128, 256, 512])
def test_all_widths_here(bits: int) -> None:
    for kernel in KERNELS:
        rng = np.random.default_rng(5)
        inputs = [array(rng, p.dtype, p.size) for p in kernel.parameters if p.role == "input"]
        check(kernel, inputs, ulps=64, target=Target.host(bits), level=0)


def row_sum(count: int, dtype: np.dtype) -> Kernel:
    """The sum of one row."""
    row, i, outer, inner = Index("row"), Index("i"), Body(), Body()
    x, y = Parameter("x", dtype, count, "input"), Parameter("y", dtype, 1, "output")
    zero, total = outer.constant(dtype.type(0)), Scalar(dtype)
    value = inner.load(x, Affine.of(i))
    outer.add(Loop(i, count, "lanes", inner.done(), reductions=(Reduction(total, "add", zero, value),)))
    outer.store(y, Affine.of(row), total)
    return Kernel("row", (x, y), Loop(row, 1, "parallel", outer.done()))


@pytest.mark.parametrize("kernel", [softmax(3, 1003), softmax(5, 100), running_sum("lanes", 37, 20), *(
    row_sum(count, dtype) for count in (7, 100, 1000, 5001) for dtype in (F32, dtypes.float64, dtypes.complex64))])
def test_floats_are_reduced_in_one_order_by_vectors_of_all_widths(kernel: Kernel) -> None:
    rng = np.random.default_rng(6)
    inputs = [array(rng, p.dtype, p.size) for p in kernel.parameters if p.role == "input"]
    found = {b"".join(x.tobytes() for x in machine(kernel, inputs, Target.host(bits), level=BASELINE))
             for bits in (128, 256, 512)}
    assert len(found) == 1


def test_wide_vectors_hold_several_partial_sums() -> None:
    text = emit_kernel(row_sum(1000, F32), Target.named("skylake-avx512"), "f")
    assert "fadd <16 x float>" in text


def array(rng: np.random.Generator, dtype: np.dtype, size: int) -> np.ndarray:
    if dtypes.is_integer(dtype):
        return rng.integers(0, 100, size).astype(dtype)
    return normal(size, np.dtype(np.float64)).astype(dtype)
