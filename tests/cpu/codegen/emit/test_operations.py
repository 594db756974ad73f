# SPDX-License-Identifier: Apache-2.0
"""Every elementwise operation on every element type that it takes, on special values, against the reference."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from olympus_core import dtypes, ops
from olympus_core.errors import OlympusError
from olympus_core.program import ArrayType, OperationRecord
from olympus_core.toolkit.loops import Affine, Index, Kernel, Loop, Parameter, run_kernel
from olympus_cpu.codegen.emit.operations import supports

from .running import Body, check, flat_kernel, machine

TYPES = (dtypes.bool_, *dtypes.INTEGERS, *dtypes.FLOATS, *dtypes.COMPLEXES)
RECORDS = [r for r in ops.OPERATIONS.values() if r.category == "elementwise" and r.name not in
           ("convert", "bitcast_convert", "select")]
SPECIAL = (0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.0, 7.25, -100.75, 1e-30, 1e30, -1e38, 6e-5, 65504.0,
           1e-40, np.inf, -np.inf, np.nan)
# Transcendental operations have bounds of their own, which the tests of the vector math keep.
LOOSE = {"float16": 1.0, "bfloat16": 1.0, "float32": 4.0, "float64": 6.0}
ORDINARY = {"add", "sub", "mul", "div", "neg", "abs", "sign", "floor", "ceil", "round", "sqrt", "max", "min", "clamp",
            "rem", "next_after", "eq", "ne", "lt", "le", "gt", "ge", "is_finite", "real", "imag", "conj", "complex"}


def values(dtype: np.dtype, seed: int = 0) -> np.ndarray:
    """Special values and random ones."""
    rng = np.random.default_rng(seed)
    if dtypes.is_bool(dtype):
        return rng.integers(0, 2, 37).astype(bool)
    if dtypes.is_integer(dtype):
        limits = np.iinfo(dtype)
        special = [v for v in (0, 1, -1, 2, 3, 7, -7, 31, 32, 33, 64, 100, limits.min, limits.max, limits.max - 1,
                               limits.min + 1) if limits.min <= v <= limits.max]
        wide = rng.integers(limits.min, limits.max, 12, dtype=dtype, endpoint=True)
        return np.concatenate([np.array(special, dtype), wide, (wide % 10).astype(dtype)])
    with np.errstate(all="ignore"):
        if dtypes.is_complex(dtype):
            part = np.concatenate([SPECIAL, rng.normal(size=16) * 3])
            other = rng.permutation(part)
            return (part + 1j * np.where(np.isfinite(part), other, 1.0)).astype(dtype)
        part = np.concatenate([SPECIAL, rng.normal(size=24), rng.normal(size=20) * 50])
        return np.asarray(part, np.float64).astype(dtype)


def grid(dtype: np.dtype, count: int) -> list[np.ndarray]:
    """All pairs of values, or random triples."""
    single = values(dtype)
    if count == 1:
        return [single]
    if count == 2:
        pairs = list(itertools.product(single, single))
        return [np.array([p[k] for p in pairs], dtype) for k in range(2)]
    rng = np.random.default_rng(1)
    return [rng.choice(single, 500) for _ in range(count)]


def arity(record: OperationRecord, dtype: np.dtype) -> int | None:
    """How many operands of the type the operation takes; None where it takes none."""
    for count in (1, 2, 3):
        try:
            record.type_rule([ArrayType((2,), dtype)] * count, {}, ())
        except OlympusError:
            continue
        return count
    return None


# Compared with exact values by test_math.py: at the ends of their domains the references have no digits.
ELSEWHERE = ("igamma", "igammac", "igamma_grad_a", "random_gamma_grad", "betainc", "zeta", "polygamma")
CASES = [(r, t) for r in RECORDS for t in TYPES if arity(r, t) is not None and r.name not in ELSEWHERE]


@pytest.mark.parametrize(("record", "dtype"), CASES, ids=lambda v: v.name)
def test_operation(record: OperationRecord, dtype: np.dtype) -> None:
    count = arity(record, dtype)
    assert count is not None
    if not supports(record, [dtype]):
        assert (record.name, dtypes.is_complex(dtype)) in UNSUPPORTED
        return
    operands = grid(dtype, count)
    (result,) = record.type_rule([ArrayType((2,), dtype)] * count, {}, ())
    kernel = flat_kernel(record, [dtype] * count, [result.dtype], operands[0].size)
    ulps = 0.0 if record.name in ORDINARY or not dtypes.is_float(dtype) else LOOSE[dtype.name]
    if record.name in ("lgamma", "digamma") and dtype == dtypes.float64:
        ulps = 4096.0  # the reference loses digits here; tests of the vector math compare with exact values
    if dtypes.is_complex(dtype):
        compare_complex(kernel, operands)
        return
    check(kernel, operands, ulps, level=level_for(dtype))


UNSUPPORTED: set[tuple[str, bool]] = set()  # what stays with the platform's table: name, whether complex


def level_for(dtype: np.dtype) -> int:
    """Optimised code takes three times as long to make: for the most common types only."""
    return 2 if dtype in (dtypes.float32, dtypes.int32, dtypes.bool_) else 0


def compare_complex(kernel: Kernel, operands: list[np.ndarray]) -> None:
    """Both parts near the reference's, by the number's size; where it is not finite only that."""
    (want,), (got,) = run_kernel(kernel, operands), machine(kernel, operands, level=0)
    if got.dtype.kind != "c":
        finite = np.isfinite(want) if got.dtype.kind == "f" else np.ones(want.shape, bool)
        np.testing.assert_allclose(got[finite], want[finite], rtol=1e-6 if got.dtype != np.float64 else 1e-14)
        return
    # Parts beyond the root of the range may overflow in one order of steps and not in another.
    limit = 10 if kernel.name == "pow" else 1e15  # a power's error grows with the exponent
    moderate = np.logical_and.reduce([np.isfinite(x) & (np.abs(x) < limit) for x in operands])
    finite = np.isfinite(want) & np.isfinite(got)
    assert (np.isfinite(want) == np.isfinite(got))[moderate].mean() > 0.98
    finite &= moderate
    rtol = 1e-5 if got.dtype == np.complex64 else 1e-13
    np.testing.assert_array_less(np.abs(got[finite] - want[finite]), rtol * np.abs(want[finite]) + 1e-37)


@pytest.mark.parametrize("source", TYPES, ids=lambda t: t.name)
def test_convert(source: np.dtype) -> None:
    for target in TYPES:
        kernel = flat_kernel(ops.convert, [source], [target], values(source).size, {"dtype": target})
        check(kernel, [values(source)], level=level_for(target))


@pytest.mark.parametrize("source", [*dtypes.INTEGERS, *dtypes.FLOATS], ids=lambda t: t.name)
def test_bitcast(source: np.dtype) -> None:
    for target in (t for t in (*dtypes.INTEGERS, *dtypes.FLOATS) if t.itemsize == source.itemsize):
        x = values(source)
        x = x[~np.isnan(x.astype(np.float64))] if dtypes.is_float(source) else x
        kernel = flat_kernel(ops.bitcast_convert, [source], [target], x.size, {"dtype": target})
        (want,), (got,) = run_kernel(kernel, [x]), machine(kernel, [x], level=0)
        nan = np.isnan(want.astype(np.float64)) if dtypes.is_float(target) else np.zeros(want.shape, bool)
        np.testing.assert_array_equal(got.view(np.uint8).reshape(x.size, -1)[~nan],
                                      want.view(np.uint8).reshape(x.size, -1)[~nan])


@pytest.mark.parametrize("dtype", TYPES, ids=lambda t: t.name)
def test_select(dtype: np.dtype) -> None:
    x, y = grid(dtype, 2)
    predicate = np.random.default_rng(2).integers(0, 2, x.size).astype(bool)
    check(flat_kernel(ops.select, [dtypes.bool_, dtype, dtype], [dtype], x.size), [predicate, x, y], level=0)


def test_threefry() -> None:
    rng = np.random.default_rng(3)
    words = [rng.integers(0, 1 << 32, 100, dtype=np.uint32) for _ in range(4)]
    check(flat_kernel(ops.threefry2x32, [dtypes.uint32] * 4, [dtypes.uint32] * 2, 100), words)


def test_remainders_of_very_different_numbers() -> None:
    rng = np.random.default_rng(4)
    for dtype in (dtypes.float32, dtypes.float64):
        bits = f"u{dtype.itemsize}"
        limit = np.iinfo(bits).max
        x, y = (rng.integers(0, limit, 3000, dtype=bits, endpoint=True).view(dtype) for _ in range(2))
        check(flat_kernel(ops.rem, [dtype, dtype], [dtype], x.size), [x, y])


@pytest.mark.parametrize("dtype", dtypes.INTEGERS, ids=lambda t: t.name)
def test_division_by_constants(dtype: np.dtype) -> None:
    x, limits = values(dtype), np.iinfo(dtype)
    index, size = Index("i"), x.size
    operand = Parameter("x", dtype, size, "input")
    body, outputs, divisors = Body(), [], []
    for divisor in (0, 1, -1, 2, 3, -7, 10, 64, limits.min, limits.max):
        if not limits.min <= divisor <= limits.max:
            continue
        for record in (ops.div, ops.rem):
            outputs.append(Parameter(f"y{len(outputs)}", dtype, size, "output"))
            divided = body.load(operand, Affine.of(index)), body.constant(dtype.type(divisor))
            body.store(outputs[-1], Affine.of(index), body.compute(record, *divided))
        divisors.append(divisor)
    kernel = Kernel("division", (operand, *outputs), Loop(index, size, "lanes", body.done()))
    for level in (0, 2):
        check(kernel, [x], level=level)
    found = machine(kernel, [x], level=0)
    for quotient, divisor in zip(found[::2], divisors, strict=True):
        if divisor not in (0, -1):
            cut = [abs(int(v)) // abs(divisor) * (1 if (v < 0) == (divisor < 0) else -1) for v in x]
            np.testing.assert_array_equal(quotient, np.array(cut, dtype))


def test_narrow_types_are_refused() -> None:
    assert not supports(ops.add, [dtypes.float8_e4m3fn])
    assert not supports(ops.convert, [dtypes.int4])
    assert not supports(ops.sort, [dtypes.float32])
    assert supports(None, [dtypes.bfloat16])
    assert not supports(None, [dtypes.float8_e5m2])
    assert not supports(ops.add, [dtypes.bool_])
