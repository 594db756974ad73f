# SPDX-License-Identifier: Apache-2.0
"""The tutorial's program (`examples/toy.py`) with as many processes as there are; each checks the numbers."""

import sys
import time

import numpy as np

import olympus
import olympus.numpy as jnp
from olympus.sharding import NamedSharding
from olympus.sharding import PartitionSpec as P

started = time.monotonic()
olympus.distributed.initialize()
joined = time.monotonic()
count = olympus.device_count()
assert count == olympus.process_count() * olympus.local_device_count() and count % 2 == 0
mesh = olympus.make_mesh((count // 2, 2), ("i", "j"))
global_data = np.arange(4.0 * count, dtype=np.float32).reshape((count // 2, 8))
sharding = NamedSharding(mesh, P("i", "j"))
global_array = olympus.device_put(global_data, sharding)
for shard in global_array.addressable_shards:
    np.testing.assert_array_equal(shard.data, global_data[shard.index])
global_result = jnp.sum(jnp.sin(global_array))
expected = np.sin(global_data, dtype=np.float64).sum()
assert abs(float(global_result) - expected) < 1e-4 * count, (float(global_result), expected)
first = time.monotonic()
steps = int(sys.argv[1]) if len(sys.argv) > 1 else 1
stepped = olympus.jit(lambda x, step: jnp.sum(jnp.sin(x + step)))
for step in range(steps):
    global_result = stepped(global_array, np.float32(step))
    expected = np.sin(global_data + np.float32(step), dtype=np.float64).sum()
    assert abs(float(global_result) - expected) < 1e-4 * count, (float(global_result), expected)
ended = time.monotonic()
olympus.distributed.shutdown()
times = joined - started, first - joined, steps, ended - first
print("right: joined in {:.2f} s, its numbers in {:.2f} s, {} steps in {:.2f} s".format(*times), flush=True)
