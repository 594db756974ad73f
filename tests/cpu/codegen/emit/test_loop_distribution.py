# SPDX-License-Identifier: Apache-2.0
"""Long loops: loop distribution over strips, non-temporal stores, quotients by 1 + exp."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus_core import ops
from olympus_core.program import OperationRecord
from olympus_core.toolkit.loops import Affine, Index, Kernel, Loop, Parameter, Scalar, run_kernel
from olympus_cpu.codegen.emit import memory
from olympus_cpu.codegen.emit.loop_distribution import STRIP, distribute
from olympus_cpu.codegen.emit.module import emit_module
from olympus_cpu.codegen.target import Target
from olympus_cpu.native.linker import BASELINE, link
from olympus_cpu.native.memory import block_array, take

from .running import Body, check, flat_kernel, machine

F32, F64 = np.dtype("f4"), np.dtype("f8")
LONG = (1 << 15) + 8
RNG = np.random.default_rng(11)


def kernel_of(write: Callable[[Body, Scalar, Scalar], Scalar], dtype: np.dtype, size: int) -> Kernel:
    """y = f(x, z) place for place, where the body also reads z."""
    index = Index("i")
    x, z, y = (Parameter(name, dtype, size, role) for name, role in (("x", "input"), ("z", "input"), ("y", "output")))
    body = Body()
    result = write(body, body.load(x, Affine.of(index)), body.load(z, Affine.of(index)))
    body.store(y, Affine.of(index), result)
    return Kernel("k", (x, z, y), Loop(index, size, "lanes", body.done()))


def chain(body: Body, x: Scalar, z: Scalar) -> Scalar:
    """Three heavy operations, of which the last still needs both inputs and the first's result."""
    first = body.compute(ops.tanh, x)
    second = body.compute(ops.exp, body.compute(ops.mul, first, z))
    third = body.compute(ops.tanh, body.compute(ops.add, second, body.compute(ops.mul, first, x)))
    return body.compute(ops.sub, body.compute(ops.mul, third, z), x)


