# SPDX-License-Identifier: Apache-2.0
"""Small calls, which measure the overhead of a call."""

from __future__ import annotations

from typing import Any

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


_LORENZ = 100  # calls


def lorenz(side: Side) -> Work:
    """A chain of compiled calls, each of one small step of Lorenz's equations (1963)."""

    def step(x: Any, y: Any, z: Any) -> Any:
        return x + 0.01 * 10 * (y - x), y + 0.01 * (x * (28 - z) - y), z + 0.01 * (x * y - 8 / 3 * z)

    def chain(f: Any, *state: Any) -> Any:
        for _ in range(_LORENZ):
            state = f(*state)
        return state

    start = [np.float32(1), np.float32(2), np.float32(3)]
    names = {"chain": chain, "f": side.jit(step), "s": [side.put(value) for value in start]}
    # Neighbouring ways part with time: in a hundred steps the last digits' differences grow some hundred times.
    return Work("chain(f, *s)", names, lambda: list(chain(step, *(value.astype(np.float64) for value in start))), 1e-3,
                tree=True)


def remat(side: Side) -> Work:
    """The derivative, uncompiled, of a function that is computed again: it is traced in each call."""
    library, x = side.library, np.linspace(0, 1, 8, dtype=np.float32)

    @library.checkpoint
    def f(x: Any) -> Any:
        for _ in range(5):
            x = side.np.sin(x)
        return x

    names = {"vjp": library.vjp, "f": f, "x": side.put(x)}
    truth, slope = x.astype(np.float64), np.ones(8)
    for _ in range(5):
        slope, truth = slope * np.cos(truth), np.sin(truth)
    return Work("vjp(f, x)[1](x)[0]", names, slope * x)


def pmapped(side: Side) -> Work:
    """x + 1 on a row of each device, by `pmap`."""
    count = side.library.device_count()
    x, f = np.arange(8 * count, dtype=np.float32).reshape(count, 8), side.library.pmap(lambda x: x + 1)
    return Work("f(x)", {"f": f, "x": f(x - 1)}, x + 1)


def parts(side: Side, which: str) -> Work:
    """An array over all devices, made of the process's own part, or part by part by a function."""
    x, mesh = np.arange(64, dtype=np.float32), side.mesh()
    spec = side.module("sharding").PartitionSpec("i")
    names: dict[str, Any] = {"x": x, "mesh": mesh, "spec": spec, "sharding": side.sharding(mesh, "i")}
    if which == "callback":
        names["make"] = side.library.make_array_from_callback
        return Work("make(x.shape, sharding, lambda index: x[index])", names, x)
    names["make"] = side.module("experimental.multihost_utils").host_local_array_to_global_array
    return Work("make(x, mesh, spec)", names, x)


def ahead(side: Side) -> Work:
    """x + 1 that was compiled ahead of time."""
    x = np.arange(8, dtype=np.float32)
    placed = side.put(x)
    return Work("f(x)", {"f": side.jit(lambda x: x + 1).lower(placed).compile(), "x": placed}, x + 1)


def pair(side: Side) -> Work:
    """A compiled function that gives both its arguments back."""
    x = np.arange(8, dtype=np.float32)
    return Work("f(x, x)", {"f": side.jit(lambda x, y: (x, y)), "x": side.put(x)}, [x, x], tree=True)
