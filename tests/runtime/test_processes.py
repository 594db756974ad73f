# SPDX-License-Identifier: Apache-2.0
"""The room with real processes: four with two devices each, against NumPy; and what they refuse."""

from __future__ import annotations

import json
import sys
from functools import cache

import pytest

from tests.support.processes import Finished, Processes, free_port, run_processes

from .jobs import CHECKS

pytestmark = pytest.mark.processes
_DEVICES = {"OLYMPUS_NUM_CPU_DEVICES": "2"}

PRELUDE = """
import sys
import numpy as np
import olympus
import olympus.numpy as jnp
from olympus.experimental import multihost_utils as hosts
from olympus.sharding import NamedSharding, PartitionSpec as P

count, index, port = map(int, sys.argv[1:])

def join(**options):
    olympus.distributed.initialize(f"localhost:{port}", count, index, initialization_timeout=20, **options)

def expect(kind, work):
    try:
        work()
    except kind as error:
        print(f"{type(error).__name__}: {error}", flush=True)
    else:
        print("NO ERROR", flush=True)
"""


def job(program: str, count: int = 2) -> list[Finished]:
    port = free_port()
    ends = run_processes(PRELUDE + program, count, count, lambda i: i, port, deadline=40.0, env=_DEVICES)
    for index, end in enumerate(ends):
        assert not end.timed_out, f"process {index} hung:\n{end.stdout}{end.stderr}"
    return ends


@cache
def outcomes() -> list[tuple[dict[str, str], Finished]]:
    address = f"localhost:{free_port()}"
    with Processes(60.0) as processes:
        for index in range(4):
            processes.start([sys.executable, "-m", "tests.runtime.jobs"], address, 4, index, env=_DEVICES)
        ends = processes.wait()
    return [(dict(map(json.loads, end.stdout.splitlines())), end) for end in ends]


@pytest.mark.parametrize("name", CHECKS)
def test_in_four_processes(name: str) -> None:
    for index, (lines, end) in enumerate(outcomes()):
        assert lines.get(name) == "ok", f"process {index}:\n{lines.get(name)}\n{end.stderr}"


def test_all_ended_in_order() -> None:
    for lines, end in outcomes():
        assert end.returncode == 0 and list(lines) == list(CHECKS), end.stderr


@pytest.mark.parametrize(("work", "says"), [
    ("hosts.sync_global_devices('first' if index else 'second')", ["'first'", "'second'"]),
    ("olympus.make_array_from_process_local_data(rows, np.ones((2, 3 + index)))", ["float32[4,3]", "float32[4,4]"]),
    ("olympus.device_put(np.arange(8) + index, rows)", ["device_put of int32[8]", "content"]),
    ("hosts.process_allgather(np.ones(2 + index))", ["float32[2]", "float32[3]"]),
], ids=["names", "local shapes", "content", "gathered shapes"])
def test_what_differs_is_named_in_every_process(work: str, says: list[str]) -> None:
    program = """
join()
rows = NamedSharding(olympus.make_mesh((4,), ("x",)), P("x"))
def work():
    x = WORK
    hosts.sync_global_devices("what was launched is compared here at the latest")
expect(olympus.errors.DivergenceError, work)
"""
    for index, end in enumerate(job(program.replace("WORK", work))):
        assert end.stdout.startswith("DivergenceError"), f"process {index}:\n{end.stdout}{end.stderr}"
        for text in ["process 0:", "process 1:", "<string>:", *says]:
            assert text in end.stdout, end.stdout


def test_initialize_comes_first_and_once() -> None:
    program = """
expect(olympus.errors.AlreadyInitializedError, lambda: (join(), join(), join(cluster_detection_method="none")))
print(olympus.process_index(), olympus.distributed.is_initialized())
olympus.distributed.shutdown()
print(olympus.distributed.is_initialized(), olympus.process_count())  # alone again
x = jnp.ones(3)
expect(olympus.errors.InitializedTooLateError, join)
"""
    for index, end in enumerate(job(program)):
        lines = end.stdout.splitlines()
        assert lines[0].startswith("AlreadyInitializedError"), end.stdout + end.stderr
        assert f"{index} True" in lines and "False 1" in lines
        late = next(line for line in lines if line.startswith("InitializedTooLateError"))
        assert "initialize() came too late: a use of a device at <string>:" in late
        line = int(late.partition("<string>:")[2].split()[0])
        assert "process_count()" in (PRELUDE + program).splitlines()[line - 1]


def test_in_a_single_process_initialize_does_no_harm() -> None:
    with Processes(20.0) as processes:
        processes.start("""
import olympus
olympus.distributed.initialize()
olympus.distributed.initialize()
print(olympus.process_count(), olympus.distributed.is_initialized())
olympus.distributed.shutdown()
""")
        (end,) = processes.wait()
    assert (end.returncode, end.stdout) == (0, "1 False\n"), end.stderr
