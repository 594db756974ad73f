# SPDX-License-Identifier: Apache-2.0
"""Products of bytes, four at a time, have the bits of plain integer code."""

from __future__ import annotations

import sys
from functools import partial
from typing import Any

import numpy as np
import pytest

import olympus
from olympus import lax
from olympus_core import dtypes, ops
from olympus_core.program import ArrayType, Operation, Value
from olympus_core.toolkit import Flat
from olympus_cpu.codegen.target import Target
from olympus_cpu.compiled.passes import PRODUCTS
from olympus_cpu.contractions import gemm
from olympus_cpu.contractions.gemm import Gemm
from olympus_cpu.contractions.gemm_kernel import gemm_module
from olympus_cpu.contractions.gemm_steps import made_step
from olympus_cpu.contractions.gemm_variant import with_tile
from olympus_cpu.contractions.packing import pack_module
from olympus_cpu.machine.description import has_level
from olympus_cpu.native.linker import BASELINE, OPTIMISED, Recipe, link
from tests.support.processes import run_processes

BYTES = (dtypes.int8, dtypes.uint8)
needs_byte_dots = pytest.mark.skipif(not Target.host().has_byte_dots, reason="this processor has no VNNI")
# Rows, contracted elements, columns: partial tiles, panels, words; several passes; whole groups of panels.
_SIZES = [(5, 5, 7), (6, 4, 16), (13, 70, 48), (12, 64, 64), (25, 257, 140), (9, 2303, 40), (40, 131, 300)]
_ORDERS = [((1,), (0,)), ((1,), (1,)), ((0,), (0,)), ((0,), (1,))]


def values(shape: tuple[int, ...], dtype: np.dtype, kind: str = "any", seed: int = 0) -> np.ndarray:
    """Numbers of the whole range, or nothing but its ends."""
    generator, info = np.random.default_rng((seed, *shape)), np.iinfo(dtype)
    if kind == "any":
        return generator.integers(info.min, info.max, shape, dtype, endpoint=True)
    if kind == "ends":
        return generator.choice(np.array([info.min, info.max], dtype), shape)
    return np.full(shape, info.min if kind == "least" else info.max, dtype)


def product(x: np.ndarray, y: np.ndarray, inner: Any, result: np.dtype = dtypes.int32) -> Gemm:
    operands = Value(ArrayType(x.shape, x.dtype)), Value(ArrayType(y.shape, y.dtype))
    attributes = {"lhs_contracting": inner[0], "rhs_contracting": inner[1], "lhs_batch": (), "rhs_batch": (),
                  "dtype": result}
    types = ops.dot_general.type_rule([v.type for v in operands], attributes, ())
    step = made_step(Operation(ops.dot_general, operands, attributes, (), tuple(map(Value, types))))
    assert step is not None
    return step.gemm


def in_vectors(found: Gemm) -> Gemm:
    """The same product without AMX."""
    variant = found.variant._replace(uses_amx=False, tile_rows=0, tile_vectors=2)
    sizes = len(found.layout.x_rows), len(found.layout.y_columns)
    return Gemm(found.layout, with_tile(variant, found.target, *sizes), found.target)


def run(found: Gemm, x: np.ndarray, y: np.ndarray, result: np.dtype, pack: Any, multiply: Any) -> np.ndarray:
    out = np.full((len(found.layout.x_rows), len(found.layout.y_columns)), 7, result)
    columns = np.full(found.packed_bytes + 64, 0xA5, np.uint8)
    assert found.pack_descriptor is not None
    pack.run("pack", [a.ctypes.data for a in (found.pack_descriptor, y, columns)], 0, found.pack_total)
    multiply.run("product", [a.ctypes.data for a in (found.descriptor, x, columns, out)], 0, found.total)
    return out


