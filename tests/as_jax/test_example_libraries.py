# SPDX-License-Identifier: Apache-2.0
"""`jax.example_libraries`: optimizers beside their formulas in NumPy, layers beside olympus's functions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax, nn, random
from olympus.as_jax.example_libraries import optimizers, stax
from olympus.errors import ArgumentError

GRADIENTS = np.random.default_rng(0).normal(size=(4, 2, 3))
START = np.ones((2, 3))


def momentum(m: float, is_nesterov: bool) -> Any:
    x, v = START, 0.0 * START
    for g in GRADIENTS:
        v = m * v + g
        x = x - 0.1 * (m * v + g if is_nesterov else v)
    return x


def by_squares(kind: str) -> Any:
    x, s, v = START, 0.0 * START, 0.0 * START
    for g in GRADIENTS:
        s = s + g * g if kind == "adagrad" else 0.9 * s + 0.1 * g * g
        if kind == "adagrad":
            v = 0.1 * g / np.sqrt(s) + 0.9 * v
            x = x - 0.1 * v
        elif kind == "rmsprop":
            x = x - 0.1 * g / np.sqrt(s + 1e-8)
        else:
            v = 0.9 * v + 0.1 * g / np.sqrt(s + 1e-8)
            x = x - v
    return x


def by_means(largest: bool) -> Any:
    x, m, v = START, 0.0 * START, 0.0 * START
    for i, g in enumerate(GRADIENTS, 1):
        m = 0.9 * m + 0.1 * g
        v = np.maximum(0.999 * v, abs(g)) if largest else 0.999 * v + 0.001 * g * g
        scale = v if largest else np.sqrt(v / (1 - 0.999 ** i))
        x = x - 0.1 * m / (1 - 0.9 ** i) / (scale + 1e-8)
    return x


def by_rows_and_columns() -> Any:
    x, m, rows, columns = START, 0.0 * START, np.zeros(2), np.zeros(3)
    for g in GRADIENTS:
        s = np.minimum(rows[:, None], columns) + g * g
        m = 0.1 * g / np.sqrt(s) + 0.9 * m
        x, rows, columns = x - 0.1 * m, s.max(1), s.max(0)
    return x


@pytest.mark.parametrize("made, expected", [
    (optimizers.sgd(0.1), START - 0.1 * GRADIENTS.sum(0)),
    (optimizers.momentum(0.1, 0.8), momentum(0.8, False)),
    (optimizers.nesterov(0.1, 0.8), momentum(0.8, True)),
    (optimizers.adagrad(0.1), by_squares("adagrad")),
    (optimizers.rmsprop(0.1), by_squares("rmsprop")),
    (optimizers.rmsprop_momentum(0.1), by_squares("both")),
    (optimizers.adam(0.1), by_means(False)),
    (optimizers.adamax(0.1), by_means(True)),
    (optimizers.sm3(0.1), by_rows_and_columns()),
])
def test_optimizers_are_their_formulas(made: optimizers.Optimizer, expected: Any) -> None:
    step = olympus.jit(made.update_fn)
    state = made.init_fn({"w": jnp.asarray(START, "float32")})
    for i, g in enumerate(GRADIENTS):
        state = step(i, {"w": jnp.asarray(g, "float32")}, state)
        state = optimizers.pack_optimizer_state(optimizers.unpack_optimizer_state(state))
    np.testing.assert_allclose(made.params_fn(state)["w"], expected, rtol=2e-5)
    with pytest.raises(ArgumentError, match="another structure"):
        made.update_fn(0, [jnp.ones((2, 3))], state)


def test_schedules_and_norms() -> None:
    values = {
        optimizers.constant(0.5): 0.5, optimizers.exponential_decay(1.0, 2, 0.25): 0.25 ** 1.5,
        optimizers.inverse_time_decay(1.0, 2, 0.5): 1 / 1.75, optimizers.inverse_time_decay(1.0, 2, 0.5, True): 1 / 1.5,
        optimizers.polynomial_decay(1.0, 4, 0.2, 2.0): 0.2 + 0.8 / 16,
        optimizers.piecewise_constant([1, 2], [1.0, 2.0, 3.0]): 3.0, optimizers.make_schedule(lambda i: i): 3,
    }
    for schedule, value in values.items():
        np.testing.assert_allclose(schedule(3), value, rtol=1e-6)
    for wrong in (lambda: optimizers.make_schedule(np.ones(2)), lambda: optimizers.piecewise_constant([1], [1.0]),
                  lambda: optimizers.pack_optimizer_state([1])):
        with pytest.raises(ArgumentError):
            wrong()
    tree = {"a": jnp.array([3.0]), "b": jnp.array([0.0, 4.0])}
    assert float(optimizers.l2_norm(tree)) == 5
    np.testing.assert_allclose(optimizers.clip_grads(tree, 1.0)["b"], [0, 0.8], rtol=1e-6)
    np.testing.assert_array_equal(optimizers.clip_grads(tree, 6.0)["b"], [0, 4])


def test_layers() -> None:
    key = random.key(0)
    x = random.normal(key, (4, 9, 8, 2))
    begin, run = stax.serial(
        stax.Conv(3, (3, 3), padding="SAME"), stax.Relu, stax.BatchNorm(), stax.MaxPool((2, 2), strides=(2, 2)),
        stax.AvgPool((2, 2), padding="SAME"), stax.SumPool((2, 1)), stax.ConvTranspose(2, (2, 2), (2, 2)), stax.Flatten,
        stax.FanOut(2), stax.parallel(stax.Dense(5), stax.serial(stax.Dense(2), stax.Tanh)), stax.FanInConcat(),
        stax.shape_dependent(lambda shape: stax.Dense(shape[-1])), stax.LogSoftmax)
    shape, params = begin(key, (-1, 9, 8, 2))
    found = run(params, x)
    assert shape == (-1, 7) and found.shape == (4, 7)
    np.testing.assert_allclose(jnp.exp(found).sum(1), np.ones(4), rtol=1e-5)

    weights, bias = params[0]
    h = nn.relu(lax.conv_general_dilated(x, weights, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")) + bias)
    h = (h - h.mean((0, 1, 2))) / jnp.sqrt(h.var((0, 1, 2)) + 1e-5)
    _, pool = stax.serial(stax.Conv(3, (3, 3), padding="SAME"), stax.Relu, stax.BatchNorm(),
                          stax.MaxPool((2, 2), (2, 2)))
    expected = np.asarray(h)[:, :8].reshape(4, 4, 2, 4, 2, 3).max((2, 4))
    np.testing.assert_allclose(pool(params[:4], x), expected, rtol=1e-3, atol=1e-5)


def test_layers_that_draw_and_join() -> None:
    key, x = random.key(1), jnp.ones((3, 400))
    shape, params = stax.Dropout(0.5)[0](key, (3, 400))
    kept = stax.Dropout(0.5)[1](params, x, rng=key)
    assert shape == (3, 400) and set(np.unique(kept)) == {0, 2} and 0.8 < float(kept.mean()) < 1.2
    np.testing.assert_array_equal(stax.Dropout(0.5, "test")[1](params, x, rng=key), x)
    with pytest.raises(ArgumentError, match="a key is needed"):
        stax.Dropout(0.5)[1](params, x)
    both, params = stax.serial(stax.FanOut(3), stax.FanInSum)[0](key, (3, 400))
    assert both == (3, 400)
    np.testing.assert_array_equal(stax.serial(stax.FanOut(3), stax.FanInSum)[1](params, x), 3 * x)
    ones = jnp.ones((1, 3, 3, 1))
    np.testing.assert_array_equal(stax.AvgPool((2, 2), padding="SAME")[1]((), ones), ones)
