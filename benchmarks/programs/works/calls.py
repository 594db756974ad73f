# SPDX-License-Identifier: Apache-2.0
"""Small calls, which measure the overhead of a call."""

from __future__ import annotations

import numpy as np

from .side import Side, Work


def call(side: Side) -> Work:
    """A compiled x + 1 on 8 floats, split over all devices."""
    data = np.arange(8, dtype=np.float32)
    mesh = side.mesh()
    x = side.put(data, "i", mesh=mesh) if mesh is not None and mesh.size > 1 else side.put(data)
    return Work("f(x)", {"f": side.jit(lambda x: x + 1), "x": x}, data + 1)


def tree(side: Side) -> Work:
    """The same on a tree of 10 leaves: five layers of weights and biases."""

    def increment(layers: dict[str, dict[str, np.ndarray]]) -> dict[str, dict[str, np.ndarray]]:
        return {name: {key: leaf + 1 for key, leaf in layer.items()} for name, layer in layers.items()}

    data = {f"layer{k}": {"weights": np.full(8, k, np.float32), "bias": np.full(8, -k, np.float32)} for k in range(5)}
    return Work("f(t)", {"f": side.jit(increment), "t": side.put_tree(data)}, increment(data), tree=True)


def eager(side: Side, which: str) -> Work:
    """An operation that is not compiled with others."""
    x, y = np.arange(8, dtype=np.float32), np.linspace(0, 1, 8, dtype=np.float32)
    names = {"x": side.put(x), "y": side.put(y), "sin": side.np.sin}
    statement, truth = {
        "add": ("x + y", x + y),
        "sin": ("sin(x)", np.sin(x)),
        "index": ("x[3]", x[3]),
    }[which]
    return Work(f"({statement})", names, truth)


def put(side: Side) -> Work:
    """A NumPy array that is placed on the default device."""
    x = np.arange(64, dtype=np.float32).reshape(8, 8)
    return Work("put(x)", {"put": side.put, "x": x}, x)


def shards(side: Side) -> Work:
    """Where the last part of an array lies that is split over all devices."""
    x, mesh = np.arange(16, dtype=np.float32), side.mesh()
    array = side.put(x, "i", mesh=mesh)
    start = 16 - 16 // mesh.size
    return Work("start(x.addressable_shards[-1].index)", {"x": array, "start": lambda index: np.int64(index[0].start)},
                np.int64(start), tree=True)
