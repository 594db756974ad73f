# SPDX-License-Identifier: Apache-2.0
"""Products of bfloat16 in pairs have the bits of plain code, subnormal numbers and all."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

import olympus
from olympus import lax
from olympus_core import dtypes, ops
from olympus_core.program import ArrayType, Operation, Value
from olympus_cpu.codegen.target import Target
from olympus_cpu.contractions import gemm
from olympus_cpu.contractions.gemm import Gemm
from olympus_cpu.contractions.gemm_kernel import gemm_module
from olympus_cpu.contractions.gemm_layout import passes_of
from olympus_cpu.contractions.gemm_steps import made_step
from olympus_cpu.contractions.gemm_variant import group_of
from olympus_cpu.contractions.packing import pack_module
from olympus_cpu.native.linker import BASELINE, OPTIMISED, Recipe, link
from tests.cpu.contractions.test_byte_groups import in_vectors

BF16 = dtypes.bfloat16
needs_pairs = pytest.mark.skipif(not Target.host().has_bfloat_dots, reason="this processor has no AVX512-BF16")
_SIZES = [(5, 5, 7), (6, 4, 16), (13, 71, 48), (25, 257, 140), (9, 2303, 40), (30, 1001, 60)]
_ORDERS = [((1,), (0,)), ((1,), (1,)), ((0,), (0,)), ((0,), (1,))]


def values(shape: tuple[int, int], kind: str, seed: int) -> np.ndarray:
    generator = np.random.default_rng((seed, *shape))
    x = generator.standard_normal(shape)
    if kind == "wide":  # products and sums of all magnitudes, some of them subnormal
        x *= np.exp2(generator.integers(-70, 60, shape))
    elif kind == "subnormal":  # elements that are, times numbers that make something of them
        x *= np.exp2(generator.integers(-133, -120, shape) if seed == 0 else generator.integers(80, 110, shape))
    elif kind == "underflow":  # sums are negative zeros
        x = (-1e-30 if seed == 0 else 1e-30) * np.abs(x)
    elif kind == "border":  # products of numbers at the least magnitudes that are known to be safe, or just below
        x = np.exp2(generator.integers(-57, -55, shape)) * np.where(x > 0, 1 + 2.0**-7, -1)
    elif kind == "special":
        x.reshape(-1)[::37] = generator.choice([np.inf, -np.inf, np.nan, 0.0, -0.0], x.reshape(-1)[::37].shape)
    return x.astype(BF16)


def product(x: np.ndarray, y: np.ndarray, inner: Any) -> Gemm:
    operands = Value(ArrayType(x.shape, BF16)), Value(ArrayType(y.shape, BF16))
    attributes = {"lhs_contracting": inner[0], "rhs_contracting": inner[1], "lhs_batch": (), "rhs_batch": (),
                  "dtype": dtypes.float32}
    types = ops.dot_general.type_rule([v.type for v in operands], attributes, ())
    step = made_step(Operation(ops.dot_general, operands, attributes, (), tuple(map(Value, types))))
    assert step is not None
    return step.gemm


def run(found: Gemm, x: np.ndarray, y: np.ndarray, pack: Any, multiply: Any) -> np.ndarray:
    out = np.full((len(found.layout.x_rows), len(found.layout.y_columns)), 7, np.float32)
    columns = np.full(found.packed_bytes + 64, 0xA5, np.uint8)
    assert found.pack_descriptor is not None
    pack.run("pack", [a.ctypes.data for a in (found.pack_descriptor, y, columns)], 0, found.pack_total)
    multiply.run("product", [a.ctypes.data for a in (found.descriptor, x, columns, out)], 0, found.total)
    return np.where(np.isnan(out), np.float32(np.nan), out)  # payloads mean nothing


def at_level(found: Gemm, x: np.ndarray, y: np.ndarray, level: int) -> np.ndarray:
    return run(found, x, y, found.packing(None, level), found.multiplying(None, level))


@needs_pairs
@pytest.mark.parametrize("kind", ["normal", "wide", "subnormal", "underflow", "border", "special"])
def test_pairs_give_the_bits_of_plain_code_in_both_tiers(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for m, k, n in _SIZES:
        x, y = values((m, k), kind, 0), values((k, n), kind, 1)
        for inner in _ORDERS if kind == "normal" else _ORDERS[:1]:
            left = np.ascontiguousarray(x if inner[0] == (1,) else x.T)
            right = np.ascontiguousarray(y if inner[1] == (0,) else y.T)
            found = in_vectors(product(left, right, inner))
            assert found.variant.group == 2
            plain = Gemm(found.layout, found.variant._replace(group=1), found.target)
            expected = at_level(plain, left, right, OPTIMISED)
            monkeypatch.setattr(gemm, "_available", set())  # once the best is there nothing else is taken
            for level in (BASELINE, OPTIMISED):
                assert at_level(found, left, right, level).tobytes() == expected.tobytes()
            if kind == "subnormal":
                exact = x.astype(np.float64) @ y.astype(np.float64)
                size = np.abs(x.astype(np.float64)) @ np.abs(y.astype(np.float64))
                assert np.all(np.abs(expected - exact) <= 1e-6 * size) and np.all(size > 0)


@needs_pairs
def test_vectors_of_all_widths_give_the_same() -> None:
    x, y = values((25, 257), "normal", 0), values((257, 140), "normal", 1)
    found, results = in_vectors(product(x, y, _ORDERS[0])), set()
    for width in (128, 256, 512):
        target = Target.host(width)
        one = Gemm(found.layout, found.variant, target)
        pack, multiply = (
            link(Recipe(f"{name} of pairs {width}", partial(module, variant, target)), (name,), None, OPTIMISED, None)
            for name, module, variant in (
                ("pack", pack_module, one._packing_variant()), ("product", gemm_module, one.variant)))
        results.add(run(one, x, y, pack, multiply).tobytes())
    assert results == {at_level(found, x, y, OPTIMISED).tobytes()}


def test_numbers_are_not_lost_that_the_instruction_takes_for_zero() -> None:
    x, y = np.full((16, 64), 1e-39, BF16), np.full((64, 32), 1e38, BF16)
    wide = olympus.jit(lambda x, y: lax.dot(x, y, preferred_element_type=np.float32))(x, y)
    np.testing.assert_allclose(wide, x.astype(np.float64) @ y.astype(np.float64), rtol=1e-6)
    small = np.full((16, 64), 1e-20, BF16)
    tiny = olympus.jit(lambda x: lax.dot(x, x.T, preferred_element_type=np.float32))(small)
    np.testing.assert_allclose(tiny, small.astype(np.float64) @ small.astype(np.float64).T, rtol=1e-6, atol=2e-45)


def test_passes_end_between_pairs_and_at_the_same_elements() -> None:
    segments = np.array([(1, 0, 2, 0), (1, 5000, 2, 70_000)], np.int64)
    for length in (1, 2, 3, 5, 171, 511, 512, 513, 1001, 1025, 2303):
        plain, parts = passes_of(segments, length, 2, 64, 512, unit=2)
        words, others = passes_of(segments, -(-length // 2), 4, 128, 256)
        np.testing.assert_array_equal(parts[:, :3:2], others[:, :3:2])
        np.testing.assert_array_equal(parts[:, 1], others[:, 1])
        np.testing.assert_array_equal(-(-plain[:, 2] // 2), words[:, 2])
        np.testing.assert_array_equal(plain[:, (0, 1, 3)], words[:, (0, 1, 3)])


def test_who_multiplies_pairs() -> None:
    target = Target.named("skylake-avx512")
    has = replace(target, features=target.features + ",+avx512bf16")
    assert group_of("bfloat", "float", 64, has) == 2
    for other in (target, replace(has, is_reproducible=True), Target.named("haswell"), Target.named("neoverse")):
        assert group_of("bfloat", "float", 64, other) == 1
    assert group_of("bfloat", "double", 64, has) == group_of("half", "float", 64, has) == 1