@needs_byte_dots
@pytest.mark.parametrize("dtype", BYTES)
@pytest.mark.parametrize("level", [BASELINE, OPTIMISED])
def test_both_tiers_give_the_bits_of_wide_integers(
    dtype: np.dtype, level: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gemm, "_available", set())  # once the best is there nothing else is taken
    for m, k, n in _SIZES:
        for kind in ("any", "ends", "least", "greatest"):
            x, y = values((m, k), dtype, kind), values((k, n), dtype, kind, 1)
            for inner in _ORDERS if kind == "any" else _ORDERS[:1]:
                left = np.ascontiguousarray(x if inner[0] == (1,) else x.T)
                right = np.ascontiguousarray(y if inner[1] == (0,) else y.T)
                found = in_vectors(product(left, right, inner))
                assert found.variant.group == 4
                got = run(found, left, right, dtypes.int32, found.packing(None, level), found.multiplying(None, level))
                np.testing.assert_array_equal(got, x.astype(np.int32) @ y.astype(np.int32))


@needs_byte_dots
@pytest.mark.parametrize("dtype", BYTES)
def test_vectors_of_all_widths_and_plain_code_give_the_same(dtype: np.dtype) -> None:
    x, y = values((25, 257), dtype), values((257, 140), dtype, seed=1)
    found = in_vectors(product(x, y, _ORDERS[0]))
    for width in (128, 256, 512):
        target = Target.host(width)
        for group in (4, 1):
            if group > 1 and not target.has_byte_dots:
                continue
            one = Gemm(found.layout, found.variant._replace(group=group), target)
            pack, multiply = (link(Recipe(f"{name} {dtype} {width} {group}", partial(module, variant, target)),
                                   (name,), None, OPTIMISED, None)
                              for name, module, variant in (
                                  ("pack", pack_module, one._packing_variant()), ("product", gemm_module, one.variant)))
            got = run(one, x, y, dtypes.int32, pack, multiply)
            np.testing.assert_array_equal(got, x.astype(np.int32) @ y.astype(np.int32))


@pytest.mark.parametrize("dtype", BYTES)
def test_sums_wrap_and_do_not_saturate(dtype: np.dtype) -> None:
    # 2^17 products of the greatest magnitude: 2^31 of signed bytes, beyond 2^32 of unsigned ones.
    x, y = values((2, 1 << 17), dtype, "least"), values((1 << 17, 3), dtype, "least", 1)
    if dtype == dtypes.uint8:
        x, y = values(x.shape, dtype, "greatest"), values(y.shape, dtype, "greatest")
    got = olympus.jit(lambda x, y: lax.dot_general(x, y, (_ORDERS[0], ((), ())), preferred_element_type=np.int32))(x, y)
    exact = x.astype(np.int64) @ y.astype(np.int64)
    assert np.all(exact > np.iinfo(np.int32).max)
    np.testing.assert_array_equal(got, exact.astype(np.int32))


@pytest.mark.parametrize("dtype", BYTES)
@pytest.mark.parametrize("result", [dtypes.int8, dtypes.uint8, dtypes.int16, dtypes.uint32, dtypes.int64])
def test_other_results_wrap_at_their_own_width(dtype: np.dtype, result: np.dtype) -> None:
    x, y = values((3, 9, 50), dtype), values((50, 3, 20), dtype, seed=1)
    with olympus.enable_x64(True):
        got = olympus.jit(lambda x, y: lax.dot_general(
            x, y, (((2,), (0,)), ((0,), (1,))), preferred_element_type=result))(x, y)
    np.testing.assert_array_equal(got, np.einsum("bmk,kbn->bmn", x.astype(np.int64), y.astype(np.int64)).astype(result))


@pytest.mark.parametrize("dtype", BYTES)
def test_several_contracted_dimensions_and_convolutions(dtype: np.dtype) -> None:
    x, y = values((2, 6, 3, 17, 11), dtype), values((2, 11, 9, 3, 14), dtype, seed=1)
    got = olympus.jit(lambda x, y: lax.dot_general(
        x, y, (((4, 2), (1, 3)), ((0,), (0,))), preferred_element_type=np.int32))(x, y)
    np.testing.assert_array_equal(got, np.einsum("abcde,aefcg->abdfg", x.astype(np.int32), y.astype(np.int32)))
    image, kernel = values((2, 9, 8, 5), dtype), values((3, 3, 5, 7), dtype, seed=1)
    got = olympus.jit(lambda x, y: lax.conv_general_dilated(
        x, y, (1, 1), "VALID", dimension_numbers=("NHWC", "HWIO", "NHWC")))(image, kernel)
    windows = np.lib.stride_tricks.sliding_window_view(image, (3, 3), (1, 2)).astype(np.int64)
    np.testing.assert_array_equal(got, np.einsum("nhwcij,ijco->nhwo", windows, kernel.astype(np.int64)).astype(dtype))


