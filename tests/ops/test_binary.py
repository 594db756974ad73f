# SPDX-License-Identifier: Apache-2.0
"""Operations on two operands against Python's numbers, element by element."""

from __future__ import annotations

import math
import operator

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from olympus_core import dtypes, ops
from olympus_core.errors import OperandError
from olympus_core.ops import binary
from olympus_core.program import ArrayType, OperationRecord

from .factor_check import apply, check_additive, check_factors, described
from .test_unary import FLOATS, SHAPES, wrapped

REAL_FUNCTIONS = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": operator.truediv, "rem": math.fmod,
    "pow": lambda x, y: abs(x) ** y, "max": max, "min": min, "atan2": math.atan2,
}
COMPARISONS = {
    "eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge,
}
BITWISE = {"and": operator.and_, "or": operator.or_, "xor": operator.xor}


def pair(shape, dtype, seed=5):
    generator = np.random.default_rng(seed)
    x, y = (generator.uniform(0.3, 4, shape) * generator.choice([-1, 1], shape) for _ in range(2))
    return np.asarray(x).astype(dtype), np.asarray(y).astype(dtype)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", REAL_FUNCTIONS)
def test_floats(name, dtype):
    for shape in SHAPES:
        x, y = pair(shape, dtype)
        x = np.abs(x) if name == "pow" else x
        (result,) = apply(ops.OPERATIONS[name], [x, y])
        numbers = [REAL_FUNCTIONS[name](float(a), float(b)) for a, b in zip(x.flat, y.flat, strict=True)]
        tolerance = {4: 1e-6, 8: 1e-13}.get(x.dtype.itemsize, float(ml_dtypes.finfo(x.dtype).eps) * 0.52)
        expected = np.array(numbers, np.float64).reshape(shape)
        np.testing.assert_allclose(result.astype(np.float64), expected, rtol=tolerance, atol=1e-7)


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_complex_numbers(dtype):
    x, y = (a + 1j * b for a, b in (pair((9,), np.float64), pair((9,), np.float64, seed=6)))
    x, y = x.astype(dtype), y.astype(dtype)
    for name in ("add", "sub", "mul", "div", "pow"):
        function = operator.pow if name == "pow" else REAL_FUNCTIONS[name]
        expected = [function(complex(a), complex(b)) for a, b in zip(x, y, strict=True)]
        np.testing.assert_allclose(apply(ops.OPERATIONS[name], [x, y])[0], expected, rtol=1e-4)
    assert apply(ops.eq, [x, x.copy()])[0].all() and not apply(ops.eq, [x, y])[0].any()
    assert apply(ops.ne, [x, y])[0].all()


def truncated(x: int, y: int) -> int:
    """Division of integers as the operation set has it, with unbounded integers."""
    if y == 0:
        return -1
    return abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)


def power(x: int, y: int) -> int:
    if y >= 0:
        return x**y
    return x ** (y % 2) if abs(x) == 1 else 0


@pytest.mark.parametrize("dtype", dtypes.INTEGERS, ids=str)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_integers_against_unbounded_ones(dtype, data):
    info = np.iinfo(dtype)
    number = st.integers(int(info.min), int(info.max)) | st.integers(max(-3, int(info.min)), 3)
    pairs = data.draw(st.lists(st.tuples(number, number), max_size=6))
    pairs += [(int(info.min), wrapped(-1, dtype)), (7, 0), (0, 0), (int(info.max), 2)]
    xs, ys = ([p[i] for p in pairs] for i in (0, 1))
    x, y = np.array(xs, dtype), np.array(ys, dtype)
    both = list(zip(xs, ys, strict=True))
    for name, function in {
        "add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": truncated,
        "rem": lambda a, b: a - truncated(a, b) * b if b else a, "max": max, "min": min, **BITWISE,
    }.items():
        expected = [wrapped(function(a, b), dtype) for a, b in both]
        assert apply(ops.OPERATIONS[name], [x, y])[0].tolist() == expected, name
    for name, function in COMPARISONS.items():
        assert apply(ops.OPERATIONS[name], [x, y])[0].tolist() == [function(a, b) for a, b in both]
    exponents = [b % 9 - (4 if info.min < 0 else 0) for b in ys]
    expected = [wrapped(power(a, b), dtype) for a, b in zip(xs, exponents, strict=True)]
    assert apply(ops.pow, [x, np.array(exponents, dtype)])[0].tolist() == expected


@pytest.mark.parametrize("dtype", dtypes.INTEGERS, ids=str)
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_shifts_against_unbounded_integers(dtype, data):
    info, bits = np.iinfo(dtype), 8 * dtype.itemsize
    value = st.integers(int(info.min), int(info.max))
    amounts = [0, 1, bits - 1, bits, bits + 3, 127, data.draw(st.integers(0, bits)), wrapped(-1, dtype)]
    xs = data.draw(st.lists(value, min_size=len(amounts), max_size=len(amounts)))
    x, y = np.array(xs, dtype), np.array(amounts, dtype)
    steps = [b & ((1 << bits) - 1) for b in amounts]  # a negative amount is a great one
    steps = [min(s, bits) for s in steps]
    unsigned = [v & ((1 << bits) - 1) for v in xs]
    signed = [wrapped(v, np.dtype(f"i{dtype.itemsize}")) for v in xs]
    left = [wrapped(v << s, dtype) for v, s in zip(xs, steps, strict=True)]
    logical = [wrapped(v >> s, dtype) for v, s in zip(unsigned, steps, strict=True)]
    arithmetic = [wrapped(v >> s, dtype) for v, s in zip(signed, steps, strict=True)]
    assert apply(ops.shift_left, [x, y])[0].tolist() == left
    assert apply(ops.shift_right_logical, [x, y])[0].tolist() == logical
    assert apply(ops.shift_right_arithmetic, [x, y])[0].tolist() == arithmetic


