# SPDX-License-Identifier: Apache-2.0
"""A process whose peer never comes to a collective: `python -m tests.cuda.collectives.aborting INDEX COUNT PORT`."""

from __future__ import annotations

import sys
import time

import numpy as np

import olympus
from olympus_core.errors.platform import TransportError
from olympus_core.runtime.world import get_world


def main() -> None:
    """Process 1 looks, in vain, and aborts; then both end in order."""
    index, count, port = map(int, sys.argv[1:4])
    olympus.distributed.initialize(f"localhost:{port}", count, index)
    world = get_world()
    client, devices = world.clients["cuda"], world.devices("cuda")
    links = world.links["cuda"]
    communicator = links.communicator(devices)
    connection = world.connection
    assert connection is not None
    if index:
        buffer = client.buffer_from_host(np.ones(10, np.float32), world.local_devices("cuda")[0])
        begun = [communicator.all_reduce([buffer], "sum"), communicator.all_gather([buffer], 0)]
        assert not begun[0].is_done() and not begun[1].is_done()
        try:
            begun[0].result(time.monotonic() + 0.1)
        except TimeoutError:
            print("TIMED OUT", flush=True)
        started = time.monotonic()
        communicator.abort("the test ends it")
        for pending in begun:
            try:
                pending.result(time.monotonic() + 5.0)
            except TransportError as error:
                assert not isinstance(error, TimeoutError) and "the test ends it" in str(error)
                print(f"ENDED after {time.monotonic() - started:.2f} s", flush=True)
        try:
            communicator.barrier()
        except TransportError as error:
            print(f"REFUSED {type(error).__name__}", flush=True)
    connection.exchange("aborted", b"")
    olympus.distributed.shutdown()
    print("SHUT DOWN", flush=True)


if __name__ == "__main__":
    main()
