# SPDX-License-Identifier: Apache-2.0
"""Smaller networks that are trained: perceptron, LSTM, gradients of each example, embedding, graph network."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..side import Side, Work
from .parts import cross_entropy, momentum, normal, training

MLP = (784, 512, 512, 10)


def perceptron(sizes: Sequence[int] = MLP) -> list[dict[str, np.ndarray]]:
    """The parameters of a perceptron."""
    return [{"weights": normal(k, a, b), "bias": np.zeros(b, np.float32)}
            for k, (a, b) in enumerate(zip(sizes, sizes[1:], strict=False))]


def perceptron_loss(side: Side, parameters: Any, x: Any, labels: Any, bent: Callable[[Any], Any]) -> Any:
    """The loss of a perceptron that classifies."""
    *hidden, last = parameters
    for layer in hidden:
        x = bent(x @ layer["weights"] + layer["bias"])
    return cross_entropy(side, x @ last["weights"] + last["bias"], labels)


def mlp(side: Side, batch: int = 128, sizes: Sequence[int] = MLP) -> Work:
    """A perceptron of three layers."""
    x, labels = normal(8, batch, sizes[0], scale=1.0), np.arange(batch, dtype=np.int32) % sizes[-1]

    def loss(parameters: Any, x: Any, labels: Any) -> Any:
        return perceptron_loss(side, parameters, x, labels, lambda x: side.np.maximum(x, 0))

    return training(side, momentum, loss, perceptron(sizes), [x, labels])


def lstm(side: Side, width: int = 128, turns: int = 64, batch: int = 32) -> Work:
    """A layer of LSTM (Hochreiter and Schmidhuber 1997) over a sequence, by `scan`."""
    parameters = {"in": normal(1, width, 4 * width), "own": normal(2, width, 4 * width),
                  "bias": np.zeros(4 * width, np.float32), "head": normal(3, width, 10)}
    x, labels = normal(4, turns, batch, width, scale=1.0), np.arange(batch, dtype=np.int32) % 10

    def loss(parameters: Any, x: Any, labels: Any) -> Any:
        xp, nn = side.np, side.module("nn")

        def turn(carry: Any, x: Any) -> Any:
            cell, out = carry
            gates = x @ parameters["in"] + out @ parameters["own"] + parameters["bias"]
            i, f, g, o = xp.split(gates, 4, axis=-1)
            cell = nn.sigmoid(f) * cell + nn.sigmoid(i) * xp.tanh(g)
            out = nn.sigmoid(o) * xp.tanh(cell)
            return (cell, out), None

        start = xp.zeros((batch, width), np.float32)
        (_, out), _ = side.module("lax").scan(turn, (start, start), x)
        return cross_entropy(side, out @ parameters["head"], labels)

    return training(side, momentum, loss, parameters, [x, labels])


def examples(side: Side, count: int = 256, width: int = 64) -> Work:
    """The gradient of each example, by `vmap` of `grad`, of a perceptron with eight hidden units."""
    parameters = {"up": normal(1, width, 8), "down": normal(2, 8)}
    x, y = normal(3, count, width, scale=1.0), normal(4, count)

    def loss(parameters: Any, x: Any, y: Any) -> Any:
        return (side.np.tanh(x @ parameters["up"]) @ parameters["down"] - y) ** 2

    f = side.jit(side.library.vmap(side.library.grad(loss), in_axes=(None, 0, 0)))
    hidden = np.tanh(x @ parameters["up"])
    error = 2 * (hidden @ parameters["down"] - y)
    inner = error[:, None] * parameters["down"] * (1 - hidden**2)
    truth = {"up": x[:, :, None] * inner[:, None], "down": error[:, None] * hidden}
    return Work("f(p, x, y)", {"f": f, "p": side.put_tree(parameters), "x": side.put(x), "y": side.put(y)}, truth, 1e-4,
                tree=True)


def embedding(side: Side, words: int = 50_000, width: int = 64, count: int = 8192) -> Work:
    """Rows of a table by number, and the gradient for the whole table."""
    table, rows = normal(1, words, width, scale=1.0), np.random.default_rng(2).integers(0, words, count, np.int32)
    factors = normal(3, count, width, scale=1.0)

    def loss(table: Any, rows: Any, factors: Any) -> Any:
        return side.np.sum((table[rows] * factors) ** 2)

    def truth() -> np.ndarray:
        slope = np.zeros_like(table)
        np.add.at(slope, rows, 2 * table[rows] * factors**2)
        return slope

    names = {"f": side.jit(side.library.grad(loss)), "data": [side.put(a) for a in (table, rows, factors)]}
    return Work("f(*data)", names, truth, 1e-5)


def graph(side: Side, nodes: int = 2000, edges: int = 16_000, width: int = 64, rounds: int = 3) -> Work:
    """Messages along edges, summed for each node by `segment_sum`, some rounds; one number for each node."""
    parameters = {"rounds": [{"from": normal(4 * k, width, width), "to": normal(4 * k + 1, width, width),
                              "own": normal(4 * k + 2, width, width),
                              "sum": normal(4 * k + 3, width, width, scale=0.03)}
                             for k in range(rounds)],
                  "head": normal(99, width, 1)}
    ends = np.random.default_rng(7).integers(0, nodes, (2, edges), np.int32)
    x, y = normal(8, nodes, width, scale=1.0), normal(9, nodes, 1)

    def loss(parameters: Any, x: Any, ends: Any, y: Any) -> Any:
        xp, sums = side.np, side.module("ops").segment_sum
        start, end = ends
        for p in parameters["rounds"]:
            messages = xp.maximum((x @ p["from"])[start] + (x @ p["to"])[end], 0)
            x = xp.tanh(x @ p["own"] + sums(messages, end, num_segments=nodes) @ p["sum"])
        return xp.mean((x @ parameters["head"] - y) ** 2)

    return training(side, momentum, loss, parameters, [x, ends, y])
