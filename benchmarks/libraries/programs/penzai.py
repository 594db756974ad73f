"""penzai: a network with named axes, of which some parameters are frozen, trained with Adam."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import optax
from penzai import pz as library


def program() -> tuple[Any, Any, int]:
    """A step, a state, and how many steps."""
    keys = jax.random.split(jax.random.key(0), 2)
    x = jax.random.normal(keys[0], (128, 8))
    wanted = jnp.sin(x.sum(1))
    model = library.nn.Sequential([
        library.nn.Affine.from_config("first", keys[1], input_axes={"features": 8}, output_axes={"hidden": 32}),
        library.nn.Elementwise(jax.nn.gelu),
        library.nn.Affine.from_config("second", keys[1], input_axes={"hidden": 32}, output_axes={"out": 1}),
    ])
    model, params = library.unbind_params(model, freeze=True)
    optimizer = optax.adam(1e-2)
    named = library.nx.wrap(x).tag("batch", "features")

    def loss(params: Any) -> jax.Array:
        found = library.bind_variables(model, params)(named).unwrap("batch", "out")[:, 0]
        return ((found - wanted) ** 2).mean()

    @jax.jit
    def step(state: Any) -> tuple[Any, jax.Array]:
        params, optimizer_state = state
        value, gradients = jax.value_and_grad(loss)(params)
        updates, optimizer_state = optimizer.update(gradients, optimizer_state)
        return (optax.apply_updates(params, updates), optimizer_state), value

    return step, (params, optimizer.init(params)), 30
