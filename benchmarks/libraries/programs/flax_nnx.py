"""flax, nnx: a network with normalisation and dropout as objects, trained with Adam."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import optax
from flax import nnx as library


class Network(library.Module):
    """Two dense layers."""

    def __init__(self, rngs: Any) -> None:
        self.first = library.Linear(16, 64, rngs=rngs)
        self.norm = library.LayerNorm(64, rngs=rngs)
        self.dropout = library.Dropout(0.1, rngs=rngs)
        self.last = library.Linear(64, 4, rngs=rngs)

    def __call__(self, x: jax.Array) -> jax.Array:
        """The logits."""
        return self.last(self.dropout(library.gelu(self.norm(self.first(x)))))


def program() -> tuple[Any, Any, int]:
    """A step, a state, and how many steps."""
    keys = jax.random.split(jax.random.key(0), 2)
    x = jax.random.normal(keys[0], (256, 16))
    labels = jnp.argmax(x @ jax.random.normal(keys[1], (16, 4)), axis=1)
    network = Network(library.Rngs(0))
    optimizer = library.Optimizer(network, optax.adam(1e-2), wrt=library.Param)
    definition, state = library.split((network, optimizer))

    @jax.jit
    def step(state: Any) -> tuple[Any, jax.Array]:
        network, optimizer = library.merge(definition, state)

        def loss(network: Any) -> jax.Array:
            return optax.softmax_cross_entropy_with_integer_labels(network(x), labels).mean()

        value, gradients = library.value_and_grad(loss)(network)
        optimizer.update(network, gradients)
        return library.state((network, optimizer)), value

    return step, state, 30
