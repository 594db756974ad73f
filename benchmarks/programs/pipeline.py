# SPDX-License-Identifier: Apache-2.0
"""Sends microbatches through stages on two devices; answers with milliseconds for all of them.

Each line of input is `overlapped` (nobody waits before the end) or `waiting` (each microbatch is through before the
next begins). With one process both devices are its own, with two each has one.
"""

from __future__ import annotations

import importlib
import sys
import time

import numpy as np

name, index, count, port, size = sys.argv[1], *map(int, sys.argv[2:6])
library = importlib.import_module(name)
numpy = importlib.import_module(f"{name}.numpy")
if count > 1:
    library.distributed.initialize(f"localhost:{port}", count, index)
    meet = importlib.import_module(f"{name}.experimental.multihost_utils").sync_global_devices

devices = library.devices()[:2]
stages = [library.jit(lambda x: numpy.sin(x) * 2 + numpy.cos(x)), library.jit(lambda x: numpy.cos(x) - numpy.sin(x))]
batches = [np.full((size, size), k, np.float32) for k in range(12)]


def run(waiting: bool) -> None:
    results = []
    for batch in batches:
        for device, stage in zip(devices, stages, strict=True):
            batch = stage(library.device_put(batch, device))
        if waiting:
            batch.block_until_ready()
            if count > 1:
                meet("through")
        results.append(batch)
    for result in results:
        result.block_until_ready()
    if count > 1:
        meet("done")


run(False)
for line in sys.stdin:
    started = time.perf_counter()
    run(line.strip() == "waiting")
    print(f"={(time.perf_counter() - started) * 1e3}", flush=True)
