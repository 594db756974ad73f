# SPDX-License-Identifier: Apache-2.0
"""The behaviour of a job of 3 processes under faults: ``python -m benchmarks.faults``.

Each fault is injected once into olympus and once into the peer, each with a time limit. A second table has jobs that
are disturbed and must survive (`survivors.py`).
"""

from __future__ import annotations

import argparse
import contextlib
import shutil
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from . import machine, report
from .processes import HERE, PROGRAMS, Process, deadline, free_port
from .survivors import DISTURBANCES, Disturbance, survive
from .verdict import Ending, Verdict, judge

COUNT = 3
LIBRARIES = {"olympus": "olympus", "peer": "jax"}


@contextmanager
def _occupied(port: int) -> Iterator[None]:
    """Another program listens on the coordinator's port."""
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("0.0.0.0", port))
        listener.listen()
        yield


@contextmanager
def _visited(port: int) -> Iterator[None]:
    """A stranger connects to the coordinator's port as soon as it is open, sends garbage and stays connected."""
    leave = threading.Event()

    def visit() -> None:
        while not leave.wait(0.005):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1) as visitor:
                visitor.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" + bytes(range(256)))
                leave.wait()

    thread = threading.Thread(target=visit)
    thread.start()
    try:
        yield
    finally:
        leave.set()
        thread.join()


@dataclass(frozen=True)
class Fault:
    """A fault.

    Attributes:
        name: Its name, also for `programs/fault.py`.
        what: What happens, in words.
        names: What an error has to name: the processes at fault, the coordinator's port, the programs; nothing
            where the job should go on and give the right result.
        lost: Processes that are killed by the fault.
        started: The processes that are started.
        patience: Seconds that a process waits for the others when it joins.
        limits: Options of olympus that make it give up sooner than by default; the peer has none.
        marked: Whether the program tells when it begins; else it is there from the start.
        around: What surrounds the job, given its port.
    """

    name: str
    what: str
    names: tuple[int | str, ...] = (1,)
    lost: tuple[int, ...] = ()
    started: tuple[int, ...] = tuple(range(COUNT))
    patience: int = 60
    limits: Mapping[str, str] = field(default_factory=dict)
    marked: bool = False
    around: Callable[[int], AbstractContextManager[None]] = lambda port: nullcontext()


FAULTS = (
    Fault("killed", "process 1 gets SIGKILL in the middle of collectives", lost=(1,), marked=True),
    Fault("raised", "process 1 raises an exception", lost=(1,), marked=True),
    Fault("stopped", "process 1 gets SIGSTOP in the middle of collectives; a limit of 3 s (default: 5 minutes)",
          lost=(1,), limits={"OLYMPUS_STOPPED_TIMEOUT": "3"}, marked=True),
    Fault("process-0-lost", "process 0 gets SIGKILL in the middle of collectives", names=(0,), lost=(0,), marked=True),
    Fault("left", "process 1 ends in order, but early", lost=(1,), marked=True),
    Fault("asleep", "process 1 sleeps and never comes to a collective; a limit of 3 s (default: 30 minutes)",
          lost=(1,), limits={"OLYMPUS_LATE_TIMEOUT": "3"}, marked=True),
    Fault("absent", "process 2 is never started", names=(2,), started=(0, 1), patience=5),
    Fault("duplicate-index", "two processes say that they are process 1", patience=5),
    Fault("wrong-size", "process 1 says 2 processes, the others 3", patience=5),
    Fault("busy-port", "another program listens at the coordinator's port", names=("port",), patience=5,
          around=_occupied),
    Fault("stranger", "a stranger talks to the coordinator's port", names=(), around=_visited),
    Fault("diverging", "process 1 computes y @ x, the others x @ y", names=(1, "forwards", "backwards"), marked=True),
    Fault("last-batch", "process 1 has one batch less and waits at the end", marked=True),
    Fault("local-shapes", "process 1 brings 3 rows, the others 4"),
)


