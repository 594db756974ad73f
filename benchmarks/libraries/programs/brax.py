"""brax: a linear controller of an inverted pendulum, trained by the gradient through 20 steps of the simulation."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import optax
from brax import envs


def program() -> tuple[Any, Any, int]:
    """A step, a state, and how many steps."""
    environment = envs.get_environment("inverted_pendulum", backend="spring")
    optimizer = optax.adam(1e-2)
    key = jax.random.PRNGKey(0)
    weights = jnp.zeros((environment.observation_size, environment.action_size))

    def loss(weights: Any) -> jax.Array:
        def moved(state: Any, _: Any) -> tuple[Any, jax.Array]:
            state = environment.step(state, jnp.tanh(state.obs @ weights + 0.1))
            return state, (state.obs**2).sum()

        return jax.lax.scan(moved, environment.reset(key), None, length=20)[1].mean()

    @jax.jit
    def step(state: Any) -> tuple[Any, jax.Array]:
        weights, optimizer_state = state
        value, gradients = jax.value_and_grad(loss)(weights)
        updates, optimizer_state = optimizer.update(gradients, optimizer_state)
        return (optax.apply_updates(weights, updates), optimizer_state), value

    return step, (weights, optimizer.init(weights)), 20
