# SPDX-License-Identifier: Apache-2.0
"""Products with little to contract, products with vectors, and powers by constants, against NumPy."""

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
from olympus_core.toolkit.fusion import FusionOptions
from olympus_cpu.compiled.passes import POWERS, PRODUCTS, cpu_passes

TYPES = ["float32", "float64", "bfloat16", "float16", "int8", "uint32", "int64", "complex64", "complex128"]
UNITS = {"float32": 2.0**-22, "float64": 2.0**-51, "bfloat16": 2.0**-8, "float16": 2.0**-10, "complex64": 2.0**-22,
         "complex128": 2.0**-51}
SMALLEST = {"float16": 2.0**-25}


def numbers(shape: tuple[int, ...], dtype: str, seed: int) -> np.ndarray:
    random = np.random.default_rng((seed, *shape))
    kind = jnp.dtype(dtype)
    if kind.kind == "c":
        return (random.standard_normal(shape) + 1j * random.standard_normal(shape)).astype(kind)
    if kind.kind in "iu":
        return random.integers(-100, 100, shape).astype(kind)
    return random.standard_normal(shape).astype(kind)


def check(f: Any, exact: Any, dtype: str, *operands: np.ndarray) -> None:
    with olympus.enable_x64(True):
        found = np.asarray(olympus.jit(f)(*operands))
    assert found.dtype == jnp.dtype(dtype)
    if found.dtype.kind in "iu":  # they wrap
        np.testing.assert_array_equal(found, exact(*(x.astype(np.int64) for x in operands)).astype(found.dtype))
        return
    wide = np.complex128 if found.dtype.kind == "c" else np.float64
    wanted = exact(*(x.astype(wide) for x in operands))
    sizes = exact(*(np.abs(x.astype(wide)) for x in operands))
    assert found.shape == wanted.shape
    assert np.all(np.abs(found.astype(wide) - wanted) <= UNITS[dtype] * sizes + SMALLEST.get(dtype, 0.0))


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize(("spec", "x", "y"), [
    ("ij,ij->ij", (5, 7), (5, 7)), ("ij,i->ij", (5, 7), (5,)), ("ij,j->ij", (5, 7), (7,)), ("ij,j->ji", (5, 7), (7,)),
    ("bij,bij->bij", (3, 5, 7), (3, 5, 7)), ("bi,bj->bij", (5, 7), (5, 3)), ("i,j->ij", (5,), (7,)),
    ("ij,ji->ji", (5, 7), (7, 5)), ("ai,bj->abij", (2, 3), (4, 5)), (",ij->ij", (), (5, 7)), ("i,i->i", (1,), (1,)),
    ("ijk,kl->ijl", (5, 7, 1), (1, 3)), ("ki,kj->ij", (3, 5), (3, 7)), ("ik,jk->ij", (5, 4), (7, 4)),
    ("ijk,klj->il", (5, 2, 2), (2, 7, 2)), ("bki,bjk->bij", (20, 5, 3), (20, 6, 5)),
    ("ibk,kbj->bji", (8, 17, 7), (7, 17, 2)), ("ij,j->i", (9, 30), (30,)), ("bij,bj->bi", (3, 9, 30), (3, 30)),
    ("bi,bij->jb", (3, 9), (3, 9, 30)),
])
def test_products_that_fuse(spec: str, x: tuple[int, ...], y: tuple[int, ...], dtype: str) -> None:
    operands = numbers(x, dtype, 0), numbers(y, dtype, 1)
    check(lambda x, y: jnp.einsum(spec, x, y), lambda x, y: np.einsum(spec, x, y), dtype, *operands)


@pytest.mark.parametrize(("source", "wanted"), [
    ("bfloat16", "float32"), ("float32", "bfloat16"), ("float32", "float64"), ("float64", "float32"),
    ("int8", "int32"), ("int64", "int16"), ("complex64", "complex128"),
])
@pytest.mark.parametrize(("x", "y", "dimensions"), [
    ((5, 7), (5, 3), (((), ()), ((0,), (0,)))), ((5, 3), (3, 7), (((1,), (0,)), ((), ()))),
    ((9, 30), (30,), (((1,), (0,)), ((), ()))),
])
def test_results_of_another_type(source: str, wanted: str, x: Any, y: Any, dimensions: Any) -> None:
    operands = numbers(x, source, 0), numbers(y, source, 1)
    spec = {(5, 7): "bi,bj->bij", (5, 3): "ik,kj->ij", (9, 30): "ij,j->i"}[x]
    check(lambda x, y: lax.dot_general(x, y, dimensions, preferred_element_type=wanted),
          lambda x, y: np.einsum(spec, x, y), wanted, *operands)


