# SPDX-License-Identifier: Apache-2.0
"""What becomes of indices outside, in every mode of every function that takes one, beside NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax

INDICES = np.array([0, -1, 7, -9, 4, 5, -5, -6])
ROW = np.arange(5, dtype=np.float32)
MATRIX = np.arange(15, dtype=np.float32).reshape(3, 5)


def _places(mode: str, indices: np.ndarray, size: int, from_end: bool = True) -> np.ndarray:
    """Where to look, by the words of NumPy's documentation; -1 for nowhere."""
    if mode == "wrap":
        return indices % size
    counted = np.where(from_end & (indices < 0), indices + size, indices)
    if mode == "clip":
        return np.clip(counted, 0, size - 1)
    return np.where((counted >= 0) & (counted < size), counted, -1)


def _picked(mode: str, x: np.ndarray, axis: int, from_end: bool = True) -> np.ndarray:
    places = _places(mode, INDICES, x.shape[axis], from_end)
    found = np.take(x, np.maximum(places, 0), axis)
    return np.where(np.expand_dims(places, [d + 1 for d in range(x.ndim - 1)] if axis == 0 else 0) < 0, np.nan, found)


@pytest.mark.parametrize("mode", ["clip", "wrap", "fill", None])
def test_take(mode: Any) -> None:
    word = mode or "fill"
    for x in (ROW, MATRIX):
        axis = x.ndim - 1
        wanted = _picked(word, x, axis, from_end=mode != "clip")
        if mode in ("clip", "wrap"):
            np.testing.assert_array_equal(wanted, np.take(x, INDICES, axis, mode=mode))
        np.testing.assert_array_equal(jnp.take(x, INDICES, axis, mode=mode), wanted)
        np.testing.assert_array_equal(olympus.jit(lambda x, i: jnp.take(x, i, -1, mode=mode))(x, INDICES), wanted)
        mapped = olympus.vmap(lambda i, x=x: jnp.take(x, i, -1, mode=mode), out_axes=-1)
        np.testing.assert_array_equal(mapped(INDICES), wanted)
    np.testing.assert_array_equal(  # indices that differ from row to row
        olympus.vmap(lambda x, i: jnp.take(x, i, mode=mode))(MATRIX, np.stack([INDICES] * 3)),
        _picked(word, MATRIX, 1, from_end=mode != "clip"))


def test_take_clips_as_numpy_in_narrow_types() -> None:
    long = np.arange(300, dtype=np.int32)
    for dtype in (np.int8, np.uint8, np.int16, np.uint32):
        indices = np.array([0, 100, -1, -128]).astype(dtype)
        np.testing.assert_array_equal(jnp.take(long, jnp.asarray(indices), mode="clip"),
                                      np.take(long, indices.astype(np.int64), mode="clip"))
    for scalar in (-1, -9, 9):
        assert jnp.take(ROW, scalar, mode="clip") == np.take(ROW, scalar, mode="clip")


def test_the_derivative_of_a_clipped_take_goes_where_it_read() -> None:
    weights = np.arange(1, 9, dtype=np.float32)
    found = olympus.grad(lambda x: (jnp.take(x, INDICES, mode="clip") * weights).sum())(ROW)
    wanted = np.zeros(5, np.float32)
    np.add.at(wanted, np.clip(INDICES, 0, 4), weights)
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("mode", ["clip", "wrap", "fill", None, lax.GatherScatterMode.CLIP,
                                  lax.GatherScatterMode.FILL_OR_DROP, lax.GatherScatterMode.ONE_HOT])
def test_at_get_and_set(mode: Any) -> None:
    words = {None: "clip", lax.GatherScatterMode.CLIP: "clip", lax.GatherScatterMode.FILL_OR_DROP: "fill",
             lax.GatherScatterMode.ONE_HOT: "fill"}
    word = words.get(mode, mode)
    wanted = _picked(word, ROW, 0)
    np.testing.assert_array_equal(jnp.asarray(ROW).at[INDICES].get(mode=mode), wanted)
    filled = np.where(np.isnan(wanted), np.float32(-3), wanted)
    np.testing.assert_array_equal(jnp.asarray(ROW).at[INDICES].get(mode=mode, fill_value=-3), filled)
    places = _places("fill" if mode is None else word, INDICES, 5)
    inside = places >= 0
    for name, ufunc in (("add", np.add), ("multiply", np.multiply), ("min", np.minimum), ("max", np.maximum)):
        changed = ROW.copy()
        ufunc.at(changed, places[inside], np.float32(3))
        np.testing.assert_array_equal(getattr(jnp.asarray(ROW).at[INDICES], name)(3, mode=mode), changed, err_msg=name)
    changed = ROW.copy()
    changed[places[inside]] = 9
    np.testing.assert_array_equal(jnp.asarray(ROW).at[INDICES].set(9, mode=mode), changed)
    doubled = ROW.copy()
    np.multiply.at(doubled, places[inside], np.float32(2))
    for run in (lambda f: f, olympus.jit):
        twice = run(lambda x, i: x.at[i].apply(lambda v: 2 * v, mode=mode))
        np.testing.assert_array_equal(twice(jnp.asarray(ROW), jnp.asarray(INDICES)), doubled)


