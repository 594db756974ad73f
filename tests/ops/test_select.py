# SPDX-License-Identifier: Apache-2.0
"""Choosing and converting: against Python's own conversions, element by element."""

from __future__ import annotations

import math
import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from olympus_core import dtypes, ops
from olympus_core.errors import OperandError
from olympus_core.program import ArrayType

from .factor_check import apply, check_additive, check_factors, described
from .test_unary import SHAPES, wrapped


@pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)
def test_select_takes_whole_elements(dtype):
    for shape in SHAPES:
        generator = np.random.default_rng(1)
        p = np.asarray(generator.integers(0, 2, shape), bool)
        x, y = (np.asarray(generator.integers(0, 2, shape)).astype(dtype) for _ in range(2))
        (result,) = apply(ops.select, [p, x, y])
        expected = [a if c else b for c, a, b in zip(p.flat, x.flat, y.flat, strict=True)]
        assert result.reshape(-1).tolist() == [v.item() for v in expected]


@pytest.mark.parametrize("types", [
    ("bool[2]", "float32[2]", "float64[2]"), ("bool[]", "float32[2]", "float32[2]"),
    ("int32[2]", "float32[2]", "float32[2]"),
])
def test_select_refuses(types):
    made = [ArrayType([int(n) for n in t[t.index("[") + 1:-1].split(",") if n], t[: t.index("[")]) for t in types]
    with pytest.raises(OperandError, match="bool predicate"):
        ops.select.type_rule(made, {}, ())


def test_clamp():
    x = np.float32([-3, 0.5, 9, np.nan])
    low, high = np.zeros_like(x), np.ones_like(x)
    (result,) = apply(ops.clamp, [low, x, high])
    assert result[:3].tolist() == [0, 0.5, 1] and np.isnan(result[3])
    assert apply(ops.clamp, [np.int8([2]), np.int8([5]), np.int8([3])])[0].tolist() == [3]
    with pytest.raises(OperandError):
        ops.clamp.type_rule([ArrayType((2,), np.complex64)] * 3, {}, ())


def saturated(value: float, dtype: np.dtype) -> int:
    info = np.iinfo(dtype)
    if math.isnan(value):
        return 0
    if math.isinf(value):
        return int(info.max if value > 0 else info.min)
    return min(max(int(value), int(info.min)), int(info.max))


@pytest.mark.parametrize("target", dtypes.INTEGERS, ids=str)
@pytest.mark.parametrize("source", (*dtypes.FLOATS, *dtypes.NARROW_FLOATS), ids=str)
def test_floats_to_integers_truncate_and_saturate(source, target):
    edges = [float(2**k) + d for k in (7, 8, 15, 16, 31, 32, 63, 64) for d in (-1.0, 0.0)]
    numbers = [*edges, *(-e for e in edges), 0.0, -0.0, 0.9, -0.9, 2.5, -2.5, math.inf, -math.inf, math.nan, 1e30]
    with np.errstate(all="ignore"):
        x = np.array(numbers).astype(source)
        below = np.nextafter(x, np.zeros_like(x))
    x = np.concatenate([x, below])
    (result,) = apply(ops.convert, [x], dtype=target)
    assert result.tolist() == [saturated(float(v), target) for v in x]


@pytest.mark.parametrize("target", dtypes.INTEGERS, ids=str)
@pytest.mark.parametrize("source", (dtypes.bool_, *dtypes.INTEGERS), ids=str)
@settings(max_examples=5, deadline=None)
@given(data=st.data())
def test_integers_to_integers_wrap(source, target, data):
    low, high = (0, 1) if source.kind == "b" else (int(np.iinfo(source).min), int(np.iinfo(source).max))
    values = data.draw(st.lists(st.integers(low, high), max_size=4)) + [low, high]
    (result,) = apply(ops.convert, [np.array(values, source)], dtype=target)
    assert result.tolist() == [wrapped(v, target) for v in values]


@pytest.mark.parametrize("source", dtypes.ALL, ids=str)
def test_all_pairs_of_types_convert_small_numbers(source):
    for target in dtypes.ALL:
        for shape in ((), (0, 2), (2, 3)):
            values = np.arange(math.prod(shape)).reshape(shape) % 2
            (result,) = apply(ops.convert, [values.astype(source)], dtype=target)
            np.testing.assert_array_equal(result.astype(np.complex128), values)


def test_to_bool_means_not_zero():
    assert apply(ops.convert, [np.float32([0, -0.0, 0.1, np.nan, -np.inf])], dtype=dtypes.bool_)[0].tolist() == [
        False, False, True, True, True]
    assert apply(ops.convert, [np.complex64([0, 1j, 2])], dtype=dtypes.bool_)[0].tolist() == [False, True, True]
    assert apply(ops.convert, [np.int8([0, -1])], dtype=dtypes.bool_)[0].tolist() == [False, True]


