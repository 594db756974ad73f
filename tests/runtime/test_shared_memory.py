# SPDX-License-Identifier: Apache-2.0
"""What jobs take of the machine's shared memory: where there is too little of it; jobs that begin again and again."""

from __future__ import annotations

import os
import sys

import pytest

from tests.support.processes import Finished, Processes, free_port, run_processes

pytestmark = pytest.mark.processes

# In a mount namespace of its own, where shared memory is as small as told.
_SMALL = """
mount -t tmpfs -o size="$1" tmpfs /dev/shm || exit 77
errors=$(mktemp)
"$2" -c "$3" 1 "$4" 2>"$errors" & second=$!
"$2" -c "$3" 0 "$4"; code=$?
wait $second; other=$?
cat "$errors" >&2; rm "$errors"  # not both at once: their lines would mix
[ $other = 0 ] && [ $code = 0 ] && [ -z "$(ls /dev/shm)" ]
"""
_JOB = """
import sys, warnings
import numpy as np
import olympus
import olympus.numpy as jnp
from olympus_core.errors.platform import SharedMemoryWarning
from olympus.sharding import NamedSharding, PartitionSpec as P

with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    olympus.distributed.initialize(f"localhost:{sys.argv[2]}", 2, int(sys.argv[1]))
    mesh = olympus.make_mesh((2,), ("x",))
    total = olympus.jit(lambda v: jnp.sum(v, axis=0))
    for size in (8, 1 << 20):
        x = olympus.device_put(np.ones((2, size), np.float32), NamedSharding(mesh, P("x")))
        for _ in range(2):
            assert (np.asarray(total(x)) == 2).all()
    olympus.distributed.shutdown()
print("right", [w.message.what for w in told if w.category is SharedMemoryWarning])
"""
_AGAIN = """
import gc, os, sys, threading
import numpy as np
import olympus
import olympus.numpy as jnp
from olympus.sharding import NamedSharding, PartitionSpec as P
from olympus_core.cluster import exit_report
from olympus_core.plugin import Device

index, count, *ports = map(int, sys.argv[1:])
for turn, port in enumerate(ports):
    olympus.distributed.initialize(f"localhost:{port}", count, index)
    mesh = olympus.make_mesh((olympus.device_count(),), ("x",))
    x = olympus.device_put(np.ones((8, 8), np.float32), NamedSharding(mesh, P("x")))
    assert float(jnp.sum(x)) == 64
    del x, mesh
    olympus.distributed.shutdown()
    if turn == 4 or port == ports[-1]:
        for thread in threading.enumerate():
            if thread.name == "olympus-optimise":  # the job's end does not end it, and it opens files
                thread.join()
        with open("/proc/self/maps") as maps:
            shared = sum("/dev/shm" in line for line in maps)
        gc.collect()
        devices = sum(type(o) is Device for o in gc.get_objects())
        print(len(os.listdir("/proc/self/fd")), shared, threading.active_count(), devices, len(exit_report._hooks))
"""


def _small(size: str, transport: str | None) -> Finished:
    env = {"OLYMPUS_NUM_CPU_DEVICES": "1"} | ({} if transport is None else {"OLYMPUS_CPU_TRANSPORT": transport})
    with Processes(60) as processes:
        processes.start(["unshare", "-m", "bash", "-c", _SMALL, "_", size, sys.executable, _JOB, str(free_port())],
                        env=env)
        (finished,) = processes.wait()
    if os.geteuid() != 0 or finished.returncode == 77 or "unshare failed" in finished.stderr:
        pytest.skip("a small shared memory cannot be made here")
    return finished


@pytest.mark.parametrize(("size", "told"), [
    ("64k", ["Launches are compared", "Groups of one machine communicate"]),
    ("1m", ["Groups of one machine communicate"]),
    ("5m", []),  # no room for the window of large pieces, nor for segments
])
def test_with_little_shared_memory_a_job_goes_on_by_messages_and_says_so(size: str, told: list[str]) -> None:
    finished = _small(size, None)
    assert finished.returncode == 0, finished.stdout + finished.stderr
    assert finished.stdout == f"right {told}\n" * 2


@pytest.mark.parametrize("transport", ["mpi", "shared"])
def test_a_transport_that_was_asked_for_and_lacks_memory_is_an_error(transport: str) -> None:
    finished = _small("1m", transport)
    assert finished.returncode == 1
    assert f"TransportUnavailableError: The transport '{transport}' cannot be used: there is" in finished.stderr


@pytest.mark.parametrize("count", [1, 2])
def test_a_process_that_joins_and_leaves_again_and_again_keeps_nothing(count: int) -> None:
    ports = [free_port() for _ in range(20)]
    for finished in run_processes(_AGAIN, count, lambda index: index, count, *ports, deadline=60,
                                  env={"OLYMPUS_NUM_CPU_DEVICES": "2"}):
        assert finished.returncode == 0, finished.stderr
        early, late = finished.stdout.splitlines()
        assert early == late, finished.stdout
