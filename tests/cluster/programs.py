# SPDX-License-Identifier: Apache-2.0
"""The programs that the tests of this room run in real processes."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tests.support.processes import Finished, Processes, free_port

# Short times: the logic is the same as with the defaults. The times begin when all processes have started and
# imported what they need, which on a busy machine takes some of them seconds longer than others.
PRELUDE = """
import os, signal, sys, time
from olympus_core.cluster import ClusterSettings, connect
from olympus_core import errors

index, count, port = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
settings = ClusterSettings(
    heartbeat_period=0.1, heartbeat_timeout=1.5, stopped_timeout=1.0, late_timeout=float(os.environ.get("LATE", "30")),
    deadlock_timeout=1.0, shutdown_timeout=10.0,
)

def join(timeout=10.0, **options):
    return connect(f"localhost:{port}", count, index, timeout=timeout, settings=settings, **options)

def expect(kind, function, *arguments):
    started = time.monotonic()
    try:
        function(*arguments)
    except kind as error:
        print(f"{type(error).__name__} after {time.monotonic() - started:.2f}: {error}", flush=True)
        return error
    print("NO ERROR", flush=True)

gate = os.environ.get("GATE")
if gate:
    open(os.path.join(gate, str(os.getpid())), "w").close()
    while not os.path.exists(os.path.join(gate, "open")):
        time.sleep(0.002)
"""


def run_job(
    program: str,
    count: int = 3,
    *,
    deadline: float = 30.0,
    env: Mapping[str, str] | None = None,
    arguments: Callable[[int], tuple[Any, ...]] | None = None,
    indices: list[int] | None = None,
    port: int | None = None,
) -> list[Finished]:
    """Runs the prelude and a program in processes, by default one for each index."""
    port = free_port() if port is None else port
    with tempfile.TemporaryDirectory() as gate, Processes(deadline) as processes:
        for index in range(count) if indices is None else indices:
            given = arguments(index) if arguments else (index, count)
            processes.start(PRELUDE + program, *given, port, env={**(env or {}), "GATE": gate})
        processes.open_gate(Path(gate))
        return processes.wait()


def assert_within(finished: list[Finished], seconds: float = 25.0) -> None:
    """Every process has ended by itself and in time."""
    for index, end in enumerate(finished):
        assert not end.timed_out, f"process {index} hung:\n{end.stdout}{end.stderr}"
        assert end.seconds < seconds, f"process {index} took {end.seconds:.1f} s"