def test_complex_to_real_keeps_the_real_part():
    z = np.complex64([1.5 + 2j, -300 + 1j, complex(math.nan, 0)])
    assert apply(ops.convert, [z], dtype=dtypes.int8)[0].tolist() == [1, -128, 0]
    assert apply(ops.convert, [z], dtype=dtypes.float64)[0][:2].tolist() == [1.5, -300]


@pytest.mark.parametrize("target", (dtypes.bfloat16, *dtypes.NARROW_FLOATS), ids=str)
def test_doubles_and_integers_are_rounded_once(target):
    bits = np.arange(1 << 8 * target.itemsize).astype(f"u{target.itemsize}")
    with np.errstate(invalid="ignore"):
        patterns = bits.view(target).astype(np.float64)
        exact = np.unique(patterns[np.isfinite(patterns)])
    middle = (exact[1:] + exact[:-1]) / 2
    for direction, wanted in ((-np.inf, exact[:-1]), (np.inf, exact[1:])):
        (result,) = apply(ops.convert, [np.nextafter(middle, direction)], dtype=target)
        np.testing.assert_array_equal(result.astype(np.float64), wanted)
    for source in (np.int32, np.uint32, np.int64, np.uint64):
        limits = np.iinfo(source)
        near = [(int(m) + d, w) for m, low, high in zip(middle, exact, exact[1:]) if m == int(m)
                for d, w in ((-1, low), (1, high)) if limits.min <= int(m) + d <= limits.max]
        (result,) = apply(ops.convert, [np.array([n for n, _ in near], source)], dtype=target)
        np.testing.assert_array_equal(result.astype(np.float64), [w for _, w in near])
        (single,) = apply(ops.convert, [np.array(near[0][0], source)], dtype=target)
        assert single.shape == () and float(single) == near[0][1]


def test_narrowing_floats_rounds_half_to_even_and_overflows_to_infinity():
    x = np.float32([1 + 2**-8, 1 + 3 * 2**-8, 3.4e38, -3.4e38])
    (result,) = apply(ops.convert, [x], dtype=dtypes.bfloat16)
    assert [float(v) for v in result] == [1.0, 1 + 2**-6, math.inf, -math.inf]
    (result,) = apply(ops.convert, [np.float32([65519, 65520, 2**-25])], dtype=dtypes.float16)
    assert result.tolist() == [65504, math.inf, 0]


def test_convert_refuses_what_is_not_a_dtype():
    with pytest.raises(OperandError, match="dtype"):
        ops.convert.type_rule([ArrayType((2,), np.float32)], {"dtype": np.float32}, ())
    with pytest.raises(OperandError, match="missing attributes: dtype"):
        ops.convert.type_rule([ArrayType((2,), np.float32)], {}, ())


def test_bitcast_keeps_the_bits():
    x = np.float32([1.0, -0.0, math.inf])
    expected = [struct.unpack("<i", struct.pack("<f", v))[0] for v in x]
    assert apply(ops.bitcast_convert, [x], dtype=dtypes.int32)[0].tolist() == expected
    (back,) = apply(ops.bitcast_convert, [np.uint16([0x3F80, 0xFF80]).reshape(2, 1)[:, :]], dtype=dtypes.bfloat16)
    assert [float(v) for v in back.flat] == [1.0, -math.inf]
    strided = np.arange(6, dtype=np.int32).reshape(2, 3).T
    np.testing.assert_array_equal(apply(ops.bitcast_convert, [strided], dtype=dtypes.uint32)[0], strided)
    assert apply(ops.bitcast_convert, [np.float64(1)], dtype=dtypes.int64)[0] == 0x3FF0000000000000


@pytest.mark.parametrize(("source", "target"), [
    (np.float32, dtypes.int16), (np.float32, dtypes.float64), (bool, dtypes.int8), (np.int8, dtypes.bool_),
    (np.complex64, dtypes.int64),
])
def test_bitcast_refuses(source, target):
    with pytest.raises(OperandError, match="bitcast_convert"):
        ops.bitcast_convert.type_rule([ArrayType((2,), source)], {"dtype": target}, ())


def test_factor_rules():
    x = np.random.default_rng(0).normal(size=(4, 6)).astype(np.float32)
    assert described(check_factors(ops.select, [x > 0, x, -x])) == "ab, ab, ab -> ab"
    assert described(check_factors(ops.clamp, [x - 1, x[::-1], x + 1])) == "ab, ab, ab -> ab"
    assert described(check_factors(ops.convert, [x], dtype=dtypes.int32)) == "ab -> ab"
    assert described(check_factors(ops.bitcast_convert, [x], dtype=dtypes.int32)) == "ab -> ab"
    check_additive(ops.select, [x > 0, x, x * 2])


