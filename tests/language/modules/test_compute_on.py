# SPDX-License-Identifier: Apache-2.0
"""Where parts of programs are computed, and topologies."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus.experimental import topologies
from olympus.experimental.compute_on import compute_on, compute_on2
from olympus.memory import Space
from olympus_core.errors import ArgumentError, NotSupportedError

X = np.arange(4, dtype=np.float32)


def test_what_is_said_of_a_block_or_a_function_changes_no_number() -> None:
    @compute_on("device_host")
    @olympus.jit
    def twice(x: Any) -> Any:
        return 2 * x

    @olympus.jit
    def six_times(x: Any) -> Any:
        with compute_on("gpu_stream:1"):
            return 3 * twice(x)

    np.testing.assert_array_equal(six_times(X), 6 * X)
    np.testing.assert_array_equal(olympus.grad(lambda x: six_times(x).sum())(X), np.full(4, 6))
    for wrong in ("gpu", "", 3, None):
        with pytest.raises(ArgumentError, match="compute_type"), compute_on(wrong):
            pass


def test_results_are_in_the_memories_that_were_named() -> None:
    spaces = (Space.Device, {"rest": Space.Host})
    both = compute_on2(compute_type="device", out_memory_spaces=spaces)(lambda x, y: (x * 2, {"rest": (x, y)}))
    for function in (both, olympus.jit(both)):
        first, rest = function(jnp.asarray(X), 3.0)
        np.testing.assert_array_equal(first, 2 * X)
        np.testing.assert_array_equal(rest["rest"][0], X)
        kinds = olympus.tree.map(lambda x: x.sharding.memory_kind, (first, rest))
        assert kinds == ("device", {"rest": ("pinned_host", "pinned_host")})
    square = compute_on2(jnp.square, compute_type="device_host", out_memory_spaces=Space.Device)
    np.testing.assert_array_equal(olympus.jit(olympus.grad(lambda x: square(x).sum()))(X), 2 * X)
    np.testing.assert_array_equal(olympus.vmap(square)(X), X * X)
    with pytest.raises(ArgumentError, match="out_memory_spaces"):
        compute_on2(lambda x: (x, x), compute_type="device", out_memory_spaces=(Space.Device,))(X)
    with pytest.raises(ArgumentError, match="compute_type"):
        compute_on2(lambda x: x, compute_type="nowhere", out_memory_spaces=Space.Device)


def test_topologies() -> None:
    here = topologies.get_attached_topology()
    assert here.devices == olympus.devices()
    mesh = topologies.make_mesh(topologies.get_attached_topology("cpu"), (4, 2), ("x", "y"))
    assert mesh.shape == {"x": 4, "y": 2}
    with pytest.raises(NotSupportedError):
        topologies.get_topology_desc("anything", "cpu")
    with pytest.raises(ArgumentError, match="num_slices"):
        topologies.get_topology_desc("v5e:2x2", num_slices=2)
