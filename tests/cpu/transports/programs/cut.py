# SPDX-License-Identifier: Apache-2.0
"""Sums without end while the network is cut: ``index address transport seconds``.

Says ``quiet`` when nothing has come for so many seconds.
"""

from __future__ import annotations

import platform
import sys
import time

import numpy as np

from tests.cpu.transports.job import Job, in_seconds

_ALL_QUIET = 11.0 + 22.0


def main() -> None:
    """Goes on until the network has been cut and has healed, and sums are right again."""
    index, address, transport, quiet = int(sys.argv[1]), sys.argv[2], sys.argv[3], float(sys.argv[4])
    platform.node = lambda: f"machine {index}"
    job = Job(index, address, transport, [0, 1])
    communicator = job.open()
    was_quiet, total = False, 0.0
    while total != _ALL_QUIET:
        # Everybody's number says whether it was quiet there: all end after the same sum.
        numbers = [np.full(4, (process + 1) * (11 if was_quiet else 1), np.float32) for process in range(2)]
        pending = communicator.all_reduce(job.buffers(communicator, numbers), "sum")
        started = time.monotonic()
        while not pending.is_done():
            try:
                pending.result(in_seconds(0.05))
            except TimeoutError:
                if not was_quiet and time.monotonic() - started > quiet:
                    was_quiet = True
                    print("quiet", flush=True)
        (result,) = pending.result(in_seconds(1))
        if not total:
            print("begun", flush=True)
        total = float(result.to_host()[0])
        assert result.to_host().tolist() == [total] * 4 and total in (3.0, 13.0, 23.0, _ALL_QUIET)
    print("right", flush=True)
    job.close()


if __name__ == "__main__":
    main()
