"""Calls a compiled x + 1 as often as each line of input says; answers with microseconds for one call."""

from __future__ import annotations

import importlib
import sys
import time

import numpy as np

name, devices = sys.argv[1], int(sys.argv[2])
library = importlib.import_module(name)
sharding = importlib.import_module(f"{name}.sharding")

data = np.arange(8, dtype=np.float32)
x = library.device_put(data)
if devices > 1:
    mesh = library.make_mesh((devices,), ("i",))
    x = library.device_put(data, sharding.NamedSharding(mesh, sharding.PartitionSpec("i")))
increment = library.jit(lambda x: x + 1)
first = increment(x)
np.testing.assert_array_equal(np.asarray(first), data + 1)
assert len(first.addressable_shards) == devices

for line in sys.stdin:
    calls = int(line)
    started = time.perf_counter()
    for _ in range(calls):
        increment(x).block_until_ready()
    print(f"={(time.perf_counter() - started) / calls * 1e6}", flush=True)
