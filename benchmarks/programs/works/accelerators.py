# SPDX-License-Identifier: Apache-2.0
"""Works for accelerators, in addition to those of all platforms."""

from __future__ import annotations

import contextlib
from typing import Any

import ml_dtypes
import numpy as np

from .chains import filled
from .side import Side, Work

_NARROW = ml_dtypes.bfloat16
_STEP = 1e-2
_ROWS = 8  # of the truth: all of it would take NumPy longer than the samples


def _normal(seed: int, *shape: int, scale: float = 1.0) -> np.ndarray:
    return filled(np.empty(shape, np.float32), seed, scale)


def device_copy(side: Side, size: int) -> Work:
    """The same bytes into memory of the device that is already there, by the device's own copy: the limit of others."""
    source = side.put(_normal(0, size))
    target = side.np.empty_like(source)

    def run() -> Any:
        target.data.copy_from_device_async(source.data, source.nbytes, side.library.cuda.get_current_stream())
        return target

    return Work("run()", {"run": run}, lambda: _normal(0, size), 0.0)


def dense(side: Side, size: int) -> Work:
    """A square bfloat16 product with bias and relu."""
    x, y = (_normal(seed, size, size).astype(_NARROW) for seed in (0, 1))
    bias = _normal(2, size).astype(_NARROW)

    def truth() -> np.ndarray:
        product = x[:_ROWS].astype(np.float32) @ y.astype(np.float32)
        return np.maximum(product + bias.astype(np.float32), 0)

    f = side.jit(lambda x, y, b: side.np.maximum(x @ y + b, 0))
    names = {"f": f, "x": side.put(x), "y": side.put(y), "b": side.put(bias)}
    return Work("f(x, y, b)", names, truth, 2e-2, read=lambda r: side.host(r)[:_ROWS])


def layers(np: Any, x: Any, ws: Any) -> Any:
    """As many layers as there are weights."""
    for w in ws:
        x = np.tanh(x @ w)
    return x


def twenty(side: Side) -> Work:
    """20 operations on small arrays, ten of them products of float32 proper: on GPUs the peer's default is TF32."""
    x, ws = _normal(0, 32, 32), [_normal(1 + k, 32, 32, scale=0.2) for k in range(10)]

    def exact(x: Any, ws: Any) -> Any:
        asked = getattr(side.library, "default_matmul_precision", None)  # CuPy has none, and needs none
        with asked("highest") if asked is not None else contextlib.nullcontext():
            return layers(side.np, x, ws)

    names = {"f": side.jit(exact), "x": side.put(x), "ws": side.put_tree(ws)}
    return Work("f(x, ws)", names, lambda: layers(np, x, ws), 1e-4)


def _norm(np: Any, x: Any) -> Any:
    wide = x.astype(np.float32)
    centred = wide - np.mean(wide, axis=-1, keepdims=True)
    return (centred / np.sqrt(np.mean(centred * centred, axis=-1, keepdims=True) + 1e-5)).astype(x.dtype)


def block(np: Any, x: Any, weights: Any, heads: int, rows: int | None = None) -> Any:
    """Attention and perceptron, each behind a norm and beside a shortcut; of `rows` tokens only, where asked."""
    wq, wk, wv, wo, up, down = weights
    width = x.shape[-1] // heads

    def split(y: Any) -> Any:
        return np.transpose(np.reshape(y, (y.shape[0], heads, width)), (1, 0, 2))

    normed = _norm(np, x)
    q, k, v = split(normed[:rows] @ wq), split(normed @ wk), split(normed @ wv)
    scores = (q @ np.transpose(k, (0, 2, 1))).astype(np.float32) * (1 / width**0.5)
    e = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    mixed = (e / np.sum(e, axis=-1, keepdims=True)).astype(x.dtype) @ v
    x = x[:rows] + np.reshape(np.transpose(mixed, (1, 0, 2)), x[:rows].shape) @ wo
    hidden = _norm(np, x) @ up
    return x + np.maximum(hidden, 0).astype(x.dtype) @ down


def transformer(side: Side, tokens: int, width: int, heads: int, gradient: bool = False) -> Work:
    """A transformer's block, in bfloat16 with float32 softmax and norms: forward, or its gradient."""
    shapes = [(width, width)] * 4 + [(width, 4 * width), (4 * width, width)]
    weights = [_normal(1 + k, *shape, scale=shape[0] ** -0.5).astype(_NARROW) for k, shape in enumerate(shapes)]
    x = _normal(0, tokens, width).astype(_NARROW)

    if gradient:
        return _gradient(side, x, weights, heads)

    def truth() -> np.ndarray:
        return block(np, x.astype(np.float32), [w.astype(np.float32) for w in weights], heads, _ROWS)

    f = side.jit(lambda x, *weights: block(side.np, x, weights, heads))
    names = {"f": f, "x": side.put(x), "w": side.put_tree(weights)}
    return Work("f(x, *w)", names, truth, 5e-2, read=lambda r: side.host(r)[:_ROWS])


def _gradient(side: Side, x: np.ndarray, weights: list[np.ndarray], heads: int) -> Work:
    """The gradient for tokens and weights of a sum of the block's results; NumPy has the slope along one direction."""
    factors = _normal(20, *x.shape)
    along = [_normal(21, *x.shape)]
    along += [_normal(22 + k, *w.shape, scale=w.shape[0] ** -0.5) for k, w in enumerate(weights)]
    size = x.size ** 0.5  # about how large the slope is

    def loss(x: Any, *weights: Any) -> Any:
        return side.np.sum(block(side.np, x, weights, heads).astype(np.float32) * factors)

    def at(step: float) -> Any:
        moved = [v.astype(np.float32) + step * d for v, d in zip([x, *weights], along, strict=True)]
        return np.sum(block(np, moved[0], moved[1:], heads) * factors, dtype=np.float64)

    def truth() -> np.ndarray:
        return np.array([(at(_STEP) - at(-_STEP)) / (2 * _STEP), size])

    def read(found: Any) -> np.ndarray:
        parts = [side.host(part).astype(np.float32) for part in found]
        slopes = [np.sum(part * d, dtype=np.float64) for part, d in zip(parts, along, strict=True)]
        return np.array([sum(slopes), size])

    if side.plain:
        return Work("f()", {"f": truth}, truth, 5e-2, tree=True)
    f = side.jit(side.library.grad(loss, argnums=tuple(range(1 + len(weights)))))
    names = {"f": f, "x": side.put(x), "w": side.put_tree(weights)}
    return Work("f(x, *w)", names, truth, 5e-2, tree=True, read=read)
