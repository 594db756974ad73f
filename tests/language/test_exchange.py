# SPDX-License-Identifier: Apache-2.0
"""Exchanges between devices: send and receive, swapped axes, ragged arrays; eight devices."""

from __future__ import annotations

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus_core.errors import ArgumentError

RANDOM = np.random.default_rng(0)


def test_send_and_receive() -> None:
    perm, x = [(0, 1), (2, 3), (3, 0)], np.arange(8, dtype=np.float32).reshape(4, 2) + 1
    shape = {"a": olympus.ShapeDtypeStruct((2,), np.float32)}

    def exchanged(x: object) -> object:
        token = lax.after_all(lax.create_token(), lax.psend({"a": x}, "i", perm))
        token = lax.optimization_barrier(token)
        return lax.precv(token, shape, "i", list(reversed(perm)))["a"]

    found = olympus.pmap(exchanged, axis_name="i")(x)
    np.testing.assert_array_equal(found, [x[3], x[0], 0 * x[0], x[2]])
    np.testing.assert_array_equal(olympus.vmap(exchanged, axis_name="i")(x), found)
    slopes = olympus.grad(lambda x: (olympus.vmap(exchanged, axis_name="i")(x) * x).sum())(x)
    np.testing.assert_array_equal(slopes, [x[3] + x[1], x[0], x[3], x[2] + x[0]])
    for token, wanted in ((lax.create_token(), shape), (3, shape)):
        with pytest.raises(ArgumentError):
            olympus.pmap(lambda x: lax.precv(token, wanted, "i", perm), axis_name="i")(x)


def test_swapped_axes() -> None:
    x = RANDOM.normal(size=(4, 3, 4)).astype(np.float32)
    found = olympus.pmap(lambda x: lax.pswapaxes(x, "i", 1), axis_name="i")(x)
    np.testing.assert_array_equal(found, x.transpose(2, 1, 0))


@pytest.mark.parametrize("mapped", [olympus.pmap, olympus.vmap])
@pytest.mark.parametrize("dtype", [np.float32, np.int8, np.bool_])
def test_ragged_pieces(mapped: object, dtype: object) -> None:
    n, pieces = 4, 2
    x = (RANDOM.normal(size=(n, 6, 3)) * 5).astype(dtype)
    output = (RANDOM.normal(size=(n, 11, 3)) * 5).astype(dtype)
    sizes = RANDOM.integers(0, 3, (n, n * pieces)).astype(np.int32)
    starts = RANDOM.integers(0, 4, sizes.shape).astype(np.int32)
    targets, filled, expected = np.zeros_like(sizes), [0] * n, output.copy()
    for sender in range(n):
        for i in range(n * pieces):
            to = i // pieces
            sizes[sender, i] = min(sizes[sender, i], 11 - filled[to])
            targets[sender, i] = filled[to]
            filled[to] += sizes[sender, i]
            part = slice(targets[sender, i], filled[to])
            expected[to, part] = x[sender, starts[sender, i]:starts[sender, i] + sizes[sender, i]]
    received = sizes.reshape(n, n, pieces).transpose(1, 0, 2).reshape(n, -1)
    found = mapped(lambda *a: lax.ragged_all_to_all(*a, axis_name="i"), axis_name="i")(
        x, output, starts, sizes, targets, received)
    np.testing.assert_array_equal(found, expected)


def test_ragged_pieces_have_derivatives() -> None:
    x, sizes = np.ones((2, 3), np.float32), np.array([[1, 2], [2, 1]], np.int32)
    starts, targets = np.array([[0, 1], [0, 2]], np.int32), np.array([[0, 0], [1, 2]], np.int32)

    def total(x: object, output: object) -> object:
        found = olympus.pmap(lambda *a: lax.ragged_all_to_all(*a, axis_name="i"), axis_name="i")(
            x, output, starts, sizes, targets, sizes.T)
        return (found * jnp.arange(8.0).reshape(2, 4)).sum()

    of_x, of_output = olympus.grad(total, (0, 1))(x, np.zeros((2, 4), np.float32))
    assert of_x.tolist() == [[0, 4, 5], [1, 2, 6]]
    assert of_output.tolist() == [[0, 0, 0, 3], [0, 0, 0, 7]]


def test_ragged_pieces_that_do_not_fit() -> None:
    x, i = np.ones((2, 3, 2), np.float32), np.zeros((2, 2), np.int32)
    for arguments in ((x, x[:, :, :1], i, i, i, i), (x, x, i[:, :1], i, i, i), (x, x, *[i[:, :1]] * 4),
                      (x, x.astype(np.int32), i, i, i, i)):
        with pytest.raises(ArgumentError):
            olympus.pmap(lambda *a: lax.ragged_all_to_all(*a, axis_name="i"), axis_name="i")(*arguments)
