# SPDX-License-Identifier: Apache-2.0
"""Shapes, joining and splitting, padding, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import olympus
import olympus.numpy as jnp
from olympus_core.errors import ArgumentError

X = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
M = np.arange(12).reshape(3, 4)
V = np.arange(5)

CASES: dict[str, list[tuple[tuple[Any, ...], dict[str, Any]]]] = {
    "reshape": [((X, (4, -1)), {}), ((X, -1), {}), ((X, (6, 4)), {"order": "F"}), ((X, (1, 24, 1)), {})],
    "ravel": [((X,), {}), ((X, "F"), {})],
    "transpose": [((X,), {}), ((X, (1, 0, 2)), {}), ((X, (-1, 0, 1)), {})],
    "swapaxes": [((X, 0, -1), {})],
    "moveaxis": [((X, 0, -1), {}), ((X, (0, 1), (-1, 0)), {})],
    "rollaxis": [((X, 2), {}), ((X, 0, 3), {}), ((X, 1, 0), {})],
    "expand_dims": [((X, 0), {}), ((X, (0, -1)), {}), ((X, -2), {})],
    "squeeze": [((X[:1, :, :1],), {}), ((X[:1, :, :1], 0), {})],
    "broadcast_to": [((V, (2, 5)), {}), ((3, (2, 2)), {})],
    "atleast_1d": [((3,), {})], "atleast_2d": [((V,), {}), ((3,), {})],
    "atleast_3d": [((M,), {}), ((V,), {}), ((3,), {})],
    "flip": [((X,), {}), ((X, 1), {}), ((X, (0, -1)), {})], "fliplr": [((M,), {})], "flipud": [((M,), {})],
    "rot90": [((M, k), {}) for k in (0, 1, 2, 3, -1, 5)] + [((X, 1, (2, 0)), {})],
    "roll": [((V, 2), {}), ((M, 1), {}), ((M, (1, -2), (0, 1)), {}), ((M, 7, 1), {}), ((M, 1, (0, 1)), {})],
    "resize": [((M, (2, 7)), {})],
    "tile": [((V, 3), {}), ((M, (2, 1)), {}), ((M, (2, 1, 2)), {}), ((X, 2), {})],
    "repeat": [((M, 2), {}), ((M, 3), {"axis": 1}), ((M, [1, 0, 2]), {"axis": 0})],
    "append": [((V, 9), {}), ((M, M), {"axis": 0})],
    "insert": [((V, 1, 9), {}), ((V, [0, 3], [7, 8]), {}), ((M, 1, 9), {"axis": 1}),
               ((M, -1, np.arange(3)), {"axis": 1})],
    "delete": [((V, 1), {}), ((M, [0, 2]), {"axis": 1}), ((V, slice(1, 4)), {}), ((M, -1), {"axis": 0})],
    "pad": [((V, 2), {}), ((M, ((1, 0), (0, 2))), {"constant_values": 7}),
            ((M, 1), {"constant_values": ((1, 2), (3, 4))}),
            *(((V, (3, 7)), {"mode": mode}) for mode in ("edge", "reflect", "symmetric", "wrap")),
            ((M, (1, 2)), {"mode": "reflect"})],
    "concatenate": [(([M, M],), {}), (([M, M[:, :1]], 1), {}), (([M, M], None), {}), ((X,), {})],
    "stack": [(([M, M],), {}), (([M, M], -1), {}), (([V, V, V], 1), {})],
    "vstack": [(([V, V],), {}), (([M, M],), {})], "hstack": [(([V, V],), {}), (([M, M],), {})],
    "dstack": [(([V, V],), {}), (([M, M],), {})], "column_stack": [(([V, M[:, 0][[0, 1, 2, 0, 1]]],), {})],
    "block": [(([[M, M], [M, M]],), {}), (([V, V],), {})],
    "tril": [((M,), {}), ((X, -1), {}), ((M, 2), {})], "triu": [((M,), {}), ((X, 1), {}), ((M, -1), {})],
    "tri": [((3,), {}), ((3, 4, 1), {}), ((2, 5, -1), {})],
    "diag": [((V,), {}), ((V, 2), {}), ((V, -1), {}), ((M,), {}), ((M, 2), {}), ((M, -2), {})],
    "diagflat": [((M, 1), {})],
    "diagonal": [((M,), {}), ((X, 1), {}), ((X, -1, 2, 0), {}), ((M, 9), {})],
    "trace": [((M,), {}), ((X, 1, 1, 2), {})],
    "vander": [((V,), {}), ((V, 3), {}), ((V, 3, True), {})],
    "eye": [((3,), {}), ((2, 4, 1), {}), ((3, 2, -1), {})], "identity": [((3,), {})],
    "indices": [(((2, 3),), {})],
}


def same(found: Any, expected: Any) -> None:
    expected = np.asarray(expected)
    assert found.shape == expected.shape
    np.testing.assert_array_equal(np.asarray(found), expected)


@pytest.mark.parametrize("name, args, kwargs", [(n, a, k) for n, cases in CASES.items() for a, k in cases],
                         ids=lambda value: value if isinstance(value, str) else None)
def test_as_numpy(name: str, args: Any, kwargs: Any) -> None:
    same(getattr(jnp, name)(*args, **kwargs), getattr(np, name)(*args, **kwargs))


@pytest.mark.parametrize("name, args, kwargs", [(n, c[0][0], c[0][1]) for n, c in CASES.items() if n not in (
    "tri", "eye", "identity", "indices", "block")], ids=lambda value: value if isinstance(value, str) else None)
def test_while_tracing(name: str, args: Any, kwargs: Any) -> None:
    first, *rest = args
    found = olympus.jit(lambda x: getattr(jnp, name)(x, *rest, **kwargs))(first)
    same(found, getattr(np, name)(*args, **kwargs))


@given(hnp.array_shapes(min_dims=1, max_dims=4, max_side=4), st.randoms(use_true_random=False))
@settings(max_examples=40)
def test_reshape_and_transpose_of_any_shape(shape: tuple[int, ...], random: Any) -> None:
    x = np.arange(np.prod(shape)).reshape(shape)
    order = list(range(len(shape)))
    random.shuffle(order)
    same(jnp.transpose(x, order), np.transpose(x, order))
    other = list(shape)
    random.shuffle(other)
    other[random.randrange(len(other))] = -1
    same(jnp.reshape(x, other), np.reshape(x, other))


@pytest.mark.parametrize("name, args", [
    ("split", (M, 3)), ("split", (M, 2, 1)), ("split", (M, [1, 3], 1)), ("split", (V, [2, 9])),
    ("array_split", (V, 3)),
    ("array_split", (M, 3, 1)), ("vsplit", (M, 3)), ("hsplit", (M, 2)), ("hsplit", (np.arange(6), 3)),
    ("dsplit", (X, 2)),
    ("split", (V, [-2])), ("unstack", (M,)), ("meshgrid", (V, M[0])), ("broadcast_arrays", (M, M[:, :1])),
])
def test_several_results(name: str, args: Any) -> None:
    found, expected = getattr(jnp, name)(*args), tuple(*args) if name == "unstack" else getattr(np, name)(*args)
    assert len(found) == len(expected)
    for a, b in zip(found, expected, strict=True):
        same(a, b)


def test_meshgrid() -> None:
    for options in ({"indexing": "ij"}, {"sparse": True}, {"indexing": "ij", "sparse": True}):
        found, expected = (m.meshgrid(V, M[0], X[0, :, 0], **options) for m in (jnp, np))
        for a, b in zip(found, expected, strict=True):
            same(a, b)


def test_roll_by_a_traced_number() -> None:
    roll = olympus.jit(lambda x, n: jnp.roll(x, n, axis=1))
    for n in (-5, 0, 3):
        same(roll(M, n), np.roll(M, n, axis=1))


def test_repeat_to_a_known_length() -> None:
    repeat = olympus.jit(lambda x, n: jnp.repeat(x, n, total_repeat_length=6))
    same(repeat(V[:3], np.array([1, 0, 3])), [0, 2, 2, 2, 2, 2])


def test_joining_promotes() -> None:
    assert jnp.concatenate([jnp.zeros(1, jnp.int8), jnp.zeros(1, jnp.float16)]).dtype == jnp.float16
    assert jnp.stack([jnp.float32(1), 2]).dtype == jnp.float32
    assert jnp.concatenate([M, M], dtype=jnp.float16).dtype == jnp.float16
    same(jnp.hstack([1, jnp.arange(2)]), [1, 0, 1])


def test_mistakes_teach() -> None:
    cases = [
        (lambda: jnp.reshape(X, (5, -1)), "does not reshape"), (lambda: jnp.reshape(X, (2, 3)), "does not reshape"),
        (lambda: jnp.concatenate([M, V]), "the shapes do not fit"), (lambda: jnp.concatenate([]), "no arrays"),
        (lambda: jnp.concatenate([1, 2]), "no dimensions"), (lambda: jnp.stack([M, V]), "shapes differ"),
        (lambda: jnp.split(V, 2), "does not divide into 2 equal parts"), (lambda: jnp.squeeze(M, 0), "not of size 1"),
        (lambda: jnp.transpose(M, (0, 0)), "axes are not those"), (lambda: jnp.broadcast_to(M, (2, 3)), "broadcast"),
        (lambda: jnp.pad(V, -1), "widths do not fit"), (lambda: jnp.pad(V, 1, mode="none"), "mode is not known"),
        (lambda: jnp.zeros((-1,)), "a dimension is negative"), (lambda: jnp.zeros(2.5), "not an integer"),
        (lambda: jnp.expand_dims(M, 5), "out of bounds"), (lambda: jnp.tril(V), "no matrix"),
        (lambda: jnp.full((2,), jnp.zeros(3)), "broadcast"), (lambda: jnp.moveaxis(M, 0, (0, 1)), "do not fit"),
    ]
    for use, message in cases:
        with pytest.raises(ArgumentError, match=message):
            use()
