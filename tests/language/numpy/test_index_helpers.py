# SPDX-License-Identifier: Apache-2.0
"""Index helpers and functional updates, beside NumPy's."""

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus.errors import ArgumentError, NotSupportedError


def test_grids_and_rows_by_slices() -> None:
    np.testing.assert_array_equal(jnp.mgrid[0:3, 1:5:2], np.mgrid[0:3, 1:5:2])
    np.testing.assert_allclose(jnp.mgrid[0:1:5j], np.mgrid[0:1:5j])
    for found, expected in zip(jnp.ogrid[0:3, 1:5:2], np.ogrid[0:3, 1:5:2], strict=True):
        np.testing.assert_array_equal(found, expected)
    a, m = np.arange(3), np.arange(6).reshape(2, 3)
    np.testing.assert_array_equal(jnp.r_[a, 5, 1:4, 0:1:3j], np.r_[a, 5, 1:4, 0:1:3j])
    np.testing.assert_array_equal(jnp.r_["-1", m, m], np.r_["-1", m, m])
    for text in ("0,2", "1,2", "0,3,0", "0,2,0"):
        np.testing.assert_array_equal(jnp.r_[text, a, a], np.r_[text, a, a])
    np.testing.assert_array_equal(jnp.c_[a, a], np.c_[a, a])
    np.testing.assert_array_equal(jnp.c_[m, m], np.c_[m, m])
    assert jnp.s_[1:2, ...] == np.s_[1:2, ...]
    with pytest.raises(NotSupportedError, match="matrices"):
        jnp.r_["r", a]
    with pytest.raises(ArgumentError, match="no axis"):
        jnp.r_["x", a]
    with pytest.raises(ArgumentError, match="no end"):
        jnp.mgrid[0:]


def test_indices_of_given_arrays() -> None:
    m = np.arange(12).reshape(3, 4)
    for chosen in (([0, 2], [1, 3, 0]), (np.array([True, False, True]), [1])):
        own = tuple(np.asarray(c) for c in chosen)
        np.testing.assert_array_equal(jnp.asarray(m)[jnp.ix_(*own)], m[np.ix_(*own)])
    for ours, theirs in ((jnp.tril_indices_from, np.tril_indices_from), (jnp.triu_indices_from, np.triu_indices_from)):
        np.testing.assert_array_equal(ours(m, k=1), theirs(m, k=1))
    np.testing.assert_array_equal(jnp.diag_indices_from(np.ones((3, 3))), np.diag_indices_from(np.ones((3, 3))))
    np.testing.assert_array_equal(jnp.mask_indices(3, jnp.triu, 1), np.mask_indices(3, np.triu, 1))
    assert jnp.mask_indices(3, jnp.triu, size=7)[0].shape == (7,)
    with pytest.raises(ArgumentError, match="not equal"):
        jnp.diag_indices_from(m)


@pytest.mark.parametrize("shape", [(3, 4), (4, 2), (3, 3, 3), (0, 2)])
@pytest.mark.parametrize("value", [7, np.array([1, 2])])
def test_fill_diagonal(shape: tuple[int, ...], value: object) -> None:
    expected = np.zeros(shape, np.int32)
    if expected.size:
        np.fill_diagonal(expected[:min(shape)] if len(shape) == 2 else expected, value)
    np.testing.assert_array_equal(jnp.fill_diagonal(jnp.zeros(shape, int), value, inplace=False), expected)


def test_updates_as_functions() -> None:
    x = np.arange(12, dtype=np.int32).reshape(3, 4)
    mask = x % 3 == 0
    expected = x.copy()
    np.place(expected, mask, [7, 8, 9])
    np.testing.assert_array_equal(jnp.place(x, mask, np.array([7, 8, 9]), inplace=False), expected)
    np.testing.assert_array_equal(
        olympus.jit(lambda x, m: jnp.place(x, m, np.array([7, 8, 9]), inplace=False))(x, mask), expected)
    for mode in ("clip", "wrap"):
        expected = x.copy()
        np.put(expected, [0, 5, 20, 3], [-1, -2], mode=mode)
        np.testing.assert_array_equal(jnp.put(x, np.array([0, 5, 20, 3]), np.array([-1, -2]), mode, inplace=False),
                                      expected)
    expected = x.copy()
    np.put(expected, [-1, 5], [50, 60])
    np.testing.assert_array_equal(jnp.put(x, np.array([-1, 5]), np.array([50, 60]), inplace=False), expected)
    for axis in (0, 1, -1):
        order = np.argsort(-x, axis=axis)
        expected = x.copy()
        np.put_along_axis(expected, order, x, axis)
        np.testing.assert_array_equal(jnp.put_along_axis(x, order, x, axis, inplace=False), expected)
    expected = x.copy()
    np.put_along_axis(expected, np.array([[1], [0], [3]]), 99, 1)
    np.testing.assert_array_equal(jnp.put_along_axis(x, np.array([[1], [0], [3]]), 99, 1, inplace=False), expected)
    for function in (lambda: jnp.put(x, 0, 1), lambda: jnp.place(x, mask, 1), lambda: jnp.fill_diagonal(x, 1)):
        with pytest.raises(NotSupportedError, match="never change"):
            function()
