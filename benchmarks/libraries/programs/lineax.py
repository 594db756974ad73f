"""lineax: a Gauss-Newton fit whose linear systems are solved by QR, conjugate gradients and Cholesky's factors."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import lineax as library


def program() -> tuple[Any, Any, int]:
    """A step, a state, and how many steps."""
    x = jnp.linspace(-2.0, 2.0, 80)
    y = 1.5 * jnp.exp(-0.7 * x) + jnp.sin(2.0 * x)

    def residual(p: jax.Array) -> jax.Array:
        return p[0] * jnp.exp(p[1] * x) + p[2] * jnp.sin(p[3] * x) - y

    @jax.jit
    def step(p: jax.Array) -> tuple[jax.Array, jax.Array]:
        r = residual(p)
        jacobian = library.MatrixLinearOperator(jax.jacfwd(residual)(p))
        by_qr = library.linear_solve(jacobian, r, solver=library.QR()).value
        normal = library.TaggedLinearOperator(jacobian.T @ jacobian, library.positive_semidefinite_tag)
        right = jacobian.T.mv(r)
        by_cg = library.linear_solve(normal, right, solver=library.CG(rtol=1e-6, atol=1e-6), throw=False).value
        by_cholesky = library.linear_solve(normal, right, solver=library.Cholesky()).value
        return p - 0.25 * (2.0 * by_qr + 0.0 * by_cg + by_cholesky), 0.5 * jnp.sum(r**2)

    return step, jnp.array([1.0, -0.5, 0.7, 1.8]), 12
