# SPDX-License-Identifier: Apache-2.0
"""What counts as right and what as wrong, value by value."""

from __future__ import annotations

import numpy as np
import pytest

from olympus_conformance.errors import Failed
from olympus_conformance.samples.compare import require_results
from olympus_conformance.samples.instance import Instance
from olympus_conformance.tolerances import allowed_error, unit
from olympus_core import dtypes, ops

NAN, INF = np.nan, np.inf


def is_right(instance: Instance, value: np.ndarray, may_flush: bool = True) -> bool:
    try:
        require_results(instance, [value], "program", may_flush)
    except Failed as failed:
        assert failed.program == "program"
        assert instance.record.name in failed.observed
        return False
    return True


def unary(name: str, values: list[float], dtype: np.dtype = dtypes.float32) -> Instance:
    return Instance(ops.OPERATIONS[name], [np.array(values, dtype)])


def binary(name: str, x: list[float], y: list[float], dtype: np.dtype = dtypes.float32) -> Instance:
    return Instance(ops.OPERATIONS[name], [np.array(x, dtype), np.array(y, dtype)])


@pytest.mark.parametrize("name", sorted(
    n for n, r in ops.OPERATIONS.items() if r.exactness.kind == "function" and r.arity == 1))
@pytest.mark.parametrize("dtype", [dtypes.float32, dtypes.float64], ids=str)
def test_functions_off_by_twenty_units_are_wrong(name: str, dtype: np.dtype) -> None:
    instance = unary(name, [1.7 if name == "acosh" else 0.37], dtype)
    (y,) = instance.reference()
    step = unit(np.maximum(np.abs(y), instance.record.exactness.near), dtype).astype(dtype)
    assert is_right(instance, y)
    assert is_right(instance, y + step)
    assert not is_right(instance, y + 20 * step)
    assert not is_right(instance, -y)


@pytest.mark.parametrize("name", ["add", "sub", "mul", "div", "rem", "next_after"])
@pytest.mark.parametrize("dtype", dtypes.FLOATS, ids=str)
def test_exact_operations_may_not_be_off_at_all(name: str, dtype: np.dtype) -> None:
    instance = binary(name, [1.37], [0.3], dtype)
    (y,) = instance.reference()
    assert is_right(instance, y)
    assert not is_right(instance, np.nextafter(y, np.array(9, dtype)))


def test_shape_and_type_count() -> None:
    instance = unary("neg", [1.0, 2.0])
    assert not is_right(instance, np.array([-1.0], np.float32))
    assert not is_right(instance, np.array([-1.0, -2.0], np.float64))


def test_no_number_stays_none_whatever_its_bits() -> None:
    instance = binary("max", [NAN, 1.0], [1.0, NAN])
    other = np.array([0xFFC00001, 0x7FC0BEEF], np.uint32).view(np.float32)
    assert is_right(instance, other)
    assert not is_right(instance, np.array([1.0, 1.0], np.float32))
    assert not is_right(unary("exp", [1.0]), np.array([NAN], np.float32))
    assert not is_right(unary("exp", [1.0]), np.array([INF], np.float32))


def test_signs_of_zeros() -> None:
    assert not is_right(unary("neg", [0.0]), np.array([0.0], np.float32))
    assert not is_right(unary("sin", [-0.0]), np.array([0.0], np.float32))
    assert is_right(binary("max", [0.0], [-0.0]), np.array([-0.0], np.float32))
    assert not is_right(binary("mul", [0.0], [-1.0]), np.array([0.0], np.float32))


def test_overflow_and_what_is_nearly_so() -> None:
    most = np.finfo(np.float32).max
    assert is_right(unary("exp", [89.0]), np.array([INF], np.float32))
    assert not is_right(unary("exp", [89.0]), np.array([most], np.float32))
    nearly = binary("pow", [most], [1.0])
    assert is_right(nearly, np.array([INF], np.float32))
    assert not is_right(nearly, np.array([-INF], np.float32))
    assert not is_right(nearly, np.array([NAN], np.float32))


def test_denormal_results_may_be_zero_only_where_hardware_does_so() -> None:
    half = binary("mul", [np.finfo(np.float32).tiny], [0.5])
    zero = np.zeros(1, np.float32)
    assert is_right(half, zero)
    assert not is_right(half, zero, may_flush=False)
    narrow = binary("mul", [6e-5], [0.5], dtypes.float16)
    assert not is_right(narrow, np.zeros(1, np.float16))
    assert not is_right(binary("mul", [1e-3], [1e-3]), zero)
    moved = Instance(ops.reverse, [np.array([1e-45], np.float32)], {"dimensions": (0,)})
    assert not is_right(moved, zero)


