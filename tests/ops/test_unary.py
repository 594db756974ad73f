# SPDX-License-Identifier: Apache-2.0
"""Operations on one operand against Python's math, cmath and integers, element by element."""

from __future__ import annotations

import cmath
import math

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from olympus_core import dtypes, ops
from olympus_core.errors import OperandError
from olympus_core.ops import unary
from olympus_core.program import ArrayType, OperationRecord

from .factor_check import apply, check_additive, check_factors, described

FLOATS = (np.float16, ml_dtypes.bfloat16, np.float32, np.float64)
SHAPES = ((), (0,), (7,), (3, 1, 5), (2, 0, 3))
UNIT = (-0.95, 0.95)
POSITIVE = (0.05, 6.0)
ALL = (-4.0, 4.0)

# Operation, its meaning for one number, where it is defined.
REAL_FUNCTIONS = {
    "abs": (math.fabs, ALL), "floor": (math.floor, ALL), "ceil": (math.ceil, ALL), "exp": (math.exp, ALL),
    "expm1": (math.expm1, ALL), "log": (math.log, POSITIVE), "log1p": (math.log1p, POSITIVE),
    "sqrt": (math.sqrt, POSITIVE), "rsqrt": (lambda v: v**-0.5, POSITIVE),
    "cbrt": (lambda v: math.copysign(abs(v) ** (1 / 3), v), ALL), "sin": (math.sin, ALL), "cos": (math.cos, ALL),
    "tan": (math.tan, UNIT), "asin": (math.asin, UNIT), "acos": (math.acos, UNIT), "atan": (math.atan, ALL),
    "sinh": (math.sinh, ALL), "cosh": (math.cosh, ALL), "tanh": (math.tanh, ALL), "asinh": (math.asinh, ALL),
    "acosh": (math.acosh, (1.0, 6.0)), "atanh": (math.atanh, UNIT),
    "logistic": (lambda v: 1 / (1 + math.exp(-v)), ALL), "erf": (math.erf, ALL), "erfc": (math.erfc, ALL),
    "lgamma": (math.lgamma, POSITIVE), "neg": (lambda v: -v, ALL), "sign": (lambda v: math.copysign(1, v), ALL),
    "round": (round, ALL), "is_finite": (math.isfinite, ALL),
}
COMPLEX_FUNCTIONS = {
    "exp": cmath.exp, "log": cmath.log, "sqrt": cmath.sqrt, "sin": cmath.sin, "cos": cmath.cos, "tan": cmath.tan,
    "asin": cmath.asin, "acos": cmath.acos, "atan": cmath.atan, "sinh": cmath.sinh, "cosh": cmath.cosh,
    "tanh": cmath.tanh, "asinh": cmath.asinh, "acosh": cmath.acosh, "atanh": cmath.atanh,
    "expm1": lambda v: cmath.exp(v) - 1, "log1p": lambda v: cmath.log(1 + v), "rsqrt": lambda v: 1 / cmath.sqrt(v),
    "logistic": lambda v: 1 / (1 + cmath.exp(-v)), "neg": lambda v: -v, "abs": abs, "sign": lambda v: v / abs(v),
    "conj": lambda v: v.conjugate(), "real": lambda v: v.real, "imag": lambda v: v.imag,
}


def samples(shape: tuple[int, ...], bounds: tuple[float, float], dtype: object) -> np.ndarray:
    return np.random.default_rng(3).uniform(*bounds, shape).astype(dtype)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", REAL_FUNCTIONS)
