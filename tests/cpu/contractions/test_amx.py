# SPDX-License-Identifier: Apache-2.0
"""Products by AMX: of bytes exact, of bfloat16 in an order of their own that plain code has, too."""

from __future__ import annotations

import itertools
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

import numpy as np
import pytest

import olympus
from olympus import lax
from olympus_core import dtypes
from olympus_core.program import Operation
from olympus_cpu.codegen.target import Target
from olympus_cpu.contractions import gemm, gemm_steps
from olympus_cpu.contractions.amx import amx_module, baseline_amx_module
from olympus_cpu.contractions.baseline import baseline_packing_module
from olympus_cpu.contractions.gemm import Gemm
from olympus_cpu.contractions.gemm_steps import made_step
from olympus_cpu.contractions.gemm_variant import uses_amx, with_tile
from olympus_cpu.contractions.packing import pack_module
from olympus_cpu.machine import permission
from olympus_cpu.native.linker import BASELINE, OPTIMISED, Recipe, link
from olympus_cpu.native.pool import pool
from tests.cpu.contractions import test_bfloat_pairs as pairs
from tests.cpu.contractions import test_byte_groups as groups
from tests.support.processes import run_processes

BF16 = dtypes.bfloat16
_HOST = Target.host()
needs_bfloats = pytest.mark.skipif(not _HOST.has_amx_bfloats, reason="this processor has no AMX-BF16")
needs_bytes = pytest.mark.skipif(not _HOST.has_amx_bytes, reason="this processor has no AMX-INT8")
_ORDERS = [((1,), (0,)), ((1,), (1,)), ((0,), (0,)), ((0,), (1,))]
_SIZES = [(5, 20, 7), (16, 32, 16), (17, 31, 33), (33, 70, 65), (64, 257, 140), (300, 90, 40), (20, 2303, 40)]
_ROW_OF_TILE, _LEAST = 32, 9  # bfloat16 in a row of a tile, and contracted elements of the shortest product by AMX


def without_amx(target: Target) -> Target:
    return replace(target, features=target.features.replace("+amx", "-amx"))


def fused(x: np.ndarray, y: np.ndarray, before: np.ndarray) -> np.ndarray:
    """Fused multiply-adds of float32 whose product is exact: the sum in float64, rounded to odd, rounds once."""
    product = x.astype(np.float64) * y
    total = product + before
    back = total - product
    error = (product - (total - back)) + (before - back)
    bits = total.view(np.int64)
    towards = np.where((error > 0) == (total > 0), 1, -1)
    is_near = (error != 0) & (bits & 1 == 0) & np.isfinite(total)
    return np.where(is_near, bits + towards, bits).view(np.float64).astype(np.float32)