def test_conversions_round_to_nearest_even() -> None:
    def convert(value: float, source: np.dtype, target: np.dtype) -> Instance:
        return Instance(ops.convert, [np.array([value], source)], {"dtype": target})

    up = convert(1 + 2**-8 + 2**-20, dtypes.float32, dtypes.bfloat16)
    assert is_right(up, np.array([1 + 2**-7], dtypes.bfloat16))
    assert not is_right(up, np.array([1], dtypes.bfloat16))
    tie = convert(1 + 2**-8, dtypes.float32, dtypes.bfloat16)
    assert is_right(tie, np.array([1], dtypes.bfloat16))
    assert not is_right(tie, np.array([1 + 2**-7], dtypes.bfloat16))
    twice = convert(1 + 2**-8 + 2**-40, dtypes.float64, dtypes.bfloat16)  # by way of float32 this is a tie
    assert not is_right(twice, np.array([1], dtypes.bfloat16))
    assert is_right(twice, np.array([1 + 2**-7], dtypes.bfloat16))
    assert not is_right(twice, np.array([1 + 2**-6], dtypes.bfloat16))
    assert not is_right(convert(-1.5, dtypes.float32, dtypes.int32), np.array([-2], np.int32))


def test_sums_are_as_exact_as_their_terms() -> None:
    x = np.random.default_rng(0).standard_normal(1000).astype(np.float32)
    total = Instance(ops.reduce_sum, [x], {"dimensions": (0,)})
    exact = x.astype(np.float64).sum()
    one_by_one = np.float32(0)
    for value in x:
        one_by_one += value
    assert is_right(total, np.asarray(exact, np.float32))
    assert is_right(total, np.asarray(one_by_one))
    assert not is_right(total, np.asarray(x.astype(np.float16).sum(), np.float32))
    assert not is_right(total, np.asarray(x[:-1].sum()))
    narrow = Instance(ops.reduce_sum, [x.astype(dtypes.bfloat16)], {"dimensions": (0,)})
    wide = x.astype(dtypes.bfloat16).astype(np.float64).sum()
    assert is_right(narrow, np.asarray(wide).astype(dtypes.bfloat16))
    step = unit(np.asarray(wide), dtypes.bfloat16)
    assert not is_right(narrow, np.asarray(wide + 2 * step).astype(dtypes.bfloat16))


def test_products_of_matrices_in_a_narrower_type_are_wrong() -> None:
    source = np.random.default_rng(1)
    x, y = (source.standard_normal(shape).astype(np.float32) for shape in ((17, 33), (33, 5)))
    product = Instance(ops.dot_general, [x, y], {
        "lhs_contracting": (1,), "rhs_contracting": (0,), "lhs_batch": (), "rhs_batch": (), "dtype": None})
    assert is_right(product, x @ y)
    rounded = (v.astype(dtypes.bfloat16).astype(np.float32) for v in (x, y))
    assert not is_right(product, np.matmul(*rounded))
    # Ten bits of the fraction, as some hardware multiplies unless it is told not to.
    short = ((v.view(np.uint32) & np.uint32(0xFFFFE000)).view(np.float32) for v in (x, y))
    assert not is_right(product, np.matmul(*short))


def test_complex_numbers_by_the_size_of_both_parts() -> None:
    z = Instance(ops.mul, [np.array([1 + 1j], np.complex64), np.array([1 + 1j], np.complex64)])
    assert is_right(z, np.array([2j], np.complex64))
    assert is_right(z, np.array([1e-7 + 2j], np.complex64))
    assert not is_right(z, np.array([1e-4 + 2j], np.complex64))
    assert not is_right(z, np.array([NAN + 2j], np.complex64))
    assert not is_right(Instance(ops.conj, [np.array([1 + 2j], np.complex64)]), np.array([1 + 2j], np.complex64))


def test_whole_numbers_and_truth_values_are_exact() -> None:
    assert not is_right(binary("add", [2**31 - 1], [1], dtypes.int32), np.array([2**31 - 1], np.int32))
    assert is_right(binary("add", [2**31 - 1], [1], dtypes.int32), np.array([-(2**31)], np.int32))
    assert not is_right(binary("lt", [NAN], [1.0]), np.array([True]))


def test_the_last_place() -> None:
    sizes = np.array([1.0, 1.9, 2.0, 0.0, INF])
    assert unit(sizes, dtypes.float32).tolist() == [2**-23, 2**-23, 2**-22, 2**-149, 2**-149]
    assert unit(np.array([448.0]), dtypes.float8_e4m3fn).tolist() == [32.0]
    narrow = allowed_error(3, dtypes.bfloat16, np.array([1.0]), np.array([1.0]))
    assert 2**-7 < narrow[0] < 1.01 * 2**-7
