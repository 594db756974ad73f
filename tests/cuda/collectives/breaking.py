# SPDX-License-Identifier: Apache-2.0
"""A process whose NCCL fails: `OLYMPUS_FAKE_NCCL_BREAKS=2 python -m tests.cuda.collectives.breaking`."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

import olympus
from olympus import lax
from olympus.errors import OlympusError
from olympus.sharding import Mesh, NamedSharding
from olympus.sharding import PartitionSpec as P


def main() -> None:
    """Adds up over all devices until that fails; then again, otherwise, and without any communication."""
    devices = np.array(olympus.devices())

    def begun(axis: str) -> Any:
        mesh = Mesh(devices, (axis,))
        x = olympus.device_put(np.ones((len(devices), 2), np.float32), NamedSharding(mesh, P(axis)))
        total = olympus.shard_map(lambda v: lax.psum(v, axis), mesh=mesh, in_specs=P(axis), out_specs=P(axis))
        return olympus.jit(total)(x)

    first = begun("x")
    print("SUM", np.asarray(first)[0].tolist(), flush=True)
    for what, work in {
        "the same": lambda: begun("x"), "again": lambda: begun("x"), "a new program": lambda: begun("y"),
        "no communication": lambda: olympus.jit(lambda v: v + 1)(first),
    }.items():
        rank = "call"
        try:
            result = work()
            rank = "wait"
            result.block_until_ready()
            print(f"{what}: DONE", flush=True)
        except OlympusError as error:
            print(f"{what}: {type(error).__name__} at the {rank}: {error}".replace("\n", " "), flush=True)
    started = time.monotonic()
    olympus.distributed.shutdown()
    print(f"SHUT DOWN after {time.monotonic() - started:.2f} s", flush=True)


if __name__ == "__main__":
    main()