def test_real_functions(name, dtype):
    function, bounds = REAL_FUNCTIONS[name]
    for shape in SHAPES:
        x = samples(shape, bounds, dtype)
        (result,) = apply(ops.OPERATIONS[name], [x])
        expected = np.array([function(float(v)) for v in x.flat], np.float64).reshape(shape)
        # Narrow floats are rounded once from float32: at most half a unit in the last place and a little.
        tolerance = {4: 1e-6, 8: 1e-13}.get(x.dtype.itemsize, float(ml_dtypes.finfo(x.dtype).eps) * 0.52)
        np.testing.assert_allclose(result.astype(np.float64), expected, rtol=tolerance, atol=tolerance * 0.01)


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
@pytest.mark.parametrize("name", COMPLEX_FUNCTIONS)
def test_complex_functions(name, dtype):
    for shape in SHAPES:
        x = (samples(shape, UNIT, np.float64) + 1j * samples(shape, UNIT, np.float64)[..., ::-1]
             if shape else np.complex128(0.3 - 0.7j)).astype(dtype)
        (result,) = apply(ops.OPERATIONS[name], [x])
        expected = np.array([COMPLEX_FUNCTIONS[name](complex(v)) for v in np.asarray(x).flat]).reshape(shape)
        np.testing.assert_allclose(result, expected, rtol=1e-5 if dtype == np.complex64 else 1e-12)


def test_erf_inv_and_digamma_are_the_special_functions():
    (result,) = apply(ops.erf_inv, [np.float32([0.5, math.erf(0.25), 1.0])])
    np.testing.assert_allclose(result, [0.4769362762, 0.25, np.inf], rtol=1e-6)
    (result,) = apply(ops.digamma, [np.float64([1.0, 0.5])])
    np.testing.assert_allclose(result, [-0.5772156649015329, -1.9635100260214235], rtol=1e-13)


def test_rounding_goes_to_even():
    x = np.float32([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, np.inf])
    assert apply(ops.round, [x])[0].tolist() == [-2, -2, 0, 0, 2, 2, np.inf]


def test_sign_keeps_nan_and_the_sign_of_zero():
    (result,) = apply(ops.sign, [np.float32([np.nan, -0.0, 0.0, -np.inf, 1e-40])])
    assert np.isnan(result[0]) and result[1:].tolist() == [0, 0, -1, 1]
    assert np.signbit(result[1]) and not np.signbit(result[2])
    assert apply(ops.sign, [np.complex64([0, -2j])])[0].tolist() == [0, -1j]
    assert apply(ops.sign, [np.uint8([0, 255])])[0].tolist() == [0, 1]


def test_logistic_of_complex_numbers_ends_in_zero_and_one():
    (result,) = apply(ops.logistic, [np.complex128([-1000 + 1j, -710 + 3j, complex(-np.inf, 2), 1000 + 1j, 40 - 1j])])
    np.testing.assert_allclose(result, [0, np.exp(-710 + 3j), 0, 1, 1 - np.exp(-40 + 1j)], rtol=1e-12, atol=0)


def test_logistic_keeps_its_tails():
    (result,) = apply(ops.logistic, [np.float32([-88, 88, -np.inf, np.inf])])
    np.testing.assert_allclose(result, [math.exp(-88), 1, 0, 1], rtol=1e-5)


def test_undefined_places_give_nan_and_infinities_without_a_warning():
    minus = np.float32([-1.0])
    for name in ("log", "sqrt", "rsqrt", "acosh"):
        assert np.isnan(apply(ops.OPERATIONS[name], [minus])[0]).all()
    assert np.isnan(apply(ops.asin, [minus * 2])[0]) and np.isnan(apply(ops.atanh, [minus * 2])[0])
    assert apply(ops.log, [minus * 0])[0] == -np.inf and apply(ops.exp, [minus * -1e5])[0] == np.inf
    assert apply(ops.is_finite, [np.float32([1, np.inf, -np.inf, np.nan])])[0].tolist() == [True, False, False, False]


def wrapped(value: int, dtype: np.dtype) -> int:
    """An unbounded integer in two's complement of the type's width."""
    bits = 8 * dtype.itemsize
    value &= (1 << bits) - 1
    return value - (1 << bits) if dtype.kind == "i" and value >> (bits - 1) else value