def test_apply_once_where_that_is_promised() -> None:
    x = jnp.asarray(ROW)
    assert x.at[jnp.array([1, 1])].apply(lambda v: v + 1, unique_indices=True).tolist() == [0, 2, 2, 3, 4]
    assert x.at[jnp.array([[1, 1], [3, 1]])].apply(lambda v: v + 1).tolist() == [0, 4, 2, 4, 4]
    assert x.at[3].apply(lambda v: v + 1).tolist() == x.at[3:4].apply(lambda v: v + 1).tolist() == [0, 1, 2, 4, 4]
    assert x.at[x > 2].apply(lambda v: v + 1).tolist() == [0, 1, 2, 4, 5]
    for run in (lambda f: f, olympus.jit):
        slopes = run(olympus.grad(lambda x: x.at[np.array([1, 1])].apply(lambda v: v * v).sum()))(x + 1)
        assert slopes.tolist() == [1, 32, 1, 1, 1]  # of x^4 at 2
    mapped = olympus.vmap(lambda i: x.at[i].apply(lambda v: v + 1))(jnp.array([[1, 1], [1, 3]]))
    assert mapped.tolist() == [[0, 3, 2, 3, 4], [0, 2, 2, 4, 4]]


@pytest.mark.parametrize("function", [
    lambda i, **mode: jnp.choose(i, [np.arange(3), np.arange(3) + 10], **mode),
    lambda i, **mode: jnp.ravel_multi_index((i,), (2,), **mode),
], ids=["choose", "ravel_multi_index"])
def test_what_lies_outside_is_an_error_unless_a_mode_says_otherwise(function: Any) -> None:
    outside, inside = np.array([0, -1, 5]), np.array([0, 1, 1])
    for given in ({}, {"mode": "raise"}):
        with pytest.raises(ValueError, match="an index is outside"):
            function(outside, **given)
        assert len(function(inside, **given)) == 3
        with pytest.raises(olympus.errors.ConcretizationError, match="mode='raise'"):
            olympus.jit(lambda i, given=given: function(i, **given))(inside)
    for mode in ("clip", "wrap"):
        np.testing.assert_array_equal(function(outside, mode=mode), function(_places(mode, outside, 2, False)))
        np.testing.assert_array_equal(
            olympus.jit(lambda i, mode=mode: function(i, mode=mode))(outside), function(outside, mode=mode))
    with pytest.raises(ValueError, match="the mode is not known"):
        function(inside, mode="fill")


def test_updates_of_scalars() -> None:
    for index in ((), ...):
        for x in (jnp.asarray(1.0), np.float32(1)):
            assert float(jnp.asarray(x).at[index].set(3)) == 3
            assert float(jnp.asarray(x).at[index].add(3)) == 4
            assert float(jnp.asarray(x).at[index].max(3)) == 3
    assert float(olympus.grad(lambda x: 2 * jnp.zeros(()).at[()].set(x))(1.0)) == 2


@pytest.mark.parametrize(("mode", "read", "written"), [
    (None, [0, 0, 1, 3], [0, 9, 2, 3]),
    ("fill", [-2**31, -2**31, 1, -2**31], [0, 9, 2, 3]),
    ("clip", [0, 0, 1, 3], [9, 9, 2, 9]),
])
def test_negative_indices_that_do_not_count_from_the_end(mode: str | None, read: list[int], written: list[int]) -> None:
    x = jnp.arange(4)
    for index in (np.array([-1, -5, 1, 7]), jnp.array([-1, -5, 1, 7])):
        np.testing.assert_array_equal(x.at[index].get(mode=mode, wrap_negative_indices=False), read)
        found = olympus.jit(lambda i: x.at[i].set(9, mode=mode, wrap_negative_indices=False))(index)
        np.testing.assert_array_equal(found, written)
    np.testing.assert_array_equal(x.at[-1].apply(lambda v: v + 1, wrap_negative_indices=False), x)
    assert int(x.at[-1].get(mode="clip", wrap_negative_indices=False)) == 0
    np.testing.assert_array_equal(x.at[-1:].get(wrap_negative_indices=False), [3])


TRUE, FALSE = np.array(True), np.array(False)


@pytest.mark.parametrize("index", [
    True, False, (True, 0), (0, True), (None, True), (np.array([0, 1]), True), (True, False), (..., True),
    (..., True, 0), (np.array([True, False, True]), True), (slice(None), True, np.array([0, 1])),
    (slice(None), True, slice(None), np.array([0, 1])), (TRUE, ..., FALSE), (True, True, slice(0, 2)),
    ([True, False, True], np.True_),
], ids=str)
def test_bools_of_no_dimensions_stand_in_indices_as_in_numpys(index: Any) -> None:
    host = np.arange(24, dtype=np.float32).reshape(3, 4, 2)
    x, found = jnp.asarray(host), host[index]
    for got in (x[index], x.at[index].get(), olympus.jit(lambda x: x[index])(x)):
        assert got.shape == found.shape
        np.testing.assert_array_equal(got, found)
    wanted = host.copy()
    wanted[index] = found + 3
    np.testing.assert_array_equal(x.at[index].set(found + 3), wanted)
    np.testing.assert_array_equal(x.at[index].apply(lambda y: y + 3), wanted)
    slopes = np.zeros_like(host)
    slopes[index] = 2 * found
    np.testing.assert_array_equal(olympus.grad(lambda x: (x[index] ** 2).sum())(x), slopes)


def test_numbers_of_the_modes() -> None:
    assert [(mode.name, mode.value) for mode in lax.GatherScatterMode] == [
        ("CLIP", 1), ("FILL_OR_DROP", 2), ("PROMISE_IN_BOUNDS", 3), ("ONE_HOT", 4)]
    for name in ("clip", "promise_in_bounds", "one_hot"):
        assert lax.GatherScatterMode.from_any(name) is lax.GatherScatterMode[name.upper()]
