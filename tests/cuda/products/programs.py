# SPDX-License-Identifier: Apache-2.0
"""Programs of products, run by a process of their own over the stand-in; says as JSON what came of each."""

from __future__ import annotations

import ctypes
import json
import logging
import os
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

import olympus
import olympus.numpy as jnp
from olympus import lax, nn
from olympus.sharding import NamedSharding
from olympus.sharding import PartitionSpec as P
from olympus_cuda.products import small_products

RANDOM = np.random.default_rng(0)


def some(*shape: int) -> np.ndarray:
    """Elements of a normal distribution."""
    return RANDOM.normal(size=shape).astype(np.float32)


def softmax(x: np.ndarray) -> np.ndarray:
    """Along the last dimension."""
    wide = np.exp(x - x.max(-1, keepdims=True))
    return np.asarray(wide / wide.sum(-1, keepdims=True))


def layer(x: Any, w: Any, b: Any) -> Any:
    """A layer of a network."""
    return nn.relu(x @ w + b)


def attention(q: Any, k: Any, v: Any) -> Any:
    """Heads beside features, as they come out of a product."""
    scores = nn.softmax(jnp.einsum("bthd,bshd->bhts", q, k), axis=-1)
    return jnp.einsum("bhts,bshd->bthd", scores, v)


def loss(w: Any, x: Any) -> Any:
    """A number to be differentiated."""
    return jnp.sum(nn.relu(x @ w))


def convolved(x: Any, kernel: Any) -> Any:
    """Features last."""
    return lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def convolved_here(x: np.ndarray, kernel: np.ndarray) -> np.ndarray:
    """The same, by NumPy."""
    padded = np.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
    height, width = x.shape[1:3]
    return np.asarray(sum(padded[:, i : i + height, j : j + width] @ kernel[i, j] for i in range(3) for j in range(3)))


def main() -> None:
    """Runs all."""
    said: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: said.append(record.getMessage())  # type: ignore[method-assign]
    logging.getLogger("olympus.cuda").addHandler(handler)
    logging.getLogger("olympus.cuda").setLevel(logging.INFO)
    library = ctypes.CDLL(os.environ["OLYMPUS_CUBLASLT_LIBRARY"])
    found: dict[str, Any] = {}

    def tried(name: str, function: Callable[..., Any], wanted: np.ndarray, *arguments: Any) -> None:
        before, fused = library.olympus_fake_matmuls(), library.olympus_fake_epilogues()
        run = olympus.jit(function)
        results = [np.asarray(run(*arguments)) for _ in range(4)]  # the last from a captured graph, where there is one
        error = max(float(np.max(np.abs(result - wanted))) for result in results)
        found[name] = {"error": error, "products": library.olympus_fake_matmuls() - before,
                       "epilogues": library.olympus_fake_epilogues() - fused}

    x, w, b = some(8, 16), some(16, 32), some(32)
    tried("layer", layer, np.maximum(x @ w + b, 0), x, w, b)
    q, k, v = some(2, 5, 3, 4), some(2, 6, 3, 4), some(2, 6, 3, 4)
    scores = softmax(np.einsum("bthd,bshd->bhts", q, k))
    tried("attention", attention, np.einsum("bhts,bshd->bthd", scores, v), q, k, v)
    tried("gradient", olympus.grad(loss), x.T @ (x @ w > 0), w, x)
    image, kernel = some(2, 6, 5, 3), some(3, 3, 3, 4)
    tried("convolution", convolved, convolved_here(image, kernel), image, kernel)
    tried("sort", lambda x: jnp.sort(x, axis=0), np.sort(x, axis=0), x)
    order = np.argsort(-x, axis=1, kind="stable")[:, :3]
    tried("greatest", lambda x: olympus.lax.top_k(x, 3)[0], np.take_along_axis(x, order, 1), x)
    tried("places of the greatest", lambda x: olympus.lax.top_k(x, 3)[1], order, x)
    tried("chain of sorts and products", lambda x, w: jnp.sort(x @ w) @ w.T, np.sort(x @ w) @ w.T, x, w)
    table, places, rows = some(50, 6), np.arange(5000, dtype=np.int32) * 7 % 53, some(5000, 6)
    wanted = table.copy()
    np.add.at(wanted, places[places < 50], rows[places < 50])
    tried("scatter", lambda x, i, u: x.at[i].add(u, mode="drop"), wanted, table, places, rows)
    mesh = olympus.make_mesh((len(olympus.devices()),), ("d",))
    split = [olympus.device_put(a, NamedSharding(mesh, spec)) for a, spec in ((x, P(None, "d")), (w, P("d", None)))]
    tried("over devices", jnp.matmul, x @ w, *split)
    print(json.dumps({"found": found, "said": said, "devices": len(olympus.devices())}))


if __name__ == "__main__":
    if sys.argv[1:]:
        small_products.MOST = int(sys.argv[1])
    main()
