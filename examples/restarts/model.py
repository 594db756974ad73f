"""The model of these examples and its data: the same for any number of processes."""

import numpy as np

import olympus
import olympus.numpy as jnp
from olympus.sharding import NamedSharding, PartitionSpec as P


def initial_state(mesh):
    """Where the training begins: the same in all processes, whole on each device."""
    random = np.random.default_rng(0)
    weights = {name: random.normal(size=shape).astype(np.float32) for name, shape in
               (("w", (8, 16)), ("b", (16,)), ("v", (16, 1)))}
    state = {"weights": weights, "momentum": olympus.tree.map(np.zeros_like, weights)}
    return olympus.device_put(state, NamedSharding(mesh, P()))


def batch(step, mesh):
    """The step's data, of which each process makes its own rows: the same whatever the number of processes is."""
    random = np.random.default_rng(step)
    x = random.normal(size=(48, 8)).astype(np.float32)
    y = np.sin(x @ np.arange(8, dtype=np.float32))[:, None]
    rows = NamedSharding(mesh, P("batch"))
    return [olympus.make_array_from_callback(v.shape, rows, lambda index, v=v: v[index]) for v in (x, y)]


def loss(weights, x, y):
    hidden = jnp.tanh(x @ weights["w"] + weights["b"])
    return jnp.mean((hidden @ weights["v"] - y) ** 2)


@olympus.jit
def train(state, x, y):
    value, gradient = olympus.value_and_grad(loss)(state["weights"], x, y)
    momentum = olympus.tree.map(lambda m, g: 0.9 * m + g, state["momentum"], gradient)
    weights = olympus.tree.map(lambda w, m: w - 0.05 * m, state["weights"], momentum)
    return {"weights": weights, "momentum": momentum}, value
