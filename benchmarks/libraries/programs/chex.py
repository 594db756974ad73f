"""chex: a dataclass as the state of a regression, its shapes, types and values asserted while it trains."""

from __future__ import annotations

from typing import Any

import chex as library
import jax
import jax.numpy as jnp


@library.dataclass(frozen=True)
class State:
    """Parameters, their momentum, and the step."""

    params: Any
    momentum: Any
    count: library.Array


def program() -> tuple[Any, Any, int]:
    """A step, a state, and how many steps."""
    keys = jax.random.split(jax.random.PRNGKey(1), 3)
    x = jax.random.normal(keys[0], (256, 8))
    y = jnp.sin(x @ jax.random.normal(keys[1], (8,)))
    params = {"w": jax.random.normal(keys[2], (8, 32)) / 3, "v": jnp.zeros((32,))}

    def loss(params: Any) -> jax.Array:
        predicted = jnp.tanh(x @ params["w"]) @ params["v"]
        library.assert_equal_shape([predicted, y])
        library.assert_rank(predicted, 1)
        return jnp.mean((predicted - y) ** 2)

    @library.assert_max_traces(n=2)
    def one(state: State) -> tuple[State, jax.Array]:
        value, gradients = jax.value_and_grad(loss)(state.params)
        library.assert_trees_all_equal_shapes_and_dtypes(gradients, state.params)
        momentum = jax.tree.map(lambda m, g: 0.9 * m + g, state.momentum, gradients)
        params = jax.tree.map(lambda p, m: p - 0.1 * m, state.params, momentum)
        return state.replace(params=params, momentum=momentum, count=state.count + 1), value

    step = jax.jit(one)
    return step, State(params=params, momentum=jax.tree.map(jnp.zeros_like, params), count=jnp.int32(0)), 60