def test_narrow_products_are_rounded_once() -> None:
    x, y = (numbers((64, 64), "bfloat16", seed) for seed in range(2))
    found = np.asarray(olympus.jit(lambda x, y: jnp.einsum("ij,ij->ij", x, y))(x, y))
    np.testing.assert_array_equal(found, (x.astype("f4") * y.astype("f4")).astype(x.dtype))
    found = np.asarray(olympus.jit(lambda x, y: x[:, :2] @ y[:2])(x, y))
    products = [np.outer(x[:, k].astype("f4"), y[k].astype("f4")) for k in range(2)]
    np.testing.assert_array_equal(found, (products[0] + products[1]).astype(x.dtype))


def test_infinite_and_lacking_numbers() -> None:
    x = np.array([[np.inf, 1.0], [np.nan, 2.0], [0.0, -np.inf]], np.float32)
    y = np.array([[0.0, 3.0, -1.0], [1.0, np.inf, 0.0]], np.float32)
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(np.asarray(olympus.jit(jnp.matmul)(x, y)), x @ y)
        np.testing.assert_array_equal(
            np.asarray(olympus.jit(lambda x, y: jnp.einsum("ij,ji->ij", x, y))(x, y)), x * y.T)


def flat_of(x: tuple[int, ...], y: tuple[int, ...], contracting: Any, batch: Any, dtype: np.dtype) -> Flat:
    attributes = {"lhs_contracting": contracting[0], "rhs_contracting": contracting[1], "lhs_batch": batch[0],
                  "rhs_batch": batch[1]}
    operands = tuple(Value(ArrayType(shape, dtype)) for shape in (x, y))
    types = ops.dot_general.type_rule([v.type for v in operands], attributes, ())
    operation = Operation(ops.dot_general, operands, attributes, (), tuple(map(Value, types)))
    return Flat(operands, (operation,), operation.results)


@pytest.mark.parametrize(("x", "y", "contracting", "batch", "stays"), [
    ((8, 9), (8, 9), ((), ()), ((0, 1), (0, 1)), False),
    ((100, 4), (4, 100), ((1,), (0,)), ((), ()), False),
    ((100, 5), (5, 100), ((1,), (0,)), ((), ()), True),
    ((16, 8, 8), (16, 8, 8), ((2,), (1,)), ((0,), (0,)), False),
    ((15, 8, 8), (15, 8, 8), ((2,), (1,)), ((0,), (0,)), True),
    ((16, 8, 11), (16, 11, 8), ((2,), (1,)), ((0,), (0,)), True),
    ((100, 10), (10, 10), ((1,), (0,)), ((), ()), False),
    ((100, 10), (10, 11), ((1,), (0,)), ((), ()), True),
    ((100, 50), (50,), ((1,), (0,)), ((), ()), False),
])
def test_which_products_stay(x: Any, y: Any, contracting: Any, batch: Any, stays: bool) -> None:
    for dtype in (dtypes.float32, dtypes.complex64):
        flat = flat_of(x, y, contracting, batch, dtype)
        found = PRODUCTS(flat)
        assert ("dot_general" in {operation.name for operation in found.operations}) == stays
        assert (found is flat) == stays
        assert [v.type for v in found.outputs] == [v.type for v in flat.outputs]


FLOATS = ["float32", "float64", "bfloat16", "float16"]


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("exponent", [0.5, -0.5, 2.0, 3.0, -1.0, 1.0, 1.5, 0.0, -2.0])
def test_powers_by_constants(exponent: float, dtype: str) -> None:
    kind = jnp.dtype(dtype)
    limits = jnp.finfo(dtype)
    special = [0.0, -0.0, 1, -1, 0.5, -2, 4, np.inf, -np.inf, np.nan, float(limits.max), -float(limits.max),
               float(limits.tiny), float(limits.smallest_subnormal), -float(limits.smallest_subnormal)]
    sizes = np.random.default_rng(1).standard_normal(2000) * 2.0 ** np.random.default_rng(2).integers(-40, 40, 2000)
    with olympus.enable_x64(True), np.errstate(all="ignore"):
        x = np.concatenate([special, sizes]).astype(kind)
        found = np.asarray(olympus.jit(lambda x: x**exponent)(x))
        wanted = np.power(x.astype(np.longdouble), np.longdouble(exponent))
        rounded = wanted.astype(kind)
    assert found.dtype == kind
    numbers = ~np.isnan(rounded)
    np.testing.assert_array_equal(np.isnan(found), ~numbers)
    np.testing.assert_array_equal(np.signbit(found[numbers]), np.signbit(rounded[numbers]))
    exactly = numbers & ((rounded == 0) | np.isinf(rounded))
    np.testing.assert_array_equal(found[exactly], rounded[exactly])
    rest = np.isfinite(found) & numbers & ~exactly
    assert np.isfinite(found[numbers & ~exactly]).all()
    with np.errstate(over="ignore"):  # the greatest number has no other beyond it
        unit = np.abs(np.spacing(rounded[rest])).astype(np.longdouble)
    bound = 1.1 if dtype == "float64" else 0.55 if dtype == "float32" else 0.51
    assert np.all(np.abs(found[rest].astype(np.longdouble) - wanted[rest]) <= bound * unit)


