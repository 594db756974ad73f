"""blackjax: NUTS on a regression's posterior; the loss is the negative log density where the chain stands."""

from __future__ import annotations

from typing import Any

import blackjax as library
import jax
import jax.numpy as jnp


def program() -> tuple[Any, Any, int]:
    """A step, a state, and how many steps."""
    keys = jax.random.split(jax.random.key(7), 3)
    x = jax.random.normal(keys[0], (40, 3))
    y = x @ jnp.array([1.0, -2.0, 0.5]) + 0.5 * jax.random.normal(keys[1], (40,))

    def log_density(position: Any) -> jax.Array:
        residual = (y - x @ position["w"]) * jnp.exp(-position["log_noise"])
        return (-0.5 * jnp.sum(residual**2) - 40 * position["log_noise"] - 0.5 * jnp.sum(position["w"] ** 2)
                - 0.5 * position["log_noise"] ** 2)

    kernel = library.nuts(log_density, step_size=0.1, inverse_mass_matrix=jnp.ones(4))

    @jax.jit
    def step(state: Any) -> tuple[Any, jax.Array]:
        key, chain = state
        key, used = jax.random.split(key)
        chain, _ = kernel.step(used, chain)
        return (key, chain), -chain.logdensity

    return step, (keys[2], kernel.init({"w": jnp.zeros(3), "log_noise": jnp.float32(0.0)})), 10