def happen(fault: Fault, library: str, python: str, limit: float) -> Verdict:
    """Injects one fault into one library."""
    port = free_port()
    env = {f"{library.upper()}_NUM_CPU_DEVICES": "1", **(fault.limits if library == "olympus" else {})}
    processes: list[Process] = []
    ends: dict[int, float] = {}

    def wait(index: int, process: Process) -> None:
        process.popen.wait()
        ends[index] = time.monotonic()

    try:
        with fault.around(port):
            started = time.monotonic()
            for index in fault.started:
                arguments = (library, fault.name, index, COUNT, port, fault.patience)
                processes.append(Process([python, str(PROGRAMS / "fault.py"), *map(str, arguments)], env))
            judged = [(i, p) for i, p in zip(fault.started, processes, strict=True) if i not in fault.lost]
            waits = [threading.Thread(target=wait, args=pair) for pair in judged]
            with deadline([process for _, process in judged], limit) as expired:
                for thread in waits:
                    thread.start()
                for thread in waits:
                    thread.join()
        marks = [float(line.split()[1]) for p in processes for line in p.output.splitlines()
                 if line.startswith("fault ")]
        if fault.marked and not marks:
            return Verdict(False, "ended before the fault began:\n" + processes[0].errors[-1500:], 0.0, ())
        began = max([started, *marks])
        endings = [
            Ending(i, None if expired.is_set() and p.popen.returncode == -9 else p.popen.returncode,
                   ends[i] - began, p.output, p.errors)
            for i, p in judged
        ]
        names = tuple(str(port) if name == "port" else name for name in fault.names)
        return judge(endings, names, limit)
    finally:
        for process in processes:
            process.close()


def main(arguments: list[str] | None = None) -> int:
    """Runs the faults and the disturbances; 1 when olympus did not meet one of them cleanly, else 0."""
    names = [case.name for case in (*FAULTS, *DISTURBANCES)]
    parser = argparse.ArgumentParser(prog="benchmarks.faults", description="faults, with olympus and with its peer")
    parser.add_argument("--only", action="append", metavar="NAME", choices=names,
                        help="run this one; may be repeated (" + ", ".join(names) + ")")
    parser.add_argument("--side", choices=list(LIBRARIES), help="run only this side")
    parser.add_argument("--limit", type=float, default=30.0, metavar="SECONDS",
                        help="the time for each fault; 30 by default")
    parser.add_argument("--scale", type=float, default=1.0, metavar="FACTOR",
                        help="factor of the times for which jobs are disturbed that must survive; 1 by default")
    parser.add_argument("--peer-python", default=sys.executable, metavar="PATH",
                        help="the interpreter that has the peer; this one by default")
    options = parser.parse_args(arguments)
    if shutil.which(options.peer_python) is None:
        parser.error(f"no interpreter at {options.peer_python}")

    where = machine.describe(sys.executable, options.peer_python)
    blocks = ["\n".join(f"{key}: {text}" for key, text in where.items())]
    print(blocks[0], flush=True)
    tables = {
        "Faults": [(f, partial(happen, f, limit=options.limit)) for f in FAULTS],
        "Disturbances": [(d, partial(survive, d, scale=options.scale)) for d in DISTURBANCES],
    }
    found: dict[str, list[dict[str, Any]]] = {}
    for title, cases in tables.items():
        rows = found[title.lower()] = _run(cases, options, blocks)
        for side in LIBRARIES:
            clean = [row["clean"] for row in rows if row["side"] == side]
            if clean:
                blocks.append(f"{title}: {side}: {sum(clean)} of {len(clean)} clean")
                print("\n" + blocks[-1], flush=True)
    data = {**where, "limit": options.limit, "scale": options.scale, **found}
    path = report.write(HERE / "out", "faults", "\n\n".join(blocks), data)
    print(f"\nwritten: {path} and .json beside it")
    return int(not all(row["clean"] for rows in found.values() for row in rows if row["side"] == "olympus"))


def _run(
    cases: Sequence[tuple[Fault | Disturbance, Callable[..., Verdict | None]]], options: argparse.Namespace,
    blocks: list[str],
) -> list[dict[str, Any]]:
    """Runs the cases of one table with both libraries; prints each."""
    rows = []
    for case, run in cases:
        if options.only and case.name not in options.only:
            continue
        lines = [f"{case.name}: {case.what}"]
        for side, library in LIBRARIES.items():
            if options.side not in (None, side):
                continue
            verdict = run(library=library, python=options.peer_python if side == "peer" else sys.executable)
            if verdict is None:
                lines.append(f"  {side:<8} not run: this machine allows no network namespaces")
                continue
            lines.append(verdict.line(side))
            rows.append({"case": case.name, "what": case.what, "side": side, **verdict.as_data()})
        blocks.append("\n".join(lines))
        print("\n" + blocks[-1], flush=True)
    return rows


if __name__ == "__main__":
    sys.exit(main())
