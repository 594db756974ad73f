# SPDX-License-Identifier: Apache-2.0
"""One of four processes of a job whose numbers have to stay right, until the file of the third argument is gone."""

import os
import sys
import time

import numpy as np

import olympus
import olympus.numpy as jnp
from olympus_core.runtime import get_connection

index, address, file = int(sys.argv[1]), sys.argv[2], sys.argv[3]
olympus.distributed.initialize(address, 4, index)
connection = get_connection()
mesh = olympus.make_mesh((8,), ("x",))
x = olympus.device_put(np.arange(16.0), olympus.NamedSharding(mesh, olympus.P("x")))
rounds, slowest = 0, 0.0
while True:
    started = time.monotonic()
    goes_on = connection.exchange(f"round {rounds}", b"1" if os.path.exists(file) else b"0")[0] == b"1"
    slowest = max(slowest, time.monotonic() - started)
    if float(jnp.sum(x + rounds)) != 120.0 + 16 * rounds:
        sys.exit("the numbers are wrong")
    rounds += 1
    if rounds == 1:
        print("running", flush=True)
    if not goes_on:
        break
    time.sleep(0.01)
olympus.distributed.shutdown()
print(f"rounds {rounds} slowest {slowest:.3f}", flush=True)
