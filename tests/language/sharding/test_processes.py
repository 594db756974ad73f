# SPDX-License-Identifier: Apache-2.0
"""Unreduced values and the host's memory in 4 processes with 2 devices each."""

from __future__ import annotations

import pytest

from tests.support.processes import free_port, run_processes

pytestmark = pytest.mark.processes

PROGRAM = """
import sys
import numpy as np
import olympus
import olympus.numpy as jnp
from olympus.experimental import multihost_utils
from olympus.sharding import AxisType, NamedSharding, PartitionSpec as P

index, count, port = map(int, sys.argv[1:])
olympus.distributed.initialize(f"localhost:{port}", count, index, initialization_timeout=20)
mesh = olympus.make_mesh((4, 2), ("x", "y"), axis_types=AxisType.Explicit)
A = np.arange(64.0, dtype="f").reshape(8, 8)
B = np.cos(A)


def put(value, *entries, **kinds):
    return olympus.device_put(value, NamedSharding(mesh, P(*entries, **kinds)))


def close(x, y):
    np.testing.assert_allclose(np.asarray(x), y, rtol=1e-4, atol=1e-3)


for summed, split in (("y", "x"), ("x", "y")):  # terms within a process, and of different processes
    there = NamedSharding(mesh, P(split, unreduced={summed}))
    u = jnp.einsum("ij,jk->ik", put(A, split, summed), put(B, summed), out_sharding=there)
    close(olympus.reshard(u + u, NamedSharding(mesh, P())), 2 * A @ B)
    close(multihost_utils.process_allgather(u), A @ B)
close(olympus.reshard(put(A, unreduced={"x", "y"}), NamedSharding(mesh, P())), A)
try:
    np.asarray(u)
except RuntimeError as error:
    assert "non-addressable" in str(error), error
else:
    raise SystemExit("the terms of other processes were left out")
held = olympus.device_put(A, NamedSharding(mesh, P("x", "y"), memory_kind="pinned_host"))
twice = olympus.jit(lambda v: v * 2, out_shardings=held.sharding)(held)
rows = olympus.device_put(twice, NamedSharding(mesh, P("y"), memory_kind="pinned_host"))
assert rows.sharding.memory_kind == twice.sharding.memory_kind == "pinned_host"
close(multihost_utils.process_allgather(rows), 2 * A)
ones = jnp.ones_like(put(A, "x"))
assert ones.sharding.spec == P("x") and len(ones.addressable_shards) == 2
grad = olympus.grad(lambda w: (put(A, "x") @ w).sum())(put(B, reduced={"x"}))
assert grad.sharding.spec == P(unreduced={"x"})
close(multihost_utils.process_allgather(grad), np.broadcast_to(A.sum(0)[:, None], (8, 8)))
with multihost_utils.live_devices(olympus.devices()) as alive:
    assert len(alive) == 8
assert olympus.make_mesh((4, 2), ("x", "y")).local_mesh.axis_sizes == (1, 2)
"""


def test_sums_and_memories_of_several_processes() -> None:
    finished = run_processes(
        PROGRAM, 4, lambda i: i, 4, free_port(), deadline=60.0, env={"OLYMPUS_NUM_CPU_DEVICES": "2"})
    for index, end in enumerate(finished):
        assert end.returncode == 0, f"process {index}:\n{end.stdout}{end.stderr}"
