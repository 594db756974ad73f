# SPDX-License-Identifier: Apache-2.0
"""Rolled arrays stay where they were, whatever the shift."""

from __future__ import annotations

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus.sharding import NamedSharding
from olympus.sharding import PartitionSpec as P


@pytest.mark.parametrize("spec", [P("i"), P("i", "j"), P(("i", "j")), P(None, "j")])
@pytest.mark.parametrize("shift, axis", [(1, 0), (-3, 1), (5, 0), ((2, -1), (0, 1))])
def test_rolled_arrays_keep_their_sharding(spec, shift, axis):
    mesh = olympus.make_mesh((4, 2), ("i", "j"))
    host = np.arange(128, dtype=np.float32).reshape(16, 8)
    x = olympus.device_put(host, NamedSharding(mesh, spec))
    for function in (jnp.roll, olympus.jit(jnp.roll, static_argnums=(1, 2))):
        found = function(x, shift, axis)
        np.testing.assert_array_equal(np.asarray(found), np.roll(host, shift, axis))
        assert found.sharding.is_equivalent_to(x.sharding, 2)


def test_steps_of_a_simulation_keep_the_sharding():
    mesh = olympus.make_mesh((8,), ("i",))
    host = np.random.default_rng(0).normal(size=(32, 4)).astype(np.float32)
    x = olympus.device_put(host, NamedSharding(mesh, P("i")))

    def step(_, u):
        return u + 0.1 * (jnp.roll(u, 1, 0) - 2 * u + jnp.roll(u, -1, 0))

    found = olympus.jit(lambda u: olympus.lax.fori_loop(0, 5, step, u))(x)
    expected = host
    for i in range(5):
        expected = expected + np.float32(0.1) * (np.roll(expected, 1, 0) - 2 * expected + np.roll(expected, -1, 0))
    np.testing.assert_allclose(np.asarray(found), expected, rtol=1e-5, atol=1e-6)
    assert found.sharding.is_equivalent_to(x.sharding, 2)
    slope = olympus.grad(lambda u: (jnp.roll(u, 3, 0) ** 2).sum())(x)
    np.testing.assert_allclose(np.asarray(slope), 2 * host, rtol=1e-6)
