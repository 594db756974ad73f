"""optimistix: fixed points, roots and minima inside a loss, differentiated by their implicit equations."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import optimistix as library


def program() -> tuple[Any, Any, int]:
    """A step, a state, and how many steps."""
    matrix = jax.random.normal(jax.random.key(4), (6, 6)) / 6

    def equilibrium(w: jax.Array) -> jax.Array:
        solver = library.FixedPointIteration(rtol=1e-6, atol=1e-6)
        return library.fixed_point(lambda y, w: jnp.tanh(matrix @ y + w), solver, jnp.zeros(6), w, max_steps=200).value

    def root(w: jax.Array) -> jax.Array:
        solver = library.Newton(rtol=1e-5, atol=1e-5)
        return library.root_find(lambda y, w: y**3 + y - w, solver, jnp.zeros(6), w, max_steps=50).value

    def fitted(w: jax.Array) -> jax.Array:
        solver = library.LevenbergMarquardt(rtol=1e-5, atol=1e-5)
        found = library.least_squares(lambda p, w: p[0] * jnp.arange(6.0) + p[1] - w, solver, jnp.zeros(2), w,
                                      max_steps=50)
        return found.value

    def loss(w: jax.Array) -> jax.Array:
        return jnp.sum((equilibrium(w) - 0.3) ** 2) + 0.1 * jnp.sum(root(w) ** 2) + 0.1 * jnp.sum(fitted(w) ** 2)

    @jax.jit
    def step(w: jax.Array) -> tuple[jax.Array, jax.Array]:
        value, gradient = jax.value_and_grad(loss)(w)
        return w - 0.2 * gradient, value

    return step, jnp.linspace(-1.0, 1.0, 6), 20
