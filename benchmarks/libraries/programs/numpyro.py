"""numpyro: stochastic variational inference of a hierarchical regression."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpyro as library
import numpyro.distributions as dist
from numpyro.infer import SVI, Trace_ELBO
from numpyro.infer.autoguide import AutoNormal


def program() -> tuple[Any, Any, int]:
    """A step, a state, and how many steps."""
    keys = jax.random.split(jax.random.PRNGKey(6), 3)
    groups = jnp.arange(60) % 4
    x = jax.random.normal(keys[0], (60,))
    y = 0.5 * groups + x + 0.3 * jax.random.normal(keys[1], (60,))

    def model(x: jax.Array, groups: jax.Array, y: jax.Array | None = None) -> None:
        mean = library.sample("mean", dist.Normal(0.0, 2.0))
        spread = library.sample("spread", dist.HalfNormal(1.0))
        with library.plate("groups", 4):
            offset = library.sample("offset", dist.Normal(mean, spread))
        slope = library.sample("slope", dist.StudentT(4.0, 0.0, 1.0))
        noise = library.sample("noise", dist.Gamma(2.0, 4.0))
        with library.plate("data", x.shape[0]):
            library.sample("y", dist.Normal(offset[groups] + slope * x, noise), obs=y)

    inference = SVI(model, AutoNormal(model), library.optim.Adam(0.02), Trace_ELBO(num_particles=4))
    return jax.jit(lambda state: inference.update(state, x, groups, y)), inference.init(keys[2], x, groups, y), 40
