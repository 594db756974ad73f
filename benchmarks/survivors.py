# SPDX-License-Identifier: Apache-2.0
"""Jobs of 3 processes that are disturbed and must end with right numbers: a part of ``python -m benchmarks.faults``."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial

from .namespaces import ADDRESSES, TwoHosts, are_allowed
from .processes import PROGRAMS, Process, deadline, free_port
from .verdict import Ending, Verdict, judge

COUNT = 3
_LOAD = 64
_SLACK = 60.0  # beside the disturbance itself, for a job on a loaded machine
_BURN = "while True: pass"


@dataclass(frozen=True)
class Disturbance:
    """What happens to a healthy job.

    Attributes:
        name: Its name, also for `programs/survive.py`.
        what: What happens, in words.
        seconds: How long it lasts.
        act: Called with the processes once all are ready to be disturbed; None where they disturb themselves.
        around: What surrounds the job from its start.
        hosts: Makes two hosts, on the second of which the last process runs; None where one host is enough.
        is_cut: Whether that link is cut for the time.
    """

    name: str
    what: str
    seconds: float
    act: Callable[[Sequence[Process], float], None] | None = None
    around: Callable[[], contextlib.AbstractContextManager[None]] = contextlib.nullcontext
    hosts: Callable[[], TwoHosts] | None = None
    is_cut: bool = False


@contextmanager
def _load() -> Iterator[None]:
    """As many programs that compute as make the machine slow for everybody."""
    burners = [subprocess.Popen([sys.executable, "-c", _BURN], start_new_session=True) for _ in range(_LOAD)]
    try:
        yield
    finally:
        for burner in burners:
            burner.kill()
        for burner in burners:
            burner.wait()


def _stop(processes: Sequence[Process], seconds: float) -> None:
    os.kill(processes[1].popen.pid, signal.SIGSTOP)
    time.sleep(seconds)
    os.kill(processes[1].popen.pid, signal.SIGCONT)


def _burden(processes: Sequence[Process], seconds: float) -> None:
    with _load():
        time.sleep(seconds)


DISTURBANCES = (
    Disturbance("late", "process 1 sleeps for 60 s", 60.0),
    Disturbance("late-of-0", "process 0, where the coordinator is, sleeps for 60 s", 60.0),
    Disturbance("lock-held", "a C call in process 1 keeps Python's lock for 60 s", 60.0),
    Disturbance("lock-held-of-0", "the same in process 0", 60.0),
    Disturbance("continued", "process 1 gets SIGSTOP, and SIGCONT after 30 s", 30.0, act=_stop),
    Disturbance("load-joining", f"{_LOAD} programs compute on the machine while the job joins and runs", 0.0,
                around=_load),
    Disturbance("load-running", f"{_LOAD} programs compute on the machine for 10 s while the job runs", 10.0,
                act=_burden),
    Disturbance("delay-and-loss", "200 ms of delay and 2 % of loss to the host of process 2", 0.0,
                hosts=partial(TwoHosts, delay=0.1, loss=0.01)),  # in each direction
    Disturbance("cut", "the link to the host of process 2 is cut for 25 s", 25.0, hosts=TwoHosts, is_cut=True),
)


def survive(disturbance: Disturbance, library: str, python: str, scale: float = 1.0) -> Verdict | None:
    """Disturbs a job of one library.

    Args:
        disturbance: What happens to it.
        library: The library.
        python: The interpreter that has it.
        scale: Factor of the disturbance's time.

    Returns:
        The verdict: clean where all processes ended with the right result. None where this machine does not allow it.
    """
    if disturbance.hosts is not None and not are_allowed():
        return None
    seconds = disturbance.seconds * scale
    limit = seconds + _SLACK * (4 if disturbance.around is _load or disturbance.hosts else 1)
    port = free_port()
    processes: list[Process] = []
    ends: dict[int, float] = {}

    def wait(index: int) -> None:
        processes[index].popen.wait()
        ends[index] = time.monotonic()

    with ExitStack() as stack:
        network = stack.enter_context(disturbance.hosts()) if disturbance.hosts is not None else None
        stack.enter_context(disturbance.around())
        try:
            started = time.monotonic()
            address = f"{ADDRESSES[0] if network else 'localhost'}:{port}"
            for index in range(COUNT):
                prefix = network.command(int(index == COUNT - 1)) if network else []
                command = [*prefix, python, str(PROGRAMS / "survive.py"), library, disturbance.name]
                env = {f"{library.upper()}_NUM_CPU_DEVICES": "1"}
                processes.append(Process([*command, *map(str, (index, COUNT, address, seconds))], env))
            waits = [threading.Thread(target=wait, args=(index,)) for index in range(COUNT)]
            with deadline(processes, limit) as expired:
                for thread in waits:
                    thread.start()
                if _is_ready(processes):
                    if disturbance.act is not None:
                        disturbance.act(processes, seconds)
                    if network is not None and disturbance.is_cut:
                        network.cut()
                        time.sleep(seconds)
                        network.heal()
                for thread in waits:
                    thread.join()
            endings = [
                Ending(i, None if expired.is_set() and p.popen.returncode == -signal.SIGKILL else p.popen.returncode,
                       ends[i] - started, p.output, p.errors)
                for i, p in enumerate(processes)
            ]
            verdict = judge(endings, (), limit)
            complete = all("survived " in ending.output for ending in endings)
            return verdict if complete or not verdict.clean else Verdict(False, "ended early", verdict.seconds,
                                                                         verdict.endings)
        finally:
            for process in processes:
                process.close()


def _is_ready(processes: Sequence[Process]) -> bool:
    """Waits until all processes can be disturbed; False where one has ended before."""
    while not all("disturbed " in process.output for process in processes):
        if any(process.popen.poll() is not None for process in processes):
            return False
        time.sleep(0.01)
    return True