@pytest.mark.parametrize("dtype", dtypes.INTEGERS, ids=str)
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_integers_against_unbounded_ones(dtype, data):
    info = np.iinfo(dtype)
    values = data.draw(st.lists(st.integers(int(info.min), int(info.max)), max_size=5)) + [int(info.min), 0, 1]
    x, bits = np.array(values, dtype), 8 * dtype.itemsize
    unsigned = [v & ((1 << bits) - 1) for v in values]
    assert apply(ops.neg, [x])[0].tolist() == [wrapped(-v, dtype) for v in values]
    assert apply(ops.abs, [x])[0].tolist() == [wrapped(abs(v), dtype) for v in values]
    assert apply(ops.not_, [x])[0].tolist() == [wrapped(~v, dtype) for v in values]
    assert apply(ops.sign, [x])[0].tolist() == [(v > 0) - (v < 0) for v in values]
    assert apply(ops.population_count, [x])[0].tolist() == [wrapped(bin(v).count("1"), dtype) for v in unsigned]
    assert apply(ops.count_leading_zeros, [x])[0].tolist() == [bits - v.bit_length() for v in unsigned]


def test_not_of_truth_values_is_logical():
    assert apply(ops.not_, [np.array([True, False])])[0].tolist() == [False, True]


@pytest.mark.parametrize("dtype", [ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2])
def test_eight_bit_floats_are_computed_in_float32_and_rounded_once(dtype):
    x = samples((40,), POSITIVE, dtype)
    for name in ("exp", "log", "sin", "neg", "lgamma"):
        (wide,) = apply(ops.OPERATIONS[name], [x.astype(np.float32)])
        np.testing.assert_array_equal(apply(ops.OPERATIONS[name], [x])[0], wide.astype(dtype))


REFUSED = [
    ("sin", np.int32), ("floor", np.complex64), ("floor", np.int32), ("exp", bool), ("neg", bool), ("not", np.float32),
    ("population_count", bool), ("real", np.float32), ("conj", np.float32), ("erf", np.complex64), ("cbrt", np.int8),
    ("is_finite", np.int32), ("abs", bool), ("sin", ml_dtypes.int4),
]


@pytest.mark.parametrize(("name", "dtype"), REFUSED)
def test_types_outside_the_domain_are_refused(name, dtype):
    type = ArrayType((2, 3), dtype)
    with pytest.raises(OperandError) as error:
        ops.OPERATIONS[name].type_rule([type], {}, ())
    assert error.value.operation == name and str(type) in str(error.value) and "expected" in str(error.value)


def test_wrong_numbers_and_attributes_are_refused():
    type = ArrayType((2,), np.float32)
    with pytest.raises(OperandError, match="wrong number of operands"):
        ops.sin.type_rule([type, type], {}, ())
    with pytest.raises(OperandError, match="unknown attributes: axis"):
        ops.sin.type_rule([type], {"axis": 1}, ())


UNARY = [
    *REAL_FUNCTIONS, "erf_inv", "digamma", "not", "population_count", "count_leading_zeros", "conj", "real", "imag",
]


def test_no_operation_is_left_out():
    assert sorted(UNARY) == sorted(r.name for r in vars(unary).values() if isinstance(r, OperationRecord))


@pytest.mark.parametrize("name", UNARY)
def test_factor_rule(name):
    bounds = REAL_FUNCTIONS.get(name, (None, UNIT))[1]
    kind = {"conj": np.complex64, "real": np.complex64, "imag": np.complex64, "not": np.int32,
            "population_count": np.int32, "count_leading_zeros": np.int32}.get(name, np.float32)
    rule = check_factors(ops.OPERATIONS[name], [samples((4, 6), bounds, kind)])
    assert described(rule) == "ab -> ab"


@pytest.mark.parametrize("name", ["neg", "real", "imag", "conj"])
def test_linear_operations_pass_partial_sums(name):
    x = samples((4, 5), ALL, np.float32) + 1j * samples((4, 5), ALL, np.float32)
    check_additive(ops.OPERATIONS[name], [x])
