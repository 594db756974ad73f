# SPDX-License-Identifier: Apache-2.0
"""Operations along one dimension: against Python's `accumulate` and `sorted`."""

from __future__ import annotations

import functools
import itertools
import math
import operator

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from olympus_core import dtypes, ops
from olympus_core.errors import OperandError
from olympus_core.program import ArrayType

from .factor_check import apply, check_additive, check_factors, described
from .test_unary import wrapped

FOLDS = {"cumsum": operator.add, "cumprod": operator.mul, "cummax": max, "cummin": min}


@pytest.mark.parametrize(("name", "dtype"), [
    (name, dtype) for name in FOLDS for dtype in dtypes.ALL
    if dtype.kind != "b" and not (dtype.kind == "c" and name in ("cummax", "cummin"))
])
def test_cumulative(name, dtype):
    for shape in ((7,), (2, 5, 3), (0,), (3, 0), (1, 1)):
        x = np.asarray(np.random.default_rng(0).integers(0, 3, shape) + 0.5).astype(dtype)
        for dimension, reverse in itertools.product(range(x.ndim), (False, True)):
            (result,) = apply(ops.OPERATIONS[name], [x], dimension=dimension, reverse=reverse)
            lines = np.moveaxis(x, dimension, -1).reshape(-1, x.shape[dimension]) if x.size else []
            found = np.moveaxis(result, dimension, -1).reshape(-1, x.shape[dimension]) if x.size else []
            for line, got in zip(lines, found, strict=True):
                numbers = [v.item() for v in line][:: -1 if reverse else 1]
                expected = list(itertools.accumulate(numbers, FOLDS[name]))[:: -1 if reverse else 1]
                if dtypes.is_integer(dtype):
                    assert got.tolist() == [wrapped(v, dtype) for v in expected]
                else:
                    tolerance = 1e-5 if dtype.itemsize > 2 else float(ml_dtypes.finfo(dtype).eps)
                    np.testing.assert_allclose(got.astype(complex), expected, rtol=tolerance)


def test_cumulative_extremes_keep_nan_and_sums_wrap():
    x = np.float32([1, np.nan, 0])
    np.testing.assert_array_equal(apply(ops.cummax, [x], dimension=0, reverse=False)[0], [1, np.nan, np.nan])
    np.testing.assert_array_equal(apply(ops.cummin, [x], dimension=0, reverse=True)[0], [np.nan, np.nan, 0])
    assert apply(ops.cumsum, [np.int8([100, 100])], dimension=0, reverse=False)[0].tolist() == [100, -56]
    truth = np.array([False, True, False])
    assert apply(ops.cummax, [truth], dimension=0, reverse=False)[0].tolist() == [False, True, True]


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16])
def test_narrow_floats_are_summed_in_float32(dtype):
    (result,) = apply(ops.cumsum, [np.ones(3000, dtype)], dimension=0, reverse=False)
    np.testing.assert_array_equal(result, np.arange(1, 3001).astype(dtype))


def before(a: float, b: float) -> int:
    """Python's order of numbers, NaN last."""
    if math.isnan(a) or math.isnan(b):
        return int(math.isnan(a)) - int(math.isnan(b))
    return (a > b) - (a < b)


numbers = st.sampled_from([-1.0, -0.0, 0.0, 1.0, 2.0, math.inf, -math.inf, math.nan])


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(numbers, numbers), max_size=9), st.integers(1, 2), st.sampled_from(dtypes.FLOATS))
def test_sort_is_stable_and_lexicographic(rows, keys, dtype):
    first, second = (np.array([r[i] for r in rows], dtype) for i in (0, 1))
    places = np.arange(len(rows), dtype=np.int32)
    results = apply(ops.sort, [first, second, places], dimension=0, keys=keys)

    def compare(i: int, j: int) -> int:
        for k in range(keys):
            order = before(rows[i][k], rows[j][k])
            if order:
                return order
        return 0

    expected = sorted(range(len(rows)), key=functools.cmp_to_key(compare))
    assert results[2].tolist() == expected
    for result, operand in zip(results, (first, second), strict=False):
        assert result.tobytes() == operand[expected].tobytes()


@pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)
def test_sort_of_every_type_in_every_dimension(dtype):
    x = (np.random.default_rng(0).permutation(24).reshape(2, 4, 3) % (2 if dtype.kind == "b" else 16)).astype(dtype)
    for dimension in range(3):
        (result,) = apply(ops.sort, [x], dimension=dimension, keys=1)
        lines = np.moveaxis(x, dimension, -1).reshape(-1, x.shape[dimension])
        found = np.moveaxis(result, dimension, -1).reshape(-1, x.shape[dimension])
        for line, got in zip(lines, found, strict=True):
            assert got.tolist() == sorted(line.tolist(), key=lambda v: v.real)
    assert apply(ops.sort, [x[:0]], dimension=0, keys=1)[0].shape == (0, 4, 3)