@pytest.mark.parametrize("dtype", [F32, F64])
@pytest.mark.parametrize("size", [1 << 15, LONG, LONG + STRIP // 2 + 3])
def test_strips_give_what_one_loop_does(dtype: np.dtype, size: int) -> None:
    kernel = kernel_of(chain, dtype, size)
    assert len(distribute(kernel.loop)) == 3
    x, z = RNG.normal(size=(2, size)).astype(dtype)
    (found,) = machine(kernel, [x, z], granule=64, cuts=[64, 64 + STRIP, 192 + STRIP], level=BASELINE)
    error = 64 * np.finfo(dtype).eps
    np.testing.assert_allclose(found, run_kernel(kernel, [x, z])[0], rtol=error, atol=error)
    short = kernel_of(chain, dtype, 256)
    for start in (0, 512, size - 256):
        part = machine(short, [x[start:start + 256], z[start:start + 256]], level=BASELINE)[0]
        np.testing.assert_array_equal(part, found[start:start + 256])


def test_an_output_may_lie_over_what_later_loops_read() -> None:
    kernel = kernel_of(chain, F64, LONG)
    x, z = RNG.normal(size=(2, LONG))
    (wanted,) = machine(kernel, [x, z], granule=64, level=BASELINE)
    library = link(emit_module([(kernel, "f")], Target.host(), 64), ["f"], level=BASELINE)
    for place in (0, 1):
        given = [x.copy(), z.copy()]
        table = [given[0].ctypes.data, given[1].ctypes.data, given[place].ctypes.data]
        library.run("f", table, 0, LONG)
        np.testing.assert_array_equal(given[place], wanted)


def test_the_next_strip_is_fetched_while_one_is_computed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = kernel_of(chain, F64, 1 << 15)
    assert "prefetch" not in emit_module([(kernel, "f")], Target.named("haswell"), 64)  # the caches hold it
    monkeypatch.setattr(memory, "_FAR", 1 << 18)
    text = emit_module([(kernel, "f")], Target.named("haswell"), 64)
    lines = 2 * 16 * 8 // 64  # of both inputs, for the sixteen elements of an iteration
    assert text.count("call void @llvm.prefetch") == lines
    x, z = RNG.normal(size=(2, 1 << 15))
    (found,) = machine(kernel, [x, z], granule=64, level=BASELINE)
    np.testing.assert_allclose(found, run_kernel(kernel, [x, z])[0], rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("size", [LONG, LONG + 37])
def test_what_computes_nothing_is_one_loop(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_STREAMED", 4096)
    kernel = kernel_of(lambda body, x, z: z, F32, size)
    assert distribute(kernel.loop, separate_stores=True) == ()
    x, z = RNG.normal(size=(2, size)).astype(F32)
    out = block_array(take(4 * size), (size,), F32)
    link(emit_module([(kernel, "f")], Target.host(), 64), ["f"], level=BASELINE).run(
        "f", [a.ctypes.data for a in (x, z, out)], 0, size)
    np.testing.assert_array_equal(out, z)


def test_what_is_not_cut_into_loops() -> None:
    def light(body: Body, x: Scalar, z: Scalar) -> Scalar:
        return body.compute(ops.mul, body.compute(ops.tanh, x), z)

    def truth(body: Body, x: Scalar, z: Scalar) -> Scalar:  # a truth value would go from one loop to the next
        less = body.compute(ops.lt, body.compute(ops.tanh, x), z, dtype=np.bool_)
        return body.compute(ops.select, less, body.compute(ops.exp, x), z, dtype=F32)

    for write in (light, truth):
        kernel = kernel_of(write, F32, LONG)
        assert distribute(kernel.loop) == ()
        check(kernel, list(RNG.normal(size=(2, LONG)).astype(F32)), ulps=8, granule=64, level=BASELINE)


@pytest.mark.parametrize("dtype", [F32, F64, np.dtype("i1"), np.dtype("c8")])
@pytest.mark.parametrize("size", [4096, 4096 + 8, 4096 + 37])
def test_large_outputs_go_past_the_caches(dtype: np.dtype, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = kernel_of(lambda body, x, z: body.compute(ops.add, x, z), dtype, size)
    assert "nontemporal" not in emit_module([(kernel, "f")], Target.named("haswell"), 64)
    monkeypatch.setattr(memory, "_STREAMED", 4096)
    text = emit_module([(kernel, "f")], Target.host(), 64)
    is_streamed = dtype != np.dtype("c8")
    assert ("nontemporal" in text) == is_streamed
    assert ("sfence" in text) == (is_streamed and Target.host().is_x86)
    assert "nontemporal" not in emit_module([(kernel, "f")], Target.host())  # pieces may begin anywhere
    x, z = (RNG.integers(0, 50, size).astype(dtype) for _ in range(2))
    out = block_array(take(size * dtype.itemsize), (size,), dtype)
    library = link(text, ["f"])
    for low, high in ((0, 64), (64, 192), (192, size)):
        library.run("f", [a.ctypes.data for a in (x, z, out)], low, high)
    np.testing.assert_array_equal(out, x + z)


@pytest.mark.parametrize("columns", [8, 10, 64])
def test_large_columns_go_past_the_caches_where_they_are_whole_lines(
    columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "_STREAMED", 4096)
    x = RNG.integers(0, 9, (2000, columns)).astype(F32)
    found = olympus.jit(lambda x: jnp.cumsum(x, axis=0) + columns)(x)  # by columns, each row after the other
    np.testing.assert_array_equal(np.asarray(found), np.cumsum(x, axis=0) + columns)


@pytest.mark.parametrize("record", [ops.exp, ops.sin])  # the latter has a cold block
def test_one_heavy_operation_stores_in_a_loop_of_its_own(
    record: OperationRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = LONG + 37
    kernel = flat_kernel(record, [F64], [F64], size)
    x = RNG.normal(size=size) * 100
    x[::1000] *= 1e9
    (wanted,) = machine(kernel, [x], granule=64, cuts=[64, 640], level=BASELINE)
    monkeypatch.setattr(memory, "_STREAMED", 4096)
    text = emit_module([(kernel, "f")], Target.host(), 64)
    assert text.count("nontemporal") == 1
    out = block_array(take(8 * size), (size,), F64)
    library = link(text, ["f"], level=BASELINE)
    for low, high in ((0, 64), (64, 640), (640, size)):
        library.run("f", [x.ctypes.data, out.ctypes.data], low, high)
    np.testing.assert_array_equal(out, wanted)


def quotient(body: Body, x: Scalar, z: Scalar) -> Scalar:
    one = body.constant(x.dtype.type(1))
    return body.compute(ops.div, x, body.compute(ops.add, one, body.compute(ops.exp, z)))


def of_negated(body: Body, x: Scalar, z: Scalar) -> Scalar:
    one = body.constant(x.dtype.type(1))
    return body.compute(ops.div, one, body.compute(ops.add, body.compute(ops.exp, body.compute(ops.neg, z)), one))


def used_again(body: Body, x: Scalar, z: Scalar) -> Scalar:
    power = body.compute(ops.exp, z)
    part = body.compute(ops.div, x, body.compute(ops.add, body.constant(x.dtype.type(1)), power))
    return body.compute(ops.mul, part, power)


@pytest.mark.parametrize("dtype", [F32, F64])
@pytest.mark.parametrize("write", [quotient, of_negated, used_again])
def test_quotients_by_one_plus_an_exponential(
    write: Callable[[Body, Scalar, Scalar], Scalar], dtype: np.dtype
) -> None:
    size = 4000
    kernel = kernel_of(write, dtype, size)
    x, z = RNG.normal(size=(2, size)).astype(dtype) * 30
    z[:8] = [0, -0.0, np.inf, -np.inf, np.nan, 85, -85, 1e-30]
    x[8:12] = [np.inf, -np.inf, np.nan, 0]
    # exp alone ends with a product of two powers of two, the logistic function with its quotient.
    text = emit_module([(kernel, "f")], Target.named("haswell"), 64)
    assert text.count(" = fdiv <") == 1
    assert ("lshr <" in text) == (write is used_again)
    (found,) = machine(kernel, [x, z])
    with np.errstate(all="ignore"):
        wide, power = x.astype(np.longdouble), np.exp(z.astype(np.longdouble))
        wanted = {quotient: wide / (1 + power), of_negated: 1 / (1 + np.exp(-z.astype(np.longdouble))),
                  used_again: wide / (1 + power) * power}[write]
        wanted = np.where(np.isinf(power.astype(dtype)) & (write is used_again), found, wanted)
    least = np.finfo(dtype).smallest_subnormal
    np.testing.assert_allclose(found, wanted.astype(dtype), rtol=8 * np.finfo(dtype).eps, atol=100 * float(least))
