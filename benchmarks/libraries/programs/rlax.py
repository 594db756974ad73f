"""rlax: an actor and a critic on recorded transitions: lambda-returns, V-trace and policy gradients."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import optax
import rlax as library


def program() -> tuple[Any, Any, int]:
    """A step, a state, and how many steps."""
    keys = jax.random.split(jax.random.key(0), 6)
    time, states, actions = 32, 6, 3
    observed = jax.random.normal(keys[0], (time + 1, states))
    taken = jax.random.randint(keys[1], (time,), 0, actions)
    rewards = jnp.cos(observed[1:, 0]) + 0.1 * taken
    discounts = jnp.where(jax.random.uniform(keys[2], (time,)) < 0.05, 0.0, 0.97)
    params = {"policy": 0.1 * jax.random.normal(keys[3], (states, actions)),
              "value": 0.1 * jax.random.normal(keys[4], (states,))}
    behaviour = jax.random.normal(keys[5], (time, actions))
    optimizer = optax.rmsprop(1e-2)

    def loss(params: Any) -> jax.Array:
        logits, values = observed[:-1] @ params["policy"], observed @ params["value"]
        ratios = library.categorical_importance_sampling_ratios(logits, behaviour, taken)
        found = library.vtrace_td_error_and_advantage(values[:-1], values[1:], rewards, discounts, ratios, 0.9)
        weights = jnp.ones(time)
        policy = library.policy_gradient_loss(logits, taken, jax.lax.stop_gradient(found.pg_advantage), weights)
        error = library.td_lambda(values[:-1], rewards, discounts, values[1:], jnp.array(0.9))
        return policy + 0.5 * (error ** 2).mean() + 0.01 * library.entropy_loss(logits, weights)

    @jax.jit
    def step(state: Any) -> tuple[Any, jax.Array]:
        params, optimizer_state = state
        value, gradients = jax.value_and_grad(loss)(params)
        updates, optimizer_state = optimizer.update(gradients, optimizer_state)
        return (optax.apply_updates(params, updates), optimizer_state), value

    return step, (params, optimizer.init(params)), 40
