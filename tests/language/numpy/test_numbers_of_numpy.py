# SPDX-License-Identifier: Apache-2.0
"""Numbers that NumPy's and SciPy's own tests, run with these functions, showed to be others than theirs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import scipy.special

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.errors import ArgumentError, LiteralRangeError
from olympus.scipy import special


@pytest.fixture(autouse=True)
def wide() -> Iterator[None]:
    with olympus.enable_x64(True):
        yield


def test_slopes_stand_in_the_order_of_the_axes_asked_for() -> None:
    f = np.random.default_rng(0).normal(size=(3, 4))
    x, y = np.array([0.0, 1, 3, 4]), np.array([0.0, 2, 3])
    for arguments, axis in (((), (1, 0)), ((x, y), (1, 0)), ((2.0, 3.0), (-1, 0)), ((y, x), None)):
        for found, wanted in zip(jnp.gradient(f, *arguments, axis=axis), np.gradient(f, *arguments, axis=axis),
                                 strict=True):
            np.testing.assert_allclose(found, wanted)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint64, np.int8])
def test_coordinates_without_a_sign_may_decrease(dtype: Any) -> None:
    np.testing.assert_allclose(jnp.gradient(np.array([0, 2, 4]), np.array([3, 2, 1], dtype)), [-2, -2, -2])
    np.testing.assert_allclose(jnp.gradient(np.array([0, 2, 4.0]), np.array([1, 2, 4], dtype)), [2, 5 / 3, 1])


def test_whole_numbers_at_equal_distances_stay_whole() -> None:
    for n in range(2, 120):
        np.testing.assert_array_equal(jnp.linspace(0, n - 1, n), np.arange(n))
        np.testing.assert_array_equal(jnp.linspace(5, 5 - 3 * (n - 1), n, dtype=int), 5 - 3 * np.arange(n))
    np.testing.assert_array_equal(jnp.linspace(np.float32(0), np.float32(98), 99), np.arange(99, dtype=np.float32))
    most = np.finfo(float).max
    np.testing.assert_allclose(jnp.linspace(-most, most, 5), [-most, -most / 2, 0, most / 2, most])
    assert jnp.linspace(2.5, 2.5, 3).tolist() == [2.5, 2.5, 2.5]
    tiny = 5e-324
    np.testing.assert_array_equal(jnp.linspace(0, tiny, 3), np.linspace(0, tiny, 3))


def test_narrow_floats_count_far() -> None:
    found = np.asarray(jnp.linspace(np.float16(0), np.float16(1), 70001))
    assert found.dtype == np.float16
    np.testing.assert_array_equal(found, (np.arange(70001) / 70000).astype(np.float32).astype(np.float16))


def test_geometric_numbers_end_exactly() -> None:
    np.testing.assert_array_equal(jnp.geomspace(1, 1000000, dtype="int32")[-1], 1000000)
    for arguments in ((3.0, 7.0, 9), (-3.0, -1e-7, 5), (1e-3, 3e8, 1)):
        found = np.asarray(jnp.geomspace(*arguments))
        np.testing.assert_allclose(found, np.geomspace(*arguments), rtol=1e-13)
        assert found[0] == arguments[0] and (len(found) == 1 or found[-1] == arguments[1])
    np.testing.assert_allclose(jnp.geomspace(1.0, 16.0, 4, endpoint=False), [1, 2, 4, 8])
    np.testing.assert_allclose(jnp.geomspace(-1, 1, 3, dtype=complex), [-1, 1j, 1], atol=1e-15)
    two = jnp.geomspace(np.array([1.0, 2.0]), 8.0, 3, axis=1)
    np.testing.assert_allclose(two, np.geomspace(np.array([1.0, 2.0]), 8.0, 3, axis=1))


def test_covariances_of_few_observations_are_unknown() -> None:
    m = np.array([[0.0, 1, 2], [2, 1, 0]])
    for ddof in (3, 5):
        np.testing.assert_array_equal(jnp.cov(m, ddof=ddof), [[np.inf, -np.inf], [-np.inf, np.inf]])
    assert np.isnan(jnp.cov(np.array([])))
    np.testing.assert_array_equal(jnp.cov(np.ones((1, 3)), ddof=0, rowvar=False), np.zeros((3, 3)))
    np.testing.assert_allclose(jnp.cov(np.arange(3.0), rowvar=False), 1)
    for function in (jnp.nanvar, jnp.nanstd):
        for ddof in (2, 3):
            np.testing.assert_array_equal(
                function(np.array([[1.0, np.nan, 3], [1, 2, 3]]), axis=1, ddof=ddof)[0], np.nan)
        np.testing.assert_array_equal(function(np.array([1.0, np.nan]), ddof=1, keepdims=True), [np.nan])


def test_integers_of_lists_are_exact() -> None:
    great = 2**64 - 2
    assert jnp.array([1, 3, great], dtype="uint64").tolist() == [1, 3, great]
    assert jnp.array([[0, 3.5], [great, 1]], dtype="uint64").tolist() == [[0, 3], [great, 1]]
    assert jnp.array([np.int64(2**62 + 1), np.uint64(3)], dtype="int64").tolist() == [2**62 + 1, 3]
    with pytest.raises((ArgumentError, LiteralRangeError)):
        jnp.array([1, great], dtype="int64")


@pytest.mark.parametrize("name", ["equal", "not_equal", "less", "less_equal", "greater", "greater_equal"])
def test_signed_and_unsigned_integers_compare_exactly(name: str) -> None:
    signed = np.array([2**60, 2**60, -1, -1, 0, 2**63 - 1, -(2**63), 5])
    unsigned = np.array([2**60 + 1, 2**60, 2**64 - 1, 0, 0, 2**63, 2**63, 2**60], np.uint64)
    pairs = ((signed, unsigned), (unsigned, signed), (signed[:, None], unsigned), (signed.astype(np.int8), unsigned))
    for x, y in pairs:
        found, wanted = getattr(jnp, name)(x, y), getattr(np, name)(x, y)
        np.testing.assert_array_equal(found, wanted)
        np.testing.assert_array_equal(olympus.jit(getattr(jnp, name))(x, y), wanted)
    assert not jnp.array_equal(signed[:1], unsigned[:1])


def test_axes_of_a_tensor_equation_are_moved_in_their_order() -> None:
    a = np.random.default_rng(1).normal(size=(2, 6, 3))
    for axes in ((2, 0), (0, 2)):
        np.testing.assert_allclose(jnp.linalg.tensorsolve(a, np.arange(6.0), axes=axes),
                                   np.linalg.tensorsolve(a, np.arange(6.0), axes=axes))


def test_bounds_beyond_the_type_bound_nothing() -> None:
    x = np.array([1, 200], np.uint8)
    assert jnp.clip(x, -5, 300).tolist() == jnp.asarray(x).clip(-5, 2**70).tolist() == [1, 200]
    assert jnp.clip(x, 2, 300).tolist() == [2, 200] and jnp.clip(x, -1, 100).tolist() == [1, 100]
    for arguments in ((300, None), (None, -1), (256, 300)):
        with pytest.raises(LiteralRangeError, match="clip"):
            jnp.clip(x, *arguments)


def test_a_mask_is_not_lost() -> None:
    with pytest.raises(ArgumentError, match="mask"):
        jnp.unique(np.ma.array([1, 2, 3], mask=[0, 1, 0]))


def test_quantiles_beside_infinities() -> None:
    x = np.array([-np.inf, 1, 2, 3, np.inf])
    found = jnp.percentile(x, np.array([0, 10, 12.5, 25, 50, 75, 90, 100]))
    np.testing.assert_array_equal(found, [-np.inf, -np.inf, -np.inf, 1, 2, 3, np.inf, np.inf])
    assert np.isnan(jnp.percentile(np.array([-np.inf, np.inf]), 25))


def test_entropies_of_quotients_that_are_no_floats() -> None:
    p, q = np.array([4, 1e-200, 2.2e-308, 1e-300, 0.3]), np.array([2.2e-308, 1e200, 1e15, 1e300, 0.7])
    np.testing.assert_allclose(special.rel_entr(p, q), scipy.special.rel_entr(p, q), rtol=1e-14)
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        wanted = scipy.special.rel_entr(p, q) - p + q
    np.testing.assert_allclose(special.kl_div(p, q), wanted, rtol=1e-14)
    slope = olympus.grad(special.rel_entr)(4.0, 2.2e-308)
    np.testing.assert_allclose(slope, np.log(4) - np.log(2.2e-308) + 1)


@pytest.mark.parametrize("numbers, dtype", [
    ([np.nan], "int32"), ([1, np.inf], "int64"), ([[300.0]], "uint8"), ([-1.5], "uint8"), ([1e10], "int32"),
    ([np.float32("nan")], "int8"), ([8.0], "int4"), ([2**70, 1.0], "int32"),
])
def test_lists_of_numbers_that_are_no_integers_of_the_type_are_refused(numbers: Any, dtype: str) -> None:
    with olympus.enable_x64(True), pytest.raises((ArgumentError, LiteralRangeError), match="fit"):
        jnp.array(numbers, dtype)


def test_fractions_of_lists_are_cut_off() -> None:
    assert jnp.array([[255.9, -0.5]], "uint8").tolist() == [[255, 0]]
    assert jnp.array(np.array([np.nan, 300]), "uint8").tolist() == [0, 255]  # what was an array is converted


@pytest.mark.parametrize("wide", [False, True])
def test_integers_beyond_64_bits_may_become_floats(wide: bool) -> None:
    with olympus.enable_x64(wide):
        for dtype in ("float32", "complex64", "bfloat16", "bool"):
            wanted = np.asarray(2.0**70).astype(jnp.dtype(dtype))
            for found in (jnp.array([2**70], dtype)[0], jnp.asarray(2**70, dtype),
                          lax.convert_element_type(2**70, dtype)):
                assert found.dtype == dtype and found == wanted
        mixed = jnp.array([[2**70, 1.5]])
        assert mixed.dtype == jnp.zeros(()).dtype and mixed.tolist() == [[2.0**70, 1.5]]
        assert jnp.array([2**70, 1j]).tolist() == [2.0**70, 1j]
        above = 2**70 + 2**46 + 1  # more than half way to the next float32
        assert jnp.array([above], "float32")[0] == lax.convert_element_type(above, "float32") == 2.0**70 + 2.0**47
        for call in (lambda: jnp.array([2**1100], "float32"), lambda: lax.convert_element_type(2**1100, "float32")):
            with pytest.raises(OverflowError, match="does not fit float32"):
                call()
        for call in (lambda: jnp.array([2**70, None]), lambda: lax.convert_element_type(1 + 2j, "float32")):
            with pytest.raises(ArgumentError):
                call()
        assert lax.convert_element_type(1j, "bool")
