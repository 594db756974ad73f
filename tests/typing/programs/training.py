"""A network with two layers, trained by gradient descent: parameters in a tree, batches by scan."""

from __future__ import annotations

from typing import NamedTuple

from typing_extensions import assert_type

import olympus
import olympus.numpy as jnp
from olympus import Array, lax, nn, random


class Layer(NamedTuple):
    weight: Array
    bias: Array


class Batch(NamedTuple):
    inputs: Array
    targets: Array


Parameters = list[Layer]


def initialized(key: olympus.Array, sizes: list[int]) -> Parameters:
    layers = []
    for size, next_size in zip(sizes, sizes[1:], strict=False):
        key, own = random.split(key)
        layers.append(Layer(nn.initializers.he_normal()(own, (size, next_size)), jnp.zeros(next_size)))
    return layers


def predicted(parameters: Parameters, x: Array) -> Array:
    *hidden, last = parameters
    for layer in hidden:
        x = nn.relu(x @ layer.weight + layer.bias)
    return x @ last.weight + last.bias


def loss(parameters: Parameters, batch: Batch) -> Array:
    return jnp.mean((predicted(parameters, batch.inputs) - batch.targets) ** 2)


@olympus.jit
def step(parameters: Parameters, batch: Batch) -> tuple[Parameters, Array]:
    value, gradient = olympus.value_and_grad(loss)(parameters, batch)
    assert_type(value, Array)
    updated: Parameters = olympus.tree.map(lambda p, g: p - 0.1 * g, parameters, gradient)
    return updated, value


def epoch(parameters: Parameters, batches: Batch) -> tuple[Parameters, Array]:
    return lax.scan(step, parameters, batches)


def main() -> float:
    key = random.key(0)
    assert_type(key, olympus.Array)
    inputs = random.normal(key, (4, 8, 3))
    batches = Batch(inputs, jnp.sum(inputs, axis=-1, keepdims=True))
    parameters, losses = epoch(initialized(key, [3, 16, 1]), batches)
    assert_type(parameters, list[Layer])
    assert_type(losses, Array)
    assert_type(step(parameters, Batch(batches.inputs[0], batches.targets[0])), tuple[list[Layer], Array])
    assert losses.shape == (4,)
    return float(losses[-1])


if __name__ == "__main__":
    main()
