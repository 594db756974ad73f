# SPDX-License-Identifier: Apache-2.0
"""Products with few results and very many contracted elements."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus_core import dtypes, ops
from olympus_core.program import ArrayType, Operation, Value
from olympus_core.toolkit import Flat
from olympus_cpu.compiled.passes import PRODUCTS
from olympus_cpu.contractions import gemm
from olympus_cpu.contractions.gemm import Gemm
from olympus_cpu.contractions.gemm_steps import made_step
from olympus_cpu.contractions.split_k import SPLIT_K, split_count
from olympus_cpu.native.linker import BASELINE, OPTIMISED


def random(shape: tuple[int, ...], dtype: Any, seed: int = 0) -> np.ndarray:
    return np.random.default_rng((seed, *shape)).standard_normal(shape).astype(dtype)


def operation(
    x: tuple[int, ...], y: tuple[int, ...], inner: tuple[int, int], dtype: np.dtype = dtypes.float32,
    batch: Any = ((), ()),
) -> Operation:
    attributes = {"lhs_contracting": (inner[0],), "rhs_contracting": (inner[1],), "lhs_batch": batch[0],
                  "rhs_batch": batch[1]}
    operands = tuple(Value(ArrayType(shape, dtype)) for shape in (x, y))
    types = ops.dot_general.type_rule([v.type for v in operands], attributes, ())
    return Operation(ops.dot_general, operands, attributes, (), tuple(map(Value, types)))


def parts(x: tuple[int, ...], y: tuple[int, ...], inner: tuple[int, int] = (1, 0), **options: Any) -> int:
    return split_count(operation(x, y, inner, **options))


def test_how_many() -> None:
    assert parts((64, 100_000), (100_000, 64)) == 16
    assert parts((3, 10_000_000), (10_000_000, 3)) == 139
    assert parts((64, 100_000), (100_000, 64), dtype=dtypes.int32) == 1  # wraps, in any order: nothing is rounded
    assert parts((64, 1000), (1000, 64)) == 1
    assert parts((1000, 100_000), (100_000, 1000)) == 1  # its results are pieces enough
    assert parts((4, 8, 100_000), (4, 100_000, 8), (2, 1), batch=((0,), (0,))) == 13


def test_long_products_are_sums_of_parts() -> None:
    long = operation((100_000, 32), (100_000, 32), (0, 0), dtypes.bfloat16)
    flat = PRODUCTS(Flat(tuple(long.operands), (long,), long.results))
    assert [o.name for o in flat.operations] == [SPLIT_K.name, "reduce_sum", "convert"]
    assert flat.operations[0].results[0].type == ArrayType((16, 32, 32), dtypes.float32)
    short = operation((100, 64), (100, 64), (0, 0))
    assert PRODUCTS(Flat(tuple(short.operands), (short,), short.results)).operations == (short,)


SIZES = [(3, 500_000, 3), (17, 20_011, 40), (130, 4096, 65), (6, 60_000, 80)]
TURNED = [(False, False), (True, False), (False, True), (True, True)]
DTYPES = [dtypes.float32, dtypes.float64, dtypes.bfloat16, dtypes.float16]
# Every pair of a type and a size, of a type and a layout, and of a size and a layout, once.
LAYOUTS = [(dtype, *SIZES[i], TURNED[i ^ j]) for j, dtype in enumerate(DTYPES) for i in range(4)]


@pytest.mark.parametrize(("dtype", "m", "k", "n", "turned"), LAYOUTS)
def test_any_layout(dtype: np.dtype, m: int, k: int, n: int, turned: tuple[bool, bool]) -> None:
    x = random((k, m) if turned[0] else (m, k), dtype)
    y = random((n, k) if turned[1] else (k, n), dtype, 1)

    def f(x: Any, y: Any) -> Any:
        return (x.T if turned[0] else x) @ (y.T if turned[1] else y)

    with olympus.enable_x64(True):
        jitted = olympus.jit(f)
        # The first call's code is another than later ones'.
        found = [np.asarray(jitted(x, y)) for _ in range(2)]
    wide = np.longdouble if dtype == dtypes.float64 else np.float64
    exact = f(x.astype(wide), y.astype(wide)) if wide is np.float64 else np.einsum(
        "ik,kj->ij", x.T if turned[0] else x, y.T if turned[1] else y, dtype=np.longdouble)
    sizes = f(np.abs(x).astype("f8"), np.abs(y).astype("f8"))
    unit = 2.0**-52 if dtype == dtypes.float64 else 2.0**-23
    own = {dtypes.bfloat16: 2.0**-8, dtypes.float16: 2.0**-10}.get(dtype, 0.0)
    for got in found:
        error = np.abs(got.astype(wide) - exact)
        # Of passes of 512 elements, and of parts of some passes.
        assert np.all(error <= sizes * unit * 2 + np.abs(exact) * own)


@pytest.mark.parametrize("dtype", [dtypes.float32, dtypes.float64])
@pytest.mark.parametrize(("m", "k", "n"), [(7, 90_000, 10), (25, 20_000, 64), (100, 5000, 150)])
def test_baseline_code_gives_the_bits_of_optimised_code(
    m: int, k: int, n: int, dtype: np.dtype, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gemm, "_available", set())
    whole = operation((m, k), (k, n), (1, 0), dtype)
    (first, *_) = PRODUCTS(Flat(tuple(whole.operands), (whole,), whole.results)).operations
    step = made_step(first)
    assert step is not None and step.gemm.splits == first.attributes["splits"] > 1
    x, y = random((m, k), dtype), random((k, n), dtype, 1)
    baseline, optimised = (_run(step.gemm, x, y, level) for level in (BASELINE, OPTIMISED))
    assert baseline.tobytes() == optimised.tobytes()
    np.testing.assert_allclose(optimised.sum(0), x @ y, rtol=1e-3, atol=1e-2)


def _run(product: Gemm, x: np.ndarray, y: np.ndarray, level: int) -> np.ndarray:
    assert product.packing(None, level) is None  # pieces do it
    out = np.full((product.splits, x.shape[0], y.shape[1]), 7, x.dtype)
    table = [a.ctypes.data for a in (product.descriptor, x, y, out)]
    product.multiplying(None, level).run("product", table, 0, product.total)
    return out


def test_sums_are_as_exact_as_the_numbers_are() -> None:
    # One pass after the other, these were right to 2e-4.
    x, y = np.ones((3, 3_000_000), np.float32), np.full((3_000_000, 3), 0.1, np.float32)
    np.testing.assert_allclose(olympus.jit(jnp.matmul)(x, y), 3e6 * np.float64(np.float32(0.1)), rtol=1e-5)


def test_stacks_and_several_contracted_dimensions() -> None:
    x, y = random((4, 8, 300, 100), np.float32), random((4, 300, 100, 12), np.float32, 1)
    got = olympus.jit(lambda x, y: lax.dot_general(x, y, (((2, 3), (1, 2)), ((0,), (0,)))))(x, y)
    np.testing.assert_allclose(got, np.einsum("bikl,bklj->bij", x.astype("f8"), y.astype("f8")), rtol=1e-4, atol=1e-3)


def test_infinity_stays_in_its_own_elements() -> None:
    x, y = np.ones((7, 50_000), "f4"), np.ones((50_000, 9), "f4")
    x[6, 20_001], y[1, 8] = np.inf, np.nan
    with np.errstate(invalid="ignore"):  # on some processors NumPy's product tells of the NaN that it was given
        expected = x @ y
    np.testing.assert_array_equal(olympus.jit(jnp.matmul)(x, y), expected)


def test_what_follows_fuses_with_the_sum() -> None:
    x, y, b = random((40_000, 20), np.float32), random((40_000, 30), np.float32, 1), random((30,), np.float32)
    got = olympus.jit(lambda x, y, b: jnp.tanh(x.T @ y / 100 + b))(x, y, b)
    np.testing.assert_allclose(got, np.tanh(x.astype("f8").T @ y / 100 + b), rtol=1e-5, atol=1e-5)
