# SPDX-License-Identifier: Apache-2.0
"""Two parts of models: a perceptron of three layers and a block of attention."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from .side import Side, Work

_SIZES = (784, 1024, 1024, 10)
_BATCH = 256
_HEADS, _TOKENS, _WIDTH = 8, 512, 64


def _weights(seed: int, *shape: int) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(shape, np.float32) / np.float32(np.sqrt(shape[0]))


def _forward(np: Any, x: Any, parameters: Any, slope: float = 0.0) -> Any:
    *hidden, (weights, bias) = parameters
    for w, b in hidden:
        x = x @ w + b
        x = np.maximum(x, slope * x) if slope else np.maximum(x, 0)
    return x @ weights + bias


def _mlp_data() -> tuple[np.ndarray, list[tuple[np.ndarray, np.ndarray]]]:
    pairs = zip(_SIZES, _SIZES[1:], strict=False)
    parameters = [(_weights(k, m, n), _weights(10 + k, n)) for k, (m, n) in enumerate(pairs)]
    return _weights(20, _BATCH, _SIZES[0]), parameters


def mlp(side: Side) -> Work:
    """784-1024-1024-10 forward on a batch of 256."""
    x, parameters = _mlp_data()
    f = side.jit(lambda x, parameters: _forward(side.np, x, parameters))
    names = {"f": f, "x": side.put(x), "p": side.put_tree(parameters)}
    return Work("f(x, p)", names, lambda: _forward(np, x, parameters), 1e-4)


def fresh_mlp(side: Side) -> Work:
    """The first call of the MLP as a function that was never seen; its slope differs each time."""
    x, parameters = _mlp_data()
    placed = side.put(x), side.put_tree(parameters)
    slopes = (0.01 + 0.1 * ((k * 0.6180339887) % 1) for k in itertools.count())

    def first() -> Any:
        slope = next(slopes)
        return side.jit(lambda x, parameters: _forward(side.np, x, parameters, slope))(*placed)

    return Work("first()", {"first": first}, lambda: _forward(np, x, parameters, 0.01), 1e-4)


def _attend(np: Any, x: Any, wq: Any, wk: Any, wv: Any, wo: Any) -> Any:
    def heads(w: Any) -> Any:
        return np.transpose(np.reshape(x @ w, (_TOKENS, _HEADS, _WIDTH)), (1, 0, 2))

    q, k, v = heads(wq), heads(wk), heads(wv)
    scores = q @ np.transpose(k, (0, 2, 1)) * (1 / _WIDTH**0.5)
    e = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    mixed = (e / np.sum(e, axis=-1, keepdims=True)) @ v
    return np.reshape(np.transpose(mixed, (1, 0, 2)), (_TOKENS, _HEADS * _WIDTH)) @ wo


def attention(side: Side) -> Work:
    """8 heads, 512 tokens, 64 wide, with the four projections."""
    whole = _HEADS * _WIDTH
    data = [_weights(0, _TOKENS, whole) * whole**0.5, *(_weights(k, whole, whole) for k in range(1, 5))]
    names = {"f": side.jit(lambda *data: _attend(side.np, *data)), "data": [side.put(a) for a in data]}
    return Work("f(*data)", names, lambda: _attend(np, *data), 1e-4)
