"""jaxopt: L-BFGS steps of a logistic regression, and proximal gradients of a lasso beside it."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import jaxopt as library


def program() -> tuple[Any, Any, int]:
    """A step, a state, and how many steps."""
    keys = jax.random.split(jax.random.key(5), 3)
    x = jax.random.normal(keys[0], (200, 10))
    labels = (x @ jax.random.normal(keys[1], (10,)) > 0.0).astype(jnp.float32)
    y = x @ jnp.where(jnp.arange(10) % 3 == 0, 1.0, 0.0) + 0.1 * jax.random.normal(keys[2], (200,))

    def logistic(w: jax.Array) -> jax.Array:
        return jnp.mean(library.loss.binary_logistic_loss(labels, x @ w)) + 0.05 * jnp.sum(w**2)

    def squares(w: jax.Array, data: Any) -> jax.Array:
        return 0.5 * jnp.mean((data[0] @ w - data[1]) ** 2)

    quasi_newton = library.LBFGS(logistic, maxiter=30, history_size=5)
    lasso = library.ProximalGradient(squares, prox=library.prox.prox_lasso, maxiter=30)
    start = jnp.zeros(10)

    @jax.jit
    def step(state: Any) -> tuple[Any, jax.Array]:
        (w, inner), (v, outer) = state
        w, inner = quasi_newton.update(w, inner)
        v, outer = lasso.update(v, outer, 0.05, (x, y))
        return ((w, inner), (v, outer)), logistic(w) + squares(v, (x, y)) + 0.05 * jnp.sum(jnp.abs(v))

    state = ((start, quasi_newton.init_state(start)), (start, lasso.init_state(start, 0.05, (x, y))))
    return step, state, 15
