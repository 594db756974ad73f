# SPDX-License-Identifier: Apache-2.0
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
    """Reduces together; then the others kill the culprit, and say what they met, and after how long."""
    index, count, port, culprit = map(int, sys.argv[1:5])
    olympus.distributed.initialize(f"localhost:{port}", count, index)
    world = get_world()
    devices, links = world.devices("cuda"), world.links["cuda"]
    communicator = links.communicator(devices)
    own = world.local_devices("cuda")[0]
    buffer = world.clients["cuda"].buffer_from_host(np.ones(1000, np.float32), own)
    connection = get_connection()
    assert connection is not None
    if index == culprit:
        print("killed", flush=True)
    pids = connection.exchange("who may be killed", str(os.getpid()).encode())
    (total,) = links.wait(communicator.all_reduce([buffer], "sum"), "the first sum")
    assert total.to_host()[0] == count
    if index == culprit:
        signal.pause()
    others = [process for process in range(count) if process != culprit]
    connection.exchange("the others have the first sum", b"", others)
    begun = communicator.all_reduce([buffer], "sum")
    waiting = communicator.all_gather([buffer], 0)
    if index == others[0]:
        os.kill(int(pids[culprit]), signal.SIGKILL)
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
