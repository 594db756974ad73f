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
