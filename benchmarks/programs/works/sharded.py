# SPDX-License-Identifier: Apache-2.0
"""Work of several devices: of one process, and of several processes."""

from __future__ import annotations

from typing import Any

import numpy as np

from .chains import operands
from .side import Side, Work


def sum_sin(side: Side, size: int) -> Work:
    """sum(sin(x)) of an array that is split over all devices; the partitioner finds the exchange."""
    data = operands(1, size, "float32")[0]
    names = {"f": side.jit(lambda x: side.np.sum(side.np.sin(x))), "x": side.put(data, "i", mesh=side.mesh())}
    # A sum of numbers of both signs is small beside what went into it.
    return Work("f(x)", names, lambda: np.sum(np.sin(data.astype(np.float64))), 1e-3)


def product(side: Side, size: int) -> Work:
    """x @ y, split along the dimension that is summed: each device multiplies its part, then psum."""
    x, y = (operands(2, size * size, "float32")[k].reshape(size, size) for k in (0, 1))
    if side.plain:
        return Work("x @ y", {"x": x, "y": y})
    library, mesh = side.library, side.mesh()
    spec = side.module("sharding").PartitionSpec
    f = library.jit(library.shard_map(
        lambda x, y: library.lax.psum(x @ y, "i"), mesh=mesh, in_specs=(spec(None, "i"), spec("i", None)),
        out_specs=spec(),
    ))
    names = {"f": f, "x": side.put(x, None, "i", mesh=mesh), "y": side.put(y, "i", None, mesh=mesh)}
    return Work("f(x, y)", names, lambda: x @ y, 1e-4)


def psum(side: Side, bytes_each: int) -> Work:
    """A compiled psum over all devices of all processes; each device brings so many bytes."""
    library, mesh = side.library, side.mesh()
    spec = side.module("sharding").PartitionSpec
    count, length = library.device_count(), bytes_each // 4
    f = library.jit(library.shard_map(
        lambda x: library.lax.psum(x, "i"), mesh=mesh, in_specs=spec("i"), out_specs=spec(),
    ))
    first = library.process_index() * library.local_device_count()
    own = np.stack([_row(first + k, length) for k in range(library.local_device_count())])
    x = library.make_array_from_process_local_data(side.sharding(mesh, "i"), own)

    def read(result: Any) -> np.ndarray:
        shards = [np.asarray(shard.data) for shard in result.addressable_shards]
        for other in shards[1:]:
            np.testing.assert_array_equal(other, shards[0])
        return shards[0]

    return Work("f(x)", {"f": f, "x": x}, lambda: sum(_row(k, length) for k in range(count))[None], 1e-6, read=read)


def _row(device: int, length: int) -> np.ndarray:
    return np.arange(length, dtype=np.float32) % 1000 * (device + 1)
