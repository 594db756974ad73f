# SPDX-License-Identifier: Apache-2.0
"""Kernels made by hand, run as machine code and in the reference."""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from olympus_core.program import OperationRecord
from olympus_core.toolkit.loops import (
    Affine,
    Compute,
    Constant,
    Index,
    Kernel,
    Load,
    Loop,
    Parameter,
    Scalar,
    Statement,
    Store,
    run_kernel,
    verify_kernel,
)
from olympus_cpu.codegen.emit.module import emit_module
from olympus_cpu.codegen.target import Target
from olympus_cpu.native.linker import BASELINE, OPTIMISED, link

GUARD = 64  # bytes around each output that nobody may touch


class Body:
    """Writes statements in order and hands out their elements."""

    def __init__(self) -> None:
        self.statements: list[Statement] = []

    def constant(self, value: Any) -> Scalar:
        result = Scalar(np.asarray(value).dtype)
        self.statements.append(Constant(result, value))
        return result

    def load(self, parameter: Parameter, at: Affine, **more: Any) -> Scalar:
        result = Scalar(parameter.dtype)
        self.statements.append(Load(result, parameter, at, **more))
        return result

    def store(self, parameter: Parameter, at: Affine, value: Scalar, **more: Any) -> None:
        self.statements.append(Store(parameter, at, value, **more))

    def compute(
        self, record: OperationRecord, *operands: Scalar, dtype: Any = None, attributes: Mapping[str, Any] | None = None
    ) -> Scalar:
        result = Scalar(np.dtype(dtype) if dtype is not None else operands[0].dtype)
        self.statements.append(Compute((result,), record, operands, attributes or {}))
        return result

    def add(self, statement: Statement) -> None:
        self.statements.append(statement)

    def done(self) -> tuple[Statement, ...]:
        return tuple(self.statements)


def flat_kernel(
    record: OperationRecord,
    operands: Sequence[np.dtype],
    results: Sequence[np.dtype],
    size: int,
    attributes: Mapping[str, Any] | None = None,
) -> Kernel:
    """One elementwise operation on flat arrays."""
    index = Index("i")
    inputs = [Parameter(f"x{k}", np.dtype(t), size, "input") for k, t in enumerate(operands)]
    outputs = [Parameter(f"y{k}", np.dtype(t), size, "output") for k, t in enumerate(results)]
    body = Body()
    loaded = tuple(body.load(p, Affine.of(index)) for p in inputs)
    made = tuple(Scalar(p.dtype) for p in outputs)
    body.add(Compute(made, record, loaded, attributes or {}))
    for parameter, scalar in zip(outputs, made, strict=True):
        body.store(parameter, Affine.of(index), scalar)
    return Kernel(record.name, (*inputs, *outputs), Loop(index, size, "lanes", body.done()))


def machine(kernel: Kernel, inputs: Sequence[np.ndarray], target: Target | None = None,
            cuts: Sequence[int] = (), level: int = OPTIMISED, granule: int = 1) -> list[np.ndarray]:
    """The outputs of the compiled kernel, run range by range; those of quick code have the same bits."""
    verify_kernel(kernel)
    found, quick = (
        _outputs(kernel, inputs, emit_module([(kernel, "kernel_under_test")], target or Target.host(), granule, short),
                 cuts, BASELINE if short else level)
        for short in (False, True))
    for own, other in zip(found, quick, strict=True):
        assert _bits(own) == _bits(other), "quick code gives other bits"
    return found


def _bits(x: np.ndarray) -> bytes:
    """An array's bytes, those of all NaN alike."""
    if x.dtype.kind in "biu":
        return x.tobytes()
    parts = x.view(x.real.dtype).copy()
    with np.errstate(invalid="ignore"):
        parts[np.isnan(parts.astype(np.float64))] = np.nan
    return parts.tobytes()


def _outputs(
    kernel: Kernel, inputs: Sequence[np.ndarray], text: str, cuts: Sequence[int], level: int
) -> list[np.ndarray]:
    """The outputs of a kernel's code; memory around them must stay as it was."""
    library = link(text, ["kernel_under_test"], level=level)
    given = [np.ascontiguousarray(x) for x in inputs]
    outputs, whole = [], []
    for parameter in kernel.arguments:
        if parameter.role == "output":
            size = parameter.size * parameter.dtype.itemsize
            memory = np.full(size + 2 * GUARD, 0xA5, np.uint8)
            memory[GUARD:GUARD + size] = 0
            whole.append(memory)
            outputs.append(memory[GUARD:GUARD + size].view(parameter.dtype))
    table = [x.ctypes.data for x in (*given, *outputs)]
    ends = [0, *cuts, kernel.loop.extent]
    for chunk, (low, high) in enumerate(zip(ends, ends[1:], strict=False)):
        library.run("kernel_under_test", table, low, high, chunk)
    for memory in whole:
        assert (memory[:GUARD] == 0xA5).all() and (memory[-GUARD:] == 0xA5).all(), "wrote outside"
    return outputs


def at_end_of_page(x: np.ndarray) -> np.ndarray:
    """A copy behind which no memory may be touched; its own is never given back."""
    pages = -(-x.nbytes // mmap.PAGESIZE)
    memory = mmap.mmap(-1, (pages + 1) * mmap.PAGESIZE)
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    end = pages * mmap.PAGESIZE
    assert ctypes.CDLL(None).mprotect(ctypes.c_void_p(address + end), ctypes.c_size_t(mmap.PAGESIZE), 0) == 0
    copy = np.frombuffer(memory, x.dtype, x.size, end - x.nbytes)
    copy[...] = x.reshape(-1)
    return copy


def check(kernel: Kernel, inputs: Sequence[np.ndarray], ulps: float = 0.0, **options: Any) -> None:
    """Compares the compiled kernel with the reference."""
    expected = run_kernel(kernel, inputs)
    found = machine(kernel, inputs, **options)
    for want, got in zip(expected, found, strict=True):
        same(got, want, ulps)


def same(got: np.ndarray, want: np.ndarray, ulps: float = 0.0) -> None:
    """Equal elements, NaN with NaN, zeros of either sign; floats up to a number of units in the last place."""
    assert got.dtype == want.dtype
    if got.dtype.kind == "c":
        same(got.real.copy(), want.real.copy(), ulps)
        same(got.imag.copy(), want.imag.copy(), ulps)
        return
    if got.dtype.kind in "biu":
        np.testing.assert_array_equal(got, want)
        return
    wide_got, wide_want = got.astype(np.float64), want.astype(np.float64)
    with np.errstate(all="ignore"):
        unit = np.spacing(np.abs(want)).astype(np.float64)
        equal = (wide_got == wide_want) | (np.isnan(wide_got) & np.isnan(wide_want))
        near = np.abs(wide_got - wide_want) <= ulps * unit
    bad = ~(equal | near)
    assert not bad.any(), f"got {got[bad][:5]}, want {want[bad][:5]} at {np.nonzero(bad)[0][:5]} of {bad.sum()}"
