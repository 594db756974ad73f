# SPDX-License-Identifier: Apache-2.0
"""A sum between processes that NCCL does not connect: `python -m tests.cuda.collectives.carried INDEX COUNT PORT`."""

from __future__ import annotations

import sys
import warnings

import numpy as np

import olympus
from olympus_core.runtime.world import get_world


def main() -> None:
    """Prints the sum of all processes' indices, and what was warned of."""
    index, count, port = map(int, sys.argv[1:4])
    if count > 1:
        olympus.distributed.initialize(f"localhost:{port}", count, index)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        world = get_world()
        links, devices = world.links["cuda"], world.devices("cuda")
        for group in (devices, devices[::-1]):
            mine = [d for d in group if d.is_addressable]
            buffers = [world.clients["cuda"].buffer_from_host(np.full(3, d.id, np.int32), d) for d in mine]
            results = links.wait(links.communicator(group).all_reduce(buffers, "sum"), "sum")
            print("SUM", results[0].to_host().tolist(), flush=True)
    for warning in caught:
        print("WARNED", warning.category.__name__, warning.message, flush=True)
    olympus.distributed.shutdown()


if __name__ == "__main__":
    main()
