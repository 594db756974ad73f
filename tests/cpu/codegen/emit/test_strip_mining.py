# SPDX-License-Identifier: Apache-2.0
"""Loops of cut bodies as functions: each is written once, what goes between them shares memory, results stay."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest

from olympus_core import ops
from olympus_core.toolkit.loops import Affine, Index, Kernel, Loop, Parameter, Scalar, run_kernel
from olympus_cpu.codegen.emit import strip_mining
from olympus_cpu.codegen.emit.loop_distribution import STRIP, distribute, is_worth_distributing
from olympus_cpu.codegen.emit.module import emit_module
from olympus_cpu.codegen.target import Target
from olympus_cpu.native.linker import BASELINE

from .running import Body, machine

F32, F64 = np.dtype("f4"), np.dtype("f8")
FUNCTION = re.compile(r"^define internal void @(olympus\.loop\.\w+)\(", re.MULTILINE)
RNG = np.random.default_rng(12)


def kernel_of(write: Callable[[Body, Scalar], Scalar], dtype: np.dtype, size: int) -> Kernel:
    index = Index("i")
    x, y = Parameter("x", dtype, size, "input"), Parameter("y", dtype, size, "output")
    body = Body()
    body.store(y, Affine.of(index), write(body, body.load(x, Affine.of(index))))
    return Kernel("k", (x, y), Loop(index, size, "lanes", body.done()))


def repeated(*records, times: int = 1) -> Callable[[Body, Scalar], Scalar]:
    def write(body: Body, x: Scalar) -> Scalar:
        for _ in range(times):
            for record in records:
                x = body.compute(record, x)
        return x

    return write


def factors(*values: float) -> Callable[[Body, Scalar], Scalar]:
    """Long enough to be cut; each loop has a factor of its own."""

    def write(body: Body, x: Scalar) -> Scalar:
        for value in values:
            x = body.compute(ops.tanh, body.compute(ops.mul, x, body.constant(x.dtype.type(value))))
        return x

    return write


def text_of(kernel: Kernel) -> str:
    return emit_module([(kernel, "f")], Target.host(), 64)


@pytest.mark.parametrize("size", [1 << 10, 1 << 16])
def test_equal_loops_are_one_function(size: int) -> None:
    short, long = (text_of(kernel_of(repeated(ops.sin, times=times), F32, size)) for times in (20, 60))
    assert len(FUNCTION.findall(short)) == 3  # the first reads the input, the last writes the output
    assert FUNCTION.findall(short) == FUNCTION.findall(long)
    assert long.count("call void @olympus.loop.") == 60
    assert long[long.index("@f("):].count("= alloca") == 1  # a loop writes over what it has read


def test_a_function_depends_on_constants_bit_by_bit() -> None:
    text = text_of(kernel_of(factors(*[0.0] * 4, *[-0.0] * 4, *[0.5] * 4), F32, 1024))
    assert len(FUNCTION.findall(text)) == 5  # the first, the last, and one for each factor
    kernel, x = kernel_of(factors(1.0, 1.0, -0.0, *[1.0] * 7), F64, 1024), RNG.normal(size=1024)
    (found,) = machine(kernel, [x], granule=64, level=BASELINE)
    np.testing.assert_array_equal(np.signbit(found), np.signbit(run_kernel(kernel, [x])[0]))


def test_what_is_remembered_is_what_would_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    kernels = [kernel_of(repeated(ops.sin, ops.exp, times=6), dtype, size)
               for dtype in (F32, F64) for size in (1024, 1 << 16)]
    monkeypatch.setattr(strip_mining, "_written", {})
    first = [text_of(kernel) for kernel in kernels]
    assert strip_mining._written
    assert [text_of(kernel) for kernel in kernels] == first
    monkeypatch.setattr(strip_mining, "_MOST_WRITTEN", 0)  # forgets all before each function
    assert [text_of(kernel) for kernel in kernels] == first


@pytest.mark.parametrize("dtype", [F32, F64, np.dtype("f2")])
@pytest.mark.parametrize("size", [127, 128, 1000, 1001, STRIP + 64])
def test_long_bodies_of_short_loops(dtype: np.dtype, size: int) -> None:
    kernel = kernel_of(repeated(ops.sin, ops.tanh, ops.exp, ops.cos, times=3), dtype, size)
    assert is_worth_distributing(kernel.loop) == (size >= 128) and len(distribute(kernel.loop)) == 12
    x = RNG.normal(size=size).astype(dtype)
    (found,) = machine(kernel, [x], granule=64, cuts=[64], level=BASELINE)
    error = 256 * np.finfo(dtype).eps
    np.testing.assert_allclose(found, run_kernel(kernel, [x])[0], rtol=error, atol=error)


def test_values_that_wait_keep_their_memory() -> None:
    def write(body: Body, x: Scalar) -> Scalar:
        first = body.compute(ops.sin, x)
        y = first
        for _ in range(9):
            y = body.compute(ops.tanh, body.compute(ops.add, y, x))
        return body.compute(ops.cos, body.compute(ops.mul, y, first))

    kernel = kernel_of(write, F64, 1024)
    assert text_of(kernel).count("= alloca [512 x double]") == 2
    x = RNG.normal(size=1024)
    (found,) = machine(kernel, [x], granule=64, level=BASELINE)
    np.testing.assert_allclose(found, run_kernel(kernel, [x])[0], rtol=1e-13, atol=1e-13)
