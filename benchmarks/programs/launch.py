# SPDX-License-Identifier: Apache-2.0
"""One of several processes that launch a program without collectives, as often as each line of input says."""

from __future__ import annotations

import importlib
import sys
import time

import numpy as np

name, index, count, port = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
library = importlib.import_module(name)
sharding = importlib.import_module(f"{name}.sharding")

library.distributed.initialize(f"localhost:{port}", count, index)
mesh = library.make_mesh((library.device_count(),), ("i",))
data = np.arange(8, dtype=np.float32)
x = library.device_put(data, sharding.NamedSharding(mesh, sharding.PartitionSpec("i")))
increment = library.jit(lambda x: x + 1)
own = np.concatenate([np.asarray(shard.data) for shard in increment(x).addressable_shards])
np.testing.assert_array_equal(own, np.split(data, count)[index] + 1)

for line in sys.stdin:
    launches = int(line)
    started = time.perf_counter()
    for _ in range(launches):
        increment(x).block_until_ready()
    print(f"={(time.perf_counter() - started) / launches * 1e6}", flush=True)
