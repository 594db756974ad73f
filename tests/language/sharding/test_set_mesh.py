# SPDX-License-Identifier: Apache-2.0
"""Under `set_mesh` what is committed nowhere is computed on the mesh; ``with mesh:`` moves nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus.sharding import AxisType, Mesh, NamedSharding, PartitionSpec

P = PartitionSpec
HOST = np.arange(8.0, dtype=np.float32)

RESULTS: dict[str, tuple[Callable[[Any], Any], Any]] = {
    "of nothing": (lambda x: jnp.ones(8), np.ones(8)),
    "from the host": (lambda x: jnp.asarray(HOST), HOST),
    "a number": (lambda x: jnp.asarray(3.0), 3.0),
    "a list": (lambda x: jnp.array([1.0, 2.0]), [1.0, 2.0]),
    "eager": (lambda x: x + 1, HOST + 1),
    "of NumPy": (lambda x: HOST + jnp.ones(8), HOST + 1),
    "jitted": (olympus.jit(lambda x: x * 2), HOST * 2),
    "captured": (lambda x: olympus.jit(lambda: x * 2)(), HOST * 2),
    "placed without saying where": (lambda x: olympus.device_put(HOST) + 1, HOST + 1),
    "sorted": (lambda x: jnp.sort(-x), np.sort(-HOST)),
    "a loop": (lambda x: olympus.lax.scan(lambda c, a: (c + a, c), 0.0, x)[0], 28.0),
    "a branch": (lambda x: olympus.lax.cond(True, lambda: jnp.ones(2), lambda: jnp.zeros(2)), np.ones(2)),
    "a gradient": (lambda x: olympus.grad(lambda y: (y * y).sum())(x), 2 * HOST),
    "a decomposition": (lambda x: jnp.linalg.inv(2 * jnp.eye(3)), np.eye(3) / 2),
    "random": (lambda x: olympus.random.bits(olympus.random.key(0), (4,)) * 0, np.zeros(4)),
}


@pytest.fixture(params=[AxisType.Auto, AxisType.Explicit], ids=lambda t: t.name)
def mesh(request: pytest.FixtureRequest) -> Mesh:
    return olympus.make_mesh((8,), ("x",), axis_types=(request.param,))


@pytest.mark.parametrize("name", RESULTS)
def test_what_is_committed_nowhere_is_computed_on_the_mesh(mesh: Mesh, name: str) -> None:
    function, expected = RESULTS[name]
    x = jnp.asarray(HOST)
    alone = function(x)
    with olympus.set_mesh(mesh):
        found = function(x)
    again = function(x)  # calls are kept: those under the mesh are others
    assert found.sharding == NamedSharding(mesh, P()) and found.committed
    assert len(alone.devices()) == len(again.devices()) == 1 and not again.committed
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(alone, expected)


def test_what_is_committed_stays(mesh: Mesh) -> None:
    device = olympus.devices()[2]
    with olympus.set_mesh(mesh):
        assert (olympus.device_put(HOST, device) + 1).devices() == {device}
        assert (olympus.device_put(HOST, P("x")) * 2 + jnp.ones(8)).sharding == NamedSharding(mesh, P("x"))
        placed = olympus.device_put(HOST)
    assert len(placed.devices()) == 1 and not placed.committed


def test_a_result_of_the_mesh_draws_others_to_it(mesh: Mesh) -> None:
    with olympus.set_mesh(mesh):
        x = jnp.ones(8)
    assert (x + jnp.ones(8)).sharding == NamedSharding(mesh, P())
    with pytest.raises(olympus.errors.IncompatibleDevicesError):
        x + olympus.device_put(HOST, olympus.devices()[2])


def test_an_entered_mesh_gives_names_and_moves_nothing(mesh: Mesh) -> None:
    with mesh:
        alone = jnp.ones(8) + 1
        split = olympus.device_put(HOST, P("x"))
    with olympus.set_mesh(mesh), mesh:
        inside = jnp.ones(8) + 1
    assert len(alone.devices()) == 1 and not alone.committed
    assert split.sharding == NamedSharding(mesh, P("x"))
    assert inside.sharding == NamedSharding(mesh, P())
