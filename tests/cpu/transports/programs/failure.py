# SPDX-License-Identifier: Apache-2.0
"""A process that ends in the middle of communication: ``index address transport owners how``.

The last process ends; all others must raise, soon, and then come to their own end.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time

import numpy as np

from olympus_core.errors import OlympusError
from tests.cpu.transports.job import Job, in_seconds


def survive(job: Job, communicator: object, values: list[np.ndarray], deadline: float) -> None:
    """Communicates until it fails, and tells how."""
    started = time.monotonic()
    try:
        while time.monotonic() < started + 20:
            communicator.all_reduce(job.buffers(communicator, values), "sum").result(in_seconds(deadline))
            started = time.monotonic()
    except TimeoutError as error:
        print("timed out", type(error).__name__, f"{time.monotonic() - started:.2f}")
    except OlympusError as error:
        print("raised", type(error).__name__, getattr(error, "process", None), f"{time.monotonic() - started:.2f}")


def main() -> None:
    """All processes communicate; then the last one ends."""
    index, address, transport, owners, how = int(sys.argv[1]), sys.argv[2], sys.argv[3], json.loads(sys.argv[4]), \
        sys.argv[5]
    job = Job(index, address, transport, owners)
    communicator = job.open()
    values = [np.ones(1 << 20, np.float32)] * len(owners)
    for _ in range(3):
        communicator.all_reduce(job.buffers(communicator, values), "sum").result(in_seconds(10))
    job.connection.exchange("warm", b"")  # the loss shall not meet those who still wait for the third
    if index == max(owners):
        pending = communicator.all_reduce(job.buffers(communicator, values), "sum")
        if how == "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        elif how == "stopped":
            os.kill(os.getpid(), signal.SIGSTOP)
        elif how == "raised":
            raise ValueError("a program's own mistake")
        elif how == "late":
            time.sleep(2.0)
            pending.result(in_seconds(10))
            communicator.all_reduce(job.buffers(communicator, values), "sum").result(in_seconds(10))
            print("came late")
            job.close()
            return
    if how == "late":
        first = communicator.all_reduce(job.buffers(communicator, values), "sum")
        first.result(in_seconds(10))
        second = communicator.all_reduce(job.buffers(communicator, values), "sum")
        waits = 0
        while True:
            try:
                second.result(in_seconds(0.05))
                break
            except TimeoutError:
                waits += 1
        print("waited", waits)
        job.close()
        return
    survive(job, communicator, values, 10.0)
    job.transports.close()
    job.connection.leave()


if __name__ == "__main__":
    main()
