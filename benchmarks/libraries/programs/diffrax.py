"""diffrax: the parameters of a Lotka-Volterra system, found by gradients through an adaptive solver."""

from __future__ import annotations

from typing import Any

import diffrax as library
import jax
import jax.numpy as jnp

# The solver chooses its steps by an error estimate: where the last bit decides whether one is taken, solutions are
# as far apart as the solver's own tolerance (1e-4 of the solution), which near the minimum is a large part of the loss.
TOLERANCE = 1e-2


def program() -> tuple[Any, Any, int]:
    """A step, a state, and how many steps."""
    times = jnp.linspace(0.0, 4.0, 20)

    def field(t: jax.Array, y: jax.Array, args: jax.Array) -> jax.Array:
        a, b, c, d = args
        return jnp.stack([a * y[0] - b * y[0] * y[1], -c * y[1] + d * y[0] * y[1]])

    def solve(args: jax.Array) -> jax.Array:
        solution = library.diffeqsolve(
            library.ODETerm(field), library.Tsit5(), t0=0.0, t1=4.0, dt0=0.05, y0=jnp.array([2.0, 1.0]), args=args,
            saveat=library.SaveAt(ts=times), stepsize_controller=library.PIDController(rtol=1e-4, atol=1e-5),
            max_steps=256)
        return solution.ys

    truth = solve(jnp.array([0.8, 0.5, 0.7, 0.4]))

    @jax.jit
    def step(args: jax.Array) -> tuple[jax.Array, jax.Array]:
        value, gradient = jax.value_and_grad(lambda p: jnp.mean((solve(p) - truth) ** 2))(args)
        return args - 0.01 * gradient, value

    return step, jnp.array([0.7, 0.6, 0.8, 0.3]), 15
