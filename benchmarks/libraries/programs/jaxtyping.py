"""jaxtyping: a recurrent cell whose shapes and types are checked at each call by annotations."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
from beartype import beartype
from jaxtyping import Array, Float, PyTree, jaxtyped


def program() -> tuple[Any, Any, int]:
    """A step, a state, and how many steps."""
    keys = jax.random.split(jax.random.key(3), 4)
    sequences = jax.random.normal(keys[0], (16, 12, 4))
    wanted = jnp.cumsum(sequences, axis=1)
    params = {"w": jax.random.normal(keys[1], (4, 24)) / 2, "u": jax.random.normal(keys[2], (24, 24)) / 6,
              "out": jax.random.normal(keys[3], (24, 4)) / 5}

    @jaxtyped(typechecker=beartype)
    def cell(h: Float[Array, "batch hidden"], x: Float[Array, "batch in"], params: PyTree[Float[Array, "..."]]
             ) -> Float[Array, "batch hidden"]:
        return jnp.tanh(x @ params["w"] + h @ params["u"])

    @jaxtyped(typechecker=beartype)
    def loss(params: PyTree[Float[Array, "..."], "T"], xs: Float[Array, "batch time in"],
             ys: Float[Array, "batch time out"]) -> Float[Array, ""]:
        def turn(h: Any, x: Any) -> tuple[Any, Any]:
            h = cell(h, x, params)
            return h, h @ params["out"]

        _, predicted = jax.lax.scan(turn, jnp.zeros((xs.shape[0], 24)), jnp.swapaxes(xs, 0, 1))
        return jnp.mean((jnp.swapaxes(predicted, 0, 1) - ys) ** 2)

    @jax.jit
    def step(params: Any) -> tuple[Any, jax.Array]:
        value, gradients = jax.value_and_grad(loss)(params, sequences, wanted)
        return jax.tree.map(lambda p, g: p - 0.05 * g, params, gradients), value

    return step, params, 40
