# SPDX-License-Identifier: Apache-2.0
"""`reduce` and `reduce_window` with any function, and whose derivative a maximum's is; truths by NumPy loops."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.test_util import check_grads
from olympus_core.errors import ArgumentError

RANDOM = np.random.default_rng(0)


def test_any_function_folds() -> None:
    y = RANDOM.integers(0, 8, (4, 5, 6)).astype(np.int32)
    found = lax.reduce(y, np.int32(0), lambda a, b: a ^ b, (0, 2))
    np.testing.assert_array_equal(found, np.bitwise_xor.reduce(np.bitwise_xor.reduce(y, 2), 0))
    # The order of elements stays: of any two the first, or the last.
    np.testing.assert_array_equal(lax.reduce(y, np.int32(3), lambda a, b: b, (1,)), y[:, -1])
    np.testing.assert_array_equal(olympus.jit(lambda y: lax.reduce(y, 3, lambda a, b: a, (0, 1, 2)))(y), 3)
    assert lax.reduce(np.zeros((0, 2), np.float32), 5.0, jnp.hypot, (0,)).tolist() == [5, 5]


def test_several_arrays_fold_together() -> None:
    y = RANDOM.permutation(60).reshape(5, 12).astype(np.int32)

    def greatest(a: tuple[object, object], b: tuple[object, object]) -> tuple[object, object]:
        return jnp.maximum(a[0], b[0]), jnp.where(a[0] >= b[0], a[1], b[1])

    places = np.broadcast_to(np.arange(12, dtype=np.int32), y.shape)
    most, where = lax.reduce((y, places), (np.int32(-1), np.int32(-1)), greatest, (1,))
    np.testing.assert_array_equal(most, y.max(1))
    np.testing.assert_array_equal(where, y.argmax(1))
    most, where = lax.reduce_window((y, places), (np.int32(-1), np.int32(-1)), greatest, (1, 3), (1, 3))
    np.testing.assert_array_equal(where, y.reshape(5, 4, 3).argmax(2) + np.arange(0, 12, 3))
    with pytest.raises(ArgumentError, match="does not give what it folds"):
        lax.reduce((y, y), (0, 0), lambda a, b: a[0], (0,))
    with pytest.raises(ArgumentError, match="not every array"):
        lax.reduce((y, y), (0,), greatest, (0,))


@pytest.mark.parametrize("of_one", [lambda x: (x,), lambda x: [x], lambda x: {"only": x}], ids=["tuple", "list", "map"])
def test_trees_of_one_array_stay_trees(of_one: Callable[[Any], Any]) -> None:
    x = RANDOM.normal(size=(4, 6)).astype(np.float32)
    for function, start, truth in ((jnp.add, 3, np.add), (jnp.hypot, 0, np.hypot)):
        def computation(a: Any, b: Any, function: Any = function) -> Any:
            return olympus.tree_util.tree_map(function, a, b)

        folded = lax.reduce(of_one(x), of_one(np.float32(start)), computation, (1,))
        windows = lax.reduce_window(of_one(x), of_one(np.float32(start)), computation, (1, 2), (1, 2))
        assert all(olympus.tree_util.tree_structure(f) == olympus.tree_util.tree_structure(of_one(x))
                   for f in (folded, windows))
        (folded,), (windows,) = olympus.tree_util.tree_leaves(folded), olympus.tree_util.tree_leaves(windows)
        np.testing.assert_allclose(folded, truth(start, truth.reduce(x, 1)), rtol=1e-5)
        np.testing.assert_allclose(windows, truth(start, truth(x[:, ::2], x[:, 1::2])), rtol=1e-5)


def test_any_function_folds_windows_and_has_derivatives() -> None:
    x = RANDOM.normal(size=(2, 6)).astype(np.float32)
    found = lax.reduce_window(x, np.float32(0), jnp.hypot, (1, 2), (1, 2))
    np.testing.assert_allclose(found, np.hypot(x[:, ::2], x[:, 1::2]), rtol=1e-6)
    check_grads(lambda x: lax.reduce(x, np.float32(-np.inf), jnp.logaddexp, (0, 1)), (x,), order=2)


@pytest.mark.parametrize("window, strides, padding", [
    ((1, 2, 2), (1, 2, 2), "VALID"), ((1, 3, 3), (1, 2, 2), "SAME"), ((1, 5, 5), (1, 1, 1), "VALID"),
    ((1, 5, 5), (1, 3, 2), ((0, 0), (2, 1), (1, 2))),
])
def test_the_first_of_equal_elements_has_the_derivative(
    window: tuple[int, ...], strides: tuple[int, ...], padding: object
) -> None:
    x = RANDOM.integers(0, 3, (2, 9, 11)).astype(np.float32)
    for fold, first, start in ((lax.max, np.argmax, -np.inf), (lax.min, np.argmin, np.inf)):
        found, back = olympus.vjp(lambda x: lax.reduce_window(x, start, fold, window, strides, padding), x)
        weights = RANDOM.integers(1, 9, found.shape).astype(np.float32)
        amounts = padding if not isinstance(padding, str) else lax.padtype_to_pads(x.shape, window, strides, padding)
        around = np.pad(x, amounts, constant_values=start)
        places = np.pad(np.arange(x.size).reshape(x.shape), amounts, constant_values=-1)
        expected = np.zeros(x.size, np.float32)
        for place in itertools.product(*map(range, found.shape)):
            taken = tuple(slice(i * s, i * s + k) for i, s, k in zip(place, strides, window, strict=True))
            expected[places[taken].reshape(-1)[first(around[taken])]] += weights[place]
        np.testing.assert_array_equal(back(weights)[0], expected.reshape(x.shape))


def test_shapes_of_windows() -> None:
    for args in [((8, 9), (2, 3), (2, 1), "SAME"), ((8, 9), (2, 3), (2, 2), ((1, 0), (0, 2)), (2, 1), (1, 2)),
                 ((3,), (5,), (1,), "VALID")]:
        x = np.ones(args[0], np.float32)
        assert lax.reduce_window(x, 0.0, lax.add, *args[1:]).shape == lax.reduce_window_shape_tuple(*args)


@pytest.mark.parametrize("window", [(2,), (20,)])
@pytest.mark.parametrize("record, sign", [(lax.max, 1.0), (lax.min, -1.0)])
def test_a_beginning_that_no_element_surpasses_has_the_derivative(
    record: Callable[..., Any], sign: float, window: tuple[int, ...]
) -> None:
    """Pooling of what begins with 0: where all elements are below, none has a slope; of equal ones the first has it."""
    x = np.full(40, -1.0, np.float32)
    x[[3, 4, 25]] = 0.0, 2.0, 0.0
    size = window[0]
    wanted = np.zeros(40)
    for start in range(0, 40, size):
        part = x[start:start + size]
        if part.max() >= 0:
            wanted[start + part.argmax()] += 1

    def pooled(x: Any, start: Any) -> Any:
        return lax.reduce_window(x, start, record, window, window).sum()

    slope, of_start = olympus.grad(pooled, (0, 1))(sign * x, np.float32(0))
    np.testing.assert_array_equal(slope, wanted)
    assert float(of_start) == 40 // size - wanted.sum()
    padded = olympus.grad(lambda x: lax.reduce_window(x, 0.0, record, (3,), (3,), ((2, 2),)).sum())(sign * x[:8])
    np.testing.assert_array_equal(padded, [0, 0, 0, 1, 1, 0, 0, 0])
