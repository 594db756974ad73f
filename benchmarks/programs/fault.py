# SPDX-License-Identifier: Apache-2.0
"""One process of a job in which something goes wrong, with olympus or with the peer.

Prints ``fault TIME`` when its fault begins, and ``wrong ...`` for each result that is not NumPy's.
"""

from __future__ import annotations

import importlib
import os
import signal
import sys
import threading
import time

import numpy as np

name, fault, index, count, port, patience = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:7])
faulty = index == (0 if fault == "process-0-lost" else 1)
# These strike at any moment, most likely within a collective: the job runs until then.
ENDLESS = {"killed": signal.SIGKILL, "stopped": signal.SIGSTOP, "process-0-lost": signal.SIGKILL}
STEPS = 10**9 if fault in ENDLESS else 10
FAULT_STEP = 5

library = importlib.import_module(name)
jnp = importlib.import_module(f"{name}.numpy")
sharding = importlib.import_module(f"{name}.sharding")
multihost = importlib.import_module(f"{name}.experimental.multihost_utils")


def begins() -> None:
    """Tells when the fault begins; all processes of a machine have the same clock."""
    print(f"fault {time.monotonic()}", flush=True)


def strike() -> None:
    begins()
    os.kill(os.getpid(), ENDLESS[fault])


def expect(what: str, value: object, truth: float) -> None:
    if not np.allclose(float(value), truth, rtol=1e-4):
        print(f"wrong {what}: {float(value):g} in place of {truth:g}", flush=True)


def forwards(x: object, y: object) -> object:
    return jnp.sum(x @ y)


def backwards(x: object, y: object) -> object:
    return jnp.sum(y @ x)


claimed_index = 1 if fault == "duplicate-index" and index == 2 else index
claimed_count = count - 1 if fault == "wrong-size" and faulty else count
library.distributed.initialize(f"localhost:{port}", claimed_count, claimed_index, initialization_timeout=patience)

# Each process divides the rows by the number of processes that it was told, as the programs of users do.
whole_x = np.arange(4 * count * 12, dtype=np.float32).reshape(4 * count, 12) / 100
local_x = np.split(whole_x, claimed_count)[index]
if fault == "local-shapes":
    whole_x = np.delete(whole_x, 7, axis=0)
    local_x = local_x[:3] if faulty else local_x
whole_y, local_y = np.sqrt(whole_x), np.sqrt(local_x)

mesh = library.make_mesh((library.device_count(),), ("i",))
rows = sharding.NamedSharding(mesh, sharding.PartitionSpec("i"))
x = library.make_array_from_process_local_data(rows, local_x)
y = library.make_array_from_process_local_data(rows, local_y)
mean = library.jit(jnp.mean)
expect("mean", mean(x), whole_x.mean())
if fault == "diverging":
    products = [library.jit(forwards), library.jit(backwards)]
    truths = [(whole_x @ whole_y).sum(), (whole_y @ whole_x).sum()]
    for product, truth in zip(products, truths, strict=True):
        expect("product before the fault", product(x, y), truth)

if faulty and fault in ENDLESS:
    threading.Timer(0.3, strike).start()
for step in range(STEPS):
    if faulty and step == FAULT_STEP:
        if fault == "raised":
            begins()
            raise ValueError("the learning rate is NaN")
        if fault == "left":
            begins()
            sys.exit()
        if fault == "asleep":
            begins()
            time.sleep(3600)
    if fault == "diverging" and step == FAULT_STEP:
        begins()
        expect("product", products[faulty](x, y), truths[faulty])
    if fault == "last-batch" and faulty and step == STEPS - 1:
        begins()
        break
    expect("mean", mean(x), whole_x.mean())
multihost.sync_global_devices("end")
