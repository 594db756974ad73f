# SPDX-License-Identifier: Apache-2.0
"""Which kinds of numbers functions take: integers that become floats, bools that are shifted, no complex ones."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus_core.errors import LiteralRangeError, OperandError

SMALL = np.array([0, 1, 2], np.uint8)


@pytest.mark.parametrize("name", ["divide", "arctan2", "copysign", "hypot", "heaviside", "float_power", "logaddexp",
                                  "logaddexp2", "nextafter"])
@pytest.mark.parametrize("number", [-2, -300, 1000])
@pytest.mark.parametrize("is_jitted", [False, True], ids=["eager", "jitted"])
def test_what_becomes_a_float_need_not_fit_the_integers(name: str, number: int, is_jitted: bool) -> None:
    function, expected = getattr(jnp, name), getattr(np, name)
    for call in (lambda f, a, n: f(a, n), lambda f, a, n: f(n, a)):
        run: Callable[[Any], Any] = lambda a, call=call: call(function, a, number)
        found = (olympus.jit(run) if is_jitted else run)(jnp.asarray(SMALL))
        with np.errstate(all="ignore"):
            want = call(expected, SMALL.astype(np.float32), np.float32(number)).astype(np.float32)  # NumPy's are wider
        assert found.dtype == np.float32 and not found.weak_type
        np.testing.assert_allclose(found, want, rtol=1e-6)


def test_operators_do_likewise_and_what_stays_an_integer_is_checked() -> None:
    np.testing.assert_array_equal(jnp.asarray(SMALL) / -2, SMALL / np.float32(-2))
    np.testing.assert_allclose(-300 / jnp.asarray(SMALL[1:]), -300 / SMALL[1:].astype(np.float32))
    for call in (operator.add, operator.floordiv, jnp.maximum):
        with pytest.raises(LiteralRangeError, match="uint8"):
            call(jnp.asarray(SMALL), -300)


@pytest.mark.parametrize("name", ["left_shift", "right_shift"])
def test_bools_are_shifted_as_integers(name: str) -> None:
    x, y = np.array([True, True, False, False]), np.array([True, False, True, False])
    found = getattr(jnp, name)(jnp.asarray(x), jnp.asarray(y))
    assert found.dtype == np.int32
    np.testing.assert_array_equal(found, getattr(np, name)(x.astype(int), y.astype(int)))
    with pytest.raises(OperandError, match="float32"):
        getattr(jnp, name)(1.5, 1)


@pytest.mark.parametrize("name", ["floor", "ceil", "trunc", "fix", "fabs", "signbit", "isposinf", "isneginf"])
def test_functions_of_real_numbers_refuse_complex_ones(name: str) -> None:
    for call in (getattr(jnp, name), olympus.jit(getattr(jnp, name))):
        with pytest.raises(TypeError, match="complex64"):
            call(jnp.asarray([1 + 2j]))


@pytest.mark.parametrize("name", ["hypot", "heaviside", "copysign"])
def test_functions_of_two_real_numbers_refuse_complex_ones(name: str) -> None:
    for arguments in ((1j, 1.0), (1.0, 1j)):
        with pytest.raises(OperandError, match="complex64"):
            getattr(jnp, name)(*map(jnp.asarray, arguments))


@pytest.mark.parametrize("name", ["floor_divide", "remainder", "fmod", "left_shift", "right_shift", "power", "square",
                                  "divmod"])
def test_of_bools_int32_is_made_with_64_bit_types_too(name: str) -> None:
    x = np.array([True, False])
    operands = (x,) if name == "square" else (x, np.array([True, True]))
    expected = getattr(np, name)(*(v.astype(np.int32) for v in operands))
    with olympus.enable_x64(True):
        found = getattr(jnp, name)(*map(jnp.asarray, operands))
    for got, want in zip(found, expected, strict=True) if name == "divmod" else [(found, expected)]:
        assert got.dtype == np.int32 and not got.weak_type
        np.testing.assert_array_equal(got, want)


def test_rows_of_bools_are_convolved() -> None:
    a, v = np.array([True, False, True, True]), np.array([True, True])
    for name in ("convolve", "correlate"):
        found = getattr(jnp, name)(jnp.asarray(a), jnp.asarray(v), "full")
        np.testing.assert_array_equal(found, getattr(np, name)(a.astype(np.float32), v.astype(np.float32), "full"))
        assert found.dtype == np.float32  # how many of both are true
    found = olympus.lax.conv(jnp.asarray(a)[None, None], jnp.asarray(v)[None, None], (1,), "VALID")
    assert found.dtype == bool
    np.testing.assert_array_equal(found[0, 0], np.correlate(a, v, "valid"))
    found = olympus.lax.conv(a[None, None], v[None, None], (1,), "VALID", preferred_element_type=np.int8)
    np.testing.assert_array_equal(found[0, 0], np.array([1, 1, 2], np.int8))


def test_exponents_may_be_bools() -> None:
    np.testing.assert_array_equal(jnp.ldexp(jnp.asarray([1.5, 3.0]), jnp.asarray([True, False])), [3.0, 3.0])


@pytest.mark.parametrize("value", [[1, 2], [1, 2j], None, "text", (1.0,), 1j, np.complex64(1), np.ones(2)], ids=str)
def test_questions_about_anything(value: Any) -> None:
    assert jnp.iscomplexobj(value) == np.iscomplexobj(value)
    assert jnp.isrealobj(value) == np.isrealobj(value)
    assert jnp.isscalar(value) == np.isscalar(value)


@pytest.mark.parametrize("value", [None, "text", {}, {1, 2}, object()], ids=["None", "text", "dict", "set", "object"])
def test_the_shape_of_what_is_no_array_is_numpys(value: Any) -> None:
    assert jnp.shape(value) == np.shape(value) == ()
    assert jnp.ndim(value) == 0 and jnp.size(value) == 1
    with pytest.raises(ValueError):
        jnp.size(value, axis=0)


@pytest.mark.parametrize("call", [
    lambda: jnp.percentile(np.arange(4.0), 20 + 3j), lambda: jnp.quantile(np.arange(4.0), 0.5j),
    lambda: jnp.quantile(np.arange(4.0), 0.5j, method="inverted_cdf"), lambda: jnp.arange(2j),
    lambda: jnp.arange(1, 3j),
    lambda: jnp.interp(1j, np.arange(3.0), np.arange(3.0)), lambda: jnp.interp(1.0, np.arange(3) * 1j, np.arange(3.0)),
    lambda: jnp.unravel_index(2.5, (2, 3)), lambda: jnp.unravel_index(True, (2, 3)),
])
def test_numbers_without_order_and_fractions_as_indices(call: Callable[[], Any]) -> None:
    with pytest.raises((TypeError, ValueError), match="complex|not integers"):
        call()
