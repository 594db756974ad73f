# SPDX-License-Identifier: Apache-2.0
"""Comparisons and extremes of complex numbers: by real part, then by imaginary part, as NumPy has them."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax

PARTS = (-np.inf, -1.0, 0.0, 2.0, np.inf, np.nan)
X, Y = (np.array(part, np.complex64) for part in zip(*itertools.product(
    [complex(*pair) for pair in itertools.product(PARTS, PARTS)], repeat=2), strict=True))
rng = np.random.default_rng(0)
# Few different parts, so that many are equal; one row has a NaN in its real parts, one in its imaginary ones.
TABLE = (rng.integers(-2, 3, (5, 40)) + 1j * rng.integers(-2, 3, (5, 40))).astype(np.complex64)
TABLE[1, 7] += np.nan
TABLE[3, 9] += 1j * np.nan
PAIRWISE = ("less", "less_equal", "greater", "greater_equal", "maximum", "minimum", "fmax", "fmin")


def modes(function: Callable[..., Any], *operands: np.ndarray) -> list[np.ndarray]:
    """What a function finds at once, and in a program."""
    return [np.asarray(f(*map(jnp.asarray, operands))) for f in (function, olympus.jit(function))]


def check(found: np.ndarray, wanted: np.ndarray) -> None:
    """Equal, but that NaN has no parts."""
    assert found.dtype == wanted.dtype and found.shape == wanted.shape
    hole = np.isnan(wanted)
    np.testing.assert_array_equal(np.isnan(found), hole)
    np.testing.assert_array_equal(found[~hole], wanted[~hole])


@pytest.mark.parametrize("name", PAIRWISE)
def test_pairs(name: str) -> None:
    with np.errstate(invalid="ignore"):
        wanted = getattr(np, name)(X, Y)
    for found in modes(getattr(jnp, name), X, Y):
        check(found, wanted)


def test_operators_and_the_strict_layer() -> None:
    with np.errstate(invalid="ignore"):
        for strict, name in ((lax.lt, "less"), (lax.ge, "greater_equal"), (lax.max, "maximum"), (lax.min, "minimum")):
            check(np.asarray(strict(X, Y)), getattr(np, name)(X, Y))
        check(np.asarray(jnp.asarray(X) < jnp.asarray(Y)), X < Y)
    assert not (jnp.asarray(1 + 2j) < 1 + 2j) and bool(jnp.maximum(2, jnp.complex64(2 - 1j)) == 2)


@pytest.mark.parametrize("axis", [None, 0, 1])
@pytest.mark.parametrize("name", [
    "max", "min", "ptp", "nanmax", "nanmin", "argmax", "argmin", "nanargmax", "nanargmin"])
def test_extremes(name: str, axis: int | None) -> None:
    wanted = np.asarray(getattr(np, name)(TABLE, axis=axis))
    if name.endswith(("argmax", "argmin")):
        wanted = wanted.astype(np.int32)
    for found in modes(lambda x: getattr(jnp, name)(x, axis=axis), TABLE):
        check(found, wanted)


def test_extremes_of_some_elements_and_of_several_axes() -> None:
    x, where = TABLE.reshape(5, 4, 10)[::2], TABLE.reshape(5, 4, 10)[::2].real > 0
    check(np.asarray(jnp.max(x, (0, 2))), x.max((0, 2)))
    check(np.asarray(jnp.min(x, initial=1 + 1j, where=where, axis=1)), x.min(initial=1 + 1j, where=where, axis=1))
    check(np.asarray(lax.reduce_max(x, (1,))), x.max(1))
    check(np.asarray(lax.argmin(x, 1, np.int32)), x.argmin(1).astype(np.int32))
    infinite = np.array([complex(-np.inf, 5), complex(np.nan, 0), complex(-np.inf, -7)], np.complex64)
    assert complex(jnp.nanmax(infinite)) == complex(-np.inf, 5) and int(jnp.nanargmin(infinite)) == 2


def test_they_are_mapped_and_have_derivatives() -> None:
    check(np.asarray(olympus.vmap(jnp.max)(TABLE)), TABLE.max(1))
    check(np.asarray(olympus.vmap(jnp.maximum, (0, None))(TABLE, TABLE[0])), np.maximum(TABLE, TABLE[0]))
    gradient = olympus.grad(lambda x: jnp.real(jnp.max(x) * (2 + 1j)))(jnp.asarray(TABLE[0]))
    place = np.flatnonzero(TABLE[0] == TABLE[0].max())
    others = np.setdiff1d(np.arange(40), place)
    assert not np.asarray(gradient)[others].any() and np.isclose(np.asarray(gradient)[place].sum().real, 2)


@pytest.mark.parametrize("name", ["maximum", "minimum"])
def test_running_extremes(name: str) -> None:
    function = {"maximum": lax.cummax, "minimum": lax.cummin}[name]
    for axis in (0, 1):
        wanted = getattr(np, name).accumulate(TABLE, axis=axis)
        for found in modes(lambda x, axis=axis: function(x, axis), TABLE):
            check(found, wanted)
        check(np.asarray(getattr(jnp, name).accumulate(TABLE, axis=axis)), wanted)
    check(np.asarray(function(TABLE, 1, reverse=True)), getattr(np, name).accumulate(TABLE[:, ::-1], axis=1)[:, ::-1])
    assert function(TABLE[:, :0], 1).shape == (5, 0)
    assert isinstance(function(TABLE[:1]), olympus.Array)
    gradient = olympus.grad(lambda x: jnp.real(function(x).sum()))(jnp.array([1 + 1j, 5, -3, 2j], np.complex64))
    np.testing.assert_array_equal(gradient, [1, 3, 0, 0] if name == "maximum" else [2, 0, 2, 0])


def test_places_in_a_sorted_array() -> None:
    ordered = np.sort(TABLE[0])
    for side in ("left", "right"):
        for found in modes(lambda a, v, side=side: jnp.searchsorted(a, v, side=side), ordered, TABLE[2]):
            np.testing.assert_array_equal(found, np.searchsorted(ordered, TABLE[2], side=side))


def test_clamp() -> None:
    low, x, high = np.complex64(-1), TABLE[0], np.complex64(1 + 1j)
    wanted = np.minimum(np.maximum(x, low), high)
    for found in modes(lambda x: lax.clamp(low, x, high), x):
        check(found, wanted)
    for found in modes(lax.clamp, np.full_like(x, low), x, np.full_like(x, high)):
        check(found, wanted)
    slopes = olympus.grad(lambda x: lax.clamp(low, x, high).real.sum())(np.array([0.5, -2, 3], np.complex64))
    np.testing.assert_array_equal(slopes, [1, 0, 0])


@pytest.mark.parametrize("name", ["max", "min"])
def test_extremes_at_places(name: str) -> None:
    function = {"max": np.maximum, "min": np.minimum}[name]
    x, updates = TABLE[0], TABLE[2]
    places = np.arange(40) * 7 % 23  # some twice, some not at all
    wanted = x.copy()
    function.at(wanted, places, updates)
    for found in modes(lambda x, u: getattr(x.at[places], name)(u), x, updates):
        check(found, wanted)
    numbers = lax.ScatterDimensionNumbers((), (0,), (0,))
    scatter = getattr(lax, f"scatter_{name}")
    check(np.asarray(scatter(x, places[:, None], updates, numbers)), wanted)
    beyond = np.where(places == 4, 99, places)
    wanted[4] = x[4]
    check(np.asarray(getattr(jnp.asarray(x).at[beyond], name)(updates)), wanted)
    check(np.asarray(getattr(jnp.asarray(x).at[3], name)(2j))[3], function(x[3], 2j).astype(x.dtype))
    mask = x.imag > 0
    check(np.asarray(getattr(jnp.asarray(x).at[mask], name)(2j)), np.where(mask, function(x, 2j), x).astype(x.dtype))
    rows = olympus.vmap(lambda x, i, u: getattr(x.at[i], name)(u))(TABLE, np.stack([places] * 5), TABLE[::-1])
    for found, row, u in zip(rows, TABLE.copy(), TABLE[::-1], strict=True):
        function.at(row, places, u)
        check(np.asarray(found), row)


@pytest.mark.parametrize("name", ["max", "min"])
def test_extremes_of_segments_and_of_devices(name: str) -> None:
    ids = np.arange(40) % 3
    for bucket in (None, 7):
        found = getattr(olympus.ops, f"segment_{name}")(TABLE[0], ids, 4, bucket_size=bucket)
        check(np.asarray(found)[:3], np.array([getattr(TABLE[0][ids == i], name)() for i in range(3)]))
        assert np.isinf(found[3]) and (found[3].real > 0) == (name == "min")
    reduced = olympus.vmap(lambda x: getattr(lax, f"p{name}")(x, "i"), axis_name="i")(TABLE)
    check(np.asarray(reduced), np.broadcast_to(getattr(TABLE, name)(0), TABLE.shape))


def test_equal_numbers_share_the_slope() -> None:
    # As those of real numbers do; the numbers are JAX's.
    ties = jnp.array([1 + 1j, 1 + 1j, 1 + 1j, 1 + 1j, 0, 1 + 1j], np.complex64)
    moves = jnp.array([1, 10, 100, 1e3, 1e4, 1e5], np.complex64)
    np.testing.assert_allclose(
        olympus.jvp(lax.cummax, (ties,), (moves,))[1].real, [1, 5.5, 52.75, 277.75, 277.75, 50138.875])
    for function in (jnp.maximum, jnp.minimum):
        for argument in (0, 1):
            slopes = olympus.grad(lambda x, y, f=function: f(x, y).real.sum(), argument)(ties, ties)
            np.testing.assert_array_equal(slopes, np.full(6, 0.5))
    x, u = jnp.array([1 + 2j, 1 + 1j, 2 - 1j], np.complex64), jnp.array([1 + 2j, 1 + 2j, 3], np.complex64)
    slopes = olympus.grad(lambda x, u: x.at[jnp.array([0, 0, 2])].max(u).real.sum(), (0, 1))(x, u)
    np.testing.assert_allclose(slopes[0], [1 / 3, 1, 0], rtol=1e-6)
    np.testing.assert_allclose(slopes[1], [1 / 3, 1 / 3, 1], rtol=1e-6)
    infinite = jnp.array([complex(-np.inf, 1), complex(np.inf, 0)], np.complex64)
    np.testing.assert_array_equal(
        olympus.grad(lambda x: jnp.maximum(x, infinite - 1j).imag.sum())(infinite), [-1j, -1j])
