# SPDX-License-Identifier: Apache-2.0
"""A process dies and MPI's connection to it with it: ``index address how``; process 0 goes on sending."""

from __future__ import annotations

import os
import platform
import signal
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from olympus_core.cluster.machine import process_state
from olympus_core.errors.platform import TransportError
from olympus_cpu.transports.mpi.world import MpiWorld
from tests.cpu.transports.job import Job, in_seconds


def main() -> None:
    """Prints what process 0 gets."""
    index, address, how = int(sys.argv[1]), sys.argv[2], sys.argv[3]
    platform.node = lambda: f"machine {index}"
    job = Job(index, address, "mpi", [0, 1])
    communicator = job.open()
    values = [np.full(4, i + 1, np.float32) for i in range(2)]

    def add() -> Any:
        return communicator.all_reduce(job.buffers(communicator, values), "sum")

    add().result(in_seconds(20))
    process = int(job.connection.exchange("processes", str(os.getpid()).encode())[1])
    engine = MpiWorld.begin(job.connection, 60.0)._engine
    if index == 1:
        os.kill(os.getpid(), signal.SIGKILL if how == "told" else signal.SIGSTOP)
    if how == "told":
        job.connection.check = lambda: None  # nobody tells that the process is lost
        _until_refused(add)
        engine._communicator = engine._test_all = engine._test_some = None  # MPI is left alone from now on
        _until_refused(add)
        os._exit(0)
    # What the stopped process never reads makes its end a reset, which nobody hears of before the next message.
    engine.stop_progress_thread()
    _wait(lambda: (state := process_state(process)) is not None and state.stopped)
    add()
    os.kill(process, signal.SIGKILL)
    _wait(lambda: (state := process_state(process)) is None or state.ended)
    engine._rendezvous, engine._is_over = Ignorant(), lambda: False
    engine._communicator, engine._test_all = Deaf(engine._communicator), lambda requests: False
    deadline = in_seconds(20)
    while time.monotonic() < deadline:
        add()
        time.sleep(0.01)
    print("returned")


class Ignorant:
    """Knows of no failure."""

    def check(self) -> None:
        pass


class Deaf:
    """MPI's communicator, but nothing is heard of before something is sent."""

    def __init__(self, inner: Any) -> None:
        self.Irecv, self.Isend = inner.Irecv, inner.Isend

    def Iprobe(self, *_: object) -> bool:
        return False


def _wait(condition: Callable[[], bool]) -> None:
    deadline = in_seconds(20)
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.01)


def _until_refused(add: Any) -> None:
    deadline = in_seconds(20)
    while time.monotonic() < deadline:
        try:
            add().result(in_seconds(0.05))
        except TimeoutError:
            continue
        except TransportError as error:
            print("refused", str(error).splitlines()[0])
            return
    print("nothing")


if __name__ == "__main__":
    main()
