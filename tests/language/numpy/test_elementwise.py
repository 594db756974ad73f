# SPDX-License-Identifier: Apache-2.0
"""Functions index by index, against NumPy in float64."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import olympus
import olympus.numpy as jnp
from olympus_core.errors import ArgumentError

FLOATS = np.array([-2.5, -1.0, -0.5, -0.0, 0.0, 0.25, 0.5, 1.0, 1.5, 2.5, 7.0], np.float32)
SPECIAL = np.array([np.inf, -np.inf, np.nan], np.float32)
INTEGERS = np.array([-7, -2, -1, 0, 1, 3, 8], np.int32)

UNARY = [
    "sin", "cos", "tan", "arctan", "sinh", "cosh", "tanh", "arcsinh", "exp", "exp2", "expm1", "cbrt", "square", "floor",
    "ceil", "trunc", "rint", "sign", "absolute", "fabs", "negative", "positive", "conjugate", "real", "imag", "isnan",
    "isinf", "isfinite", "isposinf", "isneginf", "signbit", "logical_not", "deg2rad", "rad2deg", "degrees", "radians",
    "sinc", "angle", "isreal", "iscomplex", "round", "nan_to_num",
]
PARTIAL = {
    "arcsin": (-1, 1), "arccos": (-1, 1), "arctanh": (-0.9, 0.9), "arccosh": (1, 9), "log": (0, 9), "log2": (0, 9),
    "log10": (0, 9), "log1p": (-0.9, 9), "sqrt": (0, 9), "reciprocal": (0.1, 9),
}
BINARY = [
    "add", "subtract", "multiply", "divide", "floor_divide", "remainder", "fmod", "maximum", "minimum", "fmax", "fmin",
    "arctan2", "hypot", "logaddexp", "logaddexp2", "copysign", "heaviside", "equal", "not_equal", "less", "less_equal",
    "greater", "greater_equal", "logical_and", "logical_or", "logical_xor",
]
INTEGER_BINARY = [
    "add", "subtract", "multiply", "divide", "floor_divide", "remainder", "fmod", "maximum", "minimum", "equal", "less",
    "bitwise_and", "bitwise_or", "bitwise_xor", "float_power", "logical_or",
]


def check(found: object, expected: object, tolerance: float = 2e-6) -> None:
    found, expected = np.asarray(found), np.asarray(expected)
    assert found.shape == expected.shape
    assert (found.dtype == bool) == (expected.dtype == bool)
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)


def oracle(name: str, *operands: np.ndarray) -> np.ndarray:
    with np.errstate(all="ignore"):
        wide = [x.astype(np.float64) if x.dtype == np.float32 else x for x in operands]
        if name == "nan_to_num":  # the limits are those of float32
            return np.nan_to_num(operands[0])
        return getattr(np, name)(*wide)


@pytest.mark.parametrize("name", UNARY)
def test_of_floats(name: str) -> None:
    x = np.concatenate([FLOATS, SPECIAL])
    check(getattr(jnp, name)(x), oracle(name, x))


@pytest.mark.parametrize("name", UNARY)
def test_of_integers(name: str) -> None:
    found = getattr(jnp, name)(INTEGERS)
    check(found, oracle(name, INTEGERS), 1e-5)
    assert found.dtype in (jnp.int32, jnp.float32, jnp.bool_)


@pytest.mark.parametrize("name", PARTIAL)
def test_where_defined(name: str) -> None:
    x = np.linspace(*PARTIAL[name], 23).astype(np.float32)
    check(getattr(jnp, name)(x), oracle(name, x), 5e-6)


@pytest.mark.parametrize("name", ["sin", "exp", "sqrt", "absolute", "sign", "square", "conjugate", "real", "imag",
                                  "angle", "isnan", "negative", "reciprocal", "log", "tanh"])
def test_of_complex_numbers(name: str) -> None:
    x = np.array([1 + 2j, -0.5j, 3 - 1j, -2 + 0.25j], np.complex64)
    check(getattr(jnp, name)(x), x / np.abs(x) if name == "sign" else getattr(np, name)(x), 1e-5)


@pytest.mark.parametrize("dtype", [jnp.float16, jnp.bfloat16])
@pytest.mark.parametrize("name", ["sin", "exp", "sqrt", "tanh", "square"])
def test_of_halves(name: str, dtype: object) -> None:
    """Computed in float32 and rounded once."""
    x = jnp.asarray(np.linspace(0.1, 3, 11), dtype)
    found = getattr(jnp, name)(x)
    assert found.dtype == dtype
    exact = getattr(np, name)(np.asarray(x).astype(np.float64))
    assert (np.asarray(found) == exact.astype(np.float32).astype(np.dtype(dtype))).all()


@pytest.mark.parametrize("name", BINARY)
def test_of_pairs_of_floats(name: str) -> None:
    x, y = FLOATS[:, None], FLOATS[None, :]
    with np.errstate(all="ignore"):
        expected = oracle(name, x, y)
    found = getattr(jnp, name)(x, y)
    there = np.isfinite(expected.astype(float))
    assert found.shape == expected.shape
    np.testing.assert_allclose(np.asarray(found)[there], expected[there], rtol=5e-6, atol=5e-6)
    rest = np.asarray(found)[~there]
    np.testing.assert_array_equal(rest, expected[~there].astype(rest.dtype))


@pytest.mark.parametrize("name", BINARY)
def test_of_special_pairs(name: str) -> None:
    if name in ("floor_divide", "remainder"):
        pytest.skip("NumPy's own answers for infinities differ from version to version")
    values = np.concatenate([SPECIAL, np.array([0.0, -0.0, 1.0, -1.0], np.float32)])
    x, y = values[:, None], values[None, :]
    check(getattr(jnp, name)(x, y), oracle(name, x, y), 1e-5)


@pytest.mark.parametrize("name", INTEGER_BINARY)
def test_of_pairs_of_integers(name: str) -> None:
    x, y = INTEGERS[:, None], INTEGERS[INTEGERS != 0][None, :]
    if name == "float_power":
        x = x[x[:, 0] != 0]
    check(getattr(jnp, name)(x, y), getattr(np, name)(x, y), 1e-5)


def test_shifts() -> None:
    x, y = np.array([-9, 5, 1], np.int32), np.array([1, 2, 3], np.int32)
    check(jnp.left_shift(x, y), np.left_shift(x, y))
    check(jnp.right_shift(x, y), np.right_shift(x, y))
    unsigned = np.array([200, 255], np.uint8)
    check(jnp.right_shift(unsigned, np.uint8(3)), unsigned >> 3)


@pytest.mark.parametrize("exponent", [0, 1, 2, 3, 7, 10, -1, -3])
def test_powers_with_python_integers(exponent: int) -> None:
    x = np.array([0.5, -2.0, 3.0], np.float32)
    check(jnp.asarray(x) ** exponent, x.astype(float) ** exponent, 1e-5)
    check(jnp.power(x, exponent), x.astype(float) ** exponent, 1e-5)
    if exponent >= 0:
        check(jnp.asarray(INTEGERS) ** exponent, INTEGERS**exponent)
    else:
        with pytest.raises(ArgumentError, match="no negative powers"):
            jnp.asarray(INTEGERS) ** exponent


def test_powers_of_floats_and_arrays() -> None:
    x = np.array([0.5, 2.0, 3.0], np.float32)
    check(x ** jnp.asarray([1, 2, -1]), x.astype(float) ** np.array([1, 2, -1]), 1e-5)
    check(2.0 ** jnp.arange(4), 2.0 ** np.arange(4), 1e-6)
    check(jnp.arange(4) ** jnp.arange(4), np.arange(4) ** np.arange(4))


shapes = hnp.mutually_broadcastable_shapes(num_shapes=2, max_dims=3, max_side=4)


@given(shapes, st.sampled_from(["add", "divide", "maximum", "less", "logical_and", "arctan2"]))
@settings(max_examples=60)
def test_broadcasting(found: hnp.BroadcastableShapes, name: str) -> None:
    (first, second), result = found
    x = np.arange(1, 1 + np.prod(first, dtype=int), dtype=np.float32).reshape(first)
    y = np.arange(2, 2 + np.prod(second, dtype=int), dtype=np.float32).reshape(second)
    assert getattr(jnp, name)(x, y).shape == result
    check(getattr(jnp, name)(x, y), getattr(np, name)(x, y))


@pytest.mark.parametrize("shapes", [((2,), (3,)), ((2, 3), (2,)), ((4, 1, 2), (3, 3))])
def test_shapes_that_do_not_broadcast(shapes: tuple[tuple[int, ...], ...]) -> None:
    with pytest.raises(ArgumentError, match="Incompatible shapes for broadcasting") as caught:
        jnp.add(*(jnp.zeros(s) for s in shapes))
    assert str(shapes[0]) in str(caught.value) and isinstance(caught.value, ValueError)


def test_truth_values_in_arithmetic() -> None:
    a, b = np.array([True, True, False]), np.array([True, False, False])
    for name in ("add", "multiply", "maximum", "minimum", "logical_xor", "bitwise_xor"):
        check(getattr(jnp, name)(a, b), getattr(np, name)(a, b))
    check(jnp.asarray(a) + 1, a + 1)


@pytest.mark.parametrize("decimals", [-2, -1, 0, 1, 3])
def test_rounding(decimals: int) -> None:
    x = np.array([0.5, 1.5, 2.5, -0.5, 123.456, -987.654], np.float32)
    check(jnp.round(x, decimals), np.round(x.astype(float), decimals), 1e-4)
    whole = np.array([15, 25, -151, 149], np.int32)
    check(jnp.round(whole, decimals), np.round(whole, decimals))


def test_clip() -> None:
    x = np.arange(-3, 4)
    for bounds in ((-1, 2), (None, 1), (0, None), (None, None)):
        expected = x if bounds == (None, None) else np.clip(x, *bounds)
        check(jnp.clip(x, *bounds), expected)
        check(jnp.asarray(x).clip(*bounds), expected)


def test_divmod_and_modf() -> None:
    x, y = FLOATS, np.float32(0.7)
    for name, operands in (("divmod", (x, y)), ("modf", (x,))):
        for found, expected in zip(getattr(jnp, name)(*operands), getattr(np, name)(*operands), strict=True):
            check(found, expected, 1e-5)
    for found, expected in zip(divmod(jnp.asarray(INTEGERS), 3), divmod(INTEGERS, 3), strict=True):
        check(found, expected)


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_modf_of_infinity_has_no_fraction(dtype: type) -> None:
    x = np.array([np.inf, -np.inf, np.nan, 2.5, -2.5], dtype)
    for found, expected in zip(jnp.modf(x), np.modf(x), strict=True):
        assert found.dtype == dtype
        np.testing.assert_array_equal(found, expected)
        np.testing.assert_array_equal(np.signbit(found)[:2], np.signbit(expected)[:2])
    slope = olympus.grad(lambda v: jnp.modf(v)[0])
    assert [float(slope(v)) for v in (0.0, 2.0, -1.5)] == [1.0, 1.0, 1.0]


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32])
def test_gcd_and_lcm_at_the_smallest_integer(dtype: type) -> None:
    least = np.iinfo(dtype).min
    x = np.array([least, least, least, 6, least], dtype)
    y = np.array([least + 1, 2, 3, least, 12], dtype)
    expected = [math.gcd(int(a), int(b)) for a, b in zip(x, y, strict=True)]
    assert jnp.gcd(x, y).tolist() == expected
    assert jnp.gcd(y, x).tolist() == expected
    assert jnp.lcm(np.array([least // 2], dtype), np.array([1], dtype)).tolist() == [-(least // 2)]


def test_closeness() -> None:
    x = np.array([1.0, 2.0, np.nan, np.inf, 1e-9], np.float32)
    y = np.array([1.0 + 1e-6, 2.1, np.nan, np.inf, 0.0], np.float32)
    for nan in (False, True):
        check(jnp.isclose(x, y, equal_nan=nan), np.isclose(x, y, equal_nan=nan))
        assert bool(jnp.allclose(x, x, equal_nan=nan)) == np.allclose(x, x, equal_nan=nan)
        assert bool(jnp.array_equal(x, x, equal_nan=nan)) == np.array_equal(x, x, equal_nan=nan)
    assert not jnp.array_equal(jnp.zeros(2), jnp.zeros(3))
    assert jnp.array_equiv(jnp.ones((2, 3)), jnp.ones(3)) and not jnp.array_equiv(jnp.ones(2), jnp.ones(3))


@pytest.mark.parametrize("name", ["logaddexp", "logaddexp2", "hypot", "arctan2", "divide", "floor_divide", "power"])
def test_mixed_types_are_promoted_before_they_are_computed(name: str) -> None:
    x, y = np.array([1.76405], np.float16), np.array([1.764052], np.float32)
    check(getattr(jnp, name)(x, y), getattr(np, name)(x.astype(np.float64), y.astype(np.float64)), 1e-6)


def test_what_floats_do_not_take() -> None:
    with pytest.raises(ArgumentError, match="does not take float32"):
        jnp.bitwise_and(1.5, 2)


def test_nan_to_num_with_values() -> None:
    x = np.array([np.nan, np.inf, -np.inf, 1.0], np.float32)
    check(jnp.nan_to_num(x, nan=5, posinf=6, neginf=7), np.nan_to_num(x, nan=5, posinf=6, neginf=7))


@pytest.mark.parametrize("name", ["sin", "square", "isnan", "round", "absolute"])
def test_traced_and_evaluated_agree(name: str) -> None:
    function = getattr(jnp, name)
    check(olympus.jit(lambda x: function(x))(FLOATS), np.asarray(function(FLOATS)), 0)


def test_quotients_of_complex_zeros_have_the_signs_of_numpys() -> None:
    parts = (0.0, -0.0, 1.0, -2.0)
    grid = np.array([complex(a, b) for a in parts for b in parts], np.complex64)
    x, y = np.repeat(grid, 16), np.tile(grid, 16)
    x, y = x[y != 0], y[y != 0]
    found, wanted = np.asarray(jnp.divide(x, y)), x / y
    np.testing.assert_array_equal(found, wanted)
    for part in ("real", "imag"):
        np.testing.assert_array_equal(np.signbit(getattr(found, part)), np.signbit(getattr(wanted, part)))


@pytest.mark.parametrize("function", [jnp.arctan2, olympus.lax.atan2, olympus.jit(jnp.atan2)])
def test_the_angle_of_complex_numbers_continues_that_of_real_ones(function: object) -> None:
    rng = np.random.default_rng(0)
    for dtype, tolerance in ((np.complex64, 2e-6), (np.complex128, 1e-14)):
        with olympus.enable_x64(dtype == np.complex128):
            y, x = (rng.normal(size=(2, 50)) + 1j * rng.normal(size=(2, 50))).astype(dtype)
            found = np.asarray(function(jnp.asarray(y), jnp.asarray(x)))  # type: ignore[operator]
            assert found.dtype == dtype
            size = np.sqrt(x * x + y * y)  # the angle's sine and cosine, and its principal part
            check(np.sin(found), y / size, tolerance * 10)
            check(np.cos(found), x / size, tolerance * 10)
            assert (np.abs(found.real) <= np.pi).all()
            real = function(jnp.asarray(y.real.astype(dtype)), jnp.asarray(x.real.astype(dtype)))  # type: ignore[operator]
            check(real, np.arctan2(y.real, x.real).astype(dtype), tolerance)