@needs_byte_dots
def test_chains_run_on_the_rows_of_a_product() -> None:
    x, w, scale = values((512, 256), dtypes.int8), values((256, 128), dtypes.int8, seed=1), np.linspace(1, 2, 128)
    scale = scale.astype(np.float32) / 4096

    def layer(x: Any, w: Any, scale: Any) -> Any:
        counts = lax.dot_general(x, w, (_ORDERS[0], ((), ())), preferred_element_type=np.int32)
        return lax.max(lax.convert_element_type(counts, np.float32) * scale, 0.0)

    exact = x.astype(np.int32) @ w.astype(np.int32)
    np.testing.assert_array_equal(olympus.jit(layer)(x, w, scale), np.maximum(exact.astype(np.float32) * scale, 0))


def converted_product(first: np.dtype, second: np.dtype, wide: np.dtype, result: np.dtype, inner: int) -> list[str]:
    x, y = Value(ArrayType((20, inner), first)), Value(ArrayType((inner, 30), second))
    wides = [Operation(ops.convert, (v,), {"dtype": wide}, (), (Value(ArrayType(v.type.shape, wide)),)) for v in (x, y)]
    operands = tuple(o.results[0] for o in wides)
    attributes = {"lhs_contracting": (1,), "rhs_contracting": (0,), "lhs_batch": (), "rhs_batch": (), "dtype": result}
    made = Operation(ops.dot_general, operands, attributes, (), (Value(ArrayType((20, 30), result)),))
    return [o.name for o in PRODUCTS(Flat((x, y), (*wides, made), made.results)).operations]


@needs_byte_dots
def test_widened_bytes_are_multiplied_as_bytes_where_sums_stay_the_same() -> None:
    i8, u8, i16, i32, i64 = dtypes.int8, dtypes.uint8, dtypes.int16, dtypes.int32, dtypes.int64
    for pair in ((i8, i8), (u8, i8), (i8, u8), (u8, u8)):
        assert converted_product(*pair, i32, i32, 40) == ["dot_general_of_bytes"]
        assert converted_product(*pair, i16, i16, 40) == ["dot_general_of_bytes"]
    plain = ["convert", "convert", "dot_general"]
    assert converted_product(i8, i8, dtypes.uint16, i32, 40) == plain  # -1 became 65535, which is summed as such
    assert converted_product(i8, i8, i64, i64, 40) == converted_product(i8, i16, i32, i32, 40) == plain
    assert converted_product(i8, dtypes.bool_, i32, i32, 40) == plain
    # Shorter segments than a word: two signs have no code.
    assert converted_product(u8, i8, i32, i32, 7) == ["dot_general_of_bytes"]


@pytest.mark.parametrize("first", BYTES)
@pytest.mark.parametrize("second", BYTES)
def test_products_and_convolutions_of_either_sign(first: np.dtype, second: np.dtype) -> None:
    for kind in ("any", "ends"):
        x, y = values((30, 131), first, kind), values((131, 90), second, kind, 1)
        got = olympus.jit(lambda x, y: lax.convert_element_type(x, np.int32) @ lax.convert_element_type(y, np.int32))
        np.testing.assert_array_equal(got(x, y), x.astype(np.int32) @ y.astype(np.int32))
        got = olympus.jit(lambda x, y: lax.dot_general(x, y, (_ORDERS[0], ((), ())), preferred_element_type=np.int32))
        np.testing.assert_array_equal(got(x, y), x.astype(np.int32) @ y.astype(np.int32))


