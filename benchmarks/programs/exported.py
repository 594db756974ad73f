# SPDX-License-Identifier: Apache-2.0
"""A training step that is compiled, or read from its artefact and called, in a fresh process: prints ``=MILLISECONDS``.

Arguments: ``mlp`` or ``transformer``; ``store``, ``first`` or ``load``; the folder of the artefact. Later
processes have the compiled code of ``store``, and the bits that must come out.
"""

from __future__ import annotations

import itertools
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

import olympus
import olympus.numpy as jnp
from olympus import export, lax, nn

_TOKENS, _WIDTH, _HEADS, _WORDS = 64, 128, 4, 256
_SIZES = (784, 512, 512, 10)


def _weights(seed: int, *shape: int) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(shape, np.float32) / np.float32(np.sqrt(shape[0]))


def _loss(scores: Any, wanted: Any) -> Any:
    return -jnp.mean(jnp.take_along_axis(nn.log_softmax(scores), wanted[..., None], -1))


def _perceptron(parameters: Any, x: Any, y: Any) -> Any:
    *hidden, last = parameters
    for w in hidden:
        x = nn.relu(x @ w)
    return _loss(x @ last, y)


def _normal(x: Any) -> Any:
    return (x - jnp.mean(x, -1, keepdims=True)) * lax.rsqrt(jnp.var(x, -1, keepdims=True) + 1e-5)


def _transformer(parameters: Any, x: Any, y: Any) -> Any:
    words, layers = parameters
    a = words[x]
    for qkv, out, up, down in layers:
        parts = jnp.split(_normal(a) @ qkv, 3, -1)
        q, k, v = (p.reshape(-1, _TOKENS, _HEADS, _WIDTH // _HEADS).transpose(0, 2, 1, 3) for p in parts)
        scores = jnp.where(jnp.tril(jnp.ones((_TOKENS, _TOKENS), bool)), q @ k.swapaxes(-1, -2), -1e9)
        a = a + (nn.softmax(scores) @ v).transpose(0, 2, 1, 3).reshape(a.shape) @ out
        a = a + nn.gelu(_normal(a) @ up) @ down
    return _loss(a @ words.T, y)


def _work(which: str) -> tuple[Any, tuple[Any, ...]]:
    if which == "mlp":
        loss, parameters = _perceptron, [_weights(k, *pair) for k, pair in enumerate(itertools.pairwise(_SIZES))]
        data = _weights(9, 64, _SIZES[0]), np.arange(64, dtype=np.int32) % 10
    else:
        d = _WIDTH
        shapes = (d, 3 * d), (d, d), (d, 4 * d), (4 * d, d)
        layers = [tuple(_weights(k, *shape) for shape in shapes) for k in (1, 2)]
        loss, parameters = _transformer, (_weights(3, _WORDS, d), layers)
        tokens = np.random.default_rng(0).integers(0, _WORDS, (8, _TOKENS), np.int32)
        data = tokens, np.roll(tokens, -1, 1)

    def step(parameters: Any, x: Any, y: Any) -> Any:
        value, slopes = olympus.value_and_grad(loss)(parameters, x, y)
        return olympus.tree.map(lambda p, g: p - 0.1 * g, parameters, slopes), value

    return step, olympus.tree.map(jnp.asarray, (parameters, *data))


def main(which: str, what: str, folder: Path) -> None:
    """Runs it."""
    step, arguments = _work(which)
    olympus.block_until_ready(arguments)
    file = folder / f"{which}.olx"
    stored = file.read_bytes() if what == "load" else b""
    started = time.perf_counter()
    function = export.deserialize(stored).call if what == "load" else olympus.jit(step)
    result = olympus.block_until_ready(function(*arguments))
    elapsed = time.perf_counter() - started
    bits = b"".join(np.asarray(leaf).tobytes() for leaf in olympus.tree.leaves(result))
    if what == "store":
        made = export.export(olympus.jit(step))(*arguments)
        file.write_bytes(made.serialize())
        export.deserialize(file.read_bytes()).call(*arguments)
        (folder / f"{which}.bits").write_bytes(bits)
    elif what == "load" and bits != (folder / f"{which}.bits").read_bytes():
        raise SystemExit("the artefact's results have other bits than the function's")
    print(f"={elapsed * 1e3}")


main(sys.argv[1], sys.argv[2], Path(sys.argv[3]))
