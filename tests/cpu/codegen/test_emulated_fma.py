# SPDX-License-Identifier: Apache-2.0
"""Fused multiply-adds that are written out round as the C library's, which the C standard has rounded once."""

from __future__ import annotations

import ctypes
from dataclasses import replace

import numpy as np
import pytest

from olympus_cpu.codegen.builder import FunctionBuilder, module_text
from olympus_cpu.codegen.target import Target
from olympus_cpu.native.linker import link

_COUNT = 4096
_TYPES = {"float": (np.float32, ctypes.c_float, "fmaf"), "double": (np.float64, ctypes.c_double, "fma")}


def _operands(dtype: type) -> list[np.ndarray]:
    """Numbers of all sizes, sums that cancel, ties of the double rounding, and special values."""
    rng, limits = np.random.default_rng(3), np.finfo(dtype)
    x, y, z = (rng.standard_normal(_COUNT) * 2.0 ** rng.integers(-30, 30, _COUNT) for _ in range(3))
    x, y, z = (v.astype(dtype) for v in (x, y, z))
    z[:1024] = -(x[:1024] * y[:1024])  # what is left is the product's rounding error
    step = limits.eps
    x[1024:1536], y[1024:1536] = 1 + step, 1 + step * rng.integers(0, 64, 512)
    z[1024:1536] = step * step * rng.integers(-4, 5, 512) + step / 2
    x[1536:2048] *= dtype(limits.tiny)  # subnormal results
    z[1536:2048] *= dtype(limits.tiny)
    special = np.array([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, limits.max, limits.tiny,
                        limits.smallest_subnormal], dtype)
    grid = np.stack(np.meshgrid(special, special, special), -1).reshape(-1, 3)
    x[-1000:], y[-1000:], z[-1000:] = grid.T
    return [x, y, z]


@pytest.mark.parametrize("lanes", [1, 8])
@pytest.mark.parametrize("element", ["float", "double"])
def test_rounds_once(element: str, lanes: int) -> None:
    dtype, kind, name = _TYPES[element]
    target = replace(Target.host(), emulates_fma=True)
    b = FunctionBuilder(target, "f", [("table", "ptr"), ("low", "i64"), ("high", "i64"), ("chunk", "i64")])
    pointers = [b.load(b.gep(b.parameter("table"), i, "ptr"), "ptr") for i in range(4)]
    with b.for_loop(b.parameter("low"), b.parameter("high"), lanes) as iteration:
        values = [b.load(b.gep(p, iteration.index, element), element, lanes) for p in pointers[:3]]
        b.store(b.gep(pointers[3], iteration.index, element), b.fma(*values))
        iteration.next([])
    b.ret()
    text = module_text([b])
    assert "llvm.fma" not in text
    arrays = [*_operands(dtype), np.zeros(_COUNT, dtype)]
    function = getattr(ctypes.CDLL(None), name)
    # The linker itself gives these functions only where the process asks for the same bits everywhere.
    imports = {name: ctypes.cast(function, ctypes.c_void_p).value or 0}
    link(text, ["f"], imports).run("f", [x.ctypes.data for x in arrays], 0, _COUNT)
    function.restype, function.argtypes = kind, [kind] * 3
    truth = np.array([function(*map(float, row)) for row in zip(*arrays[:3], strict=True)], dtype)
    np.testing.assert_array_equal(arrays[3], truth)
    np.testing.assert_array_equal(np.signbit(arrays[3])[~np.isnan(truth)], np.signbit(truth)[~np.isnan(truth)])


def test_only_processors_without_instructions_emulate_and_only_where_bits_must_be_the_same() -> None:
    plain, exact, wide = (Target.named("x86-64"), Target.named("x86-64", is_reproducible=True),
                          Target.named("haswell", is_reproducible=True))
    assert (plain.has_fma, plain.emulates_fma) == (False, False)
    assert (exact.has_fma, exact.emulates_fma) == (True, True)
    assert (wide.has_fma, wide.emulates_fma) == (True, False)
