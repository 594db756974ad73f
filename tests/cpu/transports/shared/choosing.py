# SPDX-License-Identifier: Apache-2.0
"""Which transport carries what, with processes on machines as told: ``index address machines [transport]``."""

from __future__ import annotations

import json
import platform
import sys

import numpy as np

from tests.cpu.transports.job import Job, in_seconds


def main() -> None:
    """A sum over everybody, and one over the first two."""
    index, address, machines = int(sys.argv[1]), sys.argv[2], json.loads(sys.argv[3])
    platform.node = lambda: machines[index]
    everybody = list(range(len(machines)))
    job = Job(index, address, sys.argv[4] if len(sys.argv) > 4 else None, everybody)
    for positions in (everybody, everybody[:2]):
        if index in positions:
            communicator = job.open(positions)
            values = [np.full(4, i + 1, np.float32) for i in everybody]
            mine = job.buffers(communicator, [values[p] for p in positions])
            (result,) = communicator.all_reduce(mine, "sum").result(in_seconds(20))
            assert result.to_host().tolist() == [sum(i + 1 for i in positions)] * 4
            print(job.transports.name, type(communicator).__name__)
    print("began MPI", "mpi4py" in sys.modules)
    job.close()


if __name__ == "__main__":
    main()
