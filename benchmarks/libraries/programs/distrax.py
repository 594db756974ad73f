"""distrax: a mixture of normal distributions and a flow of bijectors, fitted to samples by their likelihood."""

from __future__ import annotations

from typing import Any

import distrax as library
import jax
import jax.numpy as jnp
import optax


def program() -> tuple[Any, Any, int]:
    """A step, a state, and how many steps."""
    keys = jax.random.split(jax.random.key(0), 3)
    data = jnp.concatenate([jax.random.normal(keys[0], (256,)) * 0.3 - 1, jax.random.normal(keys[1], (256,)) + 2])
    params = {"logits": jnp.zeros(3), "loc": jnp.array([-0.5, 0.0, 0.5]), "scale": jnp.zeros(3), "shift": jnp.zeros(()),
              "bend": jnp.zeros(())}
    optimizer = optax.adam(3e-2)

    def loss(params: Any) -> jax.Array:
        mixture = library.MixtureSameFamily(
            library.Categorical(logits=params["logits"]),
            library.Normal(params["loc"], jax.nn.softplus(params["scale"]) + 1e-2))
        flow = library.Chain([library.ScalarAffine(params["shift"], log_scale=params["bend"]),
                              library.Inverse(library.ScalarAffine(0.0, scale=2.0))])
        return -library.Transformed(mixture, flow).log_prob(data).mean()

    @jax.jit
    def step(state: Any) -> tuple[Any, jax.Array]:
        params, optimizer_state = state
        value, gradients = jax.value_and_grad(loss)(params)
        updates, optimizer_state = optimizer.update(gradients, optimizer_state)
        return (optax.apply_updates(params, updates), optimizer_state), value

    return step, (params, optimizer.init(params)), 40
