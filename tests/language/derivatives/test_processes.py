# SPDX-License-Identifier: Apache-2.0
"""Derivatives of arrays that span processes: the same in each, with and without jit."""

from __future__ import annotations

import pytest

from tests.support.processes import free_port, run_processes

pytestmark = pytest.mark.processes

PROGRAM = """
import sys
import numpy as np
import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.sharding import NamedSharding, PartitionSpec as P

index, count, port = map(int, sys.argv[1:])
olympus.distributed.initialize(f"localhost:{port}", count, index, initialization_timeout=20)
mesh = olympus.make_mesh((4,), ("d",))
random = np.random.RandomState(0)
X, W = random.randn(16, 8).astype(np.float32), random.randn(8, 4).astype(np.float32)
put = lambda x, spec: olympus.device_put(x, NamedSharding(mesh, spec))


def loss(p, x):
    h = x @ p["w"]
    h = jnp.where(h > 0, h, 0.5 * h)
    h = lax.scan(lambda c, t: (c * t, None), h, jnp.full(2, 2.0))[0]
    return (h ** 2).mean()


h = X @ W
expected = X.T @ (16 * 2 * h * np.where(h > 0, 1, 0.25)) / h.size
p, x = {"w": put(W, P()), "unused": put(np.ones(3, np.float32), P())}, put(X, P("d"))
mapped = olympus.shard_map(lambda p, x: lax.pmean(loss(p, x), "d"), mesh=mesh, in_specs=(P(), P("d")), out_specs=P())
for f in (olympus.grad(loss), olympus.jit(olympus.grad(loss)), olympus.grad(olympus.jit(loss)), olympus.grad(mapped)):
    slopes = f(p, x)
    np.testing.assert_allclose(slopes["w"].addressable_shards[0].data, expected, rtol=1e-4, atol=1e-5)
    assert slopes["w"].sharding.is_equivalent_to(p["w"].sharding, 2)
    assert np.all(np.asarray(slopes["unused"].addressable_shards[0].data) == 0)
of_x = olympus.grad(lambda x: (x[2:10] ** 2).sum())(x)
assert of_x.sharding.is_equivalent_to(x.sharding, 2)
"""


def test_of_arrays_that_span_processes() -> None:
    finished = run_processes(
        PROGRAM, 2, lambda i: i, 2, free_port(), deadline=45.0, env={"OLYMPUS_NUM_CPU_DEVICES": "2"})
    for index, end in enumerate(finished):
        assert end.returncode == 0, f"process {index}:\n{end.stdout}{end.stderr}"
