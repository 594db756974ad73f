# SPDX-License-Identifier: Apache-2.0
"""Transformers that are trained: two causal ones in float32, and an encoder in bfloat16."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..side import Side, Work
from .parts import adam, cross_entropy, momentum, normal, scaled, training


def _layers(depth: int, width: int) -> list[dict[str, np.ndarray]]:
    return [
        {"gain1": np.ones(width, np.float32), "in": normal(10 * k, width, 3 * width),
         "out": normal(10 * k + 1, width, width), "gain2": np.ones(width, np.float32),
         "up": normal(10 * k + 2, width, 4 * width), "down": normal(10 * k + 3, 4 * width, width)}
        for k in range(1, depth + 1)
    ]


def _layer(side: Side, x: Any, layer: Any, heads: int, causal: bool) -> Any:
    """Attention and perceptron, each behind a norm and beside a shortcut."""
    xp, nn = side.np, side.module("nn")
    batch, tokens, width = x.shape
    q, k, v = xp.split(xp.reshape(scaled(xp, x, layer["gain1"]) @ layer["in"], (batch, tokens, 3 * heads, -1)), 3, 2)
    scores = xp.einsum("bthd,bshd->bhts", q, k) * (width / heads) ** -0.5
    if causal:
        scores = xp.where(xp.tril(xp.ones((tokens, tokens), bool)), scores, -1e9)
    mixed = xp.einsum("bhts,bshd->bthd", nn.softmax(scores, axis=-1), v)
    x = x + xp.reshape(mixed, x.shape) @ layer["out"]
    return x + nn.gelu(scaled(xp, x, layer["gain2"]) @ layer["up"]) @ layer["down"]


def gpt(side: Side, depth: int, width: int, batch: int, tokens: int, heads: int = 4, words: int = 512) -> Work:
    """A causal transformer with the layers one after the other in its text, and Adam."""
    parameters = {"words": normal(1, words, width, scale=0.02), "places": normal(2, tokens, width, scale=0.02),
                  "layers": _layers(depth, width), "gain": np.ones(width, np.float32)}
    text = np.random.default_rng(3).integers(0, words, (batch, tokens + 1)).astype(np.int32)

    def loss(parameters: Any, text: Any) -> Any:
        x = parameters["words"][text[:, :-1]] + parameters["places"]
        for layer in parameters["layers"]:
            x = _layer(side, x, layer, heads, causal=True)
        return cross_entropy(side, scaled(side.np, x, parameters["gain"]) @ parameters["words"].T, text[:, 1:])

    return training(side, adam, loss, parameters, [text])


def encoder(
    side: Side, depth: int = 6, width: int = 256, batch: int = 8, tokens: int = 64, heads: int = 4,
) -> Work:
    """An encoder that classifies; its parameters are float32, everything between them and the loss bfloat16."""
    parameters = {"layers": _layers(depth, width), "gain": np.ones(width, np.float32), "head": normal(5, width, 10)}
    x, labels = normal(1, batch, tokens, width, scale=1.0), np.arange(batch, dtype=np.int32) % 10

    def loss(parameters: Any, x: Any, labels: Any) -> Any:
        narrow = side.library.tree.map(lambda p: p.astype(side.np.bfloat16), parameters)
        y = x.astype(side.np.bfloat16)
        for layer in narrow["layers"]:
            y = _layer(side, y, layer, heads, causal=False)
        y = side.np.mean(scaled(side.np, y, narrow["gain"]), axis=1)
        return cross_entropy(side, (y @ narrow["head"]).astype(np.float32), labels)

    # Two right results of so many products in bfloat16, with eight bits each, differ by some percent.
    return training(side, momentum, loss, parameters, [x, labels], tolerance=0.15)
