# SPDX-License-Identifier: Apache-2.0
"""A perceptron that is trained by all devices of a job."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..side import Side, Work
from .networks import MLP, perceptron, perceptron_loss
from .parts import gradient, momentum, normal, zeros


def mlp(side: Side, sharded: bool, batch: int = 1024) -> Work:
    """Every device has its part of the batch; the parameters are whole, or split too (FSDP)."""
    library, automatic = side.library, side.module("sharding").AxisType.Auto
    mesh = library.make_mesh((library.device_count(),), ("i",), axis_types=(automatic,))
    parameters = perceptron()
    state = {"parameters": parameters, "first": zeros(parameters)}
    x, labels = normal(8, batch, MLP[0], scale=1.0), np.arange(batch, dtype=np.int32) % 10

    def place(leaf: Any) -> Any:
        return side.sharding(mesh, "i") if sharded and leaf.shape[0] % mesh.size == 0 else side.sharding(mesh)

    places = library.tree.map(place, state)
    whole = side.sharding(mesh)

    def loss(parameters: Any, x: Any, labels: Any) -> Any:
        # Of a million units some would be so near the bend of a relu that a rounding decides whether they count.
        return perceptron_loss(side, parameters, x, labels, side.np.tanh)

    step = library.jit(momentum(side, loss), out_shardings=(places, whole))

    def given(array: np.ndarray) -> Any:
        count, own = library.process_count(), library.process_index()
        local = array.reshape(count, -1, *array.shape[1:])[own]
        return library.make_array_from_process_local_data(side.sharding(mesh, "i"), local)

    names = {"step": step, "state": library.device_put(state, places), "batch": [given(x), given(labels)]}

    def read(result: Any) -> Any:
        """The first of this process's parts of each array."""
        return library.tree.map(lambda leaf: leaf.addressable_shards[0].data, gradient(result))

    return Work("step(state, *batch)", names, None, 1e-3, tree=True, read=read)
