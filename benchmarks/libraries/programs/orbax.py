"""orbax-checkpoint: a training whose state is stored and read back between steps by the tree handlers."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import orbax.checkpoint as library


def program() -> tuple[Any, Any, int]:
    """A step, a state, and how many steps."""
    keys = jax.random.split(jax.random.key(0), 3)
    x = jax.random.normal(keys[0], (64, 8))
    y = x @ jax.random.normal(keys[1], (8,))
    handler = library.StandardCheckpointer()

    @jax.jit
    def update(params: Any) -> tuple[Any, jax.Array]:
        value, gradients = jax.value_and_grad(lambda p: ((x @ p["w"] + p["b"][0] - y) ** 2).mean())(params)
        return jax.tree.map(lambda p, g: p - 0.05 * g, params, gradients), value

    def step(params: Any) -> tuple[Any, jax.Array]:
        params, value = update(params)
        with tempfile.TemporaryDirectory() as folder:
            handler.save(Path(folder) / "state", params)
            handler.wait_until_finished()
            restored = handler.restore(Path(folder) / "state", jax.tree.map(jnp.zeros_like, params))
        for kept, given in zip(jax.tree.leaves(restored), jax.tree.leaves(params), strict=True):
            np.testing.assert_array_equal(np.asarray(kept), np.asarray(given))
        return restored, value

    return step, {"w": jax.random.normal(keys[2], (8,)), "b": [jnp.zeros(())]}, 5
