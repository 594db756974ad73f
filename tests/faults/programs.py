# SPDX-License-Identifier: Apache-2.0
"""A training loop in several processes, one of which fails in some way."""

from __future__ import annotations

PRELUDE = """
import os, signal, sys, threading, time
import numpy as np
import olympus
import olympus.numpy as jnp
from olympus.sharding import NamedSharding, PartitionSpec as P

index, count, port = map(int, sys.argv[1:4])
culprit = count - 1 if len(sys.argv) < 5 else int(sys.argv[4])
olympus.distributed.initialize(f"localhost:{port}", count, index, initialization_timeout=20)
mesh = olympus.make_mesh((olympus.device_count(),), ("x",))
x = olympus.device_put(np.arange(576, dtype=np.float32).reshape(24, 24), NamedSharding(mesh, P("x")))
y = olympus.device_put(np.eye(24, dtype=np.float32), NamedSharding(mesh, P(None, "x")))
step = olympus.jit(lambda x: jnp.sum(jnp.sin(x)))
step(x), x @ y, y @ x
print("ready", flush=True)


def survive(work):
    started = time.monotonic()
    try:
        work()
    except olympus.errors.ClusterError as error:
        print(f"RAISED {type(error).__name__} after {time.monotonic() - started:.1f} s: {error}", flush=True)
        sys.exit(3)
    print("NOTHING RAISED", flush=True)
"""

# What the culprit does in the middle of the loop that all run.
LOOP = PRELUDE + """
def work():
    for number in range(200):
        if index == culprit and number == 20:
            FAULT
        step(x)

survive(work)
"""