def in_order_of_tiles(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The product with the sums of AMX, as Intel's manual describes it, but that subnormal numbers are kept."""
    short = -x.shape[1] % _ROW_OF_TILE
    x, y = (np.pad(v, width).astype(np.float32) for v, width in ((x, ((0, 0), (0, short))), (y, ((0, short), (0, 0)))))
    sums = np.zeros((len(x), y.shape[1]), np.float32)
    with np.errstate(all="ignore"):
        for first in range(0, x.shape[1], _ROW_OF_TILE):
            halves = [np.zeros_like(sums), np.zeros_like(sums)]
            for k in range(first, first + _ROW_OF_TILE):
                halves[k % 2] = fused(x[:, k, None], y[None, k], halves[k % 2])
            sums = sums + (halves[0] + halves[1])
    return np.where(np.isnan(sums), np.float32(np.nan), sums)


def product(x: np.ndarray, y: np.ndarray, inner: Any, target: Target = _HOST) -> Gemm:
    """The product by AMX of bfloat16, or by its emulation where the target has none."""
    found = pairs.product(x, y, inner)
    variant = found.variant._replace(group=2, uses_amx=True, tile_rows=0, tile_vectors=2, vector_bits=0)
    return Gemm(found.layout, with_tile(variant, target, len(found.layout.x_rows), len(found.layout.y_columns)), target)


@lru_cache(maxsize=64)
def code(name: str, level: int, variant: Any, target: Target) -> Any:
    """The code for this very target; code that is kept is this machine's."""
    modules = {"pack": (baseline_packing_module, pack_module), "product": (baseline_amx_module, amx_module)}
    write = modules[name][level == OPTIMISED]
    recipe = Recipe(f"{name} of {variant} for {target}", partial(write, variant, target))
    return link(recipe, (name,), None, level, None)


def computed(found: Gemm, x: np.ndarray, y: np.ndarray, level: int = OPTIMISED) -> np.ndarray:
    """What the code for the product's own target computes."""
    pack = code("pack", level, found._packing_variant(), found.target)
    multiply = code("product", level, found.variant, found.target)
    return pairs.run(found, x, y, pack, multiply)


def laid_out(x: np.ndarray, y: np.ndarray, inner: Any) -> tuple[np.ndarray, np.ndarray]:
    return (np.ascontiguousarray(x if inner[0] == (1,) else x.T), np.ascontiguousarray(y if inner[1] == (0,) else y.T))


def targets() -> list[Target]:
    """With the instruction, where there is one, and without."""
    return [_HOST, without_amx(_HOST)] if _HOST.has_amx_bfloats else [_HOST]


@pytest.mark.parametrize("level", [BASELINE, OPTIMISED])
@pytest.mark.parametrize("kind", ["normal", "wide", "subnormal", "underflow", "border", "special"])
def test_sums_of_bfloat16_are_in_the_order_of_tiles(kind: str, level: int) -> None:
    for m, k, n in _SIZES if kind == "normal" else _SIZES[3:5]:
        x, y = pairs.values((m, k), kind, 0), pairs.values((k, n), kind, 1)
        expected = in_order_of_tiles(x, y)
        for inner in _ORDERS if kind == "normal" else _ORDERS[:1]:
            left, right = laid_out(x, y, inner)
            for target in targets():
                assert computed(product(left, right, inner, target), left, right, level).tobytes() == (
                    expected.tobytes())


def test_every_number_of_rows_columns_and_contracted_elements() -> None:
    for n in range(1, 71):
        for m, k, columns in ((n, 40, 33), (33, n + _LEAST - 1, 17), (17, 40, n)):
            x, y = pairs.values((m, k), "wide", 0), pairs.values((k, columns), "wide", 1)
            inner = _ORDERS[n % 4]
            left, right = laid_out(x, y, inner)
            expected = in_order_of_tiles(x, y).tobytes()
            for target in targets():
                assert computed(product(left, right, inner, target), left, right).tobytes() == expected


def test_a_row_does_not_depend_on_subnormal_numbers_in_others() -> None:
    # Of several passes, of which one has such numbers.
    x, y = pairs.values((40, 2500), "normal", 0), pairs.values((2500, 40), "normal", 1)
    small = x.copy()
    small[3, 1100], small[39, 5] = 1e-39, 1e-30
    tiny = y.copy()
    tiny[0, 0] = 1e-38
    for target in targets():
        found = product(x, y, _ORDERS[0], target)
        plain = computed(found, x, y)
        others = [i for i in range(40) if i not in (3, 39)]
        assert computed(found, small, y)[others].tobytes() == plain[others].tobytes()
        assert computed(found, x, tiny)[:, 1:].tobytes() == plain[:, 1:].tobytes()


def test_subnormal_sums_are_kept_from_pass_to_pass() -> None:
    # The first pass leaves subnormal sums, the second one has none of its own.
    x, y = np.zeros((32, 2048), BF16), np.zeros((2048, 32), BF16)
    x[:, :1024], y[:1024] = 1e-20, 1e-22
    x[:, 1024:], y[1024:] = 1.0, 0.0
    expected = in_order_of_tiles(x, y)
    assert np.all(expected > 0) and np.all(expected < 1e-38)
    for target in targets():
        np.testing.assert_array_equal(computed(product(x, y, _ORDERS[0], target), x, y), expected)


def test_vectors_of_all_widths_give_the_same() -> None:
    x, y = pairs.values((35, 257), "wide", 0), pairs.values((257, 70), "wide", 1)
    expected = in_order_of_tiles(x, y).tobytes()
    for width in (128, 256, 512):
        for target in (Target.host(width), without_amx(Target.host(width))):
            found = product(x, y, _ORDERS[0], target)
            assert computed(found, x, y).tobytes() == expected


def jitted(x: Any, y: Any, result: Any, **options: Any) -> np.ndarray:
    dims = options.get("dims", (_ORDERS[0], ((), ())))
    return np.asarray(olympus.jit(lambda x, y: lax.dot_general(x, y, dims, preferred_element_type=result))(x, y))


@needs_bfloats
def test_products_of_programs_batches_chains_and_threads() -> None:
    x, y = pairs.values((320, 300), "normal", 0), pairs.values((300, 200), "normal", 1)
    expected, before = in_order_of_tiles(x, y), pool().threads
    try:
        for threads in range(1, 9):
            pool().resize(threads)
            assert jitted(x, y, np.float32).tobytes() == expected.tobytes()
            rounded = np.asarray(olympus.jit(lambda x, y: lax.max(lax.dot(x, y), np.asarray(0, BF16)))(x, y))
            np.testing.assert_array_equal(rounded, np.maximum(expected.astype(BF16), np.asarray(0, BF16)))
    finally:
        pool().resize(before)
    stack, other = x.reshape(4, 80, 300), np.stack([y] * 4)
    got = jitted(stack, other, np.float32, dims=(((2,), (1,)), ((0,), (0,))))
    assert got.tobytes() == expected.tobytes()


@needs_bytes
@pytest.mark.parametrize("level", [BASELINE, OPTIMISED])
@pytest.mark.parametrize(("first", "second"), list(itertools.product(groups.BYTES, repeat=2)))
def test_products_of_bytes_are_exact(
    first: np.dtype, second: np.dtype, level: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gemm, "_available", set())  # once the best is there nothing else is taken
    for (m, k, n), inner in itertools.product([(5, 40, 7), (33, 131, 65), (40, 2303, 30)], _ORDERS):
        x, y = groups.values((m, k), first), groups.values((k, n), second, seed=1)
        left, right = laid_out(x, y, inner)
        found = of_bytes(left, right, inner)
        assert found.variant.uses_amx
        got = groups.run(found, left, right, dtypes.int32, found.packing(None, level), found.multiplying(None, level))
        np.testing.assert_array_equal(got, x.astype(np.int32) @ y.astype(np.int32))


def of_bytes(x: np.ndarray, y: np.ndarray, inner: Any) -> Gemm:
    from olympus_core.program import ArrayType, Value
    from olympus_cpu.contractions.byte_products import BYTE_DOT

    operands = Value(ArrayType(x.shape, x.dtype)), Value(ArrayType(y.shape, y.dtype))
    result = Value(ArrayType((x.shape[1 - inner[0][0]], y.shape[1 - inner[1][0]]), dtypes.int32))
    attributes = {"lhs_contracting": inner[0], "rhs_contracting": inner[1], "lhs_batch": (), "rhs_batch": (),
                  "dtype": dtypes.int32}
    step = made_step(Operation(BYTE_DOT, operands, attributes, (), (result,)))
    assert step is not None
    return step.gemm


@needs_bytes
def test_every_number_of_bytes() -> None:
    for n in range(1, 71):
        for m, k, columns in ((n, 70, 33), (33, n + 16, 17), (17, 70, n)):
            x, y = groups.values((m, k), dtypes.int8), groups.values((k, columns), dtypes.int8, seed=1)
            np.testing.assert_array_equal(jitted(x, y, np.int32), x.astype(np.int32) @ y.astype(np.int32))


@needs_bfloats
def test_long_products_are_split_where_they_have_few_results() -> None:
    for n, splits in ((40, True), (64, False)):
        x, y = pairs.values((n, 9000), "normal", 0), pairs.values((9000, n), "normal", 1)
        got, tiles = jitted(x, y, np.float32), in_order_of_tiles(x, y)
        exact = x.astype(np.float64) @ y.astype(np.float64)
        assert np.all(np.abs(got - exact) <= 1e-6 * (np.abs(x.astype(np.float64)) @ np.abs(y.astype(np.float64))))
        assert (got.tobytes() != tiles.tobytes()) == splits


def whole(shape: tuple[int, ...], seed: int) -> np.ndarray:
    """Small integers, of which products and sums are exact in float32."""
    return np.random.default_rng((seed, *shape)).integers(-4, 4, shape, endpoint=True).astype(BF16)


@pytest.mark.parametrize("options", [
    {}, {"padding": "SAME"}, {"padding": ((1, 2), (0, 1)), "lhs_dilation": (2, 2)}, {"rhs_dilation": (2, 1)},
    {"window_strides": (2, 1), "dimension_numbers": ("NHWC", "HWIO", "NHWC")}, {"feature_group_count": 2},
    {"feature_group_count": 24}, {"batch_group_count": 2}, {"dimension_numbers": ("NHWC", "HWIO", "NHWC")},
    {"dimension_numbers": ("NHWC", "HWIO", "NHWC"), "window": (1, 1), "lhs_dilation": (2, 2)},
    {"dimension_numbers": ("NHWC", "HWIO", "NHWC"), "rhs_dilation": (1, 2), "channels": 1},
], ids=str)
def test_convolutions_of_bfloat16_and_their_gradients(options: dict[str, Any]) -> None:
    options = {"window_strides": (1, 1), "padding": "VALID", **options}
    features, window = options.pop("channels", 24), options.pop("window", (3, 2))
    x, kernel = whole((2, features, 17, 19), 0), whole(
        (24, features // options.get("feature_group_count", 1), *window), 1)
    if "dimension_numbers" in options:
        x, kernel = (
            np.ascontiguousarray(v.transpose(order)) for v, order in ((x, (0, 2, 3, 1)), (kernel, (2, 3, 1, 0))))

    def loss(x: Any, kernel: Any, weights: Any) -> Any:
        out = lax.conv_general_dilated(x, kernel, **options)
        return (out.astype(np.float32) * weights).sum(), out

    like = olympus.eval_shape(lambda x, y: lax.conv_general_dilated(x, y, **options), x, kernel)
    weights = np.random.default_rng(5).integers(-2, 2, like.shape).astype(np.float32)
    found, out = olympus.jit(olympus.grad(loss, (0, 1), has_aux=True))(x, kernel, weights)
    with olympus.enable_x64(True):  # float64 holds all sums, too
        exact, wide = olympus.jit(olympus.grad(loss, (0, 1), has_aux=True))(
            x.astype(np.float64), kernel.astype(np.float64), weights)
    for got, expected in ((out, wide), (found[0], exact[0]), (found[1], exact[1])):
        assert got.dtype == BF16
        np.testing.assert_array_equal(got, np.asarray(expected).astype(BF16))


@needs_bfloats
def test_convolutions_sum_segment_by_segment() -> None:
    x, kernel = (pairs.values(shape, "wide", seed).reshape(full) for shape, full, seed in (
        ((2 * 9 * 8, 11), (2, 9, 8, 11), 0), ((99, 7), (3, 3, 11, 7), 1)))
    got = np.asarray(olympus.jit(lambda x, y: lax.conv_general_dilated(
        x, y, (1, 1), "VALID", dimension_numbers=("NHWC", "HWIO", "NHWC")))(x, kernel))
    windows = np.lib.stride_tricks.sliding_window_view(x, (3, 3), (1, 2)).transpose(0, 1, 2, 4, 5, 3)
    # The lines of a window are segments, each padded to whole chunks of contracted elements.
    line = np.pad(windows.reshape(-1, 3, 33), ((0, 0), (0, 0), (0, 31))).reshape(-1, 3 * 64)
    columns = np.pad(kernel.reshape(3, 33, 7), ((0, 0), (0, 31), (0, 0))).reshape(3 * 64, 7)
    expected = in_order_of_tiles(line, columns).astype(BF16).reshape(got.shape)
    assert got.tobytes() == expected.tobytes()


_FORKED = """
import os, warnings
import numpy as np
import olympus
from olympus import lax
warnings.simplefilter("ignore")
x = np.random.default_rng(0).standard_normal((300, 301)).astype(olympus.numpy.bfloat16)
y = np.random.default_rng(1).standard_normal((301, 150)).astype(olympus.numpy.bfloat16)
f = olympus.jit(lambda x, y: lax.dot(x, y, preferred_element_type="float32"))
first = np.asarray(f(x, y)).tobytes()
child = os.fork()
if not child:
    os._exit(0 if np.asarray(f(x, y)).tobytes() == first else 1)
assert os.waitpid(child, 0)[1] == 0 and np.asarray(f(x, y)).tobytes() == first
print("same")
"""


@pytest.mark.processes
def test_a_child_of_fork_may_use_it() -> None:
    (end,) = run_processes(_FORKED, 1, env={"OLYMPUS_NUM_THREADS": "3"})
    assert end.returncode == 0 and "same" in end.stdout, end.stderr


def test_who_uses_it() -> None:
    named = Target.named("icelake-server")
    bytes_ = replace(named, features=named.features + ",+amx-tile,+amx-int8")
    floats = replace(named, features=named.features + ",+avx512bf16,+amx-tile,+amx-bf16")
    assert uses_amx("i8", "i32", 17, bytes_) and uses_amx("i8", "i32", 17, replace(bytes_, is_reproducible=True))
    assert uses_amx("bfloat", "float", _LEAST, floats)
    for source, compute, length, target in (
            ("i8", "i32", 16, bytes_), ("i8", "i64", 99, bytes_), ("i8", "i32", 99, floats),
            ("bfloat", "float", 8, floats), ("bfloat", "double", 99, floats), ("float", "float", 99, floats),
            ("bfloat", "float", 99, replace(floats, is_reproducible=True)), ("bfloat", "float", 99, named)):
        assert not uses_amx(source, compute, length, target)


def test_where_the_system_refuses_its_use_it_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    features = "+avx2,+amx-tile,-sse4a,+amx-int8,+amx-bf16,-amx-fp16"
    for answer in (False, True):
        monkeypatch.setattr(permission, "_asked", lambda answer=answer: answer)
        assert permission.permitted(features) == (
            features if answer else "+avx2,-amx-tile,-sse4a,-amx-int8,-amx-bf16,-amx-fp16")
        assert permission.permitted("+avx2") == "+avx2"


def test_the_code_of_a_processor_that_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    import llvmlite.binding as llvm

    target = Target.named("icelake-server")
    target = replace(target, features=target.features + ",+avx512bf16,+amx-tile,+amx-bf16,+amx-int8")
    monkeypatch.setattr(gemm_steps.Target, "host", lambda: target)
    for dtype, instruction in ((BF16, "tdpbf16ps"), (dtypes.int8, "tdpbssd"), (dtypes.uint8, "tdpbuud")):
        x, y = np.zeros((64, 64), dtype), np.zeros((64, 64), dtype)
        found = pairs.product(x, y, _ORDERS[0]) if dtype == BF16 else groups.product(x, y, _ORDERS[0])
        assert (found.variant.uses_amx, found.variant.tile_rows, found.variant.tile_vectors) == (True, 32, 2)
        for write, level in ((amx_module, 2), (baseline_amx_module, 0)):
            module = llvm.parse_assembly(write(found.variant, target), context=llvm.create_context())
            words = target.machine(level).emit_assembly(module).split()
            assert words.count(instruction) == 4
            assert words.count("ldtilecfg") == words.count("tilerelease") == 1
