"""flax, linen: a convolutional classifier with batch normalisation and dropout, trained with momentum."""

from __future__ import annotations

from typing import Any

import flax.linen as library
import jax
import jax.numpy as jnp
import optax


class Network(library.Module):
    """Two convolutions and two dense layers."""

    @library.compact
    def __call__(self, x: jax.Array, train: bool = True) -> jax.Array:
        """The logits."""
        for features in (8, 16):
            x = library.Conv(features, (3, 3))(x)
            x = library.BatchNorm(use_running_average=not train)(x)
            x = library.max_pool(library.relu(x), (2, 2), (2, 2))
        x = x.reshape(x.shape[0], -1)
        x = library.Dropout(0.1, deterministic=not train)(library.gelu(library.Dense(32)(x)))
        return library.Dense(4)(x)


def program() -> tuple[Any, Any, int]:
    """A step, a state, and how many steps."""
    keys = jax.random.split(jax.random.key(0), 4)
    x = jax.random.normal(keys[0], (64, 8, 8, 3))
    labels = jnp.argmax(x.mean((1, 2)) @ jax.random.normal(keys[1], (3, 4)), axis=1)
    network, optimizer = Network(), optax.sgd(0.05, 0.9)
    variables = network.init({"params": keys[2], "dropout": keys[3]}, x)

    @jax.jit
    def step(state: Any) -> tuple[Any, jax.Array]:
        params, statistics, optimizer_state, key = state
        key, used = jax.random.split(key)

        def loss(params: Any) -> tuple[jax.Array, Any]:
            logits, changed = network.apply({"params": params, "batch_stats": statistics}, x, mutable=["batch_stats"],
                                            rngs={"dropout": used})
            return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean(), changed["batch_stats"]

        (value, statistics), gradients = jax.value_and_grad(loss, has_aux=True)(params)
        updates, optimizer_state = optimizer.update(gradients, optimizer_state, params)
        return (optax.apply_updates(params, updates), statistics, optimizer_state, key), value

    return step, (variables["params"], variables["batch_stats"], optimizer.init(variables["params"]), keys[3]), 20
