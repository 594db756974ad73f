# SPDX-License-Identifier: Apache-2.0
"""How a job's transport begins and ends in unusual ways: ``index address transport owners how``."""

from __future__ import annotations

import json
import os
import sys
import time

import numpy as np

from olympus_core.errors import OlympusError
from tests.cpu.transports.job import Job, in_seconds


def main() -> None:
    """`absent`: the last process dies before the transport is up. `unclosed`: nobody closes anything."""
    index, address, transport, owners, how = int(sys.argv[1]), sys.argv[2], sys.argv[3], json.loads(sys.argv[4]), \
        sys.argv[5]
    if how == "absent" and index == max(owners):
        from olympus_cpu.transports import selection

        selection.Transports.__init__ = lambda self, settings: os._exit(9)
    started = time.monotonic()
    try:
        job = Job(index, address, transport, owners)
        communicator = job.open()
        values = [np.full(5, i, np.float32) for i in range(len(owners))]
        result = communicator.all_reduce(job.buffers(communicator, values), "sum").result(in_seconds(10))
        print("result", result[0].to_host().tolist())
        if how == "again":
            job.close()
            print("closed")
            second = Job(index, sys.argv[6], "tcp", owners)
            communicator = second.open()
            communicator.all_reduce(second.buffers(communicator, values), "sum").result(in_seconds(10))
            second.close()
            print("again")
            try:
                Job(index, sys.argv[7], "mpi", owners).open()
            except OlympusError as error:
                print("refused", type(error).__name__)
    except OlympusError as error:
        print("raised", type(error).__name__, getattr(error, "process", None), f"{time.monotonic() - started:.2f}")


if __name__ == "__main__":
    main()