def test_truth_values():
    x, y = np.array([True, True, False, False]), np.array([True, False, True, False])
    for name, function in {**BITWISE, **COMPARISONS, "max": max, "min": min}.items():
        expected = [bool(function(bool(a), bool(b))) for a, b in zip(x, y, strict=True)]
        assert apply(ops.OPERATIONS[name], [x, y])[0].tolist() == expected


@pytest.mark.parametrize("dtype", FLOATS)
def test_extremes_propagate_nan_and_comparisons_refuse_it(dtype):
    x, y = np.array([np.nan, 1, np.nan], dtype), np.array([1, np.nan, np.nan], dtype)
    assert np.isnan(apply(ops.max, [x, y])[0].astype(float)).all()
    assert np.isnan(apply(ops.min, [x, y])[0].astype(float)).all()
    for name in COMPARISONS:
        assert apply(ops.OPERATIONS[name], [x, y])[0].all() == (name == "ne")
        assert apply(ops.OPERATIONS[name], [x, y])[0].any() == (name == "ne")


def test_division_and_remainder_of_floats_at_their_ends():
    x, y = np.float32([1, -1, 0, np.inf, 5, -5]), np.float32([0, 0, 0, np.inf, np.inf, 3])
    (quotient,) = apply(ops.div, [x, y])
    assert quotient[:2].tolist() == [np.inf, -np.inf] and np.isnan(quotient[2:4]).all() and quotient[4] == 0
    (rest,) = apply(ops.rem, [x, y])
    assert np.isnan(rest[:4]).all() and rest[4:].tolist() == [5, -2]


@pytest.mark.parametrize("dtype", [*FLOATS, ml_dtypes.float8_e5m2])
def test_next_after_is_the_neighbour_in_the_bits(dtype):
    x = np.array([1.0, 2.0, -1.5, 0.5], dtype)
    (up,) = apply(ops.next_after, [x, np.full_like(x, np.inf)])
    bits = np.dtype(f"i{x.dtype.itemsize}")
    assert (up.view(bits) - x.view(bits)).tolist() == [1, 1, -1, 1]
    assert apply(ops.next_after, [x, x])[0].tolist() == x.tolist()


@pytest.mark.parametrize(("dtype", "result"), [(np.float32, np.complex64), (np.float64, np.complex128)])
def test_complex_puts_parts_together(dtype, result):
    x, y = np.array([1, np.nan, -0.0], dtype), np.array([np.inf, 2, 3], dtype)
    (z,) = apply(ops.complex, [x, y])
    assert z.dtype == result
    np.testing.assert_array_equal(z.real, x)
    np.testing.assert_array_equal(z.imag, y)
    assert np.signbit(z.real[2])


REFUSED = [
    ("add", np.float32, (2,), np.float32, (3,)), ("add", np.float32, (2,), np.float64, (2,)),
    ("add", bool, (2,), bool, (2,)), ("rem", np.complex64, (2,), np.complex64, (2,)),
    ("max", np.complex64, (2,), np.complex64, (2,)), ("lt", np.complex64, (), np.complex64, ()),
    ("and", np.float32, (), np.float32, ()), ("shift_left", bool, (), bool, ()), ("atan2", np.int32, (), np.int32, ()),
    ("complex", np.float16, (), np.float16, ()), ("complex", np.int32, (), np.int32, ()),
    ("next_after", np.int32, (), np.int32, ()), ("mul", np.float32, (1,), np.float32, ()),
]


@pytest.mark.parametrize(("name", "a", "shape_a", "b", "shape_b"), REFUSED)
def test_operands_that_do_not_fit_are_refused(name, a, shape_a, b, shape_b):
    types = [ArrayType(shape_a, a), ArrayType(shape_b, b)]
    with pytest.raises(OperandError) as error:
        ops.OPERATIONS[name].type_rule(types, {}, ())
    assert f"{types[0]}, {types[1]}" in str(error.value)


BINARY = [
    *REAL_FUNCTIONS, *COMPARISONS, *BITWISE, "next_after", "complex", "shift_left", "shift_right_logical",
    "shift_right_arithmetic",
]


def test_no_operation_is_left_out():
    assert sorted(BINARY) == sorted(r.name for r in vars(binary).values() if isinstance(r, OperationRecord))


@pytest.mark.parametrize("name", BINARY)
def test_factor_rule(name):
    dtype = np.int32 if name in BITWISE or name.startswith("shift") else np.float32
    assert described(check_factors(ops.OPERATIONS[name], pair((4, 6), dtype))) == "ab, ab -> ab"


@pytest.mark.parametrize("dtype", [np.float32, np.int32])
@pytest.mark.parametrize("name", ["add", "sub", "mul", "div", "pow", "max", "complex"])
def test_linear_operations_pass_partial_sums(name, dtype):
    if name == "complex" and dtype == np.int32:
        dtype = np.float64
    record = ops.OPERATIONS[name]
    assert bool(record.additive) == (name in ("add", "sub", "mul", "complex"))
    check_additive(record, pair((4, 5), dtype))