@pytest.mark.parametrize("exponent", [0.5, -0.5, 2.0, 3.0, -1.0])
def test_derivatives_of_powers_by_constants(exponent: float) -> None:
    x = np.linspace(0.1, 5, 50, dtype=np.float32)
    found = olympus.vmap(olympus.grad(lambda x: x**exponent))(x)
    np.testing.assert_allclose(found, exponent * x.astype("f8") ** (exponent - 1), rtol=1e-6)


def test_which_powers_stay() -> None:
    def names(exponent: float, dtype: np.dtype) -> list[str]:
        x = Value(ArrayType((8,), dtype))
        constant = Value(ArrayType((8,), dtype))
        value = np.full(8, exponent, dtype)
        result = Value(ArrayType((8,), dtype))
        operations = (Operation(ops.constant, (), {"value": value}, (), (constant,)),
                      Operation(ops.pow, (x, constant), {}, (), (result,)))
        flat = POWERS(Flat((x,), operations, (result,)))
        assert [v.type for v in flat.outputs] == [result.type]
        return [operation.name for operation in flat.operations]

    assert "pow" in names(1.5, dtypes.float32) and "pow" in names(3, dtypes.float64)
    for exponent in (0.5, 2, -1, 1):
        for dtype in (dtypes.float32, dtypes.float64, dtypes.float16, dtypes.bfloat16):
            assert "pow" not in names(exponent, dtype)
    assert names(2, dtypes.float32) == ["mul"] and names(1, dtypes.float32) == []


@pytest.mark.parametrize("dtype", FLOATS)
def test_powers_of_two(dtype: str) -> None:
    limits = jnp.finfo(dtype)
    whole = np.arange(limits.minexp - limits.nmant - 3, limits.maxexp + 3)
    parts = np.random.default_rng(0).uniform(limits.minexp, limits.maxexp, 2000)
    with olympus.enable_x64(True), np.errstate(all="ignore"):
        x = np.concatenate([whole, parts, [0.0, -0.0, np.inf, -np.inf, np.nan]]).astype(dtype)
        found = np.asarray(olympus.jit(jnp.exp2)(x))
        wanted = np.exp2(x.astype(np.longdouble))
    assert found.dtype == x.dtype
    with np.errstate(all="ignore"):
        rounded = wanted.astype(x.dtype)
        exactly = (x == np.round(x)) | np.isnan(x)
        np.testing.assert_array_equal(found[exactly].astype("f8"), rounded[exactly].astype("f8"))
        unit = np.maximum(np.spacing(rounded), limits.smallest_subnormal)[~exactly].astype(np.longdouble)
        apart = np.abs(found[~exactly].astype(np.longdouble) - wanted[~exactly])
    assert np.all(apart <= unit * (0.51 if limits.bits == 16 else 1.1))


def test_the_order_of_passes() -> None:
    """What products and powers become is folded and shared by the toolkit's pass behind them."""
    started: list[str] = []
    passes = cpu_passes(lambda record, types: True, FusionOptions(),
                        lambda operations: started.extend(operation.name for operation in operations))
    assert passes.names == (
        "dead-carries", "scans", "complex-products", "products", "powers", "transforms", "lower", "start-calls")
    flat = flat_of((100, 50), (50, 30), ((1,), (0,)), ((), ()), dtypes.bfloat16)
    found = passes.run(flat)
    assert [operation.name for operation in found.operations] == started == ["dot_general", "convert"]
    assert passes.run(found).program("again").text == found.program("again").text
