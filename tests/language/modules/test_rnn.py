# SPDX-License-Identifier: Apache-2.0
"""Long short-term memory beside a loop of NumPy over single sequences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus.errors import ArgumentError, NotSupportedError
from olympus.experimental import rnn
from olympus.test_util import check_grads

BATCH, STEPS, INPUT, HIDDEN = 4, 5, 3, 2
LENGTHS = np.array([5, 2, 1, 0], np.int32)


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def one_way(x: np.ndarray, h: np.ndarray, c: np.ndarray, w_ih: Any, w_hh: Any, b_ih: Any, b_hh: Any) -> Any:
    """The states of one sequence, step by step."""
    states = []
    for row in x:
        i, f, g, o = np.split(w_ih @ row + b_ih + w_hh @ h + b_hh, 4)
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
        h = sigmoid(o) * np.tanh(c)
        states.append(h)
    return states, h, c


def reference(x: np.ndarray, h: np.ndarray, c: np.ndarray, parts: Any, layers: int, ways: int) -> Any:
    ends_h, ends_c, out = np.array(h), np.array(c), np.zeros((BATCH, STEPS, ways * HIDDEN), np.float32)
    for b, length in enumerate(LENGTHS):
        rows = list(x[b, :length])
        for layer in range(layers):
            found = []
            for way in range(ways):
                k = layer * ways + way
                weights = [np.asarray(part[k]) for part in parts]
                order = rows[::-1] if way else rows
                states, ends_h[k, b], ends_c[k, b] = one_way(order, h[k, b], c[k, b], *weights)
                found.append(states[::-1] if way else states)
            rows = [np.concatenate(each) for each in zip(*found, strict=True)]
        if rows:
            out[b, :length] = rows
    return out, ends_h, ends_c


def given(layers: int, ways: int) -> tuple[Any, ...]:
    rng = np.random.default_rng(layers + 10 * ways)
    states = [rng.normal(size=(ways * layers, BATCH, HIDDEN)).astype(np.float32) for _ in range(2)]
    weights = rnn.init_lstm_weight(olympus.random.key(1), INPUT, HIDDEN, layers, ways == 2)
    return rng.normal(size=(BATCH, STEPS, INPUT)).astype(np.float32), *states, weights


@pytest.mark.parametrize("ways", [1, 2])
@pytest.mark.parametrize("layers", [1, 3])
def test_sequences_of_different_lengths(layers: int, ways: int) -> None:
    x, h, c, weights = given(layers, ways)
    sizes = (INPUT, HIDDEN, layers)
    parts = rnn.unpack_lstm_weights(weights, *sizes, ways == 2)
    wanted = reference(x, h, c, parts, layers, ways)
    run = olympus.jit(lambda *a: rnn.lstm(*a, LENGTHS, *sizes, 0.0, ways == 2))
    for found in (run(x, h, c, weights), rnn.lstm_ref(x, h, c, *parts, LENGTHS, *sizes, 0.0, ways == 2)):
        for one, other in zip(found, wanted, strict=True):
            assert one.dtype == np.float32
            np.testing.assert_allclose(one, other, atol=1e-6)


def test_derivatives() -> None:
    arguments = given(2, 2)
    check_grads(lambda *a: rnn.lstm(*a, LENGTHS, INPUT, HIDDEN, 2, 0.0, True), arguments, order=1, atol=2e-2,
                rtol=2e-2)
    slopes = olympus.grad(lambda x: rnn.lstm(x, *arguments[1:], LENGTHS, INPUT, HIDDEN, 2, 0.0, True)[0].sum())(
        arguments[0])
    behind = np.arange(STEPS)[None] >= LENGTHS[:, None]
    assert not np.asarray(slopes)[behind].any() and np.asarray(slopes)[~behind].all()


def test_weights() -> None:
    count = rnn.get_num_params_in_lstm(INPUT, HIDDEN, 2, True)
    weights = rnn.init_lstm_weight(olympus.random.key(0), INPUT, HIDDEN, 2, True)
    assert weights.shape == (count,) and float(jnp.abs(weights).max()) <= HIDDEN ** -0.5
    w_ih, w_hh, b_ih, b_hh = rnn.unpack_lstm_weights(jnp.arange(count), INPUT, HIDDEN, 2, True)
    # The matrices of a layer stand beside each other; all biases follow.
    assert int(w_hh[0][0, 0]) == w_ih[0].size and int(w_ih[1][0, 0]) == w_ih[0].size + w_hh[0].size
    assert w_ih[2].shape == (4 * HIDDEN, 2 * HIDDEN) and int(b_hh[0][0]) == int(b_ih[0][0]) + 4 * HIDDEN
    swapped = rnn.swap_lstm_gates(weights, INPUT, HIDDEN, 2, True)
    np.testing.assert_array_equal(rnn.swap_lstm_gates(swapped, INPUT, HIDDEN, 2, True), weights)
    one, other = (rnn.unpack_lstm_weights(w, INPUT, HIDDEN, 2, True)[0][3] for w in (weights, swapped))
    np.testing.assert_array_equal(other[2 * HIDDEN:3 * HIDDEN], one[3 * HIDDEN:])


def test_refusals() -> None:
    x, h, c, weights = given(1, 1)
    with pytest.raises(NotSupportedError, match="dropout"):
        rnn.lstm(x, h, c, weights, LENGTHS, INPUT, HIDDEN, 1, 0.5, False)
    for arguments in ((x[:, :, :2], h, c, weights, LENGTHS), (x, h[:, :1], c, weights, LENGTHS),
                      (x, h, c, weights[1:], LENGTHS), (x, h, c, weights, LENGTHS * 1.0)):
        with pytest.raises(ArgumentError):
            rnn.lstm(*arguments, INPUT, HIDDEN, 1, 0.0, False)
