"""optax: a small classifier, trained with clipped Adam on a schedule with warm-up."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import optax as library


def program() -> tuple[Any, Any, int]:
    """A step, a state, and how many steps."""
    keys = jax.random.split(jax.random.key(0), 5)
    x = jax.random.normal(keys[0], (512, 16))
    labels = jnp.argmax(x @ jax.random.normal(keys[1], (16, 4)), axis=1)
    params = {"w1": jax.random.normal(keys[2], (16, 64)) / 4, "b1": jnp.zeros(64),
              "w2": jax.random.normal(keys[3], (64, 4)) / 8, "b2": jnp.zeros(4)}
    schedule = library.warmup_cosine_decay_schedule(0.0, 3e-2, 10, 60)
    optimizer = library.chain(library.clip_by_global_norm(1.0), library.adamw(schedule, weight_decay=1e-3))

    def loss(params: Any) -> jax.Array:
        hidden = jax.nn.gelu(x @ params["w1"] + params["b1"])
        logits = hidden @ params["w2"] + params["b2"]
        return library.softmax_cross_entropy_with_integer_labels(logits, labels).mean()

    @jax.jit
    def step(state: Any) -> tuple[Any, jax.Array]:
        params, optimizer_state = state
        value, gradients = jax.value_and_grad(loss)(params)
        updates, optimizer_state = optimizer.update(gradients, optimizer_state, params)
        return (library.apply_updates(params, updates), optimizer_state), value

    return step, (params, optimizer.init(params)), 60
