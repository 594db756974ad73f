"""A process of a job that loses one: `python -m tests.cuda.collectives.lossy INDEX COUNT PORT CULPRIT`."""

from __future__ import annotations

import os
import signal
import sys
import time

import numpy as np

import olympus
from olympus_core.errors import OlympusError
from olympus_core.errors.platform import TransportError
from olympus_core.runtime.world import get_connection, get_world


def main() -> None:
    """Reduces together; then the culprit is killed, and the others say what they met, and after how long."""
    index, count, port, culprit = map(int, sys.argv[1:5])
    olympus.distributed.initialize(f"localhost:{port}", count, index)
    world = get_world()
    devices, links = world.devices("cuda"), world.links["cuda"]
    communicator = links.communicator(devices)
    own = world.local_devices("cuda")[0]
    buffer = world.clients["cuda"].buffer_from_host(np.ones(1000, np.float32), own)
    (total,) = links.wait(communicator.all_reduce([buffer], "sum"), "the first sum")
    assert total.to_host()[0] == count
    connection = get_connection()
    assert connection is not None
    connection.exchange("all have the first sum", b"")  # or the culprit would be gone before the others have it
    begun = communicator.all_reduce([buffer], "sum") if index != culprit else None
    waiting = communicator.all_gather([buffer], 0) if index != culprit else None
    if begun is None or waiting is None:
        print("killed", flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
        return
    started = time.monotonic()
    try:
        links.wait(waiting, "the gathering without it")
    except OlympusError as error:
        print(f"RAISED {type(error).__name__} after {time.monotonic() - started:.2f} s: {error}", flush=True)
    closing = time.monotonic()
    communicator.abort("a process is lost")
    try:
        begun.result(time.monotonic() + 5.0)
    except TransportError as error:
        print(f"ABORTED {type(error).__name__}", flush=True)
    communicator.close()
    print(f"CLOSED after {time.monotonic() - closing:.2f} s", flush=True)


if __name__ == "__main__":
    main()
