# SPDX-License-Identifier: Apache-2.0
"""Indexing and updates, against NumPy's own rules."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import olympus
import olympus.numpy as jnp
from olympus_core.config import config
from olympus_core.errors import (
    ArgumentError,
    ConcretizationError,
    ImmutableError,
    IndexOutOfBoundsError,
    IndexTypeError,
    MaskShapeError,
    TooManyIndicesError,
)

SHAPE = (3, 4, 2)
X = np.arange(24, dtype=np.float32).reshape(SHAPE)
ARRAYS = [
    (np.array([2, 0]),), (slice(None), np.array([[0, -1], [2, 1]])), (np.array([0, 1]), np.array([1, -1])),
    (np.array([[0], [2]]), np.array([1, 3])), (0, slice(None), np.array([0, 1])), (slice(None), 0, np.array([0, 1])),
    (np.array([0, 1]), slice(None), np.array([0, 1])), (np.array([0, 1]), None, np.array([0, 1])),
    (Ellipsis, np.array([0, 1, 1])), (np.array([0, 1]), Ellipsis, 1), (slice(2, 0, -1), np.array([3, 0])),
    (None, np.array([1]), slice(1, 3), None), (np.array([], np.int64),), (np.uint8(2), np.array([1, 2], np.int8)),
    (np.array([0, 1]), np.array(1), slice(None)), (slice(None), slice(None, None, -2), np.array([1, 0])),
    (np.array([0, 2]), slice(1, 3), 0), (np.array([0, 1]), np.array([1, 2]), np.array([1, 1])),
    (np.array([[0, 1]]), slice(None), np.array([[0], [1]])), (np.array([0, 1]), np.array([1, 2]), Ellipsis),
    (np.array([0, 1]), Ellipsis, np.array([1, 0])), ([0, 2],), ([True, False, True],),
]
MASKS = [
    (X > 5,), (X[..., 0] > 5,), (np.array([True, False, True]),), (slice(None), np.array([True, False, True, True])),
    (0, X[0] > 3), (np.array([True, False, True]), slice(None), 0),
]

basic = hnp.basic_indices(SHAPE, max_dims=6, allow_newaxis=True, allow_ellipsis=True)


def same(found: object, expected: np.ndarray) -> None:
    assert found.shape == expected.shape and found.dtype == expected.dtype
    np.testing.assert_array_equal(np.asarray(found), expected)


@given(basic)
@settings(max_examples=80)
def test_basic_indices(index: object) -> None:
    same(jnp.asarray(X)[index], np.asarray(X[index]))


@given(basic)
@settings(max_examples=40)
def test_basic_indices_while_tracing(index: object) -> None:
    same(olympus.jit(lambda x: x[index])(X), np.asarray(X[index]))


@given(hnp.integer_array_indices(SHAPE, result_shape=hnp.array_shapes(max_dims=2, max_side=3)))
@settings(max_examples=40)
def test_arrays_of_indices(index: tuple[np.ndarray, ...]) -> None:
    same(jnp.asarray(X)[index], X[index])


@pytest.mark.parametrize("index", ARRAYS, ids=str)
def test_mixed_indices(index: object) -> None:
    same(jnp.asarray(X)[index], X[index])
    same(olympus.jit(lambda x: x[index])(X), X[index])


@pytest.mark.parametrize("index", MASKS, ids=lambda index: str([np.shape(i) for i in index]))
def test_masks(index: object) -> None:
    same(jnp.asarray(X)[index], X[index])
    same(jnp.asarray(X)[tuple(jnp.asarray(i) if isinstance(i, np.ndarray) else i for i in index)], X[index])


@given(basic)
@settings(max_examples=60)
def test_setting_basic_indices(index: object) -> None:
    values = np.asarray(-1 - np.arange(X[index].size, dtype=np.float32)).reshape(np.shape(X[index]))
    expected = X.copy()
    expected[index] = values
    same(jnp.asarray(X).at[index].set(values), expected)


@pytest.mark.parametrize("index", ARRAYS + MASKS, ids=lambda index: str([getattr(i, "shape", i) for i in index]))
@pytest.mark.parametrize("name, combine", [("set", None), ("add", np.add), ("multiply", np.multiply),
                                           ("min", np.minimum), ("max", np.maximum), ("subtract", np.subtract)])
def test_updates(name: str, combine: np.ufunc | None, index: object) -> None:
    """Of several updates of one element by `set` any may stay: the values are alike."""
    shape = np.shape(X[index])
    values = np.float32(2.0) if name == "set" else (1 + np.arange(np.prod(shape, dtype=int)) % 3).reshape(shape)
    values = np.asarray(values, np.float32)
    expected = X.copy()
    if combine is None:
        expected[index] = values
    else:
        combine.at(expected, index, values)
    same(getattr(jnp.asarray(X).at[index], name)(values), expected)


@given(st.data())
@settings(max_examples=30)
def test_dynamic_integers(data: st.DataObject) -> None:
    i, j = data.draw(st.integers(-3, 2)), data.draw(st.integers(-4, 3))
    take = olympus.jit(lambda x, i, j: x[i, 1:, ...][j % 3])
    same(take(X, i, j), X[i, 1:][j % 3])
    put = olympus.jit(lambda x, i, j: x.at[i, j].add(1.0))
    expected = X.copy()
    expected[i, j] += 1
    same(put(X, i, j), expected)


def test_a_loop_over_integers_is_one_program() -> None:
    from olympus.numpy.indexing import _indexed

    x = jnp.arange(7.0)
    float(x[0])
    before = len(_indexed._calls)
    assert [float(x[i]) for i in range(7)] == list(range(7))
    assert len(_indexed._calls) == before


def test_indices_outside_count_as_the_nearest_if_the_option_says_so() -> None:
    x = jnp.arange(6.0).reshape(2, 3)
    with config.override("olympus_check_static_indices", False):
        for found in (x[5], olympus.jit(lambda x: x[5])(x), x[np.int64(5)]):
            assert found.tolist() == [3, 4, 5]
        assert float(x[0, 7]) == 2 and float(x[-9, -9]) == 0 and x[1, -9:9].tolist() == [3, 4, 5]
        assert olympus.grad(lambda x: x[5, 5])(x).tolist() == [[0, 0, 0], [0, 0, 1]]
        with pytest.raises(IndexOutOfBoundsError):
            jnp.zeros((0, 2))[0]
        with pytest.raises(IndexOutOfBoundsError):
            olympus.new_ref(x)[2]
    with pytest.raises(IndexOutOfBoundsError):
        olympus.jit(lambda x: x[5])(x)


def test_indices_outside() -> None:
    x = jnp.arange(5.0)
    with pytest.raises(IndexOutOfBoundsError, match="Index 5 is out of bounds for axis 0 with size 5") as caught:
        x[5]
    assert isinstance(caught.value, IndexError)
    with pytest.raises(IndexOutOfBoundsError):
        jnp.zeros((2, 3))[:, -4]
    outside = jnp.array([1, 9, -9])
    assert x[outside].tolist() == [1, 4, 0]
    assert x.at[outside].get(mode="fill", fill_value=-1).tolist() == [1, -1, -1]
    assert np.isnan(x.at[9].get(mode="fill")) and float(x.at[9].get()) == 4
    assert x.at[outside].set(7.0).tolist() == [0, 7, 2, 3, 4]
    assert x.at[outside].set(7.0, mode="clip").tolist() == [7, 7, 2, 3, 7]
    assert x.at[jnp.array([6])].set(7.0, mode="wrap").tolist() == [0, 7, 2, 3, 4]
    assert x.at[jnp.array([6])].get(mode="wrap").tolist() == [1]
    assert x.at[5].set(1.0).tolist() == x.tolist() and x.at[5].set(1.0, mode="clip").tolist() == [0, 1, 2, 3, 1]
    assert jnp.arange(3).at[jnp.array([7])].get(mode="fill").tolist() == [-(2**31)]


def test_masked_updates_need_no_known_mask() -> None:
    put = olympus.jit(lambda x: x.at[x > 5].set(0.0))
    same(put(X), np.where(X > 5, 0, X))
    add = olympus.jit(lambda x: x.at[x[..., 0] > 5].add(1.0))
    same(add(X), np.where((X[..., 0] > 5)[..., None], X + 1, X))


def test_other_updates() -> None:
    x = jnp.array([1.0, 2.0, 4.0])
    assert x.at[1].divide(4).tolist() == [1, 0.5, 4]
    assert x.at[1].power(3).tolist() == [1, 8, 4]
    assert x.at[1:].apply(jnp.negative).tolist() == [1, -2, -4]
    assert jnp.array([1, 2]).at[0].set(2.9).tolist() == [2, 2]
    assert x.at[jnp.array([0, 0])].multiply(jnp.array([2.0, 3.0])).tolist() == [6, 2, 4]
    assert x.at[:2].set([7.0, 8.0]).tolist() == [7, 8, 4]


def test_mistakes_teach() -> None:
    x = jnp.asarray(X)
    with pytest.raises(TooManyIndicesError, match="Too many indices: 4"):
        x[0, 0, 0, 0]
    with pytest.raises(IndexTypeError, match="of a kind that arrays do not take"):
        x["a"]
    with pytest.raises(IndexTypeError):
        x[1.5]
    with pytest.raises(IndexTypeError):
        x[jnp.array([0.5])]
    with pytest.raises(IndexTypeError):
        x[..., ...]
    with pytest.raises(MaskShapeError, match="does not fit"):
        x[np.array([True, False])]
    with pytest.raises(ImmutableError, match="never changes"):
        x[0] = 1
    with pytest.raises(ConcretizationError, match="indexing with a mask"):
        olympus.jit(lambda x: x[x > 1])(X)
    with pytest.raises(ConcretizationError, match="nonzero without size="):
        olympus.jit(jnp.nonzero)(X)
    with pytest.raises(ArgumentError, match="do not broadcast|Incompatible shapes"):
        x.at[0].set(jnp.zeros(3))


@pytest.mark.parametrize("axis", [None, 0, 1, -1])
@pytest.mark.parametrize(
    "indices", [np.array([0, 1]), np.array([[1, 0], [-1, 0]]), np.int32(1), np.array([], np.int32)], ids=str)
def test_take(axis: int | None, indices: np.ndarray) -> None:
    same(jnp.take(X, indices, axis=axis), np.take(X, indices, axis=axis))


def test_take_outside() -> None:
    x = np.arange(5)
    for mode, places in (("clip", [0, 9]), ("wrap", [-7, 9, 2])):
        same(jnp.take(x, places, mode=mode), np.take(x, places, mode=mode).astype(np.int32))
    assert np.isnan(jnp.take(jnp.ones(2), 5)) and int(jnp.take(x, 9, fill_value=-3)) == -3


@pytest.mark.parametrize("axis", [0, 1, 2, -1])
def test_take_along_axis(axis: int) -> None:
    order = np.argsort(-X, axis=axis)
    same(jnp.take_along_axis(X, order, axis=axis), np.take_along_axis(X, order, axis=axis))
    first = np.expand_dims(np.argmax(X, axis=axis), axis)
    same(jnp.take_along_axis(X, first, axis), np.take_along_axis(X, first, axis))


def test_take_along_axis_broadcasts() -> None:
    index = np.array([[[1], [0], [3]]])
    same(jnp.take_along_axis(X, index, axis=1), np.take_along_axis(X, index, axis=1))


def test_where_and_places() -> None:
    same(jnp.where(X > 5, X, -1), np.where(X > 5, X, np.float32(-1)))
    for found, expected in zip(jnp.where(X > 5), np.where(X > 5), strict=True):
        same(found, expected.astype(np.int32))
    same(jnp.argwhere(X > 20), np.argwhere(X > 20).astype(np.int32))
    same(jnp.flatnonzero(X > 20), np.flatnonzero(X > 20).astype(np.int32))
    with pytest.raises(ArgumentError, match="only one of x and y"):
        jnp.where(X > 5, X)


@pytest.mark.parametrize("size", [0, 2, 18, 30])
def test_places_of_known_number(size: int) -> None:
    found = olympus.jit(lambda x: jnp.nonzero(x > 5, size=size, fill_value=-1))(X)
    for part, expected in zip(found, np.nonzero(X > 5), strict=True):
        wanted = np.full(size, -1)
        wanted[:len(expected)] = expected[:size]
        same(part, wanted.astype(np.int32))


def test_choosing() -> None:
    x = np.arange(6)
    same(jnp.select([x < 2, x < 4], [x, x * 10], -1), np.select([x < 2, x < 4], [x, x * 10], -1).astype(np.int32))
    same(jnp.choose(np.array([0, 1, 1]), [np.arange(3), np.arange(3) * 10]),
         np.choose([0, 1, 1], [np.arange(3), np.arange(3) * 10]).astype(np.int32))
    same(jnp.compress(x > 3, x), np.compress(x > 3, x).astype(np.int32))
    flat = np.array([5, 0, 3])
    for found, expected in zip(jnp.unravel_index(flat, (2, 3)), np.unravel_index(flat, (2, 3)), strict=True):
        same(found, expected.astype(np.int32))
    places = (np.array([1, 0]), np.array([2, 1]))
    same(jnp.ravel_multi_index(places, (2, 3)), np.ravel_multi_index(places, (2, 3)).astype(np.int32))


WIDE = [
    (2**32 + 1, "int64"), (-2**32 - 1, "int64"), (2**63 - 1, "int64"), (-2**63, "int64"), (2**32 - 1, "uint32"),
    (2**31, "uint32"), (2**32 + 1, "uint64"), (2**63, "uint64"), (2**64 - 1, "uint64"),
]


@pytest.mark.parametrize("number, dtype", WIDE)
@pytest.mark.parametrize("traced", [False, True])
def test_indices_beyond_int32_stay_outside(number: int, dtype: str, traced: bool) -> None:
    """They are not cut to their lower 32 bits, which may lie inside."""
    with olympus.enable_x64(True):
        x, index = jnp.arange(10.0), np.array([number], dtype)
        index = jnp.asarray(index) if traced else index
        edge = 0 if number < 0 else 9
        assert x[index].tolist() == x.at[index].get(mode="clip").tolist() == [edge]
        assert jnp.take(x, index, mode="clip").tolist() == [edge]
        assert jnp.take_along_axis(x, index, 0, mode="clip").tolist() == [edge]
        for found in (x.at[index].get(mode="fill"), jnp.take(x, index), jnp.take_along_axis(x, index, 0, mode="fill")):
            assert np.isnan(np.asarray(found)).all()
        for changed in (x.at[index].set(-1.0), x.at[index[0]].set(-1.0), x.at[index].add(-1.0)):
            assert changed.tolist() == list(range(10))
        assert x.at[index].set(-1.0, mode="clip")[edge] == -1
        assert x.at[index[0]].set(-1.0, mode="clip")[edge] == -1
        assert olympus.jit(lambda x, i: x[i])(x, index).tolist() == [edge]


def test_wide_indices_inside() -> None:
    with olympus.enable_x64(True):
        x = jnp.arange(10)
        assert x[jnp.asarray(np.array([-1, 3, -10], np.int64))].tolist() == [9, 3, 0]
        assert x[jnp.asarray(np.array([9, 3], np.uint64))].tolist() == [9, 3]


def test_the_greatest_starts_of_slices_when_they_are_mapped() -> None:
    """Starts of 64 bits without sign become signed ones on the way, and stay behind the end."""
    with olympus.enable_x64(True):
        x, starts = jnp.arange(10), jnp.asarray(np.array([2**63 + 5, 3, 2**64 - 1, 2**63 - 1], np.uint64))
        taken = olympus.vmap(lambda i: olympus.lax.dynamic_slice(x, (i,), (2,)))(starts)
        assert taken.tolist() == [[8, 9], [3, 4], [8, 9], [8, 9]]
        zeros = jnp.zeros(1, x.dtype)
        changed = olympus.jit(olympus.vmap(lambda i: olympus.lax.dynamic_update_slice(x, zeros, (i,))))(starts)
        assert np.argwhere(np.asarray(changed) == 0)[:, 1].tolist() == [0, 9, 0, 3, 0, 9, 0, 9]


def test_narrow_indices_of_long_dimensions() -> None:
    """Element types that cannot hold the dimension's size."""
    x = jnp.arange(1000)
    for index in (np.array([-1, 100], np.int8), jnp.array([-1, 100], jnp.int8)):
        assert x[index].tolist() == jnp.take(x, index, mode="wrap").tolist() == [999, 100]
        assert olympus.lax.dynamic_slice(x, (index[0],), (1,)).tolist() == [999]
        assert [i.tolist() for i in jnp.unravel_index(index, (10, 100))] == [[9, 1], [99, 0]]
    assert jnp.take(x, jnp.array([255], jnp.uint8), mode="wrap").tolist() == [255]
