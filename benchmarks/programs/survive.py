# SPDX-License-Identifier: Apache-2.0
"""One process of a job that is disturbed and must go on, with olympus or with the peer.

Prints ``disturbed TIME`` when it disturbs itself or is ready to be disturbed, ``wrong ...`` for each result that is not
NumPy's, and ``survived STEPS`` at its end.
"""

from __future__ import annotations

import ctypes
import importlib
import sys
import time

import numpy as np

name, what, index, count, address, seconds = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:5]), *sys.argv[5:7]
length = float(seconds)
STEPS, DISTURBED = 60, 20
WIDTH = 1 << 14

library = importlib.import_module(name)
jnp = importlib.import_module(f"{name}.numpy")
sharding = importlib.import_module(f"{name}.sharding")
multihost = importlib.import_module(f"{name}.experimental.multihost_utils")

library.distributed.initialize(address, count, index)
mesh = library.make_mesh((library.device_count(),), ("i",))
rows = sharding.NamedSharding(mesh, sharding.PartitionSpec("i"))
whole = np.arange(count * WIDTH, dtype=np.int32).reshape(count, WIDTH) % 1000
x = library.make_array_from_process_local_data(rows, whole[index : index + 1])
step_of = library.jit(lambda a, k: jnp.sum(a * k, axis=0))


def disturb() -> None:
    print(f"disturbed {time.monotonic()}", flush=True)
    mine = index == (0 if what.endswith("-of-0") else 1)
    if what.startswith("late") and mine:
        time.sleep(length)
    elif what.startswith("lock-held") and mine:
        # A call through PyDLL keeps Python's lock.
        ctypes.PyDLL(None).usleep(ctypes.c_uint(int(length * 1e6)))


for step in range(STEPS):
    if step == DISTURBED:
        disturb()
    found = np.asarray(step_of(x, np.int32(step)).addressable_data(0))
    if not np.array_equal(found, (whole * np.int32(step)).sum(axis=0, dtype=np.int32)):
        print(f"wrong sum of step {step}", flush=True)
    if what in ("continued", "load-running", "delay-and-loss", "cut"):
        time.sleep(0.02)  # so that the job lasts while others disturb it
multihost.sync_global_devices("end")
print(f"survived {STEPS}", flush=True)