@pytest.mark.parametrize("options", [
    {}, {"padding": "SAME"}, {"padding": ((1, 2), (0, 1)), "lhs_dilation": (2, 2)}, {"rhs_dilation": (2, 1)},
    {"window_strides": (2, 1), "dimension_numbers": ("NHWC", "HWIO", "NHWC")}, {"feature_group_count": 2},
    {"feature_group_count": 6}, {"batch_group_count": 2}, {"dimension_numbers": ("NHWC", "HWIO", "NHWC")},
    {"dimension_numbers": ("NHWC", "HWIO", "NHWC"), "rhs_dilation": (1, 2), "channels": 1},
    {"lhs_dilation": (2, 2), "window": (1, 1)},
], ids=str)
def test_convolutions_of_widened_bytes(options: dict[str, Any]) -> None:
    options = {"window_strides": (1, 1), "padding": "VALID", **options}
    features, window = options.pop("channels", 6), options.pop("window", (3, 2))
    groups, last = options.get("feature_group_count", 1), "dimension_numbers" in options
    for first, second in ((dtypes.int8, dtypes.int8), (dtypes.uint8, dtypes.int8)):
        x = values((2, features, 9, 8), first)
        kernel = values((6, features // groups, *window), second, seed=1)
        if last:
            x, kernel = (np.ascontiguousarray(v.transpose(order)) for v, order in (
                (x, (0, 2, 3, 1)), (kernel, (2, 3, 1, 0))))
        convolve = olympus.jit(lambda x, y: lax.conv_general_dilated(x, y, **options, preferred_element_type=np.int32))
        plain = olympus.jit(lambda x, y: lax.conv_general_dilated(x, y, **options))
        # Floats of 64 bits hold these sums exactly.
        with olympus.enable_x64(True):
            exact = np.asarray(plain(x.astype(np.float64), kernel.astype(np.float64)))
        got = convolve(x, kernel)
        assert got.dtype == np.int32
        np.testing.assert_array_equal(got, exact)


_PROGRAM = """
import hashlib
import numpy as np
import olympus
from olympus import lax
x = np.random.default_rng(0).integers(-128, 127, (70, 301), "int8", endpoint=True)
y = np.random.default_rng(1).integers(-128, 127, (301, 150), "int8", endpoint=True)
f = olympus.jit(lambda x, y: lax.dot_general(x, y, (((1,), (0,)), ((), ())), preferred_element_type="int32"))
print(hashlib.sha256(np.asarray(f(x, y)).tobytes()).hexdigest())
"""


@pytest.mark.processes
@pytest.mark.skipif(not has_level("x86-64-v3"), reason="levels are of x86-64")
def test_a_level_without_the_instruction_gives_the_same_bits() -> None:
    ends = [run_processes(_PROGRAM, 1, env=env)[0] for env in (
        {"OLYMPUS_CPU_LEVEL": "x86-64-v3"}, {"OLYMPUS_CPU_VECTOR_BITS": "256", "OLYMPUS_REPRODUCIBLE": "1"})]
    assert all(end.returncode == 0 for end in ends), [end.stderr for end in ends]
    assert len({end.stdout for end in ends}) == 1


@pytest.mark.skipif(sys.platform == "darwin", reason="assembly there is written otherwise")
@pytest.mark.parametrize("dtype", BYTES)
def test_code_of_processors_that_have_it(dtype: np.dtype, monkeypatch: pytest.MonkeyPatch) -> None:
    import llvmlite.binding as llvm

    for name, count in (("icelake-server", 16), ("alderlake", 12), ("haswell", 0), ("x86-64", 0), ("neoverse", 0)):
        target = Target.named(name)
        monkeypatch.setattr("olympus_cpu.contractions.gemm_steps.Target.host", lambda target=target: target)
        found = product(np.zeros((24, 40), dtype), np.zeros((40, 100), dtype), _ORDERS[0])
        assert found.variant.group == (4 if count else 1)
        module = llvm.parse_assembly(gemm_module(found.variant, target), context=llvm.create_context())
        words = target.machine(2).emit_assembly(module).split()
        assert words.count("vpdpbusd") >= count
        assert not any(word.startswith(("vpdpbusds", "vpdpwssds")) for word in words)
        assert count or "vpdpbusd" not in words
    # Segments shorter than a word, and wider sums, have no use for it.
    monkeypatch.undo()
    assert product(np.zeros((20, 3), dtype), np.zeros((3, 100), dtype), _ORDERS[0]).variant.group == 1
    wide = product(np.zeros((20, 30), dtype), np.zeros((30, 100), dtype), _ORDERS[0], dtypes.int64)
    assert (wide.variant.group, wide.variant.compute) == (1, "i64")
