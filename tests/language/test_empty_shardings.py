# SPDX-License-Identifier: Apache-2.0
"""The sharding of a type of which no axes are known says nothing where a result's sharding is asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax, random
from olympus.errors import AbstractMeshError

X = np.arange(6, dtype=np.float32).reshape(2, 3)


@pytest.mark.parametrize("function", [
    lambda x, where: random.normal(random.key(0), (2,), out_sharding=where),
    lambda x, where: jnp.zeros((2,), out_sharding=where),
    lambda x, where: jnp.matmul(x, x.T, out_sharding=where),
    lambda x, where: jnp.einsum("ij->ji", x, out_sharding=where),
    lambda x, where: jnp.reshape(x, 6, out_sharding=where),
    lambda x, where: jnp.asarray(X, out_sharding=where),
    lambda x, where: x.at[jnp.array([0])].get(out_sharding=where),
    lambda x, where: lax.broadcast_in_dim(x, (2, 2, 3), (1, 2), out_sharding=where),
    lambda x, where: lax.full((2,), 1.0, sharding=where),
])
def test_it_says_nothing_as_out_sharding(function: Callable[..., Any]) -> None:
    x = jnp.asarray(X)
    plain = function(x, None)
    found = function(x, olympus.typeof(x).sharding)
    np.testing.assert_array_equal(found, plain)
    assert found.sharding == plain.sharding and found.committed == plain.committed
    np.testing.assert_array_equal(olympus.jit(lambda x: function(x, olympus.typeof(x).sharding))(x), plain)


@pytest.mark.parametrize("function", [
    olympus.device_put, lax.with_sharding_constraint, olympus.reshard,
])
def test_nothing_is_placed_in_it(function: Callable[..., Any]) -> None:
    x = jnp.asarray(X)
    with pytest.raises(AbstractMeshError):
        function(x, olympus.typeof(x).sharding)
