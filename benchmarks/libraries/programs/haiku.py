"""dm-haiku: a recurrent network that adds up a sequence, trained with Adam."""

from __future__ import annotations

from typing import Any

import haiku as library
import jax
import jax.numpy as jnp
import optax


def program() -> tuple[Any, Any, int]:
    """A step, a state, and how many steps."""
    keys = jax.random.split(jax.random.key(0), 2)
    x = jax.random.normal(keys[0], (12, 32, 4))  # time, batch, features
    wanted = jnp.cumsum(x.mean(-1), axis=0)

    def network(x: jax.Array) -> jax.Array:
        core = library.LSTM(24)
        hidden, _ = library.dynamic_unroll(core, x, core.initial_state(x.shape[1]))
        hidden = library.LayerNorm(-1, create_scale=True, create_offset=True)(hidden)
        return library.Linear(1)(jax.nn.tanh(library.Linear(16)(hidden)))[..., 0]

    transformed, optimizer = library.without_apply_rng(library.transform(network)), optax.adam(1e-2)
    params = transformed.init(keys[1], x)

    @jax.jit
    def step(state: Any) -> tuple[Any, jax.Array]:
        params, optimizer_state = state
        value, gradients = jax.value_and_grad(lambda p: ((transformed.apply(p, x) - wanted) ** 2).mean())(params)
        updates, optimizer_state = optimizer.update(gradients, optimizer_state)
        return (optax.apply_updates(params, updates), optimizer_state), value

    return step, (params, optimizer.init(params)), 30
