# SPDX-License-Identifier: Apache-2.0
"""What a product's first calls run: other code than later, and the same bits."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
import pytest

from olympus_core import dtypes, ops
from olympus_core.program import ArrayType, Operation, Value
from olympus_cpu.codegen.target import Target
from olympus_cpu.contractions import baseline, gemm
from olympus_cpu.contractions.gemm import Gemm
from olympus_cpu.contractions.gemm_kernel import gemm_module
from olympus_cpu.contractions.gemm_layout import GEMM_WORDS, GemmLayout
from olympus_cpu.contractions.gemm_steps import made_step
from olympus_cpu.contractions.gemm_variant import GemmVariant, target_of, tile_shape, with_tile
from olympus_cpu.contractions.microkernel_assembly import has_assembly, microkernel_assembly
from olympus_cpu.native.linker import BASELINE, OPTIMISED, Library, link

_SIZES = [(7, 33, 10), (25, 40, 64), (100, 700, 1500), (65, 1300, 17)]


def _product(m: int, k: int, n: int, dtype: np.dtype, result: np.dtype | None = None) -> Gemm:
    x, y, out = (Value(ArrayType(shape, kind)) for shape, kind in (
        ((m, k), dtype), ((k, n), dtype), ((m, n), result or dtype)))
    attributes = {"lhs_batch": (), "rhs_batch": (), "lhs_contracting": (1,), "rhs_contracting": (0,),
                  "dtype": result or dtype}
    operation = Operation(ops.dot_general, (x, y), attributes, (), (out,))
    step = made_step(operation)
    assert step is not None
    return step.gemm


def _run(
    product: Gemm, x: np.ndarray, y: np.ndarray, level: int, result: np.dtype | None = None, rows: int | None = None
) -> np.ndarray:
    out = np.full((rows or x.shape[0], y.shape[1]), 7, result or x.dtype)
    columns = y
    pack = product.packing(None, level)
    if pack is not None:
        assert product.pack_descriptor is not None
        columns = np.zeros(product.packed_bytes + 64, np.uint8)
        pack.run("pack", [a.ctypes.data for a in (product.pack_descriptor, y, columns)], 0, product.pack_total)
    table = [a.ctypes.data for a in (product.descriptor, x, columns, out)]
    product.multiplying(None, level).run("product", table, 0, product.total)
    return out


@pytest.mark.parametrize("sizes", _SIZES)
@pytest.mark.parametrize("dtype", [dtypes.float32, dtypes.float64, dtypes.int32])
def test_baseline_code_gives_the_bits_of_optimised_code(
    sizes: tuple[int, int, int], dtype: np.dtype, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gemm, "_available", set())  # once the best is there nothing else is taken
    m, k, n = sizes
    random = np.random.default_rng(m)
    # Products of these are too small for the type now and then: zeros keep their signs.
    x, y = ((random.integers(-9, 9, shape) * (1e-24 if dtype == dtypes.float32 else 1)).astype(dtype)
            for shape in ((m, k), (k, n)))
    product = _product(m, k, n, dtype)
    found = _run(product, x, y, BASELINE)
    assert product.multiplying(None, BASELINE)["product"] != product.multiplying(None, OPTIMISED)["product"]
    assert found.tobytes() == _run(product, x, y, OPTIMISED).tobytes()
    # Processors for which nobody has written assembly.
    monkeypatch.setattr(gemm, "_available", set())
    monkeypatch.setattr(gemm, "_made", lru_cache(gemm._made.__wrapped__))
    for module in (gemm, baseline):
        monkeypatch.setattr(module, "has_assembly", lambda variant, target: False)
    baseline.baseline_module.cache_clear()
    try:
        assert found.tobytes() == _run(product, x, y, BASELINE).tobytes()
    finally:
        baseline.baseline_module.cache_clear()
    if dtype != dtypes.float32:
        np.testing.assert_allclose(found, x @ y)


@pytest.mark.parametrize("level", [BASELINE, OPTIMISED])
@pytest.mark.parametrize("dtype", [dtypes.float32, dtypes.float64])
def test_zeros_have_one_sign_in_whole_and_in_partial_panels(
    dtype: np.dtype, level: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gemm, "_available", set())
    tiny = np.sqrt(np.finfo(dtype).tiny) * 1e-20  # squares of it are too small for the type
    for m, n in ((13, 70), (3, 33), (13, 5)):  # a panel has 8 to 32 columns
        x, y = np.full((m, 9), -tiny, dtype), np.full((9, n), tiny, dtype)
        got = _run(_product(m, 9, n, dtype), x, y, level)
        assert not got.any()
        # Fused, the first product makes the sum a negative zero; else a zero plus it is a positive one.
        assert np.all(np.signbit(got) == Target.host().has_fma)


@pytest.mark.parametrize("level", [BASELINE, OPTIMISED])
def test_prefetches_change_no_bits_and_are_for_columns_beyond_the_caches(
    level: int, monkeypatch: pytest.MonkeyPatch,
) -> None:
    random = np.random.default_rng(2)
    x, y = random.standard_normal((65, 1300), np.float32), random.standard_normal((1300, 100), np.float32)
    near = _product(65, 1300, 100, dtypes.float32)
    monkeypatch.setattr(gemm, "_NEAR", 0)
    far = _product(65, 1300, 100, dtypes.float32)
    assert (near.variant.prefetches, far.variant.prefetches) == (False, True)
    assert not _product(8, 64, 32, dtypes.float32).variant.prefetches  # its columns are not packed
    assert _run(near, x, y, level).tobytes() == _run(far, x, y, level).tobytes()
    for variant, count in ((near.variant, 0), (far.variant, 1)):
        text = microkernel_assembly(variant, Target.named("haswell"))
        assert (text.count("prefetcht1"), text.count("prefetcht0")) == (count, 1)
        assert gemm_module(variant, Target.host()).count("i32 0, i32 2, i32 1)") == count


@pytest.mark.parametrize("level", [BASELINE, OPTIMISED])
@pytest.mark.parametrize("dtype", [dtypes.float32, dtypes.float64, dtypes.bfloat16, dtypes.int8, dtypes.int32])
def test_rows_have_the_bits_that_they_have_among_many(
    dtype: np.dtype, level: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gemm, "_available", set())
    random = np.random.default_rng(5)
    x, y = (random.integers(-90, 90, shape).astype(dtype) for shape in ((492, 700), (700, 67)))
    if dtypes.is_float(dtype):
        x, y = (a * np.asarray(1.1, dtype) for a in (x, y))
    result = {dtypes.bfloat16: dtypes.float32, dtypes.int8: dtypes.int32}.get(dtype, dtype)
    most = _product(492, 700, 67, dtype, result)
    assert (most.variant.tile_rows, most.variant.tile_vectors) == ((32, 2) if most.variant.uses_amx else (0, 2))
    truth = _run(most, x, y, level, result)
    found = set()
    for rows, columns in ((1, 67), (4, 67), (5, 67), (8, 67), (20, 67), (128, 67), (400, 3), (400, 2), (20, 1), (4, 3)):
        few = _product(rows, 700, columns, dtype, result)
        found.add((few.variant.tile_rows, few.variant.tile_vectors))
        got = _run(few, x[:rows].copy(), y[:, :columns].copy(), level, result)
        assert got.tobytes() == truth[:rows, :columns].tobytes()
    assert len(found) >= 3  # which ones depends on the processor's vectors


def _of_transposed(
    rows: int, inner: int, columns: int, dtype: np.dtype = dtypes.float32, stride: int = 0
) -> tuple[Gemm, dict[str, int]]:
    """The product of a transposed operand, whose contracted elements are `stride` elements apart; its descriptor."""
    target, size = Target.host(), dtype.itemsize
    names = {dtypes.float32: "float", dtypes.float64: "double", dtypes.int32: "i32"}
    variant = with_tile(GemmVariant(*[names[dtype]] * 3, True, True), target, rows, columns)
    here, there, out = (np.arange(n, dtype=np.int64) * size for n in (rows, columns, rows))
    one = np.zeros(1, np.int64)
    made = Gemm(GemmLayout(here, there, out * columns, one, one, one, np.zeros((1, 2), np.int64), inner,
                           (stride or rows) * size, columns * size), variant, target)
    return made, dict(zip(GEMM_WORDS, made.descriptor.tolist(), strict=True))


@pytest.mark.parametrize("level", [BASELINE, OPTIMISED])
@pytest.mark.parametrize("dtype", [dtypes.float32, dtypes.float64, dtypes.int32])
def test_rows_that_are_read_where_they_lie_have_the_bits_of_packed_ones(
    dtype: np.dtype, level: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gemm, "_available", set())
    for rows, inner, columns in ((48, 40, 64), (96, 1100, 41), (240, 33, 7)):
        product, words = _of_transposed(rows, inner, columns, dtype)
        random = np.random.default_rng(rows)
        scale = 1 if dtype == dtypes.int32 else 7
        x, y = ((random.integers(-9, 9, shape) / scale).astype(dtype) for shape in ((inner, rows), (inner, columns)))
        assert words["reads_across"] == 1
        found = _run(product, x, y, level, rows=rows)
        product.descriptor[GEMM_WORDS.index("reads_across")] = 0
        assert found.tobytes() == _run(product, x, y, level, rows=rows).tobytes()
        np.testing.assert_allclose(found, x.T @ y, rtol=2e-4, atol=1e-3)


def test_rows_are_packed_where_tiles_are_not_contiguous_or_reading_them_is_slow() -> None:
    assert _of_transposed(48, 40, 64)[1]["reads_across"] == 1
    assert _of_transposed(50, 40, 64)[1]["reads_across"] == 0  # a tile that is not whole
    assert _of_transposed(48, 40, 64, stride=2000)[1]["reads_across"] == 0  # far from one another
    assert _of_transposed(480, 1000, 2048)[1]["reads_across"] == 0  # read for very many columns
    product, words = _of_transposed(480, 128, 64)
    product.cut_rows(24)
    assert words["reads_across"] == 1
    assert product.descriptor[GEMM_WORDS.index("reads_across")] == int(24 % tile_shape(
        product.target, product.variant)[0] == 0)
    product.cut_rows(25)  # a chain's tasks
    assert product.descriptor[GEMM_WORDS.index("reads_across")] == 0


def test_few_rows_take_the_tile_that_pads_least() -> None:
    def rows_of(name: str, columns: int, *rows: int) -> list[int]:
        variant = GemmVariant("float", "float", "float", True, False)
        found = [with_tile(variant, Target.named(name), n, columns) for n in rows]
        assert {v.tile_vectors for v in found} == {2 if columns > Target.named(name).lanes("float") else 1}
        return [v.tile_rows for v in found]

    assert rows_of("skylake-avx512", 17, 2, 8, 12, 24, 32, 36, 64, 100, 128, 192, 200, 4000) == [
        4, 8, 0, 0, 8, 0, 8, 0, 0, 0, 0, 0]
    assert rows_of("znver4", 17, 2, 8, 12, 24, 32, 36, 64, 100, 128, 192, 200, 4000) == [
        4, 8, 0, 8, 8, 0, 8, 8, 8, 8, 8, 8]
    assert rows_of("haswell", 9, 2, 6, 8, 20, 32, 96, 100) == [4, 0, 4, 4, 4, 0, 0]
    for name, columns in (("skylake-avx512", 16), ("skylake-avx512", 8), ("haswell", 8)):
        assert rows_of(name, columns, 3, 8, 12, 27, 4000) == [4, 8, 0, 8, 0]


def test_columns_as_they_lie_are_divided_before_rows() -> None:
    product = _product(128, 512, 512, dtypes.float32)
    blocks = [product.descriptor[GEMM_WORDS.index(f"{name}_blocks")] for name in ("row", "column")]
    assert blocks[0] == 1 and blocks[1] > 8
    packed = _product(1024, 64, 1024, dtypes.float32)  # its rows are packed: dividing columns would do so again
    assert packed.descriptor[GEMM_WORDS.index("column_blocks")] == 1


@pytest.mark.parametrize(("rows", "packs"), [(256, False), (1024, True)])
def test_transposed_rows_are_no_windows_that_overlap(rows: int, packs: bool) -> None:
    x, y, out = (Value(ArrayType(shape, dtypes.float32)) for shape in ((1024, rows), (1024, 1024), (rows, 1024)))
    attributes = {"lhs_batch": (), "rhs_batch": (), "lhs_contracting": (0,), "rhs_contracting": (0,),
                  "dtype": dtypes.float32}
    step = made_step(Operation(ops.dot_general, (x, y), attributes, (), (out,)))
    assert step is not None
    narrow = tile_shape(step.gemm.target, step.gemm.variant)[1] < 32  # panels of one cache line are always packed
    assert step.gemm.packs_columns is (packs or narrow)


def test_few_columns_take_vectors_of_half_the_width() -> None:
    def width(name: str, columns: int, element: str = "float", group: int = 1) -> tuple[int, int]:
        variant, target = GemmVariant(element, element, element, True, False, group=group), Target.named(name)
        variant = with_tile(variant, target, 100, columns)
        return variant.vector_bits, tile_shape(target_of(variant, target), variant)[1]

    assert [width("skylake-avx512", n) for n in (1, 8, 9, 17)] == [(256, 8), (256, 8), (0, 16), (0, 32)]
    assert [width("skylake-avx512", n, "double") for n in (4, 5)] == [(256, 4), (0, 8)]
    assert width("icelake-server", 3, "i32", 4) == (0, 16) and width("haswell", 3) == (0, 8)


@pytest.mark.parametrize("level", [BASELINE, OPTIMISED])
@pytest.mark.parametrize("dtype", [dtypes.float32, dtypes.float64, dtypes.int32])
@pytest.mark.parametrize(("rows", "inner", "columns"), [(5, 70, 3), (100, 1100, 8), (37, 30, 4)])
def test_few_columns_have_the_bits_that_they_have_among_many(
    rows: int, inner: int, columns: int, dtype: np.dtype, level: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gemm, "_available", set())
    random = np.random.default_rng(rows)
    x, y = (random.integers(-99, 99, shape).astype(dtype) for shape in ((rows, inner), (inner, 40)))
    x, y = ((v if dtype == dtypes.int32 else v / dtype.type(7)) for v in (x, y))
    few = np.ascontiguousarray(y[:, :columns])
    found = _run(_product(rows, inner, columns, dtype), x, few, level)
    assert found.tobytes() == _run(_product(rows, inner, 40, dtype), x, y, level)[:, :columns].tobytes()
    np.testing.assert_allclose(found, x @ few, rtol=1e-4, atol=1e-1)


@pytest.mark.parametrize("rows", [349, 600, 1031])
def test_rows_are_divided_evenly_among_threads(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gemm, "_available", set())
    found = _product(rows, 700, 67, dtypes.int32, dtypes.int32)
    assert found.total >= 8 and found.total % 4 == 0
    random = np.random.default_rng(5)
    x, y = (random.integers(-90, 90, shape).astype(np.int32) for shape in ((rows, 700), (700, 67)))
    np.testing.assert_array_equal(_run(found, x, y, OPTIMISED, dtypes.int32), x @ y)


def test_columns_are_divided_where_rows_are_few_and_not_packed() -> None:
    found = _product(4, 1024, 1024, dtypes.float32)  # one tile of rows
    assert not found.variant.packs_rows and found.total >= 8
    assert _product(4, 64, 64, dtypes.float32).total == 1


def test_assembly_is_for_the_processors_it_names() -> None:
    variant = GemmVariant("float", "float", "float", True, False)
    named = {name: Target.named(name) for name in ("x86-64", "haswell", "skylake-avx512", "neoverse")}
    assert [name for name, target in named.items() if has_assembly(variant, target)] == ["haswell", "skylake-avx512"]
    assert not has_assembly(variant._replace(source="bfloat", group=2), named["skylake-avx512"])
    # Narrow vectors on a processor with AVX-512: its tiles have more rows, and two vectors in each need more registers.
    narrow = replace(named["skylake-avx512"], vector_bits=256)
    assert not has_assembly(variant, narrow) and has_assembly(variant._replace(tile_vectors=1), narrow)
    assert not has_assembly(variant._replace(source="i32", compute="i32", result="i32"), named["haswell"])
    text = microkernel_assembly(variant, named["haswell"])
    assert text.count("vfmadd231ps") == 12 and text.count("vbroadcastss") == 6
    text = microkernel_assembly(variant, named["skylake-avx512"])
    assert text.count("vfmadd231ps") == 24 and text.count("zmm24, %zmm26") == 6


def test_long_products_wait_for_the_best() -> None:
    assert _product(4096, 4096, 4096, dtypes.float32).first_tier(None) == OPTIMISED


def test_who_comes_while_a_thread_makes_code_gets_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    entered, second = threading.Event(), threading.Event()
    made: list[Library] = []

    def slow(*arguments: Any, **names: Any) -> Library:
        (second if entered.is_set() else entered).set()
        second.wait(0.2)  # only a second maker ends this early
        made.append(link(*arguments, **names))
        return made[-1]

    monkeypatch.setattr(gemm, "link", slow)
    monkeypatch.setattr(gemm, "_available", set())
    gemm._made.cache_clear()
    product = _product(25, 40, 64, dtypes.float32)
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(product.multiplying, None, OPTIMISED)
        assert entered.wait(10)
        other = threads.submit(product.multiplying, None, OPTIMISED)
        assert first.result(30) is other.result(30) is made[0]
    assert len(made) == 1
