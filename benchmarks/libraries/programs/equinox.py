"""equinox: a convolutional network with normalisation, trained through `filter_jit` and `filter_value_and_grad`."""

from __future__ import annotations

from typing import Any

import equinox as library
import jax
import jax.numpy as jnp


class Network(library.Module):
    """Two convolutions, a pool, a linear layer."""

    layers: list[Any]
    activation: Any = library.field(static=True)

    def __init__(self, key: jax.Array) -> None:
        keys = jax.random.split(key, 3)
        self.layers = [
            library.nn.Conv2d(1, 8, kernel_size=3, key=keys[0]), library.nn.GroupNorm(2, 8),
            library.nn.MaxPool2d(kernel_size=2, stride=2), library.nn.Conv2d(8, 8, kernel_size=3, key=keys[1]),
            library.nn.Linear(8 * 5 * 5, 5, key=keys[2]),
        ]
        self.activation = jax.nn.silu

    def __call__(self, x: jax.Array) -> jax.Array:
        for layer in self.layers[:-1]:
            x = layer(x)
            if isinstance(layer, library.nn.Conv2d):
                x = self.activation(x)
        return self.layers[-1](jnp.ravel(x))


def program() -> tuple[Any, Any, int]:
    """A step, a state, and how many steps."""
    keys = jax.random.split(jax.random.key(2), 3)
    images = jax.random.normal(keys[0], (64, 1, 16, 16))
    labels = jax.random.randint(keys[1], (64,), 0, 5)

    @library.filter_value_and_grad
    def loss(model: Network) -> jax.Array:
        logits = jax.vmap(model)(images)
        return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], axis=1))

    @library.filter_jit
    def step(model: Network) -> tuple[Network, jax.Array]:
        value, gradients = loss(model)
        return library.apply_updates(model, jax.tree.map(lambda g: -0.03 * g, gradients)), value

    return step, Network(keys[2]), 30