def taken_in_turn(line: list, k: int) -> list[int]:
    """The places of the greatest elements, found one at a time."""
    left, found = list(range(len(line))), []
    for _ in range(k):
        best = left[0]
        for i in left[1:]:
            if before(line[i], line[best]) > 0:
                best = i
        left.remove(best)
        found.append(best)
    return found


@settings(max_examples=60, deadline=None)
@given(st.lists(numbers, max_size=9), st.data(), st.sampled_from(dtypes.FLOATS))
def test_top_k_gives_the_greatest_and_of_equal_ones_the_first(row, data, dtype):
    k = data.draw(st.integers(0, len(row)))
    x = np.array(row, dtype)
    values, places = apply(ops.top_k, [x], dimension=0, k=k, dtype=dtypes.int32)
    assert places.tolist() == taken_in_turn(x.astype(np.float64).tolist(), k)
    assert values.tobytes() == x[places].tobytes()


@pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)
def test_top_k_of_every_type_in_every_dimension(dtype):
    x = (np.random.default_rng(0).permutation(24).reshape(2, 4, 3) % (2 if dtype.kind == "b" else 16)).astype(dtype)
    for dimension in range(3):
        n = x.shape[dimension]
        for k in range(n + 1):
            values, places = apply(ops.top_k, [x], dimension=dimension, k=k, dtype=dtypes.int64)
            lines = np.moveaxis(x, dimension, -1).reshape(-1, n)
            found = (np.moveaxis(y, dimension, -1).reshape(len(lines), k) for y in (values, places))
            for line, got, at in zip(lines, *found, strict=True):
                assert got.tolist() == sorted(line.tolist(), key=lambda v: v.real, reverse=True)[:k]
                assert at.tolist() == sorted(range(n), key=lambda i: -line.tolist()[i].real)[:k]
    assert [y.shape for y in apply(ops.top_k, [x[:0]], dimension=1, k=2, dtype=dtypes.int32)] == [(0, 2, 3)] * 2


def test_complex_numbers_sort_by_real_part_then_imaginary_with_nan_last():
    nan = math.nan
    z = np.array([complex(nan, 0), 2 + 1j, complex(1, nan), 2 - 1j, -1 + 9j], np.complex64)
    (_, order) = apply(ops.sort, [z, np.arange(5)], dimension=0, keys=1)
    assert order.tolist() == [4, 3, 1, 2, 0]


def test_factor_rules():
    x = np.random.default_rng(0).integers(1, 9, (4, 6, 2)).astype(np.float32)
    for name in FOLDS:
        for reverse in (False, True):
            rule = check_factors(ops.OPERATIONS[name], [x], dimension=1, reverse=reverse)
            assert described(rule) == "abc -> abc; b whole"
    assert described(check_factors(ops.sort, [x, -x], dimension=1, keys=2)) == "abc, abc -> abc, abc; b whole"
    assert described(check_factors(ops.top_k, [x], dimension=1, k=2, dtype=dtypes.int32)) == (
        "abc -> adc, adc; b whole, d whole")
    check_additive(ops.cumsum, [x], dimension=1, reverse=True)


@pytest.mark.parametrize(("name", "dtype", "attributes"), [
    ("cumsum", bool, {"dimension": 0, "reverse": False}), ("cummax", np.complex64, {"dimension": 0, "reverse": False}),
    ("cumsum", np.float32, {"dimension": 2, "reverse": False}), ("cumsum", np.float32, {"dimension": 0, "reverse": 1}),
    ("sort", np.float32, {"dimension": 0, "keys": 0}), ("sort", np.float32, {"dimension": 0, "keys": 2}),
    ("sort", np.float32, {"dimension": True, "keys": 1}),
    *[("top_k", np.float32, {"dimension": 0, "k": 1, "dtype": dtypes.int32, **wrong})
      for wrong in ({"k": 4}, {"k": -1}, {"k": True}, {"dimension": 2}, {"dtype": dtypes.float32}, {"keys": 1})],
])
def test_refusals(name, dtype, attributes):
    with pytest.raises(OperandError, match=name):
        ops.OPERATIONS[name].type_rule([ArrayType((3, 2), dtype)], attributes, ())


def test_sort_refuses_operands_of_different_shapes():
    with pytest.raises(OperandError, match="all of one shape"):
        types = [ArrayType((3,), "int32"), ArrayType((4,), "int32")]
        ops.sort.type_rule(types, {"dimension": 0, "keys": 1}, ())
